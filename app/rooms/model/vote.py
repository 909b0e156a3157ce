"""Votes of the players, as values that the log and snapshots store."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias, TypedDict

VoteSubject: TypeAlias = Literal["rest", "rematch", "take_back"]
"""Subject of a vote: pause the match, play the same again after a match, or undo the last play."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A running vote of the players, for example on undoing the last play. A room has one vote at a time."""

    matter: VoteSubject
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


class MotionShown(TypedDict):
    """What is asked of the table."""

    id: Annotated[str, "Names the question: `consent` sends it back."]
    matter: Annotated[
        VoteSubject, "rest: to stop for a while; rematch: the same again; take_back: the last action undone."
    ]
    by: Annotated[str, "Who asks."]
    agreed: Annotated[list[str], "Who wants it."]
    asked: Annotated[list[str], "Who has said nothing yet."]
    until: Annotated[int | None, "When it is decided without them, epoch milliseconds; null: never."]


class TakeBackShown(TypedDict):
    """The last action, which may be taken back."""

    by: Annotated[str, "Who made it, and may ask for that."]
    request: Annotated[int, "Its number: `propose` sends it back as `request`."]


class RestShown(TypedDict):
    """A table that rests."""

    by: Annotated[str, "Who asked for it."]
    since: Annotated[int, "Epoch milliseconds."]
