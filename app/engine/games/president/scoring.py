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
            "places": "2 for first place, 1 for second place",
            "none": "No points",
            "symmetric": "Symmetric: … 2 1 0 −1 −2 …",
            "bga": "+5, 0, −5, −10, −15",
            "ladder": "One point for each place, counted from last place",
            "beaten": "One point for each player beaten",
        },
        PLACES,
        -1000,
        1000,
    ),
    default="places",
    sentence="Sets the points for a hand, from first to last place. You can enter your own for first, second, "
    "middle, second-last and last place.",
    example="With five players, “symmetric” gives 2, 1, 0, −1, −2, and “each player beaten” gives 4, 3, 2, 1, 0.",
    short={
        "places": "First place scores 2 points, second 1.",
        "none": "Nobody scores points.",
        "symmetric": "High places gain points, low places lose as many.",
        "bga": "Places score +5, 0, −5, −10, −15.",
        "ladder": "Places score 1 (last), 2, 3 …",
        "beaten": "You score a point for each player beaten.",
    },
)

START_POINTS = Option(
    id="PRES-46",
    also="starting chips 持ち点",
    key="start_points",
    domain=Number(LEAST, MOST),
    default=0,
    sentence="Sets the points that each player starts with.",
    example="At Board Game Arena, each player starts with 50.",
)

TARGET = Option(
    id="PRES-47",
    also="winning score play to 目標点 目标分",
    key="target",
    domain=NumberOrNone(LEAST, MOST, none_label="No target"),
    default=11,
    sentence="The match ends when a player leads alone with at least this many points.",
    example="With 11, a score of 11 to 9 wins the match; at 11 to 11 the match goes on.",
)

FLOOR = Option(
    id="PRES-48",
    also="lower limit bankrupt minimum points",
    key="floor",
    domain=NumberOrNone(LEAST, MOST, none_label="No floor"),
    default=None,
    sentence="The match ends when a player has this many points or fewer. The player with the most points wins.",
    example="At Board Game Arena, the match ends when a player has no points left.",
)

HANDS = Option(
    id="PRES-87",
    also="rounds number of deals 局数 局數",
    key="hands",
    domain=NumberOrNone(1, 1000, none_label="No limit"),
    default=None,
    sentence="The match ends after this many hands at the latest. The most points win; ties are shared.",
    example="With 3, a match of Tycoon is over after its third hand.",
    source="Tycoon",
)

NEWCOMER_POINTS = Option(
    id="PRES-92",
    also="late joiners 途中参加",
    key="newcomer_points",
    label="Points of new players",
    domain=Choice({"start": "The starting points of all players", "lowest": "At most the lowest at the table"}),
    default="start",
    sentence="Sets the points of a player who joins between hands. A player who comes back has the points "
    "they left with.",
    example="With 55, 50, 40 and 35 at the table and 50 starting points, “lowest at the table” gives Eve 35.",
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

    Used for the error that the target (`target`, not None) does not exceed the starting credit (`start`).
    """
    assert target is not None
    higher = (TARGET_FROM(least=start + 1),) if start < MOST else ()
    lower = (START_TO(most=target - 1),) if target > LEAST else ()
    return USE(what=join_with_or([*higher, NO_TARGET(), *lower]))


def _suggest_other_floors(start: int, floor: int | None) -> TranslatableMessage:
    """Return a message with floors of points and starting credits that would not contradict each other.

    Used for the error that the floor (`floor`, not None) is not below the starting credit (`start`).
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
        "The target must be above the starting points, or the match would end after its first hand.",
        suggest_values=_suggest_other_targets,
        allows_existing_rooms=True,
    ),
    Conflict(
        START_POINTS,
        FLOOR,
        lambda start, floor: floor is not None and floor >= start,
        "The floor must be below the starting points, or the match would end after its first hand.",
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
    "If the points are symmetric, or if there are no points, the points of each hand add up to zero.",
    lambda options: options[SCORING] in ("symmetric", "none"),
)


def point_reasons(options: Options, standing: tuple[str, ...]) -> tuple[PointReason, ...]:
    """Return the ledger lines for the points of one hand of President, by the players' places, best first."""
    return placement_reasons(standing, points_by_place(options[SCORING], len(standing)))


def points_by_place(scheme: str | Sequence[int], count: int) -> list[int]:
    """Return the points from first to last place for `count` players, by a scheme or the host's own list of five.

    `scheme` is the scheme's name or the list, which is spread over the places.
    """
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
