"""What an entry of the log tells the history: facts, made of the room before it and after it.

The one place where facts are made: as a room is played (`pending_events.py`), and when the history is made again from
the log.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from app.engine.base.options import Options
from app.engine.cards.actions import JoinMatch
from app.engine.cards.deal_luck import Scale
from app.engine.display.point_reasons import Reason
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.rooms.log.reducer import fold_as_written
from app.rooms.model import events
from app.rooms.model.state import Room, Run, made_json
from app.rooms.ports.facts import (
    Fact,
    HandBegan,
    HandCut,
    HandEnded,
    Hierarchies,
    MatchEnded,
    MatchStarted,
    PlayerCame,
    PlayersApart,
    PlayersJoined,
    PointsEntered,
)
from app.rooms.ports.storage import StoredEntry


@dataclass(frozen=True, slots=True)
class HandLost:
    """A hand can't be told again from the log: the rules of today refuse something in it."""

    match_id: str
    number: int
    """From 0."""


def retold(log: Iterable[StoredEntry]) -> Iterator[Fact | HandLost]:
    """Tell again all that a room's whole log has told."""
    room = Room()
    for stored in log:
        before = room
        room, entry, _ = fold_as_written(before, stored)
        if entry is not None:
            yield from facts_of(before, entry, room, stored.at)
        elif before.run is not None:
            match = before.run.match
            yield HandLost(before.run.match_id, before.run.number + (0 if match.running else 1))


def facts_of(before: Room, entry: events.Entry, after: Room, at: datetime) -> Iterable[Fact]:
    """Tell what this entry completes, which made the room `after` of the one `before`."""
    match entry:
        case events.SeatMoved(name, person):
            had = before.members[name].person
            return () if had is None else (PlayersJoined(after.id, had, person),)
        case events.SeatTakenBack(name) | events.PlayersParted(name):
            held = before.members[name].person
            return () if held is None else (PlayersApart(after.id, held),)
        case _:
            pass
    run = after.run
    if run is None or (type(entry) is events.Acted and run.match.running):
        return ()
    return _completed(before, entry, after, run, at)


def _completed(before: Room, entry: events.Entry, after: Room, run: Run, at: datetime) -> Iterator[Fact]:
    match entry:
        case events.Acted():
            assert before.run is not None
            if before.run.match.running:
                yield from _ended(after, run, at)
            else:
                yield from _between(before.run, entry, after, run, at)
        case events.Started(match_id, seats):
            settings = after.settings
            players = tuple((run.names[name], name) for name in seats)
            options, origin = settings.options.to_json(), _origin(run)
            yield MatchStarted(match_id, after.id, settings.game.key, options, players, at, origin=origin)
            yield from _entered(run, run.match.entered, at)
        case events.Continued(match_id):
            assert before.run is not None
            yield from _continued(before.run, after, match_id, at)
        case events.Resumed(match_id):
            started = _resumed(after, run, match_id, at)
            assert started.carried is not None
            yield started
            yield HandBegan(match_id, run.number, started.carried)
        case events.SatDown(name, person):
            yield PlayerCame(run.match_id, person, name, at)
        case events.Dealt():
            assert before.run is not None
            yield HandBegan(run.match_id, run.number, before.run.match.carried())
            yield from _ended(after, run, at)
        case events.Stopped():
            assert before.run is not None
            yield from _stopped(before.run, after, run, at)
        case _:
            pass


def _continued(run: Run, room: Room, match_id: str, at: datetime) -> Iterator[Fact]:
    """Tell that one volume of a match is over, and that the next begins."""
    yield MatchEnded(run.match_id, dict(run.match.totals), (), at, made_json(run.between), run.moments, _people(run))
    match = run.match
    players = tuple((run.names[name], name) for name in match.seats)
    options, carried = match.options.to_json(), match.carried()
    yield MatchStarted(match_id, room.id, match.game.key, options, players, at, run.match_id, carried, _origin(run))


def _people(run: Run) -> dict[str, str | None]:
    return {name: run.names.get(name) for name in run.match.totals}


def _resumed(room: Room, run: Run, match_id: str, at: datetime) -> MatchStarted:
    """Tell that a variation has begun, which its own history tells from the hand on that it goes on in."""
    assert run.origin is not None
    assert run.origin.before is not None
    before = Match.load(run.origin.before, GAMES)
    players = tuple((run.names[name], name) for name in before.seats)
    options, carried = before.options.to_json(), before.carried()
    game, origin = before.game.key, _origin(run)
    return MatchStarted(match_id, room.id, game, options, players, at, carried=carried, origin=origin)


def _origin(run: Run) -> dict[str, Any] | None:
    return None if run.origin is None else asdict(run.origin)


def _ended(room: Room, run: Run, at: datetime) -> Iterator[Fact]:
    """Tell of the hand, if it is over, and of the match, if it is."""
    if run.match.running:
        return
    yield _hand_ended(room, run, at)
    if run.match.over:
        yield MatchEnded(run.match_id, dict(run.match.totals), run.match.winners(), at)


def _between(before: Run, entry: events.Acted, room: Room, run: Run, at: datetime) -> Iterator[Fact]:
    if run.match.last is not before.match.last and run.hand.dealt is not None:
        # What was done changed how the last hand ended: tell it again.
        yield _hand_ended(room, run, at, amended=True)
    if isinstance(entry.action, JoinMatch):
        yield PlayerCame(run.match_id, run.names[entry.by], entry.by, at)
    yield from _entered(run, run.match.entered[len(before.match.entered) :], at)


def _entered(run: Run, reasons: Sequence[Reason], at: datetime) -> Iterator[Fact]:
    """Tell of points that came to totals outside of a hand."""
    if reasons:
        yield PointsEntered(run.match_id, run.number + 1, [dict(reason.to_json()) for reason in reasons], at)


def _stopped(before: Run, room: Room, run: Run, at: datetime) -> Iterator[Fact]:
    between, moments = before.between, before.moments
    if before.match.running:
        between, moments = (), ()  # they stand in the record of the hand that is cut off
        yield _hand_cut(before, room, at)
    yield MatchEnded(run.match_id, dict(run.match.totals), (), at, made_json(between), moments, _people(run))


def _hand_ended(room: Room, run: Run, at: datetime, *, amended: bool = False) -> HandEnded:
    match, hand = run.match, run.hand
    assert match.last is not None
    assert hand.dealt is not None
    return HandEnded(
        run.match_id,
        run.number,
        _record(run),
        tuple(hand.events),
        match.last.to_json(),
        dict(match.totals),
        at,
        room.id,
        match.game.key,
        _people(run),
        _luck(run),
        Hierarchies(hand.hierarchy, hand.titles, match.hierarchy),
        hand.moments,
        amended,
        run.origin is None,
    )


def _hand_cut(run: Run, room: Room, at: datetime) -> HandCut:
    hand, result = run.hand, run.match.so_far().to_json()
    return HandCut(run.match_id, run.number, _record(run), tuple(hand.events), result, at, room.id, hand.moments)


def _record(run: Run) -> dict[str, Any]:
    """Give the record of a hand: `dealer`, `cards`, `stock`, `seed`, `fair`, `actions`, `between` where something was
    done before it, and in a match's first hand the `ranks` carried over."""
    hand = run.hand
    assert hand.dealt is not None
    _, dealt = events.encode(hand.dealt)
    record = {**dealt, "actions": made_json(hand.actions)}
    if run.match.dealt == 1 and run.ranks:
        record["ranks"] = list(run.ranks)
    if hand.between:
        record["between"] = made_json(hand.between)
    return record


def _luck(run: Run) -> dict[str, int]:
    """Work out what the cards dealt were worth."""
    match, dealt = run.match, run.hand.dealt
    assert dealt is not None
    return _scale(match.game.key, match.options, len(dealt.deal.cards)).luck(dealt.deal.cards)


@lru_cache(maxsize=256)
def _scale(key: str, options: Options, players: int) -> Scale:
    game = GAMES[key]
    return Scale.of(lambda card: game.worth(options, card), game.deck(options, players))
