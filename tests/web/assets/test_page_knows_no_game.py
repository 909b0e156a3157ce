"""The page draws what it is told: none of its modules names a game, a switch, what a house rule keeps, an action, or
an event.
"""

import inspect
import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from app.engine.base.messages import english_texts
from app.engine.cards.action_codec import ACTION_SPECS
from app.engine.climbing.view_keys import ClimbingOwn, ClimbingTable
from app.engine.display.table_display import AtSeat, Line, OwnFace
from app.engine.games import GAMES
from app.engine.match.hand import HandPhase
from app.engine.match.views import Table
from app.rooms.model.commands import MESSAGES_BY_TAG
from app.rooms.model.events import Role

FOLDER = Path(__file__).parents[3] / "static" / "js"
MODULES = sorted(FOLDER.rglob("*.js"))


def named(module: Path) -> str:
    """Return the path of a module below the folder of scripts."""
    return module.relative_to(FOLDER).as_posix()


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
        for answer in (game.table_view, game.between_hands_view, game.private_view):
            keys |= get_type_hints(inspect.signature(answer).return_annotation).keys()
    return keys - COMMON


def switches() -> set[str]:
    """Every switch, by key."""
    return {switch.key for game in GAMES.values() for part in game.option_schema.sections for switch in part.switches}


def bare(code: str) -> str:
    """A module without its comments."""
    return re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", code, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("module", MODULES, ids=named)
def test_no_page_module_names_a_game_or_a_rule(module: Path) -> None:
    code = bare(module.read_text(encoding="utf-8"))
    particular = (said_by_games() | switches()) - COMMON
    words = set(re.findall(r"[a-z][a-z_]*", code))
    assert not words & (GAMES.keys() | RULES | {key for key in particular if "_" in key})
    # The other keys are words of every day: what counts is whether they are read off a table, a seat or the options.
    assert not set(re.findall(r"\b(?:table|you|options)\??\.([a-z_]+)", code)) & particular


OTHERWISE = {"between", *get_args(HandPhase), *MESSAGES_BY_TAG, *get_type_hints(Line)}
"""What is called as some action is: where a hand is, what is asked of a room, how far a line of a panel is."""

ASKED_BY_NAME = re.compile(r"""(?:\.do\s*[!=]==?|\bdo:|\bcase|"data-do":)\s*["'`](\w+)["'`]|\baction\.(\w+)""")
"""Where an action would be known by its name: compared, sent, marked on an element, put into words."""


@pytest.mark.parametrize("module", MODULES, ids=named)
def test_no_page_module_names_an_action(module: Path) -> None:
    code = bare(module.read_text(encoding="utf-8"))
    quoted = set(re.findall(r"""["'`](\w+)["'`]""", code))
    assert not quoted & (ACTION_SPECS.keys() - OTHERWISE)
    assert not {name for found in ASKED_BY_NAME.findall(code) for name in found} & ACTION_SPECS.keys()


HAPPENS = {key.split(".")[1] for key in english_texts() if key.startswith("event.")}
"""Every event, by name."""

AND_NO_EVENT = {
    *get_args(Role),
    *get_args(get_args(get_type_hints(AtSeat)["state"])[0]),
    *MESSAGES_BY_TAG,
    *get_type_hints(Line),
    "said",
    "given",
}
"""What is called as some event is: what somebody is in a room or in a hand, what is asked of a room, a line, cards."""

TOLD_BY_NAME = re.compile(r"""\.e\s*[!=]==?\s*["'`](\w+)["'`]|\be:\s*["'`](\w+)["'`]|["'`]event\.(\w+)""")
"""Where an event would be known by its name: compared, made up, put into words."""


@pytest.mark.parametrize("module", MODULES, ids=named)
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
