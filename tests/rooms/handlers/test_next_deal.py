"""Test that a person can replace a bot in a full room, at once in the waiting room and else with the next deal."""

from typing import Any

from app.rooms.model import commands as ask
from app.rooms.views import room_view
from tests.rooms.world import World

FULL: dict[str, Any] = {"game": "big_two", "bots": ("easy", "easy")}


def full(*, started: bool = True) -> World:
    """Return a game of Big Two with Ana, Bob and two bots, which Eve wants to join."""
    world = World(**FULL).join("Bob")
    if started:
        world.ok("Ana", ask.Start)
    return world.join("Eve")


def bots(world: World) -> list[str]:
    return [name for name, member in world.room.members.items() if member.bot]


def chairs(world: World) -> dict[str, Any]:
    found: dict[str, Any] = room_view.build_room(world.room)["seat_plan"]
    return found


def next_hand(world: World) -> None:
    world.play()
    assert world.room.phase == "between_hands"
    world.ok("Ana", ask.DealNext)


def test_a_waiting_player_can_take_the_seat_of_a_bot_at_the_next_deal() -> None:
    world = full()
    one, other = bots(world)
    assert chairs(world) == {"free": 0, "bots": [one, other], "joining": []}
    world.ok("Eve", ask.TakeBotSeat, name=one)
    assert world.person("Eve")["takes_seat_of"] == one
    assert chairs(world) == {"free": 0, "bots": [other], "joining": ["Eve"]}
    assert "cards" not in room_view.build_you(world.room, "eve")  # in the current hand the bot plays on
    next_hand(world)
    assert sorted(world.room.seated_names()) == sorted(["Ana", "Bob", "Eve", other])
    assert one not in world.room.members
    assert world.person("Eve")["takes_seat_of"] is None
    assert world.restarted() == world.room


def test_a_bot_keeps_its_seat_if_the_player_taking_it_is_gone() -> None:
    for change in (ask.PersonDisconnected("eve"), ask.Watch("eve", "w"), ask.Leave("eve", "l")):
        world = full()
        one = bots(world)[0]
        world.ok("Eve", ask.TakeBotSeat, name=one)
        world.tell(change)
        assert one in chairs(world)["bots"]
        next_hand(world)
        assert one in world.room.seated_names()


def test_a_player_who_chose_a_bot_seat_comes_before_other_waiting_players() -> None:
    world = full().join("Fay")
    one = bots(world)[0]
    world.ok("Fay", ask.TakeBotSeat, name=one)
    assert chairs(world)["joining"] == ["Fay"]
    next_hand(world)
    assert "Fay" in world.room.seated_names()
    assert world.person("Eve")["role"] == "waiting"


def test_in_the_waiting_room_a_player_replaces_a_bot_at_once() -> None:
    world = full(started=False)
    assert world.person("Eve")["role"] == "waiting"
    one = bots(world)[0]
    world.ok("Eve", ask.TakeBotSeat, name=one)
    assert world.person("Eve")["role"] == "seated"
    assert one not in world.room.members


def test_a_spectator_can_take_the_seat_of_a_bot() -> None:
    world = full()
    world.ok("Eve", ask.Watch)
    one = bots(world)[0]
    world.ok("Eve", ask.TakeBotSeat, name=one)
    next_hand(world)
    assert "Eve" in world.room.seated_names()


def test_only_a_bot_seat_can_be_taken_and_only_by_a_single_player() -> None:
    world = full().join("Fay")
    one = bots(world)[0]
    assert world.refused("Eve", ask.TakeBotSeat, name="Bob") == "no_such_name"
    assert world.refused("Eve", ask.TakeBotSeat, name="Nobody") == "no_such_name"
    assert world.refused("Bob", ask.TakeBotSeat, name=one) == "not_now"
    world.ok("Eve", ask.TakeBotSeat, name=one)
    assert world.refused("Fay", ask.TakeBotSeat, name=one) == "not_now"
    world.ok("Ana", ask.RemoveBot, name=bots(world)[1])
    assert world.refused("Fay", ask.TakeBotSeat, name=bots(world)[1]) == "not_now"
