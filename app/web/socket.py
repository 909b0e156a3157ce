"""`/ws/{code}`: who is it, what do they say, hand it to the room, send what the room shows. Nothing else.

One socket has two tasks. The reader takes one message at a time: the next is read when this one is answered, so a
person can never have more in flight than one. The writer sends the newest update that was not yet sent. When the server
leaves, a message that is being worked on is still answered.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import structlog

from app.engine.errors import RuleError
from app.engine.words import Sentence
from app.rooms.attendance import RoomClosed
from app.rooms.outcomes import Answer
from app.rooms.runner import Runner
from app.rooms.updates import encode
from app.store.database import Unavailable
from app.web import opening, protocol
from app.web.address import Scope, client_key
from app.web.errors import keyed
from app.web.guards import SOCKETS, Receive, Send
from app.web.people import Person
from app.web.protocol import BadMessage, Goodbye
from app.web.site import Site
from app.web.texts import Texts

MOST_BAD_MESSAGES = 20
"""Messages that are none, or come too fast, before the socket is closed."""

log = structlog.get_logger("web.socket")


TOO_FAST = Sentence("web.too_fast", "That was too fast: wait a moment.")
NO_DATABASE = Sentence("web.no_database", "The server can’t reach its database: try again.")
WENT_WRONG = Sentence("web.went_wrong", "Something went wrong on the server: try again.")


class RoomSocket:
    """The ASGI application behind `/ws/{code}`. Guards have looked at address, origin and pace already."""

    def __init__(self, site: Callable[[], Site]) -> None:
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One handshake, and what comes of it."""
        await receive()  # websocket.connect
        site = self._site()
        client = client_key(scope)
        code = str(scope["path"]).removeprefix(SOCKETS)
        await send({"type": "websocket.accept"})
        if site.draining:
            await _end(send, _goodbye("restart", site.retry_ms()))
            return
        try:
            person = await site.people.known(scope)
            if person is None:
                await self._refuse(site, send, _goodbye("no_session"))
                return
            if await opening.must_wait(site, client, person, code):
                await self._refuse(site, send, _goodbye("too_many", 30_000))
                return
            runner = await opening.find_room(site, code)
        except Unavailable:
            await self._refuse(site, send, _goodbye("trouble", site.retry_ms() + 2000))
            return
        if runner is None:
            site.guesses.wait(client)
            await self._refuse(site, send, _goodbye("no_room"))
            return
        if person.id in runner.room.banned:
            await self._refuse(site, send, _goodbye("removed"))
            return
        with site.counted(client, person.id, runner.code) as fits:
            if not fits:
                await self._refuse(site, send, _goodbye("too_many", 30_000))
                return
            try:
                talk = _Talk(site, runner, person, site.templates.texts(scope), receive, send)
            except RoomClosed:  # it fell asleep this very moment
                await self._refuse(site, send, _goodbye("trouble", 100))
                return
            with site.talking(talk):
                await talk.go()

    async def _refuse(self, site: Site, send: Send, goodbye: Goodbye) -> None:
        site.metrics.refused.labels(goodbye.reason).inc()
        await _end(send, goodbye)


class _Talk:
    """One person in one room over one socket."""

    def __init__(self, site: Site, runner: Runner, person: Person, texts: Texts, receive: Receive, send: Send) -> None:
        self._site = site
        self._runner = runner
        self._person = person
        self._texts = texts
        self._receive = receive
        self._send = send
        self._connection = runner.connect(person.id)
        self._bad = 0
        self._busy = False
        self._last_word: Goodbye | None = None
        self._reader: asyncio.Task[Goodbye | int | None] | None = None

    @property
    def person_id(self) -> str:
        """Whose connection this is, by the person's id."""
        return self._person.id

    def leave(self) -> None:
        """Say goodbye: the server stops, and another may be there in a moment."""
        self._end(_goodbye("restart", self._site.retry_ms()))

    def dismiss(self) -> None:
        """This browser is nobody any more."""
        self._end(_goodbye("no_session"))

    def _end(self, last_word: Goodbye) -> None:
        """End this, but not in the middle of a message."""
        self._last_word = last_word
        if self._reader is not None and not self._busy:
            self._reader.cancel()

    async def go(self) -> None:
        """Until either side has had enough."""
        self._reader = asyncio.create_task(self._read())
        writer = asyncio.create_task(self._write())
        ending: Goodbye | int | None = None
        try:
            await asyncio.wait({self._reader, writer}, return_when=asyncio.FIRST_COMPLETED)
            for task in (self._reader, writer):
                if task.done() and not task.cancelled():
                    ending = task.result() or ending
        except OSError:  # gone while we were sending
            self._last_word = None
        finally:
            self._reader.cancel()
            writer.cancel()
            await asyncio.gather(self._reader, writer, return_exceptions=True)
            self._connection.close()
        await _end(self._send, self._last_word or ending)

    async def _write(self) -> Goodbye:
        while True:
            try:
                update = await self._connection.next()
            except RoomClosed:
                return _goodbye("restart", self._site.retry_ms())
            await self._send({"type": "websocket.send", "text": update.decode()})
            self._site.metrics.updates_sent += 1
            if self._person.id in self._runner.room.banned:
                return _goodbye("removed")

    async def _read(self) -> Goodbye | int | None:
        while self._last_word is None:
            message = await self._receive()
            if message["type"] != "websocket.receive":
                return None
            text = message.get("text")
            if text is None:
                return protocol.NOT_TEXT
            self._busy = True
            answer = await self._answer(text)
            await self._send({"type": "websocket.send", "text": encode(answer).decode()})
            self._busy = False
            if self._bad > MOST_BAD_MESSAGES:
                return _goodbye("too_fast" if answer.get("code") == "too_fast" else "bad_messages", 10_000)
        return None

    async def _answer(self, text: str) -> dict[str, Any]:
        began = time.perf_counter()
        try:
            message = protocol.parse(text, self._person.id)
        except BadMessage as bad:
            self._bad += 1
            return _no(bad.message_id, "bad_message", bad.sentence)
        if self._site.messages.wait(f"{self._runner.code} {self._person.id}"):
            self._bad += 1
            return _no(message.id, "too_fast", TOO_FAST())
        kind = message.t
        try:
            match message:
                case protocol.Ping():
                    return {"t": "answer", "id": message.id, "ok": True, "seq": self._runner.room.seq}
                case protocol.Look():
                    plays = self._runner.look(self._person.id, message.cards)
                    return {"t": "answer", "id": message.id, "ok": True, "plays": plays}
                case _:
                    answer: Answer = await self._runner.handle(message)
                    if answer.ok and kind == "join":
                        await self._remember_name()
        except RuleError as error:
            answer = Answer(False, code=error.code, message=error.sentence)
        except Unavailable as trouble:
            log.error("the database is unavailable", reason=str(trouble))
            answer = Answer(False, code="unavailable", message=NO_DATABASE())
        except Exception:
            log.exception("a command failed", kind=kind, room=self._runner.code)
            answer = Answer(False, code="unavailable", message=WENT_WRONG())
        self._site.metrics.commands.labels(kind, "ok" if answer.ok else answer.code).inc()
        self._site.metrics.latency.observe(time.perf_counter() - began)
        if answer.ok:
            self._bad = 0
            return {"t": "answer", "id": message.id, "ok": True, "seq": answer.seq}
        ruled = {} if answer.rule is None else {"rule": answer.rule, "rule_name": self._texts.t(f"{answer.rule}.name")}
        return _no(message.id, answer.code or "unavailable", answer.message or "") | ruled

    async def _remember_name(self) -> None:
        member = self._runner.room.member_of(self._person.id)
        if member is not None:
            await self._site.people.rename(self._person, member.name)


def _no(message_id: str | None, code: str, sentence: str) -> dict[str, Any]:
    return {"t": "answer", "id": message_id, "ok": False, "code": code, "message": sentence, **keyed(sentence)}


def _goodbye(reason: protocol.GoodbyeReason, retry_ms: int | None = None) -> Goodbye:
    return Goodbye(t="goodbye", reason=reason, retry_ms=retry_ms)


async def _end(send: Send, ending: Goodbye | int | None) -> None:
    """Say goodbye and close, if the other side is still there."""
    if ending is None:
        return
    with contextlib.suppress(OSError):
        if isinstance(ending, int):
            await send({"type": "websocket.close", "code": ending})
            return
        await send({"type": "websocket.send", "text": protocol.encode(ending)})
        await send({"type": "websocket.close", "code": protocol.CLOSE_CODES[ending.reason], "reason": ending.reason})
