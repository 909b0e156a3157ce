"""Test each sound by itself, and at the table with the volume that the player has set."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any, get_args

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.rooms.people.reactions import Reaction
from tests.e2e import find
from tests.e2e.people.crowd import Crowd, crowd
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

LISTEN = """
  window.struck = 0;
  for (const source of [OscillatorNode, AudioBufferSourceNode]) {
    const start = source.prototype.start;
    source.prototype.start = function (...when) {
      if (this.context instanceof AudioContext) window.struck += 1;
      return start.apply(this, when);
    };
  }
"""
"""Counts the sounds that are started."""

RENDER = """async (url) => {
  const { SOUNDS, createMasterGain, scheduleSound } = await import(url);
  // A compressor needs a moment before it lets all through.
  const rate = 22050, found = {}, begin = 0.4;
  for (const name of Object.keys(SOUNDS)) {
    const context = new OfflineAudioContext(1, rate * 2, rate);
    scheduleSound(context, createMasterGain(context, 1), name, begin);
    const samples = (await context.startRendering()).getChannelData(0);
    let peak = 0, end = 0;
    // How loud each 25 ms are, and how often they go through zero: loudness and height.
    const print = [];
    for (let i = 0; i < samples.length; i += rate / 40) {
      let power = 0, through = 0;
      for (let k = Math.floor(i); k < i + rate / 40 && k < samples.length; k += 1) {
        const loud = Math.abs(samples[k]);
        peak = Math.max(peak, loud);
        if (loud > 0.002) end = k / rate - begin;
        power += loud * loud;
        through += k > 0 && samples[k] * samples[k - 1] < 0 ? 1 : 0;
      }
      const heard = Math.sqrt(power / (rate / 40));
      print.push(heard, heard > 0.002 ? through / 100 : 0);
    }
    found[name] = { peak, end, print };
  }
  return found;
}"""


@pytest.fixture
def people(server: Server) -> Iterator[Crowd]:
    """Three players at a table."""
    with crowd(server.url, "Ana Bob Cat") as three:
        yield three


def struck(page: Page) -> int:
    return int(page.evaluate("struck"))


def test_every_sound_is_audible_short_and_distinct(page: Page, server: Server) -> None:
    page.goto(server.url)
    sounds: dict[str, Any] = page.evaluate(RENDER, "/static/js/sound/synth.js")
    assert {f"reaction.{each}" for each in get_args(Reaction)} <= sounds.keys()
    assert {name: each["peak"] for name, each in sounds.items() if not 0.05 < each["peak"] < 1} == {}
    assert {name: each["end"] for name, each in sounds.items() if each["end"] > 1.2} == {}

    def apart(one: list[float], other: list[float]) -> float:
        return sum(abs(a - b) for a, b in zip(one, other, strict=True))

    alike = {
        (one, other): apart(sounds[one]["print"], sounds[other]["print"])
        for one, other in itertools.combinations(sounds, 2)
    }
    assert {pair: far for pair, far in alike.items() if far < 0.5} == {}


def test_sounds_start_with_the_first_gesture_and_stay_muted_after_a_reload(
    new_context: NewContext, server: Server, people: Crowd
) -> None:
    page = new_context(viewport={"width": 360, "height": 640}).new_page()
    page.context.add_cookies(people.cookies("Ana", server.url))  # type: ignore[arg-type]
    page.add_init_script(LISTEN)
    page.goto(f"{server.url}/r/{people.code}")

    def step() -> None:
        """Let one player act, and wait until the page shows it."""
        name = people.play_until(lambda update: bool(update["you"]["legal"]))
        people.do(name, "act", action=people.sees(name)["you"]["legal"][0])
        seq = people.sees("Ana")["seq"]
        page.wait_for_function("(seq) => Number(document.querySelector('#room').dataset.seq) >= seq", arg=seq)

    def happens() -> None:
        """Let several players act."""
        for _ in range(3):
            step()

    happens()
    assert struck(page) == 0, "no gesture yet"
    page.locator("h1").click()
    step()
    page.wait_for_function("() => struck > 0")

    find.open_menu(page, "Me")
    sounds = page.get_by_role("checkbox", name="Sounds")
    sounds.uncheck()
    page.keyboard.press("Escape")
    before = struck(page)
    happens()
    assert struck(page) == before
    page.reload()
    page.locator("h1").click()
    happens()
    assert struck(page) == 0

    # The key and the menu turn the sound on again, and the next sound is heard at once.
    page.keyboard.press("v")
    page.wait_for_function("() => struck > 0")
    page.keyboard.press("v")
    find.open_menu(page, "Me")
    expect(sounds).not_to_be_checked()
    page.locator("[data-page=alerts]").click()
    page.get_by_role("slider", name="Volume").press("ArrowRight")
    page.get_by_role("button", name="Back").click()
    expect(sounds).to_be_checked()
    page.reload()
    find.open_menu(page, "Me")
    expect(sounds).to_be_checked()
    page.locator("[data-page=alerts]").click()
    expect(page.get_by_role("slider", name="Volume")).to_have_value("55")


def test_menu_checkboxes_are_at_least_48_pixels_tall(new_context: NewContext, server: Server, people: Crowd) -> None:
    page = new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    page.context.add_cookies(people.cookies("Ana", server.url))  # type: ignore[arg-type]
    page.goto(f"{server.url}/r/{people.code}")
    find.open_menu(page, "Me")
    expect(page.get_by_role("checkbox", name="Sounds")).to_be_visible()
    labels = page.locator("label:visible", has=page.get_by_role("checkbox"))
    heights = labels.evaluate_all("all => all.map((each) => [each.textContent, each.getBoundingClientRect().height])")
    assert {name: height for name, height in heights if height < 48} == {}
    assert len(heights) > 1


def test_a_television_plays_sounds_after_the_first_press_and_can_be_muted(
    new_context: NewContext, server: Server, people: Crowd
) -> None:
    page = new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.add_init_script(LISTEN)
    page.goto(f"{server.url}/r/{people.code}/screen")
    button = page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "true")

    def happens() -> None:
        name = people.play_until(lambda update: bool(update["you"]["legal"]))
        people.do(name, "act", action=people.sees(name)["you"]["legal"][0])
        seq = people.sees("Ana")["seq"]
        page.wait_for_function("(seq) => Number(document.querySelector('#screen').dataset.seq) >= seq", arg=seq)

    button.click()
    assert page.evaluate("document.fullscreenElement") is None, "it is a press on nothing else"
    expect(button).to_have_attribute("aria-pressed", "false")
    before = struck(page)
    happens()
    assert struck(page) == before
    button.click()
    happens()
    page.wait_for_function("(before) => struck > before + 1", arg=before)
