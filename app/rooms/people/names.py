"""Names of people and bots in a room: how they are cleaned, compared, and found for bots.

>>> clean("  Ana\\u200b Lu\\u0301  ")
'Ana Lú'
>>> alike("ANA", "ana"), alike("Ana", "\u0410na"), alike("Ana", "Anna")  # the second is a Cyrillic letter
(True, True, False)
"""

import itertools
import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from app.bots import LEVELS
from app.engine.base.messages import Sentence
from app.rooms.errors import RoomError
from app.rooms.people import confusable_letters
from app.text_limits import LONGEST as LONGEST_TEXT
from app.text_limits import Bounded, TooLong, bounded, caseless, normalize, shortened

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


NAME_TOO_MARKED = Sentence("room.name_too_marked", "That name has too many marks on its letters.")
NAME_UNSEEN = Sentence("room.name_unseen", "A name has at least one character that can be seen.")
NAME_TOO_LONG = Sentence("room.name_too_long", "A name has at most {most} characters.")
NAME_MIXES_SCRIPTS = Sentence("room.name_mixes_scripts", "That name mixes letters of different alphabets.")
NAME_IS_RESERVED = Sentence("room.name_is_reserved", "Nobody can be called {name}: the game uses this word.")
NAME_IS_FREE = Sentence("room.name_is_free", "{why} The name {name} is free.")

RESERVED = (
    Sentence("room.reserved.you", "You"),
    Sentence("room.reserved.nobody", "Nobody"),
    Sentence("room.reserved.host", "Host"),
)
"""Words that stand in sentences where a name could stand, so nobody may have one as a name."""
_reserved = {str(word()) for word in RESERVED}


def reserve(words: Iterable[str]) -> None:
    """Refuse these words as names, too: the reserved words in another language."""
    _reserved.update(words)


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


def check_new(name: str) -> None:
    """Raise `bad_name` if nobody may take this name: for its mixed alphabets, or as the game uses the word.

    Only new names are checked. Members who have such a name already keep it.
    """
    if confusable_letters.mixes_scripts(bounded(name)):
        raise RoomError("bad_name", NAME_MIXES_SCRIPTS())
    if any(alike(name, word) for word in _reserved):
        raise RoomError("bad_name", NAME_IS_RESERVED(name=name))


def chosen(text: str) -> str:
    """Return the name that a person chooses outside of a room, clean; or raise `bad_name`, which proposes another."""
    with proposing_another(text):
        name = clean(text)
        check_new(name)
        return name


@contextmanager
def proposing_another(text: str, taken: Iterable[str] = ()) -> Iterator[None]:
    """Add a name that is free to each refusal of the name `text`. `taken`: the names that are not free."""
    try:
        yield
    except RoomError as error:
        if error.code not in ("bad_name", "name_taken"):
            raise
        raise RoomError(error.code, NAME_IS_FREE(why=error.sentence, name=proposed(text, taken))) from None


def proposed(text: str, taken: Iterable[str] = ()) -> str:
    """Find a free name, like the refused one if possible.

    >>> proposed("Ana", ["ana", "Ana 2"]), proposed("\u0410na"), proposed("x" * 30)
    ('Ana 3', 'Ana', 'xxxxxxxxxxxxxxxxxxxx')
    """
    taken = tuple(taken)
    kept = visible(shortened(text, 10 * LONGEST))
    if sum(unicodedata.combining(char) > 0 for char in kept[:LONGEST]) > LONGEST // 2:
        kept = "".join(char for char in kept if not unicodedata.combining(char))
    base = confusable_letters.in_latin(bounded(kept)) if confusable_letters.mixes_scripts(bounded(kept)) else kept
    numbered = (f"{base[: LONGEST - 3].strip()} {number}" for number in range(2, 100))
    first = zlib.crc32(kept.encode())
    made = (made_up(first + number) for number in itertools.count())
    likely = (base[:LONGEST].strip(), *numbered) if _may_be_new(base[:LONGEST]) else ()
    free = (name for name in likely if _may_be_new(name) and not any(alike(name, other) for other in taken))
    return next(itertools.chain(free, (name for name in made if not any(alike(name, other) for other in taken))))


def _may_be_new(name: str) -> bool:
    try:
        check_new(clean(name))
    except RoomError:
        return False
    return True


def alike(one: str, other: str) -> bool:
    """Tell whether two names read the same or look the same, so that no player passes for another."""
    one, other = bounded(_ASIDE.sub("", one)), bounded(_ASIDE.sub("", other))
    return caseless(one) == caseless(other) or _seen(one) == _seen(other)


def _seen(name: Bounded) -> Bounded:
    """Return what is compared of the look of a name. Capitals come first: a small letter may look different."""
    capitals = confusable_letters.skeleton(shortened(normalize("NFKC", name), LONGEST_TEXT))
    small = confusable_letters.skeleton(shortened(caseless(capitals), LONGEST_TEXT))
    return shortened(caseless(small), LONGEST_TEXT)


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
