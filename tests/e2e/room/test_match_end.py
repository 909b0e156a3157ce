"""Test that a result shifts no other part of the page, and that a match ends with a picture of its winner."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e import find
from tests.e2e.look.test_motion import Motion, NewContext, look, shows
from tests.e2e.people.crowd import Crowd, Update, crowd
from tests.e2e.people.guests import Guest
from tests.e2e.pictures.layout import SETTLED, resize
from tests.e2e.pictures.layout_shifts import LITTLE, WATCH, take
from tests.e2e.server import Server

MOTIONS: tuple[Motion, ...] = ("reduce", "no-preference")


@pytest.fixture
def people(server: Server) -> Iterator[Crowd]:
    """Four players in a match of three hands."""
    with crowd(server.url, "Ana Bob Cat Dan", options={"preset": "pagat", "hands": 3}) as four:
        yield four


def two_are_left(update: Update) -> bool:
    """Whether the next player who goes out ends the hand."""
    players = (update["table"] or {"players": {}})["players"].values()
    holding = [each for each in players if each["counter"] and each["counter"]["count"] > 0]
    return update["room"]["phase"] == "playing" and len(holding) <= 2


def after(seq: int) -> Callable[[Update], bool]:
    """Whether there is a newer state than this one."""
    return lambda update: update["seq"] > seq


def to_the_end(page: Page, people: Crowd) -> None:
    """Play to the end of the hand, and forget the shifts before its last action."""
    people.play_until(two_are_left)
    while people.sees("Ana")["room"]["phase"] == "playing":
        shows(page, people)
        take(page)
        people.play_until(after(people.sees("Ana")["seq"]))
    shows(page, people)
    expect(find.result(page)).to_be_visible()


@pytest.mark.long("three hands are played, each action at the pace of the page")
def test_a_result_shifts_nothing_and_a_match_ends_with_its_winner_and_its_story(
    new_context: NewContext, server: Server, people: Crowd
) -> None:
    page = look(new_context, server, people, "Ana", "no-preference", WATCH)
    for motion in MOTIONS:  # with reduced motion, dealt cards are drawn in another way
        page.emulate_media(reduced_motion=motion)
        to_the_end(page, people)
        assert take(page).total < LITTLE
        people.do("Ana", "deal_next")
        shows(page, people)
        expect(find.cards(page).first).to_be_visible()
        assert take(page).total < LITTLE
    to_the_end(page, people)
    assert take(page).total < LITTLE

    # The winner is named in the largest type, with one sentence why. All buttons are in view.
    end = find.result(page)
    title = end.get_by_role("heading", level=2)
    expect(title).to_have_text(re.compile(r"^\w+ wins$|share first place$"))
    size = "each => parseFloat(getComputedStyle(each).fontSize)"
    assert title.evaluate(size) == max(page.locator("h1, h2, h3, b, p, button").evaluate_all(f"all => all.map({size})"))
    expect(find.zone(end, "why")).to_have_text(re.compile(r"\d+ points"))
    for button in ("[data-propose=rematch]", "[data-end=share]", "[data-end=story]"):
        expect(page.locator(button)).to_be_in_viewport(ratio=1)
        page.locator(button).click(trial=True)

    # The story comes when somebody asks for it.
    scene = find.zone(page, "scene")
    expect(scene).to_have_count(0)
    page.locator("[data-end=story]").click()
    expect(scene.locator("[data-scene=won]")).to_contain_text("the match")
    scene.locator("[data-tale=next]").click()
    expect(scene.locator("[data-scene=won]")).to_have_count(0)
    scene.locator("[data-tale=end]").click()
    expect(scene).to_have_count(0)
    # The whole story is below the standing, with links to the moves.
    expect(page.locator("[data-zone=tale] li[data-kind='won']")).to_contain_text("the match")
    assert page.locator("[data-zone=tale] a[href*='/replay?hand=']").count() > 0

    # After a reload the story is a list below the standing, and the standing is complete even with large text.
    page.reload()
    expect(page.locator("[data-zone=tale] li[data-kind='won']")).to_be_attached()
    expect(scene).to_have_count(0)
    resize(page, "390x844 at 200 %")
    rows = page.locator("[data-zone=standing] tbody tr[data-who]")
    expect(rows).to_have_count(4)
    for row in rows.all():
        name = find.zone(row, "name")
        name.scroll_into_view_if_needed()
        expect(name).to_be_in_viewport(ratio=0.9)
    for button in find.actions(page).locator("> *").all():
        expect(button).to_be_in_viewport(ratio=0.99)


def test_a_dialog_stays_open_when_the_answer_to_an_earlier_dialog_arrives(
    new_context: NewContext, server: Server
) -> None:
    page = new_context().new_page()
    ana = Guest(page, "Ana")
    holding, held = False, list[str | bytes]()
    routes = list[WebSocketRoute]()

    def opened(socket: WebSocketRoute) -> None:
        routes.append(socket)
        real = socket.connect_to_server()
        real.on_message(lambda message: held.append(message) if holding else socket.send(message))

    page.route_web_socket("**/ws/**", opened)
    ana.open_room(server.url, bots=["easy"] * 3)
    find.start_match(page)
    page.wait_for_selector(find.CARDS)
    find.open_menu(page, "Host")
    holding = True
    find.confirm(page, "stop")
    while not any('"answer"' in str(message) for message in held):
        page.wait_for_timeout(10)
    sheet = page.get_by_role("dialog")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.keyboard.press("?")
    heading = sheet.get_by_role("heading").first.inner_text()
    newest = 0
    while held:  # what comes meanwhile is held, too, so that the page gets all messages in their order
        newest = max(newest, json.loads(held[0]).get("seq", 0))
        routes[-1].send(held.pop(0))
    holding = False
    ana.wait_for_seq(newest)
    page.evaluate(SETTLED)
    expect(sheet.get_by_role("heading").first).to_have_text(heading)
