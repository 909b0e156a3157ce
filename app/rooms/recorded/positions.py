"""What another table may begin with, a moment of a match or its deals; and what a seat knew at a moment. Read from its
record, by playing it again."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from app.bots.search.analysis import TurnThen
from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence
from app.engine.cards.action_codec import action_json
from app.engine.cards.cards import parse_cards
from app.engine.display.events import Event
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from app.engine.match.record import Illegal, Unusable, fold, opened
from app.rooms.errors import RoomError
from app.rooms.model.state import KnownDeal, KnownDeals, Origin

NO_SUCH_MOVE = Sentence("room.no_such_move", "This hand has no such move: it has {count}.")
RULES_HAVE_CHANGED = Sentence(
    "room.rules_have_changed", "Today’s rules refuse something in this match, so it can’t be played on."
)
NOT_A_TURN = Sentence("room.not_a_turn", "It was not {name}’s turn then: a bot would have let things be.")
NO_DEALS = Sentence("room.no_deals", "No hand of this match was dealt: there is nothing to play again.")


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a match that is over."""

    origin: Origin
    before: Match
    """The match before its hand."""
    deal: Mapping[str, Any]
    """The deal of the hand, as records have it."""
    actions: Sequence[Mapping[str, Any]]
    """What was done in it, up to there."""


def position(kept: Mapping[str, Any], match_id: str, hand: int, move: int, first: int = 0) -> Position:
    """The moment of a match after so many actions of this hand; `not_now` if there is none, or the rules are others.

    What is kept of the match begins with hand `first`.
    """
    elements, place = kept["hands"], hand - first
    if not 0 <= place < len(elements) or not 0 <= move <= len(elements[place].get("actions", ())):
        count = len(elements[place].get("actions", ())) if 0 <= place < len(elements) else 0
        raise RoomError("not_now", NO_SUCH_MOVE(count=count))
    before = _before(kept, place)
    element = elements[place]
    origin = Origin(match_id, "variation", hand, move, before.save())
    deal = {key: element.get(key) for key in ("dealer", "cards", "stock", "seed")}
    return Position(origin, before, deal, element["actions"][:move])


def turn(kept: Mapping[str, Any], hand: int, move: int, first: int = 0) -> TurnThen:
    """Whoever made the next action after so many of this hand, and what that seat knew then; `not_now` if there is no
    such action, if nobody waited for it, or the rules are others.

    What is kept of the match begins with hand `first`.
    """
    place, told = hand - first, list[Event]()
    with suppress(Illegal, Unusable, RuleError):
        match, elements = opened(kept, GAMES, kept=True)
        for moment in fold(match, elements[: place + 1]):
            if moment.hand != place or moment.between:
                continue
            if moment.place != move:
                told += moment.step.events
                continue
            assert moment.by is not None
            assert moment.action is not None
            if moment.by not in moment.before.to_act:
                raise RoomError("not_now", NOT_A_TURN(name=moment.by))
            dealt = parse_cards(elements[place]["cards"].get(moment.by, ""))
            heard = views.events_for(told, moment.by)
            return TurnThen(moment.before, moment.by, heard, dealt, action_json(moment.action))
        count = len(elements[place].get("actions", ())) if place < len(elements) else 0
        raise RoomError("not_now", NO_SUCH_MOVE(count=count))
    raise RoomError("not_now", RULES_HAVE_CHANGED())


def _before(kept: Mapping[str, Any], hand: int) -> Match:
    """The match before this hand is dealt."""
    with suppress(Illegal, Unusable, RuleError):
        match, elements = opened(kept, GAMES, kept=True)
        for moment in fold(match, elements[: hand + 1]):
            if moment.is_deal and moment.hand == hand:
                return moment.before
    raise RoomError("not_now", RULES_HAVE_CHANGED())


def deals(kept: Mapping[str, Any], match_id: str) -> KnownDeals:
    """The deals of a match by seat, of as many hands as had the players of the first."""
    found: list[KnownDeal] = []
    with suppress(Illegal, Unusable):  # what comes after is dealt by chance
        match, elements = opened(kept, GAMES, kept=True)
        deals = (moment for moment in fold(match, elements) if moment.is_deal)
        found.extend(_by_seat(moment.before.seats, elements[moment.hand]) for moment in deals)
    if not found:
        raise RoomError("not_now", NO_DEALS())
    return KnownDeals(match_id, (), tuple(found))


def _by_seat(seats: tuple[str, ...], element: Mapping[str, Any]) -> KnownDeal:
    cards = tuple((seats.index(name), held) for name, held in element["cards"].items())
    return KnownDeal(seats.index(element["dealer"]), cards, element.get("stock", ""), element.get("seed"))
