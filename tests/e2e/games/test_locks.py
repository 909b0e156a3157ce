"""Test that the page and the replay show a locked suit, which limits what can be played in a trick."""

from playwright.sync_api import expect

from tests.e2e import find
from tests.e2e.games.test_specials import NewContext, look, plays
from tests.e2e.people.crowd import Update, crowd
from tests.e2e.server import Server

LOCKED = {"suit_lock": "full", "target": 1}
NAMES = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}


def held_back(update: Update) -> str:
    """Return a higher card of another suit than the locked one, if the player could play another card."""
    table, name = update["table"], update["you"]["name"]
    if (
        table is None
        or table["turn"] != name
        or not plays(update)
        or not any(sign["key"] == "suit_lock" for sign in table["signs"])
    ):
        return ""
    on, ranks = table["trick"]["plays"][-1]["cards"], table["ranks"]
    held = update["you"]["cards"].split() if len(on) == 2 else []
    return next((card for card in held if card[1] != on[1] and ranks.index(card[0]) > ranks.index(on[0])), "")


def test_a_locked_trick_is_shown_and_explains_why_a_card_is_refused(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", options=LOCKED) as people:
        name = people.play_until(held_back)
        card, signs = held_back(people.sees(name)), people.sees(name)["table"]["signs"]
        (icon,) = (sign["icon"] for sign in signs if sign["key"] == "suit_lock")
        page = look(new_context, server, people, name, viewport={"width": 390, "height": 844})
        sign = find.signs(page)
        expect(sign).to_contain_text(f"locked to {NAMES[icon]}")
        find.choose(page, card)
        page.locator("[data-do=play]").click()
        notice = find.refusal(page)
        expect(notice).to_contain_text(f"a higher card in {icon}")
        expect(notice.get_by_role("link", name="Suit lock")).to_be_visible()
        people.play_until(lambda update: update["table"] is not None and update["table"]["over"])
        page.goto(f"{server.url}{find.newest_match(page, server.url)}")
        page.get_by_role("link", name="Watch replay", exact=True).click()
        page.wait_for_selector("#replay[data-step]")
        while not page.locator("[data-zone=signs]", has_text="locked to").count():
            page.keyboard.press("ArrowRight")
        expect(page.locator("body")).to_contain_text("locks the trick to")
