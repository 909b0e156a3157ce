"""Find faults in the layout of a page at all common sizes, with a script in the page (layout.js)."""

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page

INSPECT = Path(__file__).with_name("layout.js").read_text().removesuffix(";\n")

CUT_TEXTS = f"""() => ({INSPECT.strip()})({{ targets: false, contrast: false }}).filter(
  (each) => ["cut", "sideways", "touches"].includes(each.split(":")[0]))"""
"""Lists cut texts, texts that touch, and what is wider than the page (for Page.evaluate and Driven.run)."""

SIZES = {
    "360x640": (360, 640, 1),
    "390x844": (390, 844, 1),
    "844x390": (844, 390, 1),
    "1440x900": (1440, 900, 1),
    "390x844 at 200 %": (390, 844, 2),
    "1440x900 at 200 %": (1440, 900, 2),
}
"""Width, height and text size."""
SMALL = {"667x375": (667, 375, 1)}
"""A small phone held sideways, for its special layout."""
NARROW = {"320x640": (320, 640, 1)}
"""The narrowest page."""
LARGE_TEXT = {"360x640 at 200 %": (360, 640, 2)}
"""A small phone with large text."""

SETTLED = """() => new Promise((done, fail) => {
  let still = 0;
  let frames = 0;
  const changes = new MutationObserver(() => (still = 0));
  changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const look = () => {
    const moves =
      document.querySelector("[aria-busy=true]") !== null ||
      document.fonts.status === "loading" ||
      document.getAnimations().some((each) => each.playState === "running");
    still = moves ? 0 : still + 1;
    if (still < 6 && ++frames < 1800) return requestAnimationFrame(look);
    changes.disconnect();
    if (still < 6) fail(new Error("the page changes with every frame"));
    else done();
  };
  requestAnimationFrame(look);
})"""
"""Waits until nothing loads, moves or changes for five frames.

A table is drawn in several frames, and an effect on it begins up to four frames later.
"""

MOVED = """(frames) => new Promise((done) => {
  const boxes = () =>
    [...document.querySelectorAll("body *")].filter((each) => each.checkVisibility()).map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return [each, [x, y, width, height]];
    });
  const first = new Map(boxes());
  const moved = new Map();
  const told = (box) => box.map((length) => Math.round(length * 10) / 10).join(" ");
  const look = (left) => {
    for (const [each, box] of left % 5 === 0 ? boxes() : []) {
      const before = first.get(each);
      if (before?.every((length, i) => Math.abs(length - box[i]) < 0.1)) continue;
      const name = `${each.localName}${each.dataset.zone ? ` (${each.dataset.zone})` : ""}`;
      moved.set(each, `${name}: from ${before ? told(before) : "nothing"} to ${told(box)}`);
    }
    if (left > 0) requestAnimationFrame(() => look(left - 1));
    else done([...moved.values()].slice(0, 5));
  };
  requestAnimationFrame(() => look(frames - 1));
})"""
"""Returns up to five elements that change size or place within this number of frames (for Page.evaluate).

It looks at every fifth frame, since a look takes much of a frame's time, and at the last one.
"""


ENLARGE = f"""async (size) => {{
  const {{ style }} = document.documentElement;
  if (size !== (style.fontSize || "100%")) {{
    style.setProperty("font-size", size);
    window.dispatchEvent(new Event("resize"));
  }}
  await ({SETTLED})();
}}"""
"""Sets the size of all text, and waits until it is drawn."""


def resize(page: Page, size: str) -> None:
    """Set the size of the page and of its text, and wait until it is drawn."""
    width, height, text = (SIZES | SMALL | NARROW | LARGE_TEXT)[size]
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(ENLARGE, f"{100 * text}%")


def mistakes(page: Page, *, targets: bool = False, contrast: bool = False) -> list[str]:
    """Return the faults of the page in its current state, in words."""
    found: list[str] = page.evaluate(
        f"(asked) => ({INSPECT.strip()})(asked)", {"targets": targets, "contrast": contrast}
    )
    return found


def at_every_size(page: Page, sizes: tuple[str, ...] = tuple(SIZES)) -> Iterator[tuple[str, list[str]]]:
    """Yield the faults at each size.

    Touch targets are checked at the sizes of phones, and colours at two sizes, because they don't depend on the size.
    """
    for size in sizes:
        resize(page, size)
        yield size, mistakes(page, targets=not size.startswith("1440"), contrast=size in ("390x844", "1440x900"))
