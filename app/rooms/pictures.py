"""What people see of a room: the public part, the same for everybody, and what only one seat may know.

What is secret about cards is decided in `app/engine/views.py`; here by listing too. The secret behind a commitment and
the ids of persons are in neither part.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from app.engine import views
from app.engine.actions import action_json
from app.engine.cards import Cards

from . import chairs, lending
from .clocks import NEXT_FOR_ALL
from .entries import Role
from .fairness import PastDeal
from .member import Person
from .room import HandLine, Phase, Room


class Fair(TypedDict):
    """The shuffle that comes (or runs): a promise now, the proof afterwards."""

    commitment: Annotated[str, "The SHA-256 of the secret for the next deal, or the one that is played."]
    seeds: Annotated[Mapping[str, str], "What people have added to it, as hex, by name."]
    cut: Annotated[int | None, "Where the pack will be cut, if somebody has said so."]
    previous: Annotated[PastDeal | None, "The proof of the last deal, once it is over."]


class Changing(TypedDict):
    """What everybody may know of a room besides its settings."""

    code: Annotated[str, "The room’s, as in its address."]
    invite: Annotated[str, "The secret part of the link to share, /j/{invite}."]
    phase: Annotated[Phase, "pause: between two hands."]
    stopped: Annotated[bool, "Whether the match was ended before its rules said so."]
    host: Annotated[str | None, "Who has the host’s powers."]
    people: Annotated[list[Person], "Everybody with a name here, in the order in which they came."]
    watchers: Annotated[int, "Sockets of those who only watch, without a name."]
    chairs: Annotated[chairs.Chairs, "Who can get one."]
    can_start: Annotated[bool, "Whether a match, or its next hand, can begin with those who are here."]
    why_not: Annotated[str | None, "The sentence that says why not."]
    match_id: Annotated[str | None, "Of the match that runs or ran last: /matches/{match_id}."]
    hands: Annotated[Sequence[HandLine], "The last finished hands of this match."]
    deadlines: Annotated[Mapping[str, int], "Epoch milliseconds, by name."]
    away: Annotated[Mapping[str, int], "When a bot plays for them, by name."]
    waits: Annotated[Mapping[str, int], "Since when they have been waited for, by name."]
    host_at: Annotated[int | None, "When the powers of a host who is away pass on."]
    next_at: Annotated[int | None, "When the next hand is dealt by itself."]
    next_open_at: Annotated[int | None, "From when on anybody may ask for the next hand."]
    fair: Annotated[Fair, "What makes the shuffle one that anybody can check."]


def room(state: Room, watchers: int = 0) -> Mapping[str, Any]:
    """Show all that everybody may know of the room: the keys of its settings and of `Changing`.

    `watchers`: how many look on without a name, which no log counts.
    """
    return {**state.settings.shown, **changing(state, watchers)}


def changing(state: Room, watchers: int = 0) -> Changing:
    """Show the room without its settings, which change so rarely that their bytes are kept."""
    why_not, phase, run = state.why_not(), state.phase, state.run
    ended = None if run is None else run.ended
    return {
        "code": state.code,
        "invite": state.invite,
        "phase": phase,
        "stopped": run is not None and run.stopped,
        "host": state.host,
        "people": [member.shown() for member in state.members.values()],
        "watchers": watchers,
        "chairs": chairs.shown(state),
        "can_start": phase in ("lobby", "pause") and why_not is None,
        "why_not": why_not,
        "match_id": None if run is None else run.match_id,
        "hands": () if run is None else run.hands,
        "deadlines": state.clocks.turns,
        "away": state.clocks.away,
        "waits": state.clocks.waits,
        "host_at": state.clocks.host,
        "next_at": state.clocks.deal,
        "next_open_at": None if phase != "pause" or ended is None else ended + NEXT_FOR_ALL,
        "fair": {
            "commitment": state.chance.commitment,
            "seeds": state.chance.seeds,
            "cut": state.chance.cut,
            "previous": state.proven,
        },
    }


def table(state: Room) -> dict[str, Any] | None:
    """Show all that everybody may know of the match, under the keys of `views.table`; None in the waiting room."""
    return None if state.match is None else views.table(state.match)


class Chair(TypedDict):
    """What somebody with a name here is told of themselves."""

    name: Annotated[str | None, "One’s own name here; null before joining."]
    role: Annotated[Role | None, "As in `people`."]
    host: Annotated[bool, "Whether one is the host."]
    deadline: NotRequired[Annotated[int | None, "When the clock acts for one."]]


class You(Chair):
    """What only this seat may know; a watcher's is almost empty."""

    person: Annotated[bool, "Whether the server knows who asks."]
    helps: NotRequired[Annotated[dict[str, int], "For whom one may let a bot play, and from when on."]]
    events: NotRequired[Annotated[list[dict[str, Any]], "What happened that only this seat may know."]]


def you(state: Room, person: str | None) -> dict[str, Any]:
    """Show what only this person may know: the keys of `You`, and what `seat` shows who has a name here."""
    member = state.member_of(person)
    if member is None:
        nobody: You = {"person": person is not None, "name": None, "role": None, "host": False}
        return {**nobody}
    return {"person": True, "helps": lending.helps(state, member.name), **seat(state, member.name)}


def seat(state: Room, name: str) -> dict[str, Any]:
    """Show what this seat alone may know: the keys of `Chair`; in a match those of `views.seat`, too."""
    member = state.members[name]
    own: Chair = {
        "name": name,
        "role": member.role,
        "host": state.host == name,
        "deadline": state.clocks.turns.get(name),
    }
    if state.match is not None and member.role == "seated":
        return {**own, **views.seat(state.match, name)}
    return {**own}


def for_bot(state: Room, name: str) -> Mapping[str, Any]:
    """Give a bot the whole view of a seat: `room`, `table` and `you`."""
    return {"room": room(state), "table": table(state), "you": seat(state, name)}


def look(state: Room, person: str | None, cards: Cards) -> list[dict[str, Any]]:
    """List every legal way in which this person could play exactly these cards now, as actions in JSON."""
    member = state.member_of(person)
    if member is None or state.match is None:
        return []
    return [action_json(action) for action in state.match.plays_of(member.name, cards)]
