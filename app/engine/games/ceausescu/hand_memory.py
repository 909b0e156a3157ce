"""What Ceausescu itself keeps during a hand, beside the state that all climbing games share."""

from dataclasses import dataclass

from app.engine.climbing.rule_hooks import HandState


@dataclass(frozen=True, slots=True)
class CeausescuMemory:
    """What one hand keeps; frozen, like the state it is part of (`HandState.memory`)."""

    king: str | None = None
    """Who put down the Nicolae, to be first when the hand is over (CEAU-11)."""


def memory_of(hand: HandState) -> CeausescuMemory:
    """What a hand of Ceausescu keeps."""
    memory = hand.memory
    assert isinstance(memory, CeausescuMemory)
    return memory
