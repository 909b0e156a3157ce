"""The room gives each player one colour, which stays."""

from typing import Any

from app.rooms.log import snapshots
from app.rooms.model import commands as ask
from app.rooms.people.avatars import COLOURS
from app.rooms.ports.storage import Loaded
from app.rooms.views import room_view
from tests.rooms.world import World, through_json


def hues(world: World) -> dict[str, Any]:
    return dict(room_view.room(world.room)["hues"])


def test_everybody_has_another_colour_and_the_ninth_repeats_one() -> None:
    world = World().join(*(f"P{n}" for n in range(8)))
    given = list(hues(world).values())
    assert set(given[:8]) == set(range(8))
    assert hues(world.join("Tenth"))["Tenth"] != given[8]  # which two players have by now


def test_a_player_keeps_the_colour_through_a_match_a_new_name_and_an_absence() -> None:
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


def test_a_bot_has_a_colour_and_has_it_again() -> None:
    world = World().join("Bob")
    world.ok("Ana", ask.AddBot, kind="greedy", name="Biddy")
    before = hues(world)
    assert len(set(before.values())) == 3
    world.ok("Ana", ask.Remove, name="Biddy")
    world.join("Cat")
    world.ok("Ana", ask.AddBot, kind="greedy", name="Biddy")
    assert hues(world)["Biddy"] == before["Biddy"]


def test_a_chosen_colour_is_the_colour() -> None:
    world = World().join("Bob")
    world.ok("Bob", ask.Introduce, name=None, bird=None, colour=COLOURS[6])
    assert hues(world)["Bob"] == 6
    others = {name: hue for name, hue in hues(world).items() if name != "Bob"}
    world.ok("Bob", ask.Introduce, name=None, bird=None, colour=None)
    assert hues(world) == {**others, "Bob": 1}, "the given colour was kept"


def test_a_room_has_the_same_colours_from_its_log_and_from_its_snapshot() -> None:
    world = World().join("Bob", "Cat")
    world.ok("Ana", ask.Start)
    world.play()
    expected = hues(world)
    from_log = snapshots.from_log(Loaded(None, tuple(world.entries)))
    kept = snapshots.load(through_json(snapshots.save(world.room)), world.room.seq)
    assert room_view.room(from_log)["hues"] == room_view.room(kept)["hues"] == expected
