"""A few moves of a real hand, as a short animation: `python -m tests.e2e.pictures.animation docs/pictures/hand.webp`.

A server runs with bots in the other seats, and a browser shows the table and plays by itself. The recording slows time
down, so that a slow machine drops no frame. Then the browser encodes the changed part of each frame as WebP, and this
module joins the parts into one animated WebP file with the original timing.
"""

import base64
import struct
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
"""Factor by which the recording slows time down."""
PACE = 0.7
"""Seconds that a bot thinks, in the animation."""
LASTS = 11
"""Seconds of the animation."""
RATE = 10
"""Frames per second."""
QUALITY = 0.5
"""Quality of the WebP frames, from 0 to 1."""
MAX_BYTES = 300_000
"""Maximum size of the animation. The README shows it, so it should load in a moment."""

ENCODE = """async ([png, quality]) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext("2d", { alpha: false });
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  const before = window.before;
  window.before = pixels;
  let [left, top, right, bottom] = before ? [width, height, -1, -1] : [0, 0, width - 1, height - 1];
  const changed = new Set();
  for (let at = 0; before && at < pixels.length; at++) {
    if (pixels[at] === before[at]) continue;
    const x = at % width, y = (at - x) / width;
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    changed.add((y >> 3) * 4096 + (x >> 3));
  }
  if (right < 0) return null;
  [left, top] = [left - (left % 2), top - (top % 2)];
  const shown = context.getImageData(left, top, right - left + 1, bottom - top + 1);
  for (let at = 0; before && at < shown.width * shown.height; at++) {
    const x = left + (at % shown.width), y = top + Math.floor(at / shown.width);
    if (!changed.has((y >> 3) * 4096 + (x >> 3))) shown.data.fill(0, 4 * at, 4 * at + 4);
  }
  const part = new OffscreenCanvas(shown.width, shown.height);
  part.getContext("2d").putImageData(shown, 0, 0);
  const encoded = new Uint8Array(await (await part.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
  return [left, top, part.width, part.height, btoa(Array.from(encoded, (one) => String.fromCharCode(one)).join(""))];
}"""
"""Script that encodes the part of a frame that differs from the frame before: position, size and a WebP file.

Blocks of 8 by 8 pixels without a change are transparent, so that they cost nothing.
"""


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

    def sampled_frames(self) -> list[bytes]:
        """Return the frames at a constant rate, with the last one held for two seconds."""
        began, last = self.frames[0][0], self.frames[-1][0]
        ticks = int((last - began) / SLOWED * RATE) + 1
        shown, found = 0, []
        for tick in range(ticks):
            while shown + 1 < len(self.frames) and self.frames[shown + 1][0] <= began + tick / RATE * SLOWED:
                shown += 1
            found.append(self.frames[shown][1])
        return [*found, *[self.frames[-1][1]] * (2 * RATE)]


def encode_animation(frames: list[bytes], page: Page) -> bytes:
    """Return the frames as an animated WebP file that repeats. The encoding runs in `page`, which should be blank."""
    parts: list[list[Any]] = []
    for frame in frames:
        part = page.evaluate(ENCODE, [base64.b64encode(frame).decode(), QUALITY])
        if part is None:
            parts[-1][-1] += 1000 // RATE
        else:
            parts.append([*part, 1000 // RATE])
    width, height = parts[0][2:4]
    chunks = [_chunk(b"VP8X", b"\x12\0\0\0" + _uint24(width - 1) + _uint24(height - 1)), _chunk(b"ANIM", bytes(6))]
    for left, top, wide, high, encoded, milliseconds in parts:
        place = b"".join(map(_uint24, (left // 2, top // 2, wide - 1, high - 1, milliseconds)))
        chunks.append(_chunk(b"ANMF", place + b"\0" + _find_image(base64.b64decode(encoded))))
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _find_image(file: bytes) -> bytes:
    """Return the chunks with the picture of a WebP file: its transparency, if it has any, and its colours."""
    at, found = 12, b""
    while at < len(file):
        size: int = struct.unpack_from("<I", file, at + 4)[0]
        end = at + 8 + size + size % 2
        if file[at : at + 4] in (b"ALPH", b"VP8 ", b"VP8L"):
            found += file[at:end]
        at = end
    return found


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


def _uint24(value: int) -> bytes:
    return struct.pack("<I", value)[:3]


def play(page: Page, site: str) -> Recording:
    """Open a room, start a hand and play some of it."""
    ana = Guest(page, "Ana")
    ana.open_room(site, bots=["easy"] * 3, bots_delay=PACE * SLOWED)
    recording = Recording(page)
    page.locator("[data-do=start]").click()
    end = time.monotonic() + LASTS * SLOWED
    while time.monotonic() < end and not ana.hand_is_over:
        if find.my_turn(page).count():
            # A moment to look, as people do.
            page.wait_for_timeout(500 * SLOWED)
            ana.take_turn()
        page.wait_for_timeout(50)
    recording.stop()
    return recording


def main(to: Path) -> None:
    """Record the animation and write it to this file."""
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        server = Server(Path(place))
        server.start()
        try:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            page = browser.new_context(viewport=SIZE, locale="en-GB").new_page()
            recording = play(page, server.url)
            animation = encode_animation(recording.sampled_frames(), browser.new_page())
            browser.close()
        finally:
            server.stop()
    if len(animation) > MAX_BYTES:
        raise SystemExit(f"The animation has {len(animation)} bytes; {MAX_BYTES} are allowed. Lower QUALITY or LASTS.")
    to.write_bytes(animation)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
