"""Effects: what rules return when something has happened. The game loop applies them in the order given.

Rules never change the state themselves. An effect names the rule that causes it.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from app.engine.display.events import GameEvent


class EndTrick(Struct, frozen=True):
    """An effect of a play: end the trick at once; the player of the last play leads."""

    event: GameEvent | None = None
    """The event to report, if the reason is not obvious."""


class SkipPlayers(Struct, frozen=True):
    """An effect of a play: skip the next `count` players who could act.

    They count as having passed on the last play. `cause` is the rule's id.
    """

    count: int
    cause: str


class InvertForHand(Struct, frozen=True):
    """An effect of a play: invert the order of ranks, or restore it, for the rest of the hand (a revolution).

    `cause` is the id of the rule.
    """

    cause: str


class InvertForTrick(Struct, frozen=True):
    """An effect of a play: invert the order of ranks, or restore it, until the trick ends.

    `event` tells the players of it.
    """

    event: GameEvent


class ReverseDirection(Struct, frozen=True):
    """An effect of a play: reverse the direction in which the turn passes. `cause` is the rule's id."""

    cause: str


class MoveToBottom(Struct, frozen=True):
    """An effect: discard a player's cards and put the player below everybody, even below players already out.

    A player who is moved to the bottom later finishes above. `event` tells the players of it.
    """

    player: str
    event: GameEvent


class MoveToTop(Struct, frozen=True):
    """An effect: discard a player's cards and put the player above everybody, even above players already out.

    `event` tells the players of it.
    """

    player: str
    event: GameEvent


ChoiceKind: TypeAlias = Literal["give", "discard", "bomb"]
"""Kinds of choices in mid-trick.

`give`: cards for the next player. `discard`: cards to discard. `bomb`: ranks that all players discard.
"""


class RequireChoice(Struct, frozen=True):
    """An effect of a play: make its player choose before the turn moves on, unless they have no cards left.

    The player chooses exactly `count` cards or ranks, or up to `count` if `exactly` is false. `do` tells for what: to
    give or discard the cards, or to bomb the ranks. `cause` is the rule's id.
    """

    do: ChoiceKind
    count: int
    exactly: bool
    cause: str


class SetMemory(Struct, frozen=True):
    """An effect: replace the hand's `memory`, in which the rules of one game keep what they need in the hand."""

    memory: object


class EmitEvent(Struct, frozen=True):
    """An effect: report an event to the players without changing the state of the hand."""

    event: GameEvent


Effect: TypeAlias = (
    EndTrick
    | SkipPlayers
    | InvertForHand
    | InvertForTrick
    | ReverseDirection
    | MoveToBottom
    | MoveToTop
    | RequireChoice
    | SetMemory
    | EmitEvent
)
