"""Test rooms that continue from a moment of a match or replay its deals, restored from their logs alone."""

import random
from typing import Any

import pytest

from app.engine.cards.action_codec import parse_action
from app.engine.games import GAMES
from app.rooms import events
from app.rooms.errors import RoomError
from app.rooms.handlers.dispatch import build_new_room
from app.rooms.log.reducer import apply_event
from app.rooms.model import commands as ask
from app.rooms.model.decision import Decision
from app.rooms.ports.addresses import Address
from app.rooms.ports.facts import HandEnded, MatchStarted
from app.rooms.recorded import positions, variations
from app.rooms.views import room_view
from tests.rooms.world import START, World, opened_by, playing, through_json


def record_of(world: World) -> dict[str, Any]:
    started = next(fact for fact in world.facts if isinstance(fact, MatchStarted))
    hands = [fact.record for fact in world.facts if isinstance(fact, HandEnded)]
    players = [name for _, name in started.players]
    head = {"format": "climbing-record/1", "game": started.game, "options": started.options, "players": players}
    return through_json({**head, "hands": hands})


def variation_of(
    kept: dict[str, Any], hand: int, move: int, chair: str, *, name: str = "Ana", friends: bool = False
) -> Decision:
    position = positions.load_position(kept, "the-match", hand, move)
    host = ask.Visitor(name.lower(), name)
    address = Address("CODE42", "invitation")
    return variations.build_variation_room(
        "a-room", address, host, chair, position, friends, START, random.Random(3).randbytes
    )


def resumed(
    kept: dict[str, Any], hand: int, move: int, chair: str, *, name: str = "Ana", friends: bool = False
) -> World:
    return opened_by(variation_of(kept, hand, move, chair, name=name, friends=friends), name.lower())


def played(hands: int = 2, **settings: Any) -> World:
    world = playing(**settings)
    for number in range(hands):
        if number:
            world.ok("Ana", ask.DealNext)
        world.play()
    return world


@pytest.mark.parametrize("game", GAMES)
def test_a_variation_continues_exactly_at_the_chosen_move(game: str) -> None:
    whole = played(game=game)
    kept = record_of(whole)
    number = len(kept["hands"]) - 1
    actions = kept["hands"][number]["actions"]
    for move in (0, len(actions) // 2, len(actions) - 1):
        world = resumed(kept, number, move, "Cat", name="Cat")
        run = world.run
        assert [name for name in run.match.seats if world.room.members[name].person] == ["Cat"]
        assert world.restarted() == world.room
        # The actions of the first match lead to the same result here.
        for action in actions[move:]:
            world.room, _ = apply_event(world.room, events.ActionTaken(action["by"], parse_action(action)), 0)
        assert world.run.match.last == whole.run.match.last


@pytest.mark.parametrize("friends", [False, True])
def test_the_host_of_a_variation_is_away_until_they_connect(friends: bool) -> None:
    outcome = variation_of(record_of(played()), 0, 2, "Cat", name="Cat", friends=friends)
    assert not outcome.room.members["Cat"].is_connected


def test_a_variation_does_not_count_towards_places_or_the_session() -> None:
    kept = record_of(played())
    world = resumed(kept, 1, 3, "Bob", name="Zoe")
    started = next(fact for fact in world.facts if isinstance(fact, MatchStarted))
    assert started.origin is not None
    assert (started.origin["how"], started.origin["hand"], started.origin["move"]) == ("variation", 1, 3)
    world.play()
    ended = next(fact for fact in world.facts if isinstance(fact, HandEnded))
    assert (ended.number, ended.counts) == (0, False)
    assert ended.record["fair"]["known"] == "variation"
    assert ended.record["actions"][:3] == kept["hands"][1]["actions"][:3]
    assert (world.room.ranks, world.room.evening) == (None, None)
    assert room_view.build_room(world.room)["known_cards"] == {
        "how": "variation",
        "hand": 1,
        "move": 3,
        "by": [],
        "players": None,
    }
    # The next hand is dealt at random, and the match still counts for nothing.
    world.ok("Zoe", ask.DealNext)
    assert world.run.hand.dealt is not None
    assert "known" not in world.run.hand.dealt.fair
    assert world.restarted() == world.room
    world.play()
    assert [fact.counts for fact in world.facts if isinstance(fact, HandEnded)] == [False, False]
    world.ok("Zoe", ask.Stop)
    world.ok("Zoe", ask.Rematch)
    assert [member.name for member in world.room.members.values() if member.person] == ["Zoe"]
    assert room_view.build_room(world.room)["known_cards"] is None
    # A variation of the variation starts at the position where that started.
    again = resumed({**record_of(world), "carried": through_json(started.carried)}, 0, 4, "Cat")
    assert again.run.hand_number == 0


def test_a_player_joining_a_variation_gets_a_seat_at_once() -> None:
    kept = record_of(played(1))
    world = resumed(kept, 0, 2, "Bob", name="Bob", friends=True)
    assert world.person("Cat")["bot"] is None
    assert set(room_view.build_room(world.room)["seat_plan"]["bots"]) == {"Ana", "Cat", "Dan"}
    world.ok("Cat", ask.Join, name="cat")
    assert world.room.members["Cat"].person == "cat"
    world.ok("Zoe", ask.Join, name="Zoe")
    assert world.refused("Zoe", ask.TakeBotSeat, name="Bob") == "not_now"
    world.ok("Zoe", ask.TakeBotSeat, name="Ana")
    assert "Zoe" not in world.names()
    assert (world.room.members["Ana"].person, world.room.members["Ana"].called) == ("zoe", "Zoe")
    assert room_view.build_you(world.room, "zoe")["cards"]
    assert world.restarted() == world.room
    # Dan's seat is free: after a while a bot plays.
    world.wait(variations.WAITS_FOR_FRIENDS + 1)
    assert world.person("Dan")["stand_in"] is not None
    world.ok("Dan", ask.Join, name="Dan")
    assert world.person("Dan")["stand_in"] is None


def test_a_variation_from_an_invalid_position_or_seat_is_refused() -> None:
    kept = record_of(played(1))
    count = len(kept["hands"][0]["actions"])
    for hand, move, chair in ((0, count, "Ana"), (0, count + 1, "Ana"), (7, 0, "Ana"), (0, 0, "Nobody")):
        with pytest.raises(RoomError):
            resumed(kept, hand, move, chair)


def deals_world(kept: dict[str, Any], **settings: Any) -> World:
    deals = positions.load_known_deals(kept, "the-match")
    deals = type(deals)(deals.match, ("ana",), deals.hands)
    made = variations.RoomSettings.parse({"game": kept["game"], "options": kept["options"], "bots_delay": 0})
    host = ask.Visitor("eve", "Eve")
    draw = random.Random(3).randbytes
    return opened_by(
        build_new_room("a-room", Address("CODE42", "invitation"), host, made, (), START, draw, deals), "eve"
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_repeated_match_deals_each_seat_the_same_cards(game: str) -> None:
    whole = played(game=game)
    kept = record_of(whole)
    world = deals_world(kept)
    assert world.refused("Eve", ask.Start) == "bad_player_count"
    assert world.refused("Eve", ask.Configure, options={}) == "not_now"
    world.join("Fay", "Ana", "Gus")
    assert room_view.build_room(world.room)["known_cards"] == {
        "how": "deals",
        "hand": 0,
        "move": 0,
        "by": ["Ana"],
        "players": 4,
    }
    world.ok("Eve", ask.Start)
    first = kept["hands"][0]["cards"]
    dealt = world.run.hand.dealt
    assert dealt is not None
    seats = next(fact for fact in whole.facts if isinstance(fact, MatchStarted)).players
    for (_, then), now in zip(seats, world.run.match.seats, strict=True):
        assert sorted(dealt.deal.cards[now]) == sorted(first[then].split())
    assert dealt.fair["known"] == "deals"
    assert world.restarted() == world.room
    world.play()
    ended = [fact for fact in world.facts if isinstance(fact, HandEnded)]
    assert [fact.counts for fact in ended] == [False]
    if not world.run.match.over:
        world.ok("Eve", ask.Stop)
    world.ok("Eve", ask.Rematch)
    assert room_view.build_room(world.room)["known_cards"] is None
    world.ok("Eve", ask.Start)
    assert world.run.origin is None
