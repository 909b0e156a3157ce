"""Test Tien Len with random players, options and cards.

The records in tests/records/tien_len show each rule. tien_len_model.py implements the page a second time, as plainly as
possible. Here the engine is compared with it: in every position and result of random matches, and for sets of cards.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from random import Random

import pytest

from app.arena.random_rules import random_options
from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.cards.action_codec import action_to_json
from app.engine.cards.actions import Action, Pass, Play, cards_in_action
from app.engine.cards.cards import NATURAL_CARDS, RANKS, Cards, parse_cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.state import PlayedCombination
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.games.tien_len.held_chops import find_held_chops
from app.engine.games.tien_len.judging import TienLenJudge
from app.engine.games.tien_len.payments import CHOP_POINTS, POINTS_BY_OPTION, worth
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from tests.engine.games import tien_len_model as model
from tests.long_run import TIMES
from tools.property_checks.playout import Playout

GAME = GAMES["tien_len"]
MATCHES = 10 * TIMES
"""Random matches that are compared with the model."""


def model_options(options: Options) -> model.Options:
    return model.Options(options.to_json())


# Random matches -------------------------------------------------------------------------------------------------------


class Watched(Playout):
    """A random match (test_random_matches.py) that is also played by the model. They are compared after each action."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.model = model.Match(self.match.options.to_json(), self.match.seats)

    def next_deal(self) -> Deal:
        """Deal a whole pack, or cards of few ranks, often in order, so that chops, runs and last twos are frequent."""
        match, rng, count = self.match, self.rng, len(self.match.seats)
        if rng.random() < 0.3:
            return match.deal(tuple(rng.sample(match.deck(), 52)), rng.randrange(100))
        low, ranks = rng.randrange(9), rng.choice([3, 5, 8, 12])
        pack = [card for card in NATURAL_CARDS if card.rank in RANKS[low : min(low + ranks, 12)]]
        twos = rng.sample([card for card in NATURAL_CARDS if card.rank == "2"], 4)
        by_colour = rng.random() < 0.5
        pack.sort(key=lambda card: (by_colour and card.is_red, RANKS.index(card.rank)))
        for _ in range(rng.choice([0, 1, 4, 50])):
            one, other = rng.randrange(len(pack)), rng.randrange(len(pack))
            pack[one], pack[other] = pack[other], pack[one]
        each = min(len(pack) // count, rng.choice([0, 1, 4, 7, 8, 8, 9, 10, 12]))
        share = rng.choice([0, 1, 1, 2, 2, 2, 2, 4]) if each else 1
        cards = {
            name: (*pack[place * each : (place + 1) * each], *twos[place * share : (place + 1) * share])
            for place, name in enumerate(match.seats)
        }
        return Deal(GAME.next_dealer(match), cards)

    def choose_action(self, legal: list[tuple[str, Action]]) -> tuple[str, Action]:
        """Prefer long answers, then twos, and keep other cards, so that chops are frequent."""
        if self.rng.random() < 0.8:
            long = [one for one in legal if len(cards_in_action(one[1])) >= 4]
            twos = [one for one in legal if any(map(model.is_two, cards_in_action(one[1])))]
            legal = (twos or legal) if self.model.hand.table is None else (long or twos or legal[:1])
        return self.rng.choice(legal)

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        element = self.hand_records[-1]
        if element["actions"]:
            action = element["actions"][-1]
            self.model.act(action["by"], action["do"], parse_cards(action.get("cards", "")))
        else:
            for action in element.get("between", ()):
                {"join": self.model.join, "leave": self.model.leave}[action["do"]](action["by"])
            self.model.deal(self.dealt)
        check_position(self.match, self.model)
        if self.match.phase == "play" and self.rng.random() < 0.05:
            check_refusals(self.match, self.model.hand, self.rng)

    def on_hand_end(self) -> None:
        check_result(self.match, self.model)


def check_position(match: Match, by_model: model.Match) -> None:
    """Check that engine and model agree on the players who may act, all legal actions and the cards held."""
    hand, wanted = match.current_hand, by_model.hand
    listed = [
        (by, action_to_json(action)["do"], frozenset(cards_in_action(action))) for by, action in match.legal_actions()
    ]
    assert len({*listed}) == len(listed)
    assert {*listed} == {(by, *action) for by in wanted.players for action in wanted.legal(by)}
    assert match.to_act == (() if wanted.over else (wanted.turn,))
    assert {name: {*cards} for name, cards in hand.cards.items()} == wanted.cards
    assert [*match.standing()] == wanted.standing
    assert match.dealer == wanted.dealer
    if match.phase == "play":
        assert {*GAME.hand_state_to_json(hand)["passed"]} == wanted.shown_as_passed


def check_refusals(match: Match, hand: model.Hand, rng: Random) -> None:
    """Check that the engine accepts exactly the legal actions among a few, and refuses others with the page's code."""
    for by, held in match.current_hand.cards.items():
        plays = [one.cards for one in model.combinations_in(frozenset(held), hand.options)]
        tried = [frozenset(), *rng.sample(plays, min(len(plays), 6))]
        tried += [frozenset(rng.sample(held, rng.randint(1, min(len(held), 4)))) for _ in range(3 if held else 0)]
        legal = {cards for _, cards in hand.legal(by)}
        for cards in tried:
            wanted = None if cards in legal else hand.refusal(by, cards)
            assert refusal_code(match, by, Play(tuple(cards)) if cards else Pass()) == wanted


def refusal_code(match: Match, by: str, action: Action) -> str | None:
    """Return the code of the error by which an action is refused, or None."""
    try:
        match.apply_action(by, action)
    except RuleError as error:
        return error.code
    return None


def check_result(match: Match, by_model: model.Match) -> None:
    result, hand = match.last, by_model.hand
    assert result is not None
    assert [*result.standing] == hand.standing
    assert result.ledger == hand.ledger
    assert [*result.events] == hand.events
    assert sum(result.ledger.values()) == 0
    assert match.totals == by_model.totals


@pytest.mark.parametrize("part", range(4))
def test_the_engine_plays_like_the_model(part: int, record_property: Callable[[str, object], None]) -> None:
    """Play random matches by random options without other checks. `LONG_RUN=200` plays 2,000; `--junit-xml` counts."""
    counts = Counter[str]()
    for number in range(part, MATCHES, 4):
        playout = Watched.random_match(GAME, Random(f"model {number}"))
        playout.refusal_check_rate, playout.cost_check_rate, playout.max_listed_actions = 0, 0, 5000
        for _ in range(4):
            playout.play_hand(check=False)
            counts.update(playout.model.hand.events, hands=1, actions=playout.actions_in_hand)
    record_property("counts", str(dict(counts)))


def test_the_engine_has_the_options_of_the_model() -> None:
    """Compare defaults, presets and contradictions."""
    schema, rng = GAME.option_schema, Random(1)
    for key, options in model.PRESETS.items():
        assert schema.resolve_options({"preset": key}).to_json() == {"preset": key, **vars(model.Options(options))}
    assert model.PRESETS.keys() == {preset.key for preset in schema.presets}
    for _ in range(300):
        asked = {key: rng.choice(values) for key, values in model.OPTIONS.items()}
        asked["instant_wins"] = rng.sample(model.INSTANT_WINS + model.MORE_INSTANT_WINS, rng.randint(0, 7))
        with pytest.raises(RuleError) if model.contradictory(model.Options(asked)) else nullcontext():
            schema.resolve_options(asked)


# Combinations ---------------------------------------------------------------------------------------------------------


class ByModel:
    """The combinations of the model, for test_all_subsets.py."""

    def can_lead(self, options: Options, cards: Cards, _held: Cards) -> bool:
        return model.kind_of(cards, model_options(options)) is not None

    def beats(self, options: Options, cards: Cards, trick: Sequence[Combination], _held: Cards) -> bool:
        plain = model_options(options)
        old, kind = trick[-1].cards, model.kind_of(cards, plain)
        led = model.Combination(model.kind_of(old, plain), old)
        return kind is not None and bool(model.beats(model.Combination(kind, cards), led, plain, led.has_two))


PLAIN = ByModel()


def laid(judge: TienLenJudge, cards: Cards) -> PlayedCombination:
    (reading,) = judge.combinations.readings(cards)
    return PlayedCombination("Ana", reading)


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
    held = [*find_held_chops(cards, judge.combinations, POINTS_BY_OPTION[options[CHOP_POINTS]])]
    assert sum(worth(options, one) for one in held) == model.held_points(cards, model_options(options))
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
