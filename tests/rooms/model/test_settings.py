"""Test that a change of a room's settings is stored in short, and that the logs of older versions are read."""

from random import Random

from app.arena.random_rules import random_options
from app.engine.games import GAMES
from app.rooms import events
from app.rooms.log.reducer import apply_event
from app.rooms.model import commands as ask
from app.rooms.model.settings import RoomSettings
from app.rooms.money.stake import StakeChange
from tests.rooms.world import World, through_json


def test_a_change_of_settings_stores_the_changed_settings_only() -> None:
    world = World(options={"preset": "pagat"})
    for fields, changes in (
        ({"options": {"jokers": 2}}, {"options": {"jokers": 2}}),
        ({"clock": {"turn": 30}}, {"clock": {"turn": 30}}),
        ({"stake": StakeChange(5, "sips")}, {"stake": {"amount": 5, "unit": "sips"}}),
        ({"stake": None}, {"stake": None}),
    ):
        world.ok("Ana", ask.Configure, **fields)
        assert (world.entries[-1].kind, world.entries[-1].data["settings"]) == ("settings_changed", changes)
    world.ok("Ana", ask.AllowChat, allowed=False)
    assert world.entries[-1].data["settings"] == {"chat": False}


def test_a_new_room_plays_the_first_preset_and_options_without_a_preset_the_basic_game() -> None:
    first, basic = "classic", "pagat"
    assert RoomSettings.parse({}).options.preset == first
    assert RoomSettings.parse({"options": {"jokers": 2}}).options.preset == basic
    assert RoomSettings.parse({}, already_accepted=True).options.preset == basic, "a stored room keeps its rules"
    assert RoomSettings.parse({"game": "big_two"}).with_changes("president").options.preset == first


def test_stored_changes_lead_from_any_settings_to_any_others() -> None:
    rng, before = Random(1), RoomSettings.parse({})
    for number in range(60):
        game = rng.choice(list(GAMES))
        after = before.with_changes(
            game, random_options(GAMES[game], rng).to_json(), pace=rng.choice(("slow", "fast"))
        ).replace(locked=number % 2 == 0, turn=rng.choice((None, 30)), stake=None)
        assert before.with_stored_changes(through_json(after.changes_since(before))) == after
        before = after


def test_an_entry_of_an_older_version_with_all_settings_replaces_the_settings() -> None:
    world = World()
    settings = world.room.settings.with_changes(options={"jokers": 2}).replace(locked=True)
    entry = events.decode("configured", through_json({"settings": settings.to_json()}))
    assert apply_event(world.room, entry, 0)[0].settings == settings
