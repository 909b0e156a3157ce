"""Frozen values, their changed copies, and what is no part of them."""

import pytest

from app.engine.base.frozen import Value


class Hen(Value, frozen=True):
    """Somebody at a table."""

    apart = frozenset({"heard"})
    name: str
    eggs: int = 0
    heard: int = 0


class Cock(Hen, frozen=True):
    """Somebody else."""


def test_a_copy_has_what_was_changed_and_all_else() -> None:
    ana = Hen("Ana", eggs=2, heard=5)
    changed = ana.but(eggs=3)
    assert (changed, ana) == (Hen("Ana", 3), Hen("Ana", 2))
    assert changed.heard == 5
    with pytest.raises(AttributeError, match="immutable"):
        changed.eggs = 4  # type: ignore[misc]


def test_what_there_is_not_can_not_be_changed() -> None:
    with pytest.raises(TypeError, match="egg"):
        Hen("Ana").but(egg=1)


def test_what_is_apart_is_not_compared() -> None:
    assert Hen("Ana", heard=1) == Hen("Ana", heard=2)
    assert Hen("Ana") != Hen("Bob")
    assert Hen("Ana") != Cock("Ana")
    assert Hen.parts() == ("name", "eggs")
