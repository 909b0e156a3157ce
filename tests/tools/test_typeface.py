"""Test the files of the bundled typeface."""

import re

from fontTools.ttLib import TTFont

from app import resources
from app.web.matches.picture import FONTS_FOLDER
from tools.typeface import CHINESE, COMMON_KANJI, FAMILY, HAN, ON_PAGES, SHAPING, VIETNAMESE

FONTS = resources.static_folder() / "fonts"


def test_the_files_have_their_letters_the_licence_and_an_own_name() -> None:
    for path in (FONTS / "roost.woff2", FONTS_FOLDER / "roost-picture.woff2"):
        font = TTFont(path)
        assert font["name"].getDebugName(1) == FAMILY
        assert "SIL Open Font License" in font["name"].getDebugName(13)
        assert {chr(letter) for letter in ON_PAGES - font.getBestCmap().keys()} <= {"\xad", "ĸ"}
    scripts = TTFont(FONTS_FOLDER / "roost-scripts.woff2")
    assert scripts["name"].getDebugName(1) == FAMILY
    assert scripts.getBestCmap().keys() >= {*map(ord, "נ\u05b8نЖωև♣\u0323\u0301")}
    lists = [scripts[table].table.FeatureList.FeatureRecord for table in ("GSUB", "GPOS")]
    assert {each.FeatureTag for listed in lists for each in listed} >= {*SHAPING}
    assert "Bitstream, Inc." in (FONTS_FOLDER / "DEJAVU.txt").read_text(encoding="utf-8")
    assert len(TTFont(FONTS / "roost.woff2").getBestCmap()) < 350
    assert 'Reserved Font Name "Lora"' in (FONTS / "OFL.txt").read_text(encoding="utf-8")


def test_the_font_for_han_characters_has_two_forms_within_its_size() -> None:
    """Wheel and image grow by its size; the characters beyond the standards that it has are those of names."""
    path = FONTS_FOLDER / "roost-han.ttc"
    assert path.stat().st_size < 2_550_000
    japanese, chinese = (TTFont(path, fontNumber=number) for number in (0, 1))
    for font in (japanese, chinese):
        assert font["name"].getDebugName(1) == FAMILY
        assert "SIL Open Font License" in font["name"].getDebugName(13)
        assert len(HAN - font.getBestCmap().keys()) < 130, "reserved and rare wide forms"
        assert {*map(ord, "健颯凪龠齄髙ヴｶ々、！")} <= font.getBestCmap().keys()
    assert japanese.getBestCmap().keys() >= COMMON_KANJI | CHINESE
    assert japanese.getBestCmap()[ord("直")] != chinese.getBestCmap()[ord("直")]
    assert 'Reserved Font Name "Source"' in (FONTS_FOLDER / "NOTO.txt").read_text(encoding="utf-8")


def test_vietnamese_letters_are_in_a_file_of_their_own_that_moves_nothing() -> None:
    ours, more = (TTFont(FONTS / name) for name in ("roost.woff2", "roost-vietnamese.woff2"))
    assert more.getBestCmap().keys() >= VIETNAMESE
    for value in ("ascent", "descent", "lineGap"):
        assert getattr(ours["hhea"], value) == getattr(more["hhea"], value)
    sheet = (resources.static_folder() / "css" / "components" / "typeface.css").read_text(encoding="utf-8")
    [told] = re.findall("unicode-range: ([^;]+);", sheet)
    ranges = [part.strip().removeprefix("U+").split("-") for part in told.split(",")]
    covered = {code for first, last in ranges for code in range(int(first, 16), int(last, 16) + 1)}
    assert covered >= VIETNAMESE
    assert not covered & ours.getBestCmap().keys(), "else other pages load both files"


def test_the_device_fonts_are_shown_in_the_size_of_the_typeface() -> None:
    """All of them get the same height of a line, which the size of their letters must not change."""
    sheet = (resources.static_folder() / "css" / "base" / "fallback_fonts.css").read_text(encoding="utf-8")
    faces = sheet.split("@font-face")[1:]
    ours = TTFont(FONTS / "roost.woff2")["hhea"]
    for face in faces:
        size, ascent, descent = (
            float(face.split(f"{name}: ")[1].split("%")[0]) / 100
            for name in ("size-adjust", "ascent-override", "descent-override")
        )
        assert abs(size * ascent * 1000 - ours.ascent) < 2
        assert abs(size * descent * 1000 + ours.descent) < 2
    assert len(faces) == 3
