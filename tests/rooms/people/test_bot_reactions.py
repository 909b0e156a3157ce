"""What bots show at a table: what their level does, at what everybody sees, seldom, and the same at every node."""

from pathlib import Path
from typing import Any, get_args

import pytest

from app.bots import LEVELS
from app.engine.games import GAMES
from app.rooms.bots import reactions
from app.rooms.model import commands as ask
from app.rooms.model.decision import Outcome
from app.rooms.model.state import Room
from app.rooms.people.reactions import Reaction
from tests.rooms.world import World

HEADS = Path("static/js/ui/bird_avatars.js").read_text()


class Watched(World):
    """A room of which is kept what its bots show."""

    def commit(self, outcome: Outcome) -> None:
        """As a room does, and look at its bots."""
        before = getattr(self, "room", Room())
        super().commit(outcome)
        seen: list[Any] = self.__dict__.setdefault("seen", [])
        seen.append((before, self.room, outcome.events, reactions.shown(before, self.room, outcome.events)))


def evening(*bots: str, hands: int = 12, **settings: Any) -> Watched:
    return Watched(bots=bots, **settings).evening(hands)


@pytest.mark.parametrize("kind", LEVELS)
def test_what_a_level_shows_is_there_to_be_shown(kind: str) -> None:
    assert {*LEVELS[kind].shows.values()} <= {*get_args(Reaction)}
    assert f"\n  {LEVELS[kind].sign}: () =>" in HEADS, "the page draws its head"


def test_no_two_levels_are_alike() -> None:
    assert len({level.sign for level in LEVELS.values()}) == len(LEVELS)
    assert len({str(level.shows) for level in LEVELS.values()}) == len(LEVELS)


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_of_any_game_ends_whatever_bots_show(game: str) -> None:
    world = evening("greedy", "steady", "greedy", game=game, hands=3)
    assert sum(room.match is not None and not room.match.running for _, room, _, _ in world.seen) >= 3


def test_bots_show_seldom_what_is_theirs_and_at_what_all_have_seen() -> None:
    world = evening("greedy", "steady", "greedy", "steady", options={"preset": "bga", "floor": None}, hands=20)
    ended = weepers = 0
    for before, room, events, shown in world.seen:
        ends = before.match is not None and before.match.running and not room.match.running
        ended += ends
        if shown is None:
            continue
        name, reaction = shown
        level = LEVELS[room.members[name].bot]
        (occasion, *_) = (at for at, showing in level.shows.items() if showing == reaction)
        assert ends or events, "nothing has happened"
        weepers += reaction == "tear"
        if occasion == "last" and reaction == "tear":
            assert ends
            assert room.match.last.standing[-1] == name
    shown = [shown for *_, shown in world.seen if shown is not None]
    assert len({reaction for _, reaction in shown}) > 2
    assert 0 < len(shown) <= ended, "not more than once in a hand, as it comes to"
    assert weepers, "an easy bot was last, and wept"


def test_every_node_finds_out_the_same() -> None:
    world = evening("greedy", "steady", "steady", hands=4)
    for before, room, events, shown in world.seen:
        assert reactions.shown(before, room, events) == shown


def test_who_has_no_level_shows_nothing() -> None:
    world = evening("random", "random", "random", hands=6)
    assert [shown for *_, shown in world.seen if shown is not None] == []
    assert world.person("Ana")["bird"] is None
    assert all(world.person(name)["bird"] is None for name in world.names())


def test_a_bot_has_the_head_of_its_level() -> None:
    world = World(bots=("greedy", "steady"))
    bots = [person for name in world.names() if (person := world.person(name))["bot"]]
    assert [person["bird"] for person in bots] == [LEVELS[person["bot"]].sign for person in bots]
    world.ok("Ana", ask.SetBot, name=bots[0]["name"], kind="steady")
    assert world.person(bots[0]["name"])["bird"] == LEVELS["steady"].sign
