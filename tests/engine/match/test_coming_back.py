"""Test that a player who leaves and returns before the next deal keeps their place."""

from itertools import permutations

from app.engine.cards.actions import GrantLeave, JoinMatch, LeaveMatch, Play, RequestLeave
from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from tests.for_each import for_each

NAMES = ("Ana", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus")


def ranked(game: str, **options: str) -> Match:
    return Match.start(GAMES[game], GAMES[game].option_schema.resolve_options(options), NAMES, NAMES)


def gone_and_back(match: Match, gone: tuple[str, ...], back: tuple[str, ...]) -> Match:
    for name in gone:
        match = match.apply_between_hands(name, LeaveMatch()).match
    for name in back:
        match = match.apply_between_hands(name, JoinMatch()).match
    return match


@for_each("newcomers", ["bottom", "middle"])
@for_each("back", list(permutations(("Ana", "Bob", "Gus"))))
def test_in_president_returning_players_keep_their_places(newcomers: str, back: tuple[str, ...]) -> None:
    match = gone_and_back(ranked("president", newcomers=newcomers), ("Gus", "Ana", "Bob"), back)
    assert match.hierarchy == NAMES


def test_a_returning_player_is_placed_above_a_newcomer() -> None:
    match = gone_and_back(ranked("president"), ("Gus",), ("Hal", "Gus"))
    assert match.hierarchy == (*NAMES[:6], "Gus", "Hal")


def test_in_ceausescu_a_returning_low_two_and_serf_keep_their_places() -> None:
    match = gone_and_back(ranked("ceausescu"), ("Fay",), ("Fay",))
    assert match.hierarchy == NAMES
    match = match.apply_between_hands("Gus", RequestLeave()).match.apply_between_hands("Ana", GrantLeave()).match
    assert match.apply_between_hands("Gus", JoinMatch()).match.hierarchy == NAMES


def test_a_player_who_returns_a_hand_later_counts_as_a_newcomer() -> None:
    match = gone_and_back(ranked("president", exchange="none"), ("Ana",), ())
    cards = dict(zip(NAMES[1:], parse_cards("4c 5c 6c 7c 8c 9c"), strict=True))
    match = match.begin_hand(Deal("Gus", {name: (card,) for name, card in cards.items()})).match
    while match.is_hand_running:
        (by,) = match.to_act
        match = match.apply_action(by, Play((cards[by],))).match
    assert match.apply_between_hands("Ana", JoinMatch()).match.hierarchy == (*NAMES[1:], "Ana")
