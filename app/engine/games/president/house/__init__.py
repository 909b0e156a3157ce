"""The house rules of President, one file each. To add a rule, add a file and an entry in `HOUSE_RULES`."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from app.engine.base.options import Conflict, Option, Options, Section
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.house.effects.bomb import BombRanks
from app.engine.games.president.house.effects.burn import Burn
from app.engine.games.president.house.effects.coup import Coup
from app.engine.games.president.house.effects.discard import DiscardRanks
from app.engine.games.president.house.effects.end_trick import EndTrickRanks
from app.engine.games.president.house.effects.give_cards import GiveCardsRanks
from app.engine.games.president.house.effects.invert_for_trick import InvertForTrickRanks
from app.engine.games.president.house.effects.reverse_direction import ReverseDirectionRanks
from app.engine.games.president.house.effects.run_revolution import RunRevolution
from app.engine.games.president.house.effects.skip_turns import SkipTurnsRanks
from app.engine.games.president.house.limits.must_beat import MustBeat
from app.engine.games.president.house.limits.no_finish import NoFinish
from app.engine.games.president.house.limits.number_lock import NumberLock
from app.engine.games.president.house.limits.suit_lock import SuitLock
from app.engine.games.president.house.society.collusion import Collusion
from app.engine.games.president.house.society.exposed import ExposedPiles
from app.engine.games.president.house.society.faults import DealingFaults
from app.engine.games.president.house.society.merchants import Merchants
from app.engine.games.president.house.society.ordering import CalledRuns
from app.engine.games.president.house.society.scum import OnlyBottomClears
from app.engine.games.president.house.society.throw_in import ThrowIn
from app.engine.games.president.house_rule import HouseRule

HOUSE_RULES: tuple[type[HouseRule[Any]], ...] = (
    CalledRuns,
    SuitLock,
    NumberLock,
    Burn,
    MustBeat,
    ExposedPiles,
    Merchants,
    Collusion,
    RunRevolution,
    Coup,
    InvertForTrickRanks,
    ReverseDirectionRanks,
    NoFinish,
    ThrowIn,
    GiveCardsRanks,
    DiscardRanks,
    BombRanks,
    SkipTurnsRanks,
    EndTrickRanks,
    OnlyBottomClears,
    DealingFaults,
)
"""All house rules, in the order in which their effects are applied."""

CONFLICTS: tuple[Conflict[Any, Any], ...] = tuple(conflict for part in HOUSE_RULES for conflict in part.conflicts)
ACTIONS = tuple(action for part in HOUSE_RULES for action in part.actions)


def build_active_rules(options: Options, beating: PresidentCombinations) -> tuple[HouseRule[Any], ...]:
    """Return the house rules of President that these options turn on, in a fixed order; empty if none are on.

    `beating` reads and compares combinations under the same options. Rules act in this order.
    """
    return tuple(part(beating, options) for part in HOUSE_RULES if part.is_active(options[part.switch]))


def add_house_rule_switches(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Return the sections of President's rules page with the house rules' options added, sorted by id."""
    return tuple(replace(section, switches=_merge_switches(section)) for section in sections)


def _merge_switches(section: Section) -> tuple[Option[Any], ...]:
    switches = {switch.id: switch for switch in section.switches}
    switches |= {part.switch.id: part.switch for part in HOUSE_RULES if part.section == section.key}
    return tuple(switches[id_] for id_ in sorted(switches))
