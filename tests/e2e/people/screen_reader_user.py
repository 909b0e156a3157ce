"""A blind person, who hears what the browser tells a screen reader, and presses keys.

The browser's accessibility tree gives the content of the page, and its live regions give the announcements in order.
Elements and classes of the page are not used.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, TimeoutError as PlaywrightTimeoutError

MOST_PRESSES = 60

# The tree says which regions are live, and how. This script only records the text added to them.
OVERHEAR = """function (manner) {
  window.overheard ??= [];
  new MutationObserver((changes) => {
    for (const {addedNodes} of changes) {
      for (const {textContent} of addedNodes) if (textContent) window.overheard.push([manner, textContent]);
    }
  }).observe(this, {childList: true, subtree: true, characterData: true});
}"""


@dataclass(frozen=True)
class Thing:
    """A node of the accessibility tree."""

    role: str
    name: str
    state: dict[str, Any]
    within: tuple[str, ...]
    """Roles and names of the nodes around it, outermost first."""
    node: int

    def is_in(self, role: str, name: str = "") -> bool:
        """Whether it is inside a node with this role and a name that starts with this text."""
        return any(each.startswith(f"{role} {name}") for each in self.within)

    @property
    def enabled(self) -> bool:
        """Whether it can be pressed."""
        return not self.state.get("disabled")


def _thing(node: dict[str, Any], within: tuple[str, ...]) -> Thing:
    role, name = (node.get(part, {}).get("value", "") for part in ("role", "name"))
    state = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
    return Thing(role, name, state, within, node.get("backendDOMNodeId", 0))


class Listener:
    """A person with a browser, a keyboard and a screen reader."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self._tree = page.context.new_cdp_session(page)
        self._heeded = 0

    # Content ---------------------------------------------------------------------------------------------------------

    def things(self) -> list[Thing]:
        """Return all nodes in reading order."""
        nodes = {node["nodeId"]: node for node in self._tree.send("Accessibility.getFullAXTree")["nodes"]}
        found: list[Thing] = []

        def read(node: dict[str, Any], within: tuple[str, ...]) -> None:
            thing = _thing(node, within)
            if not node["ignored"]:
                found.append(thing)
                within = (*within, f"{thing.role} {thing.name}")
            for child in node.get("childIds", []):
                if child in nodes:
                    read(nodes[child], within)

        read(next(node for node in nodes.values() if "parentId" not in node), ())
        return found

    def here(self) -> Thing:
        """Return the node with the focus."""
        focused = self._tree.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]["objectId"]
        asked = {"objectId": focused, "fetchRelatives": False}
        return _thing(self._tree.send("Accessibility.getPartialAXTree", asked)["nodes"][0], ())

    # Announcements ---------------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Record the page's announcements from now on."""
        for thing in self.things():
            if thing.state.get("live") in ("polite", "assertive"):
                found = self._tree.send("DOM.resolveNode", {"backendNodeId": thing.node})["object"]["objectId"]
                manner = [{"value": thing.state["live"]}]
                asked = {"objectId": found, "functionDeclaration": OVERHEAR, "arguments": manner}
                self._tree.send("Runtime.callFunctionOn", asked)

    def heard(self, manner: str) -> list[str]:
        """Return all announcements of this manner, `polite` or `assertive`, oldest first."""
        said: list[list[str]] = self.page.evaluate("window.overheard")
        return [text for how, text in said if how == manner]

    def wait(self) -> list[tuple[str, str]]:
        """Wait for new announcements, and return their manners and texts, oldest first."""
        try:
            self.page.wait_for_function("(n) => window.overheard.length > n", arg=self._heeded)
        except PlaywrightTimeoutError as error:
            last = self.page.evaluate("window.overheard.slice(-3)")
            raise AssertionError(f"nothing is said after {last}, at {self.here()}") from error
        said: list[list[str]] = self.page.evaluate("window.overheard")
        news = [(how, text) for how, text in said[self._heeded :]]
        self._heeded = len(said)
        return news

    def ask(self, key: str) -> str:
        """Press a shortcut key and return its announcement."""
        before = len(self.heard("assertive"))
        self.page.keyboard.press(key)
        self.page.wait_for_function(
            "(n) => window.overheard.filter(([how]) => how === 'assertive').length > n", arg=before
        )
        self._heeded += 1
        return self.heard("assertive")[-1]

    # Actions ---------------------------------------------------------------------------------------------------------

    def walk_to(self, key: str, wanted: Callable[[Thing], bool]) -> Thing:
        """Press a key repeatedly until the focused node is the wanted one, and return it."""
        for _ in range(MOST_PRESSES):
            here = self.here()
            if wanted(here):
                return here
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} never leads there; last came {here}")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def enter(self, name: str) -> None:
        """Move to the button of this name with Tab, and press it."""
        self.walk_to("Tab", lambda thing: thing.role == "button" and thing.name == name)
        self.page.keyboard.press("Enter")
