"""The mutants of a file, and a draw among those of the whole project.

cosmic-ray breaks Python, Stryker breaks JavaScript. Both make one small change to a file: another comparison, another
number, a condition turned round, a loop that never runs.
"""

import ast
import hashlib
import json
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import parso
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from parso.tree import NodeOrLeaf

ROOT = Path(__file__).parent.parent.parent
AREAS = ("app/rooms/**/*.py", "app/store/**/*.py", "app/web/**/*.py", "static/js/**/*.js")
INVISIBLE = Path(__file__).parent / "invisible.toml"
PRIVATE = Path(__file__).parent / "private.toml"

# Of cosmic-ray's changes use only those that Stryker would make: `==` becomes `!=`, `<` becomes `<=` and `>=`, `+`
# becomes `-`. Others have no visible effect (`==` to `is`) or are found by every test (`+` to `>>`).
OPERATORS = re.compile(
    r"ComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|Lt_GtE|LtE_Lt|LtE_Gt|Gt_GtE|Gt_LtE|GtE_Gt|GtE_Lt|Is_IsNot|IsNot_Is)$"
    r"|BinaryOperator_(Add_Sub|Sub_Add|Mul_Add|Div_Mul|FloorDiv_Mul|Mod_Mul|Pow_Mul|BitOr_BitAnd|BitAnd_BitOr)$"
    r"|BinaryOperator_(BitXor_BitOr|LShift_RShift|RShift_LShift)$"
    r"|/(?!ReplaceComparisonOperator|ReplaceBinaryOperator)"
)
# Caches save time and slots memory; `override`, `frozen` and `TYPE_CHECKING` are for the type checker.
UNSEEN = re.compile(r"@(functools\.)?(cache|lru_cache|override)\b|.*\b(frozen|slots)=True|if TYPE_CHECKING:")
# Parts of Python code that no operator breaks.
WHOLE = {"name", "newline", "endmarker", "string", "fstring_start", "fstring_string", "fstring_end"}


@dataclass(frozen=True)
class Mutant:
    """A file with one small change."""

    path: str
    """The path from the root of the project."""
    line: int
    """The first changed line, counted from 1."""
    was: str
    """The changed lines, without indentation, joined to one line."""
    now: str
    """The lines that replace them."""
    code: str
    """The code of the whole changed file."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.was}  →  {self.now or 'nothing'}"

    @property
    def key(self) -> tuple[str, str, str]:
        """A name that stays the same when the lines above change."""
        return self.path, self.was, self.now


class DropFilter(Operator):
    """Drop the condition of a comprehension, which cosmic-ray does not do.

    Most filters of private events are of this form.
    """

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        if node.type == "comp_if":
            yield node.start_pos, node.end_pos

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        dropped: NodeOrLeaf = parso.parse(" if True")  # type: ignore[no-untyped-call]
        return dropped

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


@cache
def operators() -> tuple[Operator, ...]:
    """Return the operators that can change something visible and need no arguments."""
    names = (name for name in operator_names() if OPERATORS.search(name))
    return (DropFilter(), *(kind() for kind in map(get_operator, names) if not kind.arguments()))


@cache
def invisible() -> Mapping[tuple[str, str, str], str]:
    """Return the reason of each mutant without a visible effect, by its key."""
    entries = tomllib.loads(INVISIBLE.read_text("utf-8")).get("mutant", [])
    return {(entry["file"], entry["was"], now): entry["why"] for entry in entries for now in entry["now"]}


def on_line(path: str, line: int, seed: int = 0) -> Iterator[Mutant]:
    """Yield the mutants of one line with a visible effect, in an order drawn by the seed."""
    source = (ROOT / path).read_text("utf-8")
    ways = _javascript(path, source, line) if path.endswith(".js") else _python(source, line)
    for way in sorted(ways, key=lambda way: _chance(seed, path, way.name)):
        code = way.code()
        if code is not None and (mutant := _broken(path, source, code)).key not in invisible():
            yield mutant


def drawn(seed: int, areas: Iterable[str] = AREAS) -> Iterator[Mutant]:
    """Draw mutants, one of each area in turn and at most one of each line.

    The order depends on the seed and on the text of each line: a change of some lines leaves the others in order.
    """
    for mutants in zip_longest(*(_drawn_in(seed, area) for area in areas)):
        yield from (mutant for mutant in mutants if mutant is not None)


def private() -> Iterator[Mutant]:
    """Yield every mutant of the functions that hide private cards and events."""
    for path, names in tomllib.loads(PRIVATE.read_text("utf-8")).items():
        for line in (line for name in names for line in function(path, name)):
            yield from {mutant.key: mutant for mutant in on_line(path, line)}.values()


def listed(file: Path) -> Iterator[tuple[Mutant | None, Mapping[str, str]]]:
    """Yield the mutants of a list, with their entries. The mutant is None if its text is gone or no longer unique."""
    for entry in tomllib.loads(file.read_text("utf-8"))["mutant"]:
        path = entry["file"]
        source = (ROOT / path).read_text("utf-8") if (ROOT / path).is_file() else ""
        moved = source.count(entry["was"]) != 1
        yield None if moved else _broken(path, source, source.replace(entry["was"], entry["now"])), entry


def function(path: str, name: str) -> range:
    """Return the lines of a function or `Class.method` in a Python file. Raise KeyError if it does not exist."""
    node: ast.Module | ast.FunctionDef | ast.ClassDef = ast.parse((ROOT / path).read_text("utf-8"))
    for part in name.split("."):
        node = {node.name: node for node in node.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}[part]
    assert not isinstance(node, ast.Module)
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _drawn_in(seed: int, area: str) -> Iterator[Mutant]:
    places = list[tuple[str, str, int]]()
    for file in sorted(ROOT.glob(area)):
        path, seen = str(file.relative_to(ROOT)), Counter[str]()
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            seen[line] += 1
            places.append((_chance(seed, path, line, seen[line]), path, number))
    for _, path, number in sorted(places):
        yield from islice(on_line(path, number, seed), 1)


def _chance(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@dataclass(frozen=True)
class _Break:
    """One way to change a line."""

    name: str
    """The operator, and the number of its place in the line if it applies to several."""
    code: Callable[[], str | None]
    """Return the whole changed file, or None if the code that runs is the same."""


def _python(source: str, line: int) -> Iterator[_Break]:
    """Find the ways to change a line of Python code."""
    if UNSEEN.match(source.splitlines()[line - 1].strip()):
        return
    nodes = _nodes(source)
    near = [node for node in nodes if node.start_pos[0] <= line <= node.end_pos[0]]
    for operator in operators():
        if any(start[0] == line for node in near for start, _ in operator.mutation_positions(node)):
            starts = [start[0] for node in nodes for start, _ in operator.mutation_positions(node)]
            for place, number in enumerate(number for number, start in enumerate(starts) if start == line):
                yield _Break(f"{type(operator).__name__} {place}", partial(_broken_python, source, operator, number))


def _broken_python(source: str, operator: Operator, number: int) -> str | None:
    code = mutate_code(source, operator, number)
    return code if code is not None and _run(code) not in (_run(source), None) else None


@cache
def _nodes(source: str) -> list[NodeOrLeaf]:
    return [node for node in ast_nodes(get_ast(source)) if node.type not in WHOLE]


@cache
def _run(source: str) -> str | None:
    """Return the code without what only the type checker uses, or None if it can't be parsed."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = ast.Constant(0)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
    return ast.dump(tree)


def _javascript(path: str, source: str, line: int) -> Iterator[_Break]:
    """Find the ways to change a line of JavaScript."""
    starts = [0]
    for text in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    for mutant in _stryker(path):
        (first, start), (last, end) = ((at["line"], at["column"]) for at in mutant["location"].values())
        if first == line - 1:
            code = source[: starts[first] + start] + mutant["replacement"] + source[starts[last] + end :]
            yield _Break(f"{mutant['mutatorName']} {start} {mutant['replacement']}", partial(str, code))


@cache
def _stryker(path: str) -> list[dict[str, Any]]:
    command = ["node", str(Path(__file__).parent / "javascript.js"), path]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    found: list[dict[str, Any]] = json.loads(printed.stdout)
    return found


def _broken(path: str, source: str, code: str) -> Mutant:
    before, after = source.splitlines(), code.splitlines()
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    was, now = (" ".join(line.strip() for line in text[first : len(text) - last]) for text in (before, after))
    return Mutant(path, first + 1, was, now, code)


def _alike(one: list[str], other: list[str]) -> int:
    """Count the lines at the start that are the same in both."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
