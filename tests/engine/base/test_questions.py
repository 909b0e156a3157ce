"""Test the questions of all games: each answer sets legal options, with any preset and beside any other answer."""

from itertools import combinations, product
from typing import Any

import pytest

from app.engine.base.options import RuleAnswer, RuleQuestion
from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES

QUESTIONS = [
    pytest.param(game, question, id=f"{game.key}-{question.key}")
    for game in GAMES.values()
    for question in game.option_schema.questions
]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_each_game_asks_at_most_six_questions_with_two_to_four_answers(game: Any) -> None:
    questions = game.option_schema.questions
    assert 1 <= len(questions) <= 6
    assert len({question.key for question in questions}) == len(questions)
    for question in questions:
        assert 2 <= len({answer.key for answer in question.answers}) == len(question.answers) <= 4
        for picture in (answer.picture for answer in question.answers):
            assert set(picture.split()) <= {"first", "second", "last"} or parse_cards(picture)


@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_only_one_answer_to_a_question_can_be_in_force(game: Any, question: RuleQuestion) -> None:
    for one, other in combinations(question.answers, 2):
        assert any(other.sets[key] != value for key, value in one.sets.items() if key in other.sets), (one, other)


@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_an_answer_can_be_given_to_all_presets_and_beside_every_other_answer(game: Any, question: RuleQuestion) -> None:
    declared = game.option_schema
    others = [answer for each in declared.questions if each is not question for answer in each.answers]
    for preset, answer, other in product(declared.presets, question.answers, [RuleAnswer("", "", {}), *others]):
        asked = {"preset": preset.key, **other.sets, **answer.sets}
        options = declared.resolve_options(asked).values_by_key
        assert {key: options[key] for key in answer.sets} == dict(answer.sets)
