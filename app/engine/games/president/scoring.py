"""Scoring [PRES-45 … PRES-48, PRES-87, PRES-92]: points for places, credits, and the end of the match."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_or
from app.engine.base.options import Choice, Conflict, Number, NumberOrNone, Option, Options, Points, Section, ZeroSum
from app.engine.climbing.game import lowest_total
from app.engine.display.point_reasons import PointReason, placement_reasons
from app.engine.match.context import MatchContext

from .titles import PLACES, spread_over_places

LEAST, MOST = -10000, 10000
"""Bounds of a credit, a target and a floor."""

SCORING = Option(
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

START_POINTS = Option(
    id="PRES-46",
    also="starting chips 持ち点",
    key="start_points",
    domain=Number(LEAST, MOST),
    default=0,
    sentence="The credit that everybody starts with.",
    example="At Board Game Arena everybody starts with 50.",
)

TARGET = Option(
    id="PRES-47",
    also="winning score play to 目標点 目标分",
    key="target",
    domain=NumberOrNone(LEAST, MOST, none_label="No target"),
    default=11,
    sentence="The match is over after a hand that leaves one player alone in the lead at or above this.",
    example="At 11 to 9 the match is won; at 11 to 11 it goes on.",
)

FLOOR = Option(
    id="PRES-48",
    also="lower limit bankrupt minimum points",
    key="floor",
    domain=NumberOrNone(LEAST, MOST, none_label="No floor"),
    default=None,
    sentence="The match is over after a hand that leaves somebody at or below this; most points win.",
    example="At Board Game Arena it ends when somebody has nothing left.",
)

HANDS = Option(
    id="PRES-87",
    also="rounds number of deals 局数 局數",
    key="hands",
    domain=NumberOrNone(1, 1000, none_label="As many as it takes"),
    default=None,
    sentence="The match is over after so many hands at the latest; most points win, and who is level shares.",
    example="With 3 a match of Tycoon is over after its third round.",
    source="Tycoon",
)

NEWCOMER_POINTS = Option(
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

USE = MessageTemplate("president.use", "Use {what}.")
TARGET_FROM = MessageTemplate("president.target_from", "a target of {least} or more")
NO_TARGET = MessageTemplate("president.no_target", "no target (null)")
FLOOR_TO = MessageTemplate("president.floor_to", "a floor of {most} or less")
NO_FLOOR = MessageTemplate("president.no_floor", "no floor (null)")
START_TO = MessageTemplate("president.start_to", "start_points of {most} or less")
START_FROM = MessageTemplate("president.start_from", "start_points of {least} or more")


def _suggest_other_targets(start: int, target: int | None) -> TranslatableMessage:
    """Return a message with targets of points and starting credits that would not contradict each other.

    `target`, which must not be None, does not exceed `start`.
    """
    assert target is not None
    higher = (TARGET_FROM(least=start + 1),) if start < MOST else ()
    lower = (START_TO(most=target - 1),) if target > LEAST else ()
    return USE(what=join_with_or([*higher, NO_TARGET(), *lower]))


def _suggest_other_floors(start: int, floor: int | None) -> TranslatableMessage:
    """Return a message with floors of points and starting credits that would not contradict each other.

    `floor`, which must not be None, is not below `start`.
    """
    assert floor is not None
    lower = (FLOOR_TO(most=start - 1),) if start > LEAST else ()
    higher = (START_FROM(least=floor + 1),) if floor < MOST else ()
    return USE(what=join_with_or([*lower, NO_FLOOR(), *higher]))


CONFLICTS = (
    Conflict(
        START_POINTS,
        TARGET,
        lambda start, target: target is not None and target <= start,
        "the target must be above the credit, or the match would be over after its first hand.",
        suggest_values=_suggest_other_targets,
        allows_existing_rooms=True,
    ),
    Conflict(
        START_POINTS,
        FLOOR,
        lambda start, floor: floor is not None and floor >= start,
        "the floor must be below the credit, or the match would be over after its first hand.",
        suggest_values=_suggest_other_floors,
        allows_existing_rooms=True,
    ),
)


def _points_for_first_two(count: int) -> list[int]:
    return [2, 1, *[0] * (count - 2)]


def _symmetric_points(count: int) -> list[int]:
    half = count // 2
    middle = [0] if count % 2 else []
    return [*range(half, 0, -1), *middle, *range(-1, -half - 1, -1)]


def _board_game_arena_points(count: int) -> list[int]:
    if count <= 3:
        return [5, *[-5] * (count - 2), -15]
    return [5, 0, *[-5] * (count - 4), -10, -15]


POINTS_BY_SCHEME: dict[str, Callable[[int], list[int]]] = {
    "places": _points_for_first_two,
    "none": lambda count: [0] * count,
    "symmetric": _symmetric_points,
    "bga": _board_game_arena_points,
    "ladder": lambda count: list(range(count, 0, -1)),
    "beaten": lambda count: list(range(count - 1, -1, -1)),
}
"""Returns points from first to last for a number of players, for each scheme of `scoring`."""


ZERO_SUM = ZeroSum(
    "With as many points up as down, or none, what some gain others lose: the points of a hand add up to nothing.",
    lambda options: options[SCORING] in ("symmetric", "none"),
)


def point_reasons(options: Options, standing: tuple[str, ...]) -> tuple[PointReason, ...]:
    """Return the ledger lines for the points of one hand of President, by the players' places, best first."""
    return placement_reasons(standing, points_by_place(options[SCORING], len(standing)))


def points_by_place(scheme: str | Sequence[int], count: int) -> list[int]:
    """Return the points from first to last place for `count` players, by a scheme or the host's own list of five."""
    return POINTS_BY_SCHEME[scheme](count) if isinstance(scheme, str) else spread_over_places(scheme, count)


NEWCOMER_POINTS_BY_OPTION: dict[str, Callable[[MatchContext, int], int]] = {
    "start": lambda match, start: start,
    "lowest": lowest_total,
}
"""Returns a newcomer's credit, given the match and the starting credit, for each value of `newcomer_points`."""


def starting_points(options: Options) -> int:
    """Return the points with which each player of President starts, by an option (PRES-46)."""
    return options[START_POINTS]


def newcomer_points(match: MatchContext) -> int:
    """Return the points with which a player joins a match of President for the first time, by an option (PRES-92)."""
    return NEWCOMER_POINTS_BY_OPTION[match.options[NEWCOMER_POINTS]](match, starting_points(match.options))


def is_match_over(options: Options, totals: Mapping[str, int], hands: int) -> bool:
    """Return whether a match of President is over, given the seated players' totals and the number of hands played.

    Options set a target for a sole leader, a floor, and a number of hands.
    """
    best = sorted(totals.values(), reverse=True)
    alone = all(first > second for first, second in pairwise(best[:2]))
    target, floor = options[TARGET], options[FLOOR]
    reached = target is not None and best[0] >= target and alone
    fallen = floor is not None and best[-1] <= floor
    most = options[HANDS]
    return reached or fallen or (most is not None and hands >= most)
