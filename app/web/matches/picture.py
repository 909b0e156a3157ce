"""Draw the picture of a match, or of one moment in a hand, as PNG.

A match has its best moment with cards, the winner, the standing and the chart of places. A moment has its event in
words, the player with the cards, and all players with the number of cards left.

The wide form is that of link previews; the square one fits phones.

Nothing here knows matches or languages: `share_picture` and `share_moment` say what the picture shows.
"""

import io
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, TypeAlias
from unicodedata import bidirectional, category, combining

from PIL import Image, ImageDraw, ImageFont, features

from app.rooms.people.avatars import PlayerFace
from app.web.assets.drawings import Point, bird_shapes, page_colours, suit_outlines

WIDTH, HEIGHT = 1200, 630
"""Pixels; the size that link previews ask for."""
MOST_ROWS: Final = 8
"""Limit for the players in the picture."""
MOST_WINNERS: Final = 3
MOST_HANDS: Final = 24
"""Limit for the hands in the chart; of a longer match, the chart leaves hands out."""
SQUARE: Final = 1080
"""Width and height of the square form, in pixels."""
MARGIN: Final = 48
HEAD: Final = 190
"""Height of the part with the headline and the cards, in pixels."""
PANEL: Final = 400
"""Width of the winner's panel in the wide form, height in the square one."""
CHART_RIGHT: Final = 740
NAME: Final = 34
"""Size of names in pixels: at least 32 of 1,200 can be read on a phone."""
CARD: Final = (74, 104)
"""Width and height of a card."""
MOST_CARDS: Final = 6
"""Limit for the cards beside the headline; of more cards the first are drawn."""
LARGE: Final = 1.9
"""Size of the cards of a moment, as a multiple of those beside a headline."""
MOST_LARGE: Final = 5
"""Limit for the cards of that size."""
SMALLER: Final = 1.25
"""Size of more cards."""
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
_CLUSTER = re.compile(r"[^\u200e\u200f\u2066-\u2069][\u0300-\u036f]*")
"""A character with its accents."""
_FOR_EMOJI = "\ufe0f\u20e3"
"""Characters that turn the one before them into an emoji."""
_JOINERS = "\u200c\u200d"
"""The only invisible characters of names that are drawn: they join or part Arabic letters."""
_MISSING = "\U0010ffff"
"""A character that no font has."""
_DRAWING = threading.Lock()
"""Fonts must not be used by two threads at once."""
FONTS_FOLDER: Final = Path(__file__).parent / "fonts"

FontName: TypeAlias = Literal["typeface", "scripts", "japanese", "chinese"]
_FILES: Final[Mapping[FontName, tuple[str, int]]] = {
    "typeface": ("roost-picture.woff2", 0),
    "scripts": ("roost-scripts.woff2", 0),
    "japanese": ("roost-han.ttc", 0),
    "chinese": ("roost-han.ttc", 1),
}
"""The file of each font, and its number there. `tools/typeface.py` makes them."""
FONTS: Final[tuple[FontName, ...]] = ("typeface", "scripts", "japanese")
"""The fonts of a picture: the first that has a character shows it."""
CHINESE_FONTS: Final[tuple[FontName, ...]] = ("typeface", "scripts", "chinese")
"""The fonts of a picture in Chinese. Others show Chinese characters in their Japanese forms."""
Font: TypeAlias = ImageFont.FreeTypeFont
Box: TypeAlias = tuple[float, float, float, float]
Anchor: TypeAlias = Literal["ls", "ms", "rs"]
Worn: TypeAlias = Literal["crown", "hat", "shell"]
Suit: TypeAlias = Literal["c", "d", "h", "s"]


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
class DrawnCard:
    """A card in the picture."""

    rank: str
    """As printed."""
    suit: Suit | None
    """None for a joker, which has a rooster."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What the picture of a match shows, as texts in one language."""

    heading: str
    """The best moment, or the game."""
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
    cards: tuple[DrawnCard, ...] = ()
    """The cards of the best moment."""
    is_square: bool = False
    is_moment: bool = False
    """Whether the picture shows one moment. Then the points of a row are the number of cards left."""
    actor: Row | None = None
    """The player who acts in the moment."""
    language: str = "en"
    """Decides which forms Chinese characters have."""


def can_draw(text: str) -> bool:
    """Return whether the bundled fonts can show a text.

    Hebrew, Arabic and accents that are separate characters also need the library FriBiDi.

    >>> can_draw("Zoë Łukasz Жанна Ελένη Nguyễn 健太 李雷 4♣"), can_draw("🦉"), can_draw("고양이")
    (True, False, False)
    """
    with _DRAWING:
        return all(has_glyphs(part.text, part.font) for part in split_by_font(text))


def drawable(text: str) -> str:
    """Return a text without the symbols that the bundled fonts lack, such as emoji; empty if they lack its letters.

    >>> drawable("Zoë 🦉"), drawable("🦉"), drawable("고양이")
    ('Zoë', '', '')
    """
    without_symbols = "".join(
        letter for letter in text if category(letter)[0] not in "SC" and letter not in _FOR_EMOJI
    ).strip()
    return next((each for each in (text, without_symbols) if can_draw(each)), "")


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a text that one font shows."""

    text: str
    font: FontName


def split_by_font(text: str, fonts: Sequence[FontName] = FONTS) -> list[TextPart]:
    """Split a text by the font that shows each part: the first of these that can.

    Spaces and punctuation after letters belong to the same part. Invisible marks of the writing direction are left out.

    >>> [part.text for part in split_by_font("Ana plays 3♣ 3♦.")]
    ['Ana plays 3', '♣', ' 3', '♦', '.']
    """
    parts: list[TextPart] = []
    for cluster in _CLUSTER.findall(text):
        font = next((each for each in fonts if has_glyphs(cluster, each)), fonts[-1])
        if parts:
            last = parts[-1]
            goes_with_letters = any(map(str.isalpha, last.text)) and not cluster.isalnum()
            if font == last.font or (goes_with_letters and has_glyphs(cluster, last.font)):
                parts[-1] = TextPart(last.text + cluster, last.font)
                continue
        parts.append(TextPart(cluster, font))
    return parts


def draw_picture(content: Picture) -> bytes:
    """Return a picture as PNG. Slow (about 0.1 s): call it in a thread."""
    width, height = (SQUARE, SQUARE) if content.is_square else (WIDTH, HEIGHT)
    with _DRAWING:
        canvas = _Canvas(width, height, CHINESE_FONTS if content.language.startswith("zh") else FONTS)
        cards = () if content.is_moment and content.rows else content.cards[:MOST_CARDS]
        room = width - 2 * MARGIN - len(cards) * (CARD[0] * 0.6) - (CARD[0] if cards else 0)
        canvas.write((MARGIN, 98), content.heading, 54, "ink", room)
        canvas.write((MARGIN, 148), content.subheading, 28, "ink-soft", room - 230)
        canvas.write((MARGIN + room - 20, 148), content.site, 28, "comb", 210, "rs")
        for number, card in enumerate(cards):
            canvas.card((width - MARGIN - CARD[0] * (1 + 0.6 * (len(cards) - 1 - number)), 48), card)
        rows = content.rows[:MOST_ROWS]
        if not rows:
            return canvas.to_png()
        if content.is_square:
            panel = (MARGIN, HEAD, width - MARGIN, HEAD + PANEL)
            top, left = HEAD + PANEL + 20, MARGIN
        else:
            panel = (MARGIN, HEAD, CHART_RIGHT - 30 if content.is_moment else MARGIN + PANEL - 40, height - MARGIN)
            top, left = HEAD, CHART_RIGHT
        middles = _middles_of_rows(len(rows), top, height - MARGIN)
        if content.is_moment:
            _draw_play(canvas, content, panel)
        else:
            _draw_winner(canvas, content, panel)
            if not content.is_square:
                _draw_chart(canvas, rows, middles)
        row_height = _row_height(len(rows), top, height - MARGIN)
        for row, middle in zip(rows, middles, strict=True):
            _draw_row(
                canvas,
                row,
                _worn(row, len(content.rows)),
                (left, middle, width - MARGIN),
                row_height,
                on_card=content.is_moment,
            )
        return canvas.to_png()


def _draw_winner(canvas: "_Canvas", content: Picture, panel: Box) -> None:
    middle, top = (panel[0] + panel[2]) / 2, panel[1]
    canvas.panel(panel)
    first = content.rows[0]
    canvas.face((middle, top + 140), 200, first.face, "crown")
    canvas.write((middle, top + 280), content.caption, 26, "on-felt-soft", PANEL - 80, "ms")
    size = (46, 38, 28)[len(content.winners) - 1]
    for number, name in enumerate(content.winners, 1):
        canvas.write((middle, top + 288 + number * (size - 1)), name, size, "on-felt", PANEL - 80, "ms")


def _draw_play(canvas: "_Canvas", content: Picture, panel: Box) -> None:
    """Draw the player of a moment on the felt, with the cards on the right, in two lines if they are many."""
    left, top, right, bottom = panel
    canvas.panel(panel)
    y, cards, actor = (top + bottom) / 2, content.cards, content.actor
    if actor is not None:
        x = left + 120 if cards else (left + right) / 2
        canvas.face((x, y - 24), 150, actor.face, _worn(actor, len(content.rows)))
        canvas.write((x, y + 96), actor.name, NAME, "on-felt", 200 if cards else right - left - 60, "ms")
    size, in_line = (LARGE, MOST_LARGE) if len(cards) <= MOST_LARGE else (SMALLER, (len(cards) + 1) // 2)
    width, height = CARD[0] * size, CARD[1] * size
    room = right - left - 270 - width
    lines = [cards[at : at + in_line] for at in range(0, len(cards), in_line)]
    for number, line in enumerate(lines):
        step = min(width * 0.62, room / max(1, len(line) - 1))
        x = left + 240 + (room - step * (len(line) - 1)) / 2
        above = y - height / 2 + (number - (len(lines) - 1) / 2) * (height + 12)
        for place, card in enumerate(line):
            canvas.card((x + place * step, above), card, size)


def _worn(row: Row, count: int) -> Worn | None:
    """Return what the bird of one of `count` players wears, as on pages: a crown, a hat or a shell."""
    if row.is_winner:
        return "crown"
    if row.place == count:
        return "shell"
    return "hat" if row.place == 2 and count > 3 else None


def _draw_row(
    canvas: "_Canvas",
    row: Row,
    worn: Worn | None,
    place: tuple[float, float, float],
    height: float,
    *,
    on_card: bool = False,
) -> None:
    """Draw a player in a row: `place` is its left edge, its middle and its right edge.

    `on_card`: write the points on a small card, as the number of cards that the player holds.
    """
    left, y, right = place
    size = min(64.0, height * 0.78)
    canvas.face((left + 34, y), size, row.face, worn)
    left += 34 + size / 2 + 16
    points_width = 90 if row.points else 0
    room = right - left - points_width
    with_title = bool(row.title) and height >= 2 * NAME
    canvas.write((left, y if with_title else y + NAME * 0.35), row.name, NAME, "ink", room)
    if with_title:
        canvas.write((left, y + 28), row.title, 24, "ink-soft", room)
    if on_card:
        canvas.small_card((right - 24, y), row.points, min(54, height * 0.88))
    else:
        canvas.write((right, y + NAME * 0.35), row.points, NAME, "ink", points_width, "rs")


def _draw_chart(canvas: "_Canvas", rows: Sequence[Row], middles: Sequence[float]) -> None:
    left, right = MARGIN + PANEL, CHART_RIGHT
    for y in middles:
        canvas.line([(left, y), (right, y)], "line", 2)
    for number, row in reversed([*enumerate(rows)]):
        # Each line ends at the row of its player, also if players share a place.
        places = _evenly_chosen([*row.places[:-1], number + 1])
        step = (right - left) / max(1, len(places) - 1)
        points = [
            (right - (len(places) - 1 - hand) * step, middles[min(place, len(rows)) - 1])
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


def _row_height(count: int, top: float, bottom: float) -> float:
    return min(84.0, (bottom - top) / count)


def _middles_of_rows(count: int, top: float, bottom: float) -> list[float]:
    height = _row_height(count, top, bottom)
    first = top + (bottom - top - count * height) / 2
    return [first + (number + 0.5) * height for number in range(count)]


class _Canvas:
    """An image with its drawing tools, in pixels of the finished picture."""

    def __init__(self, width: int, height: int, fonts: Sequence[FontName] = FONTS) -> None:
        self._fonts = fonts
        self._image = Image.new("RGB", (width * _SCALE, height * _SCALE), page_colours()["paper"])
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
        pixels = round(size * _SCALE)
        if (long := self._length(text, pixels)) > width:
            pixels = int(size * _SCALE * max(0.65, width / long) // FONT_STEP) * FONT_STEP
        text = self._shorten(text, pixels, width)
        x, y = _scaled(at)
        x -= self._length(text, pixels) * {"l": 0, "m": 0.5, "r": 1}[anchor[0]]
        for part in split_by_font(text, self._fonts):
            font = _font(pixels, part.font)
            self._draw.text((x, y), part.text, page_colours()[colour], font, "ls", direction=_direction(font))
            x += font.getlength(part.text, direction=_direction(font))

    def _length(self, text: str, pixels: int) -> float:
        """Return the width of a text in letters of this size."""
        fonts = ((_font(pixels, part.font), part.text) for part in split_by_font(text, self._fonts))
        return sum(font.getlength(part, direction=_direction(font)) for font, part in fonts)

    def _shorten(self, text: str, pixels: int, width: float) -> str:
        """Return a text that is cut with “…” if it is wider than `width`."""
        if self._length(text, pixels) <= width:
            return text
        while text and self._length(f"{text}…", pixels) > width:
            text = text[:-1].rstrip()
        return f"{text}…"

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

    def card(self, at: Point, card: DrawnCard, size: float = 1) -> None:
        """Draw a card with its left upper corner at this point, at this multiple of its usual size."""
        left, top = at
        width, height = CARD[0] * size, CARD[1] * size
        self._blank_card((left, top, left + width, top + height), 9 * size)
        if card.suit is None:
            self.face((left + width / 2, top + height / 2), 60 * size, PlayerFace("rooster", "straw"), None)
            return
        colour = "red-suit" if card.suit in ("d", "h") else "black-suit"
        self.write((left + 24 * size, top + 42 * size), card.rank, 38 * size, colour, 40 * size, "ms")
        for outline in suit_outlines(card.suit):
            corners = [_scaled((left + (7 + x * 0.34) * size, top + (52 + y * 0.34) * size)) for x, y in outline]
            self._draw.polygon(corners, page_colours()[colour])

    def small_card(self, middle: Point, text: str, height: float) -> None:
        """Draw a small card with a text on it, such as the number of cards that a player holds."""
        x, y = middle
        self._blank_card((x - 22, y - height / 2, x + 22, y + height / 2), 6)
        self.write((x, y + 11), text, 30, "ink", 38, "ms")

    def _blank_card(self, box: Box, radius: float) -> None:
        edges = (*_scaled(box[:2]), *_scaled(box[2:]))
        colours = page_colours()
        self._draw.rounded_rectangle(edges, radius * _SCALE, colours["card"], colours["line-strong"], 2 * _SCALE)

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


def _direction(font: Font) -> Literal["ltr"] | None:
    """Return the direction of the sentence, which decides on which side of a Hebrew name a space is."""
    return "ltr" if font.layout_engine == ImageFont.Layout.RAQM else None


@cache
def _font(size: int, name: FontName) -> Font:
    """Return a font in this size. That for other scripts joins letters and writes right to left."""
    file, number = _FILES[name]
    engine = ImageFont.Layout.RAQM if name == "scripts" and can_shape() else ImageFont.Layout.BASIC
    return ImageFont.truetype(FONTS_FOLDER / file, size, number, layout_engine=engine)


@cache
def can_shape() -> bool:
    """Return whether letters can be joined and written from right to left. It needs the library FriBiDi."""
    return bool(features.check("raqm"))


@lru_cache(maxsize=4096)
def has_glyphs(text: str, name: FontName) -> bool:
    """Return whether one font can show a text."""
    needs_shaping = any(combining(letter) or bidirectional(letter) in ("R", "AL") for letter in text)
    if needs_shaping and not (name == "scripts" and can_shape()):
        return False
    font = _font(32, name)
    missing = bytes(font.getmask(_MISSING))
    return not any(
        bytes(font.getmask(letter)) == missing or (category(letter) == "Cf" and letter not in _JOINERS)
        for letter in text
        if not combining(letter)
    )
