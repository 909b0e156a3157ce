"""A play that is refused: what the page says, and the rule that it leads to."""

from playwright.sync_api import expect

from tests.e2e.crowd import Update, crowd
from tests.e2e.server import Server
from tests.e2e.test_specials import NewContext, choose, look


def too_low(update: Update) -> str:
    """A single card that does not beat the one on the table, where it is one's turn."""
    table, name = update["table"], update["you"]["name"]
    if table is None or table["turn"] != name or not table["trick"]:
        return ""
    on = table["trick"]["plays"][-1]["cards"]
    held = update["you"]["cards"].split()
    return next(
        (card for card in held if len(on) == 2 and table["ranks"].index(card[0]) < table["ranks"].index(on[0])), ""
    )


def test_a_refused_play_says_why_and_leads_to_the_rule(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat", options={"preset": "pagat"}) as people:
        name = people.play_until(too_low)
        page = look(new_context, server, people, name, viewport={"width": 360, "height": 640})
        choose(page, too_low(people.sees(name)))
        page.locator("[data-do=play]").click()
        notice = page.locator(".notice.bad")
        expect(notice).to_contain_text("does not beat")
        link = notice.get_by_role("link", name="PRES-")
        box = link.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        link.focus()
        with page.context.expect_page() as opened:
            page.keyboard.press("Enter")
        there = opened.value
        there.wait_for_load_state()
        rule = there.url.split("#")[1]
        expect(there.locator(f"[id='{rule}']")).to_be_in_viewport()
        expect(page.locator("#room[data-seq]")).to_be_visible()
