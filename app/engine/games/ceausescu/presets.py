"""The preset [CEAU-00]. “Anything different isn’t really Ceausescu”, so there is only one. Data only."""

from app.engine.base.options import Preset, ShortRules

from .patterns import SHEET

CLASSIC = Preset(
    id="CEAU-00",
    key="classic",
    name="Ceausescu",
    picture="Jc Jd Js Xr",
    sentence="Climb with pairs in a row, straight flushes and flushes, over bombs and missiles; be the first out, and "
    "don’t be the last one with cards.",
    source=SHEET,
)

SHORT_RULES = ShortRules(
    sentences=(
        "Be first without cards, never last.",
        "Low to high: 3 to 10, J, Q, K, A, 2, black joker, red joker.",
        "Lead one card, a pair, pairs in a row, a straight flush, or a flush.",
        (
            "The next player plays the same pattern, equally long but higher, or passes. Three of a kind beats "
            "all these, and four of a kind beats everything."
        ),
        "If all others pass, the player of the last cards leads.",
        (
            "The first player out is King, the last Serf. Next, the King gets the Serf’s two best cards and gives "
            "any two back. The Serf leads."
        ),
    ),
    example=("5c 5d 6h 6s", "9c 9h Tc Td", "4c 4d 4h"),
    caption="A player leads two pairs in a row. Higher ones beat them. Three fours beat both.",
    best_players=(4, 7),
)

BASICS = (
    (
        "Ranks go from low to high: 3 4 5 6 7 8 9 10 J Q K A 2, then the black joker and the red one; suits "
        "are equal. All 54 cards are dealt (with two players, 17 each). Be the first to be out, and do not be "
        "the last with cards."
    ),
    (
        "A lead is a pattern: a single card, a pair, consecutive pairs, a straight flush of three to five "
        "cards, or a flush of five. It is beaten by the same pattern of as many cards and a higher value. "
        "Three of a kind is a bomb and four of a kind a missile: they beat every pattern, on your own turn. "
        "Passing never bars you."
    ),
    (
        "In the first hand the holder of the three of clubs leads; afterwards the serf, who was last. Who "
        "everybody else has passed on starts a new pattern."
    ),
    (
        "After a hand the first is King, the last is Serf. The serf deals and gives the king the two best "
        "cards for any two back; last but one and second exchange one. The king may decree, and the serf may "
        "not leave unless the king grants it."
    ),
)
"""The basic game, explained for beginners."""

PRESETS = (CLASSIC,)
