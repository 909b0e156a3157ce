"""Import of match files: parse, check, preview, and save for a person.

A file holds one match, or a room with all its matches (`store/room_export.py`). No claim in it is trusted: the engine
replays it, within limits, and only replayed data is saved. Every invalid file gets an error sentence.
"""

import json
import json.decoder
import json.scanner
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, cast

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.games import GAMES
from app.engine.match.record import FORMAT, InvalidRecord, build_record
from app.rooms.people import names
from app.rooms.recorded.verify import VerifiedHand, VerifiedMatch, verify_match
from app.settings import Limits
from app.store.repositories.imported_matches import EncodedImport, NewHand, NewImport, StorageUsed, encode_import
from app.store.room_export import ROOM_FORMAT
from app.text_limits import MOST_KEYS, check_length, truncate
from app.web.context.sessions import Person
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.http.errors import HttpError
from app.web.http.work_queue import RunInThread
from app.web.matches import frames as match_frames
from app.web.protocol.message_errors import check_json_limits

LISTED: Final = 50
"""Limit for the imported matches that a page lists."""
MAX_DEPTH: Final = 16
"""Limit for the nesting depth of a file."""
LONGEST_NAME: Final = 64
MAX_DIGITS: Final = 100
LARGE: Final = 256 * 1024
"""Size in bytes from which parsing in one step would delay other requests too much."""
BYTES_OF_A_PART: Final = 8
"""Minimum average bytes of a JSON value; real matches have ten or more."""

NO_JSON = MessageTemplate("import.no_json", "This file is not a record: it is not JSON. {reason}")
EMPTY = MessageTemplate("import.empty", "This file is empty.")
NO_UTF8 = MessageTemplate("import.no_utf8", "This file is not a record: its text is not UTF-8.")
TWICE = MessageTemplate("import.twice", "This file is not a record: one object has “{key}” twice.")
LONG_NUMBER = MessageTemplate(
    "import.long_number", "This file is not a record: a number in it has {count} digits. The limit is {most}."
)
TOO_MANY_PARTS = MessageTemplate(
    "import.too_many_parts", "This file is not a record: it has {count} values. The limit is {most}."
)
TOO_DEEP = MessageTemplate("import.too_deep", "This file is not a record: it is nested too deeply.")
NO_RECORD = MessageTemplate(
    "import.no_record", "This file is not a record: its “format” must be “{match}” or “{room}”."
)
BAD_TEXT = MessageTemplate("import.bad_text", "This file is not a record: {reason}.")
NO_MATCHES = MessageTemplate(
    "import.no_matches", "The matches of a room file must be a list of objects, each with its “record”."
)
NO_HANDS = MessageTemplate("import.no_hands", "No hand was played in this match.")
NO_NAME = MessageTemplate("import.no_name", "“{name}” is not a valid name. Use 1 to {most} visible characters.")
TOO_MANY_HANDS = MessageTemplate("import.too_many_hands", "This file has {count} hands. The limit is {most}.")
TOO_LONG = MessageTemplate("import.too_long", "This file takes too long to read. Import its matches one by one.")
ENOUGH_KEPT = MessageTemplate(
    "import.enough_kept", "You have imported {count} matches. The limit is {most}. Delete some first."
)
ENOUGH_BYTES = MessageTemplate(
    "import.enough_bytes",
    "Your imported matches take {megabytes} MB. The limit is {most} MB. Delete some first.",
)
ENOUGH_TODAY = MessageTemplate(
    "import.enough_today",
    "Your network has imported matches of {most} MB today, which is the limit. Try again tomorrow.",
)
IN_MATCH = MessageTemplate("import.in_match", "Match {match}: {reason}")
IN_HAND = MessageTemplate("import.in_hand", "Hand {hand}: {reason}")
IN_ACTION = MessageTemplate("import.in_action", "Hand {hand}, action {action}: {reason}")
NO_SUCH_HAND = MessageTemplate("import.no_such_hand", "This file has no such hand.")


def read_and_check(body: bytes, limits: Limits, first: int | None = None) -> list[VerifiedMatch]:
    """Parse a match or room file and replay all its matches; return what was found out about each.

    Raises `HttpError` if the file is unusable or takes too long. `first` numbers its first match in error texts.
    """
    return [
        _play_record(*each)
        for each in _numbered_records(_records_in_file(_parse_json_object(body, limits)), limits, first)
    ]


async def preview_file(work: RunInThread, limits: Limits, body: bytes, first: int | None = None) -> dict[str, Any]:
    """Return what the matches in a file are, as JSON for the import page, without saving anything.

    `work` runs a function in a thread. Raises `HttpError` if the file is unusable.
    """
    found: list[VerifiedMatch] = await work(read_and_check, body, limits, first)
    shown: dict[str, Any] = await work(lambda: {"matches": [_match_preview(each) for each in found]})
    return shown


async def read_for_saving(
    work: RunInThread, limits: Limits, body: bytes, first: int | None = None
) -> list[EncodedImport]:
    """Return the matches of a file, encoded for saving; raise `HttpError` unless all of them replay completely.

    `work` runs a function in a thread.
    """
    found: list[VerifiedMatch] = await work(read_and_check, body, limits, first)
    for number, each in enumerate(found, first or 1):
        if (refused := each.refused) is not None:
            raise _bad_record_error(
                refused if len(found) == 1 and first is None else IN_MATCH(match=number, reason=refused)
            )
    new: list[EncodedImport] = await work(lambda: [encode_import(_build_import(each)) for each in found])
    return new


async def check_import_limits(
    site: AppContext, person: Person | None, found: Sequence[EncodedImport], client: str
) -> None:
    """Raise `HttpError` if matches of a file exceed a limit: of the person, or of the client address today.

    The limits are the person's matches and bytes, and the address's bytes in a day. Accepted bytes count towards the
    address's limit. Matches that the person already has cost nothing.
    """
    limits, imports = site.settings.limits, site.store.imported_matches
    had = StorageUsed(0, 0) if person is None else await imports.storage_used(person.id)
    known = frozenset[str]() if person is None else await imports.digests_of_person(person.id)
    size = sum({each.digest: each.bytes for each in found if each.digest not in known}.values())
    new = len({each.digest for each in found} - known)
    if new and had.matches + new > limits.imports_per_person:
        raise HttpError(409, "not_now", ENOUGH_KEPT(count=had.matches, most=limits.imports_per_person))
    if size and had.bytes + size > limits.import_bytes_per_person:
        most = _format_megabytes(limits.import_bytes_per_person)
        raise HttpError(409, "not_now", ENOUGH_BYTES(megabytes=_format_megabytes(had.bytes), most=most))
    wait = site.import_byte_limiter.seconds_until_allowed(client, count=size) if size else 0
    if wait:
        raise HttpError(
            429,
            "too_fast",
            ENOUGH_TODAY(most=_format_megabytes(limits.import_bytes_per_day)),
            {"Retry-After": str(max(1, round(wait)))},
        )


async def save_matches(site: AppContext, person: Person, found: Sequence[EncodedImport]) -> list[str]:
    """Save matches from a file for this person, and return their ids.

    Matches they have already are not saved twice.
    """
    now = datetime.now(UTC)
    return [await site.store.imported_matches.save_match(person.id, now, each) for each in found]


def _format_megabytes(count: int) -> str:
    return f"{count / (1024 * 1024):.3g}"


async def load_hand_frames(
    work: RunInThread, limits: Limits, body: bytes, match: int, number: int, seat: str | None
) -> dict[str, Any]:
    """Return the frames (steps) of one hand of a match in a file, as for a saved match.

    Raises `HttpError` if the file is unusable or has no such hand. `work` runs a function in a thread.
    """

    def made() -> dict[str, Any]:
        matches = _records_in_file(_parse_json_object(body, limits))
        if not 0 <= match < len(matches):
            raise errors.not_found_error(NO_SUCH_HAND())
        value = matches[match]
        hands = value.get("hands")
        # Later hands need not be replayed.
        part = {**value, "hands": hands[: number + 1]} if isinstance(hands, list) else value
        [(_, record, each)] = _numbered_records([part], limits)
        checked = _play_record(None, record, each)
        hand = next((hand for hand in checked.hands if hand.number == number), None)
        if hand is None:
            raise (
                errors.not_found_error(NO_SUCH_HAND())
                if checked.refused is None
                else _bad_record_error(checked.refused)
            )
        return match_frames.frames_of_imported_hand(_played_record(checked), _build_import_hand(hand), seat)

    found: dict[str, Any] = await work(made)
    return found


async def list_imported(site: AppContext, person: Person | None) -> list[dict[str, Any]]:
    """Return the person's imported matches as JSON, latest first, at most 50; empty for None."""
    found = () if person is None else await site.store.imported_matches.matches_of_person(person.id, limit=LISTED)
    return [match_frames.match_view(line) for line in found]


def _parse_json_object(body: bytes, limits: Limits) -> dict[str, Any]:
    """Return the JSON object that a file contains.

    Raises `HttpError` if it is not valid JSON, has too many values, or is nested too deeply.
    """
    # Values are counted first, as Python runs no other thread while it builds a list of millions of numbers.
    parts, most = len(body) - len(body.translate(None, b",[{")), limits.import_bytes // BYTES_OF_A_PART
    if parts > most:
        raise _bad_record_error(TOO_MANY_PARTS(count=parts, most=most))
    try:
        # Some editors start a file with a byte order mark.
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _bad_record_error(NO_UTF8()) from None
    if not text.strip():
        raise _bad_record_error(EMPTY())
    try:
        value = _build_json_decoder(len(body)).decode(text)
    except RecursionError:
        raise _bad_record_error(TOO_DEEP()) from None
    except ValueError as error:
        raise _bad_record_error(NO_JSON(reason=_first_line(error))) from None
    try:
        check_json_limits(value, most=MAX_DEPTH)
    except ValueError as error:
        raise _bad_record_error(BAD_TEXT(reason=error.args[0])) from None
    if not isinstance(value, dict):
        raise _bad_record_error(NO_RECORD(match=FORMAT, room=ROOM_FORMAT))
    return cast("dict[str, Any]", value)


def _build_json_decoder(size: int) -> json.JSONDecoder:
    """Return a strict JSON decoder for an uploaded file of `size` bytes.

    For a large file, the decoder lets other threads run now and then.
    """
    # typeshed does not list these names.
    decoder: Any = json.JSONDecoder(
        parse_constant=_reject_json_constant, parse_int=_parse_int, object_pairs_hook=_build_object
    )
    if size > LARGE:
        # The C decoder blocks other threads until the whole file is parsed; the Python decoder does not.
        parts: Any = json.decoder
        scanner: Any = json.scanner
        decoder.parse_object, decoder.parse_array = parts.JSONObject, parts.JSONArray
        decoder.scan_once = scanner.py_make_scanner(decoder)
    return cast("json.JSONDecoder", decoder)


def _reject_json_constant(text: str) -> None:
    raise ValueError(f"{text} is no number.")


def _parse_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _bad_record_error(LONG_NUMBER(count=len(digits), most=MAX_DIGITS))
    return int(digits)


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a parsed JSON object. Refuse duplicate keys, as other programs may read the other value.

    Too many keys are refused too. Both raise `HttpError`.
    """
    if len(pairs) > MOST_KEYS:
        raise _bad_record_error(TOO_MANY_PARTS(count=len(pairs), most=MOST_KEYS))
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise _bad_record_error(TWICE(key=names.visible_text(truncate(twice, LONGEST_NAME))))
    return made


def _first_line(error: ValueError) -> str:
    return str(error).partition("\n")[0][:200]


def _records_in_file(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the match records in a match file or a room file; raise `HttpError` for any other content."""
    match value.get("format"):
        case str(said) if said == FORMAT:
            return [dict(value)]
        case str(said) if said == ROOM_FORMAT:
            told: Any = value.get("matches")
            if not isinstance(told, list) or not told:
                raise _bad_record_error(NO_MATCHES())
            records: list[Any] = [each.get("record") if isinstance(each, dict) else None for each in told]
            if not all(isinstance(each, dict) for each in records):
                raise _bad_record_error(NO_MATCHES())
            return records
        case _:
            raise _bad_record_error(NO_RECORD(match=FORMAT, room=ROOM_FORMAT))


def _numbered_records(
    records: list[dict[str, Any]], limits: Limits, first: int | None = None
) -> Iterator[tuple[int | None, dict[str, Any], Callable[[], None]]]:
    """Yield each record with its number (None for a single match) and a function that checks the time limit.

    Raises `HttpError` if there are too many hands; the function does if replaying takes too long.
    """
    hands = sum(len(said) if isinstance(said := each.get("hands"), list) else 0 for each in records)
    if hands > limits.import_hands:
        raise _bad_record_error(TOO_MANY_HANDS(count=hands, most=limits.import_hands))
    # CPU time of this thread: the load of the machine must not count against the file.
    until = time.thread_time() + limits.import_seconds

    def in_time() -> None:
        if time.thread_time() > until:
            raise _bad_record_error(TOO_LONG())

    for number, record in enumerate(records, first or 1):
        yield number if len(records) > 1 or first is not None else None, record, in_time


def _play_record(number: int | None, record: dict[str, Any], check_time: Callable[[], None]) -> VerifiedMatch:
    """Replay a match from a file as far as the rules allow; raise `HttpError` if its record is unusable.

    `number` is named in the error. `check_time` may raise to stop.
    """
    try:
        checked = verify_match(record, GAMES, check_time)
    except InvalidRecord as unusable:
        reason = _reason_with_position(unusable)
    else:
        unfit = _reason_not_importable(checked)
        if unfit is None:
            return checked
        reason = unfit
    raise _bad_record_error(reason if number is None else IN_MATCH(match=number, reason=reason))


def _reason_not_importable(checked: VerifiedMatch) -> TranslatableMessage | None:
    """Return why a valid match can't be imported (no hands, or a bad name) as a sentence, or None."""
    if not checked.hands and checked.refused is None:
        return NO_HANDS()
    for name in (*checked.start.seats, *checked.end.totals):
        if len(name) > LONGEST_NAME or names.visible_text(check_length(name)) != name:
            return NO_NAME(name=name[:LONGEST_NAME], most=LONGEST_NAME)
    return None


def _reason_with_position(unusable: InvalidRecord) -> TranslatableMessage:
    """Return the error in a record as a sentence that names hand and action, if they are known."""
    reason = unusable.error.sentence
    match unusable.where:
        case {"hand": hand, "action": action}:
            return IN_ACTION(hand=hand + 1, action=action + 1, reason=reason)
        case {"hand": hand}:
            return IN_HAND(hand=hand + 1, reason=reason)
        case _:
            return reason


def _bad_record_error(sentence: TranslatableMessage) -> HttpError:
    return HttpError(422, "bad_record", sentence)


def _match_preview(checked: VerifiedMatch) -> dict[str, Any]:
    """Return what a file's match is, as JSON for the import page: players, result, and fairness of each deal."""
    new = _build_import(checked)
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
                "fair": hand.deal_problem is None,
                "kind": hand.kind,
                "proven": hand.has_proof,
                "known": hand.cards_are_known,
                "unfair": _message_view(hand.deal_problem),
            }
            for hand in checked.hands
        ],
        "refused": _message_view(checked.refused),
    }


def _message_view(sentence: TranslatableMessage | None) -> dict[str, Any] | None:
    return None if sentence is None else {"message": sentence, **errors.message_key_and_values(sentence)}


def _played_record(checked: VerifiedMatch) -> dict[str, Any]:
    """Return a verified match as a record with only the hands that could be replayed."""
    start = checked.start
    played = (hand.record for hand in checked.hands)
    return build_record(start.game.key, start.options.to_json(), list(start.seats), played, carried=checked.carried)


def _build_import(checked: VerifiedMatch) -> NewImport:
    """Return a verified match from a file in the form in which it is saved."""
    start, end = checked.start, checked.end
    return NewImport(
        start.game.key,
        start.options.to_json(),
        start.seats,
        dict(end.totals),
        end.winners() if end.over else (),
        checked.after,
        end.over,
        [_build_import_hand(hand) for hand in checked.hands],
        checked.carried,
        checked.origin,
        checked.cancelled,
    )


def _build_import_hand(hand: VerifiedHand) -> NewHand:
    return NewHand(hand.number, hand.record, hand.society, hand.events, dict(hand.result), hand.totals)
