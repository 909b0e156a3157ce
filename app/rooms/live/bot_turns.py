"""What the bots of one room choose: here and at once, or by somebody who thinks for them elsewhere (bot_workers.py)."""

import logging
import random
from collections.abc import Callable, Sequence
from typing import Any

from app.bots import BOTS, BREAKING_IN, THINKING
from app.rooms.bots.delay import may_break_in
from app.rooms.live.bot_thinking import Thoughts
from app.rooms.live.connections import RoomClosed
from app.rooms.model.commands import BotAct
from app.rooms.model.decision import AskBot, Wish
from app.rooms.model.state import Room
from app.rooms.ports.bot_workers import Answer, Decided, Missing, Thinker
from app.rooms.views import room_view

logger = logging.getLogger(__name__)


class Choosing:
    """The bots of one room."""

    def __init__(
        self,
        room: Callable[[], Room],
        rng: random.Random,
        act: Callable[[BotAct], None],
        let_be: Callable[[str], None],
        thinker: Thinker | None,
        decided: Callable[[Decided], None] | None,
    ) -> None:
        """`room` gives the room as it is now. `act` is told what a bot chose, `let_be` of a seat whose bot was asked
        too late, `decided` of each choice."""
        self._room = room
        self._rng = rng
        self._act = act
        self._let_be = let_be
        self._decided = decided
        self._thoughts = None if thinker is None else Thoughts(thinker, self._thought)

    def think(self, room: Room, wishes: Sequence[Wish]) -> None:
        """Have those bots think that will be asked, and want to think first; and nobody else."""
        if self._thoughts is None:
            return
        if any(member.player in THINKING for member in room.members.values()):
            self._thoughts.wake()
        names = [wish.name for wish in wishes if isinstance(wish, AskBot) and wish.bot in THINKING]
        self._thoughts.keep(names)
        for name in names:
            if not self._thoughts.thinks(name, room.turn):
                self._thoughts.begin(name, room.turn, self._job(room, name))

    def due(self, name: str, bot: str) -> None:
        """Have a bot choose that has thought for as long as it was to seem to."""
        room = self._room()
        if room.match is not None and name in room.match.to_act:
            if self._thoughts is not None and self._thoughts.thinks(name, room.turn):
                self._thoughts.due(name)
            else:
                self._without(room, name, bot, "off" if bot in THINKING else None)
        elif name in may_break_in(room):
            action = self._chosen(room, name, lambda view: BREAKING_IN[bot](view, self._rng))
            if action is not None:  # else it lets this play be, and is asked again about another
                self._act(BotAct(name, room.turn, action))
        else:
            self._let_be(name)

    def close(self) -> None:
        """Wait for no thoughts any more, and hold on to nobody: whoever asks these bots holds them."""
        if self._thoughts is not None:
            self._thoughts.keep(())
        self._thoughts, self._room, self._act, self._let_be = None, _no_room, _nobody, _nobody

    def _job(self, room: Room, name: str) -> bytes | None:
        try:
            return room_view.job(room, name, self._rng.getrandbits(32))
        except Exception:
            logger.exception("room %s: what %s is to think about could not be said", room.id, name)
            return None

    def _thought(self, name: str, turn: int, answer: Answer) -> None:
        """Do what somebody elsewhere has come to; or choose without, if they have come to nothing."""
        room = self._room()
        bot = room.members[name].player if name in room.members else None
        if bot is None or room.turn != turn or room.match is None or name not in room.match.to_act:
            self._let_be(name)
        elif isinstance(answer, str):
            self._without(room, name, bot, answer)
        else:
            self._note(Decided(bot, answer.worlds))
            self._act(BotAct(name, turn, answer.action))

    def _without(self, room: Room, name: str, bot: str, missing: Missing | None) -> None:
        """Choose here and now. A view lists few actions, so this is soon done."""
        action = self._chosen(room, name, lambda view: BOTS[bot](view, self._rng))
        self._note(Decided(bot, missing=missing))
        self._act(BotAct(name, room.turn, action or {}))  # of nothing the room makes the least harmful thing

    def _chosen(self, room: Room, name: str, choose: Callable[[Any], dict[str, Any] | None]) -> dict[str, Any] | None:
        try:
            return choose(room_view.for_bot(room, name))
        except Exception:
            logger.exception("room %s: the bot of %s could not choose", room.id, name)
            return None

    def _note(self, decided: Decided) -> None:
        if self._decided is not None:
            try:
                self._decided(decided)
            except Exception:  # counting must not cost the bot its turn
                logger.exception("a bot's decision could not be counted")


def _no_room() -> Room:
    """Give none: it is closed."""
    raise RoomClosed


def _nobody(*_: object) -> None:
    """Do nothing: the room is closed."""
