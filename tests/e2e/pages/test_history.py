"""Test the pages about a session of three matches with a server restart, a newcomer and a player who left."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e import find
from tests.e2e.people.crowd import Crowd, Update
from tests.e2e.people.guests import Guest
from tests.e2e.pictures.layout import resize
from tests.e2e.room.test_evening import settled
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]


@dataclass
class Evening:
    """A session that has been played."""

    url: str
    code: str
    ana: list[dict[str, Any]]
    """Ana's cookies."""
    president: str
    """The player in first place after the first match."""


def hand_is_over(update: Update) -> bool:
    return update["room"]["phase"] == "between_hands"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """Play a session: Dan joins, Bob leaves, the server is killed, and the last hand is aborted."""
    server = Server(tmp_path_factory.mktemp("evening"))
    server.start()
    people = Crowd(server.url, ["Ana", "Bob", "Cat"])
    try:
        people.sit(game="president", stake={"amount": 0.25, "unit": "euros"})
        people.play_until(hand_is_over)
        people.join("Dan")
        people.do("Ana", "deal_next")
        people.play_until(hand_is_over)
        people.go("Bob")
        people.do("Ana", "deal_next")
        people.play_until(hand_is_over)
        president = people.sees("Ana")["table"]["last"]["standing"][0]
        people.do("Ana", "stop")

        server.kill()
        server.start()
        people.come_back()
        people.do("Ana", "rematch")
        people.do("Ana", "start")
        people.play_until(hand_is_over)
        people.do("Ana", "stop")

        people.do("Ana", "rematch")
        people.do("Ana", "configure", game="ceausescu")
        people.do("Ana", "start")
        people.play_until(hand_is_over)
        king, *others = people.sees("Ana")["table"]["last"]["standing"]
        people.do(king, "act", action={"do": "decree", "text": "Fetch the peanuts", "to": others[-1]})
        people.do(others[-1], "act", action={"do": "defy"})
        people.do("Ana", "deal_next")
        people.play_until(lambda update: update["table"]["phase"] == "play")
        people.do("Ana", "stop")
        yield Evening(server.url, people.code, people.cookies("Ana", server.url), president)
    finally:
        people.close()
        server.stop()


def ana_of(new_context: NewContext, evening: Evening, **look: Any) -> Guest:
    context = new_context(**look)
    context.add_cookies(evening.ana)  # type: ignore[arg-type]
    return Guest(context.new_page(), "Ana")


def test_an_evening_of_three_matches_is_settled_and_shown_in_the_history(
    new_context: NewContext, evening: Evening
) -> None:
    ana = ana_of(new_context, evening)
    page = ana.page
    page.goto(f"{evening.url}/r/{evening.code}")
    assert "5 hands since" in settled(ana, 0.25), "of all three matches, with Bob, who has gone"

    page.goto(f"{evening.url}/history")
    card = page.locator("li[id^=evening-]")
    expect(card).to_contain_text(["Today"])
    expect(card.locator("[data-zone=moment] a")).to_have_attribute("href", re.compile("/replay"))
    summary = card.locator("summary")
    summary.click()
    matches = page.locator("li:has(> a[href^='/matches/'])")
    expect(matches.locator("b")).to_have_text(["Ceausescu", "President", "President"])

    matches.nth(2).get_by_role("link").click()
    hands = page.locator("li[id^=hand-]")
    expect(hands).to_have_count(3)
    expect(hands.nth(1).locator("[data-zone=between]")).to_contain_text("Dan joins.")
    expect(hands.nth(2).locator("[data-zone=between]")).to_contain_text("Bob leaves.")
    expect(hands.nth(2).locator("[data-zone=places] [data-zone=name]")).to_have_count(3)
    why = hands.first.locator("[data-zone=places] summary").first
    why.press("Enter")
    expect(hands.first.locator("[data-zone=places] details li").first).to_contain_text("Place 1 of 3")

    page.go_back()
    summary.click()
    matches.nth(1).get_by_role("link").click()
    began = page.get_by_text("The match began with these places, best first:")
    expect(began).to_contain_text(f": {evening.president}")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="All matches of this room").click()
    summary.click()
    expect(matches).to_have_count(3)

    matches.first.get_by_role("link").click()
    expect(hands).to_have_count(2)
    decrees = hands.nth(1).locator("[data-zone=between] li")
    expect(decrees.nth(0)).to_contain_text("Fetch the peanuts")
    expect(decrees.nth(1)).to_contain_text("defies the decree “Fetch the peanuts”")
    expect(hands.nth(1).locator("[data-zone=hand-head]")).to_contain_text("not finished")
    expect(hands.nth(1).locator("ul[aria-label]").last).to_contain_text("it does not count")
    expect(page.get_by_role("link", name="All highlights")).to_be_visible()
    # The text of each move links to that move in the replay.
    crowned = hands.first.get_by_role("link", name="becomes King")
    move = re.search(r"move=(\d+)", crowned.get_attribute("href") or "")
    assert move is not None
    crowned.click()
    expect(page.locator("#replay")).to_have_attribute("data-step", move[1])
    # Cards fly on a single step, and not on a jump.
    page.emulate_media(reduced_motion="no-preference")
    page.keyboard.press("Home")
    expect(page.locator("#replay")).to_have_attribute("data-step", "0")
    assert find.stage(page).locator("[data-flies]").count() == 0
    flown = "() => document.querySelector('[data-zone=stage] [data-flies]') !== null"
    steps = int(page.locator("#replay").get_attribute("data-steps") or 0)
    assert any(stepped(page) and page.evaluate(flown) for _ in range(steps - 1))
    # At a turn of her own, Ana asks what the hard bot would have played.
    asks = page.locator("[data-do=hindsight]")
    assert any(asks.count() or stepped(page) is None for _ in range(steps - 1))
    page.set_viewport_size({"width": 360, "height": 640})
    ask_until_a_worker_has_time(page)
    expect(find.zone(page, "would-play")).to_contain_text(re.compile("hard bot|Close call|In the comparison"))
    expect(page.locator("[data-step=on]")).to_be_in_viewport(ratio=1)
    resize(page, "390x844 at 200 %")
    page.evaluate("scrollTo(0, 0)")
    for step in ("first", "back", "on", "last", "play"):
        expect(page.locator(f"[data-step={step}]")).to_be_in_viewport(ratio=1)
    assert not ana.complaints


def test_days_of_the_history_are_those_of_the_visitors_time_zone(new_context: NewContext, evening: Evening) -> None:
    page = ana_of(new_context, evening, timezone_id="Australia/Adelaide").page
    page.goto(f"{evening.url}/history?from=2026-01-01")
    page.get_by_role("button", name="Show matches").click()
    expect(page).to_have_url(re.compile("zone=Australia%2FAdelaide"))
    expect(page.locator("li:has(> a[href^='/matches/'])")).to_have_count(3)


def ask_until_a_worker_has_time(page: Page) -> None:
    """Ask what the hard bot would have played, and again while the page says that the server is too busy."""
    told, busy = find.zone(page, "would-play"), page.get_by_role("alert").filter(has_text="too busy")
    for _ in range(30):
        page.locator("[data-do=hindsight]").click()
        expect(told.or_(busy)).to_be_visible(timeout=20_000)
        if told.count():
            return
        page.wait_for_timeout(2_000)  # the server asks to wait for a moment


def stepped(page: Page) -> bool:
    """Go one move forward, with flying cards. Always return True."""
    page.wait_for_timeout(150)  # a real pause: cards don't fly before MIN_UPDATE_INTERVAL (card_flights.js)
    page.keyboard.press("ArrowRight")
    return True


def test_matches_can_be_filtered_by_keyboard_without_javascript(new_context: NewContext, evening: Evening) -> None:
    page = ana_of(new_context, evening, java_script_enabled=False).page
    matches = page.locator("li:has(> a[href^='/matches/'])")
    page.goto(f"{evening.url}/history")
    expect(matches).to_have_count(3)
    expect(page.locator("time").first).to_contain_text("UTC")
    page.locator("summary", has_text="Search").press("Enter")
    page.get_by_label("Search", exact=True).fill("bo")
    page.keyboard.press("Enter")
    expect(matches).to_have_count(1)
    page.get_by_role("link", name="Remove filter: “bo”").press("Enter")
    expect(matches).to_have_count(3)

    page.locator("summary", has_text="Search").press("Enter")
    page.locator("form[role=search] summary").press("Enter")
    page.get_by_label("Game").select_option("president")
    page.get_by_label("Player").fill("Dan")
    page.get_by_label("Room").select_option(evening.code)
    page.get_by_role("button", name="Show").press("Enter")
    expect(matches).to_have_count(2)
    chips = page.get_by_role("list", name="Active filters").get_by_role("listitem")
    expect(chips).to_have_text([f"Room {evening.code} ×", "Player Dan ×", "President ×", "Remove all filters"])
    page.goto(f"{evening.url}/history?from=tomorrow")
    first = page.get_by_label("From", exact=True)
    expect(first).to_have_attribute("aria-invalid", "true")
    expect(first).to_have_accessible_description("Write a day as 2026-11-22.")
