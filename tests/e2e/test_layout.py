"""Nothing lies on anything else, nothing is cut, everything can be read and pressed: every state at every size."""

import copy
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.engine.games import GAMES
from app.engine.words import english
from tests.e2e.guests import Guest, play_with_bots
from tests.e2e.layout import SETTLED, SIZES, SMALL, at_every_size, mistakes, resize
from tests.e2e.server import Server
from tests.e2e.stage import REFUSAL, Stage, Update, all_states, as_hand

NewContext = Callable[..., BrowserContext]

PLANTED = """
<!doctype html><html lang="en"><style>
  body { margin: 0; background: #fff; color: #000; font: 16px sans-serif }
  div { position: absolute; left: 0; width: 100px; height: 44px; margin: 0 }
  button { width: 100px; height: 44px; padding: 0 }
</style>
<div style="top: 0; overflow: hidden; white-space: nowrap">cut at the side of its box</div>
<div style="top: 60px; left: 350px; white-space: nowrap">out of the page</div>
<div style="top: 120px"><button style="white-space: nowrap">more than it holds</button></div>
<div style="top: 180px">one thing</div><div style="top: 185px">another</div>
<div style="top: 240px; color: #aaa">faint</div>
<div style="top: 300px"><button style="width: 30px">x</button></div>
<div style="top: 360px; overflow: auto">fine: there is more to be had by scrolling down here</div>
<div class="hand" style="top: 420px">fine<span style="margin-left: -20px">fine</span></div>
<div style="top: 480px; color: #767676">fine</div>
<div style="top: 540px; height: auto; width: 12px; overflow-wrap: anywhere; line-height: 1">crumb</div>
<div style="top: 660px; overflow: auto; white-space: nowrap">this is no way to be read</div>
<div style="top: 720px; overflow: auto; display: flex; align-items: center">more lines than there is any room for</div>
<div style="top: 800px; overflow: hidden"><section style="height: 44px; overflow: auto">
  fine: one has scrolled here, down to the last of these lines
</section></div>
"""

OPENED = (
    ("turn_8_of_18", [".tools .tool:last-child"]),
    ("turn_8_of_18", [".log-button"]),
    ("turn_8_of_18", [".talk-button"]),
    ("lead_5", ["text=Decree"]),
    ("long_names", [".tools .tool:last-child"]),
    ("lobby_20", [".tools .tool:last-child"]),
    ("finished", ["[data-open=settle]"]),
)
"""What is pressed, and at which state."""

PLAIN = (
    "/",
    "/new",
    "/history",
    "/history/import",
    "/me",
    "/me/settings",
    "/rules",
    "/rules/president",
    "/nowhere",
)

BROKEN = """(where) => [...document.querySelectorAll(where)].filter((el) => el.checkVisibility()).flatMap((el) =>
  [...el.childNodes].filter((node) => node instanceof Text).flatMap((node) =>
    [...node.data.matchAll(/[^\\s-]+/g)].filter(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    }).map(([word]) => `${el.className}: ${word}`)))"""
"""Words that go on in another line."""
TITLED = ".what-game, .seat .what, .me-text .what, .who-text .what, .chairs .what, .screen-ranks .what"
"""Where the game and people's titles stand."""


@pytest.fixture(scope="module")
def states() -> dict[str, Update]:
    return all_states()


@pytest.fixture
def stage(new_context: NewContext, server: Server) -> Stage:
    return Stage(new_context(has_touch=True), server)


def test_planted_mistakes_are_found(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_content(PLANTED)
    page.locator("section").evaluate("(el) => (el.scrollTop = el.scrollHeight)")
    found = mistakes(page, targets=True, contrast=True)
    assert [each.partition(":")[0] for each in found if "fine" not in each] == [
        "crumbled",
        "sideways",
        "sideways",
        "cut",
        "cut",
        "spills",
        "cut",
        "on each other",
        "faint",
        "small",
    ]
    assert not [each for each in found if "fine" in each]


def test_nothing_lies_on_anything_else_in_any_state_at_any_size(stage: Stage, states: dict[str, Update]) -> None:
    found = []
    stage.open(states["turn_4"])
    for number, (name, state) in enumerate(states.items(), 1):
        stage.show(as_hand(state, number))
        found += [f"{name}, {size}: {each}" for size, wrong in at_every_size(stage.page) for each in wrong]
    assert not found, "\n".join(found)


def test_the_king_cuts_once_and_one_button_is_the_main_one(stage: Stage, states: dict[str, Update]) -> None:
    cuts = states["king_cuts"]
    stage.open(cuts)
    assert stage.page.locator("[data-do=cut]").count() == 1
    assert stage.page.locator(".actions .button.main").all_inner_texts() == ["Deal the next hand"]
    stage.show({**cuts, "you": {**cuts["you"], "may": []}})
    assert stage.page.locator(".actions :is([data-do=cut], input[type=range])").count() == 0


def test_who_comes_upon_a_result_has_every_way_on_in_sight(stage: Stage, states: dict[str, Update]) -> None:
    resize(stage.page, "1440x900")
    for name in ("king_cuts", "result_8"):
        stage.open(states[name])
        expect(stage.page.locator(".standing")).to_be_visible()
        assert not mistakes(stage.page)
        for each in stage.page.locator(".actions > *").all():
            expect(each).to_be_in_viewport(ratio=1)


def test_no_title_is_broken_within_a_word(stage: Stage, states: dict[str, Update]) -> None:
    titles, found = longest_titles(8), []
    stage.open(states["turn_4"])
    for number, name in enumerate(("turn_4", "turn_8_of_18", "exchange_low", "result_8"), 1):
        state = as_hand(copy.deepcopy(states[name]), number + 100)
        table = state["table"]
        for player, title in zip(table["seats"], titles, strict=False):
            table["players"][player]["title"] = title
        if table["last"] is not None:
            table["last"]["titles"] = dict(zip(table["seats"], titles, strict=False))
        stage.show(state)
        for size in ("360x640", "390x844", "844x390"):
            resize(stage.page, size)
            assert stage.page.locator(TITLED).count() > 1
            found += [f"{name}, {size}: {each}" for each in stage.page.evaluate(BROKEN, TITLED)]
        # In letters twice as large the longest titles may be hyphenated, but the game is still one word.
        resize(stage.page, "390x844 at 200 %")
        found += [f"{name}, at 200 %: {each}" for each in stage.page.evaluate(BROKEN, ".what-game")]
    assert not found, "\n".join(found)


def test_no_name_below_cards_is_broken_within_a_word(stage: Stage, states: dict[str, Update]) -> None:
    stage.open(states["long_names"])
    for size in ("360x640", "390x844"):
        resize(stage.page, size)
        assert stage.page.locator(".play .by").count() == 3
        assert stage.page.evaluate(BROKEN, ".play .by b") == [], size


def longest_titles(count: int) -> list[str]:
    """Of all that there are, and that any preset makes up, those with the longest words."""
    presets = (preset.changes.get("titles") for game in GAMES.values() for preset in game.declared.presets)
    made_up = {title for titles in presets if isinstance(titles, list) for title in titles}
    declared = {text for key, text in english().items() if key.startswith("title.")}
    return sorted(made_up | declared, key=lambda title: (max(map(len, re.split("[ -]", title))), title))[-count:]


def test_a_small_phone_held_sideways_shows_turn_buttons_and_cards(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, []
    stage.open(states["turn_4"])
    for number, name in enumerate(("turn_4", "turn_8_of_18", "exchange_low", "result_8", "choices", "welcome"), 200):
        stage.show(as_hand(states[name], number))
        found += [f"{name}: {each}" for _, wrong in at_every_size(page, tuple(SMALL)) for each in wrong]
        if states[name]["you"].get("cards") and name != "turn_8_of_18":
            expect(page.locator(".hand .card").last).to_be_in_viewport(ratio=0.9)
    # Who haggles has all that can be said in one row.
    stage.show(as_hand(states["trade"], 299))
    middles = page.locator(".actions :is(.button, select)").evaluate_all(MIDDLES)
    assert max(middles) - min(middles) < 2
    assert not found, "\n".join(found)


def test_what_was_said_is_whole_on_a_screen_that_is_hardly_wide(stage: Stage, states: dict[str, Update]) -> None:
    page, turn = stage.page, states["turn_4"]
    stage.open({**turn, "you": {**turn["you"], "legal": [{"do": "pass"}]}})
    for width, height in ((860, 640), (1100, 800)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".turn-line")).to_contain_text("Your turn: nothing of yours beats this.")
        expect(page.locator(".latest")).to_contain_text("Dan plays")
        assert page.locator(".said, .latest").evaluate_all(
            "all => all.every((each) => each.scrollHeight <= each.clientHeight)"
        )
        assert not mistakes(page)


def test_on_a_wide_screen_who_haggles_has_all_that_can_be_said_in_one_row(
    stage: Stage, states: dict[str, Update]
) -> None:
    page = stage.page
    stage.open(states["trade"])
    for width, height in ((820, 620), (860, 640), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        middles = page.locator(".actions :is(.button, select)").evaluate_all(MIDDLES)
        assert max(middles) - min(middles) < 2, (width, height)
        assert not mistakes(page)


def test_on_a_larger_one_sixteen_who_gives_to_two_and_who_haggles_have_their_cards_in_sight(
    stage: Stage, states: dict[str, Update]
) -> None:
    page = stage.page
    stage.open(states["turn_4"])
    resize(page, "844x390")
    for number, name in enumerate(("many_16", "exchange_two", "collusion", "trade"), 300):
        stage.show(as_hand(states[name], number))
        expect(page.locator(".hand .card").last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(360, 640), (844, 390)], ids=str)
def test_a_result_shows_ones_own_place_and_the_last(
    stage: Stage, states: dict[str, Update], size: tuple[int, int]
) -> None:
    stage.page.set_viewport_size({"width": size[0], "height": size[1]})
    stage.open(states["result_8"])
    for row in (".standing .self", ".standing tbody tr:last-child"):
        expect(stage.page.locator(row).locator(".name")).to_be_in_viewport(ratio=1)


def test_a_result_tells_what_points_are_for(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, []
    stage.open(states["reasons_4"])
    ana = page.get_by_role("button", name="+53, what Ana’s points are for")
    told = page.get_by_role("list", name="What Ana’s points are for").get_by_role("listitem")
    expect(ana).to_have_attribute("aria-expanded", "false")
    ana.press("Enter")
    expect(told).to_have_text(["3 cards left −3", "The same to 2 more players −6", "From Bob +43", "From Dan +19"])
    stage.show(states["reasons_4"])
    expect(ana).to_be_focused()
    expect(ana).to_have_attribute("aria-expanded", "true")
    ana.press("Enter")
    expect(told).to_have_count(0)
    assert page.locator("tr", has_text="Dan").get_by_role("button").count() == 0, "a hand of old has no reasons"
    resize(page, "390x844 at 200 %")
    page.get_by_role("button", name="−107, what Bob’s points are for").tap()
    expect(page.locator(".reasons li").first).to_be_in_viewport(ratio=1)
    for size, wrong in at_every_size(page):
        found += [f"{size}: {each}" for each in wrong]
    assert not found, "\n".join(found)
    stage.show(as_hand(states["reasons_4"], 2))
    expect(page.locator(".reasons")).to_have_count(0)


def test_what_opens_over_the_table_is_whole(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, []
    for name, press in OPENED:
        stage.open(states[name])
        resize(page, "390x844")
        for each in press:
            page.locator(each).first.click()
        page.wait_for_selector("dialog[open]")
        found += [f"{press}, {size}: {each}" for size, wrong in at_every_size(page) for each in wrong]
    assert not found, "\n".join(found)


def test_a_refusal_covers_neither_cards_nor_seats(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, []
    stage.open(states["turn_8_of_18"])
    page.locator("[data-card='4d']").click()
    page.locator("[data-do=play]").click()
    page.wait_for_selector(".notice")
    for size, wrong in at_every_size(page):
        found += [f"{size}: {each}" for each in wrong]
        assert page.locator(".notice p > [aria-hidden]").inner_text() == REFUSAL
    assert not found, "\n".join(found)


def test_what_is_offered_to_who_chooses_is_in_nobodys_way(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, []
    stage.open(states["lead_sets"])
    resize(page, "390x844")
    parts = [".felt", ".hand", ".actions"]
    tops = "(parts) => parts.map((each) => document.querySelector(each).getBoundingClientRect().top)"
    lies = page.evaluate(tops, parts)
    page.locator("[data-card='7c']").tap(position={"x": 10, "y": 14})
    expect(page.locator(".combo").first).to_be_in_viewport(ratio=1)
    assert page.evaluate(tops, parts) == lies
    # The cards above a chosen one, which stands out, have less room: that is no matter of what is offered.
    for size in SIZES:
        resize(page, size)
        found += [f"{size}: {each}" for each in mistakes(page, contrast=True)]
    resize(page, "844x390")
    page.evaluate("document.documentElement.dataset.thumb = 'left'")
    found += [f"left hand: {each}" for each in mistakes(page)]
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    found += [f"keys, {size}: {each}" for size, wrong in at_every_size(page) for each in wrong]
    assert not found, "\n".join(found)


def test_a_lost_line_is_told_over_the_title_alone(stage: Stage, states: dict[str, Update]) -> None:
    page = stage.page
    stage.open(states["turn_4"])
    stage.hang_up()
    page.wait_for_selector(".banner.show")
    for size in ("360x640", "390x844", "844x390", "1440x900"):
        resize(page, size)
        bottoms = [page.locator(each).evaluate(BOTTOM) for each in (".banner.show", ".bar")]
        assert bottoms[0] <= bottoms[1] + 1, size
        told, tools = (page.locator(each).bounding_box() for each in (".banner.show", ".tools"))
        assert told
        assert tools
        assert told["x"] + told["width"] <= tools["x"] + 1, f"{size}: it lies over what can be pressed"


def test_a_revolution_turns_cloth_cards_and_order(stage: Stage, states: dict[str, Update]) -> None:
    page = stage.page
    resize(page, "390x844")

    def cloth() -> str:
        return str(page.locator(".felt").evaluate("felt => getComputedStyle(felt).backgroundImage"))

    def cards(which: str) -> list[str]:
        found: list[str] = page.locator(which).evaluate_all("cards => cards.map((card) => card.dataset.card)")
        return found

    turned = states["revolution"]
    usual = {"inverted": False, "ranks": turned["table"]["ranks"][::-1], "signs": []}
    stage.open({**turned, "table": {**turned["table"], **usual}})
    before = cloth()
    assert cards(".hand .card") == turned["you"]["cards"].split()
    assert cards(".hand .top") == []
    assert page.locator(".sign").count() == 0
    stage.show(turned)
    assert cloth() != before
    assert cards(".hand .card") == ["Kd", "Jh", "9s", "7c", "6d", "3c", "3h", "Xr"]
    assert cards(".hand .top") == ["3c", "3h"]
    assert "counts highest now" in (page.locator(".hand .top").first.get_attribute("aria-label") or "")
    assert page.locator(".sign").inner_text().endswith("Revolution: low beats high")
    assert page.locator(".way.back").count() == 0
    any_sign = {"key": "any", "icon": "♣", "text": "Locked to a suit", "hot": False}
    stage.show({**turned, "table": {**turned["table"], "direction": -1, "signs": [any_sign]}})
    assert page.locator(".way.back").count() == 1
    assert page.locator(".signs").inner_text().split("\n") == ["♣", "Locked to a suit"], (
        "whatever a game lists is drawn"
    )


def test_something_great_is_celebrated_and_in_nobodys_way(stage: Stage, states: dict[str, Update]) -> None:
    page = stage.page
    told = [{"e": "joker_beaten", "by": "Bob", "cause": "PRES-73"}, {"e": "trick_over", "by": "Bob"}]
    before = {**states["lead_5"], "tones": {"joker_beaten": "great", "trick_over": "quiet"}}
    stage.open({**before, "events": []})
    assert page.locator(".great").count() == 0
    place = "arena => [arena.offsetLeft, arena.offsetTop, arena.offsetWidth, arena.offsetHeight]"
    lies = page.locator(".arena").evaluate(place)
    # Whoever wants no motion reads and hears of it.
    page.emulate_media(reduced_motion="reduce")
    stage.show({**before, "events": told})
    assert page.locator(".felt.great").count() == 1
    assert page.locator(".stage").count() == 0
    assert page.locator(".said.great .latest").inner_text() == "Bob beats the joker with the three of spades!"
    assert "Bob beats the joker with the three of spades!" in page.locator("#live").inner_text()
    page.emulate_media(reduced_motion="no-preference")
    assert page.locator(".arena").evaluate(place) == lies
    # It is over with what happens next, however soon.
    stage.show({**before, "events": [{"e": "passed", "by": "Bob"}]})
    assert page.locator(".great").count() == 0


MIDDLES = "all => all.map((each) => each.getBoundingClientRect().top + each.offsetHeight / 2)"
BOTTOM = "(each) => each.getBoundingClientRect().bottom"

WATCH_BOARD = """() => {
  window.places = new Set();
  new MutationObserver(() => {
    const [felt, hand] = [document.querySelector(".felt"), document.querySelector(".hand")];
    if (document.querySelector("#room").dataset.phase !== "play" || !felt || document.querySelector(".result")) return;
    const box = (each) => (each ? ["x", "y", "width", "height"].map((of) => each.getBoundingClientRect()[of]) : null);
    window.places.add(JSON.stringify([box(felt), hand ? box(hand).slice(1) : "no cards"]));
  }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
}"""


@pytest.mark.parametrize("size", [(360, 640), (844, 390), (1440, 900)])
def test_the_board_stays_where_it_is(new_context: NewContext, server: Server, size: tuple[int, int]) -> None:
    page = new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    ana = Guest(page, "Ana")
    ana.open_room(server.url, bots=["greedy", "greedy", "random"])
    page.locator("[data-do=start]").click()
    page.wait_for_selector(".hand .card")
    page.evaluate(WATCH_BOARD)
    assert play_with_bots(ana) > 1
    places = page.evaluate("[...window.places]")
    assert len(places) == 1, places


def test_the_plain_pages_are_whole_at_every_size(new_context: NewContext, server: Server) -> None:
    page = new_context(has_touch=True).new_page()
    ana = Guest(page, "Ana")
    ana.open_room(server.url, bots=["greedy"] * 3, stake={"amount": 1, "unit": "sips"})
    room = page.url
    page.locator("[data-do=start]").click()
    play_with_bots(ana)
    page.goto(f"{server.url}/history")
    match = page.locator(".match-list a").first.get_attribute("href")
    page.goto(f"{server.url}{match}")
    page.get_by_role("button", name="Play these deals").click()
    for _ in range(3):
        page.locator("[data-bot=greedy]").click()
    page.locator("[data-do=start]").click()
    play_with_bots(ana)
    page.goto(f"{server.url}/history")
    again = page.locator(".match-list a").first.get_attribute("href")
    found = []
    for path in (
        *PLAIN,
        "/history?q=ana&from=yesterday&person=Magpie",
        match,
        f"{match}/replay?hand=0",
        f"{again}/compare",
        f"{room}/book",
        f"{room}/rules",
    ):
        page.goto(path if "://" in path else f"{server.url}{path}")
        page.wait_for_load_state("networkidle")
        found += [f"{path}, {size}: {each}" for size, wrong in at_every_size(page) for each in wrong]
    assert not found, "\n".join(found)


def test_everything_can_be_read_in_the_dark(new_context: NewContext, server: Server, states: dict[str, Update]) -> None:
    stage = Stage(new_context(color_scheme="dark"), server)
    resize(stage.page, "390x844")
    found = []
    stage.open(states["turn_4"])
    for number, (name, state) in enumerate(states.items(), 1):
        stage.show(as_hand(state, number))
        found += [f"{name}: {each}" for each in mistakes(stage.page, contrast=True)]
    stage.page.goto(f"{server.url}/learn/president")
    stage.page.wait_for_selector(".coach.speaks")
    found += [f"a lesson: {each}" for each in mistakes(stage.page, contrast=True)]
    assert not found, "\n".join(found)
