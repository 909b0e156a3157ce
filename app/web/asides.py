"""What people tell each other beside the game: it goes to everybody who is at the table or watches, and into no log.

With several nodes it travels as a hint does, and like one it may be lost.
"""

from collections import OrderedDict
from typing import cast, get_args

from app.engine.words import Sentence
from app.rooms.decide import JOIN_FIRST
from app.rooms.outcomes import Verdict
from app.rooms.ports import ASIDE, Bus
from app.rooms.reactions import Reaction
from app.rooms.registry import Registry
from app.rooms.runner import Runner
from app.settings import Limits
from app.web import protocol
from app.web.pace import Pace

IDS_KEPT = 512
"""Ids of messages that are remembered, so that one that is sent again is not told twice."""

REACTED_ENOUGH = Sentence("web.reacted_enough", "That was a lot at once: let the others look, and wait a moment.")


class Asides:
    """The asides of all rooms that are awake here."""

    def __init__(self, registry: Registry, bus: Bus | None, limits: Limits) -> None:
        """`bus` leads to other nodes; None: there are none."""
        self._registry = registry
        self._bus = bus
        self._reactions = Pace(limits.reactions_per_minute, 60, at_once=limits.reactions_at_once)
        self._said: OrderedDict[tuple[str, str], None] = OrderedDict()

    def react(self, runner: Runner, asked: protocol.React) -> Verdict:
        """Show everybody in this room what somebody shows."""
        member = runner.room.member_of(asked.by)
        if member is None:
            return Verdict(False, code="not_a_member", message=JOIN_FIRST())
        if (asked.by, asked.id) in self._said:
            return Verdict(True, runner.room.seq)
        if self._reactions.wait(f"{runner.id} {asked.by}"):
            return Verdict(False, code="too_fast", message=REACTED_ENOUGH())
        self._said[asked.by, asked.id] = None
        if len(self._said) > IDS_KEPT:
            self._said.popitem(last=False)
        _show(runner, member.name, asked.reaction)
        if self._bus is not None:
            self._bus.publish(f"{runner.id}{ASIDE}{asked.by}.{asked.reaction}", 1)
        return Verdict(True, runner.room.seq)

    def heard(self, hint: str) -> None:
        """Hear from another node what somebody there has shown; whoever writes another version may show more."""
        room, _, word = hint.partition(ASIDE)
        person, _, reaction = word.rpartition(".")
        runner = self._registry.here(room)
        member = None if runner is None else runner.room.member_of(person)
        if runner is not None and member is not None and reaction in get_args(Reaction):
            _show(runner, member.name, cast("Reaction", reaction))


def _show(runner: Runner, name: str, reaction: Reaction) -> None:
    runner.tell(protocol.encode(protocol.Reacted(t="reaction", by=name, reaction=reaction)).encode())
