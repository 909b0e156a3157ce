"""Ratings go by who was placed above whom, and ties are broken as stated."""

import pytest

from app.stats.ratings import MU, SIGMA, Rating, rated


def test_who_is_placed_above_goes_up_and_is_surer() -> None:
    after = rated({"ana": 1, "bob": 2, "cat": 3}, {})
    assert after["ana"].mu > after["bob"].mu > after["cat"].mu
    assert {rating.hands for rating in after.values()} == {1}
    assert all(rating.sigma < SIGMA for rating in after.values())
    assert rated({"ana": 2, "bob": 5, "cat": 9}, {}) == after, "only the order counts"


def test_beating_somebody_stronger_is_worth_more() -> None:
    strong, weak = Rating(MU + 10, 2, 50), Rating(MU - 10, 2, 50)
    from_strong = rated({"ana": 1, "bob": 2}, {"bob": strong})["ana"].mu
    from_weak = rated({"ana": 1, "bob": 2}, {"bob": weak})["ana"].mu
    assert from_strong > from_weak > MU


@pytest.mark.parametrize("names", [("ana", "bob"), ("bob", "ana")])
def test_a_tie_goes_to_who_was_rated_lower(names: tuple[str, str]) -> None:
    strong, weak = names
    before = {strong: Rating(MU + 5, 3, 9), weak: Rating(MU - 5, 3, 9)}
    after = rated({strong: 1, weak: 1}, before)
    assert after == rated({weak: 1, strong: 2}, before)
    assert after[weak].mu > before[weak].mu
    assert after[strong].mu < before[strong].mu
    assert rated({"bob": 1, "ana": 1}, {}) == rated({"ana": 1, "bob": 2}, {}), "among equals, whose id comes first"
