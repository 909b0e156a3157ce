"""Merchants [PRES-38 `trade`]: the two players in the middle must give each other a card, and may haggle.

They announce ranks they have and want, truly or not. Each puts one card face down and claims its rank. They swap when
both agree. Either may break off; then each gives a card of their choice, unseen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, TypeAlias, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, join_with_and
from app.engine.base.options import Conflict
from app.engine.cards.actions import AcceptOffers, Action, AnnounceRank, EndTalks, Give, Offer
from app.engine.cards.cards import Cards, check_held, format_cards, rank_message
from app.engine.climbing import hand as loop
from app.engine.climbing.combinations import distinct_choices
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEvent, GameEventType
from app.engine.display.table_display import OwnFace, Panel, action_limits, panel_line, player_display, text_panel
from app.engine.games.president.house.society.trading import (
    CARDS_OFFERED,
    SWAP_AGREED,
    SWITCH,
    TRADE_ACTIONS,
    OfferView,
    swap_cards,
)
from app.engine.games.president.house_rule import HouseRule
from app.engine.games.president.society import EXCHANGE
from app.engine.match.hand import HandTransition


@dataclass(frozen=True, slots=True)
class Trade:
    """The talk of two merchants, players in the middle of President who must swap one card, by a house rule.

    `offers`: cards put down, by player. `claims`: the rank that each says they offer. `agreed`: players who accept the
    swap. `broken_off`: the talk failed. `given`: cards given unseen after that. `over`: the trade is done.
    """

    merchants: tuple[str, str]
    offers: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    claims: Mapping[str, str] = field(default_factory=dict[str, str])
    agreed: frozenset[str] = frozenset()
    broken_off: bool = False
    given: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    over: bool = False

    def partner(self, name: str) -> str:
        """Return the other of the two merchants who trade a card."""
        return self.merchants[name == self.merchants[0]]

    def players_to_act(self) -> tuple[str, ...]:
        """Return the merchants who must still act in their trade: those who have not given a card unseen.

        Empty once the trade is over.
        """
        if self.over:
            return ()
        return tuple(name for name in self.merchants if name not in self.given)


HAGGLE = MessageTemplate("trade.title", "Trade between {one} and {other}")
CLAIMS = MessageTemplate("trade.claims", "{by} offers a card and claims: {claim}")
AGREED = MessageTemplate("trade.agreed", "agreed")
ASKED = MessageTemplate("trade.asked", "Trade: offer a card, agree, or end the talks.")

TradeStep: TypeAlias = tuple[Trade, HandState, tuple[GameEvent, ...]]
"""The trade, the hand and the events after an action."""


MIN_PLAYERS = 6
"""Fewest players for a trade. A match needs this number to begin; later hands with fewer players have no trade."""


def build_trade(hierarchy: tuple[str, ...]) -> Trade | None:
    """Return the trade of the two players in the middle, or None if the hand has fewer than `MIN_PLAYERS`.

    `hierarchy` is best first.
    """
    return Trade(middle_players(hierarchy)) if len(hierarchy) >= MIN_PLAYERS else None


def middle_players(hierarchy: tuple[str, ...]) -> tuple[str, str]:
    """Return the two players in the middle of the hierarchy, who trade: places ⌊n/2⌋ and n+1−⌊n/2⌋."""
    half = len(hierarchy) // 2
    return hierarchy[half - 1], hierarchy[len(hierarchy) - half]


def legal_trade_actions(trade: Trade, cards: Mapping[str, Cards]) -> Iterator[tuple[str, Action]]:
    """Yield the merchants' legal actions in their trade; offers and announcements are listed without their values.

    After a break-off, only giving one card is legal.
    """
    for name in trade.players_to_act():
        if trade.broken_off:
            yield from ((name, Give(card)) for card in distinct_choices(cards[name], 1))
            continue
        yield name, AnnounceRank()
        yield name, Offer()
        if len(trade.offers) == 2 and name not in trade.agreed:
            yield name, AcceptOffers()
        yield name, EndTalks()


MERCHANTS_SAY = MessageTemplate("president.merchants_say", "You can announce a rank, offer, agree or end the talks.")
TRADE_IS_BETWEEN = MessageTemplate("president.trade_is_between", "Only {names} trade now.")
GAVE_ALREADY = MessageTemplate("president.gave_already", "You have given your card. Wait for the other player.")
OFFER_CLAIMS_A_RANK = MessageTemplate(
    "president.offer_claims_a_rank",
    "Claim a rank for your offer, truly or not (“claim”).",
)


SAID = GameEventType(
    "said",
    "{by} announces a rank.",
    you="You announce a rank.",
    have="{by} on the rank {have}: “I have one.”",
    you_have="You say about the rank {have}: “I have one.”",
    want="{by} on the rank {want}: “I want one.”",
    you_want="You say about the rank {want}: “I want one.”",
)
BROKE_OFF = GameEventType("broke_off", "{by} ends the talks.", you="You end the talks.")


def apply_merchant_action(hand: HandState, trade: Trade, by: str, action: Action) -> TradeStep:
    """Return the trade of two merchants, the hand and the events after an action of one of them.

    Raises `RuleError` if the action is illegal. Once both agree, or both have given a card, the cards are swapped.
    """
    if isinstance(action, Offer) and action.claim is None:
        raise RuleError("bad_action", OFFER_CLAIMS_A_RANK())
    if by in trade.given:
        raise RuleError("not_your_turn", GAVE_ALREADY())
    if by not in trade.players_to_act():
        raise RuleError("not_your_turn", TRADE_IS_BETWEEN(names=join_with_and(trade.merchants)))
    if trade.broken_off or isinstance(action, Give):
        return _give_card(hand, trade, by, action)
    match action:
        case AnnounceRank(have, want):
            said = {"have": have} if have is not None else {"want": want}
            return trade, hand, (SAID(by, **said),)
        case Offer(cards, str(claim)):
            return _offer_card(hand, trade, by, cards, claim)
        case AcceptOffers():
            return _agree_to_swap(hand, trade, by)
        case EndTalks():
            broken = replace(trade, broken_off=True, offers={}, claims={}, agreed=frozenset())
            trade, hand, events = _settle_trade(hand, broken)
            return trade, hand, (BROKE_OFF(by), *events)
        case _:
            raise RuleError("not_in_this_phase", MERCHANTS_SAY())


ONE_CARD_EACH = MessageTemplate("president.one_card_each", "Each merchant trades one card.")


def _check_one_card(hand: HandState, by: str, cards: Cards) -> None:
    check_held(hand.cards[by], cards)
    if len(cards) != 1:
        raise RuleError("wrong_gift", ONE_CARD_EACH())


def _offer_card(hand: HandState, trade: Trade, by: str, cards: Cards, claim: str) -> TradeStep:
    _check_one_card(hand, by, cards)
    trade = replace(
        trade, offers={**trade.offers, by: cards}, claims={**trade.claims, by: claim}, agreed=frozenset[str]()
    )
    return trade, hand, (CARDS_OFFERED(by, count=1, claim=claim),)


NOTHING_TO_AGREE_TO = MessageTemplate(
    "president.nothing_to_agree_to",
    "You can agree when both have offered a card.",
)


def _agree_to_swap(hand: HandState, trade: Trade, by: str) -> TradeStep:
    if len(trade.offers) < 2:
        raise RuleError("wrong_gift", NOTHING_TO_AGREE_TO())
    trade = replace(trade, agreed=trade.agreed | {by})
    if len(trade.agreed) < 2:
        return trade, hand, (SWAP_AGREED(by),)
    hand, events = swap_cards(hand, trade.merchants, trade.offers)
    return replace(trade, over=True), hand, (SWAP_AGREED(by), *events)


GIVE_ONE_CARD = MessageTemplate("president.give_one_card", "The talks have ended. Give one card of your choice.")
BREAK_OFF_FIRST = MessageTemplate(
    "president.break_off_first",
    "Announce, offer and agree, or end the talks before you give a card.",
)


def _give_card(hand: HandState, trade: Trade, by: str, action: Action) -> TradeStep:
    if not trade.broken_off:
        raise RuleError("not_in_this_phase", BREAK_OFF_FIRST())
    if not isinstance(action, Give):
        raise RuleError("not_in_this_phase", GIVE_ONE_CARD())
    _check_one_card(hand, by, action.cards or tuple(card for _, cards in action.to for card in cards))
    given = {**trade.given, by: action.cards or action.to[0][1]}
    return _settle_trade(hand, replace(trade, given=given))


def _settle_trade(hand: HandState, trade: Trade) -> TradeStep:
    """Return the merchants' trade after a break-off, the hand and events: swap once both have given a card.

    A merchant with only one possible card gives it without being asked.
    """
    for name in trade.players_to_act():
        ways = list(distinct_choices(hand.cards[name], 1))
        if len(ways) == 1:
            trade = replace(trade, given={**trade.given, name: ways[0]})
    if len(trade.given) == 2:
        hand, events = swap_cards(hand, trade.merchants, trade.given)
        return replace(trade, over=True), hand, events
    return trade, hand, ()


class TradeTalkView(TypedDict):
    """A trade between two merchants."""

    merchants: Annotated[list[str], "The two players."]
    claims: Annotated[dict[str, str], "The rank that each claims to offer, by name."]
    agreed: Annotated[list[str], "Players who agree to the swap."]
    broken_off: Annotated[bool, "Whether a player ended the talks, so that each gives a card unseen."]


class TradeView(TypedDict):
    """The trade of the merchants."""

    trade: Annotated[TradeTalkView | None, "The trade of the two merchants, while it lasts (PRES-38)."]


class Merchants(HouseRule[Trade]):
    """A house rule of President: the two players in the middle (merchants) must swap a card, and may haggle.

    If a merchant breaks off the talk, each gives a card unseen.
    """

    switch = SWITCH
    section = "society"
    active_value = "trade"
    conflicts = (
        Conflict(
            SWITCH,
            EXCHANGE,
            lambda middle, exchange: middle == "trade" and exchange == "ladder",
            "The ladder already pairs the two middle players.",
        ),
    )
    actions = TRADE_ACTIONS
    memory_key = "trade"
    min_players = MIN_PLAYERS

    @classmethod
    def table(cls, hand: HandState) -> TradeView:
        memory = cls.read_memory(hand)
        if memory is None or memory.over:
            return {"trade": None}
        return {
            "trade": {
                "merchants": list(memory.merchants),
                "claims": dict(memory.claims),
                "agreed": sorted(memory.agreed),
                "broken_off": memory.broken_off,
            }
        }

    @classmethod
    def own(cls, hand: HandState, player: str) -> OfferView:
        memory = cls.read_memory(hand)
        if memory is None or memory.over or player not in memory.offers:
            return {}
        return {"offer": format_cards(memory.offers[player])}

    def redact_for_player(self, hand: HandState, player: str) -> HandState | None:
        memory = self.read_memory(hand)
        if memory is None:
            return hand
        return self.with_memory(hand, Trade(memory.merchants, over=True)) if memory.over else None

    def prepare_exchange(self, hand: HandState) -> HandTransition[HandState]:
        begun = build_trade(hand.hierarchy)
        return HandTransition(hand if begun is None else self.with_memory(hand, begun))

    def players_still_trading(self, hand: HandState) -> tuple[str, ...]:
        memory = self.read_memory(hand)
        return () if memory is None else memory.players_to_act()

    def legal_actions(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        memory = self.read_memory(hand)
        if memory is not None and hand.phase == "exchange":
            yield from legal_trade_actions(memory, hand.cards)

    def panels(self, hand: HandState) -> Iterator[Panel]:
        memory = self.read_memory(hand)
        if memory is None or memory.over or hand.phase != "exchange":
            return
        one, other = memory.merchants
        claims = [
            panel_line(by, CLAIMS(by=by, claim=rank_message(claim)), AGREED() if by in memory.agreed else None)
            for by, claim in memory.claims.items()
        ]
        yield text_panel("trade", HAGGLE(one=one, other=other), claims)

    def player_prompt(self, hand: HandState, player: str) -> OwnFace | None:
        memory = self.read_memory(hand)
        if memory is None or hand.phase != "exchange" or memory.broken_off or player not in memory.players_to_act():
            return None
        return {**player_display(ASKED()), "action_limits": {"offer": action_limits(most=1, claim=True)}}

    def apply_action(self, hand: HandState, by: str, action: Action) -> HandTransition[HandState] | None:
        memory = self.read_memory(hand)
        if memory is None or memory.over or hand.phase != "exchange":
            return None
        # Other players, or merchants who are done, may still owe a gift.
        if not (isinstance(action, TRADE_ACTIONS) or (isinstance(action, Give) and by in memory.players_to_act())):
            return None
        memory, hand, events = apply_merchant_action(hand, memory, by, action)
        return loop.continue_exchange(self.with_memory(hand, memory), events)
