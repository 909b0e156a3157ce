"""Test that the arena measures the bots and not the luck of the cards."""

import random
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec import json

from app.arena.duplicate_deals import BotComparison, DealResult, summarize_deals
from app.bots import BOTS, Action, View
from app.bots.simple import easy_bot, random_bot
from app.commands.arena import arena
from app.engine.games import GAMES
from tests.for_each import for_each

PROGRAM = f"{sys.executable} {Path(__file__).parent / 'first_listed.py'}"


def run(*asked: str) -> Result:
    return CliRunner().invoke(arena, [*asked])


def line_of(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.output.splitlines()[-1]


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_against_itself_wins_exactly_half_of_the_pairs(game: str) -> None:
    bout = BotComparison(GAMES[game], GAMES[game].option_schema.presets[0].key, {}, "easy", "again")
    played = [bout.play_deal(deal, {"easy": easy_bot.choose, "again": easy_bot.choose}) for deal in range(4)]
    assert summarize_deals(played).won == 0.5
    assert all(deal.pairs == 8 for deal in played), "two of each, in two turns of the table"


def test_a_better_bot_wins_more_pairs_with_a_narrower_interval_after_more_deals() -> None:
    bout = BotComparison(GAMES["president"], "pagat", {}, "easy", "random")
    bots = {"easy": easy_bot.choose, "random": random_bot.choose}
    few = summarize_deals([bout.play_deal(deal, bots) for deal in range(4)])
    more = summarize_deals([bout.play_deal(deal, bots) for deal in range(16)])
    assert more.won - more.within > 0.7
    assert more.within < few.within
    assert more.points_one > more.points_other
    assert 0 < more.points_within[0] < few.points_within[0]
    assert 0 < more.times_one[0] <= more.times_one[1]


def test_every_bot_gets_the_same_cards_in_each_rotation_of_the_seats() -> None:
    dealt = list[tuple[str, str]]()

    def looking(view: View, rng: random.Random) -> Action:
        if view["table"]["pile_count"] == 0 and not view["table"]["trick"]:
            dealt.append((view["you"]["name"], view["you"]["cards"]))
        return easy_bot.choose(view, rng)

    BotComparison(GAMES["big_two"], "pagat", {}, "one", "other").play_deal(3, {"one": looking, "other": looking})
    assert dealt[: len(dealt) // 2] == dealt[len(dealt) // 2 :], "the same person leads, with the same cards"


def test_cards_are_given_because_titles_exist_before_the_deal() -> None:
    gave = list[Action]()

    def giving(view: View, rng: random.Random) -> Action:
        action = easy_bot.choose(view, rng)
        gave.extend([action] if action["do"] == "give" else [])
        return action

    BotComparison(GAMES["ceausescu"], "classic", {}, "one", "other").play_deal(0, {"one": giving, "other": giving})
    assert gave


def test_a_bot_sees_only_the_events_of_its_own_seat_since_the_deal() -> None:
    heard = list[View]()

    def listening(view: View, rng: random.Random) -> Action:
        heard.append({**view, "told": list(view["told"])})
        return easy_bot.choose(view, rng)

    BotComparison(GAMES["ceausescu"], "classic", {}, "one", "other").play_deal(
        0, {"one": listening, "other": easy_bot.choose}
    )
    last = heard[-1]
    played = [event for event in last["told"] if event["e"] == "played"]
    assert played, "what was played before is told"
    for event in last["told"]:
        if event["e"] == "gave_cards":
            assert last["you"]["name"] in {event["by"], event["to"]}, "others' gifts are theirs to know"


def test_deals_already_in_the_file_are_not_played_again(tmp_path: Path) -> None:
    asked = ("--one", "easy", "--other", "random", "--game", "big_two", "--file", str(tmp_path / "deals.jsonl"))
    run(*asked, "--deals", "2")
    first = (tmp_path / "deals.jsonl").read_bytes()
    (tmp_path / "deals.jsonl").write_bytes(first + b'{"key": "cut of')
    on = line_of(run(*asked, "--deals", "3"))
    there = (tmp_path / "deals.jsonl").read_bytes()
    assert there.startswith(first)
    assert [there.count(b'"deal":%d' % deal) for deal in range(3)] == [1, 1, 1]
    assert on.split("%")[0] == line_of(run(*asked[:-2], "--deals", "3")).split("%")[0], "as if played in one go"


def test_a_file_that_holds_no_deals_is_refused(tmp_path: Path) -> None:
    (tmp_path / "deals.jsonl").write_text('{"key": 3}')
    found = run("--game", "big_two", "--deals", "1", "--file", str(tmp_path / "deals.jsonl"))
    assert "not a result of the arena" in found.output


def test_any_preset_or_option_can_be_chosen() -> None:
    assert "president bga passing=free" in line_of(
        run("--game", "president", "--preset", "bga", "--option", "passing=free", "--deals", "1")
    )
    assert "big_two random" in line_of(run("--game", "big_two", "--random-options", "--deals", "3"))
    every = run("--game", "big_two", "--preset", "all", "--deals", "1").output
    assert all(f"big_two {preset.key}" in every for preset in GAMES["big_two"].option_schema.presets)


def test_in_one_against_three_points_balance_and_an_option_may_be_an_empty_list() -> None:
    rules = ("--game", "big_two", "--option", "doubling=[]", "--option", "settlement=winner_only")
    found = line_of(run("--one", "random", "--other", "easy", *rules, "--table", "abbb", "--deals", "8"))
    assert found.startswith("big_two pagat doubling=[] settleme")
    one, other = (float(each.split("±")[0]) for each in found.split("%")[1].split(":")[:2])
    assert one == pytest.approx(-3 * other, abs=0.03), "a card that somebody has left, the winner gets"
    assert one < -1


def test_an_external_bot_plays_over_json_lines() -> None:
    found = line_of(
        run("--one", "external", "--external", PROGRAM, "--other", "easy", "--game", "big_two", "--deals", "12")
    )
    assert "external : easy" in found
    assert float(found.split("±")[0].split()[-1]) < 50, "who always does what is listed first does not play well"


def test_an_external_bot_gets_events_with_cards_as_text() -> None:
    found = line_of(run("--one", "external", "--external", PROGRAM, "--game", "chase_the_ace", "--deals", "1"))
    assert "external : random" in found


@for_each(
    ("asked", "told"),
    [
        (("--external", "true", "--one", "external"), "it should read a line for each turn"),
        (("--external", "echo pass", "--one", "external"), 'an action is wanted, such as {"do": "pass"}'),
        (("--one", "external"), "The bot “external” needs --external with the command to run."),
        (("--option", "passing"), "an option is KEY=VALUE"),
        (("--switch", "passing=free"), "--switch is now --option."),
        (("--random-switches",), "--random-switches is now --random-options."),
        (("--worlds", "4"), "--worlds is now --samples."),
        (("--option", "passing=never"), "passing"),
        (("--preset", "bridge"), "No selected game has this preset."),
        (("--table", "abc"), "a table has a's and b's"),
    ],
)
def test_invalid_arguments_are_refused_with_a_reason(asked: tuple[str, ...], told: str) -> None:
    result = run("--game", "president", "--deals", "1", *asked)
    assert result.exit_code != 0
    assert told in result.stderr


def test_every_kind_of_bot_can_be_measured() -> None:
    assert "--one" in run("--help").output
    assert all(kind in run("--help").output for kind in BOTS)


def test_a_deal_is_read_back_from_a_file_unchanged() -> None:
    played = BotComparison(GAMES["ceausescu"], "classic", {}, "easy", "random").play_deal(0, BOTS)
    assert played.times_one
    assert json.decode(json.encode(played), type=DealResult) == played
