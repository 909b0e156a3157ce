"""Test what a seat or a spectator may see. Random matches test that hidden cards never change a view."""

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.cards.action_codec import action_to_json
from app.engine.cards.actions import Play
from app.engine.cards.cards import parse_card_names, parse_cards
from app.engine.climbing.rule_hooks import ClimbingRules
from app.engine.climbing.state import ClimbingHand
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from tests.long_run import TIMES
from tools.property_checks.playout import Playout

NAMES = ("Ana", "Bob", "Cat", "Dan")


def begun(key: str, **options: Any) -> Match:
    game = GAMES[key]
    match = Match.start(game, game.option_schema.resolve_options(options), NAMES)
    return match.begin_hand(match.deal(match.deck())).match


@pytest.mark.parametrize("key", GAMES)
def test_every_game_shows_the_same_keys_before_a_hand_and_in_it(key: str) -> None:
    game = GAMES[key]
    before = Match.start(game, game.option_schema.resolve_options(), NAMES)
    common = {
        "game", "number", "phase", "seats", "dealer", "to_act", "players", "standing", "last", "over", "winners",
        "decree_pending", "decrees",
    }  # fmt: skip
    assert common <= views.table_view(before).keys()
    assert common <= views.table_view(begun(key)).keys()
    assert json.loads(json.dumps(views.table_view(begun(key)))) == views.table_view(begun(key)), "it is JSON already"


@pytest.mark.parametrize("key", GAMES)
def test_the_table_view_shows_card_counts_and_the_seat_view_shows_cards(key: str) -> None:
    match = begun(key)
    table = views.table_view(match)
    for name in NAMES:
        held = match.hand.cards[name]
        assert table["players"][name]["cards"] == len(held)
        assert views.seat_view(match, name)["cards"].split() == list(held)


def test_spectators_and_players_see_no_cards_of_other_players() -> None:
    match = begun("president")
    shown = json.dumps(views.table_view(match))
    for name in NAMES:
        own = json.dumps(views.seat_view(match, name))
        for other in NAMES:
            for card in match.hand.cards[other]:
                assert f'"{card}"' not in shown
                assert (card in own) == (other == name)


def test_legal_actions_are_shown_only_to_the_player_to_act_and_truncated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = begun("president", sequences="all")
    turn = match.to_act[0]
    assert [len(views.seat_view(match, name)["legal"]) for name in NAMES if name != turn] == [0, 0, 0]
    every = [action_to_json(action) for _, action in match.legal_actions(turn)]
    for limit in (len(every) - 1, len(every), len(every) + 1):
        monkeypatch.setattr(views, "LEGAL_LIMIT", limit)
        own = views.seat_view(match, turn)
        assert own["legal"] == every[:limit]
        assert own["more"] == (len(every) > limit)


def test_a_name_without_a_seat_has_no_cards_in_its_view() -> None:
    assert views.seat_turn_section(begun("president"), "Zoe") == {"cards": "", "legal": [], "more": False}


def test_private_events_are_shown_only_to_the_named_players() -> None:
    for_two = GameEvent("gave_cards", "Ana", {"cards": "3c"}, to=("Ana", "Bob"))
    events = (GameEvent("passed", "Cat"), for_two)
    assert [one["e"] for one in views.visible_events(events, "Bob")] == ["passed", "gave_cards"]
    assert [one["e"] for one in views.visible_events(events, "Cat")] == ["passed"]
    assert [one["e"] for one in views.visible_events(events, None)] == ["passed"]


def test_the_result_is_shown_once_the_hand_is_over() -> None:
    match = Match.start(GAMES["president"], GAMES["president"].option_schema.resolve_options(), ("Ana", "Bob", "Cat"))
    cards = {"Ana": "4c", "Bob": "5c", "Cat": "6c"}
    match = match.begin_hand(Deal("Ana", {name: parse_cards(held) for name, held in cards.items()})).match
    assert views.table_view(match)["last"] is None
    match = match.apply_action("Bob", Play(parse_card_names("5c"))).match
    match = match.apply_action("Cat", Play(parse_card_names("6c"))).match
    last = views.table_view(match)["last"]
    assert last["standing"] == ["Bob", "Cat", "Ana"]
    assert last["totals"] == match.totals
    assert last["next_seats"] == list(match.seats)
    exchange = {"e": "will_exchange", "by": "Ana", "to": "Bob", "count": 1, "back": 1}
    assert last["next_hand"] == [exchange, {"e": "winner_leads", "by": "Bob"}]


def test_reasons_for_points_are_shown_until_the_next_deal() -> None:
    match = begun("ceausescu")
    while match.is_hand_running:
        match = match.apply_action(*next(iter(match.legal_actions()))).match
    told = [(reason["name"], reason["amount"]) for reason in views.last_hand_view(match)["reasons"]]
    assert told == [(match.hierarchy[0], 1), (match.hierarchy[-1], -1)]
    after = match.begin_hand(match.deal(match.deck())).match
    assert after.last == match.last
    assert views.last_hand_view(after)["reasons"] == []
    assert views.last_hand_view(after)["ledger"] == views.last_hand_view(match)["ledger"]


@dataclass
class Resting(Playout):
    """A random match that checks cached parts of the view: with the same cache key, the view must be the same."""

    seen: dict[str, tuple[tuple[object, ...], dict[str, Any]]] = field(default_factory=dict)
    rested: int = 0

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        for name in self.match.seats:
            quiet = (
                (*views.match_section_cache_key(self.match), name)
                if views.are_waiting_players_idle(self.match)
                else None
            )
            self.stays(f"{name} besides", views.seat_off_turn_section(self.match, name), quiet)
            waits = quiet is not None and name not in self.match.to_act
            made_of = (*quiet, self.match.current_hand.cards.get(name)) if waits and quiet is not None else None
            self.rested += self.stays(name, views.seat_view(self.match, name), made_of)
            assert not waits or not [*self.match.legal_actions(name)]
        self.stays(
            "match",
            {**views.match_section(self.match), **views.player_ranks(self.match)},
            views.match_section_cache_key(self.match),
        )
        self.stays("hand", views.hand_section(self.match), views.hand_section_cache_key(self.match))
        hand = self.match.hand
        if isinstance(hand, ClimbingHand):
            for laid in (*hand.trick.plays, *hand.last_trick):  # cached when it was first shown
                assert laid.cached_view(hand.rules.reading_name) == replace(laid).cached_view(hand.rules.reading_name)

    def stays(self, what: str, shown: dict[str, Any], made_of: tuple[object, ...] | None) -> bool:
        """Check that a view with the same key as before is unchanged, and return whether the key was the same."""
        of, before = self.seen.pop(what, (None, None))
        if made_of is not None:
            self.seen[what] = made_of, shown
        same = of is not None and of == made_of
        assert not same or shown == before
        return same


@pytest.mark.parametrize("key", list(GAMES))
def test_views_with_unchanged_sources_stay_the_same(key: str) -> None:
    plain = Resting.for_match(
        Match.start(GAMES[key], GAMES[key].option_schema.resolve_options({}), NAMES[:4]), Random(1)
    )
    others = [Resting.random_match(GAMES[key], Random(seed)) for seed in range(12 * TIMES)]
    for playout in (plain, *others):
        for _ in range(3):
            if not playout.match.over:
                playout.play_hand(check=False)
    rules = GAMES[key].build_rules(plain.match.options)
    assert bool(plain.rested) == (isinstance(rules, ClimbingRules) and rules.waiting_players_idle)


def test_the_announced_effects_of_a_play_are_its_actual_effects() -> None:
    match = begun("president", ending_ranks="8")
    name = match.to_act[0]
    plays = {action for _, action in match.legal_actions(name) if isinstance(action, Play)}
    found, first = [], 0
    while first is not None:
        some = views.preview_plays(match, name, first)
        found, first = found + some["previews"], some["next"]
    assert [each["action"] for each in found] == [
        each for each in views.seat_view(match, name)["legal"] if each["do"] == "play"
    ]
    for play in plays:
        told = next(each for each in found if each["action"] == action_to_json(play))
        itself, *does = views.visible_events(match.apply_action(name, play).events, name)
        assert (told["kind"], told["effects"]) == (itself["kind"], does)
    causes = {each["action"]["cards"][0]: each["effects"] and each["effects"][0].get("cause") for each in found}
    assert {rank for rank, cause in causes.items() if cause} == {"8"} & causes.keys()
    assert views.preview_plays(match, NAMES[(NAMES.index(name) + 1) % 4]) == {"previews": [], "next": None}


@dataclass
class Foreseeing(Playout):
    """A random match that collects the announced effects of plays that would end the hand."""

    ends: list[tuple[str, Any]] = field(default_factory=list)

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        match = self.match
        for name in match.to_act[:1]:
            for each in views.preview_plays(match, name)["previews"]:
                if len(each["action"]["cards"].split()) == len(match.current_hand.cards[name]):
                    self.ends.append((name, each["effects"]))


def test_a_play_that_ends_the_hand_announces_only_effects_on_its_player() -> None:
    game = GAMES["big_two"]
    playout = Foreseeing.for_match(Match.start(game, game.option_schema.resolve_options(), NAMES), Random(3))
    playout.play_hand(check=False)
    assert playout.ends
    assert all(event["by"] == name for name, does in playout.ends for event in does)


def test_announced_effects_do_not_reveal_cards_another_player_throws_in() -> None:
    options = {"throw_in": True, "pile": "kept", "exchange": "none", "target": None}
    game = GAMES["president"]
    match = Match.start(game, game.option_schema.resolve_options(options), NAMES, ranks=NAMES)
    cards = {"Ana": "5c 6c 7c", "Bob": "Ac", "Cat": "8c 9c", "Dan": "3c 4c"}
    match = match.begin_hand(Deal("Ana", {name: parse_cards(held) for name, held in cards.items()})).match
    while match.to_act[0] != "Bob":
        match = match.apply_action(*next(iter(match.legal_actions()))).match
    (play,) = (action for _, action in match.legal_actions("Bob") if isinstance(action, Play))
    step = match.apply_action("Bob", play)
    assert step.match.is_hand_running
    happens = views.visible_events(step.events, "Bob")
    assert [event["cards"] for event in happens if event["e"] == "thrown_in"] == ["6c 7c"], "then everybody sees them"
    (foreseen,) = views.preview_plays(match, "Bob")["previews"]
    told = [event for event in foreseen["effects"] if event["e"] == "thrown_in"]
    assert [event["by"] for event in told] == ["Ana"]
    assert all("cards" not in event for event in told)
