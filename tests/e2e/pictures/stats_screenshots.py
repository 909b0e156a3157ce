"""Take the picture of a room's statistics for README.md: `python -m tests.e2e.pictures.stats_screenshots FOLDER`.

It writes `book-phone.png`.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.e2e.conftest import installed
from tests.e2e.databases.played_rooms import TOKEN, three_evenings, write
from tests.e2e.server import Server

LOOKS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2},
}


def main(folder: Path) -> None:
    """Make a room with three evenings, and take pictures that start with the charts of an evening."""
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place))
        code = asyncio.run(write(server.folder / "rooms.sqlite3", three_evenings()))
        server.start()
        try:
            take(f"{server.url}/r/{code}/book", server.url, folder)
        finally:
            server.stop()


def take(page_url: str, site: str, folder: Path) -> None:
    """Take a picture of the part below the heading in each look."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed())
        for look, how in LOOKS.items():
            context = browser.new_context(**how, locale="en-GB")
            context.add_cookies([{"name": "pecking_order", "value": TOKEN, "url": site}])
            page = context.new_page()
            page.goto(page_url)
            page.wait_for_selector("[data-rows]:not([hidden])")
            page.locator("#evening").evaluate("each => each.scrollIntoView()")
            page.screenshot(path=folder / f"book-{look}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
