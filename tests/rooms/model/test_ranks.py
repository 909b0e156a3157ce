"""Test that titles are carried over to the next match, as the host chooses."""

from typing import Any

import pytest

from app.engine.games import GAMES
from app.engine.match.record import replay_record
from app.rooms.model import commands as ask
from app.rooms.ports.facts import HandEnded, MatchStarted
from app.rooms.views import room_view
from tests.rooms.world import World, four


def ruled(world: World) -> tuple[str, ...]:
    """Play one hand, end the match, and return the hierarchy."""
    world.ok("Ana", ask.Start)
    world.play()
    ranks = world.run.match.hierarchy
    assert len(ranks) == 4
    world.ok("Ana", ask.Stop)
    return ranks


def carried(world: World) -> tuple[str, ...]:
    """Return the hierarchy at the first deal of the next match."""
    world.ok("Ana", ask.Start)
    assert world.run.match.dealt == 1
    world.restarted()
    return world.run.match.hierarchy


@pytest.mark.parametrize("rematch", [True, False])
def test_the_hierarchy_of_a_match_carries_over_to_the_next(rematch: bool) -> None:
    world = four(options={"preset": "pagat"})
    ranks = ruled(world)
    if rematch:
        world.ok("Ana", ask.Rematch)
    society = room_view.build_room(world.room)["carried_titles"]
    assert tuple(society) == ranks
    assert society[ranks[0]] == {"place": 1, "title": "President"}
    assert carried(world) == ranks
    assert room_view.build_room(world.room)["carried_titles"] == {}
    assert (world.run.match.phase, world.run.match.seats, world.run.match.dealer) == ("exchange", ranks, ranks[-1])


def test_a_recorded_match_replays_with_the_places_carried_over_into_it() -> None:
    world = four()
    ranks = ruled(world)
    carried(world)
    world.play()
    began = [fact for fact in world.facts if isinstance(fact, MatchStarted)][-1]
    ended = [fact for fact in world.facts if isinstance(fact, HandEnded)][-1]
    assert ended.record["ranks"] == list(ranks)
    told = replay_record(
        {
            "format": "climbing-record/1",
            "game": began.game,
            "options": began.options,
            "players": [name for _, name in began.players],
            "hands": [ended.record],
        },
        GAMES,
    )
    assert told["ok"]
    assert [{**told["hands"][0]}] == [ended.result]


def test_a_newcomer_is_last_and_players_below_a_departed_player_move_up() -> None:
    world = four()
    ranks = ruled(world)
    gone = next(name for name in ranks if name != "Ana")
    world.ok(gone, ask.Leave)
    world.join("Eve")
    assert carried(world) == (*(name for name in ranks if name != gone), "Eve")


def test_a_renamed_player_keeps_their_place() -> None:
    world = four()
    ranks = ruled(world)
    world.ok("Ana", ask.Rematch)
    world.ok("Bob", ask.Join, name="Robert")
    assert carried(world) == tuple("Robert" if name == "Bob" else name for name in ranks)


def test_bots_keep_their_places_and_a_player_reusing_a_bot_name_starts_last() -> None:
    world = World(bots=("easy", "easy", "easy"))
    ranks = ruled(world)
    world.ok("Ana", ask.Rematch)
    bot = next(name for name in ranks if name != "Ana")
    world.ok("Ana", ask.RemoveBot, name=bot)
    world.ok("Eve", ask.Join, name=bot)
    assert world.room.members[bot].person == "eve"
    assert carried(world) == (*(name for name in ranks if name != bot), bot)


@pytest.mark.parametrize(
    ("lasting", "games", "lasts"),
    [
        ("game", ("president",), True),
        ("game", ("ceausescu",), False),
        ("game", ("big_two", "president"), True),
        ("always", ("ceausescu",), True),
        ("never", ("president",), False),
    ],
)
def test_the_host_chooses_the_matches_into_which_places_carry_over(
    lasting: str, games: tuple[str, ...], lasts: bool
) -> None:
    world = four()
    ranks = ruled(world)
    world.ok("Ana", ask.Configure, carry_titles=lasting)
    for game in games[:-1]:
        world.ok("Ana", ask.Configure, game=game)
        world.ok("Ana", ask.Start)
        assert world.run.match.hierarchy == ()
        world.play()
        world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Configure, game=games[-1])
    assert carried(world) == (ranks if lasts else ())


def test_a_stopped_hand_changes_no_places() -> None:
    world = four()
    ranks = ruled(world)
    world.ok("Ana", ask.Start)
    world.play(6)
    world.ok("Ana", ask.Stop)
    assert carried(world) == ranks


def test_an_unknown_value_for_the_ranks_setting_is_refused() -> None:
    world = four()
    assert world.refused("Ana", ask.Configure, carry_titles="sometimes") == "bad_setting"
    assert world.refused("Bob", ask.Configure, carry_titles="never") == "not_host"
    shown: dict[str, Any] = dict(room_view.build_room(world.room))
    assert shown["carry_titles"] == "game"
