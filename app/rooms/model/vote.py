"""What somebody has asked of the table, and who has agreed to it: values, which the log and snapshots keep."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias, TypedDict

Matter: TypeAlias = Literal["rest", "rematch", "take_back"]
"""To stop for a while; the same again once the match is over; to take back what one has just played."""


@dataclass(frozen=True, slots=True)
class Motion:
    """One thing that is asked; there is one at a time."""

    matter: Matter
    by: str
    agreed: tuple[str, ...]
    """Who wants it, `by` first."""
    until: int | None = None
    """When it is decided without those who say nothing, in milliseconds since 1970; None: never."""
    id: str = ""
    """Names it in votes: no two questions of a room have the same."""

    def agreed_by(self, name: str, until: int | None) -> "Motion":
        """Give the same with one more who agrees."""
        agreed = self.agreed if name in self.agreed else (*self.agreed, name)
        return replace(self, agreed=agreed, until=until)


class MotionShown(TypedDict):
    """What is asked of the table."""

    id: Annotated[str, "Names the question: `consent` sends it back."]
    matter: Annotated[Matter, "rest: to stop for a while; rematch: the same again; take_back: the last action undone."]
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
