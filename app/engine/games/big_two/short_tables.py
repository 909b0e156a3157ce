"""Tables of three and two [BIG-30 … BIG-35]: how many cards, the odd card, tribute, and drawing from a stock."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.engine.base.messages import Sentence
from app.engine.base.options import Choice, Options, Section, Switch, flag
from app.engine.cards.cards import Cards
from app.engine.cards.shuffling import shuffled
from app.engine.climbing.exchange import Exchange, Gift
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import Event, EventType
from app.engine.display.table_display import Sign
from app.engine.games.big_two.hand_memory import OddCard, memory_of

from .deal import CardOrder, holder

THREE_DEAL = Switch(
    id="BIG-30",
    also="three players 三人",
    key="three_deal",
    domain=Choice({"seventeen": "17 each and one over", "thirteen": "13 each, the rest as stock"}),
    default="seventeen",
    sentence="How many cards three players get.",
    example="With 13 each, 13 cards are left to draw from, or unused.",
)

ODD_CARD = Switch(
    id="BIG-31",
    also="fifty-second card",
    key="odd_card",
    domain=Choice({"face_up": "Shown to all", "face_down": "Seen by its taker only"}),
    default="face_up",
    sentence="How the card over lies. The holder of the low card adds it to theirs; if it is the low card itself, or "
    "below every card dealt, the holder of the lowest card dealt does.",
    example="2♠ is over: who has 3♦ takes it.",
)

TRIBUTE = Switch(
    id="BIG-32",
    also="tax exchange jìngòng 进贡 進貢",
    key="tribute",
    domain=flag("Nobody gives cards", "The last gives the winner the highest card, for any card back"),
    default=False,
    sentence="Whether, from the second hand of three players on, the last of the hand before pays the winner in cards.",
    example="Cat, who was last, gives 2♥ and gets 4♣ back.",
)

DRAW_ON_PASS = Switch(
    id="BIG-33",
    also="pick up 摸牌 抽牌",
    key="draw_on_pass",
    domain=Choice({"none": "Nothing", "one": "One card", "as_played": "As many cards as the last play has"}),
    default="none",
    sentence="What who passes draws from the stock (two or three players).",
    example="A pair lies on the table: with “as_played” who passes draws two cards.",
)

RESTOCK = Switch(
    id="BIG-34",
    also="reshuffle 洗牌",
    key="restock",
    domain=flag("A used up stock stays empty", "The cards set aside become a new stock"),
    default=False,
    sentence="Whether finished tricks are shuffled into a new stock when a card has to be drawn and there is none.",
    example="The cards of the running trick stay on the table.",
)

THREE = Section(
    "three_players",
    "Three players",
    (
        THREE_DEAL,
        ODD_CARD,
        TRIBUTE,
        DRAW_ON_PASS,
        RESTOCK,
    ),
)

TWO_DEAL = Switch(
    id="BIG-35",
    also="two players heads-up 二人 两人 兩人",
    key="two_deal",
    domain=Choice({17: "17 each", 21: "21 each", 13: "13 each"}),
    default=17,
    sentence="How many cards two players get; the rest is stock to draw from, or unused.",
    example="With 17 each, 18 cards are left.",
)

TWO = Section("two_players", "Two players", (TWO_DEAL,))

CARDS_OF_THREE = {"seventeen": 17, "thirteen": 13}


def cards_each(options: Options, players: int) -> int:
    """How many cards everybody is dealt."""
    each: dict[int, int] = {4: 13, 3: CARDS_OF_THREE[options[THREE_DEAL]], 2: options[TWO_DEAL]}
    return each[players]


# Before the first lead ------------------------------------------------------------------------------------------------

Taken = tuple[HandState, tuple[Event, ...]]


def _no_odd_card(hand: HandState, order: CardOrder) -> Taken:
    return hand, ()


def _face_up(hand: HandState, order: CardOrder) -> Taken:
    return _take_odd_card(hand, order, shown=True)


def _face_down(hand: HandState, order: CardOrder) -> Taken:
    return _take_odd_card(hand, order, shown=False)


ODD_CARD_TAKEN = EventType(
    "odd_card",
    "{by} takes the card over.",
    you="You take the card over.",
    cards="{by} takes the card over: {cards}.",
    you_cards="You take the card over: {cards}.",
    ways=(("deck", "by"),),
)
ODD_CARD_SEEN = EventType("odd_card_seen", "The card over was the {cards}.")


def _take_odd_card(hand: HandState, order: CardOrder, *, shown: bool) -> Taken:
    """The holder of the lowest card dealt adds the card over to their cards."""
    memory = memory_of(hand)
    if len(hand.seats) != 3 or not memory.stock:
        return hand, ()
    card, *rest = memory.stock
    taker = holder(hand.cards, order.lowest(card for cards in hand.cards.values() for card in cards))
    hand = hand.with_cards(taker, order.sorted((*hand.cards[taker], card)))
    hand = hand.but(memory=memory.but(stock=tuple(rest), odd=OddCard(card, taker, shown)))
    if shown:
        return hand, (ODD_CARD_TAKEN(taker, cards=card),)
    return hand, (ODD_CARD_TAKEN(taker), ODD_CARD_SEEN(taker, seen_by=(taker,), cards=card))


def odd_card_rule(options: Options) -> Callable[[HandState, CardOrder], Taken]:
    """What becomes of the card over, where there is one."""
    return {"seventeen": {"face_up": _face_up, "face_down": _face_down}[options[ODD_CARD]], "thirteen": _no_odd_card}[
        options[THREE_DEAL]
    ]


def _tribute(hand: HandState) -> Exchange | None:
    """The highest card of the last for any card of the winner, one after the other."""
    if len(hand.seats) != 3 or len(hand.hierarchy) < 2:
        return None
    winner, last = hand.hierarchy[0], hand.hierarchy[-1]
    gifts = (Gift(last, winner, 1, "best", TRIBUTE.id), Gift(winner, last, 1, "any", TRIBUTE.id, waits_for=(0,)))
    return Exchange(gifts, ((0,), (1,)), hand.cards)


TRIBUTES: dict[bool, Callable[[HandState], Exchange | None]] = {False: lambda hand: None, True: _tribute}
"""What is owed before the first lead."""

# Drawing -------------------------------------------------------------------------------------------------------------

DRAWN: dict[str, Callable[[HandState], int]] = {
    "none": lambda hand: 0,
    "one": lambda hand: 1,
    "as_played": lambda hand: 0 if hand.table is None else hand.table.combination.size,
}
"""How many cards who passes on this table draws."""
RESTOCKED = EventType("restocked", "The cards set aside make a new stock.")
DREW = EventType("drew", {"one": "{by} draws a card.", "other": "{by} draws {count} cards."}, you="")
DREW_CARDS = EventType("drew_cards", "You draw {cards}.")


@dataclass(frozen=True, slots=True)
class Drawing:
    """What who passes draws."""

    count: Callable[[HandState], int]
    restock: bool
    order: CardOrder

    @classmethod
    def of(cls, options: Options, order: CardOrder) -> "Drawing":
        """Make the drawing that the options say."""
        return cls(DRAWN[options[DRAW_ON_PASS]], options[RESTOCK], order)

    def draw(self, hand: HandState, by: str) -> tuple[HandState, tuple[Event, ...]]:
        """The hand after somebody who passed has drawn. Four players have no stock, so nothing to draw."""
        wanted = self.count(hand) if len(hand.seats) < 4 else 0
        if not wanted:
            return hand, ()
        drawn, events = list[str](), list[Event]()
        for _ in range(wanted):
            hand, renewed = self._stocked(hand)
            memory = memory_of(hand)
            if renewed:
                events.append(RESTOCKED(cards_left=len(memory.stock)))
            if not memory.stock:
                break
            card, *rest = memory.stock
            drawn.append(card)
            held = self.order.sorted((*hand.cards[by], card))
            hand = hand.with_cards(by, held).but(memory=memory.but(stock=tuple(rest)))
        if drawn:
            events.append(DREW(by, count=len(drawn)))
            events.append(DREW_CARDS(by, seen_by=(by,), cards=" ".join(drawn)))
        return hand, tuple(events)

    def _stocked(self, hand: HandState) -> tuple[HandState, bool]:
        """With a new stock from the finished tricks, if the old one is used up and that is the rule."""
        memory = memory_of(hand)
        if memory.stock or not self.restock or not hand.pile:
            return hand, False
        cards = hand.pile if memory.seed is None else shuffled(hand.pile, memory.seed, memory.restocked)
        memory = memory.but(stock=cards, restocked=memory.restocked + 1)
        return hand.but(pile=(), memory=memory), True


IN_THE_STOCK = Sentence("sign.stock", {"one": "{count} card in the stock", "other": "{count} cards in the stock"})


def signs(stock: Cards) -> Iterator[Sign]:
    """How many cards are left to draw."""
    if stock:
        yield Sign("stock", "▤", IN_THE_STOCK(count=len(stock)), hot=False)
