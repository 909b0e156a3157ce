"""Test the points of a session over several matches and games, and the fewest payments that settle them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from app.rooms.errors import RoomError
from app.rooms.log import snapshots
from app.rooms.model import commands as ask
from app.rooms.money.session import SessionView, session_after_hand
from app.rooms.money.settlement import MOST_EXACT, fewest_payments, points_to_settle, split_pot
from app.rooms.money.stake import Stake, StakeChange, singular_unit
from app.rooms.views import room_view
from tests.for_each import for_each
from tests.rooms.world import World, four

amounts = st.one_of(st.integers(-3, 3), st.integers(-30, 30))


def even(points: Sequence[int]) -> tuple[int, ...]:
    """Add one balance so that the sum is zero."""
    return (*points, -sum(points))


def check_even(balances: Sequence[int]) -> None:
    """Check that the payments settle all balances."""
    left = list(balances)
    for payer, payee, points in fewest_payments(tuple(balances)):
        assert points > 0
        assert balances[payer] < 0 < balances[payee]
        left[payer] += points
        left[payee] -= points
    assert not any(left)


def fewest(balances: Sequence[int]) -> int:
    """Compute the minimum by trying all: the first player settles completely with each of the others."""
    open_ones = [points for points in balances if points]
    if not open_ones:
        return 0
    first, *rest = open_ones
    return 1 + min(
        fewest([*rest[:place], rest[place] + first, *rest[place + 1 :]])
        for place in range(len(rest))
        if rest[place] * first < 0
    )


@given(st.lists(amounts, max_size=6).map(even))
def test_small_groups_settle_with_the_fewest_payments(balances: tuple[int, ...]) -> None:
    check_even(balances)
    assert len(fewest_payments(balances)) == fewest(balances)


@given(st.lists(amounts, min_size=7, max_size=24).map(even))
def test_large_groups_settle_with_fewer_payments_than_players(balances: tuple[int, ...]) -> None:
    check_even(balances)
    assert len(fewest_payments(balances)) < max(1, len(balances))


def test_groups_that_balance_separately_are_settled_separately() -> None:
    threes = (5, 7, -12, 20, 1, -21, 40, 2, -42, 80, 3, -83)
    assert len(threes) <= MOST_EXACT
    assert len(fewest_payments(threes)) == 8


@given(st.dictionaries(st.sampled_from("ABCDEFGH"), st.integers(-50, 50), min_size=2))
def test_the_dues_of_a_hand_add_up_to_zero(ledger: dict[str, int]) -> None:
    worth = points_to_settle(ledger, zero_sum=False)
    assert sum(worth.values()) == 0
    for one, own in ledger.items():
        assert worth[one] == sum(own - points for points in ledger.values())


@given(st.integers(0, 200), st.lists(st.integers(-20, 20), min_size=1, max_size=20))
def test_a_shared_pot_is_split_without_losing_a_point(pot: int, totals: list[int]) -> None:
    parts = split_pot(pot, totals)
    assert sum(parts) == pot
    assert max(parts) - min(parts) <= 1


# In a room ------------------------------------------------------------------------------------------------------------


def played(world: World, hands: int) -> None:
    """Play this number of hands in a match."""
    world.ok("Ana", ask.Start)
    for number in range(hands):
        if number:
            world.ok("Ana", ask.DealNext)
        world.play()


def evening(world: World) -> SessionView:
    assert world.room.evening is not None
    return world.room.evening.view


def accounts(world: World) -> dict[str, int]:
    return {one["name"]: one["points"] for one in evening(world)["accounts"]}


def ledgers(world: World) -> Iterator[dict[str, int]]:
    """Yield the points of each hand of the current match."""
    assert world.room.run is not None
    for hand in world.room.run.hands:
        yield hand["ledger"]


def test_a_session_spans_matches_and_games() -> None:
    world = four()
    assert world.room.evening is None
    played(world, 2)
    expected = dict.fromkeys(("Ana", "Bob", "Cat", "Dan"), 0)
    for ledger in ledgers(world):
        for name, points in points_to_settle(ledger, zero_sum=False).items():
            expected[name] += points
    assert accounts(world) == expected
    assert (evening(world)["hands"], evening(world)["matches"], evening(world)["differences"]) == (2, 1, True)
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Rematch)
    world.ok("Ana", ask.Configure, game="ceausescu")
    assert accounts(world) == expected, "the evening goes on in the waiting room"
    played(world, 2)
    for ledger in ledgers(world):
        for name, points in ledger.items():
            expected[name] += points
    assert accounts(world) == expected
    assert (evening(world)["hands"], evening(world)["matches"]) == (4, 2)
    assert list(accounts(world).values()) == sorted(expected.values(), reverse=True)
    world.restarted()


def test_a_new_session_begins_after_a_break_of_more_than_six_hours() -> None:
    world = four(clock={"pause": None})
    played(world, 2)
    world.wait(6 * 3600)
    world.ok("Ana", ask.DealNext)
    world.play()
    assert evening(world)["hands"] == 3, "six hours are no night"
    before = accounts(world)
    world.wait(6 * 3600 + 1)
    assert accounts(world) == before, "what was owed stays to be seen until the next hand is over"
    world.ok("Ana", ask.DealNext)
    world.play()
    assert (evening(world)["hands"], evening(world)["matches"]) == (1, 1)
    [*_, last] = ledgers(world)
    assert accounts(world) == points_to_settle(last, zero_sum=False)


@pytest.mark.parametrize("gap", [0, 7 * 3600])
def test_an_open_pot_counts_as_returned_in_the_accounts(gap: int) -> None:
    world = World(game="chase_the_ace", options={"dimes": 7}, clock={"pause": None}).join("Bob", "Cat")
    played(world, 1)
    assert accounts(world) == {"Ana": 0, "Bob": 0, "Cat": 0}, "all have paid as much"
    world.wait(gap)
    world.ok("Ana", ask.DealNext)
    world.play()
    assert accounts(world) == {"Ana": 0, "Bob": 0, "Cat": 0}
    world.ok("Cat", ask.Leave)
    world.ok("Bob", ask.Leave)
    world.join("Dan").ok("Ana", ask.DealNext)
    assert accounts(world) == {"Ana": 14, "Bob": -7, "Cat": -7}, "who is left has won the pot in the hand before"
    assert evening(world)["payments"] == [
        {"payer": "Bob", "payee": "Ana", "points": 7},
        {"payer": "Cat", "payee": "Ana", "points": 7},
    ]
    world.restarted()


def test_an_open_pot_carries_over_to_a_match_that_continues_another() -> None:
    world = World(game="chase_the_ace", options={"dimes": 7}).join("Bob", "Cat")
    played(world, 2)
    run, before = world.room.run, world.room.evening
    assert run is not None
    assert before is not None
    after = session_after_hand(before, run.match, "the next volume", run.names, before.until + 1)
    assert len(after.matches) == 2
    assert [one["points"] for one in after.view["accounts"]] == [0, 0, 0]
    won = run.match.replace(memory={**run.match.memory, "pot": 0})
    assert won.last is not None
    won = won.replace(last=replace(won.last, ledger={"Ana": 21, "Bob": 0, "Cat": 0}))
    shown = session_after_hand(after, won, "the next volume", run.names, before.until + 2).view
    assert {one["name"]: one["points"] for one in shown["accounts"]} == {"Ana": 14, "Bob": -7, "Cat": -7}


def test_accounts_follow_a_person_through_a_rename_and_a_new_device() -> None:
    world = four(game="ceausescu")
    played(world, 1)
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Rematch)
    points = accounts(world)
    world.ok("Bob", ask.Join, name="Robert")
    assert accounts(world) == {("Robert" if name == "Bob" else name): owed for name, owed in points.items()}
    world.tell(ask.PersonDisconnected("cat"))
    world.wait(60)
    world.ok("Ana", ask.MakeLink, name="Cat", digest="link")
    world.ok("Cat's phone", ask.TakeSeat, digest="link")
    played(world, 1)
    assert sorted(accounts(world)) == ["Ana", "Cat", "Dan", "Robert"]


def test_a_snapshot_without_a_session_loads_without_a_session() -> None:
    world = four()
    played(world, 1)
    kept: dict[str, Any] = snapshots.room_to_json(world.room)
    assert snapshots.room_from_json(kept, world.room.seq).evening == world.room.evening
    del kept["evening"]
    assert snapshots.room_from_json(kept, world.room.seq).evening is None


# The stake ------------------------------------------------------------------------------------------------------------


def test_the_host_sets_and_clears_the_stake_only_between_matches() -> None:
    world = four()
    assert room_view.build_room(world.room)["stake"] is None
    assert world.refused("Bob", ask.Configure, stake=StakeChange(10, "cents")) == "not_host"
    world.ok("Ana", ask.Configure, stake=StakeChange(0.5, " euros\u200b "))
    assert room_view.build_room(world.room)["stake"] == {"amount": 0.5, "unit": "euros", "unit_singular": "euro"}
    world.ok("Ana", ask.Configure, bots_delay=0.1)
    assert room_view.build_room(world.room)["stake"]["unit"] == "euros", "what is left out stays"
    world.ok("Ana", ask.Start)
    assert room_view.build_room(world.room)["session"] is None
    assert world.refused("Ana", ask.Configure, stake=StakeChange(50, "euros")) == "not_now"
    assert world.refused("Ana", ask.Configure, stake=None) == "not_now"
    world.play()
    world.restarted()
    assert room_view.build_room(world.room)["session"] == evening(world)
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Configure, stake=None)
    shown = room_view.build_room(world.room)
    assert (shown["stake"], shown["session"]) == (None, None), "where nothing is played for nobody owes"
    assert evening(world)["hands"] == 1, "but what would be owed is known"


@pytest.mark.parametrize(
    ("stake", "points", "worth"),
    [
        (Stake(1, "sips"), 1, (1, "sip")),
        (Stake(0.5, "euros"), 2, (1, "euro")),
        (Stake(0.1, "euros"), 3, (0.3, "euros")),
        (Stake(1, "pennies"), 12, (12, "pennies")),
    ],
    ids=str,
)
def test_a_singular_amount_uses_the_singular_unit(stake: Stake, points: int, worth: tuple[float, str]) -> None:
    assert stake.amount_for_points(points) == worth
    assert singular_unit("glasses of rum") == "glass of rum"
    for same in ("gin", "glass", "Schweizer Franken", "Prunus"):
        assert singular_unit(same) == same


@for_each(
    "stake",
    [
        {"amount": 0, "unit": "cents"},
        {"amount": -1, "unit": "cents"},
        {"amount": 1001, "unit": "cents"},
        {"amount": 0.125, "unit": "cents"},
        {"amount": float("nan"), "unit": "cents"},
        {"amount": True, "unit": "cents"},
        {"amount": "10", "unit": "cents"},
        {"amount": 10, "unit": " \u200b"},
        {"amount": 10, "unit": "x" * 25},
        {"amount": 10, "unit": 7},
        {"amount": 10},
        {"amount": 10, "unit": "cents", "each": "hand"},
        "10 cents",
    ],
)
def test_an_invalid_stake_is_refused_with_an_example(stake: Any) -> None:
    with pytest.raises(RoomError) as refused:
        World(stake=stake)
    assert refused.value.code == "bad_setting"
    assert "10 “cents”" in refused.value.sentence
