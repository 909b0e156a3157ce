"""Chat and reactions: sent to everybody in a room, players and spectators, and never written to the room's log.

Between nodes, messages travel as hints and may be lost. Chat of a match is stored outside the log until the match ends.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, cast, get_args
from weakref import WeakKeyDictionary, WeakSet, ref

import msgspec

from app.engine.base.messages import MessageTemplate
from app.rooms.errors import RoomError
from app.rooms.handlers.dispatch import JOIN_FIRST
from app.rooms.live.registry import Registry
from app.rooms.live.room_actor import RoomActor
from app.rooms.log.name_rewrite import replace_names_in_text
from app.rooms.model.decision import CommandReply
from app.rooms.model.state import Room
from app.rooms.people.chat import CHAT_IS_OFF, NOTHING_SAID, ChatHistory, ChatMessage, QuickMessage, clean_message
from app.rooms.people.reactions import Reaction
from app.rooms.ports.bus import SIDE_MESSAGE_MARK, Bus, decode_from_hint, encode_for_hint
from app.rooms.ports.storage import StorageUnavailable
from app.settings import Limits
from app.store.repositories.chat import ChatStore
from app.web.http.rate_limit import RateLimiter
from app.web.protocol import client_messages, server_messages

MAX_HANDLED_IDS = 512
"""Number of message ids to remember, so that a message sent twice is shown once."""

SAYS = "says-"
"""Prefix of a chat line in a hint; time and text or quick phrase follow. No reaction starts with it."""
NAMES = "names-"
"""Prefix of the replacements of a deleted person's names in a hint."""

SAID_ENOUGH = MessageTemplate("web.said_enough", "Too many messages. Wait a moment.")
REACTED_ENOUGH = MessageTemplate("web.reacted_enough", "Too many reactions. Wait a moment.")


class ChatAndReactions:
    """The chat and the reactions of all rooms that are loaded in this process."""

    def __init__(self, registry: Registry, store: ChatStore, bus: Bus | None, limits: Limits) -> None:
        """Set up the rate limits and the stored chat. `bus` reaches other nodes; a single node has None."""
        self._registry = registry
        self._store = store
        self._bus = bus
        self._reactions = RateLimiter(limits.reactions_per_minute, 60, burst=limits.reactions_at_once)
        self._words = RateLimiter(limits.chat_messages_per_minute, 60, burst=limits.chat_messages_at_once)
        self._chats: WeakKeyDictionary[RoomActor, ChatHistory] = WeakKeyDictionary()
        self._loaded_rooms: WeakSet[RoomActor] = WeakSet()
        """Rooms whose stored chat has been loaded."""
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._handled_message_ids: OrderedDict[tuple[str, str], None] = OrderedDict()

    def send_reaction(self, actor: RoomActor, message: client_messages.React) -> CommandReply:
        """Show a member's reaction to everybody in the room, and return the reply to the sender.

        The reply is a refusal if the sender is not a member or reacts too often. A repeated message id is only
        confirmed.
        """
        member = actor.room.find_member(message.by)
        if member is None:
            return CommandReply(False, code="not_a_member", message=JOIN_FIRST())
        if (message.by, message.id) in self._handled_message_ids:
            return CommandReply(True, actor.room.seq)
        if self._reactions.seconds_until_allowed(f"{actor.id} {message.by}"):
            return CommandReply(False, code="too_fast", message=REACTED_ENOUGH())
        self._remember_message_id(message)
        _broadcast_reaction(actor, member.name, message.reaction)
        self._publish_to_nodes(actor, message.by, message.reaction)
        return CommandReply(True, actor.room.seq)

    def send_chat(self, actor: RoomActor, message: client_messages.SendChat) -> CommandReply:
        """Send a member's chat message to everybody in the room, and return the reply to the sender.

        During a match it is also stored. The reply is a refusal if the sender is not a member, writes too often, or
        the chat is off or the text bad.
        """
        member = actor.room.find_member(message.by)
        if member is None:
            return CommandReply(False, code="not_a_member", message=JOIN_FIRST())
        if (message.by, message.id) in self._handled_message_ids:
            return CommandReply(True, actor.room.seq)
        if not actor.room.settings.chat:
            return CommandReply(False, code="not_now", message=CHAT_IS_OFF())
        if (message.text is None) == (message.quick is None):
            return CommandReply(False, code="bad_text", message=NOTHING_SAID())
        try:
            text = None if message.text is None else clean_message(message.text)
        except RoomError as error:
            return CommandReply(False, code=error.code, message=error.sentence)
        if self._words.seconds_until_allowed(f"{actor.id} {message.by}"):
            return CommandReply(False, code="too_fast", message=SAID_ENOUGH())
        self._remember_message_id(message)
        line = self._chat_of(actor).add_message(message.by, member.name, int(time.time() * 1000), text, message.quick)
        if line is None:
            return CommandReply(True, actor.room.seq)
        actor.broadcast(_encode_chat_frame(actor.room, [line], replaces_all=False))
        self._publish_to_nodes(actor, message.by, SAYS + _encode_hint_line(line))
        run = actor.room.run
        if run is not None and actor.room.in_match:
            self._run_in_background(self._store.save_message(actor.id, run.match_id, line))
        return CommandReply(True, actor.room.seq)

    async def load_chat(self, actor: RoomActor) -> None:
        """Prepare a room's chat for a page that connects: load the stored messages of its match, once.

        Also lets the room's bots show reactions.
        """
        actor.display.on_reaction = partial(_send_bot_reaction, ref(actor))
        if not actor.room.in_match:  # chat starts empty outside a match, so nothing must be loaded
            self._loaded_rooms.add(actor)
        if actor in self._loaded_rooms:
            return
        reading = self._loading.get(actor.id)
        if reading is None:
            reading = self._loading[actor.id] = asyncio.create_task(self._load_stored_lines(actor))
            reading.add_done_callback(lambda _: self._loading.pop(actor.id, None) and None)
        await asyncio.shield(reading)

    async def _load_stored_lines(self, actor: RoomActor) -> None:
        run = actor.room.run
        if run is not None:
            with suppress(StorageUnavailable):
                said = await self._store.recent_messages(actor.id, run.match_id)
                if said:
                    self._chat_of(actor).load_earlier_messages(said)
        self._loaded_rooms.add(actor)

    def _run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Store or delete chat in the background.

        Without a database the change is lost: chat is outside the game.
        """

        async def done() -> None:
            with suppress(StorageUnavailable):
                await work

        task = asyncio.create_task(done(), name="chat")
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)

    def chat_history_frame(self, actor: RoomActor) -> bytes:
        """Return the encoded message with all chat lines of a room, for a page that has just connected.

        It is sent even without lines: a page that comes back may still show lines that were deleted meanwhile. If the
        chat was turned off, its lines are deleted first.
        """
        chat = self._chats.get(actor)
        if chat is not None and not actor.room.settings.chat and chat.delete_all():
            self._run_in_background(self._store.delete_room_messages(actor.id))
        return _encode_chat_frame(actor.room, () if chat is None else chat.messages, replaces_all=True)

    def delete_lines_of(self, person: str) -> None:
        """Delete all chat lines of a person in every loaded room, because their data is deleted, and tell the pages."""
        for actor, chat in tuple(self._chats.items()):
            if chat.delete_messages_of(person):
                actor.broadcast(_encode_chat_frame(actor.room, chat.messages, replaces_all=True))

    def replace_deleted_names(self, room: str, names: Mapping[str, str]) -> None:
        """Replace a deleted person's names in the chat lines of others in a room, on all nodes, and tell the pages."""
        self._replace_names_here(room, names)
        if self._bus is not None:
            self._bus.publish(f"{room}{SIDE_MESSAGE_MARK}.{NAMES}{encode_for_hint(names)}", 1)

    def _replace_names_here(self, room: str, names: Mapping[str, str]) -> None:
        actor = self._registry.get_loaded(room)
        if actor is None or (chat := self._chats.get(actor)) is None:
            return
        if chat.rewrite_texts(lambda text: replace_names_in_text(text, names)):
            actor.broadcast(_encode_chat_frame(actor.room, chat.messages, replaces_all=True))

    def on_bus_hint(self, hint: str) -> None:
        """Show a reaction or chat line that another node sent as a hint, or replace names, if the room is loaded here.

        Unknown kinds, of other versions, are ignored.
        """
        room, _, word = hint.partition(SIDE_MESSAGE_MARK)
        person, _, line_id = word.rpartition(".")
        if line_id.startswith(NAMES):
            with suppress(ValueError, msgspec.MsgspecError):
                self._replace_names_here(room, decode_from_hint(line_id.removeprefix(NAMES), dict[str, str]))
            return
        actor = self._registry.get_loaded(room)
        member = None if actor is None else actor.room.find_member(person)
        if actor is None or member is None:
            return
        if line_id in get_args(Reaction):
            _broadcast_reaction(actor, member.name, cast("Reaction", line_id))
        elif line_id.startswith(SAYS) and actor.room.settings.chat:
            with suppress(ValueError, msgspec.MsgspecError):
                line = self._chat_of(actor).add_message(
                    person, member.name, *_decode_hint_line(line_id.removeprefix(SAYS))
                )
                if line is not None:
                    actor.broadcast(_encode_chat_frame(actor.room, [line], replaces_all=False))

    def _publish_to_nodes(self, actor: RoomActor, person: str, payload: str) -> None:
        if self._bus is not None:
            self._bus.publish(f"{actor.id}{SIDE_MESSAGE_MARK}{person}.{payload}", 1)

    def _remember_message_id(self, message: client_messages.React | client_messages.SendChat) -> None:
        self._handled_message_ids[message.by, message.id] = None
        if len(self._handled_message_ids) > MAX_HANDLED_IDS:
            self._handled_message_ids.popitem(last=False)

    def _chat_of(self, actor: RoomActor) -> ChatHistory:
        """Return the chat of a room, created if needed; it is cleared when the room's match ends."""
        chat = self._chats.get(actor)
        if chat is None:
            chat = self._chats[actor] = ChatHistory()
            actor.display.on_match_over = partial(self._clear_after_match, ref(actor))
        return chat

    def _clear_after_match(self, actor_ref: "ref[RoomActor]") -> None:
        """Delete the chat of a room whose match has ended, also the stored one, and tell the pages."""
        actor = actor_ref()
        if actor is not None and self._chat_of(actor).delete_all():
            actor.broadcast(_encode_chat_frame(actor.room, (), replaces_all=True))
            self._run_in_background(self._store.delete_room_messages(actor.id))


def _encode_chat_frame(room: Room, lines: Sequence[ChatMessage], *, replaces_all: bool) -> bytes:
    """Return the encoded message that shows these chat lines; `whole`: they replace all lines shown before.

    Lines of a renamed member appear under the new name.
    """
    by = [each.by if (member := room.find_member(each.person)) is None else member.name for each in lines]
    shown = [
        server_messages.ChatLine(id=each.id, by=name, at=each.at, text=each.text, quick=each.quick)
        for name, each in zip(by, lines, strict=True)
    ]
    return server_messages.encode_message(
        server_messages.Chat(t="chat", lines=shown, replaces_all=replaces_all)
    ).encode()


def _encode_hint_line(line: ChatMessage) -> str:
    """Encode a chat line as part of a hint to other nodes."""
    return encode_for_hint((line.at, line.text, line.quick))


def _decode_hint_line(written: str) -> tuple[int, str | None, QuickMessage | None]:
    return decode_from_hint(written, tuple[int, str | None, QuickMessage | None])


def _send_bot_reaction(actor_ref: "ref[RoomActor]", name: str, reaction: Reaction) -> None:
    """Show a bot's reaction to everybody in the room on this node only, because every node computes it."""
    actor = actor_ref()
    if actor is not None:
        _broadcast_reaction(actor, name, reaction)


def _broadcast_reaction(actor: RoomActor, name: str, reaction: Reaction) -> None:
    actor.broadcast(
        server_messages.encode_message(server_messages.Reacted(t="reaction", by=name, reaction=reaction)).encode()
    )
