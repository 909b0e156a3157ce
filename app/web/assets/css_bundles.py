"""Bundle style sheets for browsers: inline their imports, so that a page waits for one response, and minify them.

Minifying removes indents, line breaks, comments that fill whole lines, spaces before values and blocks and after
commas, and the last semicolon of a block. No string in a style sheet may contain a comma with a space.
"""

import re
from collections.abc import Mapping
from pathlib import Path

_IMPORT = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
_INDENT = re.compile(r"\n\s+")
_SPACE = re.compile(r"^([\w-]+:) | (?=\{$)|(?<=,) ", re.MULTILINE)
_BREAK = re.compile(r"(?<=[{},])\n+|;?\n+(?=\})|(?<=;)\n+")
_COMMENT = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)


def bundle_stylesheets(folder: Path) -> Mapping[str, bytes]:
    """Return all style sheets below a folder as they are sent to browsers, by path relative to the folder.

    Imports are replaced by the imported text, and everything is minified.
    """
    return {
        path.relative_to(folder).as_posix(): minify_css(
            _inline_imports(path, path.read_text(encoding="utf-8"))
        ).encode()
        for path in sorted(folder.rglob("*.css"))
    }


def minify_css(sheet: str) -> str:
    r"""Return a style sheet without indents, line breaks, comments that fill lines, and unnecessary spaces.

    >>> minify_css("/* Two\n   lines. */\n.egg {\n  color: white; /* as it should be */\n}")
    '.egg{color:white; /* as it should be */}'
    """
    return _BREAK.sub("", _SPACE.sub(lambda found: found[1] or "", _INDENT.sub("\n", _COMMENT.sub("", sheet)).lstrip()))


def _inline_imports(path: Path, text: str) -> str:
    return _IMPORT.sub(lambda found: (path.parent / found[1]).read_text(encoding="utf-8"), text)
