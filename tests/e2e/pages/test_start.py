"""Test the way from the home page to a first hand, and the lessons."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import find
from tests.e2e.people.guests import Guest
from tests.e2e.pictures.layout import mistakes, resize
from tests.e2e.room.test_evening import NewContext
from tests.e2e.server import Server

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_play_now_deals_cards_and_an_invitation_asks_for_the_host_name(new_context: NewContext, server: Server) -> None:
    ana = Guest(new_context(**PHONE).new_page(), "Ana")
    page = ana.page
    page.goto(server.url)
    page.get_by_role("button", name="Play Big Two").tap()
    expect(find.cards(page)).to_have_count(13)
    expect(find.seats(page)).to_have_count(3)
    expect(find.zone(page, "coaching")).to_contain_text("Learn Big Two")

    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Copy invitation").tap()
    asked = page.locator("dialog[data-sheet=name]")
    asked.get_by_role("button", name="Copy link").tap()
    expect(asked.get_by_role("alert")).to_contain_text("Enter a name first")
    asked.get_by_label("Your name").fill("Ana")
    asked.get_by_role("button", name="Copy link").tap()
    expect(find.notice(page)).to_contain_text("ink")
    assert page.request.get(f"{server.url}/api/me").json()["name"] == "Ana"
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Copy invitation").tap()
    expect(asked).to_have_count(0)

    # The friend who joins sees Ana's name, not a made-up one.
    ben = Guest(new_context(**PHONE).new_page(), "Ben")
    ben.page.goto(page.url)
    expect(ben.page.locator("[data-seat='Ana'] [data-zone=name]")).to_have_text("Ana")
    expect(ben.page.locator("[data-welcome]")).to_contain_text("You replace a bot")
    felt = find.felt(ben.page).bounding_box()
    ben.page.get_by_label("Your name").fill("Ana")
    ben.page.get_by_role("button", name="Join").tap()
    expect(ben.page.locator("[data-welcome] [role=alert]")).to_contain_text("Someone here is already called Ana")
    assert find.felt(ben.page).bounding_box() == felt, "the error moves nothing"
    page.get_by_role("button", name="Close").tap()
    find.open_menu(page, "Host", "People")
    expect(page.locator("[data-person=Ana]")).to_contain_text("in the record of this match")
    assert not ana.complaints + ben.complaints


OUTSIDE_LIVE = """() => [
  ...document.querySelectorAll("body *:not([data-live] *, [data-zone=stage], [data-zone=stage] *)"),
].filter((each) => each.checkVisibility()).map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  const { color, font } = getComputedStyle(each);
  return [each.localName, x, y + scrollY, width, height, color, font].join(" ");
})"""
"""Describes every element of the home page outside its table."""


def test_the_home_page_fits_a_phone_and_its_table_plays_without_moving_anything_else(
    new_context: NewContext, server: Server
) -> None:
    page = new_context(**PHONE).new_page()
    page.clock.install()
    page.goto(server.url)
    for told in (
        page.get_by_role("heading", name="become President"),
        page.get_by_text("Free, no account"),
        page.get_by_role("button", name="Play now"),
        page.get_by_role("main").get_by_role("link", name="Invite friends"),
        page.get_by_label("Got a code from a friend?"),
    ):
        box = told.bounding_box()
        assert box
        assert box["y"] + box["height"] <= PHONE["viewport"]["height"]
    page.clock.run_for(10_000)
    felt = page.locator("[data-live] [data-zone=felt]")
    expect(felt, "a still picture with reduced motion").to_have_count(0)

    page.clock.resume()
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    before = page.evaluate(OUTSIDE_LIVE)
    expect(felt.locator("[data-play=now]")).to_be_visible()
    pause = page.get_by_role("button", name="Pause the table")
    pause.tap()
    expect(pause).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(OUTSIDE_LIVE) == before
    assert mistakes(page) == []


def test_a_first_lesson_can_be_played_to_its_end(new_context: NewContext, server: Server) -> None:
    learner = Guest(new_context(**PHONE).new_page(), "Robin")
    page = learner.page
    page.goto(server.url)
    page.get_by_role("link", name="President").tap()
    page.locator("a[href='/learn/president']").tap()
    page.wait_for_selector("[data-coach=speaks]")
    beats = page.request.get(f"{server.url}/api/lessons/president").json()["beats"]
    ring, coach = find.zone(page, "pointer").first, page.locator("[data-coach]")
    for step, beat in enumerate(beats):
        # The other players act after a delay. A button skips it.
        page.wait_for_function("(step) => Number(document.querySelector('#learn').dataset.step) >= step", arg=step)
        if beat["says"] == "":
            if page.locator("#learn").get_attribute("data-step") == str(step):
                page.locator("[data-do=onward]").dispatch_event("click")
            continue
        expect(coach).to_have_text(beat["says"])
        if beat["points"]:
            expect(ring).to_be_visible()
        if step == 2:
            try_something_else(page, beats[step])
        if "wants" in beat:
            do(page, beat["wants"])
        elif step < len(beats) - 1:
            page.locator("[data-do=onward]").tap()
    find.actions(page).get_by_role("button", name="Play a real game").tap()
    page.wait_for_url("**/r/*")
    expect(find.cards(page)).to_have_count(13)
    assert not learner.complaints


def test_a_lesson_accepts_a_bomb_out_of_turn(new_context: NewContext, server: Server) -> None:
    learner = Guest(new_context(**PHONE).new_page(), "Robin")
    page = learner.page
    lesson = page.request.get(f"{server.url}/api/lessons/ceausescu_out_of_turn").json()
    step = next(number for number, beat in enumerate(lesson["beats"]) if "wants" in beat)
    page.goto(f"{server.url}/learn/ceausescu_out_of_turn?step={step}")
    coach = page.locator("[data-coach]")
    expect(coach).to_contain_text("it is Wren’s turn")
    do(page, {"do": "play", "cards": "Kc Kd Kh"})
    expect(page.locator("[data-coach=objects]")).to_have_text(lesson["beats"][step]["why"])
    do(page, lesson["beats"][step]["wants"])
    expect(coach).to_have_text(lesson["beats"][step + 1]["says"])
    expect(find.cards(page)).to_have_count(5)
    assert not learner.complaints


def try_something_else(page: Page, beat: dict[str, Any]) -> None:
    """Try a legal play that is not the best one. The page must explain the better one and play nothing."""
    before = find.cards(page).count()
    do(page, {"do": "play", "cards": "2c"})
    expect(page.locator("[data-coach=objects]")).to_have_text(beat["why"])
    assert find.cards(page).count() == before


def do(page: Page, action: dict[str, Any]) -> None:
    """Choose the cards of an action and press its button."""
    find.choose(page, action.get("cards", ""), touch=True)
    page.locator(f"[data-zone=actions] [data-do={action['do']}]:not(:disabled)").tap()


@pytest.mark.parametrize("width", [360, 844, 1440])
def test_the_text_of_a_lesson_covers_no_cards(new_context: NewContext, server: Server, width: int) -> None:
    page = new_context(viewport={"width": width, "height": {360: 640, 844: 390}.get(width, 900)}).new_page()
    page.goto(f"{server.url}/learn/big_two?step=9")
    words = page.locator("[data-coach=speaks] [data-zone=turn]")
    expect(words).to_be_visible()
    words_box, hand, felt = (each.bounding_box() for each in (words, find.hand(page), find.felt(page)))
    assert words_box
    assert hand
    assert felt
    assert words_box["y"] >= felt["y"] + felt["height"]
    # On a wide page the cards lie on the edge of the felt, above the words.
    upper, lower = (hand, words_box) if width == 1440 else (words_box, hand)
    assert upper["y"] + upper["height"] <= lower["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if width == 360:
        resize(page, "390x844 at 200 %")
        assert mistakes(page) == [], "its title is whole in large letters, too"


ONE_SCREEN = """() => {
  const parts = ["#name", "[data-zone=games]",
    "[data-zone=presets]", "[data-zone=chosen-preset]", "[data-zone=submit] button"];
  const touched = ["#name", "[data-pick] > span", "[data-zone=submit] button", "[data-more] > summary"];
  const box = (each) => each.getBoundingClientRect();
  const bar = box(document.querySelector("[data-zone=submit]"));
  const end = (each) => (each.startsWith("[data-zone=submit]") ? innerHeight : bar.top);
  return {
    below: parts.filter((each) => box(document.querySelector(each)).bottom > end(each) + 1),
    small: touched.filter((each) => [...document.querySelectorAll(each)].some((one) => box(one).height < 44)),
    wide: document.documentElement.scrollWidth > innerWidth,
  };
}"""
"""Finds parts of the form outside the first screen, and touch targets that are too small."""
COVERED = """() => [...document.querySelectorAll("[data-zone=questions] [data-pick]")].filter((card) => {
  card.querySelector("input").focus();
  const bar = [...document.querySelectorAll("[data-zone=submit]")].at(-1);
  return card.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
}).map((card) => card.innerText)"""
"""Focuses each answer in turn, and finds those that the bar at the bottom covers."""


def test_the_new_room_form_fits_a_phone_screen_and_is_filled_from_answers_or_a_link(
    new_context: NewContext, server: Server
) -> None:
    page = new_context(**PHONE).new_page()
    page.goto(f"{server.url}/new")
    page.wait_for_selector("#new-room:not([aria-busy])")
    for width, height in ((390, 844), (360, 640), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(ONE_SCREEN)
        assert found == {"below": [], "small": [], "wide": False}, (width, height)
        assert page.evaluate(COVERED) == [], (width, height)
    page.set_viewport_size(PHONE["viewport"])

    # Answers set options. The line below names the nearest variant, and the room has these rules.
    page.goto(f"{server.url}/new?game=president&preset=australian")
    said = find.zone(page, "rules-said")
    expect(said).to_have_text(re.compile(r"^These are the rules of Australian. Special rules: "))
    page.get_by_role("group", name="jokers").get_by_role("radio", name="wild").check(force=True)
    lead = page.get_by_role("group", name="leads the next hand").get_by_role("radio")
    lead.first.focus()
    page.keyboard.press("ArrowDown")
    expect(lead.nth(1)).to_be_checked()
    expect(said).to_contain_text("Nearly Australian, except for Jokers, Joker role and Next lead.")
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Open room").tap()
    changes = find.zone(page, "rules").locator("li")
    expect(changes).to_have_text([re.compile("Both jokers"), re.compile("any rank"), re.compile("Last place")])
    # The server is at 127.0.0.1. The host enters the address for others in the invitation, and this browser keeps it.
    page.locator("[data-do=invite]").first.tap()
    invitation = page.get_by_role("dialog")
    address = find.zone(invitation, "address")
    address.locator("summary").tap()
    address.get_by_label("Address for others").fill("localhost")
    address.get_by_role("button").tap()
    expect(address.get_by_role("alert")).to_contain_text("Others can’t reach this address")
    address.get_by_label("Address for others").fill("192.168.1.20")
    address.get_by_role("button").tap()
    page.reload()
    expect(page.locator("#invite-link")).to_have_value(re.compile(rf"^http://192\.168\.1\.20:{server.port}/j/"))
    # The form in the waiting room asks the same.
    find.change_rules(page)
    expect(page.get_by_role("group", name="jokers").get_by_role("radio", name="wild")).to_be_checked()
    assert page.evaluate(COVERED) == []
    expect(said).to_contain_text("First out is Warlord")  # no question asks about titles

    # The chosen preset is scrolled into view. An unknown option in the link is reported.
    page.goto(f"{server.url}/new?game=president&preset=daifugo&jokers=1&wings=2")
    expect(page.locator("[role=alert]")).to_contain_text("This game has no option “wings”.")
    picked = page.locator("input[name=preset][value=daifugo]")
    expect(picked).to_be_checked()
    box = page.locator("[data-pick]:has([value=daifugo])").bounding_box()
    assert box
    assert 0 <= box["x"] <= PHONE["viewport"]["width"] - box["width"]
    expect(find.differences(page).locator("li")).to_have_count(1)
    page.locator("[data-do=link]").tap()
    expect(page.locator("[data-do=link]")).to_contain_text("opied")

    # The options in a link may contradict each other.
    page.goto(f"{server.url}/new?game=big_two&scoring=places")
    expect(find.differences(page).get_by_role("alert")).to_contain_text("can’t be combined")
    expect(page.locator("button[type=submit]")).to_be_disabled()
