"""Test the reactions of bots: by level, to public events, rare, and the same on every node."""

from pathlib import Path
from typing import Any, get_args

import pytest

from app.bots import LEVELS
from app.engine.games import GAMES
from app.rooms.bots import reactions
from app.rooms.model.decision import Decision
from app.rooms.model.state import Room
from app.rooms.people.reactions import Reaction
from tests.rooms.world import World

SIGNS = "".join(Path("static/js/ui", name).read_text() for name in ("birds.js", "level_signs.js"))


class Watched(World):
    """A room that records the reactions of its bots."""

    def commit(self, outcome: Decision) -> None:
        """Commit as a room does, and record the reactions."""
        before = getattr(self, "room", Room())
        super().commit(outcome)
        seen: list[Any] = self.__dict__.setdefault("seen", [])
        seen.append(
            (
                before,
                self.room,
                outcome.game_events,
                reactions.choose_bot_reaction(before, self.room, outcome.game_events),
            )
        )


def evening(*bots: str, hands: int = 12, **settings: Any) -> Watched:
    return Watched(bots=bots, **settings).evening(hands)


@pytest.mark.parametrize("kind", LEVELS)
def test_every_reaction_and_sign_of_a_bot_level_exists(kind: str) -> None:
    assert {*LEVELS[kind].reactions.values()} <= {*get_args(Reaction)}
    assert f"\n  {LEVELS[kind].sign}: () =>" in SIGNS, "the page draws its head"


def test_bot_levels_differ_in_sign_and_reactions() -> None:
    assert len({level.sign for level in LEVELS.values()}) == len(LEVELS)
    assert len({str(level.reactions) for level in LEVELS.values()}) == len(LEVELS)


@pytest.mark.parametrize("game", GAMES)
def test_bot_reactions_do_not_stop_a_hand_from_ending(game: str) -> None:
    world = evening("easy", "medium", "easy", game=game, hands=3)
    assert sum(room.match is not None and not room.match.is_hand_running for _, room, _, _ in world.seen) >= 3


def test_bots_show_the_reactions_of_their_level_at_most_once_a_hand() -> None:
    world = evening("easy", "medium", "easy", "medium", options={"preset": "bga", "floor": None}, hands=20)
    ended = weepers = 0
    for before, room, events, shown in world.seen:
        ends = before.match is not None and before.match.is_hand_running and not room.match.is_hand_running
        ended += ends
        if shown is None:
            continue
        name, reaction = shown
        level = LEVELS[room.members[name].bot]
        (occasion, *_) = (at for at, showing in level.reactions.items() if showing == reaction)
        assert ends or events, "nothing has happened"
        weepers += reaction == "tear"
        if occasion == "last" and reaction == "tear":
            assert ends
            assert room.match.last.standing[-1] == name
    shown = [shown for *_, shown in world.seen if shown is not None]
    assert len({reaction for _, reaction in shown}) > 2
    assert 0 < len(shown) <= ended, "not more than once in a hand, as it comes to"
    assert weepers, "an easy bot was last, and wept"


def test_every_node_chooses_the_same_bot_reaction() -> None:
    world = evening("easy", "medium", "medium", hands=4)
    for before, room, events, shown in world.seen:
        assert reactions.choose_bot_reaction(before, room, events) == shown


def test_players_and_random_bots_show_no_reactions() -> None:
    world = evening("random", "random", "random", hands=6)
    assert [shown for *_, shown in world.seen if shown is not None] == []
