"""Test votes: a pause, a rematch, and the undo of a play."""

from collections.abc import Callable
from typing import Any

import pytest

from app.engine.cards.cards import format_cards
from app.engine.match.match import Match
from app.rooms.bots.delay import MIN_DELAY_FOR_UNDO
from app.rooms.log.deadlines import timer_requests
from app.rooms.model import commands as ask
from app.rooms.model.decision import AskBot, ScheduleDeadline
from app.rooms.model.state import actions_to_json, to_milliseconds
from app.rooms.ports.facts import HandEnded
from app.rooms.recorded.verify import find_deal_problem
from app.rooms.views import room_view
from tests.rooms.world import World, four, playing


def shown(world: World) -> dict[str, Any]:
    return dict(room_view.build_room(world.room))


def told(world: World, do: Callable[[], Any]) -> list[str]:
    """Return the names of the events of a command."""
    return [event.name for event in do().game_events]


# A pause ------------------------------------------------------------------------------------------------------


def test_a_pause_starts_when_all_present_players_agree() -> None:
    world = playing(clock={"turn": 30})
    world.tell(ask.PersonDisconnected("dan"))
    world.ok("Bob", ask.Propose, subject="pause")
    asks = shown(world)["vote"]
    assert (asks["subject"], asks["by"], asks["agreed"], asks["undecided"]) == ("pause", "Bob", ["Bob"], ["Ana", "Cat"])
    assert shown(world)["paused"] is None
    world.ok("Cat", ask.CastVote)
    assert world.room.run is not None
    assert world.run.rest is None
    world.ok("Ana", ask.CastVote)
    assert (shown(world)["vote"], shown(world)["paused"]["by"]) == (None, "Bob")
    assert world.restarted() == world.room


def test_the_host_can_start_a_pause_alone() -> None:
    world = playing()
    world.ok("Ana", ask.Propose, subject="pause")
    assert shown(world)["paused"] == {"by": "Ana", "since": to_milliseconds(world.now)}
    world.ok("Bob", ask.Resume)
    world.ok("Bob", ask.Propose, subject="pause")
    assert shown(world)["paused"] is None
    world.ok("Ana", ask.Propose, subject="pause")
    assert shown(world)["paused"]["by"] == "Bob", "who asks for what is asked agrees to it"


def test_clocks_and_bots_stop_during_a_pause_and_resume_with_the_time_left() -> None:
    world = World(bots=("easy", "easy"), bots_delay=1, clock={"turn": 30, "pause": 20}).join("Bob")
    world.ok("Ana", ask.Start)
    world.play(0)
    for _ in range(9):
        if world.room.clocks.turns:
            break
        asked = next(wish for wish in timer_requests(world.room) if isinstance(wish, AskBot))
        world.tell(ask.BotAct(asked.name, world.room.turn, world.choose(asked.name)))
    world.wait(10)
    (name, until) = next(iter(world.room.clocks.turns.items()))
    left = until - to_milliseconds(world.now)
    world.ok("Ana", ask.Propose, subject="pause")
    assert timer_requests(world.room) == ()
    turn = world.room.turn
    bot = next(each for each, member in world.room.members.items() if member.bot)
    world.tell(ask.BotAct(bot, turn, {"do": "pass"}))
    assert world.refused(name, ask.Act, action=world.choose(name)) == "not_now"
    world.wait(3600)
    assert world.room.turn == turn
    world.ok("Bob", ask.Resume)
    assert world.room.clocks.turns == {name: to_milliseconds(world.now) + left}
    assert ScheduleDeadline(to_milliseconds(world.now) + left) in timer_requests(world.room)
    world.ok(name, ask.Act, action=world.choose(name))


def test_a_pause_between_hands_delays_the_next_deal() -> None:
    world = playing(clock={"pause": 20})
    world.play()
    world.wait(5)
    world.ok("Ana", ask.Propose, subject="pause")
    assert world.refused("Ana", ask.DealNext) == "not_now"
    world.wait(100)
    assert world.room.phase == "between_hands"
    world.ok("Cat", ask.Resume)
    world.wait(14)
    assert world.room.phase == "between_hands"
    world.wait(2)
    assert world.room.phase == "playing"


def test_a_proposal_ends_when_declined_withdrawn_expired_or_abandoned() -> None:
    world = playing()
    world.ok("Bob", ask.Propose, subject="pause")
    assert world.refused("Cat", ask.Propose, subject="undo") == "not_now"
    assert told(world, lambda: world.ok("Cat", ask.CastVote, yes=False)) == ["vote_declined"]
    assert shown(world)["vote"] is None
    world.ok("Bob", ask.Propose, subject="pause")
    assert told(world, lambda: world.ok("Bob", ask.CastVote, yes=False)) == ["vote_withdrawn"]
    world.ok("Bob", ask.Propose, subject="pause")
    world.wait(31)
    assert (shown(world)["vote"], shown(world)["paused"]) == (None, None)
    world.ok("Bob", ask.Propose, subject="pause")
    world.tell(ask.PersonDisconnected("bob"))
    assert shown(world)["vote"] is None, "who is gone asks for nothing"


def test_a_vote_does_not_wait_for_a_player_who_leaves() -> None:
    world = playing()
    for name in ("Bob", "Cat"):
        world.ok(name, ask.Propose, subject="pause")
    world.ok("Ana", ask.TransferHost, name="Dan")
    world.ok("Ana", ask.Propose, subject="pause")
    world.tell(ask.PersonDisconnected("dan"))
    assert shown(world)["paused"] is not None


@pytest.mark.parametrize(("command", "code"), [(ask.CastVote, "too_late"), (ask.Resume, "not_now")])
def test_answers_without_a_vote_and_answers_from_spectators_are_refused(command: type[Any], code: str) -> None:
    world = playing().join("Eve")
    assert world.refused("Bob", command) == code
    world.ok("Bob", ask.Propose, subject="pause")
    assert world.refused("Eve", command) == "not_now", "who only watches is not asked"
    assert world.refused("Eve", ask.Propose, subject="pause") == "not_now"


# A rematch ----------------------------------------------------------------------------------------------------


def finished(**settings: Any) -> World:
    """Return a finished match of one hand."""
    world = four(**settings)
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.Stop)
    assert world.room.phase == "finished"
    return world


def test_a_rematch_starts_at_once_with_the_same_seats_if_all_agree() -> None:
    world = finished()
    before, seats = world.run.match_id, world.room.seated_names()
    for name in ("Bob", "Cat", "Dan"):
        world.ok(name, ask.Propose, subject="rematch")
        world.wait(60)
        assert world.room.phase == "finished", "without the host nobody is made to play"
    assert shown(world)["vote"]["until"] is None
    world.ok("Ana", ask.Propose, subject="rematch")
    assert (world.room.phase, sorted(world.room.seated_names())) == ("playing", sorted(seats))
    assert world.run.match_id != before
    assert world.restarted() == world.room


def test_a_rematch_of_the_host_starts_after_ten_seconds_unless_declined() -> None:
    world = finished()
    world.ok("Ana", ask.Propose, subject="rematch")
    world.wait(9)
    world.ok("Bob", ask.CastVote)
    assert world.room.phase == "finished"
    world.ok("Cat", ask.CastVote, yes=False)
    world.wait(60)
    assert world.room.phase == "finished"
    world.ok("Ana", ask.Propose, subject="rematch")
    world.wait(11)
    assert world.room.phase == "playing"


def test_a_player_alone_with_bots_gets_a_rematch_at_once() -> None:
    world = World(bots=("easy", "easy"))
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Propose, subject="rematch")
    assert world.room.phase == "playing"


def test_a_rematch_with_too_few_players_returns_to_the_waiting_room() -> None:
    world = finished()
    world.ok("Ana", ask.Propose, subject="rematch")
    for name in ("Cat", "Dan"):
        world.ok(name, ask.Leave)
    world.wait(11)
    assert world.room.phase == "lobby"
    assert room_view.build_room(world.room)["start_blocked_text"]
    assert world.refused("Ana", ask.Propose, subject="rematch") == "not_now"


# Undo ---------------------------------------------------------------------------------------------------------


def with_take_back(**settings: Any) -> World:
    world = playing(**settings)
    world.ok("Ana", ask.Configure, allow_undo=True)
    return world


def everything(world: World) -> tuple[Any, ...]:
    """Return the state of the hand and the views of all players."""
    names = world.room.seated_names()
    return (
        world.run.match,
        world.run.hand,
        room_view.build_table(world.room),
        [room_view.build_own_match_view(world.room, world.room.members[name]) for name in names],
    )


def test_an_agreed_undo_restores_the_hand_and_leaves_no_trace_in_its_record() -> None:
    world = with_take_back()
    world.play(2)
    before, name = everything(world), world.to_act
    world.ok(name, ask.Act, action=world.choose(name))
    assert shown(world)["may_undo"]["by"] == name
    world.ok(name, ask.Propose, subject="undo")
    others = [other for other in world.room.seated_names() if other != name]
    for other in others:
        assert everything(world) != before
        world.ok(other, ask.CastVote)
    assert everything(world) == before
    assert shown(world)["may_undo"] is None
    assert world.restarted() == world.room
    assert everything(world) == before

    # The record of the hand has only the final actions, and its deal can still be verified.
    rued = [entry for entry in world.entries if entry.kind == "acted"][-1].data["action"]
    other = next(
        each for each in room_view.build_own_match_view(world.room, world.room.members[name])["legal"] if each != rued
    )
    world.ok(name, ask.Act, action=other)
    world.play()
    ended = next(fact for fact in world.facts if isinstance(fact, HandEnded))
    made = actions_to_json(world.run.hand.actions)
    assert made[2] == {**other, "by": name}
    assert rued not in [{key: value for key, value in each.items() if key != "by"} for each in made[:3]]
    assert ended.record["actions"] == made
    start = Match.start(world.room.settings.game, world.room.settings.options, ("Ana", "Bob", "Cat", "Dan"))
    assert find_deal_problem(start, ended.record) is None


def test_only_the_last_play_can_be_undone_and_only_if_undo_was_allowed() -> None:
    world = playing()
    name = world.to_act
    world.ok(name, ask.Act, action=world.choose(name))
    assert world.refused(name, ask.Propose, subject="undo") == "not_now"
    world.ok("Ana", ask.Configure, allow_undo=True)
    assert shown(world)["may_undo"] is None, "it was played where nothing could be taken back"
    name = world.to_act
    world.ok(name, ask.Act, action=world.choose(name))
    assert world.refused(world.to_act, ask.Propose, subject="undo") == "not_now"
    world.ok(name, ask.Propose, subject="undo")
    following = world.to_act
    world.ok(following, ask.Act, action=world.choose(following))
    assert shown(world)["vote"] is None, "the next play has answered"
    assert world.refused(name, ask.Propose, subject="undo") == "not_now"


def test_an_undo_without_full_agreement_expires_and_the_play_stays() -> None:
    world = with_take_back()
    name = world.to_act
    world.ok(name, ask.Act, action=world.choose(name))
    played = world.run.match
    world.ok(name, ask.Propose, subject="undo")
    one, *_ = (other for other in world.room.seated_names() if other != name)
    world.ok(one, ask.CastVote)
    world.wait(16)
    assert (world.entries[-1].kind, world.entries[-1].data["by"]) == ("dropped", None)
    assert shown(world)["vote"] is None
    assert world.run.match == played
    assert shown(world)["may_undo"]["by"] == name, "it is still the last play"


def test_a_swap_that_revealed_a_card_cannot_be_undone() -> None:
    world = with_take_back(game="chase_the_ace")
    for _ in range(3):
        name = world.to_act
        held = format_cards(world.run.match.current_hand.cards[name])
        outcome = world.ask(name, ask.Act, action={"do": "swap"})
        if outcome.reply.ok and world.run.match.is_hand_running:
            if format_cards(world.run.match.current_hand.cards[name]) != held:
                assert shown(world)["may_undo"] is None
                return
        elif not outcome.reply.ok:
            world.ok(name, ask.Act, action={"do": "keep"})
    raise AssertionError("nobody swaps")


def test_bots_agree_to_an_undo_and_leave_time_to_propose_it() -> None:
    world = World(bots=("easy", "easy"), bots_delay=0.8)
    world.ok("Ana", ask.Configure, allow_undo=True)
    world.ok("Ana", ask.Start)
    world.bots()
    held = format_cards(world.run.match.current_hand.cards["Ana"])
    world.ok("Ana", ask.Act, action=world.choose("Ana"))
    assert [wish.delay for wish in timer_requests(world.room) if isinstance(wish, AskBot)] == [MIN_DELAY_FOR_UNDO]
    world.ok("Ana", ask.Propose, subject="undo")
    assert format_cards(world.run.match.current_hand.cards["Ana"]) == held
    assert world.to_act == "Ana"


def test_bots_wait_while_a_vote_on_an_undo_is_open() -> None:
    world = World(bots=("easy", "easy")).join("Bob")
    world.ok("Ana", ask.Configure, allow_undo=True)
    world.ok("Ana", ask.Start)
    for _ in range(20):
        world.bots()
        name = world.to_act
        world.ok(name, ask.Act, action=world.choose(name))
        if world.room.members[world.to_act].bot:
            break
    world.ok(name, ask.Propose, subject="undo")
    assert not any(isinstance(wish, AskBot) for wish in timer_requests(world.room))
    world.wait(16)
    assert any(isinstance(wish, AskBot) for wish in timer_requests(world.room))
