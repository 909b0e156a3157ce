"""The rules of a deal of Chase the Ace, derived from the options of one match.

`AceRules` is built once from the options; the files of the sections implement each option.
"""

from functools import lru_cache

from app.engine.base.options import Options
from app.engine.games.chase_the_ace import lives_and_pot, picture_cards


class AceRules:
    """The rules of Chase the Ace in one match, derived from its options."""

    def __init__(self, options: Options) -> None:
        self.starting_dimes = options[lives_and_pot.DIMES]
        """Number of dimes of each player at the start of a game."""
        self.answer_by_rank = picture_cards.answer_by_rank(options)
        """The answer that refuses a swap, by rank of the card asked for."""
        self.king_ends_deal = picture_cards.king_ends_deal(options)
        self.keeps_card_when_king_cut = picture_cards.keeps_card_when_king_cut(options)
        self.deal_comparison = lives_and_pot.DealComparison.for_options(options)


@lru_cache(maxsize=256)
def rules_of(options: Options) -> AceRules:
    """Return the rules of Chase the Ace for these options, from a cache."""
    return AceRules(options)
