"""Test that a printed card of rules has at most ten lines of changes, the most important first, and counts the rest."""

import html
import re
from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from app.web.services import rules_link
from tests.web.visitors import Visitor


async def lines(ana: Visitor, path: str) -> list[str]:
    """Return the card's lines as text."""
    page = (await ana.http.get(path, headers={"Accept": "text/html"})).text
    _, _, card = page.partition('<section class="what-differs"')
    found = re.findall(r"<li[^>]*>(.*?)</li>", card.partition("</section>")[0])
    return [html.unescape(re.sub("<[^>]+>", "", each)) for each in found]


def changed(count: int) -> dict[str, Any]:
    """Return this number of compatible options with other values than the default."""
    president, asked = GAMES["president"].option_schema, dict[str, Any]()
    for switch in president.all_options:
        described = switch.domain.describe_for_form()
        if described["type"] != "choice" or len(asked) == count:
            continue
        value = next(each["value"] for each in described["values"] if each["value"] != switch.default)
        try:
            president.resolve_options({**asked, switch.key: value})
        except RuleError:
            continue
        asked[switch.key] = value
    assert len(asked) == count
    return asked


@pytest.mark.parametrize(
    ("count", "shown", "more"), [(1, 1, ""), (10, 10, ""), (11, 10, "And 2 more"), (14, 10, "And 5 more")]
)
async def test_changed_rules_are_listed_in_at_most_ten_lines(ana: Visitor, count: int, shown: int, more: str) -> None:
    president = GAMES["president"]
    options = president.option_schema.resolve_options(changed(count))
    code = (await ana.open(options=options.to_json()))["code"]
    told = await lines(ana, f"/r/{code}/rules")
    assert len(told) == shown
    order = [
        switch.name
        for key in president.option_schema.changes_from_preset(options)
        if (switch := president.option_schema.find_option(key))
    ]
    named = told[:-1] if more else told
    assert [line.partition(":")[0] for line in named] == order[: len(named)]
    assert more in told[-1]
    # A link without a room gives the same lines.
    link = rules_link.rules_url(president, options.to_json()).replace("/new?game=president", "/rules/president?")
    assert await lines(ana, link) == told


async def test_unchanged_rules_have_no_list_of_changes(ana: Visitor) -> None:
    assert await lines(ana, "/rules/president") == []
