"""The bundles of switches [CEAU-00]. “Anything different isn’t really Ceausescu”: there is one. Data only."""

from app.engine.options import Preset

from .patterns import SHEET

CLASSIC = Preset(
    id="CEAU-00",
    key="classic",
    name="Ceausescu",
    sentence="Climb with pairs in a row, straight flushes and flushes, over bombs and missiles; be the first out, and "
    "don’t be the last one with cards.",
    source=SHEET,
)

PRESETS = (CLASSIC,)
