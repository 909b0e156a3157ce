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
CASES = (
    *(("president/pagat", size) for size in SIZES),
    *((rules, size) for rules in ("big_two/pagat", "ceausescu/classic", "chase_the_ace/classic") for size in PHONES),
    *((f"president/{preset}", size) for preset in ("daifugo", "uecda") for size in PHONES),
    *((f"president/{preset}", (360, 640)) for preset in ("bga", "tycoon")),
)
CROWDED = {("president/daifugo", (360, 640)): 0.2}
"""Rules with up to three lines of signs, on a small phone: their limits."""


@pytest.mark.parametrize(("rules", "size"), CASES, ids=str)
def test_layout_shifts_stay_below_the_limit_in_a_whole_hand(
    new_context: NewContext, server: Server, rules: str, size: tuple[int, int]
) -> None:
    """Count every shift, also right after an input: in the deal, the exchange, each play and each pass."""
    context = new_context(viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 1000)
    game, _, preset = rules.partition("/")
    for number, shifts in enumerate(two_hands(context, server.url, game, preset), 1):
        assert shifts.total <= CROWDED.get((rules, size), LITTLE), f"hand {number}: {shifts}"
