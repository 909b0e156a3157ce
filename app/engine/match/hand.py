"""One hand, as it goes back and forth between a match and its game: the deal, a step of it, how it ended."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Generic, Literal, NotRequired, Protocol, TypeAlias, TypedDict, TypeVar, cast

from msgspec import Struct

from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence
from app.engine.cards.cards import Cards, parse_cards, show
from app.engine.display.events import Event
from app.engine.display.point_reasons import Reason, ReasonShown, Unit, added

NAMED_BY_PLAYER = Sentence("record.named_by_player", "The cards of a hand are named by player.")
NO_SUCH_DEALER = Sentence("record.no_such_dealer", "The dealer {name} does not sit at the table.")


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of one hand before any exchange."""

    dealer: str
    cards: Mapping[str, Cards]
    """By the player at whose place they were dealt."""
    stock: Cards = ()
    """Undealt cards, next to be drawn first."""
    seed: int | None = None
    """For shuffles within the hand (a stock made anew); without it such cards come in the order played."""

    def to_json(self) -> dict[str, Any]:
        """As records and logs keep it: `dealer`, `cards` by player, `stock`, `seed`."""
        return {
            "dealer": self.dealer,
            "cards": {name: show(cards) for name, cards in self.cards.items()},
            "stock": show(self.stock),
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Deal":
        """The deal that `to_json` gave; other keys are left alone. `bad_record` for cards that are none."""
        cards = kept["cards"]
        if not isinstance(cards, Mapping):
            raise RuleError("bad_record", NAMED_BY_PLAYER())
        named = {name: parse_cards(held) for name, held in cast("Mapping[str, Any]", cards).items()}
        return cls(kept["dealer"], named, parse_cards(kept.get("stock", "")), kept.get("seed"))


Place: TypeAlias = str | list[str]
"""In a standing as JSON: who is there, or a list of those who share it."""


Standing: TypeAlias = tuple[str | tuple[str, ...], ...]
"""Who has which place, best first; those who share one stand in an inner tuple."""


class ResultShown(TypedDict):
    """How a hand ended, as JSON."""

    dealer: Annotated[str, "Who dealt it."]
    standing: Annotated[list[Place], "Best first; those who share a place stand in a list."]
    titles: Annotated[dict[str, str], "What they are called after it, by name."]
    ledger: Annotated[dict[str, int], "What the hand added, by name."]
    events: Annotated[list[str], "Names of what was notable in it, in order."]
    reasons: Annotated[list[ReasonShown], "What everybody’s points are for; their sums are the ledger."]
    goes_on: NotRequired[
        Annotated[bool, "True if the hand was one deal of a game that goes on: the standing has who is out, no more."]
    ]


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended, as records tell it."""

    dealer: str
    standing: Standing
    titles: Mapping[str, str]
    ledger: Mapping[str, int]
    """What the hand added, by player."""
    events: tuple[str, ...] = ()
    """Names of the notable events, in order."""
    reasons: tuple[Reason, ...] = ()
    """What the points are for; a hand that was kept before reasons were told has none."""
    goes_on: bool = False
    """Whether it was one deal of a game that goes on, so that its standing has the last places only."""

    @classmethod
    def of(
        cls,
        dealer: str,
        standing: tuple[Any, ...],
        titles: Mapping[str, str],
        players: Iterable[str],
        reasons: tuple[Reason, ...],
        unit: Unit = "points",
        *,
        goes_on: bool = False,
    ) -> "HandResult":
        """How a hand ended for these players: what it adds to totals, which are kept in `unit`, follows from the
        reasons."""
        return cls(dealer, standing, titles, added(players, reasons, unit), reasons=reasons, goes_on=goes_on)

    def with_more(self, reason: Reason) -> "HandResult":
        """The same, told anew with one more reason, in the unit of the totals."""
        ledger = {**self.ledger, reason.name: self.ledger[reason.name] + reason.amount}
        return replace(self, ledger=ledger, reasons=(*self.reasons, reason))

    def to_json(self) -> ResultShown:
        """As records, logs and pages tell it, under the names of the fields."""
        shown: ResultShown = {
            "dealer": self.dealer,
            "standing": places_json(self.standing),
            "titles": dict(self.titles),
            "ledger": dict(self.ledger),
            "events": list(self.events),
            "reasons": [reason.to_json() for reason in self.reasons],
        }
        return {**shown, "goes_on": True} if self.goes_on else shown

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "HandResult":
        """The result that `to_json` gave."""
        standing = tuple(tuple(place) if isinstance(place, list) else place for place in kept["standing"])
        reasons = tuple(Reason.from_json(each) for each in kept.get("reasons", ()))
        events, goes_on = tuple(kept["events"]), kept.get("goes_on", False)
        return cls(kept["dealer"], standing, kept["titles"], kept["ledger"], events, reasons, goes_on)


def places_json(standing: Iterable[str | tuple[str, ...]]) -> list[Place]:
    """A standing as JSON: a name for each place, or a list of those who share it."""
    return [list(place) if isinstance(place, tuple) else place for place in standing]


def placed(standing: Iterable[str | Sequence[str]]) -> dict[str, int]:
    """The place of everybody in a standing; those who share one have the same, and the places after it stay empty.

    >>> placed(["Bob", ["Ana", "Dan"], "Cat"])
    {'Bob': 1, 'Ana': 2, 'Dan': 2, 'Cat': 4}
    """
    place: dict[str, int] = {}
    for one in standing:
        place |= dict.fromkeys((one,) if isinstance(one, str) else one, len(place) + 1)
    return place


def places(result: Mapping[str, Any]) -> dict[str, int]:
    """The place of everybody in a hand, from its result as JSON; of nobody while the game goes on.

    >>> places({"standing": ["Bob"], "goes_on": True})
    {}
    """
    return {} if result.get("goes_on") else placed(result["standing"])


HandPhase: TypeAlias = Literal["deal", "exchange", "play", "over"]


class Hand(Protocol):
    """What every game's hand state tells without asking the game. Implementations are frozen dataclasses."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Players of this hand, clockwise."""
        ...

    @property
    def dealer(self) -> str:
        """Who dealt."""
        ...

    @property
    def hierarchy(self) -> tuple[str, ...]:
        """The society's order in this hand, best first; empty in the first, and in a game without one."""
        ...

    @property
    def phase(self) -> HandPhase:
        """How far it is."""
        ...

    @property
    def to_act(self) -> tuple[str, ...]:
        """Those whose action is awaited."""
        ...

    @property
    def cards(self) -> Mapping[str, Cards]:
        """What each player holds."""
        ...


AnyHand = TypeVar("AnyHand", bound=Hand)
"""The hand state of one game."""
AnyHand_co = TypeVar("AnyHand_co", bound=Hand, covariant=True)


class HandStep(Struct, Generic[AnyHand_co], frozen=True):
    """A hand after something happened, and what happened."""

    hand: AnyHand_co
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Unseen(Generic[AnyHand_co]):
    """A running hand as one seat may know it (hidden_state.py)."""

    hand: AnyHand_co
    """Of what the seat can't know nothing is in it, but cards in order where hidden ones are."""
    hidden: Cards
    """Every card that the seat can't place, in order."""
    held: tuple[tuple[str, int], ...]
    """Who holds how many of them."""
    known: Mapping[str, Cards]
    """What the seat knows others to hold besides."""
    stock: int = 0
    """How many of the hidden cards may still be drawn; these come next."""
    pile: int = 0
    """How many were laid aside unseen. Of those that are left nobody holds any."""


@dataclass(frozen=True, slots=True)
class Finish:
    """What a finished hand leaves to its match."""

    result: HandResult
    seats: tuple[str, ...]
    """As seated for the next hand."""
    hierarchy: tuple[str, ...]
    """Best first, for the next hand; empty in a game without one."""
    over: bool = False
    """Whether the match is over."""
    memory: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What else lasts from hand to hand: values that JSON can hold."""
    events: tuple[Event, ...] = ()
