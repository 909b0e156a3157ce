"""The first minute: from the home page to cards in hand, and a first hand that teaches."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.guests import Guest
from tests.e2e.layout import mistakes, resize
from tests.e2e.server import Server
from tests.e2e.test_evening import NewContext

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_one_press_leads_to_cards_and_whoever_comes_reads_the_name_that_was_given_with_the_invitation(
    new_context: NewContext, server: Server
) -> None:
    ana = Guest(new_context(**PHONE).new_page(), "Ana")
    page = ana.page
    page.goto(server.url)
    page.locator("select[name=game]").select_option("big_two")
    page.get_by_role("button", name="Play now").tap()
    expect(page.locator(".hand .card")).to_have_count(13)
    expect(page.locator(".seat")).to_have_count(3)

    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Copy the invitation").tap()
    asked = page.locator("dialog[data-sheet=name]")
    asked.get_by_role("button", name="Copy the link").tap()
    expect(asked.get_by_role("alert")).to_contain_text("Write a name first")
    asked.get_by_label("Your name").fill("Ana")
    asked.get_by_role("button", name="Copy the link").tap()
    expect(page.locator(".notice")).to_contain_text("ink")
    assert page.request.get(f"{server.url}/api/me").json()["name"] == "Ana"
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Copy the invitation").tap()
    expect(asked).to_have_count(0)

    # The friend who comes finds Ana, not somebody with a name that was made up.
    ben = Guest(new_context(**PHONE).new_page(), "Ben")
    ben.page.goto(page.url)
    expect(ben.page.locator("[data-seat='Ana'] .name")).to_have_text("Ana")
    expect(ben.page.locator(".welcome")).to_contain_text("A bot gets up for you")
    ben.page.get_by_label("Your name").fill("Ana")
    ben.page.get_by_role("button", name="Join").tap()
    expect(ben.page.locator(".welcome [role=alert]")).to_contain_text("Somebody here is called Ana already")
    page.get_by_role("button", name="Close").tap()
    page.get_by_role("button", name="Menu").tap()
    expect(page.locator("[data-person=Ana]")).to_contain_text("in the record of this match")
    assert not ana.complaints + ben.complaints


def test_a_first_hand_is_played_to_its_end(new_context: NewContext, server: Server) -> None:
    learner = Guest(new_context(**PHONE).new_page(), "Robin")
    page = learner.page
    page.goto(server.url)
    page.locator("a[href='/learn/president']").tap()
    page.wait_for_selector(".coach.speaks")
    beats = page.request.get(f"{server.url}/api/lessons/president").json()["beats"]
    ring, coach = page.locator(".points").first, page.locator(".coach")
    for step, beat in enumerate(beats):
        # The others play by themselves; who does not want to wait presses.
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
    page.locator(".actions").get_by_role("button", name="Play for real").tap()
    page.wait_for_url("**/r/*")
    expect(page.locator(".hand .card")).to_have_count(13)
    assert not learner.complaints


def try_something_else(page: Page, beat: dict[str, Any]) -> None:
    """A move that the rules allow: it is said why another is better, and nothing has been played."""
    before = page.locator(".hand .card").count()
    do(page, {"do": "play", "cards": "2c"})
    expect(page.locator(".coach.objects")).to_have_text(beat["why"])
    assert page.locator(".hand .card").count() == before


def do(page: Page, action: dict[str, Any]) -> None:
    """Choose the cards of an action, and press its button."""
    for card in action.get("cards", "").split():
        chosen = page.locator(f".hand [data-card='{card}']")
        if chosen.get_attribute("aria-pressed") == "false":
            chosen.tap(position={"x": 10, "y": 14})
    page.locator(f".actions [data-do={action['do']}]:not(:disabled)").tap()


@pytest.mark.parametrize("width", [360, 844, 1440])
def test_a_lesson_has_room_for_all_it_says(new_context: NewContext, server: Server, width: int) -> None:
    page = new_context(viewport={"width": width, "height": {360: 640, 844: 390}.get(width, 900)}).new_page()
    page.goto(f"{server.url}/learn/big_two?step=9")
    words = page.locator(".coach.speaks .turn-line")
    expect(words).to_be_visible()
    words_box, hand, felt = (each.bounding_box() for each in (words, page.locator(".hand"), page.locator(".felt")))
    assert words_box
    assert hand
    assert felt
    assert words_box["y"] >= felt["y"] + felt["height"]
    assert words_box["y"] + words_box["height"] <= hand["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if width == 360:
        resize(page, "390x844 at 200 %")
        assert mistakes(page) == [], "its title is whole in large letters, too"


ONE_SCREEN = """() => {
  const parts = ["#name", ".game-cards", ".preset-cards", ".chosen-preset", ".submit-bar button"];
  const touched = ["#name", ".pick-box", ".submit-bar button", ".more > summary"];
  const box = (each) => each.getBoundingClientRect();
  const bar = box(document.querySelector(".submit-bar"));
  const end = (each) => (each.startsWith(".submit-bar") ? innerHeight : bar.top);
  return {
    below: parts.filter((each) => box(document.querySelector(each)).bottom > end(each) + 1),
    small: touched.filter((each) => [...document.querySelectorAll(each)].some((one) => box(one).height < 44)),
    wide: document.documentElement.scrollWidth > innerWidth,
  };
}"""
"""What of the form for a room is not seen at once, and what is too small to be touched."""


def test_the_form_is_one_screen_of_a_phone_and_begins_as_a_link_says(new_context: NewContext, server: Server) -> None:
    page = new_context(**PHONE).new_page()
    page.goto(f"{server.url}/new")
    page.wait_for_selector("#new-room:not([aria-busy])")
    bar = page.locator(".submit-bar").bounding_box()
    last = page.locator("[data-more=table] summary").bounding_box()
    assert bar
    assert last
    assert last["y"] + last["height"] <= bar["y"] + 1
    assert bar["y"] + bar["height"] <= PHONE["viewport"]["height"]
    for width, height in ((390, 844), (360, 640), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(ONE_SCREEN)
        assert found == {"below": [], "small": [], "wide": False}, (width, height)
    page.set_viewport_size(PHONE["viewport"])

    # What is picked is seen in a row that goes on beyond the edge; what was not understood is said.
    page.goto(f"{server.url}/new?game=president&preset=daifugo&jokers=1&wings=2")
    expect(page.locator("[role=alert]")).to_contain_text("There is no switch “wings” in this game.")
    picked = page.locator("input[name=preset][value=daifugo]")
    expect(picked).to_be_checked()
    box = page.locator(".pick:has([value=daifugo])").bounding_box()
    assert box
    assert 0 <= box["x"] <= PHONE["viewport"]["width"] - box["width"]
    expect(page.locator(".what-differs li")).to_have_count(1)
    page.locator("[data-do=link]").tap()
    expect(page.locator("[data-do=link]")).to_contain_text("opied")

    # Rules of a link may contradict each other.
    page.goto(f"{server.url}/new?game=big_two&scoring=places")
    expect(page.locator(".what-differs .problem")).to_contain_text("contradict")
    expect(page.locator("button[type=submit]")).to_be_disabled()
