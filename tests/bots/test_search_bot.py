"""Test that the search bot is exact with a fixed number of worlds and finds what a network misses."""

import random
from itertools import count
from statistics import mean
from typing import Any

import pytest

from app.bots.network import small_network_bot
from app.bots.search import search_bot
from app.bots.search.blend import BlendWeights, load_blend_weights
from app.bots.search.monte_carlo import MOST, Budget, search_action
from app.bots.search.rollout import EvaluatedAction, Rollout
from app.bots.simple import easy_bot
from app.bots.view.seat_view import View, view_of
from app.engine.cards.action_codec import parse_action
from app.engine.cards.actions import Pass
from app.engine.cards.cards import parse_cards
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.hidden_state import SeatKnowledge, build_seat_knowledge
from app.engine.match.match import Match

CLIMBING = [key for key, game in GAMES.items() if isinstance(game, ClimbingGame)]
NAMES = ("Ana", "Bob", "Cat", "Dan")
FEW = Budget(worlds=3)


def in_a_hand(game: str, seed: int, taken: int, **options: Any) -> list[View]:
    """Return the views of the first turns of a hand that begins with an exchange."""
    rng = random.Random(seed)
    match = Match.start(GAMES[game], GAMES[game].option_schema.resolve_options(options), NAMES, NAMES)
    deal = match.deal(tuple(rng.sample(match.deck(), len(match.deck()))), 1)
    step = match.begin_hand(deal)
    told, seen = list(step.events), list[View]()
    for _ in range(taken):
        match = step.match
        if not match.is_hand_running:
            break
        by = match.to_act[0]
        mine = views.visible_events(told, by)
        view = view_of(match, by, mine, deal.cards[by])
        seen.append({**view, "veiled": build_seat_knowledge(match, by, mine)})
        step = match.apply_action(by, parse_action(dict(easy_bot.choose(view, rng))))
        told += step.events
    return seen


@pytest.mark.parametrize("game", CLIMBING)
def test_a_budget_of_worlds_makes_the_search_deterministic_and_legal(game: str) -> None:
    thought = 0
    for seen in in_a_hand(game, 4, 40)[::3]:
        if search_bot.is_forced(seen):
            continue
        one, again = (search_action(seen["veiled"], seen, FEW, random.Random(1)) for _ in range(2))
        sent = SeatKnowledge.from_bytes(seen["veiled"].to_bytes(), GAMES)
        assert one == again == search_action(sent, seen, FEW, random.Random(1))
        assert one.action in seen["you"]["legal"]
        assert 2 <= len(one.tries) <= MOST
        assert one.tries[0].worth == max(each.worth for each in one.tries if each.worlds == one.worlds)
        assert one.worlds == FEW.worlds
        thought += 1
    assert thought > 3


def test_a_time_budget_is_measured_with_the_given_clock() -> None:
    seen = next(one for one in in_a_hand("president", 4, 20) if not search_bot.is_forced(one))
    seconds = count(0, 1 / 64)
    thought = search_action(seen["veiled"], seen, Budget(seconds=0.125), random.Random(1), clock=lambda: next(seconds))
    assert thought.worlds == 7
    assert str(Budget(16, 0.1)) == "16 worlds, 100 ms"


def test_the_search_bot_acts_like_the_medium_bot_if_there_is_nothing_to_search() -> None:
    for seen in in_a_hand("president", 4, 30):
        bare = {**seen, "veiled": None}
        assert search_bot.choose(bare, random.Random(1), FEW) == small_network_bot.choose(bare, random.Random(1))
        if search_bot.is_forced(seen):
            assert search_bot.choose(seen, random.Random(1), FEW) == small_network_bot.choose(seen, random.Random(1))


def test_rollouts_of_every_candidate_play_the_hand_to_its_end() -> None:
    seen = next(one for one in in_a_hand("president", 6, 20) if not search_bot.is_forced(one))
    thought = search_action(seen["veiled"], seen, Budget(worlds=12), random.Random(2))
    for each in thought.tries:
        assert 1 <= each.place <= len(NAMES)
        assert 1 <= each.turns <= 13
        assert 0 <= each.keeps <= 1
        assert each.worlds >= 4, "nothing is dropped at a first look"
    assert thought.tries[-1].worlds <= thought.tries[0].worlds


def test_the_search_bot_beats_the_network_in_unseen_worlds_if_they_differ() -> None:
    better = list[float]()
    for seen in in_a_hand("president", 6, 34)[20:]:
        if search_bot.is_forced(seen):
            continue
        plain = small_network_bot.choose(seen, random.Random(1))
        chosen = search_action(seen["veiled"], seen, Budget(worlds=12), random.Random(1)).action
        if chosen != plain:
            rollout, rng = Rollout(seen["veiled"].match, seen["you"]["name"]), random.Random(2)
            worlds = [seen["veiled"].sample_match(rng).hand for _ in range(20)]
            mine, others = (
                mean(rollout.play_out(world, parse_action(dict(action))).worth for world in worlds)
                for action in (chosen, plain)
            )
            better.append(mine - others)
    assert better, "there is something to see"
    assert mean(better) > 0.1


def test_a_rollout_player_leads_an_unbeatable_card_to_go_out() -> None:
    match = Match.start(GAMES["president"], GAMES["president"].option_schema.resolve_options(), ("Ana", "Bob", "Cat"))
    cards = {"Ana": "3c 4c 2c", "Bob": "9d Td Jd", "Cat": "9h Th Jh"}
    match = match.begin_hand(Deal("Cat", {name: parse_cards(some) for name, some in cards.items()})).match
    for name, action in (("Ana", {"do": "play", "cards": "3c"}), ("Bob", {"do": "pass"}), ("Cat", {"do": "pass"})):
        match = match.apply_action(name, parse_action(action)).match
    lead = Rollout(match, "Bob").choose_combination(match.current_hand, "Ana")
    assert lead is not None
    assert lead.cards == parse_cards("2c"), "low cards first would leave the two for last"


def test_a_rollout_weighs_the_opinion_at_the_next_turn_by_its_trust() -> None:
    seen = next(one for one in in_a_hand("big_two", 4, 20) if not search_bot.is_forced(one))
    veiled, me, action = seen["veiled"], seen["you"]["name"], parse_action(seen["you"]["legal"][0])
    world, asked = veiled.sample_match(random.Random(1)).hand, list[str]()

    def opinion(hand: Any, events: Any) -> EvaluatedAction:
        asked.append(hand.player_to_play)
        assert events[0].by == me, "it is told of everything since, one's own action first"
        return EvaluatedAction(Pass(), 0.5)

    plain = Rollout(veiled.match, me).play_out(world, action)
    mixed = Rollout(veiled.match, me, opinion, BlendWeights(later=0.75)).play_out(world, action)
    assert asked == [me], "once in each world"
    assert mixed == plain._replace(worth=pytest.approx(0.75 * 0.5 + 0.25 * plain.worth))


def test_a_rollout_plays_own_turns_by_opinion_until_the_last_trusted_turn() -> None:
    seen = next(
        one for one in in_a_hand("big_two", 4, 20) if not search_bot.is_forced(one) and len(one["you"]["cards"]) > 20
    )
    veiled, me, action = seen["veiled"], seen["you"]["name"], parse_action(seen["you"]["legal"][0])
    world, held = veiled.sample_match(random.Random(1)).hand, list[int]()

    def opinion(hand: Any, events: Any) -> EvaluatedAction | None:
        if hand.play_to_beat is None:
            return None
        held.append(len(hand.cards[me]))
        assert sum(event.by == me for event in events) == len(held), "what one did since is told, too"
        return EvaluatedAction(Pass(), len(held) / 8)

    end = Rollout(veiled.match, me, opinion, BlendWeights(later=1, turns=3)).play_out(world, action)
    assert len(held) == 3
    assert len(set(held)) == 1, "passing, as one would, costs no card"
    assert end.worth == 3 / 8, "the last card of rank opinion is all that counts"
    assert end.turns == 1


def test_a_rollout_by_points_values_larger_wins_higher() -> None:
    settled = GAMES["big_two"].option_schema.resolve_options({"settlement": "winner_only"})
    match = Match.start(GAMES["big_two"], settled, NAMES)
    few, many = (
        match.begin_hand(Deal("Ana", dict(zip(NAMES, map(parse_cards, cards), strict=True)))).match
        for cards in (("3d", "4d 4c", "5d", "6d"), ("3d", "4d 4c 4h 4s", "5d 7d 8d Td", "6d 9d Jd Kd"))
    )
    out = parse_action({"do": "play", "cards": "3d"})
    by_points = Rollout(match, "Ana", trust=BlendWeights(points=True))
    assert by_points.play_out(few.current_hand, out).worth == pytest.approx(2 * 4 / 6)
    assert by_points.play_out(many.current_hand, out).worth > 1
    by_place = Rollout(match, "Ana")
    assert by_place.play_out(few.current_hand, out).worth == by_place.play_out(many.current_hand, out).worth == 1


def test_the_search_counts_points_only_if_the_settlement_makes_losers_pay() -> None:
    game = GAMES["big_two"]
    by_settlement = {
        settlement: load_blend_weights(
            Match.start(game, game.option_schema.resolve_options({"settlement": settlement}), NAMES)
        ).points
        for settlement in ("penalties", "winner_only", "pairs")
    }
    assert by_settlement == {"penalties": False, "winner_only": True, "pairs": True}


@pytest.mark.parametrize("game", CLIMBING)
def test_custom_search_trust_states_its_measurement(game: str) -> None:
    for options in ({}, *({"settlement": "winner_only"} for _ in range(game == "big_two"))):
        trust = load_blend_weights(Match.start(GAMES[game], GAMES[game].option_schema.resolve_options(options), NAMES))
        assert 0 < trust.now <= BlendWeights().now
        assert 0 <= trust.later <= 1
        assert trust.turns >= 1
        assert bool(trust.measured) == (trust != BlendWeights()), "who changes it says what was measured"
