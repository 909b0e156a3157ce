"""Test that a seat's knowledge has no hidden cards, is complete for that seat, and survives a transfer to a process."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from app.bots.search.search_bot import DEFAULT_BUDGET
from app.bots.search.worker_job import encode_search_job
from app.bots.view.seat_view import view_of
from app.engine.cards.actions import Give, Keep, Swap
from app.engine.cards.cards import parse_cards
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match import state_codec, views
from app.engine.match.hand import Deal
from app.engine.match.hidden_state import SeatKnowledge, build_seat_knowledge
from app.engine.match.match import Match, MatchTransition
from tools.property_checks.errors import PropertyViolation
from tools.property_checks.information_leaks import check_hidden_state
from tools.property_checks.playout import Playout

NAMES = ("Ana", "Bob", "Cat", "Dan")
HANDS = {"chase_the_ace": 60, "big_two": 6}


class Veiling(Playout):
    """A random match that checks one seat's knowledge in one of eight turns."""

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        if self.match.is_hand_running and self.rng.random() < 0.12:
            self.check_hidden_state()


@pytest.mark.parametrize("game", GAMES)
def test_swapping_hidden_cards_changes_no_byte_of_a_veiled_match(game: str) -> None:
    rng = random.Random(f"veil {game}")
    hands = 0
    while hands < HANDS.get(game, 4):
        played = Veiling.random_match(GAMES[game], rng)
        for _ in range(3):
            if not played.match.over:
                played.play_hand(check=False)
                hands += 1


def dealt(game: str, cards: dict[str, str], ranks: tuple[str, ...] = (), **options: object) -> MatchTransition:
    """Return a hand with these cards. The last player gets the rest of the pack."""
    match = Match.start(GAMES[game], GAMES[game].option_schema.resolve_options(options), NAMES[: len(cards)], ranks)
    held = {name: parse_cards(some) for name, some in cards.items()}
    left = Counter(match.deck()) - Counter(card for some in held.values() for card in some)
    full = all(cards.values())
    held = {name: some or tuple(left.elements()) for name, some in held.items()}
    stock = tuple(left.elements()) if full else ()
    return match.begin_hand(Deal(match.dealer or match.seats[-1], held, stock, 1))


def sees(step: MatchTransition, told: list[GameEvent], who: str) -> SeatKnowledge:
    found = build_seat_knowledge(step.match, who, views.visible_events(told, who))
    assert found is not None
    return found


def test_the_giver_knows_where_a_given_card_is_until_it_is_played() -> None:
    match = Match.start(GAMES["president"], GAMES["president"].option_schema.resolve_options(), NAMES, NAMES)
    step = match.begin_hand(match.deal(tuple(random.Random(2).sample(match.deck(), 52))))
    told = list(step.events)
    assert step.match.phase == "exchange"
    while step.match.phase == "exchange":
        by, action = next(iter(step.match.legal_actions()))
        step = step.match.apply_action(by, action)
        told += step.events
    gift = next(event for event in told if event.name == "gave_cards" and event.by == "Ana")
    (given,), taker = parse_cards(gift.data["cards"])[:1], gift.data["to"]
    giver = sees(step, told, "Ana")
    assert given in giver.unseen.known[taker]
    assert all(given in giver.sample_match(random.Random(seed)).current_hand.cards[taker] for seed in range(5))
    assert given not in sees(step, told, "Bob").unseen.known.get(taker, ())
    while given in step.match.current_hand.cards[taker]:
        assert given in sees(step, told, "Ana").unseen.known[taker]
        by, action = list(step.match.legal_actions())[-1]  # the action with the most cards
        step = step.match.apply_action(by, action)
        told += step.events
    assert given not in sees(step, told, "Ana").unseen.known.get(taker, ())
    assert given not in sees(step, told, "Ana").unseen.hidden


def test_undealt_cards_count_as_possible_cards_of_other_players() -> None:
    """With two players, each gets 17 cards, and nobody knows which cards were not dealt."""
    step = dealt("ceausescu", {"Ana": "3c 4c 5c 6c", "Bob": "3d 4d 5d 6d"})
    known = sees(step, list(step.events), "Ana")
    assert len(known.unseen.hidden) == 54 - 4
    assert len(known.sample_match(random.Random(1)).current_hand.cards["Bob"]) == 4


def test_a_player_who_swapped_knows_where_their_old_card_is() -> None:
    step = dealt("chase_the_ace", {"Ana": "9c", "Bob": "3d", "Cat": "5h"})
    first = step.match.to_act[0]
    mine = step.match.current_hand.cards[first]
    told = list(step.events)
    step = step.match.apply_action(first, Swap())
    told += step.events
    other = next(event.data["to"] for event in told if event.name == "swapped")
    assert sees(step, told, first).unseen.known == {other: mine}
    step = step.match.apply_action(other, Keep())
    third = next(name for name in NAMES[:3] if name not in (first, other))
    assert sees(step, [*told, *step.events], third).unseen.known == {}


def test_an_unseen_given_card_is_sampled_at_random() -> None:
    cards = {"Ana": "3c 4c 5c 6c", "Bob": "3d 4d 5d 6d", "Cat": "3h 4h 5h 6h", "Dan": ""}
    step = dealt("ceausescu", cards, NAMES)
    told = list(step.events)
    by, action = next(one for one in step.match.legal_actions() if one[0] == "Ana")
    assert isinstance(action, Give)
    step = step.match.apply_action(by, action)
    told += step.events
    known = sees(step, told, "Dan")
    assert (
        views.table_view(known.sample_match(random.Random(3)))["exchange"] == views.table_view(step.match)["exchange"]
    )
    chosen = {
        next(gift.chosen for gift in known.sample_match(random.Random(seed)).hand.exchange.gifts if gift.giver == "Ana")  # type: ignore[union-attr]
        for seed in range(8)
    }
    assert len(chosen) > 1


def test_the_leak_check_detects_a_veil_that_reveals_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    step = dealt("president", {"Ana": "3c 4c 5c", "Bob": "3d 4d 5d", "Cat": "3h 4h 5h", "Dan": ""})
    check_hidden_state(step.match, step.events, (), "Bob", random.Random(1))

    def bare(match: Match, seat: str, told: object) -> SeatKnowledge:
        found = build_seat_knowledge(match, seat, views.visible_events(step.events, seat))
        assert found is not None
        return replace(found, unseen=replace(found.unseen, hand=match.current_hand))

    monkeypatch.setattr("tools.property_checks.information_leaks.build_seat_knowledge", bare)
    with pytest.raises(PropertyViolation, match="tells hidden cards"):
        check_hidden_state(step.match, step.events, (), "Bob", random.Random(1))


def test_only_hand_states_can_be_packed_and_unpacked() -> None:
    with pytest.raises(TypeError, match="Random is no state"):
        state_codec.encode_state(random.Random())
    with pytest.raises(ValueError, match="is no state"):
        state_codec.decode_state(b"\x91\xa9os:system")


def test_a_player_who_got_cards_of_another_seat_cannot_tell() -> None:
    options = GAMES["president"].option_schema.resolve_options({"expose_card": True})
    match = Match.start(GAMES["president"], options, NAMES, NAMES)
    deal = match.deal(tuple(random.Random(3).sample(match.deck(), 52)))
    step = match.begin_hand(deal)
    told = views.visible_events(step.events, "Dan")
    other = replace(deal, cards={**deal.cards, "Dan": deal.cards["Ana"], "Ana": deal.cards["Dan"]})
    assert set(deal.cards["Dan"]) & {card for name in NAMES[:3] for card in step.match.current_hand.cards[name]}
    views_of_it = [view_of(step.match, "Dan", told, each.cards["Dan"]) for each in (deal, other)]
    assert views_of_it[0] == views_of_it[1]
    jobs = [encode_search_job(step.match, "Dan", told, each.cards["Dan"], DEFAULT_BUDGET, 1) for each in (deal, other)]
    assert jobs[0] is not None
    assert jobs[0] == jobs[1]
