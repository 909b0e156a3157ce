"""Chase the Ace with random people, options and cards: nothing gets lost, nobody is stuck, and nobody sees too much.

What each rule does is shown by the records in tests/records/chase_the_ace.
"""

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

import pytest

from app.engine import record, views
from app.engine.actions import Action, Join, Keep, Leave, Swap, action_json
from app.engine.cards import Cards
from app.engine.errors import RuleError
from app.engine.events import Event
from app.engine.games import GAMES
from app.engine.games.chase_the_ace.trading import Trading
from app.engine.match import Match
from app.engine.options import Choice, Number

Played: TypeAlias = list[tuple[str, Action]]

GAME = GAMES["chase_the_ace"]
DEALS = 40


def random_options(rng: Random) -> dict[str, Any]:
    """A value for every switch; few dimes come up more often, so that games end."""
    chosen: dict[str, Any] = {}
    for switch in GAME.declared.switches:
        match switch.domain:
            case Choice(labels):
                chosen[switch.key] = rng.choice(list(labels))
            case Number(low, high):
                chosen[switch.key] = rng.choice([low, low, low + 1, rng.randint(low, high)])
            case other:
                raise AssertionError(f"no random value for {other}")
    return chosen


def shuffled(cards: Cards, rng: Random) -> Cards:
    return tuple(rng.sample(cards, len(cards)))


def start(rng: Random) -> Match:
    count = rng.choice([2, 3, 4, rng.randint(2, 20), 20])
    return Match.start(GAME, GAME.declared.resolve(random_options(rng)), tuple(f"P{n}" for n in range(count)))


def come_and_go(match: Match, rng: Random) -> tuple[Match, Played]:
    """Sometimes people join or leave; never too many or too few for the next deal."""
    done: Played = []
    while rng.random() < 0.3:
        if rng.random() < 0.5 and len(match.seats) < 20:
            gone = [name for name in match.totals if name not in match.seats]
            done.append((rng.choice([*gone, f"P{len(match.totals)}"]), Join()))
        elif len(match.seats) > 2:
            done.append((rng.choice(match.seats), Leave()))
        else:
            continue
        match = match.between(*done[-1]).match
    return match, done


def check_legal(match: Match) -> None:
    """`legal` lists exactly what is not refused, and somebody can always act."""
    tried: Played = [(name, action) for name in match.seats for action in (Keep(), Swap())]
    allowed: Played = []
    for name, action in tried:
        try:
            match.act(name, action)
        except RuleError:
            continue
        allowed.append((name, action))
    assert Counter(match.legal()) == Counter(allowed)
    assert allowed


def check_cards(hand: Trading, dealt: set[str]) -> None:
    """One card each, none twice; at most the dealer's old card, or the king cut, has been put aside."""
    held = [card for cards in hand.cards.values() for card in cards]
    assert sorted(hand.cards) == sorted(hand.order)
    assert len(held) == len(hand.order)
    there = [*held, *hand.stock]
    assert len(set(there)) == len(there)
    assert set(there) <= dealt
    if not hand.cuts:
        assert len(dealt) - len(there) <= 1


def check_books(match: Match) -> None:
    """Between hands the pot and everybody's points come to nothing."""
    lasting = GAME.lasting(match)
    assert lasting["pot"] + sum(match.totals.values()) == 0
    assert match.last is not None
    assert set(match.last.ledger) == set(match.seats)
    names = [n for place in match.last.standing for n in (place if isinstance(place, tuple) else (place,))]
    assert len(set(names)) == len(names)


def seen(match: Match, viewer: str | None) -> str:
    """Every byte that a viewer gets of a position."""
    return json.dumps([views.table(match), None if viewer is None else views.seat(match, viewer)])


def check_nothing_leaks(match: Match, rng: Random) -> None:
    """Cards that a viewer can't know change places, and the viewer sees the same."""
    hand: Trading = match.hand
    for viewer in (None, rng.choice(match.seats)):
        hidden = [n for n in hand.order if n != viewer and hand.cards[n][0] not in hand.face_up]
        unknown = shuffled((*(hand.cards[n][0] for n in hidden), *hand.stock), rng)
        cards = {**hand.cards, **{name: (card,) for name, card in zip(hidden, unknown, strict=False)}}
        other = replace(hand, cards=cards, stock=unknown[len(hidden) :])
        assert seen(replace(match, hand=other), viewer) == seen(match, viewer)


def check_events(events: tuple[Event, ...], match: Match) -> None:
    """No card is told to everybody before all are compared, unless it was shown or cut."""
    for event in events:
        json.dumps(event.to_json())
        if event.to is not None:
            assert event.name == "got"
        elif "cards" in event.data:
            assert event.name in {"king_shown", "queen_shown", "jack_shown", "compared", "cut"}
    if match.phase == "over":
        lost = [event.by for event in events if event.name == "dime_lost"]
        assert lost == [name for name in match.hand.seats if name in lost]
        assert views.table(match)["revealed"] == {name: match.hand.cards[name][0] for name in match.hand.order}


def play_deal(match: Match, rng: Random) -> tuple[Match, Played, list[Event]]:
    """One deal to its end, with everything looked at on the way."""
    deal = match.deal(shuffled(match.deck(), rng), seed=rng.randrange(1000))
    dealt = {card for cards in deal.cards.values() for card in cards} | set(deal.stock)
    step = match.begin(deal)
    match, events = step.match, list(step.events)
    check_events(step.events, match)
    played: Played = []
    while match.running:
        check_cards(match.hand, dealt)
        check_legal(match)
        check_nothing_leaks(match, rng)
        (by, action) = rng.choice([*match.legal()])
        step = match.act(by, action)
        match = step.match
        events += step.events
        check_events(step.events, match)
        played.append((by, action))
        assert len(played) <= len(match.hand.order)
    check_cards(match.hand, dealt)
    assert not match.over
    return match, played, events


@pytest.mark.parametrize("seed", range(30))
def test_random_matches(seed: int) -> None:
    rng = Random(seed)
    match = start(rng)
    written: dict[str, Any] = {
        "format": record.FORMAT,
        "game": GAME.key,
        "options": match.options.to_json(),
        "players": list(match.seats),
        "hands": [],
    }
    results: list[Any] = []
    for _ in range(DEALS):
        match, between = come_and_go(match, rng)
        if results:
            results[-1] = match.last
        before, state = match, rng.getstate()
        match, played, events = play_deal(match, rng)
        check_books(match)
        results.append(match.last)

        # The same again from what is saved between hands, as after a restart.
        again = Random()
        again.setstate(state)
        loaded = Match.load(json.loads(json.dumps(before.save())), GAMES)
        deal = loaded.deal(shuffled(loaded.deck(), again), seed=again.randrange(1000))
        step = loaded.begin(deal)
        loaded, told = step.match, list(step.events)
        for by, action in played:
            step = loaded.act(by, action)
            loaded = step.match
            told += step.events
        assert told == events
        assert loaded.save() == match.save()
        assert views.table(loaded) == views.table(match)
        written["hands"].append(
            {
                "dealer": deal.dealer,
                "between": [action_json(action, by) for by, action in between],
                "cards": {name: list(cards) for name, cards in deal.cards.items()},
                "stock": list(deal.stock),
                "seed": deal.seed,
                "actions": [action_json(action, by) for by, action in played],
            }
        )

    # And once more from the record of the whole match.
    replayed = record.replay(json.loads(json.dumps(written)), GAMES)
    assert replayed["ok"]
    assert replayed["totals"] == match.totals
    assert [hand["ledger"] for hand in replayed["hands"]] == [result.ledger for result in results]
    assert [hand["events"] for hand in replayed["hands"]] == [list(result.events) for result in results]
    assert replayed["state"] == record.state(match)


@pytest.mark.parametrize("last_tie", ["split", "replay", "cut", "carry_and_stake", "carry"])
@pytest.mark.parametrize("matching", ["cancel", "all_lose"])
def test_somebody_wins_in_the_end(last_tie: str, matching: str) -> None:
    """Games end, whatever becomes of the last tie."""
    rng = Random(last_tie + matching)
    match = Match.start(
        GAME,
        GAME.declared.resolve({"last_tie": last_tie, "matching": matching, "kings": "face_up"}),
        ("Ana", "Bob", "Cat", "Dan"),
    )
    decided = Counter[str]()
    for _ in range(300):
        match, _, events = play_deal(match, rng)
        decided.update(event.name for event in events if event.name.startswith("pot_"))
    assert decided["pot_won"] > 10


def test_a_deal_tells_in_words_with_whom_one_swaps_and_who_lost() -> None:
    match = Match.start(GAME, GAME.declared.resolve({"dimes": 1}), ("Ana", "Bob", "Cat"))
    match = match.begin(match.deal(GAME.deck(match.options, 3))).match
    dealer = match.dealer
    left, right = (name for name in match.hand.order if name != dealer)
    assert views.seat(match, left)["labels"] == {"swap": f"Swap with {right}"}
    assert views.seat(match, dealer)["labels"] == {}
    assert views.table(match)["newcomers_wait_for"] == "game"
    for name in (left, right):
        match = match.act(name, Keep()).match
    assert views.seat(match, dealer)["labels"] == {"swap": "Swap with the deck"}
    match = match.act(dealer, Keep()).match
    # The deck begins with four aces: all match, nobody loses, and a last dime each makes it a tie.
    assert views.table(match)["tally"]["told"].endswith("tie.")
    assert views.table(match)["newcomers_wait_for"] is None


def test_a_stock_made_anew_decides_a_cut() -> None:
    """However short a record's stock is, the cut of the last tie comes to an end, and to the same one each time."""
    options = GAME.declared.resolve({"dimes": 1, "matching": "all_lose", "last_tie": "cut"})
    match = Match.start(GAME, options, ("Ana", "Bob", "Cat", "Dan"))
    rng = Random(1)
    standings = set[tuple[Any, ...]]()
    for seed in range(50):
        deal = match.deal(match.deck(), seed)
        deal = replace(deal, stock=tuple(rng.sample(deal.stock, rng.randint(0, 5))))
        ends: list[Any] = []
        for _ in range(2):
            at = match.begin(deal).match
            for by in ("Bob", "Cat", "Dan", "Ana"):
                at = at.act(by, Keep()).match
            assert at.last is not None
            ends.append(at.last)
        assert ends[0] == ends[1]
        assert "pot_won" in ends[0].events
        standings.add(ends[0].standing)
    assert len(standings) == 4
