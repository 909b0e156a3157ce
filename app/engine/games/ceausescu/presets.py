"""The preset [CEAU-00]. “Anything different isn’t really Ceausescu”, so there is only one. Data only."""

from app.engine.base.options import Preset

CLASSIC = Preset(
    id="CEAU-00",
    key="classic",
    name="Ceausescu",
    picture="Jc Jd Js Xr",
    sentence="Get rid of your cards first with pairs in a row, straight flushes and flushes, bombs and "
    "missiles. Don’t be the last player with cards.",
)

BASICS = (
    (
        "Cards rank 3 (low) 4 5 6 7 8 9 10 J Q K A 2, black joker, red joker (high). Suits are equal. "
        "All 54 cards are dealt (two players get 17 each). Get rid of your cards first, and don’t be the "
        "last player with cards."
    ),
    (
        "You can lead a single card, a pair, pairs in a row, a straight flush of three to five cards, or "
        "a flush of five. It is beaten by a higher play of the same kind and size. Three of a kind is a "
        "bomb and four of a kind is a missile. On your own turn they beat all other kinds. If you pass, "
        "you may play later in the trick."
    ),
    (
        "In the first hand the player with the three of clubs leads. From the second hand on, the Serf "
        "leads. When all other players have passed, the last player to play leads the next trick."
    ),
    (
        "After a hand the first is King and the last is Serf. The Serf deals and gives the King their "
        "two best cards, and gets any two back. Second-last and second exchange one card. The King may "
        "give decrees. The Serf may leave only if the King allows it."
    ),
)
"""The basic game, explained for beginners."""

PRESETS = (CLASSIC,)
