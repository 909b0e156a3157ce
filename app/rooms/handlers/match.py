"""Actions in a match by players, bots and the clock, and the end of a match. Deals are in `dealing.py`."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from app import bots
from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.cards.action_codec import REPEATABLE_ACTIONS, parse_action
from app.engine.cards.actions import Action, Decree, JoinMatch, LeaveMatch
from app.rooms import events
from app.rooms.bots import decrees
from app.rooms.bots.delay import players_who_may_break_in
from app.rooms.errors import RoomError
from app.rooms.log.pending_events import PendingEvents
from app.rooms.model import commands as ask
from app.rooms.model.member import Member
from app.rooms.model.state import MatchRun
from app.rooms.views import room_view

MAX_TALK_ACTIONS = 500
"""Maximum number of repeatable actions in one hand: messages, offers, decrees and similar actions."""
MAX_ACTIONS_BETWEEN_HANDS = 200
"""Maximum number of actions between two hands."""
MAX_WAITING_DECREES = 10
"""Maximum number of unanswered decrees to one person."""
TABLE_RESTS = MessageTemplate("room.table_rests", "Paused by {by}. Any player can resume.")
JOIN_OR_LEAVE = frozenset((JoinMatch, LeaveMatch))
COMING_IS_NO_ACTION = MessageTemplate(
    "room.coming_is_no_action", "Joining and leaving are commands to the room, not actions."
)
SEAT_TAKEN = MessageTemplate("room.seat_taken", "The host has removed you from your seat.")
SEAT_GIVEN_UP = MessageTemplate("room.seat_given_up", "You have left your seat. Join to take it again.")
NO_MATCH = MessageTemplate("room.no_match", "No match is running.")


def apply_action(draft: PendingEvents, member: Member, action_data: Mapping[str, Any]) -> None:
    """Apply a member's game action, given as JSON, and add its events to the draft; bots answer it where needed.

    Raises `RuleError` if the rules refuse the action. Raises `RoomError` if the member has no seat, the match is
    paused, or there was too much talk.
    """
    action = parse_action(dict(action_data))
    run = draft.room.run
    if run is None or run.is_over:
        raise RuleError("not_in_this_phase", NO_MATCH())
    if member.going is not None:
        raise RoomError("not_now", SEAT_TAKEN() if member.unseated else SEAT_GIVEN_UP())
    if type(action) in JOIN_OR_LEAVE:
        raise RuleError("bad_action", COMING_IS_NO_ACTION())
    if run.rest is not None:
        raise RoomError("not_now", TABLE_RESTS(by=run.rest.by))
    running = run.match.is_hand_running
    if not running or type(action) in REPEATABLE_ACTIONS:
        _check_talk_limit(run, action)
    if type(action) is Decree:
        draft.add(events.ActionTaken(member.name, action))
        add_bot_decree_answers(draft)
    elif running:
        add_match_event(draft, events.ActionTaken(member.name, action))
    else:
        draft.add(events.ActionTaken(member.name, action))
        _add_bot_answers_between_hands(draft)


TOO_MANY_DECREES = MessageTemplate(
    "room.too_many_decrees",
    "Too many decrees are still waiting for an answer. Try again later.",
)
OFTEN_ENOUGH = MessageTemplate("room.often_enough", "You have done that too often in this hand.")


def _check_talk_limit(run: MatchRun, action: Action) -> None:
    """Raise `RoomError` `not_now` if there were too many messages, offers or decrees in a hand or between hands.

    The limits exist because all these actions are stored, and some are sent with every view.
    """
    if not run.match.is_hand_running:
        too_much = len(run.between) >= MAX_ACTIONS_BETWEEN_HANDS
    else:
        too_much = sum(type(each) in REPEATABLE_ACTIONS for _, each in run.hand.actions) >= MAX_TALK_ACTIONS
    if too_much:
        raise RoomError("not_now", OFTEN_ENOUGH())
    if type(action) is Decree:
        waiting = Counter(name for name, _ in run.match.unanswered)
        if max(waiting.values(), default=0) >= MAX_WAITING_DECREES:
            raise RoomError("not_now", TOO_MANY_DECREES())


def add_bot_decree_answers(draft: PendingEvents) -> None:
    """Add an event for each bot that answers a decree (obeys or defies it), right after the decree was given."""
    for name, answer in decrees.bot_decree_answers(draft.room):
        draft.add(events.ActionTaken(name, answer, "bot"))


def _add_bot_answers_between_hands(draft: PendingEvents) -> None:
    """Add each bot's answer to a player's request made between two hands, as far as the rules allow the answer."""
    for name in draft.run.match.seats:
        member = draft.room.members.get(name)
        if member is None or member.active_bot is None:
            continue
        answer = bots.grant_request(room_view.build_bot_view(draft.room, name))
        if answer is not None:
            with suppress(RuleError):
                draft.add(events.ActionTaken(name, parse_action(answer)))


def add_match_event(draft: PendingEvents, entry: events.ActionTaken | events.HandDealt) -> None:
    """Add a deal or an action to the draft.

    If it ends the hand, also draw the secret for shuffling the next deal.
    """
    draft.add(entry)
    if not draft.run.match.is_hand_running:
        draft.add_new_secret()


def stop_match(draft: PendingEvents) -> None:
    """Add the event that ends the match early. A running hand then does not count.

    In that case also draws a new secret, because the aborted hand reveals the old one.
    """
    running = draft.run.match.is_hand_running
    draft.add(events.MatchStopped())
    if running:
        draft.add_new_secret()


def apply_bot_action(draft: PendingEvents, command: ask.BotAct) -> None:
    """Apply a bot's action on its turn, or out of turn if it may break in; ignore it if the situation has changed.

    Ignored: an older turn, no bot in this seat, no person connected, a pause, a vote on undoing the last play. If
    the rules refuse it on the bot's turn, the safest legal action is played.
    """
    room = draft.room
    match, member = room.match, room.members.get(command.name)
    if match is None or member is None or member.active_bot is None or not room.has_connected_person:
        return
    if room.run is not None and room.run.must_bots_wait:
        return
    in_turn = command.name in match.to_act
    if room.turn != command.turn or not (in_turn or command.name in players_who_may_break_in(room)):
        return
    try:
        add_match_event(draft, events.ActionTaken(command.name, parse_action(dict(command.action)), "bot"))
    except RuleError:
        if in_turn:
            play_safest_action(draft, command.name, "bot")


def play_safest_action(draft: PendingEvents, name: str, auto: events.ActedFor) -> None:
    """Play the legal action with the least risk for the player `name`, who ran out of time or whose bot failed.

    `auto` records in the log whether the clock or a bot acted.
    """
    why: RuleError | None = None
    for action in bots.actions_by_risk(room_view.build_bot_view(draft.room, name)):
        try:
            add_match_event(draft, events.ActionTaken(name, parse_action(action), auto))
        except RuleError as error:
            why = error
            continue
        return
    raise AssertionError(f"{name} is to act and nothing is accepted: {why}")
