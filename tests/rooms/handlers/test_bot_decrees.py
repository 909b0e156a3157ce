"""Test the decrees and answers of bots: by level, rare, and the same on every node."""

import pytest

from app.bots import LEVELS
from app.engine.cards.action_codec import MAX_DECREE_LENGTH
from app.rooms.model import commands as ask
from tests.rooms.world import World


def said(world: World) -> list[tuple[str, dict[str, str]]]:
    """Return the decrees and answers with their authors."""
    acted = (entry.data for entry in world.entries if entry.kind == "acted")
    return [(each["by"], each["action"]) for each in acted if each["action"]["do"] in {"decree", "obey", "defy"}]


def evening(*bots: str, hands: int = 16, **settings: object) -> World:
    return World(bots=bots, **settings).evening(hands)


@pytest.mark.parametrize("kind", LEVELS)
def test_a_bot_in_first_place_sometimes_issues_a_decree_of_its_level(kind: str) -> None:
    level, world = LEVELS[kind], evening(kind, kind, kind, kind, options={"preset": "bga", "floor": None})
    decrees = [(by, action) for by, action in said(world) if action["do"] == "decree"]
    assert 0 < len(decrees) < 16 / 2, "not at every hand"
    assert {action["text"] for _, action in decrees} <= {*level.decrees}
    assert all(("to" in action) != level.decrees_for_all for _, action in decrees)
    answers = [action["do"] for _, action in said(world) if action["do"] != "decree"]
    assert len(answers) == len(decrees) * (3 if level.decrees_for_all else 1), "each who heard it has answered"
    assert not world.run.match.unanswered
    assert world.restarted() == world.room


def test_bot_levels_share_no_decree_texts() -> None:
    every = [text for level in LEVELS.values() for text in level.decrees]
    assert len({*every}) == len(every)
    assert max(map(len, every)) <= MAX_DECREE_LENGTH


def test_easy_bots_never_defy_a_decree_and_harder_bots_defy_more_often() -> None:
    defied = {}
    for kind in LEVELS:
        world = World(game="ceausescu", bots=(kind,) * 3, seed=4)
        world.ok("Ana", ask.Start)
        world.play()
        while world.run.match.hierarchy[0] != "Ana":
            world.ok("Ana", ask.DealNext)
            world.play()
        for number in range(12):
            world.ok("Ana", ask.Act, action={"do": "decree", "text": f"Sing verse {number}"})
        answers = [action["do"] for by, action in said(world) if action["do"] != "decree"][-36:]
        assert len(answers) == 36
        defied[kind] = answers.count("defy")
    assert defied["easy"] == 0 < defied["medium"] < defied["hard"] < 36


def test_a_player_with_an_unanswered_decree_gets_no_second_decree() -> None:
    world = World(game="ceausescu", bots=("easy", "easy"))
    world.ok("Ana", ask.Start)
    for _ in range(24):
        world.play()
        world.ok("Ana", ask.DealNext)
    decreed = [by for by, action in said(world) if action["do"] == "decree"]
    assert len(decreed) == 1, "Ana has left it at that"
    assert "Ana" not in decreed
