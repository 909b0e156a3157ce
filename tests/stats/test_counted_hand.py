"""Test that a swap of first and last place in one hand is recorded as a fall and a rise."""

from app.stats.counted_hand import FinishedHand, PlayerResult
from tests.store.samples import T0


def played(before: str, after: str) -> FinishedHand:
    """Return a hand with the hierarchy before and after it, best first."""
    titles = dict(zip((1, 3), ("King", "Serf"), strict=True))
    seats = tuple(
        PlayerResult(
            name.lower(),
            name,
            place,
            0,
            0,
            None,
            titles.get(before.find(name) + 1),
            titles.get(place),
            before.find(name) + 1 or None,
            place,
        )
        for place, name in enumerate(after, 1)
    )
    return FinishedHand("room", "match", 3, "ceausescu", T0, seats, (), ())


def test_swapping_first_and_last_place_counts_as_a_fall_and_a_rise() -> None:
    hand = played("ABC", "CBA")
    fell, rose = hand.rank_reversals(42)
    assert (fell.what, fell.name, fell.n, fell.values) == ("fell", "A", 42, {"before": "King", "after": "Serf"})
    assert (rose.what, rose.player, rose.values) == ("rose", "c", {"before": "Serf", "after": "King"})


def test_dropping_to_a_middle_place_is_not_counted_as_a_fall() -> None:
    assert played("ABC", "BAC").rank_reversals(1) == ()
    assert played("", "ABC").rank_reversals(1) == (), "nobody was anything in a first hand"
