"""The handshake of a WebSocket, out of a request's head that has been taken apart already.

`websockets` would take it apart once more. It judges those that are odd in any way, and knows how to refuse them.
"""

import re
from typing import Any, Final
from urllib.parse import unquote

from websockets.utils import accept_key

from app.web.address import Scope

_KEY: Final = re.compile(rb"[A-Za-z0-9+/]{22}==")
_BODY: Final = frozenset({b"content-length", b"transfer-encoding"})


def answer(request: Scope, url: bytes) -> bytes | None:
    """What accepts it; None if it is an odd one."""
    headers = dict(request["headers"])
    key = headers.get(b"sec-websocket-key", b"")
    if (
        request["method"] != "GET"
        or request["http_version"] != "1.1"
        or not url.isascii()
        or len(headers) < len(request["headers"])  # something is said twice
        or not headers.keys().isdisjoint(_BODY)
        or headers.get(b"sec-websocket-version") != b"13"
        or not _KEY.fullmatch(key)
    ):
        return None
    return (
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accept_key(key.decode())}\r\n\r\n"
    ).encode()


def scope(request: Scope, url: bytes) -> dict[str, Any]:
    """The same as applications know it."""
    path, _, query = url.partition(b"?")
    return {
        **request,
        "type": "websocket",
        "scheme": "wss" if request["scheme"] == "https" else "ws",
        "path": unquote(path.decode()),
        "raw_path": path,
        "query_string": query,
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}},
    }
