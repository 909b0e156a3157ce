"""What the bots of one room think about, in a worker process, while they seem to think.

A room asks as soon as it is such a bot's turn, and takes the answer when the bot would act. An answer that is not there
by then, and not within half a second of the question, is not waited for.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass

from app.rooms.ports.bot_workers import Answer, Drop, Thinker

MIN_WAIT = 0.5
"""Seconds that a worker has for an answer, even if bots play at once."""


@dataclass
class _Asked:
    """What one seat is asked for."""

    turn: int
    until: float
    """In the event loop's time."""
    drop: Drop = lambda: None
    answer: Answer | None = None
    timer: asyncio.TimerHandle | None = None
    """Runs once the bot would act, if only it knew what to do."""


class Thoughts:
    """What the bots of one room think about, by seat: each about one turn."""

    def __init__(self, thinker: Thinker, act: Callable[[str, int, Answer], None]) -> None:
        """`act` is called with seat, turn and answer as soon as that seat's bot is to act and nothing more is waited
        for."""
        self._thinker = thinker
        self._act = act
        self._asked: dict[str, _Asked] = {}

    def wake(self) -> None:
        """Be ready: such a bot sits in the room."""
        self._thinker.wake()

    def begin(self, name: str, turn: int, job: bytes | None) -> None:
        """Have this seat's job done, if there can be one. What it was asked about another turn is forgotten, but not
        how long others have waited for it."""
        before = self._asked.pop(name, None)
        if before is not None:
            before.drop()
        if before is not None and before.timer is not None:
            asked = _Asked(turn, before.until, timer=before.timer)
        else:
            asked = _Asked(turn, asyncio.get_running_loop().time() + MIN_WAIT)
        self._asked[name] = asked

        def answered(answer: Answer) -> None:
            asked.answer = answer
            if asked.timer is not None and self._asked.get(name) is asked:
                self._settle(name)

        if job is None:
            answered("hidden")
        else:
            asked.drop = self._thinker.ask(job, answered)

    def thinks(self, name: str, turn: int) -> bool:
        """Whether this seat is asked about this turn."""
        asked = self._asked.get(name)
        return asked is not None and asked.turn == turn

    def due(self, name: str) -> None:
        """Have the bot act that thinks for this seat: now, or as soon as there is an answer or time is up."""
        asked, loop = self._asked[name], asyncio.get_running_loop()
        if asked.answer is not None or loop.time() >= asked.until:
            self._settle(name)
        elif asked.timer is None:
            asked.timer = loop.call_at(asked.until, self._settle, name)

    def keep(self, names: Collection[str]) -> None:
        """Forget what all seats but these are asked for."""
        for name in self._asked.keys() - set(names):
            self._forget(name)

    def _settle(self, name: str) -> None:
        asked = self._forget(name)
        self._act(name, asked.turn, asked.answer or "late")

    def _forget(self, name: str) -> _Asked:
        asked = self._asked.pop(name)
        asked.drop()
        if asked.timer is not None:
            asked.timer.cancel()
        return asked
