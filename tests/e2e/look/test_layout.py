"""Test that nothing overlaps or is cut and everything can be read and pressed, in special states of a table."""

import base64
import copy
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.engine.base.messages import english_texts
from app.engine.games import GAMES
from tests.e2e import find
from tests.e2e.people.crowd import crowd
from tests.e2e.people.guests import Guest, play_with_bots
from tests.e2e.pictures.layout import MOVED, SETTLED, SIZES, SMALL, at_every_size, mistakes, resize
from tests.e2e.pictures.stage import REFUSAL, Stage, Update, all_states, as_hand
from tests.e2e.server import Server

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
<div data-zone="hand" style="top: 420px">fine<span style="margin-left: -20px">fine</span></div>
<div style="top: 480px; color: #767676">fine</div>
<div style="top: 540px; height: auto; width: 12px; overflow-wrap: anywhere; line-height: 1">crumb</div>
<div style="top: 660px; overflow: auto; white-space: nowrap">this is no way to be read</div>
<div style="top: 720px; overflow: auto; display: flex; align-items: center">more lines than there is any room for</div>
<div style="top: 860px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">ends in dots here</div>
<div style="top: 920px; height: 20px; overflow: hidden"><p style="margin: 0"><b>two lines</b> in a box for one</p></div>
<div style="top: 980px; height: 20px; contain: paint"><p style="margin: 0; padding-top: 15px">painted</p></div>
<div style="top: 1040px; height: auto; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical;
  -webkit-line-clamp: 1">one line is shown, not two</div>
<div style="top: 1100px"><select style="width: 50px; height: 44px"><option>too long for it</option></select></div>
<div style="top: 1160px; width: auto; display: flex"><span>11</span><b>Eve</b></div>
<div style="top: 1220px">
  <select style="width: 60px; height: 44px; appearance: none"><option>fine</option></select></div>
<div style="top: 1280px; width: auto; line-height: 1"><p style="margin: 0">fine,</p><p style="margin: 0">fine</p></div>
<div style="top: 800px; overflow: hidden"><section style="height: 44px; overflow: auto">
  fine: one has scrolled here, down to the last of these lines
</section></div>
"""

MENU = "[data-zone=tools] button:last-child"
OPENED = (
    ("turn_8_of_18", [MENU]),
    ("turn_8_of_18", [MENU, "#tab-me", "[data-page=alerts]"]),
    ("turn_8_of_18", [MENU, "#tab-me", "[data-page=look]"]),
    (
        "turn_8_of_18",
        [MENU, "#tab-host", "[data-page=people]", "[data-person=Bob] button"],
    ),
    ("turn_8_of_18", [MENU, "#tab-host", "[data-page=clocks]"]),
    ("turn_8_of_18", ["[data-confirm=leave]"]),
    ("turn_8_of_18", ["[data-zone=tools] button:has-text('Game log')"]),
    ("turn_8_of_18", ["[data-zone=tools] button:has-text('Chat')"]),
    ("lead_5", ["text=Decree"]),
    ("long_names", [MENU, "#tab-host", "[data-page=people]"]),
    ("lobby_20", [MENU, "#tab-host", "[data-page=people]"]),
    ("finished", ["[data-open=settle]"]),
)
"""What to press, and in which state."""

FELTS = ("green", "blue", "slate", "plum")
FIRST_FELT = """() => new MutationObserver((_, observer) => {
  const felt = document.querySelector("[data-zone=felt]");
  if (felt === null) return;
  observer.disconnect();
  felt.dataset.first = getComputedStyle(felt).getPropertyValue("--felt");
}).observe(document, { subtree: true, childList: true })"""
"""Saves the colour that a felt has when it first appears (for Page.add_init_script)."""
FELT_NOW = "felt => getComputedStyle(felt).getPropertyValue('--felt')"

WIDE = ("W" * 20, "W" * 19 + "M", "W" * 19 + "Q", "W" * 19 + "G")
"""The widest names that players may have."""
PLAIN = (
    "/",
    "/new",
    "/history",
    "/history/import",
    "/me",
    "/me/settings",
    "/me/moments",
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
    }).map(([word]) => `${el.localName}: ${word}`)))"""
"""Finds words that are broken over two lines."""
PEOPLE = "[data-seat], [data-zone=me], [data-zone=result], [data-zone=lobby-seats], [data-zone=screen-ranks]"
TITLED = f"h1, :is({PEOPLE}) [data-zone=about]"
"""The places of the game's name and the players' titles."""
SPILLS = """(button) => {
  const range = document.createRange();
  range.selectNodeContents(button);
  const box = button.getBoundingClientRect();
  const inside = ({ left, top, right, bottom }, frame) =>
    left >= frame.left - 1 && top >= frame.top - 1 && right <= frame.right + 1 && bottom <= frame.bottom + 1;
  const texts = [...range.getClientRects()];
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  return [
    ...(texts.every((text) => inside(text, box)) ? [] : [`“${button.innerText}” ends outside its button`]),
    ...(inside(box, screen) ? [] : [`“${button.innerText}” is outside the window`]),
  ];
}"""
"""Check whether a button's text leaves the button, or the button leaves the window (for evaluate)."""
AROUND = """(large) => {
  const box = (element) => element.getBoundingClientRect();
  const middle = (element) => {
    const { left, top, width, height } = box(element);
    return { x: left + width / 2, y: top + height / 2 };
  };
  const felt = document.querySelector("[data-zone=felt]");
  const { left, top, width, height } = box(felt);
  const angles = [...felt.querySelectorAll("[data-seat]")].map(middle).map(({ x, y }) =>
    (Math.atan2(y - top - height / 2, x - left - width / 2) / Math.PI * 180 + 270) % 360);
  const now = middle(felt.querySelector("[data-play=now] [data-rank]").parentElement);
  const across = (now.x - left) / width, down = (now.y - top) / height;
  const held = box(document.querySelector("[data-zone=hand] [data-card]")).width;
  const small = [...felt.querySelectorAll("[data-play] [data-rank]")].filter((card) => box(card).width < held - 1);
  return [
    ...(angles.every((angle, i) => i === 0 || angle > angles[i - 1]) ? [] : [`seats at ${angles.map(Math.round)}`]),
    ...(across > 1 / 3 && across < 2 / 3 && down > 1 / 3 && down < 2 / 3 ? [] : [`trick at ${across}, ${down}`]),
    ...(large && small.length > 0 ? ["cards of the trick are smaller than those of the player"] : []),
  ];
}"""
"""Check that the seats follow each other round the felt, and where the trick lies and how large (for Page.evaluate)."""
LINES = """(button) => {
  const middles = [];
  const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const { top, bottom } of range.getClientRects()) middles.push((top + bottom) / 2);
  }
  const lines = middles.sort((a, b) => a - b).filter((at, i) => i === 0 || at - middles[i - 1] > 6).length;
  return lines > 2 ? [`“${button.innerText}” has ${lines} lines`] : [];
}"""
"""Check whether a button's text needs more than two lines (for evaluate)."""
COVERED = """(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const lines = [...range.getClientRects()];
  const inside = element.scrollHeight <= element.clientHeight + 1;
  return [
    ...(inside ? [] : ["more lines than are shown"]),
    ...lines.flatMap(({ left, top, right, bottom }, line) =>
      [top + 2, bottom - 2].flatMap((y) =>
        element.contains(document.elementFromPoint((left + right) / 2, y))
          ? [] : [`line ${line + 1} is cut or covered`])),
  ];
}"""
"""List the lines of a text that are cut or covered (for Locator.evaluate)."""
COLOURS = """async ([image, x, top, bottom]) => {
  const picture = new Image();
  picture.src = `data:image/png;base64,${image}`;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  const { data } = canvas.getImageData(x, top, 1, bottom - top);
  return [...new Set(Array.from({ length: bottom - top }, (_, y) => data.slice(4 * y, 4 * y + 3).join(" ")))];
}"""
"""List the colours in one column of a screenshot, between two heights (for Page.evaluate)."""
CUT = "(each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 2"
"""Letters may extend two pixels beyond their line."""
COLOUR = "(each) => getComputedStyle(each).backgroundColor"


@pytest.fixture(scope="module")
def states() -> dict[str, Update]:
    return all_states()


@pytest.fixture
def stage(new_context: NewContext, server: Server) -> Stage:
    return Stage(new_context(has_touch=True), server)


def test_planted_layout_errors_are_found(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_content(PLANTED)
    page.locator("section").evaluate("(el) => (el.scrollTop = el.scrollHeight)")
    found = mistakes(page, targets=True, contrast=True)
    assert Counter(each.partition(":")[0] for each in found if "fine" not in each) == {
        "crumbled": 1,
        "sideways": 2,
        "cut": 8,
        "spills": 1,
        "touches": 2,
        "faint": 1,
        "small": 1,
    }, "\n".join(found)
    assert not [each for each in found if "fine" in each]


def test_only_one_cut_button_is_shown_and_only_one_button_is_highlighted(
    stage: Stage, states: dict[str, Update]
) -> None:
    cuts = states["king_cuts"]
    stage.open(cuts)
    assert stage.page.locator("[data-do=cut]").count() == 1
    plain = stage.page.locator("[data-do=cut]").evaluate(COLOUR)
    buttons = find.actions(stage.page).get_by_role("button").all()
    assert [each.inner_text() for each in buttons if each.evaluate(COLOUR) != plain] == ["Deal the next hand"]
    stage.show({**cuts, "you": {**cuts["you"], "off_turn": []}})
    assert stage.page.locator("[data-zone=actions] :is([data-do=cut], input[type=range])").count() == 0


def test_a_result_shows_every_next_step_without_scrolling(stage: Stage, states: dict[str, Update]) -> None:
    resize(stage.page, "1440x900")
    for name in ("king_cuts", "result_8"):
        stage.open(states[name])
        expect(find.zone(stage.page, "standing")).to_be_visible()
        assert not mistakes(stage.page)
        for each in find.actions(stage.page).locator("> *").all():
            expect(each).to_be_in_viewport(ratio=1)


def test_the_waiting_room_fits_common_screens_without_scrolling(stage: Stage, states: dict[str, Update]) -> None:
    for name in ("lobby_host", "lobby_long"):
        stage.open(states[name])
        for size in ("844x390", "390x844", "360x640", "1440x900", *SMALL):
            resize(stage.page, size)
            hidden = stage.page.locator("main").evaluate("(main) => main.scrollHeight - main.clientHeight")
            assert hidden <= 0, f"{name}, {size}: {hidden} px"


def test_on_a_desktop_seats_stand_close_cards_lie_on_the_felt_and_the_log_folds(
    stage: Stage, states: dict[str, Update]
) -> None:
    page = stage.page
    resize(page, "1440x900")
    stage.open(states["turn_8_of_18"])
    felt = find.zone(page, "felt").bounding_box()
    card = page.locator("[data-zone=hand] [data-card]").first.bounding_box()
    assert felt
    assert card
    edge = felt["y"] + felt["height"]
    assert card["y"] + card["height"] * 0.3 < edge < card["y"] + card["height"] * 0.7
    seats = [box for each in page.locator("[data-seat]").all() if (box := each.bounding_box())]
    assert max(each["x"] + each["width"] for each in seats) - min(each["x"] for each in seats) <= 900
    log = page.get_by_role("button", name="Game log")
    expect(log).to_have_attribute("aria-expanded", "true")
    log.press("Enter")
    expect(find.zone(page, "log-panel")).to_be_hidden()
    page.evaluate(SETTLED)
    assert not mistakes(page)
    page.reload()
    log.press("Enter")
    expect(find.zone(page, "log-panel")).to_be_visible()


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
        # At 200 % the longest titles may be hyphenated, but the game's name must stay on one line.
        resize(stage.page, "390x844 at 200 %")
        found += [f"{name}, at 200 %: {each}" for each in stage.page.evaluate(BROKEN, "h1")]
    assert not found, "\n".join(found)


def test_the_own_title_is_whole_beside_a_decree_on_a_desktop(stage: Stage, states: dict[str, Update]) -> None:
    state = copy.deepcopy(states["turn_8_of_18"])
    state["table"]["players"][state["you"]["name"]]["title"] = "Vice-President"
    state["you"]["decree"] = True
    stage.open({**state, "room": {**state["room"], "deadlines": {}}})
    for width in (1280, 1440):
        stage.page.set_viewport_size({"width": width, "height": 800})
        stage.page.evaluate(SETTLED)
        expect(find.zone(stage.page, "me").get_by_text("Vice-President")).to_be_visible()
        assert not stage.page.evaluate(BROKEN, "[data-zone=me] [data-zone=about] span"), width


def longest_titles(count: int) -> list[str]:
    """Return the titles with the longest words, of all declared titles and those of presets."""
    presets = (preset.changes.get("titles") for game in GAMES.values() for preset in game.option_schema.presets)
    made_up = {title for titles in presets if isinstance(titles, list) for title in titles}
    declared = {text for key, text in english_texts().items() if key.startswith("title.")}
    return sorted(made_up | declared, key=lambda title: (max(map(len, re.split("[ -]", title))), title))[-count:]


def test_a_small_phone_held_sideways_shows_turn_buttons_and_cards(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, []
    stage.open(states["turn_4"])
    for number, name in enumerate(("turn_4", "turn_8_of_18", "exchange_low", "result_8", "choices", "welcome"), 200):
        stage.show(as_hand(states[name], number))
        found += [f"{name}: {each}" for _, wrong in at_every_size(page, tuple(SMALL)) for each in wrong]
        if states[name]["you"].get("cards") and name != "turn_8_of_18":
            expect(find.cards(page).last).to_be_in_viewport(ratio=0.9)
    # All controls of a trade fit in one row.
    stage.show(as_hand(states["trade"], 299))
    middles = page.locator("[data-zone=actions] :is(button, select)").evaluate_all(MIDDLES)
    assert max(middles) - min(middles) < 2
    assert not found, "\n".join(found)


def test_large_text_enlarges_the_trick_and_keeps_pass_in_the_first_screen(
    stage: Stage, states: dict[str, Update]
) -> None:
    page = stage.page
    for size, name in (
        ("390x844 at 200 %", "turn_8_of_18"),
        ("390x844 at 200 %", "turn_4"),
        ("360x640 at 200 %", "turn_8_of_18"),
    ):
        stage.open(states[name])
        resize(page, size)
        expect(page.locator("[data-do=pass]")).to_be_in_viewport(ratio=1)
        felt, card, by, *seats = (
            each.bounding_box() or {"x": 0, "y": 0, "width": 0, "height": 0}
            for each in (
                find.felt(page),
                page.locator("[data-play=now] [data-rank]").last,
                page.locator("[data-play=now] [data-zone=by]"),
                *page.locator("[data-seat]").all(),
            )
        )
        assert card["height"] > 3 * by["height"], f"{name}: the cards are small beside the text"
        right, left = max(each["x"] + each["width"] for each in seats), min(each["x"] for each in seats)
        assert right - left > 0.6 * felt["width"], f"{name}: the seats stand at one side"
    assert not mistakes(page)


def test_seats_stand_round_a_large_trick_in_the_order_of_play(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, list[str]()
    plain = json.dumps(states["turn_8_of_18"])
    long = json.loads(re.sub(r'"(Bob|Cat|Dan|Eve|Finn|Gudrun|Hilde)"', lambda name: f'"{name[1]:e<20}"', plain))
    stage.open(long)
    for number, players in enumerate((6, 7, 8)):
        state = copy.deepcopy(long)
        seats = state["table"]["seats"] = state["table"]["seats"][:players]
        state["table"] |= {"dealer": seats[3], "players": {name: state["table"]["players"][name] for name in seats}}
        state["table"]["players"][seats[2]]["state"] = "passed"
        state["you"] |= {"cards": "3c 3h 5d 7c 9s Jh Kd", "legal": [{"do": "pass"}]}
        state["room"]["people"] = [each for each in state["room"]["people"] if each["name"] in seats]
        stage.show(as_hand(state, number))
        for width, height in ((360, 640), (390, 844), (1280, 800), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLED)
            wrong = mistakes(page) + page.evaluate(AROUND, width > 1000)
            found += [f"{players} players, {width}: {each}" for each in wrong]
    assert not found, "\n".join(found)


def test_the_buttons_of_the_bar_fit_in_two_lines(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, list[str]()
    bar = find.actions(page)
    cannot = copy.deepcopy(states["turn_4"])
    cannot["you"] |= {"legal": [{"do": "pass"}], "more": False}

    def look(where: str) -> None:
        for width, height in ((360, 640), (390, 844), (844, 390), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLED)
            for button in bar.get_by_role("button").all():
                found.extend(f"{where}, {width}: {each}" for each in button.evaluate(SPILLS) + button.evaluate(LINES))

    stage.open(states["wait_3"])
    for number, (name, state) in enumerate(
        (("turn", states["turn_4"]), ("cannot", cannot), ("wait", states["wait_3"])), 1
    ):
        stage.show(as_hand(state, number))
        expect(bar.get_by_role("button", name="No card fits" if state is cannot else "Choose cards")).to_be_disabled()
        look(name)
        find.cards(page).first.click(position={"x": 10, "y": 14})
        look(f"{name}, chosen")
    bar.get_by_role("button", name="Play 3 of clubs on my turn").click()
    bar.locator("[data-open=passing]").click()
    expect(page.get_by_role("menu")).to_be_in_viewport(ratio=1)
    page.get_by_role("menuitem", name="Auto-pass").click()
    look("premove and auto-pass")
    bar.locator("[data-passing=off]").click()
    undo = copy.deepcopy(states["wait_3"])
    undo["room"] |= {"may_undo": {"by": "Ana"}, "allow_undo": True}
    stage.show(as_hand(undo, 9))
    find.cards(page).first.click(position={"x": 10, "y": 14})
    expect(bar.get_by_role("button")).to_have_count(4)
    look("undo")
    assert not found, "\n".join(found)


def test_news_is_shown_completely_with_twenty_players(stage: Stage, states: dict[str, Update]) -> None:
    stage.open(states["chase_20"])
    news = copy.deepcopy(states["chase_20"])
    news["events"] = [{"e": "swapped", "by": "Maximilian", "to": "Ana"}, {"e": "got", "cards": "4d"}]
    for number, size in enumerate(("360x640", "390x844", "844x390", "1440x900"), 1):
        resize(stage.page, size)
        stage.show(as_hand(states["chase_20"], number))
        stage.show(as_hand(news, number))
        latest = find.latest(stage.page)
        assert latest.inner_text() == "Maximilian swaps with you. Your card is now the 4♦."
        assert latest.evaluate(COVERED) == [], size


def test_messages_are_shown_completely_on_a_narrow_screen(stage: Stage, states: dict[str, Update]) -> None:
    page, turn = stage.page, states["turn_4"]
    stage.open({**turn, "you": {**turn["you"], "legal": [{"do": "pass"}]}})
    for width, height in ((860, 640), (1100, 800)):
        page.set_viewport_size({"width": width, "height": height})
        expect(find.turn(page)).to_contain_text("Your turn: you can’t beat this, so pass.")
        expect(find.latest(page)).to_contain_text("Dan plays")
        assert page.locator("[data-zone=status], [data-zone=latest]").evaluate_all(
            "all => all.every((each) => each.scrollHeight <= each.clientHeight)"
        )
        assert not mistakes(page)


def test_haggling_controls_fit_one_row_on_a_wide_screen(stage: Stage, states: dict[str, Update]) -> None:
    page = stage.page
    stage.open(states["trade"])
    for width, height in ((820, 620), (860, 640), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        middles = page.locator("[data-zone=actions] :is(button, select)").evaluate_all(MIDDLES)
        assert max(middles) - min(middles) < 2, (width, height)
        assert not mistakes(page)


def test_all_cards_are_visible_in_crowded_states_on_a_phone_held_sideways(
    stage: Stage, states: dict[str, Update]
) -> None:
    page = stage.page
    stage.open(states["turn_4"])
    resize(page, "844x390")
    for number, name in enumerate(("many_16", "exchange_two", "collusion", "trade"), 300):
        stage.show(as_hand(states[name], number))
        expect(find.cards(page).last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [(360, 640), (844, 390)], ids=str)
def test_a_result_shows_the_players_own_place_and_the_last_place(
    stage: Stage, states: dict[str, Update], size: tuple[int, int]
) -> None:
    stage.page.set_viewport_size({"width": size[0], "height": size[1]})
    stage.open(states["result_8"])
    for row in ("[data-zone=standing] [aria-current]", "[data-zone=standing] tbody tr:last-child"):
        expect(stage.page.locator(row).locator("[data-zone=name]")).to_be_in_viewport(ratio=1)
    # Screen readers still find a table where its rows are flexible boxes.
    tree = stage.page.context.new_cdp_session(stage.page).send("Accessibility.getFullAXTree")["nodes"]
    parts = [(node["role"]["value"], node["name"]["value"]) for node in tree if not node["ignored"]]
    assert [name for role, name in parts if role == "columnheader"] == ["Place", "Player", "This hand", "Total"]
    assert Counter(role for role, _ in parts if role in ("table", "row", "cell", "rowheader")) == {
        "table": 1,
        "row": 9,
        "cell": 24,
        "rowheader": 8,
    }


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)])
def test_the_page_beside_a_result_has_one_colour(
    new_context: NewContext, server: Server, states: dict[str, Update], size: tuple[int, int]
) -> None:
    # The result follows a turn at the same size, because the space for the cards below the felt stays.
    width, height = size
    stage = Stage(new_context(viewport={"width": width, "height": height}, has_touch=True), server)
    stage.open(states["turn_4"])
    for name, inverted in (("result_8", False), ("finished", False), ("result_8", True)):
        for shown in ("turn_4", name):
            state = copy.deepcopy(states[shown])
            state["table"]["inverted"] = inverted
            stage.show(state)
        felt = find.felt(stage.page).bounding_box()
        assert felt is not None
        top, bottom = round(felt["y"]) + 1, round(felt["y"] + felt["height"]) - 1
        assert bottom - top > height / 3
        image = base64.b64encode(stage.page.screenshot()).decode()
        for x in (1, width - 2):
            colours = stage.page.evaluate(COLOURS, [image, x, top, bottom])
            assert len(colours) == 1, f"{name}, at x = {x}: {colours}"


def test_a_result_explains_what_points_are_for(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, []
    stage.open(states["reasons_4"])
    ana = page.get_by_role("button", name="+53: show the reasons for the points of Ana")
    told = page.get_by_role("list", name="Reasons for the points of Ana").get_by_role("listitem")
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
    page.get_by_role("button", name="−107: show the reasons for the points of Bob").tap()
    expect(page.locator("[data-zone=reasons] li").first).to_be_in_viewport(ratio=1)
    for size, wrong in at_every_size(page):
        found += [f"{size}: {each}" for each in wrong]
    assert not found, "\n".join(found)
    stage.show(as_hand(states["reasons_4"], 2))
    expect(find.zone(page, "reasons")).to_have_count(0)


def test_dialogs_over_the_table_are_complete_at_every_size(stage: Stage, states: dict[str, Update]) -> None:
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
    page.wait_for_selector("[data-zone=notice]")
    for size, wrong in at_every_size(page):
        # The refusal lies over the lines about the turn, which need not be read meanwhile.
        found += [f"{size}: {each}" for each in wrong if not each.startswith("touches")]
        assert find.notice(page).locator("p > [aria-hidden]").inner_text() == REFUSAL
    assert not found, "\n".join(found)


def test_combination_offers_move_nothing_and_cover_nothing(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, []
    stage.open(states["lead_sets"])
    resize(page, "390x844")
    parts = ["[data-zone=felt]", "[data-zone=hand]", "[data-zone=actions]"]
    tops = "(parts) => parts.map((each) => document.querySelector(each).getBoundingClientRect().top)"
    lies = page.evaluate(tops, parts)
    page.locator("[data-card='7c']").tap(position={"x": 10, "y": 14})
    expect(page.locator("[data-offer]").first).to_be_in_viewport(ratio=1)
    assert page.evaluate(tops, parts) == lies
    for width in (820, 1150):  # the turn and the buttons stand in separate rows
        page.set_viewport_size({"width": width, "height": 700})
        page.evaluate(SETTLED)
        expect(page.locator("[data-offer]").first).to_be_in_viewport(ratio=1)
    # A chosen card stands out and takes space from the cards above it. This check ignores touch targets.
    for size in SIZES:
        resize(page, size)
        found += [f"{size}: {each}" for each in mistakes(page, contrast=True)]
    for width in (1280, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(SETTLED)
        assert not find.turn(page).evaluate(CUT), f"the line of the turn is cut at a width of {width}"
        expect(page.locator("[data-offer]").first).to_be_in_viewport(ratio=1)
    resize(page, "844x390")
    page.evaluate("document.documentElement.dataset.thumb = 'left'")
    found += [f"left hand: {each}" for each in mistakes(page)]
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    found += [f"keys, {size}: {each}" for size, wrong in at_every_size(page) for each in wrong]
    assert not found, "\n".join(found)


def test_the_lost_connection_banner_covers_only_the_title(stage: Stage, states: dict[str, Update]) -> None:
    page = stage.page
    stage.open(states["turn_4"])
    stage.hang_up()
    page.wait_for_selector("[data-zone=banner]:not(:empty)")
    for size in ("360x640", "390x844", "844x390", "1440x900"):
        resize(page, size)
        bottoms = [page.locator(each).evaluate(BOTTOM) for each in ("[data-zone=banner]:not(:empty)", "body header")]
        assert bottoms[0] <= bottoms[1] + 1, size
        told, tools = (
            page.locator(each).bounding_box() for each in ("[data-zone=banner]:not(:empty)", "[data-zone=tools]")
        )
        assert told
        assert tools
        assert told["x"] + told["width"] <= tools["x"] + 1, f"{size}: it lies over what can be pressed"


def test_a_revolution_changes_felt_highest_cards_and_card_order(stage: Stage, states: dict[str, Update]) -> None:
    page = stage.page
    resize(page, "390x844")

    def cloth() -> str:
        return str(find.felt(page).evaluate("felt => getComputedStyle(felt).backgroundImage"))

    def cards(which: str) -> list[str]:
        found: list[str] = page.locator(which).evaluate_all("cards => cards.map((card) => card.dataset.card)")
        return found

    turned = states["revolution"]
    usual = {"inverted": False, "ranks": turned["table"]["ranks"][::-1], "signs": []}
    stage.open({**turned, "table": {**turned["table"], **usual}})
    before = cloth()
    assert cards("[data-zone=hand] [data-card]") == turned["you"]["cards"].split()
    assert cards("[data-zone=hand] [data-highest]") == []
    assert page.locator("[data-sign]").count() == 0
    stage.show(turned)
    assert cloth() != before
    assert cards("[data-zone=hand] [data-card]") == ["Kd", "Jh", "9s", "7c", "6d", "3c", "3h", "Xr"]
    assert cards("[data-zone=hand] [data-highest]") == ["3c", "3h"]
    assert "highest card now" in (find.hand(page).locator("[data-highest]").first.get_attribute("aria-label") or "")
    assert page.locator("[data-sign]").inner_text().endswith("Revolution: low beats high")
    assert page.locator("[data-way=back]").count() == 0
    any_sign = {"key": "any", "icon": "♣", "text": "Locked to a suit", "hot": False}
    stage.show({**turned, "table": {**turned["table"], "direction": -1, "signs": [any_sign]}})
    assert page.locator("[data-way=back]").count() == 1
    assert find.signs(page).inner_text().split("\n") == ["♣", "Locked to a suit"], "whatever a game lists is drawn"


def test_a_great_moment_is_celebrated_without_moving_the_board(stage: Stage, states: dict[str, Update]) -> None:
    page = stage.page
    told = [{"e": "joker_beaten", "by": "Bob", "cause": "PRES-73"}, {"e": "trick_over", "by": "Bob"}]
    before = {**states["lead_5"], "event_prominence": {"joker_beaten": "great", "trick_over": "quiet"}}
    stage.open({**before, "events": []})
    assert page.locator("[data-great]").count() == 0
    place = "arena => [arena.offsetLeft, arena.offsetTop, arena.offsetWidth, arena.offsetHeight]"
    lies = find.zone(page, "arena").evaluate(place)
    # With reduced motion, players read and hear the news without animation.
    page.emulate_media(reduced_motion="reduce")
    stage.show({**before, "events": told})
    assert page.locator("[data-zone=felt][data-great]").count() == 1
    assert find.stage(page).count() == 0
    assert (
        page.locator("[data-zone=status][data-great] [data-zone=latest]").inner_text()
        == "Bob beats the joker with the three of spades!"
    )
    assert "Bob beats the joker with the three of spades!" in page.locator("#live").inner_text()
    page.emulate_media(reduced_motion="no-preference")
    assert find.zone(page, "arena").evaluate(place) == lies
    # The next event ends the celebration.
    stage.show({**before, "events": [{"e": "passed", "by": "Bob"}]})
    assert page.locator("[data-great]").count() == 0


MIDDLES = "all => all.map((each) => each.getBoundingClientRect().top + each.offsetHeight / 2)"
BOTTOM = "(each) => each.getBoundingClientRect().bottom"

WATCH_BOARD = """() => {
  window.places = new Set();
  new MutationObserver(() => {
    const [felt, hand] = [document.querySelector("[data-zone=felt]"), document.querySelector("[data-zone=hand]")];
    const playing = document.querySelector("#room").dataset.phase === "play";
    if (!playing || !felt || document.querySelector("[data-zone=result]")) return;
    const box = (each) => (each ? ["x", "y", "width", "height"].map((of) => each.getBoundingClientRect()[of]) : null);
    window.places.add(JSON.stringify([box(felt), hand ? box(hand).slice(1) : "no cards"]));
  }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
}"""


def test_the_board_does_not_move_during_a_hand(new_context: NewContext, server: Server) -> None:
    sizes = ((360, 640), (844, 390), (1440, 900))
    guests = [
        Guest(new_context(viewport={"width": width, "height": height}).new_page(), "Ana") for width, height in sizes
    ]
    guests[0].open_room(server.url, bots=["easy", "easy", "random"])
    guests[0].share(*guests[1:])
    find.start_match(guests[0].page)
    for guest in guests:
        guest.page.wait_for_selector(find.CARDS)
        guest.page.evaluate(WATCH_BOARD)
    assert play_with_bots(*guests) > 1
    for size, guest in zip(sizes, guests, strict=True):
        places = guest.page.evaluate("[...window.places]")
        assert len(places) == 1, (size, places)


def is_over(update: Update) -> bool:
    """Whether the hand is over."""
    return bool(update["room"]["phase"] == "between_hands")


def test_other_pages_are_complete_at_every_size_and_still(new_context: NewContext, server: Server) -> None:
    host, *others = WIDE
    with crowd(server.url, " ".join(WIDE), bots_delay=0, stake={"amount": 1, "unit": "sips"}) as people:
        people.play_until(is_over)
        room = f"{server.url}/r/{people.code}"
        context = new_context(has_touch=True)
        context.add_cookies(people.cookies(host, server.url))  # type: ignore[arg-type]
        page = context.new_page()
        match = find.newest_match(page, server.url)
        page.goto(f"{server.url}{match}")
        page.get_by_text("More", exact=True).click()
        page.get_by_role("button", name="Play same deals").click()
        page.wait_for_url("**/r/*")
        for each in others:
            people.go(each)
        people.go_on_in(page.url.rpartition("/")[2])
        people.do(host, "configure", bots_delay=0)
        for _ in others:
            people.do(host, "add_bot", kind="easy")
        people.do(host, "start")
        people.play_until(is_over)
    again = find.newest_match(page, server.url)
    found = []
    for path in (
        *PLAIN,
        "/history?q=ana&from=yesterday&person=Magpie",
        match,
        f"{match}/replay?hand=0",
        f"{match}/share?hand=0&move=1",
        f"{match}/moments",
        f"{again}/compare",
        f"{room}/book",
        f"{room}/book/moments",
        f"{room}/rules",
    ):
        page.goto(path if "://" in path else f"{server.url}{path}")
        page.wait_for_load_state("networkidle")
        resize(page, "390x844")
        found += [f"{path} moves: {each}" for each in page.evaluate(MOVED, 30)]
        sizes = (*SIZES, "320x640")
        found += [f"{path}, {size}: {each}" for size, wrong in at_every_size(page, sizes) for each in wrong]
    assert not found, "\n".join(found)


def test_text_and_arrows_are_readable_on_each_felt(stage: Stage, states: dict[str, Update]) -> None:
    page, found = stage.page, []
    resize(page, "390x844")
    for state in ("long_trick", "result_8", "lead_5"):
        stage.open(states[state])
        for felt in FELTS:
            page.evaluate("(felt) => { document.documentElement.dataset.felt = felt }", felt)
            for scheme, more in itertools.product(("light", "dark"), ("no-preference", "more")):
                page.emulate_media(color_scheme=scheme, contrast=more)  # type: ignore[arg-type]
                page.evaluate(SETTLED)
                wrong = mistakes(page, contrast=True)
                found += [f"{state}, {felt}, {scheme}, {more}: {each}" for each in wrong]
    assert not found, "\n".join(found)


def test_a_chosen_felt_and_card_back_are_there_when_the_table_appears(stage: Stage, states: dict[str, Update]) -> None:
    page = stage.page
    stage.open(states["turn_4"])
    usual = find.zone(page, "felt").evaluate(FELT_NOW)
    find.open_menu(page, "Me", "Table and cards")
    page.get_by_role("combobox", name="Felt").select_option("Midnight blue")
    page.get_by_role("combobox", name="Card backs").select_option("Blue lattice")
    chosen = find.zone(page, "felt").evaluate(FELT_NOW)
    assert chosen != usual
    page.add_init_script(f"({FIRST_FELT})()")
    for view in ("", "/screen"):
        stage.open(states["turn_4"], view)
        assert find.zone(page, "felt").get_attribute("data-first") == chosen
        assert page.evaluate("document.documentElement.dataset.cardBack") == "lattice"
        stage.show(as_hand(states["revolution"], 2))
        assert find.zone(page, "felt").evaluate(FELT_NOW) not in (usual, chosen)
