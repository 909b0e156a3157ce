"""`/ws/{code}`: who is it, what do they say, hand it to the room, send what the room shows. Nothing else.

One message is taken at a time: the next is looked at when this one is answered, so a person can never have more in
flight than one. The newest update that was not yet sent goes out as soon as there is one and the socket takes it; with
an answer, in the same packet. When the server leaves, a message that is being worked on is still answered.

After the handshake nothing waits here, and no task is kept: the wire calls `_Talk`, and so does the room.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import structlog

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence
from app.rooms.live.connections import RoomClosed
from app.rooms.live.room_actor import Runner
from app.rooms.model.commands import Act, AskForSeat, Introduce, Join, Message
from app.rooms.model.decision import Verdict
from app.rooms.ports.storage import Unavailable
from app.rooms.views.delta import VERSION, ForOne
from app.rooms.views.versioned_section import encode
from app.web.client_address import Scope, client_key
from app.web.context.sessions import Known, Person
from app.web.context.site import Site
from app.web.http.errors import keyed
from app.web.http.guards import SOCKETS, Receive, Send
from app.web.i18n.catalogues import Texts
from app.web.protocol import client_messages, server_messages
from app.web.protocol.message_errors import BadMessage
from app.web.protocol.server_messages import Goodbye
from app.web.services import room_access
from app.web.transport.websocket import Wire, wire_of

MOST_BAD_MESSAGES = 20
"""Messages that are none, or come too fast, before the socket is closed."""

FIRST_THAT_RELOADS = 4
"""The first version of the protocol whose pages reload when they hear `old_page`."""

log = structlog.get_logger("web.socket")


TOO_FAST = Sentence("web.too_fast", "That was too fast: wait a moment.")
TOO_MANY_SEAT_REQUESTS = Sentence("web.too_many_seat_requests", "Too many requests for seats. Try again in an hour.")
NO_DATABASE = Sentence("web.no_database", "The server can’t reach its database: try again.")
ONLY_WATCHES = Sentence("web.only_watches", "This line only watches: play on another one.")
WENT_WRONG = Sentence("web.went_wrong", "Something went wrong on the server: try again.")


class RoomSocket:
    """The ASGI application behind `/ws/{code}`. Guards have looked at address, origin and pace already."""

    def __init__(self, site: Callable[[], Site]) -> None:
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One handshake. If they may come in, what they say is `_Talk`'s from then on, and this returns."""
        await receive()  # websocket.connect
        site, wire = self._site(), wire_of(scope)
        await send({"type": "websocket.accept"})
        if site.draining:
            _close(wire, _goodbye("restart", site.retry_ms()))
            return
        try:
            talk = await self._let_in(site, scope, wire)
        except Unavailable:
            talk = _goodbye("trouble", site.retry_ms() + 2000)
        if isinstance(talk, Goodbye):
            site.metrics.refused.labels(talk.reason).inc()
            _close(wire, talk)
        else:
            await talk.begin()

    async def _let_in(self, site: Site, scope: Scope, wire: Wire) -> "_Talk | Goodbye":
        client, code = client_key(scope), str(scope["path"]).removeprefix(SOCKETS)
        asked = _asked(scope)
        spoken = asked.get(b"protocol", b"")
        if spoken != b"%d" % VERSION:
            return _other_protocol(site, spoken)
        known = await site.people.known(scope)
        if known is None:
            return _goodbye("no_session")
        person = known.person
        if await room_access.must_wait(site, client, person, code):
            return _goodbye("too_many", 30_000)
        runner = await room_access.find_room(site, code, person)
        if runner is None:
            site.guesses.wait(client)
            return _goodbye("no_room")
        if person.id in runner.room.banned:
            return _goodbye("removed")
        if not site.admit(client, person.id, runner.id):
            return _goodbye("too_many", 30_000)
        try:
            texts = site.templates.texts(scope)
            return _Talk(site, runner, known, client, texts, wire, watches=asked.get(b"watch") == b"1")
        except RoomClosed:  # it fell asleep this very moment
            site.release(client, person.id, runner.id)
            return _goodbye("trouble", 100)


class _Talk:
    """One person in one room over one socket: listens to the wire and to the room."""

    __slots__ = (
        "_bad",
        "_began",
        "_busy",
        "_client",
        "_code",
        "_connection",
        "_is_over",
        "_last_word",
        "_may_do",
        "_message",
        "_naming",
        "_pace",
        "_person",
        "_runner",
        "_site",
        "_texts",
        "_was_here",
        "_watches",
        "_wire",
        "device_id",
        "known",
    )  # fmt: skip

    def __init__(
        self, site: Site, runner: Runner, known: Known, client: str, texts: Texts, wire: Wire, *, watches: bool
    ) -> None:
        """`client` is who this socket is counted for, besides the person. `RoomClosed` if the room sleeps.

        `watches`: it shows what anybody may see, whoever asks, and they are not here by it.
        """
        self._site = site
        self._runner = runner
        self._person = known.person
        self.known = known
        """The person and the device."""
        self.device_id = known.device
        """By which of their devices they are here."""
        self._client = client
        self._texts = texts
        self._wire = wire
        self._pace = f"{runner.id} {known.person.id}"
        self._code = runner.code
        self._bad = 0
        self._may_do = 0
        """How much had been said to them when they were told what they may do now."""
        self._busy = False
        """Whether they have not been answered yet."""
        self._message: Message | None = None
        """What they said last, and when, and who still works on it."""
        self._began = 0.0
        self._naming: asyncio.Task[None] | None = None
        self._last_word: Goodbye | None = None
        self._is_over = False
        self._watches = watches
        self._was_here = False
        """Whether they had a name here already as they asked to join."""
        self._connection = runner.connect(None if watches else known.person.id)

    @property
    def person_id(self) -> str:
        """Whose connection this is, by the person's id."""
        return self._person.id

    @property
    def room_id(self) -> str:
        """The room that this shows."""
        return self._runner.id

    @property
    def is_awaited(self) -> bool:
        """Whether the table waits for what they do on this page; a phone that has been laid aside may rest."""
        return not self._watches and self._connection.in_sight and self._runner.awaits(self._person.id)

    async def begin(self) -> None:
        """Show them the room, and hear what they say."""
        self._site.opened(self)
        self._connection.news = self._show
        self._connection.peer = self._wire
        self._wire.listen(self)
        if self._site.draining:  # since this handshake
            self.leave()
            return
        self._show()
        self.tell(self._site.notice)
        await self._site.asides.remember(self._runner)
        self.tell(self._site.asides.chat_history(self._runner))
        if not self._watches:
            await self._introduce(self._person)
        self._wire.ready()

    # The end ----------------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Say goodbye: the server stops, and another may be there in a moment."""
        self._end(_goodbye("restart", self._site.retry_ms()))

    def dismiss(self) -> None:
        """Close the socket: this browser is nobody any more."""
        self._end(_goodbye("no_session"))

    def tell(self, notice: bytes | None) -> None:
        """Tell what everybody here should read, if there is something."""
        if notice is not None:
            self._wire.texts(notice)

    def lost(self) -> None:
        """Let go of everything: nobody is there any more."""
        if self._is_over:
            return
        self._is_over = True
        self._connection.close()
        self._site.release(self._client, self._person.id, self._runner.id)
        self._site.ended(self)

    def _end(self, last_word: Goodbye) -> None:
        """End this, but not in the middle of a message."""
        self._last_word = last_word
        if not (self._busy or self._is_over):
            _close(self._wire, last_word)
            self.lost()

    # What the room shows ----------------------------------------------------------------------------------------

    def drained(self) -> None:
        """Show what they have missed while they did not read."""
        self._show()

    def _show(self) -> None:
        """Send the newest update, if it is new to them and they can take it: else when they have read enough."""
        if not (self._busy or self._wire.is_blocked):  # else it comes with the answer, in one packet
            self._wire.texts(*self._newest())

    def _newest(self) -> tuple[bytes, ...]:
        """The newest update, if it is new to them; nothing where there is none for them any more."""
        if self._is_over:
            return ()
        told: ForOne | None = None
        try:
            told = self._connection.take()
            ending = None if told is None else self._no_more()
        except RoomClosed:
            ending = _goodbye("restart", self._site.retry_ms())
        except Exception:
            log.exception("an update could not be shown", room=self._runner.code)
            ending = _goodbye("trouble", self._site.retry_ms())
        if ending is not None:
            self._end(ending)
        if ending is not None or told is None:
            return ()
        self._site.metrics.updates_sent += 1
        if told.own:
            self._may_do = self._wire.said + len(told.text)
        return (told.text,)

    def _no_more(self) -> Goodbye | None:
        """Why this person may see no more of the room; None if they may.

        A new address is not told to those whom it is to keep out: who is banned, and who has no name here.
        """
        room = self._runner.room
        if self._person.id in room.banned:
            return _goodbye("removed")
        if room.code != self._code and room.member_of(self._person.id) is None:
            return _goodbye("no_room")
        self._code = room.code
        return None

    # What they say ----------------------------------------------------------------------------------------------

    def heard(self, text: str | None) -> None:
        """Take a message, and see that it is answered."""
        if text is None:
            self._wire.end(server_messages.NOT_TEXT)
            self.lost()
            return
        self._busy, self._began = True, time.perf_counter()
        try:
            message = client_messages.parse(text, self._person.id)
        except BadMessage as bad:
            self._refuse(bad.message_id, "bad_message", bad.sentence)
            return
        if self._site.messages.wait(self._pace):
            self._refuse(message.id, "too_fast", TOO_FAST())
            return
        if type(message) is AskForSeat and self._site.seat_requests.wait(self._client):
            self._refuse(message.id, "too_fast", TOO_MANY_SEAT_REQUESTS())
            return
        self._message = message
        if self._watches and not isinstance(message, client_messages.Ping):
            self._answer(message, Verdict(False, code="not_a_member", message=ONLY_WATCHES()))
            return
        try:
            if type(message) in client_messages.FOR_THE_ROOM:
                if type(message) is Join:
                    self._was_here = self._runner.room.member_of(self._person.id) is not None
                self._runner.submit(message, self._decided)
            else:
                self._answer_here(message)
        except RuleError as error:
            self._answer(message, Verdict(False, code=error.code, message=error.sentence))
        except Exception:
            log.exception("a command failed", kind=message.t, room=self._runner.id)
            self._answer(message, Verdict(False, code="unavailable", message=WENT_WRONG()))

    def _answer_here(self, message: Message) -> None:
        """Answer what no log hears of."""
        match message:
            case client_messages.Ping():
                self._say({"t": "answer", "id": message.id, "ok": True, "seq": self._runner.room.seq})
            case client_messages.Sight():
                self._connection.look(message.visible)
                self._say({"t": "answer", "id": message.id, "ok": True, "seq": self._runner.room.seq})
            case client_messages.React():
                self._answer(message, self._site.asides.react(self._runner, message))
            case client_messages.Write():
                self._answer(message, self._site.asides.write(self._runner, message))
            case client_messages.Look():
                plays = self._runner.look(self._person.id, message.cards)
                self._say({"t": "answer", "id": message.id, "ok": True, "plays": plays})
            case client_messages.Prospects():
                found = self._runner.prospects(self._person.id, message.first)
                self._say({"t": "answer", "id": message.id, "ok": True, **found})
            case _:
                raise AssertionError(message)

    def _refuse(self, message_id: str | None, code: str, sentence: Said) -> None:
        """Answer what the room need not hear of, and count it."""
        self._bad += 1
        self._say(_no(message_id, code, sentence))
        if self._bad > MOST_BAD_MESSAGES:
            self._end(_goodbye("too_fast" if code == "too_fast" else "bad_messages", 10_000))

    def _decided(self, verdict: Verdict) -> None:
        """The room has decided, and what it led to is in the log."""
        message = self._message
        assert message is not None
        if verdict.ok and type(message) is Join:
            self._naming = asyncio.get_running_loop().create_task(self._answer_by_name(message, verdict))
        else:
            self._answer(message, verdict)

    def _answer(self, message: Message, verdict: Verdict) -> None:
        began = self._began
        if verdict.ok:
            self._bad = 0
            if type(message) is Act:
                self._wire.have_read(self._may_do)  # for who acts has seen what they may do
            self._say({"t": "answer", "id": message.id, "ok": True, "seq": verdict.seq})
        else:
            rule = verdict.rule
            ruled = {} if rule is None else {"rule": rule, "rule_name": self._texts.t(f"{rule}.name")}
            assert verdict.message is not None
            self._say(_no(message.id, verdict.code or "unavailable", verdict.message) | ruled)
        outcome = "ok" if verdict.ok else str(verdict.code)
        self._site.metrics.answered(message.t, outcome, time.perf_counter() - began)

    def _say(self, answer: dict[str, Any]) -> None:
        """Answer, with what is new to them, and take the next message. Who does not read gets the answer alone."""
        newest = () if self._wire.is_blocked else self._newest()
        self._wire.texts(*newest, encode(answer))
        self._busy = False
        if self._last_word is not None:
            self._end(self._last_word)
        else:
            self._wire.ready()

    async def _answer_by_name(self, message: Message, verdict: Verdict) -> None:
        """Answer who has a name here now; they are called so next time."""
        try:
            await self._remember_name()
        except Unavailable:
            verdict = Verdict(False, code="unavailable", message=NO_DATABASE())
        except Exception:
            log.exception("a name could not be kept", room=self._runner.id)
            verdict = Verdict(False, code="unavailable", message=WENT_WRONG())
        self._naming = None
        self._answer(message, verdict)

    async def _remember_name(self) -> None:
        """Who has a name here is called so next time."""
        member = self._runner.room.member_of(self._person.id)
        if member is None:
            return
        # Without a page, nothing else has noted that they were here. The note lets them in by an old code.
        now, _ = await asyncio.gather(
            self._site.people.rename(self._person, member.name),
            self._site.people.visit(self._person, self._runner.id),
        )
        if now is None and not self._was_here:  # they may have chosen otherwise since this socket opened
            now = await self._site.store.people.get(self._person.id) or self._person
        if now is not None:  # else the room has heard of whatever they chose
            await self._introduce(now)

    async def _introduce(self, person: Person) -> None:
        """Let them look here as everywhere, if they have a name here and chose otherwise while they were away."""
        member = self._runner.room.member_of(person.id)
        if member is not None and (person.bird, person.colour) != (member.bird, member.colour):
            await self._runner.handle(Introduce(person.id, secrets.token_hex(16), person.bird, person.colour))


def _asked(scope: Scope) -> dict[bytes, bytes]:
    """What is asked for with the address, by name; not what is asked for more than once."""
    return {name: values[0] for name, values in parse_qs(scope["query_string"]).items() if len(values) == 1}


def _no(message_id: str | None, code: str, sentence: Said) -> dict[str, Any]:
    return {"t": "answer", "id": message_id, "ok": False, "code": code, "message": sentence, **keyed(sentence)}


def _other_protocol(site: Site, spoken: bytes) -> Goodbye:
    """Return the goodbye for a client that speaks another version of the protocol than this server.

    A page that is too old for `old_page` gets `bad_messages`: it has a text for it that asks the player to reload.
    """
    if len(spoken) <= 9 and spoken.isdigit() and int(spoken) >= FIRST_THAT_RELOADS:
        return Goodbye(t="goodbye", reason="old_page", version=site.assets.version)
    return _goodbye("bad_messages")


def _goodbye(reason: server_messages.GoodbyeReason, retry_ms: int | None = None) -> Goodbye:
    return Goodbye(t="goodbye", reason=reason, retry_ms=retry_ms)


def _close(wire: Wire, goodbye: Goodbye) -> None:
    wire.end(server_messages.CLOSE_CODES[goodbye.reason], goodbye.reason, server_messages.encode(goodbye).encode())
