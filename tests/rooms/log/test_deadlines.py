"""A seat that never dies: clocks, missed turns, bots that stand in, and people who come back."""

from datetime import timedelta

import pytest

from app.bots import BREAKING_IN
from app.rooms.bots.delay import BREAKS_IN_AFTER, TIME_TO_LOOK
from app.rooms.log.deadlines import wishes
from app.rooms.model import commands as ask
from app.rooms.model.decision import AskBot, AskWhetherToBreakIn, Schedule
from app.rooms.model.state import milliseconds
from app.rooms.views import room_view
from tests.rooms.world import World, four, playing


def test_without_a_clock_nobody_is_hurried() -> None:
    world = playing()
    world.wait(3600)
    assert world.room.turn == 1
    assert wishes(world.room) == ()


def test_a_turn_has_a_deadline_and_acting_wins_a_new_one_for_the_next() -> None:
    world = playing(clock={"turn": 30})
    first = world.to_act
    assert world.room.clocks.turns == {first: milliseconds(world.now) + 30_000}
    assert Schedule(milliseconds(world.now) + 30_000) in wishes(world.room)
    world.wait(10)
    world.ok(first, ask.Act, action=world.choose(first))
    assert world.room.clocks.turns == {world.to_act: milliseconds(world.now) + 30_000}


def test_a_missed_turn_is_acted_for_and_after_two_a_bot_plays() -> None:
    world = playing(clock={"turn": 30})
    world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    sleeper = world.to_act
    world.wait(30)
    acted = [entry for entry in world.entries if entry.kind == "acted"][-1]
    assert acted.data["by"] == sleeper
    assert acted.data["auto"] == "clock"
    assert acted.data["action"] == {"do": "pass"}
    assert world.person(sleeper)["missed"] == 1
    assert world.person(sleeper)["playing_for"] is None
    while world.to_act != sleeper:
        world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    world.wait(30)
    assert world.person(sleeper)["missed"] == 2
    assert world.person(sleeper)["playing_for"] == "greedy"
    while world.room.phase == "playing" and world.to_act != sleeper:
        world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    assert wishes(world.room) == (AskBot(sleeper, "greedy", 0),)


def test_the_leader_who_sleeps_plays_something_small() -> None:
    world = playing(clock={"turn": 30})
    leader = world.to_act
    assert world.room.match is not None
    before = world.room.match.hand.cards[leader]
    world.wait(30)
    assert len(world.room.match.hand.cards[leader]) == len(before) - 1


def test_acting_in_time_forgives_a_missed_turn() -> None:
    world = playing(clock={"turn": 30})
    sleeper = world.to_act
    world.wait(30)
    assert world.person(sleeper)["missed"] == 1
    while world.to_act != sleeper:
        world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    world.ok(sleeper, ask.Act, action=world.choose(sleeper))
    assert world.person(sleeper)["missed"] == 0


def all_asleep(world: World) -> None:
    """Nobody acts until a bot plays for everybody."""
    for _ in range(200):
        if all(member.player for member in world.room.members.values()):
            return
        world.wait(30)
    raise AssertionError("somebody is never played for")


@pytest.mark.parametrize("how", ["command", "refused command", "socket", "back"])
def test_whoever_returns_has_their_seat_back(how: str) -> None:
    world = playing(clock={"turn": 30})
    all_asleep(world)
    name = "Cat"
    match how:
        case "command":
            world.ok(name, ask.Seed, value="ab") if world.room.phase != "playing" else world.ask(name, ask.Back)
        case "refused command":
            outcome = world.ask(name, ask.Act, action={"do": "play", "cards": "3c 4d"})
            assert not outcome.answer.ok
        case "socket":
            world.tell(ask.Present("cat"))
        case _:
            world.ok(name, ask.Back)
    assert world.person(name)["playing_for"] is None
    assert world.person(name)["missed"] == 0
    assert world.person("Bob")["playing_for"] == "greedy"


def test_who_is_gone_is_played_for_after_a_while_even_without_a_clock() -> None:
    world = playing(clock={"away": 60})
    world.tell(ask.Absent("bob"))
    world.wait(59)
    assert world.person("Bob")["playing_for"] is None
    assert not world.person("Bob")["present"]
    world.wait(1)
    assert world.person("Bob")["playing_for"] == "greedy"
    world.tell(ask.Present("bob"))
    assert world.person("Bob")["playing_for"] is None
    world.wait(600)
    assert world.person("Bob")["playing_for"] is None


def test_the_host_chooses_which_bot_plays_for_who_is_away() -> None:
    world = playing(clock={"away": 60})
    world.ok("Ana", ask.Configure, stand_in="steady")
    world.tell(ask.Absent("bob"))
    world.wait(60)
    assert world.person("Bob")["playing_for"] == "steady"
    world.ok("Cat", ask.Leave)
    assert world.person("Cat")["playing_for"] == "steady"
    world.ok("Ana", ask.Configure, stand_in="greedy")
    assert {world.person(name)["playing_for"] for name in ("Bob", "Cat")} == {"greedy"}
    assert world.person("Dan")["playing_for"] is None
    assert world.restarted() == world.room


def test_a_bot_plays_on_for_somebody_gone_into_the_next_hand() -> None:
    world = playing(clock={"away": 60})
    world.tell(ask.Absent("bob"))
    world.wait(60)
    world.play()
    world.ok("Ana", ask.Next)
    assert world.person("Bob")["playing_for"] == "greedy"
    world.play()


def test_when_nobody_is_here_the_room_rests_and_wakes_with_fresh_clocks() -> None:
    world = playing(clock={"turn": 30})
    world.wait(20)
    for person in ("ana", "bob", "cat", "dan"):
        world.tell(ask.Absent(person))
    assert wishes(world.room) == ()
    world.wait(10_000)
    assert world.room.turn == 1
    world.tell(ask.Present("bob"))
    assert world.room.clocks.turns == {world.to_act: milliseconds(world.now) + 30_000}
    assert set(world.room.clocks.away.values()) == {milliseconds(world.now) + 60_000}
    assert set(world.room.clocks.away) == {"Ana", "Cat", "Dan"}


def test_bots_do_not_play_among_themselves_when_nobody_is_here() -> None:
    world = World(bots=("greedy",) * 3)
    world.ok("Ana", ask.Start)
    world.tell(ask.Absent("ana"))
    assert not [wish for wish in wishes(world.room) if isinstance(wish, AskBot)]


def test_waking_after_a_restart_starts_the_clocks_anew() -> None:
    world = playing(clock={"turn": 30})
    world.now += timedelta(hours=5)
    world.tell(ask.Woken())
    assert wishes(world.room) == ()
    assert not world.person("Ana")["present"]
    world.tell(ask.Present("ana"))
    assert world.room.clocks.turns[world.to_act] == milliseconds(world.now) + 30_000


def test_the_next_hand_is_dealt_by_itself_after_the_pause() -> None:
    world = playing(clock={"pause": 15})
    world.play()
    assert world.room.clocks.deal == milliseconds(world.now) + 15_000
    world.wait(14)
    assert world.room.phase == "pause"
    world.wait(1)
    assert world.room.phase == "playing"


def test_bots_alone_do_not_play_on_for_a_page_that_was_left_open() -> None:
    world = World(bots=("greedy",) * 3, clock={"pause": 0, "turn": 1})
    world.ok("Ana", ask.Start)
    for _ in range(40):
        world.bots()
        world.wait(1)
    assert world.person("Ana")["playing_for"]
    assert (world.room.phase, len(world.run.hands), world.room.clocks.deal) == ("pause", 1, None)
    world.ok("Ana", ask.Back)
    world.wait(1)
    assert world.room.phase == "playing"


def test_watchers_ask_for_each_hand_of_bots() -> None:
    world = World(bots=("greedy",) * 4, clock={"pause": 0})
    world.ok("Ana", ask.Watch)
    world.ok("Ana", ask.Start)
    world.bots()
    world.wait(3600)
    assert (world.room.phase, len(world.run.hands)) == ("pause", 1)
    world.ok("Ana", ask.Next)
    assert world.room.phase == "playing"


def test_a_pause_does_not_deal_to_too_few() -> None:
    world = World(clock={"pause": 15}).join("Bob", "Cat")
    world.ok("Ana", ask.Start)
    world.ok("Cat", ask.Leave)
    world.play()
    assert world.room.clocks.deal is None
    world.wait(100)
    assert world.room.phase == "pause"
    world.ok("Ana", ask.AddBot)
    assert world.room.clocks.deal is not None
    world.wait(15)
    assert world.room.phase == "playing"


def test_the_host_deals_at_once_and_others_a_little_later() -> None:
    world = playing()
    assert world.refused("Ana", ask.Next) == "not_now"
    world.play()
    assert world.refused("Bob", ask.Next) == "not_now"
    world.wait(10)
    world.ok("Bob", ask.Next)
    world.play()
    world.ok("Ana", ask.Next)
    world.play()
    world.tell(ask.Absent("ana"))
    world.ok("Bob", ask.Next)


def test_a_timer_too_early_and_a_bot_too_late_change_nothing() -> None:
    world = playing(clock={"turn": 30})
    assert world.tell(ask.TimerFired(milliseconds(world.now))).record is None
    assert world.tell(ask.BotAct(world.to_act, world.room.turn, {"do": "pass"})).record is None
    all_asleep(world)
    if world.room.phase == "playing":
        assert world.tell(ask.BotAct(world.to_act, world.room.turn - 1, {"do": "pass"})).record is None


def test_a_timer_that_waited_is_for_the_deadlines_of_its_time() -> None:
    """It fired while an action was written that came in time, and which took longer than the next turn."""
    world = playing(clock={"turn": 30})
    fired = ask.TimerFired(world.room.clocks.turns[world.to_act])
    world.wait(29)
    world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    world.now += timedelta(seconds=60)
    assert world.tell(fired).record is None
    assert world.tell(ask.TimerFired(milliseconds(world.now))).record is not None


def test_a_timer_knows_no_time_before_the_room_does() -> None:
    """The clock of the machine was set back: nobody's turns are played until it is late again."""
    world = playing(clock={"turn": 30})
    fired = ask.TimerFired(world.room.clocks.turns[world.to_act])
    world.now -= timedelta(hours=1)
    assert world.tell(fired).record is None


def test_a_bot_that_talks_nonsense_does_the_least_harm() -> None:
    world = World(bots=("greedy",) * 3)
    world.ok("Ana", ask.Start)
    while world.room.members[world.to_act].person:
        world.ok("Ana", ask.Act, action=world.choose("Ana"))
    turn = world.room.turn
    world.tell(ask.BotAct(world.to_act, turn, {"do": "play", "cards": "9z"}))
    assert world.room.turn == turn + 1


def test_gifts_have_a_deadline_each_and_others_do_not_renew_it() -> None:
    world = four(clock={"turn": 30})
    world.ok("Ana", ask.Configure, options={"exchange": "two_one", "exchange_order": "blind"})
    world.ok("Ana", ask.Start)
    for _ in range(20):
        world.play()
        if world.room.phase == "finished":
            world.ok("Ana", ask.Start)
            continue
        world.ok("Ana", ask.Next)
        assert world.room.match is not None
        if world.room.match.phase == "exchange" and len(world.room.match.to_act) > 1:
            break
    assert world.room.match is not None
    one, other = world.room.match.to_act[:2]
    due = world.room.clocks.turns[other]
    world.wait(5)
    world.ok(one, ask.Act, action=world.choose(one))
    if other in world.room.match.to_act and world.room.match.phase == "exchange":
        assert world.room.clocks.turns[other] == due
    world.wait(60)
    assert world.room.match.phase == "play" or world.room.phase != "playing"


def test_bots_wait_while_somebody_may_break_in_or_all_look_at_something_great() -> None:
    world = World(options={"burn": "any_time", "target": None}, bots=("greedy", "greedy"), bots_delay=1)
    world.join("Bob")
    world.ok("Ana", ask.Start)
    waits, asked = dict[tuple[bool, bool], set[float]](), set[tuple[float, bool]]()
    for _ in range(2000):
        if len(waits) == 3 and len(asked) == 2:
            break
        name = world.to_act
        action = world.choose(name, "random")
        if world.room.members[name].player is None:
            outcome = world.ok(name, ask.Act, action=action)
        else:
            outcome = world.tell(ask.BotAct(name, world.room.turn, action))
        if world.room.phase != "playing":
            world.ok("Ana", ask.Next)
            continue
        if room_view.room(world.room)["hurry"]:
            continue
        seen = room_view.for_bot(world.room, name)["table"]
        great = any(event.name == "burned" for event in outcome.events)
        for wish in wishes(world.room):
            if isinstance(wish, AskBot):
                waits.setdefault((bool(seen["may_break_in"]), great), set()).add(wish.delay)
            elif isinstance(wish, AskWhetherToBreakIn):
                assert wish.name in seen["may_break_in"]
                holds = bool(room_view.for_bot(world.room, wish.name)["you"]["legal"])
                asked.add((wish.delay, holds))
    assert waits == {(False, False): {1}, (True, False): {TIME_TO_LOOK}, (False, True): {TIME_TO_LOOK}}
    assert asked == {(TIME_TO_LOOK * BREAKS_IN_AFTER, True), (TIME_TO_LOOK * BREAKS_IN_AFTER, False)}, (
        "whoever may is asked after as long, whatever they hold"
    )


def test_a_bot_breaks_in_though_it_is_not_its_turn() -> None:
    world = World(options={"burn": "any_time", "target": None, "exchange": "none"}, bots=("greedy",) * 3)
    world.ok("Ana", ask.Start)
    for _ in range(2000):
        for wish in wishes(world.room):
            if isinstance(wish, AskWhetherToBreakIn):
                action = BREAKING_IN["greedy"](room_view.for_bot(world.room, wish.name), world.rng)
                if action is not None:
                    before = world.to_act
                    assert world.tell(ask.BotAct(wish.name, world.room.turn - 1, action)).record is None, "too late"
                    (burned,) = (
                        event
                        for event in world.tell(ask.BotAct(wish.name, world.room.turn, action)).events
                        if event.name == "burned"
                    )
                    assert (burned.by, burned.data) == (wish.name, {"turn": before})
                    return
        if world.room.phase != "playing":
            world.ok("Ana", ask.Next)
        elif world.to_act == "Ana":
            world.ok("Ana", ask.Act, action=world.choose("Ana"))
        else:
            world.tell(ask.BotAct(world.to_act, world.room.turn, world.choose(world.to_act)))
    raise AssertionError("no bot ever breaks in")
