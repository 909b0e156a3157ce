"""Test that the version of snapshots is raised whenever the code that makes them changes."""

import ast
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import app.rooms
from app.rooms.log import snapshots
from tests.rooms.world import playing, through_json

KEPT = Path(__file__).parent / "snapshots.json"
"""The format with fingerprints of the code. `python -m tests.rooms.log.test_snapshots` writes it."""
FOLD = (
    *(
        f"events/{part}.py"
        for part in ("changes", "deals", "hand", "log_event", "match", "members", "room", "seats", "votes")
    ),
    "log/deadlines.py",
    "model/former_names.py",
    "money/session.py",
    "model/shuffle_proof.py",
    "log/reducer.py",
    "model/faces.py",
    "log/snapshots.py",
    "model/member.py",
    "model/vote.py",
    "model/state.py",
    "model/settings.py",
)
"""Files in app/rooms that decide the state after an entry and the form of a snapshot."""


def test_the_stored_description_matches_the_fold_and_snapshot_code() -> None:
    kept, now = json.loads(KEPT.read_text()), _described()
    changed = [part for part in ("sources", "shape") if kept[part] != now[part]]
    assert kept == now, (
        f"What makes snapshots has changed ({', '.join(changed) or 'format'}). If a room folded from its log, or its "
        "snapshot, can differ from what it was before, raise FORMAT in app/rooms/log/snapshots.py by one: older "
        "snapshots "
        "are then ignored. If nothing can differ (other names, other words), leave it. In both cases run "
        "`python -m tests.rooms.log.test_snapshots` and commit tests/rooms/log/snapshots.json."
    )


def test_comments_and_docstrings_do_not_change_the_fingerprint() -> None:
    one = 'def f():\n    """Say a."""\n    return 1  # for now\n'
    other = 'def f():\n    """Say b, too."""\n\n    return 1\n'
    assert _code(one) == _code(other)
    assert _code(one) != _code(one.replace("1", "2"))


def test_a_snapshot_without_a_format_is_not_current() -> None:
    world = playing()
    world.play()
    kept = through_json(snapshots.room_to_json(world.room))
    assert snapshots.is_current_format(kept)
    del kept["format"]
    assert not snapshots.is_current_format(kept)


def _described() -> dict[str, Any]:
    """Return the description of the current code."""
    world = playing()
    world.play()
    folder = Path(app.rooms.__file__).parent
    sources = {name: _digest(_code((folder / name).read_text())) for name in FOLD}
    return {"format": snapshots.FORMAT, "sources": sources, "shape": _shape(snapshots.room_to_json(world.room))}


def _code(text: str) -> str:
    """Return code without comments, docstrings and layout."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            plain = [each for each in node.body if not _is_text(each)]
            node.body = plain or [ast.Pass()]
    # Unlike `ast.dump`, this is the same in every version of Python.
    return " ".join(_words(tree))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _words(node: ast.AST) -> Iterator[str]:
    yield type(node).__name__
    for name, value in ast.iter_fields(node):
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield f"({name}"
                yield from _words(each)
                yield ")"
            elif each is not None:
                yield f"{name}={each!r}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _shape(kept: dict[str, Any]) -> dict[str, list[str]]:
    """Return the fields of a snapshot, without objects whose keys are names of people or options."""
    parts = {
        "room": kept,
        "member": kept["members"][0],
        "chance": kept["chance"],
        "clocks": kept["clocks"],
        "run": kept["run"],
        "match": kept["run"]["match"],
    }
    return {name: sorted(part) for name, part in parts.items()}


if __name__ == "__main__":
    KEPT.write_text(json.dumps(_described(), indent=2) + "\n")
