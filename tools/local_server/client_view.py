"""Client side of the protocol (docs/protocol.md): merge updates into a full room view, and complete commands."""

from collections.abc import Mapping
from typing import Any

NEWS = ("changed", "events", "hand_history", "protocol")
"""Keys of an update that are not part of the room's view."""


def merge_update(before: Mapping[str, Any] | None, told: Mapping[str, Any]) -> dict[str, Any]:
    """Return a client's full view of a room after an update, with the update's own metadata, such as events.

    `before` is the view of this connection before the update, None for the first update.

    >>> one = merge_update(None, {"seq": 1, "room": {"a": 1}, "table": {"b": 2, "players": {"Ana": 3}}, "you": {}})
    >>> merge_update(one, {"seq": 2, "changed": {"table": {"players": {"Bob": 4}}, "you": {"c": 5}}})
    {'seq': 2, 'room': {'a': 1}, 'table': {'b': 2, 'players': {'Ana': 3, 'Bob': 4}}, 'you': {'c': 5}}
    """
    whole = {**({} if before is None else without_update_metadata(before)), **told}
    for name, changed in whole.pop("changed", {}).items():
        now = {**whole[name], **changed}
        if name == "table":
            now["players"] = {**whole[name]["players"], **changed.get("players", {})}
        whole[name] = now
    return whole


def without_update_metadata(update: Mapping[str, Any]) -> dict[str, Any]:
    """Return an update without its metadata, such as events: only what stays part of the view."""
    return {key: value for key, value in update.items() if key not in NEWS}


def add_reference_fields(seen: Mapping[str, Any], command: Mapping[str, Any]) -> dict[str, Any]:
    """Return a client's command with a reference to what it answers: request, deal or question shown in the view.

    The server refuses a command that answers something older.

    >>> seen = {"room": {"fair": {"commitment": "c0ffee"}}, "you": {"request": 7}}
    >>> add_reference_fields(seen, {"t": "act", "action": {"do": "pass"}})
    {'request': 7, 't': 'act', 'action': {'do': 'pass'}}
    >>> add_reference_fields(seen, {"t": "deal_next"})
    {'commitment': 'c0ffee', 't': 'deal_next'}
    """
    room, t = seen["room"], command["t"]
    if t == "act":
        request = seen["you"].get("request")
        return {**command} if request is None else {"request": request, **command}
    if t == "vote":
        return {"vote_id": (room["vote"] or {}).get("id", ""), **command}
    if t == "propose" and command["subject"] == "undo":
        command = {"request": (room["may_undo"] or {}).get("request", 0), **command}
    return (
        {"commitment": room["fair"]["commitment"], **command} if t in ("start", "deal_next", "propose") else {**command}
    )
