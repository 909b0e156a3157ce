"""Changed copies of frozen values, and classes without the defaults of what they hold."""

from dataclasses import FrozenInstanceError, dataclass, fields

import pytest

from app.engine.climbing.state import State, Trick
from app.engine.match import Match
from app.engine.values import but, lean
from app.rooms.room import Room, Run
from app.rooms.settings import RoomSettings


@lean
@dataclass(frozen=True)
class Hen:
    """Somebody at a table."""

    name: str
    eggs: int = 0
    rank: str | None = None


def test_a_copy_has_what_was_changed_and_all_else() -> None:
    ana = Hen("Ana", eggs=2)
    changed = but(ana, eggs=3)
    assert (changed, ana) == (Hen("Ana", 3), Hen("Ana", 2))
    assert changed.rank is None
    with pytest.raises(FrozenInstanceError):
        changed.eggs = 4  # type: ignore[misc]


def test_what_there_is_not_can_not_be_changed() -> None:
    with pytest.raises(AssertionError, match="no such fields"):
        but(Hen("Ana"), egg=1)


@pytest.mark.parametrize("kind", [Hen, Room, Run, RoomSettings, Match, State, Trick])
def test_lean_classes_have_no_attribute_of_the_name_of_a_field(kind: type) -> None:
    assert [each.name for each in fields(kind) if hasattr(kind, each.name)] == []
