"""Names of people and bots in a room: how they are cleaned, compared, and found for bots.

>>> clean("  Ana\\u200b Lu\\u0301  ")
'Ana Lú'
>>> alike("ANA", "ana"), alike("Ana", "\u0410na"), alike("Ana", "Anna")  # the second is a Cyrillic letter
(True, True, False)
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable

from app.bots import LEVELS
from app.bounded import LONGEST as LONGEST_TEXT
from app.bounded import Bounded, TooLong, bounded, caseless, normalize, shortened
from app.engine.words import Sentence

from .errors import RoomError

LONGEST = 20
"""Characters in a name."""

BIRDS = (
    "Magpie", "Rook", "Wren", "Robin", "Heron", "Finch", "Kestrel", "Plover", "Starling", "Swift", "Dunnock",
    "Jackdaw", "Lapwing", "Martin", "Nuthatch", "Osprey", "Pipit", "Quail", "Siskin", "Thrush", "Curlew", "Teal",
    "Avocet", "Bunting",
)  # fmt: skip
"""Names that are made up, and those of bots that are of no level."""

_MANNERS = (
    "Brave", "Bright", "Calm", "Clever", "Early", "Gentle", "Happy", "Jolly", "Kind", "Lucky", "Merry", "Nimble",
    "Quiet", "Swift", "Tidy", "Witty",
)  # fmt: skip

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f\ufffc\U0001d159\U00016fe4")
"""Letters and marks that look like nothing."""

_CAPITALS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԚԜ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" "I", "ABESIJKMHOPCTYXQW" "ABEZHIKMNOPTYX" "l"
)  # fmt: skip
_LETTERS = str.maketrans("аеіјорсухѕԛԝһαορνιυκχ1|0", "aeijopcyxsqwhaopviukxllo")
"""Cyrillic and Greek letters, and digits, that look like Latin letters; capitals first, as small ones may differ."""


NAME_TOO_MARKED = Sentence("room.name_too_marked", "That name has too many marks on its letters.")
NAME_UNSEEN = Sentence("room.name_unseen", "A name has at least one character that can be seen.")
NAME_TOO_LONG = Sentence("room.name_too_long", "A name has at most {most} characters.")


def clean(text: str, most: int = LONGEST) -> str:
    """Give the name as everybody will see it: NFC, nothing invisible, single spaces; or raise `bad_name`.

    `most`: how many characters it may have.
    """
    try:
        # Some characters of it may go, so it may be longer before that.
        name = visible(bounded(text, 10 * most))
    except TooLong:
        raise RoomError("bad_name", NAME_TOO_LONG(most=most)) from None
    if not any(unicodedata.category(char)[0] in "LNPS" for char in name):
        raise RoomError("bad_name", NAME_UNSEEN())
    if len(name) > most:
        raise RoomError("bad_name", NAME_TOO_LONG(most=most))
    if sum(unicodedata.combining(char) > 0 for char in name) > most // 2:
        raise RoomError("bad_name", NAME_TOO_MARKED())
    return name


def visible(text: Bounded) -> str:
    """Return the text as it is shown: in NFC, without invisible characters, with single spaces."""
    composed = _FLAG.sub(_without_tags_unless_flag, normalize("NFC", text))
    seen = "".join(
        " " if char.isspace() else char
        for place, char in enumerate(composed)
        if char.isspace() or _is_seen(char) or _changes_neighbours(composed, place)
    )
    return " ".join(seen.split())


_FLAG = re.compile("(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)|[\U000e0020-\U000e007f]")
"""A flag of a region, such as that of Scotland; or a tag character that belongs to no flag."""
_ASIDE = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef\U000e0020-\U000e007f]")
"""Joiners, variation selectors and tags: they change how their neighbours look, and don't count in comparing."""


def _without_tags_unless_flag(found: re.Match[str]) -> str:
    return found[1] or ""


def _is_seen(char: str) -> bool:
    if _ASIDE.match(char):
        return "\U000e0020" <= char <= "\U000e007f"  # of a flag: all others are gone
    return unicodedata.category(char) not in _UNSEEN and char not in _BLANK


def _changes_neighbours(text: str, place: int) -> bool:
    """Tell whether Unicode gives the joiner or variation selector at this place a meaning between its neighbours."""
    char, before = text[place], text[place - 1 : place] or " "
    after = text[place + 1 : place + 2] or " "
    if char in "\u200c\u200d":
        if unicodedata.combining(before) == _VIRAMA:  # Indic spelling
            return unicodedata.category(after)[0] in "LM" or char == "\u200d"
        if unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL":  # Persian spelling
            return char == "\u200c"
        return char == "\u200d" and _is_of_emoji(before) and _is_of_emoji(after)
    if char in "\ufe0e\ufe0f":
        return unicodedata.category(before) in ("So", "Sm", "Po") or (before in "0123456789#*" and after == "\u20e3")
    return "\U000e0100" <= char <= "\U000e01ef" and unicodedata.name(before, "").startswith("CJK UNIFIED")


_VIRAMA = 9
"""The combining class of signs that join two letters of an Indic script."""


def _is_of_emoji(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk") or char == "\ufe0f"


def alike(one: str, other: str) -> bool:
    """Tell whether two names read the same or look the same, so that no player passes for another."""
    one, other = bounded(_ASIDE.sub("", one)), bounded(_ASIDE.sub("", other))
    return caseless(one) == caseless(other) or _seen(one) == _seen(other)


def _seen(name: Bounded) -> str:
    capitals = normalize("NFKC", name).translate(_CAPITALS)
    return caseless(shortened(capitals, LONGEST_TEXT)).translate(_LETTERS)


def made_up(number: int) -> str:
    """Make a name up for somebody who was not asked for one; the same number makes the same name.

    >>> made_up(0), made_up(17), made_up(1_000_003)
    ('Brave Magpie', 'Bright Rook', 'Clever Heron')
    """
    return f"{_MANNERS[number % len(_MANNERS)]} {BIRDS[number // len(_MANNERS) % len(BIRDS)]}"


def for_bot(kind: str, taken: Iterable[str]) -> str:
    """Find a name for a bot of this kind that nobody has.

    >>> for_bot("greedy", ()), for_bot("hard", ["reynard"]), for_bot("random", [])
    ('Pip', 'Vixen', 'Magpie')
    """
    taken = tuple(taken)
    names = LEVELS[kind].names if kind in LEVELS else BIRDS
    numbered = (f"{name} {n}" for n in range(2, 100) for name in names)
    return next(one for one in itertools.chain(names, numbered) if not any(alike(one, name) for name in taken))
