"""Show a game's options as forms and rules pages, and parse form fields into options. Names no single option."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal, TypedDict

from app.engine.base.options import (
    Choice,
    MultiChoice,
    MultiplierSteps,
    Number,
    NumberOrNone,
    Option,
    Options,
    OptionValue,
    Points,
    Preset,
    Ranks,
    RuleQuestion,
    Titles,
)
from app.engine.base.short_rules import short_sentences
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.web.i18n.catalogues import Texts
from app.web.i18n.declared_texts import SOURCES, question_key, value_key


class ValueView(TypedDict):
    """One value that an option can have, and its label for players, in a form."""

    value: Annotated[Any, "The value, as in `options`."]
    label: Annotated[str, "The value in words, for players."]


class ChoiceDomain(TypedDict):
    """Form description of an option whose value is exactly one of the listed values."""

    type: Annotated[Literal["choice"], "The kind of values that the option has."]
    values: Annotated[list[ValueView], "All allowed values."]


class NumberDomain(TypedDict):
    """Form description of an option whose value is a whole number between two limits, and sometimes also null."""

    type: Annotated[Literal["number"], "The kind of values that the option has."]
    low: Annotated[int, "The lowest allowed number."]
    high: Annotated[int, "The highest allowed number."]
    none_label: Annotated[str | None, "The label of the value null; null: the value can't be null."]


class RanksDomain(TypedDict):
    """Form description of an option whose value is a text of different card ranks, such as `T2`."""

    type: Annotated[Literal["ranks"], "The kind of values that the option has."]
    most: Annotated[int, "Maximum number of ranks."]
    of: Annotated[str, "The ranks to choose from."]


class TitlesDomain(TypedDict):
    """Form description of an option for the players' titles: a named theme, or a list with a title for each place."""

    type: Annotated[Literal["titles"], "The kind of values that the option has."]
    values: Annotated[list[ValueView], "The named themes."]
    places: Annotated[list[str], "The names of the places. A custom list has a title for each."]


class PointsDomain(TypedDict):
    """Form description of an option for points: a named scheme, or a list with a number for each place."""

    type: Annotated[Literal["points"], "The kind of values that the option has."]
    values: Annotated[list[ValueView], "The named schemes."]
    places: Annotated[list[str], "The names of the places. A custom list has a number for each."]
    low: Annotated[int, "The lowest allowed number."]
    high: Annotated[int, "The highest allowed number."]


class MultiChoiceDomain(TypedDict):
    """Form description of an option whose value is a list of some of the listed values; it may be empty."""

    type: Annotated[Literal["several"], "The kind of values that the option has."]
    values: Annotated[list[ValueView], "All allowed values."]


class StepsDomain(TypedDict):
    """Form description of an option whose value is a list of pairs (threshold, factor), such as 10 cards: ×2."""

    type: Annotated[Literal["steps"], "The kind of values that the option has."]
    most: Annotated[int, "Maximum number of pairs in the list."]


class OptionView(TypedDict):
    """One option of a game's rules, with its texts, default and allowed values, for forms and rules pages."""

    id: Annotated[str, "The anchor on the rules page."]
    key: Annotated[str, "The key of the option."]
    name: Annotated[str, "The name."]
    sentence: Annotated[str, "A sentence that says what the option decides."]
    example: Annotated[str, "An example with cards; may be empty."]
    source: Annotated[str, "The source of the rule, such as a website; may be empty."]
    also: Annotated[str, "Other names, for the search; may be empty."]
    default: Annotated[Any, "The default value of the option."]
    domain: Annotated[
        ChoiceDomain | NumberDomain | RanksDomain | TitlesDomain | PointsDomain | MultiChoiceDomain | StepsDomain,
        "The allowed values.",
    ]


class RuleView(TypedDict):
    """A rule without an option."""

    id: Annotated[str, "The anchor on the rules page."]
    name: Annotated[str, "The name."]
    sentence: Annotated[str, "A sentence that states the rule."]
    example: Annotated[str, "An example with cards; may be empty."]
    source: Annotated[str, "The source of the rule, such as a website; may be empty."]


class SectionView(TypedDict):
    """A section of a game's rules page: options and fixed rules about one subject."""

    key: Annotated[str, "The key of the section."]
    name: Annotated[str, "The name."]
    switches: Annotated[list[OptionView], "The options, in the order of the page."]
    rules: Annotated[list[RuleView], "The fixed rules, in the order of the page."]


class PresetView(TypedDict):
    """A preset: a named set of option values."""

    id: Annotated[str, "The anchor on the rules page."]
    key: Annotated[str, "The key of the preset."]
    name: Annotated[str, "The name."]
    sentence: Annotated[str, "A sentence that describes the preset."]
    changes: Annotated[dict[str, Any], "The options that differ from their defaults."]
    source: Annotated[str, "The source of the rule, such as a website; may be empty."]
    also: Annotated[str, "Other names, for the search; may be empty."]
    picture: Annotated[str, "A few cards as a picture of the preset."]
    mark: Annotated[str, "One or two signs beside the cards; empty: none."]
    mark_text: Annotated[str, "The meaning of the signs in a few words; empty: no signs."]
    players: Annotated[tuple[int, int], "Minimum and maximum number of players."]
    variant_of: Annotated[str, "The key of the preset with which it shares one entry in lists; may be empty."]
    variant: Annotated[str, "Its name in the choice of a shared entry; may be empty."]
    short: Annotated[list[str], "The rules in a few sentences, for beginners; empty: those of the game."]


class AnswerView(TypedDict):
    """One answer to a question about a game's rules."""

    key: Annotated[str, "The key of the answer within the question."]
    text: Annotated[str, "The rule as a short sentence."]
    sets: Annotated[dict[str, Any], "The options that the answer sets. It is in force if all have these values."]
    picture: Annotated[str, "A few cards, or places of players: `first`, `second` and `last`; may be empty."]
    mark: Annotated[str, "At most three signs beside the picture; empty: none."]


class QuestionView(TypedDict):
    """A question about a game's rules that people can answer without the names of options."""

    key: Annotated[str, "The key of the question within the game."]
    sentence: Annotated[str, "The question."]
    answers: Annotated[list[AnswerView], "Two to four answers. At most one of them is in force."]


class ConflictView(TypedDict):
    """Two options that contradict each other."""

    keys: Annotated[tuple[str, str], "The keys of the two options."]
    because: Annotated[str, "The reason for the conflict, as a sentence."]


class GameView(TypedDict):
    """A game with the data for forms and rules pages."""

    key: Annotated[str, "The key of the game."]
    name: Annotated[str, "The name."]
    also: Annotated[str, "Other names, for the search; may be empty."]
    players: Annotated[tuple[int, int], "Minimum and maximum number of players."]
    basics: Annotated[list[str], "The basic rules in a few sentences."]
    presets: Annotated[list[PresetView], "All presets. A form starts with the first."]
    questions: Annotated[list[QuestionView], "At most six questions about the rules that groups play differently."]
    short: Annotated[list[str], "The rules of the first preset in a few sentences, for beginners."]
    sections: Annotated[list[SectionView], "The sections of the rules page, in order."]
    conflicts: Annotated[list[ConflictView], "Pairs of options that can't be combined."]
    zero_sum: Annotated[str | None, "A text saying that points always add up to zero; null: they don't."]


class CatalogueView(TypedDict):
    """All games and the levels of bots, as `GET /api/games` sends them."""

    games: Annotated[list[GameView], "All games."]
    bots: Annotated[list[str], "The levels of bots, easiest first."]
    signs: Annotated[dict[str, str], "The sign of each level, by level."]


_OF_RULE = ("name", "sentence", "example")
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_LISTED = re.compile(r"[\n,]")


def game_catalogue(texts: Texts) -> list[dict[str, Any]]:
    """Return all games with presets, options and rules, as `GameView`, in one language.

    Other names (`also`) have the English names, too, so that the search of the form finds both.
    """
    games = []
    for game in GAMES.values():
        view, declared = game_view(game, texts), game.option_schema
        english = {each.id: each.name for each in declared.presets}
        english |= {each.id: each.name for each in declared.all_options}
        for each in _named_parts(view):
            name = english.get(each.get("id", ""), game.name)
            if name != each["name"]:
                each["also"] = f"{each['also']} {name}".strip()
        games.append(view)
    return games


def game_summaries(texts: Texts) -> list[dict[str, Any]]:
    """Return a short description of each game for lists: key, name, other names, and numbers of players."""
    return [_game_summary(game, texts) for game in GAMES.values()]


def _game_summary(game: AnyGame, texts: Texts) -> dict[str, Any]:
    players = list(game.player_limits(game.option_schema.new_room_options()))
    return {"key": game.key, "name": texts.t(f"game.{game.key}"), "also": game.also, "players": players}


def game_view(game: AnyGame, texts: Texts) -> dict[str, Any]:
    """Return a game with presets, options and rules, as `GameView`, in one language."""
    declared = game.option_schema
    return {
        **_game_summary(game, texts),
        "basics": [texts.t(f"{game.key}.basics.{number}") for number in range(len(declared.basics))],
        "presets": [_preset_view(game, preset, texts) for preset in declared.presets],
        "questions": [_question_view(game, question, texts) for question in declared.questions],
        "sections": [
            {
                "key": section.key,
                "name": texts.t(f"{game.key}.section.{section.key}"),
                "switches": [_option_view(game, switch, texts) for switch in section.switches],
                "rules": [
                    asdict(rule)
                    | _texts_of_row(rule.id, texts, *_OF_RULE)
                    | {"source": _source_text(game, rule.source, texts)}
                    for rule in section.rules
                ],
            }
            for section in declared.sections
        ],
        "short": _short_sentences(game, declared.new_room_options(), texts),
        "zero_sum": None if declared.zero_sum is None else texts.t(f"{game.key}.zero_sum"),
        "conflicts": [
            {"keys": [each.one.key, each.other.key], "because": texts.say(declared.conflict_message(each))}
            for each in declared.conflicts
        ],
    }


def short_rules_view(game: AnyGame, options: Options, texts: Texts) -> dict[str, Any]:
    """Return the short rules of a match with these options, with translated texts.

    Keys: `sentences` and `caption` (texts), `example` (cards of each play; empty if the preset has no example), `best`
    (fewest and most players, within the limits of these options).
    """
    declared = game.option_schema
    preset = declared.find_preset(options.preset)
    is_other = preset not in (None, declared.presets[0], declared.basic_preset)
    example = preset.example if preset is not None and is_other else declared.short_rules.example
    row = preset.id if preset is not None and is_other else game.key
    fewest, most = game.player_limits(options)
    return {
        "sentences": _short_sentences(game, options, texts),
        "example": [] if example is None else list(example.plays),
        "caption": "" if example is None else texts.t(f"{row}.example"),
        "best": [min(max(count, fewest), most) for count in declared.short_rules.best_players],
    }


def survey_view(game: AnyGame, preset_key: str, texts: Texts) -> dict[str, Any] | None:
    """Return the survey behind a preset, with translated texts; None if it has none.

    Keys: `rows` (pairs of a question and its counted answers) and `sources` (their names).
    """
    preset = game.option_schema.find_preset(preset_key)
    if preset is None or preset.survey is None:
        return None
    rows = [
        [texts.t(f"{preset.id}.survey.{number}.{part}") for part in ("question", "answers")]
        for number in range(len(preset.survey.answers))
    ]
    return {"rows": rows, "sources": preset.survey.sources}


def other_names(game: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the parts of a game's view that have other names: `id` (an anchor; empty for the game), `name`, `also`."""
    return [
        {"id": each.get("id", ""), "name": each["name"], "also": each["also"]}
        for each in _named_parts(game)
        if each["also"]
    ]


def _named_parts(game: Mapping[str, Any]) -> list[Any]:
    """Return the parts of a game's view that may have other names: the game, its presets and its options."""
    return [game, *game["presets"], *(each for section in game["sections"] for each in section["switches"])]


def _texts_of_row(row: str, texts: Texts, *which: str) -> dict[str, str]:
    """Return the named texts, such as name and sentence, of an option, rule or preset, in one language.

    `row` is its id on the rules page.
    """
    return {each: texts.t(f"{row}.{each}") for each in which}


def mark_text(preset: Preset, texts: Texts) -> str:
    """Return the meaning of a preset's signs in one language, or "" if it has no signs."""
    return texts.t(f"{preset.id}.mark") if preset.mark_text else ""


def _preset_view(game: AnyGame, preset: Preset, texts: Texts) -> dict[str, Any]:
    players = preset.players or game.player_limits(game.option_schema.resolve_options({"preset": preset.key}))
    return {
        "id": preset.id,
        "key": preset.key,
        **_texts_of_row(preset.id, texts, "name", "sentence"),
        "changes": dict(preset.changes),
        "source": _source_text(game, preset.source, texts),
        "also": preset.also,
        "picture": preset.picture,
        "mark": preset.mark,
        "mark_text": mark_text(preset, texts),
        "players": list(players),
        "variant_of": preset.variant_of,
        "variant": texts.t(f"{preset.id}.variant") if preset.variant else "",
        "short": _short_sentences(game, game.option_schema.resolve_options({"preset": preset.key}), texts),
    }


def _question_view(game: AnyGame, question: RuleQuestion, texts: Texts) -> dict[str, Any]:
    return {
        "key": question.key,
        "sentence": texts.t(question_key(game, question)),
        "answers": [
            {
                "key": answer.key,
                "text": texts.t(question_key(game, question, answer)),
                "sets": dict(answer.sets),
                "picture": answer.picture,
                "mark": answer.mark,
            }
            for answer in question.answers
        ],
    }


def _source_text(game: AnyGame, source: str, texts: Texts) -> str:
    """Return the source of a rule, or else that of its game, in one language. Names of websites and books stay."""
    source = source or game.option_schema.source
    return texts.t(SOURCES[source]) if source in SOURCES else source


def _short_sentences(game: AnyGame, options: Options, texts: Texts) -> list[str]:
    return [texts.say(sentence) for sentence in short_sentences(game.option_schema, options)]


def _option_view(game: AnyGame, switch: Option[Any], texts: Texts) -> dict[str, Any]:
    return {
        "id": switch.id,
        "key": switch.key,
        **_texts_of_row(switch.id, texts, *_OF_RULE),
        "source": _source_text(game, switch.source, texts),
        "also": switch.also,
        "default": switch.default,
        "domain": _domain_view(switch, texts),
    }


def _domain_view(switch: Option[Any], texts: Texts) -> dict[str, Any]:
    """Return what values an option may have, for a form, with labels in one language."""
    described = switch.domain.describe_for_form()
    if "values" in described:
        described["values"] = [
            each | {"label": texts.t(value_key(switch, each["value"]))} for each in described["values"]
        ]
    if "places" in described:
        described["places"] = [texts.t(f"{switch.id}.place.{number}") for number in range(len(described["places"]))]
    if described.get("none_label") is not None:
        described["none_label"] = texts.t(value_key(switch, None))
    return described


def parse_options(game: AnyGame, fields: Mapping[str, str]) -> dict[str, OptionValue]:
    """Turn texts from a query or form, such as `preset=bga&jokers=1`, into options with values of the right type.

    Nothing is refused: unknown keys and invalid texts stay texts, which `OptionSchema.resolve_options` refuses later.
    """
    requested: dict[str, OptionValue] = {}
    for key, text in fields.items():
        switch = game.option_schema.find_option(key)
        requested[key] = text if switch is None else _parse_value(switch, text.strip())
    return requested


def _parse_value(switch: Option[Any], text: str) -> OptionValue:
    """Turn a text from a query or form into a value for an option.

    An invalid text is returned unchanged, so that the later error message can show it.
    """
    match switch.domain:
        case Choice(labels):
            return next((value for value in labels if _form_field_text(value) == text), text)
        case NumberOrNone() if text == _form_field_text(None):
            return None
        case Number() | NumberOrNone():
            return _parse_number(text)
        case Ranks():
            return "" if text == "-" else text.upper()
        case Titles():
            return [title.strip() for title in text.splitlines()] if "\n" in text else text
        case Points():
            parts = _LISTED.split(text)
            return [_parse_number(part.strip()) for part in parts] if len(parts) > 1 else text
        case MultiChoice():
            return [] if text == "-" else text.replace(",", " ").split()
        case MultiplierSteps():
            parts = [] if text in ("", "-") else _LISTED.split(text)
            return [[_parse_number(number) for number in part.replace(":", " ").split()] for part in parts]
        case unknown:
            raise AssertionError(f"no form field for {unknown}")


def format_value(switch: Option[Any], value: Any) -> str:
    """Format an option's value as a text for a link, which `parse_options` reads back."""
    match switch.domain:
        case Ranks():
            return str(value) or "-"
        case Titles() if isinstance(value, list | tuple):
            return "\n".join(map(str, value))
        case Points() | MultiChoice() if isinstance(value, list | tuple):
            return ",".join(map(str, value)) or "-"
        case MultiplierSteps():
            return ",".join(f"{from_so_many}:{times}" for from_so_many, times in value) or "-"
        case _:
            return _form_field_text(value)


def _parse_number(text: str) -> int | str:
    return int(text) if _WHOLE.fullmatch(text) else text


def _form_field_text(value: OptionValue) -> str:
    """Format a simple value for a query or form: null, true, false, or the value's text."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def changed_options(game: AnyGame, options: Options, texts: Texts) -> list[dict[str, Any]]:
    """Return a game's options that differ from their preset, most important first, each with its value in words."""
    changed = game.option_schema.changes_from_preset(options).items()
    known = [(switch, value) for key, value in changed if (switch := game.option_schema.find_option(key)) is not None]
    return [
        _option_view(game, switch, texts) | {"value": value, "said": value_label(switch, value, texts)}
        for switch, value in known
    ]


def value_label(switch: Option[Any], value: Any, texts: Texts) -> str:
    """Return an option's value in words for players, in one language.

    Values that no longer exist stay as they are.
    """
    match switch.domain:
        case Choice(labels):
            return texts.t(value_key(switch, value)) if value in labels else str(value)
        case Titles(labels) | Points(labels) if isinstance(value, str):
            return texts.t(value_key(switch, value)) if value in labels else value
        case MultiChoice(labels):
            return texts.join_list([texts.t(value_key(switch, one)) for one in value if one in labels]) or "–"
        case NumberOrNone() if value is None:
            return texts.t(value_key(switch, None))
        case MultiplierSteps():
            steps = [texts.t("form.step", **{"from": low, "times": times}) for low, times in value]
            return texts.join_list(steps, "unit") or texts.t("form.no_steps")
        case _:
            return (
                texts.join_list([*map(str, value)], "unit")
                if isinstance(value, list | tuple)
                else str(value)
                if value != ""
                else "–"
            )
