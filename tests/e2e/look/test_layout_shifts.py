"""Test that hardly anything at a table moves while a hand is played.

`python -m tests.e2e.pictures.layout_shifts` measures all presets of all games at the four sizes. These tests measure
the default rules of each game. They also measure the presets with the most signs, at the size of the smallest phones.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from tests.e2e.pictures.layout_shifts import LITTLE, SIZES, two_hands
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

PHONES = ((360, 640), (844, 390))
CASES = {
    "president/pagat": SIZES,
    "big_two/pagat": PHONES,
    "ceausescu/classic": PHONES,
    "chase_the_ace/classic": PHONES,
    "president/daifugo": PHONES,
    "president/uecda": PHONES,
    "tien_len/southern": PHONES[:1],
    "pao_de_kuai/sixteen": PHONES[:1],
}
CROWDED = {("president/daifugo", (360, 640)): 0.2}
"""Rules with up to three lines of signs, on a small phone: their limits."""


@pytest.mark.parametrize("rules", CASES)
def test_layout_shifts_stay_below_the_limit_in_a_whole_hand(
    new_context: NewContext, server: Server, rules: str
) -> None:
    """Count every shift, also right after an input: in the deal, the exchange, each play and each pass."""
    contexts = [
        new_context(viewport={"width": width, "height": height}, has_touch=width < 1000)
        for width, height in CASES[rules]
    ]
    game, _, preset = rules.partition("/")
    for number, hand in enumerate(two_hands(contexts, server.url, game, preset), 1):
        for size, shifts in zip(CASES[rules], hand, strict=True):
            assert shifts.total <= CROWDED.get((rules, size), LITTLE), f"{size}, hand {number}: {shifts}"
