"""Only the Scum touches the cards [PRES-40].

A finished trick lies until the bottom clears it, and who else touches it is last."""

from app.engine.actions import Clear, Touch
from app.engine.climbing.moments import HandState
from app.engine.climbing.state import Laid, Trick
from app.engine.errors import RuleError
from app.engine.events import notable, told
from app.engine.hands import HandStep

from .memory import Memory


def wait(hand: HandState, trick: tuple[Laid, ...]) -> HandStep:
    """The finished trick stays on the table; the bottom is to act."""
    memory: Memory = hand.memory
    waiting = hand.but(
        trick=Trick(plays=trick), to_act=(hand.hierarchy[-1],), memory=memory.but(waiting=hand.to_act[0])
    )
    return HandStep(waiting)


def clear(hand: HandState, by: str, action: Clear) -> HandStep:
    """The bottom takes the pile away; the next lead may come."""
    memory: Memory = hand.memory
    if memory.waiting is None:
        raise RuleError("not_in_this_phase", "There is no finished pile to clear.")
    if by != hand.hierarchy[-1]:
        raise RuleError("not_your_turn", f"Only {hand.hierarchy[-1]}, at the bottom, clears the pile.")
    cleared = hand.but(trick=Trick(), to_act=(memory.waiting,), memory=memory.but(waiting=None))
    return HandStep(cleared, (told("cleared", by, leads=memory.waiting),))


def touch(hand: HandState, by: str, action: Touch) -> HandStep:
    """Anybody may touch the pile; anybody but the bottom is last for it."""
    memory: Memory = hand.memory
    if hand.phase != "play" or not hand.hierarchy or hand.table is None:
        raise RuleError("not_in_this_phase", "There are no cards on the table to touch.")
    if by == hand.hierarchy[-1]:
        return HandStep(hand, (told("tidied", by),))
    touched = (*(name for name in memory.touched if name != by), by)
    return HandStep(hand.but(memory=memory.but(touched=touched)), (notable("touched", by, "PRES-40"),))
