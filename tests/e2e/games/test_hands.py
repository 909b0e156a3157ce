"""Test that cards can be chosen, sorted, moved and played by keyboard, mouse and touch."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e import find
from tests.e2e.games.test_specials import look, plays
from tests.e2e.people.crowd import Crowd, Update, crowd
from tests.e2e.people.keyboard_user import Typist
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

CARDS = "[data-zone=hand] [data-card]"
CHOSEN = "[data-zone=hand] [data-card][aria-pressed=true]"


def of(page: Page, which: str) -> list[str]:
    """Return the codes of the matching cards, from left to right."""
    found: list[str] = page.locator(which).evaluate_all("cards => cards.map((card) => card.dataset.card)")
    return found


def leads(update: Update) -> Any:
    """Whether Ana leads and holds more than six cards, most of which she can then play."""
    table, you = update["table"], update["you"]
    return you["name"] == "Ana" and plays(update) and table["trick"] is None and len(you["cards"].split()) > 6


@pytest.fixture(scope="module")
def table(server: Server) -> Iterator[Crowd]:
    """Four players at a table. Tests that need Ana to lead play on until she does."""
    with crowd(server.url, "Ana Bob Cat Dan") as people:
        yield people


def test_cards_are_chosen_moved_sorted_and_played_by_keys(
    new_context: NewContext, server: Server, table: Crowd
) -> None:
    table.play_until(leads)
    ana = Typist(look(new_context, server, table, "Ana"), "Ana")
    page, key = ana.page, ana.press
    before = of(page, CARDS)
    # Shortcut keys work although no element has the focus.
    key("?")
    expect(page.locator("dialog kbd").first).to_be_visible()
    key("p")
    expect(page.locator("dialog[open]")).to_have_count(1)
    key("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    rank = before[0][0]
    key("0" if rank == "T" else rank.lower())
    expect(page.locator(CHOSEN).first).to_have_attribute("data-rank", rank)
    key("h")
    expect(page.locator("#alert p").last).to_contain_text("Chosen: ")
    key("Escape")
    expect(page.locator(CHOSEN)).to_have_count(0)

    # The key O goes through the sort orders. Moving a card creates an order "My own", which stays.
    order = page.get_by_label("Card order")
    for name in ("By suit", "By group", "My order", "By rank"):
        key("o")
        expect(order.locator("option:checked")).to_have_text(name)
    ana.tab_to(find.card_at_stop(page))
    key("Home")
    key("Shift+ArrowRight")
    expect(page.locator(CARDS).nth(1)).to_have_attribute("data-card", before[0])
    expect(page.locator(CARDS).nth(1)).to_be_focused()
    expect(order.locator("option:checked")).to_have_text("My order")
    own = of(page, CARDS)
    page.reload()
    page.wait_for_selector(CARDS)
    assert of(page, CARDS) == own

    # Chosen cards can be played with the focus on another element.
    key("0" if rank == "T" else rank.lower())
    expect(page.locator(CHOSEN).first).to_be_visible()
    gone = of(page, CHOSEN)
    key("Enter")
    expect(page.locator(CARDS)).to_have_count(len(own) - len(gone))
    assert of(page, CARDS) == [card for card in own if card not in gone]
    assert not ana.complaints


def test_letter_shortcuts_can_be_turned_off(new_context: NewContext, server: Server, table: Crowd) -> None:
    page = look(new_context, server, table, "Ana")
    page.keyboard.press("?")
    page.get_by_label("Use letter and number keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_have_count(0)


class Hand:
    """A mouse or a finger that drags."""

    def __init__(self, page: Page, *, touch: bool) -> None:
        self._mouse = page.mouse
        self._devtools = page.context.new_cdp_session(page) if touch else None

    def down(self, x: float, y: float) -> None:
        if self._devtools:
            self._touch("touchStart", x, y)
        else:
            self._mouse.move(x, y)
            self._mouse.down()
        self._at = (x, y)

    def to(self, x: float, y: float) -> None:
        """Move there in steps."""
        (left, top), steps = self._at, 8
        for step in range(1, steps + 1):
            at = (left + (x - left) * step / steps, top + (y - top) * step / steps)
            if self._devtools:
                self._touch("touchMove", *at)
            else:
                self._mouse.move(*at)
        self._at = (x, y)

    def up(self) -> None:
        if self._devtools:
            self._devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        else:
            self._mouse.up()

    def _touch(self, kind: str, x: float, y: float) -> None:
        assert self._devtools
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})


def middle(page: Page, what: str, nth: int = 0) -> tuple[float, float]:
    """Return a point of a card that no other card covers."""
    box = page.locator(what).nth(nth).bounding_box()
    assert box is not None
    return box["x"] + 20, box["y"] + 24


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_cards_can_be_dragged_to_select_move_or_play_them(
    new_context: NewContext, server: Server, table: Crowd, touch: bool
) -> None:
    table.play_until(leads)
    size: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True} if touch else {}
    page = look(new_context, server, table, "Ana", **size)
    hand, before = Hand(page, touch=touch), of(page, CARDS)
    felt = middle(page, "[data-zone=felt] [data-zone=middle]")

    # Dragging along the hand chooses cards. Dragging back to the felt cancels the choice.
    hand.down(*middle(page, CARDS, 1))
    hand.to(*middle(page, CARDS, 3))
    expect(page.locator(CHOSEN)).to_have_count(3)
    hand.up()
    assert of(page, CHOSEN) == before[1:4]
    page.keyboard.press("Escape")
    hand.down(*middle(page, CARDS, 1))
    hand.to(*middle(page, CARDS, 3))
    hand.to(*felt)
    hand.up()
    expect(page.locator(CHOSEN)).to_have_count(0)

    # Holding a card picks it up, so that it can be moved.
    hand.down(*middle(page, CARDS, 3))
    expect(find.hand(page).locator("[data-carried]")).to_have_count(1)
    x, y = middle(page, CARDS, 0)
    hand.to(x - 12, y)
    expect(find.hand(page).locator("[data-gap=before]")).to_have_attribute("data-card", before[0])
    hand.up()
    order = [before[3], *before[:3], *before[4:]]
    expect(page.locator(CARDS).first).to_have_attribute("data-card", before[3])
    assert of(page, CARDS) == order
    expect(page.locator(CHOSEN)).to_have_count(0)

    # Dropping a card on the title bar or pressing Escape changes nothing.
    hand.down(*middle(page, CARDS, 0))
    hand.to(200, 10)
    hand.up()
    hand.down(*middle(page, CARDS, 0))
    hand.to(*felt)
    page.keyboard.press("Escape")
    hand.up()
    expect(page.locator("[data-zone=hand] :is([data-carried], [aria-pressed=true])")).to_have_count(0)
    assert of(page, CARDS) == order

    # Dropping a card on the felt plays it with the other chosen cards.
    alone = next(action["cards"] for action in plays(table.sees("Ana")) if " " not in action["cards"])
    hand.down(*middle(page, CARDS, order.index(alone)))
    hand.to(*felt)
    expect(page.locator("[data-zone=hand][data-drop=felt] [data-carried]")).to_have_count(1)
    hand.up()
    expect(page.locator(CARDS)).to_have_count(len(before) - 1)
    assert of(page, CARDS) == [card for card in order if card != alone]
    table.catch_up(int(page.locator("#room").get_attribute("data-seq") or 0))


def test_dragging_from_the_cards_scrolls_a_page_that_scrolls(
    new_context: NewContext, server: Server, table: Crowd
) -> None:
    page = look(new_context, server, table, "Ana", viewport={"width": 390, "height": 500}, has_touch=True)
    page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
    page.wait_for_selector("[data-zone=hand][data-scrolls]")
    page.locator(CARDS).first.scroll_into_view_if_needed()
    was, before = page.evaluate("scrollY"), of(page, CARDS)
    finger = Hand(page, touch=True)
    x, y = middle(page, CARDS)
    finger.down(x, y)
    finger.to(x, y + 200)
    finger.up()
    page.wait_for_function("(was) => scrollY < was", arg=was)
    assert of(page, CARDS) == before
    expect(page.locator("[data-zone=hand] :is([data-carried], [aria-pressed=true])")).to_have_count(0)


def has_pair(update: Update) -> Any:
    """Whether Ana leads and holds a pair that she may play."""
    return leads(update) and any(len(pair) == 2 and pair[0][0] == pair[1][0] for pair in combinations(update))


def combinations(update: Update) -> list[list[str]]:
    return [action["cards"].split() for action in plays(update)]


def test_a_tap_offers_combinations_with_the_card_and_two_taps_play_it(
    new_context: NewContext, server: Server, table: Crowd
) -> None:
    table.play_until(has_pair)
    page = look(new_context, server, table, "Ana", viewport={"width": 390, "height": 844}, has_touch=True)
    before = of(page, CARDS)
    pair = next(each for each in combinations(table.sees("Ana")) if len(each) == 2 and each[0][0] == each[1][0])
    card, offers = page.locator(f"{CARDS}[data-card='{pair[0]}']"), page.locator("[data-offer]")
    card.tap(position=find.CORNER)
    expect(page.locator(CHOSEN)).to_have_count(1)
    named = card.get_attribute("aria-label") or ""
    assert named.partition(",")[0] in (offers.first.get_attribute("aria-label") or "")
    offers.first.tap()
    expect(page.locator(CHOSEN)).to_have_count(2)
    # Pressing N chooses the same cards one after the other.
    page.keyboard.press("Escape")
    expect(offers).to_have_count(0)
    card.focus()
    page.keyboard.press("n")
    expect(page.locator(CHOSEN)).to_have_count(1)
    page.keyboard.press("n")
    expect(page.locator(CHOSEN)).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(CHOSEN)).to_have_count(0)

    for _ in range(2):
        card.tap(position=find.CORNER)
    expect(page.locator(CARDS)).to_have_count(len(before) - 1)
    assert of(page, CARDS) == [each for each in before if each != pair[0]]
    table.catch_up(int(page.locator("#room").get_attribute("data-seq") or 0))


def test_all_playable_cards_are_listed_with_their_effect(new_context: NewContext, server: Server) -> None:
    options = {"ending_ranks": "8", "jokers": 2}
    with crowd(server.url, "Ana Bob Cat", options=options) as people:
        people.play_until(lambda update: leads(update) and len(plays(update)) > 24 and "8" in update["you"]["cards"])
        page = look(new_context, server, people, "Ana", viewport={"width": 390, "height": 844}, has_touch=True)
        listed = page.locator("dialog [data-cards]")
        page.get_by_role("button", name="What can I play?").tap()
        expect(page.locator("dialog summary").first).to_contain_text("single")
        # A long list is shown in parts.
        before = listed.count()
        page.get_by_role("button", name="Show more").tap()
        page.wait_for_function("(n) => document.querySelectorAll('dialog [data-cards]').length > n", arg=before)
        while page.get_by_role("button", name="Show more").count():
            before = listed.count()
            page.get_by_role("button", name="Show more").tap()
            page.wait_for_function("(n) => document.querySelectorAll('dialog [data-cards]').length > n", arg=before)
        legal = [action["cards"] for action in plays(people.sees("Ana"))]
        assert listed.evaluate_all("all => all.map((each) => each.dataset.cards)") == legal
        eight = listed.filter(has_text=re.compile(r"^8")).first
        expect(eight).to_contain_text("You win the trick.")
        cards = (eight.get_attribute("data-cards") or "").split()
        eight.tap()
        expect(page.locator("dialog[open]")).to_have_count(0)
        assert sorted(of(page, CHOSEN)) == sorted(cards)


def test_buttons_move_to_the_left_side_if_the_player_wants_it(
    new_context: NewContext, server: Server, table: Crowd
) -> None:
    table.play_until(
        lambda update: update["you"]["name"] == "Ana" and len(update["you"]["legal"]) > 1 and plays(update)
    )
    page = look(new_context, server, table, "Ana", viewport={"width": 1440, "height": 900})
    said, actions = find.zone(page, "status"), page.locator("[data-zone=own-side] > [data-zone=actions]")

    def is_left(one: Any, other: Any) -> bool:
        return bool(one.bounding_box()["x"] < other.bounding_box()["x"])

    assert is_left(said, actions)
    find.open_menu(page, "Me", "Table and cards")
    page.get_by_label("Left-handed layout").check()
    page.keyboard.press("Escape")
    assert is_left(actions, said)
    page.reload()
    page.wait_for_selector(CARDS)
    assert is_left(actions, said)


SUITS = """() => {
  const part = (value) => { const c = value / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const light = (colour) => {
    const [r, g, b] = colour.match(/\\d+/g).map(Number).map(part);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const cards = document.querySelectorAll("[data-zone=hand] [data-card]:not([data-fits=no])");
  return Object.fromEntries([...cards].map((card) => {
    const face = light(getComputedStyle(card).backgroundColor);
    const { color } = getComputedStyle(card.querySelector("[translate=no]"));
    const [one, other] = [face, light(color)].sort((a, b) => b - a);
    return [card.dataset.suit, [color, (one + 0.05) / (other + 0.05)]];
  }));
}"""
"""The colour of each suit in the hand, and its contrast with the card."""


def test_the_four_colour_deck_has_four_readable_suit_colours(
    new_context: NewContext, server: Server, table: Crowd
) -> None:
    def four_suits(update: Update) -> bool:
        held = {card[1] for card in update["you"]["cards"].split()}
        return held >= set("cdhs") and "Ana" not in update["table"]["to_act"] and update["you"]["name"] == "Ana"

    table.play_until(four_suits)
    page = look(new_context, server, table, "Ana", viewport={"width": 390, "height": 844})
    assert len({colour for colour, _ in page.evaluate(SUITS).values()}) == 2
    find.open_menu(page, "Me", "Table and cards")
    page.get_by_label("Four-colour suits").check()
    page.keyboard.press("Escape")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        suits = page.evaluate(SUITS)
        assert len(suits) == len({colour for colour, _ in suits.values()}) == 4
        assert all(contrast >= 4.5 for _, contrast in suits.values()), (scheme, suits)
