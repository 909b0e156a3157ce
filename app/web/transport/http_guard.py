"""A guard in front of uvicorn's HTTP protocol: closes what would cost the server too much, and takes the WebSockets.

uvicorn limits neither connections by address, nor the time for a head, nor its length, nor the framing of a body, nor
how long a client may read nothing. It also takes trailers for headers. So this protocol parses requests first, with
httptools, and hands on the bytes of acceptable ones. It speaks to uvicorn's protocol only as asyncio does, through the
documented methods of protocols and transports. Parsing twice, with the WebSocket layer in `websocket.py`, costs 1.4 %
of the instructions of joining a room (callgrind, 2026-11-27).
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast
from urllib.parse import unquote

import httptools

from app.web.client_address import HEAD_BYTES, Scope
from app.web.http.guards import BODY_SECONDS
from app.web.transport.connections import Serving, plain_response
from app.web.transport.websocket import Wire

HEAD_SECONDS = 10
"""Limit for the head of a request, from the connection or from the first byte of the request."""
CHUNK_BYTES: Final = 8
"""Bytes that may come with each byte of a body: a chunk of one byte has a size and two line ends."""
LINGER_SECONDS = 5
"""How long the rest of a body is read and dropped when the connection is to be closed."""
LINGER_BYTES = 32 * 1024 * 1024
"""Limit for the bytes of such a rest."""
MOST_PIPELINED: Final = 16
"""Limit for requests of one connection that wait for their answers. uvicorn keeps a line of any length: whoever sent
requests faster than it answered filled the memory, and stopped everybody for a second when it was cleared."""
STALLED_SECONDS = 20
"""How long a client may read nothing of an answer that waits for it."""


class HttpGuard(asyncio.Protocol):
    """A connection that speaks HTTP/1.1 with the protocol behind it, until it becomes a WebSocket."""

    transport: asyncio.Transport

    def __init__(self, serving: Serving, inner: Callable[..., asyncio.Protocol], **given: Any) -> None:
        """`inner` makes uvicorn's protocol, of all that uvicorn has `given`."""
        self._serving = serving
        self._loop = asyncio.get_running_loop()
        self._inner: asyncio.Protocol | None = inner(**given)
        """None once the connection is lost, or has become a WebSocket."""
        self._parser: Any = httptools.HttpRequestParser(self)
        # What comes after the last request is ignored. uvicorn parses like this, too.
        self._parser.set_dangerous_leniencies(lenient_data_after_close=True)
        self._counted: str | None = None
        """What this connection is counted under, while it has not become a WebSocket."""
        self._timer: asyncio.TimerHandle | None = None
        """Closes the connection if a head or a body does not come in time."""
        self._stalled: asyncio.TimerHandle | None = None
        self._in_head = True
        self._in_body = False
        self._lingers = False
        """Whether the connection is to be closed at the end of the body."""
        self._dropped = 0
        """Bytes that came since."""
        self._arrived = 0
        """Bytes of a head that is not complete."""
        self._fields = 0
        """Bytes of its address and headers."""
        self._around_body = 0
        """Bytes of the sizes and extensions of chunks, less those that the body may have."""
        self.is_answered = False
        """Whether anything was written since the last request began."""
        self._unanswered = 0
        """Requests whose answers have not begun."""
        self._url = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._handshake: Scope | None = None

    # The connection ---------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a new connection, which has some seconds for its first request, or refuse it."""
        assert self._inner is not None
        self.transport = cast("asyncio.Transport", transport)  # of a TCP connection it is one
        self._inner.connection_made(_InnerTransport(self))
        if self._serving.open_files.accepts(self.transport):
            self._counted = self._serving.counts.enter(self.transport)
        if self._counted is None:
            self.transport.abort()
        else:
            self._wait(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection, and tell the protocol behind."""
        self._stop_waiting()
        self._stop_stalling()
        if self._counted is not None:
            self._serving.counts.leave(self._counted)
        self._detach(exc)

    def _detach(self, exc: Exception | None) -> None:
        """Let go of the protocol behind. Both hold each other, and the parser holds this one."""
        inner, self._inner, self._parser = self._inner, None, None
        if inner is not None:
            inner.connection_lost(exc)

    @property
    def is_detached(self) -> bool:
        """Whether the protocol behind has no longer anything to do with this connection."""
        return self._inner is None

    def pause_writing(self) -> None:
        """The client reads too slowly: what it is sent waits in our memory, but for a limited time."""
        if self._stalled is None:
            self._stalled = self._loop.call_later(STALLED_SECONDS, self.transport.abort)
        if self._inner is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Go on sending: the client has read enough."""
        self._stop_stalling()
        if self._inner is not None:
            self._inner.resume_writing()

    def _stop_stalling(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._timer = self._loop.call_later(seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def note_written(self, head: bytes) -> None:
        """Know that something was written, of which these are the first bytes: an answer begins with its status."""
        self.is_answered = True
        if head.startswith(b"HTTP/1.1 ") and not head.startswith(b"HTTP/1.1 1"):
            self._unanswered -= 1

    def close_after_body(self) -> None:
        """Close the connection, but first read and drop the rest of the body, for a moment.

        The system answers bytes that nobody reads with a reset, which can overtake the answer: proxies then make a 502
        of it.
        """
        if self._inner is None or self._lingers:
            return
        if not self._in_body:
            self.transport.close()
            return
        self._lingers = True
        self._wait(LINGER_SECONDS)
        self.transport.resume_reading()

    # Requests ---------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse bytes, and hand them on if they are acceptable."""
        if self._inner is None or self.transport.is_closing():
            return
        self._arrived = self._arrived + len(data) if self._in_head else 0
        self._around_body = 0 if self._in_head else self._around_body + len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._handshake is not None:
                # It costs more than a message, and a hundred may come at once.
                self.transport.pause_reading()
                self._serving.turns.join(self._become_wire)
                return
        except httptools.HttpParserError:
            self._refuse(400, "Invalid HTTP request received.")
            return
        if self._around_body > HEAD_BYTES:
            # The body itself is limited later, but nobody else sees the extensions of its chunks.
            self.transport.close()
        elif self._in_head and self._arrived > HEAD_BYTES:
            self._refuse(431, "Request Header Fields Too Large")
        elif self._lingers:
            self._dropped += len(data)
            if not self._in_body or self._dropped > LINGER_BYTES:
                self.transport.close()
        else:
            self._inner.data_received(data)

    def _refuse(self, status: int, text: str) -> None:
        """Answer what is no acceptable request, or only close if another answer has begun."""
        if not self.is_answered:
            self.transport.write(plain_response(status, text))
        self.transport.close()

    # Called by the parser. It makes an HttpParserError of any exception here, and that is a 400.

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._url = b""
        self._headers = []
        self._fields = 0
        self._in_head = True
        self.is_answered = False
        if self._timer is None:
            self._wait(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """Take an address, or a part of it."""
        self._add_to_head(len(url))
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; refuse a trailer, which comes after the body.

        A trailer would count as a header: proxies replace `X-Forwarded-For` in the head only, so that anybody could
        claim any address with one.
        """
        if not self._in_head:
            raise ValueError("trailers are not accepted")
        self._add_to_head(len(name) + len(value))
        self._headers.append((name.lower(), value))

    def _add_to_head(self, count: int) -> None:
        self._fields += count
        if self._fields > HEAD_BYTES:
            raise ValueError("the head is too long")

    def on_headers_complete(self) -> None:
        """The head is there; the body has some time, too."""
        self._unanswered += 1
        if self._unanswered > MOST_PIPELINED:
            raise ValueError("too many requests at once")
        self._in_head = False
        self._in_body = True
        self._arrived = 0
        self._wait(BODY_SECONDS + LINGER_SECONDS)  # somewhat longer than the application, which answers
        if self._parser.should_upgrade():
            upgrades = [value.lower() for name, value in self._headers if name == b"upgrade"]
            self._handshake = self._scope() if upgrades == [b"websocket"] else None

    def on_body(self, body: bytes) -> None:
        """Take a part of the body: it may have some framing."""
        self._around_body -= (1 + CHUNK_BYTES) * len(body)

    def on_message_complete(self) -> None:
        """Know that the whole request is there."""
        self._around_body = 0
        self._in_body = False
        self._stop_waiting()

    # WebSockets -------------------------------------------------------------------------------------------------

    def _scope(self) -> Scope:
        """Return the request as ASGI has it."""
        url = httptools.parse_url(self._url)
        peer, local = (self.transport.get_extra_info(name) for name in ("peername", "sockname"))
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": self._parser.get_http_version(),
            "server": tuple(local[:2]) if isinstance(local, tuple) else None,
            "client": tuple(peer[:2]) if isinstance(peer, tuple) else None,
            "scheme": "http",
            "method": self._parser.get_method().decode("ascii"),
            "root_path": "",
            "path": unquote(url.path.decode("ascii")),
            "raw_path": url.path,
            "query_string": url.query or b"",
            "headers": self._headers,
        }

    def _become_wire(self) -> None:
        """Hand the connection over to a WebSocket."""
        key, scope = self._counted, self._handshake
        if key is None or scope is None or self.transport.is_closing():
            return
        self._counted = None
        self._detach(None)
        wire = Wire(self._serving, scope, partial(self._serving.counts.leave, key))
        self.transport.set_protocol(wire)
        self.transport.resume_reading()
        wire.connection_made(self.transport)


class _InnerTransport(asyncio.Transport):
    """The connection as the protocol behind the guard sees it. Nothing comes of it once that one was let go."""

    def __init__(self, guard: HttpGuard) -> None:
        super().__init__()
        self._guard = guard

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._guard.transport.get_extra_info(name, default)

    def is_closing(self) -> bool:
        return self._guard.is_detached or self._guard.transport.is_closing()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._guard.is_detached:
            self._guard.note_written(bytes(data[:10]))
            self._guard.transport.write(data)

    def close(self) -> None:
        self._guard.close_after_body()

    def pause_reading(self) -> None:
        if not self._guard.is_detached:
            self._guard.transport.pause_reading()

    def resume_reading(self) -> None:
        if not self._guard.is_detached:
            self._guard.transport.resume_reading()
