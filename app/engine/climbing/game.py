"""The parts of the game interface that all climbing games share: deals, views, joining and leaving.

A game derives from `ClimbingGame`, declares its options and defines how a hand begins and which results it has.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_and
from app.engine.base.options import Options, OptionSchema
from app.engine.base.random_source import RandomSource
from app.engine.cards.actions import Action, Give, JoinMatch, LeaveMatch, Pass, Play
from app.engine.cards.cards import Card, Cards, describe_cards
from app.engine.cards.deal_order import DealOrder, seats_from_left_of
from app.engine.climbing import choices, hidden_cards, view_keys
from app.engine.climbing.rule_hooks import ClimbingRules, HandState
from app.engine.climbing.view_keys import ClimbingOwn, ClimbingTable
from app.engine.display.events import JOINED, LEFT, GameEvent
from app.engine.display.point_reasons import Unit, point_reason
from app.engine.display.table_display import AtSeat, Face
from app.engine.match.context import AnySociety, MatchContext
from app.engine.match.game import DecreeRules, Nothing, SeatEvent
from app.engine.match.hand import NO_SUCH_DEALER, Deal, HandConclusion, HandKnowledge, HandTransition

from . import hand as loop
from .combinations import Combination
from .state import ClimbingHand, PlayedCombination, Trick

WAIT_FOR_THE_DEAL = MessageTemplate("refused.wait_for_the_deal", "You can do that only in a hand. Wait for the deal.")
SO_MANY_CANNOT_PLAY = MessageTemplate(
    "refused.so_many_cannot_play",
    "With these rules {name} is for {low} to {high} players, not {count}.",
)

DEALT_TO_EXACTLY = MessageTemplate(
    "record.dealt_to_exactly", "The deal must give cards to these players and no others: {names}."
)
NOT_SO_IN_THE_DECK = MessageTemplate(
    "record.not_so_in_the_deck", "The card {card} is not in the deck, or is dealt too often."
)


class ClimbingGame:
    """The common base of every climbing game, with what such games share.

    A climbing game is won by getting rid of all cards. `key` names it in JSON, and `sentence` describes it. `limits`
    are the fewest and most players. `actions` are the action types it accepts. Methods that raise
    `NotImplementedError` must be overridden.
    """

    key: str
    name: str
    sentence: str
    limits: tuple[int, int]
    option_schema: OptionSchema
    actions: frozenset[type] = frozenset({Play, Pass, Give, JoinMatch, LeaveMatch})
    unit: Unit = "points"

    def decree_rules(self, options: Options) -> DecreeRules | None:
        """Return the game's rules about decrees (texts proclaimed to players ranked lower); None: it has no decrees."""
        return None

    # Each game says --------------------------------------------------------------------------------------------

    def build_rules(self, options: Options) -> ClimbingRules:
        """Return the rules of a match with these options, as the object that decides each question in a hand."""
        raise NotImplementedError

    def begin_hand(self, match: MatchContext, deal: Deal) -> HandTransition[HandState]:
        """Return the hand that starts with this deal, and its events. Raises `RuleError` for an impossible deal."""
        raise NotImplementedError

    def finish_hand(self, match: MatchContext, hand: HandState) -> HandConclusion:
        """Return the results of a finished hand, such as points and the next hierarchy."""
        raise NotImplementedError

    # Alike in all ----------------------------------------------------------------------------------------------

    def player_limits(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """Return the fewest and most players of the game, for a new match or (`begun`) for a running one."""
        return self.limits

    def deck(self, options: Options, count: int) -> Cards:
        """Return every card of the game, in a fixed order, as `count` players use it: by default the rules' deck."""
        return self.build_rules(options).deck()

    def card_value(self, options: Options, card: Card) -> Any:
        """Return the value of a card at the start of a hand, to measure the luck of a deal; higher is better.

        By default it is the value in an exchange.
        """
        return self.build_rules(options).exchange_value(card)

    def initial_memory(self) -> object:
        """Return the game's own memory at the start of a hand, to which its rules later add: nothing by default."""
        return None

    def next_dealer(self, match: MatchContext) -> str:
        """Return the player who deals the next hand: by default the last of the hierarchy, at first the first seat."""
        return match.hierarchy[-1] if match.hierarchy else match.seats[0]

    def check_players(self, options: Options, count: int, *, begun: bool = False) -> None:
        """Raise `RuleError` (`bad_player_count`) unless `count` players can play the game with these options.

        `begun`: in a running match, where limits may be wider.
        """
        low, high = self.player_limits(options, begun=begun)
        if not low <= count <= high:
            raise RuleError(
                "bad_player_count",
                SO_MANY_CANNOT_PLAY(
                    name=TranslatableMessage(self.name, f"game.{self.key}", {}), low=low, high=high, count=count
                ),
            )

    def titles(self, match: MatchContext) -> Mapping[str, str]:
        """Return each seated player's title from the last hand; players without a title are left out."""
        last = {} if match.last is None else match.last.titles
        return {name: last[name] for name in match.seats if name in last}

    def starting_credit(self, options: Options) -> int:
        """Return the credit, in points, with which each player starts a match: 0 unless the game overrides it."""
        return 0

    def pot(self, match: MatchContext) -> int:
        """Return the number of units in the match's pot: 0, because climbing games have no pot."""
        return 0

    def newcomer_credit(self, match: MatchContext) -> int:
        """Return the credit, in points, of a player who joins the match between hands for the first time.

        By default it is the credit with which each player starts a match.
        """
        return self.starting_credit(match.options)

    def dealt_card_count(self, match: MatchContext, total: int) -> int:
        """Return the number of dealt cards among the deck's `total`: all, unless a game overrides it.

        The rest is the stock.
        """
        return total

    def deal_cards(self, match: MatchContext, pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """Deal the shuffled deck one card at a time, clockwise from the dealer's left, and return the deal.

        The dealer is `dealer`, or the next one by the rules. `seed` is kept for later shuffles of the hand.
        """
        dealer, seats = dealer or self.next_dealer(match), match.seats
        dealt = self.dealt_card_count(match, len(pack))
        order = seats_from_left_of(dealer, seats)
        cards = {name: pack[place : dealt : len(order)] for place, name in enumerate(order)}
        return Deal(dealer, {name: cards[name] for name in seats}, pack[dealt:], seed)

    def deal_order(self, match: MatchContext) -> DealOrder:
        """Return the order in which the next deal gives out cards: clockwise from the dealer's left.

        Anybody can check a deal by it.
        """
        return DealOrder(seats_from_left_of(self.next_dealer(match), match.seats))

    def check_deal(self, match: MatchContext, deal: Deal) -> None:
        """Raise `RuleError` (`bad_record`) unless a deal, which may come from a file, is possible.

        Exactly the seated players must have cards, the dealer must be seated, and no card may occur more often than in
        the deck.
        """
        if set(deal.cards) != set(match.seats) or not all(deal.cards.values()):
            raise RuleError("bad_record", DEALT_TO_EXACTLY(names=join_with_and(match.seats)))
        if deal.dealer not in match.seats:
            raise RuleError("bad_record", NO_SUCH_DEALER(name=deal.dealer))
        left = list(self.deck(match.options, len(match.seats)))
        for card in (*(card for cards in deal.cards.values() for card in cards), *deal.stock):
            if card not in left:
                raise RuleError("bad_record", NOT_SO_IN_THE_DECK(card=describe_cards((card,))))
            left.remove(card)

    def combinations_in_hand(
        self, options: Options, held: Cards, *, on: Combination | None = None, inverted: bool = False
    ) -> Iterable[Sequence[Combination]]:
        """Yield the combinations that these cards contain: each different choice that could be led, by its readings.

        Small choices come first; results are lazy. Turns and the table are ignored, for players and bots who plan with
        their own cards. `on`: only choices that beat this combination, if it were led. `inverted`: as in a revolution.
        A reading is one way to count cards as a combination.
        """
        return next(self.combinations_in_hands(options, (held,), on=on, inverted=inverted))

    def combinations_in_hands(
        self, options: Options, hands: Iterable[Cards], *, on: Combination | None = None, inverted: bool = False
    ) -> Iterator[Iterable[Sequence[Combination]]]:
        """Yield the result of `combinations_in_hand` for each of several hands; faster than single calls.

        Each result has the combinations that these cards contain, or those that beat `on`.
        """
        rules = self.build_rules(options)
        alone = ClimbingHand(
            rules=rules,
            seats=(_ANYBODY,),
            dealer=_ANYBODY,
            cards={},
            to_act=(_ANYBODY,),
            trick=Trick() if on is None else Trick.from_acts(PlayedCombination(_ANYBODY, on, inverted=inverted)),
            inverted=inverted,
            opened=True,
            memory=self.initial_memory(),
        )
        for held in hands:
            yield rules.playable_combinations(alone.replace(cards={_ANYBODY: held}), held)

    # Direct aliases for speed: every action calls these.
    legal_actions, legal_plays_of_cards, apply_action = (
        staticmethod(loop.legal_actions),
        staticmethod(loop.legal_plays_of_cards),
        staticmethod(loop.apply_action),
    )
    volatile_table_view = staticmethod(view_keys.volatile_table_view)

    def off_turn_actions(self, match: MatchContext, hand: HandState | None) -> tuple[Action, ...]:
        """Return the actions that waiting players may try but that legal actions do not list.

        The default is an empty tuple.
        """
        return ()

    def are_waiting_players_idle(self, hand: HandState) -> bool:
        """Return whether waiting players can do nothing now, so that their views need no update.

        True in a trick without an open choice, if the rules never let waiting players act.
        """
        return hand.phase == "play" and hand.rules.waiting_players_idle and not hand.due

    def awaited_players(self, hand: HandState) -> tuple[str, ...]:
        """Return the players who must act, as shown to everybody.

        In an exchange with secret gifts, every giver stays in the list until the gifts are given.
        """
        if hand.phase != "exchange" or hand.exchange is None:
            return hand.to_act
        choosing = hand.exchange.publicly_awaited_givers()
        return (*choosing, *[name for name in hand.to_act if name not in choosing])

    def possible_interrupters(self, hand: HandState) -> tuple[str, ...]:
        """Return the players who might play out of turn now, as far as everybody can know."""
        return hand.rules.possible_interrupters(hand)

    def last_play(self, hand: HandState) -> PlayedCombination | None:
        """Return the play on the table that must be beaten, or None if the next player leads."""
        return hand.play_to_beat

    def standing(self, hand: HandState) -> tuple[str, ...]:
        """Return the players of the hand who already have a final place, best first."""
        return hand.rules.standing(hand)

    def unheld_cards(self, hand: HandState) -> Cards:
        """Return cards that no player holds or has played: a stock, or piles not handed out yet. None here."""
        return ()

    def all_cards(self, hand: HandState) -> Cards:
        """Return every card of the hand: held, played, in the pile or not yet dealt out.

        Checks use it to see that no card is lost.
        """
        held = tuple([card for cards in hand.cards.values() for card in cards])
        return held + hand.pile + _cards_on_table(hand) + self.unheld_cards(hand)

    def apply_between_hands(
        self, match: AnySociety, by: str, action: Action
    ) -> tuple[AnySociety, tuple[GameEvent, ...]]:
        """Return the match after a player has joined or left between hands, and the events.

        A player who joins sits at the right of the first seat and is last in the hierarchy. Other actions raise
        `RuleError`.
        """
        match action:
            case JoinMatch():
                return add_player(match, by, match.seats, (*match.hierarchy, by), self.newcomer_credit(match))
            case LeaveMatch():
                return remove_player(match, by)
            case _:
                raise RuleError("not_in_this_phase", WAIT_FOR_THE_DEAL())

    def table_view(self, hand: HandState) -> ClimbingTable:
        """Return the public view of the hand: what all players and spectators may see."""
        return view_keys.table_view(hand)

    def table_cache_key(self, hand: HandState) -> tuple[object, ...] | None:
        """Return what the public view depends on, apart from held cards and plays; None if not in a trick.

        Views with equal keys are sent from a cache.
        """
        return view_keys.table_cache_key(hand) if hand.phase == "play" else None

    def between_hands_view(self, match: MatchContext) -> Mapping[str, Any]:
        """Return what the game adds to the public view between hands.

        Nothing here, because the match's own view is complete.
        """
        return Nothing()

    def next_hand_events(self, match: MatchContext) -> tuple[GameEvent, ...]:
        """Return what the next hand begins with by the rules, as events: nothing, unless a game overrides it."""
        return ()

    def private_view(self, hand: HandState, player: str) -> ClimbingOwn:
        """Return what only this player may know of the hand, apart from cards and legal actions.

        For example, the gifts that the player owes in an exchange.
        """
        return view_keys.private_view(hand, player)

    def players_showing_cards_to(self, hand: HandState, player: str) -> tuple[str, ...]:
        """Return the players who show their cards to `player`: none, unless a game overrides it."""
        return ()

    def cards_seen_at_deal(self, dealt: Cards) -> Cards:
        """Return those of a player's dealt cards that a bot must remember: none, unless a game overrides this.

        Players are told about cards that change hands by events.
        """
        return ()

    def without_secret_memory(self, hand: HandState, player: str) -> HandState | None:
        """Return the hand without the parts of the rules' memory that this player can't know: unchanged by default.

        None, in an override, means that the missing parts can't be replaced by random ones.
        """
        return hand

    def build_hand_knowledge(
        self, match: MatchContext, hand: HandState, player: str, events: Sequence[SeatEvent]
    ) -> HandKnowledge[HandState] | None:
        """Return the hand as a player knows it, for bots that search; None if that can't be worked out now.

        It is worked out in an exchange or a trick, but not during an open choice. `events`: those the player has seen.
        """
        known = (
            self.without_secret_memory(hand, player) if hand.phase in ("exchange", "play") and not hand.due else None
        )
        if known is None or player not in hand.seats:
            return None
        deck = self.deck(match.options, len(hand.seats))
        return hidden_cards.build_hand_knowledge(
            known, player, hidden_cards.build_seat_memory(events, player), deck, len(self.unheld_cards(hand))
        )

    def fill_hidden_cards(
        self, hand: HandState, held: Mapping[str, Cards], stock: Cards, pile: Cards, rng: RandomSource
    ) -> HandState:
        """Return a hand as it might be, complete with these cards of the players, for bots that search.

        `pile` are cards discarded unseen; climbing games without a stock ignore `stock`. Gifts that other players have
        chosen in secret are drawn at random.
        """
        return hidden_cards.fill_hidden_cards(hand, held, pile, rng)

    def with_previous_hierarchy(self, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
        """Return a new match as it continues a hierarchy of an earlier one: unchanged, as climbing games begin afresh.

        Games with a hierarchy override this; `ranks` lists the players, best first.
        """
        return match

    def table_display(self, match: MatchContext, hand: HandState | None) -> Face:
        """Return what the table shows in the middle: the trick or the exchange, and the badges of the rules."""
        return view_keys.table_display(hand)

    def seat_displays(
        self, match: MatchContext, hand: HandState | None, players: Collection[str]
    ) -> Mapping[str, AtSeat]:
        """Return what is shown at each player's seat: players who have passed, and players who are out."""
        return view_keys.seat_displays(hand, players)

    def hand_state_to_json(self, hand: HandState) -> dict[str, Any]:
        """Return the state of the hand for records, as JSON.

        Keys: `table` (the play to beat, with its call), `passed` (players), and an open `choice` in mid-trick.
        """
        call = hand.trick.call
        table = (
            None
            if hand.play_to_beat is None
            else hand.play_to_beat.to_json() | ({} if call is None else {"call": call})
        )
        return {
            "table": table,
            "passed": [name for name in hand.seats if name in hand.trick.passed],
            **({} if (choice := choices.choice_view(hand)) is None else {"choice": choice}),
        }


_ANYBODY = "anybody"


def _cards_on_table(hand: HandState) -> Cards:
    """Return the cards of the running trick.

    A finished trick that waits to be cleared has none, because its cards count as pile.
    """
    if hand.rules.pause_refusal(hand):
        return ()
    return tuple([card for laid in hand.trick.plays for card in laid.combination.cards])


NEWCOMERS_CREDIT = MessageTemplate("ledger.newcomer", "Starting points of a new player")


def add_player(
    match: AnySociety, name: str, seats: tuple[str, ...], hierarchy: tuple[str, ...], points: int
) -> tuple[AnySociety, tuple[GameEvent, ...]]:
    """Seat a player between hands, at the right of the first seat; return the match and its events.

    `hierarchy` must contain the player at the place for newcomers; `points` is a newcomer's credit. Returning players
    keep their points. If they return before the next deal, they also keep their place in the hierarchy, so that leaving
    for a moment never improves it.
    """
    hierarchy = _hierarchy_with_returning(match, name) or hierarchy
    totals: Mapping[str, int] = {**match.totals, name: match.totals.get(name, points)}
    credit = points if name not in match.totals else 0
    entered = (*match.entered, point_reason(name, NEWCOMERS_CREDIT(), credit)) if credit else match.entered
    changed = match.replace(
        seats=(*seats, name), hierarchy=hierarchy if match.hierarchy else (), totals=totals, entered=entered
    )
    return changed, (JOINED(name),)


def lowest_total(match: MatchContext, start: int) -> int:
    """Return the lowest total of the seated players, or `start` if that is lower.

    Some games give this credit, in points, to a player who joins later, so that late players gain nothing by it.
    """
    return min([start, *(match.totals[name] for name in match.seats)])


def remove_player(match: AnySociety, name: str) -> tuple[AnySociety, tuple[GameEvent, ...]]:
    """Return the match without a player who leaves between hands, and the event.

    Players below move up in the hierarchy. The points stay in the totals, and the former place is remembered until the
    next deal.
    """
    seats = tuple(other for other in match.seats if other != name)
    hierarchy = tuple(other for other in match.hierarchy if other != name)
    memory = {**match.memory, RANKS_SINCE: _hierarchy_with_absent(match)} if match.hierarchy else match.memory
    return match.replace(seats=seats, hierarchy=hierarchy, memory=memory), (LEFT(name),)


RANKS_SINCE = "ranks"
"""Memory key for the hierarchy that includes players who left since the last hand, until the next hand is over."""


def _hierarchy_with_absent(match: MatchContext) -> list[str]:
    """Return the hierarchy with players who left since the last hand, each below the former neighbour."""
    ranks, before = list(match.hierarchy), match.memory.get(RANKS_SINCE, ())
    for at, name in enumerate(before):
        if name not in ranks:
            ranks.insert(ranks.index(before[at - 1]) + 1 if at else 0, name)
    return ranks


def _hierarchy_with_returning(match: MatchContext, name: str) -> tuple[str, ...]:
    """Return the hierarchy with a player who returns before the next deal at the former place.

    Returns () for other players and in a game without a hierarchy.
    """
    if not match.hierarchy or name not in match.memory.get(RANKS_SINCE, ()):
        return ()
    return tuple(other for other in _hierarchy_with_absent(match) if other == name or other in match.hierarchy)


def restore_hierarchy(game: ClimbingGame, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
    """Return a match before its first hand with the hierarchy of an earlier match, given best first as `ranks`.

    Players without an earlier place are added as newcomers. Seats and points stay unchanged. The match is unchanged if
    nobody has an earlier place.
    """
    known = tuple(name for name in ranks if name in match.seats)
    if not known:
        return match
    society = match.replace(seats=tuple(name for name in match.seats if name in known), hierarchy=known)
    for name in match.seats:
        if name not in known:
            society, _ = game.apply_between_hands(society, name, JoinMatch())
    return society.replace(seats=match.seats, totals=match.totals, entered=match.entered)
