"""One WebSocket connection: passes whole messages to a listener and sends texts as frames. Knows nothing of rooms.

`websockets` (its sans-I/O layer) judges the handshake and parses all frames except short texts. This class moves the
bytes and protects the server. It passes messages to a listener callback, without a queue, task or future for each
message. The listener gets one message and says when it is ready for the next. At most `MAX_QUEUED_MESSAGES` wait; then
reading pauses.

Clients must have read earlier texts before they are sent much more: a ping goes along, and the pong confirms. A full
socket buffer only tells what the next machine has taken. Megabytes that wait there, on a slow line, would be shown
before the newest state. The same pongs show which clients have stopped reading or are gone.

uvicorn's own WebSocket support is not used: it is slower (docs/measurements/server.md), and hides pongs, which are
needed to know what clients have read.

The connection is closed for floods of control frames, endless empty fragments, data after a close frame, and clients
that stop reading.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable
from typing import Any, Final, Protocol, cast

import structlog
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import BytesLike

from app.web.client_address import Scope, client_key
from app.web.http.guards import Message
from app.web.transport.connections import ServerContext, date_header, plain_response, response_head

ODD_AT_ONCE = 64
"""Burst limit for frames other than whole texts, such as pings and fragments. Answers to our pings don't count."""
CONTROL_FRAMES_PER_SECOND = 10
"""Long-term limit for frames other than whole texts."""
MAX_FRAGMENTS = 64
"""Limit for the frames of one message: a message of a few kilobytes never needs more."""
MEASURE_SECONDS = 1
"""Seconds until the first ping, even if little was sent: it measures the round-trip time."""
MAX_BYTES_AFTER_CLOSE: Final = 16 * 1024
"""Limit for bytes that are searched for the client's close frame after ours was sent."""
MAX_DROPPED_BYTES: Final = 1024 * 1024
"""Limit for bytes that are read and dropped after both close frames, or after an error."""
CLOSE_SECONDS = 10
"""Seconds a client may take to answer our close frame."""
LINGER_SECONDS = 5
"""Seconds a client may take to read the last bytes before the connection is aborted."""
MAX_QUEUED_MESSAGES: Final = 8
"""Limit for the queued messages of one socket. When it is reached, reading from the socket pauses."""
FRAMES_AT_ONCE: Final = 4
"""Frames of one socket that are parsed before other sockets get their turn."""
MAX_UNREAD_BYTES: Final = 8 * 1024
"""Limit for unconfirmed bytes. Above it, only necessary texts are sent, no updates. It allows some 16 updates of 512
bytes: the updates of a whole play."""
MIN_BYTES_PER_TEXT: Final = 384
"""Bytes that a text counts for at least, as an average over texts written together. Clients render old updates one by
one, however short they are."""
ASK_BYTES: Final = MAX_UNREAD_BYTES // 2
"""Unconfirmed bytes after which a ping is sent: early enough for the pong to come before the limit."""
ASK_SECONDS: Final = 4.0
"""Seconds until a ping after any text, however short; also without a text while other players wait for this client."""
SILENT_SECONDS: Final = 15.0
"""Seconds until a ping if nothing was sent and no player waits for this client."""
PONG_TIMEOUT_SECONDS: Final = 8.0
"""Seconds a pong may take. A client that is silent for longer is treated as gone. It can reconnect and gets the newest
update."""
EXTENSION: Final = "pecking_order.wire"
"""Key of the connection in `scope["extensions"]`."""

_RESERVED, _MASKED, _LENGTH, _OPCODE = 0x70, 0x80, 0x7F, 0x0F
_WHOLE_TEXT = 0x81
"""The first byte of a frame that holds a whole text message."""
_MASK = 4
"""Bytes of the mask, which every client frame has."""
_POSITION = 8
"""Bytes of the payload of our pings: the number of bytes sent so far."""
_NO_LINGERING = struct.pack("ii", 1, 0)


log = structlog.get_logger("web.server")


class Listener(Protocol):
    """Receives the events of a `WebSocketConnection`: a room's socket session implements it.

    Called on the event loop, and never re-entrantly.
    """

    @property
    def is_awaited(self) -> bool:
        """Whether other players wait for this client; then a lost connection should be noticed sooner."""
        ...

    def on_message(self, text: str | None) -> None:
        """Take a message from the client; None stands for a binary one.

        The next comes only after `request_next_message` was called.
        """
        ...

    def on_writable(self) -> None:
        """Called when a client that read too slowly has caught up: send the pending updates."""
        ...

    def on_close(self) -> None:
        """Called once when the connection has ended, unless this side called `close`."""
        ...


def websocket_of(scope: Any) -> "WebSocketConnection":
    """Return the `WebSocketConnection` over which a handshake with this ASGI scope came."""
    wire: WebSocketConnection = scope["extensions"][EXTENSION]["wire"]
    return wire


class WebSocketConnection(asyncio.Protocol):
    """One WebSocket connection: delivers a client's messages to a listener one by one, and sends texts.

    The application answers the handshake, sets a listener, and returns. Messages that came before that are queued for
    the listener.
    """

    transport: asyncio.Transport

    def __init__(self, serving: ServerContext, scope: Scope, released: Callable[[], None]) -> None:
        """Start from the request's `scope`. `released` is called once, when the connection is gone."""
        # All attributes are set here, not as class defaults, which Python 3.12 and later read more slowly.
        self._serving = serving
        self._released = released
        self.loop = asyncio.get_running_loop()
        self.scope: Scope | None = scope
        self.conn = ServerProtocol(state=State.OPEN, max_size=serving.message_bytes)
        """Judges the handshake and parses frames. Its state is OPEN from the start, as it does not read the request
        itself."""
        self._handshake_response = b""
        """The response that accepts the handshake, until it is sent."""
        self._is_accepted = False
        self._refusal: Message | None = None
        """The start of the response that refuses the handshake."""
        self.close_sent = False
        """Whether a close frame or a refusal was sent, so that nothing more may be sent."""
        self.disconnected = False
        """Whether the connection is gone."""
        self.read_paused = False
        self._timer: asyncio.TimerHandle | None = None
        """The timer of the next ping or of the check for its pong."""
        self._close_timer: asyncio.TimerHandle | None = None
        self.lag = 0.0
        """Estimated round-trip time in seconds. It rises at once with a slow pong and falls slowly."""
        self._listener: Listener | None = None
        self._ready = False
        """Whether the listener is ready for a message."""
        self._message_queue: list[str | None] = []
        self._fragments: list[bytes] = []
        """The frames received so far of a fragmented message."""
        self._is_text = False
        """Whether the fragmented message is a text."""
        self._unparsed = b""
        """Received bytes that are not parsed: a partial frame, or more frames than may be queued."""
        self._has_more_frames = False
        """Whether `_unparsed` may contain whole frames."""
        self._is_scheduled = False
        self._control_idle_at = 0.0
        """Loop time at which the budget for control frames is full again."""
        self._after_goodbye = 0
        """Bytes received after our close frame was sent."""
        self._is_dropping = False
        """Whether received bytes are dropped, as the last frame was sent and no other is expected."""
        self._is_write_paused = False
        """Whether the write buffer is full (asyncio called `pause_writing`)."""
        self._bytes_sent = self._bytes_read = 0
        """Bytes of texts that were sent, and the part of these that the client is known to have read."""
        self._pinged_bytes = -1
        self._pinged_at: float | None = None
        """Loop time of the open ping, or None if all pings were answered."""
        self._last_ping_at = 0.0
        """Loop time of the last pong, or of the start of the connection."""

    # The handshake ----------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a connection from HTTP: check the handshake, and start the application if it is valid.

        An invalid handshake is refused, and the connection closed.
        """
        assert self.scope is not None
        self.transport = cast("asyncio.Transport", transport)  # a TCP connection has this type
        self._serving.shutdowns.add(self.shutdown)
        response = self.conn.accept(_handshake_request(self.scope))
        headers = ((name.encode("ascii"), value.encode("latin-1")) for name, value in response.headers.raw_items())
        self._handshake_response = response_head(response.status_code, headers)
        if response.status_code != 101:
            self.close_sent = True
            self.transport.write(self._handshake_response + bytes(response.body))
            self.transport.close()
            return
        self.scope = {**self.scope, "type": "websocket", "scheme": "ws", "subprotocols": []}
        self.scope["extensions"] = {"websocket.http.response": {}, EXTENSION: {"wire": self}}
        self._serving.start_task(self._run_application(self.scope))

    async def _run_application(self, scope: Scope) -> None:
        """Let the ASGI application answer the handshake.

        Afterwards the connection stays open if a listener was set. Otherwise it is closed; errors and a missing answer
        are reported to the client.
        """
        try:
            await self._serving.app(scope, self._asgi_receive, self._asgi_send)
        except Exception:
            log.exception("handshake failed", client=client_key(scope))
            self._fail_connection(1011, "")
        self._reject_handshake_if_unanswered()
        if self._listener is None and self._close_timer is None:
            self.transport.close()

    async def _asgi_receive(self) -> Message:
        """Return the ASGI event that a client wants to connect; later messages go to the listener instead."""
        return {"type": "websocket.connect"}

    async def _asgi_send(self, message: Message) -> None:
        """Take the ASGI application's answer to the handshake: accept it, or refuse it with an HTTP response.

        Does nothing once the connection is closing.
        """
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return
        if message["type"] == "websocket.accept":
            self._accept_handshake()
        elif message["type"] == "websocket.http.response.start":
            self._refusal = message
        elif message["type"] == "websocket.http.response.body" and self._refusal is not None:
            headers = [date_header(), *self._refusal["headers"], (b"connection", b"close")]
            self.transport.write(response_head(self._refusal["status"], headers) + message["body"])
            self.close_sent = True
            self.transport.close()
        else:
            raise RuntimeError(f"unexpected {message['type']}")

    def _accept_handshake(self) -> None:
        """Accept the WebSocket handshake, and start the timer for the first ping.

        Texts sent in this turn of the event loop go out with the response, in one packet.
        """
        self._is_accepted = True
        self._last_ping_at = self.loop.time()
        self._timer = self.loop.call_later(MEASURE_SECONDS, self._send_first_ping)
        self.loop.call_soon(self._send_handshake_response)

    def _send_handshake_response(self) -> None:
        """Send the response that accepts the handshake, if it is still unsent, and parse what has arrived meanwhile."""
        if self._handshake_response and not self.transport.is_closing():
            self._send_bytes(b"")
        self._parse_frames()

    def _send_bytes(self, data: bytes) -> None:
        """Write bytes to the client, with the handshake response in front if that is still unsent."""
        if self._handshake_response:
            data, self._handshake_response = self._handshake_response + data, b""
        self._serving.outbox.send(self.transport, data)

    def _send_pending_frames(self) -> None:
        """Write the frames that the `websockets` library has ready, such as pings, pongs and close frames."""
        self._send_bytes(b"".join(self.conn.data_to_send()))

    def _reject_handshake_if_unanswered(self) -> None:
        if not (self._is_accepted or self.close_sent or self.disconnected):
            self.close_sent = True
            self.transport.write(plain_response(500, "Internal Server Error"))
            self.transport.close()

    def shutdown(self) -> None:
        """Close the connection with close code 1012, as the server restarts.

        An unanswered handshake gets an error.
        """
        self._reject_handshake_if_unanswered()
        if self._is_open:
            self.conn.send_close(1012)
            self._send_pending_frames()
            self.close_sent = True
        self.transport.close()

    # For the listener -------------------------------------------------------------------------------------------

    @property
    def is_blocked(self) -> bool:
        """Whether the client reads too slowly: then only necessary texts should be sent, no updates."""
        return self._is_write_paused or self._bytes_sent - self._bytes_read > MAX_UNREAD_BYTES

    def set_listener(self, listener: Listener) -> None:
        """Set who gets the client's messages; the first comes after a call of `request_next_message`.

        If the connection has already ended, the listener is told. The scope is dropped to save memory, as a socket may
        stay open for hours.
        """
        self._listener = listener
        self.scope = None
        if self._is_open:
            self._limit_write_buffers()
        else:
            self._notify_closed()

    def _limit_write_buffers(self) -> None:
        """Make asyncio and the system buffer at most `MAX_UNREAD_BYTES`, so that a slow client gets no old updates."""
        self.transport.set_write_buffer_limits(high=MAX_UNREAD_BYTES)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            with contextlib.suppress(OSError):  # no TCP
                to = self.transport.get_extra_info("socket")
                to.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MAX_UNREAD_BYTES)

    @property
    def bytes_sent(self) -> int:
        """The number of bytes sent to the client so far; short texts count as `MIN_BYTES_PER_TEXT`."""
        return self._bytes_sent

    def acknowledge(self, bytes_sent: int) -> None:
        """Record that the client has read everything up to this value of `bytes_sent`, as a pong or message proves."""
        self._bytes_read = max(self._bytes_read, bytes_sent)

    def request_next_message(self) -> None:
        """Say that the listener is ready for the client's next message; it comes as soon as there is one.

        A queued message is delivered in a later turn of the event loop, so that a busy client delays nobody else.
        """
        self._ready = True
        if self._message_queue:
            self._schedule_processing()

    def send_texts(self, *encoded: bytes) -> None:
        """Send encoded texts to the client in one write, each in its own frame.

        Does nothing if the connection is closed. If much is unconfirmed, a ping goes along, whose pong tells what was
        read.
        """
        if not (encoded and self._is_open):
            return
        data = b"".join(map(_encode_text_frame, encoded))
        self._bytes_sent += max(MIN_BYTES_PER_TEXT * len(encoded), len(data))
        if self._pinged_at is None and self._bytes_sent - self._bytes_read > ASK_BYTES:
            self._queue_ping()
            data = b"".join((data, *self.conn.data_to_send()))
        self._send_bytes(data)

    def close(self, code: int, reason: str = "", last_text: bytes | None = None) -> None:
        """Close the connection with a code and an optional last text; the listener is dropped without being told.

        A client that does not answer the close frame within `CLOSE_SECONDS` is cut off. `reason` is a short text for
        the client's log, sent with the code.
        """
        self._listener = None
        if not self._is_open:
            return
        if last_text is not None:
            self.send_texts(last_text)
        self.conn.send_close(code, reason)
        self._send_pending_frames()
        self.close_sent = True
        self._close_timer = self.loop.call_later(CLOSE_SECONDS, self._close_unanswered)
        self._message_queue.clear()
        if len(self._unparsed) > MAX_BYTES_AFTER_CLOSE:
            self._unparsed = b""  # the client's close frame can't be found in so large a backlog
        self.loop.call_soon(self._parse_frames)  # finds the client's close frame

    @property
    def _is_open(self) -> bool:
        return self._is_accepted and not (self.close_sent or self.disconnected)

    # What arrives -----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Take bytes from the client, and parse at most one frame now; more frames wait for a later turn.

        After a close frame was sent, too many bytes abort the connection.
        """
        if self.close_sent:
            self._after_goodbye += len(data)
            if self._after_goodbye > (MAX_DROPPED_BYTES if self._is_dropping else MAX_BYTES_AFTER_CLOSE):
                self._abort()
                return
        if self._is_dropping or self.transport.is_closing():
            return
        self._unparsed = self._unparsed + data if self._unparsed else data
        self._parse_frames(1)

    def _parse_frames(self, max_frames: int = FRAMES_AT_ONCE) -> None:
        """Parse up to `max_frames` received frames, while the message queue has room.

        If more are left, reading from the client pauses, and they are parsed in a later turn of the event loop.
        """
        if self._is_dropping or self.transport.is_closing():
            return
        if self._handshake_response:
            self._set_reading_paused(paused=True)  # no message may be delivered before the handshake response is sent
            return
        if self.close_sent:
            self._find_close_frame()
            return
        data, at, frames = self._unparsed, 0, 0
        while at < len(data) and len(self._message_queue) < MAX_QUEUED_MESSAGES and frames < max_frames:
            end = _find_frame_end(data, at, self._serving.message_bytes)
            if end is None:
                break
            self._parse_frame(data, at, end)
            if self._is_dropping:
                return
            at, frames = end, frames + 1
        self._unparsed = data[at:]
        self._has_more_frames = frames == max_frames and at < len(data)
        if self._has_more_frames:
            self._schedule_processing()
        self._set_reading_paused(paused=self._has_more_frames or len(self._message_queue) >= MAX_QUEUED_MESSAGES)

    def _parse_frame(self, data: bytes, start: int, end: int) -> None:
        """Handle the bytes from `start` to `end`: one frame, or invalid bytes.

        A text is delivered to the listener. The connection closes if the client closed it or broke the protocol.
        """
        text = _decode_short_text_frame(data, start, end) if self._is_open and not self._fragments else None
        if text is not None:
            self._deliver_or_queue(text)
            return
        self.conn.receive_data(data[start:end])
        for frame in self.conn.events_received():
            assert isinstance(frame, Frame)
            self._handle_frame(frame)
        if self.disconnected or self.close_sent:
            return
        if self.conn.close_expected():  # the client closed or broke the protocol, and `conn` has made an answer
            self._send_last_frames()

    def _handle_frame(self, frame: Frame) -> None:
        """Handle a parsed frame that is not a short text: ping, pong, close, fragment or long text.

        After our close frame was sent, only a close frame counts.
        """
        if self.close_sent:
            if frame.opcode is Opcode.CLOSE:
                self._send_last_frames()
        elif frame.opcode is Opcode.PING:
            if self._allow_control_frame():
                self._send_pending_frames()
        elif frame.opcode is Opcode.PONG:
            if not self._handle_pong(frame.data):
                self._allow_control_frame()
        elif frame.opcode is not Opcode.CLOSE:
            self._add_fragment(frame)

    def _add_fragment(self, frame: Frame) -> None:
        """Collect a frame of a message, and deliver the message to the listener when it is complete.

        The connection fails for too many fragments or invalid UTF-8.
        """
        if frame.opcode is not Opcode.CONT:
            self._is_text = frame.opcode is Opcode.TEXT
        self._fragments.append(bytes(frame.data))
        if len(self._fragments) > MAX_FRAGMENTS:
            self._fail_connection(1008, "too many fragments")
            return
        if (len(self._fragments) > 1 or not frame.fin) and not self._allow_control_frame():
            return
        if not frame.fin:
            return
        data, self._fragments = b"".join(self._fragments), []
        try:
            text = data.decode() if self._is_text else None
        except UnicodeDecodeError:
            self._fail_connection(1007, "that is no UTF-8")
        else:
            self._deliver_or_queue(text)

    def _find_close_frame(self) -> None:
        """After our close frame was sent: skip what the client sent before, until its own close frame."""
        data, at = self._unparsed, 0
        while (end := _find_frame_end(data, at, self._serving.message_bytes)) is not None:
            if data[at] & _OPCODE == Opcode.CLOSE:
                self._parse_frame(data, at, end)
            if self._is_dropping:
                return
            at = end
        self._unparsed = data[at:]
        self._set_reading_paused(paused=False)

    def _schedule_processing(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._serving.turns.schedule(self._continue_processing)

    def _continue_processing(self) -> None:
        """In a later turn of the event loop: parse more received bytes, and deliver one queued message."""
        self._is_scheduled = False
        if self._has_more_frames:
            self._parse_frames()
        self._deliver_next_message()

    def _set_reading_paused(self, *, paused: bool) -> None:
        """Pause or resume reading from the client's socket; pausing keeps a flood from filling the memory."""
        if paused != self.read_paused and not self.transport.is_closing():
            self.read_paused = paused
            (self.transport.pause_reading if paused else self.transport.resume_reading)()

    def _deliver_or_queue(self, text: str | None) -> None:
        if self._listener is not None and self._ready and not self._message_queue and not self._is_write_paused:
            self._ready = False
            self._listener.on_message(text)
        else:
            self._message_queue.append(text)

    def _deliver_next_message(self) -> None:
        """Give the first queued message to the listener, if it is ready for one.

        A client that does not read its answers waits.
        """
        if self._listener is None or not self._ready or not self._message_queue or self._is_write_paused:
            return
        self._ready = False
        text = self._message_queue.pop(0)
        if not self._message_queue:
            self._parse_frames()
        if self._listener is not None:
            self._listener.on_message(text)

    def pause_writing(self) -> None:
        """Called by asyncio when the write buffer is full: send no more updates, and deliver no more messages."""
        self._is_write_paused = True

    def resume_writing(self) -> None:
        """Called by asyncio when the write buffer has drained: let updates out, and deliver queued messages."""
        self._is_write_paused = False
        if self._listener is not None and not self.is_blocked:
            self._listener.on_writable()
        self._deliver_next_message()

    # Whether they read ------------------------------------------------------------------------------------------

    def _send_first_ping(self) -> None:
        """Send the first ping, which measures the round trip.

        If a long text already sent one, wait for the usual time.
        """
        if self._pinged_bytes < 0:
            self._ping_or_drop()
        else:
            self._timer = self.loop.call_later(ASK_SECONDS - MEASURE_SECONDS, self._ping_or_drop)

    def _ping_or_drop(self) -> None:
        """Send a due ping; cut the client off if the last pong is overdue. Then set the timer again.

        A ping is due after texts, after a long silence, and while other players wait for the client.
        """
        now = self.loop.time()
        if self._pinged_at is not None and not self.close_sent:
            if now - self._pinged_at >= PONG_TIMEOUT_SECONDS:
                self._abort()  # the client is gone, even if its network still acknowledges bytes
                self._notify_closed()
                return
        elif self._is_open and (
            self._bytes_sent > self._pinged_bytes
            or now - self._last_ping_at >= SILENT_SECONDS
            or (self._listener is not None and self._listener.is_awaited)
        ):
            self._queue_ping()
            self._send_pending_frames()
        self._timer = self.loop.call_later(ASK_SECONDS, self._ping_or_drop)

    def _queue_ping(self) -> None:
        """Prepare a ping whose payload is the number of bytes sent so far; the pong tells that these were read."""
        self._pinged_bytes, self._pinged_at = self._bytes_sent, self.loop.time()
        self.conn.send_ping(self._pinged_bytes.to_bytes(_POSITION))

    def _handle_pong(self, payload: BytesLike) -> bool:
        """Use a pong: note what the client has read, measure the round trip, and let updates go out again.

        Returns False, and does nothing, for a pong that answers no open ping.
        """
        if self._pinged_at is None or payload != self._pinged_bytes.to_bytes(_POSITION):
            return False
        was_blocked, now = self.is_blocked, self.loop.time()
        took = now - self._pinged_at
        self.lag = max(took, (self.lag + took) / 2)
        self._pinged_at, self._last_ping_at = None, now
        self.acknowledge(self._pinged_bytes)
        if self._is_open and self._bytes_sent - self._bytes_read > ASK_BYTES:
            self._queue_ping()
            self._send_pending_frames()
        if was_blocked and not self.is_blocked and self._listener is not None:
            self._listener.on_writable()
        return True

    def _allow_control_frame(self) -> bool:
        """Count a ping, odd pong or fragment from the client. True if that is still within the allowed rate.

        Otherwise close the connection with an error and return False.
        """
        now = self.loop.time()
        self._control_idle_at = max(self._control_idle_at, now) + 1 / CONTROL_FRAMES_PER_SECOND
        if self._control_idle_at - now <= ODD_AT_ONCE / CONTROL_FRAMES_PER_SECOND:
            return True
        self._fail_connection(1008, "too many frames")
        return False

    # The end ----------------------------------------------------------------------------------------------------

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up after a connection has ended: stop timers, release its count, and tell the listener."""
        self.disconnected = True
        self._serving.shutdowns.discard(self.shutdown)
        for timer in (self._timer, self._close_timer):
            if timer is not None:
                timer.cancel()
        self._released()
        self._notify_closed()

    def _fail_connection(self, code: int, reason: str) -> None:
        if not self._is_open:
            return
        self.conn.fail(code, reason)
        self._send_last_frames()

    def _send_last_frames(self) -> None:
        """Send our close frame, if it was not sent, and end our side; then drop bytes until the client ends its side.

        The system answers unread bytes with a reset, which can overtake the close frame. `_notify_closed` limits the
        time, `data_received` the bytes.
        """
        self._send_pending_frames()
        self.close_sent = self._is_dropping = True
        self._unparsed = b""
        self._set_reading_paused(paused=False)
        self.loop.call_soon(self._end_writing)  # after frames that the batch holds back
        self._notify_closed()

    def _end_writing(self) -> None:
        if not self.transport.is_closing():
            self.transport.write_eof()

    def _notify_closed(self) -> None:
        """Tell the listener, once, that the connection has ended, and abort it later if bytes stay unread."""
        listener, self._listener = self._listener, None
        self._message_queue.clear()
        self._schedule_abort()
        if listener is not None:
            listener.on_close()

    def _close_unanswered(self) -> None:
        """Close the connection, as the client did not answer our close frame in time.

        If bytes stay unread, it is aborted a little later.
        """
        self.transport.close()
        self._schedule_abort()

    def _schedule_abort(self) -> None:
        if not self.disconnected:
            self.loop.call_later(LINGER_SECONDS, self._abort)

    def _abort(self) -> None:
        """Cut the connection off at once; the system drops bytes that were not sent yet."""
        if not self.disconnected:
            with contextlib.suppress(OSError):
                self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
            self.close_sent = True
            self.transport.abort()


def _handshake_request(scope: Scope) -> Request:
    """Turn an ASGI scope into the request type of the `websockets` library, which checks the handshake."""
    headers = Headers((name.decode("ascii"), value.decode("latin-1")) for name, value in scope["headers"])
    path = f"{scope['raw_path'].decode('ascii')}?{scope['query_string'].decode('latin-1')}"
    return Request(path, headers, scope["method"], f"HTTP/{scope['http_version']}")


def _encode_text_frame(text: bytes) -> bytes:
    """Return a text as a WebSocket frame from the server, without a mask.

    `ServerProtocol.send_text` does the same. This takes fewer instructions.
    """
    length = len(text)
    if length < 126:
        return bytes((_WHOLE_TEXT, length)) + text
    if length < 1 << 16:
        return bytes((_WHOLE_TEXT, 126)) + length.to_bytes(2) + text
    return bytes((_WHOLE_TEXT, 127)) + length.to_bytes(8) + text


def _decode_short_text_frame(data: bytes, start: int, end: int) -> str | None:
    """Return the text if the bytes from `start` to `end` are one WebSocket frame with a whole text of up to 125 bytes.

    Otherwise None: the `websockets` library then parses the frame. Nearly all client messages are short, so this saves
    time.
    """
    length = end - start - 2 - _MASK
    if not (0 <= length < 126 and data[start] == _WHOLE_TEXT and data[start + 1] == _MASKED | length):
        return None
    mask = data[start + 2 : start + 2 + _MASK] * (length // _MASK + 1)
    masked = int.from_bytes(data[start + 2 + _MASK : end]) ^ int.from_bytes(mask[:length])
    try:
        return masked.to_bytes(length).decode()
    except UnicodeDecodeError:
        return None


def _find_frame_end(data: bytes, start: int, max_bytes: int) -> int | None:
    """Return the index just after the WebSocket frame that begins at `start`, or None if it is still incomplete.

    For an invalid or too long frame, return the end of `data`, so that `websockets` refuses it without waiting for
    more.
    """
    if len(data) < start + 2:
        return None
    if data[start] & _RESERVED or not data[start + 1] & _MASKED:
        return len(data)
    length, head = data[start + 1] & _LENGTH, start + 2
    if length > 125:
        more = 2 if length == 126 else 8
        if len(data) < head + more:
            return None
        length, head = int.from_bytes(data[head : head + more]), head + more
    if length > max_bytes:
        return len(data)
    end = head + _MASK + length
    return end if end <= len(data) else None
