"""Test what a screen reader announces: seats, events, turns and the answers to shortcut keys."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e import find
from tests.e2e.games.test_specials import look, plays
from tests.e2e.people.crowd import Crowd, Update, crowd
from tests.e2e.people.guests import Guest, play_with_bots
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

RANKS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}

LISTEN = """() => {
  window.heard = {live: [], alert: []};
  for (const id of Object.keys(window.heard)) {
    new MutationObserver((changes) => {
      for (const {addedNodes} of changes) for (const each of addedNodes) window.heard[id].push(each.textContent);
    }).observe(document.getElementById(id), {childList: true});
  }
}"""


def heard(page: Page, region: str) -> list[str]:
    lines: list[str] = page.evaluate("(region) => window.heard[region]", region)
    return lines


def named(line: str) -> str:
    """Replace card symbols in a line of the log by spoken names: 7♣ 7♥ becomes the 7 of clubs and the 7 of hearts."""

    def names(found: re.Match[str]) -> str:
        *some, last = [f"{RANKS.get(card[:-1], card[:-1])} of {SUITS[card[-1]]}" for card in found[0].split()]
        return f"{', '.join(some)} and {last}" if some else last

    return re.sub(r"\b(?:10|[2-9JQKA])[♣♦♥♠](?: (?:10|[2-9JQKA])[♣♦♥♠])*", names, line)


LOG = """() => {
  const lines = [...document.querySelectorAll("[data-zone=log] li:not([data-log=hand], [data-log=voice])")];
  const all = (what) => lines.map((line) => (line.querySelector(what) ?? line).textContent);
  return [all("[aria-hidden]"), all(":scope > span:not([aria-hidden])")];
}"""
"""The lines of the log as shown, and as read aloud, without remarks, which are not read aloud."""


SHOWN = re.compile(r" \w+ (?:sends a heart|cries|claps)\.")
"""Reactions that easy bots show after a hand. The log does not contain them."""
SLOW = "This deal was made without your seed."
"""Said if a busy machine takes too long to send a seed."""
LAST_CARD = re.compile(r" [\w ]+ (?:has one card left|have one card left each)\.")
"""Last cards. The log does not contain them, because the table shows them."""


def test_every_event_is_announced_however_fast_bots_play(page: Page, server: Server) -> None:
    ana = Guest(page, "Ana")
    ana.open_room(server.url, bots=["easy", "easy", "easy"])
    page.evaluate(LISTEN)
    find.start_match(page)
    turns = play_with_bots(ana)
    lines, walked = page.evaluate(LOG)
    assert len(lines) > turns
    all_heard, last_cards = LAST_CARD.subn("", SHOWN.sub("", " ".join(heard(page, "live"))))
    assert last_cards
    said, _, order = all_heard.partition(" Hand 1 is over. From first to last: ")
    assert said == " ".join(map(named, lines))
    assert said == " ".join(walked), "who walks along the log hears the same"
    assert "Ana" in order
    # Each of her turns interrupts the screen reader, and the text starts with "Your".
    asked = [line for line in heard(page, "alert") if line != SLOW]
    assert len(asked) == turns
    assert all(line.startswith("Your ") for line in asked)


def answering(update: Update) -> bool:
    """Whether the player has to beat a play, in the second hand, which has titles."""
    table = update["table"]
    return table["number"] == 2 and table["trick"] is not None and table["trick"]["plays"] and plays(update)


def around(seats: list[str], name: str) -> list[str]:
    at = seats.index(name)
    return seats[at + 1 :] + seats[:at]


def test_seat_labels_and_shortcut_keys_describe_the_table(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan") as people:
        name = people.play_until(answering)
        page = look(new_context, server, people, name)
        table = people.sees(name)["table"]
        players = table["players"]
        seats = page.get_by_role("list", name="Players").get_by_role("listitem")
        for seat, other in zip(seats.all(), around(table["seats"], name), strict=True):
            said = seat.aria_snapshot()
            # A seat shows "passed" or "out" instead of the title.
            order = [other, players[other]["title"], f"{players[other]['cards']} card"]
            at = [said.index(words) for words in order if words in said]
            assert at == sorted(at), said
            assert len(at) == 3 or "passed" in said or "out" in said, said

        page.evaluate(LISTEN)
        find.cards(page).first.focus()
        top = table["trick"]["plays"][-1]
        for key, wanted in {
            "t": f"newest play first: {top['by']}: ",
            "c": f"Cards left: you {players[name]['cards']} card",
            "S": "Ranking: ",
        }.items():
            page.keyboard.press(key)
            page.wait_for_function("(n) => window.heard.alert.length === n", arg="tcS".index(key) + 1)
            assert wanted in heard(page, "alert")[-1]
        # The dialog of the menu must not hear these letters as shortcut keys.
        page.get_by_role("button", name="Menu").click()
        page.keyboard.press("t")
        expect(page.locator("dialog[open]")).to_be_visible()
        assert len(heard(page, "alert")) == 3


def keep_up(page: Page, people: Crowd) -> None:
    """Wait until the page shows the state of Ana's socket."""
    seq = people.sees("Ana")["seq"]
    page.wait_for_function("(seq) => Number(document.querySelector('#room').dataset.seq) >= seq", arg=seq)


def test_events_are_announced_at_once_while_a_dialog_is_loading(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan") as people:
        people.play_until(lambda update: update["you"]["name"] == "Ana" and "Ana" not in update["table"]["to_act"])
        page = look(new_context, server, people, "Ana")
        page.evaluate(LISTEN)
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/js/pages/room+menu-menu.js", hold)
        page.get_by_role("button", name="Menu").click()
        people.play_until(lambda update: "Ana" in update["table"]["to_act"], but=("Ana",))
        keep_up(page, people)
        assert " plays " in " ".join(heard(page, "live"))
        asked = heard(page, "alert")
        assert [line.partition(" ")[0] for line in asked] == ["Your"]
        # Text announced before the sheet was loaded is not repeated when it closes.
        held[0].continue_()
        expect(page.locator("dialog[open]")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        assert heard(page, "alert") == asked


def test_events_behind_a_dialog_are_announced_when_it_closes(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan") as people:
        people.play_until(lambda update: update["you"]["name"] == "Ana" and "Ana" not in update["table"]["to_act"])
        page = look(new_context, server, people, "Ana")
        page.evaluate(LISTEN)
        page.get_by_role("button", name="Menu").click()
        expect(page.locator("dialog[open]")).to_be_visible()
        people.play_until(lambda update: "Ana" in update["table"]["to_act"], but=("Ana",))
        keep_up(page, people)
        assert heard(page, "live") == heard(page, "alert") == []
        page.keyboard.press("Escape")
        page.wait_for_function("() => window.heard.alert.length > 0")
        assert len(heard(page, "alert")) == 1
        assert heard(page, "alert")[0].startswith("Your ")
        assert " plays " in " ".join(heard(page, "live"))

        people.play_until(lambda update: update["you"]["name"] == "Ana" and plays(update))
        keep_up(page, people)

        # The button shows symbols; its accessible name is spoken text.
        cards = plays(people.sees("Ana"))[0]["cards"].split()
        for card in cards:
            held = find.card(page, card)
            if held.get_attribute("aria-pressed") == "false":
                held.press("Space")
        names = find.chosen(page).evaluate_all("all => all.map(each => each.ariaLabel.split(',')[0])")
        button = page.locator("[data-do=play]")
        assert [name in (button.get_attribute("aria-label") or "") for name in names] == [True] * len(cards)
