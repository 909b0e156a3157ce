"""A whole hand on a desktop and on a phone, as one animation: `python -m tests.e2e.pictures.animation FILE`.

Two people play against two bots: Ana on a desktop and Bob on a phone. The cards and their moves are fixed, so each
recording shows the same short hand. The browser records both pages at once. Time runs slower for the pages and the bots
than in the animation, so that a busy machine drops no frame. Pillow joins the two pages into one animated WebP file.

The frames have few colours and are compressed without loss. With lossy compression, cards leave marks where they flew,
and small text is blurred.
"""

import asyncio
import base64
import io
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from app.rooms.handlers.dispatch import build_new_room
from app.rooms.model.commands import Visitor
from app.rooms.model.settings import RoomSettings
from app.rooms.model.state import KnownDeal, KnownDeals
from app.rooms.ports.addresses import Address
from tests.e2e import find
from tests.e2e.conftest import installed
from tests.e2e.databases.played_rooms import TOKEN, write
from tests.e2e.people.guests import Guest
from tests.e2e.server import Server
from tests.rooms.world import START, World, opened_by

OPTIONS = {"strip": "34567"}
"""Options of the hand. Without the low ranks each player has eight cards, so the hand is short."""
CARDS = (
    "9c 9d Jd Jh Js 2c 2d 2h",
    "Td Th Ts Qc Qd Qs Kc Ks",
    "8c 8s 9s Tc Jc Qh As 2s",
    "8d 8h 9h Kd Kh Ac Ad Ah",
)
"""The cards of each seat: Ana, two bots, Bob. Bob deals, so Ana leads."""
MOVES = (
    ("Ana", "Jd Jh Js"),
    ("Bob", ""),
    ("Ana", ""),
    ("Bob", "Ac Ad Ah"),
    ("Ana", "2c 2d 2h"),
    ("Bob", ""),
    ("Ana", "9c 9d"),
    ("Bob", ""),
    ("Bob", "Kd Kh"),
    ("Bob", "8d 8h"),
    ("Bob", "9h"),
)
"""The moves of Ana and Bob; without cards they pass. The easy bots always answer them in the same way.

Bob plays the last card of the hand. When only bots have cards left, they play too fast to follow.
"""

SCREENS = ((800, 700), (360, 700))
"""Width and height of each page in pixels: desktop and phone."""
GAP = 16
"""Pixels between the two pages."""
CORNERS = (12, 28)
"""Radius of the corners of each page in pixels."""
EDGE = "#8d8471"
"""Colour of the line around each page."""

SLOWED = 8
"""Factor by which the recording slows time down."""
PACE = 0.85
"""Seconds that a bot thinks, in the animation."""
LOOKS, CHOOSES = 0.6, 0.15
"""Seconds that a person looks before a move, and after each chosen card."""
HOLD = 3
"""Seconds that the result stays at the end, before the animation starts again."""
RATE = 12
"""Frames per second."""
COLOURS = 32
"""Number of colours."""
MAX_BYTES = 720_000
"""Maximum size of the animation. The README shows it, so it should load in a moment.

A whole hand on two screens takes three times as long as a few moves on one, which had 250 kB.
"""

PREPARE = """(slowed) => {
  const [wait, date, clock] = [window.setTimeout, Date.now, performance.now.bind(performance)];
  const [began, start] = [date(), clock()];
  window.setTimeout = (call, ms = 0, ...rest) => wait.call(window, call, ms * slowed, ...rest);
  Date.now = () => Math.round(began + (date() - began) / slowed);
  performance.now = () => start + (clock() - start) / slowed;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    header h1 small { display: none !important }
    .felt, .felt::before { background: var(--felt) !important }
  `);
  document.adoptedStyleSheets = [sheet];
}"""
"""Script that slows the timers and clocks of a page, and hides the mark of a deal with known cards.

The cloth is plain, because its grain and light would double the file.
"""

Frame = tuple[float, bytes]
"""When a frame was painted, in seconds, and its PNG file."""


def build_room() -> World:
    """Return a waiting room of Ana and two bots, whose first match is dealt `CARDS`."""
    asked = {"game": "president", "options": OPTIONS, "bots_delay": PACE * SLOWED}
    deal = KnownDeal(dealer=len(CARDS) - 1, cards=tuple(enumerate(CARDS)), stock="", seed=None)
    made = build_new_room(
        "the-room",
        Address("CODE42", "invitation"),
        Visitor("ana", "Ana", "robin", "clay"),
        RoomSettings.parse(asked),
        ["easy"] * (len(CARDS) - 2),
        START,
        random.Random(1).randbytes,
        KnownDeals("", (), (deal,)),
    )
    return opened_by(made, "ana")


class Recording:
    """The frames of a page, each with its time."""

    def __init__(self, page: Page) -> None:
        self._frames: list[Frame] = []
        self._line: CDPSession = page.context.new_cdp_session(page)
        self._line.on("Page.screencastFrame", self._take)
        self._line.send("Animation.enable")
        self._line.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWED})
        self._line.send("Page.startScreencast", {"format": "png"})

    def _take(self, frame: dict[str, Any]) -> None:
        self._line.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
        self._frames.append((frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))

    def stop(self) -> list[Frame]:
        """Stop recording and return the frames by time. The browser may send frames in another order."""
        self._line.remove_listener("Page.screencastFrame", self._take)
        self._line.send("Page.stopScreencast")
        return sorted(self._frames, key=lambda frame: frame[0])


def record(browser: Browser, site: str, code: str) -> tuple[float, list[list[Frame]]]:
    """Let Ana and Bob play the hand. Return the time of the deal, and the frames of each page."""
    pages = []
    for (width, height), touch in zip(SCREENS, (False, True), strict=True):
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, locale="en-GB", service_workers="block"
        )
        context.add_init_script(f"({PREPARE})({SLOWED})")
        pages.append(context.new_page())
    ana, bob = people = [Guest(page, name) for page, name in zip(pages, ("Ana", "Bob"), strict=True)]
    ana.page.context.add_cookies([{"name": "pecking_order", "value": TOKEN, "url": site}])
    ana.page.goto(f"{site}/r/{code}")
    bob.join(ana.page.locator("#invite-link").input_value())
    bob.press(bob.page.locator("[data-do=ready]"))
    ana.page.locator("[data-sits=Bob][data-ready]").wait_for(state="attached")
    ana.page.wait_for_load_state("networkidle")  # the animations of the table have loaded
    recordings = [Recording(page) for page in pages]
    find.start_match(ana.page)
    for page in pages:
        find.hand(page).wait_for()
    dealt = time.time()
    for name, cards in MOVES:
        _move(next(guest for guest in people if guest.name == name), cards)
    for page in pages:
        find.result(page).wait_for()
    pages[0].wait_for_timeout(1500 * SLOWED)
    frames = [recording.stop() for recording in recordings]
    for guest in people:
        assert not guest.complaints, guest.complaints
    return dealt, frames


def _move(guest: Guest, cards: str) -> None:
    """Wait for the guest's turn, and play these cards or pass, at a speed that can be followed."""
    page = guest.page
    find.my_turn(page).wait_for()
    page.wait_for_timeout(LOOKS * 1000 * SLOWED)
    for code in cards.split():
        card = find.card(page, code)
        if card.get_attribute("aria-pressed") != "true":
            guest.press(card, corner=True)
            page.wait_for_timeout(CHOOSES * 1000 * SLOWED)
    guest.press(page.locator("[data-do=play]").first if cards else page.locator("[data-do=pass]"))
    find.my_turn(page).wait_for(state="detached")


def sample(dealt: float, recorded: list[list[Frame]]) -> list[tuple[list[bytes], int]]:
    """Return the pictures of all pages from the deal on, at a constant rate, and for how many ticks each is shown."""
    last = max(frames[-1][0] for frames in recorded)
    shown = [0] * len(recorded)
    found: list[tuple[list[bytes], int]] = []
    before: list[int] = []
    for tick in range(int((last - dealt) / SLOWED * RATE) + 1):
        for page, frames in enumerate(recorded):
            while shown[page] + 1 < len(frames) and frames[shown[page] + 1][0] <= dealt + tick / RATE * SLOWED:
                shown[page] += 1
        if shown != before:
            found.append(([frames[at][1] for frames, at in zip(recorded, shown, strict=True)], 0))
            before = shown.copy()
        found[-1] = (found[-1][0], found[-1][1] + 1)
    return found


def choose_colours(pictures: list[list[bytes]]) -> Image.Image:
    """Return an image with the palette of the animation.

    Rare colours, such as those of the birds, count more than their share of the pixels. The shades of the felt would
    take the whole palette otherwise.
    """
    counts: Counter[Any] = Counter()
    for png in (each for shown in pictures[:: len(pictures) // 12] for each in shown):
        image = _open(png)
        for count, colour in image.getcolors(image.width * image.height) or ():
            counts[colour] += count
    weighted = b"".join(bytes(colour) * round(count**0.3) for colour, count in counts.items())
    return Image.frombytes("RGB", (len(weighted) // 3, 1), weighted).quantize(COLOURS, kmeans=6)


def join(pictures: list[list[bytes]], palette: Image.Image) -> Iterator[Image.Image]:
    """Yield each frame of the animation: the pages side by side, with round corners and transparent space between."""
    size = (sum(width for width, _ in SCREENS) + GAP * (len(SCREENS) - 1), max(height for _, height in SCREENS))
    masks = [_draw_corners(screen, radius, filled=True) for screen, radius in zip(SCREENS, CORNERS, strict=True)]
    edges = [_draw_corners(screen, radius, filled=False) for screen, radius in zip(SCREENS, CORNERS, strict=True)]
    for shown in pictures:
        frame = Image.new("RGBA", size)
        left = 0
        for png, mask, edge in zip(shown, masks, edges, strict=True):
            page = _open(png).quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB")
            page.paste(EDGE, mask=edge)
            page.putalpha(mask)
            frame.paste(page, (left, 0))
            left += page.width + GAP
        yield frame


def _open(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _draw_corners(size: tuple[int, int], radius: int, *, filled: bool) -> Image.Image:
    """Return a mask of a rectangle with round corners, or of its edge; smooth, because it is drawn larger."""
    fine = 4
    mask = Image.new("L", (size[0] * fine, size[1] * fine))
    box = (0, 0, mask.width - 1, mask.height - 1)
    line = {"fill": 255} if filled else {"outline": 255, "width": 2 * fine}
    ImageDraw.Draw(mask).rounded_rectangle(box, radius * fine, **line)  # type: ignore[arg-type]
    return mask.resize(size, Image.Resampling.LANCZOS)


def encode(dealt: float, recorded: list[list[Frame]], to: Path) -> None:
    """Write the animation, which repeats, to this file."""
    sampled = sample(dealt, recorded)
    pictures = [shown for shown, _ in sampled]
    durations = [ticks * 1000 // RATE for _, ticks in sampled]
    durations[-1] += round(HOLD * 1000)
    first, *rest = join(pictures, choose_colours(pictures))
    how = {"lossless": True, "quality": 90, "method": 4, "kmin": 0, "kmax": 9999}
    first.save(to, save_all=True, append_images=rest, duration=durations, loop=0, **how)  # type: ignore[arg-type]


def main(to: Path) -> None:
    """Record the animation and write it to this file."""
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place))
        code = asyncio.run(write(server.folder / "rooms.sqlite3", build_room()))
        server.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=installed())
                dealt, recorded = record(browser, server.url, code)
                browser.close()
        finally:
            server.stop()
        made = Path(place) / to.name
        encode(dealt, recorded, made)
        if made.stat().st_size > MAX_BYTES:
            size = made.stat().st_size
            raise SystemExit(f"The animation has {size} bytes; {MAX_BYTES} are allowed. Lower COLOURS or RATE.")
        to.write_bytes(made.read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
