"""A page that is driven with WebDriver's actions, which Firefox and WebKit share: who uses it need not know which."""

import time
from abc import ABC, abstractmethod
from typing import Any

PATIENCE = 30
"""Seconds until something that does not come is missed."""

PHONE = (390, 844)
"""How large a page is."""


class Driven(ABC):
    """One page."""

    name: str

    @abstractmethod
    def go(self, url: str) -> None:
        """Open an address, and wait until it has loaded."""

    @abstractmethod
    def reload(self) -> None:
        """As the button does."""

    @abstractmethod
    def run(self, function: str, *given: Any) -> Any:
        """What this JavaScript function says of these values, both ways as JSON."""

    @abstractmethod
    def perform(self, source: dict[str, Any]) -> None:
        """One source of input and what it does, as WebDriver's actions."""

    @abstractmethod
    def picture(self) -> bytes:
        """What is seen, as PNG."""

    def wait(self, function: str, *given: Any) -> Any:
        """Until the function says something that counts as true: that."""
        end = time.monotonic() + PATIENCE
        while not (said := self.run(function, *given)):
            assert time.monotonic() < end, f"{self.name} waits in vain for {function} of {given}"
            time.sleep(0.05)
        return said

    def see(self, selector: str) -> None:
        """Wait until there is such a thing."""
        self.wait("(selector) => document.querySelector(selector) !== null", selector)

    def press(self, selector: str, *, corner: bool = False) -> None:
        """Press the first of these once it can be hit; `corner`: where a card sticks out from under others."""
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
        """Press a field and type into it what shall stand there."""
        self.press(selector)
        self.run("(selector) => document.querySelector(selector).select()", selector)
        strokes = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self.perform({"type": "key", "id": "keys", "actions": strokes})
