"""A page driven with WebDriver actions, with the same interface for Firefox and WebKit."""

import time
from abc import ABC, abstractmethod
from typing import Any

PATIENCE = 30
"""Seconds to wait before a test fails."""

PHONE = (390, 844)
"""Width and height of a phone's page."""


class Driven(ABC):
    """A page in a driven browser."""

    name: str

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Set the size of the page, which must fit in the screen."""

    @abstractmethod
    def go(self, url: str) -> None:
        """Open an address and wait until it has loaded."""

    @abstractmethod
    def reload(self) -> None:
        """Reload the page."""

    @abstractmethod
    def run(self, function: str, *given: Any) -> Any:
        """Run a JavaScript function with these arguments and return its result. Both travel as JSON."""

    @abstractmethod
    def perform(self, source: dict[str, Any]) -> None:
        """Perform the actions of one input source, as WebDriver defines them."""

    @abstractmethod
    def picture(self) -> bytes:
        """Return a screenshot as PNG."""

    def wait(self, function: str, *given: Any) -> Any:
        """Wait until the function returns a true value, and return it."""
        end = time.monotonic() + PATIENCE
        while not (said := self.run(function, *given)):
            assert time.monotonic() < end, f"{self.name} waits in vain for {function} of {given}"
            time.sleep(0.05)
        return said

    def see(self, selector: str) -> None:
        """Wait until an element matches the selector."""
        self.wait("(selector) => document.querySelector(selector) !== null", selector)

    def press(self, selector: str, *, corner: bool = False) -> None:
        """Press the first matching element once it can be hit.

        With `corner`, press the corner of a card, which other cards leave free.
        """
        x, y = self.wait(
            """(selector, corner) => {
              const found = document.querySelector(selector);
              if (!found || found.disabled) return null;
              found.scrollIntoView({ block: "nearest", inline: "nearest" });
              const { x, y, width, height } = found.getBoundingClientRect();
              const [across, down] = corner ? [x + 10, y + 14] : [x + width / 2, y + height / 2];
              const hit = document.elementFromPoint(across, down);
              return width && hit && (hit === found || found.contains(hit)) ? [across, down] : null;
            }""",
            selector,
            corner,
        )
        self.perform(
            {
                "type": "pointer",
                "id": "finger",
                "parameters": {"pointerType": "mouse"},
                "actions": [
                    {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
                    {"type": "pointerDown", "button": 0},
                    {"type": "pointerUp", "button": 0},
                ],
            }
        )

    def write(self, selector: str, text: str) -> None:
        """Press a field and replace its text."""
        self.press(selector)
        self.run("(selector) => document.querySelector(selector).select()", selector)
        strokes = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self.perform({"type": "key", "id": "keys", "actions": strokes})
