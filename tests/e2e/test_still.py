"""Nothing changes size or place while nothing happens, and a television shows a whole result."""

import copy
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from tests.e2e.guests import Guest, play_with_bots
from tests.e2e.layout import MOVED, SETTLED
from tests.e2e.server import Server
from tests.e2e.stage import Stage, Update, all_states, as_hand

NewContext = Callable[..., BrowserContext]

FRAMES = 30
PHONES_AND_DESKTOP = ((390, 844), (360, 640), (844, 390), (1440, 900))
TELEVISIONS = ((1024, 768), (1280, 720), (1920, 1080), (3840, 2160))
PAGES = ("/", "/new", "/history", "/history/import", "/me", "/me/settings", "/rules", "/rules/president", "/nowhere")

CUT = """() => {
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const panel = document.querySelector(".screen-result").getBoundingClientRect();
  const cell = (each) => ({ text: each.textContent, box: each.getBoundingClientRect() });
  return [...document.querySelectorAll(".screen-result :is(h2, td, th)")].map(cell).filter(({ text, box }) =>
    text && [felt, panel].some((around) =>
      box.left < around.left - 1 || box.right > around.right + 1 ||
      box.top < around.top - 1 || box.bottom > around.bottom + 1,
    )).map(({ text }) => text);
}"""
"""Gives the cells of the result that reach beyond the felt or the panel."""


@pytest.fixture(scope="module")
def states() -> dict[str, Update]:
    return all_states()


@pytest.mark.parametrize("size", PHONES_AND_DESKTOP, ids=str)
def test_the_table_stands_still_in_every_state(
    new_context: NewContext, server: Server, states: dict[str, Update], size: tuple[int, int]
) -> None:
    stage = Stage(new_context(viewport={"width": size[0], "height": size[1]}), server, clock_runs=True)
    assert not moving(stage, states)


@pytest.mark.parametrize("size", TELEVISIONS, ids=str)
def test_the_television_stands_still_in_every_state(
    new_context: NewContext, server: Server, states: dict[str, Update], size: tuple[int, int]
) -> None:
    stage = Stage(new_context(viewport={"width": size[0], "height": size[1]}), server, clock_runs=True)
    assert not moving(stage, states, "/screen")


def moving(stage: Stage, states: dict[str, Update], view: str = "") -> list[str]:
    """Give what moves in each state that can be shown while nothing happens."""
    found = []
    stage.open(states["turn_4"], view)
    for number, (name, state) in enumerate(states.items(), 1):
        stage.show(as_hand(state, number))
        found += [f"{name}: {each}" for each in stage.page.evaluate(MOVED, FRAMES)]
    return found


@pytest.mark.parametrize("size", TELEVISIONS, ids=str)
def test_a_television_shows_all_of_every_result(
    new_context: NewContext, server: Server, states: dict[str, Update], size: tuple[int, int]
) -> None:
    stage, found, seen = Stage(new_context(viewport={"width": size[0], "height": size[1]}), server), [], 0
    for name, state in states.items():
        if state["table"] is None or state["table"]["last"] is None or state["room"]["phase"] == "playing":
            continue
        for kind, shown in (("short", state), ("long", with_wide_names(state))):
            stage.open(shown, "/screen")
            rows = stage.page.locator(".screen-result tr")
            seen = max(seen, rows.count())
            assert rows.count() >= len(state["table"]["seats"])
            found += [f"{name} with {kind} names: {each}" for each in stage.page.evaluate(CUT)]
    assert seen == 20
    assert not found, "\n".join(found)


def with_wide_names(state: Update) -> Update:
    """The same state, but each second player has a name of twenty wide letters."""
    names = {name: f"{'W' * 18}{n:02}" for n, name in enumerate(state["table"]["seats"]) if n % 2 and name != "Ana"}

    def renamed(part: object) -> object:
        if isinstance(part, dict):
            return {names.get(key, key): renamed(value) for key, value in part.items()}
        if isinstance(part, list):
            return [renamed(each) for each in part]
        return names.get(part, part) if isinstance(part, str) else part

    changed = renamed(copy.deepcopy(state))
    assert isinstance(changed, dict)
    return changed


def test_plain_pages_replays_and_lessons_stand_still(new_context: NewContext, server: Server) -> None:
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    ana = Guest(page, "Ana")
    ana.open_room(server.url, bots=["greedy"] * 3)
    room = page.url
    page.locator("[data-do=start]").click()
    play_with_bots(ana)
    page.goto(f"{server.url}/history")
    match = page.locator(".match-list a").first.get_attribute("href")
    found = []
    for path in (*PAGES, match, f"{match}/replay?hand=0", f"{room}/book", f"{room}/rules", "/learn/president"):
        page.goto(path if path and "://" in path else f"{server.url}{path}")
        page.wait_for_load_state("networkidle")
        page.evaluate(SETTLED)
        found += [f"{path}: {each}" for each in page.evaluate(MOVED, FRAMES)]
    assert not found, "\n".join(found)
