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
LASTS = 8
"""Seconds of the animation."""
RATE = 10
"""Frames per second."""
QUALITY = 0.28
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
    changed.add((y >> 4) * 4096 + (x >> 4));
  }
  if (right < 0) return null;
  [left, top] = [left - (left % 16), top - (top % 16)];
  const encode = async (image, alpha) => {
    const part = new OffscreenCanvas(image.width, image.height);
    part.getContext("2d", { alpha }).putImageData(image, 0, 0);
    const encoded = new Uint8Array(await (await part.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
    return btoa(Array.from(encoded, (one) => String.fromCharCode(one)).join(""));
  };
  const colours = context.getImageData(left, top, right - left + 1, bottom - top + 1);
  const mask = new ImageData(colours.width, colours.height);
  for (let at = 0; at < mask.width * mask.height; at++) {
    const x = at % mask.width, y = (at - x) / mask.width;
    const seen = !before || changed.has(((top + y) >> 4) * 4096 + ((left + x) >> 4));
    if (seen) mask.data[4 * at + 3] = 255;
    const first = 4 * ((y & ~15) * mask.width + (x & ~15));
    if (!seen) colours.data.copyWithin(4 * at, first, first + 4);
  }
  return [left, top, mask.width, mask.height, await encode(mask, true), await encode(colours, false)];
}"""
"""Script that encodes the part of a frame that differs from the frame before: position, size and two WebP files.

The first file has the transparency, the second the colours. Blocks of 16 by 16 pixels without a change are transparent
and have one colour, so that they cost nothing.
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
    for left, top, wide, high, mask, colours, milliseconds in parts:
        place = b"".join(map(_uint24, (left // 2, top // 2, wide - 1, high - 1, milliseconds)))
        image = _find_chunk(b"ALPH", base64.b64decode(mask)) + _find_chunk(b"VP8 ", base64.b64decode(colours))
        chunks.append(_chunk(b"ANMF", place + b"\0" + image))
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _find_chunk(name: bytes, file: bytes) -> bytes:
    """Return the chunk of a WebP file with this name; nothing if the file has none, such as an opaque image."""
    at = 12
    while at < len(file):
        size: int = struct.unpack_from("<I", file, at + 4)[0]
        end = at + 8 + size + size % 2
        if file[at : at + 4] == name:
            return file[at:end]
        at = end
    return b""


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
