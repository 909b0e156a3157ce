"""Test that docs/rules say the same of options and presets as their declarations."""

import json
import re
from typing import Any

from app.engine.base.options import Choice, Option, Preset
from app.engine.games import GAMES
from tests.engine.match.test_records import PAGES
from tests.for_each import for_each

TEXT = "\n".join(page.read_text(encoding="utf-8").replace("\n  ", " ") for page in sorted(PAGES.glob("*.md")))
LINES = {
    rule: (key, values, effect)
    for rule, key, values, effect in re.findall(
        r"^- \*\*(\w+-\d\d) `(\w+)`\*\*(?: \(([^)]*)\))?(?:: )?(.*)$", TEXT, re.MULTILINE
    )
}
SECTIONS = {
    rule: (key, line)
    for key, rule, line in re.findall(r"^## .*\(preset `(\w+)`.*\[(\w+-\d\d)\]\n\n([^;.]*)", TEXT, re.MULTILINE)
}
WITHOUT_LINE = {"CEAU-11", "CEAU-20", "CEAU-22", "CEAU-30", "PRES-00", "CEAU-00"}
"""Ids that a page explains in its text."""


def shown(value: Any) -> str:
    """Return a value as the pages write it, without spaces."""
    if isinstance(value, list | tuple):
        return f"[{','.join(map(shown, value))}]"
    return (value or '""').replace(" ", "") if isinstance(value, str) else json.dumps(value)


def quoted(text: str) -> list[str]:
    """Return the texts in backticks."""
    return re.findall(r"`([^`]+)`", " ".join(text.split()))


OPTIONS = [each for game in GAMES.values() for each in game.option_schema.all_options if each.id not in WITHOUT_LINE]
PRESETS = [each for game in GAMES.values() for each in game.option_schema.presets if each.id not in WITHOUT_LINE]


@for_each("option", OPTIONS, ids=lambda option: option.id)
def test_a_line_has_the_key_and_the_values_of_its_option_with_the_default_first(option: Option[Any]) -> None:
    key, listed, _ = LINES[option.id]
    assert key == option.key
    values = [each.replace(" ", "") for each in quoted(listed.partition("e.g.")[0])]
    if values:  # otherwise the page has a table of the values
        assert values[0] == shown(option.default)
        assert not isinstance(option.domain, Choice) or {*values} <= {*map(shown, option.domain.labels)}


@for_each("preset", PRESETS, ids=lambda preset: preset.id)
def test_a_preset_has_the_options_that_its_page_names(preset: Preset) -> None:
    key, *_, text = LINES.get(preset.id) or SECTIONS[preset.id]
    assert key == preset.key
    named = {key: value.replace(" ", "") for key, _, value in (each.partition(" ") for each in quoted(text))}
    assert named == {key: shown(value) for key, value in preset.changes.items()}
