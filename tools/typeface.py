"""Make the bundled fonts: a small subset of the typeface for pages, all its letters for pictures, and other scripts.

The source is Lora Bold (SIL Open Font License). Its licence reserves the name for unchanged files, so ours are called
Roost. `npm pack @expo-google-fonts/lora` downloads the source as `700Bold/Lora_700Bold.ttf`. Put `LICENSE_FONT` of the
same package into `static/fonts/OFL.txt`.

Pictures show what Lora lacks in DejaVu Sans Bold (Bitstream Vera licence; Debian's package `fonts-dejavu-core`, with
its licence): names in other scripts, accents that are written as separate characters, and the signs of suits. The
licence is in `static/fonts/DEJAVU.txt`.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import click
from fontTools import subset
from fontTools.ttLib import TTFont

from app import resources

FAMILY = "Roost"
ON_PAGES = frozenset(
    {
        *range(0x20, 0x7F),
        *range(0xA0, 0x180),  # Latin letters of most European languages
        *map(ord, "ȘșȚțẞ‐–—‘’‚“”„•…‹›€−"),
    }
)
"""Characters of the file for pages, which has at most 30 kB. Pages show all others in the visitor's own fonts."""
SCRIPTS = frozenset(
    {
        *range(0x20, 0x7F),
        *range(0xA0, 0x250),  # Latin
        *range(0x300, 0x590),  # accents, Greek, Cyrillic, Armenian
        *range(0x590, 0x700),  # Hebrew, Arabic
        *range(0x10A0, 0x1100),  # Georgian
        *range(0x1E00, 0x2000),  # more Latin and Greek
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


@click.command()
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("scripts", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--fallback",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Also print the descriptors of @font-face that give this font the size of ours.",
)
def typeface(source: Path, scripts: Path, fallback: tuple[Path, ...]) -> None:
    """Write the fonts to static/fonts, from SOURCE, the file of Lora Bold, and SCRIPTS, that of DejaVu Sans Bold."""
    folder = resources.static_folder() / "fonts"
    whole = TTFont(source)
    for name, file, characters in (
        ("roost.woff2", source, ON_PAGES),
        ("roost-picture.woff2", source, whole.getBestCmap()),
        ("roost-scripts.woff2", scripts, SCRIPTS),
    ):
        path = folder / name
        write_subset(file, path, characters, FEATURES if file == source else FEATURES + SHAPING)
        click.echo(f"{path}: {path.stat().st_size} bytes")
    for file in fallback:
        click.echo(f"{file.name}: {_size_descriptors(whole, TTFont(file))}")


def write_subset(source: Path, target: Path, characters: Iterable[int], features: list[str]) -> None:
    """Write a font with these characters and layout features only, under our name."""
    options = subset.Options(
        flavor="woff2",
        layout_features=features,
        hinting=False,
        name_IDs=list(KEPT_NAMES),
        notdef_outline=True,
        drop_tables=["FFTM"],
    )
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    for number, text in FAMILY_NAMES.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    subset.save_font(font, target, options)


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
