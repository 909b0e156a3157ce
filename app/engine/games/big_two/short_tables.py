"""Three or two players [BIG-30 … BIG-35]: number of cards, odd card, tribute, and drawing from a stock."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Choice, Option, Options, Section, on_off_choice
from app.engine.cards.card_order import CardOrder
from app.engine.cards.cards import Cards
from app.engine.cards.deal_order import find_holder
from app.engine.cards.shuffling import shuffled
from app.engine.climbing.exchange import Gift
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEvent, GameEventType
from app.engine.display.table_display import Badge
from app.engine.games.big_two.hand_memory import OddCard, memory_of

THREE_DEAL = Option(
    id="BIG-30",
    also="three players 三人",
    key="three_deal",
    label="Cards for three players",
    domain=Choice({"seventeen": "17 each and one extra", "thirteen": "13 each, the rest as stock"}),
    default="seventeen",
    sentence="Sets the number of cards for three players.",
    example="With 13 each, 13 cards are left to draw from, or unused.",
)

ODD_CARD = Option(
    id="BIG-31",
    also="fifty-second card",
    key="odd_card",
    label="Extra card",
    domain=Choice({"face_up": "Shown to all", "face_down": "Seen only by its new owner"}),
    default="face_up",
    sentence="Decides whether the extra card is shown. The holder of the low card takes it. If it is the low "
    "card itself, or lower than every card dealt, the holder of the lowest card takes it.",
    example="2♠ is the extra card: the player with 3♦ takes it.",
)

TRIBUTE = Option(
    id="BIG-32",
    also="tax exchange jìngòng 进贡 進貢",
    key="tribute",
    domain=on_off_choice(
        "Nobody gives cards", "The last player gives the winner their highest card, for any card back"
    ),
    default=False,
    sentence="Decides whether the last player of a hand gives the winner a card before the next hand. This "
    "applies to three players, from the second hand on.",
    example="Cat, who was last, gives 2♥ and gets 4♣ back.",
)

DRAW_ON_PASS = Option(
    id="BIG-33",
    also="pick up 摸牌 抽牌",
    key="draw_on_pass",
    domain=Choice({"none": "Nothing", "one": "One card", "as_played": "The size of the last play"}),
    default="none",
    sentence="Decides what a player who passes draws from the stock. This applies to two or three players.",
    example="A pair is on the table: with “The size of the last play”, a player who passes draws two cards.",
)

RESTOCK = Option(
    id="BIG-34",
    also="reshuffle 洗牌",
    key="restock",
    domain=on_off_choice("An empty stock stays empty", "The played cards become a new stock"),
    default=False,
    sentence="Decides whether finished tricks are shuffled into a new stock when the stock is empty.",
    example="The cards of the current trick stay on the table.",
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

TWO_DEAL = Option(
    id="BIG-35",
    also="two players heads-up 二人 两人 兩人",
    key="two_deal",
    label="Cards for two players",
    domain=Choice({17: "17 each", 21: "21 each", 13: "13 each"}),
    default=17,
    sentence="Sets the number of cards for two players. The rest is stock to draw from, or unused.",
    example="With 17 each, 18 cards are left.",
)

TWO = Section("two_players", "Two players", (TWO_DEAL,))

CARDS_OF_THREE = {"seventeen": 17, "thirteen": 13}


def cards_per_player(options: Options, players: int) -> int:
    """Return the number of cards dealt to each of two, three or four players of Big Two, by the options."""
    each: dict[int, int] = {4: 13, 3: CARDS_OF_THREE[options[THREE_DEAL]], 2: options[TWO_DEAL]}
    return each[players]


# Before the first lead ------------------------------------------------------------------------------------------------

HandAndEvents = tuple[HandState, tuple[GameEvent, ...]]


def _leave_odd_card(hand: HandState, order: CardOrder) -> HandAndEvents:
    return hand, ()


def _take_odd_card_face_up(hand: HandState, order: CardOrder) -> HandAndEvents:
    return _take_odd_card(hand, order, shown=True)


def _take_odd_card_face_down(hand: HandState, order: CardOrder) -> HandAndEvents:
    return _take_odd_card(hand, order, shown=False)


ODD_CARD_TAKEN = GameEventType(
    "odd_card",
    "{by} takes the extra card.",
    you="You take the extra card.",
    cards="{by} takes the extra card: {cards}.",
    you_cards="You take the extra card: {cards}.",
    ways=(("deck", "by"),),
)
ODD_CARD_SEEN = GameEventType("odd_card_seen", "The extra card was the {cards}.")


def _take_odd_card(hand: HandState, order: CardOrder, *, shown: bool) -> HandAndEvents:
    """Give the card left over, where three players get 17 each, to the holder of the lowest card dealt.

    Returns the hand and the events; with `shown` false only the taker sees the card. Without such a card nothing
    changes.
    """
    memory = memory_of(hand)
    if len(hand.seats) != 3 or not memory.stock:
        return hand, ()
    card, *rest = memory.stock
    taker = find_holder(hand.cards, order.lowest_card(card for cards in hand.cards.values() for card in cards))
    hand = hand.with_player_cards(taker, order.sort_cards((*hand.cards[taker], card)))
    hand = hand.replace(memory=memory.but(stock=tuple(rest), odd=OddCard(card, taker, shown)))
    if shown:
        return hand, (ODD_CARD_TAKEN(taker, cards=card),)
    return hand, (ODD_CARD_TAKEN(taker), ODD_CARD_SEEN(taker, seen_by=(taker,), cards=card))


def odd_card_handler(options: Options) -> Callable[[HandState, CardOrder], HandAndEvents]:
    """Return the function that handles the card left over in Big Two for three, with these options.

    It gives the card to a player, face up or down, or leaves the stock as it is.
    """
    return {
        "seventeen": {"face_up": _take_odd_card_face_up, "face_down": _take_odd_card_face_down}[options[ODD_CARD]],
        "thirteen": _leave_odd_card,
    }[options[THREE_DEAL]]


def _tribute_gifts(players: int, standing: Sequence[str]) -> tuple[Gift, ...]:
    """Return the gifts by which the last of three players gives the winner the highest card, and gets any card back.

    Empty for other numbers of players, and without an order of players (`standing`, best first) from the last hand.
    """
    if players != 3 or len(standing) < 2:
        return ()
    winner, last = standing[0], standing[-1]
    return Gift(last, winner, 1, "best", TRIBUTE.id), Gift(winner, last, 1, "any", TRIBUTE.id, waits_for=(0,))


TRIBUTE_GIFTS_BY_OPTION: dict[bool, Callable[[int, Sequence[str]], tuple[Gift, ...]]] = {
    False: lambda players, standing: (),
    True: _tribute_gifts,
}
"""Returns the gifts before the first lead, given the number of players and their order in the last hand."""

# Drawing -------------------------------------------------------------------------------------------------------------

DRAW_COUNT_BY_OPTION: dict[str, Callable[[HandState], int]] = {
    "none": lambda hand: 0,
    "one": lambda hand: 1,
    "as_played": lambda hand: 0 if hand.play_to_beat is None else hand.play_to_beat.combination.size,
}
"""Returns the number of cards that a player draws when passing on the current play."""
RESTOCKED = GameEventType("restocked", "The played cards become a new stock.")
DREW = GameEventType("drew", {"one": "{by} draws a card.", "other": "{by} draws {count} cards."}, you="")
DREW_CARDS = GameEventType("drew_cards", "You draw {cards}.")


@dataclass(frozen=True, slots=True)
class DrawOnPass:
    """The rule of Big Two by which a player who passes draws cards from the stock, for tables of two or three.

    `draw_count` returns the number of cards to draw in a hand. `restock`: an empty stock is refilled from played cards.
    `card_order` sorts the player's cards.
    """

    draw_count: Callable[[HandState], int]
    restock: bool
    card_order: CardOrder

    @classmethod
    def for_options(cls, options: Options, order: CardOrder) -> "DrawOnPass":
        """Return the rule for drawing after a pass, as these options of Big Two ask for."""
        return cls(DRAW_COUNT_BY_OPTION[options[DRAW_ON_PASS]], options[RESTOCK], order)

    def draw_cards(self, hand: HandState, by: str) -> tuple[HandState, tuple[GameEvent, ...]]:
        """Return the hand after a player who passed has drawn cards, if the rule asks for it, and the events.

        An empty stock is refilled if the rule allows it. Four players have no stock.
        """
        count = self.draw_count(hand) if len(hand.seats) < 4 else 0
        if not count:
            return hand, ()
        drawn, events = list[str](), list[GameEvent]()
        for _ in range(count):
            hand, renewed = self._refill_stock(hand)
            memory = memory_of(hand)
            if renewed:
                events.append(RESTOCKED(cards_left=len(memory.stock)))
            if not memory.stock:
                break
            card, *rest = memory.stock
            drawn.append(card)
            held = self.card_order.sort_cards((*hand.cards[by], card))
            hand = hand.with_player_cards(by, held).replace(memory=memory.but(stock=tuple(rest)))
        if drawn:
            events.append(DREW(by, count=len(drawn)))
            events.append(DREW_CARDS(by, seen_by=(by,), cards=" ".join(drawn)))
        return hand, tuple(events)

    def _refill_stock(self, hand: HandState) -> tuple[HandState, bool]:
        """Return the hand, its empty stock refilled from the pile, and whether it was refilled.

        Nothing happens if the stock has cards, the option forbids it or the pile is empty.
        """
        memory = memory_of(hand)
        if memory.stock or not self.restock or not hand.pile:
            return hand, False
        cards = hand.pile if memory.seed is None else shuffled(hand.pile, memory.seed, memory.restocked)
        memory = memory.but(stock=cards, restocked=memory.restocked + 1)
        return hand.replace(pile=(), memory=memory), True


IN_THE_STOCK = MessageTemplate(
    "sign.stock", {"one": "{count} card in the stock", "other": "{count} cards in the stock"}
)


def stock_signs(stock: Cards) -> Iterator[Badge]:
    """Yield a badge with the number of cards in the stock of Big Two, unless it is empty."""
    if stock:
        yield Badge("stock", "▤", IN_THE_STOCK(count=len(stock)), hot=False)
