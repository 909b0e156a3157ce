"""Scoring [PRES-45 … PRES-48, PRES-87, PRES-92]: points for places, the credit to start with, and when the match is
over."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from app.engine.base.messages import Said, Sentence, either
from app.engine.base.options import Choice, Conflict, Number, NumberOrNone, Options, Points, Section, Switch, ZeroSum
from app.engine.climbing.game import lowest_total
from app.engine.display.point_reasons import Reason, for_places
from app.engine.match.context import Society

from .titles import PLACES, by_place

LEAST, MOST = -10000, 10000
"""Bounds of a credit, a target and a floor."""

SCORING = Switch(
    id="PRES-45",
    also="points 得点 计分 計分",
    key="scoring",
    domain=Points(
        {
            "places": "2 for the first, 1 for the second",
            "none": "No points",
            "symmetric": "As many up as down: … 2 1 0 −1 −2 …",
            "bga": "+5, 0, −5, −10, −15",
            "ladder": "One point for each place from the bottom up",
            "beaten": "One point for each player beaten",
        },
        PLACES,
        -1000,
        1000,
    ),
    default="places",
    sentence="The points for a hand, from the first out to the last; or your own for first, second, middle, last but "
    "one and last.",
    example="With five players “symmetric” gives 2, 1, 0, −1, −2, and “beaten” 4, 3, 2, 1, 0.",
)

START_POINTS = Switch(
    id="PRES-46",
    also="starting chips 持ち点",
    key="start_points",
    domain=Number(LEAST, MOST),
    default=0,
    sentence="The credit that everybody starts with.",
    example="At Board Game Arena everybody starts with 50.",
)

TARGET = Switch(
    id="PRES-47",
    also="winning score play to 目標点 目标分",
    key="target",
    domain=NumberOrNone(LEAST, MOST, none_label="No target"),
    default=11,
    sentence="The match is over after a hand that leaves one player alone in the lead at or above this.",
    example="At 11 to 9 the match is won; at 11 to 11 it goes on.",
)

FLOOR = Switch(
    id="PRES-48",
    also="lower limit bankrupt minimum points",
    key="floor",
    domain=NumberOrNone(LEAST, MOST, none_label="No floor"),
    default=None,
    sentence="The match is over after a hand that leaves somebody at or below this; most points win.",
    example="At Board Game Arena it ends when somebody has nothing left.",
)

HANDS = Switch(
    id="PRES-87",
    also="rounds number of deals 局数 局數",
    key="hands",
    domain=NumberOrNone(1, 1000, none_label="As many as it takes"),
    default=None,
    sentence="The match is over after so many hands at the latest; most points win, and who is level shares.",
    example="With 3 a match of Tycoon is over after its third round.",
    source="Tycoon",
)

NEWCOMER_POINTS = Switch(
    id="PRES-92",
    also="late joiners 途中参加",
    key="newcomer_points",
    domain=Choice({"start": "The credit that everybody starts with", "lowest": "No more than the lowest at the table"}),
    default="start",
    sentence="What somebody begins with who joins between hands. Who comes back has the points they left with.",
    example="With 55, 50, 40 and 35 at the table and a credit of 50, “lowest” lets Eve begin with 35.",
    source="house rule",
)

SECTION = Section(
    "scoring",
    "Scoring",
    (
        SCORING,
        START_POINTS,
        TARGET,
        FLOOR,
        HANDS,
        NEWCOMER_POINTS,
    ),
)

USE = Sentence("president.use", "Use {what}.")
TARGET_FROM = Sentence("president.target_from", "a target of {least} or more")
NO_TARGET = Sentence("president.no_target", "no target (null)")
FLOOR_TO = Sentence("president.floor_to", "a floor of {most} or less")
NO_FLOOR = Sentence("president.no_floor", "no floor (null)")
START_TO = Sentence("president.start_to", "start_points of {most} or less")
START_FROM = Sentence("president.start_from", "start_points of {least} or more")


def _instead_of_target(start: int, target: int | None) -> Said:
    """Say which targets and credits would work."""
    assert target is not None
    higher = (TARGET_FROM(least=start + 1),) if start < MOST else ()
    lower = (START_TO(most=target - 1),) if target > LEAST else ()
    return USE(what=either([*higher, NO_TARGET(), *lower]))


def _instead_of_floor(start: int, floor: int | None) -> Said:
    """Say which floors and credits would work."""
    assert floor is not None
    lower = (FLOOR_TO(most=start - 1),) if start > LEAST else ()
    higher = (START_FROM(least=floor + 1),) if floor < MOST else ()
    return USE(what=either([*lower, NO_FLOOR(), *higher]))


CONFLICTS = (
    Conflict(
        START_POINTS,
        TARGET,
        lambda start, target: target is not None and target <= start,
        "the target must be above the credit, or the match would be over after its first hand.",
        instead=_instead_of_target,
        later=True,
    ),
    Conflict(
        START_POINTS,
        FLOOR,
        lambda start, floor: floor is not None and floor >= start,
        "the floor must be below the credit, or the match would be over after its first hand.",
        instead=_instead_of_floor,
        later=True,
    ),
)


def _places(count: int) -> list[int]:
    return [2, 1, *[0] * (count - 2)]


def _symmetric(count: int) -> list[int]:
    half = count // 2
    middle = [0] if count % 2 else []
    return [*range(half, 0, -1), *middle, *range(-1, -half - 1, -1)]


def _bga(count: int) -> list[int]:
    if count <= 3:
        return [5, *[-5] * (count - 2), -15]
    return [5, 0, *[-5] * (count - 4), -10, -15]


POINTS: dict[str, Callable[[int], list[int]]] = {
    "places": _places,
    "none": lambda count: [0] * count,
    "symmetric": _symmetric,
    "bga": _bga,
    "ladder": lambda count: list(range(count, 0, -1)),
    "beaten": lambda count: list(range(count - 1, -1, -1)),
}
"""Points from first to last among so many players, for each scheme of `scoring`."""


ZERO_SUM = ZeroSum(
    "With as many points up as down, or none, what some gain others lose: the points of a hand add up to nothing.",
    lambda options: options[SCORING] in ("symmetric", "none"),
)


def reasons(options: Options, standing: tuple[str, ...]) -> tuple[Reason, ...]:
    """What one hand adds, and what for."""
    return for_places(standing, points(options[SCORING], len(standing)))


def points(scheme: str | Sequence[int], count: int) -> list[int]:
    """Points from first to last among so many players, by a scheme or a list of the host's own."""
    return POINTS[scheme](count) if isinstance(scheme, str) else by_place(scheme, count)


NEWCOMERS: dict[str, Callable[[Society, int], int]] = {"start": lambda match, start: start, "lowest": lowest_total}
"""What a newcomer begins with, given the credit to start with, for each value of `newcomer_points`."""


def credit(options: Options) -> int:
    """What everybody starts with (PRES-46)."""
    return options[START_POINTS]


def newcomer(match: Society) -> int:
    """What somebody begins with who joins between hands and was never here before (PRES-92)."""
    return NEWCOMERS[match.options[NEWCOMER_POINTS]](match, credit(match.options))


def is_over(options: Options, totals: Mapping[str, int], hands: int) -> bool:
    """Whether these totals, of the people at the table, end the match after so many hands."""
    best = sorted(totals.values(), reverse=True)
    alone = all(first > second for first, second in pairwise(best[:2]))
    target, floor = options[TARGET], options[FLOOR]
    reached = target is not None and best[0] >= target and alone
    fallen = floor is not None and best[-1] <= floor
    most = options[HANDS]
    return reached or fallen or (most is not None and hands >= most)
