"""Test that a client of the API is marked in the waiting room, at its seat, in the log and in the list of people."""

import json
from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect
from websockets.sync.client import connect

from app.rooms.views.delta import VERSION
from tests.e2e import find
from tests.e2e.people.guests import Guest
from tests.e2e.server import Server


def test_an_api_player_is_marked_as_a_program_everywhere(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    ana = Guest(new_context(viewport={"width": 390, "height": 844}).new_page(), "Ana")
    ana.open_room(server.url, bots=["easy"])
    page = ana.page
    code = page.url.rpartition("/")[2]
    token = page.request.post(f"{server.url}/api/people", data={}).json()["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    address = f"ws{server.url.removeprefix('http')}/ws/{code}?protocol={VERSION}"
    with connect(address, additional_headers=bearer, proxy=None) as robin:
        robin.send(json.dumps({"t": "join", "id": "r1", "name": "Robin", "program": True}))
        expect(find.lobby_seats(page).locator("li", has_text="Robin")).to_contain_text("API client")
        expect(find.lobby_seats(page).locator("li", has_text="Ana")).not_to_contain_text("program")
        find.start_match(page)
        seat = (
            page.get_by_role("list", name="Players, clockwise from your left")
            .get_by_role("listitem")
            .filter(has_text="Robin")
        )
        expect(seat).to_contain_text("API client plays")
        find.open_menu(page, "Host", "People")
        expect(page.locator("[data-zone=people] li", has_text="Robin")).to_contain_text("API client")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Game log").click()
        expect(find.zone(page, "log-box")).to_contain_text("Robin, an API client, joins the room.")
    assert not ana.complaints
