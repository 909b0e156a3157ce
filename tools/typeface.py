"""Make the files of the bundled typeface: a small subset for pages, and all its letters for pictures.

The source is Lora Bold (SIL Open Font License). Its licence reserves the name for unchanged files, so ours are called
Roost. `npm pack @expo-google-fonts/lora` downloads the source as `700Bold/Lora_700Bold.ttf`. Put `LICENSE_FONT` of the
same package into `static/fonts/OFL.txt`.
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
KEPT_NAMES = (0, 13, 14)
"""Entries of the font's table of names that stay: copyright and licence."""
FAMILY_NAMES = {1: FAMILY, 2: "Bold", 4: f"{FAMILY} Bold", 6: f"{FAMILY}-Bold", 16: FAMILY, 17: "Bold"}


@click.command()
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--fallback",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Also print the descriptors of @font-face that give this font the size of ours.",
)
def typeface(source: Path, fallback: tuple[Path, ...]) -> None:
    """Write the files of the typeface to static/fonts, from SOURCE, the font file of Lora Bold."""
    folder = resources.static_folder() / "fonts"
    whole = TTFont(source)
    for name, characters in (("roost.woff2", ON_PAGES), ("roost-picture.woff2", whole.getBestCmap())):
        path = folder / name
        _write_subset(source, path, characters)
        click.echo(f"{path}: {path.stat().st_size} bytes")
    for file in fallback:
        click.echo(f"{file.name}: {_size_descriptors(whole, TTFont(file))}")


def _write_subset(source: Path, target: Path, characters: Iterable[int]) -> None:
    options = subset.Options(
        flavor="woff2", layout_features=["kern", "locl"], hinting=False, name_IDs=list(KEPT_NAMES), notdef_outline=True
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
