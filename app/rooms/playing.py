"""The match: how it begins, goes on and ends, what its players, their bots and the clock do in it."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, cast

from app import bots
from app.engine.actions import AskLeave, Join, Leave, action_json, parse_action
from app.engine.errors import RuleError

from . import commands as ask
from . import entries as log
from . import people, pictures
from .clocks import NEXT_FOR_ALL, TALK
from .draft import Draft
from .errors import RoomError
from .fairness import SECRET_BYTES
from .member import Member
from .ports import HandEnded, MatchEnded, MatchStarted, PlayerCame
from .room import MOST_HANDS, Room

MOST_TALK = 500
"""Actions in a hand that may be repeated without end: saying, offering, decreeing and the like."""
MOST_BETWEEN = 200
"""Actions between two hands."""
MOST_DECREES = 10
"""Decrees that wait for the answer of one person."""
TOO_LATE = frozenset({"not_your_turn", "not_in_this_phase", "not_your_cards"})
"""How the game refuses what is right, but comes after somebody else has done it."""


def start(draft: Draft) -> None:
    room = draft.room
    if room.in_match:
        raise RoomError("not_now", "The match has begun already.")
    if room.phase == "finished":
        draft.add(log.Rematched())
        people.fill_seats(draft)
        room = draft.room
    seats = room.seated()
    room.settings.game.check_players(room.settings.options, len(seats))
    match_id = draft.draw(16).hex()
    draft.add(log.Started(match_id, list(seats)))
    room = draft.room
    draft.facts.append(
        MatchStarted(
            match_id,
            room.code,
            room.settings.game.key,
            room.settings.options.to_json(),
            tuple((room.members[name].person, name) for name in seats),
            draft.at,
        )
    )
    deal(draft)


def next_hand(draft: Draft, member: Member) -> None:
    room = draft.room
    if room.phase != "pause":
        raise RoomError("not_now", "The next hand is dealt when this one is over and the match goes on.")
    host = room.members.get(room.host) if room.host is not None else None
    if member.name != room.host and host is not None and host.present:
        if member.role != "seated":
            raise RoomError("not_host", "Those who play say when the next hand is dealt.")
        if room.ended is not None and draft.ms < room.ended + NEXT_FOR_ALL:
            raise RoomError("not_now", f"{room.host} may ask for the next deal now, and everybody in a moment.")
    deal(draft)


def deal(draft: Draft) -> None:
    """Let people go and come as the rules say, then deal. `bad_player_count` if too few or too many are left."""
    making_place, comers = draft.room.making_place(), draft.room.comers()
    for name in draft.room.seated():
        member = draft.room.members[name]
        if member.going is not None or name in making_place:
            with suppress(RuleError):  # the rules keep them: a bot plays on in their place
                _act_between(draft, name, {"do": "leave"})
    most = draft.room.settings.players[1]
    for name in comers:
        match = draft.room.match
        assert match is not None
        if len(match.seats) >= most:
            break
        with suppress(RuleError):  # the rules keep them waiting
            _act_between(draft, name, {"do": "join"})
            assert draft.room.match_id is not None
            draft.facts.append(PlayerCame(draft.room.match_id, draft.room.members[name].person, name, draft.at))
    match = draft.room.match
    assert match is not None
    if match.dealt >= MOST_HANDS:
        raise RoomError("not_now", draft.room.why_not() or "")
    match.game.check_players(match.options, len(match.seats), begun=match.dealt > 0)
    pack, chance = match.deck(), draft.room.chance
    deal = match.deal(chance.deck(pack), chance.seed())
    draft.dealing = True
    _add_in_match(draft, log.Dealt(**deal.to_json(), fair=chance.revealed(pack)))


def act_in_time(draft: Draft, member: Member, action: Mapping[str, Any]) -> None:
    """An action; who was played for in the meantime is told so, and not only that it is somebody else's turn."""
    try:
        _act(draft, member, action)
    except RuleError as error:
        if not member.acted_for or error.code not in TOO_LATE:
            raise
        raise RuleError(error.code, f"Your turn was played for you before this came. {error.sentence}") from None


def _act(draft: Draft, member: Member, action: Mapping[str, Any]) -> None:
    room = draft.room
    parsed = parse_action(dict(action))
    if room.match is None or not room.in_match:
        raise RuleError("not_in_this_phase", "No match is running.")
    if member.going is not None:
        why = (
            "The host has taken your seat."
            if member.unseated
            else "You have given up your seat: join to take it again."
        )
        raise RoomError("not_now", why)
    if isinstance(parsed, Join | Leave):
        raise RuleError("bad_action", "Coming and going are commands to the room, not actions.")
    made = action_json(parsed)
    _check_talk(room, made)
    if room.match.running:
        _add_in_match(draft, log.Acted(member.name, made))
        return
    _act_between(draft, member.name, made)
    if isinstance(parsed, AskLeave):
        _answer_for_bot(draft)


def _check_talk(room: Room, made: Mapping[str, Any]) -> None:
    """`not_now` for more talk than anybody hears: all of it is kept, and some of it is in every picture to come."""
    match = room.match
    assert match is not None
    if not match.running:
        too_much = len(room.between) >= MOST_BETWEEN
    else:
        too_much = made["do"] in TALK and sum(each["do"] in TALK for each in room.hand.actions) >= MOST_TALK
    if too_much:
        raise RoomError("not_now", "That was said and done often enough: play on.")
    waiting = Counter(name for name, _ in match.unanswered)
    if made["do"] == "decree" and max(waiting.values(), default=0) >= MOST_DECREES:
        raise RoomError("not_now", "So many decrees wait for an answer that nobody could remember another one.")


def _answer_for_bot(draft: Draft) -> None:
    """A bot at the top lets anybody go who asks."""
    match = draft.room.match
    top = match.hierarchy[0] if match is not None and match.hierarchy else None
    if top is not None and top in draft.room.members and draft.room.members[top].player is not None:
        with suppress(RuleError):
            _act_between(draft, top, {"do": "dispense"})


def _act_between(draft: Draft, by: str, action: dict[str, Any]) -> None:
    before = draft.room.match
    assert before is not None
    draft.add(log.Acted(by, action))
    match = draft.room.match
    assert match is not None
    if match.last is not before.last and draft.room.hand.deal:
        # Who went changed how the last hand ended (ACE-09): tell the history again.
        draft.facts.append(_hand_ended(draft, again=True))


def _add_in_match(draft: Draft, entry: log.Acted | log.Dealt) -> None:
    """A deal or an action; when the hand is over with it, what follows from that."""
    draft.add(entry)
    room = draft.room
    match = room.match
    assert match is not None
    if match.running:
        return
    draft.facts.append(_hand_ended(draft))
    if match.over:
        assert room.match_id is not None
        draft.facts.append(MatchEnded(room.match_id, dict(match.totals), match.winners(), draft.at))
    draft.add(log.Committed(draft.draw(SECRET_BYTES).hex()))


def _hand_ended(draft: Draft, *, again: bool = False) -> HandEnded:
    room = draft.room
    match, hand = room.match, room.hand
    assert match is not None
    assert match.last is not None
    assert room.match_id is not None
    record = {**hand.deal, "actions": list(hand.actions)}
    if hand.between:
        record["between"] = list(hand.between)
    events, result = [dict(event) for event in hand.events], match.last.to_json()
    return HandEnded(room.match_id, match.dealt - 1, record, events, result, dict(match.totals), draft.at, again)


def stop(draft: Draft) -> None:
    room = draft.room
    match = room.match
    assert match is not None
    assert room.match_id is not None
    between = room.hand.between if match.running else room.between
    was_running = match.running
    draft.add(log.Stopped())
    draft.facts.append(
        MatchEnded(room.match_id, dict(match.totals), (), draft.at, [dict(action) for action in between])
    )
    if was_running:
        draft.add(log.Committed(draft.draw(SECRET_BYTES).hex()))


def bot_act(draft: Draft, command: ask.BotAct) -> None:
    """A bot's choice, if it is still that bot's turn and the same moment."""
    room = draft.room
    match, member = room.match, room.members.get(command.name)
    if match is None or member is None or member.player is None or not room.anybody_here:
        return
    if room.turn != command.turn or command.name not in match.to_act:
        return
    try:
        made = action_json(parse_action(dict(command.action)))
        _add_in_match(draft, log.Acted(command.name, made, "bot"))
    except RuleError:
        act_for(draft, command.name, "bot")


def act_for(draft: Draft, name: str, auto: str) -> None:
    """The least harmful thing that may be done in this seat."""
    why: RuleError | None = None
    for action in bots.harmless(pictures.for_bot(draft.room, name)):
        try:
            made = action_json(parse_action(action))
            _add_in_match(draft, log.Acted(name, made, cast("Any", auto)))
        except RuleError as error:
            why = error
            continue
        return
    raise AssertionError(f"{name} is to act and nothing is accepted: {why}")
