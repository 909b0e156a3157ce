"""Presets [BIG-00, BIG-40 … BIG-48]: data only, each with its differences from the defaults."""

from app.engine.base.options import Preset

BASICS = (
    (
        "Cards rank 3 (low) 4 5 6 7 8 9 10 J Q K A 2 (high). Between equal ranks the suits decide, from "
        "low to high: diamonds, clubs, hearts, spades. Four players get 13 cards each. Get rid of your "
        "cards first, or have few left."
    ),
    (
        "You can play single cards, pairs, triples, or five cards: a straight, a flush, a full house, "
        "four of a kind with any card, or a straight flush. A play is beaten by a higher play of the "
        "same size. In five-card plays, each kind beats the kinds named before it. Play goes "
        "anticlockwise. If you pass, you may play later in the trick."
    ),
    (
        "The player with the three of diamonds begins each hand, and the first play must contain it. "
        "When all others have passed, the last player to play leads any combination."
    ),
    (
        "The hand ends as soon as someone is out. The others lose 1 point per card left: 2 per card with "
        "10 to 12 cards, 3 per card with all 13. The winner deals next."
    ),
)
"""The basic game, explained for beginners."""

PRESETS = (
    Preset(
        id="BIG-00",
        key="pagat",
        name="Big Two",
        picture="3d 2s",
        sentence="The basic game: play goes anticlockwise, the 3♦ begins, the first player out wins, and the "
        "others pay for their cards left.",
    ),
    Preset(
        id="BIG-40",
        key="hong_kong",
        name="Hong Kong",
        picture="Ac 2d 3h 4s 5c",
        also="鋤大弟, 鋤大D, Choh Dai Di, 香港",
        sentence="23456 and A2345 are the highest straights, flushes go by their top card, a dragon wins at once, "
        "and a single two can’t be the last card of the winner.",
        changes={
            "flushes_by": "top_card",
            "straights": "hong_kong",
            "dragon": "wins",
            "no_win_on": "single_two",
            "starter": "winner",
        },
    ),
    Preset(
        id="BIG-41",
        key="pusoy_dos",
        name="Pusoy Dos",
        picture="2s 2d",
        also="Pusoy, Filipino Poker, Chikicha, Sikitcha",
        sentence="The Philippine game: diamonds are high, clubs low, and twos in the last play double the win.",
        changes={"suit_order": "dhsc", "scoring": "pusoy_dos"},
    ),
    Preset(
        id="BIG-42",
        key="indonesia",
        name="Indonesia",
        picture="9c 9d 9h 9s",
        mark="10",
        mark_text="Ten hands",
        also="Capsa Banting",
        sentence="A match of ten hands. If you pass, you are out of the trick. The winner begins the next hand. "
        "Unbeaten fours and straight flushes score extra.",
        changes={
            "direction": "clockwise",
            "straights": "indonesia",
            "passing": "out",
            "announce": 2,
            "starter": "winner",
            "deals": 10,
            "scoring": "indonesia",
        },
    ),
    Preset(
        id="BIG-43",
        key="gamesky",
        name="Gamesky",
        picture="Ks Ac 2s",
        mark="!",
        mark_text="Honours at any time",
        sentence="No flushes. Straights and full houses beat only their own kind. Honours may be played at any "
        "time. Penalties double from eleven cards.",
        changes={"flushes": False, "full_house": "own_class", "honours": "out_of_turn", "doubling": [[11, 2]]},
    ),
    Preset(
        id="BIG-44",
        key="taiwan",
        name="Taiwan",
        picture="Ac Ad Ah As",
        also="大老二, Da Lao Er, 台灣",
        sentence="Suits rank as in Bridge: clubs, diamonds, hearts, spades.",
        changes={"suit_order": "shdc"},
    ),
    Preset(
        id="BIG-45",
        key="singapore",
        name="Singapore",
        picture="Qc Qd Qh",
        mark="⊘",
        mark_text="No triples, no flushes",
        also="大老二, Dai Di, 新加坡",
        sentence="No triples and no flushes.",
        changes={"triples": False, "flushes": False},
    ),
    Preset(
        id="BIG-46",
        key="latta",
        name="Latta",
        picture="5h 6h 7h 8h 9h",
        mark="7",
        mark_text="Seven cards",
        sentence="No triples and no flushes. A straight flush takes two more cards; it and four of a kind beat "
        "everything.",
        changes={"triples": False, "flushes": False, "straight_flush": "seven"},
    ),
    Preset(
        id="BIG-47",
        key="lukang",
        name="Lukang",
        picture="Ah 2s",
        mark="1",
        mark_text="One player pays",
        also="鹿港",
        sentence="Honours beat everything lower. One loser pays: the player who kept the highest honour, two or ace.",
        changes={"honours": "beat_all", "scoring": "loser_pays"},
    ),
    Preset(
        id="BIG-48",
        key="american",
        name="American",
        picture="3d 2s",
        mark="↻",
        mark_text="Clockwise",
        sentence="The basic game, clockwise.",
        changes={"direction": "clockwise"},
    ),
)
