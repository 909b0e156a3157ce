"""The frames of one hand of a recorded match: its replay, step by step. Worker processes make them for files, too.

Frames come from replaying the record: the match before the hand, then each action. If a rule was corrected later, an
old action may be illegal now. The frames then continue from the recorded events and cards.
"""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict

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
from app.engine.match.record import IllegalRecordedAction, InvalidRecord, parse_record as opened_record, replay_steps
from app.rooms.model import faces
from app.rooms.people.avatars import PlayerFace
from app.stats.highlights import memorable_moments, select_highlights
from app.store.repositories.import_encoding import NewHand
from app.web.http.http_error import not_found_error

TableJson: TypeAlias = Annotated[dict[str, Any], "Table"]
"""The public view of the match, as sockets send it."""
MOST_FRAMES = 1500
"""Limit for the frames of one hand: of a longer hand, the first frames and the last."""
STRIDE = 10
"""On the way to a later hand, only every tenth match state is cached."""


NOBODY_PLAYED = MessageTemplate("web.nobody_played", "Nobody called {name} played this hand.")


class FrameView(TypedDict):
    """One step of the replay of a finished hand, with all cards open or from the view of one player."""

    by: Annotated[str | None, "The player who acted; null: the deal, or hidden from this seat."]
    action: Annotated[ActionJson | None, "The action; null: none, or hidden from this seat."]
    events: Annotated[list[GameEventJson], "The events of the step."]
    table: Annotated[TableJson | None, "The table after the step; null if today's rules can't replay the hand."]
    cards: Annotated[dict[str, str], "All players' cards by name. In a seat's view, only that player's own cards."]
    panels: Annotated[list[Panel], "Panels for this seat only."]
    highlight: Annotated[bool, "Whether the step is a highlight or decided the hand."]
    seconds: NotRequired[Annotated[float, "The time that the action took. Missing if unknown, as in imported matches."]]


def faces_to_json(shown: Mapping[str, PlayerFace]) -> dict[str, Any]:
    """Return the birds and colours of these faces, each by name."""
    return {"birds": faces.birds_by_name(shown), "hues": faces.hues_by_name(shown)}


def frames_of_imported_hand(record: dict[str, Any], hand: NewHand, seat: str | None = None) -> dict[str, Any]:
    """Return the frames (steps) of a hand from a file that is not saved, with all cards or as `seat` saw it.

    `record`: the match's record. Raises 404 for a seat that did not play it.
    """
    check_seat(seat, hand.record)
    frames, _ = replay_hand(record, hand.events, hand.result, hand.number, seat, None, 0)
    shown = faces_to_json(faces.with_missing_faces(record["players"], {}))
    return {"match": None, **hand_metadata(hand.number, hand.record, hand.result, seat), **shown, **frames}


def hand_metadata(number: int, record: dict[str, Any], result: dict[str, Any], seat: str | None) -> dict[str, Any]:
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
        raise not_found_error(NOBODY_PLAYED(name=seat[:64]))


def replay_hand(
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
        for step in replay_steps(state, hands[: number + 1], 0 if start is None else first, already_accepted=True):
            if (
                step.hand_index
                and step.hand_index not in places
                and (step.hand_index == number or step.hand_index % STRIDE == 0)
            ):
                places[step.hand_index] = state
            state = step.step.match
            if step.hand_index < number or step.between:
                continue
            if step.action_index is None:
                frames.append(build_frame(None, None, state, step.step.events, seat, highlighted=0 in spoken))
                continue
            place = step.action_index + 1
            if len(frames) < MOST_FRAMES - 1 or step.action_index == last:
                done = record["actions"][step.action_index]
                frames.append(build_frame(step.by, done, state, step.step.events, seat, highlighted=place in spoken))
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
    highlighted: bool = False,
) -> dict[str, Any]:
    """Return the frame of a replay after an action (None: the deal), with all cards or as `seat` saw it.

    `state`: the match afterwards. `highlighted`: whether the action is a highlight.
    """
    heard = without_superseded_events(event for event in events if event.to is None or seat is None or seat in event.to)
    event_values = [event.to_json() for event in heard]
    own = None if seat is None else views.seat_view(state, seat)
    everybody = state.current_hand.cards
    return {
        **_visible_action(by, action, event_values, seat),
        "events": event_values,
        "table": views.table_view(state),
        "cards": {name: format_cards(cards) for name, cards in everybody.items()}
        if own is None
        else {seat: own["cards"]},
        "panels": [] if own is None else own.get("panels", []),
        "highlight": highlighted,
    }


def _visible_action(
    by: str | None, action: dict[str, Any] | None, events: list[dict[str, Any]], seat: str | None
) -> dict[str, Any]:
    """Return the player and action of a step as a replay may show them.

    All for None; a `seat` sees other players' actions only through events.
    """
    if seat is None or by == seat:
        return {"by": by, "action": action}
    return {"by": by if any(event.get("by") == by for event in events) else None, "action": None}


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

    def add(action: dict[str, Any] | None, place: int) -> None:
        events = _events_of_action(happened, place)
        frames.append(
            {
                **_visible_action(None if action is None else action["by"], action, events, seat),
                "events": events,
                "table": table,
                "cards": {name: format_cards(each) for name, each in held.items()},
                "panels": [],
                "highlight": place in spoken,
            }
        )

    if start == 0 and table is None:
        add(None, 0)
    for place, recorded in enumerate(record["actions"][start:], start + 1):
        action: Action = parse_action(recorded)
        for card in cards_in_action(action):
            if card in held.get(recorded["by"], ()):
                held[recorded["by"]].remove(card)
        add(recorded, place)
    return frames


def _events_of_action(game_events: list[dict[str, Any]], action_number: int) -> list[dict[str, Any]]:
    """Return the recorded game events of one action of a hand, without the number of the action."""
    return [
        {key: value for key, value in event.items() if key != "n"}
        for event in game_events
        if event.get("n") == action_number
    ]
