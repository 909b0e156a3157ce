"""Test that gifts reveal nothing to other persons.

Before simultaneous gifts are given, that is true of views, seat knowledge and events; afterwards of views and events.
"""

import json
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.cards.actions import Action
from app.engine.cards.cards import Card, Cards
from app.engine.climbing import exchange
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.hidden_state import build_seat_knowledge
from app.engine.match.match import Match, MatchTransition
from tools.property_checks.errors import PropertyViolation
from tools.property_checks.exchange_leaks import check_exchange

NAMES = ("Ana", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
DEALS = 4


def exchanged(deal: Deal, one: str, other: str, rng: Random) -> Deal:
    """Swap a card of one player with a card of another. Both are hidden from all other players."""
    mine, theirs = rng.choice(deal.cards[one]), rng.choice(deal.cards[other])

    def now(cards: Cards) -> Cards:
        return tuple(_renamed(card, mine, theirs) for card in cards)

    cards = {name: now(held) if name in (one, other) else held for name, held in deal.cards.items()}
    return Deal(deal.dealer, cards, deal.stock, deal.seed)


def _renamed(card: Card, mine: Card, theirs: Card) -> Card:
    return theirs if card == mine else mine if card == theirs else card


def seen(step: MatchTransition, viewer: str | None) -> str:
    match = step.match
    told = views.visible_events(step.events, viewer)
    return json.dumps([views.table_view(match), None if viewer is None else views.seat_view(match, viewer), told])


def phases(match: Match, deal: Deal, done: list[tuple[str, Action]]) -> Iterator[MatchTransition]:
    """Yield the position after the deal and after each of these actions, until one is illegal."""
    step = match.begin_hand(deal)
    yield step
    for by, action in done:
        try:
            step = step.match.apply_action(by, action)
        except RuleError:
            return
        yield step


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        *(("ceausescu", count, {}) for count in (2, 3, 4, 5, 8)),
        ("president", 4, {"exchange_order": "blind", "exchange": "two_one"}),
        ("president", 6, {"exchange_order": "blind", "exchange": "ladder"}),
        ("president", 4, {"preset": "bga", "exchange_order": "blind"}),
    ],
)
def test_swapping_hidden_cards_changes_no_view_before_cards_are_given(
    game: str, players: int, options: dict[str, str]
) -> None:
    names = NAMES[:players]
    match = Match.start(GAMES[game], GAMES[game].option_schema.resolve_options(options), names, names)
    compared = 0
    for seed in range(DEALS):
        rng = Random(seed)
        deal = match.deal(tuple(rng.sample(match.deck(), len(match.deck()))), 1)
        done = list(_played(match.begin_hand(deal), rng))
        for one, other in combinations(names, 2):
            as_dealt = [*phases(match, deal, done)]
            with_others = [*phases(match, exchanged(deal, one, other, rng), done)]
            for before, after in zip(as_dealt, with_others, strict=False):
                if not _hides(before.match) or not _hides(after.match):
                    break
                for viewer in (None, *(name for name in names if name not in (one, other))):
                    assert seen(before, viewer) == seen(after, viewer), (seed, one, other, viewer)
                    if viewer is not None:
                        assert _veiled(before, viewer) == _veiled(after, viewer)
                    compared += 1
    assert compared > DEALS * players or players == 2


def _hides(match: Match) -> bool:
    """Whether no card has been given yet."""
    table = views.table_view(match)
    return table["phase"] == "exchange" and not any(gift["done"] for gift in table["exchange"]["gifts"])


def _veiled(step: MatchTransition, viewer: str) -> bytes | None:
    veiled = build_seat_knowledge(step.match, viewer, views.visible_events(step.events, viewer))
    return None if veiled is None else veiled.to_bytes()


def _played(step: MatchTransition, rng: Random) -> Iterator[tuple[str, Action]]:
    """Yield gifts in random order until the exchange ends."""
    while step.match.phase == "exchange":
        by, action = rng.choice(list(step.match.legal_actions())[:200])
        yield by, action
        step = step.match.apply_action(by, action)


def test_every_giver_is_shown_as_choosing_until_all_players_have_chosen() -> None:
    names = NAMES[:4]
    match = Match.start(GAMES["ceausescu"], GAMES["ceausescu"].option_schema.resolve_options({}), names, names)
    rng = Random(1)
    step = match.begin_hand(match.deal(tuple(rng.sample(match.deck(), len(match.deck()))), 1))
    while step.match.phase == "exchange":
        table = views.table_view(step.match)
        assert set(table["to_act"]) == set(names)
        assert not any(gift["chosen"] or gift["done"] for gift in table["exchange"]["gifts"])
        by, action = next(step.match.legal_actions())
        step = step.match.apply_action(by, action)
    assert views.table_view(step.match)["exchange"] is None


def sympathy(giver: str | None, cards: str) -> list[GameEvent]:
    """Tell everybody that a player gives a joker or a two."""
    return [GameEvent("sympathy", giver)] if {*cards} & {"X", "2"} else []


def open_gift(giver: str | None, cards: str) -> list[GameEvent]:
    """Tell everybody the given cards."""
    return [GameEvent("gave_openly", giver, {"cards": cards})]


def exchanges_checked(game: str, options: dict[str, Any]) -> int:
    """Check the exchange of 40 deals, and return the number of those that could be checked."""
    names = NAMES[:4]
    match = Match.start(GAMES[game], GAMES[game].option_schema.resolve_options(options), names, names)
    return sum(
        check_exchange(match, match.deal(tuple(rng.sample(match.deck(), len(match.deck()))), 1), rng)
        for rng in map(Random, range(40))
    )


@pytest.mark.parametrize(("game", "options"), [("president", {"jokers": 2, "exchange": "two_one"}), ("ceausescu", {})])
def test_no_line_tells_others_about_a_given_card_and_a_line_that_does_is_detected(
    game: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert exchanges_checked(game, options) > 10
    given = exchange.deliver_and_force_gifts

    def telling(tells: Callable[[str | None, str], list[GameEvent]]) -> Callable[..., Any]:
        def deliver(*args: Any) -> Any:
            state, cards, events = given(*args)
            named = [event for event in events if event.name == "gave_cards"]
            lines = [line for event in named for line in tells(event.by, event.data["cards"])]
            return state, cards, (*events, *lines)

        return deliver

    for tells in (sympathy, open_gift):
        monkeypatch.setattr(exchange, "deliver_and_force_gifts", telling(tells))
        with pytest.raises(PropertyViolation, match="which hidden card"):
            exchanges_checked(game, options)
