"""Files of records that somebody brings: read, checked, shown, kept as theirs if they wish.

A file is one match, or a room with all its matches (`store/room_export.py`). Nothing in it is believed: it is played by
the fold of records, within limits, and what is kept is what was played. A hostile file gets a sentence, as any other.
"""

import json
import json.decoder
import json.scanner
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, cast

from app.engine.base.messages import Said, Sentence
from app.engine.games import GAMES
from app.engine.match.record import FORMAT, Unusable, file_of
from app.rooms.people import names
from app.rooms.recorded.verify import NOT_SHUFFLED, HandChecked, MatchChecked, check
from app.settings import Limits
from app.store.repositories.imported_matches import NewHand, NewImport, Stored, WrittenImport, written
from app.store.room_export import ROOM_FORMAT
from app.text_limits import MOST_KEYS, bounded, shortened
from app.web.context.sessions import Person
from app.web.context.site import Site
from app.web.http import errors
from app.web.http.errors import Refusal
from app.web.http.work_queue import Work
from app.web.matches import frames as match_frames
from app.web.protocol.message_errors import cleaned

LISTED: Final = 50
"""Matches from files that a page lists."""
DEEPEST: Final = 16
"""Levels of lists and objects in a file."""
LONGEST_NAME: Final = 64
MOST_DIGITS: Final = 100
LARGE: Final = 256 * 1024
"""Bytes of a file from where on reading it takes longer than others should wait."""
BYTES_OF_A_PART: Final = 8
"""Bytes that a value of a file has at least, on average; those of real matches have ten or more."""

NO_JSON = Sentence("import.no_json", "This is no file of records: it is not JSON. {reason}")
EMPTY = Sentence("import.empty", "This file is empty.")
NO_UTF8 = Sentence("import.no_utf8", "This is no file of records: its text is not UTF-8.")
TWICE = Sentence("import.twice", "This is no file of records: “{key}” stands twice in one object.")
LONG_NUMBER = Sentence(
    "import.long_number", "This is no file of records: a number in it has {count} digits; {most} are the most."
)
TOO_MANY_PARTS = Sentence(
    "import.too_many_parts", "This is no file of records: it has {count} values; {most} are the most."
)
TOO_DEEP = Sentence("import.too_deep", "This is no file of records: it is nested too deeply.")
NO_RECORD = Sentence("import.no_record", "This is no file of records: its “format” is “{match}” or “{room}”.")
BAD_TEXT = Sentence("import.bad_text", "This is no file of records: {reason}.")
NO_MATCHES = Sentence(
    "import.no_matches", "The matches of a room’s file are a list of objects, each with its “record”."
)
NO_HANDS = Sentence("import.no_hands", "No hand was played in this match.")
NO_NAME = Sentence("import.no_name", "“{name}” is no name: a name has 1 to {most} characters, and all can be seen.")
TOO_MANY_HANDS = Sentence("import.too_many_hands", "There are {count} hands in this file; {most} are the most.")
TOO_LONG = Sentence("import.too_long", "Playing this file takes too long: bring its matches one by one.")
ENOUGH_KEPT = Sentence(
    "import.enough_kept", "You keep {count} matches from files; {most} are the most. Remove some first."
)
ENOUGH_BYTES = Sentence(
    "import.enough_bytes",
    "Your matches from files take {megabytes} MB; {most} MB are the most. Remove some first.",
)
ENOUGH_TODAY = Sentence(
    "import.enough_today",
    "Matches of {most} MB a day can be saved from one network. Try again tomorrow.",
)
IN_MATCH = Sentence("import.in_match", "Match {match}: {reason}")
IN_HAND = Sentence("import.in_hand", "Hand {hand}: {reason}")
IN_ACTION = Sentence("import.in_action", "Hand {hand}, action {action}: {reason}")
NO_SUCH_HAND = Sentence("import.no_such_hand", "There is no such hand in this file.")


def read(body: bytes, limits: Limits, first: int | None = None) -> list[MatchChecked]:
    """Read a file and play all its matches; `Refusal` if it can't be used. `first`: the number of its first match."""
    return [_played(*each) for each in _counted(_matches(_value(body, limits)), limits, first)]


async def shown(work: Work, limits: Limits, body: bytes, first: int | None = None) -> dict[str, Any]:
    """What is in a file. Nothing is kept."""
    found: list[MatchChecked] = await work(read, body, limits, first)
    shown: dict[str, Any] = await work(lambda: {"matches": [_shown(each) for each in found]})
    return shown


async def read_all(work: Work, limits: Limits, body: bytes, first: int | None = None) -> list[WrittenImport]:
    """Return what is to be saved of a file; raise `Refusal` if not all of it can be played."""
    found: list[MatchChecked] = await work(read, body, limits, first)
    for number, each in enumerate(found, first or 1):
        if (refused := each.refused) is not None:
            raise _bad(refused if len(found) == 1 and first is None else IN_MATCH(match=number, reason=refused))
    new: list[WrittenImport] = await work(lambda: [written(_new(each)) for each in found])
    return new


async def check_limits(site: Site, person: Person | None, found: Sequence[WrittenImport], client: str) -> None:
    """Refuse matches if this person, or this address (`client`) today, would have too many of them or too many bytes.

    What is allowed counts for the address from now on. Matches that the person has already count for nothing.
    """
    limits, imports = site.settings.limits, site.store.imports
    had = Stored(0, 0) if person is None else await imports.stored(person.id)
    known = frozenset[str]() if person is None else await imports.digests(person.id)
    size = sum({each.digest: each.bytes for each in found if each.digest not in known}.values())
    new = len({each.digest for each in found} - known)
    if new and had.matches + new > limits.imports_per_person:
        raise Refusal(409, "not_now", ENOUGH_KEPT(count=had.matches, most=limits.imports_per_person))
    if size and had.bytes + size > limits.import_bytes_per_person:
        most = _megabytes(limits.import_bytes_per_person)
        raise Refusal(409, "not_now", ENOUGH_BYTES(megabytes=_megabytes(had.bytes), most=most))
    wait = site.import_bytes.wait(client, count=size) if size else 0
    if wait:
        raise Refusal(
            429,
            "too_fast",
            ENOUGH_TODAY(most=_megabytes(limits.import_bytes_per_day)),
            {"Retry-After": str(max(1, round(wait)))},
        )


async def keep(site: Site, person: Person, found: Sequence[WrittenImport]) -> list[str]:
    """Save matches from a file as somebody's and return their ids."""
    now = datetime.now(UTC)
    return [await site.store.imports.keep(person.id, now, each) for each in found]


def _megabytes(count: int) -> str:
    return f"{count / (1024 * 1024):.3g}"


async def frames(work: Work, limits: Limits, body: bytes, match: int, number: int, seat: str | None) -> dict[str, Any]:
    """One hand of a match of a file, step by step, as that of a match that is kept."""

    def made() -> dict[str, Any]:
        matches = _matches(_value(body, limits))
        if not 0 <= match < len(matches):
            raise errors.not_found(NO_SUCH_HAND())
        value = matches[match]
        hands = value.get("hands")
        # What comes after the hand need not be played.
        part = {**value, "hands": hands[: number + 1]} if isinstance(hands, list) else value
        [(_, record, each)] = _counted([part], limits)
        checked = _played(None, record, each)
        hand = next((hand for hand in checked.hands if hand.number == number), None)
        if hand is None:
            raise errors.not_found(NO_SUCH_HAND()) if checked.refused is None else _bad(checked.refused)
        return match_frames.frames_of(_record(checked), _new_hand(hand), seat)

    found: dict[str, Any] = await work(made)
    return found


async def kept(site: Site, person: Person | None) -> list[dict[str, Any]]:
    """The matches that somebody has brought, the latest first."""
    found = () if person is None else await site.store.imports.of(person.id, limit=LISTED)
    return [match_frames.match_line(line) for line in found]


def _value(body: bytes, limits: Limits) -> dict[str, Any]:
    """Return the JSON object in a file; raise `Refusal` if there is none, or it has too many parts."""
    # Nobody else's thread runs while Python makes a list of millions of numbers, so they are counted first.
    parts, most = len(body) - len(body.translate(None, b",[{")), limits.import_bytes // BYTES_OF_A_PART
    if parts > most:
        raise _bad(TOO_MANY_PARTS(count=parts, most=most))
    try:
        # Some editors begin a file with a mark of its encoding.
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _bad(NO_UTF8()) from None
    if not text.strip():
        raise _bad(EMPTY())
    try:
        value = _decoder(len(body)).decode(text)
    except RecursionError:
        raise _bad(TOO_DEEP()) from None
    except ValueError as error:
        raise _bad(NO_JSON(reason=_first_line(error))) from None
    try:
        cleaned(value, most=DEEPEST)
    except ValueError as error:
        raise _bad(BAD_TEXT(reason=error.args[0])) from None
    if not isinstance(value, dict):
        raise _bad(NO_RECORD(match=FORMAT, room=ROOM_FORMAT))
    return cast("dict[str, Any]", value)


def _decoder(size: int) -> json.JSONDecoder:
    """Return the decoder for a file of so many bytes."""
    # typeshed does not list these names.
    decoder: Any = json.JSONDecoder(parse_constant=_no_constant, parse_int=_number, object_pairs_hook=_object)
    if size > LARGE:
        # The one in C lets no other thread run until it has read the whole file; this one lets them run in between.
        parts: Any = json.decoder
        scanner: Any = json.scanner
        decoder.parse_object, decoder.parse_array = parts.JSONObject, parts.JSONArray
        decoder.scan_once = scanner.py_make_scanner(decoder)
    return cast("json.JSONDecoder", decoder)


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is no number.")


def _number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _bad(LONG_NUMBER(count=len(digits), most=MOST_DIGITS))
    return int(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; refuse one with a key that stands twice, as other programs may read the other value."""
    if len(pairs) > MOST_KEYS:
        raise _bad(TOO_MANY_PARTS(count=len(pairs), most=MOST_KEYS))
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise _bad(TWICE(key=names.visible(shortened(twice, LONGEST_NAME))))
    return made


def _first_line(error: ValueError) -> str:
    return str(error).partition("\n")[0][:200]


def _matches(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The records of a file."""
    match value.get("format"):
        case str(said) if said == FORMAT:
            return [dict(value)]
        case str(said) if said == ROOM_FORMAT:
            told: Any = value.get("matches")
            if not isinstance(told, list) or not told:
                raise _bad(NO_MATCHES())
            records: list[Any] = [each.get("record") if isinstance(each, dict) else None for each in told]
            if not all(isinstance(each, dict) for each in records):
                raise _bad(NO_MATCHES())
            return records
        case _:
            raise _bad(NO_RECORD(match=FORMAT, room=ROOM_FORMAT))


def _counted(
    records: list[dict[str, Any]], limits: Limits, first: int | None = None
) -> Iterator[tuple[int | None, dict[str, Any], Callable[[], None]]]:
    """Each match with its number, where there are several, and with what looks at the clock while it is played."""
    hands = sum(len(said) if isinstance(said := each.get("hands"), list) else 0 for each in records)
    if hands > limits.import_hands:
        raise _bad(TOO_MANY_HANDS(count=hands, most=limits.import_hands))
    # Of this thread: a file is not to blame for what else the machine does.
    until = time.thread_time() + limits.import_seconds

    def in_time() -> None:
        if time.thread_time() > until:
            raise _bad(TOO_LONG())

    for number, record in enumerate(records, first or 1):
        yield number if len(records) > 1 or first is not None else None, record, in_time


def _played(number: int | None, record: dict[str, Any], each: Callable[[], None]) -> MatchChecked:
    """A match, played as far as the rules allow; `Refusal` if it is none."""
    try:
        checked = check(record, GAMES, each)
    except Unusable as unusable:
        reason = _placed(unusable)
    else:
        unfit = _unfit(checked)
        if unfit is None:
            return checked
        reason = unfit
    raise _bad(reason if number is None else IN_MATCH(match=number, reason=reason))


def _unfit(checked: MatchChecked) -> Said | None:
    """Why a match that the rules allow is none that anybody keeps; None: it is one."""
    if not checked.hands and checked.refused is None:
        return NO_HANDS()
    for name in (*checked.start.seats, *checked.end.totals):
        if len(name) > LONGEST_NAME or names.visible(bounded(name)) != name:
            return NO_NAME(name=name[:LONGEST_NAME], most=LONGEST_NAME)
    return None


def _placed(unusable: Unusable) -> Said:
    """Why a record can't be used, and where in it."""
    reason = unusable.error.sentence
    match unusable.where:
        case {"hand": hand, "action": action}:
            return IN_ACTION(hand=hand + 1, action=action + 1, reason=reason)
        case {"hand": hand}:
            return IN_HAND(hand=hand + 1, reason=reason)
        case _:
            return reason


def _bad(sentence: Said) -> Refusal:
    return Refusal(422, "bad_record", sentence)


def _shown(checked: MatchChecked) -> dict[str, Any]:
    """A match of a file, for the page that brought it."""
    new = _new(checked)
    return {
        "game": new.game,
        "players": list(dict.fromkeys((*new.players, *new.totals))),
        "totals": new.totals,
        "winners": list(new.winners),
        "origin": new.origin,
        "hands": [
            {
                "number": hand.number,
                "result": hand.result,
                "over": hand.totals is not None,
                "fair": hand.unfair is None,
                "kind": hand.kind,
                "proven": hand.has_proof,
                "known": hand.unfair is not None and hand.unfair.key == NOT_SHUFFLED.key,
                "unfair": _said(hand.unfair),
            }
            for hand in checked.hands
        ],
        "refused": _said(checked.refused),
    }


def _said(sentence: Said | None) -> dict[str, Any] | None:
    return None if sentence is None else {"message": sentence, **errors.keyed(sentence)}


def _record(checked: MatchChecked) -> dict[str, Any]:
    """The match as a record, with nothing in it that was not played."""
    start = checked.start
    played = (hand.record for hand in checked.hands)
    return file_of(start.game.key, start.options.to_json(), list(start.seats), played, carried=checked.carried)


def _new(checked: MatchChecked) -> NewImport:
    """The match as it is kept."""
    start, end = checked.start, checked.end
    return NewImport(
        start.game.key,
        start.options.to_json(),
        start.seats,
        dict(end.totals),
        end.winners() if end.over else (),
        checked.after,
        end.over,
        [_new_hand(hand) for hand in checked.hands],
        checked.carried,
        checked.origin,
    )


def _new_hand(hand: HandChecked) -> NewHand:
    return NewHand(hand.number, hand.record, hand.society, hand.events, dict(hand.result), hand.totals)
