"""Test that the engine can play the records of lessons, and that their texts fit the positions."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES
from app.engine.games.lessons import all_lessons
from app.engine.match.lesson import Lesson, LessonStep
from app.engine.match.record import replay_record
from app.rooms.views.lesson_frames import LessonFrame, build_lesson_frames
from tools.local_server.client_view import merge_update

LESSONS = all_lessons()
LONGEST = 130
"""The largest number of characters of a text that fits beside the cards on a phone."""
MINUTES = 3
PLACES = {"trick", "hand", "signs", "me", "actions", "result", "seats", ""}


@pytest.fixture(params=LESSONS)
def lesson(request: pytest.FixtureRequest) -> Lesson:
    return LESSONS[request.param]


def pictures(lesson: Lesson) -> Iterator[tuple[LessonFrame, dict[str, Any]]]:
    """Yield every moment with the learner's whole view."""
    whole: dict[str, Any] = {}
    for moment in build_lesson_frames(lesson):
        whole = merge_update(whole or None, json.loads(moment.frame))
        yield moment, whole


def test_every_game_has_a_lesson() -> None:
    assert {lesson.game for lesson in LESSONS.values()} == GAMES.keys()


def test_the_rules_allow_every_move_of_a_lesson(lesson: Lesson) -> None:
    played = replay_record(lesson.record, GAMES)
    assert played["ok"], played["error"]
    assert lesson.learner in lesson.record["players"]


def test_each_learner_move_has_a_step_and_is_listed_as_legal(lesson: Lesson) -> None:
    said = {(step.hand, step.move) for step in lesson.steps}
    moves = 0
    for moment in build_lesson_frames(lesson):
        if moment.next_action is None or moment.next_action["by"] != lesson.learner:
            continue
        moves += 1
        assert (moment.hand, moment.move) in said
        # The page searches for the move in this list. If it were incomplete, the page would have to ask the server.
        assert moment.own["more"] is False
        done = {key: value for key, value in moment.next_action.items() if key != "by"}
        assert any(same(done, legal) for legal in moment.own["legal"]), done
    assert moves


def test_a_lesson_of_president_teaches_bombs() -> None:
    lesson = LESSONS["zheng_shangyou"]
    assert "bombed" in replay_record(lesson.record, GAMES)["hands"][0]["events"]
    bombs = [action["cards"] for action in lesson.record["hands"][0]["actions"] if len(action.get("cards", "")) == 11]
    assert bombs == ["6c 6d 6h 6s", "9c 9d 9h 9s"]


def test_a_lesson_of_ceausescu_teaches_bombs_out_of_turn() -> None:
    out_of_turn = [
        moment.next_action["by"]
        for moment, whole in pictures(LESSONS["ceausescu_out_of_turn"])
        if moment.next_action is not None and moment.next_action["by"] not in whole["table"]["to_act"]
    ]
    assert out_of_turn == ["Robin", "Wren"], "the learner and a bot both play a bomb out of turn"


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    held = [sorted(parse_cards(each.get("cards", ""))) for each in (one, other)]
    return held[0] == held[1] and {**one, "cards": ""} == {**other, "cards": ""}


def test_each_lesson_step_points_at_something_on_the_table(lesson: Lesson) -> None:
    there = {(moment.hand, moment.move): whole for moment, whole in pictures(lesson)}
    for step in lesson.steps:
        whole = there[step.hand, step.move]  # this moment exists
        table, held = whole["table"], whole["you"]["cards"].split()
        what, _, which = step.points.partition(" ")
        match what:
            case "cards":
                assert set(which.split()) <= set(held), step
            case "seat":
                assert which in table["seats"], step
            case "result":
                assert whole["room"]["phase"] != "playing", step
            case "trick":
                assert table["trick"]["plays"] or table["panels"], step
            case "signs":
                assert table["signs"], step
            case "hand":
                assert held, step
            case _:
                assert step.points in PLACES, step


def test_a_lesson_is_short_and_in_order(lesson: Lesson) -> None:
    steps = [(step.hand, step.move) for step in lesson.steps]
    assert steps == sorted(steps)
    assert len({step.id for step in lesson.steps}) == len(lesson.steps)
    assert all(len(text) <= LONGEST for step in lesson.steps for text in (step.says, step.why))
    # Estimate four seconds to read and do each step, and one second for each move of the others.
    others = sum(len(hand["actions"]) for hand in lesson.record["hands"]) - len(lesson.steps)
    assert 4 * len(lesson.steps) + max(0, others) < 60 * MINUTES


def test_a_lesson_step_with_several_legal_moves_explains_the_choice(lesson: Lesson) -> None:
    asking: dict[tuple[int, int], LessonStep] = {(step.hand, step.move): step for step in lesson.steps}
    for moment in build_lesson_frames(lesson):
        if moment.next_action is not None and moment.next_action["by"] == lesson.learner:
            choices = moment.own["legal"]
            assert len(choices) == 1 or asking[moment.hand, moment.move].why


def test_a_lesson_is_played_without_a_clock(lesson: Lesson) -> None:
    for _, whole in pictures(lesson):
        assert not whole["room"]["deadlines"]
        assert whole["you"]["name"] == lesson.learner
