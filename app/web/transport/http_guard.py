"""A guard in front of uvicorn's HTTP protocol: limits costly connections, and takes over WebSocket handshakes.

uvicorn sets no limit for connections by address, the time and length of a request head, chunk framing, or clients that
stop reading. It also accepts trailers as headers. So this protocol parses requests first, with httptools, and passes on
the bytes of acceptable ones. It talks to uvicorn's protocol only as asyncio does, through documented methods of
protocols and transports.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast
from urllib.parse import unquote

import httptools

from app.web.client_address import HEAD_BYTES, Scope
from app.web.http.guards import BODY_SECONDS
from app.web.transport.connections import ServerContext, plain_response
from app.web.transport.websocket import WebSocketConnection

HEAD_SECONDS = 10
"""Seconds a request head may take, from the connection or from the first byte of the request."""
CHUNK_BYTES: Final = 8
"""Framing bytes allowed for each byte of a chunked body: a chunk of one byte has a size and two line ends."""
PIECE_BYTES: Final = 1024
"""Bytes that are parsed at a time. A limit is exceeded by at most this number, however much comes at once."""
LINGER_SECONDS = 5
"""Seconds during which the rest of a body is read and dropped before the connection closes."""
LINGER_BYTES = 32 * 1024 * 1024
"""Limit for the bytes of a body that are read and dropped before the connection closes."""
MAX_PIPELINED: Final = 16
"""Limit for unanswered requests of one connection. uvicorn's own queue has no limit: a client that pipelined fast
filled the memory, and clearing it stopped the server for a second."""
STALLED_SECONDS = 20
"""Seconds a client may stop reading while a response waits for it."""


class HttpGuard(asyncio.Protocol):
    """One HTTP/1.1 connection in front of uvicorn's protocol: enforces limits, until it becomes a WebSocket."""

    transport: asyncio.Transport

    def __init__(self, serving: ServerContext, inner: Callable[..., asyncio.Protocol], **given: Any) -> None:
        """Create uvicorn's protocol with `inner(**given)`; uvicorn passes `given`."""
        self._serving = serving
        self._loop = asyncio.get_running_loop()
        self._inner: asyncio.Protocol | None = inner(**given)
        """None once the connection is lost, or has become a WebSocket."""
        self._parser: Any = httptools.HttpRequestParser(self)
        # Ignore data after the last request, as uvicorn does.
        self._parser.set_dangerous_leniencies(lenient_data_after_close=True)
        self._counted: str | None = None
        """The key this connection is counted under, or None; a WebSocket takes it over."""
        self._timer: asyncio.TimerHandle | None = None
        """Closes the connection if a head or a body does not come in time."""
        self._stalled: asyncio.TimerHandle | None = None
        self._in_head = True
        self._in_body = False
        self._is_discarding_body = False
        """Whether the connection is to be closed at the end of the body."""
        self._dropped = 0
        """Bytes dropped since then."""
        self._framing_bytes = 0
        """Bytes of the request so far: of its head, and of its body the chunk sizes and extensions above what the body
        may have."""
        self.is_answered = False
        """Whether a response has begun since the last request began."""
        self._unanswered = 0
        """Number of requests whose responses have not begun."""
        self._url = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._handshake: Scope | None = None

    # The connection ---------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a new connection and start the timer for the request's head; abort it if a limit is reached.

        The limits are for connections by address and for open files.
        """
        assert self._inner is not None
        self.transport = cast("asyncio.Transport", transport)  # a TCP connection has this type
        self._inner.connection_made(_InnerTransport(self))
        if self._serving.open_files.has_descriptor_for(self.transport):
            self._counted = self._serving.counts.acquire(self.transport)
        if self._counted is None:
            self.transport.abort()
        else:
            self._close_after(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up after a connection has ended: cancel timers, stop counting it, and tell uvicorn's protocol."""
        self._cancel_close_timer()
        self._cancel_stall_timer()
        if self._counted is not None:
            self._serving.counts.release(self._counted)
        self._detach_inner_protocol(exc)

    def _detach_inner_protocol(self, exc: Exception | None) -> None:
        """Drop uvicorn's protocol and the parser, which form reference cycles, and tell the protocol of its end.

        Called when the connection is lost or becomes a WebSocket. `exc` is the error that ended it, if any.
        """
        inner, self._inner, self._parser = self._inner, None, None
        if inner is not None:
            inner.connection_lost(exc)

    @property
    def is_detached(self) -> bool:
        """Whether uvicorn's protocol no longer serves this connection: it has ended or became a WebSocket."""
        return self._inner is None

    def pause_writing(self) -> None:
        """Make uvicorn stop writing, as the client reads too slowly.

        The connection is aborted if the client reads nothing for `STALLED_SECONDS`.
        """
        if self._stalled is None:
            self._stalled = self._loop.call_later(STALLED_SECONDS, self.transport.abort)
        if self._inner is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Let uvicorn write again, as the client has read enough, and cancel the abort for stalled clients."""
        self._cancel_stall_timer()
        if self._inner is not None:
            self._inner.resume_writing()

    def _cancel_stall_timer(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _close_after(self, seconds: float) -> None:
        self._cancel_close_timer()
        self._timer = self._loop.call_later(seconds, self.transport.close)

    def _cancel_close_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def count_response_start(self, head: bytes) -> None:
        """Note that uvicorn writes bytes that begin with `head`; a status line other than 1xx starts a response.

        So the number of unanswered requests is known, which is limited.
        """
        self.is_answered = True
        if head.startswith(b"HTTP/1.1 ") and not head.startswith(b"HTTP/1.1 1"):
            self._unanswered -= 1

    def close_after_body(self) -> None:
        """Close the connection, after reading and dropping the rest of the request body for up to `LINGER_SECONDS`.

        The system answers unread bytes with a reset, which can overtake the response. A proxy then reports a 502.
        """
        if self._inner is None or self._is_discarding_body:
            return
        if not self._in_body:
            self.transport.close()
            return
        self._is_discarding_body = True
        self._close_after(LINGER_SECONDS)
        self.transport.resume_reading()

    # Requests ---------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Check received bytes with a parser, and pass them to uvicorn's protocol if they are acceptable.

        Bad or too long requests get an error or are cut off. A WebSocket handshake replaces this protocol.
        """
        if self._inner is None or self.transport.is_closing():
            return
        try:
            for at in range(0, len(data), PIECE_BYTES):
                piece = data[at : at + PIECE_BYTES]
                self._framing_bytes += len(piece)
                self._parser.feed_data(piece)
                if self._framing_bytes > HEAD_BYTES:
                    self._respond_and_close(431, "Request Header Fields Too Large")
                    return
        except httptools.HttpParserUpgrade:
            if self._handshake is not None:
                # A handshake costs more than a message, and a hundred may come at once.
                self.transport.pause_reading()
                self._serving.turns.schedule(self._upgrade_to_websocket)
                return
        except httptools.HttpParserError:
            self._respond_and_close(400, "Invalid HTTP request received.")
            return
        if self._is_discarding_body:
            self._dropped += len(data)
            if not self._in_body or self._dropped > LINGER_BYTES:
                self.transport.close()
        else:
            self._inner.data_received(data)

    def _respond_and_close(self, status: int, text: str) -> None:
        """Send a plain error response and close the connection; only close it if a response has begun."""
        if not self.is_answered:
            self.transport.write(plain_response(status, text))
        self.transport.close()

    # Called by the parser. It makes an HttpParserError of any exception here, and that is a 400.

    def on_message_begin(self) -> None:
        """Called by the parser when a request begins: reset what is known of the last, and start the head timer."""
        self._url = b""
        self._headers = []
        self._in_head = True
        self.is_answered = False
        if self._timer is None:
            self._close_after(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """Called by the parser with a part of the request's address: collect it."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by the parser with a header: collect it.

        Trailers (headers after the body) raise `ValueError`. uvicorn treats a trailer as a header. Proxies replace
        `X-Forwarded-For` in the head only, so with a trailer any client could claim any address.
        """
        if not self._in_head:
            raise ValueError("trailers are not accepted")
        self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Called by the parser after a request's headers: start the body timer, and note a WebSocket handshake.

        Too many unanswered requests raise `ValueError`, as do other versions of HTTP, and other encodings of a body
        than one `chunked`: the parser accepts some of these, and would not read them as their sender means.
        """
        if self._parser.get_http_version() not in ("1.1", "1.0"):
            raise ValueError("only HTTP/1.1 and HTTP/1.0 are spoken")
        encodings = [value.strip().lower() for name, value in self._headers if name == b"transfer-encoding"]
        if encodings not in ([], [b"chunked"]):
            raise ValueError("a body can only be chunked")
        self._unanswered += 1
        if self._unanswered > MAX_PIPELINED:
            raise ValueError("too many requests at once")
        self._in_head = False
        self._in_body = True
        self._close_after(BODY_SECONDS + LINGER_SECONDS)  # longer than the application's own limit
        if self._parser.should_upgrade():
            upgrades = [value.lower() for name, value in self._headers if name == b"upgrade"]
            self._handshake = self._build_asgi_scope() if upgrades == [b"websocket"] else None

    def on_body(self, body: bytes) -> None:
        """Called by the parser with a part of a request body: allow some framing bytes for it.

        Chunked bodies with more framing than that are cut off.
        """
        self._framing_bytes -= (1 + CHUNK_BYTES) * len(body)

    def on_message_complete(self) -> None:
        """Called by the parser when a request is complete: stop the timer for its body."""
        self._framing_bytes = 0
        self._in_body = False
        self._cancel_close_timer()

    # WebSockets -------------------------------------------------------------------------------------------------

    def _build_asgi_scope(self) -> Scope:
        """Return the parsed request as an ASGI scope, with which a WebSocket starts."""
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

    def _upgrade_to_websocket(self) -> None:
        """Hand the connection over to a new `WebSocketConnection`, which replaces this protocol.

        Does nothing if the connection is closing.
        """
        key, scope = self._counted, self._handshake
        if key is None or scope is None or self.transport.is_closing():
            return
        self._counted = None
        self._detach_inner_protocol(None)
        wire = WebSocketConnection(self._serving, scope, partial(self._serving.counts.release, key))
        self.transport.set_protocol(wire)
        self.transport.resume_reading()
        wire.connection_made(self.transport)


class _InnerTransport(asyncio.Transport):
    """The transport that uvicorn's protocol gets instead of the real one, so that the guard sees what it writes.

    Writes are ignored once that protocol is detached.
    """

    def __init__(self, guard: HttpGuard) -> None:
        super().__init__()
        self._guard = guard

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._guard.transport.get_extra_info(name, default)

    def is_closing(self) -> bool:
        return self._guard.is_detached or self._guard.transport.is_closing()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._guard.is_detached:
            self._guard.count_response_start(bytes(data[:10]))
            self._guard.transport.write(data)

    def close(self) -> None:
        self._guard.close_after_body()

    def pause_reading(self) -> None:
        if not self._guard.is_detached:
            self._guard.transport.pause_reading()

    def resume_reading(self) -> None:
        if not self._guard.is_detached:
            self._guard.transport.resume_reading()
