"""What people do with the page: open a room, join, look at the cards, take a turn. All of it by what is seen."""

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e import find
from tests.e2e.find import TURN_OR_RESULT

CORNER = {"x": 10, "y": 14}
"""Where a card can always be pressed, however many lie on it."""
CHOSEN = f"() => [...document.querySelectorAll('{find.CHOSEN}')].map(card => card.dataset.card)"
"""The cards that are chosen, for the page."""
ANSWERED = """(request) => {
  const room = document.querySelector("#room:not([data-part])");
  return room !== null && room.dataset.request !== request;
}"""
"""Whether the request is over, and all of what came then is drawn."""


class Guest:
    """Somebody with a browser."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._listen)

    def _listen(self, said: Any) -> None:
        # A line that is down is no mistake of the page's.
        if said.type == "error" and not any(word in said.text for word in ("WebSocket", "ERR_", "Failed to load")):
            self.complaints.append(said.text)

    # Coming in -----------------------------------------------------------------------------------------------------

    def open_room(self, url: str, **settings: Any) -> str:
        """A new room, asked for as the form asks; gives the link for the others."""
        self.page.goto(f"{url}/new")
        asked = {"name": self.name, "game": "president", "bots_delay": 0, **settings}
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
        """Follow the link and give a name."""
        self.page.goto(link)
        self.page.fill("#name", self.name)
        find.joining(self.page).locator("button[type=submit]").click()
        expect(find.joining(self.page)).to_have_count(0)
        expect(find.lobby_seats(self.page)).to_contain_text(self.name)

    # Seeing --------------------------------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        """How far the page is."""
        return int(self.page.locator("#room").get_attribute("data-seq") or 0)

    def wait_for_seq(self, seq: int) -> None:
        """Wait until the page shows all of this state, or of a later one: a large change is drawn in several frames."""
        self.page.wait_for_function(
            """(seq) => {
              const { dataset } = document.querySelector("#room");
              return Number(dataset.seq) >= seq && dataset.part === undefined;
            }""",
            arg=seq,
        )

    @property
    def cards(self) -> list[str]:
        """What is in the hand."""
        return find.cards(self.page).evaluate_all("cards => cards.map(card => card.dataset.card)")

    @property
    def trick(self) -> list[str]:
        """What lies on the table, in words."""
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

    # Doing ---------------------------------------------------------------------------------------------------------

    def press(self, where: Locator, *, corner: bool = False) -> None:
        """A tap on a touch screen, else a click."""
        position: Any = CORNER if corner else None
        if self.page.evaluate("navigator.maxTouchPoints > 0"):
            where.tap(position=position)
        else:
            where.click(position=position)

    def take_turn(self) -> None:
        """Do what is asked: give, keep, play if anything can be played, else pass; wait until the page shows it.

        The number of the request tells that: in an exchange others may act at the same time.
        """
        request = self._answer()
        self.page.wait_for_function(ANSWERED, arg=request)

    def _answer(self) -> str:
        """Do what is asked, and return the number of the request."""
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
                if not self._choose_more() and "pass" in asked:  # it took another's place, and could for ever
                    self.press(page.locator("[data-do=pass]"))
                    return str(request)
            # Where the cards may be played in many ways (wild ones, a run to be called), a sheet asks which.
            if (several := page.locator("[data-choose=ways]")).count():
                self.press(several)
            self.press(page.locator("[data-do=play]").first)
        else:
            # What is asked between two tricks or hands has one button, or several of which any will do.
            do = "[data-do=pass]" if "pass" in asked else "[data-zone=actions] [data-do]:enabled"
            self.press(page.locator(do).first)
        return str(request)

    def _choose_more(self) -> bool:
        """One more card is chosen; tells whether more are than before, or it took the place of another."""
        before = self.page.evaluate(CHOSEN)
        self.press(find.open_cards(self.page).first, corner=True)
        self.page.wait_for_function(f"(before) => ({CHOSEN})().join() !== before.join()", arg=before)
        return len(self.page.evaluate(CHOSEN)) > len(before)


def next_to_act(guests: list[Guest], latest: Guest | None = None) -> Guest | None:
    """Whose turn it is, as the page of whoever acted last tells; None if the hand is over, or it is nobody of these."""
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
    """So many turns, or to the end of the hand; how many there were."""
    guest = None
    for turn in range(turns):
        guest = next_to_act(guests, guest)
        if guest is None:
            for each in guests:
                each.page.wait_for_selector("[data-zone=result]")
            return turn
        guest.take_turn()
    return turns


def play_with_bots(guest: Guest) -> int:
    """One's own turns until the hand is over, with bots in all the other seats."""
    turns = 0
    while True:
        guest.page.wait_for_selector(TURN_OR_RESULT)
        if guest.hand_is_over:
            return turns
        guest.take_turn()
        turns += 1
