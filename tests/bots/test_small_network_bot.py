"""Test that the features of the small network are unchanged since training and that its bot plays sensibly."""

import random
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from typing import Any

import pytest
from msgspec import json

from app.arena.random_rules import random_options
from app.bots.network import small_network_bot
from app.bots.network.features import FEATURES, VERSION, FeatureState
from app.bots.network.one_layer import OneLayerNetwork, Weights, load_network
from app.bots.simple import easy_bot
from app.bots.view.card_order import CardRanking, RuleSet, SingleCardAnswers, card_ranking_for_seat, rule_set_of
from app.bots.view.seat_view import RANKS, SeatReader, View, cards_of_action, view_of
from app.engine.cards.action_codec import parse_action
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from tests.bots.positions import Position

CLIMBING = [key for key, game in GAMES.items() if isinstance(game, ClimbingGame)]
NAMES = ("Ana", "Bob", "Cat", "Dan")
RNG: Any = None
"""The bot uses no random numbers."""


def hand_of(game: str, seed: int, **options: Any) -> Iterator[tuple[Match, View]]:
    """Yield the match and the view of the player in turn, for each turn of a hand of easy bots."""
    rng = random.Random(seed)
    match = Match.start(GAMES[game], GAMES[game].option_schema.resolve_options(options), NAMES)
    pack = list(match.deck())
    rng.shuffle(pack)
    deal = match.deal(tuple(pack), 1)
    step = match.begin_hand(deal)
    told = list(step.events)
    while step.match.is_hand_running:
        match = step.match
        by = match.to_act[0]
        view = view_of(match, by, views.visible_events(told, by), deal.cards[by])
        yield match, view
        step = match.apply_action(by, parse_action(dict(easy_bot.choose(view, rng))))
        told += step.events


def in_a_hand(game: str, seed: int, taken: int, **options: Any) -> list[View]:
    """Return the views of the first turns of such a hand."""
    return [view for _, view in islice(hand_of(game, seed, **options), taken)]


RULES = [
    RuleSet(game, game.option_schema.resolve_options({"preset": preset.key}))
    for game in GAMES.values()
    if isinstance(game, ClimbingGame)
    for preset in game.option_schema.presets
]


def by_chance(game: ClimbingGame, seed: int) -> RuleSet:
    return RuleSet(game, random_options(game, random.Random(seed)))


ANY_RULES = [
    *RULES,
    *(by_chance(game, seed) for game in GAMES.values() if isinstance(game, ClimbingGame) for seed in range(5)),
]


@pytest.mark.parametrize("rules", ANY_RULES, ids=[f"{each.game.key} {each.options.preset}" for each in ANY_RULES])
def test_the_batch_lookup_of_beating_cards_equals_the_lookup_card_by_card(rules: RuleSet) -> None:
    game, options, rng = rules.game, rules.options, random.Random(1)
    deck = game.deck(options, max(4, game.player_limits(options)[0]))
    different = sorted(set(deck))
    order = game.build_rules(options).card_sort_key
    for inverted in (False, True):
        singles = SingleCardAnswers(rules, deck, inverted=inverted)
        held = sorted(rng.sample(different, 10), key=order)
        sets = [
            one
            for one, *_ in islice(game.combinations_in_hand(options, tuple(held), inverted=inverted), 40)
            if one.size > 1
        ]
        for cards in [(card,) for card in rng.sample(different, 6)] + [
            one.cards for one in sets[:: len(sets) // 3 + 1]
        ]:
            led = next(
                (
                    one
                    for one, *_ in game.combinations_in_hand(options, cards, inverted=inverted)
                    if one.size == len(cards)
                )
            )
            each = {
                other
                for other in different
                if any(True for _ in game.combinations_in_hand(options, (other,), on=led, inverted=inverted))
            }
            assert singles.single_cards_beating(cards) == each


@pytest.mark.parametrize("rules", RULES, ids=[f"{each.game.key} {each.options.preset}" for each in RULES])
def test_plans_for_remaining_cards_reuse_the_combinations_of_all_cards(rules: RuleSet) -> None:
    rng, order = random.Random(2), rules.game.build_rules(rules.options).card_sort_key
    deck = sorted(set(rules.game.deck(rules.options, max(4, rules.game.player_limits(rules.options)[0]))))
    for _ in range(3):
        whole = sorted(rng.sample(deck, 12), key=order)
        left = tuple(map(str, sorted(rng.sample(whole, 8), key=order)))
        found = list[list[Combination]]()
        for cards in (tuple(map(str, whole)), left):
            fresh = RuleSet(rules.game, rules.options)
            seen = fresh.combination_index(an_order(fresh), cards)
            found.append([plan.one for plan in seen.planned_combinations(frozenset(left))])
            assert {seen.combination_kind(one.cards) for one in found[-1]} == {one.kind for one in found[-1]}
            assert fresh.combination_index(an_order(fresh), left) is seen
        assert found[0] == found[1]


def an_order(rules: RuleSet) -> CardRanking:
    """Return the order of cards by these rules, for four players."""
    table = {"players": dict.fromkeys(NAMES), "ranks": rules.game.build_rules(rules.options).deck_ranks()}
    return card_ranking_for_seat(rules, SeatReader({"table": table, "you": {"name": "Ana"}}))


def sight(seat: SeatReader, seen: View) -> FeatureState:
    rules = rule_set_of(seen["room"])
    assert rules is not None
    return FeatureState(seat, seen["told"], rules)


def test_weights_are_trained_for_the_current_features_and_each_game_with_weights_has_golden_sums() -> None:
    """In a game without weights the medium bot plays like the easy bot. A game in `GOLDEN` must keep its weights."""
    nets = {game: net for game in GAMES if (net := load_network(game)) is not None}
    assert nets.keys() == GOLDEN.keys(), "add the game to `GOLDEN`, or restore its weights"
    assert {net.version for net in nets.values()} == {VERSION}, "features have changed: train anew"
    assert all(known(game) <= FEATURES for game in nets)


def known(game: str) -> int:
    """Return the number of features that the network of a game was trained with."""
    text = (files("app.bots") / "weights" / f"{game}.json").read_bytes()
    return len(json.decode(text, type=Weights).rows)


GOLDEN = {
    "president": (221, 10794671),
    "ceausescu": (236, 10899863),
    "big_two": (214, 12714045),
    "tien_len": (258, 16824834),
    "pao_de_kuai": (153, 14921311),
}
"""Number and sum of the features in the turns of a hand, as far as the network of the game knows them.

If you change existing features, increase `VERSION` and train all games again. Append new features at the end.
"""


@pytest.mark.parametrize("game", GOLDEN)
def test_features_of_the_small_network_are_unchanged(game: str) -> None:
    found, count = list[int](), known(game)
    for seen in in_a_hand(game, 5, 60):
        seat = SeatReader(seen)
        sees = sight(seat, seen)
        changes = [sees.feature_changes(action) for action in small_network_bot.candidate_actions(seat)]
        moment = [feature for feature in sees.table_features if feature < count]
        found += [sum(at * feature for at, feature in enumerate(moment, 1))]
        found += [sum(feature for feature in now if feature < count) - sum(gone) for now, gone in changes]
        for now, gone in changes:
            assert {*gone} <= {*sees.table_features}, "what is no more was true"
            assert max((*now, *sees.table_features)) < FEATURES
    assert (len(found), sum(found)) == GOLDEN[game]


SUITED_GOLDEN = {"daifugo": (410, 11704405), "uecda": (349, 11825268), "huberes": (646, 12828692)}
"""The same for all legal actions in President with these presets, from before views had `suits_count`."""


@pytest.mark.parametrize("preset", SUITED_GOLDEN)
def test_features_are_unchanged_where_suits_count(preset: str) -> None:
    found, count = list[int](), known("president")
    for seen in in_a_hand("president", 5, 60, preset=preset):
        seat = SeatReader(seen)
        sees = sight(seat, seen)
        moment = [feature for feature in sees.table_features if feature < count]
        found.append(sum(at * feature for at, feature in enumerate(moment, 1)))
        valued = [action for action in seat.legal if action["do"] in ("play", "pass", "give")]
        for now, before in map(sees.feature_changes, valued):
            found.append(sum(feature for feature in now if feature < count) - sum(before))
    assert (len(found), sum(found)) == SUITED_GOLDEN[preset]


SUIT_OPTIONS: dict[str, Any] = {
    "suit_lock": "none",
    "spade_three": "none",
    "follow_suit": False,
    "suit_ranking": "none",
    "colour_reversal": False,
    "ordering": False,
    "poker_hands": False,
    "high_cards": "none",
}
"""Options of President that look at suits, each with the value that doesn't."""
SUITED: list[tuple[str, dict[str, Any]]] = [
    *((rules.game.key, {"preset": rules.options.preset}) for rules in RULES if rules.game.key == "big_two"),
    *(
        ("president", {"preset": rules.options.preset})
        for rules in RULES
        if any(rules.options.to_json().get(key, usual) != usual for key, usual in SUIT_OPTIONS.items())
    ),
    *(
        ("president", {"jokers": 2, key: value})
        for key, value in (
            ("suit_lock", "full"),
            ("suit_lock", "partial"),
            ("spade_three", "beats"),
            ("follow_suit", True),
            ("suit_ranking", "shdc"),
            ("colour_reversal", True),
            ("ordering", True),
            ("poker_hands", True),
            ("high_cards", "black_threes"),
        )
    ),
]


@pytest.mark.parametrize(("game", "switches"), SUITED, ids=str)
def test_both_cards_of_a_rank_are_candidates_where_suits_decide(game: str, switches: dict[str, Any]) -> None:
    others = ("4h 5h 6h", "7h 8h Th", "Qh Kh 4s")
    seat = SeatReader(Position("", "3c 3s 9c 9s Jd", others, switches={**switches, "lead_low_card": False}).view(game))
    candidates = [action["cards"] for action in small_network_bot.candidate_actions(seat)]
    assert {"9c", "9s", "3c", "3s"} <= {*candidates}
    assert not seat.are_equivalent({"do": "play", "cards": "9c"}, {"do": "play", "cards": "9s"})


def test_the_card_that_locks_the_trick_is_a_candidate() -> None:
    others = ("4h 5h 6h", "7h 8h Th", "Qh Kh 4s")
    seat = SeatReader(Position("", "9c 9d 9s Jh", others, on="5d", switches={"suit_lock": "full"}).view("president"))
    candidates = [action.get("cards") for action in small_network_bot.candidate_actions(seat)]
    assert candidates == [None, "9c", "Jh", "9s", "9d"]


def test_cards_of_a_rank_are_one_candidate_where_suits_do_not_count() -> None:
    seat = SeatReader(Position("", "9c 9s Jd", ("4h 5h", "7h 8h", "Qh Kh")).view("president"))
    assert [action["cards"] for action in small_network_bot.candidate_actions(seat)] == ["9c", "Jd", "9c 9s"]
    assert seat.are_equivalent({"do": "play", "cards": "9c"}, {"do": "play", "cards": "9s"})


def test_few_choices_of_loose_cards_are_candidates() -> None:
    """Three queens can take 36 pairs of loose cards, of which the lowest are sensible."""
    mine = "3c 4d 5h 7s 7c 9d Jh Qc Qd Qh Ks As"
    seat = SeatReader(Position("", mine, ("4h 5c 6d", "7h 8h Td", "Kh Kd 4s")).view("pao_de_kuai"))
    assert sum(len(action["cards"].split()) == 5 for action in seat.legal) == 36
    triples = [action["cards"] for action in small_network_bot.candidate_actions(seat) if "Qc Qd Qh" in action["cards"]]
    assert triples == ["Qc Qd Qh 3c 4d", "Qc Qd Qh 3c 5h", "Qc Qd Qh 4d 5h"]


def test_cards_that_beat_a_card_follow_the_rules_of_the_room() -> None:
    for switches, on_an_ace, on_a_two in (({}, "2", ""), ({"twos": "any_time", "transparent": "3"}, "23", RANKS)):
        seen = in_a_hand("president", 5, 1, **switches)[0]
        rules, seat = rule_set_of(seen["room"]), SeatReader(seen)
        assert rules is not None
        order = card_ranking_for_seat(rules, seat)
        for card, ranks in (("Ac", on_an_ace), ("2c", on_a_two)):
            assert {one[0] for one in order.singles_beating((card,)) if one != card} == {*ranks}
        assert order.beats_every_level(order.level_by_card["3c"]) or not switches


@pytest.mark.parametrize("game", CLIMBING)
def test_the_medium_bot_returns_the_same_legal_action_for_the_same_view(game: str) -> None:
    for seen in in_a_hand(game, 7, 80):
        action = small_network_bot.choose(seen, RNG)
        assert action in seen["you"]["legal"]
        assert small_network_bot.choose(seen, RNG) == action


def test_features_of_the_small_network_include_earlier_events() -> None:
    seen = in_a_hand("president", 3, 60)[40]
    seat = SeatReader(seen)
    remembers, forgets = sight(seat, seen), sight(seat, {**seen, "told": ()})
    assert set(remembers.table_features) != set(forgets.table_features)


OLD = OneLayerNetwork(Weights(features=VERSION - 1, made="", scale=1, rows=[[0]] * FEATURES, first=[0], out=[0]))


@pytest.mark.parametrize("net", [OLD, None], ids=["outdated", "missing"])
def test_the_medium_bot_acts_like_the_easy_bot_without_a_current_network(
    net: OneLayerNetwork | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_network_bot, "load_network", lambda game: net)
    small_network_bot.load_current_network.cache_clear()
    seen = in_a_hand("president", 3, 1)[0]
    assert small_network_bot.choose(seen, RNG) == easy_bot.choose(seen, RNG)
    small_network_bot.load_current_network.cache_clear()


def test_a_network_ignores_features_added_after_its_training() -> None:
    net = OneLayerNetwork(Weights(features=VERSION, made="", scale=10, rows=[[10]], first=[0], out=[10]))
    assert net.value_after_changes(net.accumulate([0, FEATURES - 1]), [FEATURES - 2], []) == pytest.approx(1.0)


def test_network_values_equal_a_manual_computation() -> None:
    net = OneLayerNetwork(
        Weights(features=1, made="", scale=10, rows=[[10, -10], [20, 0], [0, 30]], first=[0, 5], out=[10, 20])
    )
    assert net.value_after_changes(net.accumulate([0]), [1], []) == pytest.approx(3.0)
    assert net.value_after_changes(net.accumulate([0]), [2], []) == pytest.approx(1.0 + 5.0)
    assert net.value_after_changes(net.accumulate([0]), [2], [0]) == pytest.approx(7.0)


def test_the_medium_bot_weighs_a_limited_number_of_actions() -> None:
    for options in ({"packs": 2, "sequences": "all"}, {"poker_hands": True}):
        for seen in in_a_hand("president", 1, 40, **options):
            assert len(small_network_bot.candidate_actions(SeatReader(seen))) <= small_network_bot.MOST + 1


def turns(view: View, cards: str, legal: list[str]) -> View:
    """Return the view with other cards and other legal plays. An empty string is a pass."""
    actions = [{"do": "play", "cards": one} if one else {"do": "pass"} for one in legal]
    return {**view, "you": {**view["you"], "cards": cards, "legal": actions}}


@pytest.mark.parametrize("game", CLIMBING)
def test_the_medium_bot_goes_out_if_it_can(game: str) -> None:
    seen = turns(in_a_hand(game, 2, 3)[-1], "4c 4d", ["", "4c", "4d", "4c 4d"])
    assert cards_of_action(small_network_bot.choose(seen, RNG)) == ["4c", "4d"]


def test_the_medium_bot_goes_out_by_a_foul_only_if_it_has_no_other_action() -> None:
    seen = turns(in_a_hand("president", 2, 3)[-1], "2c", ["", "2c"])
    assert small_network_bot.choose({**seen, "you": {**seen["you"], "foul": True}}, RNG) == {"do": "pass"}
    seen = turns(seen, "2c", ["2c"])
    assert cards_of_action(small_network_bot.choose({**seen, "you": {**seen["you"], "foul": True}}, RNG)) == ["2c"]


def test_the_medium_bot_leaves_unknown_actions_to_the_easy_bot() -> None:
    view: Any = {
        "room": {"game": "president", "preset": "pagat", "options": {}},
        "table": {"game": "president", "players": {"Me": {"cards": 1}}, "choice": {"do": "discard"}},
        "you": {
            "name": "Me",
            "cards": "4c 9d",
            "legal": [{"do": "discard", "cards": "4c"}, {"do": "discard", "cards": ""}],
        },
    }
    assert small_network_bot.choose(view, RNG) == easy_bot.choose(view, RNG)
