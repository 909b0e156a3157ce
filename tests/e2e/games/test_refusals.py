"""Test that a refused play gives its reason and a link to the rule."""

import re

from playwright.sync_api import expect

from tests.e2e import find
from tests.e2e.access.test_screen_reader_play import spoken
from tests.e2e.games.test_specials import NewContext, look, plays
from tests.e2e.people.crowd import Update, crowd
from tests.e2e.people.screen_reader_user import Listener
from tests.e2e.server import Server


def misfit(update: Update) -> str:
    """Return a higher card of another suit than the single on the table, if the player could play another card."""
    table, name = update["table"], update["you"]["name"]
    if table is None or table["turn"] != name or not table["trick"] or not plays(update):
        return ""
    on = table["trick"]["plays"][-1]["cards"]
    held, ranks = update["you"]["cards"].split(), table["ranks"]
    higher = (card for card in held if len(on) == 2 and ranks.index(card[0]) > ranks.index(on[0]))
    return next((card for card in higher if card[1] != on[1]), "")


def test_a_refused_play_gives_the_reason_and_links_to_the_rule(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat", options={"follow_suit": True}) as people:
        name = people.play_until(misfit)
        page = look(new_context, server, people, name, viewport={"width": 360, "height": 640})
        card = misfit(people.sees(name))
        ears = Listener(page)
        ears.listen()
        find.choose(page, card)
        page.locator("[data-do=play]").click()
        notice = find.refusal(page)
        expect(notice).to_contain_text("can’t beat")
        expect(notice).to_contain_text("of the same suit")
        # Both the announcement and the accessible text use spoken card names.
        page.wait_for_function("() => window.overheard.some(([, text]) => text.includes('can’t beat'))")
        for heard in (ears.heard("assertive")[-1], notice.aria_snapshot()):
            assert re.search(f"{spoken(card).capitalize()} can’t beat \\w+ of \\w+", heard)
            assert not re.search("[♣♦♥♠]", heard)
        link = notice.get_by_role("link", name="Follow suit")
        box = link.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        link.focus()
        with page.context.expect_page() as opened:
            page.keyboard.press("Enter")
        there = opened.value
        there.wait_for_load_state()
        expect(there.locator("[id='PRES-20']")).to_be_in_viewport()
        expect(there.locator("[id='PRES-20'] [data-zone=value]")).to_contain_text(
            "A single must be beaten in its own suit"
        )
        expect(page.locator("#room[data-seq]")).to_be_visible()
