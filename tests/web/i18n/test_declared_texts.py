"""Test that each English text is declared in one place and used."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from app import main, resources
from app.engine.base import messages
from app.engine.cards.cards import JOKER, JOKERS, RANKS, SUITS
from app.web.i18n.declared_texts import declared_texts

ROOT = Path(main.__file__).parent
PAGE = json.loads((resources.static_folder() / "messages/en.json").read_text(encoding="utf-8"))
DECLARING = {"MessageTemplate", "GameEventType"}
"""The classes that declare texts."""


@cache
def modules() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ROOT.rglob("*.py"))}


def called(node: ast.AST | None) -> str:
    """Return the name of the called function, or an empty string."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def declared(module: ast.Module) -> set[str]:
    """Return the names of the texts that a module declares."""
    return {
        target.id
        for node in module.body
        if isinstance(node, ast.Assign) and called(node.value) in DECLARING
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def read(path: Path, module: ast.Module) -> Iterator[str]:
    """Yield the names that a module uses, as `file.NAME`: its own and imported ones."""
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                yield f"{path.stem}.{name}"
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                yield f"{owner}.{name}"
            case ast.ImportFrom(module=str(owner), names=names):
                yield from (f"{owner.rpartition('.')[2]}.{alias.name}" for alias in names)
            case _:
                pass


def test_every_declared_text_is_used() -> None:
    spoken = {name for path, module in modules().items() for name in read(path, module)}
    there = {f"{path.stem}.{name}" for path, module in modules().items() for name in declared(module)}
    assert len(there) > 300
    assert not there - spoken


def test_events_are_created_only_in_the_module_that_declares_their_texts() -> None:
    makers = {
        str(path.relative_to(ROOT))
        for path, module in modules().items()
        if any(called(node) == "GameEvent" for node in ast.walk(module))
    }
    assert makers == {"engine/display/events.py"}


def test_every_message_key_is_defined_in_one_place() -> None:
    places = [PAGE.keys(), messages.english_texts().keys(), declared_texts().keys()]
    assert sum(map(len, places)) > 1500
    assert len(set().union(*places)) == sum(map(len, places))


def test_events_listed_in_the_rules_docs_are_those_with_highlight_texts() -> None:
    pages = [path.read_text(encoding="utf-8") for path in (ROOT.parent / "docs/rules").glob("*.md")]
    told = [
        found[1] for page in pages if (found := re.search(r"\bEvents(?: of `\w+`)?: (.*?\.)(?=\s)", page, re.DOTALL))
    ]
    named = {name for each in told for name in re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", each))}
    marked = {key.removeprefix("stood_out.") for key in messages.english_texts() if key.startswith("stood_out.")}
    assert named == marked


def test_every_rank_suit_and_joker_has_a_name() -> None:
    english = messages.english_texts()
    assert {key for key in english if key.startswith("rank.")} == {f"rank.{rank}" for rank in RANKS + JOKER}
    assert {key for key in english if key.startswith("suit.")} == {f"suit.{suit}" for suit in SUITS}
    assert {key for key in english if key.startswith("joker.")} == {f"joker.{joker.suit}" for joker in JOKERS}
    assert {key for key in PAGE if key.startswith("joker.")} == {f"joker.short.{joker.suit}" for joker in JOKERS}


def test_translations_find_labels_by_the_plain_value() -> None:
    """Other languages name these keys in their files, so they must not change."""
    texts = declared_texts()
    values = ("PRES-01.value.1", "PRES-25.value.free", "PRES-24.value.true")
    for key in (*values, "PRES-63.short", "PRES-08.short.trump", "PRES-51.example", "president.example"):
        assert texts[key], key
