"""Test the view of a bot: all that its seat has seen since the deal, in order, and no private events of others."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from app.engine.display.events import GameEvent
from app.engine.match import views
from app.rooms.model import commands as ask
from app.rooms.model.state import HandLog
from app.rooms.views import room_view
from tests.rooms.world import World, asked


def told(world: World, name: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in event.items() if key != "n"} for event in world_told(world, name)]


def world_told(world: World, name: str) -> Iterable[dict[str, Any]]:
    return room_view.build_bot_view(world.room, name)["told"]


@pytest.mark.parametrize("game", ["president", "ceausescu", "chase_the_ace"])
def test_a_bot_in_a_seat_gets_the_events_its_player_got_since_the_deal(game: str) -> None:
    world = World(game=game, bots=("easy",) * 3)
    happened = list[GameEvent]()
    seen = set[str]()
    for hand in range(3):
        began = world.ok("Ana", ask.DealNext if hand else ask.Start).game_events
        happened = [event for event in began if event.name != "match_started"]
        while world.room.phase == "playing":
            for name in world.room.seated_names():
                heard = views.visible_events(happened, name)
                assert told(world, name) == heard
                seen |= {event["e"] for event in heard}
            action = world.choose(world.to_act)
            happened += world.tell(act(world, action)).game_events
    assert seen & {"gave_cards", "got"}, "something was for some alone"
    assert "played" in seen or game == "chase_the_ace"


def act(world: World, action: dict[str, Any], by: str | None = None) -> ask.Command:
    name = by or world.to_act
    if name != "Ana":
        return ask.BotAct(name, world.room.turn, action)
    world.ids += 1
    return asked(world.room, ask.Act, "ana", f"c{world.ids}", action)


def test_private_events_are_cleared_between_hands() -> None:
    world = World(game="ceausescu", bots=("easy",) * 3)
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.DealNext)
    world.play(2)
    assert world.run.hand.whispers, "gifts were given"
    world.play()
    assert world.run.hand.whispers == ()


def test_only_seated_players_have_cards_and_actions() -> None:
    world = World(game="president", bots=("easy",) * 3)
    ana = world.room.members["Ana"]
    lobby = world.room
    assert room_view.build_turn(lobby, ana) == {"deadline": None, "reserve_from": None}
    assert room_view.build_extra_you(lobby, ana) == room_view.build_own_match_view(lobby, ana) == {}
    assert room_view.preview_cards(lobby, ana.person, ())[0] == []
    assert room_view.preview_plays(lobby, ana.person, 0) == {"previews": [], "next": None}
    world.ok("Ana", ask.Start)
    while world.to_act != "Ana":
        world.tell(act(world, world.choose(world.to_act)))
    seated = room_view.build_turn(world.room, ana)
    assert room_view.preview_plays(world.room, ana.person, 0)["previews"]
    assert seated["cards"] == " ".join(world.run.match.current_hand.cards["Ana"])
    assert (
        room_view.build_extra_you(world.room, ana)["off_turn"]
        == room_view.build_own_match_view(world.room, ana)["off_turn"]
    )
    # The name has cards in the hand, but its present owner may not see them.
    for role in ("spectator", "waiting"):
        other = replace(ana, role=role)
        room = world.room.with_member(other)
        assert room_view.build_turn(room, other).keys() == {"deadline", "reserve_from"}
        assert room_view.build_extra_you(room, other) == room_view.build_own_match_view(room, other) == {}
        assert room_view.preview_plays(room, other.person, 0) == {"previews": [], "next": None}
    assert room_view.preview_cards(world.room, "a stranger", ())[0] == []
    assert room_view.preview_plays(world.room, "a stranger", 0) == {"previews": [], "next": None}


def test_the_deck_can_be_cut_once() -> None:
    world = World(game="ceausescu", bots=("easy",) * 3)
    world.ok("Ana", ask.Start)
    world.play()

    def may(name: str) -> list[str]:
        return [action["do"] for action in room_view.build_extra_you(world.room, world.room.members[name])["off_turn"]]

    (name,) = (name for name in world.room.seated_names() if "cut" in may(name))
    others = {each: [do for do in may(each) if do != "cut"] for each in world.room.seated_names()}
    assert any(others.values())
    world.tell(act(world, {"do": "cut", "at": 7}, name))
    assert world.room.chance.cut == 7
    assert {each: may(each) for each in world.room.seated_names()} == others


def test_a_seat_says_whether_its_player_is_the_host() -> None:
    world = World(game="president", bots=("easy",) * 3)
    assert {name: room_view.build_seat(world.room, name)["host"] for name in world.room.seated_names()} == {
        name: name == "Ana" for name in world.room.seated_names()
    }


def test_the_bot_view_has_the_cards_originally_dealt_to_the_seat() -> None:
    world = World(game="chase_the_ace", bots=("easy",) * 3)
    assert room_view.build_bot_view(world.room, "Ana")["dealt"] == ""
    world.ok("Ana", ask.Start)
    for name, cards in world.run.match.current_hand.cards.items():
        assert room_view.build_bot_view(world.room, name)["dealt"] == " ".join(cards)
    # A hand of an old log that can no longer be played is dropped.
    given_up = world.room.replace(run=world.run.replace(hand=HandLog()))
    assert room_view.build_bot_view(given_up, "Ana")["dealt"] == ""
