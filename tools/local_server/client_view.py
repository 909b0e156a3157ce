"""What a client sees: the whole picture of a room, put together from updates as docs/protocol.md says, and what its
commands answer."""

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


def answering(seen: Mapping[str, Any], command: Mapping[str, Any]) -> dict[str, Any]:
    """Give the command with what it answers: the request, the deal or the question that this picture shows.

    >>> seen = {"room": {"fair": {"commitment": "c0ffee"}}, "you": {"request": 7}}
    >>> answering(seen, {"t": "act", "action": {"do": "pass"}}), answering(seen, {"t": "next"})
    ({'request': 7, 't': 'act', 'action': {'do': 'pass'}}, {'commitment': 'c0ffee', 't': 'next'})
    """
    room, t = seen["room"], command["t"]
    if t == "act":
        request = seen["you"].get("request")
        return {**command} if request is None else {"request": request, **command}
    if t == "consent":
        return {"question": (room["motion"] or {}).get("id", ""), **command}
    if t == "propose" and command["matter"] == "take_back":
        command = {"request": (room["may_take_back"] or {}).get("request", 0), **command}
    return {"commitment": room["fair"]["commitment"], **command} if t in ("start", "next", "propose") else {**command}
