"""Test that Ana and Bob can watch a match together, each in their own browser."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e import find
from tests.e2e.pages.test_pages import complaints
from tests.e2e.people.crowd import Crowd
from tests.e2e.people.guests import Guest
from tests.e2e.pictures.layout import SIZES, at_every_size
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def match(server: Server) -> Iterator[tuple[str, Crowd]]:
    """Play a match of two hands, and return its address and its players."""
    people = Crowd(server.url, ["Ana", "Bob", "Cat"])
    try:
        people.sit(game="tien_len", options={"instant_wins": []})
        people.play_until(lambda update: update["room"]["phase"] == "between_hands")
        people.do("Ana", "deal_next")
        people.play_until(lambda update: update["room"]["phase"] == "between_hands")
        yield f"{server.url}/matches/{people.sees('Ana')['room']['match_id']}", people
    finally:
        people.close()


def stands_at(page: Page, hand: int, step: int) -> None:
    root = page.locator("#replay")
    expect(root).to_have_attribute("data-number", str(hand))
    expect(root).to_have_attribute("data-step", str(step))


def test_two_people_can_watch_a_replay_together(
    new_context: NewContext, server: Server, match: tuple[str, Crowd]
) -> None:
    address, people = match

    def come(name: str, **look: Any) -> Guest:
        context = new_context(**look)
        context.add_cookies(people.cookies(name, server.url))  # type: ignore[arg-type]
        return Guest(context.new_page(), name)

    ana, bob = come("Ana", permissions=["clipboard-read", "clipboard-write"]), come("Bob", bypass_csp=True)
    ana.page.goto(f"{address}/replay?hand=0&move=4")
    stands_at(ana.page, 0, 4)
    ana.page.get_by_text("View and speed").press("Enter")
    ana.page.get_by_role("button", name="Start watching together").press("Enter")
    ours, theirs = find.zone(ana.page, "together"), find.zone(bob.page, "together")
    expect(ours).to_contain_text("You lead. Nobody is following you yet.")
    expect(ours).to_contain_text("Link copied. Anyone who opens it sees what you see.")
    expect(ours.get_by_role("button", name="Copy link")).to_be_focused()
    link = str(ana.page.evaluate("() => navigator.clipboard.readText()"))
    assert link == ana.page.url

    # Bob follows Ana to another move, another hand and another seat. The server is busy at first (503), and Bob's page
    # repeats the requests.
    for busy in ("together/*", "hands/1"):
        bob.page.route(f"**/api/matches/*/{busy}", lambda route: route.fulfill(status=503, json={}), times=1)
    bob.page.goto(link.replace("move=4", "move=0"))
    stands_at(bob.page, 0, 4)
    expect(theirs).to_contain_text("Ana leads: hand 1, step 5.")
    expect(ours).to_contain_text("1 person is following you.")
    ana.page.get_by_role("link", name="Next hand").press("Enter")
    expect(bob.page.locator("#live p", has_text="Ana leads: hand 2, step")).to_have_count(1)
    ana.page.keyboard.press("Home")
    stands_at(bob.page, 1, 0)
    for _ in range(7):
        ana.page.keyboard.press("ArrowRight")
    stands_at(bob.page, 1, 7)
    ana.page.get_by_label("Seen from").select_option(label="Cat")
    expect(bob.page.locator("[data-zone=all-cards] [data-zone=name]")).to_have_text(["Cat"])
    expect(theirs).to_contain_text("Ana leads: hand 2, step 8, seen by Cat.")
    assert bob.page.locator("#live p", has_text="Ana leads: hand").count() == 3  # moves are announced as they happen

    # A step of his own stops the following, until he follows again.
    bob.page.keyboard.press("ArrowLeft")
    stands_at(bob.page, 1, 6)
    ana.page.keyboard.press("ArrowRight")
    expect(theirs).to_contain_text("You are watching alone. Ana is at hand 2, step 9.")
    stands_at(bob.page, 1, 6)
    along = theirs.get_by_role("button", name="Follow Ana")
    along.press("Enter")
    stands_at(bob.page, 1, 8)
    expect(theirs.get_by_role("button", name="Watch alone")).to_be_focused()
    assert not complaints(bob.page)

    # Ana hands over, and follows Bob.
    expect(theirs.get_by_role("button", name="Take the lead")).to_have_count(0)
    ours.get_by_role("button", name="Offer the lead").press("Enter")
    expect(theirs).to_contain_text("offers you the lead.")
    theirs.get_by_role("button", name="Take the lead").press("Enter")
    expect(theirs).to_contain_text("You lead. 1 person is following you.")
    expect(theirs.get_by_role("button", name="Copy link")).to_be_focused()
    expect(ours).to_contain_text("Bob leads: hand 2, step 9")
    bob.page.keyboard.press("Home")
    stands_at(ana.page, 1, 0)

    # The leader reloads and leads from the current move. The panel is complete at every size.
    bob.page.goto(link)
    expect(theirs).to_contain_text("You lead. 1 person is following you.")
    stands_at(bob.page, 1, 0)
    theirs.get_by_role("button", name="Offer the lead").click()
    for page, sizes in ((ana.page, tuple(SIZES)), (bob.page, ("360x640", "390x844 at 200 %"))):
        expect(find.zone(page, "together")).to_contain_text("lead")
        found = [f"{size}: {each}" for size, wrong in at_every_size(page, sizes) for each in wrong]
        assert not found, "\n".join(found)

    theirs.get_by_role("button", name="Stop leading").press("Enter")
    for page in (ana.page, bob.page):
        expect(find.zone(page, "together")).to_have_text("Nobody is leading now. You are watching alone.")
        assert "follow=" not in page.url
    expect(bob.page.get_by_text("View and speed")).to_be_focused()
    ana.page.goto(link)
    expect(ours).to_contain_text("Nobody is leading at this link now")
    stands_at(ana.page, 0, 4)
    assert not ana.complaints
    assert not bob.complaints

    # Two lines of news are whole beside the controls on a low page.
    ana.page.set_viewport_size({"width": 1280, "height": 720})
    find.latest(ana.page).evaluate("line => (line.textContent = 'Cat plays four of a kind. '.repeat(9))")
    assert find.zone(ana.page, "status").evaluate("part => part.scrollHeight <= part.clientHeight")
