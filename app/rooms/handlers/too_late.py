"""Refuse what comes too late: a message whose request, deal or question is over (`requests.py` counts requests)."""

from collections.abc import Mapping
from typing import Any

from app.engine.base.messages import Said, Sentence
from app.engine.cards.action_codec import NAMES
from app.engine.cards.actions import ABOUT_DECREES
from app.rooms.bots.delay import may_break_in
from app.rooms.errors import RoomError
from app.rooms.model import commands as ask
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.model.vote_queries import take_back

TURN_IS_OVER = Sentence("room.turn_is_over", "That came too late: the game has moved on.")
PLAYED_FOR_YOU = Sentence("room.played_for_you", "Your turn was played for you before this came.")
DEAL_IS_OVER = Sentence("room.deal_is_over", "That came too late: it was meant for an earlier deal.")
QUESTION_IS_OVER = Sentence("room.question_is_over", "That came too late: what you answered is no longer asked.")
NOT_THE_LAST = Sentence("room.not_the_last", "That came too late: somebody has acted since.")
NAME_THE_REQUEST = Sentence("room.name_the_request", "An action says what it answers: “request”, as in “you.request”.")
NAME_THE_ACTION = Sentence(
    "room.name_the_action", "Say which action you take back: “request”, as in “room.may_take_back”."
)


def check(room: Room, command: ask.Asked, member: Member) -> None:
    """Raise `too_late` if what this member's command answers is over, `bad_message` if it does not say what that is."""
    match command:
        case ask.Act(action=action, request=request):
            if not _is_unasked(room, action):
                _check_action(room, member, request)
        case ask.Start(commitment=commitment) | ask.Next(commitment=commitment):
            _check_deal(room, commitment)
        case ask.Propose(matter="take_back", request=None):
            raise RoomError("bad_message", NAME_THE_ACTION())
        case ask.Propose(matter="take_back", request=request):
            last = take_back(room)
            if last is not None and last["by"] == member.name and last["request"] != request:
                raise RoomError("too_late", NOT_THE_LAST())
        case ask.Propose(commitment=commitment):
            _check_deal(room, commitment)
        case ask.Consent(question=question):
            motion = None if room.run is None else room.run.motion
            if motion is None or motion.id != question:
                raise RoomError("too_late", QUESTION_IS_OVER())
        case _:
            pass


def _is_unasked(room: Room, action: Mapping[str, Any]) -> bool:
    """Whether this is an action of one's own accord (`you.may`), which answers no request."""
    match = room.match
    if match is None:
        return False
    unasked = {*ABOUT_DECREES, *map(type, match.game.unlisted(match, match.hand))}
    return action.get("do") in [NAMES[each] for each in unasked]


def _check_action(room: Room, member: Member, request: int | None) -> None:
    run = room.run
    if run is None or not run.match.running:
        if request is not None:
            raise RoomError("too_late", _why(member))
        return
    if request is None:
        if member.name in run.match.to_act or member.name in may_break_in(room):
            raise RoomError("bad_message", NAME_THE_REQUEST())
    elif request != run.requests.of(member.name):
        raise RoomError("too_late", _why(member))


def _why(member: Member) -> Said:
    return PLAYED_FOR_YOU() if member.acted_for else TURN_IS_OVER()


def _check_deal(room: Room, commitment: str) -> None:
    if commitment != room.chance.commitment:
        raise RoomError("too_late", DEAL_IS_OVER())
