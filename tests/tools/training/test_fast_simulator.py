"""Quick hands go as the rules have it, and what is learnt from them hangs on the seed alone."""

import random
import shutil
from collections.abc import Iterator, Mapping
from ctypes import byref, c_int16, c_int32, c_uint64, create_string_buffer
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec import json

from app.bots.network.card_features import Survey
from app.bots.network.two_layers import Deep, Packed
from app.bots.simple import greedy
from app.bots.view.card_order import RulesInForce
from app.bots.view.combinations import Pack, pack_of
from app.bots.view.seat_view import Action, SeatReader, View, cards_in, view_of
from app.engine.cards.action_codec import parse_action
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.match import Match
from tools.training import large_network
from tools.training.fast_simulator import Brain, CannotLearn, Practice, Pupil, Tables, library, practise
from tools.training.train import train

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="wants a C compiler")

NAMES = ("Ana", "Bob", "Cat", "Dan")
GAME = GAMES["big_two"]
RULES: tuple[Mapping[str, Any], ...] = (
    {},
    {"preset": "pusoy_dos", "passing": "ends", "direction": "clockwise"},
    {"quads": "alone", "straights": "no_wrap", "flushes_by": "top_card", "settlement": "winner_only", "doubling": []},
    {"preset": "singapore", "full_house": "own_class", "quads": "bomb"},
)


class Quick:
    """A table of `fast_simulator.c`, beside one of the engine."""

    def __init__(self, pack: Pack, hands: list[int], turn: int) -> None:
        self._places = {known.mask: at for at, known in enumerate(pack.all)}
        self._pack, self._tables = pack, Tables(pack, low_first=True)
        self._table = create_string_buffer(library().size_of_table())
        library().begin(byref(self._tables.c), self._table, (c_uint64 * 4)(*hands), turn)

    @property
    def turn(self) -> int:
        """Whose turn it is."""
        found: int = library().turn_of(self._table)
        return found

    def choices(self) -> tuple[set[int], int]:
        """What may be played, and what the greedy bot would do; 0 is a pass."""
        found = (c_int32 * 3000)()
        count = library().choices(byref(self._tables.c), self._table, found)
        thumb = library().by_thumb(byref(self._tables.c), self._table, found, count)
        return {self._pack.all[at].mask for at in found[:count]}, 0 if thumb < 0 else self._pack.all[thumb].mask

    def survey(self, action: Action) -> list[int]:
        """What is true of a choice."""
        found = (c_int16 * 240)()
        count = library().survey(byref(self._tables.c), self._table, self._does(action), found)
        return sorted(found[:count])

    def act(self, action: Action) -> None:
        """Whoever's turn it is does this."""
        library().act(byref(self._tables.c), self._table, self._does(action))

    def _does(self, action: Action) -> int:
        return -1 if action["do"] == "pass" else self._places[self._pack.mask(cards_in(action))]


def hand_beside(pack: Pack, options: Any, rng: random.Random) -> Iterator[tuple[Quick, tuple[str, ...], View]]:
    """A hand of greedy bots that now and then do anything, in the engine and beside it."""
    match = Match.start(GAME, options, NAMES, NAMES)
    deal = match.deal(tuple(rng.sample(match.deck(), 52)), 1)
    step = match.begin(deal)
    names = match.seats[:: step.match.the_hand.direction]
    quick = Quick(pack, [pack.mask(deal.cards[name]) for name in names], names.index(step.match.to_act[0]))
    told = list(step.events)
    while step.match.running:
        by = step.match.to_act[0]
        view = view_of(step.match, by, views.events_for(told, by), deal.cards[by])
        yield quick, names, view
        action = rng.choice(view["you"]["legal"]) if rng.random() < 0.3 else greedy.choose(view, rng)
        quick.act(action)
        step = step.match.act(by, parse_action(dict(action)))
        told += step.events


@pytest.mark.parametrize("switches", RULES, ids=str)
def test_a_quick_hand_goes_as_the_rules_have_it_and_sees_the_same(switches: Mapping[str, Any]) -> None:
    options = GAME.declared.resolve(switches)
    pack = pack_of(RulesInForce(GAME, options), 4)
    assert pack is not None
    turns = 0
    for seed in range(4):
        for quick, names, view in hand_beside(pack, options, random.Random(seed)):
            seat = SeatReader(view)
            assert names[quick.turn] == seat.name
            plays, thumb = quick.choices()
            assert plays == {pack.mask(cards_in(action)) for action in seat.doing("play")}
            assert thumb == pack.mask(cards_in(greedy.choose(view, random.Random(1))))
            seen = Survey(seat, view["told"], pack)
            for action in seat.legal:
                assert sorted(seen.moment + seen.of(action)) == quick.survey(action)
            turns += 1
    assert turns > 150


@pytest.fixture(scope="module")
def tables() -> Tables:
    found = large_network.tables_of("big_two", GAME.declared.resolve(RULES[2]))
    assert found is not None
    return found


def practice(**more: Any) -> Practice:
    return Practice(**{"hands": 60, "seed": 1, "heat": 0.01, "trust": 0.5, "others": (0.5, 0.6, 0.7), **more})


def test_of_a_choice_it_says_what_the_network_says_in_python(tables: Tables) -> None:
    units = (16, 8)
    student = Pupil(units, 3)
    training = large_network.Deepening("big_two", 1, 1, units)
    deep = Deep(large_network.packed(student.weights, training))
    lessons, _ = practise(tables, Brain(student.weights, units), practice())
    before = [lesson.copy() for lesson in lessons[:40]]
    for lesson in before:
        true = lesson["true"][: lesson["count"]].tolist()
        worth = deep.value(deep.at(true[: len(true) // 2]), true[len(true) // 2 :])
        told = np.array([lesson])
        told["worth"] = worth
        assert Pupil(units, 3).lesson(told, np.zeros(1, np.int32), 0.0) < 1e-4


def test_what_it_is_told_it_learns(tables: Tables) -> None:
    units = (32, 8)
    student = Pupil(units, 1)
    lessons, _ = practise(tables, Brain(student.weights, units), practice(hands=200))
    lessons["worth"] = np.where((lessons["true"] == 0).any(1), 1.0, -1.0)
    chance = np.random.default_rng(1)
    errors = [student.lesson(lessons, chance.integers(0, len(lessons), 128).astype(np.int32), 3e-3) for _ in range(300)]
    assert errors[0] > 0.5
    assert np.mean(errors[-20:]) < 0.05


def test_the_better_plays_better(tables: Tables) -> None:
    wise, of = Brain.of(_kept()), _kept().units
    fool = Brain(Pupil(of, 1).weights, of)
    judged = practice(hands=400, heat=0.0, others=(0.0, 0.0, 0.0))
    assert practise(tables, fool, judged)[1].points < -4
    assert practise(tables, wise, judged)[1].points > 4
    assert practise(tables, wise, judged, fool)[1].points > 4
    assert abs(practise(tables, wise, judged, wise)[1].points) < 1.5


def test_what_is_wider_says_the_same_at_first(tables: Tables) -> None:
    small = Brain(Pupil((16, 8), 1).weights, (16, 8))
    wide = Brain(Pupil((32, 16), 2, small).weights, (32, 16))
    judged = practice(hands=40, heat=0.0, others=(1.0, 1.0, 1.0))
    plays = [practise(tables, brain, judged) for brain in (small, wide)]
    assert plays[0][1] == plays[1][1]
    assert [one["true"][: one["count"]].tolist() for one in plays[0][0]] == [
        one["true"][: one["count"]].tolist() for one in plays[1][0]
    ]
    with pytest.raises(CannotLearn, match="has more units: 32 and 16"):
        Pupil((16, 8), 1, wide)


def _kept() -> Packed:
    return json.decode((files("app.bots") / "weights" / "wide" / "big_two.json").read_bytes(), type=Packed)


def test_the_same_hands_teach_the_same_however_many_play(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ROUND": 20, "BATCH": 32, "FIRST": 100, "KEPT": 3000, "JUDGED": 20}.items():
        monkeypatch.setattr(large_network, name, value)
    heard = list[large_network.SoFar]()

    def learnt(seed: int, threads: int) -> Packed:
        training = large_network.Deepening("big_two", 80, seed, (16, 8), switches=0)
        return large_network.deepen(training, threads, heard.append, 3)

    once = learnt(1, 1)
    assert once == learnt(1, 3)
    assert once.weights != learnt(2, 1).weights
    assert once.made == "python -m tools train big_two --wide --hands 80 --seed 1 --switches 0 --units 16 8"
    assert heard[1].hands == 80
    further = large_network.Deepening(
        "big_two", 120, 2, (16, 8), ("hong_kong",), besides={"doubling": []}, begin=once, calm=8
    )
    assert further.made.endswith(
        "; python -m tools train big_two --wide --hands 120 --seed 2"
        " --preset hong_kong --switch doubling=[] --units 16 8 --on --calm 8"
    )


def test_random_switches_are_those_in_which_a_hand_is_worth_alike() -> None:
    training = large_network.Deepening("big_two", 1, 1, switches=1, besides={"settlement": "winner_only"})
    drawn = [training.rules(number).c for number in range(3)]
    assert all(rules.paid for rules in drawn)
    assert len({(rules.count, rules.dear, rules.bars, rules.cost[13]) for rules in drawn}) > 1
    assert training.rules(-1).c.dear == 2, "the usual ones come first"


def test_the_command_writes_what_was_learnt_and_goes_on_from_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in {"ROUND": 20, "BATCH": 16, "FIRST": 100, "KEPT": 3000, "JUDGED": 20}.items():
        monkeypatch.setattr(large_network, name, value)
    place = tmp_path / "new" / "big_two.json"
    command = ["big_two", "--wide", "--hands", "60", "--switches", "0", "--into", str(place)]
    result = CliRunner().invoke(train, [*command, "--units", "16", "8"])
    assert "60 hands" in result.output
    first = json.decode(place.read_bytes(), type=Packed)
    assert first.units == (16, 8)
    CliRunner().invoke(train, [*command, "--on"])
    second = json.decode(place.read_bytes(), type=Packed)
    assert second.made.startswith(f"{first.made}; python -m tools train")
    assert second.units == first.units
    assert second.weights != first.weights


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["president", "--switch", "packs=2"], "for four players with one pack"),
        (["big_two", "--preset", "latta"], "for four players with one pack"),
        (["big_two", "--units", "20", "8"], "multiples of 8"),
        (["big_two", "--units", "8", "16"], "fewer in the second layer"),
    ],
)
def test_what_can_not_be_learnt_is_said(asked: list[str], says: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(train, [*asked, "--wide", "--into", str(tmp_path / "none.json")])
    assert result.exit_code == 1
    assert says in result.output
