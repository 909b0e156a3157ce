"""The match: what its players, their bots and the clock do in it, and how it ends. Deals are in `dealing.py`."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from app import bots
from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence
from app.engine.cards.action_codec import TALK, parse_action
from app.engine.cards.actions import Action, Decree, JoinMatch, LeaveMatch
from app.rooms.bots import decrees
from app.rooms.bots.delay import may_break_in
from app.rooms.errors import RoomError
from app.rooms.log.pending_events import Draft
from app.rooms.model import commands as ask
from app.rooms.model import events
from app.rooms.model.member import Member
from app.rooms.model.state import Run
from app.rooms.views import room_view

MOST_TALK = 500
"""Actions in a hand that may be repeated without end: saying, offering, decreeing and the like."""
MOST_BETWEEN = 200
"""Actions between two hands."""
MOST_DECREES = 10
"""Decrees that wait for the answer of one person."""
TABLE_RESTS = Sentence("room.table_rests", "The game pauses, as {by} asked. Anybody who plays may go on.")
COMING = frozenset((JoinMatch, LeaveMatch))
COMING_IS_NO_ACTION = Sentence("room.coming_is_no_action", "Coming and going are commands to the room, not actions.")
SEAT_TAKEN = Sentence("room.seat_taken", "The host has taken your seat.")
SEAT_GIVEN_UP = Sentence("room.seat_given_up", "You have given up your seat: join to take it again.")
NO_MATCH = Sentence("room.no_match", "No match is running.")


def act(draft: Draft, member: Member, asked: Mapping[str, Any]) -> None:
    """Do an action that somebody asks for, given as JSON; or raise `RuleError` or `RoomError`."""
    action = parse_action(dict(asked))
    run = draft.room.run
    if run is None or run.is_over:
        raise RuleError("not_in_this_phase", NO_MATCH())
    if member.going is not None:
        raise RoomError("not_now", SEAT_TAKEN() if member.unseated else SEAT_GIVEN_UP())
    if type(action) in COMING:
        raise RuleError("bad_action", COMING_IS_NO_ACTION())
    if run.rest is not None:
        raise RoomError("not_now", TABLE_RESTS(by=run.rest.by))
    running = run.match.running
    if not running or type(action) in TALK:
        _check_talk(run, action)
    if type(action) is Decree:
        draft.add(events.Acted(member.name, action))
        let_bots_hear(draft)
    elif running:
        add_in_match(draft, events.Acted(member.name, action))
    else:
        draft.add(events.Acted(member.name, action))
        _let_bots_answer(draft)


TOO_MANY_DECREES = Sentence(
    "room.too_many_decrees",
    "So many decrees wait for an answer that nobody could remember another one.",
)
OFTEN_ENOUGH = Sentence("room.often_enough", "That was said and done often enough: play on.")


def _check_talk(run: Run, action: Action) -> None:
    """`not_now` for more talk than anybody hears: all of it is kept, and some of it is in every picture to come."""
    if not run.match.running:
        too_much = len(run.between) >= MOST_BETWEEN
    else:
        too_much = sum(type(each) in TALK for _, each in run.hand.actions) >= MOST_TALK
    if too_much:
        raise RoomError("not_now", OFTEN_ENOUGH())
    if type(action) is Decree:
        waiting = Counter(name for name, _ in run.match.unanswered)
        if max(waiting.values(), default=0) >= MOST_DECREES:
            raise RoomError("not_now", TOO_MANY_DECREES())


def let_bots_hear(draft: Draft) -> None:
    """Bots answer what was decreed to them."""
    for name, answer in decrees.answers(draft.room):
        draft.add(events.Acted(name, answer, "bot"))


def _let_bots_answer(draft: Draft) -> None:
    """Between hands nobody's turn is awaited: bots answer what they were just asked."""
    for name in draft.run.match.seats:
        member = draft.room.members.get(name)
        if member is None or member.player is None:
            continue
        answer = bots.answer(room_view.for_bot(draft.room, name))
        if answer is not None:
            with suppress(RuleError):
                draft.add(events.Acted(name, parse_action(answer)))


def add_in_match(draft: Draft, entry: events.Acted | events.Dealt) -> None:
    """Add a deal or an action; when the hand is over with it, what follows from that."""
    draft.add(entry)
    if not draft.run.match.running:
        draft.new_secret()


def stop(draft: Draft) -> None:
    """End the match here: a hand that runs counts for nothing."""
    running = draft.run.match.running
    draft.add(events.Stopped())
    if running:
        draft.new_secret()


def bot_act(draft: Draft, command: ask.BotAct) -> None:
    """Do what a bot chose, if it is still the same moment, and that bot's turn or one at which it may break in."""
    room = draft.room
    match, member = room.match, room.members.get(command.name)
    if match is None or member is None or member.player is None or not room.anybody_here:
        return
    if room.run is not None and room.run.rests:
        return
    in_turn = command.name in match.to_act
    if room.turn != command.turn or not (in_turn or command.name in may_break_in(room)):
        return
    try:
        add_in_match(draft, events.Acted(command.name, parse_action(dict(command.action)), "bot"))
    except RuleError:
        if in_turn:
            act_for(draft, command.name, "bot")


def act_for(draft: Draft, name: str, auto: events.Auto) -> None:
    """Do the least harmful thing that may be done in this seat."""
    why: RuleError | None = None
    for action in bots.harmless(room_view.for_bot(draft.room, name)):
        try:
            add_in_match(draft, events.Acted(name, parse_action(action), auto))
        except RuleError as error:
            why = error
            continue
        return
    raise AssertionError(f"{name} is to act and nothing is accepted: {why}")
