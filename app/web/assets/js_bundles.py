"""Scripts as browsers get them: a page's in one file with all that it imports, so that it waits for one answer, not for
seventy. Nothing has to be built: the server puts these files together when it starts, and who watches files gets the
sources.

A module becomes a function that runs at once and gives what it exports, so no name of one is in the way of another's.
What is imported later, by `import()`, is a file of its own for each page, since it goes on with what that page has;
what several of those need, and the page has not, is one more, unless it comes soon in any case (`SOON`). Two are files
of their own on every page (`APART`).

Comments and indents are for who reads the sources, and stay there. Taken out is what stands on lines of its own, and
`@type` within a line; no text may hold either, and a test sees to it. Which line of a source a line comes from a source
map tells, which browsers fetch for who looks into it.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

APART = ("pages/site.js", "net/early_socket.js")
"""The script of all pages, and the one that is not to wait for the rest of its page; what they bring no other does."""
SOON = "pages/room_deferred.js"
"""What comes right after a first look, in any case: what other later parts share with it they find there."""

_IMPORT = re.compile(r'^import\b(?:\s*\{([^}]*)\}\s*from)?\s*"(\.{1,2}/[^"]+)";', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.{1,2}/[^"]+)"\)')
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_LINES = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_TYPES = re.compile(r"/\*\* @type .*?\*/ ?")
_BLOCKS = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Module:
    """A script of the sources."""

    name: str
    """Its path below the folder of all scripts."""
    text: str
    """Without comments, every line in its place."""
    number: int = 0
    """Its place among all scripts by name: a short name for bundles."""

    @cached_property
    def imports(self) -> Sequence[tuple[str, str]]:
        """What it imports from where: as written between the braces, and the other module's name."""
        return [(found[1] or "", self.resolve(found[2])) for found in _IMPORT.finditer(self.text)]

    @cached_property
    def later(self) -> Sequence[str]:
        """What it imports when it wants it."""
        return [self.resolve(path) for path in _LATER.findall(self.text)]

    @cached_property
    def exports(self) -> Sequence[str]:
        """The names that others may import."""
        return [found[2] for found in _EXPORT.finditer(self.text)]

    @property
    def variable(self) -> str:
        """The variable of its exports in a bundle. No script may use such a name itself."""
        return f"${self.number}"

    def resolve(self, path: str) -> str:
        """Return the name of the module that an import of this one names.

        >>> Module("render/hand.js", "").resolve("../dom.js")
        'dom.js'
        """
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.name), path))


@dataclass(frozen=True)
class Bundle:
    """A file for browsers."""

    name: str
    text: str
    lines: Sequence[tuple[str, int] | None]
    """For each line of it, the module and the line (from 0) that it comes from."""


@cache
def sources(folder: Path) -> Mapping[str, Module]:
    """The scripts in this folder and those below it, by name."""
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.js"))}
    texts = {name: without_comments(path.read_text(encoding="utf-8")) for name, path in found.items()}
    return {name: Module(name, text, number) for number, (name, text) in enumerate(texts.items())}


def without_comments(script: str) -> str:
    r"""Remove the types that stand within lines, and leave lines empty that are nothing but comment.

    >>> without_comments('/** A bird.\n * @type {Bird} */\nlet bird; // of the house\n  // Why so.\nlet url = "//x";')
    '\n\nlet bird; // of the house\n\nlet url = "//x";'
    >>> without_comments("let one = /** @type {Bird} */ (found);\n/** Two. */\nlet two;")
    'let one = (found);\n\nlet two;'
    """
    return _LINES.sub("", _TYPES.sub("", _BLOCKS.sub(lambda found: "\n" * found[0].count("\n"), script)))


def pages(modules: Mapping[str, Module]) -> Sequence[str]:
    """The scripts that pages begin with: those that no other imports."""
    imported = {name for each in modules.values() for _, name in each.imports}
    later = {name for each in modules.values() for name in each.later}
    return [name for name in modules if name not in imported | later]


def together(modules: Mapping[str, Module], first: Iterable[str]) -> Sequence[str]:
    """Some modules and all that they import, each after what it imports."""
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name not in found:
            for _, other in modules[name].imports:
                add(other)
            found[name] = None

    for name in first:
        add(name)
    return list(found)


def later(modules: Mapping[str, Module], page: str) -> Sequence[str]:
    """What a page imports when it wants it, and does not have from the beginning."""
    at_once = together(modules, [page])
    found: dict[str, None] = {}
    for name in [*at_once]:
        found |= dict.fromkeys(modules[name].later)
    for name in found.copy():
        for each in together(modules, [name]):
            found |= dict.fromkeys(modules[each].later)
    return [name for name in found if name not in at_once]


def files(modules: Mapping[str, Module], page: str) -> Mapping[str, Sequence[str]]:
    """What a page's script comes in: the modules of each file by its name, the one it begins with first."""
    apart = [] if page in APART else together(modules, APART)
    at_once = [name for name in together(modules, [page]) if name not in apart]
    wanted = {late: together(modules, [late]) for late in later(modules, page)}
    found: dict[str, list[str]] = {page: at_once}
    for name in together(modules, wanted):
        if name not in at_once and name not in apart:
            by = [late for late, all_of_it in wanted.items() if name in all_of_it]
            by = [SOON] if SOON in by else by
            found.setdefault(named(page, by), []).append(name)
    return found


def named(page: str, late: Iterable[str]) -> str:
    """The name of the file with what these parts of a page need, and only they.

    >>> named("table.js", ["render/menu.js"])
    'table+render-menu.js'
    """
    parts = (name.removesuffix(".js").replace("/", "-") for name in late)
    return "+".join((page.removesuffix(".js"), *parts)) + ".js"


def needed(modules: Mapping[str, Module], *names: str) -> Sequence[str]:
    """The files with which these scripts begin: of pages, and of parts of the page before them."""
    found: dict[str, None] = {}
    parts: Mapping[str, Sequence[str]] = {}
    for name in names:
        if name in pages(modules):
            parts = files(modules, name)
            found |= dict.fromkeys([*(each for each in APART if each in together(modules, [name])), name])
        else:
            wanted = together(modules, [name])
            found |= {part: None for part, its in parts.items() if any(each in wanted for each in its)}
    return list(found)


def bundled(modules: Mapping[str, Module]) -> Sequence[Bundle]:
    """All files for browsers."""
    apart = {name: file for file in APART for name in together(modules, [file])}
    made = []
    for page in dict.fromkeys([*pages(modules), *APART]):
        parts = files(modules, page)
        lies = apart | {name: part for part, names in parts.items() for name in names}
        made += [_bundle(modules, part, names, lies) for part, names in parts.items()]
    return made


@cache
def for_browsers(folder: Path) -> Mapping[str, bytes]:
    """Return all files made of the scripts in this folder, and their source maps, by path below the folder's parent.

    A folder is read once in a process: most of what an application takes to start, and tests start hundreds.
    """
    made: dict[str, bytes] = {}
    for bundle in bundled(sources(folder)):
        made[f"{folder.name}/{bundle.name}"] = bundle.text.encode()
        made[f"{folder.name}/{bundle.name}.map"] = mapped(bundle).encode()
    return made


def mapped(bundle: Bundle) -> str:
    """The source map of a bundle, by which a browser's tools show the sources: line by line."""
    names = list(dict.fromkeys(line[0] for line in bundle.lines if line is not None))
    before = (0, 0)
    lines = []
    for line in bundle.lines:
        if line is None:
            lines.append("")
            continue
        now = (names.index(line[0]), line[1])
        lines.append("".join(map(_vlq, (0, now[0] - before[0], now[1] - before[1], 0))))
        before = now
    sources = [_relative(name, bundle.name) for name in names]
    return json.dumps({"version": 3, "sources": sources, "names": [], "mappings": ";".join(lines)})


def _relative(path: str, start: str) -> str:
    """Return the path of one file as seen from the folder of another."""
    return posixpath.relpath(path, posixpath.dirname(start) or ".")


def _bundle(modules: Mapping[str, Module], part: str, names: Sequence[str], lies: Mapping[str, str]) -> Bundle:
    text = _Text()
    for other, wanted in _from_elsewhere(modules, part, names, lies).items():
        text.add(f'import {{ {", ".join(wanted)} }} from "{_url(other, part)}";')
    for name in names:
        module = modules[name]
        # What a page begins with may wait, so it is no function; and nobody imports anything from it.
        begins = name == part and not module.exports
        if not begins:
            text.add(f"const {module.variable} = (() => {{")
        for wanted, other in module.imports:
            if wanted:
                text.add(_taken(wanted, modules[other]))
        for number, line in enumerate(_body(modules, module, part, names, lies).split("\n")):
            if line:
                text.add(line, (name, number))
        if not begins:
            text.add(f"return {{ {', '.join(module.exports)} }};")
            text.add("})();")
    given = [modules[name].variable for name in names if name != part or modules[name].exports]
    if given:
        text.add(f"export {{ {', '.join(given)} }};")
    text.add(f"//# sourceMappingURL={posixpath.basename(part)}.map")
    return Bundle(part, "\n".join(text.lines), text.origins)


@dataclass
class _Text:
    """A file as it grows."""

    lines: list[str] = field(default_factory=list)
    origins: list[tuple[str, int] | None] = field(default_factory=list)

    def add(self, line: str, origin: tuple[str, int] | None = None) -> None:
        """One more line, and where it comes from."""
        self.lines.append(line)
        self.origins.append(origin)


def _from_elsewhere(
    modules: Mapping[str, Module], part: str, names: Sequence[str], lies: Mapping[str, str]
) -> Mapping[str, Sequence[str]]:
    """What the modules of a file need from other files: variables by file."""
    found: dict[str, dict[str, None]] = {}
    for name in names:
        for _, other in modules[name].imports:
            if lies[other] != part:
                found.setdefault(lies[other], {})[modules[other].variable] = None
    return {file: list(variables) for file, variables in found.items()}


def _taken(wanted: str, module: Module) -> str:
    """What is imported, as something taken out of what the other module gave."""
    taken = ", ".join(" ".join(each.split()).replace(" as ", ": ") for each in wanted.split(",") if each.strip())
    return f"const {{ {taken} }} = {module.variable};"


def _url(file: str, start: str) -> str:
    """Return how a file imports another.

    >>> _url("page.js", "table.js"), _url("page.js", "pages/home.js")
    ('./page.js', '../page.js')
    """
    path = _relative(file, start)
    return path if path.startswith("..") else f"./{path}"


def _body(
    modules: Mapping[str, Module], module: Module, part: str, names: Sequence[str], lies: Mapping[str, str]
) -> str:
    """Return a module's lines in the bundle `part`, every line in its place."""

    def given(found: "re.Match[str]") -> str:
        name = module.resolve(found[1])
        variable = modules[name].variable
        if name in names:
            return f"Promise.resolve({variable})"
        return f'import("{_url(lies[name], part)}").then((all) => all.{variable})'

    text = _IMPORT.sub(lambda found: "\n" * found[0].count("\n"), module.text)
    return _INDENT.sub("", _EXPORT.sub(r"\1 \2", _LATER.sub(given, text)))


_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def _vlq(number: int) -> str:
    """A number as source maps write it (base 64, five bits at a time, the sign last).

    >>> [_vlq(number) for number in (0, 1, -1, 16)]
    ['A', 'C', 'D', 'gB']
    """
    rest, text = abs(number) << 1 | (number < 0), ""
    while True:
        rest, digit = rest >> 5, rest & 31
        text += _DIGITS[digit | (32 if rest else 0)]
        if not rest:
            return text
