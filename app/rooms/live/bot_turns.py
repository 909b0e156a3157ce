"""The bots' choices in one room: chosen in this process, or by a worker process for hard bots (bot_workers.py)."""

import logging
import random
from collections.abc import Callable, Sequence
from typing import Any

from app.bots import BOTS, OUT_OF_TURN_PLAYS, SEARCHING_BOTS
from app.rooms.bots.delay import players_who_may_break_in
from app.rooms.live.bot_thinking import BotJobs
from app.rooms.live.connections import RoomClosed
from app.rooms.model.commands import BotAct
from app.rooms.model.decision import AskBot, TimerRequest
from app.rooms.model.state import Room
from app.rooms.ports.bot_workers import BotAnswer, BotDecision, BotWorkers, MissingReason
from app.rooms.views import room_view

logger = logging.getLogger(__name__)


class BotTurns:
    """Chooses the actions of one room's bots, here or in a worker process, and sends them to the room."""

    def __init__(
        self,
        get_room: Callable[[], Room],
        rng: random.Random,
        submit_action: Callable[[BotAct], None],
        on_idle: Callable[[str], None],
        bot_workers: BotWorkers | None,
        on_decision: Callable[[BotDecision], None] | None,
    ) -> None:
        """Store the callbacks. `get_room` returns the current room.

        `on_idle` gets the seat of a bot that was asked but has no action to choose. `on_decision` gets each choice,
        for statistics.
        """
        self._get_room = get_room
        self._rng = rng
        self._submit_action = submit_action
        self._on_idle = on_idle
        self._on_decision = on_decision
        self._jobs = None if bot_workers is None else BotJobs(bot_workers, self._on_job_answer)

    def update_jobs(self, room: Room, timer_requests: Sequence[TimerRequest]) -> None:
        """Start a worker's job for each hard bot that will be asked soon, and cancel the room's other jobs.

        Called after each change of the room. Does nothing without workers.
        """
        if self._jobs is None:
            return
        if any(member.active_bot in SEARCHING_BOTS for member in room.members.values()):
            self._jobs.wake_workers()
        names = [wish.name for wish in timer_requests if isinstance(wish, AskBot) and wish.bot in SEARCHING_BOTS]
        self._jobs.cancel_all_except(names)
        for name in names:
            if not self._jobs.has_job_for_turn(name, room.turn):
                self._jobs.start_job(name, room.turn, self._build_job(room, name))

    def choose_action(self, name: str, bot: str) -> None:
        """Choose and submit the action of the bot in seat `name`, when its bot delay is over. `bot`: its kind.

        A hard bot may still wait for its worker. Out of turn, the bot may decide not to act. A bot with nothing to do
        is reported as idle.
        """
        room = self._get_room()
        if room.match is not None and name in room.match.to_act:
            if self._jobs is not None and self._jobs.has_job_for_turn(name, room.turn):
                self._jobs.act_when_ready(name)
            else:
                self._choose_locally(room, name, bot, "off" if bot in SEARCHING_BOTS else None)
        elif name in players_who_may_break_in(room):
            action = self._choose_safely(room, name, lambda view: OUT_OF_TURN_PLAYS[bot](view, self._rng))
            if action is not None:  # else the bot does not break in, and is asked again after the next play
                self._submit_action(BotAct(name, room.turn, action))
        else:
            self._on_idle(name)

    def close(self) -> None:
        """Cancel the jobs of a room's bots and drop the callbacks, so that the closed room can be freed."""
        if self._jobs is not None:
            self._jobs.cancel_all_except(())
        self._jobs, self._get_room, self._submit_action, self._on_idle = (
            None,
            _raise_room_closed,
            _do_nothing,
            _do_nothing,
        )

    def _build_job(self, room: Room, name: str) -> bytes | None:
        try:
            return room_view.build_bot_job(room, name, self._rng.getrandbits(32))
        except Exception:
            logger.exception("room %s: preparing the turn of bot %s failed", room.id, name)
            return None

    def _on_job_answer(self, name: str, turn: int, answer: BotAnswer) -> None:
        """Send the action that a worker found for a bot to the room; without one, choose a simpler action here.

        If the turn has changed meanwhile, the answer is ignored and the bot reported as idle.
        """
        room = self._get_room()
        bot = room.members[name].active_bot if name in room.members else None
        if bot is None or room.turn != turn or room.match is None or name not in room.match.to_act:
            self._on_idle(name)
        elif isinstance(answer, str):
            self._choose_locally(room, name, bot, answer)
        else:
            self._report_decision(BotDecision(bot, answer.worlds))
            self._submit_action(BotAct(name, turn, answer.action))

    def _choose_locally(self, room: Room, name: str, bot: str, missing: MissingReason | None) -> None:
        """Choose a bot's action in this process and send it. `missing`: why a hard bot has no worker's answer."""
        action = self._choose_safely(room, name, lambda view: BOTS[bot](view, self._rng))
        self._report_decision(BotDecision(bot, missing=missing))
        self._submit_action(BotAct(name, room.turn, action or {}))  # empty: the room picks the safest action

    def _choose_safely(
        self, room: Room, name: str, choose: Callable[[Any], dict[str, Any] | None]
    ) -> dict[str, Any] | None:
        try:
            return choose(room_view.build_bot_view(room, name))
        except Exception:
            logger.exception("room %s: bot %s failed to choose", room.id, name)
            return None

    def _report_decision(self, decided: BotDecision) -> None:
        if self._on_decision is not None:
            try:
                self._on_decision(decided)
            except Exception:  # counting must not cost the bot its turn
                logger.exception("counting a bot's decision failed")


def _raise_room_closed() -> Room:
    """Raise `RoomClosed`. Replaces the callback that returns the room after the bots' object was closed."""
    raise RoomClosed


def _do_nothing(*_: object) -> None:
    """Do nothing.

    Replaces the callbacks of a room's bots after closing, so that late calls have no effect.
    """
