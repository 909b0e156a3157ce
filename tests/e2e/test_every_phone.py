"""An evening at one table in Firefox and in WebKit, which is what iPhones have, on pages as large as a phone."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.driven import Driven
from tests.e2e.firefox import NEEDS as FIREFOX_NEEDS
from tests.e2e.firefox import Firefox, firefox
from tests.e2e.guests import CHOSEN
from tests.e2e.server import Server
from tests.e2e.webkit import NEEDS as WEBKIT_NEEDS
from tests.e2e.webkit import webkit

CARDS = "() => [...document.querySelectorAll('.hand .card')].map((card) => card.dataset.card)"


@pytest.fixture
def phones(tmp_path: Path) -> Iterator[tuple[Driven, Driven]]:
    """Both, each with a screen of its own."""
    for needed in (*FIREFOX_NEEDS, *WEBKIT_NEEDS):
        if shutil.which(needed) is None:
            pytest.skip(f"no {needed} is installed")
    with firefox(tmp_path / "firefox") as fox, webkit(tmp_path / "webkit") as kit:
        yield fox, kit


def opens(phone: Driven, url: str, name: str, **asked: Any) -> str:
    """A new room, asked for as the form asks; gives the link for others."""
    phone.go(f"{url}/new")
    made = phone.run(
        """async (body) => {
          const headers = { "content-type": "application/json" };
          return (await fetch("/api/rooms", { method: "POST", headers, body: JSON.stringify(body) })).json();
        }""",
        {"name": name, "game": "president", "bots_delay": 0, **asked},
    )
    phone.go(f"{url}/r/{made['code']}")
    phone.see("[data-do=start]")
    return str(phone.run("() => document.querySelector('#invite-link').value"))


def joins(phone: Driven, link: str, name: str) -> None:
    """Follow the link and give a name."""
    phone.go(link)
    phone.see("#name")
    phone.write("#name", name)
    phone.press(".joining button[type=submit]")
    phone.wait("(name) => document.querySelector('.chairs')?.textContent.includes(name)", name)


def take_turn(phone: Driven) -> None:
    """What is asked: give, keep, play if anything can be played, else pass; until it is done."""
    seq, asked, playable = phone.run(
        """() => [
          Number(document.querySelector("#room").dataset.seq),
          [...document.querySelectorAll(".actions [data-do]")].map((button) => button.dataset.do),
          document.querySelectorAll(".hand .card:not(.dim)").length,
        ]"""
    )
    if "keep" in asked:
        phone.press("[data-do=keep]")
    elif "give" in asked or ("play" in asked and playable):
        doing = "give" if "give" in asked else "play"
        ready = f"[data-do={doing}]:not(.unsure):not(:disabled)"
        while not phone.run("(ready) => document.querySelector(ready) !== null", ready):
            chosen = phone.run(CHOSEN)
            phone.press(".hand .card:not(.dim):not(.chosen)", corner=True)
            phone.wait(f"(before) => ({CHOSEN})().join() !== before.join()", chosen)
            if "pass" in asked and len(phone.run(CHOSEN)) <= len(chosen):  # it took another's place, and could for ever
                ready = "[data-do=pass]"
        phone.press(ready)
    else:
        phone.press("[data-do=pass]")
    phone.wait("(seq) => Number(document.querySelector('#room').dataset.seq) > seq", seq)


def whose(phones: tuple[Driven, Driven]) -> Driven | None:
    """The phone that has to act; None: the hand is over for all."""
    wanted = """() => {
      const shown = document.querySelector("#room:not([data-part])");
      return shown?.querySelector(".said.my-turn") ? "turn" : shown?.querySelector(".result") ? "over" : null;
    }"""
    seen = [phone.run(wanted) for phone in phones]
    while not any(seen):
        seen = [phone.run(wanted) for phone in phones]
    if "turn" in seen:
        return phones[seen.index("turn")]
    for phone in phones:
        phone.see(".result")
    return None


def play(phones: tuple[Driven, Driven], turns: int = 1000) -> None:
    """So many turns of theirs, or to the end of the hand."""
    for _ in range(turns):
        if (phone := whose(phones)) is None:
            return
        take_turn(phone)


def test_an_evening_in_firefox_and_webkit(phones: tuple[Driven, Driven], server: Server) -> None:
    fox, kit = phones
    joins(fox, opens(kit, server.url, "Kit"), "Fox")  # each comes by the other's link
    joins(kit, opens(fox, server.url, "Fox", bots=["greedy", "greedy"]), "Kit")
    fox.press("[data-do=start]")
    for phone in phones:
        phone.wait("() => document.querySelectorAll('.hand .card').length === 13")
    assert not set(fox.run(CARDS)) & set(kit.run(CARDS))

    play(phones, 4)
    for phone in phones:
        held = phone.run(CARDS)
        phone.reload()
        phone.wait("(n) => document.querySelectorAll('.hand .card').length === n", len(held))
        assert sorted(phone.run(CARDS)) == sorted(held)

    play(phones)
    for phone in phones:
        names = phone.run("() => [...document.querySelectorAll('.result tbody .name')].map((name) => name.textContent)")
        assert {"Fox", "Kit"} <= set(names)
    fox.press(".actions .button.main")
    for phone in phones:
        phone.wait("() => document.querySelector('.what-game')?.textContent.includes('hand\u00a02')")
    play(phones, 3)  # what is to be given first, and a play or two
    for phone in phones:
        wide, seen = phone.run("() => [document.documentElement.scrollWidth, innerWidth]")
        assert wide <= seen, phone.name
    assert isinstance(fox, Firefox)
    assert fox.complaints == []
