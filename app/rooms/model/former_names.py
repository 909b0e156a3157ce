"""Names that stored logs and snapshots may have for values of today. Nothing else reads or writes former names.

A renamed value gets a line in `FORMER_VALUES`. Stored rows stay as they are: their values are replaced on loading.
"""

from collections.abc import Mapping
from typing import Any, Final

FORMER_VALUES: Final[Mapping[str, str]] = {"greedy": "easy", "steady": "medium"}
"""The bot levels of today, by the names that they had up to version 0.2.0."""

_MEMBER_FIELDS = ("bot", "stand_in")
_SETTINGS_FIELDS = ("stand_in",)
_ENTRY_FIELDS: Mapping[str, tuple[str, ...]] = {"bot_came": ("bot",), "bot_set": ("bot",), "stood_in": ("bot",)}
"""The fields that hold a bot level, by kind of entry. In `chair_taken`, `bot` is the name of a bot."""
_ENTRIES_WITH_SETTINGS = frozenset({"opened", "configured"})


def update_entry(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return a log entry's data with former names of bot levels ("greedy") replaced by today's ("easy")."""
    if kind in _ENTRIES_WITH_SETTINGS:
        return {**data, "settings": _update_fields(data["settings"], _SETTINGS_FIELDS)}
    fields = _ENTRY_FIELDS.get(kind)
    return data if fields is None else _update_fields(data, fields)


def update_snapshot(saved: Mapping[str, Any]) -> dict[str, Any]:
    """Return a room's snapshot with former names of bot levels ("greedy") replaced by today's ("easy")."""
    return {
        **saved,
        "settings": _update_fields(saved["settings"], _SETTINGS_FIELDS),
        "members": [_update_fields(member, _MEMBER_FIELDS) for member in saved["members"]],
    }


def _update_fields(data: dict[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    former = {field: FORMER_VALUES[data[field]] for field in fields if data.get(field) in FORMER_VALUES}
    return {**data, **former} if former else data
