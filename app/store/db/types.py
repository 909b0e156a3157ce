"""Column types that work the same on SQLite and PostgreSQL: clean text, UTC times, JSON.

Values that one of the databases would refuse, or store differently, are refused here with a clear error, before
anything is written.
"""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DontWrapMixin


class BadText(ValueError, DontWrapMixin):
    """Raised for a text that can't be stored: it contains a NUL character or a lone surrogate."""


class NaiveTime(ValueError, DontWrapMixin):
    """Raised for a time without a time zone, which must not be stored."""


def check_text(text: str) -> str:
    r"""Return the text unchanged, or raise `BadText` if a database can't store it.

    >>> check_text("Ana ♠")
    'Ana ♠'
    >>> check_text("Ana\x00")
    Traceback (most recent call last):
    app.store.db.types.BadText: a text may not contain NUL characters
    """
    if "\0" in text:
        raise BadText("a text may not contain NUL characters")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise BadText("a text may not contain lone surrogates") from None
    return text


def check_time(at: datetime) -> datetime:
    """Return the time unchanged, or raise `NaiveTime` if it has no time zone."""
    if at.tzinfo is None:
        raise NaiveTime(f"{at.isoformat()} says nothing of its time zone")
    return at


class EncodedJson(str):
    """JSON text that `encode` or `encode_trusted` has written and checked, so that it is not encoded again."""

    __slots__ = ()


def _encode_str_subclass(value: Any) -> Any:
    """Return a subclass of str, such as a card, as plain text for the JSON encoder.

    Raises `TypeError` for any other type that the encoder does not know.
    """
    if isinstance(value, str):
        return str.__str__(value)
    raise TypeError(f"{type(value).__name__} has no place in JSON")


_FAST_ENCODER: Final = msgspec.json.Encoder(enc_hook=_encode_str_subclass)
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode(value: Any) -> EncodedJson:
    r"""Return a value as compact JSON to store, with its keys in order; text encoded before is returned unchanged.

    Raises `BadText` if a text in it can't be stored.

    >>> encode({"by": "Ana", "at": 3})
    '{"by":"Ana","at":3}'
    """
    if isinstance(value, EncodedJson):
        return value
    text = _ENCODER.encode(value)
    if "\\u0000" in text:  # a NUL, or a harmless backslash before u0000
        check_texts(value)
    return EncodedJson(check_text(text))


def encode_trusted(value: Any) -> EncodedJson:
    r"""Return compact JSON of data that rooms create themselves, in which all numbers are finite.

    Unlike `encode`, it does not check numbers, and takes a sixth of the time. Raises `BadText` for unfit text.

    >>> encode_trusted({"by": "Ana", "at": 3})
    '{"by":"Ana","at":3}'
    """
    try:
        text = _FAST_ENCODER.encode(value).decode()
    except UnicodeEncodeError:
        raise BadText("a text may not contain lone surrogates") from None
    if "\\u0000" in text:
        check_texts(value)
    return EncodedJson(text)


def check_texts(value: Any) -> None:
    """Raise `BadText` if any text in a nested JSON value, keys included, can't be stored."""
    if isinstance(value, str):
        check_text(value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            check_texts(key)
            check_texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            check_texts(inner)


class CleanText(sa.TypeDecorator[str]):
    """The type of text columns; refuses values that a database could not store, with `BadText`."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else check_text(value)


class UtcTime(sa.TypeDecorator[datetime]):
    """The type of time columns; takes aware times of any zone and returns UTC.

    Refuses others with `NaiveTime`.
    """

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        value = check_time(value).astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _check_text_or_none(text: str | None) -> str | None:
    return None if text is None else check_text(text)


def _sqlite_time(at: datetime | None) -> str | None:
    """Return the text that SQLAlchemy stores for a time in SQLite, which has no time type.

    None stays None, for NULL.

    >>> _sqlite_time(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02 03:04:05.000000'
    """
    if at is None:
        return None
    # The encoder gives "2026-01-02T03:04:05.123000Z", without a zero fraction. It takes half the time of `isoformat`.
    text = _FAST_ENCODER.encode(check_time(at).astimezone(UTC)).decode()
    return f"{text[1:11]} {text[12:-2]}.000000"[: len("2026-01-02 03:04:05.000000")]


def _encode_or_none(value: Any) -> EncodedJson | None:
    return None if value is None else encode(value)


def is_text_type(kind: sa.types.TypeEngine[Any]) -> bool:
    """Return whether values of this column type are texts that need a check but no conversion."""
    return isinstance(kind, CleanText)


def bind_converter(kind: sa.types.TypeEngine[Any], dialect: sa.Dialect) -> Callable[[Any], Any] | None:
    """Return the function that converts a value to what the driver stores in a column of this type.

    None if no conversion is needed.
    """
    if isinstance(kind, UtcTime) and dialect.name == "sqlite":
        return _sqlite_time
    if isinstance(kind, sa.JSON):  # as text; SQLAlchemy would have psycopg call `encode`
        return _encode_or_none
    return _check_text_or_none if is_text_type(kind) else kind.dialect_impl(dialect).bind_processor(dialect)


def result_converter(kind: sa.types.TypeEngine[Any], dialect: sa.Dialect) -> Callable[[Any], Any] | None:
    """Return the function that converts a value that the driver read from a column of this type.

    None if no conversion is needed.
    """
    numbers: Any = sa.Numeric, sa.Float
    return None if isinstance(kind, numbers) else kind.dialect_impl(dialect).result_processor(dialect, None)


Json = sa.JSON(none_as_null=True)
"""A JSON column stored as text: PostgreSQL's `json`, not `jsonb`, so that keys keep their order."""
