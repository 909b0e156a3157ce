"""Merchants [PRES-38 `trade`]: the two in the middle must give each other a card, and may haggle about it.

They say what they have and want, truly or not; they put one card each face down with the rank they claim it is, and
swap when both agree. Either may break off: then each gives a card of their own choice, unseen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, TypeAlias, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence, both
from app.engine.base.options import Conflict
from app.engine.cards.actions import Action, Agree, BreakOff, Give, Offer, Say
from app.engine.cards.cards import Cards, check_held, rank_said, show
from app.engine.climbing import hand as loop
from app.engine.climbing.combinations import choices
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import Event, EventType
from app.engine.display.table_display import OwnFace, Panel, line, listed, own_face, particulars
from app.engine.games.president.house.society.trading import CARDS_OFFERED, SWAP_AGREED, SWITCH, TALK, OfferShown, swap
from app.engine.games.president.house_rule import Part
from app.engine.games.president.society import EXCHANGE
from app.engine.match.hand import HandStep


@dataclass(frozen=True, slots=True)
class Trade:
    """The talk of two merchants."""

    merchants: tuple[str, str]
    offers: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    claims: Mapping[str, str] = field(default_factory=dict[str, str])
    agreed: frozenset[str] = frozenset()
    broken_off: bool = False
    given: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    over: bool = False

    def partner(self, name: str) -> str:
        """The other merchant."""
        return self.merchants[name == self.merchants[0]]

    def to_act(self) -> tuple[str, ...]:
        """Who has something to do."""
        if self.over:
            return ()
        return tuple(name for name in self.merchants if name not in self.given)


HAGGLE = Sentence("trade.title", "{one} and {other} haggle")
CLAIMS = Sentence("trade.claims", "{by} offers a card, said to be: {claim}")
AGREED = Sentence("trade.agreed", "agreed")
ASKED = Sentence("trade.asked", "Haggle: offer a card, agree, or break off.")

Done: TypeAlias = tuple[Trade, HandState, tuple[Event, ...]]
"""A trade and its hand after an action, and what is told."""


FEWEST = 6
"""Players for whom there is a trade: a match begins with no fewer, and a hand with fewer later on has none."""


def trade(hierarchy: tuple[str, ...]) -> Trade | None:
    """The trade of a hand among these, if they are enough."""
    return Trade(middle(hierarchy)) if len(hierarchy) >= FEWEST else None


def middle(hierarchy: tuple[str, ...]) -> tuple[str, str]:
    """The two in the middle: places ⌊n/2⌋ and n+1−⌊n/2⌋."""
    half = len(hierarchy) // 2
    return hierarchy[half - 1], hierarchy[len(hierarchy) - half]


def legal(trade: Trade, cards: Mapping[str, Cards]) -> Iterator[tuple[str, Action]]:
    """What each merchant may do; offers and talk stand without their particulars."""
    for name in trade.to_act():
        if trade.broken_off:
            yield from ((name, Give(card)) for card in choices(cards[name], 1))
            continue
        yield name, Say()
        yield name, Offer()
        if len(trade.offers) == 2 and name not in trade.agreed:
            yield name, Agree()
        yield name, BreakOff()


MERCHANTS_SAY = Sentence("president.merchants_say", "Merchants say, offer, agree or break off.")
TRADE_IS_BETWEEN = Sentence("president.trade_is_between", "The trade is between {names}.")
GAVE_ALREADY = Sentence("president.gave_already", "You have given your card: wait for the other’s.")
OFFER_CLAIMS_A_RANK = Sentence(
    "president.offer_claims_a_rank",
    "An offer says which rank the card is, truly or not (“claim”).",
)


SAID = EventType(
    "said",
    "{by} speaks up.",
    you="You speak up.",
    have="{by} on the {have}: “I have one.”",
    you_have="You say about the {have}: “I have one.”",
    want="{by} on the {want}: “I want one.”",
    you_want="You say about the {want}: “I want one.”",
)
BROKE_OFF = EventType("broke_off", "{by} breaks the talk off.", you="You break the talk off.")


def act(hand: HandState, trade: Trade, by: str, action: Action) -> Done:
    """The trade and the hand after one merchant's action."""
    if isinstance(action, Offer) and action.claim is None:
        raise RuleError("bad_action", OFFER_CLAIMS_A_RANK())
    if by in trade.given:
        raise RuleError("not_your_turn", GAVE_ALREADY())
    if by not in trade.to_act():
        raise RuleError("not_your_turn", TRADE_IS_BETWEEN(names=both(trade.merchants)))
    if trade.broken_off or isinstance(action, Give):
        return _give(hand, trade, by, action)
    match action:
        case Say(have, want):
            said = {"have": have} if have is not None else {"want": want}
            return trade, hand, (SAID(by, **said),)
        case Offer(cards, str(claim)):
            return _offer(hand, trade, by, cards, claim)
        case Agree():
            return _agree(hand, trade, by)
        case BreakOff():
            broken = replace(trade, broken_off=True, offers={}, claims={}, agreed=frozenset())
            trade, hand, events = _settle(hand, broken)
            return trade, hand, (BROKE_OFF(by), *events)
        case _:
            raise RuleError("not_in_this_phase", MERCHANTS_SAY())


ONE_CARD_EACH = Sentence("president.one_card_each", "Merchants trade one card each, no more and no less.")


def _one_card(hand: HandState, by: str, cards: Cards) -> None:
    check_held(hand.cards[by], cards)
    if len(cards) != 1:
        raise RuleError("wrong_gift", ONE_CARD_EACH())


def _offer(hand: HandState, trade: Trade, by: str, cards: Cards, claim: str) -> Done:
    _one_card(hand, by, cards)
    trade = replace(
        trade, offers={**trade.offers, by: cards}, claims={**trade.claims, by: claim}, agreed=frozenset[str]()
    )
    return trade, hand, (CARDS_OFFERED(by, count=1, claim=claim),)


NOTHING_TO_AGREE_TO = Sentence(
    "president.nothing_to_agree_to",
    "There is nothing to agree to until both have offered a card.",
)


def _agree(hand: HandState, trade: Trade, by: str) -> Done:
    if len(trade.offers) < 2:
        raise RuleError("wrong_gift", NOTHING_TO_AGREE_TO())
    trade = replace(trade, agreed=trade.agreed | {by})
    if len(trade.agreed) < 2:
        return trade, hand, (SWAP_AGREED(by),)
    hand, events = swap(hand, trade.merchants, trade.offers)
    return replace(trade, over=True), hand, (SWAP_AGREED(by), *events)


GIVE_ONE_CARD = Sentence("president.give_one_card", "The talk is broken off: give one card of your choice.")
BREAK_OFF_FIRST = Sentence(
    "president.break_off_first",
    "Say, offer and agree, or break off the talk before you give a card.",
)


def _give(hand: HandState, trade: Trade, by: str, action: Action) -> Done:
    if not trade.broken_off:
        raise RuleError("not_in_this_phase", BREAK_OFF_FIRST())
    if not isinstance(action, Give):
        raise RuleError("not_in_this_phase", GIVE_ONE_CARD())
    _one_card(hand, by, action.cards or tuple(card for _, cards in action.to for card in cards))
    given = {**trade.given, by: action.cards or action.to[0][1]}
    return _settle(hand, replace(trade, given=given))


def _settle(hand: HandState, trade: Trade) -> Done:
    """Make gifts of a single choice, and swap when both are given."""
    for name in trade.to_act():
        ways = list(choices(hand.cards[name], 1))
        if len(ways) == 1:
            trade = replace(trade, given={**trade.given, name: ways[0]})
    if len(trade.given) == 2:
        hand, events = swap(hand, trade.merchants, trade.given)
        return replace(trade, over=True), hand, events
    return trade, hand, ()


class Haggling(TypedDict):
    """Two merchants who haggle."""

    merchants: Annotated[list[str], "The two."]
    claims: Annotated[dict[str, str], "The rank that each says they offer, by name."]
    agreed: Annotated[list[str], "Who agrees to the swap."]
    broken_off: Annotated[bool, "Whether one has broken off, so that each gives a card unseen."]


class TradeShown(TypedDict):
    """Whether merchants haggle."""

    trade: Annotated[Haggling | None, "The trade of the two merchants, while it lasts (PRES-38)."]


class Merchants(Part[Trade]):
    """The two in the middle trade a card."""

    switch = SWITCH
    section = "society"
    at = "trade"
    conflicts = (
        Conflict(
            SWITCH,
            EXCHANGE,
            lambda middle, exchange: middle == "trade" and exchange == "ladder",
            "the ladder already pairs the two in the middle",
        ),
    )
    actions = TALK
    key = "trade"
    fewest = FEWEST

    @classmethod
    def table(cls, hand: HandState) -> TradeShown:
        kept = cls.of(hand)
        if kept is None or kept.over:
            return {"trade": None}
        return {
            "trade": {
                "merchants": list(kept.merchants),
                "claims": dict(kept.claims),
                "agreed": sorted(kept.agreed),
                "broken_off": kept.broken_off,
            }
        }

    @classmethod
    def own(cls, hand: HandState, player: str) -> OfferShown:
        kept = cls.of(hand)
        if kept is None or kept.over or player not in kept.offers:
            return {}
        return {"offer": show(kept.offers[player])}

    def known_to(self, hand: HandState, player: str) -> HandState | None:
        kept = self.of(hand)
        if kept is None:
            return hand
        return self.keep(hand, Trade(kept.merchants, over=True)) if kept.over else None

    def before_gifts(self, hand: HandState) -> HandState:
        begun = trade(hand.hierarchy)
        return hand if begun is None else self.keep(hand, begun)

    def exchanging(self, hand: HandState) -> tuple[str, ...]:
        kept = self.of(hand)
        return () if kept is None else kept.to_act()

    def legal(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        kept = self.of(hand)
        if kept is not None and hand.phase == "exchange":
            yield from legal(kept, hand.cards)

    def panels(self, hand: HandState) -> Iterator[Panel]:
        kept = self.of(hand)
        if kept is None or kept.over or hand.phase != "exchange":
            return
        one, other = kept.merchants
        claims = [
            line(by, CLAIMS(by=by, claim=rank_said(claim)), AGREED() if by in kept.agreed else None)
            for by, claim in kept.claims.items()
        ]
        yield listed("trade", HAGGLE(one=one, other=other), claims)

    def shows(self, hand: HandState, player: str) -> OwnFace | None:
        kept = self.of(hand)
        if kept is None or hand.phase != "exchange" or kept.broken_off or player not in kept.to_act():
            return None
        return {**own_face(ASKED()), "particulars": {"offer": particulars(most=1, claim=True)}}

    def act(self, hand: HandState, by: str, action: Action) -> HandStep[HandState] | None:
        kept = self.of(hand)
        if kept is None or kept.over or hand.phase != "exchange":
            return None
        # Whoever is no merchant, or done, may still owe a gift.
        if not (isinstance(action, TALK) or (isinstance(action, Give) and by in kept.to_act())):
            return None
        kept, hand, events = act(hand, kept, by, action)
        return loop.go_on_exchanging(self.keep(hand, kept), events)
