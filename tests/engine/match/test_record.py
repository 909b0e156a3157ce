"""Test that records can be replayed and that unusable files get an explanation. test_records.py tests the rules."""

from itertools import pairwise
from typing import Any

import pytest

from app.engine.cards.actions import Pass
from app.engine.games import GAMES
from app.engine.match.record import (
    IllegalRecordedAction,
    InvalidRecord,
    parse_record,
    replay_steps,
    replay_with_exit_status,
)
from tests.for_each import for_each

CARDS = {"Ana": "4c 7c", "Bob": "5c 8c", "Cat": "6c 9c"}
HAND: dict[str, Any] = {"dealer": "Ana", "cards": CARDS, "actions": []}


def record(*hands: dict[str, Any], **changes: Any) -> dict[str, Any]:
    whole = {"format": "climbing-record/1", "game": "president", "players": ["Ana", "Bob", "Cat"], "hands": list(hands)}
    return whole | changes


def hand(*actions: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**HAND, "actions": list(actions), **changes}


def play(by: str, cards: str) -> dict[str, Any]:
    return {"by": by, "do": "play", "cards": cards}


def whole_hand() -> dict[str, Any]:
    return hand(
        play("Bob", "5c"),
        play("Cat", "6c"),
        play("Ana", "7c"),
        play("Bob", "8c"),
        play("Cat", "9c"),
    )


def test_a_fold_yields_each_moment_with_the_match_before_and_after_it() -> None:
    match, hands = parse_record(record(whole_hand(), {"between": [{"by": "Ana", "do": "leave"}]}), GAMES)
    moments = list(replay_steps(match, hands))
    assert [(one.hand_index, one.action_index, one.between, one.by) for one in moments] == [
        (0, None, False, None),
        (0, 0, False, "Bob"),
        (0, 1, False, "Cat"),
        (0, 2, False, "Ana"),
        (0, 3, False, "Bob"),
        (0, 4, False, "Cat"),
        (1, 0, True, "Ana"),
    ]
    assert [one.is_deal for one in moments] == [True, *[False] * 6]
    assert moments[0].before is match
    assert all(one.step.match is following.before for one, following in pairwise(moments))


def test_a_fold_can_start_from_any_hand() -> None:
    match, hands = parse_record(record(whole_hand(), {"cards": CARDS, "actions": []}), GAMES)
    after_one = [moment for moment in replay_steps(match, hands) if moment.hand_index == 0][-1].step.match
    (second,) = replay_steps(after_one, hands, 1)
    assert (second.hand_index, second.is_deal) == (1, True)
    assert second.step.match.dealt == 2


def test_a_fold_stops_at_a_refused_action() -> None:
    match, hands = parse_record(record(hand(play("Bob", "8c"), {"by": "Cat", "do": "pass"}, play("Ana", "7c"))), GAMES)
    moments = replay_steps(match, hands)
    assert [next(moments).action for _ in range(3)][-1] == Pass()
    with pytest.raises(IllegalRecordedAction) as caught:
        next(moments)
    assert caught.value.to_json() == {
        "hand": 0,
        "action": 2,
        "code": "does_not_beat",
        "message": caught.value.error.sentence,
    }


@for_each(
    ("value", "says"),
    [
        (None, "a JSON object"),
        (record(format="climbing-record/2"), "climbing-record/1"),
        (record(game="poker"), "president"),
        (record(game=["president"]), "president"),
        (record(players="Ana"), "list of names"),
        (record(players=["Ana", "Ana", "Bob"]), "must have a different name"),
        (record(players=["Ana", "Bob"]), "for 3 to"),
        (record(options={"jokers": 9}), "“jokers”"),
        (record(hands={}), "list of objects"),
        (record({}), "its cards, or a seed"),
        (record(hand(cards=[])), "listed by player"),
        (record(hand(cards={**CARDS, "Cat": "5c"})), "5♣"),
        (record(hand(cards={"Ana": "4c", "Bob": "5c"})), "these players and no others: Ana, Bob and Cat"),
        (record(hand(dealer="Dan")), "Dan"),
        (record({"seed": "7"}), "a whole number"),
        (record(hand(actions="pass")), "a list of actions"),
        (record(hand(), hand()), "Only the last hand of a record may be unfinished"),
        (record({**whole_hand(), "actions": [*whole_hand()["actions"], play("Ana", "4c")]}), "over before this action"),
    ],
)
def test_an_invalid_record_is_unusable_and_the_error_gives_the_reason(value: object, says: str) -> None:
    out, status = replay_with_exit_status(value, GAMES)
    assert (status, out["ok"]) == (2, False)
    assert says in out["error"]["message"]


def test_opening_an_invalid_record_raises_the_error_that_outcome_returns() -> None:
    with pytest.raises(InvalidRecord) as caught:
        parse_record([], GAMES)
    assert replay_with_exit_status([], GAMES)[0] == caught.value.to_json()


def test_a_refused_action_leaves_the_position_before_it() -> None:
    out, status = replay_with_exit_status(record(hand(play("Bob", "5c"), play("Cat", "9d"))), GAMES)
    assert (status, out["error"]["code"], out["error"]["action"]) == (1, "not_your_cards", 1)
    assert out["state"]["to_act"] == ["Cat"]


def test_the_state_of_a_match_between_hands_is_between() -> None:
    out, _ = replay_with_exit_status(record(whole_hand(), {"between": [{"by": "Dan", "do": "join"}]}), GAMES)
    assert (out["state"]["phase"], out["state"]["to_act"]) == ("between", [])
    assert len(out["hands"]) == 1


def test_an_error_between_hands_names_the_position_of_the_action() -> None:
    out, _ = replay_with_exit_status(record(whole_hand(), {**HAND, "between": [{"by": "Ana", "do": "join"}]}), GAMES)
    assert (out["error"]["hand"], out["error"]["between"]) == (1, 0)
    too_few = {**HAND, "between": [{"by": "Ana", "do": "leave"}]}
    out, _ = replay_with_exit_status(record(whole_hand(), too_few), GAMES)
    assert (out["error"]["between"], out["error"]["code"]) == (0, "bad_player_count")


def test_the_first_hand_of_a_record_can_state_places_of_an_earlier_match() -> None:
    gifts = [{"by": "Bob", "do": "give", "cards": "8c"}]
    match, hands = parse_record(record(hand(*gifts, ranks=["Cat", "Ana", "Bob"])), GAMES)
    dealt = next(replay_steps(match, hands)).step.match
    assert (dealt.hierarchy, dealt.seats, dealt.phase) == (("Cat", "Ana", "Bob"), ("Cat", "Ana", "Bob"), "exchange")


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        ([hand(ranks="Ana")], "a list of names"),
        ([hand(ranks=["Ana", 1])], "a list of names"),
        ([hand(ranks=["Ana", "Ana"])], "each once"),
        ([hand(ranks=["Dan"])], "players of the record"),
        ([whole_hand(), hand(ranks=["Ana"])], "Only the first hand"),
    ],
)
def test_invalid_places_in_a_record_are_refused(hands: list[dict[str, Any]], sentence: str) -> None:
    match, elements = parse_record(record(*hands), GAMES)
    with pytest.raises(InvalidRecord, match=sentence):
        list(replay_steps(match, elements))
