"""What people see of a room: the public part, the same for everybody, and what only one seat may know.

What is secret about cards is decided in `app/engine/match/views.py`; here by listing too. The secret behind a
commitment and the ids of persons are in neither part.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from app.bots.search.search_bot import USUAL
from app.bots.search.worker_job import job_of
from app.engine.cards.action_codec import NAMES, action_json
from app.engine.cards.actions import Cut
from app.engine.cards.cards import Cards, show
from app.engine.display.table_display import Text, text
from app.engine.match import views
from app.rooms.bots import delay
from app.rooms.log.deadlines import NEXT_FOR_ALL
from app.rooms.model import colours, vote_queries
from app.rooms.model.events import Role
from app.rooms.model.member import Member, PersonShown
from app.rooms.model.shuffle_proof import ClosedListShown, PastDeal
from app.rooms.model.state import NO_LOG, DealtShown, HandInShort, Phase, Rank, Room
from app.rooms.model.vote import MotionShown, RestShown, TakeBackShown
from app.rooms.money.session import EveningShown
from app.rooms.recorded import variations
from app.rooms.seats import next_deal, stand_ins


class Fair(TypedDict):
    """How the cards of the next deal come about (or came, while it is played), and the proof of the last one."""

    commitment: Annotated[str, "The SHA-256 of the secret for the next deal, or for the one that is played."]
    hashes: Annotated[Mapping[str, str], "The SHA-256 of the seeds that people’s pages have promised, by name."]
    cut: Annotated[int | None, "Where the pack will be cut, if somebody has said so."]
    closed: Annotated[
        ClosedListShown | None,
        "The closed list, from the request for the deal until its hand is over: now send your seed, if your hash is on"
        " it. Names in it are as the match has them.",
    ]
    left_out: Annotated[list[str], "Once the cards are dealt: people whose promised seeds did not come in time."]
    previous: Annotated[PastDeal | None, "The proof of the last deal, once it is over."]
    dealt: Annotated[DealtShown | None, "The cards of the deal that `previous` proves, as they were dealt."]


class KnownCards(TypedDict):
    """What says that the cards of a match are known: it counts for nothing but itself."""

    how: Annotated[
        Literal["variation", "deals"],
        "It goes on from a moment of another match, or is dealt another one’s cards.",
    ]
    hand: Annotated[int, "The hand of that match in which a variation goes on, from 0."]
    move: Annotated[int, "How many actions of it had been made."]
    by: Annotated[list[str], "Who of those here played that match, where its deals are played."]
    players: Annotated[int | None, "How many the deals are for, before a match with them begins."]


class Company(TypedDict):
    """Who is in a room and what they have come to: what a play of cards leaves as it is."""

    code: Annotated[str, "The room’s, as in its address."]
    rewinds: Annotated[
        int,
        "How often the database lost the last entries of this room. When this grows, `seq` may be lower than before.",
    ]
    invite: Annotated[str, "The secret part of the link to share, /j/{invite}."]
    phase: Annotated[Phase, "pause: between two hands."]
    stopped: Annotated[bool, "Whether the match was ended before its rules said so."]
    host: Annotated[str | None, "Who has the host’s powers."]
    people: Annotated[list[PersonShown], "Everybody with a name here, in the order in which they came."]
    hues: Annotated[
        Mapping[str, int],
        "The colour of each member and of each player of the match, by name: 0 to 7, one of those that people choose"
        " from. It stays the same.",
    ]
    watchers: Annotated[int, "Sockets of those who only watch, without a name."]
    chairs: Annotated[next_deal.Chairs, "Who can get one."]
    can_start: Annotated[bool, "Whether a match, or its next hand, can begin with those who are here."]
    society: Annotated[
        Mapping[str, Rank],
        "Where no match goes on: the ranks that would be carried into one that began now, by name.",
    ]
    why_not: Annotated[str | None, "The sentence that says why not, in English."]
    why: Annotated[Text | None, "The same, to be said in any language."]
    helps: Annotated[stand_ins.Helps, "For whom others may let a bot play, and after how long."]
    match_id: Annotated[str | None, "Of the match that runs or ran last: /matches/{match_id}."]
    hands: Annotated[Sequence[HandInShort], "The last finished hands of this match."]
    evening: Annotated[
        EveningShown | None, "Who owes whom by the hands of this evening, where something is played for."
    ]
    known: Annotated[KnownCards | None, "Whether the cards of this match, or of the next, are known."]
    fair: Annotated[Fair, "What makes the shuffle one that anybody can check."]


class Times(TypedDict):
    """Until when is waited for what, how fast, and what is asked of the table."""

    motion: Annotated[MotionShown | None, "What somebody asks of the table now."]
    rest: Annotated[RestShown | None, "Whether the table rests: no clock runs, and nobody acts."]
    may_take_back: Annotated[TakeBackShown | None, "Who may ask to take back what they just played."]
    hurry: Annotated[
        delay.Hurry | None, "How bots play who are alone in a hand: faster, or at once where it was asked."
    ]

    deadlines: Annotated[Mapping[str, int], "Epoch milliseconds, by name."]
    away: Annotated[Mapping[str, int], "When a bot plays for them, by name."]
    waits: Annotated[Mapping[str, int], "Since when they have been waited for, by name."]
    host_at: Annotated[int | None, "When the powers of a host who is away pass on."]
    next_at: Annotated[int | None, "When the next hand is dealt by itself."]
    next_open_at: Annotated[int | None, "From when on anybody may ask for the next hand."]


class Changing(Company, Times):
    """What everybody may know of a room besides its settings."""


def room(state: Room, watchers: int = 0) -> Mapping[str, Any]:
    """Show all that everybody may know of the room: the keys of its settings and of `Changing`.

    `watchers`: how many look on without a name, which no log counts.
    """
    return {**state.settings.shown, **changing(state, watchers)}


def changing(state: Room, watchers: int = 0) -> Changing:
    """Show the room without its settings."""
    return {**company(state, watchers), **times(state)}


def company(state: Room, watchers: int) -> Company:
    """Show who is in the room, and what they have come to."""
    why_not, phase, run = state.why_not(), state.phase, state.run
    return {
        "code": state.code,
        "rewinds": state.rewinds,
        "invite": state.invite,
        "phase": phase,
        "stopped": run is not None and run.stopped,
        "host": state.host,
        "people": [member.shown() for member in state.members.values()],
        "hues": colours.shown(state),
        "watchers": watchers,
        "chairs": next_deal.shown(state),
        "can_start": phase in ("lobby", "pause") and why_not is None,
        "society": {} if state.in_match else state.society(),
        "why_not": why_not,
        "why": None if why_not is None else text(why_not),
        "helps": stand_ins.helps(state),
        "match_id": None if run is None else run.match_id,
        "hands": () if run is None else run.hands,
        "evening": None if state.evening is None or state.settings.stake is None else state.evening.shown,
        "known": _known(state),
        "fair": _fair(state),
    }


def _fair(state: Room) -> Fair:
    chance, closed = state.chance, state.chance.closed
    hashes = {
        member.name: chance.hashes[member.person]
        for member in state.members.values()
        if member.person is not None and member.person in chance.hashes
    }
    return {
        "commitment": chance.commitment,
        "hashes": hashes,
        "cut": chance.cut,
        "closed": None if closed is None else closed.shown,
        "left_out": chance.missing if state.phase == "playing" else [],
        "previous": state.proven,
        "dealt": state.dealt,
    }


def _known(state: Room) -> KnownCards | None:
    origin = None if state.run is None else state.run.origin
    if origin is not None:
        how, hand, move, players = origin.how, origin.hand, origin.move, None
    elif state.deals is not None:
        how, hand, move, players = "deals", 0, 0, state.deals.players
    else:
        return None
    return {"how": how, "hand": hand, "move": move, "by": variations.who_knows(state), "players": players}


def lasting(state: Room, watchers: int) -> tuple[object, ...]:
    """Return the inputs of all parts of a view that an action in a trick does not change.

    While each input equals the one before, so do the settings, `company`, `views.of_match`, `views.ranked`, `standing`,
    and `besides` if it `is_quiet`: they are not built again. Without this and `makes_*`, a command takes 63 % more
    instructions; without `makes_*` alone 13 %, of which `makes_face`, since removed, were 4 % (20 rooms, 2026-11-27,
    docs/speed.md). An input that is missing here shows stale data: tests/engine/match/test_views.py and
    tests/rooms/views/test_delta.py compare with new views.
    """
    run = state.run
    room = (
        state.code,
        state.rewinds,
        state.invite,
        state.host,
        tuple(state.members.values()),
        state.hues,
        watchers,
        state.evening,
        state.settings,
        state.ranks,
        state.deals,
        state.chance,
        state.proven,
        state.dealt,
    )
    if run is None:
        return room
    return (*room, run.match_id, run.stopped, run.hands, views.is_quiet(run.match), *views.makes_match(run.match))


def times(state: Room) -> Times:
    """Show what the clocks of the room say."""
    clocks, ended = state.clocks, None if state.run is None else state.run.ended
    rest = None if state.run is None else state.run.rest
    return {
        "motion": vote_queries.shown(state),
        "rest": None if rest is None else rest.shown,
        "may_take_back": vote_queries.take_back(state),
        "hurry": delay.hurry(state),
        "deadlines": _of_all_awaited(state, clocks.turns),
        "away": clocks.away,
        "waits": _of_all_awaited(state, clocks.waits),
        "host_at": clocks.host,
        "next_at": clocks.deal,
        "next_open_at": None if ended is None or state.phase != "pause" else ended + NEXT_FOR_ALL,
    }


def _of_all_awaited(state: Room, times: Mapping[str, int]) -> Mapping[str, int]:
    """Return the times of those who are waited for; where gifts are chosen unseen, also for those who have chosen."""
    match = state.match
    if not times or match is None or match.phase != "exchange":
        return times
    awaited = match.game.awaited(match.the_hand)
    latest = max(times.values())
    return {name: times.get(name, latest) for name in awaited if state.members[name].player is None}


def table(state: Room) -> dict[str, Any] | None:
    """Show all that everybody may know of the match, under the keys of `views.table`; None in the waiting room."""
    return None if state.match is None else views.table(state.match)


class Chair(TypedDict):
    """What somebody with a name here is told of themselves."""

    name: Annotated[str | None, "One’s own name here; null before joining."]
    role: Annotated[Role | None, "As in `people`."]
    host: Annotated[bool, "Whether one is the host."]
    deadline: NotRequired[Annotated[int | None, "When the clock acts for one."]]
    request: NotRequired[
        Annotated[
            int | None,
            "The number of what one may answer with an action of `legal`: `act` sends it back. null: nothing.",
        ]
    ]


class SeatGiven(TypedDict):
    """A seat that the host has given to another browser."""

    name: Annotated[str, "The name of the player in this seat."]
    by: Annotated[str | None, "The host who let the other browser in; null if this is not known."]
    at: Annotated[int, "When, in epoch milliseconds."]


class You(Chair):
    """What only this seat may know; a watcher's is almost empty."""

    person: Annotated[bool, "Whether the server knows who asks."]
    seat_given: NotRequired[
        Annotated[SeatGiven | None, "Your seat that another browser has now: `take_seat_back` gives it back to you."]
    ]
    requests: NotRequired[Annotated[str | None, "The name whose seat you have asked the host for."]]
    was_host: NotRequired[
        Annotated[bool, "Whether the host's powers were passed on while you were away: `host_again` takes them back."]
    ]
    link_shut: NotRequired[
        Annotated[bool, "Whether no link to your seat works, as you took it back: `ask_for_link` allows links again."]
    ]
    helps: NotRequired[Annotated[stand_ins.Helper | None, "As whom in `room.helps` one may let a bot play for others."]]
    shut: NotRequired[Annotated[Text | None, "Before joining: why one may not come in now; null where one may."]]


def you(state: Room, person: str | None) -> dict[str, Any]:
    """Show what only this person may know: the keys of `You`, and what `seat` shows who has a name here."""
    member = state.member_of(person)
    if member is None:
        why = state.shut_to(person)
        shut = None if why is None else text(why)
        nobody: You = {
            "person": person is not None,
            "name": None,
            "role": None,
            "host": False,
            "shut": shut,
            "seat_given": seat_given(state, person),
            "requests": None if person is None else stand_ins.requested_seat(state, person),
        }
        return {**nobody}
    return {**standing(state, member), **turn(state, member), **besides(state, member)}


def seat_given(state: Room, person: str | None) -> SeatGiven | None:
    """Show the seat that the host has given away from this person; None if there is none."""
    given = None if person is None else stand_ins.given_away(state, person)
    if given is None:
        return None
    member, former = given
    return {"name": member.name, "by": former.by, "at": former.at}


def standing(state: Room, member: Member) -> dict[str, Any]:
    """Show what somebody with a name here alone may know and an action in a trick leaves as it is."""
    match = state.match
    told = {
        "person": True,
        "helps": stand_ins.helper(state, member),
        "name": member.name,
        "role": member.role,
        "host": state.host == member.name,
        "seat_given": None if state.has_place(member.name) else seat_given(state, member.person),
        "link_shut": member.link_shut,
        "was_host": state.host_before == member.name,
    }
    return told if match is None or member.role != "seated" else {**told, **views.standing(match, member.name)}


def turn(state: Room, member: Member) -> dict[str, Any]:
    """Show what any action may change of what they alone may know."""
    run, deadline = state.run, state.clocks.turns.get(member.name)
    if run is None or member.role != "seated":
        return {"deadline": deadline}
    turn = views.turn(run.match, member.name)
    return {"deadline": deadline, "request": run.requests.of(member.name) if turn["legal"] else None, **turn}


def makes_turn(state: Room, name: str) -> tuple[object, ...] | None:
    """Give all that this is made of where it `is_quiet`, besides what lasts: while each is the same, so is that. None:
    it is made anew, for it is theirs."""
    run = state.run
    hand = None if run is None else run.match.hand
    if hand is None or name in hand.to_act:
        return None
    return state.clocks.turns.get(name), hand.cards.get(name)


def besides(state: Room, member: Member) -> dict[str, Any]:
    """Show what else they alone may know."""
    if state.match is None or member.role != "seated":
        return {}
    besides = views.besides(state.match, member.name)
    if state.chance.cut is not None:
        # One may cut again and again; once is what is meant.
        besides["may"] = [action for action in besides["may"] if action["do"] != NAMES[Cut]]
    return besides


def view(state: Room, member: Member) -> dict[str, Any]:
    """Show what this player alone may know of the match: the keys of `views.seat`; none for who plays in none."""
    match, name = state.match, member.name
    if match is None or member.role != "seated":
        return {}
    return {**views.standing(match, name), **views.turn(match, name), **besides(state, member)}


def is_quiet(state: Room) -> bool:
    """Tell whether `besides` stays as it is, whatever those do who are to act."""
    return state.match is not None and views.is_quiet(state.match)


def seat(state: Room, name: str) -> dict[str, Any]:
    """Show a bot what its seat alone may know: the keys of `Chair`; in a match those of `views.seat`, too."""
    member = state.members[name]
    chair: Chair = {
        "name": name,
        "role": member.role,
        "host": state.host == name,
        "deadline": state.clocks.turns.get(name),
    }
    return {**chair, **view(state, member)}


def for_bot(state: Room, name: str) -> Mapping[str, Any]:
    """Give a bot the whole view of a seat, `room`, `table` and `you`; what it was `dealt`, and `told` since then."""
    run, log = state.run, NO_LOG if state.run is None else state.run.hand
    dealt = () if run is None or log.dealt is None else run.match.game.saw(log.dealt.deal.cards.get(name, ()))
    seen = {"room": room(state), "table": table(state), "you": seat(state, name)}
    return {**seen, "told": log.told(name), "dealt": show(dealt)}


def job(state: Room, name: str, seed: int) -> bytes | None:
    """What a bot in this seat is told that thinks elsewhere; None where nothing can be thought ahead."""
    if state.run is None or (dealt := state.run.hand.dealt) is None:
        return None
    log = state.run.hand
    return job_of(state.run.match, name, log.told(name), dealt.deal.cards.get(name, ()), USUAL, seed)


def look(state: Room, person: str | None, cards: Cards) -> list[dict[str, Any]]:
    """List every legal way in which this person could play exactly these cards now, as actions in JSON."""
    member = state.member_of(person)
    if member is None or state.match is None:
        return []
    return [action_json(action) for action in state.match.plays_of(member.name, cards)]


def prospects(state: Room, person: str | None, first: int) -> views.Foreseen:
    """What this person may play now, from the `first` legal action on, and what each play would do."""
    member = state.member_of(person)
    if member is None or member.role != "seated" or state.match is None:
        return {"prospects": [], "next": None}
    return views.prospects(state.match, member.name, first)
