"""Test that the features of the large network are unchanged since training and that its sums are exact."""

import random
from functools import lru_cache
from itertools import islice
from typing import Any

import pytest

from app.bots.network import large_network
from app.bots.network.card_features import FEATURES, VERSION, CardFeatures
from app.bots.network.two_layers import SCALE, PackedWeights, TwoLayerNetwork
from app.bots.search import search_bot
from app.bots.search.monte_carlo import Budget, search_action
from app.bots.search.worker_job import decode_search_result, encode_search_job, run_search_job
from app.bots.view.card_order import RuleSet, rule_set_of
from app.bots.view.combinations import CombinationTable, build_combination_table
from app.bots.view.seat_view import SeatReader, View
from app.engine.games import GAMES
from app.engine.match.hidden_state import build_seat_knowledge
from tests.bots.test_small_network_bot import hand_of, in_a_hand

PAID = {"settlement": "winner_only"}
"""Rules by which the losers pay the winner. The large network plays these."""


def pack(seen: View) -> CombinationTable:
    rules = rule_set_of(seen["room"])
    assert rules is not None
    found = _pack(rules)
    assert found is not None
    return found


@lru_cache
def _pack(rules: RuleSet) -> CombinationTable | None:
    return build_combination_table(rules, 4)


def survey(seen: View) -> CardFeatures:
    return CardFeatures(SeatReader(seen), seen["told"], pack(seen))


def test_large_network_values_equal_a_plain_integer_computation() -> None:
    units, rng = (3, 2), random.Random(1)
    sizes = (4 * 3, 3, 3 * 2, 2, 2, 1)
    parts = [[rng.randint(-2000, 2000) for _ in range(size)] for size in sizes]
    deep = TwoLayerNetwork(PackedWeights.pack(VERSION, "", units, [each for part in parts for each in part]))
    rows, first, following, second, out, begin = parts
    for some in ([], [0], [1, 3], [0, 1, 2, 3]):
        one = [max(0, first[i] + sum(rows[3 * at + i] for at in some)) for i in range(3)]
        two = [max(0, second[j] * SCALE + sum(one[i] * following[2 * i + j] for i in range(3))) for j in range(2)]
        worth = begin[0] * SCALE + sum(two[j] // SCALE * out[j] for j in range(2))
        for cut in range(len(some) + 1):
            assert deep.value_with_features(deep.accumulate(some[:cut]), some[cut:]) == worth / SCALE**2


def test_the_trained_large_network_matches_the_current_features() -> None:
    net = large_network.load_current_network("big_two")
    assert net is not None, "features have changed: train anew"
    assert net.features == FEATURES
    assert large_network.load_current_network("president") is None


def test_a_large_network_trained_on_other_features_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        large_network,
        "load_network",
        lambda game: TwoLayerNetwork(PackedWeights.pack(VERSION - 1, "", (1, 1), [0] * (FEATURES + 5))),
    )
    large_network.load_current_network.cache_clear()
    assert large_network.load_current_network("big_two") is None
    large_network.load_current_network.cache_clear()


GOLDEN = (237, 4935296)
"""Number and sum of the features in the turns of a hand.

If you change them, increase `VERSION` and train the network again.
"""


def test_features_of_the_large_network_are_unchanged() -> None:
    found = list[int]()
    for seen in in_a_hand("big_two", 5, 60):
        sees = survey(seen)
        found += [sum(sees.table_features), *(sum(sees.action_features(action)) for action in seen["you"]["legal"])]
    assert (len(found), sum(found)) == GOLDEN


@pytest.mark.parametrize("switches", [PAID, {"preset": "hong_kong", **PAID}, {"preset": "latta", **PAID}], ids=str)
def test_the_search_bot_returns_the_same_legal_action_for_the_same_view(switches: dict[str, Any]) -> None:
    for match, seen in islice(hand_of("big_two", 7, **switches), 40):
        seen = {**seen, "veiled": build_seat_knowledge(match, seen["you"]["name"], seen["told"])}
        action = search_bot.choose(seen, random.Random(1), Budget(worlds=1))
        assert action in seen["you"]["legal"]
        assert search_bot.choose(seen, random.Random(1), Budget(worlds=1)) == action


def test_the_large_network_decides_without_sampling_if_losers_pay() -> None:
    def worlds(**switches: Any) -> set[int]:
        found = set[int]()
        for match, seen in islice(hand_of("big_two", 4, **switches), 30):
            veiled = build_seat_knowledge(match, seen["you"]["name"], seen["told"])
            assert veiled is not None
            thought = search_action(veiled, seen, Budget(worlds=2), random.Random(1))
            if thought.tries:
                found.add(thought.worlds)
                assert list(thought.tries) == sorted(thought.tries, key=lambda one: -one.worth)
        return found

    assert worlds(**PAID) == {0}
    assert worlds() == {2}
    assert worlds(preset="latta", **PAID) == {2}, "there its pack has too much in it"


def test_hindsight_analysis_compares_actions_in_sampled_worlds() -> None:
    match, seen = next(turn for turn in hand_of("big_two", 4, **PAID) if len(turn[1]["you"]["legal"]) > 4)
    me = seen["you"]["name"]
    job = encode_search_job(match, me, seen["told"], (), Budget(worlds=4), 1, seen["you"]["legal"][:2])
    assert job is not None
    thought = decode_search_result(run_search_job(job))
    assert thought.tries[0].action == thought.action
    [worlds] = {one.worlds for one in thought.tries}
    assert worlds > 4, "the tries are compared in worlds of their own"
    assert len(thought.tries) > 1


def test_features_of_the_large_network_include_earlier_passes() -> None:
    seen = in_a_hand("big_two", 3, 30)[25]
    last = [event for event in seen["told"] if event["e"] in ("played", "trick_over")]
    assert sorted(survey(seen).table_features) != sorted(survey({**seen, "told": last}).table_features)


def test_plans_minimize_the_plays_that_can_be_beaten() -> None:
    def planned(cards: str) -> tuple[int, int, int]:
        seen = in_a_hand("big_two", 2, 1)[0]
        sees = survey({**seen, "told": (), "you": {**seen["you"], "cards": cards}})
        plan = sees.best_plan(pack(seen).bitmask_of(cards.split()))
        return plan.turns, plan.beatable_turns, len(plan.large_combinations)

    assert planned("2s") == (1, 0, 0), "nobody beats the best suit of the best rank"
    assert planned("3d 3c 2s") == (2, 1, 0)
    assert planned("4c 5s 6c 7d 8h Ks") == (2, 2, 1)
    assert planned("4c 5s 6c 7d 8h 9c 9d 9h Jc Js 2s") == (3, 2, 2)
    assert planned("4c 5s 6c 7d 8h 8c 8d Ks") == (3, 3, 1), "a straight, and the pair that it leaves"


def test_the_large_network_is_not_used_for_other_decks_or_player_counts() -> None:
    game = GAMES["big_two"]
    for count, switches, there in ((4, {}, True), (3, {}, False), (4, {"preset": "latta"}, False)):
        rules = RuleSet(game, game.option_schema.resolve_options(switches))
        assert (build_combination_table(rules, count) is not None) == there
    president = GAMES["president"]
    assert build_combination_table(RuleSet(president, president.option_schema.resolve_options({"packs": 2})), 4) is None
