"""The bot that has learnt: what it goes by has not moved since, and it has the sense that anybody would see."""

import random
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from typing import Any

import pytest
from msgspec import json

from app.arena.random_rules import random_options
from app.bots.network import small_network_bot
from app.bots.network.features import FEATURES, VERSION, Glimpse
from app.bots.network.one_layer import Net, Weights, net_of
from app.bots.simple import greedy
from app.bots.view.card_order import Order, RulesInForce, Singles, order_of, rules_of
from app.bots.view.seat_view import RANKS, SeatReader, View, cards_in, view_of
from app.engine.cards.action_codec import parse_action
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match

CLIMBING = [key for key, game in GAMES.items() if isinstance(game, ClimbingGame)]
NAMES = ("Ana", "Bob", "Cat", "Dan")
RNG: Any = None
"""It asks no chance for anything."""


def hand_of(game: str, seed: int, **options: Any) -> Iterator[tuple[Match, View]]:
    """The turns of a hand that greedy bots play: the match as it is then, and what they see whose turn it is."""
    rng = random.Random(seed)
    match = Match.start(GAMES[game], GAMES[game].declared.resolve(options), NAMES)
    pack = list(match.deck())
    rng.shuffle(pack)
    deal = match.deal(tuple(pack), 1)
    step = match.begin(deal)
    told = list(step.events)
    while step.match.running:
        match = step.match
        by = match.to_act[0]
        view = view_of(match, by, views.events_for(told, by), deal.cards[by])
        yield match, view
        step = match.act(by, parse_action(dict(greedy.choose(view, rng))))
        told += step.events


def in_a_hand(game: str, seed: int, taken: int, **options: Any) -> list[View]:
    """What those whose turn it was saw in the first so many turns of such a hand."""
    return [view for _, view in islice(hand_of(game, seed, **options), taken)]


RULES = [
    RulesInForce(game, game.declared.resolve({"preset": preset.key}))
    for game in GAMES.values()
    if isinstance(game, ClimbingGame)
    for preset in game.declared.presets
]


def by_chance(game: ClimbingGame, seed: int) -> RulesInForce:
    return RulesInForce(game, random_options(game, random.Random(seed)))


ANY_RULES = [
    *RULES,
    *(by_chance(game, seed) for game in GAMES.values() if isinstance(game, ClimbingGame) for seed in range(5)),
]


@pytest.mark.parametrize("rules", ANY_RULES, ids=[f"{each.game.key} {each.options.preset}" for each in ANY_RULES])
def test_what_may_be_played_on_a_card_is_found_all_at_once_as_card_by_card(rules: RulesInForce) -> None:
    game, options, rng = rules.game, rules.options, random.Random(1)
    deck = game.deck(options, max(4, game.players(options)[0]))
    different = sorted(set(deck))
    order = game.rules(options).order
    for inverted in (False, True):
        singles = Singles(rules, deck, inverted=inverted)
        held = sorted(rng.sample(different, 10), key=order)
        sets = [one for one, *_ in islice(game.in_hand(options, tuple(held), inverted=inverted), 40) if one.size > 1]
        for cards in [(card,) for card in rng.sample(different, 6)] + [
            one.cards for one in sets[:: len(sets) // 3 + 1]
        ]:
            led = next((one for one, *_ in game.in_hand(options, cards, inverted=inverted) if one.size == len(cards)))
            each = {
                other
                for other in different
                if any(True for _ in game.in_hand(options, (other,), on=led, inverted=inverted))
            }
            assert singles.on(cards) == each


@pytest.mark.parametrize("rules", RULES, ids=[f"{each.game.key} {each.options.preset}" for each in RULES])
def test_what_is_left_of_a_hand_has_what_the_hand_had_and_is_still_there(rules: RulesInForce) -> None:
    rng, order = random.Random(2), rules.game.rules(rules.options).order
    deck = sorted(set(rules.game.deck(rules.options, max(4, rules.game.players(rules.options)[0]))))
    for _ in range(3):
        whole = sorted(rng.sample(deck, 12), key=order)
        left = tuple(map(str, sorted(rng.sample(whole, 8), key=order)))
        found = list[list[Combination]]()
        for cards in (tuple(map(str, whole)), left):
            fresh = RulesInForce(rules.game, rules.options)
            seen = fresh.inside(an_order(fresh), cards)
            found.append([plan.one for plan in seen.planned(frozenset(left))])
            assert {seen.kind(one.cards) for one in found[-1]} == {one.kind for one in found[-1]}
            assert fresh.inside(an_order(fresh), left) is seen
        assert found[0] == found[1]


def an_order(rules: RulesInForce) -> Order:
    """The order of cards by some rules, at a table for four."""
    table = {"players": dict.fromkeys(NAMES), "ranks": rules.game.rules(rules.options).pack_ranks()}
    return order_of(rules, SeatReader({"table": table, "you": {"name": "Ana"}}))


def sight(seat: SeatReader, seen: View) -> Glimpse:
    rules = rules_of(seen["room"])
    assert rules is not None
    return Glimpse(seat, seen["told"], rules)


@pytest.mark.parametrize("game", CLIMBING)
def test_every_climbing_game_has_weights_for_the_features_there_are(game: str) -> None:
    net = net_of(game)
    assert net is not None
    assert net.version == VERSION, "features have changed: train anew"
    assert known(game) <= FEATURES


def known(game: str) -> int:
    """How many features there were when the network of a game was trained."""
    text = (files("app.bots") / "weights" / f"{game}.json").read_bytes()
    return len(json.decode(text, type=Weights).rows)


GOLDEN = {"president": (221, 10794671), "ceausescu": (252, 10971216), "big_two": (217, 12728177)}
"""Sums over the features of a hand's turns, as far as the network of the game knows them. Whoever moves them counts
`VERSION` up, and trains all games anew; whoever adds some does so behind them."""


@pytest.mark.parametrize("game", CLIMBING)
def test_features_have_not_moved(game: str) -> None:
    found, count = list[int](), known(game)
    for seen in in_a_hand(game, 5, 60):
        seat = SeatReader(seen)
        sees = sight(seat, seen)
        changes = [sees.of(action) for action in small_network_bot.weighed(seat)]
        moment = [feature for feature in sees.moment if feature < count]
        found += [sum(at * feature for at, feature in enumerate(moment, 1))]
        found += [sum(feature for feature in now if feature < count) - sum(gone) for now, gone in changes]
        for now, gone in changes:
            assert {*gone} <= {*sees.moment}, "what is no more was true"
            assert max((*now, *sees.moment)) < FEATURES
    assert (len(found), sum(found)) == GOLDEN[game]


def test_what_beats_a_card_is_what_the_rules_answer() -> None:
    for switches, on_an_ace, on_a_two in (({}, "2", ""), ({"twos": "any_time", "transparent": "3"}, "23", RANKS)):
        seen = in_a_hand("president", 5, 1, **switches)[0]
        rules, seat = rules_of(seen["room"]), SeatReader(seen)
        assert rules is not None
        order = order_of(rules, seat)
        for card, ranks in (("Ac", on_an_ace), ("2c", on_a_two)):
            assert {one[0] for one in order.single_answers((card,)) if one != card} == {*ranks}
        assert order.is_anywhere(order.level["3c"]) or not switches


@pytest.mark.parametrize("game", CLIMBING)
def test_of_the_same_view_comes_the_same_action_and_a_legal_one(game: str) -> None:
    for seen in in_a_hand(game, 7, 80):
        action = small_network_bot.choose(seen, RNG)
        assert action in seen["you"]["legal"]
        assert small_network_bot.choose(seen, RNG) == action


def test_it_goes_by_what_it_has_been_told() -> None:
    seen = in_a_hand("president", 3, 60)[40]
    seat = SeatReader(seen)
    remembers, forgets = sight(seat, seen), sight(seat, {**seen, "told": ()})
    assert set(remembers.moment) != set(forgets.moment)


def test_a_network_of_other_features_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    old = Weights(features=VERSION - 1, made="", scale=1, rows=[[0]] * FEATURES, first=[0], out=[0])
    monkeypatch.setattr(small_network_bot, "net_of", lambda game: Net(old))
    small_network_bot.network.cache_clear()
    seen = in_a_hand("president", 3, 1)[0]
    assert small_network_bot.choose(seen, RNG) == greedy.choose(seen, RNG)
    small_network_bot.network.cache_clear()


def test_of_features_that_came_later_a_network_thinks_nothing() -> None:
    net = Net(Weights(features=VERSION, made="", scale=10, rows=[[10]], first=[0], out=[10]))
    assert net.value(net.at([0, FEATURES - 1]), [FEATURES - 2], []) == pytest.approx(1.0)


def test_a_network_says_what_sums_say() -> None:
    net = Net(Weights(features=1, made="", scale=10, rows=[[10, -10], [20, 0], [0, 30]], first=[0, 5], out=[10, 20]))
    assert net.value(net.at([0]), [1], []) == pytest.approx(3.0)
    assert net.value(net.at([0]), [2], []) == pytest.approx(1.0 + 5.0)
    assert net.value(net.at([0]), [2], [0]) == pytest.approx(7.0)


def test_it_weighs_a_bounded_number_of_actions() -> None:
    for options in ({"packs": 2, "sequences": "all"}, {"poker_hands": True}):
        for seen in in_a_hand("president", 1, 40, **options):
            assert len(small_network_bot.weighed(SeatReader(seen))) <= small_network_bot.MOST + 1


def turns(view: View, cards: str, legal: list[str]) -> View:
    """The same view with these cards in one's hand, and so much that one may do."""
    actions = [{"do": "play", "cards": one} if one else {"do": "pass"} for one in legal]
    return {**view, "you": {**view["you"], "cards": cards, "legal": actions}}


@pytest.mark.parametrize("game", CLIMBING)
def test_who_can_go_out_does(game: str) -> None:
    seen = turns(in_a_hand(game, 2, 3)[-1], "4c 4d", ["", "4c", "4d", "4c 4d"])
    assert cards_in(small_network_bot.choose(seen, RNG)) == ["4c", "4d"]


def test_nobody_goes_out_by_a_foul_who_can_do_something_else() -> None:
    seen = turns(in_a_hand("president", 2, 3)[-1], "2c", ["", "2c"])
    assert small_network_bot.choose({**seen, "you": {**seen["you"], "foul": True}}, RNG) == {"do": "pass"}
    seen = turns(seen, "2c", ["2c"])
    assert cards_in(small_network_bot.choose({**seen, "you": {**seen["you"], "foul": True}}, RNG)) == ["2c"]


def test_what_it_does_not_know_it_leaves_to_the_greedy_bot() -> None:
    view: Any = {
        "room": {"game": "president", "preset": "pagat", "options": {}},
        "table": {"game": "president", "players": {"Me": {"cards": 1}}, "choice": {"do": "discard"}},
        "you": {
            "name": "Me",
            "cards": "4c 9d",
            "legal": [{"do": "discard", "cards": "4c"}, {"do": "discard", "cards": ""}],
        },
    }
    assert small_network_bot.choose(view, RNG) == greedy.choose(view, RNG)
