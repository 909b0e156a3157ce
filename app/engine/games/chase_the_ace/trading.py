"""One deal: whose turn it is, who swaps with whom, and how picture cards answer.

`Trading` is the state of a hand, frozen. `keep`, `swap` and `opened` take it a step further; when nobody has a turn any
more all cards are compared (`lives_and_pot`). Nothing here knows how people come and go.
"""

from collections.abc import Mapping
from dataclasses import replace

from app.engine.base.errors import RuleError
from app.engine.base.frozen import Value
from app.engine.base.messages import Sentence
from app.engine.cards.actions import Keep
from app.engine.cards.cards import Card, Cards
from app.engine.display.events import SWAPPED, Event, EventType
from app.engine.display.point_reasons import Reason
from app.engine.games.chase_the_ace.lives_and_pot import Books, Names
from app.engine.games.chase_the_ace.picture_cards import KING_SHOWN, KINGS
from app.engine.games.chase_the_ace.rules import AceRules
from app.engine.match.hand import HandPhase, HandStep, Standing

KEPT = EventType("kept", "{by} keeps the card.", you="You keep your card.")
ASKED = EventType(
    "asked", "{by} asks {of} for a swap.", you="You ask {of} for a swap.", of_you="{by} asks you for a swap."
)
GOT = EventType("got", "Your card is now the {cards}.")
DREW_FROM_STOCK = EventType("drew_from_stock", "{by} draws from the stock.", you="", ways=(("deck", "by"),))
COMPARED = EventType("compared", "All cards are shown.")


class Trading(Value, frozen=True):
    """The state of one deal."""

    apart = frozenset({"rules"})
    rules: AceRules
    seats: Names
    """All at the table, clockwise: those who are out and newcomers too."""
    order: Names
    """Those who play, from the dealer's left; the dealer comes last."""
    cards: Mapping[str, Cards]
    """One card for each who plays."""
    stock: Cards
    books: Books
    reasons: tuple[Reason, ...] = ()
    """What was paid and won so far, and what for."""
    seed: int | None = None
    turn: int | None = 0
    """Place in `order` of who is to act; None when the deal is over."""
    silent: frozenset[str] = frozenset()
    """Those who lost their turn by a king shown."""
    face_up: frozenset[Card] = frozenset()
    """Cards that were shown."""
    standing: Standing = ()
    lost: Names = ()
    """Who lost a dime, once the deal is over."""
    cuts: tuple[tuple[str, Card], ...] = ()
    """What was cut for the last tie."""

    @property
    def dealer(self) -> str:
        """Who dealt."""
        return self.order[-1]

    @property
    def hierarchy(self) -> Names:
        """Nobody: there is no hierarchy."""
        return ()

    @property
    def phase(self) -> HandPhase:
        """`play`, or `over` when nobody has a turn any more."""
        return "over" if self.turn is None else "play"

    @property
    def to_act(self) -> Names:
        """Whoever's turn it is."""
        return () if self.turn is None else (self.order[self.turn],)

    @property
    def acted(self) -> Names:
        """Those who have had their turn."""
        return tuple(name for name in self.order[: self.turn] if name not in self.silent)

    @property
    def held(self) -> dict[str, Card]:
        """The one card of each who plays, in order of seats."""
        return {name: self.cards[name][0] for name in self.seats if name in self.order}

    @property
    def shown(self) -> dict[str, Card]:
        """Who has a card face up."""
        return {name: card for name, card in self.held.items() if card in self.face_up}


def opened(hand: Trading) -> HandStep[Trading]:
    """The deal as it begins: with `kings: face_up` a king dealt ends it at once."""
    kings = {name: card for name, card in hand.held.items() if card.rank == "K"}
    if not hand.rules.king_ends_deal or not kings:
        return HandStep(hand)
    events = tuple(KING_SHOWN(name, KINGS.id, cards=card) for name, card in kings.items())
    return _compared(hand.but(face_up=frozenset(kings.values())), events)


def keep(hand: Trading) -> HandStep[Trading]:
    """Whoever's turn it is keeps their card."""
    return _next_turn(hand, (KEPT(*hand.to_act),))


def swap(hand: Trading) -> HandStep[Trading]:
    """Whoever's turn it is asks the neighbour for a swap, or cuts if they dealt."""
    asker = hand.to_act[0]
    return _cut(hand) if asker == hand.dealer else _ask(hand, asker)


def may_swap(hand: Trading) -> bool:
    """Only a dealer with an empty stock can't."""
    return bool(hand.stock) or hand.to_act != (hand.dealer,)


def neighbour(hand: Trading) -> str | None:
    """Whom a swap is asked of now: the next on the left of whoever's turn it is; None if that is the stock."""
    return hand.order[hand.turn + 1] if hand.turn is not None and hand.turn + 1 < len(hand.order) else None


def _ask(hand: Trading, asker: str) -> HandStep[Trading]:
    """The left-hand neighbour answers; a queen may send the asker to their right."""
    place = hand.order.index(asker)
    events: list[Event] = []
    for neighbour in (hand.order[place + 1], hand.order[place - 1]):
        events.append(ASKED(asker, of=neighbour))
        card = hand.cards[neighbour][0]
        answer = hand.rules.answers.get(card.rank)
        if answer is None:
            hand = hand.but(cards={**hand.cards, asker: (card,), neighbour: hand.cards[asker]})
            events += _swapped(hand, asker, neighbour)
            break
        if card not in hand.face_up:
            events.append(answer.event(neighbour, answer.cause, cards=card))
        hand = hand.but(face_up=hand.face_up | {card})
        if answer.ends:
            return _compared(hand, tuple(events))
        if answer.silences:
            hand = hand.but(silent=hand.silent | {neighbour})
        if not answer.redirects:
            break
    return _next_turn(hand, tuple(events))


def _swapped(hand: Trading, one: str, other: str) -> tuple[Event, ...]:
    """All see who swapped; only these two see what they got."""
    got = (GOT(name, seen_by=(name,), cards=hand.cards[name][0]) for name in (one, other))
    return (SWAPPED(one, to=other), *got)


STOCK_IS_EMPTY = Sentence("chase_the_ace.stock_is_empty", "The stock is empty: you can only keep your card.")


def _cut(hand: Trading) -> HandStep[Trading]:
    """The dealer must take the card cut from the stock, unless it is a king that counts."""
    if not hand.stock:
        raise RuleError("bad_action", STOCK_IS_EMPTY(), would_do=(Keep(),))
    dealer, (card, *rest) = hand.dealer, hand.stock
    hand = hand.but(stock=tuple(rest))
    if card.rank == "K" and hand.rules.cut_king_stays:
        return _next_turn(hand, (KING_SHOWN(dealer, KINGS.id, cards=card, cut=True),))
    hand = hand.but(cards={**hand.cards, dealer: (card,)})
    return _next_turn(hand, (DREW_FROM_STOCK(dealer), GOT(dealer, seen_by=(dealer,), cards=card)))


def _next_turn(hand: Trading, events: tuple[Event, ...]) -> HandStep[Trading]:
    assert hand.turn is not None
    for turn in range(hand.turn + 1, len(hand.order)):
        if hand.order[turn] not in hand.silent:
            return HandStep(hand.but(turn=turn), events)
    return _compared(hand, events)


def _compared(hand: Trading, events: tuple[Event, ...]) -> HandStep[Trading]:
    held = hand.held
    compared = hand.rules.comparing.compare(hand.books, held, hand.order, hand.stock, hand.seed)
    hand = hand.but(
        turn=None,
        books=replace(compared.books, after=hand.dealer),
        reasons=(*hand.reasons, *compared.reasons),
        standing=compared.standing,
        lost=compared.lost,
        cuts=compared.cuts,
        stock=hand.stock if compared.stock is None else compared.stock,
    )
    return HandStep(hand, (*events, COMPARED(None, cards=held), *compared.events))
