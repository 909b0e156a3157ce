"""Views of a room: the public part for everybody, and the private part for one seat.

`app/engine/match/views.py` decides which cards are secret. Both modules list what is visible. The secret behind a
commitment and the ids of persons are in no view.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from app.bots.search.search_bot import DEFAULT_BUDGET
from app.bots.search.worker_job import encode_search_job
from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import ACTION_NAMES, action_to_json
from app.engine.cards.actions import Cut, Play
from app.engine.cards.cards import Cards, format_cards
from app.engine.display.table_display import DisplayText, text_to_json
from app.engine.match import views
from app.rooms.bots import delay
from app.rooms.log.deadlines import NEXT_DEAL_FOR_ALL_MS
from app.rooms.model import faces, vote_queries
from app.rooms.model.member import Member, PersonView, Role
from app.rooms.model.shuffle_proof import CancelledDealView, ClosedListView, PastDeal
from app.rooms.model.state import NO_LOG, DealtView, HandInShort, Phase, Rank, Room
from app.rooms.model.vote import PauseView, UndoView, VoteView
from app.rooms.money.session import SessionView
from app.rooms.recorded import variations
from app.rooms.seats import next_deal, stand_ins
from app.rooms.views.guests import NO_GUESTS, Guests, GuestView


class Fair(TypedDict):
    """How the next deal (or the running one) is shuffled, and the proof of the last deal."""

    commitment: Annotated[str, "The SHA-256 of the server's secret for the next deal, or for the running hand."]
    hashes: Annotated[Mapping[str, str], "The SHA-256 of each promised seed, by name."]
    cut: Annotated[int | None, "Number of cards after which the deck will be cut, if a player chose it."]
    closed: Annotated[
        ClosedListView | None,
        "The closed list, until the hand is over. If your hash is on it, send your seed now.",
    ]
    left_out: Annotated[list[str], "After the deal: names of people whose promised seeds came too late."]
    cancelled: Annotated[
        list[CancelledDealView],
        "Deals that were cancelled after their list was closed, until the next hand is over or a new match begins.",
    ]
    previous: Annotated[PastDeal | None, "The proof of the last deal, after its hand is over."]
    dealt: Annotated[DealtView | None, "The cards of the deal that `previous` proves, as they were dealt."]


class KnownCards(TypedDict):
    """Why the cards of a match are known to players. Such a match does not count in stats."""

    how: Annotated[
        Literal["variation", "deals"],
        "variation: continues from a position of another match; deals: uses the deals of another match.",
    ]
    hand: Annotated[int, "For a variation: the hand of the original match, from 0."]
    move: Annotated[int, "For a variation: the number of actions made before it began."]
    by: Annotated[list[str], "For deals: members of the room who played the original match."]
    players: Annotated[int | None, "For deals: the number of players, before the match begins."]


class LeftPlayer(TypedDict):
    """A player who left the running match and may come back to a free seat."""

    name: Annotated[str, "The name of the player."]
    points: Annotated[int, "The points of the player in this match."]
    seat_requested: Annotated[
        bool, "Whether a visitor asks the host to come back as this player. `answer_seat_request` answers."
    ]


class StableRoomView(TypedDict):
    """The members of a room and the state of its match. A play of cards does not change it."""

    code: Annotated[str, "The code of the room, as in its address."]
    rewinds: Annotated[
        int,
        "Number of times that the database lost the last entries of this room. `seq` may then be lower than before.",
    ]
    operator_looks: Annotated[
        int, "Number of times that the operator of the server looked at hidden data of this room, such as cards."
    ]
    invite: Annotated[str, "The secret part of the link to share, /j/{invite}."]
    phase: Annotated[
        Phase,
        "lobby: the waiting room; between_hands: in a match without a running hand.",
    ]
    ended_early: Annotated[bool, "Whether the match was stopped before its end."]
    host: Annotated[str | None, "The name of the host; null: nobody is host."]
    people: Annotated[list[PersonView], "All members, in the order in which they joined."]
    left_players: Annotated[
        list[LeftPlayer], "Players who left this match. `ask_for_seat` lets them come back from another browser."
    ]
    birds: Annotated[
        Mapping[str, str],
        "The bird of each member and player, by name. Up to 64 of them differ in bird or colour.",
    ]
    hues: Annotated[
        Mapping[str, int],
        "The colour of each member and player, by name: 0 to 7. Only a change of the profile changes it.",
    ]
    spectators: Annotated[int, "Number of people without a name who watch. Members find them in `you.guests`."]
    joining: Annotated[
        int,
        "Number of these spectators whose page asks for their name. Televisions and other pages that only watch are "
        "not counted.",
    ]
    seat_plan: Annotated[next_deal.SeatPlan, "Free seats, and the people who get one at the next deal."]
    can_start: Annotated[bool, "Whether a match, or its next hand, can start now."]
    carried_titles: Annotated[
        Mapping[str, Rank],
        "Outside a match: the place and title with which each player would start the next match, by name.",
    ]
    start_blocked_text: Annotated[str | None, "Why no hand can start now, in English; null: it can."]
    start_blocked: Annotated[DisplayText | None, "The same text, for translation."]
    let_bot_play_after: Annotated[
        stand_ins.StandInWaits, "Times until others may let a bot play, for each late player."
    ]
    match_id: Annotated[str | None, "The current match, or the last one: /matches/{match_id}."]
    hands: Annotated[Sequence[HandInShort], "Results of the last finished hands of this match."]
    session: Annotated[SessionView | None, "The points to settle in this session, if points have a price."]
    known_cards: Annotated[KnownCards | None, "Why the cards of this or the next match are known; null: they are not."]
    fair: Annotated[Fair, "Data for checking that deals are fair."]


class ClocksView(TypedDict):
    """Deadlines, votes and pauses."""

    vote: Annotated[VoteView | None, "The running vote."]
    paused: Annotated[PauseView | None, "The pause of the match; null: it is not paused."]
    may_undo: Annotated[
        UndoView | None, "The last play, which its player may ask to undo; null: no play can be undone."
    ]
    bots_speed: Annotated[
        delay.Hurry | None,
        "How fast bots play if all people in the hand are out of cards: faster, or at once; null: as always.",
    ]

    deadlines: Annotated[
        Mapping[str, int],
        "When the time of each awaited player ends, with the time reserve, in epoch milliseconds by name.",
    ]
    reserve_from: Annotated[
        Mapping[str, int], "When the time reserve of each awaited player begins, in epoch milliseconds by name."
    ]
    reserves: Annotated[
        Mapping[str, int],
        "Milliseconds left of each player's time reserve at this update, by name. Empty without reserves, and in an "
        "exchange.",
    ]
    bot_takes_over_at: Annotated[
        Mapping[str, int], "When a bot takes over for each absent player, in epoch milliseconds by name."
    ]
    waiting_since: Annotated[
        Mapping[str, int], "Since when the game waits for each player, in epoch milliseconds by name."
    ]
    host_transfer_at: Annotated[
        int | None, "When another player replaces the absent host, in epoch milliseconds; null: the host stays."
    ]
    next_deal_at: Annotated[
        int | None, "When the next hand is dealt automatically, in epoch milliseconds; null: not at all."
    ]
    anyone_may_deal_at: Annotated[
        int | None, "When any player may ask for the next hand, in epoch milliseconds; null: no hand to deal."
    ]


class RoomViewWithoutSettings(StableRoomView, ClocksView):
    """The public view of a room, without its settings."""


def build_room(state: Room) -> Mapping[str, Any]:
    """Return the room's whole public view as JSON, as if nobody watched without a name.

    That is its settings and the keys of `RoomViewWithoutSettings`.
    """
    return {**state.settings.view, **build_room_without_settings(state)}


def build_room_without_settings(state: Room) -> RoomViewWithoutSettings:
    """Return the room's public view as JSON, without its settings and as if nobody watched without a name."""
    return {**build_stable_room(state), **build_clocks(state)}


def build_stable_room(state: Room, guests: Guests = NO_GUESTS) -> StableRoomView:
    """Return the part of the room's public view that an action in a trick does not change, so that it can be kept."""
    why_not, phase, run = state.deal_refusal(), state.phase, state.run
    shown = faces.faces_by_name(state)
    return {
        "code": state.code,
        "rewinds": state.rewinds,
        "operator_looks": state.operator_looks,
        "invite": state.invite,
        "phase": phase,
        "ended_early": run is not None and run.stopped,
        "host": state.host,
        "people": [member.view(_seat_offer_of(state, member)) for member in state.members.values()],
        "left_players": _build_left_players(state),
        "birds": faces.birds_by_name(shown),
        "hues": faces.hues_by_name(shown),
        "spectators": guests.count,
        "joining": guests.joining,
        "seat_plan": next_deal.seat_plan_view(state),
        "can_start": phase in ("lobby", "between_hands") and why_not is None,
        "carried_titles": {} if state.in_match else state.ranks_of_next_match(),
        "start_blocked_text": why_not,
        "start_blocked": None if why_not is None else text_to_json(why_not),
        "let_bot_play_after": stand_ins.stand_in_wait_times(state),
        "match_id": None if run is None else run.match_id,
        "hands": () if run is None else run.hands,
        "session": None if state.evening is None or state.settings.stake is None else state.evening.view,
        "known_cards": _build_known_cards(state),
        "fair": _build_shuffle_proofs(state),
    }


def _build_left_players(state: Room) -> list[LeftPlayer]:
    totals = {} if state.match is None else state.match.totals
    return [
        {"name": left.name, "points": totals.get(left.name, 0), "seat_requested": left.requested_by is not None}
        for left in state.departed
    ]


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
        "cancelled": [
            {"reason": each["reason"], "by": each["by"], "list": each["list"], "givers": each["givers"]}
            for each in state.cancelled
        ],
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


def stable_view_inputs(state: Room, guests: Guests) -> tuple[object, ...]:
    """Return all inputs of those parts of a room's view that an action in a trick does not change.

    While they are equal, these parts are not built again: the settings, `build_stable_room`, `views.match_section`,
    `views.player_ranks` and `build_stable_you`. If `is_extra_you_stable`, `build_extra_you` is not built again either.

    This saves a third of the instructions of a command (docs/measurements/server.md). A missing input leads to stale
    data: tests/engine/match/test_views.py and tests/rooms/views/test_delta.py compare with new views.
    """
    run = state.run
    room = (
        state.code,
        state.rewinds,
        state.operator_looks,
        state.invite,
        state.host,
        tuple(state.members.values()),
        state.faces,
        guests,
        state.evening,
        state.settings,
        state.ranks,
        state.deals,
        state.chance,
        state.cancelled,
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
        run.departed,
        views.are_waiting_players_idle(run.match),
        *views.match_section_cache_key(run.match),
    )


def _seat_offer_of(state: Room, member: Member) -> str | None:
    """Return the name of the spectator to whom this member offers their seat; None for nobody who is here."""
    spectator = state.find_member(member.offered_to)
    return None if spectator is None else spectator.name


def build_clocks(state: Room) -> ClocksView:
    """Return the part of the room's public view about deadlines, hurried bots, votes, pauses and undo."""
    clocks, ended = state.clocks, None if state.run is None else state.run.ended
    rest = None if state.run is None else state.run.rest
    return {
        "vote": vote_queries.vote_view(state),
        "paused": None if rest is None else rest.view,
        "may_undo": vote_queries.undo_view(state),
        "bots_speed": delay.hurry_mode(state),
        **_turn_times(state),
        "bot_takes_over_at": clocks.away,
        "waiting_since": _times_of_all_awaited(state, clocks.waits),
        "host_transfer_at": clocks.host,
        "next_deal_at": clocks.deal,
        "anyone_may_deal_at": None if ended is None or state.phase != "between_hands" else ended + NEXT_DEAL_FOR_ALL_MS,
    }


class _TurnTimes(TypedDict):
    deadlines: Mapping[str, int]
    reserve_from: Mapping[str, int]
    reserves: Mapping[str, int]


def _turn_times(state: Room) -> _TurnTimes:
    """Return the ends of turns and the time reserves for the public view.

    In an exchange with reserves, all have the time of a whole reserve, so that nobody sees who has chosen.
    """
    clocks, run = state.clocks, state.run
    if run is None or run.reserve is None:
        return {"deadlines": _times_of_all_awaited(state, clocks.turns), "reserve_from": {}, "reserves": {}}
    if run.match.phase == "exchange":
        ends = _times_of_all_awaited(state, clocks.reserve_from)
        latest = max(ends.values(), default=0)
        return {
            "deadlines": dict.fromkeys(ends, latest + run.reserve.ms),
            "reserve_from": dict.fromkeys(ends, latest),
            "reserves": {},
        }
    people = (name for name in run.match.seats if state.members[name].bot is None)
    return {
        "deadlines": clocks.turns,
        "reserve_from": clocks.reserve_from,
        "reserves": {name: clocks.reserves.get(name, run.reserve.ms) for name in people},
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
    """Your own place in the room."""

    name: Annotated[str | None, "Your name in this room; null before joining."]
    role: Annotated[Role | None, "Your role, as in `people`."]
    host: Annotated[bool, "Whether you are the host."]
    deadline: NotRequired[Annotated[int | None, "When your time ends, with your reserve, in epoch milliseconds."]]
    reserve_from: NotRequired[
        Annotated[int | None, "When your time reserve begins, in epoch milliseconds; null: none."]
    ]
    request: NotRequired[
        Annotated[
            int | None,
            "The number of the request that you may answer with an action of `legal`; send it with `act`. null: none.",
        ]
    ]


class SeatGiven(TypedDict):
    """A seat that the host gave to another browser."""

    name: Annotated[str, "The name of the player in this seat."]
    by: Annotated[str | None, "The host who gave the seat to the other browser; null: unknown."]
    at: Annotated[int, "When the seat was given away, in epoch milliseconds."]


class FaceView(TypedDict):
    """A bird in a colour."""

    bird: Annotated[str, "The bird, such as “robin”."]
    colour: Annotated[str, "The colour, such as “sky”."]


class You(MemberSelfView):
    """What only you may know. Spectators get only a few keys."""

    person: Annotated[bool, "Whether the server knows you: your cookie or token is valid."]
    seat_given: NotRequired[
        Annotated[SeatGiven | None, "Your seat that another browser has now. `take_seat_back` returns it to you."]
    ]
    requested_seat: NotRequired[Annotated[str | None, "The name of the player whose seat you have asked for."]]
    was_host: NotRequired[
        Annotated[
            bool, "Whether another player became host while you were away. `take_host_back` makes you host again."
        ]
    ]
    guests: NotRequired[
        Annotated[list[GuestView], "The people without a name who watch, the first ones of `room.spectators`."]
    ]
    screen_key: NotRequired[
        Annotated[
            str | None,
            "The key of your link for a television, /r/{code}/screen?key={screen_key}; null: it needs none.",
        ]
    ]
    links_blocked: NotRequired[
        Annotated[
            bool, "Whether links to your seat are blocked, because you took it back. `ask_for_link` allows them again."
        ]
    ]
    let_bot_play_as: NotRequired[
        Annotated[
            stand_ins.HelperRole | None,
            "Your list in `room.let_bot_play_after`: host or players; null: you may not let a bot play.",
        ]
    ]
    join_blocked: NotRequired[Annotated[DisplayText | None, "Before joining: why you can't join now; null: you can."]]
    free_faces: NotRequired[
        Annotated[
            list[FaceView], "Before joining: faces to choose from. The first is yours if you send none with `join`."
        ]
    ]


def build_you(state: Room, person: str | None, guests: Guests = NO_GUESTS) -> dict[str, Any]:
    """Return this person's whole private view of the room as JSON, with the keys of `You`.

    Players also get the keys of their seat, such as their cards. Visitors learn whether they may join. None: unknown.
    """
    member = state.find_member(person)
    if member is None:
        why = state.join_refusal(person)
        blocked = None if why is None else text_to_json(why)
        nobody: You = {
            "person": person is not None,
            "name": None,
            "role": None,
            "host": False,
            "join_blocked": blocked,
            "seat_given": build_seat_given(state, person),
            "requested_seat": None if person is None else stand_ins.requested_seat(state, person),
        }
        if person is not None:
            free = faces.free_faces(state, person)
            nobody["free_faces"] = [{"bird": face.bird, "colour": face.colour} for face in free]
        return {**nobody}
    return {**build_stable_you(state, member, guests), **build_turn(state, member), **build_extra_you(state, member)}


def build_seat_given(state: Room, person: str | None) -> SeatGiven | None:
    """Return, for the private view, the seat that the host gave from this person to another browser; or None."""
    given = None if person is None else stand_ins.find_seat_given_away(state, person)
    if given is None:
        return None
    member, former = given
    return {"name": member.name, "by": former.by, "at": former.at}


def build_stable_you(state: Room, member: Member, guests: Guests) -> dict[str, Any]:
    """Return the part of a member's private view that an action in a trick does not change, so that it can be kept."""
    match = state.match
    view = {
        "person": True,
        "let_bot_play_as": stand_ins.helper_role_of(state, member),
        "name": member.name,
        "role": member.role,
        "host": state.host == member.name,
        "seat_given": None if state.has_match_seat(member.name) else build_seat_given(state, member.person),
        "guests": guests.listed,
        "screen_key": None if state.settings.allow_spectators else state.screen_key(member.person or ""),
        "links_blocked": member.link_shut,
        "was_host": state.host_before == member.name,
    }
    return (
        view if match is None or member.role != "seated" else {**view, **views.seat_match_section(match, member.name)}
    )


def build_turn(state: Room, member: Member) -> dict[str, Any]:
    """Return the part of a member's private view that any action may change: deadline, legal actions and cards."""
    run, times = state.run, _own_turn_times(state, member.name)
    if run is None or member.role != "seated":
        return dict(times)
    turn = views.seat_turn_section(run.match, member.name)
    return {
        **times,
        "request": run.requests.request_number_of(member.name) if turn["legal"] else None,
        **turn,
    }


class _OwnTurnTimes(TypedDict):
    deadline: int | None
    reserve_from: int | None


def _own_turn_times(state: Room, name: str) -> _OwnTurnTimes:
    clocks = state.clocks
    return {"deadline": clocks.turns.get(name), "reserve_from": clocks.reserve_from.get(name)}


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
        besides["off_turn"] = [action for action in besides["off_turn"] if action["do"] != ACTION_NAMES[Cut]]
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
    own: MemberSelfView = {
        "name": name,
        "role": member.role,
        "host": state.host == name,
    }
    return {**own, **_own_turn_times(state, name), **build_own_match_view(state, member)}


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


def preview_cards(state: Room, person: str | None, cards: Cards) -> tuple[list[dict[str, Any]], RuleError | None]:
    """Return each legal action in which this person plays exactly these cards now, as JSON.

    If the rules refuse these cards on the person's turn, also returns the reason. Empty for people who don't play.
    """
    member = state.find_member(person)
    if member is None or state.match is None:
        return [], None
    plays = [action_to_json(action) for action in state.match.legal_plays_of_cards(member.name, cards)]
    if not plays and member.name in state.match.to_act:
        try:
            state.match.apply_action(member.name, Play(cards))
        except RuleError as refusal:
            return [], refusal
    return plays, None


def preview_plays(state: Room, person: str | None, first: int) -> views.PreviewPage:
    """Return this person's legal plays with the effect of each, starting at number `first` in the list.

    Empty for people who don't play. The page shows it while the player chooses cards.
    """
    member = state.find_member(person)
    if member is None or member.role != "seated" or state.match is None:
        return {"previews": [], "next": None}
    return views.preview_plays(state.match, member.name, first)
