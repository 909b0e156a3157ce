"""Two players [PRES-86]: how few may play, and how many cards they are dealt."""

from app.engine.base.options import NumberOrNone, Options, Section, Switch

FEWEST = 3
"""Players, where two may not play."""

TWO_DEAL = Switch(
    id="PRES-86",
    also="two players heads-up 2人 二人 两人",
    key="two_deal",
    domain=NumberOrNone(1, 27, none_label="Three players at least"),
    default=None,
    sentence="Two players may play, with so many cards each; the rest of the pack stays out of the hand.",
    example="With 15 two players hold 30 cards, and 22 stay unseen.",
    source="Board Game Arena",
)

SECTION = Section("table", "The table", (TWO_DEAL,))


def fewest(options: Options) -> int:
    """The fewest players that these options are for."""
    return FEWEST if options[TWO_DEAL] is None else 2


def dealt(options: Options, count: int, total: int) -> int:
    """How many cards of so many are dealt out to so many players; the rest is stock."""
    each = options[TWO_DEAL]
    return total if count > 2 or each is None else min(2 * each, total)
