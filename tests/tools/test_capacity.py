"""Test the simulation of nodes and databases in cases that can be calculated by hand."""

import math

import pytest

from tools.capacity import Costs, highest_bearable, highest_rate, plan_lines, slow_wait

ONLY_NODES = Costs(1e-3, 0, 0, 0, 0, 0)


def test_a_node_uses_one_processor_and_two_nodes_use_two() -> None:
    assert highest_rate(ONLY_NODES, 1, 8, 2)[0] == pytest.approx(1000, rel=0.02)
    assert highest_rate(ONLY_NODES, 2, 8, 2)[0] == pytest.approx(2000, rel=0.02)
    assert highest_rate(ONLY_NODES, 2, 8, 1)[0] == pytest.approx(1000, rel=0.02)


def test_actions_that_arrive_during_a_commit_share_the_next_one() -> None:
    slow_disk = Costs(1e-9, 0, 0, 0, 0, 0.01)
    assert highest_rate(slow_disk, 1, 1, 1)[0] == pytest.approx(100, rel=0.02)
    # The first action begins a commit alone. So each room acts once in two commits.
    assert highest_rate(slow_disk, 1, 50, 1)[0] == pytest.approx(2500, rel=0.02)


def test_waits_are_endless_above_the_highest_rate() -> None:
    assert slow_wait(ONLY_NODES, 1, 500) < 0.02
    assert slow_wait(ONLY_NODES, 1, 3000) == math.inf
    assert highest_bearable(lambda rate: slow_wait(ONLY_NODES, 1, rate), 10, 10_000) == pytest.approx(1000, rel=0.15)


def test_the_database_wakes_each_node_for_each_notice_of_another() -> None:
    loud = Costs(0, 0, 0, 0, 0, 0, wake=1e-4)
    assert slow_wait(loud, 8, 10) < 0.02  # 8 * 7 * 100 * 0.1 ms is half of a processor
    assert slow_wait(loud, 40, 10) > 0.1  # 16 of 4 processors


def test_the_plan_names_the_part_that_is_full_first() -> None:
    first, *_, last = plan_lines(0.02, node_rate=1000, nodes=4)
    assert first == "disk of the database, after a month: full at 92,593 rooms"
    assert last.startswith("1,000,000 rooms: 6,667 actions a second, 7 nodes, 2 databases; 9 machines, 450 € a month")
