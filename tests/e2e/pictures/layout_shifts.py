"""Measure the layout shifts of a table while a hand is played.

Run `python -m tests.e2e.pictures.layout_shifts [GAME/PRESET …] [--sizes WxH …]`.

The figure is the sum of Chromium's `layout-shift` values of one hand: 1 means that the whole page moved by its whole
height. Shifts within 500 ms of an input count, too. Without a GAME/PRESET, all presets of all games are measured.
"""

import argparse
import itertools
import sys
import tempfile
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


def two_hands(context: BrowserContext, url: str, game: str, preset: str) -> list[Shifts]:
    """Play the deal and a hand against bots, and then the next hand, and return the shifts of each."""
    context.add_init_script(WATCH)
    page = context.new_page()
    ana = Guest(page, "Ana")
    bots = ["easy"] * (PLAYERS.get(preset, 4) - 1)
    ana.open_room(url, game=game, options={"preset": preset}, bots=bots)
    take(page)
    find.start_match(page)
    play_with_bots(ana)
    first = take(page)
    page.get_by_role("button", name="Deal the next hand").click()
    find.result(page).wait_for(state="detached")
    play_with_bots(ana)
    second = take(page)
    page.close()
    return [first, second]


def measure(browser: Browser, url: str, rules: str, size: str) -> list[Shifts]:
    """Return the shifts of two hands by these rules, such as "president/daifugo", at a size such as "390x844"."""
    width, height = map(int, size.split("x"))
    game, _, preset = rules.partition("/")
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=width < 1000, reduced_motion="reduce"
    )
    try:
        return two_hands(context, url, game, preset)
    finally:
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
            for rules, size in itertools.product(asked.rules, asked.sizes):
                for number, shifts in enumerate(measure(browser, server.url, rules, size), 1):
                    told = str(shifts) if shifts.total > LITTLE else f"{shifts.total:.3f}"
                    print(f"{rules} {size}, hand {number}: {told}", flush=True)
                    worst = max(worst, shifts.total)
            browser.close()
        finally:
            server.stop()
    sys.exit(worst > LITTLE)


if __name__ == "__main__":
    main()
