"""The interface that every game must implement for its match.

A game is a stateless object. The match passes immutable values and receives new ones. Shuffled decks are arguments.
Nothing here knows about time, connections or storage.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypedDict

from app.engine.base.messages import TranslatableMessage
from app.engine.base.options import Options, OptionSchema
from app.engine.base.random_source import RandomSource
from app.engine.cards.actions import Action
from app.engine.cards.cards import Card, Cards
from app.engine.cards.deal_order import DealOrder
from app.engine.display.events import GameEvent
from app.engine.display.point_reasons import Unit
from app.engine.display.table_display import AtSeat, Face, Felt
from app.engine.match.context import AnySociety, MatchContext
from app.engine.match.hand import AnyHand, Deal, Hand, HandConclusion, HandKnowledge, HandTransition, Standing


@dataclass(frozen=True, slots=True)
class DecreeRules:
    """The rules about decrees (texts that a player proclaims to players ranked lower), in a game with a hierarchy."""

    rule_id: str
    """The id of the rule that allows decrees."""
    find_subjects: Callable[[tuple[str, ...], str], tuple[str, ...]]
    """Returns the players to whom a player may send decrees, given the hierarchy (which may be empty) and the player.
    """
    sentence: TranslatableMessage
    """The explanation for players who may not send decrees."""


SeatEvent: TypeAlias = Mapping[str, Any]
"""An event as JSON, as a seat receives it."""


class Nothing(TypedDict):
    """No keys of its own."""


class Game(Protocol[AnyHand]):
    """One card game, as a match needs it, and the type of its hand state.

    Games are stateless; each answers for the match, hand or options that it is given.
    """

    key: str
    name: str
    sentence: str
    """A description of the game in one to three sentences."""
    also: str
    """Other names of the game, in any language."""
    felt: Felt
    """The cloth on which it is played, unless a player has chosen another."""
    option_schema: OptionSchema
    unit: Unit
    """The unit of the totals."""
    actions: frozenset[type]
    """All action types of the game, including decrees; other actions are refused as `bad_action`."""

    def decree_rules(self, options: Options) -> DecreeRules | None:
        """Return the rules about decrees (texts proclaimed to players ranked lower), or None if the game has none."""
        ...

    def player_limits(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """Return the fewest and most players of the game, for a new match or (`begun`) for a running one.

        A running match may allow fewer players.
        """
        ...

    def check_players(self, options: Options, count: int, *, begun: bool = False) -> None:
        """Raise `RuleError` (`bad_player_count`) unless `count` players can play the game with these options.

        `begun`: in a running match.
        """
        ...

    def titles(self, match: MatchContext) -> Mapping[str, str]:
        """Return the seated players' current titles, such as President; empty in a game without titles."""
        ...

    def deck(self, options: Options, count: int) -> Cards:
        """Return every card of the game, in a fixed order, as `count` players use it."""
        ...

    def card_value(self, options: Options, card: Card) -> Any:
        """Return the value of a card at the start of a hand: higher is better. Used for the luck of a deal."""
        ...

    def starting_credit(self, options: Options) -> int:
        """Return the credit, in points, with which each player starts a match."""
        ...

    def pot(self, match: MatchContext) -> int:
        """Return the amount in the match's pot: paid in, not won yet and in no player's total.

        It is 0 in games without a pot.
        """
        ...

    def with_previous_hierarchy(self, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
        """Return a match before its first hand with the hierarchy of an earlier match (`ranks`, best first).

        Players without an earlier place are added as newcomers. Games whose hierarchy does not last return the match
        unchanged.
        """
        ...

    def next_dealer(self, match: MatchContext) -> str:
        """Return the player who deals the match's next hand by the rules of the game."""
        ...

    def deal_cards(self, match: MatchContext, pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """Deal a shuffled deck by the rules of the game, and return the deal.

        `dealer`, if given, must play in the hand. `seed` is kept for later shuffles of the hand.
        """
        ...

    def deal_order(self, match: MatchContext) -> DealOrder:
        """Return the order in which `deal_cards` gives out cards, as data.

        It is published before the deal, so that anybody can check the deal.
        """
        ...

    def begin_hand(self, match: MatchContext, deal: Deal) -> HandTransition[AnyHand]:
        """Return the hand that starts with this deal, with events; gifts with only one choice are made at once.

        Raises `RuleError` (`bad_record`) if the deal, which may come from a file, can't be used.
        """
        ...

    def legal_actions(self, hand: AnyHand, by: str | None = None) -> Iterator[tuple[str, Action]]:
        """Yield every legal action of a hand once, with its player; simple plays first.

        They are those of all players who must act, or of player `by` only.
        """
        ...

    def off_turn_actions(self, match: MatchContext, hand: AnyHand | None) -> tuple[Action, ...]:
        """Return actions of the game that `legal_actions` leaves out because nobody waits for them.

        The caller checks for each seat which of them are legal now.
        """
        ...

    def are_waiting_players_idle(self, hand: AnyHand) -> bool:
        """Return whether only players in `to_act` can act, and no action changes the private view of the others.

        Cards and legal actions are not counted as private view here. The server then need not build these views again.
        """
        ...

    def awaited_players(self, hand: AnyHand) -> tuple[str, ...]:
        """Return the players who must act in the hand, as far as all players may know."""
        ...

    def possible_interrupters(self, hand: AnyHand) -> tuple[str, ...]:
        """Return the players who might act out of turn now, judging by public information.

        Pages leave them a moment before they go on by themselves.
        """
        ...

    def last_play(self, hand: AnyHand) -> object | None:
        """Return the play that may be answered now, or None. While the play stays the same, it is the same object.

        So a late answer to an older play can be told apart.
        """
        ...

    def legal_plays_of_cards(self, hand: AnyHand, by: str, cards: Cards) -> Iterator[Action]:
        """Yield a player's legal actions with exactly these cards, without listing all legal actions.

        A page asks for it when a player has chosen cards, as all legal actions may be very many.
        """
        ...

    def apply_action(self, hand: AnyHand, by: str, action: Action, *, stored: bool = False) -> HandTransition[AnyHand]:
        """Return the hand after one action of a player, with events; raise `RuleError` if the action is illegal.

        `stored`: earlier rules have accepted the action, so it should stay legal.
        """
        ...

    def finish_hand(self, match: MatchContext, hand: AnyHand) -> HandConclusion:
        """Return the results of a finished hand, and its changes to the match."""
        ...

    def apply_between_hands(
        self, match: AnySociety, by: str, action: Action
    ) -> tuple[AnySociety, tuple[GameEvent, ...]]:
        """Return the match after an action between hands, and the events: joining, leaving or one that the game has.

        Raises `RuleError` for other actions. Player counts are checked at the deal.
        """
        ...

    def standing(self, hand: AnyHand) -> Standing:
        """Return the players of the hand who already have a place, best first; those who share one form a tuple."""
        ...

    def all_cards(self, hand: AnyHand) -> Cards:
        """Return every card of the hand, held, played or hidden, for the check that no card is lost."""
        ...

    def build_rules(self, options: Options) -> object:
        """Return the game's rules with these options, which each of its hands holds as `rules`."""
        ...

    # Knowledge of one seat, for bots and analysis that play in its place (hidden_state.py).

    def cards_seen_at_deal(self, dealt: Cards) -> Cards:
        """Return those of a player's dealt cards that the player has seen and may need to remember.

        Empty where the cards may go to other players, or where events report all cards that change hands.
        """
        ...

    def build_hand_knowledge(
        self, match: MatchContext, hand: AnyHand, player: str, events: Sequence[SeatEvent]
    ) -> HandKnowledge[AnyHand] | None:
        """Return a running hand as this player may know it, given the events since the deal, for bots that search.

        None if more is hidden than other players' cards, such as during talks about a swap.
        """
        ...

    def fill_hidden_cards(
        self, hand: AnyHand, held: Mapping[str, Cards], stock: Cards, pile: Cards, rng: RandomSource
    ) -> AnyHand:
        """Return a hand as it might be: the known hand with these cards, stock and hidden pile.

        Other random facts, such as secret choices, are drawn from `rng`. Bots that search sample deals with it.
        """
        ...

    # The results of `table_view`, `between_hands_view` and `private_view` are declared as TypedDicts of each game.
    # `Annotated` explains each key. The protocol's description is generated from these types.

    def table_view(self, hand: AnyHand) -> Mapping[str, Any]:
        """Return the public view of a hand as JSON: the keys that this game adds to those that every game has."""
        ...

    def volatile_table_view(self, hand: AnyHand) -> Mapping[str, Any]:
        """Return the part of the public view that any action may change; empty if the game makes no distinction.

        It is sent on its own after most actions.
        """
        ...

    def table_cache_key(self, hand: AnyHand) -> tuple[object, ...] | None:
        """Return all values that the public view depends on, apart from its volatile part; None if they are unknown.

        While they are equal, a cached view is used. With None, the view is built each time.
        """
        ...

    def between_hands_view(self, match: MatchContext) -> Mapping[str, Any]:
        """Return what the game adds to the public view between hands; records contain it, too."""
        ...

    def next_hand_events(self, match: MatchContext) -> tuple[GameEvent, ...]:
        """Return what the next hand begins with by the rules, as events: its exchange and its first player.

        A part that the rules do not know before the deal is left out.
        """
        ...

    def private_view(self, hand: AnyHand, player: str) -> Mapping[str, Any]:
        """Return what only this player may know of the hand, apart from cards and legal actions, as JSON."""
        ...

    def players_showing_cards_to(self, hand: AnyHand, player: str) -> tuple[str, ...]:
        """Return the players whose cards this player can see now. The check for leaks exempts them."""
        ...

    # The next two tell generic pages, which know no game, how to draw the table.

    def table_display(self, match: MatchContext, hand: AnyHand | None) -> Face:
        """Return what the table shows apart from the cards, for pages to draw, with the hand if there is one."""
        ...

    def seat_displays(
        self, match: MatchContext, hand: AnyHand | None, players: Collection[str]
    ) -> Mapping[str, AtSeat]:
        """Return what is shown at each of these players' seats.

        They are by player: a state such as "passed", a counter of lives, or an open card.
        """
        ...

    def hand_state_to_json(self, hand: AnyHand) -> dict[str, Any]:
        """Return what a record says of the hand's state: `table`, `passed` and the game's own fields."""
        ...


AnyGame: TypeAlias = Game[Hand]
"""A game for callers that do not know which game it is. They only pass back hands that they got from it."""
