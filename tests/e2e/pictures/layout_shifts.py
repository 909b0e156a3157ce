"""Measure the layout shifts of a table while a hand is played.

Run `python -m tests.e2e.pictures.layout_shifts [GAME/PRESET …] [--sizes WxH …]`.

The figure is the sum of Chromium's `layout-shift` values of one hand: 1 means that the whole page moved by its whole
height. Shifts within 500 ms of an input count, too. Without a GAME/PRESET, all presets of all games are measured.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from app.engine.games import GAMES
from tests.e2e import find
from tests.e2e.conftest import QUIET, installed
from tests.e2e.people.guests import Guest, play_with_bots
from tests.e2e.server import Server

LITTLE = 0.1
"""The largest sum for one hand that players do not notice."""
SIZES = ((390, 844), (360, 640), (844, 390), (1440, 900))
PLAYERS = {"merchants": 6}
"""The number of players, for presets that need more than four."""
TOLD = 8
"""The number of shifts to list, largest first."""
LEAST = 0.004
"""Smaller shifts are not listed."""

WATCH = """
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value, sources }) => ({
    value,
    state: document.querySelector("[data-zone=turn]")?.textContent,
    moved: sources.map(({ node, previousRect: from, currentRect: to }) => {
      const element = node instanceof Element ? node : node?.parentElement;
      const zone = element?.closest("[data-zone]")?.dataset.zone;
      const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
      return `${element?.localName} in ${zone}: from ${box(from)} to ${box(to)}`;
    }),
  }))))
    .observe({ type: "layout-shift", buffered: true });
"""
"""Records each shift and the elements that moved, from the start of a page."""

TAKE = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
  done(window.shifts);
  window.shifts = [];
}))))"""
"""Returns the shifts since the last call, once everything is drawn."""


@dataclass(frozen=True)
class Shifts:
    """The shifts in a part of a match."""

    total: float
    largest: list[dict[str, Any]]

    def __str__(self) -> str:
        lines = [f"{self.total:.3f}"]
        for each in self.largest:
            lines += [f"  {each['value']:.3f} {each['state']}", *(f"    {moved}" for moved in each["moved"])]
        return "\n".join(lines)


def take(page: Page) -> Shifts:
    """Return the shifts since the last call."""
    found = page.evaluate(TAKE)
    largest = sorted(found, key=lambda each: -each["value"])[:TOLD]
    return Shifts(sum(each["value"] for each in found), [each for each in largest if each["value"] > LEAST])


def two_hands(contexts: Sequence[BrowserContext], url: str, game: str, preset: str) -> Iterator[list[Shifts]]:
    """Play the deal and a hand against bots, and then the next hand. Yield the shifts of each, in each context.

    The contexts are browsers of one person, who plays with each in turn.
    """
    guests = []
    for context in contexts:
        context.add_init_script(WATCH)
        guests.append(Guest(context.new_page(), "Ana"))
    first, *others = guests
    first.open_room(url, game=game, options={"preset": preset}, bots=["easy"] * (PLAYERS.get(preset, 4) - 1))
    first.share(*others)
    for guest in guests:
        take(guest.page)
    find.start_match(first.page)
    play_with_bots(*guests)
    yield [take(guest.page) for guest in guests]
    first.page.get_by_role("button", name="Deal the next hand").click()
    for guest in guests:
        guest.page.locator("h1", has_text="hand 2").wait_for()  # cards that win at once show its result
    play_with_bots(*guests)
    yield [take(guest.page) for guest in guests]


def measure(browser: Browser, url: str, rules: str, sizes: Sequence[str]) -> Iterator[list[Shifts]]:
    """Yield the shifts of two hands by these rules, such as "president/daifugo", at each size, such as "390x844"."""
    contexts = []
    for size in sizes:
        width, height = map(int, size.split("x"))
        look: Any = {"viewport": {"width": width, "height": height}, "has_touch": width < 1000}
        contexts.append(browser.new_context(**look, reduced_motion="reduce"))
    game, _, preset = rules.partition("/")
    try:
        yield from two_hands(contexts, url, game, preset)
    finally:
        for context in contexts:
            context.close()


def main() -> None:
    """Print the sum of each hand, with details if it is too large. Exit with 1 if any is too large."""
    every = [f"{name}/{preset.key}" for name, game in GAMES.items() for preset in game.option_schema.presets]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="*", default=every, metavar="GAME/PRESET")
    parser.add_argument("--sizes", nargs="+", default=[f"{width}x{height}" for width, height in SIZES])
    asked = parser.parse_args()
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        try:
            browser = playwright.chromium.launch(executable_path=installed(), args=QUIET)
            for rules in asked.rules:
                for number, hand in enumerate(measure(browser, server.url, rules, asked.sizes), 1):
                    for size, shifts in zip(asked.sizes, hand, strict=True):
                        told = str(shifts) if shifts.total > LITTLE else f"{shifts.total:.3f}"
                        print(f"{rules} {size}, hand {number}: {told}", flush=True)
                        worst = max(worst, shifts.total)
            browser.close()
        finally:
            server.stop()
    sys.exit(worst > LITTLE)


if __name__ == "__main__":
    main()
