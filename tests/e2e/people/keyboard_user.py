"""A person without a mouse, who presses keys and checks that the focus is visible."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page

from tests.e2e import find
from tests.e2e.people.guests import TURN_OR_RESULT

MOST_TABS = 60

WATCH_FOCUS = """() => {
  // What was drawn is looked at when the browser has settled where the focus is.
  window.lost = [];
  // Nothing is taken away that has the focus: it would be nowhere, if only until the next line of the script.
  const remove = Element.prototype.remove;
  Element.prototype.remove = function () {
    if (this.contains(document.activeElement)) window.lost.push(`taken away: ${this.outerHTML.slice(0, 80)}`);
    remove.call(this);
  };
  // Who tabs on from the last thing of a page is nowhere until the next press.
  let tabs = false, round = false;
  addEventListener("keydown", (event) => { tabs = event.key === "Tab"; }, true);
  addEventListener("keyup", () => { tabs = false; }, true);
  addEventListener("focusout", () => { round = tabs; }, true);
  addEventListener("focusin", () => { round = false; }, true);
  new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
    const seq = document.querySelector("#room").dataset.seq;
    if (document.activeElement === document.body && !round) window.lost.push(seq);
  }))).observe(document.querySelector("#room"), {attributes: true, attributeFilter: ["data-seq"]});
}"""

FOCUSED = """(wanted) => {
  const here = document.activeElement;
  if (here !== wanted) return "elsewhere";
  // The label of an invisible choice shows the ring, or what stands beside it.
  const hidden = getComputedStyle(here).opacity === "0";
  const ringed = (hidden ? [here.closest("label"), here.nextElementSibling] : [here]).some((each) => {
    const {outlineStyle, outlineWidth} = getComputedStyle(each ?? here);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  if (!here.matches(":focus-visible") || !ringed) return "no ring";
  const box = here.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + Math.min(box.width, 24) / 2, box.top + box.height / 2);
  return here.contains(at) || at?.closest("label")?.contains(here) ? "here" : "covered";
}"""


class Typist:
    """A person with a browser and a keyboard. Every action is a key press."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    # Focus ---------------------------------------------------------------------------------------------------------

    def watch_focus(self) -> None:
        """Record from now on when the focus is lost."""
        self.page.evaluate(WATCH_FOCUS)

    @property
    def lost(self) -> list[str]:
        """The updates after which no element had the focus."""
        found: list[str] = self.page.evaluate("window.lost")
        return found

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self.page.keyboard.press(key)

    def tab_to(self, where: Locator) -> None:
        """Press Tab, or Shift+Tab if that is nearer, until the element has the focus and is visible."""
        where.wait_for()
        element = where.element_handle()
        back = self.page.evaluate(
            """(wanted) => {
              const here = document.activeElement;
              const inside = here !== document.body && here.id !== "main";
              return inside && Boolean(here.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING);
            }""",
            element,
        )
        for _ in range(MOST_TABS):
            found = self.page.evaluate(FOCUSED, element)
            if found != "elsewhere":
                assert found == "here", f"{found}: {where}"
                return
            self.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"by keyboard one never comes to {where}")

    def enter(self, where: Locator) -> None:
        """Move to a button and press it."""
        self.tab_to(where)
        self.press("Enter")

    # Joining -------------------------------------------------------------------------------------------------------

    def join(self, link: str) -> None:
        """Follow the link and join under a name."""
        self.page.goto(link)
        self.tab_to(self.page.locator("#name"))
        self.page.keyboard.type(self.name)
        self.tab_to(self.page.locator("[name=face]:checked"))
        self.press("Enter")
        self.page.locator("[data-zone=lobby-seats]", has_text=self.name).wait_for()
        # The form leads to a new page, where the focus is nowhere until the first key.
        self.tab_to(self.page.get_by_role("button", name="Menu"))
        self.watch_focus()

    def sit_down(self) -> None:
        """Move to the table, and record from now on when the focus is lost."""
        self.tab_to(
            self.page.locator(
                "[data-zone=hand] [data-card][tabindex='0'], [data-zone=actions] :is(button, input):not(:disabled)"
            ).first
        )
        self.watch_focus()

    # Playing -------------------------------------------------------------------------------------------------------

    def _state(self) -> dict[str, Any]:
        seen: dict[str, Any] = self.page.evaluate(
            """() => {
              const all = (what) => [...document.querySelectorAll(what)];
              const names = (cards) => cards.map((card) => card.dataset.card);
              return {
                seq: Number(document.querySelector("#room").dataset.seq),
                asked: all("[data-zone=actions] [data-do]").map((button) => button.dataset.do),
                ready: all(":is([data-do=play], [data-do=give]):not(:disabled, [data-unsure])").length > 0,
                chosen: all("[data-zone=hand] [data-card][aria-pressed=true]").length,
                open: all("[data-zone=hand] [data-card]:not([data-fits=no], [aria-pressed=true])").length,
                here: document.activeElement.dataset.card ?? null,
              };
            }"""
        )
        return seen

    def choose(self, cards: str) -> None:
        """Move to each of these cards, and choose it unless the page has already chosen it."""
        self.tab_to(find.card_at_stop(self.page))
        for card in cards.split():
            for _ in range(MOST_TABS):
                if self.page.evaluate("document.activeElement.dataset.card") == card:
                    break
                self.press("ArrowRight")
            if self.page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "false":
                self.press("Space")

    def choose_one_more(self) -> None:
        """Move along the cards to the next one that fits, and choose it."""
        before = self._state()
        if before["here"] is None:
            self.tab_to(find.card_at_stop(self.page))
        for _ in range(MOST_TABS):
            if self.page.evaluate("(open) => document.activeElement.matches(open)", find.OPEN):
                break
            self.press("ArrowRight")
        self.press("Space")
        self.page.wait_for_function(
            "(n) => document.querySelectorAll('[data-zone=hand] [data-card][aria-pressed=true]').length !== n",
            arg=before["chosen"],
        )

    def _choose(self) -> None:
        """Choose cards until an action is possible."""
        self.choose_one_more()
        while not self._state()["ready"]:
            self.choose_one_more()

    def take_turn(self) -> str:
        """Act once, wait until it is done, and return the kind of action."""
        page, state = self.page, self._state()
        asked = state["asked"]
        for do in ("keep", "swap", "agree", "done", "clear"):
            if do in asked:
                break
        else:
            do = "give" if "give" in asked else "play" if "play" in asked and state["open"] else "pass"
        if do in ("give", "play"):
            self._choose()
            if do == "play" and page.locator("[data-do=play]").count() == 1 and state["seq"] % 2:
                # Enter on a chosen card plays the choice.
                while page.evaluate("document.activeElement.getAttribute('aria-pressed')") != "true":
                    self.press("ArrowRight")
                self.press("Enter")
                do += " from the card"
            else:
                self.enter(page.locator(f"[data-do={do}]").first)
        else:
            self.enter(page.locator(f"[data-do={do}]").first)
        page.wait_for_function("(seq) => Number(document.querySelector('#room').dataset.seq) > seq", arg=state["seq"])
        return do

    def take_turn_by_letters(self) -> str:
        """Play if possible, else pass, with any element in focus. Return "play" or "pass"."""
        page, state = self.page, self._state()
        do = "play" if "play" in state["asked"] and state["open"] else "pass"
        if do == "play":
            while not self._state()["ready"]:
                card = find.open_cards(page).first.get_attribute("data-card") or ""
                self.press(card[0].lower().replace("t", "0"))
        self.press("Enter" if do == "play" else "p")
        page.wait_for_function("(seq) => Number(document.querySelector('#room').dataset.seq) > seq", arg=state["seq"])
        return do

    def play_hand(self, take_turn: Callable[[], str] | None = None) -> list[str]:
        """Take turns until the hand is over, with bots in the other seats, and return the kinds of actions."""
        done: list[str] = []
        while True:
            self.page.wait_for_selector(TURN_OR_RESULT)
            if find.result(self.page).count():
                return done
            done.append((take_turn or self.take_turn)())
            here = self.page.evaluate("document.activeElement.localName")
            assert here != "body", f"after {json.dumps(done[-1])} the focus is nowhere"
