"""Test that a printed card of rules fits on one page, even with many changed options."""

import re

import pytest
from playwright.sync_api import Page

from app.engine.games import GAMES
from app.web.services import rules_link
from tests.e2e.server import Server
from tests.web.pages.test_cards_of_rules import changed


@pytest.mark.parametrize("game", GAMES)
def test_printed_rules_fit_on_one_page(page: Page, server: Server, game: str) -> None:
    options = changed(20) if game == "president" else {}
    resolved = GAMES[game].option_schema.resolve_options(options)
    asked = rules_link.rules_url(GAMES[game], resolved.to_json()).partition("?")[2].partition("&")[2]
    page.goto(f"{server.url}/rules/{game}?{asked}")
    assert len(re.findall(rb"/Type /Page\b", page.pdf(format="Letter"))) == 1
