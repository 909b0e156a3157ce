"""Test that each class name is used once, so that a reader of `Seat` knows which class it is."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_class_names_are_unique() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in sorted([*(ROOT / "app").rglob("*.py"), *(ROOT / "tools").rglob("*.py")]):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(file.relative_to(ROOT)))
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
