"""Test that a trick computes from its actions who has passed, is silent, is barred or has had a turn."""

from app.engine.cards.cards import parse_cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.state import Passed, PlayedCombination, Skipped, Trick
from tests.for_each import for_each


def single(by: str, card: str, *, out_of_turn: bool = False) -> PlayedCombination:
    return PlayedCombination(by, Combination("single", parse_cards(card), (0,)), out_of_turn=out_of_turn)


FIVE, SIX = single("Ana", "5c"), single("Cat", "6d")
QUADS = single("Dan", "8h", out_of_turn=True)
BARRED = Passed("Bob", bars=True)


@for_each(
    ("acts", "passed", "silent", "barred", "acted"),
    [
        ((), "", "", "", ""),
        ((FIVE,), "", "", "", "Ana"),
        ((FIVE, Passed("Bob")), "Bob", "Bob", "", "Ana Bob"),
        ((FIVE, Passed("Bob"), SIX), "Bob", "", "", "Ana Bob Cat"),
        ((FIVE, Passed("Bob"), SIX, Passed("Ana"), single("Bob", "7c")), "Ana", "", "", "Ana Bob Cat"),
        ((FIVE, Passed("Bob"), SIX, Passed("Ana"), Passed("Bob")), "Ana Bob", "Ana Bob", "", "Ana Bob Cat"),
        ((FIVE, BARRED, SIX, Passed("Ana")), "Bob Ana", "Ana", "Bob", "Ana Bob Cat"),
        ((FIVE, Skipped("Bob"), Passed("Cat")), "Cat", "Bob Cat", "", "Ana Bob Cat"),
        ((FIVE, Passed("Bob"), SIX, Skipped("Bob")), "Bob", "Bob", "", "Ana Bob Cat"),
        ((FIVE, BARRED, QUADS), "", "", "Bob", "Ana Bob Dan"),
    ],
)
def test_passed_silent_and_barred_players_follow_from_the_acts_of_a_trick(
    acts: tuple[PlayedCombination | Passed | Skipped, ...], passed: str, silent: str, barred: str, acted: str
) -> None:
    trick = Trick().with_acts(*acts)
    assert trick.plays == tuple(act for act in acts if isinstance(act, PlayedCombination))
    assert trick.passed == tuple(passed.split())
    assert trick.silent == set(silent.split())
    assert trick.barred == set(barred.split())
    assert trick.players_who_acted == set(acted.split())
