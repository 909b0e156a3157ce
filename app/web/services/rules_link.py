"""Rules as a link: `/new?game=president&preset=toronto&jokers=1`, with only the options that differ.

People forward, shorten and retype such links. So each part is read independently: an unreadable part becomes an error
sentence, and the rest still applies.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

from app.engine.base.errors import RuleError
from app.engine.base.messages import TranslatableMessage
from app.engine.base.options import Options, OptionValue
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.text_limits import check_length, normalize
from app.web.services import room_access, rules_form

FORM = "/new"
MAX_FIELDS = 200
"""Limit for the fields of a link; no game has so large a number of options."""


@dataclass(frozen=True, slots=True)
class ParsedRules:
    """The rules in a link or in saved options: the valid parts, and a sentence about each invalid part."""

    game: str | None
    """The game's key, or None if the link names no known game."""
    preset: str | None
    changes: Mapping[str, OptionValue]
    problems: tuple[TranslatableMessage, ...]
    """One sentence for each part that was not understood."""


def rules_url(game: AnyGame, options: Mapping[str, Any]) -> str:
    """Return the link to the form for a new room, filled in with these rules: the preset and differing options.

    Options that no longer exist are kept, so that the form can tell about them.
    """
    preset, changes = split_preset_and_changes(game, options)
    fields = {"game": game.key, "preset": preset}
    for key, value in changes.items():
        switch = game.option_schema.find_option(key)
        fields[key] = str(value) if switch is None else rules_form.format_value(switch, value)
    return f"{FORM}?{urlencode(fields, safe=',:')}"


def rules_page_by_name(name: str) -> str | None:
    """Return the address of the rules page for a game's or preset's key, name or other name; None if there is none.

    Case, accents, spaces and punctuation do not count. `name` may be of any length up to `MAX_TEXT_LENGTH`.

    >>> rules_page_by_name("Dai-Fugo"), rules_page_by_name("chinese_poker"), rules_page_by_name("whist")
    ('/rules/president?preset=daifugo', '/rules/big_two', None)
    """
    return _rules_pages().get(_letters(name))


@cache
def _rules_pages() -> Mapping[str, str]:
    pages: dict[str, str] = {}
    for names, page in _names_and_pages():
        for name in names:
            pages.setdefault(_letters(name), page)
    return pages


def _names_and_pages() -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield names and the page that they lead to. Of two pages with one name, the first has it."""
    presets = [
        (preset, f"/rules/{game.key}" + ("" if preset is game.option_schema.presets[0] else f"?preset={preset.key}"))
        for game in GAMES.values()
        for preset in game.option_schema.presets
    ]
    for game in GAMES.values():
        yield (game.key, game.name), f"/rules/{game.key}"
    for preset, page in presets:
        yield (preset.key, preset.name), page
    for preset, page in presets:  # more exact than the other names of a game
        yield tuple(preset.also.split(",")), page
    for game in GAMES.values():
        yield tuple(game.also.split(",")), f"/rules/{game.key}"


def _letters(name: str) -> str:
    return "".join(letter for letter in normalize("NFKD", check_length(name.casefold())) if letter.isalnum())


def rules_request(game: AnyGame, options: Options) -> dict[str, Any]:
    """Return the body of the request that saves these rules for a person: game, preset and differing options."""
    return {"game": game.key, "options": {"preset": options.preset, **game.option_schema.changes_from_preset(options)}}


def split_preset_and_changes(game: AnyGame, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the preset named in stored options, and the options that differ from it.

    Options that no longer exist count as different. For an unknown preset, the basic game is compared.
    """
    basic = game.option_schema.basic_preset.key
    preset = str(options.get("preset", basic))
    base = game.option_schema.resolve_options(
        {"preset": preset if game.option_schema.find_preset(preset) else basic}
    ).values_by_key
    changes = {
        key: value
        for key, value in options.items()
        if key != "preset" and not (key in base and _is_same_json(value, base[key]))
    }
    return preset, changes


def _is_same_json(one: OptionValue, other: OptionValue) -> bool:
    """Return whether two option values have the same JSON text; unlike `==`, this tells `true` from 1."""
    return json.dumps(one) == json.dumps(other)


def parse_rules_link(fields: Mapping[str, str]) -> ParsedRules:
    """Parse the query fields of a link with rules.

    Nothing is raised: each unreadable part becomes a problem sentence. An unknown game makes everything unreadable;
    without a game, options are checked for the first game. Options without a preset mean the basic game; a link
    without options leaves the choice to the form.
    """
    said = dict(list(fields.items())[:MAX_FIELDS])
    key = said.pop("game", None)
    try:
        game = None if key is None else room_access.find_game_or_raise(key)
    except RuleError as error:
        return ParsedRules(None, None, {}, (error.sentence,))
    if game is None:
        game = next(iter(GAMES.values()))
    basic = {"preset": game.option_schema.basic_preset.key} if said else {}
    return check_options_separately(game, basic | rules_form.parse_options(game, said), key)


def check_options_separately(game: AnyGame, options: Mapping[str, OptionValue], key: str | None = None) -> ParsedRules:
    """Check each option by itself; return the valid ones, and a sentence for each invalid one.

    Raises nothing. `key` is copied into the result: the game's key, if it was given.
    """
    holds: dict[str, OptionValue] = {}
    problems: list[TranslatableMessage] = []
    for name, value in options.items():
        try:
            game.option_schema.check_value(name, value)
        except RuleError as error:
            problems.append(error.sentence)
        else:
            holds[name] = value
    preset = holds.pop("preset", None)
    return ParsedRules(key, None if preset is None else str(preset), holds, tuple(problems))
