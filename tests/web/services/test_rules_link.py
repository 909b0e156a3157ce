"""Test links with rules: they contain only the changes, and unknown parts are reported."""

import html
import json
import random
import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from app.arena.random_rules import random_options
from app.engine.games import GAMES
from app.web.services import rules_link
from tests.web.visitors import Visitor

HTML = {"Accept": "text/html"}


def fields(link: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_parsing_a_rules_link_restores_the_same_options(game: Any) -> None:
    rng = random.Random(game.key)
    asked = [{"preset": preset.key} for preset in game.option_schema.presets]
    asked += [random_options(game, rng).to_json() for _ in range(30)]
    for each in asked:
        options = game.option_schema.resolve_options(each)
        back = rules_link.parse_rules_link(fields(rules_link.rules_url(game, options.to_json())))
        assert back.problems == ()
        preset = {} if back.preset is None else {"preset": back.preset}
        assert game.option_schema.resolve_options({**preset, **back.changes}) == options


def test_a_rules_link_contains_only_options_that_differ() -> None:
    game = GAMES["president"]
    options = game.option_schema.resolve_options({"preset": "toronto", "jokers": 1})
    assert rules_link.rules_url(game, options.to_json()) == "/new?game=president&preset=toronto&jokers=1"
    assert (
        rules_link.rules_url(game, game.option_schema.resolve_options().to_json()) == "/new?game=president&preset=pagat"
    )
    steps = GAMES["big_two"].option_schema.resolve_options({"doubling": [[8, 2], [10, 3]]})
    assert rules_link.rules_url(GAMES["big_two"], steps.to_json()) == "/new?game=big_two&preset=pagat&doubling=8:2,10:3"


async def begins_with(ana: Visitor, link: str) -> tuple[dict[str, Any], str]:
    """Return the form's initial values, and the text of the page."""
    page = (await ana.http.get(link, headers=HTML)).text
    found = re.search(r'data-game="(\w*)" data-preset="(\w*)" data-changes="([^"]*)"', page)
    assert found
    return {"game": found[1], "preset": found[2], "changes": json.loads(html.unescape(found[3]))}, html.unescape(page)


async def test_a_rules_link_prefills_the_form(ana: Visitor) -> None:
    begins, page = await begins_with(ana, "/new?game=president&preset=toronto&jokers=1")
    assert begins == {"game": "president", "preset": "toronto", "changes": {"jokers": 1}}
    assert 'role="alert"' not in page
    for link, preset in (("/new?game=president&jokers=1", "pagat"), ("/new?game=president", ""), ("/new", "")):
        assert (await begins_with(ana, link))[0]["preset"] == preset, "only options of an old link need its preset"


async def test_unknown_parts_of_a_rules_link_are_reported_and_the_rest_is_used(ana: Visitor) -> None:
    bad = "/new?game=president&preset=tronto&jokers=1&wings=2&twos=%22%3E%3Cb%3E"
    begins, page = await begins_with(ana, bad)
    assert begins == {"game": "president", "preset": "", "changes": {"jokers": 1}}
    for said in ("The preset “tronto” does not exist", "This game has no option “wings”", "“twos” can’t be"):
        assert said in page
    begins, page = await begins_with(ana, "/new?game=bridge&jokers=1")
    assert begins["game"] == ""
    assert "The game “bridge” does not exist" in page
    assert (await ana.http.get("/new?" + "&".join(f"x{n}={n}" for n in range(900)), headers=HTML)).status_code == 200


async def test_checked_options_are_returned_with_their_rules_link(ana: Visitor) -> None:
    asked = {"game": "president", "options": {"preset": "merchants", "target": 7}}
    answer = (await ana.http.post("/api/options", json=asked)).json()
    assert answer["link"] == "/new?game=president&preset=merchants&target=7"


async def test_the_rules_page_of_a_room_links_to_a_new_room_with_the_same_rules(ana: Visitor) -> None:
    code = (await ana.open(options={"preset": "toronto", "jokers": 1}))["code"]
    page = html.unescape((await ana.http.get(f"/r/{code}/rules", headers=HTML)).text)
    assert 'href="/new?game=president&preset=toronto&jokers=1"' in page


async def test_the_catalogue_is_compressed_and_cached_by_etag(ana: Visitor) -> None:
    first = await ana.http.get("/api/games")
    assert first.headers["content-encoding"] == "gzip"
    again = await ana.http.get("/api/games", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""
    plain = await ana.http.get("/api/games", headers={"Accept-Encoding": "identity"})
    assert plain.json() == first.json()
