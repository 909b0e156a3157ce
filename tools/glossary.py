"""`python -m tools names`: find names in `app/` with a word that the glossary replaced by another one.

Names in capitals are left out: most are messages and events, whose keys are stored.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

GLOSSARY: Final = Path("docs/glossary.md")
OTHER_MEANINGS: Final = frozenset(
    re.findall(
        "[a-z]+",
        """
        action command error game hand match pause place rank session title
        call deal fault gift group lay move order pack pile rest round society throw tribute
        account code emoji entry event export index line not opening owner picture ranking save score sentence stall
        switch table template tier variant version
        """,
    )
)
"""Words of the third column with another meaning in names: in the glossary, in rules of games, in programs."""
NAMES: Final = frozenset(
    {
        "chair",  # a key in snapshots of rooms
        "connection_made",  # asyncio calls this method
        "made",  # a key in the files of weights and rooms
        "recover_account",  # an address
    }
)
"""Single names that stay."""


def parts(name: str) -> set[str]:
    """Return the words of a name in lower case, plurals also as singulars.

    >>> sorted(parts("HandOutcomes"))
    ['hand', 'outcome', 'outcomes']
    """
    found = {part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
    return found | {part.removesuffix("s") for part in found}


def replaced_words(glossary: str) -> dict[str, str]:
    """Return the single words of the glossary's third column, each with the word to use.

    >>> replaced_words("| room | The place | table (except the picture), session (except in code), lounge |")
    {'lounge': 'room'}
    """
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in glossary.splitlines()]
    return {
        word: row[0]
        for row in rows
        if len(row) == 3
        for word in re.split(r",\s*", re.sub(r"\w+ \(except in code\)|\s*\([^)]*\)", "", row[2]))
        if re.fullmatch("[a-z]+", word) and word not in OTHER_MEANINGS
    }


def defined_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and name of each class, function, parameter, variable and attribute that a module defines."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr


@click.command
def names() -> None:
    """List names in `app/` with a word that the glossary replaced, and fail if there are any."""
    replaced, found = replaced_words(GLOSSARY.read_text(encoding="utf-8")), 0
    for path in sorted(Path("app").rglob("*.py")):
        for line, name in sorted(set(defined_names(ast.parse(path.read_text(encoding="utf-8"))))):
            for word in () if name.isupper() or name in NAMES else replaced.keys() & parts(name):
                found += 1
                click.echo(f"{path}:{line}: {name}: instead of “{word}”, say “{replaced[word]}” ({GLOSSARY})")
    sys.exit(found > 0)
