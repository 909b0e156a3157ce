"""Draw the picture of a match: the winner, the standing and the chart of places, as PNG.

Nothing here knows matches or languages: `share_picture` says what the picture shows.
"""

import io
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias
from unicodedata import combining

from PIL import Image, ImageDraw, ImageFont

from app import resources
from app.rooms.people.avatars import PlayerFace
from app.web.assets.drawings import Point, bird_shapes, page_colours

WIDTH, HEIGHT = 1200, 630
"""Pixels; the size that link previews ask for."""
MOST_ROWS: Final = 8
"""Limit for the players in the picture."""
MOST_WINNERS: Final = 3
MOST_HANDS: Final = 24
"""Limit for the hands in the chart; of a longer match, the chart leaves hands out."""
MARGIN: Final = 48
TOP: Final = 150
"""Top edge of the panel and of the rows, in pixels."""
PANEL: Final = 400
"""Width of the winner's panel."""
CHART_RIGHT: Final = 740
COLOURS_IN_FILE: Final = 256
"""The file stores this number of colours, which keeps it small."""
FONT_STEP: Final = 4
"""Pixels between two sizes of letters that are made smaller to fit. Each size of the font stays in memory, so there
must be few: each takes 0.2 MB, and texts of all lengths needed over eighty."""
_SCALE = 2
"""Everything is drawn at this multiple of its size and then made smaller, so that edges are smooth."""
_HEAD_TOP = (34, 20)
"""Where a bird wears its crown, hat or shell, in a box of 64 × 64."""
_CROWN = ((-12, 0), (-14.5, -13), (-6.5, -7), (0, -16.5), (6.5, -7), (14.5, -13), (12, 0))
"""Corners of a crown in a box of 64 × 64, from the middle of its lower edge."""
_MISSING = "\U0010ffff"
"""A character that no font has."""
_DRAWING = threading.Lock()
"""Fonts must not be used by two threads at once."""

Font: TypeAlias = ImageFont.FreeTypeFont
Box: TypeAlias = tuple[float, float, float, float]
Anchor: TypeAlias = Literal["ls", "ms", "rs"]
Worn: TypeAlias = Literal["crown", "hat", "shell"]


@dataclass(frozen=True, slots=True)
class Row:
    """One player in the picture."""

    name: str
    face: PlayerFace
    place: int
    title: str
    """May be empty."""
    points: str
    """May be empty."""
    places: tuple[int | None, ...]
    """The place after each hand; None without one."""
    is_winner: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """What the picture of a match shows, as texts in one language."""

    heading: str
    subheading: str
    """Small text below the heading."""
    site: str
    """Name of the site, in the corner."""
    caption: str
    """Small text above the names of the winners."""
    winners: tuple[str, ...]
    """Up to `MOST_WINNERS` names, or one text instead."""
    rows: tuple[Row, ...]
    """The players, best first; only the first `MOST_ROWS` are drawn."""


def can_draw(text: str) -> bool:
    """Return whether the bundled font has all characters of a text.

    >>> can_draw("Zoë Łukasz Жанна"), can_draw("🦉"), can_draw("نور"), can_draw("e\\u0301")
    (True, False, False, False)
    """
    with _DRAWING:
        return all(_has_glyph(letter) for letter in text)


def draw_picture(content: Picture) -> bytes:
    """Return a picture as PNG. Slow (about 0.1 s): call it in a thread."""
    with _DRAWING:
        canvas = _Canvas()
        canvas.write((MARGIN, 84), content.heading, 54, "ink", WIDTH - 2 * MARGIN - 330)
        canvas.write((MARGIN, 124), content.subheading, 26, "ink-soft", WIDTH - 2 * MARGIN - 330)
        canvas.write((WIDTH - MARGIN, 84), content.site, 32, "comb", 320, "rs")
        rows = content.rows[:MOST_ROWS]
        if rows:
            _draw_winner(canvas, content)
            _draw_chart(canvas, rows)
            for number, row in enumerate(rows):
                worn = _worn(row, len(content.rows))
                _draw_row(canvas, row, worn, _middle_of_row(number, len(rows)), _row_height(len(rows)))
        return canvas.to_png()


def _draw_winner(canvas: "_Canvas", content: Picture) -> None:
    middle = MARGIN + PANEL / 2 - 20
    canvas.panel((MARGIN, TOP, MARGIN + PANEL - 40, HEIGHT - MARGIN))
    first = content.rows[0]
    canvas.face((middle, TOP + 170), 210, first.face, "crown")
    canvas.write((middle, TOP + 325), content.caption, 24, "on-felt-soft", PANEL - 80, "ms")
    size = (46, 38, 28)[len(content.winners) - 1]
    for number, name in enumerate(content.winners, 1):
        canvas.write((middle, TOP + 335 + number * (size - 1)), name, size, "on-felt", PANEL - 80, "ms")


def _worn(row: Row, count: int) -> Worn | None:
    """Return what the bird of one of `count` players wears, as on pages: a crown, a hat or a shell."""
    if row.is_winner:
        return "crown"
    if row.place == count:
        return "shell"
    return "hat" if row.place == 2 and count > 3 else None


def _draw_row(canvas: "_Canvas", row: Row, worn: Worn | None, y: float, height: float) -> None:
    size = min(56.0, height * 0.78)
    x = CHART_RIGHT + 34
    canvas.face((x, y), size, row.face, worn)
    left = x + size / 2 + 16
    points_width = 90 if row.points else 0
    room = WIDTH - MARGIN - left - points_width
    if row.title:
        canvas.write((left, y), row.name, min(30, height * 0.46), "ink", room)
        canvas.write((left, y + height * 0.33), row.title, min(22, height * 0.34), "ink-soft", room)
    else:
        canvas.write((left, y + 10), row.name, min(30, height * 0.5), "ink", room)
    canvas.write((WIDTH - MARGIN, y + 10), row.points, min(30, height * 0.5), "ink", points_width, "rs")


def _draw_chart(canvas: "_Canvas", rows: Sequence[Row]) -> None:
    left, right = MARGIN + PANEL, CHART_RIGHT
    for number in range(len(rows)):
        y = _middle_of_row(number, len(rows))
        canvas.line([(left, y), (right, y)], "line", 2)
    for number, row in reversed([*enumerate(rows)]):
        # Each line ends at the row of its player, also if players share a place.
        places = _evenly_chosen([*row.places[:-1], number + 1])
        step = (right - left) / max(1, len(places) - 1)
        points = [
            (right - (len(places) - 1 - hand) * step, _middle_of_row(min(place, len(rows)) - 1, len(rows)))
            for hand, place in enumerate(places)
            if place is not None
        ]
        canvas.line(points, "line-strong", 8)
        canvas.line(points, f"hue-{row.face.hue}", 5)


def _evenly_chosen(places: Sequence[int | None]) -> Sequence[int | None]:
    """Return at most `MOST_HANDS` of the places, at even distances, with the last one.

    >>> _evenly_chosen(range(100))[0], len(_evenly_chosen(range(100))), _evenly_chosen(range(100))[-1]
    (0, 24, 99)
    """
    most = min(len(places), MOST_HANDS)
    return [places[(len(places) - 1) * at // max(1, most - 1)] for at in range(most - 1)] + [places[-1]]


def _row_height(count: int) -> float:
    return min(84.0, (HEIGHT - MARGIN - TOP) / count)


def _middle_of_row(number: int, count: int) -> float:
    height = _row_height(count)
    return TOP + (HEIGHT - MARGIN - TOP - count * height) / 2 + (number + 0.5) * height


class _Canvas:
    """An image with its drawing tools, in pixels of the finished picture."""

    def __init__(self) -> None:
        self._image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), page_colours()["paper"])
        self._draw = ImageDraw.Draw(self._image)

    def to_png(self) -> bytes:
        """Return the image as PNG."""
        file = io.BytesIO()
        # Quantizing blocks other threads: this method does so for the shortest time.
        small = self._image.reduce(_SCALE)
        small.quantize(COLOURS_IN_FILE, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
        return file.getvalue()

    def write(self, at: Point, text: str, size: float, colour: str, width: float, anchor: Anchor = "ls") -> None:
        """Write a text on a base line, at most `width` pixels wide: a long text is smaller, then cut."""
        width *= _SCALE
        font = _font(round(size * _SCALE))
        if (long := font.getlength(text)) > width:
            smaller = size * _SCALE * max(0.65, width / long)
            font = _font(int(smaller // FONT_STEP) * FONT_STEP)
        self._draw.text(_scaled(at), _shorten(text, font, width), page_colours()[colour], font, anchor)

    def panel(self, box: Box) -> None:
        """Draw the felt behind the winner."""
        self._draw.rounded_rectangle((*_scaled(box[:2]), *_scaled(box[2:])), 24 * _SCALE, page_colours()["felt-green"])

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Draw a line with round ends through these points. One point becomes a dot."""
        corners = [_scaled(point) for point in points]
        if len(corners) > 1:
            self._draw.line(corners, page_colours()[colour], round(width * _SCALE), "curve")
        for corner in (corners[0], corners[-1]):
            self._draw.circle(corner, width * _SCALE / 2, page_colours()[colour])

    def face(self, middle: Point, size: float, face: PlayerFace, worn: Worn | None) -> None:
        """Draw a player's bird, with its crown, hat or shell, in a circle of their colour."""
        diameter = round(size * _SCALE)
        layer = Image.new("RGB", (diameter, diameter), page_colours()[f"hue-{face.hue}"])
        draw = ImageDraw.Draw(layer)
        unit = diameter / 64
        for shape in bird_shapes(face.bird):
            for outline in shape.outlines:
                points = [(x * unit, y * unit) for x, y in outline]
                if shape.is_line:
                    draw.line(points, shape.colour, round(2.4 * unit), "curve")
                else:
                    draw.polygon(points, shape.colour)
        mask = Image.new("L", layer.size)
        ImageDraw.Draw(mask).ellipse((0, 0, diameter - 1, diameter - 1), 255)
        x, y = _scaled(middle)
        left, top = round(x - diameter / 2), round(y - diameter / 2)
        self._image.paste(layer, (left, top), mask)
        x, y = left + _HEAD_TOP[0] * unit, top + _HEAD_TOP[1] * unit
        if worn == "crown":
            crown = [(x + a * unit, y + b * unit) for a, b in _CROWN]
            self._draw.polygon(crown, page_colours()["gold"], page_colours()["coin-edge"], max(1, round(unit)))
        elif worn is not None:
            edge = page_colours()["bird-eye"]
            for shape in bird_shapes(worn):
                for outline in shape.outlines:
                    points = [(x + a * unit, y + b * unit) for a, b in outline]
                    if shape.is_line:
                        self._draw.line(points, shape.colour, round(2.4 * unit), "curve")
                    else:
                        self._draw.polygon(points, shape.colour, edge, round(1.6 * unit))


def _scaled(point: Point) -> Point:
    return point[0] * _SCALE, point[1] * _SCALE


def _shorten(text: str, font: Font, width: float) -> str:
    """Return a text that is cut with “…” if it is wider than `width`."""
    if font.getlength(text) <= width:
        return text
    while text and font.getlength(f"{text}…") > width:
        text = text[:-1].rstrip()
    return f"{text}…"


@cache
def _font(size: int) -> Font:
    path = resources.static_folder() / "fonts" / "roost-picture.woff2"
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _has_glyph(letter: str) -> bool:
    font = _font(32)
    return not combining(letter) and bytes(font.getmask(letter)) != bytes(font.getmask(_MISSING))
