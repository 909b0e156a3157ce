"""Every page and the table in another language: a made-up one, served by a server that has its catalogue."""

import json
import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from app import resources
from app.web.texts import Catalogues
from tests.e2e.guests import Guest, play_with_bots
from tests.e2e.server import ROOT, Server
from tests.made_up import LANGUAGE, catalogue

PARTS = ("app", "static", "templates", "docs", "migrations")
KEPT = re.compile(
    r"\b(Ana|[JQKA](?=[♣♦♥♠\s]|$)|[A-Z0-9]{6}|(PRES|BIG|CEAU|ACE)-\d+|https?:\S+|127\.0\.0\.1\S*|English|s|x)\b"
)
"""What stays as it is: names, cards, codes of rooms, ids of rules, addresses, languages by their own name."""

READ = """() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: parent, textContent } = walker.currentNode;
    if (parent.closest("script, style, noscript, time, pre, code, .rule-id, .brand-name, .name, .source")) continue;
    texts.push(textContent);
  }
  for (const each of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
    for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.push(each.getAttribute(name) ?? "");
  return texts.map((text) => text.trim()).filter(Boolean);
}"""


@pytest.fixture(scope="module")
def abroad(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose static files have one more catalogue."""
    root = tmp_path_factory.mktemp("abroad")
    for part in PARTS:
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    texts = catalogue(Catalogues(resources.static() / "messages").english)
    (root / "static/messages" / f"{LANGUAGE}.json").write_text(json.dumps(texts))
    server = Server(tmp_path_factory.mktemp("server_abroad"), root)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Of somebody who reads the made-up language."""
    context = browser.new_context(locale=LANGUAGE, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def untranslated(page: Page, names: list[str]) -> list[str]:
    """Texts of a page that have three plain letters in a row, besides what stays as it is."""
    left = []
    for text in page.evaluate(READ):
        rest = KEPT.sub("", text)
        for name in names:
            rest = rest.replace(name, "")
        if re.search(r"[A-Za-z]{3}", rest):
            left.append(text)
    return left


def test_no_page_has_a_word_of_english(page: Page, abroad: Server) -> None:
    left: dict[str, list[str]] = {}
    games = page.request.get(f"{abroad.url}/api/games").json()["games"]
    sources = sorted({preset["source"] for game in games for preset in game["presets"]}, key=len, reverse=True)
    paths = ["/", "/new", "/history", "/rules", "/404", *(f"/rules/{game['key']}" for game in games)]
    for path in paths:
        page.goto(f"{abroad.url}{path}")
        if path == "/new":
            page.wait_for_selector("#new-room:not([aria-busy])")
        assert page.locator("html").get_attribute("lang") == LANGUAGE
        if found := untranslated(page, sources):
            left[path] = found[:20]
    assert not left


@pytest.mark.parametrize("game", ["president", "big_two", "ceausescu", "chase_the_ace"])
def test_a_match_is_told_without_a_word_of_english(page: Page, abroad: Server, game: str) -> None:
    ana = Guest(page, "Ana")
    ana.open_room(abroad.url, game=game, bots=["greedy", "greedy", "greedy"])
    names = [text for text in page.locator(".name").all_inner_texts() if text]
    # Until the declarations are here, a preset is called by its key.
    expect(page.locator(".rules-in-force b").first).not_to_have_text(re.compile("^[a-z_]+$"))
    left = {"lobby": untranslated(page, names)}
    page.locator("[data-do=start]").click()
    expect(page.locator(".hand")).to_be_visible()
    left["table"] = untranslated(page, names)
    play_with_bots(ana)
    left["result"] = untranslated(page, names)
    page.goto(f"{abroad.url}/history")
    page.locator(".match-list a").first.click()
    left["match"] = untranslated(page, names)
    page.locator(".buttons a.main").click()
    page.wait_for_selector(".felt")
    left["replay"] = untranslated(page, names)
    assert not any(left.values()), left


def test_the_language_is_chosen_below_every_page(page: Page, abroad: Server) -> None:
    page.goto(f"{abroad.url}/rules")
    page.locator(".languages button[value=en]").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.url == f"{abroad.url}/rules"
    expect(page.get_by_role("link", name="Rules").first).to_be_visible()
