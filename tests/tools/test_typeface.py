"""Test the files of the bundled typeface."""

from fontTools.ttLib import TTFont

from app import resources
from tools.typeface import FAMILY, ON_PAGES, SHAPING

FONTS = resources.static_folder() / "fonts"


def test_the_files_have_their_letters_the_licence_and_an_own_name() -> None:
    for name in ("roost.woff2", "roost-picture.woff2"):
        font = TTFont(FONTS / name)
        assert font["name"].getDebugName(1) == FAMILY
        assert "SIL Open Font License" in font["name"].getDebugName(13)
        assert {chr(letter) for letter in ON_PAGES - font.getBestCmap().keys()} <= {"\xad", "ĸ"}
    scripts = TTFont(FONTS / "roost-scripts.woff2")
    assert scripts["name"].getDebugName(1) == FAMILY
    assert scripts.getBestCmap().keys() >= {*map(ord, "נ\u05b8نЖωև♣\u0323\u0301")}
    lists = [scripts[table].table.FeatureList.FeatureRecord for table in ("GSUB", "GPOS")]
    assert {each.FeatureTag for listed in lists for each in listed} >= {*SHAPING}
    assert "Bitstream, Inc." in (FONTS / "DEJAVU.txt").read_text(encoding="utf-8")
    assert len(TTFont(FONTS / "roost.woff2").getBestCmap()) < 350
    assert 'Reserved Font Name "Lora"' in (FONTS / "OFL.txt").read_text(encoding="utf-8")


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
