"""Charts as SVG: values go in, a picture comes out. Pure: no person, no game, no text of a page in here.

A picture has no width or height of its own: the page stretches it to the list of names beside it, row by row, so that
a line ends at the name it belongs to, however large somebody's letters are. So nothing in it may suffer from being
stretched: strokes keep their width, dots are strokes without length, and words stand beside it, never in it. What it
shows is in a table, too, so that the picture is for eyes alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from markupsafe import Markup, escape

STEP = 10
"""From one hand to the next, in the picture's own measure."""
ROW = 10
"""The height of a row, in the same."""
WIDTH = 13
"""Pixels for a hand, where the page has room for fewer: then it scrolls."""
DOTTED = 60
"""Of so many hands, each has a dot."""

Point: TypeAlias = tuple[float, float]
Happening = Literal["fall", "rise"]


@dataclass(frozen=True, slots=True)
class Course:
    """How somebody's line runs: a value for each hand, None where they were not there."""

    who: str
    """What the line is found by, in the page."""
    hue: int
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """Hands in a row that belong to somebody, the last one included."""

    hue: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A hand in which somebody's line deserves to be pointed at."""

    what: Happening
    hand: int
    value: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over hands. `top` and `bottom` are the values at its edges: ranks count downwards, points upwards."""

    lines: tuple[Course, ...]
    top: float
    bottom: float
    rows: int
    """Names beside it."""
    curved: bool = False
    """Whether a line lingers at each hand's value, as places do; sums go straight on."""
    levels: tuple[float, ...] = ()
    """Values with a line across."""
    bands: tuple[Band, ...] = ()
    marks: tuple[Mark, ...] = ()
    hands: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", max((len(line.values) for line in self.lines), default=0))

    def x(self, hand: float) -> float:
        """Where a hand is, from the left: in the middle of its step."""
        return (hand + 0.5) * STEP

    def y(self, value: float) -> float:
        """Where a value is, from above."""
        return (value - self.top) / (self.bottom - self.top) * self.rows * ROW


def of_points(lines: Sequence[Course]) -> Chart:
    """Lay sums out, with some air above and below, and the line of nothing across.

    >>> chart = of_points([Course("a", 0, (0, 5, 10)), Course("b", 1, (0, -5, -10))])
    >>> chart.y(0), chart.levels, chart.hands
    (10.0, (0.0,), 3)
    """
    values = [value for line in lines for value in line.values if value is not None] or [0.0]
    high, low = max(*values, 0.0), min(*values, 0.0)
    air = (high - low) * 0.08 or 1.0
    return Chart(tuple(lines), high + air, low - air, len(lines), levels=(0.0,))


def of_means(lines: Sequence[Course]) -> Chart:
    """Lay means out, from 100 on top to 0, with some air, and the line of the middle across.

    >>> of_means([Course("a", 0, (50, 100)), Course("b", 1, (50, 0))]).y(50)
    10.0
    """
    return Chart(tuple(lines), 108.0, -8.0, len(lines), levels=(50.0,))


def of_ranks(lines: Sequence[Course], bands: Iterable[Band] = (), marks: Iterable[Mark] = ()) -> Chart:
    """Lay ranks out, the first on top, each in the middle of its row.

    >>> of_ranks([Course("a", 0, (1, 2)), Course("b", 1, (2, 1))]).y(2)
    15.0
    """
    rows = len(lines)
    levels = tuple(rank + 0.5 for rank in range(1, rows))
    return Chart(tuple(lines), 0.5, rows + 0.5, rows, True, levels, tuple(bands), tuple(marks))


def plot(chart: Chart) -> Markup:
    """Draw bands, levels, lines and marks, what lies below first."""
    width, height = chart.hands * STEP, chart.rows * ROW
    parts = [*_bands(chart, height), *_levels(chart, width)]
    for line in chart.lines:
        parts += _line(chart, line)
    for mark in chart.marks:
        dot = _dot(chart.x(mark.hand), chart.y(mark.value))
        parts += [_path(f"mark {mark.what}", dot), _path("mark core", dot)]
    parts.append(Markup('<path class="cursor" d=""/>'))
    return _svg("plot", width, height, parts, chart.hands * WIDTH)


def ends(chart: Chart) -> Markup:
    """Draw what leads from where lines end to the names, one in each row, in the order of the lines.

    A line that ended before the last hand leads nowhere.
    """
    last = chart.hands - 1
    parts: list[Markup] = []
    for row, line in enumerate(chart.lines):
        at = line.values[last] if len(line.values) > last >= 0 else None
        if at is not None:
            here, there = chart.y(at), (row + 0.5) * ROW
            path = f"M0 {_n(here)}C{STEP / 2:g} {_n(here)} {STEP / 2:g} {_n(there)} {STEP} {_n(there)}"
            parts.append(_path(f"line hue-{line.hue}", path, line.who))
    return _svg("ends", STEP, chart.rows * ROW, parts)


@dataclass(frozen=True, slots=True)
class GivenAndMade:
    """Two numbers from 0 to 100 that are to be compared: what somebody was given, and what they made of it."""

    who: str
    hue: int
    given: float
    made: float


def comparison(pairs: Sequence[GivenAndMade]) -> Markup:
    """Draw each pair in a row of its own: a ring for what was given, a dot for what was made of it.

    >>> print(comparison([GivenAndMade("a", 3, 40, 60.5)]).count("<path"))
    5
    """
    parts = [_path("level", f"M50 0V{len(pairs) * ROW}")]
    for row, pair in enumerate(pairs):
        y = (row + 0.5) * ROW
        given, made = _dot(pair.given, y), _dot(pair.made, y)
        parts.append(_path(f"line hue-{pair.hue}", f"M{_n(pair.given)} {_n(y)}H{_n(pair.made)}", pair.who))
        parts += [_path(f"given hue-{pair.hue}", given), _path("given core", given)]
        parts.append(_path(f"made hue-{pair.hue}", made))
    return _svg("comparison", 100, len(pairs) * ROW, parts)


def _bands(chart: Chart, height: float) -> Iterator[Markup]:
    for band in chart.bands:
        x, width = band.first * STEP, (band.last - band.first + 1) * STEP
        yield Markup('<rect class="band hue-{}" x="{}" y="0" width="{}" height="{}"/>').format(
            band.hue, _n(x), _n(width), _n(height)
        )


def _levels(chart: Chart, width: float) -> Iterator[Markup]:
    for level in chart.levels:
        yield _path("level", f"M0 {_n(chart.y(level))}H{_n(width)}")


def _line(chart: Chart, line: Course) -> Iterator[Markup]:
    for stretch in stretches(line.values):
        points = [(chart.x(hand), chart.y(value)) for hand, value in stretch]
        # Who is there to the last leaves no gap between their line and the way to their name.
        on = f"H{chart.hands * STEP}" if stretch[-1][0] == chart.hands - 1 else ""
        if len(points) > 1 or on:
            yield _path(f"line hue-{line.hue}", _through(points, curved=chart.curved) + on, line.who)
        dotted = points if chart.curved and chart.hands <= DOTTED else points[-1:]
        yield _path(f"dots hue-{line.hue}", "".join(_dot(*point) for point in dotted), line.who)


def stretches(values: Iterable[float | None]) -> list[list[Point]]:
    """Part a line where somebody was not there.

    >>> stretches([1, 2, None, 1])
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


def _through(points: Sequence[Point], *, curved: bool) -> str:
    (x, y), *rest = points
    path = [f"M{_n(x)} {_n(y)}"]
    for to_x, to_y in rest:
        if curved and to_y != y:
            middle = (x + to_x) / 2
            path.append(f"C{_n(middle)} {_n(y)} {_n(middle)} {_n(to_y)} {_n(to_x)} {_n(to_y)}")
        else:
            path.append(f"L{_n(to_x)} {_n(to_y)}")
        x, y = to_x, to_y
    return "".join(path)


def _dot(x: float, y: float) -> str:
    """A stroke without length, which is round and stays so."""
    return f"M{_n(x)} {_n(y)}h0"


def _path(kind: str, d: str, who: str | None = None) -> Markup:
    of = Markup("") if who is None else Markup(' data-who="{}"').format(who)
    return Markup('<path class="{}"{} d="{}"/>').format(kind, of, d)


def _svg(kind: str, width: float, height: float, parts: Iterable[Markup], pixels: int | None = None) -> Markup:
    wide = Markup("") if pixels is None else Markup(' width="{}"').format(pixels)
    inside = Markup("").join(parts)
    return Markup(
        '<svg class="{}" viewBox="0 0 {} {}"{} preserveAspectRatio="none" aria-hidden="true" focusable="false">{}</svg>'
    ).format(escape(kind), _n(width), _n(height), wide, inside)


def _n(value: float) -> str:
    """A number as short as the eye allows.

    >>> _n(12.5), _n(3.0), _n(1 / 3)
    ('12.5', '3', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")
