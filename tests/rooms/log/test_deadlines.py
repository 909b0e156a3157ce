"""Test clocks, missed turns, stand-in bots, and people who return."""

from datetime import timedelta

import pytest

from app.bots import OUT_OF_TURN_PLAYS
from app.rooms.bots.delay import BREAKS_IN_AFTER, DELAY_FACTOR_TO_LOOK
from app.rooms.log.deadlines import timer_requests
from app.rooms.model import commands as ask
from app.rooms.model.decision import AskBot, AskBotToBreakIn, ScheduleDeadline
from app.rooms.model.state import to_milliseconds
from app.rooms.views import room_view
from tests.rooms.world import World, four, playing


def test_without_a_turn_clock_a_turn_has_no_deadline() -> None:
    world = playing()
    world.wait(3600)
    assert world.room.turn == 1
    assert timer_requests(world.room) == ()


def test_acting_in_time_gives_the_next_player_a_new_deadline() -> None:
    world = playing(clock={"turn": 30})
    first = world.to_act
    assert world.room.clocks.turns == {first: to_milliseconds(world.now) + 30_000}
    assert ScheduleDeadline(to_milliseconds(world.now) + 30_000) in timer_requests(world.room)
    world.wait(10)
    world.ok(first, ask.Act, action=world.choose(first))
    assert world.room.clocks.turns == {world.to_act: to_milliseconds(world.now) + 30_000}


def test_the_clock_acts_for_a_missed_turn_and_a_bot_plays_after_the_second() -> None:
    world = playing(clock={"turn": 30})
    world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    sleeper = world.to_act
    world.wait(30)
    acted = [entry for entry in world.entries if entry.kind == "acted"][-1]
    assert acted.data["by"] == sleeper
    assert acted.data["auto"] == "clock"
    assert acted.data["action"] == {"do": "pass"}
    assert world.person(sleeper)["missed_turns"] == 1
    assert world.person(sleeper)["stand_in"] is None
    while world.to_act != sleeper:
        world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    world.wait(30)
    assert world.person(sleeper)["missed_turns"] == 2
    assert world.person(sleeper)["stand_in"] == "easy"
    while world.room.phase == "playing" and world.to_act != sleeper:
        world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    assert timer_requests(world.room) == (AskBot(sleeper, "easy", 0),)


def test_the_clock_plays_a_single_card_for_a_leader_who_misses_the_turn() -> None:
    world = playing(clock={"turn": 30})
    leader = world.to_act
    assert world.room.match is not None
    before = world.room.match.hand.cards[leader]
    world.wait(30)
    assert len(world.room.match.hand.cards[leader]) == len(before) - 1


def test_acting_in_time_resets_the_count_of_missed_turns() -> None:
    world = playing(clock={"turn": 30})
    sleeper = world.to_act
    world.wait(30)
    assert world.person(sleeper)["missed_turns"] == 1
    while world.to_act != sleeper:
        world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    world.ok(sleeper, ask.Act, action=world.choose(sleeper))
    assert world.person(sleeper)["missed_turns"] == 0


def all_asleep(world: World) -> None:
    """Let all turns time out until a bot plays for everybody."""
    for _ in range(200):
        if all(member.active_bot for member in world.room.members.values()):
            return
        world.wait(30)
    raise AssertionError("somebody is never played for")


@pytest.mark.parametrize("how", ["command", "refused command", "socket", "back"])
def test_a_returning_player_takes_over_from_the_bot(how: str) -> None:
    world = playing(clock={"turn": 30})
    all_asleep(world)
    name = "Cat"
    match how:
        case "command":
            world.ok(name, ask.Seed, value="ab") if world.room.phase != "playing" else world.ask(name, ask.ResumeSeat)
        case "refused command":
            outcome = world.ask(name, ask.Act, action={"do": "play", "cards": "3c 4d"})
            assert not outcome.reply.ok
        case "socket":
            world.tell(ask.PersonConnected("cat"))
        case _:
            world.ok(name, ask.ResumeSeat)
    assert world.person(name)["stand_in"] is None
    assert world.person(name)["missed_turns"] == 0
    assert world.person("Bob")["stand_in"] == "easy"


def test_a_bot_plays_for_an_absent_player_without_a_turn_clock() -> None:
    world = playing(clock={"away": 60})
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(59)
    assert world.person("Bob")["stand_in"] is None
    assert not world.person("Bob")["present"]
    world.wait(1)
    assert world.person("Bob")["stand_in"] == "easy"
    world.tell(ask.PersonConnected("bob"))
    assert world.person("Bob")["stand_in"] is None
    world.wait(600)
    assert world.person("Bob")["stand_in"] is None


def test_the_host_chooses_the_bot_that_plays_for_absent_players() -> None:
    world = playing(clock={"away": 60})
    world.ok("Ana", ask.Configure, stand_in="medium")
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    assert world.person("Bob")["stand_in"] == "medium"
    world.ok("Cat", ask.Leave)
    assert world.person("Cat")["stand_in"] == "medium"
    world.ok("Ana", ask.Configure, stand_in="easy")
    assert {world.person(name)["stand_in"] for name in ("Bob", "Cat")} == {"easy"}
    assert world.person("Dan")["stand_in"] is None
    assert world.restarted() == world.room


def test_a_bot_keeps_playing_for_an_absent_player_in_the_next_hand() -> None:
    world = playing(clock={"away": 60})
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.person("Bob")["stand_in"] == "easy"
    world.play()


def test_clocks_stop_in_an_empty_room_and_restart_when_a_player_returns() -> None:
    world = playing(clock={"turn": 30})
    world.wait(20)
    for person in ("ana", "bob", "cat", "dan"):
        world.tell(ask.PersonDisconnected(person))
    assert timer_requests(world.room) == ()
    world.wait(10_000)
    assert world.room.turn == 1
    world.tell(ask.PersonConnected("bob"))
    assert world.room.clocks.turns == {world.to_act: to_milliseconds(world.now) + 30_000}
    assert set(world.room.clocks.away.values()) == {to_milliseconds(world.now) + 60_000}
    assert set(world.room.clocks.away) == {"Ana", "Cat", "Dan"}


def test_bots_do_not_play_in_an_empty_room() -> None:
    world = World(bots=("easy",) * 3)
    world.ok("Ana", ask.Start)
    world.tell(ask.PersonDisconnected("ana"))
    assert not [wish for wish in timer_requests(world.room) if isinstance(wish, AskBot)]


def test_clocks_start_again_when_a_player_returns_after_a_restart() -> None:
    world = playing(clock={"turn": 30})
    world.now += timedelta(hours=5)
    world.tell(ask.RoomLoaded())
    assert timer_requests(world.room) == ()
    assert not world.person("Ana")["present"]
    world.tell(ask.PersonConnected("ana"))
    assert world.room.clocks.turns[world.to_act] == to_milliseconds(world.now) + 30_000


def test_the_next_hand_is_dealt_automatically_after_the_pause() -> None:
    world = playing(clock={"pause": 15})
    world.play()
    assert world.room.clocks.deal == to_milliseconds(world.now) + 15_000
    world.wait(14)
    assert world.room.phase == "between_hands"
    world.wait(1)
    assert world.room.phase == "playing"


def test_no_next_hand_is_dealt_if_bots_play_for_every_player() -> None:
    world = World(bots=("easy",) * 3, clock={"pause": 0, "turn": 1})
    world.ok("Ana", ask.Start)
    for _ in range(40):
        world.bots()
        world.wait(1)
    assert world.person("Ana")["stand_in"]
    assert (world.room.phase, len(world.run.hands), world.room.clocks.deal) == ("between_hands", 1, None)
    world.ok("Ana", ask.ResumeSeat)
    world.wait(1)
    assert world.room.phase == "playing"


def test_bots_play_the_next_hand_only_if_a_spectator_asks() -> None:
    world = World(bots=("easy",) * 4, clock={"pause": 0})
    world.ok("Ana", ask.Watch)
    world.ok("Ana", ask.Start)
    world.bots()
    world.wait(3600)
    assert (world.room.phase, len(world.run.hands)) == ("between_hands", 1)
    world.ok("Ana", ask.DealNext)
    assert world.room.phase == "playing"


def test_no_hand_is_dealt_after_the_pause_with_too_few_players() -> None:
    world = World(clock={"pause": 15}).join("Bob", "Cat")
    world.ok("Ana", ask.Start)
    world.ok("Cat", ask.Leave)
    world.play()
    assert world.room.clocks.deal is None
    world.wait(100)
    assert world.room.phase == "between_hands"
    world.ok("Ana", ask.AddBot)
    assert world.room.clocks.deal is not None
    world.wait(15)
    assert world.room.phase == "playing"


def test_the_host_can_deal_at_once_and_other_players_after_a_wait() -> None:
    world = playing()
    assert world.refused("Ana", ask.DealNext) == "not_now"
    world.play()
    assert world.refused("Bob", ask.DealNext) == "not_now"
    world.wait(10)
    world.ok("Bob", ask.DealNext)
    world.play()
    world.ok("Ana", ask.DealNext)
    world.play()
    world.tell(ask.PersonDisconnected("ana"))
    world.ok("Bob", ask.DealNext)


def test_an_early_timer_and_a_late_bot_action_change_nothing() -> None:
    world = playing(clock={"turn": 30})
    assert world.tell(ask.TimerFired(to_milliseconds(world.now))).append_request is None
    assert world.tell(ask.BotAct(world.to_act, world.room.turn, {"do": "pass"})).append_request is None
    all_asleep(world)
    if world.room.phase == "playing":
        assert world.tell(ask.BotAct(world.to_act, world.room.turn - 1, {"do": "pass"})).append_request is None


def test_a_delayed_timer_does_not_fire_deadlines_set_after_it() -> None:
    """The timer fired while an action was being written, which took longer than the next turn."""
    world = playing(clock={"turn": 30})
    fired = ask.TimerFired(world.room.clocks.turns[world.to_act])
    world.wait(29)
    world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    world.now += timedelta(seconds=60)
    assert world.tell(fired).append_request is None
    assert world.tell(ask.TimerFired(to_milliseconds(world.now))).append_request is not None


def test_a_timer_changes_nothing_after_the_system_clock_is_set_back() -> None:
    """After the clock was set back, no turn times out until the clock reaches the deadline again."""
    world = playing(clock={"turn": 30})
    fired = ask.TimerFired(world.room.clocks.turns[world.to_act])
    world.now -= timedelta(hours=1)
    assert world.tell(fired).append_request is None


def test_an_illegal_bot_action_is_replaced_and_the_turn_moves_on() -> None:
    world = World(bots=("easy",) * 3)
    world.ok("Ana", ask.Start)
    while world.room.members[world.to_act].person:
        world.ok("Ana", ask.Act, action=world.choose("Ana"))
    turn = world.room.turn
    world.tell(ask.BotAct(world.to_act, turn, {"do": "play", "cards": "9z"}))
    assert world.room.turn == turn + 1


def test_each_giver_in_the_exchange_has_a_separate_deadline() -> None:
    world = four(clock={"turn": 30})
    world.ok("Ana", ask.Configure, options={"exchange": "two_one", "exchange_order": "blind"})
    world.ok("Ana", ask.Start)
    for _ in range(20):
        world.play()
        if world.room.phase == "finished":
            world.ok("Ana", ask.Start)
            continue
        world.ok("Ana", ask.DealNext)
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


def test_bots_wait_longer_after_a_burn_or_while_a_player_can_break_in() -> None:
    world = World(options={"burn": "any_time", "target": None}, bots=("easy", "easy"), bots_delay=1)
    world.join("Bob")
    world.ok("Ana", ask.Start)
    waits, asked = dict[tuple[bool, bool], set[float]](), set[tuple[float, bool]]()
    for _ in range(2000):
        if len(waits) == 3 and len(asked) == 2:
            break
        name = world.to_act
        action = world.choose(name, "random")
        if world.room.members[name].active_bot is None:
            outcome = world.ok(name, ask.Act, action=action)
        else:
            outcome = world.tell(ask.BotAct(name, world.room.turn, action))
        if world.room.phase != "playing":
            world.ok("Ana", ask.DealNext)
            continue
        if room_view.build_room(world.room)["bots_speed"]:
            continue
        seen = room_view.build_bot_view(world.room, name)["table"]
        great = any(event.name == "burned" for event in outcome.game_events)
        for wish in timer_requests(world.room):
            if isinstance(wish, AskBot):
                waits.setdefault((bool(seen["may_interrupt"]), great), set()).add(wish.delay)
            elif isinstance(wish, AskBotToBreakIn):
                assert wish.name in seen["may_interrupt"]
                holds = bool(room_view.build_bot_view(world.room, wish.name)["you"]["legal"])
                asked.add((wish.delay, holds))
    assert waits == {(False, False): {1}, (True, False): {DELAY_FACTOR_TO_LOOK}, (False, True): {DELAY_FACTOR_TO_LOOK}}
    assert asked == {(DELAY_FACTOR_TO_LOOK * BREAKS_IN_AFTER, True), (DELAY_FACTOR_TO_LOOK * BREAKS_IN_AFTER, False)}, (
        "whoever may is asked after as long, whatever they hold"
    )


def test_a_bot_can_break_in_out_of_turn() -> None:
    world = World(options={"burn": "any_time", "target": None, "exchange": "none"}, bots=("easy",) * 3)
    world.ok("Ana", ask.Start)
    for _ in range(2000):
        for wish in timer_requests(world.room):
            if isinstance(wish, AskBotToBreakIn):
                action = OUT_OF_TURN_PLAYS["easy"](room_view.build_bot_view(world.room, wish.name), world.rng)
                if action is not None:
                    before = world.to_act
                    assert world.tell(ask.BotAct(wish.name, world.room.turn - 1, action)).append_request is None, (
                        "too late"
                    )
                    (burned,) = (
                        event
                        for event in world.tell(ask.BotAct(wish.name, world.room.turn, action)).game_events
                        if event.name == "burned"
                    )
                    assert (burned.by, burned.data) == (wish.name, {"turn": before})
                    return
        if world.room.phase != "playing":
            world.ok("Ana", ask.DealNext)
        elif world.to_act == "Ana":
            world.ok("Ana", ask.Act, action=world.choose("Ana"))
        else:
            world.tell(ask.BotAct(world.to_act, world.room.turn, world.choose(world.to_act)))
    raise AssertionError("no bot ever breaks in")
