"""The page draws what it is told: none of its modules names a game, a switch, or what a house rule keeps."""

import inspect
import re
from pathlib import Path
from typing import get_type_hints

import pytest

from app.engine.climbing.shown import ClimbingOwn, ClimbingTable
from app.engine.face import OwnFace
from app.engine.games import GAMES
from app.engine.views import Table

MODULES = sorted((Path(__file__).parents[2] / "static" / "js").glob("*.js"))

COMMON = {key for shape in (ClimbingTable, ClimbingOwn, Table, OwnFace) for key in get_type_hints(shape)}
"""What all tables show, or those of all climbing games, and how it is to be drawn."""

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
"""Words that only a rule has; a key of two words is none of a page's own, either."""


def said_by_games() -> set[str]:
    """What only some games show, by key."""
    keys = set[str]()
    for game in GAMES.values():
        for answer in (game.table, game.lasting, game.own):
            keys |= get_type_hints(inspect.signature(answer).return_annotation).keys()
    return keys - COMMON


def switches() -> set[str]:
    """Every switch, by key."""
    return {switch.key for game in GAMES.values() for part in game.declared.sections for switch in part.switches}


def bare(code: str) -> str:
    """A module without its comments."""
    return re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", code, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_no_module_of_the_page_names_a_game_or_a_rule(module: Path) -> None:
    code = bare(module.read_text(encoding="utf-8"))
    particular = (said_by_games() | switches()) - COMMON
    words = set(re.findall(r"[a-z][a-z_]*", code))
    assert not words & (GAMES.keys() | RULES | {key for key in particular if "_" in key})
    # The other keys are words of every day: what counts is whether they are read off a table, a seat or the options.
    assert not set(re.findall(r"\b(?:table|you|options)\??\.([a-z_]+)", code)) & particular


def test_what_is_looked_for_is_there() -> None:
    assert MODULES
    assert {"dimes", "exposed", "waits_for_clearing"} <= said_by_games()
    assert bare("// table.dimes\n/* table.pot */ table.trick") == "\n table.trick"
