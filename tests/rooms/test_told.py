"""What a bot is told: what its seat was told since the deal, in order, and nothing that only others were."""

from collections.abc import Iterable
from typing import Any

import pytest

from app.engine import views
from app.engine.events import Event
from app.rooms import commands as ask
from app.rooms import pictures
from tests.rooms.world import World


def told(world: World, name: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in event.items() if key != "n"} for event in world_told(world, name)]


def world_told(world: World, name: str) -> Iterable[dict[str, Any]]:
    return pictures.for_bot(world.room, name)["told"]


@pytest.mark.parametrize("game", ["president", "ceausescu", "chase_the_ace"])
def test_a_seat_is_told_what_its_person_was_since_the_deal(game: str) -> None:
    world = World(game=game, bots=("greedy",) * 3)
    happened = list[Event]()
    seen = set[str]()
    for hand in range(3):
        began = world.ok("Ana", ask.Next if hand else ask.Start).events
        happened = [event for event in began if event.name != "match_started"]
        while world.room.phase == "playing":
            for name in world.room.seated():
                heard = views.events_for(happened, name)
                assert told(world, name) == heard
                seen |= {event["e"] for event in heard}
            action = world.choose(world.to_act)
            happened += world.tell(act(world, action)).events
    assert seen & {"gave_cards", "got"}, "something was for some alone"
    assert "played" in seen or game == "chase_the_ace"


def act(world: World, action: dict[str, Any]) -> ask.Command:
    name = world.to_act
    if name != "Ana":
        return ask.BotAct(name, world.room.turn, action)
    world.ids += 1
    return ask.Act(by="ana", id=f"c{world.ids}", action=action)


def test_between_hands_nothing_is_kept_of_what_only_some_were_told() -> None:
    world = World(game="ceausescu", bots=("greedy",) * 3)
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.Next)
    world.play(2)
    assert world.run.hand.whispers, "gifts were given"
    world.play()
    assert world.run.hand.whispers == ()
