"""Names that stored logs and snapshots may have for names of today. Nothing else reads or writes former names.

A renamed value or field gets a line in one of the tables. Stored rows stay as they are: their names are replaced on
loading.
"""

from collections.abc import Mapping
from typing import Any, Final

FORMER_LEVELS: Final[Mapping[str, str]] = {"greedy": "easy", "steady": "medium"}
"""The bot levels of today, by the names that they had up to version 0.2.0."""
FORMER_ROLES: Final[Mapping[str, str]] = {"watcher": "spectator"}
"""The roles of today, by the names that they had up to version 0.2.0."""
FORMER_SUBJECTS: Final[Mapping[str, str]] = {"rest": "pause", "take_back": "undo"}
"""The subjects of votes of today, by the names that they had up to version 0.2.0."""
FORMER_SETTINGS: Final[Mapping[str, str]] = {"ranks": "carry_titles", "take_back": "allow_undo"}
"""The keys of room settings of today, by the names that they had up to version 0.2.0."""
FORMER_FIELDS: Final[Mapping[str, Mapping[str, str]]] = {"proposed": {"matter": "subject"}}
"""The fields of entries of today, by kind of entry and by the names that they had up to version 0.2.0."""

_ENTRY_VALUES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "joined": {"role": FORMER_ROLES},
    "bot_came": {"bot": FORMER_LEVELS, "role": FORMER_ROLES},
    "bot_set": {"bot": FORMER_LEVELS},
    "stood_in": {"bot": FORMER_LEVELS},
    "role_changed": {"role": FORMER_ROLES},
    "going_set": {"going": FORMER_ROLES},
    "proposed": {"subject": FORMER_SUBJECTS},
}
"""The tables for the values of fields, by kind of entry. In `chair_taken`, `bot` is the name of a bot."""
_MEMBER_VALUES: Mapping[str, Mapping[str, str]] = {
    "bot": FORMER_LEVELS,
    "stand_in": FORMER_LEVELS,
    "role": FORMER_ROLES,
    "going": FORMER_ROLES,
}
_SETTINGS_VALUES: Mapping[str, Mapping[str, str]] = {"stand_in": FORMER_LEVELS}
_ENTRIES_WITH_SETTINGS = frozenset({"opened", "configured"})


def update_entry(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return a log entry's data with former names of bot levels ("greedy") replaced by today's ("easy")."""
    if kind in _ENTRIES_WITH_SETTINGS:
        return {**data, "settings": _update_settings(data["settings"])}
    values = _ENTRY_VALUES.get(kind)
    if values is None:
        return data
    fields = FORMER_FIELDS.get(kind)
    return _update_values(data if fields is None else _update_keys(data, fields), values)


def update_snapshot(saved: Mapping[str, Any]) -> dict[str, Any]:
    """Return a room's snapshot with former names of bot levels ("greedy") replaced by today's ("easy")."""
    return {
        **saved,
        "settings": _update_settings(saved["settings"]),
        "members": [_update_values(member, _MEMBER_VALUES) for member in saved["members"]],
    }


def _update_settings(settings: dict[str, Any]) -> dict[str, Any]:
    return _update_values(_update_keys(settings, FORMER_SETTINGS), _SETTINGS_VALUES)


def _update_keys(data: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return data if names.keys().isdisjoint(data) else {names.get(key, key): value for key, value in data.items()}


def _update_values(data: dict[str, Any], tables: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    former = {field: names[data[field]] for field, names in tables.items() if data.get(field) in names}
    return {**data, **former} if former else data
