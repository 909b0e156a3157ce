"""The colours and birds of pages, read from their style sheets and scripts, so that pictures look like pages."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from markupsafe import Markup

from app import resources

Point: TypeAlias = tuple[float, float]

_COLOUR = re.compile(r"--([\w-]+): (#[0-9a-f]{3,6});")
_FILLED = re.compile(
    r"((?:^\.(?:bird|worn)(?:\.\w+)? \.b-\w+,?\s)+)\{\s*(?:fill: none;\s*stroke|fill): var\(--([\w-]+)\)", re.MULTILINE
)
_PART_OF_BIRD = re.compile(r"\.(?:bird|worn)(?:\.(\w+))? \.b-(\w+)")
_BIRD = re.compile(r"^  (\w+): \(\) => \[\n(.*?)^  \],$", re.MULTILINE | re.DOTALL)
_CROWN = re.compile(r'CROWN = "([^"]+)"')
_SUIT = re.compile(r'^  ([cdhs]): "([^"]+)"', re.MULTILINE)
_HEAD_TOP = re.compile(r"(\w+): \[(\d+, \d+, [\d.]+)\]")
_SHAPE = re.compile(r'path\(\s*"([^"]+)"(?:,\s*"(\w+)")?,?\s*\)|dot\(([\d., ]+?)(?:, "(\w+)")?\)')
_STEP = re.compile(r"([a-zA-Z])|(-?(?:\d+\.?\d*|\.\d+))")
CURVE_STEPS: Final = 8
"""Straight lines for each curve of a bird."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One part of a bird's head, in a box of 64 × 64: outlines of points, in one colour."""

    outlines: tuple[tuple[Point, ...], ...]
    colour: str
    """As `#rrggbb`."""
    is_line: bool = False
    """Whether the outlines are lines, not filled areas."""


@cache
def page_colours() -> Mapping[str, str]:
    """Return the colours of pages in light mode, by the name of their variable, as `#rrggbb` or `#rgb`."""
    found: dict[str, str] = {}
    for name, colour in _COLOUR.findall((resources.static_folder() / "css" / "tokens.css").read_text(encoding="utf-8")):
        found.setdefault(name, colour)  # dark mode follows
    return found


@cache
def bird_shapes(bird: str) -> tuple[Shape, ...]:
    """Return the parts of a bird's head, the first at the back. Raises KeyError for an unknown bird.

    The hat and the shell, which birds wear, are also known, by these names. Their lower edges are centred on 0, 0.
    """
    colours = _part_colours()
    return tuple(
        Shape(outlines, page_colours()[colours.get((bird, part)) or colours["", part]], is_line=part == "crack")
        for outlines, part in _parts(_bird_sources()[bird])
    )


@cache
def bird_svg(bird: str) -> Markup:
    """Return a bird's head as an SVG element, as `birdHead` of `ui/birds.js` draws it. KeyError for an unknown bird.

    Its colours come from the style sheet `components/cards.css`.
    """
    parts = Markup("").join(
        Markup('<path d="{}" class="b-{}"/>').format(path, part or "body")
        if path
        else Markup('<circle cx="{}" cy="{}" r="{}" class="b-{}"/>').format(*dot.split(", "), part_of_dot or "eye")
        for path, part, dot, part_of_dot in _SHAPE.findall(_bird_sources()[bird])
    )
    frame = Markup('<svg data-drawing="{}" class="bird {}" viewBox="0 0 64 64" aria-hidden="true">{}</svg>')
    return frame.format(bird, bird, parts)


@cache
def _bird_sources() -> Mapping[str, str]:
    scripts = sorted((resources.static_folder() / "js" / "ui").glob("*.js"))
    return {name: body for script in scripts for name, body in _BIRD.findall(script.read_text(encoding="utf-8"))}


@cache
def suit_outlines(suit: str) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of a suit's sign, in a box of 100 × 100. KeyError for an unknown suit."""
    script = resources.static_folder() / "js" / "ui" / "card_faces.js"
    paths = dict(_SUIT.findall(script.read_text(encoding="utf-8")))
    return outlines_of_path(paths[suit])


@cache
def worn_svg(bird: str, place: int, places: int) -> Markup:
    """Return what a bird wears in one of these places as an SVG element, as `ui/avatar.js` draws it over the bird.

    Empty for places between. The first wears a crown, the last a shell, and the second of four or more a hat.
    """
    worn = "crown" if place == 1 else "shell" if place == places else "hat" if place == 2 and places > 3 else ""
    if not (place and worn):
        return Markup()
    scripts = resources.static_folder() / "js" / "ui"
    tops = dict(_HEAD_TOP.findall((scripts / "avatar.js").read_text(encoding="utf-8")))
    x, y, scale = tops.get(bird, "35, 24, 1").split(", ")
    if worn == "crown":
        crown = _CROWN.search((scripts / "birds.js").read_text(encoding="utf-8"))
        assert crown is not None
        paths = [(crown[1], "crown"), ("M-11-3.5h22", "band")]
    else:
        paths = [(path, part) for path, part, *_ in _SHAPE.findall(_bird_sources()[worn])]
    parts = Markup("").join(Markup('<path d="{}" class="b-{}"/>').format(*each) for each in paths)
    frame = Markup(
        '<svg data-worn="{}" class="bird worn" viewBox="0 0 64 64" aria-hidden="true">'
        '<g transform="translate({} {}) scale({})">{}</g></svg>'
    )
    return frame.format(worn, x, y, scale, parts)


@cache
def _part_colours() -> Mapping[tuple[str, str], str]:
    """Return the names of colours by bird and part; without a bird for parts that have one colour on all birds."""
    found: dict[tuple[str, str], str] = {}
    for sheet in sorted((resources.static_folder() / "css").rglob("*.css")):
        for selectors, colour in _FILLED.findall(sheet.read_text(encoding="utf-8")):
            found.update(dict.fromkeys(_PART_OF_BIRD.findall(selectors), colour))
    return found


def _parts(source: str) -> Iterator[tuple[tuple[tuple[Point, ...], ...], str]]:
    for path, part, dot, part_of_dot in _SHAPE.findall(source):
        if path:
            yield outlines_of_path(path), part or "body"
        else:
            x, y, radius = (float(each) for each in dot.split(","))
            # Four curves make a circle.
            bend = 0.5523 * radius
            circle = (
                f"M{x - radius} {y}c0 {-bend} {radius - bend} {-radius} {radius} {-radius}"
                f"s{radius} {radius - bend} {radius} {radius}s{bend - radius} {radius} {-radius} {radius}"
                f"s{-radius} {bend - radius} {-radius} {-radius}z"
            )
            yield outlines_of_path(circle), part_of_dot or "eye"


def outlines_of_path(path: str) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of an SVG path with the commands M, L, H, V, C, S, A and Z, with curves as short lines.

    Arcs must be parts of circles.

    >>> outlines_of_path("M1 2l3 4h-3zM0 0V5")
    (((1.0, 2.0), (4.0, 6.0), (1.0, 6.0)), ((0.0, 0.0), (0.0, 5.0)))
    """
    outlines: list[list[Point]] = []
    steps = [*_STEP.finditer(path)]
    command, at = "", 0
    here: Point = (0.0, 0.0)
    handle = here

    def take(count: int) -> list[float]:
        nonlocal at
        at += count
        return [float(step[2]) for step in steps[at - count : at]]

    while at < len(steps):
        if steps[at][1]:
            command = steps[at][1]
            at += 1
        kind, (x, y) = command.upper(), here if command.islower() else (0.0, 0.0)
        if kind == "Z":
            here = handle = outlines[-1][0]
            continue
        if kind in ("C", "S"):
            first = [2 * here[0] - handle[0] - x, 2 * here[1] - handle[1] - y] if kind == "S" else take(2)
            numbers = [*first, *take(4)]
            points = [(x + numbers[each], y + numbers[each + 1]) for each in (0, 2, 4)]
            outlines[-1].extend(_curve(here, *points))
            handle, here = points[1], points[2]
            continue
        if kind == "A":
            radius, _, _, large, sweep, *to = take(7)
            end = (x + to[0], y + to[1])
            outlines[-1].extend(_arc(here, radius, bool(large), bool(sweep), end))
            here = handle = end
            continue
        if kind == "H":
            here = (x + take(1)[0], here[1])
        elif kind == "V":
            here = (here[0], y + take(1)[0])
        else:
            to = take(2)
            here = (x + to[0], y + to[1])
        handle = here
        if kind == "M":
            outlines.append([here])
            command = "l" if command == "m" else "L"
        else:
            outlines[-1].append(here)
    return tuple(tuple(outline) for outline in outlines)


def _arc(start: Point, radius: float, large: bool, sweep: bool, end: Point) -> Iterator[Point]:
    """Yield points of a part of a circle, without its start (SVG 2, implementation notes on arcs)."""
    half = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    distance = math.hypot(*half)
    away = math.sqrt(max(radius**2 - distance**2, 0)) / distance * (1 if large != sweep else -1)
    centre = end[0] + half[0] + away * half[1], end[1] + half[1] - away * half[0]
    first, last = (math.atan2(point[1] - centre[1], point[0] - centre[0]) for point in (start, end))
    turn = (last - first) % math.tau - (0 if sweep else math.tau)
    radius = math.dist(start, centre)
    steps = 2 * CURVE_STEPS
    for step in range(1, steps + 1):
        angle = first + turn * step / steps
        yield centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def _curve(start: Point, first: Point, second: Point, end: Point) -> Iterator[Point]:
    """Yield points of a cubic Bézier curve, without its start."""
    for step in range(1, CURVE_STEPS + 1):
        t = step / CURVE_STEPS
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        yield (
            sum(weight * point[0] for weight, point in zip(weights, (start, first, second, end), strict=True)),
            sum(weight * point[1] for weight, point in zip(weights, (start, first, second, end), strict=True)),
        )
