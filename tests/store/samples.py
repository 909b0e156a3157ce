"""Sample rooms, entries and facts for tests."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from app.rooms.ports.addresses import Address
from app.rooms.ports.facts import HandEnded, Hierarchies, HighlightFact, MatchEnded, MatchStarted
from app.rooms.ports.storage import NewEvent

T0 = datetime(2026, 11, 20, 20, 15, tzinfo=UTC)
PLAYERS = ("Ana", "Bob", "Cat")


def at(seconds: float) -> datetime:
    return T0 + timedelta(seconds=seconds)


def entry(kind: str = "acted", seconds: float = 0, **data: Any) -> NewEvent:
    return NewEvent(kind, data or {"by": "Ana", "action": {"do": "play", "cards": "7c 7d"}}, at(seconds))


def invite(code: str) -> str:
    return f"invitation-to-{code}"


def address(code: str, invited: str | None = None) -> Address:
    return Address(code, invite(code if invited is None else invited))


def started(
    match_id: str, room: str, people: Sequence[str | None] = (None, None, None), seconds: float = 0
) -> MatchStarted:
    players = tuple(zip(people, PLAYERS, strict=True))
    return MatchStarted(match_id, room, "president", {"preset": "pagat", "jokers": 0}, players, at(seconds))


def hand(
    match_id: str,
    number: int,
    seconds: float = 60,
    room: str = "KQ7F3M",
    people: Sequence[str | None] = (None, None, None),
) -> HandEnded:
    record = {
        "dealer": "Cat",
        "cards": {"Cat": "3c", "Ana": "4c", "Bob": "5c"},
        "stock": "",
        "actions": [{"by": "Ana", "do": "play", "cards": "4c"}],
        "fair": {"commitment": "ab", "secret": "cd", "seeds": {"Ana": "ef"}, "cut": None},
    }
    result = {
        "dealer": "Cat",
        "standing": ["Ana", ["Bob", "Cat"]],
        "titles": {"Ana": "President"},
        "ledger": {"Ana": 2, "Bob": 1, "Cat": 0},
        "events": ["revolution"],
        "reasons": [{"name": "Ana", "key": "reason.place", "values": {"place": 1}, "amount": 2, "unit": "points"}],
    }
    totals = {"Ana": 2 * (number + 1), "Bob": number + 1, "Cat": 0}
    events = [{"e": "played", "by": "Ana"}]
    who = dict(zip(PLAYERS, people, strict=True))
    ranks = Hierarchies(PLAYERS if number else (), {"Ana": "President"} if number else {}, PLAYERS)
    told = (
        HighlightFact(1, "revolution", "Ana", "PRES-21", {}),
        HighlightFact(None, "decree", "Ana", None, {"text": "Sing"}),
    )
    luck = {"Ana": 80, "Bob": 50, "Cat": 20}
    return HandEnded(
        match_id, number, record, events, result, totals, at(seconds), room, "president", who, luck, ranks, told
    )


def ended(match_id: str, hands: int, seconds: float = 120, **more: Any) -> MatchEnded:
    return MatchEnded(match_id, {"Ana": 2 * hands, "Bob": hands, "Cat": 0}, ("Ana",), at(seconds), **more)
