"""Big Two as a `Game`: start and results of a hand, joining and leaving, and views."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypedDict

from app.engine.base.options import Options, OptionSchema
from app.engine.base.random_source import RandomSource
from app.engine.cards.actions import Action, JoinMatch
from app.engine.cards.cards import Card, Cards, format_cards
from app.engine.cards.deal_order import CountedStart, DealOrder, DrawnStart, seats_in_play_order
from app.engine.cards.shuffling import shuffled
from app.engine.climbing.exchange import Gift
from app.engine.climbing.game import add_player
from app.engine.climbing.hand import win_at_deal
from app.engine.climbing.low_card.game import LowCardGame
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.view_keys import ClimbingTable
from app.engine.display.events import MATCH_WON, GameEvent, GameEventType
from app.engine.display.table_display import Felt
from app.engine.games.big_two.hand_memory import BigTwoMemory, memory_of
from app.engine.match.context import AnySociety, MatchContext
from app.engine.match.hand import Deal, HandConclusion, HandResult, HandTransition

from . import combinations, deal as dealing, play, scoring, short_tables
from .kinds import HONOUR_KINDS
from .presets import BASICS, PRESETS
from .questions import QUESTIONS
from .rules import DRAGON, BigTwoRules, rules_of
from .short_rules import SHORT_RULES

DECLARED = OptionSchema(
    sections=(
        dealing.SECTION,
        combinations.SECTION,
        play.SECTION,
        scoring.SECTION,
        short_tables.THREE,
        short_tables.TWO,
    ),
    presets=PRESETS,
    conflicts=(*combinations.CONFLICTS, *scoring.CONFLICTS),
    zero_sum=scoring.ZERO_SUM,
    short_rules=SHORT_RULES,
    basics=BASICS,
    questions=QUESTIONS,
    source="pagat.com",
)

DREW_FOR_DEAL = GameEventType(
    "drew_for_deal",
    "Every player draws a card: {by} has the highest and deals.",
    you="Every player draws a card: yours is the highest, so you deal.",
)


class OddCardView(TypedDict):
    """The extra card."""

    by: Annotated[str, "The player who took the extra card."]
    card: Annotated[str | None, "The extra card; null: it was face down."]


class BigTwoTable(ClimbingTable):
    """The public view of a hand of Big Two."""

    left: Annotated[dict[str, str] | None, "The cards left to each player by name; null until the hand is over."]
    stock: Annotated[int, "Number of cards left to draw (BIG-33)."]
    odd_card: Annotated[OddCardView | None, "The extra card, if three players get 17 cards each (BIG-31); null: none."]
    ban_lifted: Annotated[bool, "Whether any card may be the last one again, because no player could play (BIG-20)."]


class BigTwo(LowCardGame):
    """The game object of Big Two: its options, deals, start and results of a hand, and views. It holds no state."""

    key = "big_two"
    name = "Big Two"
    sentence = "Play singles, pairs and five-card hands. Twos are high, and suits count."
    also = (
        "Big Deuce, Deuces, Top Dog, Chinese Poker, Capsa, Da Lao Er, Choh Dai Di, Cho Dai Di, Dai Di, 大老二, 鋤大弟, "
        "鋤大D, 锄大地, 步步高升"
    )
    felt: Felt = "blue"
    memory_type = BigTwoMemory
    option_schema = DECLARED

    def build_rules(self, options: Options) -> BigTwoRules:
        """Return Big Two's rules for these options, from a cache."""
        return rules_of(options)

    # Before a hand -----------------------------------------------------------------------------------------------

    def newcomer_credit(self, match: MatchContext) -> int:
        """Return the points with which a newcomer joins a match of Big Two, by an option (BIG-49)."""
        return rules_of(match.options).newcomer_points(match, self.starting_credit(match.options))

    def next_dealer(self, match: MatchContext) -> str:
        """Return who deals the next hand of Big Two: the last hand's winner, or its loser if the loser starts (BIG-03).

        The first player deals the first hand.
        """
        dealer = rules_of(match.options).find_dealer(match.hierarchy, _losers_still_here(match))
        return match.seats[0] if dealer is None else dealer

    def deal_cards(self, match: MatchContext, pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """Deal a hand of Big Two one card at a time in the direction of play, and return the deal.

        The option for the first card decides which player gets it. Before a match of a fixed number of hands, drawn
        cards decide the dealer. `pack` is the shuffled deck, and `seed` is kept for later shuffles of the hand.
        """
        drawn, seats = _cards_drawn_for_deal(match, seed), match.seats
        if dealer is None:
            dealer = _player_with_highest_draw(match, drawn) if drawn else self.next_dealer(match)
        order = _deal_order_from(match, dealer).deal_recipients(pack, seed)
        dealt = len(seats) * short_tables.cards_per_player(match.options, len(seats))
        cards = {name: pack[place : dealt : len(order)] for place, name in enumerate(order)}
        return Deal(dealer, {name: cards[name] for name in seats}, pack[dealt:], seed)

    def deal_order(self, match: MatchContext) -> DealOrder:
        """Return the order of Big Two's next deal: in the direction of play from the dealer.

        A card of the deck may move the start. Before the first hand of a match with a fixed number of hands, drawn
        cards decide the dealer.
        """
        rules = rules_of(match.options)
        if rules.hands_per_match is None or match.dealt:
            return _deal_order_from(match, self.next_dealer(match))
        order = _deal_order_from(match, match.seats[0])
        return order.replace(drawn=DrawnStart(format_cards(rules.card_order.deck), match.seats, _SHUFFLE_FOR_DRAW))

    def next_leader(self, match: MatchContext) -> str | None:
        """Return who leads the next hand of Big Two by the result of the last one; None if the low card decides."""
        return rules_of(match.options).find_starter(match.hierarchy, _losers_still_here(match))

    def next_gifts(self, match: MatchContext) -> tuple[Gift, ...]:
        """Return the tribute (cards owed by losers) before the next hand of Big Two, by an option."""
        return rules_of(match.options).tribute_gifts(len(match.seats), match.hierarchy)

    def memory_after_deal(self, match: MatchContext, deal: Deal) -> BigTwoMemory:
        """Return Big Two's own state of a hand after the deal, with the stock and the seed to refill it."""
        return BigTwoMemory(leader=self.next_leader(match), stock=deal.stock, seed=deal.seed)

    def start_hand(
        self, match: MatchContext, hand: HandState, events: tuple[GameEvent, ...]
    ) -> HandTransition[HandState]:
        """Return a dealt hand of Big Two: a dragon (one card of each rank) wins at once.

        Else a card left over is taken, tribute is given, and a player leads.
        """
        rules, drawn = rules_of(match.options), _cards_drawn_for_deal(match, memory_of(hand).seed)
        if drawn and _player_with_highest_draw(match, drawn) == hand.dealer:
            events = (DREW_FOR_DEAL(hand.dealer, cards=drawn), *events)
        winner = rules.find_dragon_winner(hand.cards, seats_in_play_order(hand.seats, hand.dealer, hand.direction))
        if winner is not None:
            cards = " ".join(hand.cards[winner])
            return win_at_deal(hand, winner, (*events, DRAGON(winner, combinations.DRAGON.id, cards=cards)))
        hand, taken = rules.take_odd_card(hand, rules.card_order)
        return super().start_hand(match, hand, (*events, *taken))

    # After a hand ------------------------------------------------------------------------------------------------

    def finish_hand(self, match: MatchContext, hand: HandState) -> HandConclusion:
        """Return the results of a finished hand of Big Two, what decides the next starter, and whether the match ends.

        The match ends after the hands that the option `deals` sets, or when a total reaches the target.
        """
        rules, memory = rules_of(match.options), memory_of(hand)
        standing = rules.standing(hand)
        finished = scoring.HandToScore(
            standing=standing,
            cards_left=hand.cards,
            starter=hand.starter,
            last_play=memory.last_play,
            unbeaten_honours=_unbeaten_honours(hand),
            liable_player=memory.liable,
        )
        reasons = scoring.point_reasons(match.options, finished, rules.combination_rules)
        result = HandResult.from_reasons(hand.dealer, standing, {}, tuple(hand.cards), reasons)
        totals = {name: match.totals[name] + result.ledger[name] for name in match.seats}
        ended = _find_match_ending_rule(rules, match.dealt, totals)
        events = (_match_won_event(totals, ended),) if ended else ()
        lasting = rules.memory_for_next_hand(hand.cards, rules.combination_rules.largest_size_and_strength)
        return HandConclusion(result, hand.seats, standing, ended is not None, lasting, events)

    def apply_between_hands(
        self, match: AnySociety, by: str, action: Action
    ) -> tuple[AnySociety, tuple[GameEvent, ...]]:
        """Return a match of Big Two after a player joined or left between hands, and the events.

        A newcomer sits at the right of the first seat and has no place in the last standing.
        """
        if isinstance(action, JoinMatch):
            return add_player(match, by, match.seats, match.hierarchy, self.newcomer_credit(match))
        return super().apply_between_hands(match, by, action)

    def unheld_cards(self, hand: HandState) -> Cards:
        """Return the stock of a hand of Big Two, from which players may draw."""
        return memory_of(hand).stock

    # Views -----------------------------------------------------------------------------------------------------

    def without_secret_memory(self, hand: HandState, player: str) -> HandState:
        """Return the hand without what this player can't know, for bots that search.

        That is the stock, its seed, and an odd card that another player took unseen. Notes on which other players let
        the next player win are removed, too, because they depend on hidden cards.
        """
        hand = super().without_secret_memory(hand, player)
        memory = memory_of(hand)
        odd = memory.odd
        if odd is not None and not odd.shown and odd.taker != player:
            odd = replace(odd, card=Card(""))
        return hand.replace(
            memory=memory.but(
                stock=(),
                seed=None,
                odd=odd,
                offences=tuple(one for one in memory.offences if one[0] == player),
            )
        )

    def fill_hidden_cards(
        self, hand: HandState, held: Mapping[str, Cards], stock: Cards, pile: Cards, rng: RandomSource
    ) -> HandState:
        """Return a hand of Big Two as it might be, with this stock and a random seed for later shuffles.

        Bots that search sample deals with it.
        """
        hand = super().fill_hidden_cards(hand, held, stock, pile, rng)
        return hand.replace(memory=memory_of(hand).but(stock=stock, seed=rng.getrandbits(30)))

    def table_view(self, hand: HandState) -> BigTwoTable:
        """Return the public view of a hand of Big Two.

        It adds the order of suits, the size of the stock, the odd card if shown, and the cards left after the hand.
        """
        memory, rules = memory_of(hand), hand.rules
        assert isinstance(rules, BigTwoRules)
        odd, over = memory.odd, hand.phase == "over"
        return {
            **super().table_view(hand),
            "left": {name: format_cards(cards) for name, cards in hand.cards.items() if cards} if over else None,
            "stock": len(memory.stock),
            "odd_card": None if odd is None else {"by": odd.taker, "card": odd.card if odd.shown else None},
            "ban_lifted": memory.ban_lifted,
        }


_SHUFFLE_FOR_DRAW = 1 << 20
"""The number of the shuffle, for a seed, from which players draw for the deal."""


def _cards_drawn_for_deal(match: MatchContext, seed: int | None) -> dict[str, Card]:
    """Return the cards that players draw to find the first dealer of a match of Big Two (BIG-05).

    Empty unless the match has a fixed number of hands and this is the first, and empty without a seed.
    """
    rules = rules_of(match.options)
    if rules.hands_per_match is None or match.dealt or seed is None:
        return {}
    cards = shuffled(rules.card_order.deck, seed, _SHUFFLE_FOR_DRAW)
    return dict(zip(match.seats, cards, strict=False))


def _player_with_highest_draw(match: MatchContext, drawn: Mapping[str, Card]) -> str:
    value = rules_of(match.options).card_order.index_by_card
    return max(drawn, key=lambda name: value[drawn[name]])


def _deal_order_from(match: MatchContext, dealer: str) -> DealOrder:
    """Return the order in which this dealer deals a hand of Big Two.

    A card from the middle of the deck may move the start.
    """
    middle = len(rules_of(match.options).card_order.deck) // 2
    counted = CountedStart(middle, rules_of(match.options).first_card_steps)
    return DealOrder(seats_in_play_order(match.seats, dealer, _play_direction(match)), counted)


def _play_direction(match: MatchContext) -> int:
    return rules_of(match.options).direction_of_hand(match.dealt)


def _losers_still_here(match: MatchContext) -> tuple[str, ...]:
    """Return the players who were left with cards in the last hand of Big Two and are still seated."""
    return tuple(name for name in match.memory.get("losers", ()) if name in match.seats)


def _unbeaten_honours(hand: HandState) -> tuple[Any, ...]:
    """Return the honours (four of a kind, straight flushes) that nobody beat in a hand of Big Two, for scoring.

    One that ended the hand is among them.
    """
    memory, last = memory_of(hand), hand.last_trick[-1:]
    return (*memory.unbeaten, *(laid for laid in last if laid.combination.kind in HONOUR_KINDS))


def _find_match_ending_rule(rules: BigTwoRules, hands: int, totals: Mapping[str, int]) -> str | None:
    """Return the id of the rule by which a match of Big Two is over; None if it goes on.

    `hands`: the number of hands played. `totals` are the points by player.
    """
    if rules.hands_per_match is not None and hands >= rules.hands_per_match:
        return dealing.DEALS.id
    if rules.target_points is not None and max(map(abs, totals.values())) >= rules.target_points:
        return scoring.TARGET.id
    return None


def _match_won_event(totals: Mapping[str, int], rule: str) -> GameEvent:
    best = max(totals.values())
    return MATCH_WON(None, rule, winners=[name for name, total in totals.items() if total == best])
