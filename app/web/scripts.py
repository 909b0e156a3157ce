"""Scripts as browsers get them: all that a page needs at once, and without the comments, which are a third of them.

A page names what its script imports, so that a browser asks for everything in one go, instead of finding out import by
import. What is imported later, by `import()`, is not named.

Comments are for who reads the sources. Lines stay where they are, so that an error names the line of the source. Taken
out is what stands on lines of its own, nothing else; no text that goes over several lines may hold such a line, and a
test sees to it.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

_IMPORTS = re.compile(r'^(?:import|export)\b[^;"]*"(\./[^"]+)";', re.MULTILINE)
_INDENTS = re.compile(r"^[ \t]+", re.MULTILINE)
_LINES = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_BLOCKS = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)


def bare(folder: Path) -> Mapping[str, bytes]:
    """Every script below this folder, by path from here; without what its lines are indented by, too."""
    return {
        path.relative_to(folder).as_posix(): _INDENTS.sub(
            "", without_comments(path.read_text(encoding="utf-8"))
        ).encode()
        for path in sorted(folder.rglob("*.js"))
    }


def needed(folder: Path, script: str) -> Sequence[str]:
    """A script, what it imports, and what that imports; by path from this folder, what is nearest first."""
    found = [folder / script]
    for path in found:
        imported = (path.parent / each for each in _IMPORTS.findall(path.read_text(encoding="utf-8")))
        found += [each for each in dict.fromkeys(imported) if each not in found]
    return [path.relative_to(folder).as_posix() for path in found]


def without_comments(script: str) -> str:
    r"""Leave lines empty that are nothing but comment.

    >>> without_comments('/** A bird.\n * @type {Bird} */\nlet bird; // of the house\n  // Why so.\nlet url = "//x";')
    '\n\nlet bird; // of the house\n\nlet url = "//x";'
    >>> without_comments("/** @type {Bird} */ let one;\n/** Two. */\nlet two;")
    '/** @type {Bird} */ let one;\n\nlet two;'
    """
    return _LINES.sub("", _BLOCKS.sub(lambda found: "\n" * found[0].count("\n"), script))
