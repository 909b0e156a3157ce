"""Who leaves and comes back before the next deal keeps their rank."""

from itertools import permutations

import pytest

from app.engine.cards.actions import AskLeave, Dispense, JoinMatch, LeaveMatch, Play
from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES
from app.engine.match.hand import Deal
from app.engine.match.match import Match

NAMES = ("Ana", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus")


def ranked(game: str, **options: str) -> Match:
    return Match.start(GAMES[game], GAMES[game].declared.resolve(options), NAMES, NAMES)


def gone_and_back(match: Match, gone: tuple[str, ...], back: tuple[str, ...]) -> Match:
    for name in gone:
        match = match.between(name, LeaveMatch()).match
    for name in back:
        match = match.between(name, JoinMatch()).match
    return match


@pytest.mark.parametrize("newcomers", ["bottom", "middle"])
@pytest.mark.parametrize("back", list(permutations(("Ana", "Bob", "Gus"))))
def test_in_president_everybody_keeps_their_rank(newcomers: str, back: tuple[str, ...]) -> None:
    match = gone_and_back(ranked("president", newcomers=newcomers), ("Gus", "Ana", "Bob"), back)
    assert match.hierarchy == NAMES


def test_a_newcomer_comes_in_as_ever_and_whoever_returns_keeps_their_neighbours() -> None:
    match = gone_and_back(ranked("president"), ("Gus",), ("Hal", "Gus"))
    assert match.hierarchy == (*NAMES[:6], "Gus", "Hal")


def test_in_ceausescu_a_low_two_and_a_dispensed_serf_keep_their_ranks() -> None:
    match = gone_and_back(ranked("ceausescu"), ("Fay",), ("Fay",))
    assert match.hierarchy == NAMES
    match = match.between("Gus", AskLeave()).match.between("Ana", Dispense()).match
    assert match.between("Gus", JoinMatch()).match.hierarchy == NAMES


def test_a_hand_later_somebody_who_comes_back_is_a_newcomer() -> None:
    match = gone_and_back(ranked("president", exchange="none"), ("Ana",), ())
    cards = dict(zip(NAMES[1:], parse_cards("4c 5c 6c 7c 8c 9c"), strict=True))
    match = match.begin(Deal("Gus", {name: (card,) for name, card in cards.items()})).match
    while match.running:
        (by,) = match.to_act
        match = match.act(by, Play((cards[by],))).match
    assert match.between("Ana", JoinMatch()).match.hierarchy == (*NAMES[1:], "Ana")
