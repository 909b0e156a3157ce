"""The bot that thinks ahead: exact where it is given worlds instead of time, and it sees what a network can't."""

import random
from itertools import count
from statistics import mean
from typing import Any

import pytest

from app.bots.network import small_network_bot
from app.bots.search import search_bot
from app.bots.search.blend import Trust, trust_in
from app.bots.search.monte_carlo import MOST, Budget, think
from app.bots.search.rollout import Intent, Rollout
from app.bots.simple import greedy
from app.bots.view.seat_view import View, view_of
from app.engine.cards.action_codec import parse_action
from app.engine.cards.actions import Pass
from app.engine.cards.cards import parse_cards
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.hidden_state import Veiled, veil
from app.engine.match.match import Match

CLIMBING = [key for key, game in GAMES.items() if isinstance(game, ClimbingGame)]
NAMES = ("Ana", "Bob", "Cat", "Dan")
FEW = Budget(worlds=3)


def in_a_hand(game: str, seed: int, taken: int, **options: Any) -> list[View]:
    """What those whose turn it was saw in the first so many turns of a hand with gifts."""
    rng = random.Random(seed)
    match = Match.start(GAMES[game], GAMES[game].declared.resolve(options), NAMES, NAMES)
    deal = match.deal(tuple(rng.sample(match.deck(), len(match.deck()))), 1)
    step = match.begin(deal)
    told, seen = list(step.events), list[View]()
    for _ in range(taken):
        match = step.match
        if not match.running:
            break
        by = match.to_act[0]
        mine = views.events_for(told, by)
        view = view_of(match, by, mine, deal.cards[by])
        seen.append({**view, "veiled": veil(match, by, mine)})
        step = match.act(by, parse_action(dict(greedy.choose(view, rng))))
        told += step.events
    return seen


@pytest.mark.parametrize("game", CLIMBING)
def test_with_a_budget_of_worlds_the_same_view_gives_the_same_thought_and_a_legal_action(game: str) -> None:
    thought = 0
    for seen in in_a_hand(game, 4, 40)[::3]:
        if search_bot.at_once(seen):
            continue
        one, again = (think(seen["veiled"], seen, FEW, random.Random(1)) for _ in range(2))
        sent = Veiled.unpack(seen["veiled"].pack(), GAMES)
        assert one == again == think(sent, seen, FEW, random.Random(1))
        assert one.action in seen["you"]["legal"]
        assert 2 <= len(one.tries) <= MOST
        assert one.tries[0].worth == max(each.worth for each in one.tries if each.worlds == one.worlds)
        assert one.worlds == FEW.worlds
        thought += 1
    assert thought > 3


def test_its_time_is_that_of_the_clock_it_is_given() -> None:
    seen = next(one for one in in_a_hand("president", 4, 20) if not search_bot.at_once(one))
    seconds = count(0, 1 / 64)
    thought = think(seen["veiled"], seen, Budget(seconds=0.125), random.Random(1), clock=lambda: next(seconds))
    assert thought.worlds == 7
    assert str(Budget(16, 0.1)) == "16 worlds, 100 ms"


def test_where_nothing_is_veiled_or_there_is_no_choice_it_does_as_steady() -> None:
    for seen in in_a_hand("president", 4, 30):
        bare = {**seen, "veiled": None}
        assert search_bot.choose(bare, random.Random(1), FEW) == small_network_bot.choose(bare, random.Random(1))
        if search_bot.at_once(seen):
            assert search_bot.choose(seen, random.Random(1), FEW) == small_network_bot.choose(seen, random.Random(1))


def test_a_hand_that_it_thinks_of_goes_to_the_end_for_every_try() -> None:
    seen = next(one for one in in_a_hand("president", 6, 20) if not search_bot.at_once(one))
    thought = think(seen["veiled"], seen, Budget(worlds=12), random.Random(2))
    for each in thought.tries:
        assert 1 <= each.place <= len(NAMES)
        assert 1 <= each.turns <= 13
        assert 0 <= each.keeps <= 1
        assert each.worlds >= 4, "nothing is dropped at a first look"
    assert thought.tries[-1].worlds <= thought.tries[0].worlds


def test_where_it_differs_from_the_network_it_does_better_in_worlds_that_it_has_not_seen() -> None:
    better = list[float]()
    for seen in in_a_hand("president", 6, 34)[20:]:
        if search_bot.at_once(seen):
            continue
        plain = small_network_bot.choose(seen, random.Random(1))
        chosen = think(seen["veiled"], seen, Budget(worlds=12), random.Random(1)).action
        if chosen != plain:
            rollout, rng = Rollout(seen["veiled"].match, seen["you"]["name"]), random.Random(2)
            worlds = [seen["veiled"].sample(rng).hand for _ in range(20)]
            mine, others = (
                mean(rollout.end(world, parse_action(dict(action))).worth for world in worlds)
                for action in (chosen, plain)
            )
            better.append(mine - others)
    assert better, "there is something to see"
    assert mean(better) > 0.1


def test_in_a_rollout_who_has_what_nobody_beats_leads_it_and_goes_out() -> None:
    match = Match.start(GAMES["president"], GAMES["president"].declared.resolve(), ("Ana", "Bob", "Cat"))
    cards = {"Ana": "3c 4c 2c", "Bob": "9d Td Jd", "Cat": "9h Th Jh"}
    match = match.begin(Deal("Cat", {name: parse_cards(some) for name, some in cards.items()})).match
    for name, action in (("Ana", {"do": "play", "cards": "3c"}), ("Bob", {"do": "pass"}), ("Cat", {"do": "pass"})):
        match = match.act(name, parse_action(action)).match
    lead = Rollout(match, "Bob").chosen(match.the_hand, "Ana")
    assert lead is not None
    assert lead.cards == parse_cards("2c"), "low cards first would leave the two for last"


def test_what_one_thinks_at_ones_next_turn_counts_as_far_as_it_is_trusted() -> None:
    seen = next(one for one in in_a_hand("big_two", 4, 20) if not search_bot.at_once(one))
    veiled, me, action = seen["veiled"], seen["you"]["name"], parse_action(seen["you"]["legal"][0])
    world, asked = veiled.sample(random.Random(1)).hand, list[str]()

    def opinion(hand: Any, events: Any) -> Intent:
        asked.append(hand.turn)
        assert events[0].by == me, "it is told of everything since, one's own action first"
        return Intent(Pass(), 0.5)

    plain = Rollout(veiled.match, me).end(world, action)
    mixed = Rollout(veiled.match, me, opinion, Trust(later=0.75)).end(world, action)
    assert asked == [me], "once in each world"
    assert mixed == plain._replace(worth=pytest.approx(0.75 * 0.5 + 0.25 * plain.worth))


def test_turns_before_the_one_at_which_one_is_asked_are_played_as_one_would() -> None:
    seen = next(
        one for one in in_a_hand("big_two", 4, 20) if not search_bot.at_once(one) and len(one["you"]["cards"]) > 20
    )
    veiled, me, action = seen["veiled"], seen["you"]["name"], parse_action(seen["you"]["legal"][0])
    world, held = veiled.sample(random.Random(1)).hand, list[int]()

    def opinion(hand: Any, events: Any) -> Intent | None:
        if hand.table is None:
            return None
        held.append(len(hand.cards[me]))
        assert sum(event.by == me for event in events) == len(held), "what one did since is told, too"
        return Intent(Pass(), len(held) / 8)

    end = Rollout(veiled.match, me, opinion, Trust(later=1, turns=3)).end(world, action)
    assert len(held) == 3
    assert len(set(held)) == 1, "passing, as one would, costs no card"
    assert end.worth == 3 / 8, "the last opinion is all that counts"
    assert end.turns == 1


def test_where_points_count_a_hand_that_more_is_won_by_is_worth_more() -> None:
    settled = GAMES["big_two"].declared.resolve({"settlement": "winner_only"})
    match = Match.start(GAMES["big_two"], settled, NAMES)
    few, many = (
        match.begin(Deal("Ana", dict(zip(NAMES, map(parse_cards, cards), strict=True)))).match
        for cards in (("3d", "4d 4c", "5d", "6d"), ("3d", "4d 4c 4h 4s", "5d 7d 8d Td", "6d 9d Jd Kd"))
    )
    out = parse_action({"do": "play", "cards": "3d"})
    by_points = Rollout(match, "Ana", trust=Trust(points=True))
    assert by_points.end(few.the_hand, out).worth == pytest.approx(2 * 4 / 6)
    assert by_points.end(many.the_hand, out).worth > 1
    by_place = Rollout(match, "Ana")
    assert by_place.end(few.the_hand, out).worth == by_place.end(many.the_hand, out).worth == 1


def test_what_the_losers_pay_is_looked_at_only_where_they_pay() -> None:
    game = GAMES["big_two"]
    by_settlement = {
        settlement: trust_in(Match.start(game, game.declared.resolve({"settlement": settlement}), NAMES)).points
        for settlement in ("penalties", "winner_only", "pairs")
    }
    assert by_settlement == {"penalties": False, "winner_only": True, "pairs": True}


@pytest.mark.parametrize("game", CLIMBING)
def test_of_games_that_were_measured_it_is_told_how(game: str) -> None:
    for options in ({}, *({"settlement": "winner_only"} for _ in range(game == "big_two"))):
        trust = trust_in(Match.start(GAMES[game], GAMES[game].declared.resolve(options), NAMES))
        assert 0 < trust.now <= Trust().now
        assert 0 <= trust.later <= 1
        assert trust.turns >= 1
        assert bool(trust.measured) == (trust != Trust()), "who changes it says what was measured"
