"""Ceausescu's own state of a hand, in addition to the state that all climbing games share."""

from dataclasses import dataclass

from app.engine.climbing.rule_hooks import HandState


@dataclass(frozen=True, slots=True)
class CeausescuMemory:
    """Ceausescu's own state of one hand, stored in the hand's `memory`; immutable."""

    king: str | None = None
    """The player of the Nicolae, who will be first when the hand is over (CEAU-11)."""


def memory_of(hand: HandState) -> CeausescuMemory:
    """Return Ceausescu's own state of a hand; the hand must be one of Ceausescu."""
    memory = hand.memory
    assert isinstance(memory, CeausescuMemory)
    return memory
