"""Test the animations: cards fly, great moments are celebrated, and play never waits for them."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeAlias

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from tests.e2e import find
from tests.e2e.people.crowd import Crowd, Update, crowd
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]
Motion: TypeAlias = Literal["no-preference", "reduce"]

WATCH = """
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const what = [...new Set(frames.flatMap(Object.keys))];
    const lasts = timing.duration + (timing.delay ?? 0);
    const from = frames[0].transform ?? "";
    const { zone, celebrates, back, flies, card } = this.dataset;
    const marks = { back, flies, card };
    const look = [zone, celebrates, ...Object.keys(marks).filter((mark) => mark in this.dataset)].join(" ");
    window.moved.push({ what, look, lasts, from });
    return animate.call(this, frames, timing);
  };
"""
"""Records every animation that a script starts."""

HARMLESS = {"transform", "opacity", "offset", "easing", "composite"}
LONGEST = 2500
"""Milliseconds for the animations of one update, which may contain several plays. Text stays longer."""

NOW_MOVING = """() => document.getAnimations().map((each) => ({
  look: [each.effect.target.dataset.zone, "flies" in each.effect.target.dataset ? "flies" : ""].join(" "),
  what: [...new Set(each.effect.getKeyframes().flatMap(Object.keys))],
}))"""
COMPUTED = {"computedOffset"}


def plays(update: Update) -> list[dict[str, Any]]:
    """Return the plays that the player may make now."""
    return [action for action in update["you"]["legal"] if action["do"] == "play"]


def turn_of(name: str) -> Callable[[Update], bool]:
    """Return a test for this player's turn to beat a play."""
    return lambda update: update["you"]["name"] == name and bool(plays(update)) and bool(lies(update))


def lies(update: Update) -> list[Any]:
    """Return the plays in the trick."""
    return list((update["table"]["trick"] or {"plays": []})["plays"])


def look(
    new_context: NewContext,
    server: Server,
    people: Crowd,
    name: str,
    motion: Motion,
    *scripts: str,
    size: tuple[int, int] = (390, 844),
) -> Page:
    """Open the room in this player's browser, with or without reduced motion, with these scripts."""
    page = new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.emulate_media(reduced_motion=motion)
    page.context.add_cookies(people.cookies(name, server.url))  # type: ignore[arg-type]
    for script in (WATCH, *scripts):
        page.add_init_script(script)
    page.goto(f"{server.url}/r/{people.code}")
    page.wait_for_selector("#room[data-seq]")
    # The scripts for animations load after the first picture, with this style sheet.
    page.wait_for_function("() => document.querySelector(\"link[href*='/table_deferred.css']\")?.sheet")
    page.wait_for_load_state("networkidle")
    return page


def pace(page: Page, rate: float) -> CDPSession:
    """Set the speed of all animations."""
    line = page.context.new_cdp_session(page)
    line.send("Animation.enable")
    line.send("Animation.setPlaybackRate", {"playbackRate": rate})
    return line


def shows(page: Page, people: Crowd) -> None:
    """Wait until the page shows the newest state of the room."""
    page.wait_for_function(
        "(seq) => Number(document.querySelector('#room').dataset.seq) >= seq", arg=people.sees("Ana")["seq"]
    )


def fours(update: Update) -> list[dict[str, Any]]:
    """Return the fours of a kind that the player may play now."""
    return [action for action in plays(update) if len(action["cards"].split()) == 4]


@pytest.fixture
def people(server: Server) -> Iterator[Crowd]:
    """Three players at a table where four of a kind inverts the ranks."""
    with crowd(server.url, "Ana Bob Cat", options={"four_of_a_kind": "inverts"}) as three:
        yield three


def test_card_animations_never_block_play(new_context: NewContext, server: Server, people: Crowd) -> None:
    page = look(new_context, server, people, "Ana", "no-preference")
    still = look(new_context, server, people, "Bob", "reduce")
    expect(find.cards(page).first).to_be_visible()
    people.play_until(turn_of("Bob"))
    shows(page, people)
    expect(find.stage(page).locator("> *")).to_have_count(0)
    page.wait_for_timeout(200)  # a real pause: cards don't fly before MIN_UPDATE_INTERVAL (card_flights.js)
    pace(page, 0.02)
    card = plays(people.sees("Bob"))[0]["cards"]
    people.do("Bob", "act", action=plays(people.sees("Bob"))[0])
    shows(page, people)
    # The played card is drawn at once, and its copy flies there.
    flying = find.stage(page).locator("[data-flies]")
    expect(flying).to_have_count(1)
    assert flying.locator("[data-rank]").count() == len(card.split())
    expect(page.locator("[data-play=now] [data-zone=by]")).to_contain_text("Bob")
    moving = page.evaluate(NOW_MOVING)
    assert any("flies" in each["look"] for each in moving)
    assert all(set(each["what"]) <= HARMLESS | COMPUTED for each in moving), moving
    assert find.stage(page).evaluate("stage => getComputedStyle(stage).pointerEvents") == "none"
    assert find.stage(page).get_attribute("aria-hidden") == "true"
    # The next update ends the flight: later flights use new elements.
    flying.evaluate("card => card.dataset.of = 'before'")
    before = people.sees("Ana")["seq"]
    people.play_until(lambda update: update["seq"] > before)
    shows(page, people)
    expect(find.stage(page).locator("[data-of=before]")).to_have_count(0, timeout=2000)
    people.play_until(turn_of("Ana"))
    shows(page, people)
    held = find.cards(page).count()
    mine = plays(people.sees("Ana"))[0]["cards"].split()
    row = find.cards(page).evaluate_all("cards => cards.map((card) => card.dataset.card)")
    behind = [code for code in row[min(map(row.index, mine)) :] if code not in mine]
    # Ana acts while the animation runs.
    find.choose(page, " ".join(mine))
    page.locator("[data-do=play]").first.click()
    expect(find.cards(page)).to_have_count(held - len(mine))
    expect(flying.locator("visible=true").first).to_be_attached()
    # The remaining cards close the gap, if there were cards behind the played ones.
    closing = [each for each in page.evaluate("moved") if "card" in each["look"].split() and each["from"]]
    assert not behind or closing[-1]["from"].startswith("translate(")
    assert all(set(each["what"]) <= HARMLESS for each in page.evaluate("moved"))
    assert all(each["lasts"] <= LONGEST for each in page.evaluate("moved") if "ribbon" not in each["look"])
    # With reduced motion the page shows the same without animations.
    assert still.evaluate("moved") == []
    expect(find.stage(still)).to_have_count(0)


SEEN_ON_TABLE = """(card) => [...document.querySelectorAll(
  ":is([data-zone=stage], [data-zone=trick], [data-zone=last-trick]) [data-rank]")].filter((each) => {
  if (each.dataset.rank + each.dataset.suit !== card) return false;
  let opacity = 1;
  for (let node = each; node !== null; node = node.parentElement) opacity *= getComputedStyle(node).opacity;
  return opacity > 0;
}).length"""
"""Counts the copies of a card that are visible on the table or in flight."""


def test_cards_that_end_a_trick_are_shown_in_one_place_at_a_time(new_context: NewContext, server: Server) -> None:
    def eights(update: Update) -> list[dict[str, Any]]:
        return [action for action in plays(update) if action["cards"].startswith("8") and "X" not in action["cards"]]

    with crowd(server.url, "Ana Bob Cat", options={"preset": "daifugo"}) as people:
        name = people.play_until(lambda update: update["you"]["name"] != "Ana" and bool(eights(update)))
        page = look(new_context, server, people, "Ana", "no-preference")
        pace(page, 0.02)
        play = eights(people.sees(name))[0]
        people.do(name, "act", action=play)
        shows(page, people)
        expect(find.stage(page).locator("[data-flies]").first).to_be_attached()
        for card in play["cards"].split():
            assert page.evaluate(SEEN_ON_TABLE, card) == 1


def test_a_revolution_turns_the_table_for_all_viewers(new_context: NewContext, server: Server, people: Crowd) -> None:
    name = people.play_until(lambda update: not update["table"]["inverted"] and bool(fours(update)))
    page = look(new_context, server, people, "Ana", "no-preference")
    still = look(new_context, server, people, "Cat", "reduce")
    pace(page, 0.02)
    people.do(name, "act", action=fours(people.sees(name))[0])
    shows(page, people)
    # The felt itself turns.
    page.wait_for_function(f"() => ({NOW_MOVING})().some((each) => each.look.startsWith('felt'))")
    moving = page.evaluate(NOW_MOVING)
    other_cloth = "felt => getComputedStyle(felt, '::before').opacity"
    assert find.felt(page).evaluate(other_cloth) == "1", "till then it is seen as it was"
    of_felt = [each["what"] for each in page.evaluate("moved") if each["look"].startswith("felt")]
    assert of_felt[0] == ["opacity"], "from the first frame on"
    ribbon = find.stage(page).locator("[data-celebrates~=ribbon]")
    expect(ribbon).to_contain_text("Revolution! Low cards now beat high cards.")
    ends = ribbon.evaluate("(ribbon) => ribbon.offsetTop + ribbon.offsetHeight")
    assert ends <= find.zone(page, "hand").evaluate("(hand) => hand.getBoundingClientRect().top") + 1
    assert all(set(each["what"]) <= HARMLESS | COMPUTED for each in moving), moving
    assert find.felt(still).evaluate(other_cloth) == "0"
    # Afterwards the signs keep showing the revolution.
    for each in (page, still):
        expect(each.locator("[data-zone=felt][data-inverted]")).to_be_attached()
        expect(find.new_sign(each)).to_contain_text("Revolution")
        expect(each.locator("[data-zone=status][data-great] [data-zone=latest]")).to_contain_text("Revolution!")
    assert still.evaluate("moved") == []
    # The animation ends without help and removes its elements.
    pace(page, 20)
    expect(find.stage(page).locator("> *")).to_have_count(0)


def test_a_card_received_in_the_exchange_is_marked_new_until_the_first_action(
    new_context: NewContext, server: Server, people: Crowd
) -> None:
    people.play_until(lambda update: update["room"]["phase"] == "between_hands")
    top = people.sees("Ana")["room"]["hands"][-1]["standing"][0]
    page = look(new_context, server, people, top, "no-preference")
    assert page.evaluate("moved") == [], "a page that has just been opened has nothing to celebrate"
    people.do("Ana", "deal_next")
    shows(page, people)
    page.wait_for_function("() => moved.filter((each) => each.look.includes('back')).length >= 3")
    # Behind a result on a phone no seat is visible, so no card may fly from the corner of a seat.
    starts = [each["from"] for each in page.evaluate("moved") if "flies" in each["look"]]
    assert starts
    assert not [each for each in starts if re.match(r"translate\(-\S+ -", each)], starts
    people.play_until(lambda update: update["you"]["name"] == top and bool(update["you"]["legal"]))
    # The lowest card must not be the one received: giving back the same card would leave no new card.
    people.do(top, "act", action=people.sees(top)["you"]["legal"][0])
    people.play_until(lambda update: update["table"]["phase"] == "play")
    shows(page, people)
    fresh = find.hand(page).locator("[data-new]")
    expect(fresh).to_have_count(1)
    expect(fresh.first).to_have_accessible_name(re.compile(r", new card$"))
    raised = "(card) => getComputedStyle(card).translate"
    assert fresh.first.evaluate(raised) == "none", "a new card does not look chosen"
    people.play_until(lambda update: update["you"]["name"] == top and bool(update["you"]["legal"]))
    shows(page, people)
    expect(fresh).to_have_count(1)
    # A player who can't beat the play passes, which is an action, too.
    action = people.sees(top)["you"]["legal"][0]
    find.choose(page, action.get("cards", ""))
    find.actions(page).locator(f"[data-do={action['do']}]:not(:disabled)").first.click()
    expect(fresh).to_have_count(0)
