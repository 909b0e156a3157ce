"""Test the stats of a room with three evenings, by sight and by screen reader, at every size."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.databases.played_rooms import HANDS, TOKEN
from tests.e2e.pages.test_pages import AXE, complaints
from tests.e2e.pictures.layout import at_every_size
from tests.e2e.server import ROOT, Server

NewContext = Callable[..., BrowserContext]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    """Start a server with the three evenings, and return it with the room's code."""
    server = Server(tmp_path_factory.mktemp("books"))
    made = subprocess.run(
        [sys.executable, "-m", "tests.e2e.databases.played_rooms", str(server.folder / "rooms.sqlite3")],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    server.start()
    yield server, made.stdout.strip()
    server.stop()


def as_ana(context: BrowserContext, server: Server) -> Page:
    context.add_cookies([{"name": "pecking_order", "value": TOKEN, "url": server.url}])
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    return page


def test_charts_can_be_read_by_slider_name_and_table(new_context: NewContext, room: tuple[Server, str]) -> None:
    server, code = room
    page = as_ana(new_context(), server)
    page.goto(f"{server.url}/r/{code}/book")
    assert re.search(r"<div [^>]*data-rows=[^>]* hidden>", page.request.get(page.url).text()), "no script, no slider"
    slider = page.get_by_role("slider", name="Choose a hand")
    expect(slider).to_have_attribute("max", str(HANDS[2] - 1))
    rows = page.locator("#hands-ceausescu tbody tr")
    expect(rows).to_have_count(HANDS[2])
    said = page.locator("[data-rows] > p")
    for key, hand in (("Home", 1), ("ArrowRight", 2), ("End", HANDS[2])):
        slider.press(key)
        expect(said).to_contain_text(f"Hand {hand}:")
        spoken = slider.get_attribute("aria-valuetext") or ""
        assert "Ana: " in spoken
        assert spoken == said.text_content()
        link = page.get_by_role("link", name="Watch this hand")
        expect(link).to_have_attribute("href", rows.nth(hand - 1).locator("a").get_attribute("href") or "-")
    # The last hand is in view first, where the lines end at the names. Keyboard focus scrolls to the first hand.
    box = page.locator("#ceausescu-ranks [role=img]")
    page.set_viewport_size({"width": 390, "height": 844})
    slider.press("Home")
    assert box.evaluate("box => box.scrollLeft") == 0
    slider.press("End")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth - box.scrollLeft") < 2
    box.click(position={"x": 5, "y": 20})
    expect(said).not_to_contain_text(f"Hand {HANDS[2]}:")
    # Focus on a name highlights its line.
    name = page.locator("#ceausescu-ranks button[data-who]", has_text="Bob")
    name.focus()
    name.press("Enter")
    expect(name).to_have_attribute("aria-pressed", "true")
    # The line is marked in the chart and on the way to the name.
    assert page.locator("#ceausescu-ranks svg:has(path[data-pointed])").count() == 2
    assert page.locator("#ceausescu-points [data-pointed]").count() == 0
    name.press("Enter")
    assert page.locator("[data-pointed]").count() == 0
    # Every line ends at the height of its name beside the chart.
    order = page.locator("#ceausescu-ranks button[data-who]").evaluate_all("all => all.map(each => each.dataset.who)")
    ends = page.locator("#ceausescu-ranks svg:not([role=img] *) path[data-who]").evaluate_all(
        "all => all.map(each => each.dataset.who)"
    )
    assert order == ends


def test_stats_show_what_was_played(new_context: NewContext, room: tuple[Server, str]) -> None:
    server, code = room
    page = as_ana(new_context(), server)
    page.goto(f"{server.url}/r/{code}")
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog[open]").get_by_role("link", name="Room stats").click()
    expect(page.locator("h1")).to_have_text(f"Stats of room {code}")
    main = page.locator("main")
    for text in (
        "Longest run as King",
        "Longest run as Serf",
        "Numbers",
        "Rivals",
        "Sing until you win",
        "pays",
        "cents",
    ):
        expect(main).to_contain_text(text)
    counts = re.findall(r"Strongest rival of .+ above: (\d+), below: (\d+)", main.inner_text())
    assert counts
    assert all(int(above) > int(below) for above, below in counts)
    page.goto(f"{server.url}/r/{code}/book?since=all")
    # Tables contain only what the game has, so no row is empty, and Big Two has no titles.
    for table in page.locator("table:not([id])").all():
        assert all(table.locator("tbody tr").evaluate_all("all => all.map(row => row.querySelector('td:not(:empty)'))"))
    two = page.locator("section[aria-labelledby^=all-]", has=page.locator("#all-big_two"))
    expect(two.locator("table:not([id])")).not_to_contain_text("Hands as ")
    expect(page.locator("[aria-labelledby=evenings] a")).to_have_count(3)
    page.locator("[aria-labelledby=evenings] a").last.click()
    expect(page.locator("[aria-labelledby=evening] section > h3")).to_have_text("President")
    expect(page.locator("section", has=page.locator("#settlement"))).to_contain_text("at the current stake")
    expect(page.locator("[aria-labelledby=settlement] li").first).to_contain_text("cents")
    expect(page.get_by_role("slider")).to_have_attribute("max", str(HANDS[0] - 1))
    # The amounts of the named reasons add up to the points.
    page.goto(f"{server.url}/r/{code}/book")
    why = page.get_by_role("table", name="Points in this session by reason and player")
    expect(why).to_contain_text("First place: King")
    cells = why.locator("tbody td").all_inner_texts()
    ends = page.locator("#ceausescu-points button[data-who] small").all_inner_texts()
    brought = [
        sum(int(cell.replace("−", "-") or 0) for cell in cells[chair :: len(ends)]) for chair in range(len(ends))
    ]
    assert brought == [int(end.replace("−", "-")) for end in ends]
    # All moments and all decrees are on separate pages, also for one person.
    for heading, every in (("Decrees", "All decrees"), ("Highlights", "All highlights")):
        page.goto(f"{server.url}/r/{code}/book")
        page.get_by_role("link", name=every).click()
        expect(page.locator("h1")).to_have_text(heading)
        expect(page.locator("[data-zone=moments] a").first).to_be_visible()
    page.get_by_role("link", name="Room stats").click()
    # A moment links to its move.
    page.goto(f"{server.url}/r/{code}/book")
    page.locator("[data-zone=moments] a[href*='&move=']").first.click()
    expect(page.locator("#replay")).to_have_attribute("data-step", page.url.partition("move=")[2].partition("&")[0])
    page.goto(server.url)
    page.locator("ul:has(a[href^='/r/'])").get_by_role("link", name="Room stats").click()
    expect(page.locator("h1")).to_contain_text(code)
    page.goto(f"{server.url}/me")
    expect(page.locator("main")).to_contain_text("Everyone starts at 1,500")
    expect(page.get_by_role("img", name="Your average places over 3 sessions.")).to_be_visible()
    expect(page.locator("main")).to_contain_text(re.compile(r"\d+ hands at the top"))
    page.locator("[aria-labelledby=rooms] a", has_text=code).click()
    expect(page.locator("h1")).to_contain_text(code)


def test_stats_can_be_shared_by_a_link_until_it_is_withdrawn(new_context: NewContext, room: tuple[Server, str]) -> None:
    server, code = room
    page, reader = as_ana(new_context(), server), new_context().new_page()
    page.goto(f"{server.url}/r/{code}/book")
    page.get_by_role("button", name="Make link").press("Enter")
    link = page.get_by_role("textbox", name="Link to these stats").input_value()
    page.get_by_role("button", name="Copy link").press("Enter")
    expect(page.locator("[aria-labelledby=link] [role=status]")).not_to_be_empty()
    reader.goto(link)
    expect(reader.locator("h1")).to_have_text("Stats of this room")
    expect(reader.locator("figure").first).to_be_visible()
    assert code not in reader.content()
    page.get_by_role("button", name="Delete link").press("Enter")
    expect(page.get_by_role("button", name="Make link")).to_be_visible()
    answer = reader.goto(link)
    assert answer is not None
    assert answer.status == 404


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_stats_pages_have_no_layout_errors_at_any_size(
    new_context: NewContext, room: tuple[Server, str], scheme: str
) -> None:
    server, code = room
    if not Path(AXE).exists():
        pytest.skip("axe-core is not installed (npm ci)")
    page = as_ana(new_context(color_scheme=scheme, bypass_csp=True), server)
    wrong: list[str] = []
    for path in (f"/r/{code}/book", f"/r/{code}/book/moments", "/me", "/me/moments"):
        page.goto(server.url + path)
        page.wait_for_load_state("networkidle")
        for table in page.locator("details summary").all():
            table.click()
        wrong += complaints(page)
        wrong += [f"{path} {size}: {each}" for size, found in at_every_size(page) for each in found]
    assert wrong == []
