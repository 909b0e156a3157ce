"""One WebSocket: whole messages go to whoever listens, texts go out as frames. Knows nothing of rooms.

Whoever listens is called: no message has a queue, a task or a future of its own. They get one message and say when they
are ready for the next; of what else arrives a few messages wait, and then nothing more is read. Nearly every message is
a whole text in one short frame, and that is taken apart here; `websockets` has the handshake and every other frame.

What was said to them they must have read before they are said much more: a ping goes along, and the pong says so. A
socket only tells what the next machine has taken, and what lies there, megabytes on a bad line, is shown before the
newest. By the same pongs who does not read any more is found out, and who is gone.

Closed here: floods of frames that are no messages, messages in endless empty fragments, talk after a goodbye, and peers
that stop reading.
"""

import contextlib
import socket
import struct
from collections.abc import Callable
from typing import Any, Final, Protocol, cast

import uvicorn
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from app.web.outbox import Outbox
from app.web.turns import Turns

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiler has been there
    from websockets.utils import apply_mask

_OPEN: Final = State.OPEN
"""Kept: each text asks for it, and an enumeration is slow to answer."""
ODD_AT_ONCE = 64
"""Frames that are no whole text, such as pings and parts of messages, that may come at once; answers to our pings are
not counted."""
ODD_PER_SECOND = 10
"""The same in the long run."""
MOST_FRAGMENTS = 64
"""Frames in one message: a few kilobytes never need more."""
MEASURE_SECONDS = 1
"""Until they are asked for the first time, however little was said: how long the line takes is measured so."""
MOST_AFTER_GOODBYE: Final = 16 * 1024
"""Bytes that are still looked through for their goodbye after ours: as much as may have been on its way."""
LINGER_SECONDS = 5
"""How long a peer may take to read what was said last."""
MOST_WAITING: Final = 8
"""Messages of one socket that may wait to be looked at; then no more is read from it."""
FRAMES_AT_ONCE: Final = 4
"""Frames of one socket that are looked at before others have their turn."""
MOST_UNREAD: Final = 8 * 1024
"""Bytes that they have not said to have read, and nothing that may be left out is added: some 16 pictures of half a
kilobyte, which is what a play takes."""
LEAST: Final = 384
"""Bytes that a text counts for at least, on the average of those that are written together. What is old is shown
picture by picture, however short they are."""
ASK_BYTES: Final = MOST_UNREAD // 2
"""After so many bytes they are asked whether they have read them: early enough for the answer to come in time."""
ASK_SECONDS: Final = 4.0
"""Until they are asked, however little it was, and also if it was nothing where others wait for them."""
SILENT_SECONDS: Final = 15.0
"""Until they are asked although nothing was said to them, and nobody waits."""
ANSWER_SECONDS: Final = 8.0
"""How long the answer may take. Who has read nothing for so long is not slow but gone: they come back to the newest."""
EXTENSION: Final = "pecking_order.wire"
"""Where an application finds its wire among the extensions of a scope."""

_FINAL, _RESERVED, _TEXT, _CLOSE, _PING, _PONG = 0x80, 0x70, 0x01, 0x08, 0x09, 0x0A
_MASKED, _LENGTH = 0x80, 0x7F
_WHOLE_TEXT = _FINAL | _TEXT
_WHOLE_CLOSE, _WHOLE_PING, _WHOLE_PONG = _FINAL | _CLOSE, _FINAL | _PING, _FINAL | _PONG
_MASK = 4
"""Bytes of the mask, which what a client says always has."""
_POSITION = 8
"""Bytes of the number that a question asks with."""
_NO_LINGERING = struct.pack("ii", 1, 0)


class WireConfig(uvicorn.Config):
    """uvicorn's settings, the turns that wires take which have more to do, and the outbox that takes what they say."""

    turns: Turns
    outbox: Outbox


class Listener(Protocol):
    """Whoever has the other end of a wire. It is called on the event loop, and never from within a call of its own."""

    @property
    def is_awaited(self) -> bool:
        """Whether others wait for the peer, so that it should soon be known when they are gone."""
        ...

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

    config: WireConfig

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        # None of these is a default of the class: Python 3.12 and later would look for it in the slow way.
        self._answer = b""
        """What accepts the handshake, as long as it is not sent."""
        self.released: Callable[[], None] | None = None
        """Called once, when the connection is gone."""
        self.lag = 0.0
        """Seconds from here to the peer and back: at once as slow as an answer was, and only slowly as fast."""
        self._listener: Listener | None = None
        self._ready = False
        """Whether whoever listens would take a message now."""
        self._waiting: list[str | None] = []
        self._within = False
        """Whether a message has begun that other frames go on with."""
        self._rest = b""
        """What has been read and not been looked at: a part of a frame, or more than may wait."""
        self._more = False
        """Whether there may be whole frames in it."""
        self._in_line = False
        self._idle_at = 0.0
        """When they will have sent no more odd frames than they may in the long run."""
        self._fragments = 0
        self._after_goodbye = 0
        """Bytes that came after our goodbye."""
        self._is_full = False
        """Whether the system takes no more for them."""
        self._said = self._read = 0
        """Bytes of texts that were written, and of those what they are known to have read."""
        self._asked = -1
        self._asked_at: float | None = None
        """When they were asked whether they have read so many, if they have not answered."""
        self._quiet_since = 0.0
        """When they answered or were asked last."""

    # The handshake, which is ASGI's -----------------------------------------------------------------------------

    def begin(self, scope: dict[str, Any], answer: bytes) -> None:
        """A handshake that has been read: whoever is asked may accept it, which `answer` says, and have the wire."""
        self.handshake_initiated = True
        self._offer(scope, answer)
        self.queue.put_nowait({"type": "websocket.connect"})
        task = self.loop.create_task(self.run_asgi())
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    def handle_connect(self, event: Request) -> None:
        """A handshake that `websockets` has read and judged."""
        super().handle_connect(event)
        if not self.close_sent:
            self._offer(cast("dict[str, Any]", self.scope), self.response.serialize())
            event.headers.clear()  # websockets holds on to it
            del self.request, self.response

    def _offer(self, scope: dict[str, Any], answer: bytes) -> None:
        scope["extensions"][EXTENSION] = {"wire": self}
        self.scope, self._answer = cast("Any", scope), answer

    async def send(self, message: Any) -> None:
        """As uvicorn does, but for the handshake's answer."""
        if message["type"] == "websocket.accept":
            self._accept()
        else:
            await super().send(message)

    def _accept(self) -> None:
        """Let them in. What is said to them in this turn of the loop goes out with the answer, in one packet."""
        if self.disconnected:
            raise ClientDisconnected
        if self.transport.is_closing():
            return
        self.handshake_complete = True
        self.conn.state = _OPEN
        self.conn.parser = self.conn.parse()  # of frames, from now on
        next(self.conn.parser)
        self.start_keepalive()
        self.loop.call_soon(self._accepted)

    def _accepted(self) -> None:
        """Answer the handshake, if nothing was said yet, and look at what has come meanwhile."""
        if self._answer and not self.transport.is_closing():
            self._send(b"")
        self._read_on()

    def _send(self, data: bytes) -> None:
        """Send this, after what accepts the handshake."""
        if self._answer:
            data, self._answer = self._answer + data, b""
        self.config.outbox.send(self.transport, data)

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

    def send_500_response(self) -> None:
        """Answer a handshake that nobody else has: what the application says after that goes to nobody."""
        if self.initial_response or self.handshake_complete:
            return
        super().send_500_response()
        self.handshake_complete = self.disconnected = True

    # For whoever listens ----------------------------------------------------------------------------------------

    @property
    def is_blocked(self) -> bool:
        """Whether they read too slowly, so that nothing more should be written now than has to be."""
        return self._is_full or self._said - self._read > MOST_UNREAD

    def listen(self, listener: Listener) -> None:
        """Let somebody listen from now on. They get the first message when they are `ready`.

        What only the handshake needed is let go of: a socket may be open for hours.
        """
        self._listener = listener
        self.queue = self.writable = _NOBODY
        del self.scope
        if self._is_open:
            self._keep_little()
        else:
            self._over()

    def _keep_little(self) -> None:
        """Let neither us nor the system take more for them than they read."""
        self.transport.set_write_buffer_limits(high=MOST_UNREAD)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            with contextlib.suppress(OSError):  # no TCP
                to = self.transport.get_extra_info("socket")
                to.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MOST_UNREAD)

    @property
    def said(self) -> int:
        """How much has been said to them, in a measure that only grows: bytes, and a little more."""
        return self._said

    def have_read(self, said: int) -> None:
        """Know from what they say that they have read so much: they need not be asked."""
        self._read = max(self._read, said)

    def ready(self) -> None:
        """Take the next message, as soon as there is one.

        One that waits comes with a turn of the loop to come: who sends many makes nobody else wait.
        """
        self._ready = True
        if self._waiting:
            self._stand_in_line()

    def texts(self, *encoded: bytes) -> None:
        """Write texts, encoded already, each in a frame of its own and all at once; to nobody if nobody is there."""
        if not (encoded and self._is_open):
            return
        data = b"".join(map(_framed, encoded))
        self._said += max(LEAST * len(encoded), len(data))
        if self._asked_at is None and self._said - self._read > ASK_BYTES:
            data += self._question()
        self._send(data)

    def end(self, code: int, reason: str = "", last_word: bytes | None = None) -> None:
        """Say a last word and close. Whoever does not answer that, or does not even read it, is dropped soon."""
        self._listener = None
        if not self._is_open:
            return
        if last_word is not None:
            self.texts(last_word)
        self.conn.send_close(code, reason)
        self._send(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)
        self.loop.call_later(self.close_timeout, self._linger)
        self._waiting.clear()
        if len(self._rest) > MOST_AFTER_GOODBYE:
            self._rest = b""  # their goodbye can't be told from what else they send; then they just go
        self.loop.call_soon(self._read_on)  # for their goodbye

    @property
    def _is_open(self) -> bool:
        return self.conn.state is _OPEN and not (self.close_sent or self.disconnected)

    # What arrives -----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Bytes: frames, and parts of some."""
        if self.close_sent:
            self._after_goodbye += len(data)
            if self._after_goodbye > MOST_AFTER_GOODBYE:
                self._drop()
                return
        if (
            not (self._rest or self._waiting or self._within)
            and self._is_open
            and (text := _only_text(data)) is not None
        ):
            self._heard(text)
            return
        self._rest = self._rest + data if self._rest else data
        self._read_on(1)

    def _read_on(self, most: int = FRAMES_AT_ONCE) -> None:
        """Look at what has arrived, frame by frame, as long as there may wait more."""
        if self.transport.is_closing():
            self._rest = b""
            return
        if self._answer:
            self._hold(True)  # nothing may be said before that
            return
        if self.close_sent:
            self._look_for_goodbye()
            return
        data, at, frames = self._rest, 0, 0
        while at < len(data) and len(self._waiting) < MOST_WAITING and frames < most:
            end = _end_of_frame(data, at, self.config.ws_max_size) if self.handshake_initiated else len(data)
            if end is None:
                break
            self._look_at(data, at, end)
            at, frames = end, frames + 1
        self._rest = data[at:]
        self._more = frames == most and at < len(data)
        if self._more:
            self._stand_in_line()
        self._hold(self._more or len(self._waiting) >= MOST_WAITING)

    def _look_at(self, data: bytes, at: int, end: int) -> None:
        """Take in a frame, or what is none."""
        text = _short_text(data, at, end) if self._is_open and not self._within else None
        if text is not None:
            self._heard(text)
        elif data[at] != _WHOLE_PONG or not self._answers(data, at, end):
            super().data_received(data[at:end])

    def _look_for_goodbye(self) -> None:
        """Leave out all that came after our goodbye but theirs."""
        data, at = self._rest, 0
        while (end := _end_of_frame(data, at, self.config.ws_max_size)) is not None:
            if data[at] == _WHOLE_CLOSE:
                super().data_received(data[at:end])
            at = end
        self._rest = data[at:]
        self._hold(False)

    def _stand_in_line(self) -> None:
        if not self._in_line:
            self._in_line = True
            self.config.turns.join(self._go_on)

    def _go_on(self) -> None:
        """Hand on a message that waits, and look at some more of what has come."""
        self._in_line = False
        if self._more:
            self._read_on()
        self._next()

    def _hold(self, hold: bool) -> None:
        """Read no more from them, or do again."""
        if hold != self.read_paused and not self.transport.is_closing():
            self.read_paused = hold
            (self.transport.pause_reading if hold else self.transport.resume_reading)()

    def _heard(self, text: str | None) -> None:
        if self._listener is not None and self._ready and not self._waiting and not self._is_full:
            self._ready = False
            self._listener.heard(text)
        else:
            self._waiting.append(text)

    def _next(self) -> None:
        """Hand on the first message that waits, unless they do not read what they are answered."""
        if self._listener is None or not self._ready or not self._waiting or self._is_full:
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
        self._is_full = True

    def resume_writing(self) -> None:
        """Go on sending: the peer has read enough."""
        super().resume_writing()
        self._is_full = False
        if self._listener is not None and not self.is_blocked:
            self._listener.drained()
        self._next()

    # Whether they read ------------------------------------------------------------------------------------------

    def start_keepalive(self) -> None:
        """Look after them from now on."""
        self._quiet_since = self.loop.time()
        self.ping_timer = self.loop.call_later(MEASURE_SECONDS, self._measure)

    def _measure(self) -> None:
        """Ask them for the first time, unless the first picture was so long that it came with a question."""
        if self._asked < 0:
            self._look_after()
        else:
            self.ping_timer = self.loop.call_later(ASK_SECONDS - MEASURE_SECONDS, self._look_after)

    def _look_after(self) -> None:
        """Ask them, if it is time to; let go of who has not answered."""
        now = self.loop.time()
        if self._asked_at is not None and not self.close_sent:
            if now - self._asked_at >= ANSWER_SECONDS:
                self.keepalive_timeout()
                return
        elif self._is_open and (
            self._said > self._asked
            or now - self._quiet_since >= SILENT_SECONDS
            or (self._listener is not None and self._listener.is_awaited)
        ):
            self.transport.write(self._question())
        self.ping_timer = self.loop.call_later(ASK_SECONDS, self._look_after)

    def _question(self) -> bytes:
        """A ping that asks whether they have read all that was said to them, as a frame."""
        self._asked, self._asked_at = self._said, self.loop.time()
        return bytes((_WHOLE_PING, _POSITION)) + self._asked.to_bytes(_POSITION)

    def _answers(self, data: bytes, at: int, end: int) -> bool:
        """Whether a whole pong answers our question. What waited for them to read goes on."""
        said = apply_mask(data[at + 2 + _MASK : end], data[at + 2 : at + 2 + _MASK])
        if self._asked_at is None or said != self._asked.to_bytes(_POSITION):
            return False
        was_blocked, now = self.is_blocked, self.loop.time()
        took = now - self._asked_at
        self.lag = max(took, (self.lag + took) / 2)
        self._asked_at, self._quiet_since = None, now
        self.have_read(self._asked)
        if self._is_open and self._said - self._read > ASK_BYTES:
            self.transport.write(self._question())
        if was_blocked and not self.is_blocked and self._listener is not None:
            self._listener.drained()
        return True

    def keepalive_timeout(self) -> None:
        """No answer to our question: they are gone, whatever their network says."""
        self._drop()
        self._over()

    # Messages in several frames, and what is none ---------------------------------------------------------------

    def handle_text(self, event: Frame) -> None:
        """Take in a message, or its first part."""
        if self._begins(event):
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Take in a message that is no text, or its first part."""
        if self._begins(event):
            super().handle_bytes(event)

    def _begins(self, event: Frame) -> bool:
        """Whether a message may begin so."""
        self._fragments = 1
        self._within = not event.fin
        return event.fin or self._may_be_odd()

    def handle_cont(self, event: Frame) -> None:
        """Take in another part of a message."""
        self._fragments += 1
        self._within = not event.fin
        if self._fragments > MOST_FRAGMENTS:
            self._fail(1008, "too many fragments")
        elif self._may_be_odd():
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
        if self._may_be_odd():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Nobody has asked for that, or not this."""
        self._may_be_odd()

    def _may_be_odd(self) -> bool:
        """Count a frame that is no whole text. Whether there were not too many."""
        now = self.loop.time()
        self._idle_at = max(self._idle_at, now) + 1 / ODD_PER_SECOND
        if self._idle_at - now <= ODD_AT_ONCE / ODD_PER_SECOND:
            return True
        self._fail(1008, "too many frames")
        return False

    # The end ----------------------------------------------------------------------------------------------------

    def handle_close(self, event: Frame) -> None:
        """They say goodbye, or answer ours."""
        super().handle_close(event)
        self._over()

    def handle_parser_exception(self) -> None:
        """They break the rules, and `websockets` has said so."""
        super().handle_parser_exception()
        self._over()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's place among those of its address, and tell whoever listens."""
        super().connection_lost(exc)
        self.conn.parser.close()  # it waits for an end, and holds what holds it
        if self.released is not None:
            self.released()
        self._over()

    def _fail(self, code: int, reason: str) -> None:
        if not self._is_open:
            return
        self.conn.fail(code, reason)
        self._send(b"".join(self.conn.data_to_send()))
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
            self.loop.call_later(LINGER_SECONDS, self._drop)

    def _drop(self) -> None:
        """Let go at once, of what the system keeps for them, too."""
        if not self.disconnected:
            with contextlib.suppress(OSError):
                self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
            self.close_sent = True
            self.transport.abort()


def _framed(text: bytes) -> bytes:
    """A text in a frame: the whole message, unmasked."""
    length = len(text)
    if length < 126:
        return bytes((_WHOLE_TEXT, length)) + text
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2) + text
    return b"\x81\x7f" + length.to_bytes(8) + text


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


def _only_text(data: bytes) -> str | None:
    """The text of the short frame that this is, and nothing else; None if it is not."""
    length = len(data) - 2 - _MASK
    if 0 <= length < 126 and data[0] == _WHOLE_TEXT and data[1] == _MASKED | length:
        return _unmasked(data, 2, len(data))
    return None


def _short_text(data: bytes, at: int, end: int) -> str | None:
    """The text of a whole frame, if it is short and a message of its own; None if it is anything else."""
    if data[at] != _WHOLE_TEXT or end - at != 2 + _MASK + (data[at + 1] & _LENGTH):
        return None
    return _unmasked(data, at + 2, end)


def _unmasked(data: bytes, at: int, end: int) -> str | None:
    """The text that follows a mask; None if it is none."""
    try:
        return apply_mask(data[at + _MASK : end], data[at : at + _MASK]).decode()
    except UnicodeDecodeError:
        return None
