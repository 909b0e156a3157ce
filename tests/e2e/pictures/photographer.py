"""Take screenshots of a page at every size, in light and dark colours, and with other settings."""

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page

Pose = Callable[[Page], None]
"""Brings a page to the state for its picture."""


@dataclass(frozen=True)
class Look:
    """The browser settings for a picture."""

    name: str
    how: Mapping[str, Any]
    """Arguments for a browser context."""
    text: int = 100
    """Text size in percent."""
    likes: Mapping[str, str] = field(default_factory=dict)
    """Stored preferences, by their names in `lib/preferences.js`."""


def _screen(width: int, height: int, *, touch: bool = False) -> dict[str, Any]:
    held: dict[str, Any] = {"device_scale_factor": 2, "has_touch": True} if touch else {}
    return {"viewport": {"width": width, "height": height}, **held}


SIZES = (
    Look("phone", _screen(390, 844, touch=True)),
    Look("small", _screen(360, 640, touch=True)),
    Look("across", _screen(844, 390, touch=True)),
    Look("desktop", _screen(1440, 900)),
)
TELEVISION = (Look("television", _screen(1920, 1080)),)
OTHERWISE = tuple(
    look
    for size in SIZES
    if size.name in ("phone", "desktop")
    for look in (
        Look(f"forced-{size.name}", {**size.how, "forced_colors": "active"}),
        Look(f"large-{size.name}", size.how, text=200),
        Look(f"four-{size.name}", size.how, likes={"suits": "four", "felt": "blue", "back": "lattice"}),
        Look(f"left-{size.name}", size.how, likes={"thumb": "left"}),
    )
)
SCHEMES = ("light", "dark")

LIKES = """(likes) => {
  try {
    localStorage.clear();
    for (const [key, value] of Object.entries(likes)) localStorage.setItem(`po.${key}`, value);
  } catch {
    // A page of nobody's, before the first one is opened.
  }
}"""
ENLARGE = """(percent) => {
  document.documentElement.style.setProperty("font-size", `${percent}%`);
  window.dispatchEvent(new Event("resize"));
}"""
AT_REST = """() => document.getAnimations().every(
  (each) => each.playState !== "running" || each.effect.getTiming().iterations === Infinity,
)"""

TALLEST = 4000
"""The largest height of a picture in pixels. Long rules pages are cut."""


class Photographer:
    """Takes pictures into a folder, and prints the errors that browsers report."""

    def __init__(self, browser: Browser, folder: Path, cookies: Iterable[Any]) -> None:
        """`cookies` make the browser a known player's."""
        self.browser = browser
        self.folder = folder
        self.cookies = list(cookies)
        self.taken = 0
        self.complaints: list[str] = []
        self._contexts: dict[tuple[str, bool], BrowserContext] = {}

    def complain(self, about: str, words: object) -> None:
        """Report an error."""
        self.complaints.append(f"{about}: {words}")
        print(self.complaints[-1], file=sys.stderr, flush=True)

    def take(self, name: str, pose: Pose, looks: Iterable[Look], *, stranger: bool = False) -> None:
        """Take this picture in each look, light and dark. A stranger has no cookies."""
        began = time.monotonic()
        for look in looks:
            about = f"{name}-{look.name}"
            page = self._context(look, stranger=stranger).new_page()
            page.on("console", partial(self._listen, about))
            page.on("pageerror", partial(self.complain, about))
            try:
                pose(page)
                if look.text != 100:
                    page.evaluate(ENLARGE, look.text)
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                    page.wait_for_function(AT_REST)
                    self._take(page, f"{about}-{scheme}")
            except Error as error:
                self.complain(about, error)
            page.close()
        print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)

    def _context(self, look: Look, *, stranger: bool) -> BrowserContext:
        """Return the browser context for this look, which is reused. Each page starts with fresh storage."""
        if (look.name, stranger) not in self._contexts:
            context = self.browser.new_context(**look.how, locale="en-GB", service_workers="block")
            context.add_init_script(f"({LIKES})({dict(look.likes)})")
            if not stranger:
                context.add_cookies(self.cookies)
            self._contexts[look.name, stranger] = context
        return self._contexts[look.name, stranger]

    def _listen(self, about: str, said: Any) -> None:
        # The page for "not found" reports a failed load.
        if said.type == "error" and not ("Failed to load" in said.text and about.startswith("nothing")):
            self.complain(about, said.text)

    def _take(self, page: Page, name: str) -> None:
        root = "document.documentElement"
        wide, high, room = page.evaluate(f"[{root}.scrollWidth, {root}.scrollHeight, innerWidth]")
        if wide > room:
            self.complain(name, f"scrolls sideways: {wide}")
        whole = page.locator("#room, #screen, #learn, #replay").count() == 0
        clip: Any = {"x": 0, "y": 0, "width": room, "height": min(high, TALLEST)} if whole else None
        page.screenshot(path=self.folder / f"{name}.png", full_page=whole, clip=clip, animations="allow")
        self.taken += 1
