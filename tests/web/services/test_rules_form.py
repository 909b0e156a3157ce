"""Test forms made from declared options: every game, every option, every domain."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.engine.base.options import (
    Choice,
    MultiChoice,
    MultiplierSteps,
    Number,
    NumberOrNone,
    Option,
    Points,
    Ranks,
    Titles,
)
from app.engine.base.short_rules import MAX_WORDS, count_words
from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES
from app.web.i18n.catalogues import Catalogues
from app.web.protocol import typed_models
from app.web.services import rules_form
from tests.for_each import for_each
from tests.web.visitors import Visitor

TEXTS = Catalogues().english
WEB = Path(rules_form.__file__).parents[1]
SWITCHES = [(game, switch) for game in GAMES.values() for switch in game.option_schema.all_options]


RUNS = ["sequences", "sequence_suits", "sequence_ranks", "sequence_beats", "run_revolution"]


def name_of(part: Any) -> str:
    return str(getattr(part, "key", part))


async def test_the_catalogue_conforms_to_its_declared_type(ana: Visitor) -> None:
    answer = await ana.http.get("/api/games")
    typed_models.model_of(rules_form.CatalogueView).model_validate_json(answer.text)


@pytest.mark.parametrize("game", GAMES.values(), ids=name_of)
def test_presets_come_before_options_and_state_the_number_of_players(game: Any) -> None:
    described = rules_form.game_view(game, TEXTS)
    assert list(described)[:7] == ["key", "name", "also", "players", "basics", "presets", "questions"]
    assert described["basics"]
    for preset in described["presets"]:
        low, high = preset["players"]
        assert 2 <= low <= high
        game.option_schema.resolve_options({"preset": preset["key"]})
        assert preset["sentence"]


PRESETS = [(game, preset) for game in GAMES.values() for preset in game.option_schema.presets]


def short_rules(game: Any, preset: str) -> dict[str, Any]:
    return rules_form.short_rules_view(game, game.option_schema.resolve_options({"preset": preset}), TEXTS)


@for_each(("game", "preset"), PRESETS, ids=name_of)
def test_short_rules_have_at_most_100_words_and_cards_that_can_be_drawn(game: Any, preset: Any) -> None:
    short = short_rules(game, preset.key)
    assert count_words(*short["sentences"]) <= MAX_WORDS
    assert all(parse_cards(cards) for cards in short["example"])
    fewest, most = game.player_limits(game.option_schema.resolve_options({"preset": preset.key}))
    assert fewest <= short["best"][0] <= short["best"][1] <= most


SAID = {
    ("president", "daifugo"): "8 ends the trick. J reverses the ranks for the trick.",
    ("president", "huberes"): "Low to high: 4–10, J, Q, K, A, 2 = 3 = joker.",
    ("president", "wild_threes"): "Jokers and 3 count as any rank that you name, even alone.",
    ("president", "revolution"): "One 2 beats any play; any play beats it. 3 goes on any card and copies it.",
    ("president", "kings_and_bastards"): "Later, the lowest card’s holder leads.",
    ("president", "pagat"): "the last to play leads. If that player is out, the next one leads.",
    ("ceausescu", "classic"): "Bombs (low to high: 4 4 7 7, three of a kind, both jokers) beat all these.",
    ("big_two", "latta"): "A straight flush with any 2 more cards beats everything.",
    ("big_two", "pagat"): "Each hand, the player with the 3♦ leads it.",
}
"""What the short rules of some presets say."""


def test_each_preset_has_short_rules_of_its_own() -> None:
    texts = {(game.key, preset.key): " ".join(short_rules(game, preset.key)["sentences"]) for game, preset in PRESETS}
    assert len(set(texts.values())) == len(PRESETS)
    for preset, said in SAID.items():
        assert said in texts[preset]
    assert not re.search("flush", texts["big_two", "gamesky"].replace("straight flush", ""))
    assert "in a row reverse" not in texts["president", "bga_now"], "without runs"


@for_each(("game", "switch"), SWITCHES, ids=name_of)
def test_every_option_can_be_displayed_with_its_default(game: Any, switch: Option[Any]) -> None:
    [described] = [
        each
        for section in rules_form.game_view(game, TEXTS)["sections"]
        for each in section["switches"]
        if each["key"] == switch.key
    ]
    assert described["domain"]["type"] in {"choice", "number", "ranks", "titles", "points", "several", "steps"}
    assert described["id"]
    assert described["sentence"]
    assert described["example"]
    assert switch.domain.expected_if_invalid(described["default"]) is None
    assert rules_form.value_label(switch, described["default"], TEXTS)


@for_each(("game", "switch"), SWITCHES, ids=name_of)
def test_form_texts_are_parsed_back_to_option_values(game: Any, switch: Option[Any]) -> None:
    match switch.domain:
        case Choice(labels):
            values = {("null" if v is None else str(v).lower() if isinstance(v, bool) else str(v)): v for v in labels}
        case Number(low, high):
            values = {str(low): low, str(high): high}
        case NumberOrNone(low, high):
            values = {str(low): low, str(high): high, "null": None}
        case Ranks(of=of):
            values = {"-": "", of[0]: of[0]}
        case Titles(labels, places):
            own = [f"Nr {n}" for n in range(len(places))]
            values = {next(iter(labels)): next(iter(labels)), "\n".join(own): own}
        case Points(labels, places):
            values = {next(iter(labels)): next(iter(labels)), "\n".join("12345"): [*range(1, len(places) + 1)]}
        case MultiChoice(labels):
            values = {"-": [], ", ".join(labels): list(labels)}
        case MultiplierSteps():
            values = {"10 2\n13: 3": [[10, 2], [13, 3]]}
    for text, value in values.items():
        assert rules_form.parse_options(game, {switch.key: text}) == {switch.key: value}
        assert switch.domain.expected_if_invalid(value) is None
        assert rules_form.value_label(switch, value, TEXTS)


@for_each(
    ("game", "name", "keys"),
    [
        ("president", "8-giri", ["ending_ranks"]),
        ("president", "8切り", ["ending_ranks"]),
        ("president", "11-back", ["back_ranks"]),
        ("president", "Jバック", ["back_ranks"]),
        ("president", "7渡し", ["giving_ranks", "power_choice"]),
        ("president", "10捨て", ["discarding_ranks", "power_choice"]),
        ("president", "5飛ばし", ["skipping_ranks"]),
        ("president", "9リバース", ["reversing_ranks"]),
        ("president", "12ボンバー", ["bombing_ranks"]),
        ("president", "shibari", ["suit_lock", "number_lock"]),
        ("president", "片縛り", ["suit_lock"]),
        ("president", "kinshi agari", ["no_finish"]),
        ("president", "反則", ["foul", "no_finish"]),
        ("president", "miyako-ochi", ["throw_in"]),
        ("president", "革命", ["four_of_a_kind", "run_revolution"]),
        ("president", "階段", ["powers_in", *RUNS]),
        ("president", "スペ3", ["spade_three"]),
        ("president", "permanent pass", ["passing"]),
        ("president", "カード交換", ["exchange"]),
        ("president", "進貢", ["exchange"]),
        ("president", "席替え", ["seating"]),
        ("president", "有大必出", ["must_beat"]),
        ("ceausescu", "tribute", ["exchange"]),
        ("big_two", "同花顺", ["straight_flush"]),
        ("big_two", "一條龍", ["dragon"]),
        ("big_two", "金剛", ["quads_over", "quads"]),
        ("big_two", "頂大", ["last_card_defence"]),
        ("big_two", "花色大小", ["suit_order"]),
        ("chase_the_ace", "lives", ["dimes"]),
        ("tien_len", "tới trắng", ["instant_wins", "instant_points"]),
        ("tien_len", "đôi thông", ["pair_runs", "triple_chop"]),
        ("pao_de_kuai", "有大必出", ["must_beat"]),
        ("pao_de_kuai", "放走包赔", ["last_card_duty"]),
        ("pao_de_kuai", "春天", ["spring"]),
    ],
)
def test_an_option_can_be_found_by_its_other_names(game: str, name: str, keys: list[str]) -> None:
    sections = rules_form.game_view(GAMES[game], TEXTS)["sections"]
    found = [one["key"] for each in sections for one in each["switches"] if name in one["also"]]
    assert sorted(found) == sorted(keys)


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("大富豪", {("president", "classic"), ("president", "daifugo"), ("president", "tycoon")}),
        ("Daihinmin", {("president", "daifugo"), ("president", "tycoon"), ("president", "uecda")}),
        ("Asshole", {("president", "classic")}),
        ("Persona", {("president", "tycoon")}),
        ("大老二", {("big_two", "pagat"), ("big_two", "taiwan"), ("big_two", "singapore")}),
        ("Chikicha", {("big_two", "pusoy_dos")}),
        ("Cho Dai Di", {("big_two", "pagat")}),
        ("Ranter", {("chase_the_ace", "classic")}),
        ("Thirteen", {("tien_len", "southern")}),
        ("Killer", {("tien_len", "southern"), ("tien_len", "american")}),
        ("Tiến lên miền Bắc", {("tien_len", "northern")}),
        ("Run Fast", {("pao_de_kuai", key) for key in ("sixteen", "fifteen", "four_players")}),
        ("跑得快", {("pao_de_kuai", key) for key in ("sixteen", "fifteen", "four_players")}),
    ],
)
def test_a_game_can_be_found_by_its_other_names(name: str, ways: set[tuple[str, str]]) -> None:
    found = set[tuple[str, str]]()
    for game in rules_form.game_catalogue(TEXTS):
        for place, preset in enumerate(game["presets"]):
            if name in preset["also"] or (place == 0 and name in game["also"]):
                found.add((game["key"], preset["key"]))
    assert found == ways


def test_the_form_reader_keeps_invalid_values_for_the_error_message() -> None:
    game = GAMES["chase_the_ace"]
    assert rules_form.parse_options(game, {"preset": "classic", "dimes": "many", "wings": "2"}) == {
        "preset": "classic",
        "dimes": "many",
        "wings": "2",
    }


def test_no_option_or_game_is_named_in_the_web_package() -> None:
    """A new option or game must need no change in this package."""
    keys = {switch.key for _, switch in SWITCHES if "_" in switch.key} | set(GAMES)  # single words are ambiguous
    for path in WEB.rglob("*.py"):
        text = re.sub(r'"""(?:.|\n)*?"""', "", path.read_text(encoding="utf-8"))
        named = {word for word in re.findall(r"[\"']([a-z_]+)[\"']", text) if word in keys}
        assert not named, f"{path.name} names {named}"


def test_short_rules_and_sources_are_wholly_in_the_language_of_the_page() -> None:
    president, japanese = GAMES["president"], Catalogues().for_language("ja")
    options = {"jokers": 2, "joker_role": "rank", "scoring": [30, 20, 10, 5, 0]}
    chosen = president.option_schema.resolve_options(options, already_accepted=True)
    sentences = rules_form.short_rules_view(president, chosen, japanese)["sentences"]
    assert "弱い順に3–10、J、Q、K、A、2、ジョーカーです。" in sentences
    assert any("30、20、10、5、0" in each for each in sentences)
    view = rules_form.game_view(president, japanese)
    switches = [switch for section in view["sections"] for switch in section["switches"]]
    assert {"ハウスルール", "pagat.com"} < {each["source"] for each in (*view["presets"], *switches)}


async def test_rules_show_the_source_of_their_game_if_it_has_one(ana: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["chase_the_ace"]
    for source, shown in (("pagat.com", 7), ("", 0)):
        monkeypatch.setattr(type(game), "option_schema", replace(game.option_schema, source=source))
        page = (await ana.http.get(f"/rules/{game.key}", headers={"Accept": "text/html"})).text
        assert (page.count("Source: pagat.com"), page.count("Source:")) == (shown, shown)


def test_the_form_finds_rules_in_the_language_of_the_page_and_in_english() -> None:
    catalogues = Catalogues()
    english, german = (
        {
            each["name"]: each["also"]
            for game in rules_form.game_catalogue(texts)
            for each in (*game["presets"], *(switch for section in game["sections"] for switch in section["switches"]))
        }
        for texts in (catalogues.english, catalogues.for_language("de"))
    )
    assert "Rank order" in german["Rangfolge"]
    assert "ace high" in german["Rangfolge"]
    assert "Rank order" not in english["Rank order"]
