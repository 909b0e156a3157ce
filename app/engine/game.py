"""The seam between a match and its game: what every game must answer.

A game is one object without state. The match hands it frozen values and gets frozen values back; shuffles
come in as a pack in some order, and nothing here knows of time, people's connections or stores.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, cast

from .actions import Action
from .cards import Cards, parse_cards, show
from .errors import RuleError
from .events import Event
from .options import Declared, Options

if TYPE_CHECKING:
    from .match import Match


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

    def to_json(self) -> dict[str, Any]:
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


def places_json(standing: Iterable[Any]) -> list[Any]:
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


@dataclass(frozen=True, slots=True)
class Decrees:
    """Who may give orders to whom, in a game with a hierarchy."""

    cause: str
    """Id of the rule that allows it."""
    subjects: Callable[[tuple[str, ...], str], tuple[str, ...]]
    """To whom this player may give orders, from the hierarchy, which may be empty."""
    sentence: str
    """Who may, for somebody who may not."""


class Nothing(TypedDict):
    """What a game shows that adds no keys of its own."""


class Game(Protocol):
    """One climbing card game (or Chase the Ace)."""

    key: str
    name: str
    declared: Declared
    actions: frozenset[type]
    """The actions it knows, decrees and the like included; any other is `bad_action`."""

    @property
    def decrees(self) -> Decrees | None:
        """Who may decree; None where nobody may."""
        ...

    def players(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """Fewest and most players: of a match that begins, or of one that has `begun` and may go on with fewer."""
        ...

    def check_players(self, options: Options, count: int, *, begun: bool = False) -> None:
        """`bad_player_count` with a sentence if so many can't play."""
        ...

    def titles(self, match: "Match") -> Mapping[str, str]:
        """What the people at the table are called now, by the hierarchy; empty in a game without one."""
        ...

    def deck(self, options: Options, count: int) -> Cards:
        """Every card of the game, in a fixed order."""
        ...

    def first_points(self, options: Options) -> int:
        """The credit everybody starts with."""
        ...

    def dealer(self, match: "Match") -> str:
        """Who the rules say deals the next hand."""
        ...

    def deal(self, match: "Match", pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """The shuffled pack, dealt as the rules say; by this dealer if one is named, who plays in the hand."""
        ...

    def begin(self, match: "Match", deal: Deal) -> HandStep:
        """Start a hand with these cards; gifts with only one choice are made. `bad_record` if the deal can't serve."""
        ...

    def legal(self, hand: Any, by: str | None = None) -> Iterator[tuple[str, Action]]:
        """Every legal action of those in `to_act` (or of one player), each once, the plainest plays first."""
        ...

    def unlisted(self, match: "Match") -> tuple[Action, ...]:
        """What `legal` leaves out because it waits for nobody. Who may do it now is told to each seat."""
        ...

    def plays_of(self, hand: Any, by: str, cards: Cards) -> Iterator[Action]:
        """Of `legal`, one player's plays of exactly these cards: asked without listing all there are."""
        ...

    def apply(self, hand: Any, by: str, action: Action) -> HandStep:
        """The hand after one action; `RuleError` if it is not legal."""
        ...

    def finish(self, match: "Match", hand: Any) -> Finish:
        """What a hand that is over leaves behind."""
        ...

    def between(self, match: "Match", by: str, action: Action) -> tuple["Match", tuple[Event, ...]]:
        """Something done between hands: join, leave and what the game adds. Player counts are looked at at the deal."""
        ...

    def standing(self, hand: Any) -> tuple[Any, ...]:
        """Who is out so far, best place first."""
        ...

    def whereabouts(self, hand: Any) -> Cards:
        """Every card of the hand wherever it lies: the proof that none gets lost."""
        ...

    # What the next three give is declared: each says with a TypedDict of the game's own which keys there are, and
    # `Annotated` says of each key what it means. The protocol's description is made of these.

    def table(self, hand: Any) -> Mapping[str, Any]:
        """What everybody may know of the hand, listed (see views.py for the keys every game has)."""
        ...

    def lasting(self, match: "Match") -> Mapping[str, Any]:
        """Of `table`, what stays true between hands: what the game itself keeps (the record's `state` has it too)."""
        ...

    def own(self, hand: Any, player: str) -> Mapping[str, Any]:
        """What only this player may know besides their cards and legal actions."""
        ...

    def state(self, hand: Any) -> dict[str, Any]:
        """The record's `state` fields beyond phase, to_act, cards and legal: `table`, `passed` and the game's own."""
        ...
