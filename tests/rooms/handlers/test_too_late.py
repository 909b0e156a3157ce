"""Test that a message counts only for the request, the deal or the question that it answers."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from app.engine.cards.actions import Play
from app.engine.games import GAMES
from app.engine.match import views
from app.rooms.log.reducer import apply_stored_event
from app.rooms.model import commands as ask
from app.rooms.model.state import Room
from app.rooms.views import room_view
from tests.rooms.world import World, answering, four, playing

BURNS = {"burn": "any_time", "target": None, "exchange": "none"}
"""Options under which a player may complete four cards of a rank out of turn."""


def request(world: World, name: str) -> int | None:
    """Return the request number on this player's page, or None without a request."""
    shown: int | None = room_view.build_turn(world.room, world.room.members[name])["request"]
    return shown


def passes(world: World, name: str, **more: Any) -> Any:
    """Pass as this player and return the answer. A refused pass must not change the room."""
    before = world.room
    outcome = world.ask(name, ask.Act, action={"do": "pass"}, **more)
    assert outcome.reply.ok or world.room is before
    return outcome.reply


# Requests ---------------------------------------------------------------------------------------------------------


def test_a_pass_for_an_earlier_turn_is_too_late() -> None:
    world = playing()
    world.play(1)
    name, old = world.to_act, request(world, world.to_act)
    assert passes(world, name).ok
    while world.to_act != name:
        world.play(1)
    answer = passes(world, name, request=old)
    assert (answer.code, answer.message) == ("too_late", "Too late: the game has moved on.")
    assert passes(world, name, request=request(world, name)).code != "too_late"


def test_a_repeated_command_id_gets_its_first_answer_later_in_the_hand() -> None:
    world = playing()
    world.play(1)
    name, old = world.to_act, request(world, world.to_act)
    first = passes(world, name, cmd="once", request=old)
    world.play(5)
    assert passes(world, name, cmd="once", request=old) == first


def test_the_same_action_from_a_second_tab_is_too_late() -> None:
    world = playing()
    world.play(1)
    name, shown = world.to_act, request(world, world.to_act)
    assert passes(world, name, cmd="first tab", request=shown).ok
    assert passes(world, name, cmd="second tab", request=shown).code == "too_late"


def test_an_action_without_a_request_number_is_refused() -> None:
    world = playing()
    world.play(1)
    answer = passes(world, world.to_act, request=None)
    assert (answer.code, answer.message) == (
        "bad_message",
        "An action must say what it answers: “request”, as in “you.request”.",
    )


def test_a_player_who_is_not_to_act_has_no_request_number() -> None:
    world = playing()
    waiting = next(name for name in world.room.seated_names() if name != world.to_act)
    assert request(world, waiting) is None
    assert passes(world, waiting).code == "not_your_turn"
    assert passes(world, waiting, request=request(world, world.to_act)).code != "too_late", "the deal is the last play"


def test_a_late_action_leaves_the_seat_to_the_bot_that_plays_it() -> None:
    world = playing(clock={"turn": 10})
    name, old = world.to_act, request(world, world.to_act)
    while world.room.members[name].stand_in is None:
        world.wait(1)
    answer = passes(world, name, request=old)
    assert (answer.code, answer.message) == ("too_late", "Too late: a bot has played your turn.")
    assert world.room.members[name].stand_in is not None


def test_cards_given_by_a_player_do_not_make_another_giver_too_late() -> None:
    world = playing(options={"exchange": "two_one", "target": None})
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.room.match is not None
    assert world.room.match.phase == "exchange"
    givers = world.room.match.to_act
    assert len(givers) > 1
    shown = {name: request(world, name) for name in givers}
    for name in givers:
        world.ok(name, ask.Act, action=world.choose(name), request=shown[name])


def test_decrees_and_replies_to_them_need_no_request_number() -> None:
    world = playing(game="ceausescu")
    world.play()
    world.ok("Ana", ask.DealNext)
    king = world.room.match.hierarchy[0]  # type: ignore[union-attr]
    world.ok(king, ask.Act, action={"do": "decree", "text": "Sing!"}, request=None)
    other = next(name for name in world.room.seated_names() if name != king)
    world.ok(other, ask.Act, action={"do": "obey"}, request=None)


def test_a_decree_changes_no_request_numbers() -> None:
    world = playing(game="ceausescu")
    world.play()
    world.ok("Ana", ask.DealNext)
    shown = {name: request(world, name) for name in world.room.seated_names()}
    world.ok(world.room.match.hierarchy[0], ask.Act, action={"do": "decree", "text": "Sing!"})  # type: ignore[union-attr]
    assert {name: request(world, name) for name in world.room.seated_names()} == shown


def test_an_action_of_a_hand_that_is_over_is_too_late() -> None:
    world = playing(options={"target": None})
    name, old = world.to_act, request(world, world.to_act)
    world.play()
    assert world.room.phase == "between_hands"
    assert passes(world, name, request=old).code == "too_late"


def test_after_an_undo_the_turn_has_a_new_request_number() -> None:
    world = playing(allow_undo=True)
    world.play(1)
    name, old = world.to_act, request(world, world.to_act)
    world.ok(name, ask.Act, action=world.choose(name))
    world.ok(name, ask.Propose, subject="undo")
    for other in world.room.seated_names():
        if other != name:
            world.ok(other, ask.CastVote)
    assert world.to_act == name
    assert request(world, name) == world.room.turn
    assert passes(world, name, request=old).code == "too_late"


# Out of turn --------------------------------------------------------------------------------------------------------


def out_of_turn(
    seed: int, game: str = "president", options: Mapping[str, Any] = BURNS, *, barred: bool = False
) -> tuple[World, str, dict[str, Any]]:
    """Return a position in which a player may play out of turn while another may pass, and that play.

    `barred`: the player has passed in the trick.
    """
    world = World(seed=seed, game=game, options=options).join("Bob", "Cat", "Dan")
    world.ok("Ana", ask.Start)
    for _ in range(4000):
        while world.room.phase == "between_hands":
            world.ok("Ana", ask.DealNext)
        for name in world.room.seated_names():
            shown = room_view.build_turn(world.room, world.room.members[name])
            mine = room_view.build_turn(world.room, world.room.members[world.to_act])
            trick = views.table_view(world.run.match)["trick"]
            passed = trick is not None and name in trick["barred"]
            if name != world.to_act and shown["legal"] and {"do": "pass"} in mine["legal"] and passed >= barred:
                return world, name, shown["legal"][0]
        world.play(1)
    raise AssertionError("nobody may ever play out of turn")


def test_a_play_out_of_turn_is_still_accepted_after_a_pass() -> None:
    for seed in range(1, 30):
        world, name, play = out_of_turn(seed)
        shown = request(world, name)
        passes(world, world.to_act)
        running = world.room.match is not None and world.room.match.is_hand_running
        if running and request(world, name) == shown and name != world.to_act:
            world.ok(name, ask.Act, action=play, request=shown)
            return
    raise AssertionError("every pass ended its trick")


def test_a_play_out_of_turn_that_answers_an_earlier_play_is_too_late() -> None:
    world, name, play = out_of_turn(1)
    shown = request(world, name)
    while True:
        actor = world.to_act
        action = next(iter(each for each in room_view.build_turn(world.room, world.room.members[actor])["legal"]))
        world.ok(actor, ask.Act, action=action)
        if isinstance(world.run.hand.actions[-1][1], Play) or request(world, name) is None:
            break
    assert world.refused(name, ask.Act, action=play, request=shown) == "too_late"


def test_a_pass_sent_after_a_play_out_of_turn_is_too_late() -> None:
    world, name, play = out_of_turn(1)
    actor, old = world.to_act, request(world, world.to_act)
    world.ok(name, ask.Act, action=play)
    if world.room.match is not None and world.room.match.is_hand_running:
        assert passes(world, actor, request=old).code == "too_late"


def test_a_chop_after_a_pass_has_a_request_number_of_its_own() -> None:
    """The pass has used up the earlier number."""
    world, name, chop = out_of_turn(3, "tien_len", {"interruptions": "every"}, barred=True)
    shown = request(world, name)
    assert shown is not None
    assert shown > world.run.requests.play
    assert world.refused(name, ask.Act, action=chop, request=world.run.requests.play) == "too_late"
    assert passes(world, name, request=shown).code == "barred"
    world.ok(name, ask.Act, action=chop, request=shown)
    assert request(world, name) is None


# Numbers --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_request_number_is_never_reused(game: str) -> None:
    """A number must stay unique after an undo, a restart and a loss of entries."""
    rng = random.Random(game)
    world = World(game=game, allow_undo=True, options={}).join("Bob", "Cat", "Dan")
    world.ok("Ana", ask.Start)
    used: dict[tuple[str, int], tuple[Any, ...]] = {}
    for step in range(400):
        if world.room.phase == "between_hands":
            world.ok("Ana", ask.DealNext)
        elif world.room.phase == "finished":
            world.ok("Ana", ask.Rematch)
            world.ok("Ana", ask.Start)
        if world.room.match is None or not world.room.match.is_hand_running:
            continue
        for name, number in world.run.requests.seats.items():
            # The same number means the same request: the seat holds the same cards, in the same hand.
            asked = (world.run.match_id, world.run.match.dealt, world.run.match.current_hand.cards[name])
            assert used.setdefault((name, number), asked) == asked
        world.play(1)
        last = world.room.run and room_view.build_clocks(world.room)["may_undo"]
        if last and rng.random() < 0.2:
            for name in (last["by"], *world.room.seated_names()):
                world.ask(name, ask.Propose if name == last["by"] else ask.CastVote, **_takes_back(world, name, last))
        if step % 50 == 49:
            lost = rng.randrange(1, 8)
            kept = world.entries[: len(world.entries) - lost]
            turns = world.room.turn
            del world.entries[len(kept) :]
            world.snapshot = None
            world.room = _folded(kept)
            world.tell(ask.Rewind(world.room.rewinds, turns - world.room.turn))
            for member in list(world.room.members.values()):
                if member.person is not None and not member.is_connected_person:
                    world.tell(ask.PersonConnected(member.person))
    assert len(used) > 30


def _takes_back(world: World, name: str, last: Any) -> dict[str, Any]:
    if name == last["by"]:
        return {"subject": "undo", "request": last["request"]}
    return answering(world.room, ask.CastVote, name.lower())


def _folded(entries: list[Any]) -> Room:
    room = Room()
    for entry in entries:
        room, _ = apply_stored_event(room, entry)
    return room


# Deals --------------------------------------------------------------------------------------------------------------


def test_a_start_command_for_an_earlier_match_is_too_late() -> None:
    world = four(options={"target": None})
    old = world.room.chance.commitment
    world.ok("Ana", ask.Start, commitment=old)
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Rematch)
    assert world.refused("Ana", ask.Start, commitment=old) == "too_late"
    world.ok("Ana", ask.Start, commitment=world.room.chance.commitment)


def test_a_next_command_for_an_earlier_hand_is_refused() -> None:
    world = playing(options={"target": None})
    world.play()
    old = world.room.chance.commitment
    world.ok("Ana", ask.DealNext, commitment=old)
    assert world.refused("Ana", ask.DealNext, commitment=old) == "not_now", "it was dealt"
    world.play()
    assert world.refused("Ana", ask.DealNext, commitment=old) == "too_late"


# Votes --------------------------------------------------------------------------------------------------------------


def test_a_vote_on_an_earlier_question_is_too_late() -> None:
    world = playing(allow_undo=True)
    world.ok("Bob", ask.Propose, subject="pause")
    question = room_view.build_clocks(world.room)["vote"]["id"]  # type: ignore[index]
    world.ok("Bob", ask.CastVote, yes=False)
    world.play(1)
    name = room_view.build_clocks(world.room)["may_undo"]["by"]  # type: ignore[index]
    world.ok(name, ask.Propose, subject="undo")
    other = next(each for each in ("Ana", "Cat", "Dan") if each != name)
    assert world.refused(other, ask.CastVote, vote_id=question) == "too_late"
    assert room_view.build_clocks(world.room)["vote"]["agreed"] == [name]  # type: ignore[index]


def test_a_proposal_for_an_earlier_hand_is_too_late() -> None:
    world = playing(options={"target": None})
    old = world.room.chance.commitment
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.refused("Bob", ask.Propose, subject="pause", commitment=old) == "too_late"


def test_an_undo_must_name_the_last_play() -> None:
    world = playing(allow_undo=True)
    world.play(1)
    last = room_view.build_clocks(world.room)["may_undo"]
    assert last is not None
    assert world.refused(last["by"], ask.Propose, subject="undo", request=last["request"] - 1) == "too_late"
    assert world.refused(last["by"], ask.Propose, subject="undo", request=None) == "bad_message"
    world.ok(last["by"], ask.Propose, subject="undo", request=last["request"])
