"""Test that the application and its tools use only documented parts of the packages below server and store.

Other parts may change in any release of these packages. The test looks at the source: imports, subclasses and private
attributes. It can't see an undocumented attribute with a public name. The docstring of
`app/web/transport/uvicorn_server.py` lists such names of uvicorn.
"""

import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tests.for_each import for_each

ROOT: Final = Path(__file__).parents[2]

MODULES: Final = {
    "uvicorn": {"uvicorn"},
    "websockets": {
        "websockets.asyncio.client", "websockets.datastructures", "websockets.exceptions", "websockets.frames",
        "websockets.http11", "websockets.protocol", "websockets.server", "websockets.typing",
    },
    "sqlalchemy": {
        "sqlalchemy", "sqlalchemy.dialects", "sqlalchemy.dialects.postgresql", "sqlalchemy.dialects.sqlite",
        "sqlalchemy.engine", "sqlalchemy.event", "sqlalchemy.exc", "sqlalchemy.pool", "sqlalchemy.types",
    },
    "psycopg": {"psycopg", "psycopg.conninfo", "psycopg.errors", "psycopg.pq", "psycopg.rows", "psycopg.types"},
    "sqlite3": {"sqlite3"},
}  # fmt: skip
"""The documented modules of each package."""

BASES: Final = {"uvicorn.Config", "uvicorn.Server", "sqlalchemy.exc.DontWrapMixin", "sqlalchemy.types.TypeDecorator"}
"""The classes of these packages that the application extends. All are documented."""

DOCUMENTED: Final = {"_exit", "_replace"}
"""Names with an underscore that the Python documentation has: `os._exit`, and `_replace` of named tuples."""

EXCEPTIONS: Final = {
    "app/store/db/pg_connection.py: module psycopg.pq.abc",
    "app/store/db/pg_pipeline.py: module psycopg.pq.abc",
}
"""Known findings that are not fixed yet."""


def imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the imported names, each with its origin."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0], alias.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` for an expression of names alone, and an empty string for others."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value, name):
            before = dotted(value)
            return f"{before}.{name}" if before else ""
    return ""


def is_module(name: str) -> bool:
    """Return whether there is a module of this name."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def is_private(name: str) -> bool:
    """Return whether a name is private by its underscore."""
    return name.startswith("_") and not name.startswith("__")


def declared(trees: dict[str, ast.Module]) -> set[str]:
    """Return all private names that the application itself declares."""
    names = set[str]()
    for tree in trees.values():
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name) | ast.Name(name):
                    names.add(name)
                case ast.Attribute(ast.Name("self" | "cls" | "made"), name, ast.Store()):
                    names.add(name)
                case ast.Constant(str(name)) if is_private(name):  # in __slots__
                    names.add(name)
    return names


def findings(trees: dict[str, ast.Module]) -> set[str]:
    """Return the undocumented parts in use, each as `file: part`."""
    found = set[str]()
    own = declared(trees) | DOCUMENTED
    for file, tree in trees.items():
        names = dict(imported(tree))

        def origin(node: ast.expr, names: dict[str, str] = names) -> str:
            first, dot, rest = dotted(node).partition(".")
            return f"{names[first]}{dot}{rest}" if first in names else ""

        used = [name for _, name in imported(tree)]
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                used.append(origin(node))
                if is_private(node.attr) and node.attr not in own:
                    found.add(f"{file}: private {node.attr}")
            if isinstance(node, ast.ClassDef):
                for base in map(origin, node.bases):
                    base = base.replace("sqlalchemy.TypeDecorator", "sqlalchemy.types.TypeDecorator")
                    if base.partition(".")[0] in MODULES and base not in BASES and not is_exception(base):
                        found.add(f"{file}: subclass of {base}")
        for name in used:
            allowed = MODULES.get(name.partition(".")[0])
            if allowed is None:
                continue
            module = name if is_module(name) else name.rpartition(".")[0]
            if is_module(module) and module not in allowed:
                found.add(f"{file}: module {module}")
            if any(map(is_private, name.split("."))):
                found.add(f"{file}: private {name}")
    return found


def is_exception(name: str) -> bool:
    """Return whether a class is an error of a package. Errors are made to be extended."""
    return name.rpartition(".")[2].endswith(("Error", "Exception"))


def test_app_and_tools_use_only_documented_parts_of_other_packages() -> None:
    files = [*(ROOT / "app").rglob("*.py"), *(ROOT / "tools").rglob("*.py")]
    trees = {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in files}
    assert findings(trees) <= EXCEPTIONS


@for_each(
    ("source", "what"),
    [
        ("from uvicorn.protocols.utils import ClientDisconnected", "module uvicorn.protocols.utils"),
        ("import uvicorn.server", "module uvicorn.server"),
        ("import uvicorn\nuvicorn.config.Config", "module uvicorn.config"),
        ("from websockets import utils", "module websockets.utils"),
        ("async def f(server): await server._serve()", "private _serve"),
        ("from sqlalchemy import _something", "private sqlalchemy._something"),
        (
            "from websockets.server import ServerProtocol\nclass Ours(ServerProtocol): ...",
            "subclass of websockets.server.ServerProtocol",
        ),
        ("import sqlite3\nclass Ours(sqlite3.Connection): ...", "subclass of sqlite3.Connection"),
    ],
)
def test_an_undocumented_attribute_is_found(source: str, what: str) -> None:
    assert findings({"a.py": ast.parse(source)}) == {f"a.py: {what}"}


def test_documented_and_own_attributes_are_not_reported() -> None:
    source = """
import uvicorn
from websockets.server import ServerProtocol
class Ours(uvicorn.Server):
    def __init__(self): self._own = ServerProtocol()
def use(other): return other._own, other.__class__
"""
    assert findings({"a.py": ast.parse(source)}) == set()
