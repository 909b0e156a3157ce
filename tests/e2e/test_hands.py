"""One's own cards: chosen, sorted, put in order and played by keys, by mouse and by touch."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.crowd import Crowd, Update, crowd
from tests.e2e.server import Server
from tests.e2e.test_specials import look, plays
from tests.e2e.typist import Typist

NewContext = Callable[..., BrowserContext]

CARDS = ".hand .card"
CHOSEN = ".hand .card.chosen"


def of(page: Page, which: str) -> list[str]:
    """These cards, as they stand."""
    found: list[str] = page.locator(which).evaluate_all("cards => cards.map((card) => card.dataset.card)")
    return found


def leads(update: Update) -> Any:
    """Whether it is Ana who leads, with many cards: then most of what she has may be played."""
    table, you = update["table"], update["you"]
    return you["name"] == "Ana" and plays(update) and table["trick"] is None and len(you["cards"].split()) > 6


@pytest.fixture(scope="module")
def table(server: Server) -> Iterator[Crowd]:
    """Four people at a table; whoever wants to lead goes on playing until they do."""
    with crowd(server.url, "Ana Bob Cat Dan") as people:
        yield people


def test_cards_are_chosen_moved_sorted_and_played_by_keys(
    new_context: NewContext, server: Server, table: Crowd
) -> None:
    table.play_until(leads)
    ana = Typist(look(new_context, server, table, "Ana"), "Ana")
    page, key = ana.page, ana.press
    before = of(page, CARDS)
    # Nothing has the focus yet: the table hears keys all the same.
    key("?")
    expect(page.locator("dialog .key-list kbd").first).to_be_visible()
    key("p")
    expect(page.locator("dialog[open]")).to_have_count(1)
    key("Escape")
    rank = before[0][0]
    key("0" if rank == "T" else rank.lower())
    expect(page.locator(CHOSEN).first).to_have_attribute("data-rank", rank)
    key("h")
    expect(page.locator("#alert p").last).to_contain_text("Chosen: ")
    key("Escape")
    expect(page.locator(CHOSEN)).to_have_count(0)

    # From order to order; whoever moves a card has one of their own, which lasts.
    order = page.get_by_label("Order of your cards")
    for name in ("By suit", "By sets", "My own", "By rank"):
        key("o")
        expect(order.locator("option:checked")).to_have_text(name)
    ana.tab_to(page.locator(".hand .card[tabindex='0']"))
    key("Home")
    key("Shift+ArrowRight")
    expect(page.locator(CARDS).nth(1)).to_have_attribute("data-card", before[0])
    expect(page.locator(CARDS).nth(1)).to_be_focused()
    expect(order.locator("option:checked")).to_have_text("My own")
    own = of(page, CARDS)
    page.reload()
    page.wait_for_selector(CARDS)
    assert of(page, CARDS) == own

    # What is chosen is played from anywhere.
    key("0" if rank == "T" else rank.lower())
    expect(page.locator(CHOSEN).first).to_be_visible()
    gone = of(page, CHOSEN)
    key("Enter")
    expect(page.locator(CARDS)).to_have_count(len(own) - len(gone))
    assert of(page, CARDS) == [card for card in own if card not in gone]
    assert not ana.complaints


def test_letters_are_no_keys_for_whoever_wants_none(new_context: NewContext, server: Server, table: Crowd) -> None:
    page = look(new_context, server, table, "Ana")
    page.keyboard.press("?")
    page.get_by_label("Letters and figures are keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_have_count(0)
