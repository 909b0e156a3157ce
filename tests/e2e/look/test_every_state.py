"""Test every state of a room at every size and in several languages: nothing overlaps, is cut or moves by itself.

Each page keeps its size and changes its language. All pages draw a state and are watched at the same time.
"""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import BrowserContext

from tests.conftest import IN_CI
from tests.e2e.look.test_own_side import OUT_OF_REACH
from tests.e2e.pictures.layout import CUT_TEXTS, INSPECT, MOVED, SETTLED, SIZES, mistakes, resize
from tests.e2e.pictures.stage import MIRRORED, PSEUDO, Stage, Update, all_states, as_hand, show_all, with_wide_names
from tests.e2e.server import Server
from tests.long_run import TIMES
from tests.translated import complete_languages

NewContext = Callable[..., BrowserContext]

FRAMES = 30
LOOK = f"""(asked) => {{
  const settled = {SETTLED};
  const look = async () => {{
    while (document.querySelector(`[data-seq="${{asked.seq}}"]`) === null) await new Promise(requestAnimationFrame);
    await settled();
    // With large text, the sides keep heights of the state before, which need not be one of the same match.
    if (asked.size.includes("200 %") && document.querySelector("[data-zone=result]")) {{
      window.dispatchEvent(new Event("resize"));
      await settled();
    }}
    const moved = asked.still ? ({MOVED})({FRAMES}) : [];
    const faults = ({INSPECT.strip()})(asked);
    const sideways = asked.size === "844x390" && document.querySelector("[data-zone=own-side]") !== null;
    const cut = sideways ? ({OUT_OF_REACH})() : [];
    return [...faults, ...cut, ...(await moved).map((each) => `moves: ${{each}}`)];
  }};
  window.found = look();
  return null;
}}"""
"""Lets a page find its faults as soon as it has drawn an update, in `window.found`."""
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
OTHERS = [language for language in complete_languages() if language not in ("de", "ja")]
"""The other languages, the one with the longest texts first."""
TOO_FULL = ("chase_20", "844x390", PSEUDO)
"""Twenty seats fill a phone held sideways in English already: 40 % longer texts have no room."""


def more_languages(number: int) -> tuple[str, ...]:
    """Return more languages for a state: in CI Japanese or the longest, in turn; with `LONG_RUN=2` all."""
    every = "ja", *OTHERS
    return every if TIMES > 1 else (every[number % 2],) if IN_CI else ()


@pytest.fixture(scope="module")
def states() -> dict[str, Update]:
    return all_states()


@pytest.mark.long("one walk through all states, in all languages")
@pytest.mark.parametrize("sizes", [tuple(SIZES)[::2], tuple(SIZES)[1::2]], ids=" ".join)
def test_each_state_is_complete_readable_and_still_at_every_size_and_in_every_language(
    new_context: NewContext, server: Server, states: dict[str, Update], sizes: Sequence[str]
) -> None:
    stages, found = {}, list[str]()
    for size in sizes:
        stages[size] = Stage(new_context(has_touch=size != "1440x900"), server, clock_runs=True)
        stages[size].open(states["turn_4"])
        resize(stages[size].page, size)

    for number, (name, state) in enumerate(states.items(), 1):
        # Each state has news, because the page keeps the text of the latest event in its language.
        shown = as_hand({**state, "events": state["events"] or [{"e": "passed", "by": "Bob"}]}, number)
        for language in ("en", MIRRORED, *more_languages(number), "de", PSEUDO):  # shorter texts first
            for stage in stages.values():
                stage.speak(language)
                if language != MIRRORED:
                    stage.send(shown)
            for size, stage in stages.items():
                # Colours and movement don't depend on the language, and colours not on the size.
                plain = language == "en"
                asked = {"seq": stage.seq, "size": size, "still": plain, "targets": not size.startswith("1440")}
                stage.page.evaluate(LOOK, {**asked, "contrast": plain and size in ("390x844", "1440x900")})
            for size, stage in stages.items():
                faults = stage.page.evaluate("window.found")
                if (name, size, language) != TOO_FULL:
                    found += [f"{name}, {language}, {size}: {each}" for each in faults]
            if language == "en" and (phone := stages.get("390x844")) is not None:
                phone.page.emulate_media(color_scheme="dark")
                found += [f"{name}, dark: {each}" for each in mistakes(phone.page, contrast=True)]
                phone.page.emulate_media(color_scheme="light")
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


def test_a_lesson_is_readable_in_dark_mode_and_still(new_context: NewContext, server: Server) -> None:
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{server.url}/learn/president")
    page.wait_for_selector("[data-coach=speaks]")
    page.evaluate(SETTLED)
    assert page.evaluate(MOVED, FRAMES) == []
    page.emulate_media(color_scheme="dark")
    assert mistakes(page, contrast=True) == []
