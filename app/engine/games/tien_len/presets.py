"""Presets [TIEN-00, TIEN-40, TIEN-41]: data only, each with its differences from the defaults."""

from app.engine.base.options import Preset

BASICS = (
    (
        "Cards rank 3 (low) 4 5 6 7 8 9 10 J Q K A 2 (high). Between equal ranks the suits decide, from low to high: "
        "spades, clubs, diamonds, hearts. Four players get 13 cards each. Get rid of your cards first."
    ),
    (
        "You can play single cards, pairs, triples, four of a kind, three or more cards in a row, or three or more "
        "pairs in a row. Twos can’t be in a row. A play is beaten by the same kind with the same number of cards, if "
        "its highest card is higher. If you pass, you are out of the trick."
    ),
    (
        "Chops beat twos: three pairs in a row beat one two. Four of a kind beats one or two twos and three pairs in a "
        "row. Four pairs in a row beat all of these, at any time, even after a pass."
    ),
    (
        "In the first hand the player with the three of spades leads it. Later the winner leads. When all others have "
        "passed, the last player to play leads."
    ),
    (
        "The hand goes on until one player has cards. The last player pays the first 2 points, the third "
        "pays the second 1 point. A chopped two costs 1 point if black, 2 if red. Twos held at the end cost "
        "the same."
    ),
)
"""The basic game, explained for beginners."""

PRESETS = (
    Preset(
        id="TIEN-00",
        key="southern",
        name="Tien Len",
        picture="4s 4d 5c 5h 6s",
        also="Tiến lên miền Nam, TLMN, Southern Tien Len",
        sentence="The game of the south: chops beat twos, and four pairs in a row chop at any time.",
        source="Vietnamese Wikipedia",
    ),
    Preset(
        id="TIEN-40",
        key="northern",
        name="Northern Tien Len",
        picture="9h 9d 5h 6h 7h",
        mark="⊘",
        mark_text="No two as the last play",
        also="Tiến lên miền Bắc, TLMB",
        sentence="Singles and runs follow suit, pairs follow colour. Nobody may finish with a two.",
        changes={
            "suits": "follow",
            "pair_runs": False,
            "four_chops": "one_two",
            "interruptions": "none",
            "instant_wins": ["four_twos", "dragon", "six_pairs"],
            "no_last_twos": True,
            "chop_points": "northern",
        },
        source="Tiến lên miền Bắc",
    ),
    Preset(
        id="TIEN-41",
        key="american",
        name="American Thirteen",
        picture="5s 6s 7s 2h",
        also="Killer 13, VC, Bomb",
        sentence="Chops beat only twos. Only a run of one suit beats a run of one suit.",
        changes={
            "suited_runs": "lock",
            "four_chops": "one_two",
            "triple_chop": True,
            "chops_on_chops": "never",
            "interruptions": "none",
            "instant_wins": ["four_twos", "dragon"],
            "cards_held": "free",
        },
    ),
)
