"""Test frozen values: changed copies, comparison, and the fields that comparison ignores."""

import pytest

from app.engine.base.frozen import FrozenState


class Hen(FrozenState, frozen=True):
    """An example of a frozen class."""

    transient_fields = frozenset({"heard"})
    name: str
    eggs: int = 0
    heard: int = 0


class Cock(Hen, frozen=True):
    """An example of a subclass."""


def test_a_changed_copy_keeps_all_other_fields() -> None:
    ana = Hen("Ana", eggs=2, heard=5)
    changed = ana.replace(eggs=3)
    assert (changed, ana) == (Hen("Ana", 3), Hen("Ana", 2))
    assert changed.heard == 5
    with pytest.raises(AttributeError, match="immutable"):
        changed.eggs = 4  # type: ignore[misc]


def test_changing_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError, match="egg"):
        Hen("Ana").replace(egg=1)


def test_fields_marked_apart_are_not_compared() -> None:
    assert Hen("Ana", heard=1) == Hen("Ana", heard=2)
    assert Hen("Ana") != Hen("Bob")
    assert Hen("Ana") != Cock("Ana")
    assert Hen.persistent_fields() == ("name", "eggs")
