"""Chase the Ace's short rules. Sentences that depend on an option are declared with it."""

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Options, PlayedExample, ShortRules
from app.engine.games.chase_the_ace import lives_and_pot, picture_cards

LIVES = MessageTemplate(
    "chase_the_ace.short.lives",
    {
        "one": "Each player has {count} life, called a dime, and gets one card.",
        "other": "Each player has {count} lives, called dimes, and gets one card.",
    },
)


def say_lives(options: Options) -> TranslatableMessage:
    """Say the number of lives with which a player begins."""
    return LIVES(count=options[lives_and_pot.DIMES])


SHORT_RULES = ShortRules(
    play=(
        MessageTemplate(
            "chase_the_ace.short.aim", "Don’t end a hand with the lowest card. Low to high: A, 2–10, J, Q, K."
        ),
        say_lives,
        MessageTemplate(
            "chase_the_ace.short.swap",
            "From the dealer’s left, each player keeps their card or swaps it with their left neighbour.",
        ),
        picture_cards.KINGS,
        MessageTemplate(
            "chase_the_ace.short.dealer", "The dealer plays last, and may swap with the top card of the stock."
        ),
    ),
    result=(
        MessageTemplate("chase_the_ace.short.shown", "Then all show their cards."),
        lives_and_pot.MATCHING,
        MessageTemplate(
            "chase_the_ace.short.match_end", "Without dimes, you are out. The last player left wins everybody’s dimes."
        ),
    ),
    example=PlayedExample(
        ("3c", "9h", "Kd"),
        "The first player swaps the three for the nine. The second player now has the three, but the king refuses to "
        "swap. The three loses a dime.",
    ),
    best_players=(6, 12),
)
