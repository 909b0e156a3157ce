"""The fold of what a table agrees on: what is asked, rests, hurry, and a hand as it was before its last action."""

from typing import TypeAlias

from app.engine.actions import TALK
from app.engine.events import Event
from app.engine.match import Match, Step

from . import entries, news
from .motion import Motion
from .room import Rest, Room, Run, Undo

Entry: TypeAlias = (
    entries.Hurried
    | entries.Proposed
    | entries.Agreed
    | entries.Dropped
    | entries.Rested
    | entries.WentOn
    | entries.TakenBack
)


def folded(room: Room, run: Run, entry: Entry, at: int) -> tuple[Room, tuple[Event, ...]]:
    """The room after such an entry, and what it tells."""
    motion = run.motion
    match entry:
        case entries.Hurried(by):
            return room.but(run=run.but(hurried=True)), (news.HURRIED(by),)
        case entries.Proposed(by, matter, until):
            return room.but(run=run.but(motion=Motion(matter, by, (by,), until))), (news.PROPOSED[matter](by),)
        case entries.Agreed(name, until):
            wanted = None if motion is None else motion.agreed_by(name, until)
            return room.but(run=run.but(motion=wanted)), (news.CONSENTED(name),)
        case entries.Dropped(by):
            told = news.LAPSED(None) if by is None else news.DECLINED(by)
            if motion is not None and by == motion.by:
                told = news.WITHDRAWN(by)
            return room.but(run=run.but(motion=None)), (told,)
        case entries.Rested(by):
            return room.but(run=run.but(motion=None, rest=Rest(by, at, room.clocks))), (news.RESTED(by),)
        case entries.WentOn(by):
            return room.but(run=run.but(rest=None)), (news.WENT_ON(by),)
        case entries.TakenBack(by):
            if run.undo is None:
                return room.but(run=run.but(motion=None)), ()
            back = run.but(match=run.undo.match, hand=run.undo.hand, undo=None, motion=None)
            return room.but(run=back, turn=room.turn + 1), (news.TAKEN_BACK(by),)


def undo(room: Room, run: Run, entry: entries.Acted, step: Step) -> Undo | None:
    """What this action, which was somebody's own, can be taken back to; None: it cannot, or not at this table."""
    if not room.settings.take_back or type(entry.action) in TALK or not step.match.running:
        return None
    if any(event.to is not None for event in step.events) or _somebody_got_a_card(run.match, step.match):
        return None
    return Undo(entry.by, run.match, run.hand)


def _somebody_got_a_card(before: Match, after: Match) -> bool:
    held = before.the_hand.cards
    return any(not set(cards) <= set(held.get(name, ())) for name, cards in after.the_hand.cards.items())


def overtaken(run: Run) -> Run:
    """The run without a question that the next action has answered: what was played before it stays."""
    return run.but(motion=None) if run.motion is not None and run.motion.matter == "take_back" else run


def at_rest(run: Run) -> Run:
    """The run without what is only asked while cards are played."""
    return overtaken(run).but(undo=None, hurried=False)
