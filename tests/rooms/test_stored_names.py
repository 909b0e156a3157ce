"""Test that names which are stored or sent don't change. The list in stored_names.txt makes every rename visible.

To rename a table or a column also takes a migration.
"""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Literal

import msgspec
import msgspec.inspect as of_msgspec
import pytest
from msgspec import Struct, field

import app.engine
import app.rooms
import app.stats
import app.web.protocol.client_messages
from app.bots import BOTS
from app.engine.base.messages import MessageTemplate
from app.engine.cards.action_codec import ACTION_SPECS
from app.engine.cards.actions import Pass
from app.engine.display.events import GameEventType
from app.engine.display.point_reasons import point_reason
from app.engine.games import GAMES
from app.engine.match.hand import Deal
from app.rooms import events
from app.rooms.events import ActionTaken, HandDealt, stored_fields
from app.rooms.log import snapshots
from app.rooms.model.commands import Join, Watch
from app.rooms.model.member import Member
from app.rooms.model.shuffle_proof import ClosedList, PastDeal
from app.rooms.model.tags import classes_by_tag
from app.rooms.ports.facts import HighlightFact
from app.stats import tallies
from app.store.db import schema
from app.store.history.room_stats import EveningScore, PairLine, Reign
from tests.rooms.world import playing, through_json

LIST = Path(__file__).parent / "stored_names.txt"
"""All names, one a line. `python -m tests.rooms.test_stored_names` writes it."""
NOT_SENT = {"by", "id"}
"""Fields of messages that clients don't send or that all messages have."""


def test_all_stored_names_are_in_the_list() -> None:
    message = compared(LIST.read_text().splitlines(), stored_names())
    assert message is None, message


def test_two_messages_with_the_same_tag_are_refused() -> None:
    with pytest.raises(TypeError, match="Join and Join have the same tag “join”"):
        classes_by_tag((Join, Watch, Join))


def test_a_message_without_a_tag_is_refused() -> None:
    # Use another process: msgspec keeps a reference to a refused class, and other tests count objects in memory.
    written = "from app.rooms.model.commands import Message\nclass Unnamed(Message, frozen=True): pass"
    ended = subprocess.run([sys.executable, "-c", written], check=False, capture_output=True, text=True)
    told = 'Unnamed has no stored name: write `class Unnamed(Message, frozen=True, tag="its_name")`'
    assert told in ended.stderr


def test_a_renamed_field_is_reported() -> None:
    before, after = ([f"log x: {path}" for path in paths(of)] for of in (_Before, _Renamed))
    assert before == ["log x: name", "log x: mood", "log x: mood = calm", "log x: mood = wild"]
    message = compared(before, after)
    assert message is not None
    assert "log x: name" in message
    assert 'keep the stored name with an alias, as `field(name="its old name")`' in message


def test_a_new_field_missing_from_the_list_is_reported() -> None:
    message = compared(["log x: name"], ["log x: name", "log x: more"])
    assert message is not None
    assert "log x: more" in message
    assert "run `python -m tests.rooms.test_stored_names`" in message


def test_an_alias_keeps_the_stored_name() -> None:
    assert [*paths(_Aliased)] == [*paths(_Before)]
    assert stored_fields(_Aliased) == {"called": "name", "mood": "mood"}
    one = _Aliased("Ana")
    assert msgspec.to_builtins(one) == {"name": "Ana", "mood": "calm"}
    assert msgspec.convert({"name": "Ana", "mood": "calm"}, _Aliased) == one


def compared(listed: Iterable[str], found: Iterable[str]) -> str | None:
    """Return what to do if names are missing from the code or new in it, or None if the list is right."""
    gone, new = sorted({*listed} - {*found}), sorted({*found} - {*listed})
    said = list[str]()
    if gone:
        said.append(
            f"These names are stored, but the code no longer knows them: {'; '.join(gone)}. Rooms that have them "
            "could not be read. If you renamed something, "
            'keep the stored name with an alias, as `field(name="its old name")` '
            "of a Struct, or write the old tag beside the new class. A renamed value gets a line in "
            "app/rooms/model/former_names.py. If it must really go, first see to it that "
            "everything stored with it can still be read; then take its line out of tests/rooms/stored_names.txt."
        )
    if new:
        said.append(
            f"These names are stored from now on: {'; '.join(new)}. They can't be changed later. If they are right, "
            "run `python -m tests.rooms.test_stored_names` and commit tests/rooms/stored_names.txt."
        )
    return " ".join(said) or None


def stored_names() -> list[str]:
    """Return all names that are stored or sent, each with the place where it is stored."""
    return sorted({*_log(), *_snapshot(), *_messages(), *_engine(), *_said(), *_book()})


_DEALT = (*Deal("Ana", {}).to_json(), "fair")

# By places ------------------------------------------------------------------------------------------------------


def _log() -> Iterator[str]:
    yield "log any entry: cmd"
    for kind, of in events.KINDS.items():
        yield f"log kind: {kind}"
        if of not in (ActionTaken, HandDealt):
            yield from _each(f"log {kind}", paths(of))
    acted = events.encode(ActionTaken("Ana", Pass()))[1]
    yield from _each("log acted", acted)
    yield from _each("log dealt", _DEALT)
    yield from _each("log dealt", paths(PastDeal, "fair."))


def _snapshot() -> Iterator[str]:
    world = playing()
    world.play()
    kept = through_json(snapshots.room_to_json(world.room))
    run = kept["run"]
    parts = {
        "": kept,
        "settings.": kept["settings"],
        "settings.clock.": kept["settings"]["clock"],
        "chance.": kept["chance"],
        "run.": run,
        "run.match.": run["match"],
        "run.match.last.": run["match"]["last"],
        "run.match.last.reasons[].": run["match"]["last"]["reasons"][0],
        "run.hand.": snapshots.hand_to_json(world.run.hand),
    }
    for path, part in parts.items():
        yield from _each("snapshot", (f"{path}{key}" for key in part))
    for path, types in (("", snapshots.ROOM_PARTS), ("run.", snapshots.RUN_PARTS)):
        for key, kind in types.values():
            yield f"snapshot: {path}{key}"
            yield from _each("snapshot", paths(kind, f"{path}{key}."))
    yield from _each("snapshot", paths(Member, "members[]."))
    yield from _each("snapshot", paths(ClosedList, "chance.closed."))
    yield from _each("snapshot", paths(HighlightFact, "run.hand.moments[]."))
    yield from _each("snapshot", (f"run.hand.deal.{key}" for key in _DEALT))


def _messages() -> Iterator[str]:
    for tag, of in app.web.protocol.client_messages.MESSAGES.items():
        yield f"message: {tag}"
        yield from _each(f"message {tag}", (path for path in paths(of) if path not in NOT_SENT))


def _engine() -> Iterator[str]:
    for do, form in ACTION_SPECS.items():
        yield f"action: {do}"
        yield from _each(f"action {do}", form.fields)
    yield from _each("bot", BOTS)
    for key, game in GAMES.items():
        yield f"game: {key}"
        yield from _each(f"game {key} preset", (preset.key for preset in game.option_schema.presets))
        for switch in game.option_schema.all_options:
            yield f"game {key} option: {switch.key}"
            labels: Mapping[Any, str] = getattr(switch.domain, "labels", {})
            yield from _each(
                f"game {key} option", (f"{switch.key} = {msgspec.json.encode(v).decode()}" for v in labels)
            )


def _said() -> Iterator[str]:
    """Yield events and reasons with their stored fields, found where the code calls them."""
    packages = (app.stats, app.engine, app.rooms)
    found = [each for of in packages for each in walk_packages(of.__path__, f"{of.__name__}.")]
    for module in (import_module(each.name) for each in found):
        yield from _each("event", (one.name for one in vars(module).values() if isinstance(one, GameEventType)))
        for call in ast.walk(ast.parse(Path(str(module.__file__)).read_text())):
            if not isinstance(call, ast.Call):
                continue
            made = _named(call.func, vars(module))
            keys = [each.arg for each in call.keywords if each.arg not in (None, "seen_by", "by", "cause")]
            if isinstance(made, GameEventType):
                yield from _each(f"event {made.name}", map(str, keys))
            elif made is point_reason and len(call.args) > 1 and isinstance(said := call.args[1], ast.Call):
                reason = _named(said.func, vars(module))
                if isinstance(reason, MessageTemplate):
                    yield f"reason: {reason.key}"
                    yield from _each(f"reason {reason.key}", (str(each.arg) for each in said.keywords if each.arg))


def _book() -> Iterator[str]:
    columns = {
        "room file scores": EveningScore,
        "room file pairs": PairLine,
        "room file reigns": Reign,
    }
    for where, of in columns.items():
        yield from _each(where, paths(of))
    for table in schema.metadata.tables.values():
        yield from _each(f"columns {table.name}", table.columns.keys())
    yield from _each("tally", (value for name, value in vars(tallies).items() if name.isupper() and name[0] != "_"))


# By types -------------------------------------------------------------------------------------------------------


def paths(of: Any, before: str = "") -> Iterator[str]:
    """Yield the keys under which a type is stored, with those of nested types and the values of literals."""
    yield from _paths(of_msgspec.type_info(of), before)


def _paths(kind: of_msgspec.Type, before: str) -> Iterator[str]:
    match kind:
        case of_msgspec.Metadata(inner):
            yield from _paths(inner, before)
        case of_msgspec.StructType() | of_msgspec.DataclassType() | of_msgspec.TypedDictType():
            for each in kind.fields:
                yield f"{before}{each.encode_name}"
                yield from _paths(each.type, f"{before}{each.encode_name}.")
        case of_msgspec.LiteralType(values):
            yield from (f"{before.rstrip('.')} = {value}" for value in values)
        case of_msgspec.UnionType(types):
            for one in types:
                yield from _paths(one, before)
        case of_msgspec.TupleType(types):
            for one in types:
                yield from _paths(one, f"{before.rstrip('.')}[].")
        case of_msgspec.DictType():
            yield from _paths(kind.value_type, f"{before.rstrip('.')}{{}}.")
        case of_msgspec.ListType() | of_msgspec.VarTupleType() | of_msgspec.SetType() | of_msgspec.FrozenSetType():
            yield from _paths(kind.item_type, f"{before.rstrip('.')}[].")
        case _:
            pass


def _each(where: str, names: Iterable[str]) -> Iterator[str]:
    yield from (f"{where}: {name}" for name in names)


def _named(of: ast.expr, names: Mapping[str, Any]) -> object:
    """Return the value of an expression such as `events.DEALT` in a module, or None for others."""
    match of:
        case ast.Name(name):
            return names.get(name)
        case ast.Attribute(ast.Name(module), name):
            return getattr(names.get(module), name, None)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class _Before:
    name: str
    mood: Literal["calm", "wild"] = "calm"


@dataclass(frozen=True, slots=True)
class _Renamed:
    called: str
    mood: Literal["calm", "wild"] = "calm"


class _Aliased(Struct, frozen=True):
    called: str = field(name="name")
    mood: Literal["calm", "wild"] = "calm"


if __name__ == "__main__":
    LIST.write_text("\n".join(stored_names()) + "\n")
