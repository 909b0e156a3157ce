"""What is seen to move: cards travel, great moments are celebrated, and nobody ever waits for it."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeAlias

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from tests.e2e.crowd import Crowd, Update, crowd
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
    window.moved.push({ what, look: this.className.baseVal ?? this.className, lasts, from });
    return animate.call(this, frames, timing);
  };
"""
"""Notes every animation that a script begins."""

HARMLESS = {"transform", "opacity", "offset", "easing", "composite"}
LONGEST = 2500
"""In milliseconds, for what one update tells, which may be several plays, one after the other; words stand longer, so
that they can be read."""

NOW_MOVING = """() => document.getAnimations().map((each) => ({
  look: each.effect.target.className.baseVal ?? each.effect.target.className,
  what: [...new Set(each.effect.getKeyframes().flatMap(Object.keys))],
}))"""
COMPUTED = {"computedOffset"}


def plays(update: Update) -> list[dict[str, Any]]:
    """What somebody may play now."""
    return [action for action in update["you"]["legal"] if action["do"] == "play"]


def turn_of(name: str) -> Callable[[Update], bool]:
    """It is somebody's turn, they may play, and something lies there."""
    return lambda update: update["you"]["name"] == name and bool(plays(update)) and bool(lies(update))


def lies(update: Update) -> list[Any]:
    """What lies in the trick."""
    return list((update["table"]["trick"] or {"plays": []})["plays"])


def look(new_context: NewContext, server: Server, people: Crowd, name: str, motion: Motion) -> Page:
    """The room in a browser of somebody's, who likes motion or does not."""
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    page.emulate_media(reduced_motion=motion)
    page.context.add_cookies(people.cookies(name, server.url))  # type: ignore[arg-type]
    page.add_init_script(WATCH)
    page.goto(f"{server.url}/r/{people.code}")
    page.wait_for_selector("#room[data-seq]")
    # What moves comes after what can be seen at once.
    page.wait_for_load_state("networkidle")
    return page


def pace(page: Page, rate: float) -> CDPSession:
    """Let all that moves move so fast."""
    line = page.context.new_cdp_session(page)
    line.send("Animation.enable")
    line.send("Animation.setPlaybackRate", {"playbackRate": rate})
    return line


def shows(page: Page, people: Crowd) -> None:
    """Wait until the page is as far as the room."""
    page.wait_for_function(
        "(seq) => Number(document.querySelector('#room').dataset.seq) >= seq", arg=people.sees("Ana")["seq"]
    )


def fours(update: Update) -> list[dict[str, Any]]:
    """Four of a kind that somebody may play now."""
    return [action for action in plays(update) if len(action["cards"].split()) == 4]


@pytest.fixture
def people(server: Server) -> Iterator[Crowd]:
    """Three at a table where fours turn the ranks."""
    with crowd(server.url, "Ana Bob Cat", options={"four_of_a_kind": "inverts"}) as three:
        yield three


def test_cards_travel_and_nobody_waits_for_them(new_context: NewContext, server: Server, people: Crowd) -> None:
    page = look(new_context, server, people, "Ana", "no-preference")
    still = look(new_context, server, people, "Bob", "reduce")
    expect(page.locator(".hand .card").first).to_be_visible()
    people.play_until(turn_of("Bob"))
    shows(page, people)
    expect(page.locator(".stage > *")).to_have_count(0)
    page.wait_for_timeout(200)  # updates that come faster are not followed by eye
    pace(page, 0.02)
    card = plays(people.sees("Bob"))[0]["cards"]
    people.do("Bob", "act", action=plays(people.sees("Bob"))[0])
    shows(page, people)
    # What is played is drawn at once, and its copy is on its way there.
    flying = page.locator(".stage .flies")
    expect(flying).to_have_count(1)
    assert flying.locator(".card").count() == len(card.split())
    expect(page.locator(".play.now .by")).to_contain_text("Bob")
    moving = page.evaluate(NOW_MOVING)
    assert any("flies" in each["look"] for each in moving)
    assert all(set(each["what"]) <= HARMLESS | COMPUTED for each in moving), moving
    assert page.locator(".stage").evaluate("stage => getComputedStyle(stage).pointerEvents") == "none"
    assert page.locator(".stage").get_attribute("aria-hidden") == "true"
    # The next update ends it: what flies afterwards is not what flew before.
    flying.evaluate("card => card.dataset.of = 'before'")
    before = people.sees("Ana")["seq"]
    people.play_until(lambda update: update["seq"] > before)
    shows(page, people)
    expect(page.locator(".stage [data-of=before]")).to_have_count(0, timeout=2000)
    people.play_until(turn_of("Ana"))
    shows(page, people)
    held = page.locator(".hand .card").count()
    mine = plays(people.sees("Ana"))[0]["cards"].split()
    assert flying.count() <= 4
    # In the midst of it one's own turn is taken.
    for each in mine:
        chosen = page.locator(f".hand .card[data-card='{each}']")
        if chosen.get_attribute("aria-pressed") == "false":
            chosen.click(position={"x": 10, "y": 14})
    page.locator("[data-do=play]").first.click()
    expect(page.locator(".hand .card")).to_have_count(held - len(mine))
    expect(flying.locator("visible=true").first).to_be_attached()
    # What is left in the hand closes up.
    closing = [each for each in page.evaluate("moved") if each["look"].split()[0] == "card" and each["from"]]
    assert closing[-1]["from"].startswith("translate(")
    assert all(set(each["what"]) <= HARMLESS for each in page.evaluate("moved"))
    assert all(each["lasts"] <= LONGEST for each in page.evaluate("moved") if "ribbon" not in each["look"])
    # Who wants no motion sees the same, and nothing that moves.
    assert still.evaluate("moved") == []
    expect(still.locator(".stage")).to_have_count(0)


SEEN_ON_TABLE = """(card) => [...document.querySelectorAll(".stage .card, .trick .card")].filter((each) => {
  if (each.dataset.rank + each.dataset.suit !== card) return false;
  let opacity = 1;
  for (let node = each; node !== null; node = node.parentElement) opacity *= getComputedStyle(node).opacity;
  return opacity > 0;
}).length"""
"""How often a card is seen on a table or on its way."""


def test_what_ends_a_trick_is_in_one_place_at_a_time(new_context: NewContext, server: Server) -> None:
    def eights(update: Update) -> list[dict[str, Any]]:
        return [action for action in plays(update) if action["cards"].startswith("8") and "X" not in action["cards"]]

    with crowd(server.url, "Ana Bob Cat", options={"preset": "daifugo"}) as people:
        name = people.play_until(lambda update: update["you"]["name"] != "Ana" and bool(eights(update)))
        page = look(new_context, server, people, "Ana", "no-preference")
        pace(page, 0.02)
        play = eights(people.sees(name))[0]
        people.do(name, "act", action=play)
        shows(page, people)
        expect(page.locator(".stage .flies").first).to_be_attached()
        for card in play["cards"].split():
            assert page.evaluate(SEEN_ON_TABLE, card) == 1


def test_a_revolution_turns_the_table_for_all_who_look(new_context: NewContext, server: Server, people: Crowd) -> None:
    name = people.play_until(lambda update: not update["table"]["inverted"] and bool(fours(update)))
    page = look(new_context, server, people, "Ana", "no-preference")
    still = look(new_context, server, people, "Cat", "reduce")
    pace(page, 0.02)
    people.do(name, "act", action=fours(people.sees(name))[0])
    shows(page, people)
    # The table itself turns.
    page.wait_for_function(f"() => ({NOW_MOVING})().some((each) => each.look.startsWith('felt'))")
    moving = page.evaluate(NOW_MOVING)
    other_cloth = "felt => getComputedStyle(felt, '::before').opacity"
    assert page.locator(".felt").evaluate(other_cloth) == "1", "till then it is seen as it was"
    of_felt = [each["what"] for each in page.evaluate("moved") if each["look"].startswith("felt")]
    assert of_felt[0] == ["opacity"], "from the first frame on"
    expect(page.locator(".stage .ribbon")).to_contain_text("Revolution! Low cards beat high ones now.")
    assert all(set(each["what"]) <= HARMLESS | COMPUTED for each in moving), moving
    assert still.locator(".felt").evaluate(other_cloth) == "0"
    # Nobody can overlook it afterwards.
    for each in (page, still):
        expect(each.locator(".felt.inverted")).to_be_attached()
        expect(each.locator(".sign.hot")).to_contain_text("Revolution")
        expect(each.locator(".said.great .latest")).to_contain_text("Revolution!")
    assert still.evaluate("moved") == []
    # It is over by itself, and leaves nothing behind.
    pace(page, 20)
    expect(page.locator(".stage > *")).to_have_count(0)


def test_a_card_that_was_given_stands_out_until_it_is_touched(
    new_context: NewContext, server: Server, people: Crowd
) -> None:
    people.play_until(lambda update: update["room"]["phase"] == "pause")
    top = people.sees("Ana")["room"]["hands"][-1]["standing"][0]
    page = look(new_context, server, people, top, "no-preference")
    assert page.evaluate("moved") == [], "a page that has just been opened has nothing to celebrate"
    people.do("Ana", "next")
    shows(page, people)
    page.wait_for_function("() => moved.filter((each) => each.look.includes('back')).length >= 3")
    # Behind a result on a phone nobody is seen: no card comes from the corner, where they would be.
    starts = [each["from"] for each in page.evaluate("moved") if "flies" in each["look"]]
    assert starts
    assert not [each for each in starts if re.match(r"translate\(-\S+ -", each)], starts
    people.play_until(lambda update: update["you"]["name"] == top and bool(update["you"]["legal"]))
    # Who gives back the very card that they got has nothing new: the lowest is not the best that somebody had.
    people.do(top, "act", action=people.sees(top)["you"]["legal"][0])
    people.play_until(lambda update: update["table"]["phase"] == "play")
    shows(page, people)
    fresh = page.locator(".hand .card.fresh")
    expect(fresh).to_have_count(1)
    expect(fresh.first).to_have_accessible_name(re.compile(r", new$"))
    fresh.first.click(position={"x": 10, "y": 14})
    expect(fresh).to_have_count(0)
