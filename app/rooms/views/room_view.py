"""Views of a room: the public part for everybody, and the private part for one seat.

`app/engine/match/views.py` decides which cards are secret. Both modules list what is visible. The secret behind a
commitment and the ids of persons are in no view.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from app.bots.search.search_bot import DEFAULT_BUDGET
from app.bots.search.worker_job import encode_search_job
from app.engine.cards.action_codec import ACTION_NAMES, action_to_json
from app.engine.cards.actions import Cut
from app.engine.cards.cards import Cards, format_cards
from app.engine.display.table_display import DisplayText, text_to_json
from app.engine.match import views
from app.rooms.bots import delay
from app.rooms.log.deadlines import NEXT_DEAL_FOR_ALL_MS
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


class StableRoomView(TypedDict):
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
    why: Annotated[DisplayText | None, "The same, to be said in any language."]
    helps: Annotated[stand_ins.Helps, "For whom others may let a bot play, and after how long."]
    match_id: Annotated[str | None, "Of the match that runs or ran last: /matches/{match_id}."]
    hands: Annotated[Sequence[HandInShort], "The last finished hands of this match."]
    evening: Annotated[
        EveningShown | None, "Who owes whom by the hands of this evening, where something is played for."
    ]
    known: Annotated[KnownCards | None, "Whether the cards of this match, or of the next, are known."]
    fair: Annotated[Fair, "What makes the shuffle one that anybody can check."]


class ClocksView(TypedDict):
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


class RoomViewWithoutSettings(StableRoomView, ClocksView):
    """What everybody may know of a room besides its settings."""


def build_room(state: Room, spectators: int = 0) -> Mapping[str, Any]:
    """Return the room's whole public view as JSON: its settings and the keys of `RoomViewWithoutSettings`.

    `spectators`: their number, which is not stored in the room.
    """
    return {**state.settings.view, **build_room_without_settings(state, spectators)}


def build_room_without_settings(state: Room, spectators: int = 0) -> RoomViewWithoutSettings:
    """Return the room's public view as JSON, without its settings. `spectators`: their number."""
    return {**build_stable_room(state, spectators), **build_clocks(state)}


def build_stable_room(state: Room, spectators: int) -> StableRoomView:
    """Return the part of the room's public view that an action in a trick does not change, so that it can be kept.

    `spectators`: their number.
    """
    why_not, phase, run = state.deal_refusal(), state.phase, state.run
    return {
        "code": state.code,
        "rewinds": state.rewinds,
        "invite": state.invite,
        "phase": phase,
        "stopped": run is not None and run.stopped,
        "host": state.host,
        "people": [member.view() for member in state.members.values()],
        "hues": colours.colours_by_name(state),
        "watchers": spectators,
        "chairs": next_deal.seat_plan_view(state),
        "can_start": phase in ("lobby", "pause") and why_not is None,
        "society": {} if state.in_match else state.ranks_of_next_match(),
        "why_not": why_not,
        "why": None if why_not is None else text_to_json(why_not),
        "helps": stand_ins.stand_in_wait_times(state),
        "match_id": None if run is None else run.match_id,
        "hands": () if run is None else run.hands,
        "evening": None if state.evening is None or state.settings.stake is None else state.evening.view,
        "known": _build_known_cards(state),
        "fair": _build_shuffle_proofs(state),
    }


def _build_shuffle_proofs(state: Room) -> Fair:
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
        "closed": None if closed is None else closed.view,
        "left_out": chance.missing_seed_givers if state.phase == "playing" else [],
        "previous": state.proven,
        "dealt": state.dealt,
    }


def _build_known_cards(state: Room) -> KnownCards | None:
    origin = None if state.run is None else state.run.origin
    if origin is not None:
        how, hand, move, players = origin.how, origin.hand, origin.move, None
    elif state.deals is not None:
        how, hand, move, players = "deals", 0, 0, state.deals.player_count
    else:
        return None
    return {"how": how, "hand": hand, "move": move, "by": variations.members_who_know_cards(state), "players": players}


def stable_view_inputs(state: Room, spectators: int) -> tuple[object, ...]:
    """Return all inputs of those parts of a room's view that an action in a trick does not change.

    While they are equal, these parts are not built again: the settings, `build_stable_room`, `views.match_section`,
    `views.player_ranks` and `build_stable_you`, and also `build_extra_you` if `is_extra_you_stable`.

    Without this and the `*_cache_key` functions, a command takes 63 % more instructions. Without `*_cache_key`
    alone it takes 13 % more, including 4 % for a cache key of the display section, since removed (20 rooms,
    2026-11-27, docs/measurements/optimisations.md). A missing input leads to stale data:
    tests/engine/match/test_views.py and tests/rooms/views/test_delta.py compare with new views.
    """
    run = state.run
    room = (
        state.code,
        state.rewinds,
        state.invite,
        state.host,
        tuple(state.members.values()),
        state.hues,
        spectators,
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
    return (
        *room,
        run.match_id,
        run.stopped,
        run.hands,
        views.are_waiting_players_idle(run.match),
        *views.match_section_cache_key(run.match),
    )


def build_clocks(state: Room) -> ClocksView:
    """Return the part of the room's public view about deadlines, hurried bots, votes, pauses and undo."""
    clocks, ended = state.clocks, None if state.run is None else state.run.ended
    rest = None if state.run is None else state.run.rest
    return {
        "motion": vote_queries.vote_view(state),
        "rest": None if rest is None else rest.view,
        "may_take_back": vote_queries.undo_view(state),
        "hurry": delay.hurry_mode(state),
        "deadlines": _times_of_all_awaited(state, clocks.turns),
        "away": clocks.away,
        "waits": _times_of_all_awaited(state, clocks.waits),
        "host_at": clocks.host,
        "next_at": clocks.deal,
        "next_open_at": None if ended is None or state.phase != "pause" else ended + NEXT_DEAL_FOR_ALL_MS,
    }


def _times_of_all_awaited(state: Room, times: Mapping[str, int]) -> Mapping[str, int]:
    """Return these times of the players who are awaited, by name, for the public view.

    In a secret exchange, players who have chosen already get the latest of them, so that nobody sees who has chosen.
    """
    match = state.match
    if not times or match is None or match.phase != "exchange":
        return times
    awaited = match.game.awaited_players(match.current_hand)
    latest = max(times.values())
    return {name: times.get(name, latest) for name in awaited if state.members[name].active_bot is None}


def build_table(state: Room) -> dict[str, Any] | None:
    """Return the public view of the room's match, with the keys of `views.table_view`; None in the waiting room."""
    return None if state.match is None else views.table_view(state.match)


class MemberSelfView(TypedDict):
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


class You(MemberSelfView):
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
    helps: NotRequired[
        Annotated[stand_ins.HelperRole | None, "As whom in `room.helps` one may let a bot play for others."]
    ]
    shut: NotRequired[Annotated[DisplayText | None, "Before joining: why one may not come in now; null where one may."]]


def build_you(state: Room, person: str | None) -> dict[str, Any]:
    """Return this person's whole private view of the room as JSON, with the keys of `You`.

    Players also get the keys of their seat, such as their cards. Visitors learn whether they may join. None: unknown.
    """
    member = state.find_member(person)
    if member is None:
        why = state.join_refusal(person)
        shut = None if why is None else text_to_json(why)
        nobody: You = {
            "person": person is not None,
            "name": None,
            "role": None,
            "host": False,
            "shut": shut,
            "seat_given": build_seat_given(state, person),
            "requests": None if person is None else stand_ins.requested_seat(state, person),
        }
        return {**nobody}
    return {**build_stable_you(state, member), **build_turn(state, member), **build_extra_you(state, member)}


def build_seat_given(state: Room, person: str | None) -> SeatGiven | None:
    """Return, for the private view, the seat that the host gave from this person to another browser; or None."""
    given = None if person is None else stand_ins.find_seat_given_away(state, person)
    if given is None:
        return None
    member, former = given
    return {"name": member.name, "by": former.by, "at": former.at}


def build_stable_you(state: Room, member: Member) -> dict[str, Any]:
    """Return the part of a member's private view that an action in a trick does not change, so that it can be kept."""
    match = state.match
    told = {
        "person": True,
        "helps": stand_ins.helper_role_of(state, member),
        "name": member.name,
        "role": member.role,
        "host": state.host == member.name,
        "seat_given": None if state.has_match_seat(member.name) else build_seat_given(state, member.person),
        "link_shut": member.link_shut,
        "was_host": state.host_before == member.name,
    }
    return (
        told if match is None or member.role != "seated" else {**told, **views.seat_match_section(match, member.name)}
    )


def build_turn(state: Room, member: Member) -> dict[str, Any]:
    """Return the part of a member's private view that any action may change: deadline, legal actions and cards."""
    run, deadline = state.run, state.clocks.turns.get(member.name)
    if run is None or member.role != "seated":
        return {"deadline": deadline}
    turn = views.seat_turn_section(run.match, member.name)
    return {
        "deadline": deadline,
        "request": run.requests.request_number_of(member.name) if turn["legal"] else None,
        **turn,
    }


def turn_cache_key(state: Room, name: str) -> tuple[object, ...] | None:
    """Return what `build_turn` depends on apart from the stable inputs, so that an equal result is not built again.

    Valid only if `is_extra_you_stable`. None if the seat is awaited or no hand runs: then build it each time.
    """
    run = state.run
    hand = None if run is None else run.match.hand
    if hand is None or name in hand.to_act:
        return None
    return state.clocks.turns.get(name), hand.cards.get(name)


def build_extra_you(state: Room, member: Member) -> dict[str, Any]:
    """Return a seated member's actions that are possible at any time, also out of turn, for their private view.

    Empty for others. A second cut of the deck is not offered.
    """
    if state.match is None or member.role != "seated":
        return {}
    besides = views.seat_off_turn_section(state.match, member.name)
    if state.chance.cut is not None:
        # The player has cut the deck already; offer only one cut.
        besides["may"] = [action for action in besides["may"] if action["do"] != ACTION_NAMES[Cut]]
    return besides


def build_own_match_view(state: Room, member: Member) -> dict[str, Any]:
    """Return a player's private view of the match, with the keys of `views.seat_view`.

    Empty for members who don't play, and in the waiting room.
    """
    match, name = state.match, member.name
    if match is None or member.role != "seated":
        return {}
    return {
        **views.seat_match_section(match, name),
        **views.seat_turn_section(match, name),
        **build_extra_you(state, member),
    }


def is_extra_you_stable(state: Room) -> bool:
    """Return whether an awaited player's action leaves the others' actions out of turn (`build_extra_you`) unchanged.

    Then these are not built again.
    """
    return state.match is not None and views.are_waiting_players_idle(state.match)


def build_seat(state: Room, name: str) -> dict[str, Any]:
    """Return a seat's private view as JSON: the keys of `MemberSelfView`, and in a match its cards and actions.

    For bots and lessons.
    """
    member = state.members[name]
    chair: MemberSelfView = {
        "name": name,
        "role": member.role,
        "host": state.host == name,
        "deadline": state.clocks.turns.get(name),
    }
    return {**chair, **build_own_match_view(state, member)}


def build_bot_view(state: Room, name: str) -> Mapping[str, Any]:
    """Return all that a bot in this seat knows, from which it chooses its action.

    The keys: `room`, `table`, `you`, the cards `dealt` to it, and the events `told` since then.
    """
    run, log = state.run, NO_LOG if state.run is None else state.run.hand
    dealt = (
        ()
        if run is None or log.dealt is None
        else run.match.game.cards_seen_at_deal(log.dealt.deal.cards.get(name, ()))
    )
    seen = {"room": build_room(state), "table": build_table(state), "you": build_seat(state, name)}
    return {**seen, "told": log.game_events_seen_by(name), "dealt": format_cards(dealt)}


def build_bot_job(state: Room, name: str, seed: int) -> bytes | None:
    """Return the encoded job by which a worker process searches for the action of this seat's hard bot.

    `seed`: for the search's random numbers. None if no hand was dealt.
    """
    if state.run is None or (dealt := state.run.hand.dealt) is None:
        return None
    log = state.run.hand
    return encode_search_job(
        state.run.match, name, log.game_events_seen_by(name), dealt.deal.cards.get(name, ()), DEFAULT_BUDGET, seed
    )


def legal_plays_with_cards(state: Room, person: str | None, cards: Cards) -> list[dict[str, Any]]:
    """Return each legal action in which this person plays exactly these cards now, as JSON.

    Empty for people who are not in the match.
    """
    member = state.find_member(person)
    if member is None or state.match is None:
        return []
    return [action_to_json(action) for action in state.match.legal_plays_of_cards(member.name, cards)]


def preview_plays(state: Room, person: str | None, first: int) -> views.Foreseen:
    """Return this person's legal plays with the effect of each, starting at number `first` in the list.

    Empty for people who don't play. The page shows it while the player chooses cards.
    """
    member = state.find_member(person)
    if member is None or member.role != "seated" or state.match is None:
        return {"prospects": [], "next": None}
    return views.preview_plays(state.match, member.name, first)
