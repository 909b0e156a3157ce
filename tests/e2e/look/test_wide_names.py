"""Test that names of twenty wide letters push nothing out of a narrow room. Other pages: test_layout.py."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from tests.e2e import find
from tests.e2e.pictures.layout import CUT_TEXTS, SETTLED, resize
from tests.e2e.pictures.stage import Stage, all_states, with_wide_names
from tests.e2e.server import Server

ROWS_TOO_LOW = """() => [...document.querySelectorAll("[data-zone=result] tbody tr[data-who]")].filter((row) =>
  [...row.querySelectorAll("*")].some((part) => {
    const [outer, inner] = [row, part].map((each) => each.getBoundingClientRect());
    return inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
  })).map((row) => `the row of ${row.dataset.who} is too low`)"""
"""Finds rows of a result that a bird or a name leaves (for Page.evaluate)."""


def test_a_name_of_twenty_wide_letters_does_not_overflow_a_room(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    states, found = all_states(), list[str]()
    stage = Stage(new_context(viewport={"width": 320, "height": 640}), server)
    page = stage.page

    def look(where: str) -> None:
        page.evaluate(SETTLED)
        found.extend(f"{where}: {each}" for each in page.evaluate(CUT_TEXTS))

    for name, shown in (("lobby_host", "lobby-seats"), ("turn_4", "hand"), ("result_8", "result")):
        stage.open(with_wide_names(states[name]))
        expect(find.zone(page, shown).first).to_be_visible()
        assert "W" * 18 in page.locator("main, #room").first.inner_text(), name
        look(name)
        for sheet in ("Menu", "Chat and reactions"):
            page.get_by_role("button", name=sheet).click()
            page.get_by_role("dialog").wait_for()
            look(f"{name}, {sheet}")
            page.keyboard.press("Escape")
    for size in ("390x844", "360x640"):
        resize(page, size)
        look(size)
        found += [f"{size}: {each}" for each in page.evaluate(ROWS_TOO_LOW)]
    assert not found, "\n".join(found)
