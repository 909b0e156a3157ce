"""Tests of each game."""

import pytest

pytest.register_assert_rewrite("tests.engine.games.compared_playout")
