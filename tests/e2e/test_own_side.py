"""A player's own cards and buttons are complete inside the window and can be pressed, in every state of the table."""

import copy
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.layout import SETTLED
from tests.e2e.server import Server
from tests.e2e.stage import Stage, Update, all_states

NewContext = Callable[..., BrowserContext]

SIDEWAYS = (844, 390)
DECREE = "Everybody sings the national anthem of their grandmother, as loudly as they can"
BUTTON = {"main": False, "placed": False, "control": "button", "fields": [], "least": None, "most": None}

OUT_OF_REACH = """() => {
  const own = ".hand .card, .mine :is(.actions, .answers) :is(button, select, input)";
  return [...document.querySelectorAll(own)].filter((each) => each.checkVisibility()).flatMap((each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    const name = each.dataset.card ?? each.textContent.trim();
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) return `${name} is cut`;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return each.contains(hit) ? [] : `${name} is covered`;
  });
}"""


@pytest.fixture(scope="module")
def states() -> dict[str, Update]:
    """The states at the table, and the same with signs, with a decree, and with both."""
    plain = {name: state for name, state in all_states().items() if state["table"] is not None}
    some = [sign for name in ("lead_5", "long_trick") for sign in plain[name]["table"]["signs"]]
    signs = list({sign["key"]: sign for sign in some}.values())
    more = {}
    for name in ("turn_4", "turn_8_of_18", "exchange_low", "revolution", "wait_3", "two_packs"):
        marked, ordered = copy.deepcopy(plain[name]), copy.deepcopy(plain[name])
        marked["table"]["signs"] = signs
        for state in (ordered, both := copy.deepcopy(marked)):
            state["table"] |= {"decrees": {"Ana": DECREE}, "decree_waits": ["Ana"]}
            state["actions"] |= {"obey": BUTTON, "defy": BUTTON}
            state["you"]["may"] = [{"do": "obey"}, {"do": "defy"}]
        more |= {f"{name} with signs": marked, f"{name} with a decree": ordered, f"{name} with both": both}
    return plain | more


def test_on_a_phone_held_sideways_every_own_card_and_button_is_complete(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    width, height = SIDEWAYS
    stage, found = Stage(new_context(viewport={"width": width, "height": height}, has_touch=True), server), []
    for name, state in states.items():
        if state["you"]["name"] is not None:
            stage.open(state)
            found += [f"{name}: {each}" for each in stage.page.evaluate(OUT_OF_REACH)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", [(390, 844), (360, 640), SIDEWAYS, (1440, 900)], ids=str)
def test_a_decree_moves_neither_board_nor_main_button(
    new_context: NewContext, server: Server, states: dict[str, Update], size: tuple[int, int]
) -> None:
    page = (stage := Stage(new_context(viewport={"width": size[0], "height": size[1]}), server)).page
    boxes = """() => [".felt", ".hand", ".actions .main"].map((where) => {
      const { x, y, width, height } = document.querySelector(where).getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    })"""
    stage.open(states["turn_4"])
    before = page.evaluate(boxes)
    stage.show(states["turn_4 with a decree"])
    page.evaluate(SETTLED)
    assert page.locator("[data-do=defy]").count() == 1
    assert page.evaluate(boxes) == before


def test_all_cards_are_dimmed_if_none_beats_the_trick(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    stage, turn = Stage(new_context(), server), states["turn_4"]
    stage.open({**turn, "you": {**turn["you"], "legal": [{"do": "pass"}]}})
    cards = stage.page.locator(".hand .card")
    assert cards.count() == stage.page.locator(".hand .card.dim").count() == 13


def test_a_refusal_goes_when_other_cards_are_chosen(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    page = (stage := Stage(new_context(), server)).page
    stage.open(states["turn_8_of_18"])
    page.locator("[data-card='4d']").click()
    page.locator("[data-do=play]").click()
    expect(page.locator(".notice")).to_have_count(1)
    page.locator("[data-card='9s']").click()
    expect(page.locator(".notice")).to_have_count(0)


def test_a_press_counts_though_the_letter_pressed_is_replaced_meanwhile(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    page = (stage := Stage(new_context(), server)).page
    stage.open(states["turn_4"])
    card = page.locator(".hand [data-card='Tc']")
    letter = card.locator(".index b")
    assert letter.evaluate("(each) => each.closest('[translate=no]') !== null")
    box = letter.bounding_box()
    assert box
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    page.mouse.down()
    letter.evaluate("(each) => each.replaceWith(Object.assign(document.createElement('font'), { textContent: '10' }))")
    page.mouse.up()
    expect(page.locator(".hand .card.chosen[data-card='Tc']")).to_have_count(1)


def test_pulling_down_on_the_felt_does_not_load_the_page_again(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    page = (stage := Stage(new_context(), server)).page
    stage.open(states["turn_4"])
    assert page.evaluate("getComputedStyle(document.documentElement).overscrollBehaviorY") == "contain"
