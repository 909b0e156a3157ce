"""Find the tests that are nearest to a mutant.

These import its file, the more directly the better, have its name, and use the same words.
"""

import ast
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import grimp

from .mutants import ROOT, Mutant

AROUND = 12
"""The number of lines above and below a mutant whose words are compared."""
SHARES = (8, 24, 60)
"""The total numbers of tests after the first, second and last step."""
FINGERPRINTS = (
    "test_the_stored_description_matches_the_fold_and_snapshot_code",
    "test_the_english_texts_for_node_tests_match_the_server",
)
"""Tests that notice any change to some files, so they prove nothing about a mutant."""
IN_BROWSER = (6, 18)
"""The same for browser tests of JavaScript, which run after those for Node."""
OTHERS = {
    "static/css": ("tests/project/**/test_*.py", "tests/e2e/look/test_*.py", "tests/e2e/**/test_*.py"),
    "templates": ("tests/web/**/test_*.py", "tests/e2e/pages/test_*.py", "tests/e2e/**/test_*.py"),
    "static/messages": ("tests/project/**/test_*.py", "tests/web/**/test_*.py", "tests/e2e/**/test_*.py"),
}
"""Where tests notice changes of files that no test imports. Node reads a stored copy of the texts."""


def nearest(mutant: Mutant) -> list[list[str]]:
    """List the tests for a mutant in groups, nearest first, as arguments of `pytest` or `node --test`."""
    if mutant.path.endswith(".js"):
        distances = _node_distances(mutant.path)
        texts = {file: (ROOT / file).read_text("utf-8") for file in distances}
        files = _sorted(mutant, texts, lambda file: distances[file])
        browser = _sorted(mutant, _tests("tests/e2e/**/test_*.py"), lambda _: 1)
        shares = [files[:6], files[6:], browser[: IN_BROWSER[0]], browser[IN_BROWSER[0] : IN_BROWSER[1]]]
    elif not mutant.path.endswith(".py"):
        kinds = next(kinds for folder, kinds in OTHERS.items() if mutant.path.startswith(folder))
        found = [test for kind in kinds for test in _sorted(mutant, _tests(kind), lambda _: 1)[: SHARES[1]]]
        shares = [list(group) for _, group in groupby(dict.fromkeys(found), lambda test: "tests/e2e" in test)]
    else:
        distances, file, known = _distances(mutant.path), Path(mutant.path), _tests("tests/*/**/test_*.py")
        tests = {test: text for test, text in known.items() if test.split("::")[0] in distances}

        def distance(test: str) -> float:
            """Return the distance of a test. Tests of the same area and with the name of the file are nearer."""
            alike = (f"tests/{file.parts[1]}/" in test) + (f"test_{file.stem}.py" in test)
            return distances[test.split("::", maxsplit=1)[0]] / (1 + alike)

        found = _sorted(mutant, tests, distance)
        shares = [found[start:end] for start, end in pairwise((0, *SHARES))]
    return [share for share in shares if share]


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph("app", "tests", "tools", cache_dir=None)


@cache
def _distances(path: str) -> Mapping[str, int]:
    """Return the number of imports between each test file and a file, if there is a chain."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    chains = {
        test: _graph().find_shortest_chain(test, module)
        for test in _graph().modules
        if re.match(r"tests\.(?!e2e|mutate).*\.test_\w+$", test)
    }
    return {f"{test.replace('.', '/')}.py": len(chain) for test, chain in chains.items() if chain is not None}


@cache
def _node_distances(path: str) -> Mapping[str, int]:
    """Return the number of imports between each test for Node and a file, if there is a chain."""
    distances, step = {path: 0}, [path]
    while step:
        step = [file for file, others in _importers().items() if file not in distances and others & {*step}]
        distances |= dict.fromkeys(step, max(distances.values()) + 1)
    return {file: distance for file, distance in distances.items() if file.endswith(".test.js")}


@cache
def _importers() -> Mapping[str, set[str]]:
    """Return what each file of JavaScript imports."""
    files = [*ROOT.glob("static/js/**/*.js"), *ROOT.glob("tests/js/**/*.js")]
    return {
        str(file.relative_to(ROOT)): {
            str((file.parent / name).resolve().relative_to(ROOT))
            for name in re.findall(r"""(?:from|import)\s*\(?\s*["'](\.{1,2}/[^"']+)""", file.read_text("utf-8"))
        }
        for file in files
    }


@cache
def _tests(files: str) -> Mapping[str, str]:
    """Return the text of each test in these files, by its name for pytest."""
    found = dict[str, str]()
    for file in sorted(ROOT.glob(files)):
        source = file.read_text("utf-8")
        for node in ast.parse(source).body:
            for name in _names(node):
                found[f"{file.relative_to(ROOT)}::{name}"] = ast.get_source_segment(source, node) or ""
    return found


def _names(node: ast.stmt) -> list[str]:
    """Return the names of tests that a statement defines for pytest."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
        return [node.name] if node.name not in FINGERPRINTS else []
    if isinstance(node, ast.Assign):  # Hypothesis makes the test of a state machine
        return [name.id for name in node.targets if isinstance(name, ast.Name) and name.id.startswith("Test")]
    return []


def _sorted(mutant: Mutant, texts: Mapping[str, str], distance: Callable[[str], float]) -> list[str]:
    """Sort tests by rare words shared with the lines around a mutant, and by distance."""
    about = _words_around(mutant)
    words = {test: _words(f"{test} {text}") for test, text in texts.items()}
    known = Counter(word for text in words.values() for word in text)

    def nearness(test: str) -> float:
        shared = sum(about[word] * math.log(len(texts) / known[word]) ** 2 for word in about.keys() & words[test])
        return shared / math.sqrt((len(words[test]) + 10) * distance(test))

    return sorted(texts, key=nearness, reverse=True)


def _words_around(mutant: Mutant) -> Mapping[str, float]:
    """Weigh the words around a mutant. The words of the changed line weigh most."""
    about = dict.fromkeys(_words(Path(mutant.path).stem), 1.0)
    for number, line in enumerate((ROOT / mutant.path).read_text("utf-8").splitlines(), 1):
        away = abs(number - mutant.line)
        if away <= AROUND:
            about |= {word: max(about.get(word, 0), 1 / (1 + away / 3)) for word in _words(line)}
    return about


def _words(text: str) -> set[str]:
    found: Iterable[str] = re.findall(r"[A-Z]?[a-z]{2,}", text)
    return {word.lower() for word in found}
