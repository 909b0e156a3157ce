"""Test that flying things cover text and buttons for at most 300 ms, and never come to rest on them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import find
from tests.e2e.look.test_motion import Motion, NewContext, look, shows
from tests.e2e.people.crowd import Crowd, Update, Wanted, crowd
from tests.e2e.server import Server

SIZES = ((390, 844), (360, 640), (844, 390), (1440, 900))
MOST_MS = 400

MEASURE = """
  window.seen = [];
  const STEP = 20;
  const READ = "h1, h2, h3, [data-zone=name], [data-zone=by], [data-zone=result] thead th";
  const textsOf = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const boxes = [];
    while (walker.nextNode()) {
      if (walker.currentNode.parentElement.clientWidth === 1) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      for (const box of range.getClientRects()) boxes.push({ box, name: walker.currentNode.data });
    }
    return boxes;
  };
  // Cards may come to lie among the player's own cards and on the pile, which are buttons, and on the words of a play.
  const underneath = (kind) => [
    // What is for ears alone is cut to one pixel, but its letters have a size.
    ...[...document.querySelectorAll(READ)].filter((each) => each.clientWidth > 1 &&
      !(kind === "card" && each.closest(":is([data-zone=trick], [data-zone=last-trick])")))
      .flatMap(textsOf),
    ...[...document.querySelectorAll("button")].filter((each) =>
      !each.closest("[data-zone=stage]") &&
      !(kind === "card" && each.closest("[data-zone=hand], [data-zone=pile]"))).map((each) => ({
      box: each.getBoundingClientRect(), name: each.ariaLabel ?? each.textContent,
    })),
  ].filter(({ box }) => box.width > 0 && box.height > 0);
  const inked = (node) => {
    const parts = [...node.querySelectorAll("path, circle, [data-rank], [data-back], p")];
    return (parts.length > 0 ? parts : [node]).map((each) => each.getBoundingClientRect());
  };
  const lies = (node, box) => inked(node).some((over) =>
    Math.min(over.right, box.right) - Math.max(over.left, box.left) > 2 &&
    Math.min(over.bottom, box.bottom) - Math.max(over.top, box.top) > 2);

  // Steps through all animations of what has come, and notes how long it lies on each thing at a stretch.
  const measure = (node) => {
    const kind = node.dataset.shown ? `${node.dataset.by}: ${node.dataset.reaction}` :
      "flies" in node.dataset ? "card" : node.dataset.celebrates;
    const animations = node.getAnimations();
    const below = underneath(kind);
    const last = Math.max(0, ...animations.map((each) => each.effect.getComputedTiming().endTime));
    const since = new Map();
    const covered = new Map();
    for (const each of animations) each.pause();
    for (let at = 0; at <= last; at += STEP) {
      for (const each of animations) each.currentTime = at;
      const visible = Number(getComputedStyle(node).opacity) > 0.05;
      for (const { box, name } of below) {
        if (!visible || !lies(node, box)) since.delete(box);
        else {
          if (!since.has(box)) since.set(box, at);
          const ms = last === 0 ? Infinity : at - since.get(box);
          covered.set(name, Math.max(covered.get(name) ?? 0, ms));
        }
      }
    }
    for (const each of animations) { each.currentTime = 0; each.play(); }
    window.seen.push({ kind, covered: Object.fromEntries(covered) });
  };
  const comes = (node) => node instanceof HTMLElement &&
    (node.dataset.shown || "flies" in node.dataset || /crown|shape feather|ribbon/.test(node.dataset.celebrates ?? ""));
  new MutationObserver((changes) => {
    const come = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(comes);
    if (come.length > 0) requestAnimationFrame(() => come.filter((node) => node.isConnected).forEach(measure));
  }).observe(document, { subtree: true, childList: true });
"""
"""Measures the longest time in milliseconds for which a flying thing covers each heading, name or button."""


def too_long(page: Page) -> list[str]:
    """Return the things that were covered for too long since the last call."""
    seen = page.evaluate("window.seen.splice(0)")
    return [
        f"{each['kind']} on “{name}”: {ms} ms"
        for each in seen
        for name, ms in each["covered"].items()
        if ms is None or ms > MOST_MS
    ]


@pytest.fixture
def people(server: Server) -> Iterator[Crowd]:
    with crowd(server.url, "Ana Bob Cat Dan", options={"preset": "pagat", "hands": 3}) as four:
        yield four


def is_over(update: Update) -> bool:
    return bool(update["room"]["phase"] == "between_hands")


def ends_soon(update: Update) -> bool:
    """Whether the next player who goes out ends the hand."""
    players = (update["table"] or {"players": {}})["players"].values()
    return update["room"]["phase"] == "playing" and sum(each["cards"] > 0 for each in players) <= 2


def show_reactions(page: Page, people: Crowd) -> list[str]:
    """Let all players show each reaction, and return the things covered for too long."""
    for who, what in (("Ana", "heart"), ("Bob", "egg"), ("Cat", "crow"), ("Dan", "snail")):
        people.do(who, "react", reaction=what)
        page.wait_for_function("(by) => window.seen.some(({ kind }) => kind.startsWith(by))", arg=f"{who}: ")
    return too_long(page)


def play_slowly(page: Page, people: Crowd, wanted: Wanted) -> None:
    """Play until Ana's update is as wanted. Wait after each action, so that all cards fly."""
    while not wanted(people.sees("Ana")):
        before = people.sees("Ana")["seq"]
        people.play_until(lambda update, before=before: update["seq"] > before)  # type: ignore[misc]
        shows(page, people)
        page.wait_for_timeout(200)  # a real pause: cards don't fly before MIN_UPDATE_INTERVAL (card_flights.js)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_reactions_cover_no_heading_name_or_button(
    new_context: NewContext, server: Server, people: Crowd, size: tuple[int, int], motion: Motion
) -> None:
    page = look(new_context, server, people, "Ana", motion, MEASURE, size=size)
    found = [f"lead: {each}" for each in show_reactions(page, people)]
    people.play_until(lambda update: len((update["table"]["trick"] or {"plays": []})["plays"]) > 1)
    shows(page, people)
    found += [f"trick: {each}" for each in show_reactions(page, people)]
    people.play_until(is_over)
    shows(page, people)
    expect(find.result(page)).to_be_visible()
    # Reactions beside a seat go away when the result comes.
    page.wait_for_function("() => document.querySelectorAll('[data-shown]').length === 0")
    found += [f"result: {each}" for each in show_reactions(page, people)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_flying_cards_and_crowns_cover_no_heading_name_or_button(
    new_context: NewContext, server: Server, people: Crowd, size: tuple[int, int]
) -> None:
    page = look(new_context, server, people, "Ana", "no-preference", MEASURE, size=size)
    found: list[str] = []
    for _ in range(2):
        people.play_until(lambda update: bool(update["room"]["phase"] == "playing"))
        play_slowly(page, people, lambda update: bool(update["table"]["phase"] != "exchange"))
        people.play_until(ends_soon)
        play_slowly(page, people, is_over)
        expect(find.result(page)).to_be_visible()
        page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
        found += too_long(page)
    assert not found, "\n".join(found)
