"""Record a few moves of a real hand as a short animation.

Run `python -m tests.e2e.pictures.animation docs/pictures/hand.webp`. A server runs with bots in the other seats, and a
browser plays. Time is slowed down during the recording, so that a slow machine drops no frame. ffmpeg joins the frames
at normal speed (`apt-get install ffmpeg`).
"""

import base64
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.e2e import find
from tests.e2e.people.guests import Guest
from tests.e2e.server import Server

SIZE = {"width": 860, "height": 640}
SLOWED = 4
"""The factor by which time is slowed down during the recording."""
PACE = 0.7
"""Seconds that a bot thinks, in the finished animation."""
LASTS = 14
"""Length of the finished animation in seconds."""
RATE = 12
"""Frames a second."""


class Recording:
    """The frames of a page, each with its time."""

    def __init__(self, page: Page) -> None:
        self.frames: list[tuple[float, bytes]] = []
        self._line: CDPSession = page.context.new_cdp_session(page)
        self._line.on("Page.screencastFrame", self._take)
        self._line.send("Animation.enable")
        self._line.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWED})
        self._line.send("Page.startScreencast", {"format": "png"})

    def _take(self, frame: dict[str, Any]) -> None:
        self._line.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
        self.frames.append((frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))

    def stop(self) -> None:
        """Stop recording."""
        self._line.remove_listener("Page.screencastFrame", self._take)
        self._line.send("Page.stopScreencast")

    def join(self, to: Path) -> None:
        """Write the frames as an endless animation."""
        with tempfile.TemporaryDirectory() as place:
            listed = []
            ends = [at for at, _ in self.frames[1:]] + [self.frames[-1][0] + 2 * SLOWED]
            for number, ((at, frame), end) in enumerate(zip(self.frames, ends, strict=True)):
                (Path(place) / f"{number}.png").write_bytes(frame)
                listed += [f"file {number}.png", f"duration {(end - at) / SLOWED:.4f}"]
            script = Path(place) / "frames.txt"
            script.write_text("\n".join(listed))
            joined = ["-f", "concat", "-i", str(script), "-vf", f"fps={RATE}"]
            look = ["-c:v", "libwebp_anim", "-quality", "70", "-compression_level", "6", "-loop", "0"]
            subprocess.run(["ffmpeg", "-v", "error", "-y", *joined, *look, str(to)], check=True)


def play(page: Page, site: str) -> Recording:
    """Open a table, start a hand, and play and record some of it."""
    ana = Guest(page, "Ana")
    ana.open_room(site, bots=["easy"] * 3, bots_delay=PACE * SLOWED)
    recording = Recording(page)
    page.locator("[data-do=start]").click()
    end = time.monotonic() + LASTS * SLOWED
    while time.monotonic() < end and not ana.hand_is_over:
        if find.my_turn(page).count():
            # Pause before the turn, as people do.
            page.wait_for_timeout(500 * SLOWED)
            ana.take_turn()
        page.wait_for_timeout(50)
    recording.stop()
    return recording


def main(to: Path) -> None:
    """Record the animation and write it to this path."""
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        server = Server(Path(place))
        server.start()
        try:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            page = browser.new_context(viewport=SIZE, locale="en-GB").new_page()
            recording = play(page, server.url)
            browser.close()
            recording.join(to)
        finally:
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
