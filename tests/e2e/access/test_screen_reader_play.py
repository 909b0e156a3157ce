"""Test that a blind player can play two hands against bots with a screen reader and the keyboard."""

import json
import re
from typing import Any

from playwright.sync_api import Page

from tests.e2e.access.test_announcements import RANKS, SUITS
from tests.e2e.people.guests import Guest
from tests.e2e.people.screen_reader_user import Listener
from tests.e2e.server import Server
from tools.local_server.client_view import merge_update

KEYS = {"10": "0"} | {name: letter.lower() for letter, name in RANKS.items()}
"""The key that chooses cards of each rank whose key is not its first letter."""


def spoken(cards: str) -> str:
    """Return the spoken names of cards such as `7c Th`: 7 of clubs and 10 of hearts."""
    ranks = RANKS | {"T": "10"}
    suits = dict(zip("cdhs", SUITS.values(), strict=True))
    *some, last = [f"{ranks.get(card[0], card[0])} of {suits[card[1]]}" for card in cards.split()]
    return f"{', '.join(some)} and {last}" if some else last


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


DRAWN = "(seq) => Number(document.querySelector('#room').dataset.seq) >= seq"
"""Whether the page shows this state."""


class Wire:
    """The messages from the server to this page, to compare with the announcements."""

    def __init__(self, page: Page) -> None:
        self.events: list[dict[str, Any]] = []
        self.now: dict[str, Any] = {}
        page.on("websocket", lambda socket: socket.on("framereceived", self._take))

    def _take(self, frame: Any) -> None:
        message = json.loads(frame)
        if message["t"] == "update":
            self.events += message["events"] if self.now else []
            self.now = merge_update(self.now or None, message)


def told(act: dict[str, Any]) -> str:
    """Return the announcement to Ana of a play or a pass."""
    mine = act["by"] == "Ana"
    what = (
        f"play{'' if mine else 's'} {spoken(act['cards'])}" if act["e"] == "played" else f"pass{'' if mine else 'es'}"
    )
    return f"{'You' if mine else act['by']} {what}"


def answer(ana: Listener, asked: str, by_rank: bool) -> None:
    """Choose cards announced as playable until the play is complete, by arrow keys or by rank. Pass if no card fits."""
    things = ana.things()
    mine = [thing for thing in things if thing.is_in("toolbar", "Your ") and thing.role == "button"]
    fit = [card for card in mine if re.search("playable|can be given", card.name)]
    if not fit and "Give " not in asked:
        assert "you can’t beat this, so pass" in asked
        return ana.press("p")
    number = max(1, asked.partition(" To beat: ")[2].count(" of "))
    for card in fit or mine:
        name = card.name.split(",")[0]
        rank = name.split(" of ")[0]
        if by_rank:
            ana.press(KEYS.get(rank, rank))
        else:
            ana.walk_to("Tab", lambda here: here.node in {each.node for each in mine})
            ana.walk_to("ArrowRight", lambda here, name=name: here.name.startswith(name))
            ana.press("Space")
        choices = [thing for thing in ana.things() if thing.is_in("group", "Your actions") and thing.enabled]
        if any(re.match("(Play|Give) ", choice.name) and choice.name.count(" of ") >= number for choice in choices):
            return ana.press("Enter")
    raise AssertionError(f"nothing to be done: {asked}, {things}")


def check_what_keys_tell(ana: Listener, table: dict[str, Any]) -> None:
    """Press the shortcut keys and compare their answers: cards on the table, card counts, titles and points."""
    trick, players, seats = table["trick"], table["players"], table["seats"]
    told = ana.ask("t")
    plays = trick["plays"] if trick else []
    lies = "; ".join(f"{play['by']}: {spoken(play['cards'])}" for play in reversed(plays))
    assert told.startswith("Your ")
    assert (f"Current trick, newest play first: {lies}." if plays else "The table is empty.") in told
    others = seats[seats.index("Ana") + 1 :] + seats[: seats.index("Ana")]
    has = {name: counted(players[name]["cards"], "card") for name in seats}
    assert ana.ask("c") == f"Cards left: you {has['Ana']}, {', '.join(f'{name} {has[name]}' for name in others)}."
    standing = ana.ask("s")
    by_place = sorted(seats, key=lambda name: players[name]["place"] or 0)
    scored = any(players[name]["total"] for name in seats)
    ranks = {
        name: [players[name]["title"], counted(players[name]["total"], "point") if scored else ""] for name in seats
    }
    if any(map(any, ranks.values())):
        told = "; ".join(", ".join(filter(None, [name, *ranks[name]])) for name in by_place)
        assert f"Ranking: {told}." in standing
    else:
        assert "No titles or points yet." in standing


def test_two_hands_can_be_played_with_a_screen_reader_and_keyboard(page: Page, server: Server) -> None:
    wire, ana = Wire(page), Listener(page)
    Guest(page, "Ana").open_room(server.url, bots=["easy"] * 3, options={"exchange": "two_one"})
    ana.listen()
    ana.enter("Start match")
    questions: list[str] = []
    hands = 0
    while hands < 2:
        news = ana.wait()
        asked = [text for how, text in news if how == "assertive"]
        if asked:
            questions += asked
            table = wire.now["table"]
            assert "Ana" in table["to_act"]
            # The announcement comes one or two frames before the cards are drawn.
            page.wait_for_function(DRAWN, arg=wire.now["seq"])
            on_top = table["trick"]["plays"][-1]["cards"] if table["trick"] else None
            assert asked[0].partition(" To beat: ")[2] == (f"{spoken(on_top)}." if on_top else "")
            if table["phase"] == "play" and len(questions) % 8 == 3:
                check_what_keys_tell(ana, table)
            answer(ana, asked[0], by_rank=len(questions) % 2 == 0)
        elif any(f"Hand {hands + 1} is over. From first to last: " in text for _, text in news):
            hands += 1
            if hands < 2:
                ana.enter("Deal the next hand")
    # Every play and pass was announced once and in order. Each of her turns asked her once.
    said = " ".join(ana.heard("polite"))
    acts = [event for event in wire.events if event["e"] in ("played", "passed")]
    assert re.findall(r"\w+ (?:plays?|pass(?:es)?)(?= \d| \w+ of|\.)[^.]*", said) == [*map(told, acts)]
    assert len([text for text in questions if "Give " not in text]) == len([act for act in acts if act["by"] == "Ana"])
    gifts = [event for event in wire.events if event["e"] == "gave_cards"]
    assert len(gifts) == 2
    for gift in gifts:
        given = f"You give {gift['to']}" if gift["by"] == "Ana" else f"{gift['by']} gives you"
        assert said.count(f"{given} {spoken(gift['cards'])}.") == 1
    assert not ana.complaints
