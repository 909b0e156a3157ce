"""Test Tien Len with random players, options and cards.

The records in tests/records/tien_len show each rule. Here the page's combinations and chops are implemented a second
time, as plainly as possible, and compared for every set of cards.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from random import Random
from typing import TypeAlias

import pytest

from app.arena.random_rules import random_options
from app.engine.base.options import Options
from app.engine.cards.action_codec import action_to_json
from app.engine.cards.actions import Action, Pass, Play, cards_in_action
from app.engine.cards.cards import NATURAL_CARDS, RANKS, Card, Cards, parse_cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.games.tien_len.chops import CHOPS_ON_CHOPS, FOUR_CHOPS, INTERRUPTIONS, TRIPLE_CHOP
from app.engine.games.tien_len.combinations import PAIR_RUNS, SUITED_RUNS, SUITS
from app.engine.games.tien_len.hand_memory import memory_of
from app.engine.games.tien_len.held_chops import find_held_chops
from app.engine.games.tien_len.judging import TienLenJudge
from app.engine.games.tien_len.payments import CHOP_POINTS, POINTS_BY_OPTION, worth
from app.engine.games.tien_len.play import NO_LAST_TWOS, PASSING, PLAY_ON
from app.engine.games.tien_len.table import LOW_CARD_LEAD
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from tests.long_run import TIMES
from tools.property_checks.playout import Playout
from tools.property_checks.random_actions import is_accepted

GAME = GAMES["tien_len"]
SMALL = 7
"""The largest number of cards of which all subsets are tried in a running hand."""
HANDS, MOST_CARDS = (50 * TIMES, 10 if TIMES == 1 else 13)
"""Random hands, and their largest size, of which all subsets are tried. `LONG_RUN=10` tries 500 whole hands."""
Found: TypeAlias = tuple[str, tuple[int, int]]


def order(card: Card) -> tuple[int, int]:
    return RANKS.index(card.rank), "scdh".index(card.suit)


def colours(cards: Cards) -> set[bool]:
    return {card.suit in "dh" for card in cards}


def subsets(cards: Cards) -> Iterator[Cards]:
    return chain.from_iterable(combinations(cards, size) for size in range(1, len(cards) + 1))


# Plain version of the page's rules ------------------------------------------------------------------------------------


def what(options: Options, cards: Cards) -> Found | None:
    """Return the kind of some cards, and the highest card."""
    top, follow = max(map(order, cards)), options[SUITS] == "follow"
    counts = Counter(RANKS.index(card.rank) for card in cards)
    if len(counts) == 1:
        mixed = follow and len(cards) == 2 and cards[0].rank != "2" and len(colours(cards)) == 2
        return None if mixed else (("single", "pair", "triple", "four")[len(cards) - 1], top)
    ranks, width = sorted(counts), counts[top[0]]
    if len(ranks) < 3 or ranks[-1] == 12 or ranks[-1] - ranks[0] >= len(ranks) or {*counts.values()} != {width}:
        return None
    if width == 1:
        return None if follow and len({card.suit for card in cards}) > 1 else ("run", top)
    if width > 2 or not options[PAIR_RUNS] or (follow and len(colours(cards)) > 1):
        return None
    return "run_of_pairs", top


def level(kind: str, cards: Cards) -> float:
    """Return the rank of a chop among chops; 0 for other combinations."""
    if kind == "four":
        return 3.5
    return len(cards) / 2 if kind == "run_of_pairs" else 0


def follows(options: Options, kind: str, new: Cards, old: Cards) -> bool:
    """Whether suits allow the new cards on old ones of their kind."""
    if options[SUITED_RUNS] == "lock" and kind == "run":
        return len({card.suit for card in old}) > 1 or len({card.suit for card in new}) == 1
    if options[SUITS] == "any" or kind in ("triple", "four") or new[0].rank == "2":
        return True
    return colours(new + old) == colours(new) if "pair" in kind else new[0].suit == old[0].suit


def beats(options: Options, new: Cards, trick: Sequence[Cards]) -> bool:
    """Whether the page lets some cards beat the last play of a trick."""
    one, other, old = what(options, new), what(options, trick[-1]), trick[-1]
    assert other is not None
    if one is None:
        return False
    if one[0] == other[0] and len(new) == len(old):
        return one[1] > other[1] and follows(options, one[0], new, old)
    mine, theirs = level(one[0], new), level(other[0], old)
    if old[0].rank == "2" and other[0] != "four":
        twos = {0: 0, 3: 1, 3.5: 2 if options[FOUR_CHOPS] == "two_twos" else 1, 4: 2}
        return len(old) <= twos.get(mine, 3 if options[TRIPLE_CHOP] else 2)
    allowed = {"always": True, "after_two": any("2" in card for cards in trick for card in cards), "never": False}
    return 0 < theirs < mine and allowed[options[CHOPS_ON_CHOPS]]


def may_play(match: Match, by: str, cards: Cards) -> bool:
    """Whether the page allows the player to play these cards now."""
    hand: HandState = match.hand
    options, held, trick = match.options, hand.cards[by], [laid.combination.cards for laid in hand.trick.plays]
    found = what(options, cards)
    if found is None or (trick and not beats(options, cards, trick)):
        return False
    last_two = len(cards) == len(held) and any(card.rank == "2" for card in cards)
    if options[NO_LAST_TWOS] and last_two and not memory_of(hand).ban_lifted:
        return False
    if by != hand.player_to_play:
        lowest = {"four_pairs": 4, "every": 3, "none": 99}[options[INTERRUPTIONS]]
        return bool(trick) and hand.trick.plays[-1].by != by and level(found[0], cards) >= lowest
    low = min((card for one in hand.cards.values() for card in one), key=order)
    if not hand.opened and memory_of(hand).leader is None and low in held:
        return {"within": low in cards, "alone": cards == (low,), "free": True}[options[LOW_CARD_LEAD]]
    return True


# Checks for every position --------------------------------------------------------------------------------------------


def check_legal(match: Match) -> None:
    """Check that `legal` lists exactly the actions that the page allows and the engine accepts."""
    hand: HandState = match.hand
    listed = list(match.legal_actions())
    shown = {(by, action_to_json(action)["do"], frozenset(cards_in_action(action))) for by, action in listed}
    assert len(shown) == len(listed)
    assert set(match.to_act) <= {by for by, _ in listed}
    for by in hand.players_with_cards():
        plays = {frozenset(action.cards) for one, action in listed if one == by and isinstance(action, Play)}
        if len(hand.cards[by]) <= SMALL:
            for cards in subsets(hand.cards[by]):
                assert (frozenset(cards) in plays) == may_play(match, by, cards) == is_accepted(match, by, Play(cards))
        else:
            assert all(may_play(match, by, tuple(cards)) for cards in plays)
        may_pass = by == hand.player_to_play and (hand.play_to_beat is not None or not plays)
        assert ((by, Pass()) in listed) == may_pass == is_accepted(match, by, Pass())


class Watched(Playout):
    """A random match (test_random_matches.py) that is compared with the page."""

    def next_deal(self) -> Deal:
        """Deal a whole pack, or cards of few ranks, so that chops, runs and last twos are frequent."""
        match, rng = self.match, self.rng
        if rng.random() < 0.3:
            return match.deal(tuple(rng.sample(match.deck(), 52)), rng.randrange(100))
        start, count = rng.randrange(12), len(match.seats)
        ranks = {RANKS[(start + step) % 13] for step in range(rng.choice([3, 4, 5, 8]))} | {"2"}
        few = [card for card in NATURAL_CARDS if card.rank in ranks]
        few = rng.sample(few, len(few))
        each = min(len(few) // count, rng.choice([1, 2, 4, 7, 7, 10, 12]))
        cards = {name: tuple(few[place * each : (place + 1) * each]) for place, name in enumerate(match.seats)}
        return Deal(GAME.next_dealer(match), cards)

    def choose_action(self, legal: list[tuple[str, Action]]) -> tuple[str, Action]:
        """Prefer long plays, which are rare."""
        if self.rng.random() < 0.5:
            legal = sorted(legal, key=lambda one: len(cards_in_action(one[1])))[-2:]
        return self.rng.choice(legal)

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        if self.match.phase == "play" and self.rng.random() < 0.3:
            check_legal(self.match)

    def on_hand_end(self) -> None:
        check_result(self.match)


def check_result(match: Match) -> None:
    result, hand = match.last, match.hand
    assert result is not None
    standing = [*result.standing]
    assert sorted(standing) == sorted(match.seats) == sorted(result.ledger)
    left = [len(hand.cards[name]) for name in standing]
    assert left[0] == 0
    assert left == sorted(left)
    assert sum(result.ledger.values()) == 0
    at_once = any(event.startswith("instant_") for event in result.events)
    assert at_once == memory_of(hand).instant_win
    if match.options[PLAY_ON] and not at_once:
        assert sum(count > 0 for count in left) == 1
    assert result.events.count("chop") == len(memory_of(hand).chops)
    assert match.options[PASSING] == "out" or not hand.trick.barred


# Combinations ---------------------------------------------------------------------------------------------------------


def laid(judge: TienLenJudge, cards: Cards) -> PlayedCombination:
    (reading,) = judge.combinations.readings(cards)
    return PlayedCombination("Ana", reading)


@pytest.mark.parametrize("part", range(4))
def test_legal_plays_are_those_found_among_all_subsets(part: int) -> None:
    """Compare leads and answers of random hands, under random options, with the plain version for every subset."""
    rng = Random(part)
    for _ in range(part, HANDS, 4):
        options = random_options(GAME, rng)
        judge, ranks = TienLenJudge(options), [*rng.sample(RANKS, rng.choice([4, 6, 8, 13])), "2"]
        few = [card for card in NATURAL_CARDS if card.rank in ranks]
        mine, theirs = (tuple(rng.sample(few, min(rng.randint(1, MOST_CARDS), len(few)))) for _ in range(2))
        leads = [one.cards for one in judge.possible_leads(mine)]
        assert len({frozenset(one) for one in leads}) == len(leads)
        assert {frozenset(one) for one in leads} == {frozenset(one) for one in subsets(mine) if what(options, one)}
        for led in rng.sample(leads, min(3, len(leads))):
            answers = [one.cards for one in judge.possible_answers(theirs, (laid(judge, led),))]
            assert {frozenset(one) for one in answers} == {
                frozenset(one) for one in subsets(theirs) if beats(options, one, (led,))
            }
            assert [len(one) for one in answers] == sorted(len(one) for one in answers)


def test_a_deck_has_the_known_number_of_each_combination() -> None:
    """Count the combinations of four ranks in a row and the twos: two rows of three, and one of four."""
    judge = TienLenJudge(GAME.option_schema.resolve_options({}))
    pack = tuple(card for card in NATURAL_CARDS if card.rank in "34562")
    assert Counter(one.kind for one in judge.possible_leads(pack)) == {
        "single": 20,
        "pair": 5 * 6,
        "triple": 5 * 4,
        "four": 5,
        "run": 2 * 4**3 + 4**4,
        "run_of_pairs": 2 * 6**3 + 6**4,
    }


@pytest.mark.parametrize("seed", range(8))
def test_cards_held_have_the_highest_sum_of_points(seed: int) -> None:
    """Compare the points for twos and chops held with the best of all ways to divide some cards."""
    rng = Random(seed)
    options = random_options(GAME, rng)
    judge = TienLenJudge(options)
    few = [card for card in NATURAL_CARDS if card.rank in ("4567", "45678", "34562")[seed % 3]]
    cards = tuple(rng.sample(few, 10))
    chops = [one for one in judge.possible_leads(cards) if level(one.kind, one.cards)]
    twos = sum(2 if card.suit in "dh" else 1 for card in cards if card.rank == "2")
    best = max(
        sum(worth(options, one) for one in some)
        for count in range(4)
        for some in combinations([one for one in chops if one.cards[0].rank != "2"], count)
        if len({card for one in some for card in one.cards}) == sum(one.size for one in some)
    )
    points = POINTS_BY_OPTION[options[CHOP_POINTS]]
    held = [*find_held_chops(cards, judge.combinations, points)]
    assert sum(worth(options, one) for one in held) == best + twos
    assert all(judge.combinations.readings(one.cards) == (one,) for one in held)
    used = [card for one in held for card in one.cards]
    assert len(used) == len({*used} & {*cards})


def test_a_suggested_answer_beats_the_table() -> None:
    """A refusal names only kinds of which the deck has a higher one."""
    judge = TienLenJudge(GAME.option_schema.resolve_options({}))

    def words(on: str) -> list[str]:
        return [str(one.words) for one in judge.suggested_answers((laid(judge, parse_cards(on)),))]

    assert words("Ks Ad Qh") == ["a higher run"]
    assert words("Ks Ah Qh") == []
    assert words("2h") == ["four of a kind", "three pairs in a row", "four pairs in a row", "more pairs in a row"]
    assert words("2s 2h") == ["four of a kind", "four pairs in a row", "more pairs in a row"]
    assert words("2s 2c 2h") == []
    assert words("As Ac Ah") == ["a higher triple"]
    assert words("As Ac Ad Ah") == ["a higher four of a kind", "four pairs in a row", "more pairs in a row"]
    assert words("Qs Qh Ks Kh As Ah") == ["four pairs in a row", "more pairs in a row", "four of a kind"]
