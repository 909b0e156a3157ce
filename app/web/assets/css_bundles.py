"""Stylesheets as browsers get them: one that imports its parts is sent whole, so that a page waits for one answer only,
and none has the comments that stand on lines of their own, nor indents, nor spaces before values and blocks."""

import re
from collections.abc import Mapping
from pathlib import Path

_IMPORT = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
_INDENT = re.compile(r"\n\s+")
_SPACE = re.compile(r"^([\w-]+:) | (?=\{$)", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)


def joined(folder: Path) -> Mapping[str, bytes]:
    """Every stylesheet below this folder, with what it imports in its place; by path from here."""
    return {
        path.relative_to(folder).as_posix(): packed(_whole(path, path.read_text(encoding="utf-8"))).encode()
        for path in sorted(folder.rglob("*.css"))
    }


def packed(sheet: str) -> str:
    r"""Leave out indents, empty lines, what is nothing but comment, and spaces before values and blocks.

    >>> packed("/* Two\n   lines. */\n.egg {\n  color: white; /* as it should be */\n}")
    '.egg{\ncolor:white; /* as it should be */\n}'
    """
    return _SPACE.sub(lambda found: found[1] or "", _INDENT.sub("\n", _COMMENT.sub("", sheet)).lstrip())


def _whole(path: Path, text: str) -> str:
    return _IMPORT.sub(lambda found: (path.parent / found[1]).read_text(encoding="utf-8"), text)
