"""Stylesheets in parts: a file that imports its parts is sent as one, so that a page waits for one answer only."""

import re
from collections.abc import Mapping
from pathlib import Path

_IMPORT = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)


def joined(folder: Path) -> Mapping[str, bytes]:
    """Every stylesheet below this folder that imports others, with what it imports in its place; by path from here."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.css"))}
    return {
        path.relative_to(folder).as_posix(): _whole(path, texts[path]).encode()
        for path in texts
        if _IMPORT.search(texts[path])
    }


def _whole(path: Path, text: str) -> str:
    return _IMPORT.sub(lambda found: (path.parent / found[1]).read_text(encoding="utf-8"), text)
