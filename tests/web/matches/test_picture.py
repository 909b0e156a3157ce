"""Test the drawing of a match's picture."""

import io
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from PIL import Image, ImageColor, ImageDraw, features

from app.rooms.people.avatars import BIRDS, COLOURS, PlayerFace
from app.web.assets.drawings import page_colours
from app.web.i18n.catalogues import Catalogues
from app.web.matches import picture as drawing
from app.web.matches.picture import (
    HEAD,
    HEIGHT,
    MOST_ROWS,
    MOST_WINNERS,
    SQUARE,
    WIDTH,
    DrawnCard,
    Picture,
    Row,
    can_draw,
    draw_picture,
)
from tests.for_each import for_each


def picture_of(names: list[str], hands: int = 12) -> Picture:
    """Return a picture in which the players change places after each hand."""
    count = len(names)
    rows = tuple(
        Row(
            name,
            PlayerFace(BIRDS[n % 8], COLOURS[n % 8]),
            n + 1,
            "Citizen",
            str(-n),
            tuple((n + hand) % count + 1 for hand in range(hands)),
            n == 0,
        )
        for n, name in enumerate(names)
    )
    return Picture("President", "Nov 27, 2026", "Pecking Order", "Winner", tuple(names[:1]), rows)


@pytest.mark.parametrize(("count", "hats"), [(3, 0), (4, 1)])
def test_the_second_of_more_than_three_players_wears_a_hat(count: int, hats: int) -> None:
    picture = opened(draw_picture(picture_of(["Ana", "Bob", "Cat", "Dan"][:count]))).convert("RGB")
    hat = bytes(ImageColor.getrgb(page_colours()["hat"]))
    pixels = picture.tobytes()
    found = any(pixels[at : at + 3] == hat for at in range(0, len(pixels), 3))
    assert found == bool(hats)


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


@pytest.mark.parametrize("count", [0, 1, 2, 5, 8, 12])
@pytest.mark.parametrize("hands", [1, 2, 300])
def test_a_picture_has_the_size_of_previews_and_at_most_100_kilobytes(count: int, hands: int) -> None:
    picture = picture_of([f"{'W' * 39}{n}" for n in range(count)], hands)
    png = draw_picture(picture)
    assert opened(png).size == (WIDTH, HEIGHT)
    assert len(png) < 100_000
    assert opened(draw_picture(replace(picture, is_square=True))).size == (SQUARE, SQUARE)


def test_cards_stand_at_the_right_of_the_headline_in_their_colours() -> None:
    cards = tuple(DrawnCard("7", suit) for suit in ("c", "d", "h", "s")) + (DrawnCard("", None),) * 9
    seen = opened(draw_picture(replace(picture_of(["Ana", "Bob"]), heading="W" * 90, cards=cards)))
    colours = {seen.getpixel((x, y)) for x in range(WIDTH - 330, WIDTH - 48) for y in range(48, 152)}
    for name in ("card", "red-suit", "black-suit"):
        assert any(
            sum(abs(a - b) for a, b in zip(ImageColor.getrgb(page_colours()[name]), each[:3], strict=True)) < 40
            for each in colours
            if isinstance(each, tuple)
        ), name


def test_a_picture_shows_the_names() -> None:
    names = ["Ruby", "Zoë", "Жанна"]
    seen = opened(draw_picture(picture_of(names)))
    assert seen.tobytes() == opened(draw_picture(picture_of(names))).tobytes()
    for number in range(3):
        other = opened(draw_picture(picture_of([*names[:number], "Bo", *names[number + 1 :]])))
        assert other.tobytes() != seen.tobytes()


def test_the_panel_has_room_for_three_winners() -> None:
    three = replace(picture_of(["Ruby", "Bo", "Zoë"]), winners=("W" * 40,) * MOST_WINNERS)
    seen = opened(draw_picture(three))
    for y in (575, 581):
        assert len({seen.getpixel((x, y)) for x in range(80, 380)}) == 1, "the names end above the edge of the panel"


def test_rows_beyond_the_limit_are_left_out() -> None:
    whole = picture_of([f"Player {n}" for n in range(12)])
    renamed = tuple(replace(row, name="Other") for row in whole.rows[MOST_ROWS:])
    assert draw_picture(whole) == draw_picture(replace(whole, rows=(*whole.rows[:MOST_ROWS], *renamed)))


def test_long_names_stay_in_their_place() -> None:
    """The margin at the right, and the space between the chart and the faces, keep the colour of the paper."""
    seen = opened(draw_picture(picture_of(["W" * 40] * 8)))
    paper = seen.getpixel((5, 5))
    assert {seen.getpixel((x, y)) for x in range(WIDTH - 40, WIDTH) for y in range(HEIGHT)} == {paper}
    assert {seen.getpixel((x, y)) for x in range(420, 436) for y in range(HEAD, HEIGHT)} == {paper}


ONLY_ON_PAGES = "←↑→↓↗\n\xad"
"""Characters of translations that no text of a picture has."""


def test_no_picture_has_an_empty_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """In each complete language, also with names in other scripts, each letter is drawn in a font that has it."""
    written: dict[tuple[Path, int], set[str]] = {}
    write = ImageDraw.ImageDraw.text

    def record(draw: ImageDraw.ImageDraw, at: Any, text: str, colour: Any, font: Any, *rest: Any, **more: Any) -> None:
        written.setdefault((font.path, font.index), set()).update(text)
        write(draw, at, text, colour, font, *rest, **more)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", record)
    catalogues = Catalogues()
    for language in catalogues.all_languages:
        texts = catalogues.for_language(language.language)
        letters = {*"".join(texts.catalogue.values())} - {*ONLY_ON_PAGES}
        assert [letter for letter in letters if not can_draw(letter)] == [], language
        says = max((text for key, text in texts.catalogue.items() if key.startswith("event.")), key=len)
        picture = replace(picture_of(["健太", "李雷", "Nguyễn Thị Hường"]), heading=says, language=texts.language)
        draw_picture(picture)
    for (path, number), letters in written.items():
        font = TTFont(path, fontNumber=number)
        assert {*map(ord, letters)} <= font.getBestCmap().keys(), path
    assert {"健", "ễ"} <= {*"".join(map("".join, written.values()))}


def test_chinese_pictures_have_chinese_forms() -> None:
    """Japanese and Chinese write some characters differently."""
    for name, differ in (("直角", True), ("一二", False)):
        pictures = {draw_picture(replace(picture_of([name]), language=language)) for language in ("ja", "zh-Hans")}
        assert (len(pictures) == 2) == differ, name


@for_each("name", ["🦉", "이순신", "A\u200bb", "\u202eAna"])
def test_names_with_missing_letters_or_marks_can_not_be_drawn(name: str) -> None:
    assert not can_draw(name)


def test_names_in_other_scripts_are_drawn_and_emoji_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    joined = ("نور الدين", "דניאל", "q\u0301\u0302")
    simple = {"Ελένη": "Ελένη", "გიორგი": "გიორგი", "颯太 ♥": "颯太 ♥", "Zoë 🦉": "Zoë", "👩‍🚀": ""}
    for can_shape in {features.check("raqm"), False}:
        monkeypatch.setattr(drawing, "can_shape", lambda can=can_shape: can)
        drawing.has_glyphs.cache_clear()
        assert [drawing.drawable(name) for name in joined] == [name if can_shape else "" for name in joined]
        assert {name: drawing.drawable(name) for name in simple} == simple
    drawing.has_glyphs.cache_clear()


def test_a_picture_is_drawn_in_a_short_time() -> None:
    picture = picture_of(["W" * 40] * 8, 1000)
    draw_picture(picture)
    start = time.thread_time()
    draw_picture(picture)
    assert time.thread_time() - start < 1
