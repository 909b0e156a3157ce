"""What a deal of Chase the Ace asks, answered from the switches of one match.

`AceRules` is built once from the options; the sections' files hold what each switch means.
"""

from functools import lru_cache

from app.engine.options import Options

from . import dimes, pictures


class AceRules:
    """The rules in force in one match."""

    def __init__(self, options: Options) -> None:
        self.dimes = options[dimes.DIMES]
        """How many everybody begins a game with."""
        self.answers = pictures.answers(options)
        """By rank, what is answered instead of a swap."""
        self.king_ends_deal = pictures.king_ends_deal(options)
        self.cut_king_stays = pictures.cut_king_stays(options)
        self.comparing = dimes.Comparing.of(options)


@lru_cache(maxsize=256)
def rules_of(options: Options) -> AceRules:
    """The rules of one match, built once for all its deals."""
    return AceRules(options)
