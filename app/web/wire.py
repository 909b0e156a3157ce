"""One WebSocket: whole messages go to whoever listens, texts go out as frames. Knows nothing of rooms.

Whoever listens is called: no message has a queue, a task or a future of its own. They get one message and say when they
are ready for the next; of what else arrives a few messages wait, and then nothing more is read. Nearly every message is
a whole text in one short frame, and that is taken apart here; `websockets` has the handshake and every other frame.

Closed here: floods of pings, messages in endless empty fragments, and peers that stop reading.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol, cast

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State
from websockets.utils import apply_mask

PINGS_PER_SECOND = 5
MOST_FRAGMENTS = 64
"""Frames in one message: a few kilobytes never need more."""
MEASURE_SECONDS = 1
"""Until it is measured for the first time how long a line takes; later every ping tells that."""
LINGER_SECONDS = 5
"""How long a peer may take to read what was said last."""
MOST_WAITING: Final = 8
"""Messages of one socket that may wait to be looked at; then no more is read from it."""
FRAMES_AT_ONCE: Final = 32
"""Frames of one socket that are looked at before others have their turn."""
EXTENSION: Final = "pecking_order.wire"
"""Where an application finds its wire among the extensions of a scope."""

_FINAL, _RESERVED, _OPCODE, _TEXT = 0x80, 0x70, 0x0F, 0x01
_MASKED, _LENGTH = 0x80, 0x7F
_WHOLE_TEXT = _FINAL | _TEXT
_MASK = 4
"""Bytes of the mask, which what a client says always has."""


class Listener(Protocol):
    """Whoever has the other end of a wire. It is called on the event loop, and never from within a call of its own."""

    def heard(self, text: str | None) -> None:
        """Take a message, None for one that is no text. The next comes after `Wire.ready`."""
        ...

    def drained(self) -> None:
        """Go on writing what may be left out: the peer has read enough."""
        ...

    def lost(self) -> None:
        """Know that nobody is there any more. Called once, unless this side has ended it."""
        ...


def wire_of(scope: Any) -> "Wire":
    """The wire that a handshake's scope belongs to."""
    wire: Wire = scope["extensions"][EXTENSION]["wire"]
    return wire


class _Nobody:
    """Takes the place of the queue and of the event by which an application that has returned would hear."""

    def put_nowait(self, event: object) -> None:
        """Forget it: what it says, the listener is told otherwise."""

    def set(self) -> None:
        """Wake nobody."""

    def clear(self) -> None:
        """Let nobody wait."""


_NOBODY: Final = cast("Any", _Nobody())


class Wire(WebSocketsSansIOProtocol):
    """A WebSocket after its handshake: `listen`, `ready`, `texts`, `end`.

    The application answers the handshake, hands over a listener, and returns. What came before that is kept for it.
    """

    released: Callable[[], None] | None = None
    """Called once, when the connection is gone."""
    is_blocked = False
    """Whether they read too slowly, so that nothing more should be written now than has to be."""
    lag = 0.0
    """Seconds from here to the peer and back: at once as slow as an answer was, and only slowly as fast."""
    _listener: Listener | None = None
    _ready = False
    """Whether whoever listens would take a message now."""
    _within = False
    """Whether a message has begun that other frames go on with."""
    _rest = b""
    """What has been read and not been looked at: a part of a frame, or more than may wait."""
    _pings = 0
    _pings_since = 0.0
    _fragments = 0

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._waiting: list[str | None] = []

    # The handshake, which is ASGI's -----------------------------------------------------------------------------

    def handle_connect(self, event: Request) -> None:
        """A handshake: whoever answers it may have the wire."""
        super().handle_connect(event)
        if not self.close_sent:
            cast("dict[str, Any]", self.scope["extensions"])[EXTENSION] = {"wire": self}

    async def send(self, message: Any) -> None:
        """As uvicorn does; once the handshake is accepted, what has come meanwhile is looked at."""
        await super().send(message)
        if message["type"] == "websocket.accept":
            self._read_on()

    async def run_asgi(self) -> None:
        """Let the application answer. If somebody listens then, or a goodbye is on its way, the wire outlives it."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            self.logger.exception("the answer to a handshake failed")
            self._fail(1011, "")
        self.send_500_response()  # if there was no other
        if self._listener is None and self.close_timer is None:
            self.transport.close()

    # For whoever listens ----------------------------------------------------------------------------------------

    def listen(self, listener: Listener) -> None:
        """Let somebody listen from now on. They get the first message when they are `ready`.

        What only the handshake needed is let go of: a socket may be open for hours.
        """
        self._listener = listener
        self.queue = self.writable = _NOBODY
        self.request.headers.clear()  # websockets holds on to it
        del self.scope, self.request, self.response
        if not self._is_open:
            self._over()

    def ready(self) -> None:
        """Take the next message, as soon as there is one.

        One that waits comes with the next turn of the loop: who sends many makes nobody else wait.
        """
        self._ready = True
        if self._waiting:
            self.loop.call_soon(self._next)

    def texts(self, *encoded: bytes) -> None:
        """Write texts, encoded already, each in a frame of its own and all at once; to nobody if nobody is there."""
        if encoded and self._is_open:
            self.transport.write(b"".join([part for text in encoded for part in (_head(len(text)), text)]))

    def end(self, code: int, reason: str = "", last_word: bytes | None = None) -> None:
        """Say a last word and close. Whoever does not answer that, or does not even read it, is dropped soon."""
        self._listener = None
        if not self._is_open:
            return
        if last_word is not None:
            self.texts(last_word)
        self.conn.send_close(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)
        self.loop.call_later(self.close_timeout, self._linger)
        self._waiting.clear()
        self.loop.call_soon(self._read_on)  # for their goodbye

    @property
    def _is_open(self) -> bool:
        return self.conn.state is State.OPEN and not (self.close_sent or self.disconnected)

    # What arrives -----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Bytes: frames, and parts of some."""
        self._rest = self._rest + data if self._rest else data
        self._read_on()

    def _read_on(self) -> None:
        """Look at what has arrived, frame by frame, as long as there may wait more."""
        if self.disconnected:
            return
        if self.conn.state is State.CONNECTING and self.handshake_initiated:
            self._hold(True)  # nothing may be said before the answer
            return
        data, at, frames = self._rest, 0, 0
        while at < len(data) and len(self._waiting) < MOST_WAITING and frames < FRAMES_AT_ONCE:
            end = _end_of_frame(data, at, self.config.ws_max_size) if self.handshake_initiated else len(data)
            if end is None:
                break
            text = _short_text(data, at, end) if self._is_open and not self._within else None
            if text is not None:
                self._heard(text)
            else:
                super().data_received(data[at:end])
            at, frames = end, frames + 1
        self._rest = data[at:]
        if frames == FRAMES_AT_ONCE:
            self.loop.call_soon(self._read_on)
        self._hold(frames == FRAMES_AT_ONCE or len(self._waiting) >= MOST_WAITING)

    def _hold(self, hold: bool) -> None:
        """Read no more from them, or do again."""
        if hold != self.read_paused and not self.transport.is_closing():
            self.read_paused = hold
            (self.transport.pause_reading if hold else self.transport.resume_reading)()

    def _heard(self, text: str | None) -> None:
        if self._listener is not None and self._ready and not self._waiting and not self.is_blocked:
            self._ready = False
            self._listener.heard(text)
        else:
            self._waiting.append(text)

    def _next(self) -> None:
        """Hand on the first message that waits, unless they do not read what they are answered."""
        if self._listener is None or not self._ready or not self._waiting or self.is_blocked:
            return
        self._ready = False
        text = self._waiting.pop(0)
        if not self._waiting:
            self._read_on()
        if self._listener is not None:
            self._listener.heard(text)

    def pause_writing(self) -> None:
        """They read too slowly: leave out what may be left out."""
        super().pause_writing()
        self.is_blocked = True

    def resume_writing(self) -> None:
        """Go on sending: the peer has read enough."""
        super().resume_writing()
        self.is_blocked = False
        if self._listener is not None:
            self._listener.drained()
        self._next()

    # Messages in several frames, and what is none ---------------------------------------------------------------

    def handle_text(self, event: Frame) -> None:
        """Take in a message, or its first part."""
        self._begins(event)
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Take in a message that is no text, or its first part."""
        self._begins(event)
        super().handle_bytes(event)

    def _begins(self, event: Frame) -> None:
        self._fragments = 1
        self._within = not event.fin

    def handle_cont(self, event: Frame) -> None:
        """Take in another part of a message."""
        self._fragments += 1
        self._within = not event.fin
        if self._fragments > MOST_FRAGMENTS:
            self._fail(1008, "too many fragments")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Hand on a message that is whole now."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        if self.curr_msg_data_type != "text":
            self._heard(None)
            return
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self._fail(1007, "that is no UTF-8")
        else:
            self._heard(text)

    def handle_ping(self) -> None:
        """Answered, unless there are too many."""
        now = self.loop.time()
        if now - self._pings_since > 1:
            self._pings_since, self._pings = now, 0
        self._pings += 1
        if self._pings > PINGS_PER_SECOND:
            self._fail(1008, "too many pings")
        else:
            super().handle_ping()

    # How long the line takes -------------------------------------------------------------------------------------

    def start_keepalive(self) -> None:
        """Ask again and again whether it lives; and soon how long its line takes."""
        super().start_keepalive()
        self.loop.call_later(MEASURE_SECONDS, self._measure)

    def _measure(self) -> None:
        """Ping, and wait for nothing: whoever does not answer is not gone yet."""
        if self._is_open and self.pending_ping_payload is None:
            self.pending_ping_payload, self.ping_sent_at = b"lag", self.loop.time()
            self.conn.send_ping(self.pending_ping_payload)
            self.transport.write(b"".join(self.conn.data_to_send()))

    def handle_pong(self, event: Frame) -> None:
        """It lives. If this answers our ping, it says how long the line takes, too."""
        asked = self.pending_ping_payload
        super().handle_pong(event)
        if asked is not None and self.pending_ping_payload is None:
            self.lag = max(self.last_ping_rtt, (self.lag + self.last_ping_rtt) / 2)

    # The end ----------------------------------------------------------------------------------------------------

    def handle_close(self, event: Frame) -> None:
        """They say goodbye, or answer ours."""
        super().handle_close(event)
        self._over()

    def handle_parser_exception(self) -> None:
        """They break the rules, and `websockets` has said so."""
        super().handle_parser_exception()
        self._over()

    def keepalive_timeout(self) -> None:
        """No answer to our ping: it is gone, whatever its network says."""
        super().keepalive_timeout()
        self._over()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's place among those of its address, and tell whoever listens."""
        super().connection_lost(exc)
        if self.released is not None:
            self.released()
        self._over()

    def _fail(self, code: int, reason: str) -> None:
        if self.conn.state is not State.OPEN or self.close_sent:
            return
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.close()
        self._over()

    def _over(self) -> None:
        """Nobody is there any more; what they have not read by then is dropped soon."""
        listener, self._listener = self._listener, None
        self._waiting.clear()
        self._linger()
        if listener is not None:
            listener.lost()

    def _linger(self) -> None:
        if not self.disconnected:
            self.loop.call_later(LINGER_SECONDS, self._abort)

    def _abort(self) -> None:
        if not self.disconnected:
            self.transport.abort()


def _head(length: int) -> bytes:
    """What stands before so many bytes of text: the whole message, unmasked."""
    if length < 126:
        return bytes((_WHOLE_TEXT, length))
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2)
    return b"\x81\x7f" + length.to_bytes(8)


def _end_of_frame(data: bytes, at: int, longest: int) -> int | None:
    """Where the frame ends that begins here; None if some of it is still to come.

    What is no frame, or too long a one, is not waited for: all there is of it is for `websockets` to refuse.
    """
    if len(data) < at + 2:
        return None
    if data[at] & _RESERVED or not data[at + 1] & _MASKED:
        return len(data)
    length, head = data[at + 1] & _LENGTH, at + 2
    if length > 125:
        more = 2 if length == 126 else 8
        if len(data) < head + more:
            return None
        length, head = int.from_bytes(data[head : head + more]), head + more
    if length > longest:
        return len(data)
    end = head + _MASK + length
    return end if end <= len(data) else None


def _short_text(data: bytes, at: int, end: int) -> str | None:
    """The text of a whole frame, if it is short and a message of its own; None if it is anything else."""
    if data[at] != _WHOLE_TEXT or end - at != 2 + _MASK + (data[at + 1] & _LENGTH):
        return None
    try:
        return apply_mask(data[at + 2 + _MASK : end], data[at + 2 : at + 2 + _MASK]).decode()
    except UnicodeDecodeError:
        return None
