"""Test that a page does not hold on to removed elements, however many hands are played."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from tests.e2e.pictures.layout import SETTLED
from tests.e2e.pictures.stage import Stage, Update, all_states, as_hand
from tests.e2e.server import Server

HANDS = 30
A_MATCH = 5
"""Hands after which all return to the waiting room."""

SHOWN = """() => {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
  let count = 1;
  while (walker.nextNode()) count += 1;
  return count;
}"""
"""The number of nodes in the document."""


def test_thirty_hands_leave_no_extra_nodes_or_listeners(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    states = all_states()
    stage = Stage(new_context(viewport={"width": 390, "height": 844}), server)
    stage.page.emulate_media(reduced_motion="no-preference")
    stage.open(states["turn_4"])
    line = stage.page.context.new_cdp_session(stage.page)
    line.send("Performance.enable")
    play(stage, states, range(1, A_MATCH + 1))
    before = held(stage.page, line)
    play(stage, states, range(A_MATCH + 1, A_MATCH + 1 + HANDS))
    after = held(stage.page, line)
    # The last drawn elements may stay in memory a little longer (four nodes, four listeners), at either measurement.
    for kind in ("listeners", "nodes"):
        assert after[kind] - before[kind] < HANDS / A_MATCH, f"one of each match stays: {kind}"


def test_the_newest_line_of_a_long_log_is_visible(new_context: Callable[..., BrowserContext], server: Server) -> None:
    stage = Stage(new_context(viewport={"width": 1440, "height": 900}), server)
    state = all_states()["turn_4"]
    stage.open(state)
    # The log drops its oldest line for each new one.
    stage.show({**state, "events": [{"e": "passed", "by": "Bob"}] * 300})
    stage.show({**state, "events": [{"e": "passed", "by": "Cat"}]})
    last = stage.page.locator("[data-zone=log-panel] [data-zone=log] li").last
    expect(last).to_have_text("Cat passes.")
    expect(last).to_be_in_viewport(ratio=0.9)


def play(stage: Stage, states: dict[str, Update], hands: range) -> None:
    """Play hands with everything that appears and disappears in a hand, without waiting for animations."""
    for hand in hands:
        stage.send(as_hand(states["exchange_low"], hand))
        stage.send(as_hand(states["turn_4"], hand))
        stage.draw(as_hand(states["revolution"], hand))
        stage.draw(as_hand(states["result_8"], hand))
        if hand % A_MATCH == 0:
            stage.page.keyboard.press("?")
            # Don't wait by selector: that would keep a reference, which is a leak of the test.
            expect(stage.page.get_by_role("dialog")).to_be_visible()
            stage.page.keyboard.press("Escape")
            stage.draw(as_hand(states["finished"], hand))
            stage.draw(states["lobby_host"])
    stage.draw(as_hand(states["turn_4"], hands.stop))
    stage.page.wait_for_function("() => document.querySelectorAll('[data-zone=stage] > *').length === 0")
    stage.page.evaluate(SETTLED)


def held(page: Page, line: CDPSession) -> dict[str, float]:
    """Count listeners and nodes outside the document, after garbage collection."""
    # Some objects are free only after the objects that refer to them are collected.
    for _ in range(2):
        line.send("HeapProfiler.collectGarbage")
    told = {each["name"]: each["value"] for each in line.send("Performance.getMetrics")["metrics"]}
    return {"listeners": told["JSEventListeners"], "nodes": told["Nodes"] - page.evaluate(SHOWN)}
