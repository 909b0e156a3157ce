"""Test Chase the Ace with random players, options and cards: no card is lost, hands end, and hidden cards stay hidden.

The records in tests/records/chase_the_ace show each rule.
"""

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

import pytest

from app.engine.base.errors import RuleError
from app.engine.cards.actions import Action, Keep, Swap
from app.engine.cards.cards import parse_card
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.games.chase_the_ace.lives_and_pot import DECK
from app.engine.games.chase_the_ace.trading import AceHand
from app.engine.match import views
from app.engine.match.match import Match
from tests.for_each import for_each
from tools.property_checks.playout import Playout

Played: TypeAlias = list[tuple[str, Action]]

GAME = GAMES["chase_the_ace"]


def check_legal(match: Match) -> None:
    """Check that `legal` lists exactly the accepted actions, and that a player can always act."""
    tried: Played = [(name, action) for name in match.seats for action in (Keep(), Swap())]
    allowed: Played = []
    for name, action in tried:
        try:
            match.apply_action(name, action)
        except RuleError:
            continue
        allowed.append((name, action))
    assert Counter(match.legal_actions()) == Counter(allowed)
    assert allowed


def check_cards(hand: AceHand) -> None:
    """Check that each player has one card and that no card is in two places.

    At most the dealer's old card or the king that was cut has been put aside.
    """
    held = [card for cards in hand.cards.values() for card in cards]
    assert sorted(hand.cards) == sorted(hand.order)
    assert len(held) == len(hand.order)
    there = [*held, *hand.stock]
    assert len(set(there)) == len(there)
    if not hand.cuts:
        assert len(DECK) - len(there) <= 1


def check_books(match: Match) -> None:
    """Check that between hands the pot and all points add up to nothing."""
    lasting = GAME.between_hands_view(match)
    assert lasting["pot"] + sum(match.totals.values()) == 0
    assert match.last is not None
    assert set(match.last.ledger) == set(match.seats)
    names = [n for place in match.last.standing for n in (place if isinstance(place, tuple) else (place,))]
    assert len(set(names)) == len(names)


def check_events(events: tuple[GameEvent, ...], match: Match) -> None:
    """Check that no card is public before the comparison, unless it was shown, cut or lost with."""
    for event in events:
        json.dumps(event.to_json())
        if event.to is not None:
            assert event.name == "got"
        elif "cards" in event.data:
            assert event.name in {"king_shown", "queen_shown", "jack_shown", "compared", "cut", "dime_lost"}
    if match.phase == "over":
        lost = [event.by for event in events if event.name == "dime_lost"]
        assert lost == [name for name in match.hand.seats if name in lost]
        assert views.table_view(match)["revealed"] == {name: match.hand.cards[name][0] for name in match.hand.order}


class Watched(Playout):
    """A random match (test_random_matches.py) that is compared with the page."""

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        check_events(events, self.match)
        check_cards(self.match.hand)
        if self.match.is_hand_running:
            check_legal(self.match)
            assert self.actions_in_hand < len(self.match.hand.order)

    def on_hand_end(self) -> None:
        assert not self.match.over
        check_books(self.match)


@for_each("last_tie", ["split", "replay", "cut", "carry_and_stake", "carry"])
@for_each("matching", ["cancel", "all_lose"])
def test_pots_are_won_under_every_rule_for_the_last_tie(last_tie: str, matching: str) -> None:
    """Games end under every rule for the last tie."""
    rng = Random(last_tie + matching)
    match = Match.start(
        GAME,
        GAME.option_schema.resolve_options({"last_tie": last_tie, "matching": matching, "kings": "face_up"}),
        ("Ana", "Bob", "Cat", "Dan"),
    )
    decided = Counter[str]()
    played = Watched.for_match(match, rng)
    for _ in range(150):
        played.play_hand(come_and_go=False)
        decided.update(event.name for event in played.hand_events if event.name.startswith("pot_"))
    assert decided["pot_won"] > 10


def test_the_view_names_the_partner_of_a_swap_and_the_result() -> None:
    match = Match.start(GAME, GAME.option_schema.resolve_options({"dimes": 1}), ("Ana", "Bob", "Cat"))
    match = match.begin_hand(match.deal(GAME.deck(match.options, 3))).match
    dealer = match.dealer
    left, right = (name for name in match.hand.order if name != dealer)
    assert views.seat_view(match, left)["labels"] == {"swap": {"key": "chase.swap", "values": {"name": right}}}
    assert views.seat_view(match, dealer)["labels"] == {}
    assert views.table_view(match)["newcomers_text"] is not None
    for name in (left, right):
        match = match.apply_action(name, Keep()).match
    assert views.seat_view(match, dealer)["labels"] == {"swap": {"key": "chase.swap.stock", "values": {}}}
    match = match.apply_action(dealer, Keep()).match
    # The deck begins with four aces: all match, so nobody loses, and with one dime each it is a tie.
    assert views.table_view(match)["tally"]["result_text"]["key"] == "chase.tie"
    assert views.table_view(match)["newcomers_text"] is None


@pytest.mark.parametrize(
    ("matching", "dealt", "lost", "why"),
    [
        ("cancel", "4d 9h Kc", "4♦", "chase.loses"),
        ("cancel", "Ad 9h Kc", "A♦", "chase.loses_ace"),
        ("cancel", "4d 4h Kc", "K♣", "chase.loses_alone"),
        ("cancel", "4d 4h 4c", "", "chase.nobody"),
        ("all_lose", "4d 4h Kc", "4♦ 4♥", "chase.loses"),
        ("all_lose", "Ad Ah Kc", "A♦ A♥", "chase.loses_ace"),
    ],
)
def test_a_result_names_the_losing_cards_and_the_reason(matching: str, dealt: str, lost: str, why: str) -> None:
    match = Match.start(GAME, GAME.option_schema.resolve_options({"matching": matching}), ("Ana", "Bob", "Cat"))
    cards = [parse_card(text) for text in dealt.split()]
    deck = [*cards, *(other for other in GAME.deck(match.options, 3) if other not in cards)]
    match = match.begin_hand(match.deal(deck)).match
    for name in match.hand.order:
        match = match.apply_action(name, Keep()).match
    tally = views.table_view(match)["tally"]
    told = tally["result_text"]
    assert told["key"] == why
    assert sorted(told["values"].get("cards", {"of": []})["of"]) == sorted(lost.split())
    assert told["values"].get("count", 0) == len(tally["lost"]) == len(lost.split())


def test_a_cut_with_a_short_stock_ends_with_the_same_result_each_time() -> None:
    """Even with a very short stock, the cut of the last tie ends, and with the same result each time."""
    options = GAME.option_schema.resolve_options({"dimes": 1, "matching": "all_lose", "last_tie": "cut"})
    match = Match.start(GAME, options, ("Ana", "Bob", "Cat", "Dan"))
    rng = Random(1)
    standings = set[tuple[Any, ...]]()
    for seed in range(50):
        deal = match.deal(match.deck(), seed)
        deal = replace(deal, stock=tuple(rng.sample(deal.stock, rng.randint(0, 5))))
        ends: list[Any] = []
        for _ in range(2):
            at = match.begin_hand(deal).match
            for by in ("Bob", "Cat", "Dan", "Ana"):
                at = at.apply_action(by, Keep()).match
            assert at.last is not None
            ends.append(at.last)
        assert ends[0] == ends[1]
        assert "pot_won" in ends[0].events
        standings.add(ends[0].standing)
    assert len(standings) == 4
