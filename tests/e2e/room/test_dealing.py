"""Test deals with real pages, which commit to seeds, reveal them, and detect a server that cheats."""

import hashlib
import json
from collections.abc import Callable
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
SHORT = {"game": "chase_the_ace"}
"""A game with short hands."""


def told_over(guest: Guest, change: Callable[[dict[str, Any]], None] | None = None) -> list[dict[str, Any]]:
    """List the states that a page receives from now on; `change` falsifies them like a cheating server."""
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
                part = message.get("room") or message.get("changed", {}).get("room") or {}
                if change is not None and "fair" in part:
                    change(part["fair"])
                    text = json.dumps(message)
            page.send(text)

        page.on_message(house.send)
        house.on_message(passed_on)

    guest.page.route_web_socket("**/ws/**", between)
    return pictures


def with_bots(guest: Guest, server: Server) -> None:
    """Start a match against bots, once the page has committed to its seed."""
    guest.open_room(server.url, bots=["easy"] * 3, **SHORT)
    guest.page.wait_for_function(PROMISED)
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
    ana.page.locator("[data-do=start]").click()
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


def other_seats(fair: dict[str, Any]) -> None:
    """Deal the right deck to other seats."""
    if fair["dealt"]:
        cards = fair["dealt"]["cards"]
        fair["dealt"]["cards"] = dict(zip(cards, [*list(cards.values())[1:], *list(cards.values())[:1]], strict=True))


def other_commitment(fair: dict[str, Any]) -> None:
    """Replace the secret by one with another commitment than the published one."""
    if fair["previous"]:
        secret = "ab" * 32
        fair["previous"]["secret"] = secret
        fair["previous"]["commitment"] = hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def other_seed(fair: dict[str, Any]) -> None:
    """Replace a revealed seed by another one."""
    if fair["previous"]:
        fair["previous"]["seeds"]["1"] = "cd" * 16


def own_seed(fair: dict[str, Any]) -> None:
    """Add a seed of the server that was not committed."""
    if fair["previous"]:
        fair["previous"]["seeds"]["2"] = "ef" * 16
        fair["previous"]["givers"]["2"] = "Pip"


@pytest.mark.parametrize(
    ("cheat", "finds"),
    [
        (other_seats, "Unfair deal: the cards went to other seats."),
        (other_commitment, "Unfair deal: the list of seeds was changed."),
        (other_seed, "Unfair deal: it used a seed that was not promised."),
        (own_seed, "Unfair deal: it used a seed that was not promised."),
    ],
)
def test_a_page_detects_a_cheating_server(
    new_context: NewContext, server: Server, cheat: Callable[[dict[str, Any]], None], finds: str
) -> None:
    ana = Guest(new_context().new_page(), "Ana")
    told_over(ana, cheat)
    with_bots(ana, server)
    play_with_bots(ana)
    expect(find.zone(ana.page, "banner")).to_contain_text(finds)
    expect(fairness_of(ana)).to_contain_text(finds)
    expect(ana.page.locator("[data-count=unfair]")).to_have_text("Unfair deals: 1")


def test_a_page_reports_that_its_seed_was_left_out(new_context: NewContext, server: Server) -> None:
    ana = Guest(new_context().new_page(), "Ana")

    def between(page: WebSocketRoute) -> None:
        house = page.connect_to_server()
        page.on_message(lambda text: None if json.loads(text)["t"] == "seed" else house.send(text))
        house.on_message(page.send)

    ana.page.route_web_socket("**/ws/**", between)
    with_bots(ana, server)
    play_with_bots(ana)
    fairness = fairness_of(ana)
    expect(fairness).to_contain_text("This page has checked the last deal: it was fair.")
    expect(fairness).to_contain_text("Your seed was left out of the last deal.")
    expect(fairness).to_contain_text("Your seed was left out: 1")
