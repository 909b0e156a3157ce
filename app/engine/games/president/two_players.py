"""Two players [PRES-86]: the minimum number of players, and the number of cards for two."""

from app.engine.base.options import NumberOrNone, Option, Options, Section

DEFAULT_MIN_PLAYERS = 3
"""Fewest players if two may not play."""

TWO_DEAL = Option(
    id="PRES-86",
    also="two players heads-up 2人 二人 两人",
    key="two_deal",
    label="Cards for two players",
    domain=NumberOrNone(1, 27, none_label="At least three players"),
    default=None,
    sentence="Two players may play with this number of cards each. The rest of the deck is not used.",
    example="With 15, two players hold 30 cards, and 22 stay unseen.",
    source="Board Game Arena",
)

SECTION = Section("table", "Table", (TWO_DEAL,))


def min_players(options: Options) -> int:
    """Return the fewest players of President for these options: three, or two if they allow it."""
    return DEFAULT_MIN_PLAYERS if options[TWO_DEAL] is None else 2


def cards_to_deal(options: Options, players: int, deck_size: int) -> int:
    """Return the number of cards dealt in President to this number of players; the rest of the deck stays unused.

    All are dealt, except that an option limits the cards of two players.
    """
    each = options[TWO_DEAL]
    return deck_size if players > 2 or each is None else min(2 * each, deck_size)
