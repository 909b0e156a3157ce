"""Test the import of match files: dropped or chosen by keyboard, watched, saved, and refused with a reason."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e import find
from tests.e2e.people.guests import Guest
from tests.e2e.server import Server

NAMES = ("Bartholomew", "Clementine", "Dan", "Evangeline", "Fay", "Gustavo")
SIZES = ((390, 844), (360, 640), (844, 390), (1440, 900))

DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "application/json" }));
  document.querySelector("main").dispatchEvent(
    new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def catch_choosers(page: Page) -> None:
    """Catch every file dialog from now on.

    Registering only when a key is pressed may be too late: the key reaches the page first, and the dialog is missed.
    """
    page.on("filechooser", lambda chooser: None)


def a_match() -> dict[str, Any]:
    """Return a match of President with one seeded hand and no actions."""
    return {
        "format": "climbing-record/1",
        "game": "president",
        "players": ["<i>Ana</i>", "Bob", "Cat"],
        "hands": [{"seed": 7, "actions": []}],
    }


def test_a_match_file_can_be_dropped_watched_and_saved(page: Page, server: Server) -> None:
    guest = Guest(page, "Ana")
    catch_choosers(page)
    page.goto(f"{server.url}/history")
    page.get_by_role("link", name="Import match or room").click()
    said = page.locator("#import-said")
    expect(page.locator("#file")).to_be_visible()

    page.evaluate(DROP, ["holiday.json", "[]"])
    expect(said).to_contain_text("“climbing-record/1” or “climbing-room/1”")
    bad = a_match()
    bad["hands"][0]["actions"] = [{"do": "play", "by": "Bob", "cards": "3c 9d"}]
    page.evaluate(DROP, ["bad.json", json.dumps(bad)])
    expect(page.locator("#import [data-zone=brought] [data-problem]")).to_contain_text(
        "Hand 1, action 1: the current rules refuse it."
    )
    expect(page.locator("#import").get_by_role("button", name="Save")).to_have_count(0)

    page.evaluate(DROP, ["match.json", json.dumps(a_match())])
    expect(page.locator("#import th", has_text="<i>Ana</i>")).to_be_visible()
    many = {**a_match(), "players": ["Maximiliane", *NAMES]}
    page.evaluate(DROP, ["many.json", json.dumps(many)])
    expect(page.locator("#import th", has_text="Maximiliane")).to_be_visible()
    for large in (False, True):
        page.evaluate("(large) => { document.documentElement.style.fontSize = large ? '200%' : ''; }", large)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height, large)
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.evaluate(DROP, ["match.json", json.dumps(a_match())])
    expect(page.locator("#import th", has_text="<i>Ana</i>")).to_be_visible()
    expect(find.zone(page, "deal")).to_have_text(["no proof"])

    page.get_by_role("link", name="Watch hand 1").click()
    expect(page.locator("#replay[data-steps='1']")).to_be_visible()
    page.reload()
    expect(page.locator("#replay")).to_contain_text("President · hand 1")
    page.get_by_role("link", name="All hands of this match").click()

    # With the keyboard alone, from the top of the page: choose a file and press the button.
    page.locator("#file").focus()
    with page.expect_file_chooser() as chosen:
        page.keyboard.press("Enter")
    chosen.value.set_files(
        {"name": "match.json", "mimeType": "application/json", "buffer": json.dumps(a_match()).encode()}
    )
    keep = page.get_by_role("button", name="Save match", exact=True)
    expect(keep).to_be_visible()
    page.keyboard.press("Tab")
    expect(keep).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-imported]")).to_contain_text(
        "It was not played here and does not count for stats or ratings."
    )
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Delete imported match").click()
    expect(page).to_have_url(f"{server.url}/history/import")
    assert guest.complaints == []


def a_room(*matches: dict[str, Any]) -> str:
    """Return a room file that is too large for one request, so that the page uploads it match by match."""
    told = [{"record": {**match, "ignored": ["x" * 1000] * 600}} for match in matches]
    return json.dumps({"format": "climbing-room/1", "matches": told})


def test_a_long_room_file_is_imported_match_by_match_and_can_be_stopped(page: Page, server: Server) -> None:
    guest = Guest(page, "Ana")
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url.removeprefix(server.url)))
    page.goto(f"{server.url}/history/import")
    said = page.locator("#import-said")
    expect(page.locator("#file")).to_be_visible()

    page.evaluate(DROP, ["room.json", a_room(a_match(), a_match(), {**a_match(), "hands": []})])
    expect(said).to_have_text("Match 3: No hand was played in this match.")
    asked = [f"/api/imports?first={number}" for number in (1, 2, 3)]
    assert [path for path in sent if path.startswith("/api/imports")] == asked
    expect(page.locator("progress, [data-zone=brought]")).to_have_count(0)
    page.evaluate(DROP, ["one.json", json.dumps({**a_match(), "ignored": "x" * 9_000_000})])
    expect(said).to_have_text("This file is too large. The limit is 8 MB.")

    # After a stop the page is as before the import.
    page.route("**/api/imports?first=2", lambda route: None)
    page.evaluate(DROP, ["room.json", a_room(a_match(), a_match())])
    progress = page.get_by_role("progressbar", name="Matches read so far")
    expect(progress).to_have_attribute("value", "1")
    expect(progress).to_have_attribute("max", "2")
    page.get_by_role("button", name="Stop").press("Enter")
    expect(said).to_have_text("Stopped.")
    expect(progress).to_have_count(0)
    expect(page.locator("#file")).to_be_focused()
    page.unroute_all()

    other = {**a_match(), "players": ["Zoe", "Bob", "Cat"]}
    page.evaluate(DROP, ["room.json", a_room(a_match(), other)])
    # Matches saved before the refusal stay saved, and the page says so.
    page.route("**/api/imports/kept?first=2", lambda route: route.continue_(post_data=" "))
    keep = page.get_by_role("button", name="Save 2 matches")
    keep.click()
    expect(said.locator("p")).to_have_text(["This file is empty.", "The match before it is saved."])
    expect(progress).to_have_count(0)
    page.unroute_all()
    keep.click()
    expect(page.locator("section li:has(> a[href^='/matches/'])")).to_have_count(2)
    assert guest.complaints == []
