"""Make the bundled fonts: small subsets of the typeface for pages, and for pictures all its letters and other scripts.

The typeface is Lora Bold (SIL Open Font License). Its licence reserves the name for unchanged files, so ours are called
Roost. `npm pack @expo-google-fonts/lora@0.4.2` downloads it as `700Bold/Lora_700Bold.ttf`, with the licence
(`LICENSE_FONT`) for `static/fonts/OFL.txt`.

Pictures show what Lora lacks in two other fonts, whose licences are beside them in `app/web/matches/fonts/`:

- DejaVu Sans Bold (Bitstream Vera licence; Debian's package `fonts-dejavu-core` 2.37-6): names in other alphabets,
  accents that are written as separate characters, and the signs of suits
- Noto Sans CJK Bold (SIL Open Font License; Debian's package `fonts-noto-cjk` 1:20220127+repack1-1): Japanese and
  Simplified Chinese
"""

import io
import json
from collections.abc import Iterable
from pathlib import Path

import click
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.ttCollection import TTCollection

from app import resources
from app.web.matches import picture

FAMILY = "Roost"
ON_PAGES = frozenset(
    {
        *range(0x20, 0x7F),
        *range(0xA0, 0x180),  # Latin letters of most European languages
        *map(ord, "ȘșȚțẞ‐–—‘’‚“”„•…‹›€−"),
    }
)
"""Characters of the file for pages, which has at most 30 kB. Pages show all others in the visitor's own fonts."""
VIETNAMESE = frozenset({*map(ord, "ƠơƯư"), *range(0x1EA0, 0x1EFA)})
"""Characters of a second file, which a page loads if it has one of them; `unicode-range` of its `@font-face`."""
SCRIPTS = frozenset(
    {
        *range(0x20, 0x7F),
        *range(0xA0, 0x250),  # Latin
        *range(0x300, 0x590),  # accents, Greek, Cyrillic, Armenian
        *range(0x590, 0x700),  # Hebrew, Arabic
        *range(0x10A0, 0x1100),  # Georgian
        *range(0x1E00, 0x2000),  # more Latin and Greek
        0x202F,  # narrow space of French
        *map(ord, "…·−–’♠♣♥♦"),
    }
)
"""Characters of the font for names that the typeface can't show."""
FEATURES = ["kern", "locl"]
SHAPING = ["ccmp", "mark", "mkmk", "init", "medi", "fina", "rlig", "liga"]
"""Features of a font that join letters and place accents."""
KEPT_NAMES = (0, 13, 14)
"""Entries of the font's table of names that stay: copyright and licence."""
FAMILY_NAMES = {1: FAMILY, 2: "Bold", 4: f"{FAMILY} Bold", 6: f"{FAMILY}-Bold", 16: FAMILY, 17: "Bold"}


def characters_of_standard(codec: str, first_row: int, last_row: int) -> frozenset[int]:
    """Return the characters in these rows of a national standard, which has up to 94 characters in a row."""
    cells = (bytes((0xA0 + row, 0xA0 + cell)) for row in range(first_row, last_row + 1) for cell in range(1, 95))
    return frozenset(map(ord, "".join(cell.decode(codec, "ignore") for cell in cells)))


COMMON_KANJI = characters_of_standard("euc_jp", 16, 47)
"""Level 1 of JIS X 0208. Only these have a Japanese form beside the Chinese one: all would be 0.2 MB more."""
CHINESE = characters_of_standard("gb2312", 16, 87)
HAN = frozenset(
    {
        *range(0x20, 0x7F),
        *range(0x3000, 0x3100),  # punctuation, kana
        *range(0xFF00, 0xFFF0),  # wide and narrow forms
        *characters_of_standard("euc_jp", 16, 84),
        *CHINESE,
        *map(ord, "髙﨑德濵邉瀨栁桒凃吳溫瑋蔣賴鄧鈺黃龔"),  # frequent in names
        *map(ord, "玥喆珺祎堃垚赟鸻嫄彧旸洺珅璟翀芃镕韡飏湉炘"),
    }
)
"""Characters of the font for Japanese and Chinese: all of JIS X 0208 and GB 2312. Names may have any of them."""
HAN_FORMS = {"japanese": 0, "chinese": 2}
"""The fonts of the source with the forms of each language, by the name that pictures use."""


@click.command()
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("scripts", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("han", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--fallback",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Also print the descriptors of @font-face that give this font the size of ours.",
)
def typeface(source: Path, scripts: Path, han: Path, fallback: tuple[Path, ...]) -> None:
    """Write the fonts, from SOURCE, the file of Lora Bold, SCRIPTS, DejaVu Sans Bold, and HAN, Noto Sans CJK Bold."""
    pages, pictures = resources.static_folder() / "fonts", picture.FONTS_FOLDER
    whole = TTFont(source)
    write_subset(source, pages / "roost.woff2", ON_PAGES, FEATURES)
    write_subset(source, pages / "roost-vietnamese.woff2", VIETNAMESE, FEATURES)
    write_subset(source, pictures / "roost-picture.woff2", whole.getBestCmap(), FEATURES)
    write_subset(scripts, pictures / "roost-scripts.woff2", SCRIPTS, FEATURES + SHAPING)
    write_han(han, pictures / "roost-han.ttc")
    for path in (*pages.glob("*.woff2"), *pictures.glob("roost*")):
        click.echo(f"{path}: {path.stat().st_size} bytes")
    for file in fallback:
        click.echo(f"{file.name}: {_size_descriptors(whole, TTFont(file))}")


def write_subset(source: Path, target: Path, characters: Iterable[int], features: list[str]) -> None:
    """Write a font with these characters and layout features only, under our name."""
    options = _options(flavor="woff2", layout_features=features, drop_tables=["FFTM"])
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    _rename(font)
    subset.save_font(font, target, options)


def write_han(source: Path, target: Path) -> None:
    """Write a collection of two fonts, which share their glyphs: with Japanese and with Chinese forms.

    It is not compressed: then the system reads only the parts that pictures need, once for all sizes.
    """
    japanese, chinese = (TTFont(source, fontNumber=number).getBestCmap() for number in HAN_FORMS.values())
    only_chinese = {code: chinese[code] for code in HAN & CHINESE}
    forms = {**{code: japanese[code] for code in HAN & japanese.keys()}, **only_chinese}
    common = {code: japanese[code] for code in COMMON_KANJI}
    tables = ["BASE", "GDEF", "GPOS", "GSUB", "VORG", "vhea", "vmtx"]
    options = _options(font_number=HAN_FORMS["japanese"], drop_tables=tables, glyph_names=False)
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(glyphs={*forms.values(), *common.values()})
    cutter.subset(font)
    _rename(font)
    font["cmap"].tables = [table for table in font["cmap"].tables if (table.platformID, table.platEncID) == (3, 1)]
    collection = TTCollection()
    for characters in ({**forms, **common}, forms):
        font["cmap"].tables[0].cmap = characters
        file = io.BytesIO()
        font.save(file)
        collection.fonts.append(TTFont(file))
    collection.save(target)


def _options(**values: object) -> subset.Options:
    return subset.Options(hinting=False, name_IDs=[*KEPT_NAMES], notdef_outline=True, **values)


def _rename(font: TTFont) -> None:
    for number, text in FAMILY_NAMES.items():
        font["name"].setName(text, number, 3, 1, 0x409)


def _size_descriptors(ours: TTFont, other: TTFont) -> str:
    """Return descriptors with which another font takes the width and height of ours on average."""
    width, ascent, descent = _average_width(ours), ours["hhea"].ascent, -ours["hhea"].descent
    size = width / _average_width(other)
    scale = ours["head"].unitsPerEm * size
    return f"size-adjust: {size:.1%}; ascent-override: {ascent / scale:.1%}; descent-override: {descent / scale:.1%}"


def _average_width(font: TTFont) -> float:
    """Return the average width of a letter in the texts of pages, as a share of the font size."""
    texts = json.loads((resources.static_folder() / "messages" / "en.json").read_text(encoding="utf-8"))
    glyphs, widths = font.getBestCmap(), font["hmtx"]
    found = [widths[glyphs[ord(letter)]][0] for text in texts.values() for letter in text if letter.isascii()]
    return float(sum(found) / len(found) / font["head"].unitsPerEm)
