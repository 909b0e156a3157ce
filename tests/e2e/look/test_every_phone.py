"""Test a match between Firefox and WebKit (iPhones), on pages of the size of a phone."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import find
from tests.e2e.browsers.firefox import NEEDS as FIREFOX_NEEDS, Firefox, firefox
from tests.e2e.browsers.webdriver import Driven
from tests.e2e.browsers.webkit import NEEDS as WEBKIT_NEEDS, webkit
from tests.e2e.people.guests import ANSWERED, CHOSEN
from tests.e2e.pictures.layout import CUT_TEXTS, MOVED, SETTLED
from tests.e2e.server import Server

CARDS = "() => [...document.querySelectorAll('[data-zone=hand] [data-card]')].map((card) => card.dataset.card)"


@pytest.fixture
def phones(tmp_path: Path) -> Iterator[tuple[Driven, Driven]]:
    """Start both browsers, each on its own screen."""
    for needed in (*FIREFOX_NEEDS, *WEBKIT_NEEDS):
        if shutil.which(needed) is None:
            pytest.skip(f"no {needed} is installed")
    with firefox(tmp_path / "firefox") as fox, webkit(tmp_path / "webkit") as kit:
        yield fox, kit


def opens(phone: Driven, url: str, name: str, **asked: Any) -> str:
    """Open a room as the form does, and return the link for other players."""
    phone.go(f"{url}/new")
    phone.see("[data-zone=submit]")
    made = phone.run(
        """async (body) => {
          const headers = { "content-type": "application/json" };
          return (await fetch("/api/rooms", { method: "POST", headers, body: JSON.stringify(body) })).json();
        }""",
        {"name": name, "game": "president", "options": {}, "bots_delay": 0, **asked},
    )
    phone.go(f"{url}/r/{made['code']}")
    phone.see("[data-do=start]")
    return str(phone.run("() => document.querySelector('#invite-link').value"))


def joins(phone: Driven, link: str, name: str) -> None:
    """Follow the link and join under a name."""
    phone.go(link)
    phone.see("#name")
    phone.write("#name", name)
    phone.press("[data-zone=joining] button[type=submit]")
    phone.wait("(name) => document.querySelector('[data-zone=lobby-seats]')?.textContent.includes(name)", name)


def take_turn(phone: Driven) -> None:
    """Act once: give, keep, play if possible, else pass. Wait until the page shows the result."""
    request, asked, playable = phone.run(
        """() => [
          document.querySelector("#room").dataset.request,
          [...document.querySelectorAll("[data-zone=actions] [data-do]")].map((button) => button.dataset.do),
          document.querySelectorAll("[data-zone=hand] [data-card]:not([data-fits=no])").length,
        ]"""
    )
    if "keep" in asked:
        phone.press("[data-do=keep]")
    elif "give" in asked or ("play" in asked and playable):
        doing = "give" if "give" in asked else "play"
        ready = f"[data-do={doing}]:not([data-unsure]):not(:disabled)"
        while not phone.run("(ready) => document.querySelector(ready) !== null", ready):
            chosen = phone.run(CHOSEN)
            phone.press(find.OPEN, corner=True)
            phone.wait(f"(before) => ({CHOSEN})().join() !== before.join()", chosen)
            if "pass" in asked and len(phone.run(CHOSEN)) <= len(chosen):  # it replaced another card, without end
                ready = "[data-do=pass]"
        phone.press(ready)
    else:
        phone.press("[data-do=pass]")
    phone.wait(ANSWERED, request)


def whose(phones: tuple[Driven, Driven]) -> Driven | None:
    """Return the phone that has to act, or None if the hand is over."""
    wanted = """() => {
      const shown = document.querySelector("#room:not([data-part])");
      if (shown?.querySelector("[data-turn=mine]")) return "turn";
      return shown?.querySelector("[data-zone=result]") ? "over" : null;
    }"""
    seen = [phone.run(wanted) for phone in phones]
    while not any(seen):
        seen = [phone.run(wanted) for phone in phones]
    if "turn" in seen:
        return phones[seen.index("turn")]
    for phone in phones:
        phone.see("[data-zone=result]")
    return None


def play(phones: tuple[Driven, Driven], turns: int = 1000) -> None:
    """Play this number of turns, or to the end of the hand."""
    for _ in range(turns):
        if (phone := whose(phones)) is None:
            return
        take_turn(phone)


@pytest.mark.long("two browsers start, and play a hand and more")
def test_a_match_can_be_played_in_firefox_and_webkit(phones: tuple[Driven, Driven], server: Server) -> None:
    fox, kit = phones
    joins(fox, opens(kit, server.url, "Kit"), "Fox")  # each joins by the other's link
    joins(kit, opens(fox, server.url, "Fox", bots=["easy", "easy"]), "Kit")
    kit.press("[data-do=ready]")
    fox.see("[data-sits=Kit][data-ready]")
    fox.press("[data-do=start]")
    for phone in phones:
        phone.wait("() => document.querySelectorAll('[data-zone=hand] [data-card]').length === 13")
    assert not set(fox.run(CARDS)) & set(kit.run(CARDS))

    play(phones, 4)
    for phone in phones:
        held = phone.run(CARDS)
        phone.reload()
        phone.wait("(n) => document.querySelectorAll('[data-zone=hand] [data-card]').length === n", len(held))
        assert sorted(phone.run(CARDS)) == sorted(held)

    play(phones)
    for phone in phones:
        names = phone.run(
            "() => [...document.querySelectorAll('[data-zone=result] tr[data-who]')].map((row) => row.dataset.who)"
        )
        assert {"Fox", "Kit"} <= set(names)
    fox.press("[data-zone=actions] [data-ask=deal_next]")
    for phone in phones:
        phone.wait("() => document.querySelector('h1')?.textContent.includes('hand\u00a02')")
    play(phones, 3)  # the exchange, and a play or two
    for phone in phones:
        wide, seen = phone.run("() => [document.documentElement.scrollWidth, innerWidth]")
        assert wide <= seen, phone.name
    assert isinstance(fox, Firefox)
    assert not fox.complaints, "\n".join(fox.complaints)


COVERED = """() => [...document.querySelectorAll(
  "[data-zone=hand] [data-card], [data-zone=actions] button")].flatMap((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  const corner = each.dataset.card ? [left + 10, top + 14] : [(left + right) / 2, (top + bottom) / 2];
  const hit = document.elementFromPoint(...corner);
  const whole = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  return whole && (hit === each || each.contains(hit)) ? [] : [each.dataset.card ?? each.textContent];
})"""
"""Finds cards and buttons of the player that are outside the window or covered."""


STALE = """() => {
  const heights = () => ["felt", "own-side", "hand", "status", "actions"].map((zone) =>
    `${zone}: ${Math.round(document.querySelector(`[data-zone=${zone}]`).getBoundingClientRect().height)}`);
  const before = heights();
  const room = document.querySelector("#room");
  room.style.display = "none";
  room.getBoundingClientRect();
  room.style.display = "";
  return heights().filter((each, n) => each !== before[n]);
}"""
"""Lays the table out again and lists the heights that change (for Driven.run)."""


SIZES = ((390, 844), (360, 640), (844, 390), (1440, 900))


@pytest.mark.parametrize("browser_of", [firefox, webkit], ids=["firefox", "webkit"])
def test_the_table_is_complete_and_still_in_firefox_and_webkit(
    tmp_path: Path, server: Server, browser_of: Callable[..., AbstractContextManager[Driven]]
) -> None:
    for needed in FIREFOX_NEEDS if browser_of is firefox else WEBKIT_NEEDS:
        if shutil.which(needed) is None:
            pytest.skip(f"no {needed} is installed")
    found = []
    with browser_of(tmp_path / "browser", SIZES[-1]) as page:
        for width, height in SIZES:
            page.resize(width, height)
            opens(page, server.url, "Ana", bots=["easy"] * 3)
            page.press("[data-do=start]")
            page.wait("() => document.querySelectorAll('[data-zone=hand] [data-card]').length === 13")
            whose((page, page))
            page.run(SETTLED)
            assert page.run("() => [innerWidth, innerHeight]") == [width, height]
            for function, *given in ((COVERED,), (CUT_TEXTS,), (MOVED, 30), (STALE,)):
                found += [f"{width}x{height}: {each}" for each in page.run(function, *given)]
    assert not found, "\n".join(found)
