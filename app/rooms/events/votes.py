"""Events of votes, pauses, hurried bots, and undoing the last action of a hand.

Without a match they do nothing: today's rules may have ended the hand of an old log before.
"""

from typing import Any

from app.engine.display.events import GameEvent
from app.rooms.events import event_texts
from app.rooms.events.log_event import Change, LogEvent
from app.rooms.model import requests
from app.rooms.model.state import MatchRun, Pause, Room
from app.rooms.model.vote import Vote, VoteSubject


class BotsHurried(LogEvent, frozen=True, tag="hurried"):
    """Log event: the bots play this hand to its end at once, as a player asked when no person had cards left."""

    by: str

    def apply(self, room: Room, at: int) -> Change:
        return _with_match(room, event_texts.BOTS_FINISH_HAND(self.by), hurried=True)


class VoteStarted(LogEvent, frozen=True, tag="proposed"):
    """Log event: a player started a vote, which they agree to."""

    by: str
    subject: VoteSubject
    until: int | None = None
    """When the vote ends, in milliseconds since 1970; None: open until all have voted."""
    id: str = ""
    """Identifies the vote in the voters' commands; empty in older logs."""

    def apply(self, room: Room, at: int) -> Change:
        vote = Vote(self.subject, self.by, (self.by,), self.until, self.id)
        return _with_match(room, event_texts.PROPOSED[self.subject](self.by), motion=vote)


class VoteApproved(LogEvent, frozen=True, tag="agreed"):
    """Log event: another player agreed in the running vote."""

    name: str
    until: int | None = None
    """The new end of the vote, as in `VoteStarted`."""

    def apply(self, room: Room, at: int) -> Change:
        vote = _running_vote(room)
        vote = None if vote is None else vote.with_approval(self.name, self.until)
        return _with_match(room, event_texts.VOTE_AGREED(self.name), motion=vote)


class VoteEnded(LogEvent, frozen=True, tag="dropped"):
    """Log event: a vote ended without effect.

    `by` is the player who refused or withdrew it; None: its proposer can no longer vote, or time is up.
    """

    by: str | None = None

    def apply(self, room: Room, at: int) -> Change:
        vote = _running_vote(room)
        text = event_texts.VOTE_EXPIRED if self.by is None else event_texts.VOTE_DECLINED
        if vote is not None and self.by == vote.by:
            text = event_texts.VOTE_WITHDRAWN
        return _with_match(room, text(self.by), motion=None)


class PauseStarted(LogEvent, frozen=True, tag="rested"):
    """Log event: the match was paused after a vote. No clock runs, and no game actions are accepted."""

    by: str

    def apply(self, room: Room, at: int) -> Change:
        return _with_match(room, event_texts.PAUSED(self.by), motion=None, rest=Pause(self.by, at, room.clocks))


class PauseEnded(LogEvent, frozen=True, tag="went_on"):
    """Log event: a player ended the pause of the match."""

    by: str

    def apply(self, room: Room, at: int) -> Change:
        return _with_match(room, event_texts.PAUSE_ENDED(self.by), rest=None)


class ActionUndone(LogEvent, frozen=True, tag="taken_back"):
    """Log event: the last action of this player was undone. The hand continues as if it had not been made."""

    by: str

    def apply(self, room: Room, at: int) -> Change:
        run = room.run
        if run is None or run.undo is None:
            return _with_match(room, None, motion=None)
        turn = room.turn + 1
        waiting = requests.request_all_awaited(run.undo.match, turn)
        back = run.replace(match=run.undo.match, hand=run.undo.hand, undo=None, motion=None, requests=waiting)
        return room.replace(run=back, turn=turn), (event_texts.UNDONE(self.by),)


def _running_vote(room: Room) -> Vote | None:
    return None if room.run is None else room.run.motion


def _with_match(room: Room, text: GameEvent | None, **changes: Any) -> Change:
    """Change the room's match, and show this text. Do nothing without a match."""
    if room.run is None:
        return room, ()
    return room.replace(run=room.run.replace(**changes)), () if text is None else (text,)


def without_undo_vote(run: MatchRun) -> MatchRun:
    """Return the match without a running vote on undoing, because a further action makes the undo impossible."""
    return run.replace(motion=None) if run.motion is not None and run.motion.subject == "undo" else run


def without_undo_and_hurry(run: MatchRun) -> MatchRun:
    """Return the match without undo point, undo vote and hurried bots, because the hand they belong to is over."""
    return without_undo_vote(run).replace(undo=None, hurried=False)
