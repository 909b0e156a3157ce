"""The evening: what everybody is owed by it, over matches and games, and the fewest payments that make all even."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rooms.errors import RoomError
from app.rooms.log import snapshots
from app.rooms.model import commands as ask
from app.rooms.money.session import EveningShown, after_hand
from app.rooms.money.settlement import MOST_EXACT, dues, settle, shared
from app.rooms.money.stake import Stake, StakeChange, one_of
from app.rooms.views import room_view
from tests.rooms.world import World, four

amounts = st.one_of(st.integers(-3, 3), st.integers(-30, 30))


def even(points: Sequence[int]) -> tuple[int, ...]:
    """Balances: what some are owed others owe."""
    return (*points, -sum(points))


def check_even(balances: Sequence[int]) -> None:
    """Everybody pays or is paid, as they owe or are owed, until all are even."""
    left = list(balances)
    for payer, payee, points in settle(tuple(balances)):
        assert points > 0
        assert balances[payer] < 0 < balances[payee]
        left[payer] += points
        left[payee] -= points
    assert not any(left)


def fewest(balances: Sequence[int]) -> int:
    """By trying all there is: whoever comes first in the list pays, or is paid by, any of the others, all of it."""
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
def test_no_fewer_payments_make_all_even(balances: tuple[int, ...]) -> None:
    check_even(balances)
    assert len(settle(balances)) == fewest(balances)


@given(st.lists(amounts, min_size=7, max_size=24).map(even))
def test_all_are_even_however_many_they_are(balances: tuple[int, ...]) -> None:
    check_even(balances)
    assert len(settle(balances)) < max(1, len(balances))


def test_groups_that_are_even_by_themselves_are_found_among_many() -> None:
    threes = (5, 7, -12, 20, 1, -21, 40, 2, -42, 80, 3, -83)
    assert len(threes) <= MOST_EXACT
    assert len(settle(threes)) == 8


@given(st.dictionaries(st.sampled_from("ABCDEFGH"), st.integers(-50, 50), min_size=2))
def test_what_a_hand_is_worth_adds_up_to_nothing(ledger: dict[str, int]) -> None:
    worth = dues(ledger, zero_sum=False)
    assert sum(worth.values()) == 0
    for one, own in ledger.items():
        assert worth[one] == sum(own - points for points in ledger.values())


@given(st.integers(0, 200), st.lists(st.integers(-20, 20), min_size=1, max_size=20))
def test_a_pot_is_given_back_to_the_last_point(pot: int, totals: list[int]) -> None:
    parts = shared(pot, totals)
    assert sum(parts) == pot
    assert max(parts) - min(parts) <= 1


# In a room ------------------------------------------------------------------------------------------------------------


def played(world: World, hands: int) -> None:
    """So many hands of a match."""
    world.ok("Ana", ask.Start)
    for number in range(hands):
        if number:
            world.ok("Ana", ask.Next)
        world.play()


def evening(world: World) -> EveningShown:
    assert world.room.evening is not None
    return world.room.evening.shown


def accounts(world: World) -> dict[str, int]:
    return {one["name"]: one["points"] for one in evening(world)["accounts"]}


def ledgers(world: World) -> Iterator[dict[str, int]]:
    """What the hands of the match that runs added."""
    assert world.room.run is not None
    for hand in world.room.run.hands:
        yield hand["ledger"]


def test_an_evening_goes_over_matches_and_games() -> None:
    world = four()
    assert world.room.evening is None
    played(world, 2)
    expected = dict.fromkeys(("Ana", "Bob", "Cat", "Dan"), 0)
    for ledger in ledgers(world):
        for name, points in dues(ledger, zero_sum=False).items():
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


def test_a_night_later_another_evening_begins() -> None:
    world = four(clock={"pause": None})
    played(world, 2)
    world.wait(6 * 3600)
    world.ok("Ana", ask.Next)
    world.play()
    assert evening(world)["hands"] == 3, "six hours are no night"
    before = accounts(world)
    world.wait(6 * 3600 + 1)
    assert accounts(world) == before, "what was owed stays to be seen until the next hand is over"
    world.ok("Ana", ask.Next)
    world.play()
    assert (evening(world)["hands"], evening(world)["matches"]) == (1, 1)
    [*_, last] = ledgers(world)
    assert accounts(world) == dues(last, zero_sum=False)


@pytest.mark.parametrize("gap", [0, 7 * 3600])
def test_a_pot_that_nobody_has_won_is_given_back(gap: int) -> None:
    world = World(game="chase_the_ace", options={"dimes": 7}, clock={"pause": None}).join("Bob", "Cat")
    played(world, 1)
    assert accounts(world) == {"Ana": 0, "Bob": 0, "Cat": 0}, "all have paid as much"
    world.wait(gap)
    world.ok("Ana", ask.Next)
    world.play()
    assert accounts(world) == {"Ana": 0, "Bob": 0, "Cat": 0}
    world.ok("Cat", ask.Leave)
    world.ok("Bob", ask.Leave)
    world.join("Dan").ok("Ana", ask.Next)
    assert accounts(world) == {"Ana": 14, "Bob": -7, "Cat": -7}, "who is left has won the pot in the hand before"
    assert evening(world)["payments"] == [
        {"payer": "Bob", "payee": "Ana", "points": 7},
        {"payer": "Cat", "payee": "Ana", "points": 7},
    ]
    world.restarted()


def test_a_pot_goes_on_in_a_match_that_continues_another() -> None:
    world = World(game="chase_the_ace", options={"dimes": 7}).join("Bob", "Cat")
    played(world, 2)
    run, before = world.room.run, world.room.evening
    assert run is not None
    assert before is not None
    after = after_hand(before, run.match, "the next volume", run.names, before.until + 1)
    assert len(after.matches) == 2
    assert [one["points"] for one in after.shown["accounts"]] == [0, 0, 0]
    won = run.match.but(memory={**run.match.memory, "pot": 0})
    assert won.last is not None
    won = won.but(last=replace(won.last, ledger={"Ana": 21, "Bob": 0, "Cat": 0}))
    shown = after_hand(after, won, "the next volume", run.names, before.until + 2).shown
    assert {one["name"]: one["points"] for one in shown["accounts"]} == {"Ana": 14, "Bob": -7, "Cat": -7}


def test_what_is_owed_is_a_persons_whatever_they_are_called() -> None:
    world = four(game="ceausescu")
    played(world, 1)
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Rematch)
    points = accounts(world)
    world.ok("Bob", ask.Join, name="Robert")
    assert accounts(world) == {("Robert" if name == "Bob" else name): owed for name, owed in points.items()}
    world.tell(ask.Absent("cat"))
    world.wait(60)
    world.ok("Ana", ask.MakeLink, name="Cat", digest="link")
    world.ok("Cat's phone", ask.TakeSeat, digest="link")
    played(world, 1)
    assert sorted(accounts(world)) == ["Ana", "Cat", "Dan", "Robert"]


def test_an_older_snapshot_has_no_evening() -> None:
    world = four()
    played(world, 1)
    kept: dict[str, Any] = snapshots.save(world.room)
    assert snapshots.load(kept, world.room.seq).evening == world.room.evening
    del kept["evening"]
    assert snapshots.load(kept, world.room.seq).evening is None


# What is played for ---------------------------------------------------------------------------------------------------


def test_the_host_says_what_a_point_is_played_for() -> None:
    world = four()
    assert room_view.room(world.room)["stake"] is None
    assert world.refused("Bob", ask.Configure, stake=StakeChange(10, "cents")) == "not_host"
    world.ok("Ana", ask.Configure, stake=StakeChange(0.5, " euros\u200b "))
    assert room_view.room(world.room)["stake"] == {"amount": 0.5, "unit": "euros", "one": "euro"}
    world.ok("Ana", ask.Configure, bots_delay=0.1)
    assert room_view.room(world.room)["stake"]["unit"] == "euros", "what is left out stays"
    world.ok("Ana", ask.Start)
    assert room_view.room(world.room)["evening"] is None
    assert world.refused("Ana", ask.Configure, stake=StakeChange(50, "euros")) == "not_now"
    assert world.refused("Ana", ask.Configure, stake=None) == "not_now"
    world.play()
    world.restarted()
    assert room_view.room(world.room)["evening"] == evening(world)
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Configure, stake=None)
    shown = room_view.room(world.room)
    assert (shown["stake"], shown["evening"]) == (None, None), "where nothing is played for nobody owes"
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
def test_of_one_is_said_as_of_one(stake: Stake, points: int, worth: tuple[float, str]) -> None:
    assert stake.worth(points) == worth
    assert one_of("glasses of rum") == "glass of rum"
    for same in ("gin", "glass", "Schweizer Franken", "Prunus"):
        assert one_of(same) == same


@pytest.mark.parametrize(
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
    ids=str,
)
def test_what_is_no_stake_is_refused(stake: Any) -> None:
    with pytest.raises(RoomError) as refused:
        World(stake=stake)
    assert refused.value.code == "bad_setting"
    assert "10 of “cents”" in refused.value.sentence
