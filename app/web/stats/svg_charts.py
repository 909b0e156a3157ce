"""Draw charts as SVG from values. Pure functions without people, games or texts.

Charts have no fixed size: the page stretches them to the list of names beside them, so that each line ends at its name.
So stretching must not distort anything. Strokes keep their width, dots are very short strokes, and texts stand
outside. The same data is in a table, so charts are hidden from screen readers.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from markupsafe import Markup, escape

STEP = 10
"""Width of one hand in SVG units."""
ROW = 10
"""Height of a row in SVG units."""
WIDTH = 13
"""Minimum pixels for a hand; a longer chart scrolls."""
DOTTED = 60
"""Up to this number of hands, each hand has a dot."""

Point: TypeAlias = tuple[float, float]
Happening = Literal["fall", "rise"]


@dataclass(frozen=True, slots=True)
class Series:
    """A player's line in a chart: colour, key, and a value for each hand or session, None while absent."""

    who: str
    """The key by which the page finds the line."""
    hue: int
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """A coloured range of hands in a chart, such as a reign: from hand `first` to `last`, both included."""

    hue: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A highlighted point of a chart, where a player fell to the last rank or rose to the first in one hand."""

    what: Happening
    hand: int
    value: float


@dataclass(frozen=True, slots=True)
class Chart:
    """What an SVG chart shows: lines, bands and marks over hands, and the scale.

    `top` and `bottom` are the values at the edges: ranks count downwards, points upwards.
    """

    lines: tuple[Series, ...]
    top: float
    bottom: float
    rows: int
    """Number of names beside the chart."""
    curved: bool = False
    """Whether lines flatten at each hand (ranks); otherwise they are straight (sums)."""
    from_zero: bool = False
    """Whether lines begin at zero on the left edge, before the first hand (sums)."""
    levels: tuple[float, ...] = ()
    """Values with a horizontal line."""
    bands: tuple[Band, ...] = ()
    marks: tuple[Mark, ...] = ()
    hands: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", max((len(line.values) for line in self.lines), default=0))

    def x(self, hand: float) -> float:
        """Return the x position of a hand in a chart, in SVG units: the middle of the hand's step.

        `hand` counts from 0.
        """
        return (hand + 0.5) * STEP

    def y(self, value: float) -> float:
        """Return the y position of a value in a chart, in SVG units from the top."""
        return (value - self.top) / (self.bottom - self.top) * self.rows * ROW


def points_chart(lines: Sequence[Series]) -> Chart:
    """Return a chart of players' summed points, which begin at zero, with a line there, and margins above and below.

    >>> chart = points_chart([Series("a", 0, (0, 5, 10)), Series("b", 1, (0, -5, -10))])
    >>> chart.y(0), chart.levels, chart.hands
    (10.0, (0.0,), 3)
    """
    values = [value for line in lines for value in line.values if value is not None] or [0.0]
    high, low = max(*values, 0.0), min(*values, 0.0)
    air = (high - low) * 0.08 or 1.0
    return Chart(tuple(lines), high + air, low - air, len(lines), from_zero=True, levels=(0.0,))


def means_chart(lines: Sequence[Series]) -> Chart:
    """Return a chart of players' means, from 100 at the top to 0, with margins and a line at 50.

    >>> means_chart([Series("a", 0, (50, 100)), Series("b", 1, (50, 0))]).y(50)
    10.0
    """
    return Chart(tuple(lines), 108.0, -8.0, len(lines), levels=(50.0,))


def ranks_chart(lines: Sequence[Series], bands: Iterable[Band] = (), marks: Iterable[Mark] = ()) -> Chart:
    """Return a chart of players' ranks, the first at the top; each rank is in the middle of its row.

    `bands` mark reigns; `marks` mark sudden falls and rises.

    >>> ranks_chart([Series("a", 0, (1, 2)), Series("b", 1, (2, 1))]).y(2)
    15.0
    """
    rows = len(lines)
    levels = tuple(rank + 0.5 for rank in range(1, rows))
    return Chart(
        tuple(lines), 0.5, rows + 0.5, rows, curved=True, levels=levels, bands=tuple(bands), marks=tuple(marks)
    )


def draw_plot(chart: Chart) -> Markup:
    """Draw a chart as SVG: bands, level lines, the players' lines, and marks, from back to front."""
    width, height = chart.hands * STEP, chart.rows * ROW
    parts = [*_draw_bands(chart, height), *_draw_levels(chart, width)]
    for line in chart.lines:
        parts += _draw_line(chart, line)
    for mark in chart.marks:
        dot = _dot_path(chart.x(mark.hand), chart.y(mark.value))
        parts += [_path_element(f"mark {mark.what}", dot), _path_element("mark core", dot)]
    parts.append(Markup('<path class="cursor" d=""/>'))
    return _svg_element("plot", width, height, parts, chart.hands * WIDTH)


def draw_line_ends(chart: Chart) -> Markup:
    """Draw, as SVG, curves from the ends of a chart's lines to the names beside it, one row for each line.

    A line that ended before the last hand gets no curve.
    """
    last = chart.hands - 1
    parts: list[Markup] = []
    for row, line in enumerate(chart.lines):
        at = line.values[last] if len(line.values) > last >= 0 else None
        if at is not None:
            here, there = chart.y(at), (row + 0.5) * ROW
            left, right = _format_number(here), _format_number(there)
            path = f"M0 {left}C{STEP / 2:g} {left} {STEP / 2:g} {right} {STEP} {right}"
            parts.append(_path_element(f"line hue-{line.hue}", path, line.who))
    return _svg_element("ends", STEP, chart.rows * ROW, parts)


@dataclass(frozen=True, slots=True)
class GivenAndGained:
    """A player's luck with the dealt cards (`given`) and their result (`gained`), each from 0 to 100, to compare."""

    who: str
    hue: int
    given: float
    gained: float


def draw_comparison(pairs: Sequence[GivenAndGained]) -> Markup:
    """Draw a chart as SVG that compares players' luck and results: in each row a ring for `given`, a dot for `gained`.

    >>> print(draw_comparison([GivenAndGained("a", 3, 40, 60.5)]).count("<path"))
    5
    """
    parts = [_path_element("level", f"M50 0V{len(pairs) * ROW}")]
    for row, pair in enumerate(pairs):
        y = (row + 0.5) * ROW
        given, gained = _dot_path(pair.given, y), _dot_path(pair.gained, y)
        parts.append(
            _path_element(
                f"line hue-{pair.hue}",
                f"M{_format_number(pair.given)} {_format_number(y)}H{_format_number(pair.gained)}",
                pair.who,
            )
        )
        parts += [_path_element(f"given hue-{pair.hue}", given), _path_element("given core", given)]
        parts.append(_path_element(f"made hue-{pair.hue}", gained))
    return _svg_element("comparison", 100, len(pairs) * ROW, parts)


def _draw_bands(chart: Chart, height: float) -> Iterator[Markup]:
    for band in chart.bands:
        x, width = band.first * STEP, (band.last - band.first + 1) * STEP
        yield Markup('<rect class="band hue-{}" x="{}" y="0" width="{}" height="{}"/>').format(
            band.hue, _format_number(x), _format_number(width), _format_number(height)
        )


def _draw_levels(chart: Chart, width: float) -> Iterator[Markup]:
    for level in chart.levels:
        yield _path_element("level", f"M0 {_format_number(chart.y(level))}H{_format_number(width)}")


def _draw_line(chart: Chart, line: Series) -> Iterator[Markup]:
    for stretch in split_at_gaps(line.values):
        points = [(chart.x(hand), chart.y(value)) for hand, value in stretch]
        if chart.from_zero and stretch[0][0] == 0:
            points.insert(0, (0, chart.y(0)))
        # A line that reaches the last hand is extended to the edge, where its connection to the name starts.
        on = f"H{chart.hands * STEP}" if stretch[-1][0] == chart.hands - 1 else ""
        if len(points) > 1 or on:
            yield _path_element(f"line hue-{line.hue}", _line_path(points, curved=chart.curved) + on, line.who)
        dotted = points if chart.curved and chart.hands <= DOTTED else points[-1:]
        yield _path_element(f"dots hue-{line.hue}", "".join(_dot_path(*point) for point in dotted), line.who)


def split_at_gaps(values: Iterable[float | None]) -> list[list[Point]]:
    """Split a chart line at None, where the player was absent; each part is a list of points (index, value).

    >>> split_at_gaps([1, 2, None, 1])
    [[(0, 1), (1, 2)], [(3, 1)]]
    """
    found: list[list[Point]] = []
    there = False
    for hand, value in enumerate(values):
        if value is not None:
            if not there:
                found.append([])
            found[-1].append((hand, value))
        there = value is not None
    return found


def _line_path(points: Sequence[Point], *, curved: bool) -> str:
    (x, y), *rest = points
    path = [f"M{_format_number(x)} {_format_number(y)}"]
    for to_x, to_y in rest:
        if curved and to_y != y:
            middle = (x + to_x) / 2
            path.append(
                f"C{_format_number(middle)} {_format_number(y)} {_format_number(middle)} {_format_number(to_y)} "
                f"{_format_number(to_x)} {_format_number(to_y)}"
            )
        else:
            path.append(f"L{_format_number(to_x)} {_format_number(to_y)}")
        x, y = to_x, to_y
    return "".join(path)


def _dot_path(x: float, y: float) -> str:
    """Return an SVG path that draws a dot: a very short stroke, which stays round when the chart is stretched.

    WebKit stretches strokes of length 0.
    """
    return f"M{_format_number(x)} {_format_number(y)}h.01"


def _path_element(kind: str, d: str, who: str | None = None) -> Markup:
    of = Markup("") if who is None else Markup(' data-who="{}"').format(who)
    return Markup('<path class="{}"{} d="{}"/>').format(kind, of, d)


def _svg_element(kind: str, width: float, height: float, parts: Iterable[Markup], pixels: int | None = None) -> Markup:
    wide = Markup("") if pixels is None else Markup(' width="{}"').format(pixels)
    inside = Markup("").join(parts)
    return Markup(
        '<svg class="{}" viewBox="0 0 {} {}"{} preserveAspectRatio="none" aria-hidden="true" focusable="false">{}</svg>'
    ).format(escape(kind), _format_number(width), _format_number(height), wide, inside)


def _format_number(value: float) -> str:
    """Format a number for SVG, with at most two decimals.

    >>> _format_number(12.5), _format_number(3.0), _format_number(1 / 3)
    ('12.5', '3', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")
