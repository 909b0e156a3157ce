"""Big Two as a `Game`: how a hand begins, what it leaves behind, coming and going, and what may be seen."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence
from app.engine.base.options import Declared, Options
from app.engine.base.random_source import Dice
from app.engine.cards.actions import Action, JoinMatch
from app.engine.cards.cards import Card, Cards, show
from app.engine.cards.deal_order import Counted, DealOrder, Drawn
from app.engine.cards.shuffling import shuffled
from app.engine.climbing.game import ClimbingGame, joined
from app.engine.climbing.hand import go_on_exchanging
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import State
from app.engine.climbing.view_keys import ClimbingTable
from app.engine.display.events import DEALT, MATCH_WON, Event, EventType
from app.engine.games.big_two.hand_memory import BigTwoMemory, memory_of
from app.engine.match.context import AnySociety, Society
from app.engine.match.hand import Deal, Finish, HandResult, HandStep

from . import combinations, play, scoring, short_tables
from . import deal as dealing
from .kinds import HONOUR_KINDS
from .presets import BASICS, PRESETS
from .rules import BigTwoRules, rules_of

DECLARED = Declared(
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
    basics=BASICS,
)

A_CARD_FOR_EVERYBODY = Sentence("big_two.a_card_for_everybody", "Everybody at the table is dealt at least one card.")
DREW_FOR_DEAL = EventType(
    "drew_for_deal",
    "Everybody draws a card: {by} has the highest and deals.",
    you="Everybody draws a card: yours is the highest, and you deal.",
)


class OddCardShown(TypedDict):
    """The card over."""

    by: Annotated[str, "Who took it."]
    card: Annotated[str | None, "The card, if it lay face up."]


class BigTwoTable(ClimbingTable):
    """What everybody may know of a hand."""

    suits: Annotated[str, "From low to high."]
    left: Annotated[dict[str, str] | None, "When the hand is over: the cards that everybody is left with."]
    stock: Annotated[int, "How many cards are left to draw (BIG-33)."]
    odd_card: Annotated[OddCardShown | None, "The card over, where three get 17 each (BIG-31)."]
    ban_lifted: Annotated[bool, "Whether any card may be the last again, as nobody could play (BIG-20)."]


class BigTwo(ClimbingGame):
    """The game object: it has no state."""

    key = "big_two"
    name = "Big Two"
    sentence = "Singles, pairs and five-card hands. Twos are high, suits count."
    also = (
        "Big Deuce, Deuces, Top Dog, Chinese Poker, Capsa, Da Lao Er, Choh Dai Di, Dai Di, 大老二, 鋤大弟, 鋤大D, "
        "锄大地, 步步高升"
    )
    declared = DECLARED

    def players(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """Two to four may play."""
        return 2, 4

    def rules(self, options: Options) -> BigTwoRules:
        """Made once for each set of options."""
        return rules_of(options)

    def no_memory(self) -> BigTwoMemory:
        """What a hand begins with."""
        return BigTwoMemory()

    def deck(self, options: Options, count: int) -> Cards:
        """One pack, from the low card."""
        return rules_of(options).card_order.deck

    def worth(self, options: Options, card: Card) -> int:
        """As in an exchange."""
        return rules_of(options).worth(card)

    # Before a hand -----------------------------------------------------------------------------------------------

    def newcomer_points(self, match: Society) -> int:
        """A newcomer begins with what BIG-49 says."""
        return rules_of(match.options).newcomer_points(match, self.first_points(match.options))

    def dealer(self, match: Society) -> str:
        """The winner, or the loser who begins (BIG-03); the first player deals the first hand."""
        dealer = rules_of(match.options).dealer(match.hierarchy, _losers(match))
        return match.seats[0] if dealer is None else dealer

    def deal(self, match: Society, pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """One card at a time, in the direction of play, to begin with whoever the first card goes to."""
        drawn, seats = _drawn(match, seed), match.seats
        if dealer is None:
            dealer = _highest(match, drawn) if drawn else self.dealer(match)
        order = _order(match, dealer).of(pack, seed)
        dealt = len(seats) * short_tables.cards_each(match.options, len(seats))
        cards = {name: pack[place : dealt : len(order)] for place, name in enumerate(order)}
        return Deal(dealer, {name: cards[name] for name in seats}, pack[dealt:], seed)

    def deal_order(self, match: Society) -> DealOrder:
        """In the direction of play from the dealer, turned by the exposed card; before a round, drawn cards say who
        deals."""
        rules = rules_of(match.options)
        if rules.deals is None or match.dealt:
            return _order(match, self.dealer(match))
        order = _order(match, match.seats[0])
        return order.but(drawn=Drawn(show(rules.card_order.deck), match.seats, _DRAW))

    def begin(self, match: Society, deal: Deal) -> HandStep[HandState]:
        """A dragon wins at once; else the odd card is taken, the tribute given, and somebody begins."""
        self.check_deal(match, deal)
        if not all(deal.cards.values()):
            raise RuleError("bad_record", A_CARD_FOR_EVERYBODY())
        rules = rules_of(match.options)
        hand = State(
            rules=rules,
            seats=match.seats,
            dealer=deal.dealer,
            cards={name: rules.card_order.sorted(deal.cards[name]) for name in match.seats},
            hierarchy=match.hierarchy,
            direction=_direction(match),
            memory=BigTwoMemory(leader=_leader(match), stock=deal.stock, seed=deal.seed),
        )
        drawn = _drawn(match, deal.seed)
        drew = (DREW_FOR_DEAL(deal.dealer, cards=drawn),) if drawn and _highest(match, drawn) == deal.dealer else ()
        return _begun(rules, hand, (*drew, DEALT(deal.dealer)))

    # After a hand ------------------------------------------------------------------------------------------------

    def finish(self, match: Society, hand: HandState) -> Finish:
        """The ledger, the standing, and who begins the next hand; after the last of `deals` the match is won."""
        rules, memory = rules_of(match.options), memory_of(hand)
        standing = rules.standing(hand)
        outcome = scoring.HandOutcome(
            standing=standing,
            left=hand.cards,
            starter=hand.starter,
            last_play=memory.last_play,
            unbeaten=_unbeaten(hand),
            liable=memory.liable,
        )
        reasons = scoring.reasons_of(match.options, outcome, rules.combinations)
        result = HandResult.of(hand.dealer, standing, {}, tuple(hand.cards), reasons)
        totals = {name: match.totals[name] + result.ledger[name] for name in match.seats}
        ended = _ended_by(rules, match.dealt, totals)
        events = (_match_won(totals, ended),) if ended else ()
        lasting = rules.remembered(hand.cards, rules.combinations.largest)
        return Finish(result, hand.seats, standing, ended is not None, lasting, events)

    def between(self, match: AnySociety, by: str, action: Action) -> tuple[AnySociety, tuple[Event, ...]]:
        """A newcomer sits down at the right of the first seat, and was neither first nor last in the hand before."""
        if isinstance(action, JoinMatch):
            return joined(match, by, match.seats, match.hierarchy, self.newcomer_points(match))
        return super().between(match, by, action)

    def set_aside(self, hand: HandState) -> Cards:
        """Nobody holds the stock."""
        return memory_of(hand).stock

    # What may be seen --------------------------------------------------------------------------------------------

    def known_to(self, hand: HandState, player: str) -> HandState:
        """Without the stock, its shuffles, a card over that others took unseen, and open doors of others: whether they
        were open hangs on others' cards."""
        memory = memory_of(hand)
        odd = memory.odd
        if odd is not None and not odd.shown and odd.taker != player:
            odd = replace(odd, card=Card(""))
        return hand.but(
            memory=memory.but(
                stock=(),
                seed=None,
                odd=odd,
                low=memory.low if memory.low in hand.cards.get(player, ()) else None,
                offences=tuple(one for one in memory.offences if one[0] == player),
            )
        )

    def dealt_so(self, hand: HandState, held: Mapping[str, Cards], stock: Cards, pile: Cards, rng: Dice) -> HandState:
        """As everywhere, with a stock and its shuffles."""
        hand = super().dealt_so(hand, held, stock, pile, rng)
        return hand.but(memory=memory_of(hand).but(stock=stock, seed=rng.getrandbits(30)))

    def table(self, hand: HandState) -> BigTwoTable:
        """Beside the trick: the order of suits, how many cards are left to draw, the odd card if it lay face up, and
        when the hand is over what everybody is left with."""
        memory, rules = memory_of(hand), hand.rules
        assert isinstance(rules, BigTwoRules)
        odd, over = memory.odd, hand.phase == "over"
        return {
            **super().table(hand),
            "suits": rules.card_order.suits,
            "left": {name: show(cards) for name, cards in hand.cards.items() if cards} if over else None,
            "stock": len(memory.stock),
            "odd_card": None if odd is None else {"by": odd.taker, "card": odd.card if odd.shown else None},
            "ban_lifted": memory.ban_lifted,
        }


_DRAW = 1 << 20
"""Of the shuffles that a seed gives, the one from which people draw for the deal."""


def _drawn(match: Society, seed: int | None) -> dict[str, Card]:
    """What everybody draws before a round of so many hands, to see who deals first (BIG-05); empty at other times."""
    rules = rules_of(match.options)
    if rules.deals is None or match.dealt or seed is None:
        return {}
    cards = shuffled(rules.card_order.deck, seed, _DRAW)
    return dict(zip(match.seats, cards, strict=False))


def _highest(match: Society, drawn: Mapping[str, Card]) -> str:
    value = rules_of(match.options).card_order.value
    return max(drawn, key=lambda name: value[drawn[name]])


def _order(match: Society, dealer: str) -> DealOrder:
    """Return the order in which this dealer deals."""
    middle = len(rules_of(match.options).card_order.deck) // 2
    counted = Counted(middle, rules_of(match.options).first_card)
    return DealOrder(dealing.round_from(match.seats, dealer, _direction(match)), counted)


def _direction(match: Society) -> int:
    return rules_of(match.options).directed(match.dealt)


def _leader(match: Society) -> str | None:
    """Who begins by how the hand before ended; None if the low card says it."""
    return rules_of(match.options).starter(match.hierarchy, _losers(match))


def _losers(match: Society) -> tuple[str, ...]:
    """The losers of the hand before who are still here, as it remembered them."""
    return tuple(name for name in match.memory.get("losers", ()) if name in match.seats)


def _begun(rules: BigTwoRules, hand: HandState, events: tuple[Event, ...]) -> HandStep[HandState]:
    winner = rules.dragon(hand.cards, dealing.round_from(hand.seats, hand.dealer, hand.direction))
    if winner is not None:
        step = rules.won_by_dragon(hand, winner)
        return HandStep(step.hand, (*events, *step.events))
    hand, taken = rules.odd_card(hand, rules.card_order)
    exchange = rules.tribute(hand)
    if exchange is not None:
        return go_on_exchanging(hand.but(exchange=exchange), (*events, *taken))
    return rules.start(hand, (*events, *taken))


def _unbeaten(hand: HandState) -> tuple[Any, ...]:
    """Honours that nobody beat, the one that ended the hand included."""
    memory, last = memory_of(hand), hand.last_trick[-1:]
    return (*memory.unbeaten, *(laid for laid in last if laid.combination.kind in HONOUR_KINDS))


def _ended_by(rules: BigTwoRules, hands: int, totals: Mapping[str, int]) -> str | None:
    """The id of the rule by which the match is over after so many hands, with these totals at the table."""
    if rules.deals is not None and hands >= rules.deals:
        return dealing.DEALS.id
    if rules.target is not None and max(map(abs, totals.values())) >= rules.target:
        return scoring.TARGET.id
    return None


def _match_won(totals: Mapping[str, int], rule: str) -> Event:
    best = max(totals.values())
    return MATCH_WON(None, rule, winners=[name for name, total in totals.items() if total == best])
