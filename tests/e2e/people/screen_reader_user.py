"""People who see nothing: they hear what the browser tells a screen reader, and press keys.

What there is they know from the tree of the page that the browser gives to assistive technology; what happens, from its
live regions, in the order in which it was said. Nothing is asked of the page's own elements or classes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

MOST_PRESSES = 60

# Which regions are read aloud as they change, and how, the tree says; this only writes down what is added to them.
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
    """One thing in the tree, as it is read aloud."""

    role: str
    name: str
    state: dict[str, Any]
    within: tuple[str, ...]
    """Roles and names of what it is in, from the outside."""
    node: int

    def is_in(self, role: str, name: str = "") -> bool:
        """Whether it is within something of this role, whose name begins so."""
        return any(each.startswith(f"{role} {name}") for each in self.within)

    @property
    def enabled(self) -> bool:
        """Whether it does something when it is pressed."""
        return not self.state.get("disabled")


def _thing(node: dict[str, Any], within: tuple[str, ...]) -> Thing:
    role, name = (node.get(part, {}).get("value", "") for part in ("role", "name"))
    state = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
    return Thing(role, name, state, within, node.get("backendDOMNodeId", 0))


class Listener:
    """Somebody with a browser, a keyboard and a screen reader."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self._tree = page.context.new_cdp_session(page)
        self._heeded = 0

    # What there is ---------------------------------------------------------------------------------------------------

    def things(self) -> list[Thing]:
        """All that there is, in the order in which it is read."""
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
        """Where the keyboard is."""
        focused = self._tree.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]["objectId"]
        asked = {"objectId": focused, "fetchRelatives": False}
        return _thing(self._tree.send("Accessibility.getPartialAXTree", asked)["nodes"][0], ())

    # What is said ----------------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """From now on hear what the page says by itself."""
        for thing in self.things():
            if thing.state.get("live") in ("polite", "assertive"):
                found = self._tree.send("DOM.resolveNode", {"backendNodeId": thing.node})["object"]["objectId"]
                manner = [{"value": thing.state["live"]}]
                asked = {"objectId": found, "functionDeclaration": OVERHEAR, "arguments": manner}
                self._tree.send("Runtime.callFunctionOn", asked)

    def heard(self, manner: str) -> list[str]:
        """All that was said in this manner, `polite` or `assertive`, oldest first."""
        said: list[list[str]] = self.page.evaluate("window.overheard")
        return [text for how, text in said if how == manner]

    def wait(self) -> list[tuple[str, str]]:
        """Until more has been said: manner and text of that, oldest first."""
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
        """Press a key that tells something; what it tells."""
        before = len(self.heard("assertive"))
        self.page.keyboard.press(key)
        self.page.wait_for_function(
            "(n) => window.overheard.filter(([how]) => how === 'assertive').length > n", arg=before
        )
        self._heeded += 1
        return self.heard("assertive")[-1]

    # What one does ---------------------------------------------------------------------------------------------------

    def walk_to(self, key: str, wanted: Callable[[Thing], bool]) -> Thing:
        """Press a key again and again, until one hears that one is where one wants to be."""
        for _ in range(MOST_PRESSES):
            here = self.here()
            if wanted(here):
                return here
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} never leads there; last came {here}")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def enter(self, name: str) -> None:
        """Tab to a button of this name, and press it."""
        self.walk_to("Tab", lambda thing: thing.role == "button" and thing.name == name)
        self.page.keyboard.press("Enter")
