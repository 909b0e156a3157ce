"""uvicorn, with what it leaves open closed, and with a way to leave politely. Knows nothing of rooms.

Closed here: more connections than one address may have, those that say nothing or never finish their head, heads
without end, and peers that stop reading and would keep an answer for good. WebSockets are the business of `wire.py`.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from functools import partial
from types import FrameType
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.settings import Network, Settings
from app.web import handshake
from app.web.address import HEAD_BYTES, Scope, client_key, comes_from
from app.web.open_files import OpenFiles, allowed_files
from app.web.outbox import Outbox
from app.web.turns import Turns
from app.web.wire import Wire, WireConfig

HEAD_SECONDS = 10
"""Until the head of a request must be there, counted from the connection or from the request's first byte."""
CHUNK_BYTES = 8
"""Bytes that may come with each byte of a body: a chunk of one byte has a size and two line ends."""
CONNECTIONS_PER_SOCKET = 8
"""Browsers load a page over several connections, and keep them for a while beside the socket."""
LINGER_SECONDS = 5
"""After an answer that came before the end of a body: how long the rest is read and dropped."""
LINGER_BYTES = 32 * 1024 * 1024
"""Most bytes of such a rest."""
STALLED_SECONDS = 20
"""How long somebody may take nothing of an answer that waits for them."""


class ConnectionCounts:
    """Connections by the address they come from, and how many one address may have; trusted proxies any number."""

    def __init__(self, most: int, proxies: Iterable[Network]) -> None:
        self._most = most
        self._proxies = tuple(proxies)
        self._open: Counter[str] = Counter()

    def enter(self, transport: Any) -> str | None:
        """Who came, to be told when they go; None if they may not come in."""
        scope = {"client": transport.get_extra_info("peername") or None}
        who = client_key(scope)
        if self._open[who] >= self._most and not comes_from(scope, self._proxies):
            return None
        self._open[who] += 1
        return who

    def leave(self, who: str) -> None:
        """Count one connection less for this address."""
        self._open[who] -= 1
        if not self._open[who]:
            del self._open[who]


class Envelope:
    """Takes an answer for a connection. Its head goes out with the first of its body, in one packet; or, if there is
    nothing of that yet, with the next turn of the loop."""

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]) -> None:
        """`close` is called when the whole answer is sent and the connection is to be closed."""
        self._transport = transport
        self._close = close
        self._head: bytes | None = None
        """What was written first, as long as it waits."""
        self._began = False

    def write(self, data: bytes) -> None:
        """Send this, after the head."""
        if not self._began:
            self._began, self._head = True, data
            asyncio.get_running_loop().call_soon(self._send_head)
        elif self._head is None:
            self._transport.write(data)
        else:
            head, self._head = self._head, None
            self._transport.writelines((head, data))

    def close(self) -> None:
        """Close the connection once all of it is sent."""
        self._send_head()
        self._close()

    def is_closing(self) -> bool:
        """Whether nothing more can be sent."""
        return self._transport.is_closing()

    def _send_head(self) -> None:
        head, self._head = self._head, None
        if head is not None and not self._transport.is_closing():
            self._transport.write(head)


class GuardedConfig(WireConfig):
    """uvicorn's settings, the counts of connections that each address has, and the limit of open files."""

    counts: ConnectionCounts
    open_files: OpenFiles


class GuardedHttp(HttpToolsProtocol):
    """HTTP/1.1 that must get to its point."""

    config: GuardedConfig
    _who: str | None = None
    """The address that is counted, as long as this protocol has the connection."""

    _timer: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _arrived = 0
    """Bytes of a head that is not complete yet."""
    _fields = 0
    """Bytes of its address and headers."""
    _head_open = True
    _around_body = 0
    """Bytes of the sizes and extensions of chunks, less those that the body may have."""
    _upgraded = False
    _lingering: asyncio.TimerHandle | None = None
    """Closes a connection whose answer is sent and whose request is not complete."""
    _dropped = 0
    """Bytes of the body that came since."""

    def connection_made(self, transport: Any) -> None:
        """Take a new connection, which has some seconds for its first request, or refuse it."""
        super().connection_made(transport)
        if not self.config.open_files.accepts(transport):
            transport.abort()
            return
        self._who = self.config.counts.enter(transport)
        if self._who is None:
            transport.abort()
        else:
            self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's place among those of its address."""
        self._disarm()
        if self._lingering is not None:
            self._lingering.cancel()
        if self._who is not None:
            self.config.counts.leave(self._who)
        self.resume_writing()
        super().connection_lost(exc)
        if self.cycle is not None:
            # The envelope holds this object: without it nothing of a closed connection waits for the garbage collector.
            self.cycle.transport = self.transport

    def pause_writing(self) -> None:
        """They read too slowly: what they are sent waits in our memory, but not for ever."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on sending: the peer has read enough."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def data_received(self, data: bytes) -> None:
        """Parse bytes; refuse a head that has become too long or too old, and a body with endless chunk extensions."""
        self._arrived = self._arrived + len(data) if self._head_open else 0
        self._around_body = 0 if self._head_open else self._around_body + len(data)
        super().data_received(data)
        if self._upgraded or self.transport.is_closing():
            return
        if self._around_body > HEAD_BYTES:
            # Guards limit the body itself, but don't see the extensions of its chunks.
            self.transport.close()
            return
        answering = getattr(self.cycle, "response_complete", True) is False
        if self._head_open or not answering:
            self._arm()
            if self._arrived > HEAD_BYTES:
                self._refuse_head()

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        super().on_message_begin()
        self._fields = 0
        self._head_open = True

    def on_url(self, url: bytes) -> None:
        """Take in an address, or a part of it."""
        self._add_to_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header to the request; refuse a trailer, which comes after the body.

        A trailer would count as a header: proxies replace `X-Forwarded-For` in the head only, so that anybody could
        claim any address with one.
        """
        if not self._head_open:
            raise ValueError("trailers are not accepted")  # httptools makes it a 400
        self._add_to_head(len(name) + len(value))
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """Take in a part of the body, or drop it if the answer is sent."""
        self._around_body -= (1 + CHUNK_BYTES) * len(body)
        if self._lingering is not None:
            self._dropped += len(body)
            if self._dropped > LINGER_BYTES:
                self.transport.close()
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the whole body is there."""
        super().on_message_complete()
        self._around_body = 0
        if self._lingering is not None:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP; close only, if another answer is on its way on this connection."""
        if getattr(self.cycle, "response_started", False) and not self.cycle.response_complete:
            self.transport.close()
        else:
            super().send_400_response(msg)

    def _add_to_head(self, count: int) -> None:
        self._fields += count
        if self._fields > HEAD_BYTES:
            raise ValueError("too much head")  # httptools makes it a 400

    def on_headers_complete(self) -> None:
        """The head is there; the body is the guards' business."""
        self._disarm()
        self._head_open = False
        self._arrived = 0
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:  # a request, and no handshake
            self.cycle.transport = cast("asyncio.Transport", Envelope(self.transport, self._close_after_body))

    def _close_after_body(self) -> None:
        """Close the connection, but first read and drop the rest of the body, for a moment.

        The system answers bytes that nobody reads with a reset, which can overtake the answer: proxies then make a 502
        of it.
        """
        if not self.cycle.more_body or self._lingering is not None:
            self.transport.close()
            return
        self._lingering = self.loop.call_later(LINGER_SECONDS, self.transport.close)
        self.flow.resume_reading()

    def handle_websocket_upgrade(self) -> None:
        """Stand in line for a handshake: it costs more than a message, and a hundred may be asked for at once."""
        self._disarm()
        self._upgraded = True
        self.transport.pause_reading()
        self.config.turns.join(self._upgrade)

    def _upgrade(self) -> None:
        """From here on another protocol has the connection."""
        if self.transport.is_closing():
            return
        self.transport.resume_reading()
        answer = handshake.answer(cast("Scope", self.scope), self.url)
        if answer is None:
            super().handle_websocket_upgrade()
        else:
            self._hand_over(answer)
        wire = self.transport.get_protocol()
        if isinstance(wire, Wire) and self._who is not None:
            wire.released, self._who = partial(self.config.counts.leave, self._who), None
        del self.parser  # each holds the other, and nobody else this one

    def _hand_over(self, answer: bytes) -> None:
        """Let a wire have the connection, with a handshake that is answered so."""
        self.connections.discard(self)
        wire = Wire(self.config, self.server_state, self.app_state)
        wire.connection_made(self.transport)
        self.transport.set_protocol(wire)
        wire.begin(handshake.scope(cast("Scope", self.scope), self.url), answer)

    def _arm(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._too_slow)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()

    def _refuse_head(self) -> None:
        self._disarm()
        self.transport.write(b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\r\n")
        self.transport.close()


class Server(uvicorn.Server):
    """On SIGTERM or Ctrl+C: first `drain`, while everything still works, then uvicorn's own end. Twice: at once.

    All of it happens inside `life`. uvicorn's own way to begin and end, lifespan, would swallow why there is no
    beginning, and log it as a mistake of ours.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        life: Callable[[], AbstractAsyncContextManager[None]],
        drain: Callable[[], Awaitable[None]],
        ready: Callable[[int], None] = lambda port: None,
    ) -> None:
        super().__init__(config)
        self._life = life
        self._drain = drain
        self._ready = ready
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving: asyncio.Task[None] | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn does, inside the life of what is served."""
        with self.capture_signals():
            async with self._life():
                await self._serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn does; then `ready` is told the port."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started:
            self._ready(self.port)

    @property
    def port(self) -> int:
        """The port we listen on, also where the system chose it."""
        return int(self.servers[0].sockets[0].getsockname()[1])

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal came. It is not raised again afterwards: leaving when told to is no failure."""
        if self._loop is None or self._leaving is not None:
            self.should_exit = self.force_exit = True
        else:
            self._loop.call_soon_threadsafe(self.leave)

    def leave(self) -> None:
        """Begin to stop the server."""
        if self._leaving is None:
            self._leaving = asyncio.get_running_loop().create_task(self._leave())

    async def _leave(self) -> None:
        try:
            await self._drain()
        finally:
            self.should_exit = True


def config(
    app: Any,
    settings: Settings,
    outbox: Outbox | None = None,
    not_accepted: Callable[[], None] = lambda: None,
) -> GuardedConfig:
    """Return the settings of uvicorn, in production as in tests.

    `outbox` takes what is said over sockets; `not_accepted` counts connections for which no file could be opened.
    """
    made = GuardedConfig(
        app,
        loop="auto",
        http=GuardedHttp,
        ws=Wire,
        ws_max_size=settings.limits.message_bytes,
        ws_per_message_deflate=False,  # halves what a core can carry
        lifespan="off",  # see Server
        proxy_headers=False,  # guards.py knows whom to believe
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=10,
    )
    made.turns, made.outbox = Turns(), outbox or Outbox()
    made.open_files = OpenFiles(allowed_files(), not_accepted)
    made.counts = ConnectionCounts(
        settings.limits.sockets_per_address * CONNECTIONS_PER_SOCKET, settings.trusted_proxies
    )
    return made
