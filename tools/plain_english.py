"""Find English that is hard to read: in comments, docstrings, pages of the docs, the changelog and texts for players.

A finding is a place to look at, and may be right as it is. So each kind of text may have a few of them in 1,000 words.

>>> [reason for reason, _ in find_faults("Whoever is last deals.")]
['no noun before “who”']
>>> list(find_faults("The player who is last deals."))
[]
"""

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import click

LIMITS = {"comments": 2.0, "docs": 1.0, "changelog": 2.0, "texts": 0.5}
"""The most findings in 1,000 words, by kind of text."""
LONGEST_SENTENCE = 30
"""Words."""
WHOLE_TREE = ("app", "migrations", "tools", "tests", "static", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")

_BEFORE = r"(?:^|[.;:!?(]\s+|\b(?:and|but|or|if|that|of|for|by|to|with|from|as|than|only|all)\s+)"
_PATTERNS = {
    "no noun before “who”": rf"\bwho(?:m)?ever\b|{_BEFORE}who\s+(?:is|are|was|has|have|had|may|can|must|does|did|will|"
    r"plays?|wants?|comes?|goes|sits?|leads?|passed|passes|knows?|reads?|asks?|gets?|holds?|waits?|sees)\b",
    "no noun before “what”": rf"{_BEFORE}what\s+(?:is|are|was|has|have|may|can|must|one|comes?|goes|they|it|we|"
    r"somebody|nobody|everybody|follows|grows|lasts|happens|stands|lies|came)\b(?![^.]*\?)",
    "an amount without a noun": r"\b(?:so|as|how) (?:many|much|long|often)(?=[\s,.;:])(?! as (?:possible|needed))",
    "an ornament": r"\banew\b|\bfor ever\b|\bbesides\b|\bof (?:its|their|one.s) own\b|\bthe like\b|\bnothing else\b"
    r"|\bas it was\b|\bwherever\b|\bwhatever\b",
    "“one” for a person": r"\bone(?:’s|'s)\b|\b(?:what|as|if|where|when) one\b",
    "a negative noun": r"\b(?:is|are|was|were) (?:no|none)\b|\bnone of (?:it|them) is\b",
    "“come of”, “made of”": r"\bcomes? of\b|\bcame of\b|\bmade of\b",
}
_COMPILED = {reason: re.compile(pattern, re.IGNORECASE | re.MULTILINE) for reason, pattern in _PATTERNS.items()}
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n\s*[-*|]\s")
_WORD = re.compile(r"[A-Za-z’'-]+")
_SCRIPT_COMMENT = re.compile(r"/\*+(.*?)\*/|(?<![:\"'])//([^\n]*(?:\n\s*//[^\n]*)*)", re.DOTALL)


class Passage(NamedTuple):
    """A text and its place. `kind` is a key of `LIMITS`."""

    kind: str
    place: str
    text: str


def find_faults(text: str) -> Iterator[tuple[str, str]]:
    """Yield a reason and an excerpt for each part of a text that is hard to read."""
    for reason, pattern in _COMPILED.items():
        for found in pattern.finditer(text):
            yield reason, " ".join(text[max(0, found.start() - 30) : found.end() + 40].split())
    for sentence in _SENTENCE_END.split(text):
        words = len(_WORD.findall(sentence))
        if words > LONGEST_SENTENCE:
            yield f"{words} words in a sentence", " ".join(sentence.split())[:90] + " …"


def read_passages(path: Path) -> Iterator[Passage]:
    """Yield the comments and docstrings of a source file, or the paragraphs of a Markdown page."""
    if path.suffix not in {".py", ".js", ".css", ".c", ".ts", ".md"}:
        return
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        for line, text in _python_passages(source):
            yield Passage("comments", f"{path}:{line}", text)
    elif path.suffix != ".md":
        for found in _SCRIPT_COMMENT.finditer(source):
            text = re.sub(r"\n\s*(?:\*|//)?", "\n", found.group(1) or found.group(2) or "")
            yield Passage("comments", f"{path}:{source.count(chr(10), 0, found.start()) + 1}", text)
    else:
        kind = "changelog" if path.name == "CHANGELOG.md" else "docs"
        for line, text in _markdown_passages(source):
            yield Passage(kind, f"{path}:{line}", text)


def text_passages() -> Iterator[Passage]:
    """Yield the English texts that the pages show, by key."""
    printed = subprocess.run([sys.executable, "-m", "app", "texts"], capture_output=True, text=True, check=True).stdout
    for key, text in json.loads(printed).items():
        yield Passage("texts", key, text)


def _python_passages(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        for statement in getattr(node, "body", ()) if isinstance(getattr(node, "body", None), list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                text = statement.value.value
                if isinstance(text, str):
                    yield statement.lineno, re.sub(r"(?m)^\s*(?:>>>|\.\.\.).*$", "", text)
        yield from _descriptions(node)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def _descriptions(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the texts that describe a field: in `Annotated[...]`, and in `description=` of `Meta` or `Field`."""
    found: list[ast.expr] = []
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Annotated":
        found = node.slice.elts[1:] if isinstance(node.slice, ast.Tuple) else []
    elif isinstance(node, ast.keyword) and node.arg == "description":
        found = [node.value]
    for each in found:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.lineno, each.value


def _markdown_passages(source: str) -> Iterator[tuple[int, str]]:
    plain = re.sub(r"```.*?```", lambda block: "\n" * block.group().count("\n"), source, flags=re.DOTALL)
    plain = re.sub(r"`[^`\n]*`", "CODE", plain)
    line = 1
    for block in re.split(r"(\n\s*\n)", plain):
        if block.strip() and not block.lstrip().startswith(("#", "![")):
            for offset, text in enumerate(re.split(r"\n(?=\s*(?:[-*|]|\d+\.))", block)):
                yield line + offset, " ".join(text.split())
        line += block.count("\n")


def source_files(paths: Iterable[str]) -> Iterator[Path]:
    """Yield the files and all files of the folders named by these paths."""
    for path in map(Path, paths):
        yield from sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else (path,)


@click.command
@click.argument("paths", nargs=-1)
@click.option("--check", is_flag=True, help="Print the counts only, and fail if there are more findings than allowed.")
def english(paths: tuple[str, ...], check: bool) -> None:
    """List English that is hard to read, in all files or in these, and count it for each kind of text."""
    passages = [passage for path in source_files(paths or WHOLE_TREE) for passage in read_passages(path)]
    if not paths:
        passages += text_passages()
    findings, words = Counter[str](), Counter[str]()
    for kind, place, text in passages:
        words[kind] += len(_WORD.findall(text))
        for reason, excerpt in find_faults(text):
            findings[kind] += 1
            if not check:
                click.echo(f"{place}: {reason}: {excerpt}")
    too_many = False
    for kind, limit in LIMITS.items():
        if words[kind]:
            share = 1000 * findings[kind] / words[kind]
            too_many |= share > limit
            click.echo(f"{kind}: {share:.1f} findings in 1,000 words (at most {limit})", err=share > limit)
    if check and too_many:
        click.echo("`python -m tools english` lists them.", err=True)
        sys.exit(1)
