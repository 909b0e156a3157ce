"""Test the layers where import-linter can't: outside packages of the engine, and names in its shared folders."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from app.engine.games import GAMES
from app.rooms.people.avatars import BIRDS
from tests.for_each import for_each

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "app" / "engine"
BESIDES = {"msgspec"}
"""Packages that the engine may use: msgspec for fast immutable values."""
FILES = sorted(ENGINE.rglob("*.py"))


def imports(node: ast.AST, package: str) -> Iterator[str]:
    """Yield the modules that a file imports when it runs. Imports under TYPE_CHECKING are for types only."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            base = package.rsplit(".", child.level - 1)[0] if child.level else ""
            module = ".".join(filter(None, (base, child.module)))
            yield module
            yield from (f"{module}.{alias.name}" for alias in child.names if module.startswith("app"))
        yield from imports(child, package)


def imported_by(path: Path) -> set[str]:
    package = ".".join(path.parent.relative_to(ROOT).parts)
    return set(imports(ast.parse(path.read_text(encoding="utf-8")), package))


@for_each("path", FILES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_the_engine_imports_little_outside_the_standard_library(path: Path) -> None:
    foreign = {
        name
        for name in imported_by(path)
        if name.split(".")[0] not in sys.stdlib_module_names | BESIDES and not f"{name}.".startswith("app.engine.")
    }
    assert foreign <= {"app"}, f"{path} imports {sorted(foreign)}"


@for_each(
    "path",
    [path for folder in ("base", "cards", "display", "match") for path in (ENGINE / folder).rglob("*.py")],
    ids=lambda path: str(path.relative_to(ENGINE)),
)
def test_shared_engine_folders_import_no_game(path: Path) -> None:
    above = {name for name in imported_by(path) if name.startswith(("app.engine.climbing", "app.engine.games"))}
    assert not above, f"{path} imports {sorted(above)}"


@for_each("path", sorted((ROOT / "app" / "rooms").rglob("*.py")), ids=lambda path: path.name)
def test_rooms_name_no_game_and_no_game_option(path: Path) -> None:
    """A game tells a room its needs through its actions, its results and its lists for seats."""
    rows = {row for game in GAMES.values() for row in game.option_schema.names_by_id}
    words = "|".join(sorted({*GAMES, *rows} - {*BIRDS}))
    named = re.findall(rf"\b(?:{words})\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
    assert not named, f"{path} has the key of a game or the id of a rule; in another sense, choose another key: {named}"
