"""The data that a match and its game exchange about one hand: the deal, transitions, knowledge, the result."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Generic, Literal, NotRequired, Protocol, TypeAlias, TypedDict, TypeVar, cast

from msgspec import Struct

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.cards.cards import Cards, format_cards, parse_cards
from app.engine.display.events import GameEvent
from app.engine.display.point_reasons import PointReason, ReasonView, Unit, sum_points

NAMED_BY_PLAYER = MessageTemplate("record.named_by_player", "The cards of a hand must be listed by player.")
NO_SUCH_DEALER = MessageTemplate("record.no_such_dealer", "The dealer {name} does not sit at the table.")


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of one hand as dealt, before any exchange, with the dealer."""

    dealer: str
    cards: Mapping[str, Cards]
    """The cards by player. The key is the player in whose place they were dealt."""
    stock: Cards = ()
    """Undealt cards, the next to be drawn first."""
    seed: int | None = None
    """The seed for shuffles within the hand, such as a refilled stock. Without a seed such cards keep the order of
    play."""

    def to_json(self) -> dict[str, Any]:
        """Return the deal as stored in records and logs: `dealer`, `cards` by player, `stock`, `seed`."""
        return {
            "dealer": self.dealer,
            "cards": {name: format_cards(cards) for name, cards in self.cards.items()},
            "stock": format_cards(self.stock),
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Deal":
        """Return the deal that `to_json` wrote, ignoring other keys.

        Raises `RuleError`: `bad_record` if the cards are not given by player, or errors for invalid cards.
        """
        cards = data["cards"]
        if not isinstance(cards, Mapping):
            raise RuleError("bad_record", NAMED_BY_PLAYER())
        named = {name: parse_cards(held) for name, held in cast("Mapping[str, Any]", cards).items()}
        return cls(data["dealer"], named, parse_cards(data.get("stock", "")), data.get("seed"))


PlaceJson: TypeAlias = str | list[str]
"""A place in a standing as JSON: a player, or a list of players who share it."""


Standing: TypeAlias = tuple[str | tuple[str, ...], ...]
"""The order of finish, best first; players who share a place are in an inner tuple."""


class ResultView(TypedDict):
    """The result of a hand."""

    dealer: Annotated[str, "The dealer of the hand."]
    standing: Annotated[list[PlaceJson], "Order of finish, best first. Players who share a place are in a list."]
    titles: Annotated[dict[str, str], "Titles after the hand, by name."]
    ledger: Annotated[dict[str, int], "Points of this hand, by name."]
    events: Annotated[list[str], "Names of notable events, in order."]
    reasons: Annotated[list[ReasonView], "The reasons for all points. Their sums are the ledger."]
    goes_on: NotRequired[
        Annotated[
            bool,
            "Whether the hand was one deal of a game that continues. Then the standing has only players who are out.",
        ]
    ]


@dataclass(frozen=True, slots=True)
class HandResult:
    """The result of a hand, as stored in records: the players' order, titles, points and their reasons.

    `standing` is best first.
    """

    dealer: str
    standing: Standing
    titles: Mapping[str, str]
    ledger: Mapping[str, int]
    """Points that the hand added, by player."""
    events: tuple[str, ...] = ()
    """Names of the notable events, in order."""
    reasons: tuple[PointReason, ...] = ()
    """Reasons for the points; empty for hands stored before reasons existed."""
    goes_on: bool = False
    """Whether the hand was one deal of a longer game. Then the standing holds only the last places."""

    @classmethod
    def from_reasons(
        cls,
        dealer: str,
        standing: tuple[Any, ...],
        titles: Mapping[str, str],
        players: Iterable[str],
        reasons: tuple[PointReason, ...],
        unit: Unit = "points",
        *,
        goes_on: bool = False,
    ) -> "HandResult":
        """Return a hand's result; its ledger (points by player) is the sum of the reasons in `unit`.

        `standing` is best first, and `titles` are by player. `goes_on`: the game goes on with another hand.
        """
        return cls(dealer, standing, titles, sum_points(players, reasons, unit), reasons=reasons, goes_on=goes_on)

    def with_reason(self, reason: PointReason) -> "HandResult":
        """Return the result with one more reason for points, which is added to the ledger.

        It must be in the unit of the totals.
        """
        ledger = {**self.ledger, reason.name: self.ledger[reason.name] + reason.amount}
        return replace(self, ledger=ledger, reasons=(*self.reasons, reason))

    def to_json(self) -> ResultView:
        """Return the result of the hand as JSON for records, logs and pages; `from_json` reads it."""
        shown: ResultView = {
            "dealer": self.dealer,
            "standing": standing_to_json(self.standing),
            "titles": dict(self.titles),
            "ledger": dict(self.ledger),
            "events": list(self.events),
            "reasons": [reason.to_json() for reason in self.reasons],
        }
        return {**shown, "goes_on": True} if self.goes_on else shown

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "HandResult":
        """Return the result of a hand that `to_json` wrote."""
        standing = tuple(tuple(place) if isinstance(place, list) else place for place in data["standing"])
        reasons = tuple(PointReason.from_json(each) for each in data.get("reasons", ()))
        events, goes_on = tuple(data["events"]), data.get("goes_on", False)
        return cls(data["dealer"], standing, data["titles"], data["ledger"], events, reasons, goes_on)


def standing_to_json(standing: Iterable[str | tuple[str, ...]]) -> list[PlaceJson]:
    """Return an order of players as JSON, best first: a name for each place, or a list of players who share it."""
    return [list(place) if isinstance(place, tuple) else place for place in standing]


def places_in_standing(standing: Iterable[str | Sequence[str]]) -> dict[str, int]:
    """Return each player's place, from 1, in an order that is given best first.

    Players who share a place have the same number, and the next numbers are skipped.

    >>> places_in_standing(["Bob", ["Ana", "Dan"], "Cat"])
    {'Bob': 1, 'Ana': 2, 'Dan': 2, 'Cat': 4}
    """
    place: dict[str, int] = {}
    for one in standing:
        place |= dict.fromkeys((one,) if isinstance(one, str) else one, len(place) + 1)
    return place


def places_in_result(result: Mapping[str, Any]) -> dict[str, int]:
    """Return each player's place from a hand's result as JSON; empty if the hand's game goes on.

    >>> places_in_result({"standing": ["Bob"], "goes_on": True})
    {}
    """
    return {} if result.get("goes_on") else places_in_standing(result["standing"])


HandPhase: TypeAlias = Literal["deal", "exchange", "play", "over"]


class Hand(Protocol):
    """The part of a hand's state that all games have in common. Implementations are immutable."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the players of this hand, clockwise."""
        ...

    @property
    def dealer(self) -> str:
        """Return the dealer of this hand."""
        ...

    @property
    def hierarchy(self) -> tuple[str, ...]:
        """Return the hierarchy during this hand, best first; empty in the first hand and in games without one."""
        ...

    @property
    def phase(self) -> HandPhase:
        """Return the phase of the hand: `deal` (by hand), `exchange`, `play` or `over`."""
        ...

    @property
    def to_act(self) -> tuple[str, ...]:
        """Return the players who must act now in the hand; empty once it is over."""
        ...

    @property
    def cards(self) -> Mapping[str, Cards]:
        """Return the cards that each player of the hand holds now, hidden ones included."""
        ...


AnyHand = TypeVar("AnyHand", bound=Hand)
"""The hand state of one game."""
AnyHand_co = TypeVar("AnyHand_co", bound=Hand, covariant=True)


class HandTransition(Struct, Generic[AnyHand_co], frozen=True):
    """A hand after an action or deal, and the events that happened, in order."""

    hand: AnyHand_co
    events: tuple[GameEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class HandKnowledge(Generic[AnyHand_co]):
    """A running hand as known to one seat, from which complete hands are sampled for bots that search."""

    hand: AnyHand_co
    """The hand, with hidden cards replaced by cards in a fixed order and other secrets removed."""
    hidden: Cards
    """Every card whose place the seat does not know, sorted."""
    held: tuple[tuple[str, int], ...]
    """Other players, each with the number of hidden cards that they hold."""
    known: Mapping[str, Cards]
    """Other players' cards that the seat knows."""
    stock: int = 0
    """Number of hidden cards that may still be drawn from the stock. In samples they follow the held cards."""
    pile: int = 0
    """Number of hidden cards that were discarded unseen. Hidden cards beyond all these numbers are held by no player.
    """


@dataclass(frozen=True, slots=True)
class HandConclusion:
    """What a finished hand changes in its match: seats, hierarchy, memory, and whether the match is over."""

    result: HandResult
    seats: tuple[str, ...]
    """Players as seated for the next hand."""
    hierarchy: tuple[str, ...]
    """The hierarchy for the next hand, best first; empty in a game without one."""
    over: bool = False
    """Whether the match is over."""
    memory: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The game's own data that lasts from hand to hand; JSON values."""
    events: tuple[GameEvent, ...] = ()
