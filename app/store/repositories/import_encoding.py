"""Encode a checked match from a file as it is stored. Worker processes do this, so it needs no database.

`imported_matches.py` stores the result.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.store.db.types import EncodedJson, check_texts, encode


@dataclass(frozen=True, slots=True)
class NewHand:
    """One hand of a match from a file that is to be imported."""

    number: int
    record: dict[str, Any]
    society: dict[str, Any]
    """State right before the deal, in the form of a record's `carried`."""
    events: list[dict[str, Any]]
    result: dict[str, Any]
    totals: dict[str, int] | None


@dataclass(frozen=True, slots=True)
class NewImport:
    """A checked match from a file, before it is encoded and saved."""

    game: str
    options: dict[str, Any]
    players: Sequence[str]
    totals: dict[str, int]
    winners: Sequence[str]
    after: Sequence[Any]
    over: bool
    hands: Sequence[NewHand]
    carried: dict[str, Any] | None = None
    """The state that the match continues from: a record's `carried`."""
    origin: dict[str, Any] | None = None
    """The source of its cards, if they were known: a record's `origin`."""
    cancelled: Sequence[Any] = ()
    """The proofs of deals that were cancelled after the last hand: a record's `cancelled`."""


@dataclass(frozen=True, slots=True)
class EncodedImport:
    """A checked match from a file, encoded as it will be stored."""

    digest: str
    """SHA-256 of its record: each person has a match at most once."""
    bytes: int
    match: dict[str, Any]
    hands: list[dict[str, Any]]


def encode_import(match: NewImport) -> EncodedImport:
    """Encode a checked match from a file for `save_match`.

    Raises `BadText` for a text that can't be stored. Slow for many hands, so call it outside the event loop.
    """
    check_texts([list(match.players), list(match.winners), match.totals, match.carried, list(match.cancelled)])
    hands = [
        {
            "hand_number": hand.number,
            "record": encode(hand.record),
            "initial_state": encode(hand.society),
            "events": encode(hand.events),
            "result": encode(hand.result),
            "totals": None if hand.totals is None else encode(hand.totals),
        }
        for hand in match.hands
    ]
    head = {
        "game": match.game,
        "options": encode(match.options),
        "players": encode(list(match.players)),
        "trailing_actions": encode(list(match.after)) if match.after else None,
        "initial_state": None if match.carried is None else encode(match.carried),
        "origin": None if match.origin is None else encode(match.origin),
        "cancelled_deals": encode(list(match.cancelled)) if match.cancelled else None,
    }
    digest = hashlib.sha256("\n".join(filter(None, head.values())).encode())
    for hand in hands:
        digest.update(str(hand["record"]).encode())
    more = {
        "totals": encode(match.totals),
        "winners": encode(list(match.winners)),
        "hand_count": sum(hand.totals is not None for hand in match.hands),
        "is_finished": match.over,
    }
    rows: list[dict[str, Any]] = [head, more, *hands]
    texts = (value for row in rows for value in row.values() if isinstance(value, str))
    return EncodedImport(digest.hexdigest(), sum(len(text.encode()) for text in texts), {**head, **more}, hands)


def restore_encoded_import(match: EncodedImport) -> EncodedImport:
    """Return an encoded match that came from a worker process as JSON, where encoded texts are plain texts."""
    head = {key: value if key == "game" else _as_encoded(value) for key, value in match.match.items()}
    hands = [{key: _as_encoded(value) for key, value in hand.items()} for hand in match.hands]
    return EncodedImport(match.digest, match.bytes, head, hands)


def _as_encoded(value: Any) -> Any:
    return EncodedJson(value) if isinstance(value, str) else value
