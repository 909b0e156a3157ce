"""Names of people and bots in a room: how they are cleaned, compared, and found for bots.

>>> clean_name("  Ana\\u200b Lu\\u0301  ")
'Ana Lú'
>>> look_alike("ANA", "ana"), look_alike("Ana", "\u0410na"), look_alike("Ana", "Anna")  # the second is Cyrillic
(True, True, False)
"""

import itertools
import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from app.bots import LEVELS
from app.engine.base.messages import MessageTemplate
from app.rooms.errors import RoomError
from app.rooms.people import confusable_letters
from app.text_limits import (
    MAX_TEXT_LENGTH as LONGEST_TEXT,
    Bounded,
    TooLong,
    caseless_key,
    check_length,
    normalize,
    truncate,
)

MAX_NAME_LENGTH = 20
"""Maximum characters in a name."""

BIRDS = (
    "Magpie", "Rook", "Wren", "Robin", "Heron", "Finch", "Kestrel", "Plover", "Starling", "Swift", "Dunnock",
    "Jackdaw", "Lapwing", "Martin", "Nuthatch", "Osprey", "Pipit", "Quail", "Siskin", "Thrush", "Curlew", "Teal",
    "Avocet", "Bunting",
)  # fmt: skip
"""Used for invented names, and for bots without a level."""

MANNERS = (
    "Brave", "Bright", "Calm", "Clever", "Early", "Gentle", "Happy", "Jolly", "Kind", "Lucky", "Merry", "Nimble",
    "Quiet", "Swift", "Tidy", "Witty",
)  # fmt: skip
"""The first words of invented names."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f\ufffc\U0001d159\U00016fe4")
"""Letters and marks that are invisible."""


NAME_TOO_MARKED = MessageTemplate("room.name_too_marked", "This name has too many accents. Remove some.")
NAME_UNSEEN = MessageTemplate("room.name_unseen", "This name has no visible characters. Enter another name.")
NAME_TOO_LONG = MessageTemplate("room.name_too_long", "This name is too long. Use at most {most} characters.")
NAME_MIXES_SCRIPTS = MessageTemplate(
    "room.name_mixes_scripts", "This name mixes letters of different alphabets. Use one alphabet."
)
NAME_IS_RESERVED = MessageTemplate("room.name_is_reserved", "The game uses the word {name}. Choose another name.")
NAME_IS_FREE = MessageTemplate("room.name_is_free", "{why} The name {name} is free.")

NAME_IS_SENTENCE = MessageTemplate(
    "room.name_is_sentence", "This name reads like two sentences. Remove the full stop, “!”, “?” or “:” before a word."
)

NEUTRAL: Final = "Somebody"
"""With a number, the name of a person who deleted their data."""
RESERVED = (
    MessageTemplate("room.reserved.you", "You"),
    MessageTemplate("room.reserved.nobody", "Nobody"),
    MessageTemplate("room.reserved.host", "Host"),
    MessageTemplate("room.reserved.server", "Server"),
    MessageTemplate("room.reserved.everyone", "Everyone"),
    MessageTemplate("room.reserved.dealer", "Dealer"),
)
"""Words used in sentences in place of a name. Nobody may choose them as a name."""
MAX_ABBREVIATION: Final = 3
"""Letters of the longest abbreviation in a name, such as “Dr.”."""
_reserved = {str(word()) for word in RESERVED}
_neutral = {NEUTRAL}


def reserve_words(words: Iterable[str], neutral: str = NEUTRAL) -> None:
    """Refuse these words as names of people from now on: words like “you” in another language of the pages.

    `neutral`: the word of that language for a person who deleted their data, which is refused with a number.
    """
    _reserved.update(words)
    _neutral.add(neutral)


def clean_name(text: str, max_length: int = MAX_NAME_LENGTH) -> str:
    """Return the name as everybody sees it: NFC, no invisible characters, single spaces.

    Raises `RoomError` `bad_name` if nothing is visible, it has more than `max_length` characters, or too many marks.
    """
    try:
        # Cleaning may remove characters, so the raw text may be longer.
        name = visible_text(check_length(text, 10 * max_length))
    except TooLong:
        raise RoomError("bad_name", NAME_TOO_LONG(most=max_length)) from None
    if not any(unicodedata.category(char)[0] in "LNPS" for char in name):
        raise RoomError("bad_name", NAME_UNSEEN())
    if len(name) > max_length:
        raise RoomError("bad_name", NAME_TOO_LONG(most=max_length))
    if sum(unicodedata.combining(char) > 0 for char in name) > max_length // 2:
        raise RoomError("bad_name", NAME_TOO_MARKED())
    return name


def visible_text(text: Bounded) -> str:
    """Return a text of a person as it is shown: in NFC, without invisible characters, with single spaces."""
    composed = _FLAG.sub(_without_tags_unless_flag, normalize("NFC", text))
    seen = "".join(
        " " if char.isspace() else char
        for place, char in enumerate(composed)
        if char.isspace() or _is_visible_character(char) or _changes_neighbours(composed, place)
    )
    return " ".join(seen.split())


_FLAG = re.compile("(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)|[\U000e0020-\U000e007f]")
"""A flag of a region, such as that of Scotland; or a tag character that belongs to no flag."""
_ASIDE = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef\U000e0020-\U000e007f]")
"""Joiners, variation selectors and tags. They change how neighbours look, and are ignored in comparisons."""


def _without_tags_unless_flag(found: re.Match[str]) -> str:
    return found[1] or ""


def _is_visible_character(char: str) -> bool:
    if _ASIDE.match(char):
        return "\U000e0020" <= char <= "\U000e007f"  # tags of a flag; others were removed before
    return unicodedata.category(char) not in _UNSEEN and char not in _BLANK


def _changes_neighbours(text: str, place: int) -> bool:
    """Return whether the joiner or variation selector at this index changes how its neighbours look.

    Only then it is kept in a name; elsewhere it would be invisible.
    """
    char, before = text[place], text[place - 1 : place] or " "
    after = text[place + 1 : place + 2] or " "
    if char in "\u200c\u200d":
        if unicodedata.combining(before) == _VIRAMA:  # Indic spelling
            return unicodedata.category(after)[0] in "LM" or char == "\u200d"
        if unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL":  # Persian spelling
            return char == "\u200c"
        return char == "\u200d" and _is_part_of_emoji(before) and _is_part_of_emoji(after)
    if char in "\ufe0e\ufe0f":
        return unicodedata.category(before) in ("So", "Sm", "Po") or (before in "0123456789#*" and after == "\u20e3")
    return "\U000e0100" <= char <= "\U000e01ef" and unicodedata.name(before, "").startswith("CJK UNIFIED")


_VIRAMA = 9
"""The combining class of signs that join two letters of an Indic script."""


def _is_part_of_emoji(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk") or char == "\ufe0f"


def check_new_name(name: str) -> None:
    """Raise `RoomError` `bad_name` for a new name that imitates another name, the game or a line of the game's log.

    That is a name with mixed alphabets, a word that the game uses (like “you”), or two sentences. Only new names are
    checked. Members who have such a name already keep it, and deletions and imports may give it.
    """
    if confusable_letters.mixes_scripts(check_length(name)):
        raise RoomError("bad_name", NAME_MIXES_SCRIPTS())
    if any(look_alike(name, word) for word in _reserved) or _looks_like_neutral_name(name):
        raise RoomError("bad_name", NAME_IS_RESERVED(name=name))
    if _has_two_sentences(name):
        raise RoomError("bad_name", NAME_IS_SENTENCE())


def _looks_like_neutral_name(name: str) -> bool:
    """Return whether a name looks like “Somebody 3” or “Somebody3”, the name of a person who deleted their data."""
    text = normalize("NFKC", check_length(_ASIDE.sub("", name)))
    for end in range(len(text) - 1, 0, -1):
        if not (text[end].isnumeric() or look_alike(text[end], "0") or look_alike(text[end], "1")):
            return False
        if any(look_alike(text[:end].rstrip(), neutral) for neutral in _neutral):
            return True
    return False


def _has_two_sentences(name: str) -> bool:
    """Return whether a mark that ends a sentence is followed by another word, as in a line of the game's log.

    >>> [_has_two_sentences(name) for name in ("Ana passes. Pip", "Ana: pass", "Dr. Who", "J. R. Ewing", "Wow!")]
    [True, True, False, False, False]
    """
    words = normalize("NFKC", check_length(name)).split()
    return any(
        _sentence_mark(word[-1]) and any(map(str.isalnum, after)) and not _is_abbreviation(word)
        for word, after in itertools.pairwise(words)
    )


def _sentence_mark(char: str) -> bool:
    return confusable_letters.skeleton(check_length(char)) in {".", "!", "?", ":"}


def _is_abbreviation(word: str) -> bool:
    """Return whether a word ends with one to three letters and a full stop."""
    marked = itertools.takewhile(lambda char: unicodedata.category(char)[0] in "LM", reversed(word[:-1]))
    letters = sum(unicodedata.category(char)[0] == "L" for char in marked)
    return word.endswith(".") and 1 <= letters <= MAX_ABBREVIATION


def clean_new_name(text: str) -> str:
    """Return a cleaned new name that a person chooses outside of a room, after checking it.

    Raises `RoomError` `bad_name` with a proposal of another name in its sentence.
    """
    with suggest_name_on_error(text):
        name = clean_name(text)
        check_new_name(name)
        return name


@contextmanager
def suggest_name_on_error(text: str, taken: Iterable[str] = ()) -> Iterator[None]:
    """Run a block of code that checks the name `text`; if it refuses the name, add a free name to the error.

    Only `RoomError` with `bad_name` or `name_taken` is changed. `taken`: names already in use.
    """
    try:
        yield
    except RoomError as error:
        if error.code not in ("bad_name", "name_taken"):
            raise
        raise RoomError(error.code, NAME_IS_FREE(why=error.sentence, name=suggest_free_name(text, taken))) from None


def suggest_free_name(text: str, taken: Iterable[str] = ()) -> str:
    """Return a free name to propose in place of a refused one: like it if possible, otherwise an invented one.

    `taken`: names already in use.

    >>> suggest_free_name("Ana", ["ana", "Ana 2"]), suggest_free_name("Аna"), suggest_free_name("x" * 30)
    ('Ana 3', 'Ana', 'xxxxxxxxxxxxxxxxxxxx')
    """
    taken = tuple(taken)
    cleaned = visible_text(truncate(text, 10 * MAX_NAME_LENGTH))
    if sum(unicodedata.combining(char) > 0 for char in cleaned[:MAX_NAME_LENGTH]) > MAX_NAME_LENGTH // 2:
        cleaned = "".join(char for char in cleaned if not unicodedata.combining(char))
    base = (
        confusable_letters.replace_latin_lookalikes(check_length(cleaned))
        if confusable_letters.mixes_scripts(check_length(cleaned))
        else cleaned
    )
    numbered = (f"{base[: MAX_NAME_LENGTH - 3].rstrip(' .!?:')} {number}" for number in range(2, 100))
    first = zlib.crc32(cleaned.encode())
    invented = (invent_name(first + number) for number in itertools.count())
    likely = (base[:MAX_NAME_LENGTH].strip(), *numbered) if _is_allowed_new_name(base[:MAX_NAME_LENGTH]) else ()
    free = (
        name for name in likely if _is_allowed_new_name(name) and not any(look_alike(name, other) for other in taken)
    )
    return next(
        itertools.chain(free, (name for name in invented if not any(look_alike(name, other) for other in taken)))
    )


def _is_allowed_new_name(name: str) -> bool:
    try:
        check_new_name(clean_name(name))
    except RoomError:
        return False
    return True


def look_alike(one: str, other: str) -> bool:
    """Return whether two names read or look the same, so that one player could pretend to be another."""
    one, other = check_length(_ASIDE.sub("", one)), check_length(_ASIDE.sub("", other))
    return caseless_key(one) == caseless_key(other) or _appearance(one) == _appearance(other)


def _appearance(name: Bounded) -> Bounded:
    """Return a key for the look of a name: two names with the same key look alike.

    Similar capitals are replaced first, then similar small letters.
    """
    capitals = confusable_letters.skeleton(truncate(normalize("NFKC", name), LONGEST_TEXT))
    small = confusable_letters.skeleton(truncate(caseless_key(capitals), LONGEST_TEXT))
    return truncate(caseless_key(small), LONGEST_TEXT)


def invent_name(number: int) -> str:
    """Return an invented name, such as “Brave Magpie”, for a person who has chosen none.

    The same number gives the same name.

    >>> invent_name(0), invent_name(17), invent_name(1_000_003)
    ('Brave Magpie', 'Bright Rook', 'Clever Heron')
    """
    return " ".join(invented_words(number))


def invented_words(number: int) -> tuple[str, str]:
    """Return the two English words of an invented name, for pages to translate."""
    return MANNERS[number % len(MANNERS)], BIRDS[number // len(MANNERS) % len(BIRDS)]


def is_bot_name(name: str) -> bool:
    """Return whether bots get this name, perhaps with a number. Files don't say which players are bots.

    >>> is_bot_name("Magpie"), is_bot_name("Pip 2"), is_bot_name("Ana"), is_bot_name("Ana 2")
    (True, True, False, False)
    """
    word, _, number = name.rpartition(" ")
    known = (*BIRDS, *(each for level in LEVELS.values() for each in level.names))
    return name in known or (number.isdigit() and word in known)


def choose_bot_name(kind: str, taken: Iterable[str]) -> str:
    """Return a name for a new bot of this kind that is not in `taken` and looks like none of these names.

    >>> choose_bot_name("easy", ()), choose_bot_name("hard", ["reynard"]), choose_bot_name("random", [])
    ('Pip', 'Vixen', 'Magpie')
    """
    taken = tuple(taken)
    names = LEVELS[kind].names if kind in LEVELS else BIRDS
    numbered = (f"{name} {n}" for n in range(2, 100) for name in names)
    return next(one for one in itertools.chain(names, numbered) if not any(look_alike(one, name) for name in taken))
