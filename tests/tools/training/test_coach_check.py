"""Test that the coach agrees with the hard bot's own plays and finds planted mistakes.

`tools/training/coach_check.py` checks more turns, `LONG_RUN=2` another game; docs/measurements/bots-strength.md has the
figures.
"""

from itertools import count, islice
from random import Random

import pytest

from app.bots.search.monte_carlo import Budget
from app.engine.games import GAMES
from tests.long_run import TIMES
from tools.training.coach_check import check_agreement, check_planted_mistake, contradicts_itself, play_hard_bot_turns

SOME = Budget(worlds=16)


@pytest.mark.long("the coach and the hard bot each search many deals")
@pytest.mark.parametrize("game", ["president", "ceausescu"][:TIMES])
def test_the_coach_agrees_with_the_hard_bot_and_finds_planted_mistakes(game: str) -> None:
    options = GAMES[game].option_schema.resolve_options({})
    every = (turn for seed in count(1) for turn in play_hard_bot_turns(GAMES[game], options, seed, SOME))
    own = [check_agreement(turn) for turn in islice(every, 3)]
    assert sum(one.is_right for one in own) >= 2
    found = (check_planted_mistake(turn, 100, Random(1)) for turn in every)
    mistakes = [*islice((one for one in found if one is not None), 1)]
    assert sum(one.is_right for one in mistakes) >= 1
    assert not any(contradicts_itself(one.answer) for one in (*own, *mistakes))
    assert all(one.answer.worlds or not one.answer.lines for one in (*own, *mistakes))
