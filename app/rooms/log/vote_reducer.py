"""The reducer for votes, pauses, hurried bots, and undoing the last action of a hand."""

from typing import TypeAlias

from app.engine.cards.action_codec import REPEATABLE_ACTIONS
from app.engine.display.events import GameEvent
from app.engine.match.match import Match, MatchTransition
from app.rooms.log import event_texts
from app.rooms.model import events, requests
from app.rooms.model.state import MatchRun, Pause, Room, UndoPoint
from app.rooms.model.vote import Vote

VoteEvent: TypeAlias = (
    events.BotsHurried
    | events.VoteStarted
    | events.VoteApproved
    | events.VoteEnded
    | events.PauseStarted
    | events.PauseEnded
    | events.ActionUndone
)


def apply_vote_event(room: Room, run: MatchRun, entry: VoteEvent, at: int) -> tuple[Room, tuple[GameEvent, ...]]:
    """Apply a log event about a vote, a pause, hurried bots or an undone action to a room.

    Returns the next room and the game events to show to clients.
    """
    motion = run.motion
    match entry:
        case events.BotsHurried(by):
            return room.replace(run=run.replace(hurried=True)), (event_texts.BOTS_FINISH_HAND(by),)
        case events.VoteStarted(by, subject, until, id_):
            return room.replace(run=run.replace(motion=Vote(subject, by, (by,), until, id_))), (
                event_texts.PROPOSED[subject](by),
            )
        case events.VoteApproved(name, until):
            wanted = None if motion is None else motion.with_approval(name, until)
            return room.replace(run=run.replace(motion=wanted)), (event_texts.VOTE_AGREED(name),)
        case events.VoteEnded(by):
            told = event_texts.VOTE_EXPIRED(None) if by is None else event_texts.VOTE_DECLINED(by)
            if motion is not None and by == motion.by:
                told = event_texts.VOTE_WITHDRAWN(by)
            return room.replace(run=run.replace(motion=None)), (told,)
        case events.PauseStarted(by):
            return room.replace(run=run.replace(motion=None, rest=Pause(by, at, room.clocks))), (
                event_texts.PAUSED(by),
            )
        case events.PauseEnded(by):
            return room.replace(run=run.replace(rest=None)), (event_texts.PAUSE_ENDED(by),)
        case events.ActionUndone(by):
            if run.undo is None:
                return room.replace(run=run.replace(motion=None)), ()
            turn = room.turn + 1
            asked = requests.request_all_awaited(run.undo.match, turn)
            back = run.replace(match=run.undo.match, hand=run.undo.hand, undo=None, motion=None, requests=asked)
            return room.replace(run=back, turn=turn), (event_texts.UNDONE(by),)


def build_undo_point(room: Room, run: MatchRun, entry: events.ActionTaken, step: MatchTransition) -> UndoPoint | None:
    """Return the state to which a player's own action can be undone, or None if undoing is not possible.

    None if the room's settings forbid it, if the action ended the hand or can be repeated, if it caused a private
    event, or if a player got a card.
    """
    if not room.settings.allow_undo or type(entry.action) in REPEATABLE_ACTIONS or not step.match.is_hand_running:
        return None
    if any(event.to is not None for event in step.events) or _has_any_player_gained_a_card(run.match, step.match):
        return None
    return UndoPoint(entry.by, run.match, run.hand)


def _has_any_player_gained_a_card(before: Match, after: Match) -> bool:
    held = before.current_hand.cards
    return any(not set(cards) <= set(held.get(name, ())) for name, cards in after.current_hand.cards.items())


def without_undo_vote(run: MatchRun) -> MatchRun:
    """Return the match without a running vote on undoing, because a further action makes the undo impossible."""
    return run.replace(motion=None) if run.motion is not None and run.motion.subject == "undo" else run


def without_undo_and_hurry(run: MatchRun) -> MatchRun:
    """Return the match without undo point, undo vote and hurried bots, because the hand they belong to is over."""
    return without_undo_vote(run).replace(undo=None, hurried=False)
