"""The room socket `/ws/{code}`: identify the person, pass their messages to the room, and send the room's updates.

Messages are handled one at a time: the next is read after the answer to the last. The newest unsent update goes out as
soon as the socket accepts it, or with an answer in the same packet. When the server stops, a message in progress is
still answered.

After the handshake no task waits here: the connection and the room call `_SocketSession`.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import structlog

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.rooms.live.connections import RoomClosed
from app.rooms.live.room_actor import RoomActor
from app.rooms.model.commands import Act, AskForSeat, Join, Message
from app.rooms.model.decision import CommandReply
from app.rooms.ports.storage import DamagedRoom, StorageUnavailable
from app.rooms.views.delta import VERSION, ConnectionUpdate
from app.rooms.views.versioned_section import encode
from app.web.client_address import Scope, client_key
from app.web.context.sessions import SignedInDevice
from app.web.context.site import AppContext
from app.web.http.errors import message_key_and_values
from app.web.http.guards import SOCKETS, Receive, Send
from app.web.i18n.catalogues import Texts
from app.web.protocol import client_messages, server_messages
from app.web.protocol.message_errors import BadMessage
from app.web.protocol.server_messages import Goodbye
from app.web.services import joining, room_access
from app.web.transport.websocket import WebSocketConnection, websocket_of

MAX_BAD_MESSAGES = 20
"""Limit for invalid or too fast messages before the socket is closed."""

FIRST_THAT_RELOADS = 4
"""The first protocol version whose pages reload on the goodbye `old_page`."""

NO_CHAT = server_messages.encode_message(server_messages.Chat(t="chat", lines=[], replaces_all=True)).encode()
"""Takes the chat from a page that may no longer see the table."""

log = structlog.get_logger("web.socket")


NO_DATABASE = MessageTemplate("web.no_database", "The server can’t reach its database. Try again.")
ONLY_WATCHES = MessageTemplate("web.only_watches", "This connection is for spectators only. Play on another one.")
WENT_WRONG = MessageTemplate("web.went_wrong", "Something went wrong on the server. Try again.")


class RoomSocket:
    """The ASGI application for `/ws/{code}`, which connects a page or program to a room.

    `RequestGuards` has checked the address, origin and rate before.
    """

    def __init__(self, site: Callable[[], AppContext]) -> None:
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one handshake: start a `_SocketSession`, which then gets all messages, or close with a goodbye."""
        await receive()  # websocket.connect
        site, wire = self._site(), websocket_of(scope)
        await send({"type": "websocket.accept"})
        if site.draining:
            _close_with_goodbye(wire, _build_goodbye("restart", site.random_retry_ms()))
            return
        try:
            talk = await self._open_session(site, scope, wire)
        except StorageUnavailable:
            talk = _build_goodbye("trouble", site.random_retry_ms() + 2000)
        except DamagedRoom:
            talk = _build_goodbye("damaged")
        if isinstance(talk, Goodbye):
            site.metrics.refused.labels(talk.reason).inc()
            _close_with_goodbye(wire, talk)
        else:
            await talk.start()

    async def _open_session(
        self, site: AppContext, scope: Scope, wire: WebSocketConnection
    ) -> "_SocketSession | Goodbye":
        client, code = client_key(scope), str(scope["path"]).removeprefix(SOCKETS)
        query = _query_parameters(scope)
        spoken = query.get("protocol", "")
        if spoken != str(VERSION):
            return _goodbye_for_other_version(site, spoken)
        known = await site.people.find_session(scope)
        if known is None:
            return _build_goodbye("no_session")
        person = known.person
        if await room_access.seconds_until_guess_allowed(site, client, person, code):
            return _build_goodbye("too_many", 30_000)
        actor = await room_access.find_room(site, code, person)
        if actor is None:
            site.guess_limiter.seconds_until_allowed(client)
            return _build_goodbye("no_room")
        if person.id in actor.room.banned:
            return _build_goodbye("removed")
        if not site.try_count_socket(client, person.id, actor.id):
            return _build_goodbye("too_many", 30_000)
        try:
            texts = site.templates.texts_for_request(scope)
            screen_key = query.get("key", "") if query.get("watch") == "1" else None
            return _SocketSession(site, actor, known, client, texts, wire, screen_key)
        except RoomClosed:  # the room was unloaded in this moment
            site.uncount_socket(client, person.id, actor.id)
            return _build_goodbye("trouble", 100)


class _SocketSession:
    """One person's open socket in one room: passes their messages to the room, and sends answers and updates."""

    __slots__ = (
        "_actor",
        "_bad",
        "_began",
        "_busy",
        "_code",
        "_connection",
        "_is_over",
        "_last_word",
        "_may_do",
        "_message",
        "_naming",
        "_pace",
        "_person",
        "_seen",
        "_shows_chat",
        "_site",
        "_texts",
        "_visitor",
        "_was_here",
        "_watches",
        "_wire",
        "client",
        "device_id",
        "known",
    )  # fmt: skip

    def __init__(
        self,
        site: AppContext,
        actor: RoomActor,
        known: SignedInDevice,
        client: str,
        texts: Texts,
        wire: WebSocketConnection,
        screen_key: str | None,
    ) -> None:
        """Connect to the room, and raise `RoomClosed` if it was unloaded.

        The socket is counted for `client` and the person.

        With `screen_key`, the socket shows only what any spectator may see, and the person does not count as present.
        If it is the key of a member's link, the socket is theirs; else it may be "".
        """
        self._site = site
        self._actor = actor
        self._person = known.person
        self.known = known
        """The person and the device."""
        self.device_id = known.device
        """The id of the device."""
        self.client = client
        """The address of the client, as limits count it."""
        self._texts = texts
        self._wire = wire
        self._pace = joining.message_pace_key(actor, known.person)
        self._seen = actor.room.seq
        """Number of the newest log entry that was checked for a reason to close."""
        self._bad = 0
        self._may_do = 0
        """`bytes_sent` at the end of the update with the player's current actions."""
        self._busy = False
        """Whether a message is being handled and not yet answered."""
        self._message: Message | None = None
        """The current or last message; `_began` and `_naming` are its start time and its task."""
        self._began = 0.0
        self._naming: asyncio.Task[None] | None = None
        self._last_word: Goodbye | None = None
        self._is_over = False
        self._watches = watches = screen_key is not None
        self._visitor = (actor.room.find_screen_owner(screen_key) if screen_key else None) or known.person.id
        """The id of the person, or of the member whose link the television has."""
        self._shows_chat: bool | None = None
        """Whether the page has got the chat so far; None: the chat is not loaded yet."""
        self._was_here = False
        """Whether the person was a member before the current join request."""
        self._connection = actor.connect(self._visitor, is_screen=watches)
        if not watches:
            joining.end_arrival(site, actor.id, known.person.id)

    @property
    def person_id(self) -> str:
        """The id of the person whose socket this is."""
        return self._person.id

    @property
    def room_id(self) -> str:
        """The id of the room that this socket shows."""
        return self._actor.id

    @property
    def is_awaited(self) -> bool:
        """Whether the room waits for this person's action, so that a lost connection should be noticed soon.

        False for a hidden page, so that a phone can rest, and for a socket that only watches.
        """
        return not self._watches and self._connection.is_visible and self._actor.is_awaiting_person(self._person.id)

    async def start(self) -> None:
        """Begin the session: register the socket, send the room and its chat, update a member's avatar, read messages.

        If the server is already stopping, the socket is closed instead.
        """
        self._site.register_socket(self)
        self._connection.on_update = self._send_newest_update
        self._connection.transport = self._wire
        self._wire.set_listener(self)
        if self._site.draining:  # draining began during the handshake
            self.close_for_restart()
            return
        self._send_newest_update()
        self.send_notice(self._site.notice)
        await self._site.chat.load_chat(self._actor)
        self._shows_chat = self._connection.sees_table
        if self._shows_chat:
            self.send_notice(self._site.chat.chat_history_frame(self._actor))
        if not self._watches:
            await joining.update_avatar_in_room(self._site, self.client, self._actor, self._person)
        self._wire.request_next_message()

    # The end ----------------------------------------------------------------------------------------------------

    def close_for_restart(self) -> None:
        """Close the socket with goodbye `restart`, as the server stops; the client should reconnect soon.

        A message in progress is answered first.
        """
        self._close_after_answer(_build_goodbye("restart", self._site.random_retry_ms()))

    def close_signed_out(self) -> None:
        """Close the socket with goodbye `no_session`, as its device was signed out or its person deleted.

        A message in progress is answered first.
        """
        self._close_after_answer(_build_goodbye("no_session"))

    def send_notice(self, notice: bytes | None) -> None:
        """Send a ready-made frame, such as the chat so far or a notice that the database is down.

        None sends nothing.
        """
        if notice is not None:
            self._wire.send_texts(notice)

    def on_close(self) -> None:
        """Release what a closed socket holds: its connection to the room, its counts and its registration.

        Further calls do nothing.
        """
        if self._is_over:
            return
        self._is_over = True
        self._connection.close()
        self._site.uncount_socket(self.client, self._person.id, self._actor.id)
        self._site.unregister_socket(self)

    def _close_after_answer(self, goodbye: Goodbye) -> None:
        """Close the socket with a goodbye: now, or after the answer to the message in progress."""
        self._last_word = goodbye
        if not (self._busy or self._is_over):
            _close_with_goodbye(self._wire, goodbye)
            self.on_close()

    # What the room shows ----------------------------------------------------------------------------------------

    def on_writable(self) -> None:
        """Send the room's newest update, as a client that was too slow can read again."""
        self._send_newest_update()

    def _send_newest_update(self) -> None:
        """Send the room's newest update to the client.

        If a message is in progress or the client reads too slowly, nothing is sent: the update goes out later.
        """
        if not (self._busy or self._wire.is_blocked):  # else it goes out later
            self._wire.send_texts(*self._take_newest_update())

    def _take_newest_update(self) -> tuple[bytes, ...]:
        """Return the room's newest unsent update as a tuple of one text, or an empty tuple.

        Closes the socket if the person may no longer see the room, or if the update can't be made.
        """
        if self._is_over:
            return ()
        update: ConnectionUpdate | None = None
        try:
            update = self._connection.take_update()
            ending = None if update is None else self._reason_to_close()
        except RoomClosed:
            ending = _build_goodbye("restart", self._site.random_retry_ms())
        except Exception:
            log.exception("update failed", room=self._actor.code, client=self.client)
            ending = _build_goodbye("trouble", self._site.random_retry_ms())
        if ending is not None:
            self._close_after_answer(ending)
        if ending is not None or update is None:
            return ()
        self._site.metrics.updates_sent.count += 1
        if update.has_own_changes:
            self._may_do = self._wire.bytes_sent + len(update.text)
        if self._shows_chat in (None, self._connection.sees_table):
            return (update.text,)
        self._shows_chat = self._connection.sees_table
        chat = self._site.chat.chat_history_frame(self._actor) if self._shows_chat else NO_CHAT
        return update.text, chat

    def _reason_to_close(self) -> Goodbye | None:
        """Return the goodbye for a person who may no longer see this room, or None if they may.

        Banned people may not see it, and a person whom the host asked to leave must open the page again. After most
        new codes only members stay.
        """
        room, persons, seen = self._actor.room, {self._person.id, self._visitor}, self._seen
        self._seen = room.seq
        if persons & room.banned:
            return _build_goodbye("removed")
        if any(room.dismissed.get(person, 0) > seen for person in persons):
            return _build_goodbye("asked_to_leave")
        if room.guests_out_at > seen and room.find_member(self._visitor) is None:
            return _build_goodbye("no_room")
        return None

    # Messages from the client -----------------------------------------------------------------------------------

    def on_message(self, text: str | None) -> None:
        """Check one message from the client, and pass it to the room or answer it here.

        Invalid and too fast ones are refused. None stands for a binary message, which closes the socket.
        """
        if text is None:
            self._wire.close(server_messages.CLOSE_CODE_FOR_BINARY)
            self.on_close()
            return
        self._busy, self._began = True, time.perf_counter()
        try:
            message = client_messages.parse_message(text, self._person.id)
        except BadMessage as bad:
            self._reject_message(bad.message_id, "bad_message", bad.sentence)
            return
        if self._site.message_limiter.seconds_until_allowed(self._pace):
            self._reject_message(message.id, "too_fast", joining.TOO_FAST())
            return
        if type(message) is AskForSeat and self._site.seat_request_limiter.seconds_until_allowed(self.client):
            self._reject_message(message.id, "too_fast", joining.TOO_MANY_SEAT_REQUESTS())
            return
        self._message = message
        if self._watches and not isinstance(message, client_messages.Ping):
            self._send_reply(message, CommandReply(False, code="not_a_member", message=ONLY_WATCHES()))
            return
        try:
            if type(message) in client_messages.FOR_THE_ROOM:
                refused = self._site.log_limits.refusal(self.client, self._actor.id, message)
                if refused is not None:
                    self._send_reply(message, CommandReply(False, code="too_fast", message=refused))
                    return
                if type(message) is Join:
                    self._was_here = self._actor.room.find_member(self._person.id) is not None
                    self._message = message = joining.with_saved_avatar(message, self._person)
                self._actor.submit(message, self._on_reply)
            else:
                self._handle_local_message(message)
        except RuleError as error:
            self._send_reply(message, CommandReply(False, code=error.code, message=error.sentence))
        except Exception:
            log.exception("command failed", kind=message.t, room=self._actor.id, client=self.client)
            self._send_reply(message, CommandReply(False, code="unavailable", message=WENT_WRONG()))

    def _handle_local_message(self, message: Message) -> None:
        """Answer a message that is not recorded in the room's log.

        These are: ping, visibility, reaction, chat, and questions about possible plays.
        """
        match message:
            case client_messages.Ping():
                self._send_answer({"t": "answer", "id": message.id, "ok": True, "seq": self._actor.room.seq})
            case client_messages.PageVisibility():
                self._connection.set_page_state(is_visible=message.visible, only_watches=message.watches)
                self._send_answer({"t": "answer", "id": message.id, "ok": True, "seq": self._actor.room.seq})
            case client_messages.React():
                self._send_reply(message, self._site.chat.send_reaction(self._actor, message))
            case client_messages.SendChat():
                self._send_reply(message, self._site.chat.send_chat(self._actor, message))
            case client_messages.PreviewCards():
                plays, why = self._actor.preview_cards(self._person.id, message.cards)
                refusal = {} if why is None else self._refusal(why.code, why.sentence, why.rule)
                self._send_answer({"t": "answer", "id": message.id, "ok": True, "plays": plays, **refusal})
            case client_messages.PreviewActions():
                found = self._actor.preview_plays(self._person.id, message.first)
                self._send_answer({"t": "answer", "id": message.id, "ok": True, **found})
            case _:
                raise AssertionError(message)

    def _reject_message(self, message_id: str | None, code: str, sentence: TranslatableMessage) -> None:
        """Answer a message that is invalid or came too fast with an error. After too many, close the socket."""
        self._bad += 1
        self._send_answer(_error_answer(message_id, code, sentence))
        if self._bad > MAX_BAD_MESSAGES:
            self._close_after_answer(_build_goodbye("too_fast" if code == "too_fast" else "bad_messages", 10_000))

    def _on_reply(self, reply: CommandReply) -> None:
        """Answer the current message after the room has decided it and saved the result.

        After a successful join, the answer waits until the person's name is saved.
        """
        message = self._message
        assert message is not None
        self._site.log_limits.count(self.client, self._actor.id, message, reply.log_bytes)
        if reply.ok and type(message) is Join:
            self._naming = asyncio.get_running_loop().create_task(self._answer_join(message, reply))
        else:
            self._send_reply(message, reply)

    def _send_reply(self, message: Message, reply: CommandReply) -> None:
        began = self._began
        if reply.ok:
            self._bad = 0
            if type(message) is Act:
                self._wire.acknowledge(self._may_do)  # acting proves that it was read
            self._send_answer({"t": "answer", "id": message.id, "ok": True, "seq": reply.seq})
        else:
            assert reply.message is not None
            refusal = self._refusal(reply.code or "unavailable", reply.message, reply.rule)
            self._send_answer({"t": "answer", "id": message.id, "ok": False, **refusal})
        result = "ok" if reply.ok else str(reply.code)
        self._site.metrics.count_command(message.t, result, time.perf_counter() - began)

    def _refusal(self, code: str, sentence: TranslatableMessage, rule: str | None) -> dict[str, Any]:
        """Return the fields of an answer that say why a message is refused, and by which rule."""
        game = self._actor.room.settings.game
        # The basic game refuses what no variant allows, so its rules are named after the game.
        named = f"game.{game.key}" if rule == game.option_schema.basic_game_id else f"{rule}.name"
        ruled = {} if rule is None else {"rule": rule, "rule_name": self._texts.t(named)}
        return {"code": code, "message": sentence, **message_key_and_values(sentence), **ruled}

    def _send_answer(self, answer: dict[str, Any]) -> None:
        """Send the answer to the current message, then ask the connection for the next one, or close if that is due.

        The room's newest update goes along, unless the client reads too slowly.
        """
        newest = () if self._wire.is_blocked else self._take_newest_update()
        self._wire.send_texts(*newest, encode(answer))
        self._busy = False
        if self._last_word is not None:
            self._close_after_answer(self._last_word)
        else:
            self._wire.request_next_message()

    async def _answer_join(self, message: Join, reply: CommandReply) -> None:
        """Save the new member's name and avatar, then answer their join; if saving fails, the answer says so."""
        try:
            await joining.save_profile(
                self._site, self.client, self._actor, self._person, message, was_here=self._was_here
            )
        except StorageUnavailable:
            reply = CommandReply(False, code="unavailable", message=NO_DATABASE())
        except Exception:
            log.exception("saving a profile failed", room=self._actor.id, client=self.client)
            reply = CommandReply(False, code="unavailable", message=WENT_WRONG())
        self._naming = None
        self._send_reply(message, reply)


def _query_parameters(scope: Scope) -> dict[str, str]:
    """Return the query parameters of a socket's address by name, leaving out those given more than once."""
    return {
        name: values[0]
        for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()
        if len(values) == 1
    }


def _error_answer(message_id: str | None, code: str, sentence: TranslatableMessage) -> dict[str, Any]:
    return {
        "t": "answer",
        "id": message_id,
        "ok": False,
        "code": code,
        "message": sentence,
        **message_key_and_values(sentence),
    }


def _goodbye_for_other_version(site: AppContext, client_version: str) -> Goodbye:
    """Return the goodbye for a client that speaks another protocol version than this server: reload the page.

    A page too old to know the goodbye `old_page` gets `bad_messages`, for which it asks the player to reload.
    """
    if (
        len(client_version) <= 9
        and client_version.isascii()
        and client_version.isdigit()
        and int(client_version) >= FIRST_THAT_RELOADS
    ):
        return Goodbye(t="goodbye", reason="old_page", version=site.assets.version)
    return _build_goodbye("bad_messages")


def _build_goodbye(reason: server_messages.GoodbyeReason, retry_ms: int | None = None) -> Goodbye:
    return Goodbye(t="goodbye", reason=reason, retry_ms=retry_ms)


def _close_with_goodbye(wire: WebSocketConnection, goodbye: Goodbye) -> None:
    wire.close(
        server_messages.CLOSE_CODES[goodbye.reason], goodbye.reason, server_messages.encode_message(goodbye).encode()
    )
