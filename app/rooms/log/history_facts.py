"""Facts for the match history, derived from a log event and the room before and after it.

Facts are created nowhere else: during play (`pending_events.py`), and when the history is rebuilt from the log.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from app.engine.base.options import Options
from app.engine.cards.actions import JoinMatch
from app.engine.cards.deal_luck import CardScale
from app.engine.display.point_reasons import PointReason
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.rooms import events
from app.rooms.log.reducer import apply_and_decode_event
from app.rooms.model.state import MatchRun, Room, actions_to_json
from app.rooms.ports.facts import (
    Fact,
    HandAborted,
    HandEnded,
    HandStarted,
    Hierarchies,
    MatchEnded,
    MatchStarted,
    PlayerJoinedMatch,
    PlayersMerged,
    PlayersSeparated,
    PointsEntered,
)
from app.rooms.ports.storage import StoredEvent


@dataclass(frozen=True, slots=True)
class HandUnreadable:
    """Reported when the history is rebuilt: a hand of the log in which today's rules refuse an action."""

    match_id: str
    number: int
    """The hand's index in the match volume, from 0."""


class FactRebuilder:
    """Derives the history facts of a room again from its log, in one or several parts."""

    def __init__(self) -> None:
        self._room = Room()

    def facts_of(self, log: Iterable[StoredEvent]) -> Iterator[Fact | HandUnreadable]:
        """Yield the facts of the next entries of the log.

        For each hand in which today's rules refuse an action, yields a `HandUnreadable`.
        """
        for stored in log:
            before = self._room
            self._room, entry, _ = apply_and_decode_event(before, stored)
            if entry is not None:
                yield from build_facts(before, entry, self._room, stored.at)
            elif before.run is not None:
                match = before.run.match
                yield HandUnreadable(before.run.match_id, before.run.hand_number + (0 if match.is_hand_running else 1))


def build_facts(before: Room, entry: events.LogEvent, after: Room, at: datetime) -> Iterable[Fact]:
    """Return the facts for the match history that follow from one log event, such as the end of a hand.

    `before` and `after`: the room before and after the event. Most events give none.
    """
    match entry:
        case events.SeatTransferred(name, person):
            member = before.find_player(name)
            had = None if member is None else member.person
            return () if had is None else (PlayersMerged(after.id, had, person),)
        case events.SeatReclaimed(name) | events.SeatHoldersSeparated(name):
            held = before.members[name].person
            return () if held is None else (PlayersSeparated(after.id, held),)
        case _:
            pass
    run = after.run
    if run is None or (type(entry) is events.ActionTaken and run.match.is_hand_running):
        return ()
    return _build_match_facts(before, entry, after, run, at)


def _build_match_facts(
    before: Room, entry: events.LogEvent, after: Room, run: MatchRun, at: datetime
) -> Iterator[Fact]:
    match entry:
        case events.ActionTaken():
            assert before.run is not None
            if before.run.match.is_hand_running:
                yield from _build_hand_end_facts(before, after, run, at)
            else:
                yield from _build_facts_between_hands(before.run, entry, after, run, at)
        case events.MatchCreated(match_id, seats):
            settings = after.settings
            players = tuple((run.names[name], name) for name in seats)
            options, origin = settings.options.to_json(), _origin_json(run)
            yield MatchStarted(match_id, after.id, settings.game.key, options, players, at, origin=origin)
            yield from _build_points_facts(run, run.match.entered, at)
        case events.VolumeStarted(match_id):
            assert before.run is not None
            yield from _build_volume_facts(before.run, after, match_id, at)
        case events.VariationStarted(match_id):
            started = _build_variation_fact(after, run, match_id, at)
            assert started.carried is not None
            yield started
            yield HandStarted(match_id, run.hand_number, started.carried)
        case events.VariationSeatTaken(name, person):
            yield PlayerJoinedMatch(run.match_id, person, name, at)
        case events.HandDealt():
            assert before.run is not None
            yield HandStarted(run.match_id, run.hand_number, before.run.match.carryover_to_json())
            yield from _build_hand_end_facts(before, after, run, at)
        case events.MatchStopped():
            assert before.run is not None
            yield from _build_stop_facts(before, before.run, after, run, at)
        case _:
            pass


def _build_volume_facts(run: MatchRun, room: Room, match_id: str, at: datetime) -> Iterator[Fact]:
    """Yield the end of one match volume and the start of the next: long matches are stored in volumes."""
    yield MatchEnded(
        run.match_id, dict(run.match.totals), (), at, actions_to_json(run.between), run.moments, _persons_by_name(run)
    )
    match = run.match
    players = tuple((run.names[name], name) for name in match.seats)
    options, carried = match.options.to_json(), match.carryover_to_json()
    yield MatchStarted(
        match_id, room.id, match.game.key, options, players, at, run.match_id, carried, _origin_json(run)
    )


def _persons_by_name(run: MatchRun) -> dict[str, str | None]:
    return {name: run.names.get(name) for name in run.match.totals}


def _build_variation_fact(room: Room, run: MatchRun, match_id: str, at: datetime) -> MatchStarted:
    """Return the start of a variation's match, with the original match's state before that hand."""
    assert run.origin is not None
    assert run.origin.before is not None
    before = Match.from_json(run.origin.before, GAMES)
    players = tuple((run.names[name], name) for name in before.seats)
    options, carried = before.options.to_json(), before.carryover_to_json()
    game, origin = before.game.key, _origin_json(run)
    return MatchStarted(match_id, room.id, game, options, players, at, carried=carried, origin=origin)


def _origin_json(run: MatchRun) -> dict[str, Any] | None:
    return None if run.origin is None else asdict(run.origin)


def _build_hand_end_facts(before: Room, room: Room, run: MatchRun, at: datetime) -> Iterator[Fact]:
    """Yield the end of the hand, and the end of the match, as far as they are over; nothing during a hand."""
    if run.match.is_hand_running:
        return
    yield _build_hand_ended(room, run, at)
    if run.match.over:
        cancelled = before.cancelled_outside(run.hand)
        yield MatchEnded(run.match_id, dict(run.match.totals), run.match.winners(), at, cancelled=cancelled)


def _build_facts_between_hands(
    before: MatchRun, entry: events.ActionTaken, room: Room, run: MatchRun, at: datetime
) -> Iterator[Fact]:
    if run.match.last is not before.match.last and run.hand.dealt is not None:
        # The action has changed the result of the last hand, so report it again.
        yield _build_hand_ended(room, run, at, amended=True)
    if isinstance(entry.action, JoinMatch):
        yield PlayerJoinedMatch(run.match_id, run.names[entry.by], entry.by, at)
    yield from _build_points_facts(run, run.match.entered[len(before.match.entered) :], at)


def _build_points_facts(run: MatchRun, reasons: Sequence[PointReason], at: datetime) -> Iterator[Fact]:
    """Yield a fact with the points that were added to the totals outside of a hand, if there are any."""
    if reasons:
        yield PointsEntered(run.match_id, run.hand_number + 1, [dict(reason.to_json()) for reason in reasons], at)


def _build_stop_facts(before: Room, running: MatchRun, room: Room, run: MatchRun, at: datetime) -> Iterator[Fact]:
    between, moments, cancelled = running.between, running.moments, before.cancelled
    if running.match.is_hand_running:
        between, moments = (), ()  # the record of the aborted hand has them
        cancelled = before.cancelled_outside(running.hand)
        yield _build_hand_aborted(running, room, at)
    totals, people = dict(run.match.totals), _persons_by_name(run)
    yield MatchEnded(run.match_id, totals, (), at, actions_to_json(between), moments, people, cancelled)


def _build_hand_ended(room: Room, run: MatchRun, at: datetime, *, amended: bool = False) -> HandEnded:
    match, hand = run.match, run.hand
    assert match.last is not None
    assert hand.dealt is not None
    return HandEnded(
        run.match_id,
        run.hand_number,
        _build_hand_record(run),
        tuple(hand.events),
        match.last.to_json(),
        dict(match.totals),
        at,
        room.id,
        match.game.key,
        _persons_by_name(run),
        _deal_luck(run),
        Hierarchies(hand.hierarchy, hand.titles, match.hierarchy),
        hand.moments,
        amended,
        run.origin is None,
    )


def _build_hand_aborted(run: MatchRun, room: Room, at: datetime) -> HandAborted:
    hand, result = run.hand, run.match.provisional_result().to_json()
    return HandAborted(
        run.match_id, run.hand_number, _build_hand_record(run), tuple(hand.events), result, at, room.id, hand.moments
    )


def _build_hand_record(run: MatchRun) -> dict[str, Any]:
    """Return the record of a hand for the history, as JSON: `dealer`, `cards`, `stock`, `seed`, `fair`, `actions`.

    Adds `between` if there were actions before the deal, and in a match's first hand the `ranks` carried over.
    """
    hand = run.hand
    assert hand.dealt is not None
    record = {**hand.dealt.to_json(), "actions": actions_to_json(hand.actions)}
    if run.match.dealt == 1 and run.ranks:
        record["ranks"] = list(run.ranks)
    if hand.between:
        record["between"] = actions_to_json(hand.between)
    return record


def _deal_luck(run: MatchRun) -> dict[str, int]:
    """Return how good each player's dealt cards were, by name: 0 (worst) to 100, compared with random cards."""
    match, dealt = run.match, run.hand.dealt
    assert dealt is not None
    return _luck_scale(match.game.key, match.options, len(dealt.deal.cards)).luck_percentiles(dealt.deal.cards)


@lru_cache(maxsize=256)
def _luck_scale(key: str, options: Options, players: int) -> CardScale:
    game = GAMES[key]
    return CardScale.from_deck(lambda card: game.card_value(options, card), game.deck(options, players))
