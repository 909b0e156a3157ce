"""One name, one thing: whoever reads `Seat` should not have to ask which."""

import ast
from collections import defaultdict
from pathlib import Path

APP = Path(__file__).parents[1] / "app"


def test_no_two_classes_have_one_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in sorted(APP.rglob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(file.relative_to(APP)))
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
