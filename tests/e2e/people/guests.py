"""Actions of people on the page, such as opening a room, joining and taking a turn, through what the page shows."""

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e import find
from tests.e2e.find import TURN_OR_RESULT

CHOSEN = f"() => [...document.querySelectorAll('{find.CHOSEN}')].map(card => card.dataset.card)"
"""Returns the chosen cards (for Page.evaluate)."""
ANSWERED = """(request) => {
  const room = document.querySelector("#room:not([data-part])");
  return room !== null && room.dataset.request !== request;
}"""
"""Whether another request is open, or none, and everything is drawn."""


class Guest:
    """A person with a browser."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._listen)

    def _listen(self, said: Any) -> None:
        # A lost connection is not an error of the page.
        if said.type == "error" and not any(word in said.text for word in ("WebSocket", "ERR_", "Failed to load")):
            self.complaints.append(said.text)

    # Joining -------------------------------------------------------------------------------------------------------

    def open_room(self, url: str, **settings: Any) -> str:
        """Open a room with the form's request, and return the link. Without options, its game is the basic one."""
        asked = {"name": self.name, "game": "president", "options": {}, "bots_delay": 0, **settings}
        # Only the browser knows made-up host names.
        self.page.goto(f"{url}/healthz")
        made = self.page.evaluate(
            """async (body) => {
              const headers = {"content-type": "application/json"};
              return (await fetch("/api/rooms", {method: "POST", headers, body})).json();
            }""",
            json.dumps(asked),
        )
        assert "invite" in made, made
        self.page.goto(f"{url}/r/{made['code']}")
        expect(self.page.locator("[data-do=start]")).to_be_visible()
        return self.page.locator("#invite-link").input_value()

    def join(self, link: str) -> None:
        """Follow the link and join under a name."""
        self.page.goto(link)
        self.page.fill("#name", self.name)
        find.joining(self.page).locator("button[type=submit]").click()
        expect(find.joining(self.page)).to_have_count(0)
        expect(find.lobby_seats(self.page)).to_contain_text(self.name)

    def share(self, *others: "Guest") -> None:
        """Open this page in more browsers of the same person."""
        for other in others:
            other.page.context.add_cookies(self.page.context.cookies())  # type: ignore[arg-type]
            other.page.goto(self.page.url)
            other.page.wait_for_selector("#room[data-seq]")

    # Reading the page ----------------------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        """The number of the state that the page shows."""
        return int(self.page.locator("#room").get_attribute("data-seq") or 0)

    def wait_for_seq(self, seq: int) -> None:
        """Wait until the page shows this state or a later one completely. A large change is drawn in several frames."""
        self.page.wait_for_function(
            """(seq) => {
              const { dataset } = document.querySelector("#room");
              return Number(dataset.seq) >= seq && dataset.part === undefined;
            }""",
            arg=seq,
        )

    @property
    def cards(self) -> list[str]:
        """The codes of the player's cards."""
        return find.cards(self.page).evaluate_all("cards => cards.map(card => card.dataset.card)")

    @property
    def trick(self) -> list[str]:
        """The plays of the trick, in words."""
        return self.page.locator("[data-zone=trick] [data-play]").evaluate_all(
            """plays => plays.map((play) => {
              const cards = [...play.querySelectorAll("[data-rank]")].map(card => card.ariaLabel);
              return [...cards, play.querySelector("[data-zone=by]").textContent].join(" ");
            })"""
        )

    @property
    def hand_is_over(self) -> bool:
        """Whether the result is shown."""
        return find.result(self.page).count() > 0

    # Acting --------------------------------------------------------------------------------------------------------

    def press(self, where: Locator, *, corner: bool = False) -> None:
        """Tap on a touch screen, else click."""
        position = find.CORNER if corner else None
        if self.page.evaluate("navigator.maxTouchPoints > 0"):
            where.tap(position=position)
        else:
            where.click(position=position)

    def take_turn(self) -> None:
        """Act once: give, keep, play if possible, else pass. Wait until the page shows the result.

        The request number tells when that is, because in an exchange other players act at the same time.
        """
        request = self._answer()
        self.page.wait_for_function(ANSWERED, arg=request)

    def _answer(self) -> str:
        """Act once, and return the number of the request."""
        page = self.page
        request, asked, playable = page.evaluate(
            """() => [
              document.querySelector("#room").dataset.request,
              [...document.querySelectorAll("[data-zone=actions] [data-do]")].map(button => button.dataset.do),
              document.querySelectorAll("[data-zone=hand] [data-card]:not([data-fits=no])").length,
            ]"""
        )
        if "give" in asked:
            give = page.locator("[data-do=give]")
            while not give.is_enabled():
                self._choose_more()
            self.press(give)
        elif "keep" in asked:
            self.press(page.locator("[data-do=keep]"))
        elif "play" in asked and playable:
            self._choose_more()
            while page.locator("[data-do=play][data-unsure], [data-do=play]:disabled").count():
                if not self._choose_more() and "pass" in asked:  # it replaced another card, without end
                    self.press(page.locator("[data-do=pass]"))
                    return str(request)
            # If the cards can be played in several ways (wild cards, a call), a sheet asks which.
            if (several := page.locator("[data-choose=ways]")).count():
                self.press(several)
            self.press(page.locator("[data-do=play]").first)
        else:
            # Between tricks or hands there is one button, or several of which any will do.
            do = "[data-do=pass]" if "pass" in asked else "[data-zone=actions] [data-do]:enabled"
            self.press(page.locator(do).first)
        return str(request)

    def _choose_more(self) -> bool:
        """Choose one more card, and return whether more are chosen. The card may replace another one."""
        before = self.page.evaluate(CHOSEN)
        self.press(find.open_cards(self.page).first, corner=True)
        self.page.wait_for_function(f"(before) => ({CHOSEN})().join() !== before.join()", arg=before)
        return len(self.page.evaluate(CHOSEN)) > len(before)


def next_to_act(guests: list[Guest], latest: Guest | None = None) -> Guest | None:
    """Return the guest whose turn it is, or None if the hand is over or another player has the turn.

    The page of the guest who acted last is the newest.
    """
    shown = latest or max(guests, key=lambda guest: guest.seq)
    seq, mine, others = shown.page.wait_for_function(
        """() => {
          if (document.querySelector("#room").hasAttribute("data-part")) return null;  // it shows two pictures
          const mine = document.querySelector("[data-turn=mine]") !== null;
          const turns = document.querySelectorAll("[data-zone=seats] > [aria-current=true]");
          const others = [...turns].map(seat => seat.dataset.seat);
          if (!mine && others.length === 0 && !document.querySelector("[data-zone=result]")) return null;
          return [Number(document.querySelector("#room").dataset.seq), mine, others];
        }"""
    ).json_value()
    acting = [*([shown.name] if mine else []), *others]
    guest = next((guest for guest in guests if guest.name in acting), None)
    if guest is not None:
        guest.wait_for_seq(seq)
    return guest


def play_on(guests: list[Guest], turns: int = 1000) -> int:
    """Play this number of turns, or to the end of the hand, and return the number of turns."""
    guest = None
    for turn in range(turns):
        guest = next_to_act(guests, guest)
        if guest is None:
            for each in guests:
                each.page.wait_for_selector("[data-zone=result]")
            return turn
        guest.take_turn()
    return turns


def play_with_bots(*guests: Guest) -> int:
    """Take a person's turns until the hand is over, with bots in all other seats. Pages of the person act in turn."""
    turns = 0
    while True:
        guest = guests[turns % len(guests)]
        guest.wait_for_seq(max(each.seq for each in guests))
        guest.page.wait_for_selector(TURN_OR_RESULT)
        if guest.hand_is_over:
            for each in guests:
                each.wait_for_seq(guest.seq)
            return turns
        guest.take_turn()
        turns += 1
