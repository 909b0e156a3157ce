"""The fold of what a table agrees on: what is asked, rests, hurry, and a hand as it was before its last action."""

from typing import TypeAlias

from app.engine.cards.action_codec import TALK
from app.engine.display.events import Event
from app.engine.match.match import Match, Step
from app.rooms.log import event_texts
from app.rooms.model import events, requests
from app.rooms.model.state import Rest, Room, Run, Undo
from app.rooms.model.vote import Motion

Entry: TypeAlias = (
    events.Hurried | events.Proposed | events.Agreed | events.Dropped | events.Rested | events.WentOn | events.TakenBack
)


def folded(room: Room, run: Run, entry: Entry, at: int) -> tuple[Room, tuple[Event, ...]]:
    """The room after such an entry, and what it tells."""
    motion = run.motion
    match entry:
        case events.Hurried(by):
            return room.but(run=run.but(hurried=True)), (event_texts.HURRIED(by),)
        case events.Proposed(by, matter, until, id_):
            return room.but(run=run.but(motion=Motion(matter, by, (by,), until, id_))), (
                event_texts.PROPOSED[matter](by),
            )
        case events.Agreed(name, until):
            wanted = None if motion is None else motion.agreed_by(name, until)
            return room.but(run=run.but(motion=wanted)), (event_texts.CONSENTED(name),)
        case events.Dropped(by):
            told = event_texts.LAPSED(None) if by is None else event_texts.DECLINED(by)
            if motion is not None and by == motion.by:
                told = event_texts.WITHDRAWN(by)
            return room.but(run=run.but(motion=None)), (told,)
        case events.Rested(by):
            return room.but(run=run.but(motion=None, rest=Rest(by, at, room.clocks))), (event_texts.RESTED(by),)
        case events.WentOn(by):
            return room.but(run=run.but(rest=None)), (event_texts.WENT_ON(by),)
        case events.TakenBack(by):
            if run.undo is None:
                return room.but(run=run.but(motion=None)), ()
            turn = room.turn + 1
            asked = requests.of_new_hand(run.undo.match, turn)
            back = run.but(match=run.undo.match, hand=run.undo.hand, undo=None, motion=None, requests=asked)
            return room.but(run=back, turn=turn), (event_texts.TAKEN_BACK(by),)


def undo(room: Room, run: Run, entry: events.Acted, step: Step) -> Undo | None:
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
