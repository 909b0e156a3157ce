"""Test that the player's own cards and buttons are always complete in the window and can be pressed."""

import copy
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e import find
from tests.e2e.games.test_specials import chooses, look
from tests.e2e.people.crowd import crowd
from tests.e2e.pictures.layout import SETTLED, mistakes, resize
from tests.e2e.pictures.stage import Stage, Update, all_states, as_hand
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

SIDEWAYS = (844, 390)
DECREE = "Everybody sings the national anthem of their grandmother, as loudly as they can"
BUTTON = {"main": False, "placed": False, "control": "button", "fields": [], "least": None, "most": None}

OUT_OF_REACH = """() => {
  const bars = "[data-zone=own-side] :is([data-zone=actions], [data-zone=answers])";
  const own = `[data-zone=hand] [data-card], ${bars} :is(button, select, input)`;
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
    """Some states at the table: plain, with signs, with a decree, and with both."""
    plain = all_states()
    some = [sign for name in ("lead_5", "long_trick") for sign in plain[name]["table"]["signs"]]
    signs = list({sign["key"]: sign for sign in some}.values())
    more = {"turn_4": plain["turn_4"], "turn_8_of_18": plain["turn_8_of_18"]}
    for name in ("turn_4", "turn_8_of_18", "exchange_low", "revolution", "wait_3", "two_packs"):
        marked, ordered = copy.deepcopy(plain[name]), copy.deepcopy(plain[name])
        marked["table"]["signs"] = signs
        for state in (ordered, both := copy.deepcopy(marked)):
            state["table"] |= {"decrees": {"Ana": DECREE}, "decree_pending": ["Ana"]}
            state["actions"] |= {"obey": BUTTON, "defy": BUTTON}
            state["you"]["off_turn"] = [{"do": "obey"}, {"do": "defy"}]
        more |= {f"{name} with signs": marked, f"{name} with a decree": ordered, f"{name} with both": both}
    return more


def test_cards_and_buttons_are_complete_beside_signs_and_decrees_on_a_phone_held_sideways(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    width, height = SIDEWAYS
    stage, found = Stage(new_context(viewport={"width": width, "height": height}, has_touch=True), server), []
    stage.open(states["turn_4"])
    for number, (name, state) in enumerate(states.items(), 1):
        stage.show(as_hand(state, number))
        found += [f"{name}: {each}" for each in stage.page.evaluate(OUT_OF_REACH)]
    assert not found, "\n".join(found)


def test_choosing_ranks_to_bomb_fits_a_phone_held_sideways(new_context: NewContext, server: Server) -> None:
    width, height = SIDEWAYS
    options = {"bombing_ranks": "345678", "exchange": "none"}
    for names in ("Ana Bob Cat", "Ana Bob Cat Dan Eve Fay Gus Hal"):
        with crowd(server.url, names, options=options) as people:
            name = people.play_until(chooses("bomb"))
            look_at = {"viewport": {"width": width, "height": height}, "has_touch": True}
            page = look(new_context, server, people, name, **look_at)
            ranks = find.actions(page).locator("[data-rank]")
            expect(ranks).to_have_count(len(people.sees(name)["table"]["ranks"]))
            page.evaluate(SETTLED)
            assert page.evaluate(OUT_OF_REACH) == [], names
            # The button's text is longest when all ranks are chosen, and must stay complete.
            for rank in ranks.all()[: people.sees(name)["table"]["choice"]["most"]]:
                rank.tap()
            expect(page.locator("[data-do=bomb]")).to_be_enabled()
            assert page.evaluate(OUT_OF_REACH) == [], names
            assert mistakes(page, targets=True) == [], names


def test_a_decree_moves_neither_the_board_nor_the_main_button(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    page = (stage := Stage(new_context(), server)).page
    boxes = """() => ["[data-zone=felt]", "[data-zone=hand]", "[data-zone=actions] [data-do=play]"].map((where) => {
      const { x, y, width, height } = document.querySelector(where).getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    })"""
    stage.open(states["turn_4"])
    for number, size in enumerate(("390x844", "360x640", "844x390", "1440x900"), 1):
        resize(page, size)
        stage.show(as_hand(states["turn_4"], number))
        before = page.evaluate(boxes)
        stage.show(as_hand(states["turn_4 with a decree"], number))
        assert page.locator("[data-do=defy]").count() == 1
        assert page.evaluate(boxes) == before, size


def test_being_able_to_give_a_decree_does_not_change_the_own_side_height(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    stage = Stage(new_context(has_touch=True), server)
    before = states["turn_4"]
    stage.open(before)
    own_side = find.zone(stage.page, "own-side")
    for size in ("390x844", "360x640"):
        stage.show(before)
        resize(stage.page, size)
        lies = own_side.bounding_box()
        stage.show({**before, "you": {**before["you"], "decree": True}})
        expect(find.zone(stage.page, "me").get_by_role("button", name="Decree")).to_be_visible()
        assert own_side.bounding_box() == lies, size


def test_all_cards_are_dimmed_if_none_beats_the_trick(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    stage, turn = Stage(new_context(), server), states["turn_4"]
    stage.open({**turn, "you": {**turn["you"], "legal": [{"do": "pass"}]}})
    cards = find.cards(stage.page)
    assert cards.count() == stage.page.locator("[data-zone=hand] [data-card][data-fits=no]").count() == 13


def test_a_refusal_disappears_when_other_cards_are_chosen(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    page = (stage := Stage(new_context(), server)).page
    stage.open(states["turn_8_of_18"])
    page.locator("[data-card='4d']").click()
    page.locator("[data-do=play]").click()
    expect(find.notice(page)).to_have_count(1)
    page.locator("[data-card='9s']").click()
    expect(find.notice(page)).to_have_count(0)


def test_a_press_counts_even_if_the_pressed_letter_is_replaced(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    page = (stage := Stage(new_context(), server)).page
    stage.open(states["turn_4"])
    card = find.card(page, "Tc")
    letter = card.locator("[translate=no] b")
    assert letter.evaluate("(each) => each.closest('[translate=no]') !== null")
    # The page itself replaces the element, because a slow test would press long enough to pick up the card.
    letter.evaluate("""(each) => document.addEventListener(
      "pointerdown", () => each.replaceWith(Object.assign(document.createElement("font"), { textContent: "10" })),
      { capture: true, once: true },
    )""")
    before = letter.element_handle()
    letter.click(position={"x": 2, "y": 2})
    assert not before.evaluate("(each) => each.isConnected"), "it was not replaced"
    expect(page.locator("[data-zone=hand] [data-card][aria-pressed=true][data-card='Tc']")).to_have_count(1)


def test_pulling_down_on_the_felt_does_not_reload_the_page(
    new_context: NewContext, server: Server, states: dict[str, Update]
) -> None:
    page = (stage := Stage(new_context(), server)).page
    stage.open(states["turn_4"])
    assert page.evaluate("getComputedStyle(document.documentElement).overscrollBehaviorY") == "contain"
