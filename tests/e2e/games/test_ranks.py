"""Test that players visibly change seats by their places, and that the waiting room shows the next titles."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e import find
from tests.e2e.people.guests import Guest, play_with_bots
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

WATCH_GLIDES = """
  window.glided = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    if (this.dataset.seat) window.glided.push(this.dataset.seat);
    return animate.apply(this, how);
  };
"""


def others(page: Page) -> list[str]:
    return page.locator("[data-seat]").evaluate_all("seats => seats.map(seat => seat.dataset.seat)")


def test_seats_follow_places_and_the_next_match_starts_with_the_titles(new_context: NewContext, server: Server) -> None:
    ana = Guest(new_context().new_page(), "Ana")
    page = ana.page
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(WATCH_GLIDES)
    ana.open_room(server.url, bots=["easy"] * 3, options={"preset": "pagat"})
    find.start_match(page)
    expect(find.cards(page).nth(11)).to_be_visible()  # 13, or one more or fewer during an exchange
    before = others(page)
    assert page.evaluate("glided") == []
    play_with_bots(ana)
    ranks = find.result(page).locator("tbody [data-zone=name]").all_inner_texts()
    will_change = find.zone(page, "seat-order").count() == 1
    page.get_by_role("button", name="Deal the next hand").click()
    expect(find.result(page)).to_have_count(0)
    expect(page.locator("[data-seat]")).to_have_count(3)
    at = ranks.index("Ana")
    assert others(page) == ranks[at + 1 :] + ranks[:at], "who came in first sits first, clockwise"
    assert will_change == (others(page) != before)
    if will_change:
        page.wait_for_function("() => glided.length > 0")  # starts one frame later, after other animations
    else:
        assert page.evaluate("glided") == []

    find.open_menu(page, "Host")
    find.confirm(page, "stop")
    page.get_by_role("button", name="Waiting room").click()
    chairs = find.lobby_seats(page).locator("li")
    expect(chairs.filter(has_text=ranks[0]).locator("[data-zone=also]")).to_contain_text("President")
    expect(chairs.filter(has_text=ranks[0]).locator("[data-worn=crown]")).to_have_count(1)
    expect(chairs.filter(has_text=ranks[3]).locator("[data-worn=shell]")).to_have_count(1)

    find.start_match(page)
    expect(page.locator("[data-seat]")).to_have_count(3)
    assert others(page) == ranks[at + 1 :] + ranks[:at]
    expect(page.locator("[data-seat]").first.locator("[data-zone=about]")).not_to_be_empty()
    find.open_menu(page, "Host")
    find.confirm(page, "stop")
    page.get_by_role("button", name="Waiting room").click()

    find.change_rules(page)
    page.get_by_text("Time limits, titles and points").click()
    page.get_by_label("Keep titles for the next match").select_option("never")
    page.get_by_role("button", name="Use these rules").click()
    expect(find.lobby_seats(page).locator("[data-worn=crown]")).to_have_count(0)
    find.start_match(page)
    expect(find.zone(page, "status")).to_be_visible()
    expect(page.locator("[data-seat] [data-title]")).to_have_count(0)
