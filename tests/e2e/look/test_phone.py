"""Test a whole hand against three bots by touch on an upright phone, with nothing wider than the screen."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from tests.e2e import find
from tests.e2e.people.guests import Guest, play_with_bots
from tests.e2e.server import Server

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}

WATCH_WIDTH = """() => {
  window.widest = 0;
  new MutationObserver(() => {
    window.widest = Math.max(window.widest, document.documentElement.scrollWidth, document.body.scrollWidth);
  }).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


def test_a_hand_on_a_phone_never_scrolls_sideways(new_context: Callable[..., BrowserContext], server: Server) -> None:
    ana = Guest(new_context(**PHONE).new_page(), "Ana")
    ana.open_room(server.url, bots=["easy", "easy", "random"])
    page = ana.page
    page.evaluate(WATCH_WIDTH)
    ana.press(page.locator("[data-do=start]"))
    page.wait_for_selector(find.CARDS)
    # All touch targets are large enough and on the screen.
    for button in page.locator(
        "[data-zone=hand] [data-card], [data-zone=actions] button, [data-zone=tools] button"
    ).all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= 844
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    assert play_with_bots(ana) >= 1
    expect(find.result(page).locator("tbody tr")).to_have_count(4)
    assert page.evaluate("window.widest") <= 390
    assert not ana.complaints


def test_all_eighteen_cards_can_be_reached_on_a_phone(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    ana = Guest(new_context(**PHONE).new_page(), "Ana")
    ana.open_room(server.url, options={"preset": "pagat", "jokers": 2}, bots=["easy", "easy"])
    page = ana.page
    ana.press(page.locator("[data-do=start]"))
    expect(find.cards(page).nth(16)).to_be_visible()
    count = find.cards(page).count()
    assert count in (17, 18)
    # Each card's left edge is free from top to bottom, so that a thumb hits the right card.
    own = find.cards(page).evaluate_all(
        """cards => cards.filter((card) => {
          const box = card.getBoundingClientRect();
          const hit = document.elementFromPoint(box.left + 16, box.top + box.height / 2);
          return card.contains(hit);
        }).length"""
    )
    assert own == count
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
