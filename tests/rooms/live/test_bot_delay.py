"""Test the speed of bots: set by the host, faster when people are out, and immediate on request."""

import pytest

from app.rooms.bots.delay import HURRIED_DELAY, MIN_DELAY_AFTER_DEAL
from app.rooms.log.deadlines import timer_requests
from app.rooms.model import commands as ask
from app.rooms.model.decision import AskBot
from app.rooms.model.settings import PACES, Pace
from app.rooms.views import room_view
from tests.rooms.world import World


def thinks(world: World) -> float:
    """Return the delay of the bot in turn."""
    return next(wish.delay for wish in timer_requests(world.room) if isinstance(wish, AskBot))


def hurry(world: World) -> str | None:
    said: str | None = room_view.build_room(world.room)["bots_speed"]
    return said


def with_bots(people: str = "") -> World:
    """Return a room with Ana, three bots and these people, at the turn of a bot."""
    world = World(bots=("easy", "easy", "easy"), bots_delay=0.8).join(*people.split())
    world.ok("Ana", ask.Start)
    act(world)
    while world.room.members[world.to_act].bot is None:
        act(world)
    return world


def act(world: World) -> None:
    """Act for the player in turn."""
    name = world.to_act
    if world.room.members[name].bot is None:
        world.ok(name, ask.Act, action=world.choose(name))
    else:
        world.tell(ask.BotAct(name, world.room.turn, world.choose(name)))


def with_ana_out() -> World:
    """Find a seed with a hand in which Ana is out and bots play on."""
    for seed in range(50):
        world = World(bots=("random", "random", "random"), bots_delay=0.8, seed=seed)
        world.ok("Ana", ask.Start)
        for _ in range(200):
            hand = world.run.match.hand
            if hand is None or not world.run.match.is_hand_running:
                break
            if not hand.cards["Ana"]:
                return world
            if world.to_act == "Ana":
                world.ok("Ana", ask.Act, action=world.choose("Ana"))
            else:
                asked = next(wish for wish in timer_requests(world.room) if isinstance(wish, AskBot))
                world.tell(ask.BotAct(asked.name, world.room.turn, world.choose(asked.name, "random")))
    raise AssertionError("she is never out before the others")


@pytest.mark.parametrize(("pace", "seconds"), PACES.items())
def test_the_host_can_change_the_pace_of_bots_during_a_hand(pace: Pace, seconds: float) -> None:
    world = with_bots()
    world.ok("Ana", ask.Configure, pace=pace)
    assert thinks(world) == seconds
    shown = room_view.build_room(world.room)
    assert (shown["pace"], shown["bots_delay"]) == (pace, seconds)
    assert world.restarted() == world.room


@pytest.mark.parametrize(("pace", "first"), [("slow", 2.0), ("fast", MIN_DELAY_AFTER_DEAL), ("at_once", 0)])
def test_only_the_first_bot_play_after_a_deal_has_a_minimum_delay(pace: Pace, first: float) -> None:
    world = World(bots=("easy", "easy", "easy"), bots_delay=PACES[pace], options={"preset": "pagat"})
    world.ok("Ana", ask.Start)
    assert world.room.members[world.to_act].bot
    assert thinks(world) == first
    act(world)
    assert thinks(world) == PACES[pace]


def test_a_custom_bot_delay_has_no_pace_name() -> None:
    world = with_bots("Bob")
    world.ok("Ana", ask.Configure, bots_delay=5)
    assert room_view.build_room(world.room)["pace"] is None
    assert world.refused("Bob", ask.Configure, pace="fast") == "not_host"


def test_bots_play_faster_when_no_person_has_cards_left() -> None:
    world = with_ana_out()
    assert (hurry(world), thinks(world)) == ("faster", HURRIED_DELAY)
    world.ok("Ana", ask.Configure, pace="at_once")
    assert thinks(world) == 0, "never slower than the host wants"


def test_a_player_without_cards_can_have_bots_finish_the_current_hand_at_once() -> None:
    world = with_ana_out()
    world.ok("Ana", ask.FinishHand)
    assert (hurry(world), thinks(world)) == ("at_once", 0)
    asked = world.room.seq
    world.ok("Ana", ask.FinishHand)
    assert world.room.seq == asked, "asked again, it is the same"
    world.bots()
    assert world.room.phase == "between_hands"
    world.ok("Ana", ask.DealNext)
    assert hurry(world) is None
    assert world.refused("Ana", ask.FinishHand) == "not_now"
    assert world.restarted() == world.room


def test_bots_do_not_hurry_while_a_person_has_cards_or_only_watches() -> None:
    world = with_bots("Bob")
    assert hurry(world) is None
    assert world.refused("Bob", ask.FinishHand) == "not_now"
    watched = with_ana_out().join("Eve")
    assert watched.refused("Eve", ask.FinishHand) == "not_now", "it is for those who played"
    watched.ok("Ana", ask.Watch)
    assert hurry(watched) is None, "a table of bots is watched at their pace"
