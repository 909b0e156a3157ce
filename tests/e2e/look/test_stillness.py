"""Test that nothing changes size or place while nothing happens, and that a television shows a whole result."""

import copy
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from tests.e2e.pictures.layout import CUT_TEXTS, MOVED, SETTLED
from tests.e2e.pictures.stage import Stage, Update, all_states, as_hand
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

FRAMES = 30
PHONES_AND_DESKTOP = ((390, 844), (360, 640), (844, 390), (1440, 900))
TELEVISIONS = ((1024, 768), (1280, 720), (1920, 1080), (3840, 2160))


@pytest.fixture(scope="module")
def states() -> dict[str, Update]:
    return all_states()


@pytest.mark.parametrize(
    ("view", "sizes"),
    [("", PHONES_AND_DESKTOP), ("/screen", TELEVISIONS)],
    ids=["the table", "the television"],
)
def test_nothing_moves_in_any_state_while_nothing_happens(
    new_context: NewContext,
    server: Server,
    states: dict[str, Update],
    view: str,
    sizes: tuple[tuple[int, int], ...],
) -> None:
    stages = {
        f"{width}x{height}": Stage(new_context(viewport={"width": width, "height": height}), server, clock_runs=True)
        for width, height in sizes
    }
    found = []
    for stage in stages.values():
        stage.open(states["turn_4"], view)
    for number, (name, state) in enumerate(states.items(), 1):
        for stage in stages.values():
            stage.show(as_hand(state, number))
        # All pages are watched during the same frames.
        for stage in stages.values():
            stage.page.evaluate(f"(frames) => {{ window.moved = ({MOVED})(frames); }}", FRAMES)
        for size, stage in stages.items():
            found += [f"{name}, {size}: {each}" for each in stage.page.evaluate("window.moved")]
            if view:  # the other layout tests look at the table
                found += [f"{name}, {size}: {each}" for each in stage.page.evaluate(CUT_TEXTS)]
    assert not found, "\n".join(found)


def test_a_television_shows_every_result_completely(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    stage, found, seen = Stage(new_context(), server), [], 0
    for name, state in states.items():
        if state["table"] is None or state["table"]["last"] is None or state["room"]["phase"] == "playing":
            continue
        for kind, shown in (("short", state), ("long", with_wide_names(state))):
            stage.open(shown, "/screen")
            rows = stage.page.locator("[data-zone=screen-result] tr")
            seen = max(seen, rows.count())
            assert rows.count() >= len(state["table"]["seats"])
            for width, height in TELEVISIONS:
                stage.page.set_viewport_size({"width": width, "height": height})
                stage.page.evaluate(SETTLED)
                cut = stage.page.evaluate(CUT_TEXTS)
                found += [f"{name} with {kind} names, {width}x{height}: {each}" for each in cut]
    assert seen == 20
    assert not found, "\n".join(found)


def with_wide_names(state: Update) -> Update:
    """Return the state with names of twenty wide letters for every second player."""
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


def test_nothing_moves_in_a_lesson_while_nothing_happens(new_context: NewContext, server: Server) -> None:
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{server.url}/learn/president")
    page.wait_for_selector("[data-coach=speaks]")
    page.evaluate(SETTLED)
    assert page.evaluate(MOVED, FRAMES) == []
