"""The two tiers of texts. A language is shown to people as soon as its first tier is complete.

The first tier has the home page, invitations, the waiting room, the table with its menu, results, lessons and short
rules. The second has the rules pages, the form of rules, history, statistics, profiles and files.
"""

import re
from typing import Final, Literal, TypeAlias, get_args

from app.engine.games import GAMES

Completeness: TypeAlias = Literal["no", "first", "all"]
"""Which texts a language has: an unfinished number, the first tier, or all."""
COMPLETENESSES: Final[tuple[Completeness, ...]] = get_args(Completeness)

_SECOND_TIER: Final = tuple(
    f"{beginning}."
    for beginning in (
        *("account", "album", "book", "device", "docs", "fair", "form", "hands", "hindsight", "history", "import"),
        *("keep", "kept", "known", "match", "message", "missed", "picture", "privacy", "record", "recover", "replay"),
        *("seat_link", "self", "source", "stood_out", "story", "survey", "tale", "together", "told", "value", "web"),
    )
)
_RULES: Final = re.compile(
    rf"({'|'.join(GAMES)})\.(basics|example|question|section|zero_sum)\b|[A-Z]+-\d\d\.(?!name|short)"
)
"""Texts of rules pages. The names of options and their short rules are in the first tier."""


def is_first_tier(key: str) -> bool:
    """Return whether a text belongs to the first tier, by its key."""
    return not f"{key}.".startswith(_SECOND_TIER) and not _RULES.match(key)


def is_optional(key: str) -> bool:
    """Return whether a text may be missing: a remark has variants, numbered from 1, and needs only the first."""
    return key.startswith("voice.") and not key.endswith(".1")
