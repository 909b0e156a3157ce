"""Test that the room gives each player a lasting colour."""

from typing import Any

from app.rooms.log import snapshots
from app.rooms.model import commands as ask
from app.rooms.people.avatars import COLOURS
from app.rooms.ports.storage import LoadedLog
from app.rooms.views import room_view
from tests.rooms.world import World, through_json


def hues(world: World) -> dict[str, Any]:
    return dict(room_view.build_room(world.room)["hues"])


def test_the_first_eight_players_have_different_colours_and_later_players_share() -> None:
    world = World().join(*(f"P{n}" for n in range(8)))
    given = list(hues(world).values())
    assert set(given[:8]) == set(range(8))
    assert hues(world.join("Tenth"))["Tenth"] != given[8]  # which two players have by now


def test_a_player_keeps_their_colour_after_leaving_rejoining_and_a_match() -> None:
    world = World().join("Bob", "Cat")
    before = hues(world)
    world.ok("Bob", ask.Leave)
    world.join("Dan")
    assert hues(world)["Dan"] not in before.values()
    assert hues(world.join("Bob"))["Bob"] == before["Bob"]
    world.ok("Ana", ask.Start)
    world.play()
    assert {name: hues(world)[name] for name in before} == before
    assert hues(world)["Dan"] != before["Bob"]


def test_a_bot_added_again_has_the_same_colour() -> None:
    world = World().join("Bob")
    world.ok("Ana", ask.AddBot, kind="easy", name="Biddy")
    before = hues(world)
    assert len(set(before.values())) == 3
    world.ok("Ana", ask.Remove, name="Biddy")
    world.join("Cat")
    world.ok("Ana", ask.AddBot, kind="easy", name="Biddy")
    assert hues(world)["Biddy"] == before["Biddy"]


def test_a_chosen_colour_replaces_the_given_colour_until_it_is_cleared() -> None:
    world = World().join("Bob")
    world.ok("Bob", ask.Introduce, name=None, bird=None, colour=COLOURS[6])
    assert hues(world)["Bob"] == 6
    others = {name: hue for name, hue in hues(world).items() if name != "Bob"}
    world.ok("Bob", ask.Introduce, name=None, bird=None, colour=None)
    assert hues(world) == {**others, "Bob": 1}, "the given colour was kept"


def test_the_event_log_and_the_snapshot_restore_the_same_colours() -> None:
    world = World().join("Bob", "Cat")
    world.ok("Ana", ask.Start)
    world.play()
    expected = hues(world)
    from_log = snapshots.load_room(LoadedLog(None, tuple(world.entries)))
    kept = snapshots.room_from_json(through_json(snapshots.room_to_json(world.room)), world.room.seq)
    assert room_view.build_room(from_log)["hues"] == room_view.build_room(kept)["hues"] == expected
