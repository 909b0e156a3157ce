"""Test the declaration of options and their resolution from a host's request."""

import ast
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import pytest

from app.engine.base.errors import RuleError
from app.engine.base.options import (
    Choice,
    Conflict,
    Domain,
    MultiChoice,
    MultiplierSteps,
    Number,
    NumberOrNone,
    Option,
    OptionSchema,
    PlayedExample,
    Points,
    Preset,
    Ranks,
    Section,
    ShortRules,
    Titles,
)
from app.engine.games import GAMES
from app.engine.games.president.house import HOUSE_RULES
from tests.for_each import for_each

T = TypeVar("T")


def switch(key: str, domain: Domain[T], default: T) -> Option[T]:
    return Option(f"TEST-{key}", key, domain, default, "A sentence.", "An example.")


JOKER = switch("joker", Choice({False: "No", True: "Yes"}), False)
TARGET = switch("target", NumberOrNone(1, 99, "Never"), None)
WILD = switch("wild", Ranks(2), "")
DECLARED = OptionSchema(
    sections=(Section("all", "All", (JOKER, TARGET)), Section("more", "More", (WILD,))),
    presets=(
        Preset("TEST-00", "plain", "Plain", "All defaults."),
        Preset("TEST-01", "fast", "Fast", "Short.", {"target": 5}),
    ),
    short_rules=ShortRules((), (), PlayedExample(("8c", "9c"), "A nine beats an eight."), (3, 4)),
    conflicts=(Conflict(JOKER, WILD, lambda joker, wild: joker and wild != "", "one wild thing is enough"),),
)


def refused(given: object) -> str:
    with pytest.raises(RuleError) as caught:
        DECLARED.resolve_options(given)
    assert caught.value.code == "bad_option"
    return caught.value.sentence


def test_empty_options_resolve_to_the_defaults_of_the_first_preset() -> None:
    options = DECLARED.resolve_options()
    assert options.preset == "plain"
    assert dict(options.values_by_key) == {"joker": False, "target": None, "wild": ""}


def test_a_preset_overrides_defaults_and_an_option_overrides_the_preset() -> None:
    assert DECLARED.resolve_options({"preset": "fast"})[TARGET] == 5
    assert DECLARED.resolve_options({"preset": "fast", "target": 7})[TARGET] == 7


def test_differences_are_relative_to_the_chosen_preset() -> None:
    assert DECLARED.changes_from_preset(DECLARED.resolve_options({"preset": "fast"})) == {}
    assert DECLARED.changes_from_preset(DECLARED.resolve_options({"preset": "fast", "target": None})) == {
        "target": None
    }


def test_saved_options_resolve_to_equal_options() -> None:
    options = DECLARED.resolve_options({"preset": "fast", "wild": "34"})
    assert DECLARED.resolve_options(options.to_json()) == options
    assert hash(DECLARED.resolve_options(options.to_json())) == hash(options)


@for_each(
    ("given", "says"),
    [
        ([], "an object"),
        ({"preset": "slow"}, "plain, fast"),
        ({"preset": 3}, "plain, fast"),
        ({"jokers": True}, "no option “jokers”"),
        ({"joker": "yes"}, "one of false, true"),
        ({"joker": 1}, "one of false, true"),
        ({"target": 0}, "from 1 to 99, or null"),
        ({"target": True}, "from 1 to 99, or null"),
        ({"wild": "33"}, "at most 2 different ranks"),
        ({"joker": True, "wild": "3"}, "“joker: true” and “wild: 3” can’t be combined. one wild thing is enough"),
    ],
)
def test_a_refused_option_names_the_valid_values(given: object, says: str) -> None:
    assert says in refused(given)


@for_each(
    ("domain", "good", "bad"),
    [
        (Choice({"a": "A", None: "None"}), ["a", None], ["b", "", 0]),
        (Number(-1, 3), [-1, 3], [None, 4, "1", 1.0]),
        (NumberOrNone(-1, 3, "None"), [-1, 3, None], [4, "1", 1.0, True]),
        (Ranks(2), ["", "3", "A2"], ["33", "345", "1", 3]),
        (
            Titles({"plain": "Plain"}, ("top", "bottom")),
            ["plain", ["King", "Serf"]],
            ["royal", ["King"], ["King", " "], 2],
        ),
        (MultiChoice({"a": "A", "b": "B"}), [[], ["a"], ["b", "a"]], [["c"], ["a", "a"], "a", [1], None]),
        (
            Points({"plain": "Plain"}, ("top", "bottom"), -5, 5),
            ["plain", [5, -5]],
            ["royal", [1], [1, 6], [True, 0], ["1", "2"], 2],
        ),
        (MultiplierSteps(2), [[], [[10, 2], [13, 3]]], [[[10]], [[0, 2]], [[1, 2]] * 3, "10x2", [[True, 2]]]),
    ],
)
def test_a_domain_accepts_only_its_declared_values(domain: Any, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if domain.expected_if_invalid(value) is not None] == []
    assert [value for value in bad if domain.expected_if_invalid(value) is None] == []


def test_options_are_immutable_and_have_only_declared_keys() -> None:
    options: Any = DECLARED.resolve_options()
    with pytest.raises(AttributeError):
        options.joker = True
    with pytest.raises(TypeError):
        options.values_by_key["joker"] = True
    with pytest.raises(KeyError, match="jokers"):
        options[switch("jokers", Number(0, 2), 0)]


WRONG = """
from app.engine.base.options import Choice, Number, NumberOrNone, Options, Ranks, Option

JOKERS = Option(id="1", key="jokers", domain=Number(0, 2), default=0, sentence="", example="")
TARGET = Option(id="2", key="target", domain=NumberOrNone(1, 9, "Never"), default=None, sentence="", example="")
STRIP = Option(id="3", key="strip", domain=Ranks(2), default="", sentence="", example="")
ORDERS = Choice({"low": "Low", "high": "High"})

def read(options: Options) -> None:
    options[JOKERS] + 1
    options[JOKER]  # wrong
    options["jokers"]  # wrong
    options.jokers  # wrong
    options[JOKERS] == "none"  # wrong
    options[TARGET] + 1  # wrong
    options[STRIP] + 1  # wrong
    options.with_value(JOKERS, 2)
    options.with_value(JOKERS, "two")  # wrong
    Option(id="4", key="order", domain=ORDERS, default=2, sentence="", example="")  # wrong
"""


def test_misspelled_and_misused_options_fail_the_type_check(tmp_path: Path) -> None:
    mypy = pytest.importorskip("mypy.api")
    file = tmp_path / "wrong.py"
    file.write_text(WRONG, encoding="utf-8")
    told, _, _ = mypy.run(["--strict", "--config-file=", f"--cache-dir={tmp_path}", str(file)])
    found = {int(number) for number in re.findall(r"^\S+:(\d+): error:", told, re.MULTILINE)}
    assert found == {number for number, line in enumerate(WRONG.splitlines(), 1) if line.endswith("# wrong")}, told


@pytest.mark.parametrize("key", GAMES)
def test_every_game_declares_unique_keys_and_ids_with_valid_defaults(key: str) -> None:
    declared = GAMES[key].option_schema
    keys = [one.key for one in declared.all_options]
    ids = [one.id for one in (*declared.all_options, *declared.fixed_rules, *declared.presets)]
    assert len(set(keys)) == len(keys)
    assert len(set(ids)) == len(ids)
    assert [one.key for one in declared.all_options if one.domain.expected_if_invalid(one.default) is not None] == []
    assert len([preset for preset in declared.presets if not preset.changes]) == 1, "one preset is the basic game"
    for preset in declared.presets:
        assert preset.changes.keys() <= set(keys)
        assert declared.resolve_options({"preset": preset.key}).preset == preset.key
    assert {one for each in declared.conflicts for one in (each.one, each.other)} <= set(declared.all_options)


# Options that the code reads -------------------------------------------------------------------------------------

APP = Path(__file__).parents[3] / "app"


def module_of(path: Path) -> ModuleType:
    """Import the module of a file below `app`."""
    names = [*path.relative_to(APP.parent).with_suffix("").parts]
    return import_module(".".join(names[:-1] if names[-1] == "__init__" else names))


def switches_read(path: Path, tree: ast.Module) -> set[str]:
    """Return the keys in all expressions `options[OPTION]` of a file that name a declared option."""
    read = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(ast.Name("options") | ast.Attribute(attr="options"), named):
                one = _named(named, module_of(path))
                read |= {one.key} if isinstance(one, Option) else set()
            case _:
                pass
    return read


def _named(node: ast.expr, module: ModuleType) -> object:
    """Return the value of a name in a module, or None for names inside functions."""
    match node:
        case ast.Name(name):
            return getattr(module, name, None)
        case ast.Attribute(of, name):
            return getattr(_named(of, module), name, None)
        case _:
            return None


def read_in(path: Path) -> set[str]:
    """Return the keys of all options that a file reads."""
    return switches_read(path, ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("key", sorted(GAMES))
def test_signs_have_words_and_a_variant_comes_after_the_preset_whose_entry_it_shares(key: str) -> None:
    entries: dict[str, str] = {}
    for preset in GAMES[key].option_schema.presets:
        assert bool(preset.mark) == bool(preset.mark_text)
        if preset.variant_of:
            assert preset.variant
            assert entries[preset.variant_of]
        else:
            entries[preset.key] = preset.variant


def test_the_scan_finds_every_read_of_an_option() -> None:
    """The tests below search for `options[OPTION]`, the form that all code uses."""
    path = APP / "engine" / "games" / "big_two" / "rules.py"
    assert {"passing", "dragon"} < read_in(path)
    assert switches_read(path, ast.parse("self.options[play.PASSING], options[other], options[play.SECTION]")) == {
        "passing"
    }


@pytest.mark.parametrize("game", GAMES)
def test_a_game_reads_exactly_the_options_it_declares(game: str) -> None:
    """House rules are excepted: they are turned on by their `switch`, in a list. Short rules don't count."""
    files = [path for path in (APP / "engine" / "games" / game).rglob("*.py") if path.name != "short_rules.py"]
    read = set[str]().union(*map(read_in, files))
    by_themselves = {part.switch.key for part in HOUSE_RULES} if game == "president" else set[str]()
    assert read | by_themselves == {switch.key for switch in GAMES[game].option_schema.all_options}
    assert not read & by_themselves


def switches_declared(path: Path) -> set[str]:
    """Return the keys of all options that a file declares."""
    declared = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(ast.Name("Option"), [], keywords):
                declared |= {one.value.value for one in keywords if one.arg == "key"}  # type: ignore[attr-defined]
            case _:
                pass
    return declared


def without_constructors_of_rules(tree: ast.Module) -> ast.Module:
    """Remove the constructors of `…Rules` classes, which may look up any option once."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name.endswith("Rules"):
            node.body = [one for one in node.body if not (isinstance(one, ast.FunctionDef) and one.name == "__init__")]
    return tree


@pytest.mark.parametrize("game", GAMES)
def test_an_option_is_read_only_in_the_file_that_declares_it(game: str) -> None:
    """To find out what an option does, a developer reads one file.

    Only constructors of rules look it up, too, and short rules, which say what several options do together.
    """
    elsewhere = set[str]()
    for path in (APP / "engine" / "games" / game).rglob("*.py"):
        if path.name == "short_rules.py":
            continue
        tree = without_constructors_of_rules(ast.parse(path.read_text(encoding="utf-8")))
        elsewhere |= {f"{path.name} {key}" for key in switches_read(path, tree) - switches_declared(path)}
    assert not elsewhere


ID = re.compile(r"[A-Z]+-[0-9]{2}")


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_id_is_written_only_in_its_declaration(game: str) -> None:
    """Other code uses the attribute, such as `PASSING.id`: a number explains nothing and can be mistyped."""
    declared, written = list[str](), list[str]()
    for path in (APP / "engine" / "games" / game).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.keyword("id", ast.Constant(str() as id_)):
                    declared.append(id_)
                case ast.Constant(str() as text) if ID.fullmatch(text):
                    written.append(text)
                case _:
                    pass
    assert sorted(declared) == sorted(GAMES[game].option_schema.names_by_id)
    assert sorted(written) == sorted(declared)


def test_options_are_read_only_inside_the_games() -> None:
    """The settings of a room handle options of any game without naming them."""
    product = [path for path in APP.rglob("*.py") if APP / "engine" / "games" not in path.parents]
    files = [*product, *(APP.parent / "tools").rglob("*.py")]
    read = {str(path.relative_to(APP.parent)): keys for path in files if (keys := read_in(path))}
    assert not read


def test_changing_an_undeclared_option_is_refused() -> None:
    with pytest.raises(KeyError, match="jokr"):
        DECLARED.resolve_options().with_value(switch("jokr", Number(0, 2), 0), 1)


def test_changed_options_are_listed_in_order_of_importance() -> None:
    president = GAMES["president"].option_schema
    options = president.resolve_options({"target": 5, "seating": "fixed", "jokers": 1, "ending_ranks": "8", "packs": 2})
    assert list(president.changes_from_preset(options)) == ["ending_ranks", "packs", "jokers", "seating", "target"]
