"""The house rules of President, one file each. A new one is a file and its name in this list."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from app.engine.base.options import Conflict, Options, Section, Switch
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.house.effects.bomb import Bombing
from app.engine.games.president.house.effects.burn import Burn
from app.engine.games.president.house.effects.coup import Coup
from app.engine.games.president.house.effects.discard import Discarding
from app.engine.games.president.house.effects.end_trick import Ending
from app.engine.games.president.house.effects.give_cards import Giving
from app.engine.games.president.house.effects.invert_for_trick import Turning
from app.engine.games.president.house.effects.reverse_direction import Reversing
from app.engine.games.president.house.effects.run_revolution import RunRevolution
from app.engine.games.president.house.effects.skip_turns import Skipping
from app.engine.games.president.house.limits.must_beat import MustBeat
from app.engine.games.president.house.limits.no_finish import NoFinish
from app.engine.games.president.house.limits.number_lock import NumberLock
from app.engine.games.president.house.limits.suit_lock import SuitLock
from app.engine.games.president.house.society.collusion import Collusion
from app.engine.games.president.house.society.exposed import Exposed
from app.engine.games.president.house.society.faults import Faults
from app.engine.games.president.house.society.merchants import Merchants
from app.engine.games.president.house.society.ordering import Ordering
from app.engine.games.president.house.society.scum import Scum
from app.engine.games.president.house.society.throw_in import ThrowIn
from app.engine.games.president.house_rule import Part

HOUSE: tuple[type[Part[Any]], ...] = (
    Ordering,
    SuitLock,
    NumberLock,
    Burn,
    MustBeat,
    Exposed,
    Merchants,
    Collusion,
    RunRevolution,
    Coup,
    Turning,
    Reversing,
    NoFinish,
    ThrowIn,
    Giving,
    Discarding,
    Bombing,
    Skipping,
    Ending,
    Scum,
    Faults,
)
"""In the order in which their effects follow one another."""

CONFLICTS: tuple[Conflict[Any, Any], ...] = tuple(conflict for part in HOUSE for conflict in part.conflicts)
ACTIONS = tuple(action for part in HOUSE for action in part.actions)


def in_force(options: Options, beating: Beating) -> tuple[Part[Any], ...]:
    """The house rules that these options turn on."""
    return tuple(part(beating, options) for part in HOUSE if part.is_on(options[part.switch]))


def with_house_rules(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections of the rules page, each with the switches of its house rules, in the order of the page."""
    return tuple(replace(section, switches=_joined(section)) for section in sections)


def _joined(section: Section) -> tuple[Switch[Any], ...]:
    switches = {switch.id: switch for switch in section.switches}
    switches |= {part.switch.id: part.switch for part in HOUSE if part.section == section.key}
    return tuple(switches[id_] for id_ in sorted(switches))
