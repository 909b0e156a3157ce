"""Table and lead [PDK-01 … PDK-05]: deck, direction, and the first lead of a hand."""

from app.engine.base.options import Choice, Option, Options, Section
from app.engine.cards.card_order import CardOrder
from app.engine.cards.cards import Cards, parse_cards

ONLINE_ROOMS = "Chinese online rooms"

DECK = Option(
    id="PDK-01",
    also="16张 15张 13张 number of cards 牌数",
    key="deck",
    domain=Choice(
        {
            "sixteen": "48 cards, 16 each",
            "fifteen": "45 cards, 15 each",
            "thirteen": "52 cards, 13 each",
        }
    ),
    default="sixteen",
    sentence="Sets the deck of two or three players. With 16 each it has one two and three aces, with 15 each one two, "
    "one ace and three kings. Four players always get 13 cards of the whole deck.",
    example="With 16 cards each, 2♣, 2♦, 2♥ and A♠ stay out.",
    source=ONLINE_ROOMS,
    short={
        "sixteen": "You get 16 cards each (four players: 13).",
        "fifteen": "You get 15 cards each (four players: 13).",
        "thirteen": "You get 13 cards each.",
    },
)
"""The deck of two or three players. Four always share the whole deck."""

DIRECTION = Option(
    id="PDK-02",
    also="order of play clockwise counterclockwise 顺时针 逆时针",
    key="direction",
    domain=Choice({"clockwise": "Clockwise, to the left", "anticlockwise": "Anticlockwise, to the right"}),
    default="clockwise",
    sentence="Sets the direction of play.",
    example="Ana leads 3♠. Clockwise the player at the left is next, anticlockwise the player at the right.",
    source=ONLINE_ROOMS,
    short={"anticlockwise": "Play goes anticlockwise."},
)

FIRST_CARD = Option(
    id="PDK-03",
    also="黑桃3 红桃3 three of hearts lowest card",
    key="first_card",
    domain=Choice({"spades": "The three of spades", "hearts": "The three of hearts"}),
    default="spades",
    sentence="Decides which card gives the first lead of a match. If nobody was dealt it, it is the next card up.",
    example="With “The three of hearts”, Bob, who has 3♥, leads, although Ana has 3♠.",
    source="ac.qq.com",
)

STARTER = Option(
    id="PDK-04",
    also="赢家先出 每局黑桃3先出 who starts first lead",
    key="starter",
    domain=Choice({"winner": "The winner of the hand before", "low_card": "The player with the first card"}),
    default="winner",
    sentence="Decides which player leads from the second hand on. In the first hand it is the player with the first "
    "card.",
    example="Ana was the first without cards, so Ana leads anything.",
    source="hackmd.io",
    short={"winner": "Later, the winner leads."},
)

LOW_CARD_LEAD = Option(
    id="PDK-05",
    also="首出必带黑桃3 3♠ first three",
    key="low_card_lead",
    label="First lead",
    domain=Choice({"within": "It contains the first card", "free": "Anything"}),
    default="within",
    sentence="Decides what the player with the first card leads when that card gives the lead.",
    example="With 3♠ 3♥ 4♦ 4♣, “It contains the first card” allows 3♠, 3♠ 3♥ and 3♠ 3♥ 4♦ 4♣.",
    source=ONLINE_ROOMS,
)

SECTION = Section("table", "Table and lead", (DECK, DIRECTION, FIRST_CARD, STARTER, LOW_CARD_LEAD))

WHOLE_DECK_PLAYERS = 4
CARDS_EACH = {"sixteen": 16, "fifteen": 15, "thirteen": 13}
"""The number of cards of each player, for each deck."""


def _deck_without(removed: str) -> Cards:
    """Return a deck of 52 cards without some cards, sorted from the lowest rank."""
    out = parse_cards(removed)
    deck = (card for card in CardOrder.for_suit_order("shdc").deck if card not in out)
    return tuple(deck)


DECKS = {
    "sixteen": _deck_without("2c 2d 2h As"),
    "fifteen": _deck_without("2c 2d 2h As Ac Ad Ks"),
    "thirteen": _deck_without(""),
}


def deck_key(options: Options, players: int) -> str:
    """Return the value of `deck` by which this number of players is dealt."""
    return options[DECK] if players < WHOLE_DECK_PLAYERS else "thirteen"


ORDERS = {"spades": CardOrder.for_suit_order("hdcs"), "hearts": CardOrder.for_suit_order("scdh")}
"""The order in which cards give the first lead, for each first card. Suits count in no other place."""
