"""Files of records: parse, check, preview, and encode them for saving. Worker processes do this (`import_worker.py`).

A file holds one match, or a room with all its matches (`store/room_export.py`). No claim in it is trusted: the engine
replays it, within limits, and only replayed data is saved. Every invalid file gets an error sentence.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

from msgspec import Struct

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.games import GAMES
from app.engine.match.record import FORMAT, ROOM_FORMAT, InvalidRecord, build_record
from app.rooms.people import names
from app.rooms.recorded.verify import VerifiedHand, VerifiedMatch, verify_match
from app.store.repositories.import_encoding import EncodedImport, NewHand, NewImport, encode_import
from app.text_limits import MOST_KEYS, check_length, truncate
from app.web.http.http_error import HttpError, not_found_error
from app.web.matches import hand_frames
from app.web.protocol.message_errors import check_json_limits

MAX_DEPTH: Final = 16
"""Limit for the nesting depth of a file."""
LONGEST_NAME: Final = 64
MAX_DIGITS: Final = 100
BYTES_OF_A_PART: Final = 8
"""Minimum average bytes of a JSON value; real matches have ten or more."""


class FileLimits(Struct, frozen=True, array_like=True):
    """The settings that limit an imported file; `Limits` explains them."""

    import_bytes: int
    import_hands: int
    import_seconds: float


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
IN_MATCH = MessageTemplate("import.in_match", "Match {match}: {reason}")
IN_HAND = MessageTemplate("import.in_hand", "Hand {hand}: {reason}")
IN_ACTION = MessageTemplate("import.in_action", "Hand {hand}, action {action}: {reason}")
NO_SUCH_HAND = MessageTemplate("import.no_such_hand", "This file has no such hand.")


def read_and_check(body: bytes, limits: FileLimits, first: int | None = None) -> list[VerifiedMatch]:
    """Parse a match or room file and replay all its matches; return what was found out about each.

    Raises `HttpError` if the file is unusable or takes too long. `first` numbers its first match in error texts.
    """
    return [
        _play_record(*each)
        for each in _numbered_records(_records_in_file(_parse_json_object(body, limits)), limits, first)
    ]


def preview_file(limits: FileLimits, body: bytes, first: int | None = None) -> dict[str, Any]:
    """Return what the matches in a file are, as JSON for the import page. Raises `HttpError` if it is unusable."""
    return {"matches": [_match_preview(each) for each in read_and_check(body, limits, first)]}


def read_for_saving(limits: FileLimits, body: bytes, first: int | None = None) -> list[EncodedImport]:
    """Return the matches of a file, encoded for saving; raise `HttpError` unless all of them replay completely."""
    found = read_and_check(body, limits, first)
    for number, each in enumerate(found, first or 1):
        if (refused := each.refused) is not None:
            raise _bad_record_error(
                refused if len(found) == 1 and first is None else IN_MATCH(match=number, reason=refused)
            )
    return [encode_import(_build_import(each)) for each in found]


def preview_hand(limits: FileLimits, body: bytes, match: int, number: int, seat: str | None) -> dict[str, Any]:
    """Return the frames (steps) of one hand of a match in a file, as for a saved match.

    Raises `HttpError` if the file is unusable or has no such hand.
    """
    matches = _records_in_file(_parse_json_object(body, limits))
    if not 0 <= match < len(matches):
        raise not_found_error(NO_SUCH_HAND())
    value = matches[match]
    hands = value.get("hands")
    # Later hands need not be replayed.
    part = {**value, "hands": hands[: number + 1]} if isinstance(hands, list) else value
    [(_, record, each)] = _numbered_records([part], limits)
    checked = _play_record(None, record, each)
    hand = next((hand for hand in checked.hands if hand.number == number), None)
    if hand is None:
        raise (not_found_error(NO_SUCH_HAND()) if checked.refused is None else _bad_record_error(checked.refused))
    return hand_frames.frames_of_imported_hand(_played_record(checked), _build_import_hand(hand), seat)


def _parse_json_object(body: bytes, limits: FileLimits) -> dict[str, Any]:
    """Return the JSON object that a file contains.

    Raises `HttpError` if it is not valid JSON, has too many values, or is nested too deeply.
    """
    # Values are counted first, because a list of millions of numbers takes much memory.
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
        value = _JSON.decode(text)
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
    result = dict(pairs)
    if len(result) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise _bad_record_error(TWICE(key=names.visible_text(truncate(twice, LONGEST_NAME))))
    return result


_JSON = json.JSONDecoder(parse_constant=_reject_json_constant, parse_int=_parse_int, object_pairs_hook=_build_object)
"""A strict decoder."""


def _first_line(error: ValueError) -> str:
    return str(error).partition("\n")[0][:200]


def _records_in_file(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the match records in a match file or a room file; raise `HttpError` for any other content."""
    match value.get("format"):
        case str(said) if said == FORMAT:
            return [dict(value)]
        case str(said) if said == ROOM_FORMAT:
            matches: Any = value.get("matches")
            if not isinstance(matches, list) or not matches:
                raise _bad_record_error(NO_MATCHES())
            records: list[Any] = [each.get("record") if isinstance(each, dict) else None for each in matches]
            if not all(isinstance(each, dict) for each in records):
                raise _bad_record_error(NO_MATCHES())
            return records
        case _:
            raise _bad_record_error(NO_RECORD(match=FORMAT, room=ROOM_FORMAT))


def _numbered_records(
    records: list[dict[str, Any]], limits: FileLimits, first: int | None = None
) -> Iterator[tuple[int | None, dict[str, Any], Callable[[], None]]]:
    """Yield each record with its number (None for a single match) and a function that checks the time limit.

    Raises `HttpError` if there are too many hands; the function does if replaying takes too long.
    """
    hands = sum(len(said) if isinstance(said := each.get("hands"), list) else 0 for each in records)
    if hands > limits.import_hands:
        raise _bad_record_error(TOO_MANY_HANDS(count=hands, most=limits.import_hands))
    # CPU time: the load of the machine must not count against the file.
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
    return None if sentence is None else {"message": sentence, **sentence.to_json()}


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
