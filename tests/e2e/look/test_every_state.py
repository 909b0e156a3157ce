"""Test every state of a room at every size: nothing overlaps, is cut, is out of reach, or moves by itself.

Each page keeps its size. All pages show a state and are watched at the same time.
"""

import copy
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from tests.e2e.look.test_own_side import OUT_OF_REACH
from tests.e2e.pictures.layout import CUT_TEXTS, INSPECT, MOVED, SETTLED, SIZES, mistakes, resize
from tests.e2e.pictures.stage import Stage, Update, all_states, as_hand, show_all
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

FRAMES = 30
WATCHED = f"(asked) => {{ window.moved = ({MOVED})({FRAMES}); return ({INSPECT.strip()})(asked); }}"
"""Starts to watch whether anything moves, and returns the faults of the page meanwhile."""
OVERLAPPING_SEATS = """() => {
  const seen = { visibilityProperty: true };
  const seats = [...document.querySelectorAll("[data-seat]")].filter((seat) => seat.checkVisibility(seen));
  const boxes = seats.map((seat) => [seat.dataset.seat, seat.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], i) =>
    boxes
      .slice(i + 1)
      .filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map(([other]) => `the seats of ${name} and ${other} overlap`),
  );
}"""
"""Finds visible seats whose boxes overlap."""
TELEVISIONS = ((1024, 768), (1280, 720), (1920, 1080), (3840, 2160))
GROUPS = 2
"""Tests among which the states are shared out, so that none takes long."""


@pytest.fixture(scope="module")
def states() -> dict[str, Update]:
    return all_states()


@pytest.mark.long("one walk through half of all states, at all sizes")
@pytest.mark.parametrize("group", range(GROUPS))
def test_each_state_is_complete_readable_and_still_at_every_size(
    new_context: NewContext, server: Server, states: dict[str, Update], group: int
) -> None:
    stages, found = {}, list[str]()
    for size in SIZES:
        stages[size] = Stage(new_context(has_touch=size != "1440x900"), server, clock_runs=True)
        stages[size].open(states["turn_4"])
        resize(stages[size].page, size)
    phone = stages["390x844"].page
    for number, (name, state) in list(enumerate(states.items(), 1))[group::GROUPS]:
        show_all(stages.values(), as_hand(state, number))
        for size, stage in stages.items():
            # With large text, the sides keep heights of the state before, which need not be one of the same match.
            if "200 %" in size:
                stage.page.evaluate("window.dispatchEvent(new Event('resize'))")
                stage.page.evaluate(SETTLED)
            # Colours don't depend on the size.
            asked = {"targets": not size.startswith("1440"), "contrast": size in ("390x844", "1440x900")}
            found += [f"{name}, {size}: {each}" for each in stage.page.evaluate(WATCHED, asked)]
        if state["you"]["name"] is not None:
            found += [f"{name}, sideways: {each}" for each in stages["844x390"].page.evaluate(OUT_OF_REACH)]
        for size, stage in stages.items():
            found += [f"{name}, {size}, moves: {each}" for each in stage.page.evaluate("window.moved")]
        phone.emulate_media(color_scheme="dark")
        found += [f"{name}, dark: {each}" for each in mistakes(phone, contrast=True)]
        phone.emulate_media(color_scheme="light")
    assert not found, "\n".join(found)


@pytest.mark.long("one walk through all states, at all sizes of televisions")
def test_each_state_is_complete_and_still_on_televisions(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    stages, found, seen = {}, list[str](), 0
    for width, height in TELEVISIONS:
        stage = Stage(new_context(viewport={"width": width, "height": height}), server, clock_runs=True)
        stages[f"{width}x{height}"] = stage
        stage.open(states["turn_4"], "/screen")
    for number, (name, state) in enumerate(states.items(), 1):
        shown = {name: state}
        over = state["table"] and state["table"]["last"] and state["room"]["phase"] != "playing"
        if over:
            shown[f"{name} with long names"] = with_wide_names(state)
        for kind, update in shown.items():
            show_all(stages.values(), as_hand(update, 2 * number + (kind != name)))
            for stage in stages.values():
                stage.page.evaluate(f"(frames) => {{ window.moved = ({MOVED})(frames); }}", FRAMES)
            for size, stage in stages.items():
                for faults in (CUT_TEXTS, OVERLAPPING_SEATS):
                    found += [f"{kind}, {size}: {each}" for each in stage.page.evaluate(faults)]
                if over:
                    rows = stage.page.locator("[data-zone=screen-result] [data-who]").count()
                    assert rows >= len(state["table"]["seats"])
                    seen = max(seen, rows)
                found += [f"{kind}, {size}, moves: {each}" for each in stage.page.evaluate("window.moved")]
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


def test_a_lesson_is_readable_in_dark_mode_and_still(new_context: NewContext, server: Server) -> None:
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{server.url}/learn/president")
    page.wait_for_selector("[data-coach=speaks]")
    page.evaluate(SETTLED)
    assert page.evaluate(MOVED, FRAMES) == []
    page.emulate_media(color_scheme="dark")
    assert mistakes(page, contrast=True) == []
