"""What Chase the Ace lays open of a deal, and how it is to be drawn: a card before everybody, dimes, stock and pot."""

from functools import lru_cache
from typing import Annotated, TypedDict

from app.engine.base.messages import Said, Sentence, both
from app.engine.cards.cards import in_words, show
from app.engine.display.table_display import AtSeat, Counter, Face, OwnFace, Tally, line, own_face, text, things
from app.engine.games.chase_the_ace import trading
from app.engine.games.chase_the_ace.lives_and_pot import RANKS, Books
from app.engine.games.chase_the_ace.rules import rules_of
from app.engine.games.chase_the_ace.trading import Trading
from app.engine.match.context import Society

SWAP = Sentence("chase.swap", "Swap with {name}")
SWAP_WITH_DECK = Sentence("chase.swap.deck", "Swap with the deck")
ASKED = Sentence("chase.asked", "Your turn: keep your card, or swap it?")
STOCK = Sentence("chase.stock", {"one": "{count} card in the stock", "other": "{count} cards in the stock"})
POT = Sentence("chase.pot", {"one": "{count} dime in the pot", "other": "{count} dimes in the pot"})
HAS = Sentence("chase.dimes", {"one": "{count} dime", "other": "{count} dimes"})
DIMES = Sentence("chase.unit", "Dimes")
LATE = Sentence("chase.late", "A game is being played. You play from the next game.")
LOSES = {
    "lowest": Sentence(
        "chase.loses",
        {
            "one": "{names} loses a dime: {cards} is the lowest card.",
            "other": "{names} lose a dime each: {cards} are the lowest cards.",
        },
    ),
    "ace": Sentence(
        "chase.loses_ace",
        {
            "one": "{names} loses a dime: {cards} is the lowest card, for aces are low.",
            "other": "{names} lose a dime each: {cards} are the lowest cards, for aces are low.",
        },
    ),
    "alone": Sentence("chase.loses_alone", "{names} loses a dime: {cards} is the lowest card that nobody matches."),
}
"""Who loses, and why: by what is to be said of their cards."""
NOBODY = Sentence("chase.nobody", "Nobody loses a dime: every card is matched.")
TIE = Sentence("chase.tie", "{names} tie.")
WINS = Sentence("chase.wins", "{name} wins the game.")
LOSES_AND_WINS = Sentence("chase.loses_and_wins", "{loses} {wins}")


class AceBooks(TypedDict):
    """What stays true between deals."""

    dimes: Annotated[dict[str, int], "How many dimes each in this game has, by name; 0 for who is out."]
    pot: Annotated[int, "The points in the pot."]
    shown: Annotated[dict[str, str], "The cards that lie face up, by name."]


class CutShown(TypedDict):
    """A card cut for the last tie."""

    by: Annotated[str, "Whose it is."]
    cards: Annotated[str, "The card."]


class AceTable(AceBooks):
    """What everybody may know of a deal.

    A hand is one deal, and a game goes on over several, until one player has dimes left. So `standing` tells who is
    out of the game so far: it is empty until somebody has lost their last dime, and whole only when the game is
    decided. The `ledger` of the deal that begins a game has everybody's stake, as many points as they get dimes (-3);
    that of the deal which decides it has the pot for its winner; those between have nothing.
    """

    turn: Annotated[str | None, "Whose turn it is; null when the deal is over."]
    ranks: Annotated[str, "From low to high."]
    playing: Annotated[list[str], "Who has a card in this deal, in order of seats."]
    waiting: Annotated[list[str], "Newcomers, who wait for the next game."]
    acted: Annotated[list[str], "Who has had their turn."]
    silent: Annotated[list[str], "Who has no turn, for they have shown why."]
    stock: Annotated[int, "How many cards are left to cut from."]
    revealed: Annotated[dict[str, str], "All cards, once the deal is over, by name."]
    lost: Annotated[list[str], "Who has lost a dime, once the deal is over."]
    cuts: Annotated[list[CutShown], "What was cut to decide the last tie (ACE-06)."]
    decided: Annotated[bool, "Whether the game is won, so that the next deal begins a new one."]


def table(hand: Trading) -> AceTable:
    """Everything but the cards that are still hidden."""
    over, acted = hand.phase == "over", hand.acted
    return {
        "dimes": dict(hand.books.dimes),
        "pot": hand.books.pot,
        "shown": {name: show((card,)) for name, card in hand.shown.items()},
        "turn": next(iter(hand.to_act), None),
        "ranks": RANKS,
        "playing": [name for name in hand.seats if name in hand.order],
        "waiting": [name for name in hand.seats if name not in hand.books.dimes],
        "acted": [name for name in hand.seats if name in acted],
        "silent": [name for name in hand.seats if name in hand.silent],
        "stock": len(hand.stock),
        "revealed": dict(hand.held) if over else {},
        "lost": list(hand.lost),
        "cuts": [{"by": name, "cards": card} for name, card in hand.cuts],
        "decided": hand.books.decided,
    }


def lasting(match: Society) -> AceBooks:
    """Dimes and pot, as the last deal left them."""
    books = Books.read(match.memory)
    return {
        "dimes": dict(books.dimes),
        "pot": books.pot,
        "shown": {},
    }


def own(hand: Trading, player: str) -> OwnFace:
    """What only this player may know: what there is to choose, and with whom a swap would be, by name."""
    if player not in hand.to_act:
        return own_face()
    neighbour = trading.neighbour(hand)
    swap = SWAP_WITH_DECK() if neighbour is None else SWAP(name=neighbour)
    return {**own_face(ASKED()), "labels": {"swap": text(swap)}}


def face(match: Society, hand: Trading | None) -> Face:
    """The stock and the pot in the middle, and what a result tells."""
    books = _books(match, hand)
    stock = 0 if hand is None else len(hand.stock)
    lines = [
        line("stock", STOCK(count=stock), icon="pack" if stock else "nothing"),
        line("pot", POT(count=books.pot), icon="coin"),
    ]
    return {
        "middle": "panels",
        "panels": [things("chase", lines)],
        "signs": [],
        "asked": None,
        "late": None if books.decided else text(LATE()),
        "tally": _tally(books, rules_of(match.options).dimes, hand),
    }


def at_seat(match: Society, hand: Trading | None, player: str) -> AtSeat:
    """Their dimes, and the card that lies before them."""
    books = _books(match, hand)
    seen: AtSeat = {"state": None, "counter": _dimes(books, player), "lies": None}
    if hand is None:
        return seen
    if player not in hand.order:
        return {**seen, "state": "left" if player in books.dimes else "waits"}
    card = hand.cards[player][0]
    return {**seen, "lies": str(card) if hand.phase == "over" or card in hand.face_up else ""}


def _books(match: Society, hand: Trading | None) -> Books:
    return Books.read(match.memory) if hand is None else hand.books


def _dimes(books: Books, player: str) -> Counter | None:
    left = books.dimes.get(player)
    return None if left is None else _purse(left)


@lru_cache
def _purse(dimes: int) -> Counter:
    """Said for everybody in every picture, and there are few amounts."""
    return {"count": dimes, "icon": "coin", "text": text(HAS(count=dimes))}


def _tally(books: Books, most: int, hand: Trading | None) -> Tally:
    over = hand is not None and hand.phase == "over"
    return {
        "name": text(DIMES()),
        "icon": "coin",
        "each": dict(books.dimes),
        "most": most,
        "lost": [] if hand is None else list(hand.lost),
        "told": text(_told(hand)) if hand is not None and over else None,
        "points": over and books.decided,
    }


def _told(hand: Trading) -> Said:
    """What came of a deal that is over: who lost a dime and why, and whether the game is won."""
    loses = _loses(hand) if hand.lost else NOBODY()
    if not hand.books.decided:
        return loses
    first = hand.standing[0]
    wins = TIE(names=both(first)) if isinstance(first, tuple) else WINS(name=first)
    return LOSES_AND_WINS(loses=loses, wins=wins) if hand.lost else wins


def _loses(hand: Trading) -> Said:
    cards = [hand.held[name] for name in hand.lost]
    rank = cards[0].rank
    lower = any(RANKS.index(card.rank) < RANKS.index(rank) for card in hand.held.values())
    why = "alone" if lower else "ace" if rank == RANKS[0] else "lowest"
    return LOSES[why](names=both(hand.lost), cards=in_words(cards), count=len(cards))
