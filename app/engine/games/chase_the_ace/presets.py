"""The preset [ACE-00]; there is only one. Data only."""

from app.engine.base.options import Preset

BASICS = (
    (
        "Cards rank A (low) 2 3 4 5 6 7 8 9 10 J Q K (high). Suits don’t matter. Each player has three "
        "dimes (lives) and gets one card. Don’t be left with the lowest card."
    ),
    (
        "Beginning left of the dealer, each player keeps their card or swaps it with the player on their "
        "left. That player must accept, unless they have a king: then they show it, and both keep their "
        "cards. The dealer comes last and may swap with a card from the stock."
    ),
    (
        "Then all cards are shown, and the player with the lowest card loses a dime. Cards of the same "
        "rank are safe. A player with no dimes left is out. The last player left wins the pot."
    ),
)
"""The basic game, explained for beginners."""

PRESETS = (
    Preset(
        id="ACE-00",
        key="classic",
        name="Chase the Ace",
        picture="Kh Ac",
        sentence="One card each, three dimes. Beginning left of the dealer, each player keeps their card or swaps "
        "with the player on their left. The lowest card loses a dime, and the last player left wins the "
        "pot.",
    ),
)
