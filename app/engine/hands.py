"""One hand, as it goes back and forth between a match and its game: the deal, a step of it, how it ended."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Protocol, TypeAlias, TypedDict, cast

from .cards import Cards, parse_cards, show
from .errors import RuleError
from .events import Event


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
            raise RuleError("bad_record", "The cards of a hand are named by player.")
        named = {name: parse_cards(held) for name, held in cast("Mapping[str, Any]", cards).items()}
        return cls(kept["dealer"], named, parse_cards(kept.get("stock", "")), kept.get("seed"))


Place: TypeAlias = str | list[str]
"""In a standing as JSON: who is there, or a list of those who share it."""


class ResultShown(TypedDict):
    """How a hand ended, as JSON."""

    dealer: Annotated[str, "Who dealt it."]
    standing: Annotated[list[Place], "Best first; those who share a place stand in a list."]
    titles: Annotated[dict[str, str], "What they are called after it, by name."]
    ledger: Annotated[dict[str, int], "What the hand added, by name."]
    events: Annotated[list[str], "Names of what was notable in it, in order."]


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended, as records tell it."""

    dealer: str
    standing: tuple[Any, ...]
    """Best first; those who share a place stand in an inner tuple."""
    titles: Mapping[str, str]
    ledger: Mapping[str, int]
    """What the hand added, by player."""
    events: tuple[str, ...] = ()
    """Names of the notable events, in order."""

    def to_json(self) -> ResultShown:
        """As records, logs and pages tell it, under the names of the fields."""
        return {
            "dealer": self.dealer,
            "standing": places_json(self.standing),
            "titles": dict(self.titles),
            "ledger": dict(self.ledger),
            "events": list(self.events),
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "HandResult":
        """The result that `to_json` gave."""
        standing = tuple(tuple(place) if isinstance(place, list) else place for place in kept["standing"])
        return cls(kept["dealer"], standing, kept["titles"], kept["ledger"], tuple(kept["events"]))


def places_json(standing: Iterable[Any]) -> list[Place]:
    """A standing as JSON: a name for each place, or a list of those who share it."""
    return [list(place) if isinstance(place, tuple) else place for place in standing]


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
    def phase(self) -> str:
        """`deal`, `exchange`, `play` or `over`."""
        ...

    @property
    def to_act(self) -> tuple[str, ...]:
        """Those whose action is awaited."""
        ...

    @property
    def cards(self) -> Mapping[str, Cards]:
        """What each player holds."""
        ...


@dataclass(frozen=True, slots=True)
class HandStep:
    """A hand after something happened, and what happened."""

    hand: Any
    events: tuple[Event, ...] = ()


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
