"""The seam between a match and its game: what every game must answer.

A game is one object without state. The match hands it frozen values and gets frozen values back; shuffles
come in as a pack in some order, and nothing here knows of time, people's connections or stores.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypedDict

from app.engine.base.messages import Said
from app.engine.base.options import Declared, Options
from app.engine.base.random_source import Dice
from app.engine.cards.actions import Action
from app.engine.cards.cards import Card, Cards
from app.engine.cards.deal_order import DealOrder
from app.engine.display.events import Event
from app.engine.display.point_reasons import Unit
from app.engine.display.table_display import AtSeat, Face
from app.engine.match.context import AnySociety, Society
from app.engine.match.hand import AnyHand, Deal, Finish, Hand, HandStep, Standing, Unseen


@dataclass(frozen=True, slots=True)
class Decrees:
    """Who may give orders to whom, in a game with a hierarchy."""

    cause: str
    """Id of the rule that allows it."""
    subjects: Callable[[tuple[str, ...], str], tuple[str, ...]]
    """To whom this player may give orders, from the hierarchy, which may be empty."""
    sentence: Said
    """Who may, for somebody who may not."""


Told: TypeAlias = Mapping[str, Any]
"""An event as a seat is told it: JSON."""


class Nothing(TypedDict):
    """What a game shows that adds no keys of its own."""


class Game(Protocol[AnyHand]):
    """One climbing card game (or Chase the Ace), and what the state of a hand is in it."""

    key: str
    name: str
    sentence: str
    """What it is, in a sentence or three."""
    also: str
    """What else it is called, in any language."""
    declared: Declared
    unit: Unit
    """In which totals are kept."""
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

    def titles(self, match: Society) -> Mapping[str, str]:
        """What the people at the table are called now, by the hierarchy; empty in a game without one."""
        ...

    def deck(self, options: Options, count: int) -> Cards:
        """Every card of the game, in a fixed order."""
        ...

    def worth(self, options: Options, card: Card) -> Any:
        """How good a card is at the start of a hand: higher is better. What the luck of a deal goes by."""
        ...

    def first_points(self, options: Options) -> int:
        """The credit everybody starts with."""
        ...

    def pot(self, match: Society) -> int:
        """What was paid into a pot and not won from it yet: it is in nobody's total."""
        ...

    def ranked(self, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
        """A match before its first hand, among people of whom some have ranks from before: these, best first.

        Who has none comes in as newcomers do. A game in which no hierarchy lasts gives the match as it is."""
        ...

    def dealer(self, match: Society) -> str:
        """Who the rules say deals the next hand."""
        ...

    def deal(self, match: Society, pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """The shuffled pack, dealt as the rules say; by this dealer if one is named, who plays in the hand."""
        ...

    def deal_order(self, match: Society) -> DealOrder:
        """Which pile of the next deck goes to which seat: what `deal` does, as data that can be published before."""
        ...

    def begin(self, match: Society, deal: Deal) -> HandStep[AnyHand]:
        """Start a hand with these cards; gifts with only one choice are made. `bad_record` if the deal can't serve."""
        ...

    def legal(self, hand: AnyHand, by: str | None = None) -> Iterator[tuple[str, Action]]:
        """Every legal action of those in `to_act` (or of one player), each once, the plainest plays first."""
        ...

    def unlisted(self, match: Society, hand: AnyHand | None) -> tuple[Action, ...]:
        """What `legal` leaves out because it waits for nobody. Who may do it now is told to each seat."""
        ...

    def is_quiet(self, hand: AnyHand) -> bool:
        """Whether only those who are to act can do anything now, and nobody sees anything of their own but their cards
        and what they may do, whatever they do."""
        ...

    def awaited(self, hand: AnyHand) -> tuple[str, ...]:
        """Return those whose action is awaited, for all that everybody may know."""
        ...

    def may_break_in(self, hand: AnyHand) -> tuple[str, ...]:
        """Who may be about to act though it is not their turn, for all that everybody can see."""
        ...

    def last_play(self, hand: AnyHand) -> object | None:
        """Return the play that others may answer now, as the same object while it is the same; None: there is none."""
        ...

    def plays_of(self, hand: AnyHand, by: str, cards: Cards) -> Iterator[Action]:
        """Of `legal`, one player's plays of exactly these cards: asked without listing all there are."""
        ...

    def apply(self, hand: AnyHand, by: str, action: Action) -> HandStep[AnyHand]:
        """The hand after one action; `RuleError` if it is not legal."""
        ...

    def finish(self, match: Society, hand: AnyHand) -> Finish:
        """What a hand that is over leaves behind."""
        ...

    def between(self, match: AnySociety, by: str, action: Action) -> tuple[AnySociety, tuple[Event, ...]]:
        """Something done between hands: join, leave and what the game adds. Player counts are looked at at the deal."""
        ...

    def standing(self, hand: AnyHand) -> Standing:
        """Who is out so far, best place first."""
        ...

    def whereabouts(self, hand: AnyHand) -> Cards:
        """Every card of the hand wherever it lies: the proof that none gets lost."""
        ...

    def rules(self, options: Options) -> object:
        """What a hand's `rules` are with these options."""
        ...

    # What one seat knows of a hand, for who plays or thinks ahead in its place (hidden_state.py).

    def saw(self, dealt: Cards) -> Cards:
        """Of the cards as they were dealt at a player's place, those that the player has seen and may have to remember.
        Where piles go to others than those at whose places they were dealt, or all that changes hands is told: none."""
        ...

    def unseen(self, match: Society, hand: AnyHand, player: str, told: Sequence[Told]) -> Unseen[AnyHand] | None:
        """A running hand as a player may know it who has been told this since the deal. None where more is hidden than
        cards that others hold: while there is talk about a swap, say."""
        ...

    def dealt_so(self, hand: AnyHand, held: Mapping[str, Cards], stock: Cards, pile: Cards, rng: Dice) -> AnyHand:
        """A hand that `unseen` gave, with what others may hold, and what may lie in the stock and, hidden, in the pile.
        Other chance is drawn anew."""
        ...

    # What `table`, `lasting` and `own` give is declared: each says with a TypedDict of the game's own which keys there
    # are, and `Annotated` says of each key what it means. The protocol's description is made of these.

    def table(self, hand: AnyHand) -> Mapping[str, Any]:
        """What everybody may know of the hand, listed (see views.py for the keys every game has)."""
        ...

    def moving(self, hand: AnyHand) -> Mapping[str, Any]:
        """Of `table`, what any action may change; empty where the game does not tell it from the rest."""
        ...

    def makes_table(self, hand: AnyHand) -> tuple[object, ...] | None:
        """All that `table` but for `moving` is made of now: while each of these is the same, so is that. None: it
        is made anew, whatever happens."""
        ...

    def lasting(self, match: Society) -> Mapping[str, Any]:
        """Of `table`, what stays true between hands: what the game itself keeps (the record's `state` has it too)."""
        ...

    def own(self, hand: AnyHand, player: str) -> Mapping[str, Any]:
        """What only this player may know besides their cards and legal actions."""
        ...

    def open_to(self, hand: AnyHand, player: str) -> tuple[str, ...]:
        """Who shows this player all their cards now: the proof that nobody else's are seen starts from it."""
        ...

    # And the next two say how the same is to be drawn, by whoever knows no game.

    def face(self, match: Society, hand: AnyHand | None) -> Face:
        """What the table shows, with the hand that lies on it if one does."""
        ...

    def at_seats(self, match: Society, hand: AnyHand | None, players: Collection[str]) -> Mapping[str, AtSeat]:
        """What is to be seen at each of these players' seats, by name."""
        ...

    def state(self, hand: AnyHand) -> dict[str, Any]:
        """The record's `state` fields beyond phase, to_act, cards and legal: `table`, `passed` and the game's own."""
        ...


AnyGame: TypeAlias = Game[Hand]
"""A game as those see it who know no game: what it gets from them is a hand that it gave them."""
