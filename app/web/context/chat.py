"""What people tell each other beside the game: it goes to everybody who is at the table or watches, and into no log.

Between nodes it travels as a hint does, and like one it may be lost. What is said in a match is kept, beside the log,
as long as it goes on.
"""

import asyncio
import base64
import time
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, cast, get_args
from weakref import WeakKeyDictionary, WeakSet, ref

import msgspec

from app.engine.base.messages import Sentence
from app.rooms.errors import RoomError
from app.rooms.handlers.dispatch import JOIN_FIRST
from app.rooms.live.registry import Registry
from app.rooms.live.room_actor import Runner
from app.rooms.model.decision import Verdict
from app.rooms.model.state import Room
from app.rooms.people.chat import CHAT_IS_OFF, NOTHING_SAID, Quick, Utterance, Utterances, cleaned
from app.rooms.people.reactions import Reaction
from app.rooms.ports.bus import ASIDE, Bus
from app.rooms.ports.storage import Unavailable
from app.settings import Limits
from app.store.repositories.chat import ChatLines
from app.web.http.rate_limit import Pace
from app.web.protocol import client_messages, server_messages

IDS_KEPT = 512
"""Ids of messages that are remembered, so that one that is sent again is not told twice."""

SAYS = "says-"
"""In a hint, before a line: when it was said, and its text or quick words. No reaction begins so."""
_SAID = msgspec.json.Decoder(tuple[int, str | None, Quick | None])

SAID_ENOUGH = Sentence("web.said_enough", "That was a lot at once: wait a moment before you say more.")
REACTED_ENOUGH = Sentence("web.reacted_enough", "That was a lot at once: let the others look, and wait a moment.")


class Asides:
    """The asides of all rooms that are awake here."""

    def __init__(self, registry: Registry, kept: ChatLines, bus: Bus | None, limits: Limits) -> None:
        """`bus` leads to other nodes; None: there are none."""
        self._registry = registry
        self._kept = kept
        self._bus = bus
        self._reactions = Pace(limits.reactions_per_minute, 60, at_once=limits.reactions_at_once)
        self._words = Pace(limits.lines_per_minute, 60, at_once=limits.lines_at_once)
        self._chats: WeakKeyDictionary[Runner, Utterances] = WeakKeyDictionary()
        self._read: WeakSet[Runner] = WeakSet()
        """Rooms of which it is known what was said before they were awake here."""
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._keeping: set[asyncio.Task[None]] = set()
        self._said: OrderedDict[tuple[str, str], None] = OrderedDict()

    def react(self, runner: Runner, asked: client_messages.React) -> Verdict:
        """Show everybody in this room what somebody shows."""
        member = runner.room.member_of(asked.by)
        if member is None:
            return Verdict(False, code="not_a_member", message=JOIN_FIRST())
        if (asked.by, asked.id) in self._said:
            return Verdict(True, runner.room.seq)
        if self._reactions.wait(f"{runner.id} {asked.by}"):
            return Verdict(False, code="too_fast", message=REACTED_ENOUGH())
        self._remember(asked)
        _show(runner, member.name, asked.reaction)
        self._pass_on(runner, asked.by, asked.reaction)
        return Verdict(True, runner.room.seq)

    def write(self, runner: Runner, asked: client_messages.Write) -> Verdict:
        """Tell everybody in this room what somebody says."""
        member = runner.room.member_of(asked.by)
        if member is None:
            return Verdict(False, code="not_a_member", message=JOIN_FIRST())
        if (asked.by, asked.id) in self._said:
            return Verdict(True, runner.room.seq)
        if not runner.room.settings.chat:
            return Verdict(False, code="not_now", message=CHAT_IS_OFF())
        if (asked.text is None) == (asked.quick is None):
            return Verdict(False, code="bad_text", message=NOTHING_SAID())
        try:
            text = None if asked.text is None else cleaned(asked.text)
        except RoomError as error:
            return Verdict(False, code=error.code, message=error.sentence)
        if self._words.wait(f"{runner.id} {asked.by}"):
            return Verdict(False, code="too_fast", message=SAID_ENOUGH())
        self._remember(asked)
        line = self._chat(runner).add(asked.by, member.name, int(time.time() * 1000), text, asked.quick)
        if line is None:
            return Verdict(True, runner.room.seq)
        runner.tell(_told(runner.room, [line], whole=False))
        self._pass_on(runner, asked.by, SAYS + _written(line))
        run = runner.room.run
        if run is not None and runner.room.in_match:
            self._soon(self._kept.keep(runner.id, run.match_id, line))
        return Verdict(True, runner.room.seq)

    async def remember(self, runner: Runner) -> None:
        """Know what was said in the match that goes on in this room, before anybody says more; let its bots be seen."""
        runner.react = partial(_show_at, ref(runner))
        if not runner.room.in_match:  # what is said later is said here
            self._read.add(runner)
        if runner in self._read:
            return
        reading = self._reading.get(runner.id)
        if reading is None:
            reading = self._reading[runner.id] = asyncio.create_task(self._look_up(runner))
            reading.add_done_callback(lambda _: self._reading.pop(runner.id, None) and None)
        await asyncio.shield(reading)

    async def _look_up(self, runner: Runner) -> None:
        run = runner.room.run
        if run is not None:
            with suppress(Unavailable):
                said = await self._kept.read(runner.id, run.match_id)
                if said:
                    self._chat(runner).go_on_from(said)
        self._read.add(runner)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Have it kept, or no longer, behind what people see: it is no part of the game, and may be lost."""

        async def done() -> None:
            with suppress(Unavailable):
                await work

        task = asyncio.create_task(done(), name="chat")
        self._keeping.add(task)
        task.add_done_callback(self._keeping.discard)

    def chat_history(self, runner: Runner) -> bytes:
        """Return the frame with all chat lines of a room, for a page that has just connected.

        It is sent even without lines: a page that comes back may still show lines that were deleted meanwhile.
        """
        chat = self._chats.get(runner)
        if chat is not None and not runner.room.settings.chat and chat.clear():
            self._soon(self._kept.drop(runner.id))
        return _told(runner.room, () if chat is None else chat.lines, whole=True)

    def forget(self, person: str) -> None:
        """Let go of what somebody has said, wherever it was."""
        for runner, chat in tuple(self._chats.items()):
            if chat.forget(person):
                runner.tell(_told(runner.room, chat.lines, whole=True))

    def heard(self, hint: str) -> None:
        """Hear from another node what somebody there has shown or said; one of another version may tell more."""
        room, _, word = hint.partition(ASIDE)
        person, _, told = word.rpartition(".")
        runner = self._registry.here(room)
        member = None if runner is None else runner.room.member_of(person)
        if runner is None or member is None:
            return
        if told in get_args(Reaction):
            _show(runner, member.name, cast("Reaction", told))
        elif told.startswith(SAYS) and runner.room.settings.chat:
            with suppress(ValueError, msgspec.MsgspecError):
                line = self._chat(runner).add(person, member.name, *_read(told.removeprefix(SAYS)))
                if line is not None:
                    runner.tell(_told(runner.room, [line], whole=False))

    def _pass_on(self, runner: Runner, person: str, told: str) -> None:
        if self._bus is not None:
            self._bus.publish(f"{runner.id}{ASIDE}{person}.{told}", 1)

    def _remember(self, asked: client_messages.React | client_messages.Write) -> None:
        self._said[asked.by, asked.id] = None
        if len(self._said) > IDS_KEPT:
            self._said.popitem(last=False)

    def _chat(self, runner: Runner) -> Utterances:
        """The chat of a room, which is over with its match."""
        chat = self._chats.get(runner)
        if chat is None:
            chat = self._chats[runner] = Utterances()
            runner.match_over = partial(self._end, ref(runner))
        return chat

    def _end(self, of: "ref[Runner]") -> None:
        """Let go of what was said: the match is over."""
        runner = of()
        if runner is not None and self._chat(runner).clear():
            runner.tell(_told(runner.room, (), whole=True))
            self._soon(self._kept.drop(runner.id))


def _told(room: Room, lines: Sequence[Utterance], *, whole: bool) -> bytes:
    """Encode these lines. Who has another name here by now has said them under that."""
    by = [each.by if (member := room.member_of(each.person)) is None else member.name for each in lines]
    shown = [
        server_messages.ChatLine(id=each.id, by=name, at=each.at, text=each.text, quick=each.quick)
        for name, each in zip(by, lines, strict=True)
    ]
    return server_messages.encode(server_messages.Chat(t="chat", lines=shown, whole=whole)).encode()


def _written(line: Utterance) -> str:
    """Give a line as a hint carries it: without spaces, colons and dots."""
    return base64.urlsafe_b64encode(msgspec.json.encode((line.at, line.text, line.quick))).decode()


def _read(written: str) -> tuple[int, str | None, Quick | None]:
    return _SAID.decode(base64.urlsafe_b64decode(written))


def _show_at(of: "ref[Runner]", name: str, reaction: Reaction) -> None:
    """What a bot shows: every node finds that out by itself."""
    runner = of()
    if runner is not None:
        _show(runner, name, reaction)


def _show(runner: Runner, name: str, reaction: Reaction) -> None:
    runner.tell(server_messages.encode(server_messages.Reacted(t="reaction", by=name, reaction=reaction)).encode())
