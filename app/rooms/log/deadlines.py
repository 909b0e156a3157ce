"""Deadlines of a room: computed from the state and the time of the last log entry, so they are not stored.

No clock runs while nobody is connected. All clocks start again when somebody connects, so the time in between does
not count. The time in which the server stood still does not count either. The rest of a player's time reserve
is computed at each log entry, and kept when the clocks start again.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from app.engine.cards.action_codec import REPEATABLE_ACTIONS
from app.engine.cards.actions import Play
from app.rooms.bots.delay import bot_delay_seconds, break_in_delay_seconds, players_who_may_break_in
from app.rooms.events import (
    ActionTaken,
    ActionUndone,
    AutomaticDealFailed,
    ConnectionsReset,
    HandDealt,
    LogEvent,
    ServerStoodStill,
)
from app.rooms.model.decision import AskBot, AskBotToBreakIn, ScheduleDeadline, TimerRequest
from app.rooms.model.state import NO_CLOCKS, Clocks, MatchRun, Room

LEAST_AFTER_STANDSTILL_MS = 10_000
"""Milliseconds that a turn lasts at least after the server stood still; a shorter turn starts again."""
SEEDS_MS = 1000
"""Milliseconds that the room waits for the players' seeds."""
SEEDS_AFTER_RESTART_MS = 15_000
"""Milliseconds for all whose seeds are missing to come back after a restart, from the first of them."""
NO_GIVER_MS = 60_000
"""The same if only other people come back, so that they can go on."""
NEXT_DEAL_FOR_ALL_MS = 10_000
"""Milliseconds after a hand until players other than the host may request the next deal."""


def next_clocks(before: Room, room: Room, entry: LogEvent | None, at: int) -> Clocks:
    """Return the deadlines of `room` after a log entry at time `at` (milliseconds since 1970).

    `before`: the room before the entry, whose running deadlines continue. `entry` is None for an action in an old log
    that today's rules refuse. No clock runs while nobody is connected.
    """
    if type(entry) is ServerStoodStill:
        before = before.replace(clocks=_clocks_after_standstill(before, entry.ms, at))
    if room.is_waiting_for_seeds:
        return replace(before.clocks, deal=None, seeds=_seeds_deadline(before, room, entry, at))
    reserves = _next_reserves(before, room, entry, at)
    # If somebody was awaited and the members have not changed, then somebody is connected.
    if not (before.clocks.waits and room.members is before.members) and not room.has_connected_person:
        return Clocks(reserves=reserves) if reserves else NO_CLOCKS
    run = room.run
    if run is None:
        return Clocks(host=_host_deadline(before, room, at))
    motion = None if run.motion is None else run.motion.until
    if run.rest is not None:
        return Clocks(reserves=reserves, host=_host_deadline(before, room, at), motion=motion)
    if before.run is not None and (rest := before.run.rest) is not None:
        stood = rest.clocks.postponed_by(at - rest.since)
        before = before.replace(clocks=replace(stood, host=before.clocks.host, reserves=reserves))
    awaited, clocks = _awaited_players(before.run, room, run, entry), before.clocks
    turns, reserve_from = _turn_deadlines(before, room, run, awaited, reserves, at)
    waits = {name: at if anew else clocks.waits.get(name, at) for name, anew in awaited}
    if type(entry) is ActionTaken and run.match.is_hand_running and room.members is before.members:
        # While the hand continues with the same connections, these clocks stay unchanged.
        away, host, deal = clocks.away, clocks.host, None
    else:
        away, host, deal = (
            _away_deadlines(before, room, at),
            _host_deadline(before, room, at),
            _deal_deadline(before, room, entry, at),
        )
    return Clocks(turns, reserve_from, reserves, away, host, deal, waits, motion)


def _clocks_after_standstill(room: Room, ms: int, at: int) -> Clocks:
    """Return the room's clocks after its server stood still for `ms` milliseconds until `at`.

    A turn gets the rest of its time, at least `LEAST_AFTER_STANDSTILL_MS`, and at most the time of a whole turn. Then
    comes what was left of a time reserve before the standstill.
    """
    clocks = room.clocks.postponed_by(ms)
    whole = _to_milliseconds(room.settings.turn or 0)
    least = min(LEAST_AFTER_STANDSTILL_MS, whole)
    own_ends = {
        name: at + min(max(clocks.reserve_from.get(name, until) - at, least), whole)
        for name, until in clocks.turns.items()
    }
    reserve_from = {name: own_ends[name] for name in clocks.reserve_from}
    rests = {name: max(0, clocks.turns[name] - max(at, end)) for name, end in clocks.reserve_from.items()}
    turns = {name: end + rests.get(name, 0) for name, end in own_ends.items()}
    host, seeds = (None if until is None else until + ms for until in (room.clocks.host, room.clocks.seeds))
    return replace(clocks, turns=turns, reserve_from=reserve_from, host=host, seeds=seeds)


def _next_reserves(before: Room, room: Room, entry: LogEvent | None, at: int) -> Mapping[str, int]:
    """Return the rest of the players' time reserves after an entry, in milliseconds by name, as in `Clocks.reserves`.

    After a crash, the time since the last entry counts for nothing. An undone action gives back what it took.
    """
    run = room.run
    if run is None or run.reserve is None or before.run is None:
        return {}
    if type(entry) is ActionUndone and before.run.undo is not None:
        return before.run.undo.reserves
    clocks, whole = before.clocks, run.reserve.ms
    left = dict(clocks.reserves)
    if type(entry) is not ConnectionsReset:
        for name, until in clocks.turns.items():
            rest = max(0, until - max(at, clocks.reserve_from.get(name, until)))
            if rest < left.get(name, whole):
                left[name] = rest
    if type(entry) is HandDealt:
        gain = run.reserve.gain_ms
        left = {name: ms + gain for name, ms in left.items() if ms + gain < whole}
    return left


def _seeds_deadline(before: Room, room: Room, entry: LogEvent | None, at: int) -> int | None:
    """Return when the room deals without the missing seeds, in milliseconds since 1970; None: not before they are back.

    Once it is set, it also passes while nobody is connected. After a restart, it is set when people come back, and set
    earlier when all those come back whose seeds are missing.
    """
    closed = room.chance.closed
    assert closed is not None, "a deal waits for seeds after its list is closed"
    if not before.is_waiting_for_seeds:
        return closed.until
    running = None if isinstance(entry, ConnectionsReset) else before.clocks.seeds
    if room.members is before.members and running is not None:
        return running
    awaited = [room.members[name].is_connected for name in room.chance.missing_seed_givers if name in room.members]
    if all(awaited):
        limit = SEEDS_MS
    elif any(awaited):
        limit = SEEDS_AFTER_RESTART_MS
    elif room.has_connected_person:
        limit = NO_GIVER_MS
    else:
        return running
    return at + limit if running is None else min(running, at + limit)


def timer_requests(room: Room) -> tuple[TimerRequest, ...]:
    """Return what the room needs at a later time: its next deadline, and which bots to ask for an action.

    Bots are asked on their turn, or whether they break in. Only the deadline while nobody is connected or bots must
    wait.
    """
    first, run = room.clocks.next_deadline, room.run
    timer = () if first is None else (ScheduleDeadline(first),)
    if not room.has_playing_bot or run is None or run.must_bots_wait or not room.has_connected_person:
        return timer
    bots = {name: bot for name, member in room.members.items() if (bot := member.active_bot) is not None}
    bots_to_act = [name for name in run.match.to_act if name in bots]
    delay = bot_delay_seconds(room) if bots_to_act else 0
    return (*timer, *[AskBot(name, bots[name], delay) for name in bots_to_act], *_break_in_requests(room, run, bots))


def _break_in_requests(room: Room, run: MatchRun, bots: Mapping[str, str]) -> Sequence[AskBotToBreakIn]:
    """Return a request for each bot that may act out of turn after the last play; `bots`: kinds of bots by name."""
    bots_to_act = [name for name in players_who_may_break_in(room) if name in bots]
    if not bots_to_act:
        return ()
    actions = run.hand.actions
    play = next((n for n in range(len(actions), 0, -1) if isinstance(actions[n - 1][1], Play)), 0)
    delay = break_in_delay_seconds(room)
    return [AskBotToBreakIn(name, bots[name], delay, play) for name in bots_to_act]


def _turn_deadlines(
    before: Room,
    room: Room,
    run: MatchRun,
    awaited: Sequence[tuple[str, bool]],
    reserves: Mapping[str, int],
    at: int,
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return when the turns end, and when their time reserves begin, by name."""
    seconds, reserve = room.settings.turn, run.reserve
    if seconds is None:
        return {}, {}
    # A changed turn clock also applies to the current turn.
    end, running = at + _to_milliseconds(seconds), before.clocks if seconds == before.settings.turn else NO_CLOCKS
    if reserve is None:
        return {name: end if anew else running.turns.get(name, end) for name, anew in awaited}, {}
    turns, reserve_from = dict[str, int](), dict[str, int]()
    for name, anew in awaited:
        goes_on = not anew and name in running.reserve_from
        reserve_from[name] = running.reserve_from[name] if goes_on else end
        turns[name] = running.turns[name] if goes_on else end + reserves.get(name, reserve.ms)
    return turns, reserve_from


def _awaited_players(
    before: MatchRun | None, room: Room, run: MatchRun, entry: LogEvent | None
) -> Sequence[tuple[str, bool]]:
    """List the people whose action is awaited, each with True if their time starts again with this entry.

    Seats that a bot plays are left out.
    """
    match = run.match
    fresh = type(entry) is HandDealt or before is None or before.match.phase != match.phase
    acted = entry.by if type(entry) is ActionTaken and type(entry.action) not in REPEATABLE_ACTIONS else None
    return [(name, fresh or name == acted) for name in match.to_act if room.members[name].active_bot is None]


def _away_deadlines(before: Room, room: Room, at: int) -> Mapping[str, int]:
    """Return when a bot takes over for each disconnected player, in milliseconds since 1970, by name.

    Empty unless a hand is running.
    """
    match = room.match
    if match is None or not match.is_hand_running:
        return {}
    gone = [name for name in match.seats if not (member := room.members[name]).nodes and member.active_bot is None]
    if not gone:
        return {}
    until, running = at + _to_milliseconds(room.settings.away), before.clocks.away
    return {name: running.get(name, until) for name in gone}


def _host_deadline(before: Room, room: Room, at: int) -> int | None:
    host = room.members.get(room.host) if room.host is not None else None
    if (
        host is None
        or host.is_connected
        or not any(m.is_connected_person and m.is_staying_person for m in room.members.values())
    ):
        return None
    running = before.clocks.host if room.host == before.host else None
    return running if running is not None else at + _to_milliseconds(room.settings.away)


def _deal_deadline(before: Room, room: Room, entry: LogEvent | None, at: int) -> int | None:
    pause = room.settings.pause
    if (
        pause is None
        or room.phase != "between_hands"
        or isinstance(entry, AutomaticDealFailed)
        or room.deal_refusal() is not None
    ):
        return None
    if not room.has_connected_player:
        return None  # otherwise bots would play alone without end
    waited = (
        before.phase == "between_hands"
        and not before.is_waiting_for_seeds
        and before.settings.pause is not None
        and before.has_connected_player
    )
    if waited and before.clocks.deal is None and before.deal_refusal() is None:
        return None  # an automatic deal has failed: a player has to ask
    return before.clocks.deal if before.clocks.deal is not None else at + _to_milliseconds(pause)


def _to_milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
