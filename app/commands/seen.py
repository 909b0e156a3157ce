"""What a client sees: the whole picture of a room, put together from updates as docs/protocol.md says."""

from collections.abc import Mapping
from typing import Any

NEWS = ("changed", "events", "earlier", "protocol")
"""What an update says of itself: no part of the picture."""


def merged(before: Mapping[str, Any] | None, told: Mapping[str, Any]) -> dict[str, Any]:
    """Give the picture after an update, with its news; `before` is what this connection was shown until then, None at
    its first.

    >>> one = merged(None, {"seq": 1, "room": {"a": 1}, "table": {"b": 2, "players": {"Ana": 3}}, "you": {}})
    >>> merged(one, {"seq": 2, "changed": {"table": {"players": {"Bob": 4}}, "you": {"c": 5}}})
    {'seq': 2, 'room': {'a': 1}, 'table': {'b': 2, 'players': {'Ana': 3, 'Bob': 4}}, 'you': {'c': 5}}
    """
    whole = {**({} if before is None else picture(before)), **told}
    for name, changed in whole.pop("changed", {}).items():
        now = {**whole[name], **changed}
        if name == "table":
            now["players"] = {**whole[name]["players"], **changed.get("players", {})}
        whole[name] = now
    return whole


def picture(update: Mapping[str, Any]) -> dict[str, Any]:
    """Give what an update says without its news."""
    return {key: value for key, value in update.items() if key not in NEWS}
