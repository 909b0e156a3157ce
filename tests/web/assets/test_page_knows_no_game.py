"""Test that page modules name no game, option, house rule, action or event, because the server describes them."""

import inspect
import re
from pathlib import Path
from typing import get_args, get_type_hints

from app.engine.base.messages import english_texts
from app.engine.cards.action_codec import ACTION_SPECS
from app.engine.climbing.view_keys import ClimbingOwn, ClimbingTable
from app.engine.display.table_display import AtSeat, Line, OwnFace
from app.engine.games import GAMES
from app.engine.match.hand import HandPhase
from app.engine.match.views import Table
from app.rooms.model.commands import MESSAGES_BY_TAG
from app.rooms.model.member import Role
from tests.for_each import for_each

FOLDER = Path(__file__).parents[3] / "static" / "js"
MODULES = sorted(FOLDER.rglob("*.js"))


def named(module: Path) -> str:
    """Return the path of a module below the folder of scripts."""
    return module.relative_to(FOLDER).as_posix()


COMMON = {key for shape in (ClimbingTable, ClimbingOwn, Table, OwnFace) for key in get_type_hints(shape)}
"""Keys that all tables, or those of all climbing games, show, and keys about their display."""

RULES = {
    "dimes",
    "trade",
    "pairs",
    "exposed",
    "haggle",
    "haggling",
    "merchants",
    "collusion",
    "collude",
    "scum",
    "nicolae",
}
"""Words that only rules use. Page modules may not use keys of two words from the rules, either."""


def said_by_games() -> set[str]:
    """Return the keys that only some games show."""
    keys = set[str]()
    for game in GAMES.values():
        for answer in (game.table_view, game.between_hands_view, game.private_view):
            keys |= get_type_hints(inspect.signature(answer).return_annotation).keys()
    return keys - COMMON


def switches() -> set[str]:
    """Return the keys of all options."""
    return {switch.key for game in GAMES.values() for part in game.option_schema.sections for switch in part.switches}


def bare(code: str) -> str:
    """Return a module without its comments."""
    return re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", code, flags=re.DOTALL | re.MULTILINE)


@for_each("module", MODULES, ids=named)
def test_no_page_module_names_a_game_or_a_rule(module: Path) -> None:
    code = bare(module.read_text(encoding="utf-8"))
    particular = (said_by_games() | switches()) - COMMON
    words = set(re.findall(r"[a-z][a-z_]*", code))
    assert not words & (GAMES.keys() | RULES | {key for key in particular if "_" in key})
    # The other keys are everyday words, so only reads of a table, a seat or the options count.
    assert not set(re.findall(r"\b(?:table|you|options)\??\.([a-z_]+)", code)) & particular


OTHERWISE = {"between", *get_args(HandPhase), *MESSAGES_BY_TAG, *get_type_hints(Line)}
"""Names of actions that also name other things: phases of a hand, messages, and fields of a panel line."""

ASKED_BY_NAME = re.compile(r"""(?:\.do\s*[!=]==?|\bdo:|\bcase|"data-do":)\s*["'`](\w+)["'`]|\baction\.(\w+)""")
"""Finds actions used by name: in comparisons, messages, attributes and texts."""


@for_each("module", MODULES, ids=named)
def test_no_page_module_names_an_action(module: Path) -> None:
    code = bare(module.read_text(encoding="utf-8"))
    quoted = set(re.findall(r"""["'`](\w+)["'`]""", code))
    assert not quoted & (ACTION_SPECS.keys() - OTHERWISE)
    assert not {name for found in ASKED_BY_NAME.findall(code) for name in found} & ACTION_SPECS.keys()


HAPPENS = {key.split(".")[1] for key in english_texts() if key.startswith("event.")}
"""The names of all events."""

AND_NO_EVENT = {
    *get_args(Role),
    *get_args(get_args(get_type_hints(AtSeat)["state"])[0]),
    *MESSAGES_BY_TAG,
    *get_type_hints(Line),
    "back",
    "said",
    "given",
}
"""Words that are also names of events: roles, states of a seat, messages, keys of a line, cards, a way back."""

TOLD_BY_NAME = re.compile(r"""\.e\s*[!=]==?\s*["'`](\w+)["'`]|\be:\s*["'`](\w+)["'`]|["'`]event\.(\w+)""")
"""Finds events used by name: in comparisons, new events and texts."""


@for_each("module", MODULES, ids=named)
def test_no_page_module_names_an_event(module: Path) -> None:
    code = bare(module.read_text(encoding="utf-8"))
    quoted = set(re.findall(r"""["'`](\w+)["'`]""", code))
    assert not quoted & (HAPPENS - AND_NO_EVENT)
    assert not {name for found in TOLD_BY_NAME.findall(code) for name in found} & HAPPENS


def test_the_search_patterns_find_games_events_and_actions() -> None:
    assert MODULES
    assert {"dimes", "exposed", "waits_for_clearing"} <= said_by_games()
    assert {"played", "passed", "pot_won", "gave_cards"} <= HAPPENS
    assert ASKED_BY_NAME.findall('if (action.do === "cut") act({ do: "say" }, t("action.offer"))')
    assert TOLD_BY_NAME.findall('event.e === "passed"')
    assert bare("// table.dimes\n/* table.pot */ table.trick") == "\n table.trick"
