"""The house rules of President, one file each. A new one is a file and its name in this list."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from app.engine.games.president.beating import Beating
from app.engine.games.president.part import Part
from app.engine.options import Conflict, Options, Section, Switch

from .bombing import Bombing
from .burn import Burn
from .collusion import Collusion
from .coup import Coup
from .discarding import Discarding
from .ending import Ending
from .exposed import Exposed
from .faults import Faults
from .giving import Giving
from .merchants import Merchants
from .must_beat import MustBeat
from .no_finish import NoFinish
from .number_lock import NumberLock
from .ordering import Ordering
from .reversing import Reversing
from .run_revolution import RunRevolution
from .scum import Scum
from .skipping import Skipping
from .suit_lock import SuitLock
from .throw_in import ThrowIn
from .turning import Turning

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
