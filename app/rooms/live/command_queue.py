"""The queue of a room's commands: one at a time, each answered exactly once, until the room is closed."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

from app.engine.base.messages import MessageTemplate
from app.rooms.live.connections import RoomClosed
from app.rooms.live.failures import Attempt
from app.rooms.model import commands as ask
from app.rooms.model.decision import CommandReply
from app.rooms.ports.storage import StorageUnavailable

logger = logging.getLogger(__name__)

LONGEST_QUEUE = 1000
NOT_KEPT = MessageTemplate("room.not_kept", "The server could not save that. Try again.")
UNAVAILABLE = CommandReply(False, None, "unavailable", NOT_KEPT())


class CatchUp:
    """An entry in a room's queue that makes it read the log entries that other processes have appended."""


QueueEntry: TypeAlias = "ask.Command | CatchUp"
AnswerCallback: TypeAlias = Callable[[CommandReply], None]
"""Gets the reply to a command, exactly once. It must return quickly."""
_Queued: TypeAlias = tuple[QueueEntry, AnswerCallback | None, float]
"""A command, the callback for its reply, and when it came, in seconds of the event loop's clock."""


class CommandQueue(ABC):
    """Runs commands one at a time. A subclass starts each, answers it, and ends it, at once or later."""

    def __init__(self, room_id: str, attempt: Attempt) -> None:
        """`attempt`: runs the callbacks for replies, which may fail."""
        self.id = room_id
        self.last_used = asyncio.get_running_loop().time()
        """When the room was last used, in seconds of the event loop's clock."""
        self._attempt = attempt
        self._queue: deque[_Queued] = deque()
        self._current: _Queued | None = None
        """The current command, and the callback for its reply, which is None after the reply."""
        self._reading: asyncio.Task[None] | None = None
        """The task that reads the log for the current command."""
        self._drained: asyncio.Future[None] | None = None
        """`close` waits for it."""
        self._closed = False

    def submit(self, command: ask.ClientCommand, on_answer: AnswerCallback) -> None:
        """Queue a client's command to the room.

        `on_answer` gets the reply once the result is stored, perhaps at once. If the room is closed or its queue is
        full, the reply is "unavailable".
        """
        if self._closed or len(self._queue) >= LONGEST_QUEUE:
            on_answer(UNAVAILABLE)
        else:
            self._enqueue(command, on_answer)

    async def handle(self, command: ask.ClientCommand) -> CommandReply:
        """Run a client's command in the room and return its reply: accepted, refused, or "unavailable"."""
        future: asyncio.Future[CommandReply] = asyncio.get_running_loop().create_future()
        self.submit(command, lambda reply: None if future.done() else future.set_result(reply))
        return await future

    @property
    def unanswered_commands(self) -> int:
        """The number of commands of clients that wait for a reply."""
        return len(self._unanswered_since())

    @property
    def oldest_unanswered_seconds(self) -> float:
        """The seconds that the oldest command of a client has waited for its reply; 0 if none waits."""
        since = self._unanswered_since()
        return asyncio.get_running_loop().time() - min(since) if since else 0.0

    def _unanswered_since(self) -> list[float]:
        entries = self._queue if self._current is None else (self._current, *self._queue)
        return [since for _, on_answer, since in entries if on_answer is not None]

    async def close(self) -> None:
        """Finish the room's queued commands, then stop its timers and bots and close its connections."""
        if self._closed:
            return
        self._closed = True
        self._process_queue()
        if self._current is not None:
            self._drained = asyncio.get_running_loop().create_future()
            await self._drained
        self._close_components()

    @abstractmethod
    def _next_urgent_command(self) -> ask.Command | None:
        """Return a command that must run before those in the queue."""

    @abstractmethod
    def _start_command(self, command: QueueEntry) -> None:
        """Start the current command. An error ends it."""

    @abstractmethod
    def _schedule_retry(self, command: QueueEntry) -> None:
        """Schedule a failed command again, if no client would repeat it."""

    @abstractmethod
    def _close_components(self) -> None:
        """Stop what belongs to the room when it closes."""

    def _enqueue(self, command: QueueEntry, on_answer: AnswerCallback | None = None) -> None:
        if not self._closed:
            self.last_used = asyncio.get_running_loop().time()
            self._queue.append((command, on_answer, self.last_used))
            if self._current is None:
                self._process_queue()

    def _process_queue(self) -> None:
        """Run the room's queued commands in order, until one has to wait for the log or the queue is empty."""
        while self._current is None:
            urgent = self._next_urgent_command()
            if urgent is None and not self._queue:
                break
            self._current = self._queue.popleft() if urgent is None else (urgent, None, 0.0)
            try:
                self._start_command(self._current[0])
            except Exception as error:
                self._fail_current_command(error)
        if self._drained is not None and self._current is None and not self._drained.done():
            self._drained.set_result(None)

    def _postpone_current_command(self, place: int = 0) -> None:
        """Put the current command back into the queue, behind the first `place` others."""
        assert self._current is not None
        self._queue.insert(place, self._current)
        self._current = None

    def _continue_in_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Continue the current command in a task that reads the log; the queue waits until the task has ended."""
        self._reading = asyncio.get_running_loop().create_task(self._work_then_process(work), name=f"room {self.id}")

    async def _work_then_process(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:
            self._fail_current_command(error)
        self._process_queue()

    def _answer_current_command(self, reply: CommandReply) -> None:
        """Call the reply callback of the current command with this reply, unless it was called before."""
        assert self._current is not None
        command, on_answer, since = self._current
        self._current = command, None, since
        self._call_answer_callback(on_answer, reply)

    def _fail_current_command(self, error: Exception) -> None:
        """Log an error in the current command, answer "unavailable" unless it was answered, and end it.

        Commands that no client would send again, such as timers, are scheduled again.
        """
        if self._current is None:
            logger.error("room %s: unexpected error", self.id, exc_info=error)
            return
        command, on_answer, _ = self._current
        self._current = None
        if not isinstance(error, StorageUnavailable | RoomClosed):  # the log and the registry report these
            logger.error("room %s: %s failed", self.id, type(command).__name__, exc_info=error)
        self._schedule_retry(command)
        self._call_answer_callback(on_answer, UNAVAILABLE)

    def _call_answer_callback(self, on_answer: AnswerCallback | None, reply: CommandReply) -> None:
        if on_answer is not None:
            self._attempt("answer", on_answer, reply)
