"""Presets [PDK-00, PDK-40, PDK-41]: data only, each with its differences from the defaults."""

from app.engine.base.options import Preset

BASICS = (
    (
        "Cards rank 3 (low) 4 5 6 7 8 9 10 J Q K A 2 (high); suits don’t matter. Three players get 16 cards each, from "
        "a deck with one two and three aces. Get rid of your cards first."
    ),
    (
        "You can play single cards, pairs, five or more cards in a row, or two or more pairs in a row. A triple is "
        "played with any two loose cards. Triples in a row are played with two loose cards for each. Twos can’t be in "
        "a row."
    ),
    (
        "A play is beaten by the same kind with the same number of cards, if its rank is higher. Four of a "
        "kind is a bomb: it beats everything but a higher bomb. If you can beat, you must. Otherwise you "
        "pass."
    ),
    (
        "In the first hand the player with the three of spades leads it. Later the winner leads. When all others have "
        "passed, the last player to play leads. If the next player has one card, a single must be your highest card."
    ),
    (
        "The hand ends with the first player without cards. The others pay that player 1 point for each "
        "card left; a player with only one card pays nothing. A player without a play pays double. For each "
        "bomb, every other player pays 10 points."
    ),
)
"""The basic game, explained for beginners."""

PRESETS = (
    Preset(
        id="PDK-00",
        key="sixteen",
        name="Pao De Kuai",
        picture="8s 8c 8d 4h 6c",
        also="十六张跑得快, 16张跑得快, Run Fast with 16 cards",
        sentence="The common game: three players with 16 cards each. You must beat if you can.",
        source="hackmd.io",
    ),
    Preset(
        id="PDK-40",
        key="fifteen",
        name="Pao De Kuai, 15 cards",
        picture="9c Td Jh Qs Kc",
        mark="15",
        mark_text="15 cards each",
        also="十五张跑得快, 15张跑得快, Run Fast with 15 cards",
        sentence="Three players with 15 cards each. The deck has one two, one ace and three kings.",
        changes={"deck": "fifteen"},
        source="newsflash.city",
    ),
    Preset(
        id="PDK-41",
        key="four_players",
        name="Pao De Kuai for four",
        picture="5s 5d 6c 6h 7s",
        mark="13",
        mark_text="13 cards each",
        also="四人跑得快, 13张跑得快, Run Fast for four",
        sentence="Four players with 13 cards each, from the whole deck. Pairs in a row must be at least three.",
        changes={"deck": "thirteen", "pair_runs": 3},
        source="wjplayingcards.com",
    ),
)
