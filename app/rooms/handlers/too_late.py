"""Refuse late commands, whose request, deal or vote is over (`requests.py` numbers the requests)."""

from collections.abc import Mapping
from typing import Any

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.cards.action_codec import ACTION_NAMES
from app.engine.cards.actions import DECREE_ACTIONS
from app.rooms.bots.delay import players_who_may_break_in
from app.rooms.errors import RoomError
from app.rooms.model import commands as ask
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.model.vote_queries import undo_view

TURN_IS_OVER = MessageTemplate("room.turn_is_over", "Too late: the game has moved on.")
PLAYED_FOR_YOU = MessageTemplate("room.played_for_you", "Too late: a bot has played your turn.")
DEAL_IS_OVER = MessageTemplate("room.deal_is_over", "Too late: that was for an earlier deal.")
QUESTION_IS_OVER = MessageTemplate("room.question_is_over", "Too late: the question has ended.")
NOT_THE_LAST = MessageTemplate("room.not_the_last", "Too late: another player has acted since.")
NAME_THE_REQUEST = MessageTemplate(
    "room.name_the_request", "An action must say what it answers: “request”, as in “you.request”."
)
NAME_THE_ACTION = MessageTemplate("room.name_the_action", "Name the action to undo: “request”, as in “room.may_undo”.")


def refuse_stale_command(room: Room, command: ask.ClientCommand, member: Member) -> None:
    """Raise `RoomError` `too_late` if the turn, deal or vote that a client's command answers is over.

    So a delayed message can't count for a later turn. Raises `bad_message` if the command does not name what it
    answers.
    """
    match command:
        case ask.Act(action=action, request=request):
            if not _is_unsolicited_action(room, action):
                _check_action_is_current(room, member, request)
        case ask.Start(commitment=commitment) | ask.DealNext(commitment=commitment):
            _check_deal_is_current(room, commitment)
        case ask.Propose(subject="undo", request=None):
            raise RoomError("bad_message", NAME_THE_ACTION())
        case ask.Propose(subject="undo", request=request):
            last = undo_view(room)
            if last is not None and last["by"] == member.name and last["request"] != request:
                raise RoomError("too_late", NOT_THE_LAST())
        case ask.Propose(commitment=commitment):
            _check_deal_is_current(room, commitment)
        case ask.CastVote(vote_id=vote_id):
            motion = None if room.run is None else room.run.motion
            if motion is None or motion.id != vote_id:
                raise RoomError("too_late", QUESTION_IS_OVER())
        case _:
            pass


def _is_unsolicited_action(room: Room, action: Mapping[str, Any]) -> bool:
    """Return whether a player may take this action (JSON) at any time, so that it needs no request number."""
    match = room.match
    if match is None:
        return False
    unasked = {*DECREE_ACTIONS, *map(type, match.game.off_turn_actions(match, match.hand))}
    return action.get("do") in [ACTION_NAMES[each] for each in unasked]


def _check_action_is_current(room: Room, member: Member, request: int | None) -> None:
    run = room.run
    if run is None or not run.match.is_hand_running:
        if request is not None:
            raise RoomError("too_late", _stale_action_text(member))
        return
    if request is None:
        if member.name in run.match.to_act or member.name in players_who_may_break_in(room):
            raise RoomError("bad_message", NAME_THE_REQUEST())
    elif request != run.requests.request_number_of(member.name):
        raise RoomError("too_late", _stale_action_text(member))


def _stale_action_text(member: Member) -> TranslatableMessage:
    return PLAYED_FOR_YOU() if member.acted_for else TURN_IS_OVER()


def _check_deal_is_current(room: Room, commitment: str) -> None:
    if commitment != room.chance.commitment:
        raise RoomError("too_late", DEAL_IS_OVER())
