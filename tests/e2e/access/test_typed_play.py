"""Test that text typed by people is shown as typed and never runs or becomes part of a page.

Every field gets texts known from attacks (`markup_in_names.py`), and a browser visits every page that shows any of
them. The pages' policy would stop most scripts. This test shows that it has none to stop.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from app.web.matches.search import LONGEST
from tests.e2e import find
from tests.e2e.databases.markup_in_names import NAMES, TEXTS, UNIT
from tests.e2e.databases.played_rooms import TOKEN
from tests.e2e.pages.test_import import DROP, a_match
from tests.e2e.server import ROOT, Server

LISTEN = """
window.ran = () => { tell("ran"); };
addEventListener("securitypolicyviolation", (event) => tell(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""
"""Runs before any script of a page."""
FOREIGN = """() => [...document.querySelectorAll("*")].flatMap((one) => [
  ...one.getAttributeNames().filter((name) => /^on|^srcdoc$/.test(name)).map((name) => `${one.tagName} ${name}`),
  ...(one.matches("iframe, math, base, object, embed, script:not([src]), style, [http-equiv], [xmlns]")
    ? [one.tagName] : []),
  ...(/^\\s*(javascript|data|vbscript):/i.test(one.getAttribute("href") ?? "") ? [`${one.tagName} href`] : []),
])"""
"""Finds elements that no page of the project has."""
ELSEWHERE = (
    "/r/{}", "/r?code={}", "/j/{}", "/r/CODE42/seat/{}", "/r/CODE42/book/{}", "/r/CODE42/book?evening={}", "/rules/{}",
    "/docs/{}", "/new?game={}", "/book/{}", "/device/{}", "/recover/{}", "/matches/{}", "/matches/{}/replay",
    "/me/moments?before={}", "/history/import/{}/replay", "/{}", "/?{}", "/r/CODE42?{}#{}", "/me?x={}#{}",
    "/static/{}",
)  # fmt: skip
"""Addresses that contain typed text."""


class Watched:
    """A page and the forbidden things it did."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self._told: list[str] = []
        page.expose_function("tell", lambda what: self._told.append(f"{page.url}: {what}"))
        page.add_init_script(LISTEN)
        page.on("dialog", lambda dialog: (self._told.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("pageerror", lambda error: self._told.append(f"{page.url}: {error}"))
        page.on("console", self._listen)

    def _listen(self, said: Any) -> None:
        # A missing page or a connection closed with its page is not an error.
        if said.type == "error" and not any(word in said.text for word in ("Failed to load", "WebSocket")):
            self._told.append(f"{self.page.url}: {said.text}")

    def visit(self, path: str, *shown: str) -> None:
        """Open a page, and check that it shows these texts unchanged and contains only the project's elements."""
        self.page.goto(f"{self.url}{path}")
        for text in shown:
            expect(self.page.locator("main")).to_contain_text(text)
        self.look()

    def look(self) -> None:
        """Check that no typed text has run or become part of the page."""
        assert self.page.evaluate(FOREIGN) == [], self.page.url
        assert self._told == []


@pytest.fixture(scope="module")
def typed_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with the rooms of `markup_in_names.py`."""
    server = Server(tmp_path_factory.mktemp("typed"))
    command = [sys.executable, "-m", "tests.e2e.databases.markup_in_names", str(server.folder / "rooms.sqlite3")]
    subprocess.run(command, cwd=ROOT, check=True)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def watched(browser: Browser, typed_at: Server) -> Iterator[Watched]:
    """Open Ana's browser."""
    context = browser.new_context(reduced_motion="reduce", user_agent="x<svg onload=ran()>")
    context.add_cookies([{"name": "pecking_order", "value": TOKEN, "url": typed_at.url}])
    yield Watched(context.new_page(), typed_at.url)
    context.close()


def test_names_stakes_and_decrees_are_shown_as_typed(watched: Watched) -> None:
    page = watched.page
    watched.visit("/r/CODE42", *NAMES)
    expect(find.seats(page).first).to_be_visible()
    watched.visit("/r/CODE43", *NAMES)
    expect(find.result(page)).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    watched.look()
    page.locator("[data-open=settle]").last.click()
    expect(page.get_by_role("dialog")).to_contain_text(UNIT)
    watched.look()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Chat and reactions").click()
    said = [text for text in TEXTS if text.isprintable()][:4]
    for text in said:
        page.locator("dialog form input[name=text]").fill(text)
        page.keyboard.press("Enter")
        expect(page.locator("dialog form input[name=text]")).to_have_value("")
    for text in said:
        expect(page.get_by_role("dialog")).to_contain_text(text)
    expect(page.locator("[data-shown=words] > span")).to_have_text(said[-1])
    watched.look()

    watched.visit("/")
    watched.visit("/me")
    watched.visit("/me/settings")
    watched.visit("/me/moments")
    watched.visit("/r/CODE42/rules")
    watched.visit("/r/CODE42/book", *NAMES)
    for kind in ("moments", "decrees"):
        watched.visit(f"/r/CODE42/book/{kind}")
    expect(page.locator("main")).to_contain_text(TEXTS[-1])
    page.goto(f"{watched.url}/r/CODE42/book")
    page.locator("[aria-labelledby=link] button").click()
    link = page.locator("[aria-labelledby=link] input").input_value()
    watched.visit(link.removeprefix(watched.url), *NAMES)

    watched.visit("/history", *NAMES)
    page.goto(f"{watched.url}/history?room=CODE42")
    match = page.locator("a[href^='/matches/']").first.get_attribute("href")
    assert match is not None
    watched.visit(match, *NAMES, *TEXTS)
    watched.visit(f"{match}/moments")
    watched.visit(f"{match}/replay?hand=1&seat={quote(NAMES[0])}&follow={quote(TEXTS[1])}")
    page.wait_for_selector("#replay[data-step]")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    watched.look()


def test_files_searches_and_addresses_are_never_run_as_code(watched: Watched) -> None:
    page = watched.page
    watched.visit("/history/import")
    expect(page.locator("#file")).to_be_visible()
    kept = {**a_match(), "players": list(NAMES), "title": TEXTS[0]}
    for text in TEXTS:
        for wrong in ({"format": text}, {"game": text}, {"options": {text: text}}, {"players": [text, "B", "C"]},
                      {"hands": [{"seed": 7, "actions": [{"do": text, "by": text}]}]}, {text: text}):  # fmt: skip
            with page.expect_response("**/api/imports"):
                page.evaluate(DROP, [f"{text}.json", json.dumps({**a_match(), **wrong})])
    page.evaluate(DROP, [f"{TEXTS[1]}.json", json.dumps(kept)])
    expect(page.locator("#import th", has_text=NAMES[0])).to_be_visible()
    watched.look()
    page.get_by_role("link", name="Watch hand 1").click()
    page.wait_for_selector("#replay[data-steps]")
    watched.look()

    for text in (*TEXTS[::2], *NAMES[::2]):
        fields = ("q", "person", "room", "game", "from", "to", "before", "zone", "offset")
        watched.visit("/history?" + "&".join(f"{field}={quote(text)}" for field in fields))
        expect(page.locator("input[name=q]")).to_have_value("".join(filter(str.isprintable, text))[:LONGEST])
    for number, path in enumerate(ELSEWHERE):
        text = (*TEXTS, *NAMES)[number % len((*TEXTS, *NAMES))]
        watched.visit(path.format(*[quote(text, safe="")] * path.count("{}")))

    refused = page.evaluate(
        """async (texts) => {
          const headers = {"content-type": "application/json"};
          const asked = texts.flatMap((text) => [{bird: text}, {colour: text}, {name: text.repeat(30)}]);
          const answers = asked.map((body) =>
            fetch("/api/me", {method: "PUT", headers, body: JSON.stringify({name: "Ana", ...body})}));
          return (await Promise.all(answers)).map((answer) => answer.status);
        }""",
        list(TEXTS),
    )
    assert set(refused) <= {400, 422}
