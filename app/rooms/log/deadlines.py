"""Deadlines: which clocks run after an entry, worked out from the state and the entry's time alone; and what a room
waits for.

No clock runs while nobody is here, and all start anew when somebody comes: a room that slept owes no time.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from app.engine.cards.action_codec import TALK
from app.engine.cards.actions import Play
from app.rooms.bots.delay import breaking_in, may_break_in, thinking
from app.rooms.model.decision import AskBot, AskWhetherToBreakIn, Schedule, Wish
from app.rooms.model.events import Acted, Dealt, Entry, Held
from app.rooms.model.state import NO_CLOCKS, Clocks, Room, Run

NEXT_FOR_ALL = 10_000
"""Milliseconds after a hand until others than the host may ask for the next deal."""


def after(before: Room, room: Room, entry: Entry | None, at: int) -> Clocks:
    """Work out the clocks of a room after an entry; `before` is the room before it.

    `entry` is None where an action of an old log is no longer legal.
    """
    if room.is_dealing:
        assert room.chance.closed is not None
        # Also while nobody is here: else nothing would end it.
        return replace(before.clocks, deal=None, seeds=room.chance.closed.until)
    # Where somebody was waited for, somebody was here.
    if not (before.clocks.waits and room.members is before.members) and not room.anybody_here:
        return NO_CLOCKS
    run = room.run
    if run is None:
        return Clocks(host=_host(before, room, at))
    motion = None if run.motion is None else run.motion.until
    if run.rest is not None:
        return Clocks(host=_host(before, room, at), motion=motion)
    if before.run is not None and (rest := before.run.rest) is not None:
        stood = rest.clocks.later(at - rest.since)
        before = before.but(clocks=replace(stood, host=before.clocks.host))
    awaited, kept = _awaited(before.run, room, run, entry), before.clocks
    turns = _turns(before, room, awaited, at)
    waits = {name: at if anew else kept.waits.get(name, at) for name, anew in awaited}
    if type(entry) is Acted and run.match.running and room.members is before.members:
        # The hand goes on, and all who are here and away are as they were.
        away, host, deal = kept.away, kept.host, None
    else:
        away, host, deal = _away(before, room, at), _host(before, room, at), _deal(before, room, entry, at)
    return Clocks(turns, away, host, deal, waits, motion)


def wishes(room: Room) -> tuple[Wish, ...]:
    """List what the room waits for: a time, and bots that are to act."""
    first, run = room.clocks.first, room.run
    timer = () if first is None else (Schedule(first),)
    if not room.bots_play or run is None or run.rests or not room.anybody_here:
        return timer
    bots = {name: bot for name, member in room.members.items() if (bot := member.player) is not None}
    asked = [name for name in run.match.to_act if name in bots]
    delay = thinking(room) if asked else 0
    return (*timer, *[AskBot(name, bots[name], delay) for name in asked], *_who_may_break_in(room, run, bots))


def _who_may_break_in(room: Room, run: Run, bots: Mapping[str, str]) -> Sequence[AskWhetherToBreakIn]:
    """List the bots that are to be asked whether they break in, and about which play."""
    asked = [name for name in may_break_in(room) if name in bots]
    if not asked:
        return ()
    actions = run.hand.actions
    play = next((n for n in range(len(actions), 0, -1) if isinstance(actions[n - 1][1], Play)), 0)
    delay = breaking_in(room)
    return [AskWhetherToBreakIn(name, bots[name], delay, play) for name in asked]


def _turns(before: Room, room: Room, awaited: Sequence[tuple[str, bool]], at: int) -> Mapping[str, int]:
    seconds = room.settings.turn
    if seconds is None:
        return {}
    # Another clock is for the turn that runs, too.
    until, kept = at + _ms(seconds), before.clocks.turns if seconds == before.settings.turn else {}
    return {name: until if anew else kept.get(name, until) for name, anew in awaited}


def _awaited(before: Run | None, room: Room, run: Run, entry: Entry | None) -> Sequence[tuple[str, bool]]:
    """List those who are to act themselves, and whether their time begins anew with this entry."""
    match = run.match
    fresh = type(entry) is Dealt or before is None or before.match.phase != match.phase
    acted = entry.by if type(entry) is Acted and type(entry.action) not in TALK else None
    return [(name, fresh or name == acted) for name in match.to_act if room.members[name].player is None]


def _away(before: Room, room: Room, at: int) -> Mapping[str, int]:
    """Until when those who are gone are waited for: while cards are played, for nobody waits before and after."""
    match = room.match
    if match is None or not match.running:
        return {}
    gone = [name for name in match.seats if not (member := room.members[name]).nodes and member.player is None]
    if not gone:
        return {}
    until, kept = at + _ms(room.settings.away), before.clocks.away
    return {name: kept.get(name, until) for name in gone}


def _host(before: Room, room: Room, at: int) -> int | None:
    host = room.members.get(room.host) if room.host is not None else None
    if host is None or host.present or not any(m.is_here and m.stays for m in room.members.values()):
        return None
    kept = before.clocks.host if room.host == before.host else None
    return kept if kept is not None else at + _ms(room.settings.away)


def _deal(before: Room, room: Room, entry: Entry | None, at: int) -> int | None:
    pause = room.settings.pause
    if pause is None or room.phase != "pause" or isinstance(entry, Held) or room.why_not() is not None:
        return None
    if not room.anybody_plays:
        return None  # bots alone would play for ever, for a page that somebody left open
    waited = (
        before.phase == "pause" and not before.is_dealing and before.settings.pause is not None and before.anybody_plays
    )
    if waited and before.clocks.deal is None and before.why_not() is None:
        return None  # it was held: somebody has to ask
    return before.clocks.deal if before.clocks.deal is not None else at + _ms(pause)


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
