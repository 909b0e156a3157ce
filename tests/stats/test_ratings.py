"""Test that ratings depend on the order of places, and that ties are broken as documented."""

import pytest

from app.stats.ratings import MU, SIGMA, Rating, update_ratings


def test_a_higher_place_raises_the_rating_and_every_hand_lowers_uncertainty() -> None:
    after = update_ratings({"ana": 1, "bob": 2, "cat": 3}, {})
    assert after["ana"].mu > after["bob"].mu > after["cat"].mu
    assert {rating.hands for rating in after.values()} == {1}
    assert all(rating.sigma < SIGMA for rating in after.values())
    assert update_ratings({"ana": 2, "bob": 5, "cat": 9}, {}) == after, "only the order counts"


def test_beating_a_stronger_player_raises_the_rating_more() -> None:
    strong, weak = Rating(MU + 10, 2, 50), Rating(MU - 10, 2, 50)
    from_strong = update_ratings({"ana": 1, "bob": 2}, {"bob": strong})["ana"].mu
    from_weak = update_ratings({"ana": 1, "bob": 2}, {"bob": weak})["ana"].mu
    assert from_strong > from_weak > MU


@pytest.mark.parametrize("names", [("ana", "bob"), ("bob", "ana")])
def test_a_tie_counts_as_a_win_for_the_player_with_the_lower_rating(names: tuple[str, str]) -> None:
    strong, weak = names
    before = {strong: Rating(MU + 5, 3, 9), weak: Rating(MU - 5, 3, 9)}
    after = update_ratings({strong: 1, weak: 1}, before)
    assert after == update_ratings({weak: 1, strong: 2}, before)
    assert after[weak].mu > before[weak].mu
    assert after[strong].mu < before[strong].mu
    assert update_ratings({"bob": 1, "ana": 1}, {}) == update_ratings({"ana": 1, "bob": 2}, {}), (
        "among equals, whose id comes first"
    )
