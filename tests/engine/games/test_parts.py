"""Test that each game has all its parts. A failure lists what to write, and where."""

import re
from collections.abc import Iterator

import pytest

from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES, AnyGame
from tests.engine.match.test_records import FILES, PAGES

MORE_PAGES = {"president": ("daifugo",)}
"""Rules pages beside the page of the game."""


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_game_has_all_its_parts(game: AnyGame) -> None:
    missing = [*missing_parts(game)]
    assert not missing, "\n".join((f"write what {game.name} lacks:", *missing))


def missing_parts(game: AnyGame) -> Iterator[str]:
    """Yield what to write for each part that the game lacks."""
    schema = game.option_schema
    declared = {each.id for each in (*schema.all_options, *schema.fixed_rules, *schema.presets)}
    for option in schema.all_options:
        if not option.also.strip():
            yield f"{option.id}: `also`, other names by which people search for this option"
    for preset in schema.presets:
        if not 1 <= len(parse_cards(preset.picture)) <= 5:
            yield f"{preset.id}: `picture`, one to five cards"
        if len(preset.mark) > 2:
            yield f"{preset.id}: a `mark` of at most two symbols"
    pages = [PAGES / f"{page}.md" for page in (game.key.replace("_", "-"), *MORE_PAGES.get(game.key, ()))]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages if page.exists())
    if not pages[0].exists():
        yield f"docs/rules/{pages[0].name}, its rules page"
    shown = set(re.findall(rf"\b{schema.basic_game_id.partition('-')[0]}-\d\d\b", text))
    for rule in sorted(declared - shown - {schema.basic_game_id}):
        yield f"{rule}: its line in docs/rules/{pages[0].name}, as “- **PRES-01 `packs`** (`1`, `2`): …”"
    for rule in sorted(shown - declared):
        yield f"{rule}: a declaration, because docs/rules/{pages[0].name} names it"
    names = [file.name for file in FILES if file.parent.name == game.key]
    for rule in sorted(declared):
        if not any(name.startswith(f"{rule}_own_") for name in names):
            yield f"{rule}: a record, tests/records/{game.key}/{rule}_own_<what it shows>.json"
