"""Rules as a link: `/new?game=president&preset=toronto&jokers=1`, with nothing in it but what differs.

People send such links on, shorten them, and type them over. So each part is read by itself: what can't be understood is
told in a sentence, and the rest holds.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said
from app.engine.base.options import Options, Value
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.web.services import room_access, rules_form

FORM = "/new"
MOST_FIELDS = 200
"""Of a link; no game has as many switches."""


@dataclass(frozen=True, slots=True)
class RulesAsked:
    """What a link asks for, as far as it was understood."""

    game: str | None
    """None: it names none."""
    preset: str | None
    changes: Mapping[str, Value]
    problems: tuple[Said, ...]
    """What was not understood, a sentence each."""


def link(game: AnyGame, options: Mapping[str, Any]) -> str:
    """The link to these options, whatever of them holds today."""
    preset, changes = parted(game, options)
    fields = {"game": game.key} | ({} if preset == game.declared.presets[0].key else {"preset": preset})
    for key, value in changes.items():
        switch = game.declared.switch(key)
        fields[key] = str(value) if switch is None else rules_form.written(switch, value)
    return f"{FORM}?{urlencode(fields, safe=',:')}"


def asked(game: AnyGame, options: Options) -> dict[str, Any]:
    """What a program sends that wants these rules: the game, the preset and what differs from it."""
    return {"game": game.key, "options": {"preset": options.preset, **game.declared.differences(options)}}


def parted(game: AnyGame, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The preset, and what differs from it, whether or not there are such things today."""
    first = game.declared.presets[0].key
    preset = str(options.get("preset", first))
    base = game.declared.resolve({"preset": preset if game.declared.preset(preset) else first}).by_key
    changes = {
        key: value
        for key, value in options.items()
        if key != "preset" and not (key in base and _alike(value, base[key]))
    }
    return preset, changes


def _alike(one: Value, other: Value) -> bool:
    """Whether two values are the same once they have been JSON."""
    return json.dumps(one) == json.dumps(other)


def understood(fields: Mapping[str, str]) -> RulesAsked:
    """What a link asks for."""
    said = dict(list(fields.items())[:MOST_FIELDS])
    key = said.pop("game", None)
    try:
        game = None if key is None else room_access.game_called(key)
    except RuleError as error:
        return RulesAsked(None, None, {}, (error.sentence,))
    if game is None:
        game = next(iter(GAMES.values()))
    return by_parts(game, rules_form.read(game, said), key)


def by_parts(game: AnyGame, options: Mapping[str, Value], key: str | None = None) -> RulesAsked:
    """What of these options there is today, each looked at by itself; `key` is the game's, where it was named."""
    holds: dict[str, Value] = {}
    problems: list[Said] = []
    for name, value in options.items():
        try:
            game.declared.check(name, value)
        except RuleError as error:
            problems.append(error.sentence)
        else:
            holds[name] = value
    preset = holds.pop("preset", None)
    return RulesAsked(key, None if preset is None else str(preset), holds, tuple(problems))
