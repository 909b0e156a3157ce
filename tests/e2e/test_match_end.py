"""A result comes and goes without moving anything else, and a match ends with its story."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.crowd import Crowd, Update, crowd
from tests.e2e.layout import resize
from tests.e2e.server import Server
from tests.e2e.test_motion import Motion, NewContext, look, shows

SHIFTS = """
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((each) => each.value)))
    .observe({ type: "layout-shift", buffered: true });
"""

SHIFTED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
  const moved = window.shifts.reduce((sum, each) => sum + each, 0);
  window.shifts = [];
  done(moved);
}))))"""
"""How far what was there has moved since one asked last, once all is drawn: 1 is the whole page by its whole height."""

LITTLE = 0.1
MOTIONS: tuple[Motion, ...] = ("reduce", "no-preference")


@pytest.fixture
def people(server: Server) -> Iterator[Crowd]:
    """Four who play three hands."""
    with crowd(server.url, "Ana Bob Cat Dan", options={"preset": "pagat", "hands": 3}) as four:
        yield four


def two_are_left(update: Update) -> bool:
    """Whether the next who is out ends the hand."""
    players = (update["table"] or {"players": {}})["players"].values()
    holding = [each for each in players if each["counter"] and each["counter"]["count"] > 0]
    return update["room"]["phase"] == "playing" and len(holding) <= 2


def after(seq: int) -> Callable[[Update], bool]:
    """Whether something has happened since."""
    return lambda update: update["seq"] > seq


def to_the_end(page: Page, people: Crowd) -> None:
    """Play until the hand is over, and forget what has moved before its last action."""
    people.play_until(two_are_left)
    while people.sees("Ana")["room"]["phase"] == "playing":
        shows(page, people)
        page.evaluate(SHIFTED)
        people.play_until(after(people.sees("Ana")["seq"]))
    shows(page, people)
    expect(page.locator(".result")).to_be_visible()


def test_nothing_jumps_when_a_result_comes_and_the_match_ends_with_its_story(
    new_context: NewContext, server: Server, people: Crowd
) -> None:
    page = look(new_context, server, people, "Ana", "no-preference")
    page.add_init_script(SHIFTS)
    page.reload()
    page.wait_for_selector("#room[data-seq]")
    for motion in MOTIONS:  # cards that are dealt are drawn otherwise where nothing is seen to fly
        page.emulate_media(reduced_motion=motion)
        to_the_end(page, people)
        assert page.evaluate(SHIFTED) < LITTLE
        people.do("Ana", "next")
        shows(page, people)
        expect(page.locator(".hand .card").first).to_be_visible()
        assert page.evaluate(SHIFTED) < LITTLE
    to_the_end(page, people)
    assert page.evaluate(SHIFTED) < LITTLE

    # The winner first; what can be pressed below can be pressed all the while.
    scene = page.locator(".scene")
    expect(scene.locator(".scene-play[data-kind='won']")).to_contain_text("the match")
    expect(page.locator("[data-propose=rematch]")).to_be_in_viewport()
    page.locator("[data-propose=rematch]").click(trial=True)
    scene.locator("[data-tale=next]").click()
    expect(scene.locator(".scene-play[data-kind='won']")).to_have_count(0)
    scene.locator("[data-tale=end]").click()
    expect(scene).to_have_count(0)
    # All of it stands below the standing, with the way to each.
    expect(page.locator(".tale li[data-kind='won']")).to_contain_text("the match")
    assert page.locator(".tale a[href*='/replay?hand=']").count() > 0

    # Who loads the page now reads it, and is not kept from the standing; with large letters, too.
    page.reload()
    expect(page.locator(".tale li[data-kind='won']")).to_be_attached()
    expect(scene).to_have_count(0)
    resize(page, "390x844 at 200 %")
    rows = page.locator(".standing tbody tr[data-who]")
    expect(rows).to_have_count(4)
    for row in rows.all():
        name = row.locator(".name")
        name.scroll_into_view_if_needed()
        expect(name).to_be_in_viewport(ratio=0.9)
    for button in page.locator(".actions > *").all():
        expect(button).to_be_in_viewport(ratio=0.99)
