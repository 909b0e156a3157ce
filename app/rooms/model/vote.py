"""Votes of the players, as values that the log and snapshots store."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias, TypedDict

VoteSubject: TypeAlias = Literal["pause", "rematch", "undo"]
"""Subject of a vote: pause the match, play the same again after a match, or undo the last play."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A running vote of the players, for example on undoing the last play. A room has one vote at a time."""

    subject: VoteSubject
    by: str
    agreed: tuple[str, ...]
    """The players who agree, `by` first."""
    until: int | None = None
    """When the vote ends, in milliseconds since 1970; None: open until all have voted."""
    id: str = ""
    """Identifies the vote in the voters' commands. Unique in the room."""

    def with_approval(self, name: str, until: int | None) -> "Vote":
        """Copy of the vote with this player's agreement.

        `until`: the new end, in milliseconds since 1970, or None.
        """
        agreed = self.agreed if name in self.agreed else (*self.agreed, name)
        return replace(self, agreed=agreed, until=until)


class VoteView(TypedDict):
    """A running vote."""

    id: Annotated[str, "The id of the vote. `vote` sends it back."]
    subject: Annotated[VoteSubject, "pause: pause the match; rematch: play again; undo: undo the last action."]
    by: Annotated[str, "The player who started the vote."]
    agreed: Annotated[list[str], "Players who agree."]
    undecided: Annotated[list[str], "Players who have not voted."]
    until: Annotated[int | None, "When the vote ends, in epoch milliseconds; null: only when all have voted."]


class UndoView(TypedDict):
    """The last action, if it can be undone."""

    by: Annotated[str, "The player who made the action and may ask to undo it."]
    request: Annotated[int, "The number of the action. `propose` sends it back as `request`."]


class PauseView(TypedDict):
    """A pause of the match."""

    by: Annotated[str, "The player who asked for the pause."]
    since: Annotated[int, "When the pause began, in epoch milliseconds."]
