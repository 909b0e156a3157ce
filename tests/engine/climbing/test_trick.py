"""A trick is the list of what was done in it: who passed, is silent, barred or had a turn follows from that."""

import pytest

from app.engine.cards.cards import parse_cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.state import Laid, Passed, Skipped, Trick


def single(by: str, card: str, *, out_of_turn: bool = False) -> Laid:
    return Laid(by, Combination("single", parse_cards(card), (0,)), out_of_turn=out_of_turn)


FIVE, SIX = single("Ana", "5c"), single("Cat", "6d")
QUADS = single("Dan", "8h", out_of_turn=True)
BARRED = Passed("Bob", bars=True)


@pytest.mark.parametrize(
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
def test_what_follows_from_the_acts_of_a_trick(
    acts: tuple[Laid | Passed | Skipped, ...], passed: str, silent: str, barred: str, acted: str
) -> None:
    trick = Trick().but(*acts)
    assert trick.plays == tuple(act for act in acts if isinstance(act, Laid))
    assert trick.passed == tuple(passed.split())
    assert trick.silent == set(silent.split())
    assert trick.barred == set(barred.split())
    assert trick.acted == set(acted.split())
