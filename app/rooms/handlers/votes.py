"""Votes of the players: pause the match, play the same again, or undo the last play.

All seated and connected people vote; bots agree to everything. One "no" ends a vote. The host's "yes" starts a
pause at once, and a rematch after `REMATCH_MS` if nobody objects.
"""

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.rooms import events
from app.rooms.errors import RoomError
from app.rooms.handlers import dealing, membership
from app.rooms.log.pending_events import PendingEvents
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.model.vote import VoteSubject
from app.rooms.model.vote_queries import eligible_voters, player_who_may_undo
from app.rooms.seats.stand_ins import helper_role_of

REMATCH_MS = 10_000
"""Milliseconds in which others can refuse the rematch that the host wants."""
ANSWER_MS: dict[VoteSubject, int] = {"pause": 30_000, "undo": 15_000}
"""Milliseconds until a vote ends without result, by subject."""

ASKED_ALREADY = MessageTemplate("room.asked_already", "{by} is already asking for something. Wait for the answer.")
WHO_PLAYS_ASKS = MessageTemplate("room.who_plays_asks", "Only players can ask for that.")
RESTS_IN_A_MATCH = MessageTemplate("room.rests_in_a_match", "You can pause only a match in progress.")
RESTS_ALREADY = MessageTemplate("room.rests_already", "The game is already paused.")
RESTS_NOT = MessageTemplate("room.rests_not", "The game is not paused.")
REMATCH_AT_THE_END = MessageTemplate("room.rematch_at_the_end", "You can play again when this match is over.")
NOTHING_TO_TAKE_BACK = MessageTemplate(
    "room.nothing_to_take_back", "You can undo only your own last play, if it showed nobody a card."
)
NO_TAKING_BACK = MessageTemplate("room.no_taking_back", "Undo is turned off at this table. The host can allow it.")
NOTHING_ASKED = MessageTemplate("room.nothing_asked", "Nobody is asking for anything now.")
NOT_ASKED = MessageTemplate("room.not_asked", "Only players who are here can answer.")


def start_vote(draft: PendingEvents, member: Member, subject: VoteSubject) -> None:
    """Start a vote on `matter` (pause, rematch or undo), proposed by this member; if it runs already, agree to it.

    Raises `RoomError` if the member may not vote, the matter is not possible now, or another vote is running.
    """
    room = draft.room
    if member.name not in eligible_voters(room):
        raise RoomError("not_now", WHO_PLAYS_ASKS())
    motion = None if room.run is None else room.run.motion
    if motion is not None and motion.subject == subject:
        cast_vote(draft, member, yes=True)
        return
    why_not = _proposal_refusal(room, member, subject)
    if why_not is not None:
        raise RoomError("not_now", why_not)
    if motion is not None:
        raise RoomError("not_now", ASKED_ALREADY(by=motion.by))
    draft.add(
        events.VoteStarted(
            member.name, subject, _vote_deadline(draft, member, subject, None), draft.random_bytes(8).hex()
        )
    )


def cast_vote(draft: PendingEvents, member: Member, *, yes: bool) -> None:
    """Record a member's "yes" to the current vote, or end the vote because of their "no".

    Raises `RoomError` if no vote is running or the member may not vote. The vote's effect follows in `resolve_vote`.
    """
    room = draft.room
    motion = None if room.run is None else room.run.motion
    if motion is None:
        raise RoomError("not_now", NOTHING_ASKED())
    if member.name not in eligible_voters(room):
        raise RoomError("not_now", NOT_ASKED())
    if not yes:
        draft.add(events.VoteEnded(member.name))
    elif member.name not in motion.agreed:
        draft.add(events.VoteApproved(member.name, _vote_deadline(draft, member, motion.subject, motion.until)))


def end_pause(draft: PendingEvents, member: Member) -> None:
    """End the pause of the match at the request of a member.

    Raises `RoomError` without a pause, or if the member is neither the host nor a player.
    """
    run = draft.room.run
    if run is None or run.rest is None:
        raise RoomError("not_now", RESTS_NOT())
    if helper_role_of(draft.room, member) is None:
        raise RoomError("not_now", WHO_PLAYS_ASKS())
    draft.add(events.PauseEnded(member.name))


def resolve_vote(draft: PendingEvents) -> None:
    """Carry out the current vote if all voters agreed, or for a pause also if the host agreed.

    End it without effect if its proposer can no longer vote. Called after every command.
    """
    room = draft.room
    motion = None if room.run is None else room.run.motion
    if motion is None:
        return
    voters = eligible_voters(room)
    if motion.by not in voters:
        draft.add(events.VoteEnded())
    elif set(voters) <= set(motion.agreed) or (motion.subject == "pause" and room.host in motion.agreed):
        _execute_vote(draft, motion.subject, motion.by)


def resolve_vote_at_deadline(draft: PendingEvents) -> None:
    """End a vote whose time is up: a rematch that the host wants begins, a pause or an undo is dropped."""
    motion = draft.run.motion
    assert motion is not None, "only what is asked has a time"
    if motion.subject == "rematch":
        _execute_vote(draft, motion.subject, motion.by)
    else:
        draft.add(events.VoteEnded())


def _proposal_refusal(room: Room, member: Member, subject: VoteSubject) -> TranslatableMessage | None:
    match subject:
        case "pause":
            if not room.in_match:
                return RESTS_IN_A_MATCH()
            return RESTS_ALREADY() if room.run is not None and room.run.rest is not None else None
        case "rematch":
            if room.phase != "finished":
                return REMATCH_AT_THE_END()
            return room.settings.player_count_refusal(len(room.seated_names()))
        case "undo":
            if not room.settings.allow_undo:
                return NO_TAKING_BACK()
            return None if player_who_may_undo(room) == member.name else NOTHING_TO_TAKE_BACK()


def _vote_deadline(draft: PendingEvents, member: Member, subject: VoteSubject, until: int | None) -> int | None:
    """Return when a vote ends if this member agrees too, in milliseconds since 1970; None: it stays open.

    `until`: the end so far. A rematch has an end only after the host has agreed.
    """
    if subject == "rematch":
        return draft.now_ms + REMATCH_MS if member.name == draft.room.host else until
    return until if until is not None else draft.now_ms + ANSWER_MS[subject]


def _execute_vote(draft: PendingEvents, subject: VoteSubject, by: str) -> None:
    match subject:
        case "pause":
            draft.add(events.PauseStarted(by))
        case "undo":
            draft.add(events.ActionUndone(by))
        case "rematch":
            draft.add(events.ReturnedToLobby())
            membership.apply_pending_renames(draft)
            membership.seat_waiting_members(draft)
            if draft.room.deal_refusal() is None:  # else the waiting room shows the reason
                dealing.start_match(draft)
