"""Bundle scripts for browsers: each page gets one file with all its imports, so that it waits for one response.

The server bundles when it starts, without a build step. In watch mode, browsers get the sources.

Each module becomes a function that runs at once and returns its exports, so only exported names are shared. No two
modules of a page may export the same name. A module loaded later, by `import()`, has a separate file for each page, as
it uses the modules of that page. Modules that several late files share, and the page lacks, form one more file, except
those loaded soon anyway (`SOON`). `SEPARATE_MODULES` are separate files on every page.

Indents, comments that fill whole lines, and `@type` comments within lines are removed. No string may contain these; a
test checks this. Source maps tell developers which source line a bundled line comes from.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

SEPARATE_MODULES = ("pages/site.js", "net/early_socket.js")
"""The script of all pages, and the script that must not wait for the page's bundle. Modules in these two are in no
other file."""
SOON = "pages/room_deferred.js"
"""A late module that every room page loads soon. Modules that other late modules share with it are in its file."""

_IMPORT = re.compile(r'^import\b(?:\s*\{([^}]*)\}\s*from)?\s*"(\.{1,2}/[^"]+)";', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.{1,2}/[^"]+)"\)')
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
_WORD = re.compile(r"\w+")
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_LINES = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_TYPES = re.compile(r"/\*\* @type .*?\*/ ?")
_BLOCKS = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Module:
    """A source script, from which bundles for browsers are built."""

    name: str
    """The path below the script folder."""
    text: str
    """The source without comments, with line numbers unchanged."""

    @cached_property
    def imports(self) -> Sequence[tuple[Sequence[str], str]]:
        """The static imports of this script: for each, the imported names and the other module's name."""
        return [(_WORD.findall(found[1] or ""), self.resolve(found[2])) for found in _IMPORT.finditer(self.text)]

    @cached_property
    def lazy_imports(self) -> Sequence[str]:
        """The names of the modules that this script loads later by `import()`."""
        return [self.resolve(path) for path in _LATER.findall(self.text)]

    @cached_property
    def exports(self) -> Sequence[str]:
        """The names that this script exports."""
        return [found[2] for found in _EXPORT.finditer(self.text)]

    def resolve(self, path: str) -> str:
        """Return the name of the module that this script means with a relative import path.

        >>> Module("render/hand.js", "").resolve("../dom.js")
        'dom.js'
        """
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.name), path))


@dataclass(frozen=True)
class Bundle:
    """A file of scripts, built for browsers.

    `lines` has for each line of `text` the source module and its line number (from 0), or None for a generated line.
    Source maps are made from it.
    """

    name: str
    text: str
    lines: Sequence[tuple[str, int] | None]
    """For each line, the source module and its line number (from 0), or None for generated lines."""


@cache
def read_modules(folder: Path) -> Mapping[str, Module]:
    """Read all scripts in this folder and its subfolders, without comments; return them by name. Cached."""
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.js"))}
    return {name: Module(name, blank_out_comments(path.read_text(encoding="utf-8"))) for name, path in found.items()}


def blank_out_comments(script: str) -> str:
    r"""Return a script without `@type` comments and without comments that fill a line; line numbers stay.

    >>> blank_out_comments('/** A bird.\n * @type {Bird} */\nlet bird; // of the house\n  // Why so.\nlet url = "//x";')
    '\n\nlet bird; // of the house\n\nlet url = "//x";'
    >>> blank_out_comments("let one = /** @type {Bird} */ (found);\n/** Two. */\nlet two;")
    'let one = (found);\n\nlet two;'
    """
    return _LINES.sub("", _TYPES.sub("", _BLOCKS.sub(lambda found: "\n" * found[0].count("\n"), script)))


def page_modules(modules: Mapping[str, Module]) -> Sequence[str]:
    """Return the names of the scripts that pages start with: those that no other script imports."""
    imported = {name for each in modules.values() for _, name in each.imports}
    later = {name for each in modules.values() for name in each.lazy_imports}
    return [name for name in modules if name not in imported | later]


def in_dependency_order(modules: Mapping[str, Module], first: Iterable[str]) -> Sequence[str]:
    """Return the names of these modules and all their static imports, each after the modules it imports.

    `first` are names of modules.
    """
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name not in found:
            for _, other in modules[name].imports:
                add(other)
            found[name] = None

    for name in first:
        add(name)
    return list(found)


def lazy_modules(modules: Mapping[str, Module], page: str) -> Sequence[str]:
    """Return the names of modules that a page may load later by `import()`, without those it loads from the start."""
    at_once = in_dependency_order(modules, [page])
    found: dict[str, None] = {}
    for name in [*at_once]:
        found |= dict.fromkeys(modules[name].lazy_imports)
    for name in found.copy():
        for each in in_dependency_order(modules, [name]):
            found |= dict.fromkeys(modules[each].lazy_imports)
    return [name for name in found if name not in at_once]


def files_of_page(modules: Mapping[str, Module], page: str) -> Mapping[str, Sequence[str]]:
    """Return the files to build for a page's scripts: the names of the modules in each, by file name.

    The entry file is first; it has what the page loads at the start. The others are loaded later.
    """
    apart = [] if page in SEPARATE_MODULES else in_dependency_order(modules, SEPARATE_MODULES)
    at_once = [name for name in in_dependency_order(modules, [page]) if name not in apart]
    modules_of = {late: in_dependency_order(modules, [late]) for late in lazy_modules(modules, page)}
    found: dict[str, list[str]] = {page: at_once}
    for name in in_dependency_order(modules, modules_of):
        if name not in at_once and name not in apart:
            by = [late for late, all_of_it in modules_of.items() if name in all_of_it]
            by = [SOON] if SOON in by else by
            found.setdefault(lazy_file_name(page, by), []).append(name)
    return found


def lazy_file_name(page: str, late: Iterable[str]) -> str:
    """Return the name of the file with the modules that exactly these late modules of a page share.

    >>> lazy_file_name("table.js", ["render/menu.js"])
    'table+render-menu.js'
    """
    parts = (name.removesuffix(".js").replace("/", "-") for name in late)
    return "+".join((page.removesuffix(".js"), *parts)) + ".js"


def initial_files(modules: Mapping[str, Module], *names: str) -> Sequence[str]:
    """Return the files that browsers load at the start for these scripts, so that pages can preload them.

    A name is a page, or a late module of the last page.
    """
    found: dict[str, None] = {}
    parts: Mapping[str, Sequence[str]] = {}
    for name in names:
        if name in page_modules(modules):
            parts = files_of_page(modules, name)
            found |= dict.fromkeys(
                [*(each for each in SEPARATE_MODULES if each in in_dependency_order(modules, [name])), name]
            )
        else:
            needed = in_dependency_order(modules, [name])
            found |= {part: None for part, its in parts.items() if any(each in needed for each in its)}
    return list(found)


def build_bundles(modules: Mapping[str, Module]) -> Iterator[Bundle]:
    """Yield all files of scripts for browsers: for each page its entry file and the files loaded later.

    Raises ValueError if two modules of a page export the same name.
    """
    apart = {name: file for file in SEPARATE_MODULES for name in in_dependency_order(modules, [file])}
    for page in dict.fromkeys([*page_modules(modules), *SEPARATE_MODULES]):
        parts = files_of_page(modules, page)
        lies = apart | {name: part for part, names in parts.items() for name in names}
        _check_export_names([modules[name] for name in lies])
        for part, names in parts.items():
            yield _build_bundle(modules, part, names, lies)


def _check_export_names(modules: Iterable[Module]) -> None:
    """Raise ValueError if two of these modules, which are on the same page, export the same name."""
    known: dict[str, str] = {}
    for module in modules:
        for name in module.exports:
            if name in known:
                raise ValueError(f"{known[name]} and {module.name} are on one page and both export {name}")
            known[name] = module.name


@cache
def build_browser_files(folder: Path) -> Mapping[str, bytes]:
    """Build all script files for browsers from this folder, with source maps, by path below the folder's parent.

    The result is cached for each process: it takes most of an application's start time, and tests start hundreds.
    """
    files: dict[str, bytes] = {}
    for bundle in build_bundles(read_modules(folder)):
        files[f"{folder.name}/{bundle.name}"] = bundle.text.encode()
        files[f"{folder.name}/{bundle.name}.map"] = build_source_map(bundle).encode()
    return files


def build_source_map(bundle: Bundle) -> str:
    """Return the source map of a bundle as JSON, by which developer tools show the source line of each line."""
    names = list(dict.fromkeys(line[0] for line in bundle.lines if line is not None))
    before = (0, 0)
    lines = []
    for line in bundle.lines:
        if line is None:
            lines.append("")
            continue
        now = (names.index(line[0]), line[1])
        lines.append("".join(map(_encode_vlq, (0, now[0] - before[0], now[1] - before[1], 0))))
        before = now
    sources = [_relative_path(name, bundle.name) for name in names]
    return json.dumps({"version": 3, "sources": sources, "names": [], "mappings": ";".join(lines)})


def _relative_path(path: str, start: str) -> str:
    """Return the relative path from the folder of `start` to `path`."""
    return posixpath.relpath(path, posixpath.dirname(start) or ".")


def _build_bundle(modules: Mapping[str, Module], part: str, names: Sequence[str], lies: Mapping[str, str]) -> Bundle:
    text = _BundleText()
    for other, imported in _imports_from_other_files(modules, part, names, lies).items():
        text.add_line(f'import {_braces(imported)} from "{_import_path(other, part)}";')
    at_hand = {other for name in names for other in modules[name].lazy_imports if other in names}
    for name in names:
        module = modules[name]
        # The entry script is a block, as it may use top-level await; no module imports from it.
        begins = name == part and not module.exports
        wrapper = f"const {_braces(module.exports)} = (() => {{" if module.exports else "(() => {"
        text.add_line("{" if begins else wrapper)
        for number, line in enumerate(_module_body(modules, module, part, names, lies).split("\n")):
            if line:
                text.add_line(line, (name, number))
        if module.exports:
            text.add_line(f"return {_braces(module.exports)};")
        text.add_line("}" if begins else "})();")
        if name in at_hand:
            text.add_line(f"const {_namespace(modules, name)} = {_braces(module.exports)};")
    given = _exports_for_other_files(modules, part, names, lies)
    if given:
        text.add_line(f"export {_braces(given)};")
    text.add_line(f"//# sourceMappingURL={posixpath.basename(part)}.map")
    return Bundle(part, "\n".join(text.lines), text.origins)


def _braces(names: Iterable[str]) -> str:
    return f"{{{','.join(names)}}}"


def _namespace(modules: Mapping[str, Module], name: str) -> str:
    """Return the variable that holds the exports of a module that its own file loads by `import()`.

    No script may use names of this form.
    """
    return f"${[*modules].index(name)}"


@dataclass
class _BundleText:
    """The lines of a bundle while it is built, and the source line that each comes from.

    An entry of `origins` is a module's name and its line number from 0, or None for a generated line.
    """

    lines: list[str] = field(default_factory=list)
    origins: list[tuple[str, int] | None] = field(default_factory=list)

    def add_line(self, line: str, origin: tuple[str, int] | None = None) -> None:
        """Add a line to the bundle; `origin`: its module and line number (from 0), or None for a generated line."""
        self.lines.append(line)
        self.origins.append(origin)


def _imports_from_other_files(
    modules: Mapping[str, Module], part: str, names: Sequence[str], lies: Mapping[str, str]
) -> Mapping[str, Sequence[str]]:
    """Return the names that a bundle file must import from other files, by file.

    `part` is the name of the bundle file, and `names` are its modules. `lies` tells in which file each module is.
    """
    found: dict[str, dict[str, None]] = {}
    for name in names:
        for imported, other in modules[name].imports:
            if lies[other] != part:
                found.setdefault(lies[other], {}).update(dict.fromkeys(imported))
    return {file: list(each) for file, each in found.items()}


def _exports_for_other_files(
    modules: Mapping[str, Module], part: str, names: Sequence[str], lies: Mapping[str, str]
) -> Sequence[str]:
    """Return the names that a bundle file exports: those that other files of the page import.

    Arguments are those of `_imports_from_other_files`. Files that many pages share export everything.
    """
    if part in SEPARATE_MODULES:
        return [export for name in names for export in modules[name].exports]
    found: dict[str, None] = {}
    for other in lies:
        if lies[other] != part:
            for imported, name in modules[other].imports:
                found |= dict.fromkeys(imported if lies[name] == part else ())
            for name in modules[other].lazy_imports:
                found |= dict.fromkeys(modules[name].exports if lies[name] == part else ())
    return list(found)


def _import_path(file: str, start: str) -> str:
    """Return the import path that file `start` must use for `file`.

    >>> _import_path("page.js", "table.js"), _import_path("page.js", "pages/home.js")
    ('./page.js', '../page.js')
    """
    path = _relative_path(file, start)
    return path if path.startswith("..") else f"./{path}"


def _module_body(
    modules: Mapping[str, Module], module: Module, part: str, names: Sequence[str], lies: Mapping[str, str]
) -> str:
    """Return a module's code as it stands in the bundle `part`: imports and exports replaced, line numbers unchanged.

    `names` are the modules in the bundle. `lies` tells in which file each module is.
    """

    def given(found: "re.Match[str]") -> str:
        name = module.resolve(found[1])
        if name in names:
            return f"Promise.resolve({_namespace(modules, name)})"
        return f'import("{_import_path(lies[name], part)}")'

    text = _IMPORT.sub(lambda found: "\n" * found[0].count("\n"), module.text)
    return _INDENT.sub("", _EXPORT.sub(r"\1 \2", _LATER.sub(given, text)))


_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def _encode_vlq(number: int) -> str:
    """Return a number as text for a source map (base64 VLQ: five bits at a time, the sign in the lowest bit).

    >>> [_encode_vlq(number) for number in (0, 1, -1, 16)]
    ['A', 'C', 'D', 'gB']
    """
    rest, text = abs(number) << 1 | (number < 0), ""
    while True:
        rest, digit = rest >> 5, rest & 31
        text += _DIGITS[digit | (32 if rest else 0)]
        if not rest:
            return text
