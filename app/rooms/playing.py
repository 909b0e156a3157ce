"""The match: how it begins, goes on and ends, what its players, their bots and the clock do in it."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from app import bots
from app.engine.actions import TALK, Action, Decree, JoinMatch, LeaveMatch, parse_action
from app.engine.errors import RuleError
from app.engine.words import Sentence

from . import bot_orders, entries, people, pictures, variations
from . import commands as ask
from .clocks import NEXT_FOR_ALL
from .draft import Draft
from .errors import RoomError
from .member import Member
from .pace import may_break_in
from .room import DEALS_ARE_FOR, MOST_HANDS, Run

MOST_TALK = 500
"""Actions in a hand that may be repeated without end: saying, offering, decreeing and the like."""
MOST_BETWEEN = 200
"""Actions between two hands."""
MOST_DECREES = 10
"""Decrees that wait for the answer of one person."""
TOO_LATE = frozenset({"not_your_turn", "not_in_this_phase", "not_your_cards"})
"""How the game refuses what is right, but comes after somebody else has done it."""


MATCH_HAS_BEGUN = Sentence("room.match_has_begun", "The match has begun already.")


def start(draft: Draft) -> None:
    """Begin a match with those who are seated, and deal its first hand."""
    room = draft.room
    if room.in_match:
        raise RoomError("not_now", MATCH_HAS_BEGUN())
    if room.phase == "finished":
        draft.add(entries.Rematched())
        people.take_new_names(draft)
        people.fill_seats(draft)
        room = draft.room
    seats = room.seated()
    room.settings.game.check_players(room.settings.options, len(seats))
    if room.deals is not None and room.deals.players != len(seats):
        raise RoomError("bad_player_count", DEALS_ARE_FOR(count=room.deals.players))
    match_id = draft.draw(16).hex()
    draft.add(entries.Started(match_id, list(seats), list(room.carried(seats))))
    deal(draft)


TABLE_RESTS = Sentence("room.table_rests", "The game pauses, as {by} asked. Anybody who plays may go on.")
HOST_SAYS_NEXT = Sentence("room.host_says_next", "{host} may ask for the next deal now, and everybody in a moment.")
WHO_PLAYS_SAYS_NEXT = Sentence("room.who_plays_says_next", "Those who play say when the next hand is dealt.")
NEXT_WHEN_OVER = Sentence(
    "room.next_when_over",
    "The next hand is dealt when this one is over and the match goes on.",
)


def next_hand(draft: Draft, member: Member) -> None:
    """Deal the next hand because this member asks: the host at once, others who play a while after the last one."""
    room = draft.room
    if room.run is None or room.phase != "pause":
        raise RoomError("not_now", NEXT_WHEN_OVER())
    host = room.members.get(room.host) if room.host is not None else None
    if room.run.rest is not None:
        raise RoomError("not_now", TABLE_RESTS(by=room.run.rest.by))
    if member.name != room.host and host is not None and host.present:
        if member.role != "seated":
            raise RoomError("not_host", WHO_PLAYS_SAYS_NEXT())
        if room.run.ended is not None and draft.ms < room.run.ended + NEXT_FOR_ALL:
            raise RoomError("not_now", HOST_SAYS_NEXT(host=room.host or ""))
    deal(draft)


def deal(draft: Draft) -> None:
    """Let people go and come as the rules say, then deal. `bad_player_count` if too few or too many are left."""
    if draft.run.number + 1 >= MOST_HANDS:
        draft.add(entries.Continued(draft.draw(16).hex()))
    making_place, comers = draft.room.making_place(), draft.room.comers()
    for name in draft.room.seated():
        member = draft.room.members[name]
        if member.going is not None or name in making_place:
            with suppress(RuleError):  # the rules keep them: a bot plays on in their place
                draft.add(entries.Acted(name, LeaveMatch()))
    most = draft.room.settings.players[1]
    for name in comers:
        if len(draft.run.match.seats) >= most:
            break
        with suppress(RuleError):  # the rules keep them waiting
            draft.add(entries.Acted(name, JoinMatch()))
    match = draft.run.match
    match.game.check_players(match.options, len(match.seats), begun=match.dealt > 0)
    pack, chance, known = match.deck(), draft.room.chance, variations.known_deal(draft.room)
    draft.dealing = True
    if known is None:
        known = match.deal(chance.numbered.deck(pack), chance.numbered.seed()), chance.revealed(pack)
    _add_in_match(draft, entries.Dealt(*known))
    decreed = bot_orders.decree(draft.room)
    if decreed is not None:
        draft.add(entries.Acted(*decreed, "bot"))
        _let_bots_hear(draft)


PLAYED_FOR_YOU = Sentence("room.played_for_you", "Your turn was played for you before this came. {sentence}")


def act_in_time(draft: Draft, member: Member, action: Mapping[str, Any]) -> None:
    """Act; who was played for in the meantime is told so, and not only that it is somebody else's turn."""
    try:
        _act(draft, member, parse_action(dict(action)))
    except RuleError as error:
        if not member.acted_for or error.code not in TOO_LATE:
            raise
        raise RuleError(error.code, PLAYED_FOR_YOU(sentence=error.sentence)) from None


COMING = frozenset((JoinMatch, LeaveMatch))
COMING_IS_NO_ACTION = Sentence("room.coming_is_no_action", "Coming and going are commands to the room, not actions.")
SEAT_TAKEN = Sentence("room.seat_taken", "The host has taken your seat.")
SEAT_GIVEN_UP = Sentence("room.seat_given_up", "You have given up your seat: join to take it again.")
NO_MATCH = Sentence("room.no_match", "No match is running.")


def _act(draft: Draft, member: Member, action: Action) -> None:
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
        draft.add(entries.Acted(member.name, action))
        _let_bots_hear(draft)
    elif running:
        _add_in_match(draft, entries.Acted(member.name, action))
    else:
        draft.add(entries.Acted(member.name, action))
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


def _let_bots_hear(draft: Draft) -> None:
    """Bots answer what was decreed to them."""
    for name, answer in bot_orders.answers(draft.room):
        draft.add(entries.Acted(name, answer, "bot"))


def _let_bots_answer(draft: Draft) -> None:
    """Between hands nobody's turn is awaited: bots answer what they were just asked."""
    for name in draft.run.match.seats:
        member = draft.room.members.get(name)
        if member is None or member.player is None:
            continue
        answer = bots.answer(pictures.for_bot(draft.room, name))
        if answer is not None:
            with suppress(RuleError):
                draft.add(entries.Acted(name, parse_action(answer)))


def _add_in_match(draft: Draft, entry: entries.Acted | entries.Dealt) -> None:
    """Add a deal or an action; when the hand is over with it, what follows from that."""
    draft.add(entry)
    if not draft.run.match.running:
        draft.new_secret()


def stop(draft: Draft) -> None:
    """End the match here: a hand that runs counts for nothing."""
    running = draft.run.match.running
    draft.add(entries.Stopped())
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
        _add_in_match(draft, entries.Acted(command.name, parse_action(dict(command.action)), "bot"))
    except RuleError:
        if in_turn:
            act_for(draft, command.name, "bot")


def act_for(draft: Draft, name: str, auto: entries.Auto) -> None:
    """Do the least harmful thing that may be done in this seat."""
    why: RuleError | None = None
    for action in bots.harmless(pictures.for_bot(draft.room, name)):
        try:
            _add_in_match(draft, entries.Acted(name, parse_action(action), auto))
        except RuleError as error:
            why = error
            continue
        return
    raise AssertionError(f"{name} is to act and nothing is accepted: {why}")
