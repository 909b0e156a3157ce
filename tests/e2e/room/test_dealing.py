"""Test deals with real pages, which commit to seeds, reveal them, and detect a server that cheats."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, WebSocketRoute, expect

from tests.e2e import find
from tests.e2e.people.guests import Guest, play_on, play_with_bots
from tests.e2e.server import Server
from tools.local_server.client_view import merge_update

NewContext = Callable[..., BrowserContext]
PROMISED = "() => Object.keys(localStorage).some((key) => key.startsWith('po.seed.'))"
"""Whether the page has stored a seed. It sends the seed's hash before any other message."""
PROMISED_AGAIN = """() => {
  const key = Object.keys(localStorage).find((each) => each.startsWith("po.seed."));
  const { promise, lists } = JSON.parse(localStorage.getItem(key));
  return lists.length > 0 && promise.commitment !== lists[0].list.commitment && promise.acknowledged;
}"""
"""Whether the page has promised a seed for the deal after one that was cancelled."""
SHORT = {"game": "chase_the_ace"}
"""A game with short hands. Bots may end a hand without the player, if the player holds a king."""


def told_over(guest: Guest) -> list[dict[str, Any]]:
    """List the states that a page receives from now on."""
    pictures: list[dict[str, Any]] = []

    def between(page: WebSocketRoute) -> None:
        house = page.connect_to_server()
        last: dict[str, Any] = {}

        def passed_on(text: str | bytes) -> None:
            nonlocal last
            message = json.loads(text)
            if message["t"] == "update":
                last = merge_update(last or None, message)
                pictures.append(last)
            page.send(text)

        page.on_message(house.send)
        house.on_message(passed_on)

    guest.page.route_web_socket("**/ws/**", between)
    return pictures


def with_bots(guest: Guest, server: Server, **settings: Any) -> None:
    """Start a match against bots, once the page has committed to its seed."""
    guest.open_room(server.url, bots=["easy"] * 3, **settings)
    guest.page.wait_for_function(PROMISED)
    # Nobody else has to be ready, so the page does not ask. A cheating server may stay in the waiting room.
    guest.page.locator("[data-do=start]").click()


def fairness_of(guest: Guest) -> Any:
    find.open_menu(guest.page, "Table", "Fair deal")
    return guest.page.locator("[data-zone=fair]")


def test_two_pages_deal_fairly_and_verify_the_deal(new_context: NewContext, server: Server) -> None:
    ana, bob = (Guest(new_context().new_page(), name) for name in ("Ana", "Bob"))
    pictures = told_over(ana)
    link = ana.open_room(server.url, **SHORT)
    bob.join(link)
    bob.page.wait_for_function(PROMISED)
    sealed = """() => JSON.parse(localStorage.getItem(
      Object.keys(localStorage).find((key) => key.startsWith('po.seed.')))).promise.hash"""
    hashes = {guest.name: guest.page.evaluate(sealed) for guest in (ana, bob)}
    # A reload and a second tab send the same hash.
    bob.page.reload()
    second = bob.page.context.new_page()
    second.goto(bob.page.url)
    expect(find.lobby_seats(second)).to_contain_text("Bob")
    assert second.evaluate(sealed) == hashes["Bob"]
    ana.page.locator("[data-do=start]:not(:disabled)").wait_for()
    while pictures[-1]["room"]["fair"]["hashes"] != hashes:
        ana.page.wait_for_timeout(20)
    find.start_match(ana.page)
    find.cards(ana.page).first.wait_for()
    find.cards(bob.page).first.wait_for()
    closed = next(each["room"]["fair"]["closed"] for each in pictures if each["room"]["fair"]["closed"])
    assert sorted(closed["hashes"].values()) == sorted(hashes.values())
    play_on([ana, bob])
    for guest in (ana, bob):
        expect(fairness_of(guest)).to_contain_text("This page has checked the last deal: it was fair.")
    assert ana.complaints == bob.complaints == []
    proof = pictures[-1]["room"]["fair"]["previous"]
    assert set(proof["seeds"]) == {"1", "2"}


CHEATS = {
    "deal_another_deck": ("banner", "Unfair deal: the seeds make other cards.", "unfair"),
    "draw_again": ("banner", "The server drew again after seeds were sent.", "redrawn"),
    "draw_again_for_seats": ("banner", "The server drew again after seeds were sent.", "redrawn"),
    "draw_again_for_lost_entries": ("banner", "The server drew again after seeds were sent.", "redrawn"),
    "leave_hashes_off": ("banner", "Your seed was left off the list of this deal.", "off"),
    "swap_piles": ("banner", "Unfair deal: the cards went to other seats.", "unfair"),
    "swap_piles_without_event": ("banner", "Unfair deal: the cards went to other seats.", "unfair"),
    "swap_piles_with_false_statement": ("banner", "Unfair deal: the cards went to other seats.", "unfair"),
    "close_sockets": ("banner", "Unfair deal: the seeds make other cards.", "unfair"),
    "deal_without_seeds": ("banner", "This deal has no players’ seeds.", "alone"),
    "show_another_list": ("banner", "Unfair deal: the list of seeds was changed.", "unfair"),
    "drop_last_seed": ("notice", "Your seed was left out of the last deal.", "late"),
    "never_acknowledge": ("notice", "This deal was made without your seed.", "unheard"),
}
"""For each cheating server: where the page shows a line, the line, and what the menu counts."""


@pytest.fixture
def cheating(server: Server) -> Iterator[Callable[[str], None]]:
    """Return a function that lets the server cheat until the end of the test."""
    yield server.cheat
    server.cheat(None)


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_page_names_what_a_cheating_server_does(
    new_context: NewContext, server: Server, cheating: Callable[[str], None], cheat: str
) -> None:
    zone, line, count = CHEATS[cheat]
    at_end = count in ("unfair", "late")
    cheating(cheat)
    bob = Guest(new_context().new_page(), "Bob")
    # A hand that ends was fair if the server drew again before it, and the line goes.
    with_bots(bob, server, **(SHORT if at_end else {}))
    if cheat.startswith("draw_again"):
        bob.page.wait_for_function(PROMISED_AGAIN)
        find.start_match(bob.page)
    find.cards(bob.page).first.wait_for()
    if at_end:
        play_with_bots(bob)
    # A notice goes when it has been read. Screen readers keep it.
    expect(bob.page.locator("#alert") if zone == "notice" else find.zone(bob.page, zone)).to_contain_text(line)
    fairness = fairness_of(bob)
    expect(fairness.locator(f"[data-count={count}]")).to_contain_text(": 1")
    expect(fairness).to_contain_text(line)
    assert bob.complaints == []
