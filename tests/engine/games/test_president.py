"""Test President with random players, options and cards: no card is lost, hands end, and hidden cards stay hidden.

The records in tests/records/president show each rule. test_president_refusals.py has the refusals and their texts.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from random import Random
from time import process_time
from typing import Any, Self

import pytest
from hypothesis import given, strategies as st

from app.arena.random_rules import PLAYER_NAMES, random_value
from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.cards.action_codec import action_to_json, parse_action
from app.engine.cards.actions import EndSwaps, Give, Offer, Pass, Play
from app.engine.cards.cards import RANKS, Cards, format_cards, parse_cards
from app.engine.display.point_reasons import sum_points
from app.engine.games import GAMES
from app.engine.games.president import opening, scoring, society, titles
from app.engine.games.president.combinations.cards import CardMeanings
from app.engine.games.president.house.society.ordering import CalledRuns
from app.engine.match import views
from app.engine.match.game import Game
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from tests.long_run import TIMES
from tools.property_checks.matches import check_match
from tools.property_checks.playout import Playout
from tools.property_checks.random_actions import is_accepted

GAME = GAMES["president"]
POSITIONS = 200 * TIMES
SMALL = 6
"""The largest number of cards of which all subsets are tried."""
MEETING = {
    "jokers": [2],
    "joker_role": ["wild", "wild_only", "trump"],
    "wild_alone": ["any"],
    "wild_ranks": ["5", "57"],
    "packs": [2],
    "sequences": ["single", "all"],
    "poker_hands": [True],
    "ordering": [True],
    "suit_lock": ["full", "partial"],
    "number_lock": ["two", "three"],
    "burn": ["set", "complete", "any_time"],
    "spade_three": ["beats", "ends"],
    "sequence_suits": ["one"],
    "sequence_ranks": ["all"],
    "sequence_beats": ["wholly_higher"],
    "run_revolution": [3, 4],
    "coup_ranks": ["9", "37"],
    "no_finish": [["best"], ["enders", "jokers"], ["revolution", "spade_three"]],
    "foul": ["refused"],
    "back_ranks": ["J", "7"],
    "ending_ranks": ["8"],
    "giving_ranks": ["7", "47"],
    "discarding_ranks": ["T", "57"],
    "skipping_ranks": ["5"],
    "reversing_ranks": ["9"],
    "bombing_ranks": ["Q", "7"],
    "powers_in": ["all"],
    "power_choice": ["must"],
    "wild_sets": ["any"],
    "set_size": ["larger_wins", "larger_if_higher"],
    "equal_plays": ["skip", "allowed"],
    "wild_tie": ["natural_wins", "wild_wins"],
    "lead_low_card": [True],
    "first_lead": ["low_card"],
}
"""Values that allow many plays with few cards. They are frequent where every subset is tried."""


def options(rng: Random, **fixed: Any) -> Options:
    """Return a preset with some options changed at random, without contradictions."""
    while True:
        asked: dict[str, Any] = {"preset": rng.choice(GAME.option_schema.presets).key}
        for switch in rng.sample(GAME.option_schema.all_options, rng.choice([0, 2, 4, 8, 12])):
            asked[switch.key] = random_value(switch.domain, rng)
        if rng.random() < 0.5:
            asked |= {key: rng.choice(values) for key, values in MEETING.items() if rng.random() < 0.3}
        try:
            return GAME.option_schema.resolve_options(asked | fixed)
        except RuleError:
            continue


# Whole matches ------------------------------------------------------------------------------------------------------


class Watched(Playout):
    """A random match (test_random_matches.py), sometimes with two packs and more players than fit one pack."""

    @classmethod
    def random_match(cls, game: Game, rng: Random) -> Self:
        crowded = rng.random() < 0.1
        while crowded:
            try:
                return cls.for_match(Match.start(game, options(rng, packs=2), PLAYER_NAMES[: rng.randint(9, 16)]), rng)
            except RuleError:
                continue  # Too few cards for the exchange, or an odd number.
        return super().random_match(game, rng)


# Legal actions ------------------------------------------------------------------------------------------------------


def small_match(rng: Random, **fixed: Any) -> Match | None:
    """Return a match in which all players hold a few cards of a few ranks, which often beat each other."""
    chosen = options(rng, faults=False, **fixed)
    names = PLAYER_NAMES[: rng.choice([3, 3, 4])]
    try:
        match = Match.start(GAME, chosen, names)
    except RuleError:
        return None
    deck = list(match.deck())
    ranks = {card.rank for card in deck}
    some = {*rng.sample(sorted(ranks), min(len(ranks), rng.choice([2, 3, 5]))), *rng.choice(["", "X234"])}
    cards = [card for card in deck if card.rank in some]
    rng.shuffle(cards)
    each = min(SMALL, len(cards) // len(names))
    if not each:
        return None
    deal = Deal(names[0], {name: tuple(cards[place :: len(names)][:each]) for place, name in enumerate(names)})
    match = match.begin_hand(deal).match
    return match.replace(hand=match.hand.replace(inverted=rng.random() < 0.3))


def meaning(match: Match, by: str, action: Play) -> tuple[Any, ...]:
    """Return the effect of a play: the cards, their kind, their ranks and the call."""
    event = next(event for event in match.apply_action(by, action).events if event.name == "played")
    return tuple(sorted(action.cards)), event.data["kind"], event.data.get("as"), action.call


def subsets(held: Cards) -> set[Cards]:
    return set(chain.from_iterable(combinations(sorted(held), size) for size in range(1, len(held) + 1)))


def accepted(match: Match, by: str) -> Iterator[tuple[Any, ...]]:
    """Yield the effects of all accepted plays, by trying all subsets, readings and calls."""
    faces = match.hand.rules.card_meanings
    calls = [None, "rank", "red", "black", *"cdhs"] if match.options[CalledRuns.switch] else [None]
    for cards in subsets(match.hand.cards[by]):
        named = [None, *RANKS, "X"] if any(map(faces.is_wild, cards)) else [None]
        for as_ in named:
            for call in calls:
                try:
                    yield meaning(match, by, Play(cards, as_, call))
                except RuleError:
                    if call is None:
                        break


def check_plays(match: Match) -> None:
    """Check that `legal` lists exactly the accepted plays, each once."""
    (by,) = match.to_act
    actions = [action for _, action in match.legal_actions(by)]
    shown = [json.dumps(action_to_json(action), sort_keys=True) for action in actions]
    assert len(set(shown)) == len(shown), "each action once"
    for action in actions:
        match.apply_action(by, parse_action(action_to_json(action)))
    assert {meaning(match, by, one) for one in actions if isinstance(one, Play)} == set(accepted(match, by))
    assert (Pass() in actions) == is_accepted(match, by, Pass())
    assert actions


@pytest.mark.parametrize("part", range(4))
def test_legal_lists_exactly_the_plays_that_are_accepted(part: int) -> None:
    looked_at = 0
    for number in range(part, 10 * POSITIONS, 4):
        rng = Random(f"plays {number}")
        match = small_match(rng)
        while match is not None and match.is_hand_running and looked_at * 4 < POSITIONS:
            check_plays(match)
            looked_at += 1
            plays = [one for one in match.legal_actions() if isinstance(one[1], Play)]
            match = match.apply_action(
                *rng.choice(plays if plays and rng.random() < 0.8 else [*match.legal_actions()])
            ).match
    assert looked_at * 4 >= POSITIONS


def test_legal_lists_exactly_the_accepted_cards_to_give() -> None:
    seen_gifts = 0
    for number in range(POSITIONS // 4):
        rng = Random(f"gifts {number}")
        match = small_match(rng, exchange=rng.choice(["one", "two_one", "butthead", "ladder"]), middle="none")
        if match is None or len(match.hand.cards[match.seats[0]]) < 4:
            continue
        hierarchy = tuple(rng.sample(match.seats, len(match.seats)))
        society_of_before = match.replace(hand=None, hierarchy=hierarchy, happened=())
        match = society_of_before.begin_hand(Deal(match.seats[0], match.hand.cards)).match
        while match.phase == "exchange":
            listed = Counter((by, tuple(sorted(action.cards))) for by, action in match.legal_actions())
            taken = {
                (name, cards)
                for name in match.seats
                for cards in subsets(match.hand.cards[name])
                if is_accepted(match, name, Give(cards))
            }
            assert set(listed) == taken
            assert not listed or max(listed.values()) == 1
            seen_gifts += len(taken)
            match = match.apply_action(*rng.choice([*match.legal_actions()])).match
    assert seen_gifts > POSITIONS


def test_every_listed_action_before_play_is_accepted() -> None:
    """In deals by hand, trades and collusion, actions are listed without details, and accepted with some details."""
    for number, fixed in enumerate(
        [{"faults": True, "dealer": "top"}, {"middle": "trade", "exchange": "one"}, {"middle": "collude"}] * (3 * TIMES)
    ):
        check_match(
            Playout.for_match(
                Match.start(GAME, GAME.option_schema.resolve_options(fixed), PLAYER_NAMES[:6]), Random(number)
            ),
            3,
        )


# Options with very many plays ---------------------------------------------------------------------------------------

WILD = {"packs": 2, "jokers": 2, "joker_role": "wild", "wild_ranks": "23", "sequences": "all"}


@pytest.mark.parametrize(
    ("chosen", "lead"),
    [
        (WILD, ""),
        (WILD, "Ac Ad Ah As"),
        (WILD, "Jc Jd Qc Qd Kc Kd Ac Ad"),
        (WILD, "3c Xb Xr 2c 2d 2h 2s 3d"),
        (WILD | {"first_lead": "low_card", "lead_low_card": True}, ""),
        ({"packs": 2, "poker_hands": True, "sequences": "all"}, ""),
        ({"packs": 2, "poker_hands": True}, "Tc Jc Qc Kc Ac"),
        ({"packs": 2, "sequences": "all", "first_lead": "low_card", "lead_low_card": True}, ""),
        ({"packs": 2, "set_size": "larger_wins", "joker_role": "wild", "jokers": 2, "wild_ranks": "23"}, "Xb"),
        (WILD | {"must_beat": True}, "Ac Ad Ah As Kc Kd Kh Ks"),
    ],
    ids=str,
)
def test_a_hand_with_millions_of_plays_is_listed_at_once(chosen: dict[str, Any], lead: str) -> None:
    """Three players hold 36 cards each. The player in turn has all remaining wild cards and sets."""
    match = Match.start(GAME, GAME.option_schema.resolve_options(chosen), ("Ana", "Bob", "Cat"))
    low, played = parse_cards("4c"), parse_cards(lead)
    rest = list(match.deck())
    for card in (*low, *played):
        rest.remove(card)
    rest.sort(key=lambda card: (card.rank not in "X23", card.rank))
    best = tuple(rest[:35])
    others = tuple(rest[35:])
    ana, bob = ((*played, others[0]), (*low, *best)) if lead else ((*low, *best), others[:36])
    match = match.begin_hand(Deal("Cat", {"Ana": ana, "Bob": bob, "Cat": others[-20:]})).match
    if lead:
        match = match.apply_action("Ana", Play(played)).match
    began = process_time()
    views.seat_view(match, match.to_act[0])
    assert process_time() - began < 1


# Sums over all tables -----------------------------------------------------------------------------------------------


@given(st.integers(2, 16))
def test_the_points_of_a_hand_follow_the_scoring_option(count: int) -> None:
    names = PLAYER_NAMES[:count]

    def points(key: str) -> list[int]:
        return list(
            sum_points(
                names, scoring.point_reasons(GAME.option_schema.resolve_options({"scoring": key}), names), "points"
            ).values()
        )

    assert sum(points("symmetric")) == 0
    assert points("symmetric") == sorted(points("symmetric"), reverse=True)
    assert points("ladder") == list(range(count, 0, -1))
    assert points("places") == [2, 1] + [0] * (count - 2)
    assert points("bga")[0] == 5
    assert points("bga")[-1] == -15
    assert points("none") == [0] * count


@given(st.sampled_from(["president", "bga", "king", "work", "merchant", "huberes", list("abcde")]), st.integers(0, 16))
def test_every_player_has_a_title_and_equal_titles_are_adjacent(theme: Any, count: int) -> None:
    named = titles.titles_by_player(theme, PLAYER_NAMES[:count])
    assert tuple(named) == PLAYER_NAMES[:count]
    for one, other in combinations(named.values(), 2):
        # Players with equal titles are neighbours.
        assert one != other or set(list(named.values())[list(named.values()).index(one) :][:2]) == {one}


@given(st.sampled_from(["one", "none", "two", "two_one", "butthead", "three_one", "ladder"]), st.integers(2, 16))
def test_every_player_is_in_at_most_a_single_pair_of_an_exchange(key: str, count: int) -> None:
    pairs = society.exchange_amounts(GAME.option_schema.resolve_options({"exchange": key}), count)
    assert len(pairs) <= count // 2
    assert all(up > 0 and down > 0 for up, down in pairs)


@given(st.integers(0, 10**6))
def test_the_low_card_is_the_lowest_ordinary_card_that_was_dealt(seed: int) -> None:
    rng = Random(seed)
    chosen = options(rng)
    faces = CardMeanings(chosen)
    dealt = tuple(rng.sample(faces.deck(), 9))
    low = opening.find_low_card(faces, {"Ana": dealt[:4], "Bob": dealt[4:]})
    ordinary = [
        card for card in dealt if not (faces.is_wild(card) or card.is_joker or faces.rank_of(card) == "H")
        and not (faces.threes_high and card.rank == "3")
    ]  # fmt: skip
    if not ordinary:
        assert low is None
        return
    assert low == min(ordinary, key=lambda card: (faces.natural_ranks.index(card.rank), "cdhs".index(card.suit)))


@given(st.integers(0, 10**6))
def test_a_collusion_keeps_the_number_of_cards_of_every_player(seed: int) -> None:
    rng = Random(seed)
    match = Match.start(GAME, GAME.option_schema.resolve_options({"preset": "collusion"}), PLAYER_NAMES[:4])
    match = match.replace(hierarchy=PLAYER_NAMES[:4])
    pack = list(match.deck())
    rng.shuffle(pack)
    match = match.begin_hand(match.deal(tuple(pack))).match
    sizes = {name: len(held) for name, held in match.hand.cards.items()}
    for _ in range(12):
        by, action = rng.choice([*match.legal_actions()])
        if isinstance(action, Offer):
            action = Offer(tuple(rng.sample(match.hand.cards[by], rng.choice([1, 1, 2]))))
        if not isinstance(action, EndSwaps):
            match = match.apply_action(by, action).match
    assert {name: len(held) for name, held in match.hand.cards.items()} == sizes
    assert sorted(format_cards(pack).split()) == sorted(card for held in match.hand.cards.values() for card in held)


def test_cards_thrown_in_are_announced_if_played_cards_stay_visible() -> None:
    """PRES-39 with PRES-28: otherwise a late view of the pile would contain cards that were never shown."""
    options = GAME.option_schema.resolve_options({"throw_in": True, "pile": "kept", "exchange": "none", "target": None})
    for seed in range(2):
        playout = Playout.for_match(Match.start(GAME, options, PLAYER_NAMES[:5]), Random(seed), PLAYER_NAMES[:5])
        playout.leak_check_rate = 1.0
        for _ in range(50):
            playout.play_hand()
            if any(event.name == "thrown_in" and event.data["cards"] for event in playout.hand_events):
                break
        else:
            pytest.fail("nobody threw cards in in 50 hands")
