"""Test that a press counts only for the request that the page showed, with two tabs and with a delayed connection."""

import json
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from tests.e2e import find
from tests.e2e.look.test_pressing import could_play_first, turn_of
from tests.e2e.people.crowd import Crowd, crowd
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]
LATE = "Too late: the game has moved on."


class Line:
    """The connection of one page, which can be delayed in either direction."""

    def __init__(self, page: Page) -> None:
        self.holds_updates = self.holds_commands = False
        self._held: list[str | bytes] = []
        self._server: WebSocketRoute | None = None
        page.route_web_socket("**/ws/**", self._opened)

    def _opened(self, socket: WebSocketRoute) -> None:
        self._server = server = socket.connect_to_server()

        def from_page(text: str | bytes) -> None:
            if self.holds_commands and json.loads(text)["t"] == "act":
                self._held.append(text)
            else:
                server.send(text)

        def from_server(text: str | bytes) -> None:
            if not (self.holds_updates and json.loads(text)["t"] == "update"):
                socket.send(text)

        socket.on_message(from_page)
        server.on_message(from_server)

    @property
    def holds_something(self) -> bool:
        """Whether the page has sent an action that is still delayed."""
        return bool(self._held)

    def let_go(self) -> None:
        """Forward the delayed messages."""
        self.holds_commands = False
        assert self._server is not None
        for text in self._held:
            self._server.send(text)


def pages_of_ana(new_context: NewContext, server: Server, people: Crowd, count: int) -> list[tuple[Page, Line]]:
    """Open this number of tabs in one browser."""
    context = new_context()
    context.add_cookies(people.cookies("Ana", server.url))  # type: ignore[arg-type]
    tabs = []
    for _ in range(count):
        page = context.new_page()
        line = Line(page)
        page.goto(f"{server.url}/r/{people.code}")
        page.wait_for_selector("#room[data-seq]")
        tabs.append((page, line))
    return tabs


def test_a_second_press_in_another_tab_is_refused_as_too_late(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", bots_delay=0) as people:
        people.play_until(turn_of("Ana", could_play_first))
        (first, _), (second, line) = pages_of_ana(new_context, server, people, 2)
        expect(find.my_turn(second)).to_be_visible()
        line.holds_updates = True
        first.locator("[data-do=pass]").click()
        expect(find.my_turn(first)).to_have_count(0)
        seq = first.locator("#room").get_attribute("data-seq")
        second.locator("[data-do=pass]").click()
        expect(find.refusal(second)).to_contain_text(LATE)
        assert first.locator("#room").get_attribute("data-seq") == seq, "nothing was played"


def test_a_delayed_pass_does_not_count_for_the_next_turn(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", bots_delay=0) as people:
        people.play_until(turn_of("Ana", could_play_first))
        [(page, line)] = pages_of_ana(new_context, server, people, 1)
        line.holds_commands = True
        page.locator("[data-do=pass]").click()
        page.wait_for_function("() => document.querySelector('[data-do=pass]') !== null")
        assert line.holds_something
        # Ana plays on another device meanwhile, and reaches her next turn there.
        before = people.sees("Ana")["you"]["request"]
        people.play_until(turn_of("Ana", lambda seen: could_play_first(seen) and seen["you"]["request"] != before))
        asked = people.sees("Ana")["seq"]
        page.wait_for_function(f"() => Number(document.querySelector('#room').dataset.seq) >= {asked}")
        line.let_go()
        expect(find.refusal(page)).to_contain_text(LATE)
        expect(find.my_turn(page)).to_be_visible()
        assert people.sees("Ana")["seq"] == asked, "nothing was played"
