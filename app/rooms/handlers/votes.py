"""What a table agrees on: to rest for a while, to play the same again, to take back what was just played.

Asked are all people who sit here and are here; bots agree to everything. One who does not want it ends it. What the
host agrees to while others say nothing is decided a little later (a rematch) or at once (a rest).
"""

from app.engine.base.messages import Said, Sentence
from app.rooms.errors import RoomError
from app.rooms.handlers import dealing, membership
from app.rooms.log.pending_events import Draft
from app.rooms.model import events
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.model.vote import Matter
from app.rooms.model.vote_queries import asked_of, may_take_back
from app.rooms.seats.stand_ins import helper

REMATCH_MS = 10_000
"""How long others may say that they don't want the rematch that the host wants."""
ANSWER_MS: dict[Matter, int] = {"rest": 30_000, "take_back": 15_000}
"""How long something is asked that nobody can decide alone."""

ASKED_ALREADY = Sentence("room.asked_already", "One thing at a time: {by} has asked for something already.")
WHO_PLAYS_ASKS = Sentence("room.who_plays_asks", "Only those who play may ask that of the table.")
RESTS_IN_A_MATCH = Sentence("room.rests_in_a_match", "There is a pause in a match that goes on.")
RESTS_ALREADY = Sentence("room.rests_already", "The table pauses already.")
RESTS_NOT = Sentence("room.rests_not", "There is no pause: play on.")
REMATCH_AT_THE_END = Sentence("room.rematch_at_the_end", "The same can be played again when this match is over.")
NOTHING_TO_TAKE_BACK = Sentence(
    "room.nothing_to_take_back", "Only the last play can be taken back, by whoever made it, if it showed nobody a card."
)
NO_TAKING_BACK = Sentence("room.no_taking_back", "At this table nothing is taken back: the host may allow it.")
NOTHING_ASKED = Sentence("room.nothing_asked", "Nothing is asked of the table now.")
NOT_ASKED = Sentence("room.not_asked", "Asked are those who play and are here.")


def propose(draft: Draft, member: Member, matter: Matter) -> None:
    """Ask this of the table, or raise `RoomError`. What is asked already is agreed to."""
    room = draft.room
    if member.name not in asked_of(room):
        raise RoomError("not_now", WHO_PLAYS_ASKS())
    motion = None if room.run is None else room.run.motion
    if motion is not None and motion.matter == matter:
        consent(draft, member, yes=True)
        return
    why_not = _why_not(room, member, matter)
    if why_not is not None:
        raise RoomError("not_now", why_not)
    if motion is not None:
        raise RoomError("not_now", ASKED_ALREADY(by=motion.by))
    draft.add(events.Proposed(member.name, matter, _until(draft, member, matter, None), draft.draw(8).hex()))


def consent(draft: Draft, member: Member, *, yes: bool) -> None:
    """Agree to what is asked, or end it; or raise `RoomError`."""
    room = draft.room
    motion = None if room.run is None else room.run.motion
    if motion is None:
        raise RoomError("not_now", NOTHING_ASKED())
    if member.name not in asked_of(room):
        raise RoomError("not_now", NOT_ASKED())
    if not yes:
        draft.add(events.Dropped(member.name))
    elif member.name not in motion.agreed:
        draft.add(events.Agreed(member.name, _until(draft, member, motion.matter, motion.until)))


def go_on(draft: Draft, member: Member) -> None:
    """End the rest of the table, or raise `RoomError`."""
    run = draft.room.run
    if run is None or run.rest is None:
        raise RoomError("not_now", RESTS_NOT())
    if helper(draft.room, member) is None:
        raise RoomError("not_now", WHO_PLAYS_ASKS())
    draft.add(events.WentOn(member.name))


def decide(draft: Draft) -> None:
    """Do what is agreed on, and forget what nobody asks for any more."""
    room = draft.room
    motion = None if room.run is None else room.run.motion
    if motion is None:
        return
    asked = asked_of(room)
    if motion.by not in asked:
        draft.add(events.Dropped())
    elif set(asked) <= set(motion.agreed) or (motion.matter == "rest" and room.host in motion.agreed):
        _carry_out(draft, motion.matter, motion.by)


def time_is_up(draft: Draft) -> None:
    """Decide what is asked without those who have said nothing."""
    motion = draft.run.motion
    assert motion is not None, "only what is asked has a time"
    if motion.matter == "rematch":
        _carry_out(draft, motion.matter, motion.by)
    else:
        draft.add(events.Dropped())


def _why_not(room: Room, member: Member, matter: Matter) -> Said | None:
    match matter:
        case "rest":
            if not room.in_match:
                return RESTS_IN_A_MATCH()
            return RESTS_ALREADY() if room.run is not None and room.run.rest is not None else None
        case "rematch":
            if room.phase != "finished":
                return REMATCH_AT_THE_END()
            return room.settings.why_not(len(room.seated()))
        case "take_back":
            if not room.settings.take_back:
                return NO_TAKING_BACK()
            return None if may_take_back(room) == member.name else NOTHING_TO_TAKE_BACK()


def _until(draft: Draft, member: Member, matter: Matter, until: int | None) -> int | None:
    """When it is decided if this member wants it, too; a rematch goes by the host's word."""
    if matter == "rematch":
        return draft.ms + REMATCH_MS if member.name == draft.room.host else until
    return until if until is not None else draft.ms + ANSWER_MS[matter]


def _carry_out(draft: Draft, matter: Matter, by: str) -> None:
    match matter:
        case "rest":
            draft.add(events.Rested(by))
        case "take_back":
            draft.add(events.TakenBack(by))
        case "rematch":
            draft.add(events.Rematched())
            membership.take_new_names(draft)
            membership.fill_seats(draft)
            if draft.room.why_not() is None:  # else the waiting room says why
                dealing.start(draft)
