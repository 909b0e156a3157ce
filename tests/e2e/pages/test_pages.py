"""Test the pages around the table: the form with all options, replays, and accessibility."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.e2e import find
from tests.e2e.access.test_sound import LISTEN, struck
from tests.e2e.people.guests import TURN_OR_RESULT, Guest, play_with_bots
from tests.e2e.pictures.layout import resize
from tests.e2e.pictures.stage import Stage, all_states
from tests.e2e.server import ROOT, Server

NewContext = Callable[..., BrowserContext]

AXE = ROOT / "node_modules/axe-core/axe.min.js"


COLOUR_RULES = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The axe rules about colours. All others have the same result in light and dark colours."""


COPY = """(selector) => {
  getSelection().selectAllChildren(document.querySelector(selector));
  const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
  document.dispatchEvent(event);
  return event.clipboardData.getData("text/plain");
}"""
"""Copy the text of an element, and return it."""


def complaints(page: Page, options: dict[str, Any] | None = None) -> list[str]:
    """Return the problems that axe finds on the page now; `options` are those of `axe.run`."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    # Elements that fade in are transparent at first.
    page.wait_for_function("() => document.getAnimations().every(each => each.playState !== 'running')")
    found: list[dict[str, Any]] = page.evaluate("async (given) => (await axe.run(given)).violations", options or {})
    return [
        f"{page.url}: {each['id']}: {node['html'][:160]} {node.get('failureSummary', '')}"
        for each in found
        for node in each["nodes"]
    ]


def complaints_in_both_schemes(page: Page) -> list[str]:
    """Return the problems that axe finds in light colours, and the colour problems in dark ones."""
    found = complaints(page)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {each}" for each in complaints(page, COLOUR_RULES)]
    page.emulate_media(color_scheme="light")
    return found


@pytest.fixture(scope="module")
def played(browser: Any, server: Server) -> dict[str, Any]:
    """Let Ana play a hand against bots, and return her cookies, her room and her match."""
    context = browser.new_context()
    ana = Guest(context.new_page(), "Ana")
    ana.open_room(server.url, bots=["easy", "easy", "easy"])
    code = ana.page.url.rpartition("/")[2]
    find.start_match(ana.page)
    play_with_bots(ana)
    match = find.newest_match(ana.page, server.url)
    state = context.storage_state()
    context.close()
    return {"state": state, "code": code, "match": match}


def test_the_form_shows_every_option_of_every_game(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/new")
    page.wait_for_selector("#new-room:not([aria-busy])")
    games = page.request.get(f"{server.url}/api/games").json()["games"]
    assert [each["key"] for each in games] == page.locator("input[name=game]").evaluate_all(
        "all => all.map(each => each.value)"
    )
    for game in games:
        page.locator(f"input[name=game][value={game['key']}]").check(force=True)
        page.locator("[data-do=more_presets]").evaluate_all("all => all.forEach(each => each.click())")
        expect(page.locator("input[name=preset]")).to_have_count(
            len([each for each in game["presets"] if not each["variant_of"]])
        )
        switches = [switch for section in game["sections"] for switch in section["switches"]]
        drawn = page.locator("[data-switch]").evaluate_all(
            """all => all.map((each) => {
              return [each.dataset.switch, each.textContent, each.querySelectorAll("input, select, button").length];
            })"""
        )
        assert [name for name, _, _ in drawn] == [switch["key"] for switch in switches]
        for (_, text, controls), switch in zip(drawn, switches, strict=True):
            assert switch["name"] in text
            assert switch["sentence"] in text
            assert controls > 0


def test_the_form_marks_changed_options_and_explains_contradictions(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/new?game=president")
    page.fill("#name", "Ana")
    page.locator("[data-more=rules] > summary").click()
    # The words of the placeholder are found, too.
    for word in (page.locator("input[type=search]").get_attribute("placeholder") or "").partition(": ")[2].split(", "):
        page.fill("input[type=search]", word.strip(" …"))
        assert page.locator("[data-switch]").count() > 0, word
    page.fill("input[type=search]", "rank order")
    switch = page.locator("[data-switch=rank_order]")
    switch.locator("input[type=radio]").nth(1).check()
    expect(find.differences(page).locator("li")).to_have_count(1)
    expect(find.differences(page)).to_contain_text(switch.locator("input:checked + span").inner_text())
    expect(page.locator("button[type=submit]")).to_be_enabled()
    page.locator("[data-do=more_presets]").click()
    expect(page.locator("input[name=preset]:focus")).to_have_count(1)
    page.locator("input[name=preset][value=toronto]").check(force=True)
    expect(find.differences(page).locator("li")).to_have_count(0)
    switch.locator("input[type=radio]").nth(1).check()
    expect(find.differences(page).get_by_role("alert")).to_contain_text("can’t be combined")
    expect(page.locator("button[type=submit]")).to_be_disabled()
    find.differences(page).locator("button").click()
    expect(find.differences(page).get_by_role("alert")).to_have_count(0)
    page.locator("[data-more=table] > summary").click()
    page.locator("[data-bot=easy]").click()
    page.locator("[data-bot=easy]").click()
    page.locator("button[type=submit]").click()
    expect(find.lobby_seats(page).locator("[data-sits]")).to_have_count(3)
    expect(find.zone(page, "rules")).to_contain_text("Toronto")
    # On a phone 127.0.0.1 means the phone itself, so the page shows a QR code only with a host name.
    expect(find.zone(page, "share")).to_contain_text("This link works on this computer only")
    expect(find.zone(page, "qr")).to_have_count(0)
    page.goto(f"http://cards.lan:{server.port}/r/{page.url.rpartition('/')[2]}")
    page.fill("#name", "Ben")
    page.locator("form:has(#name) button").click()
    expect(find.zone(page, "share")).to_contain_text("scan the code")
    expect(page.locator("[data-zone=qr] img")).to_have_js_property("complete", True)
    assert page.locator("[data-zone=qr] img").evaluate("picture => picture.naturalWidth") > 0


def test_a_match_can_be_replayed_and_downloaded(
    new_context: NewContext, server: Server, played: dict[str, Any]
) -> None:
    page = new_context(storage_state=played["state"]).new_page()
    page.add_init_script(LISTEN)
    page.goto(f"{server.url}{played['match']}")
    expect(page.locator("li[id^=hand-]")).to_have_count(1)
    expect(page.locator("[data-zone=places] > li")).to_have_count(4)
    expect(page.locator("ul[aria-label]").last).to_contain_text("becomes President.")
    page.get_by_text("More", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download record").click()
    record = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert record["format"] == "climbing-record/1"
    actions = record["hands"][0]["actions"]

    page.get_by_role("link", name="Watch replay", exact=True).click()
    root = page.locator("#replay")
    expect(root).to_have_attribute("data-steps", str(len(actions) + 1))
    cards = page.locator("[data-zone=all-cards] [data-rank]")
    expect(root).to_have_attribute("data-step", "1")  # the first play
    first = actions[0]["cards"].split()
    expect(cards).to_have_count(52 - len(first))
    expect(page.locator("[data-play] [data-rank]")).to_have_count(len(first))
    # A step makes a sound, and a jump does not.
    page.keyboard.press("ArrowRight")
    page.wait_for_function("struck > 0")
    expect(root).to_have_attribute("data-step", "2")
    before = struck(page)
    page.keyboard.press("End")
    expect(root).to_have_attribute("data-step", str(len(actions)))
    assert struck(page) == before
    assert cards.count() < 20
    # At the end the button is disabled, and keeps the focus if it had it.
    on = page.locator("[data-step=on]")
    page.keyboard.press("ArrowLeft")
    on.press("Enter")
    expect(root).to_have_attribute("data-step", str(len(actions)))
    expect(on).to_have_attribute("aria-disabled", "true")
    expect(on).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(cards).to_have_count(52)
    page.locator("[data-step=on]").click()
    expect(root).to_have_attribute("data-step", "1")
    page.reload()
    expect(root).to_have_attribute("data-step", "1")
    page.get_by_text("View and speed").click()
    page.get_by_role("button", name="Check this deal").click()
    expect(find.zone(page, "verdict")).to_contain_text(re.compile("A fair deal|The cards are those"))


BROKEN_WORDS = """() => [...document.querySelectorAll(
    "h1, [data-zone=all-cards] [data-zone=name], [data-zone=looking] summary, [data-zone=looking] label span")]
  .flatMap((each) => [...each.textContent.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(each.firstChild, word.index);
    range.setEnd(each.firstChild, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map(String))"""
"""Finds words that are broken over two lines."""


def test_a_replay_can_be_seen_from_a_seat_by_moments_and_by_link(
    new_context: NewContext, server: Server, played: dict[str, Any]
) -> None:
    context = new_context(storage_state=played["state"], permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{server.url}{played['match']}/replay?hand=0&move=4")
    root = page.locator("#replay")
    expect(root).to_have_attribute("data-step", "4")
    page.get_by_text("View and speed").click()
    seat = page.get_by_label("Seen from")
    name = seat.locator("option").nth(2).inner_text()
    seat.select_option(label=name)
    expect(page.locator("[data-zone=all-cards] li")).to_have_count(1)
    expect(page.locator("[data-zone=all-cards] [data-zone=name]")).to_have_text(name)
    expect(root).to_have_attribute("data-step", "4")
    seat.focus()
    page.keyboard.press("End")  # a key of the list, not of the replay
    expect(root).to_have_attribute("data-step", "4")
    seat.select_option(label=name)
    expect(page.locator("[data-zone=all-cards] [data-zone=name]")).to_have_text(name)
    page.get_by_role("button", name="Copy link to this move").click()
    expect(page.locator("[data-do=copy]")).to_have_text("Link copied.")
    link = str(page.evaluate("() => navigator.clipboard.readText()"))
    assert link == page.url
    assert link.partition("?")[2] == f"hand=0&move=4&seat={name}"

    def tell(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        told["frames"][2]["highlight"] = True
        # All pauses are the same.
        told |= {"event_prominence": {}, "event_animations": {}}
        for frame in told["frames"]:
            frame["seconds"] = None
        route.fulfill(response=answer, json=told)

    other = context.new_page()
    other.route("**/api/matches/*/hands/0?*", tell)
    other.goto(link)
    expect(other.locator("#replay")).to_have_attribute("data-step", "4")
    expect(other.locator("[data-zone=all-cards] li")).to_have_count(1)
    other.clock.install()
    other.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    other.get_by_text("View and speed").click()
    other.get_by_label("Speed").select_option("fast")
    other.get_by_role("button", name="Start autoplay").click()
    other.clock.run_for(800)  # at normal speed not even one step would be over
    expect(other.locator("#replay")).to_have_attribute("data-step", "6")
    other.get_by_role("button", name="Stop").click()
    other.get_by_label("Go to moment").select_option("2")
    expect(other.locator("#replay")).to_have_attribute("data-step", "2")
    # The mark on the slider stands above its thumb.
    slider, mark = other.get_by_role("slider"), other.locator("[data-mark]").first
    box, at = slider.bounding_box(), mark.bounding_box()
    assert box is not None
    assert at is not None
    share = 2 / int(slider.get_attribute("max") or 0)
    assert abs(at["x"] + at["width"] / 2 - (box["x"] + 8 + share * (box["width"] - 16))) < 2
    other.clock.resume()
    resize(other, "390x844 at 200 %")
    assert other.evaluate(BROKEN_WORDS) == []


def test_a_replay_shows_every_sign_panel_and_counter_of_the_table(
    new_context: NewContext, server: Server, played: dict[str, Any]
) -> None:
    """Signs, panels and counters come from the server's frames, so they work for any game."""
    page = new_context(storage_state=played["state"]).new_page()
    line = {"key": "pot", "text": "7 corns in the pot", "state": None, "done": False, "icon": "coin"}
    shows = {
        "signs": [{"key": "any", "icon": "♣", "text": "locked to ♣", "hot": True}],
        "panels": [{"key": "any", "title": None, "look": "things", "lines": [line]}],
        "middle": "panels",
    }

    def tell(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        for frame in told["frames"]:
            frame["table"] |= shows
            for player in frame["table"]["players"].values():
                player |= {"counter": {"count": 3, "icon": "coin", "text": "3 corns"}, "table_card": ""}
        route.fulfill(response=answer, json=told)

    page.route("**/api/matches/*/hands/0", tell)
    page.goto(f"{server.url}{played['match']}/replay?hand=0&step=1")
    expect(find.new_sign(page)).to_contain_text("locked to ♣")
    expect(page.locator("[data-line]")).to_have_text("7 corns in the pot")
    seats = find.seats(page)
    expect(page.locator("[data-seat] [data-zone=counter]")).to_have_count(seats.count())
    expect(page.locator("[data-zone=seats] [data-back]")).to_have_count(seats.count())


def test_the_rules_of_a_room_can_be_read_and_printed(
    new_context: NewContext, server: Server, played: dict[str, Any]
) -> None:
    page = new_context(storage_state=played["state"]).new_page()
    games = page.request.get(f"{server.url}/api/games").json()["games"]
    for game in games:
        page.goto(f"{server.url}/rules/{game['key']}")
        for section in game["sections"]:
            for switch in section["switches"]:
                expect(page.locator(f"[id='{switch['id']}']")).to_contain_text(switch["sentence"])
    page.goto(f"{server.url}/rules/president#PRES-25")
    expect(page.locator("[id='PRES-25']")).to_have_attribute("open", "")
    expect(page.locator("[id='PRES-26']")).not_to_have_attribute("open", "")
    expect(page.locator("[data-example] [data-rank]")).to_have_count(6)
    page.goto(f"{server.url}/rules/president?room={played['code']}")
    expect(find.zone(page, "at-table")).to_contain_text(played["code"])
    page.emulate_media(media="print")
    # The printed card has the room, the basic rules and the preset. Options are left out.
    for printed in ("[data-zone=at-table]", "[data-zone=basics]", "[data-zone=presets] [aria-current]"):
        expect(page.locator(printed)).to_be_visible()
    for kept in ("body > header", "[data-rule]", "[data-zone=presets] li:not([aria-current])", "[data-print]"):
        expect(page.locator(kept).filter(visible=True)).to_have_count(0)


def test_pages_of_the_server_show_the_letters_that_the_browser_prefers(page: Page, server: Server) -> None:
    main = page.locator("main")
    page.goto(f"{server.url}/rules/president")
    expect(main).to_contain_text("J♦ J♣")
    page.evaluate("localStorage.setItem('po.letters', 'BDKA')")
    page.reload()
    expect(main).to_contain_text("B♦ B♣")
    expect(main).not_to_contain_text(re.compile("[JQ][♣♦♥♠]"))
    expect(main).to_contain_text("Revolu\u00adtion")
    copied = page.evaluate(COPY, "main")
    assert "Revolution" in copied
    assert "\u00ad" not in copied


def test_all_pages_pass_the_accessibility_check(
    new_context: NewContext, server: Server, played: dict[str, Any]
) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (npm ci)")
    # axe must be injected, which the pages' policy forbids.
    context = new_context(storage_state=played["state"], bypass_csp=True)
    page = context.new_page()
    found = []
    for path in (
        "/",
        "/me/settings",
        "/history",
        str(played["match"]),
        "/rules",
        "/rules/chase_the_ace",
        "/no-such-page",
        "/docs",
    ):
        page.goto(f"{server.url}{path}")
        found += complaints_in_both_schemes(page)
    page.goto(f"{server.url}/new")
    page.wait_for_selector("#new-room:not([aria-busy])")
    page.locator("summary").first.click()
    found += complaints_in_both_schemes(page)
    page.goto(f"{server.url}{played['match']}/replay?hand=0&step=3")
    page.wait_for_selector("[data-step='3']")
    found += complaints_in_both_schemes(page)
    page.goto(f"{server.url}/r/{played['code']}")
    page.wait_for_selector("[data-zone=result]")
    found += complaints_in_both_schemes(page)

    ana = Guest(context.new_page(), "Ana")
    ana.open_room(server.url, bots=["easy", "easy", "easy", "random"])
    expect(find.zone(ana.page, "rules")).to_contain_text("President")
    found += complaints_in_both_schemes(ana.page)
    find.start_match(ana.page)
    ana.page.wait_for_selector(find.MY_TURN)
    found += complaints_in_both_schemes(ana.page)
    for tab in ("Me", "Table", "Host"):
        find.open_menu(ana.page, tab)
        found += complaints_in_both_schemes(ana.page)
        ana.page.keyboard.press("Escape")
    assert not found, "\n".join(found)


CONTRAST = """(element) => {
  const {color} = getComputedStyle(element);
  let behind = element;
  const clear = "rgba(0, 0, 0, 0)"; // the button has no background of its own
  while (getComputedStyle(behind).backgroundColor === clear && behind.parentElement) behind = behind.parentElement;
  const {backgroundColor} = getComputedStyle(behind);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.match(/[\\d.]+/g).slice(0, 3).map(Number).map((part) => {
      return part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark, light] = [color, backgroundColor].map(luminance).sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_disabled_button_is_readable_under_the_pointer(new_context: NewContext, server: Server, scheme: str) -> None:
    # WCAG allows faint text on disabled buttons. This text says what to do ("Choose your cards"), so it needs 4.5:1.
    ana = Guest(new_context(color_scheme=scheme).new_page(), "Ana")
    ana.open_room(server.url)
    start = ana.page.locator("[data-do=start]")
    expect(start).to_be_disabled()
    start.hover()
    # The colour may still be animated.
    ana.page.wait_for_function("() => document.getAnimations().every(each => each.playState !== 'running')")
    assert start.evaluate(CONTRAST) >= 4.5


def edges(where: Locator) -> set[str]:
    """Return the outlines and borders of the elements without colours, which the system replaces."""
    found: list[str] = where.evaluate_all(
        """all => all.map((each) => {
          const {outlineStyle, outlineWidth, borderStyle, borderWidth} = getComputedStyle(each);
          return `${outlineStyle === "none" ? "" : outlineWidth} ${borderStyle} ${borderWidth}`;
        })"""
    )
    return set(found)


def test_forced_colours_show_what_is_chosen_and_whose_turn_it_is(new_context: NewContext, server: Server) -> None:
    page = new_context(forced_colors="active").new_page()
    page.goto(f"{server.url}/new")
    page.wait_for_selector("#new-room:not([aria-busy])")
    chosen, others = (page.locator(f"[data-pick] input{which} + span") for which in (":checked", ":not(:checked)"))
    assert not edges(chosen) & edges(others)

    ana = Guest(page, "Ana")
    ana.open_room(server.url, bots=["easy", "easy", "easy"], bots_delay=5)
    find.start_match(page)
    page.wait_for_selector("[data-zone=seats] > [aria-current=true], [data-turn=mine]")
    if find.my_turn(page).count():
        ana.take_turn()
    # The bots are slow here, so that a seat is marked long enough.
    expect(page.locator("[data-zone=seats] > [aria-current=true]")).to_have_count(1)
    assert not edges(page.locator("[data-zone=seats] > [aria-current=true]")) & edges(
        page.locator("[data-zone=seats] > :not([aria-current=true])")
    )
    stage = Stage(new_context(forced_colors="active"), server)
    states = all_states()
    stage.open(states["turn_4"])
    upright = edges(find.felt(stage.page))
    stage.show(states["revolution"])
    assert not upright & edges(find.felt(stage.page))


def test_keyboard_help_is_shown_only_on_devices_with_a_keyboard(new_context: NewContext, server: Server) -> None:
    for touch in (False, True):
        ana = Guest(new_context(has_touch=touch, is_mobile=touch).new_page(), "Ana")
        ana.open_room(server.url)
        ana.press(ana.page.get_by_role("button", name="Menu"))
        ana.press(ana.page.get_by_role("tab", name="Me"))
        expect(ana.page.get_by_role("checkbox", name="Sounds")).to_be_visible()
        expect(ana.page.locator("dialog [data-open=keys]")).to_be_visible(visible=not touch)


def test_cards_can_be_played_by_keyboard_alone(page: Page, server: Server) -> None:
    ana = Guest(page, "Ana")
    ana.open_room(server.url, bots=["easy", "easy", "easy"])
    page.locator("[data-do=start]").focus()
    page.keyboard.press("Enter")
    while True:
        page.wait_for_selector(TURN_OR_RESULT)
        playable = page.locator("[data-zone=hand] [data-card]:not([data-fits=no])")
        if page.locator("[data-do=play]").count() and playable.count():
            break
        assert not ana.hand_is_over, "nothing of mine could be played in a whole hand"
        ana.take_turn()
    before, held = ana.seq, ana.cards
    find.card_at_stop(page).focus()
    wanted = playable.first.get_attribute("data-card")
    while page.evaluate("document.activeElement.dataset.card") != wanted:
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    while page.locator("[data-do=play][data-unsure]").count():
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.matches(':not([data-fits=no], [aria-pressed=true])')"):
            page.keyboard.press("Space")
    # The choice may be complete already. Then Enter on a chosen card plays it.
    while page.evaluate("document.activeElement.getAttribute('aria-pressed')") != "true":
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    ana.wait_for_seq(before + 1)
    assert len(ana.cards) < len(held)
    assert not ana.complaints


def test_a_player_can_play_on_from_a_move_and_play_the_same_deals_again(
    new_context: NewContext, server: Server, played: dict[str, Any]
) -> None:
    page = new_context(storage_state=played["state"]).new_page()
    page.goto(f"{server.url}{played['match']}/replay?hand=0&move=2")
    page.get_by_text("Play on", exact=True).click()
    page.get_by_label("Your seat").select_option("Ana")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url("**/r/*")
    expect(page.locator("h1 small")).to_have_text("variation")
    expect(find.seats(page)).to_have_count(3)

    page.goto(f"{server.url}{played['match']}")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Play same deals").click()
    page.wait_for_url("**/r/*")
    expect(find.zone(page, "known-cards")).to_contain_text("Ana played that match and knows the cards.")
    expect(find.zone(page, "lobby-status")).to_have_text("3 more players needed")
