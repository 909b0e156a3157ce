"""What a deal of Chase the Ace asks, answered from the switches of one match.

`AceRules` is built once from the options; the sections' files hold what each switch means.
"""

from functools import lru_cache

from app.engine.base.options import Options
from app.engine.games.chase_the_ace import lives_and_pot, picture_cards


class AceRules:
    """The rules in force in one match."""

    def __init__(self, options: Options) -> None:
        self.dimes = options[lives_and_pot.DIMES]
        """How many everybody begins a game with."""
        self.answers = picture_cards.answers(options)
        """By rank, what is answered instead of a swap."""
        self.king_ends_deal = picture_cards.king_ends_deal(options)
        self.cut_king_stays = picture_cards.cut_king_stays(options)
        self.comparing = lives_and_pot.Comparing.of(options)


@lru_cache(maxsize=256)
def rules_of(options: Options) -> AceRules:
    """The rules of one match, built once for all its deals."""
    return AceRules(options)
