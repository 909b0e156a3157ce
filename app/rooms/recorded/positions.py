"""Load positions, turns and deals of a finished match from its record, by replaying it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from app.bots.search.analysis import PastTurn
from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.cards.action_codec import action_to_json
from app.engine.cards.cards import parse_cards
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from app.engine.match.record import IllegalRecordedAction, InvalidRecord, parse_record, replay_steps
from app.rooms.errors import RoomError
from app.rooms.model.state import KnownDeal, KnownDeals, Origin

NO_SUCH_MOVE = MessageTemplate("room.no_such_move", "This hand has only {count} moves.")
RULES_HAVE_CHANGED = MessageTemplate(
    "room.rules_have_changed", "The current rules refuse a move of this match, so it can’t be continued."
)
NOT_A_TURN = MessageTemplate("room.not_a_turn", "It was not {name}’s turn then. A bot would have done nothing.")
NO_DEALS = MessageTemplate("room.no_deals", "No hand of this match was dealt, so there is nothing to play again.")


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a hand of a recorded match, from which a new room can continue the match (a variation)."""

    origin: Origin
    before: Match
    """The match before the hand of this position."""
    deal: Mapping[str, Any]
    """The deal of the hand, as in records."""
    actions: Sequence[Mapping[str, Any]]
    """The actions of the hand up to this position."""


def load_position(record: Mapping[str, Any], match_id: str, hand: int, move: int, first_hand: int = 0) -> Position:
    """Return the position in a match record after `move` actions of the hand `hand`, to continue it in a new room.

    `first_hand`: the number of the record's first hand. Raises `RoomError` `not_now` if the move does not exist, or if
    today's rules refuse the match.
    """
    elements, place = record["hands"], hand - first_hand
    if not 0 <= place < len(elements) or not 0 <= move <= len(elements[place].get("actions", ())):
        count = len(elements[place].get("actions", ())) if 0 <= place < len(elements) else 0
        raise RoomError("not_now", NO_SUCH_MOVE(count=count))
    before = _match_before_hand(record, place)
    element = elements[place]
    origin = Origin(match_id, "variation", hand, move, before.to_json())
    deal = {key: element.get(key) for key in ("dealer", "cards", "stock", "seed")}
    return Position(origin, before, deal, element["actions"][:move])


def load_turn(record: Mapping[str, Any], hand: int, move: int, first_hand: int) -> PastTurn:
    """Return who made the next action after `move` actions of the hand `hand`, and all that this player knew then.

    For analysing a recorded turn. `first_hand`: the number of the record's first hand. Raises `RoomError` `not_now` if
    there is no such action, if it was out of turn, or if today's rules refuse the match.
    """
    place, events = hand - first_hand, list[GameEvent]()
    with suppress(IllegalRecordedAction, InvalidRecord, RuleError):
        match, elements = parse_record(record, GAMES, already_accepted=True)
        for step in replay_steps(match, elements[: place + 1], already_accepted=True):
            if step.hand_index != place or step.between:
                continue
            if step.action_index != move:
                events += step.step.events
                continue
            assert step.by is not None
            assert step.action is not None
            if step.by not in step.before.to_act:
                raise RoomError("not_now", NOT_A_TURN(name=step.by))
            dealt = parse_cards(elements[place]["cards"].get(step.by, ""))
            heard = views.visible_events(events, step.by)
            return PastTurn(step.before, step.by, heard, dealt, action_to_json(step.action))
        count = len(elements[place].get("actions", ())) if place < len(elements) else 0
        raise RoomError("not_now", NO_SUCH_MOVE(count=count))
    raise RoomError("not_now", RULES_HAVE_CHANGED())


def _match_before_hand(record: Mapping[str, Any], hand: int) -> Match:
    """Return the recorded match before the hand with this index was dealt.

    Raises `RoomError` `not_now` if today's rules refuse the match up to there.
    """
    with suppress(IllegalRecordedAction, InvalidRecord, RuleError):
        match, elements = parse_record(record, GAMES, already_accepted=True)
        for step in replay_steps(match, elements[: hand + 1], already_accepted=True):
            if step.is_deal and step.hand_index == hand:
                return step.before
    raise RoomError("not_now", RULES_HAVE_CHANGED())


def load_known_deals(record: Mapping[str, Any], match_id: str) -> KnownDeals:
    """Return the cards of all hands of a match record by seat number, so that others can play the same cards.

    Ends at the first action that today's rules refuse. Raises `RoomError` `not_now` for a match without deals.
    """
    found: list[KnownDeal] = []
    with suppress(IllegalRecordedAction, InvalidRecord):  # later hands are shuffled as usual
        match, elements = parse_record(record, GAMES, already_accepted=True)
        steps = replay_steps(match, elements, already_accepted=True)
        deals = (step for step in steps if step.is_deal)
        found.extend(_deal_by_seat(step.before.seats, elements[step.hand_index]) for step in deals)
    if not found:
        raise RoomError("not_now", NO_DEALS())
    return KnownDeals(match_id, (), tuple(found))


def _deal_by_seat(seats: tuple[str, ...], element: Mapping[str, Any]) -> KnownDeal:
    cards = tuple((seats.index(name), held) for name, held in element["cards"].items())
    return KnownDeal(seats.index(element["dealer"]), cards, element.get("stock", ""), element.get("seed"))
