"""What may stand in a column: clean text, times in UTC, JSON. The same on SQLite and PostgreSQL.

The edge of the store: what a database would refuse (or worse, keep in a way that another refuses) is refused here, with
a clear error and before anything is written.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DontWrapMixin


class BadText(ValueError, DontWrapMixin):
    """A text that no database should be given: with a NUL, or with half of a surrogate pair."""


class NaiveTime(ValueError, DontWrapMixin):
    """A time that doesn't say of which zone it is."""


def check_text(text: str) -> str:
    r"""The text itself, or `BadText`.

    >>> check_text("Ana ♠")
    'Ana ♠'
    >>> check_text("Ana\x00")
    Traceback (most recent call last):
    app.store.columns.BadText: a text may not contain NUL characters
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
    """The time itself, or `NaiveTime`."""
    if at.tzinfo is None:
        raise NaiveTime(f"{at.isoformat()} says nothing of its time zone")
    return at


class Encoded(str):
    """JSON that `encode` has written and checked already."""

    __slots__ = ()


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode(value: Any) -> Encoded:
    r"""JSON as it is stored: compact, keys in their order; `BadText` if a text in it may not be stored.

    >>> encode({"by": "Ana", "at": 3})
    '{"by":"Ana","at":3}'
    """
    if isinstance(value, Encoded):
        return value
    text = _ENCODER.encode(value)
    if "\\u0000" in text:  # a NUL, or a harmless backslash before u0000
        check_texts(value)
    return Encoded(check_text(text))


def check_texts(value: Any) -> None:
    """`BadText` if any text in a value may not be stored."""
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
    """Text that any database takes."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else check_text(value)


class UtcTime(sa.TypeDecorator[datetime]):
    """A moment. Aware times of any zone go in, UTC comes out; naive ones are refused."""

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


Json = sa.JSON(none_as_null=True)
"""JSON as text: PostgreSQL's `json`, not `jsonb`, so that keys stay in their order. Written by `encode`."""
