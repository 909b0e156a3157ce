"""The loop of one deal: turns, swaps, and the answers of picture cards.

`AceHand` is the immutable state. `open_deal`, `keep_card` and `swap_or_cut` advance it. When all turns are over, all
cards are compared (`lives_and_pot`). Joining and leaving are handled elsewhere.
"""

from collections.abc import Mapping
from dataclasses import replace

from app.engine.base.errors import RuleError
from app.engine.base.frozen import FrozenState
from app.engine.base.messages import MessageTemplate
from app.engine.cards.actions import Keep
from app.engine.cards.cards import Card, Cards
from app.engine.display.events import SWAPPED, GameEvent, GameEventType
from app.engine.display.point_reasons import PointReason
from app.engine.games.chase_the_ace.lives_and_pot import LivesAndPot, Names
from app.engine.games.chase_the_ace.picture_cards import KING_SHOWN, KINGS
from app.engine.games.chase_the_ace.rules import AceRules
from app.engine.match.hand import HandPhase, HandTransition, Standing

KEPT = GameEventType("kept", "{by} keeps the card.", you="You keep your card.")
ASKED = GameEventType(
    "asked", "{by} asks {of} for a swap.", you="You ask {of} for a swap.", of_you="{by} asks you for a swap."
)
GOT = GameEventType("got", "Your card is now the {cards}.")
DREW_FROM_STOCK = GameEventType("drew_from_stock", "{by} draws from the stock.", you="", ways=(("deck", "by"),))
COMPARED = GameEventType("compared", "All cards are shown.")


class AceHand(FrozenState, frozen=True):
    """The state of one hand of Chase the Ace, never changed: each action makes a new one.

    `stock` are undealt cards, and `seed` is for cuts. `balance` are dimes (lives) and the pot, and `reasons`
    payments so far.

    `standing` has players who are out of the game.
    """

    transient_fields = frozenset({"rules"})
    rules: AceRules
    seats: Names
    """All seated players, clockwise, including those who are out and newcomers."""
    order: Names
    """The playing players from the dealer's left; the dealer is last."""
    cards: Mapping[str, Cards]
    """One card for each playing player."""
    stock: Cards
    balance: LivesAndPot
    reasons: tuple[PointReason, ...] = ()
    """Reasons for points paid and won so far."""
    seed: int | None = None
    turn: int | None = 0
    """Index in `order` of the player to act; None when the deal is over."""
    silent: frozenset[str] = frozenset()
    """Players who lost their turn by showing a king."""
    face_up: frozenset[Card] = frozenset()
    """Cards that were shown."""
    standing: Standing = ()
    lost: Names = ()
    """Players who lost a dime, once the deal is over."""
    cuts: tuple[tuple[str, Card], ...] = ()
    """Cards cut to decide the last tie."""

    @property
    def dealer(self) -> str:
        """Return the dealer of the hand, who acts last."""
        return self.order[-1]

    @property
    def hierarchy(self) -> Names:
        """Return (): Chase the Ace has no hierarchy of players."""
        return ()

    @property
    def phase(self) -> HandPhase:
        """Return `play`, or `over` when all players of the hand have had their turn."""
        return "over" if self.turn is None else "play"

    @property
    def to_act(self) -> Names:
        """Return the player whose turn it is, as a tuple; empty once the hand is over."""
        return () if self.turn is None else (self.order[self.turn],)

    @property
    def players_who_acted(self) -> Names:
        """Return the players who have had their turn in the hand, without those who lost it by showing a king."""
        return tuple(name for name in self.order[: self.turn] if name not in self.silent)

    @property
    def card_by_player(self) -> dict[str, Card]:
        """Return the card of each player in the hand of Chase the Ace, in order of seats."""
        return {name: self.cards[name][0] for name in self.seats if name in self.order}

    @property
    def face_up_card_by_player(self) -> dict[str, Card]:
        """Return the players who hold a card that lies face up in Chase the Ace, with that card.

        A king, queen or jack that a rule made its holder show stays face up until the end of the deal, also after a
        swap. Cards that are only compared at the end are not included.
        """
        return {name: card for name, card in self.card_by_player.items() if card in self.face_up}


def open_deal(hand: AceHand) -> HandTransition[AceHand]:
    """Return a hand of Chase the Ace ready for the first turn, and events.

    With the option `kings: face_up`, a king that was dealt ends the hand at once.
    """
    kings = {name: card for name, card in hand.card_by_player.items() if card.rank == "K"}
    if not hand.rules.king_ends_deal or not kings:
        return HandTransition(hand)
    events = tuple(KING_SHOWN(name, KINGS.id, cards=card) for name, card in kings.items())
    return _compare_cards_and_end(hand.replace(face_up=frozenset(kings.values())), events)


def keep_card(hand: AceHand) -> HandTransition[AceHand]:
    """Return the hand of Chase the Ace after the player to act keeps their card, and the events; the turn moves on."""
    return _advance_turn(hand, (KEPT(*hand.to_act),))


def swap_or_cut(hand: AceHand) -> HandTransition[AceHand]:
    """Return the hand after the player to act asks the left neighbour for a swap, and the events.

    The dealer, who is last in Chase the Ace, cuts a card from the stock instead.
    """
    asker = hand.to_act[0]
    return _cut_from_stock(hand) if asker == hand.dealer else _ask_neighbours_for_swap(hand, asker)


def can_swap(hand: AceHand) -> bool:
    """Return whether the player to act in Chase the Ace can swap: always, except a dealer with an empty stock."""
    return bool(hand.stock) or hand.to_act != (hand.dealer,)


def find_swap_partner(hand: AceHand) -> str | None:
    """Return the player who would be asked for a swap now: the next on the left.

    None for a dealer, who gets the stock.
    """
    return hand.order[hand.turn + 1] if hand.turn is not None and hand.turn + 1 < len(hand.order) else None


def _ask_neighbours_for_swap(hand: AceHand, asker: str) -> HandTransition[AceHand]:
    """Return the hand after a request for a swap in Chase the Ace, and the events; the turn moves on.

    The left neighbour is asked first. A picture card may refuse, and a queen may send the asker to the right neighbour.
    """
    place = hand.order.index(asker)
    events: list[GameEvent] = []
    for neighbour in (hand.order[place + 1], hand.order[place - 1]):
        events.append(ASKED(asker, of=neighbour))
        card = hand.cards[neighbour][0]
        answer = hand.rules.answer_by_rank.get(card.rank)
        if answer is None:
            hand = hand.replace(cards={**hand.cards, asker: (card,), neighbour: hand.cards[asker]})
            events += _swap_events(hand, asker, neighbour)
            break
        if card not in hand.face_up:
            events.append(answer.event(neighbour, answer.cause, cards=card))
        hand = hand.replace(face_up=hand.face_up | {card})
        if answer.ends:
            return _compare_cards_and_end(hand, tuple(events))
        if answer.silences:
            hand = hand.replace(silent=hand.silent | {neighbour})
        if not answer.redirects:
            break
    return _advance_turn(hand, tuple(events))


def _swap_events(hand: AceHand, one: str, other: str) -> tuple[GameEvent, ...]:
    """Return the public event of a swap, and one private event for each of the two players with their new card."""
    got = (GOT(name, seen_by=(name,), cards=hand.cards[name][0]) for name in (one, other))
    return (SWAPPED(one, to=other), *got)


STOCK_IS_EMPTY = MessageTemplate("chase_the_ace.stock_is_empty", "The stock is empty. Keep your card.")


def _cut_from_stock(hand: AceHand) -> HandTransition[AceHand]:
    """Return the hand after the dealer has cut a card from the stock in place of a swap, and the events.

    By an option, the old card is kept if the new one is a king. Raises `RuleError` if the stock is empty.
    """
    if not hand.stock:
        raise RuleError("bad_action", STOCK_IS_EMPTY(), suggestions=(Keep(),))
    dealer, (card, *rest) = hand.dealer, hand.stock
    hand = hand.replace(stock=tuple(rest))
    if card.rank == "K" and hand.rules.keeps_card_when_king_cut:
        return _advance_turn(hand, (KING_SHOWN(dealer, KINGS.id, cards=card, cut=True),))
    hand = hand.replace(cards={**hand.cards, dealer: (card,)})
    return _advance_turn(hand, (DREW_FROM_STOCK(dealer), GOT(dealer, seen_by=(dealer,), cards=card)))


def _advance_turn(hand: AceHand, events: tuple[GameEvent, ...]) -> HandTransition[AceHand]:
    assert hand.turn is not None
    for turn in range(hand.turn + 1, len(hand.order)):
        if hand.order[turn] not in hand.silent:
            return HandTransition(hand.replace(turn=turn), events)
    return _compare_cards_and_end(hand, events)


def _compare_cards_and_end(hand: AceHand, events: tuple[GameEvent, ...]) -> HandTransition[AceHand]:
    held = hand.card_by_player
    compared = hand.rules.deal_comparison.decide_deal(hand.balance, held, hand.order, hand.stock, hand.seed)
    hand = hand.replace(
        turn=None,
        balance=replace(compared.lives_and_pot, after=hand.dealer),
        reasons=(*hand.reasons, *compared.reasons),
        standing=compared.standing,
        lost=compared.losers,
        cuts=compared.cuts,
        stock=hand.stock if compared.stock is None else compared.stock,
    )
    return HandTransition(hand, (*events, COMPARED(None, cards=held), *compared.events))
