"""Test the list of what games and house rules may override: `python -m tests.project.test_hooks` writes it."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import app.engine.games
from app.engine.climbing.rule_hooks import ClimbingRules
from app.engine.games import GAMES
from app.engine.games.president.house_rule import HouseRule
from app.engine.match.game import Game
from tests.for_each import for_each

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "hooks.md"
START = """# Hooks

For contributors: every method and field that a game or a house rule may override. Each line of a method names the class
that overrides it first. `python -m tests.project.test_hooks` writes this page, and a test compares it with the code.

A new hook ships with a game or rule that uses it. A hook without one fails the test, so remove it.
"""
LAYERS: dict[str, type] = {
    "`Game`: what a match asks of a game": Game,
    "`ClimbingRules`: what the loop of a climbing game asks of its rules": ClimbingRules,
    "`HouseRule`: what President asks of a house rule": HouseRule,
}


def hooks_of(layer: type) -> dict[str, str]:
    """Return the methods that a subclass may override, with the first line of each docstring."""
    found = {}
    for name, value in vars(layer).items():
        method = value.__func__ if isinstance(value, classmethod) else value
        if inspect.isfunction(method) and not name.startswith("_") and not getattr(value, "__final__", False):
            found[name] = (inspect.getdoc(method) or "").partition("\n")[0]
    return found


def fields_of(layer: type) -> Iterator[tuple[str, str, str]]:
    """Yield each public field that has a default, with the default and the first line of its docstring."""
    [definition] = ast.parse(inspect.getsource(layer)).body
    assert isinstance(definition, ast.ClassDef)
    for field, text in pairwise(definition.body):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value),
                ast.Expr(ast.Constant(value=str(says))),
            ) if not name.startswith("_"):
                yield name, ast.unparse(value), says.partition("\n")[0]


def classes_below(layer: type) -> list[type]:
    """Return the classes that may override a hook: those of the games first, then what they share."""
    if layer is Game:
        lines = [type(game).__mro__ for game in GAMES.values()]
        return [*(line[0] for line in lines), *dict.fromkeys(each for line in lines for each in line[1:-1])]
    return sorted(_subclasses(layer), key=lambda each: (each.__module__, each.__name__))


def _subclasses(of: type) -> set[type]:
    """Return all subclasses in the code. Other tests may define more."""
    for module in pkgutil.walk_packages(app.engine.games.__path__, "app.engine.games."):
        importlib.import_module(module.name)
    found = {below for each in of.__subclasses__() for below in (each, *_subclasses(each))}
    return {each for each in found if each.__module__.startswith("app.")}


def _rows(layer: type) -> Iterator[str]:
    for name, line in hooks_of(layer).items():
        first = next(each for each in classes_below(layer) if name in vars(each))
        yield f"| `{name}` | {line} | `{first.__name__}` |"


def _page() -> str:
    return START + "".join(
        f"\n## {title}\n"
        + _table("| method | what it answers | example |", _rows(layer))
        + _table(
            "| field | default | what it says |",
            (f"| `{name}` | `{value}` | {line} |" for name, value, line in fields_of(layer)),
        )
        for title, layer in LAYERS.items()
    )


def _table(head: str, rows: Iterable[str]) -> str:
    lines = [*rows]
    return "\n".join(("", head, "| --- | --- | --- |", *lines, "")) if lines else ""


def test_the_page_of_hooks_matches_the_code() -> None:
    assert PAGE.read_text(encoding="utf-8") == _page(), "run `python -m tests.project.test_hooks`, and commit"


@for_each("layer", LAYERS.values(), ids=lambda layer: layer.__name__)
def test_every_hook_is_overridden_somewhere(layer: type) -> None:
    below = classes_below(layer)
    unused = [name for name in hooks_of(layer) if not any(name in vars(each) for each in below)]
    assert not unused, f"remove {', '.join(unused)} from {layer.__name__}, or mark as final: no class overrides them"


if __name__ == "__main__":
    PAGE.write_text(_page(), encoding="utf-8")
