"""What a table agrees on: a pause, the same again, taking back what was just played."""

from collections.abc import Callable
from typing import Any

import pytest

from app.engine.cards.cards import show
from app.engine.match.match import Match
from app.rooms.bots.delay import TIME_TO_RUE
from app.rooms.log.deadlines import wishes
from app.rooms.model import commands as ask
from app.rooms.model.decision import AskBot, Schedule
from app.rooms.model.state import made_json, milliseconds
from app.rooms.ports.facts import HandEnded
from app.rooms.recorded.verify import unfair
from app.rooms.views import room_view
from tests.rooms.world import World, four, playing


def shown(world: World) -> dict[str, Any]:
    return dict(room_view.room(world.room))


def told(world: World, do: Callable[[], Any]) -> list[str]:
    """What happens meanwhile, by name."""
    return [event.name for event in do().events]


# A pause ------------------------------------------------------------------------------------------------------


def test_a_pause_is_agreed_on_by_all_who_are_here() -> None:
    world = playing(clock={"turn": 30})
    world.tell(ask.Absent("dan"))
    world.ok("Bob", ask.Propose, matter="rest")
    asks = shown(world)["motion"]
    assert (asks["matter"], asks["by"], asks["agreed"], asks["asked"]) == ("rest", "Bob", ["Bob"], ["Ana", "Cat"])
    assert shown(world)["rest"] is None
    world.ok("Cat", ask.Consent)
    assert world.room.run is not None
    assert world.run.rest is None
    world.ok("Ana", ask.Consent)
    assert (shown(world)["motion"], shown(world)["rest"]["by"]) == (None, "Bob")
    assert world.restarted() == world.room


def test_the_host_decides_on_a_pause_alone() -> None:
    world = playing()
    world.ok("Ana", ask.Propose, matter="rest")
    assert shown(world)["rest"] == {"by": "Ana", "since": milliseconds(world.now)}
    world.ok("Bob", ask.GoOn)
    world.ok("Bob", ask.Propose, matter="rest")
    assert shown(world)["rest"] is None
    world.ok("Ana", ask.Propose, matter="rest")
    assert shown(world)["rest"]["by"] == "Bob", "who asks for what is asked agrees to it"


def test_clocks_stand_still_and_bots_wait_and_go_on_with_what_was_left() -> None:
    world = World(bots=("greedy", "greedy"), bots_delay=1, clock={"turn": 30, "pause": 20}).join("Bob")
    world.ok("Ana", ask.Start)
    world.play(0)
    for _ in range(9):
        if world.room.clocks.turns:
            break
        asked = next(wish for wish in wishes(world.room) if isinstance(wish, AskBot))
        world.tell(ask.BotAct(asked.name, world.room.turn, world.choose(asked.name)))
    world.wait(10)
    (name, until) = next(iter(world.room.clocks.turns.items()))
    left = until - milliseconds(world.now)
    world.ok("Ana", ask.Propose, matter="rest")
    assert wishes(world.room) == ()
    turn = world.room.turn
    bot = next(each for each, member in world.room.members.items() if member.bot)
    world.tell(ask.BotAct(bot, turn, {"do": "pass"}))
    assert world.refused(name, ask.Act, action=world.choose(name)) == "not_now"
    world.wait(3600)
    assert world.room.turn == turn
    world.ok("Bob", ask.GoOn)
    assert world.room.clocks.turns == {name: milliseconds(world.now) + left}
    assert Schedule(milliseconds(world.now) + left) in wishes(world.room)
    world.ok(name, ask.Act, action=world.choose(name))


def test_between_hands_a_pause_holds_the_next_deal() -> None:
    world = playing(clock={"pause": 20})
    world.play()
    world.wait(5)
    world.ok("Ana", ask.Propose, matter="rest")
    assert world.refused("Ana", ask.Next) == "not_now"
    world.wait(100)
    assert world.room.phase == "pause"
    world.ok("Cat", ask.GoOn)
    world.wait(14)
    assert world.room.phase == "pause"
    world.wait(2)
    assert world.room.phase == "playing"


def test_one_who_does_not_want_it_ends_it_and_nobody_is_asked_for_ever() -> None:
    world = playing()
    world.ok("Bob", ask.Propose, matter="rest")
    assert world.refused("Cat", ask.Propose, matter="take_back") == "not_now"
    assert told(world, lambda: world.ok("Cat", ask.Consent, yes=False)) == ["declined"]
    assert shown(world)["motion"] is None
    world.ok("Bob", ask.Propose, matter="rest")
    assert told(world, lambda: world.ok("Bob", ask.Consent, yes=False)) == ["withdrawn"]
    world.ok("Bob", ask.Propose, matter="rest")
    world.wait(31)
    assert (shown(world)["motion"], shown(world)["rest"]) == (None, None)
    world.ok("Bob", ask.Propose, matter="rest")
    world.tell(ask.Absent("bob"))
    assert shown(world)["motion"] is None, "who is gone asks for nothing"


def test_who_has_not_answered_and_goes_is_not_waited_for() -> None:
    world = playing()
    for name in ("Bob", "Cat"):
        world.ok(name, ask.Propose, matter="rest")
    world.ok("Ana", ask.HandOver, name="Dan")
    world.ok("Ana", ask.Propose, matter="rest")
    world.tell(ask.Absent("dan"))
    assert shown(world)["rest"] is not None


@pytest.mark.parametrize(("command", "code"), [(ask.Consent, "too_late"), (ask.GoOn, "not_now")])
def test_where_nothing_is_asked_there_is_nothing_to_answer(command: type[Any], code: str) -> None:
    world = playing().join("Eve")
    assert world.refused("Bob", command) == code
    world.ok("Bob", ask.Propose, matter="rest")
    assert world.refused("Eve", command) == "not_now", "who only watches is not asked"
    assert world.refused("Eve", ask.Propose, matter="rest") == "not_now"


# The same again -----------------------------------------------------------------------------------------------


def finished(**settings: Any) -> World:
    """A match of one hand that is over."""
    world = four(**settings)
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.Stop)
    assert world.room.phase == "finished"
    return world


def test_when_all_want_the_same_again_it_begins_at_once_with_the_same_seats() -> None:
    world = finished()
    before, seats = world.run.match_id, world.room.seated()
    for name in ("Bob", "Cat", "Dan"):
        world.ok(name, ask.Propose, matter="rematch")
        world.wait(60)
        assert world.room.phase == "finished", "without the host nobody is made to play"
    assert shown(world)["motion"]["until"] is None
    world.ok("Ana", ask.Propose, matter="rematch")
    assert (world.room.phase, sorted(world.room.seated())) == ("playing", sorted(seats))
    assert world.run.match_id != before
    assert world.restarted() == world.room


def test_what_the_host_wants_begins_ten_seconds_later_unless_somebody_does_not() -> None:
    world = finished()
    world.ok("Ana", ask.Propose, matter="rematch")
    world.wait(9)
    world.ok("Bob", ask.Consent)
    assert world.room.phase == "finished"
    world.ok("Cat", ask.Consent, yes=False)
    world.wait(60)
    assert world.room.phase == "finished"
    world.ok("Ana", ask.Propose, matter="rematch")
    world.wait(11)
    assert world.room.phase == "playing"


def test_alone_among_bots_one_press_is_enough() -> None:
    world = World(bots=("greedy", "greedy"))
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Propose, matter="rematch")
    assert world.room.phase == "playing"


def test_too_few_for_the_same_again_come_to_the_waiting_room() -> None:
    world = finished()
    world.ok("Ana", ask.Propose, matter="rematch")
    for name in ("Cat", "Dan"):
        world.ok(name, ask.Leave)
    world.wait(11)
    assert world.room.phase == "lobby"
    assert room_view.room(world.room)["why_not"]
    assert world.refused("Ana", ask.Propose, matter="rematch") == "not_now"


# Taking back --------------------------------------------------------------------------------------------------


def with_take_back(**settings: Any) -> World:
    world = playing(**settings)
    world.ok("Ana", ask.Configure, take_back=True)
    return world


def everything(world: World) -> tuple[Any, ...]:
    """What the hand is, and what everybody sees of it."""
    names = world.room.seated()
    return (
        world.run.match,
        world.run.hand,
        room_view.table(world.room),
        [room_view.view(world.room, world.room.members[name]) for name in names],
    )


def test_what_was_just_played_is_taken_back_when_all_agree_and_leaves_no_trace_in_the_hand() -> None:
    world = with_take_back()
    world.play(2)
    before, name = everything(world), world.to_act
    world.ok(name, ask.Act, action=world.choose(name))
    assert shown(world)["may_take_back"]["by"] == name
    world.ok(name, ask.Propose, matter="take_back")
    others = [other for other in world.room.seated() if other != name]
    for other in others:
        assert everything(world) != before
        world.ok(other, ask.Consent)
    assert everything(world) == before
    assert shown(world)["may_take_back"] is None
    assert world.restarted() == world.room
    assert everything(world) == before

    # What is kept of the hand has only what was played in the end, and its deal is proven as ever.
    rued = [entry for entry in world.entries if entry.kind == "acted"][-1].data["action"]
    other = next(each for each in room_view.view(world.room, world.room.members[name])["legal"] if each != rued)
    world.ok(name, ask.Act, action=other)
    world.play()
    ended = next(fact for fact in world.facts if isinstance(fact, HandEnded))
    made = made_json(world.run.hand.actions)
    assert made[2] == {**other, "by": name}
    assert rued not in [{key: value for key, value in each.items() if key != "by"} for each in made[:3]]
    assert ended.record["actions"] == made
    start = Match.start(world.room.settings.game, world.room.settings.options, ("Ana", "Bob", "Cat", "Dan"))
    assert unfair(start, ended.record) is None


def test_it_must_be_the_last_play_the_table_must_allow_it_and_nobody_may_have_seen_a_card() -> None:
    world = playing()
    name = world.to_act
    world.ok(name, ask.Act, action=world.choose(name))
    assert world.refused(name, ask.Propose, matter="take_back") == "not_now"
    world.ok("Ana", ask.Configure, take_back=True)
    assert shown(world)["may_take_back"] is None, "it was played where nothing could be taken back"
    name = world.to_act
    world.ok(name, ask.Act, action=world.choose(name))
    assert world.refused(world.to_act, ask.Propose, matter="take_back") == "not_now"
    world.ok(name, ask.Propose, matter="take_back")
    following = world.to_act
    world.ok(following, ask.Act, action=world.choose(following))
    assert shown(world)["motion"] is None, "the next play has answered"
    assert world.refused(name, ask.Propose, matter="take_back") == "not_now"


def test_what_not_all_agree_to_take_back_in_time_stays() -> None:
    world = with_take_back()
    name = world.to_act
    world.ok(name, ask.Act, action=world.choose(name))
    played = world.run.match
    world.ok(name, ask.Propose, matter="take_back")
    one, *_ = (other for other in world.room.seated() if other != name)
    world.ok(one, ask.Consent)
    world.wait(16)
    assert (world.entries[-1].kind, world.entries[-1].data["by"]) == ("dropped", None)
    assert shown(world)["motion"] is None
    assert world.run.match == played
    assert shown(world)["may_take_back"]["by"] == name, "it is still the last play"


def test_in_chase_the_ace_a_swap_has_shown_a_card_and_stays() -> None:
    world = with_take_back(game="chase_the_ace")
    for _ in range(3):
        name = world.to_act
        held = show(world.run.match.the_hand.cards[name])
        outcome = world.ask(name, ask.Act, action={"do": "swap"})
        if outcome.answer.ok and world.run.match.running:
            if show(world.run.match.the_hand.cards[name]) != held:
                assert shown(world)["may_take_back"] is None
                return
        elif not outcome.answer.ok:
            world.ok(name, ask.Act, action={"do": "keep"})
    raise AssertionError("nobody swaps")


def test_bots_agree_and_leave_the_time_to_ask() -> None:
    world = World(bots=("greedy", "greedy"), bots_delay=0.8)
    world.ok("Ana", ask.Configure, take_back=True)
    world.ok("Ana", ask.Start)
    world.bots()
    held = show(world.run.match.the_hand.cards["Ana"])
    world.ok("Ana", ask.Act, action=world.choose("Ana"))
    assert [wish.delay for wish in wishes(world.room) if isinstance(wish, AskBot)] == [TIME_TO_RUE]
    world.ok("Ana", ask.Propose, matter="take_back")
    assert show(world.run.match.the_hand.cards["Ana"]) == held
    assert world.to_act == "Ana"


def test_bots_wait_until_the_others_have_said_whether_they_agree() -> None:
    world = World(bots=("greedy", "greedy")).join("Bob")
    world.ok("Ana", ask.Configure, take_back=True)
    world.ok("Ana", ask.Start)
    for _ in range(20):
        world.bots()
        name = world.to_act
        world.ok(name, ask.Act, action=world.choose(name))
        if world.room.members[world.to_act].bot:
            break
    world.ok(name, ask.Propose, matter="take_back")
    assert not any(isinstance(wish, AskBot) for wish in wishes(world.room))
    world.wait(16)
    assert any(isinstance(wish, AskBot) for wish in wishes(world.room))
