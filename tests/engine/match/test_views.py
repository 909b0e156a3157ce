"""What one seat, or a watcher, may see. That no hidden card changes a byte of it is asked of random matches."""

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.cards.action_codec import action_json
from app.engine.cards.actions import Play
from app.engine.cards.cards import named_cards, parse_cards
from app.engine.climbing.state import State
from app.engine.display.events import Event
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from tools.property_checks.playout import Playout

NAMES = ("Ana", "Bob", "Cat", "Dan")


def begun(key: str, **options: Any) -> Match:
    game = GAMES[key]
    match = Match.start(game, game.declared.resolve(options), NAMES)
    return match.begin(match.deal(match.deck())).match


@pytest.mark.parametrize("key", GAMES)
def test_every_game_shows_the_same_keys_before_a_hand_and_in_it(key: str) -> None:
    game = GAMES[key]
    before = Match.start(game, game.declared.resolve(), NAMES)
    common = {
        "game", "number", "phase", "seats", "dealer", "to_act", "players", "standing", "last", "over", "winners",
        "decree_waits", "decrees",
    }  # fmt: skip
    assert common <= views.table(before).keys()
    assert common <= views.table(begun(key)).keys()
    assert json.loads(json.dumps(views.table(begun(key)))) == views.table(begun(key)), "it is JSON already"


@pytest.mark.parametrize("key", GAMES)
def test_a_table_tells_how_many_cards_and_a_seat_which(key: str) -> None:
    match = begun(key)
    table = views.table(match)
    for name in NAMES:
        held = match.hand.cards[name]
        assert table["players"][name]["cards"] == len(held)
        assert views.seat(match, name)["cards"].split() == list(held)


def test_a_watcher_and_a_player_see_no_card_that_others_hold() -> None:
    match = begun("president")
    shown = json.dumps(views.table(match))
    for name in NAMES:
        own = json.dumps(views.seat(match, name))
        for other in NAMES:
            for card in match.hand.cards[other]:
                assert f'"{card}"' not in shown
                assert (card in own) == (other == name)


def test_legal_actions_are_for_whoever_is_to_act_and_cut_where_there_are_very_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = begun("president", sequences="all")
    turn = match.to_act[0]
    assert [len(views.seat(match, name)["legal"]) for name in NAMES if name != turn] == [0, 0, 0]
    every = [action_json(action) for _, action in match.legal(turn)]
    for limit in (len(every) - 1, len(every), len(every) + 1):
        monkeypatch.setattr(views, "LEGAL_LIMIT", limit)
        own = views.seat(match, turn)
        assert own["legal"] == every[:limit]
        assert own["more"] == (len(every) > limit)


def test_somebody_who_sits_there_no_more_has_no_cards() -> None:
    assert views.turn(begun("president"), "Zoe") == {"cards": "", "legal": [], "more": False}


def test_events_for_some_are_for_nobody_else() -> None:
    for_two = Event("gave_cards", "Ana", {"cards": "3c"}, to=("Ana", "Bob"))
    events = (Event("passed", "Cat"), for_two)
    assert [one["e"] for one in views.events_for(events, "Bob")] == ["passed", "gave_cards"]
    assert [one["e"] for one in views.events_for(events, "Cat")] == ["passed"]
    assert [one["e"] for one in views.events_for(events, None)] == ["passed"]


def test_what_was_won_is_told_once_the_hand_is_over() -> None:
    match = Match.start(GAMES["president"], GAMES["president"].declared.resolve(), ("Ana", "Bob", "Cat"))
    cards = {"Ana": "4c", "Bob": "5c", "Cat": "6c"}
    match = match.begin(Deal("Ana", {name: parse_cards(held) for name, held in cards.items()})).match
    assert views.table(match)["last"] is None
    match = match.act("Bob", Play(named_cards("5c"))).match
    match = match.act("Cat", Play(named_cards("6c"))).match
    last = views.table(match)["last"]
    assert last["standing"] == ["Bob", "Cat", "Ana"]
    assert last["totals"] == match.totals
    assert last["next_seats"] == list(match.seats)


def test_what_points_are_for_is_told_until_the_next_deal() -> None:
    match = begun("ceausescu")
    while match.running:
        match = match.act(*next(iter(match.legal()))).match
    told = [(reason["name"], reason["amount"]) for reason in views.last(match)["reasons"]]
    assert told == [(match.hierarchy[0], 1), (match.hierarchy[-1], -1)]
    after = match.begin(match.deal(match.deck())).match
    assert after.last == match.last
    assert views.last(after)["reasons"] == []
    assert views.last(after)["ledger"] == views.last(match)["ledger"]


@dataclass
class Resting(Playout):
    """Looks whether what is said to stay the same stays the same: for who rests, and above the trick for everybody."""

    seen: dict[str, tuple[tuple[object, ...], dict[str, Any]]] = field(default_factory=dict)
    rested: int = 0

    def look(self, events: tuple[Event, ...]) -> None:
        for name in self.match.seats:
            quiet = (*views.makes_match(self.match), name) if views.is_quiet(self.match) else None
            self.stays(f"{name} besides", views.besides(self.match, name), quiet)
            waits = quiet is not None and name not in self.match.to_act
            made_of = (*quiet, self.match.the_hand.cards.get(name)) if waits and quiet is not None else None
            self.rested += self.stays(name, views.seat(self.match, name), made_of)
            assert not waits or not [*self.match.legal(name)]
        self.stays("match", {**views.of_match(self.match), **views.ranked(self.match)}, views.makes_match(self.match))
        self.stays("hand", views.of_hand(self.match), views.makes_hand(self.match))
        hand = self.match.hand
        if isinstance(hand, State):
            for laid in (*hand.trick.plays, *hand.last_trick):  # said once, when it was shown first
                assert laid.shown(hand.rules.named) == replace(laid).shown(hand.rules.named)

    def stays(self, what: str, shown: dict[str, Any], made_of: tuple[object, ...] | None) -> bool:
        """Whether it is made of the same as it was, and then is the same."""
        of, before = self.seen.pop(what, (None, None))
        if made_of is not None:
            self.seen[what] = made_of, shown
        same = of is not None and of == made_of
        assert not same or shown == before
        return same


@pytest.mark.parametrize("key", list(GAMES))
def test_what_stays_the_same_stays_the_same_whatever_others_do(key: str) -> None:
    plain = Resting.of(Match.start(GAMES[key], GAMES[key].declared.resolve({}), NAMES[:4]), Random(1))
    others = [Resting.random(GAMES[key], Random(seed)) for seed in range(25)]
    for playout in (plain, *others):
        for _ in range(3):
            if not playout.match.over:
                playout.hand(check=False)
    assert bool(plain.rested) == (key != "chase_the_ace")


def test_what_a_play_would_do_is_what_it_does() -> None:
    match = begun("president", ending_ranks="8")
    name = match.to_act[0]
    plays = {action for _, action in match.legal(name) if isinstance(action, Play)}
    found, first = [], 0
    while first is not None:
        some = views.prospects(match, name, first)
        found, first = found + some["prospects"], some["next"]
    assert [each["action"] for each in found] == [
        each for each in views.seat(match, name)["legal"] if each["do"] == "play"
    ]
    for play in plays:
        told = next(each for each in found if each["action"] == action_json(play))
        itself, *does = views.events_for(match.act(name, play).events, name)
        assert (told["kind"], told["does"]) == (itself["kind"], does)
    causes = {each["action"]["cards"][0]: each["does"] and each["does"][0].get("cause") for each in found}
    assert {rank for rank, cause in causes.items() if cause} == {"8"} & causes.keys()
    assert views.prospects(match, NAMES[(NAMES.index(name) + 1) % 4]) == {"prospects": [], "next": None}


@dataclass
class Foreseeing(Playout):
    """Whoever could end the hand: what they are told that would do."""

    ends: list[tuple[str, Any]] = field(default_factory=list)

    def look(self, events: tuple[Event, ...]) -> None:
        match = self.match
        for name in match.to_act[:1]:
            for each in views.prospects(match, name)["prospects"]:
                if len(each["action"]["cards"].split()) == len(match.the_hand.cards[name]):
                    self.ends.append((name, each["does"]))


def test_of_a_hand_that_a_play_would_end_nothing_is_told_but_what_befalls_oneself() -> None:
    game = GAMES["big_two"]
    playout = Foreseeing.of(Match.start(game, game.declared.resolve(), NAMES), Random(3))
    playout.hand(check=False)
    assert playout.ends
    assert all(event["by"] == name for name, does in playout.ends for event in does)


def test_nobody_learns_before_a_play_which_cards_it_would_make_another_throw_in() -> None:
    options = {"throw_in": True, "pile": "kept", "exchange": "none", "target": None}
    game = GAMES["president"]
    match = Match.start(game, game.declared.resolve(options), NAMES, ranks=NAMES)
    cards = {"Ana": "5c 6c 7c", "Bob": "Ac", "Cat": "8c 9c", "Dan": "3c 4c"}
    match = match.begin(Deal("Ana", {name: parse_cards(held) for name, held in cards.items()})).match
    while match.to_act[0] != "Bob":
        match = match.act(*next(iter(match.legal()))).match
    (play,) = (action for _, action in match.legal("Bob") if isinstance(action, Play))
    step = match.act("Bob", play)
    assert step.match.running
    happens = views.events_for(step.events, "Bob")
    assert [event["cards"] for event in happens if event["e"] == "thrown_in"] == ["6c 7c"], "then everybody sees them"
    (foreseen,) = views.prospects(match, "Bob")["prospects"]
    told = [event for event in foreseen["does"] if event["e"] == "thrown_in"]
    assert [event["by"] for event in told] == ["Ana"]
    assert all("cards" not in event for event in told)
