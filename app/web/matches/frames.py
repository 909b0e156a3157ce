"""Recorded matches for pages: one match with its hands, and the frames of one hand, step by step.

Frames come from replaying the record: the match before the hand, then each action. If a rule was corrected later, an
old action may be illegal now. The frames then continue from the recorded events and cards.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Annotated, Any, TypeAlias, TypedDict

from app.engine.base.messages import MessageTemplate
from app.engine.cards.action_codec import ActionJson, parse_action
from app.engine.cards.actions import Action, cards_in_action
from app.engine.cards.cards import format_cards, parse_cards
from app.engine.display.events import (
    GameEvent,
    GameEventJson,
    animations_by_event,
    prominence_by_event,
    without_superseded_events,
)
from app.engine.display.table_display import Panel
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from app.engine.match.record import IllegalRecordedAction, InvalidRecord, replay_steps
from app.engine.match.record import parse_record as opened_record
from app.rooms.model import faces
from app.rooms.model.state import to_milliseconds
from app.rooms.people.avatars import PlayerFace
from app.stats.highlights import memorable_moments, select_highlights
from app.store.history.match_history import HandDetail, HandLine, MatchLine
from app.store.repositories.imported_matches import NewHand
from app.web.context.sessions import Person
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.services import room_access

TableJson: TypeAlias = Annotated[dict[str, Any], "Table"]
"""The public view of the match, as sockets send it."""
MOST_FRAMES = 1500
"""Limit for the frames of one hand: of a longer hand, the first frames and the last."""
MAX_CACHED_MATCHES = 400
"""Limit for cached match states, from which a replay can continue."""
STRIDE = 10
"""On the way to a later hand, only every tenth match state is cached."""


NOBODY_PLAYED = MessageTemplate("web.nobody_played", "Nobody called {name} played this hand.")


class FrameShown(TypedDict):
    """One step of the replay of a finished hand, with all cards open or from the view of one player."""

    by: Annotated[str | None, "The player who acted; null: the deal, or hidden from this seat."]
    action: Annotated[ActionJson | None, "The action; null: none, or hidden from this seat."]
    events: Annotated[list[GameEventJson], "The events of the step."]
    table: Annotated[TableJson | None, "The table after the step; null if today's rules can't replay the hand."]
    cards: Annotated[dict[str, str], "All players' cards by name. In a seat's view, only that player's own cards."]
    panels: Annotated[list[Panel], "Panels for this seat only."]
    highlight: Annotated[bool, "Whether the step is a highlight or decided the hand."]


async def load_match_with_hands(site: AppContext, match_id: str, person: Person | None = None) -> dict[str, Any]:
    """Return a match, played or imported, with its hands in short, as JSON; raise 404 if it is unknown.

    `person`: the visitor; decides which names and rooms are visible.
    """
    who = None if person is None else person.id
    found = await site.store.history.find_match(match_id, person_id=who)
    if found is None:
        found = await site.store.imported_matches.find_match(match_id, person_id=who)
    if found is None:
        raise _match_not_found(site)
    return {"match": match_view(found.match), "hands": await asyncio.to_thread(_hand_views, found.hands)}


async def load_record(site: AppContext, match_id: str) -> dict[str, Any]:
    """Return the record of a match, played or imported; raise 404 if it is unknown."""
    found = await site.store.history.load_record(match_id) or await site.store.imported_matches.load_record(match_id)
    if found is None:
        raise _match_not_found(site)
    return found


async def load_hand_frames(site: AppContext, match_id: str, number: int, seat: str | None = None) -> dict[str, Any]:
    """Return the frames (steps) of a finished hand as JSON, with all cards or as the player `seat` saw it.

    Raises 404 for an unknown hand, or a seat that did not play it.
    """
    found = await _find_hand(site, match_id, number)
    check_seat(seat, found.record)
    shown = _faces_to_json(await _player_faces(site, found))
    since = await site.store.history.find_replayable_record(
        match_id, number
    ) or await site.store.imported_matches.find_replayable_record(match_id, number)
    if since is not None:
        first, some = since
        made, _ = await asyncio.to_thread(_replay_hand, some, found.events, found.result, number - first, seat, None, 0)
        return {
            "match": match_id,
            **_hand_metadata(number, found.record, found.result, seat),
            **shown,
            **made,
        }
    kept = await load_record(site, match_id)
    # This match has no saved hand starts yet (backfill_hand_starts.py), so earlier hands are replayed, too. Viewers
    # often open the same or the next hand, so states are cached and the replay starts from the nearest one.
    first = max((n for of, n in site.match_cache if of == match_id and n <= number), default=0)
    start = site.match_cache.get((match_id, first))
    # A long match takes a hundred milliseconds, so it runs outside the event loop.
    made, places = await asyncio.to_thread(_replay_hand, kept, found.events, found.result, number, seat, start, first)
    for at, place in places.items():
        site.match_cache.pop((match_id, at), None)
        site.match_cache[match_id, at] = place
    while len(site.match_cache) > MAX_CACHED_MATCHES:
        del site.match_cache[next(iter(site.match_cache))]
    return {"match": match_id, **_hand_metadata(number, found.record, found.result, seat), **shown, **made}


async def load_faces(site: AppContext, match_id: str, number: int) -> dict[str, PlayerFace]:
    """Return the faces of a match's players by name; raise 404 for an unknown hand `number`."""
    return await _player_faces(site, await _find_hand(site, match_id, number))


async def _find_hand(site: AppContext, match_id: str, number: int) -> HandDetail:
    found = await site.store.history.find_hand(match_id, number) or await site.store.imported_matches.find_hand(
        match_id, number
    )
    if found is None:
        raise _match_not_found(site)
    return found


async def _player_faces(site: AppContext, found: HandDetail) -> dict[str, PlayerFace]:
    """Return the faces that the room gave to a match's players; those whom it does not know get one in order.

    An imported match has no room.
    """
    room = None if found.room is None else await room_access.load_room_readonly(site, found.room)
    known = dict[str, PlayerFace]()
    if room is not None:
        given = {name: faces.face_of_player(room, person, name) for name, person in found.persons.items()}
        known = {name: face for name, face in given.items() if face is not None}
    return faces.with_missing_faces((*found.persons, *found.record["cards"]), known)


def _faces_to_json(shown: Mapping[str, PlayerFace]) -> dict[str, Any]:
    """Return the birds and colours of these faces, each by name."""
    return {"birds": faces.birds_by_name(shown), "hues": faces.hues_by_name(shown)}


def frames_of_imported_hand(kept: dict[str, Any], hand: NewHand, seat: str | None = None) -> dict[str, Any]:
    """Return the frames (steps) of a hand from a file that is not saved, with all cards or as `seat` saw it.

    `kept`: the match's record. Raises 404 for a seat that did not play it.
    """
    check_seat(seat, hand.record)
    made, _ = _replay_hand(kept, hand.events, hand.result, hand.number, seat, None, 0)
    shown = _faces_to_json(faces.with_missing_faces(kept["players"], {}))
    return {"match": None, **_hand_metadata(hand.number, hand.record, hand.result, seat), **shown, **made}


def _hand_metadata(number: int, record: dict[str, Any], result: dict[str, Any], seat: str | None) -> dict[str, Any]:
    """Return the data of a hand for its replay other than the frames: players, result, proof, display hints.

    For a `seat`, the proof is left out, because it reveals all cards.
    """
    # The proof of a deal reveals all cards, so a seat's view omits it.
    proof = {"fair": record.get("fair")} if seat is None else {}
    players = list(record["cards"])
    return {
        "number": number,
        "seat": seat,
        "players": players,
        "result": result,
        **proof,
        "event_prominence": prominence_by_event(),
        "event_animations": animations_by_event(),
    }


def check_seat(seat: str | None, record: dict[str, Any]) -> None:
    """Raise 404 for a seat that did not play the hand of this record; None passes."""
    if seat is not None and seat not in record["cards"]:
        raise errors.not_found_error(NOBODY_PLAYED(name=seat[:64]))


def _replay_hand(
    record_file: dict[str, Any],
    happened: list[dict[str, Any]],
    result: dict[str, Any],
    number: int,
    seat: str | None,
    start: Match | None,
    first: int,
) -> tuple[dict[str, Any], dict[int, Match]]:
    """Replay a hand; return its frames, and the match before some hands, by hand number, for the cache.

    `start` is the match before hand `first`, or None if it is not cached. If today's rules refuse an action, the
    frames continue from the recorded events (`corrected`).
    """
    record = record_file["hands"][number]
    frames: list[dict[str, Any]] = []
    places = dict[int, Match]()
    last, place = len(record["actions"]) - 1, 0
    spoken = _highlighted_moves(record, happened, result)
    try:
        opened, hands = opened_record(record_file, GAMES)
        state = opened if start is None else start
        for moment in replay_steps(state, hands[: number + 1], 0 if start is None else first, already_accepted=True):
            if (
                moment.hand_index
                and moment.hand_index not in places
                and (moment.hand_index == number or moment.hand_index % STRIDE == 0)
            ):
                places[moment.hand_index] = state
            state = moment.step.match
            if moment.hand_index < number or moment.between:
                continue
            if moment.action_index is None:
                frames.append(build_frame(None, None, state, moment.step.events, seat, moment=0 in spoken))
                continue
            place = moment.action_index + 1
            if len(frames) < MOST_FRAMES - 1 or moment.action_index == last:
                done = record["actions"][moment.action_index]
                frames.append(build_frame(moment.by, done, state, moment.step.events, seat, moment=place in spoken))
    except (IllegalRecordedAction, InvalidRecord):
        table, cards = (
            (frames[-1]["table"], frames[-1]["cards"]) if frames else (None, _visible_dealt_cards(record, seat))
        )
        rest = _frames_from_events(table, record, happened, spoken, place, cards, seat)
        return {"frames": _limit_frames([*frames, *rest]), "corrected": True}, places
    return {"frames": frames, "corrected": False}, places | {number + 1: state}


def _highlighted_moves(
    record: dict[str, Any], happened: list[dict[str, Any]], result: dict[str, Any]
) -> frozenset[int | None]:
    """Return the numbers of the actions of a hand that are highlights; 0 is the deal."""
    found = select_highlights(memorable_moments(happened, result), happened, result, len(record["cards"]))
    return frozenset(n for n, _ in found)


def _limit_frames(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return frames if len(frames) <= MOST_FRAMES else [*frames[: MOST_FRAMES - 1], frames[-1]]


def _visible_dealt_cards(record: dict[str, Any], seat: str | None) -> dict[str, str]:
    """Return the dealt cards by name that a replay may show: all, or only those of `seat`."""
    return {name: cards for name, cards in record["cards"].items() if seat in (None, name)}


def build_frame(
    by: str | None,
    action: dict[str, Any] | None,
    state: Match,
    events: tuple[GameEvent, ...],
    seat: str | None,
    *,
    moment: bool = False,
) -> dict[str, Any]:
    """Return the frame of a replay after an action (None: the deal), with all cards or as `seat` saw it.

    `state`: the match afterwards. `moment`: whether the action is a highlight.
    """
    heard = without_superseded_events(event for event in events if event.to is None or seat is None or seat in event.to)
    told = [event.to_json() for event in heard]
    own = None if seat is None else views.seat_view(state, seat)
    everybody = state.current_hand.cards
    return {
        **_visible_action(by, action, told, seat),
        "events": told,
        "table": views.table_view(state),
        "cards": {name: format_cards(cards) for name, cards in everybody.items()}
        if own is None
        else {seat: own["cards"]},
        "panels": [] if own is None else own.get("panels", []),
        "highlight": moment,
    }


def _visible_action(
    by: str | None, action: dict[str, Any] | None, told: list[dict[str, Any]], seat: str | None
) -> dict[str, Any]:
    """Return the player and action of a step as a replay may show them.

    All for None; a `seat` sees other players' actions only through events.
    """
    if seat is None or by == seat:
        return {"by": by, "action": action}
    return {"by": by if any(event.get("by") == by for event in told) else None, "action": None}


def _frames_from_events(
    table: dict[str, Any] | None,
    record: dict[str, Any],
    happened: list[dict[str, Any]],
    spoken: frozenset[int | None],
    start: int,
    cards: dict[str, str],
    seat: str | None,
) -> list[dict[str, Any]]:
    """Return frames of a replay built from recorded events and cards, without today's rules, from action `start` on.

    Used if the rules refuse an action that was legal then.
    """
    held = {name: list(parse_cards(text)) for name, text in cards.items()}
    frames: list[dict[str, Any]] = []

    def add(made: dict[str, Any] | None, place: int) -> None:
        told = _events_of_action(happened, place)
        frames.append(
            {
                **_visible_action(None if made is None else made["by"], made, told, seat),
                "events": told,
                "table": table,
                "cards": {name: format_cards(each) for name, each in held.items()},
                "panels": [],
                "highlight": place in spoken,
            }
        )

    if start == 0 and table is None:
        add(None, 0)
    for place, made in enumerate(record["actions"][start:], start + 1):
        action: Action = parse_action(made)
        for card in cards_in_action(action):
            if card in held.get(made["by"], ()):
                held[made["by"]].remove(card)
        add(made, place)
    return frames


def _events_of_action(game_events: list[dict[str, Any]], action_number: int) -> list[dict[str, Any]]:
    """Return the recorded game events of one action of a hand, without the number of the action."""
    return [
        {key: value for key, value in event.items() if key != "n"}
        for event in game_events
        if event.get("n") == action_number
    ]


def match_view(line: MatchLine) -> dict[str, Any]:
    """Return a match without its hands as JSON, for lists and for the head of its page."""
    game = GAMES.get(line.game)
    return {
        "id": line.id,
        "room": line.room,
        "game": line.game,
        "game_name": line.game if game is None else game.name,
        "options": line.options,
        "started": to_milliseconds(line.started_at),
        "ended": None if line.ended_at is None else to_milliseconds(line.ended_at),
        "hands": line.hands,
        "with_bots": line.with_bots,
        "players": [asdict(player) for player in line.players],
        "winners": list(line.winners),
        "origin": line.origin,
        "imported": None
        if (came := line.imported) is None
        else {"by": came.by, "at": to_milliseconds(came.at), "yours": came.yours},
    }


def _hand_views(lines: Iterable[HandLine]) -> list[dict[str, Any]]:
    return [{**_slots_as_dict(line), "ended_at": to_milliseconds(line.ended_at)} for line in lines]


def _slots_as_dict(line: HandLine) -> dict[str, Any]:
    """Return the fields of a hand as a dict. `asdict` would also copy every reason of every hand."""
    return {name: getattr(line, name) for name in HandLine.__slots__}


def _match_not_found(site: AppContext) -> errors.HttpError:
    return errors.not_found_error(site.message("error.no_match"))
