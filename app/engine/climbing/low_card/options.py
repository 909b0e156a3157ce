"""Options that games with a low card share; each game gives its own id and other names."""

from collections.abc import Callable

ANTICLOCKWISE, CLOCKWISE = -1, 1

DIRECTION_BY_OPTION: dict[str, Callable[[int], int]] = {
    "anticlockwise": lambda hands_before: ANTICLOCKWISE,
    "clockwise": lambda hands_before: CLOCKWISE,
    "alternate": lambda hands_before: CLOCKWISE if hands_before % 2 else ANTICLOCKWISE,
}
"""Returns the direction of a hand, given the number of hands before it."""
