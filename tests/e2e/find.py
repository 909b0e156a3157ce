"""Find things on a page by their role, text or `data-*` attributes, never by a CSS class.

`data-zone` names a part of a page. Cards, seats, plays and signs have attributes that also give their state. A card
that can't come next has `data-fits="no"`, and a chosen card is pressed.
"""

from playwright.sync_api import Locator, Page, Position, expect

Place = Page | Locator

CARDS = "[data-zone=hand] [data-card]"
CHOSEN = f"{CARDS}[aria-pressed=true]"
OPEN = f"{CARDS}:not([data-fits=no], [aria-pressed=true])"
"""Cards that can be chosen and are not chosen yet."""
STOP = f"{CARDS}[tabindex='0']"
"""The card at which the Tab key stops."""
CORNER = Position(x=10, y=14)
"""A position at which a card can always be pressed, even if other cards lie on it."""
MY_TURN = "[data-turn=mine]"
TURN_OR_RESULT = "#room:not([data-part]) :is([data-turn=mine], [data-zone=result])"
"""The player's turn or the result of the hand, completely drawn. A large change takes several frames."""
SEATS = "[data-zone=seats] > [data-seat]"


def zone(where: Place, name: str) -> Locator:
    """Find a part of the page by its name."""
    return where.locator(f"[data-zone={name}]")


def cards(where: Place) -> Locator:
    """Find the cards in the player's own hand."""
    return where.locator(CARDS)


def card(where: Place, code: str) -> Locator:
    """Find a card in the player's own hand by its code, such as "Tc" for the ten of clubs."""
    return where.locator(f"[data-zone=hand] [data-card='{code}']")


def chosen(where: Place) -> Locator:
    """Find the chosen cards in the player's own hand."""
    return where.locator(CHOSEN)


def open_cards(where: Place) -> Locator:
    """Find the cards in the player's own hand that may be chosen next."""
    return where.locator(OPEN)


def card_at_stop(where: Place) -> Locator:
    """Find the card to which the Tab key leads."""
    return where.locator(STOP)


def hand(where: Place) -> Locator:
    """Find the player's own hand."""
    return zone(where, "hand")


def actions(where: Place) -> Locator:
    """Find the bar with the buttons for the current actions."""
    return zone(where, "actions")


def felt(where: Place) -> Locator:
    """Find the felt, which is the picture of the table."""
    return zone(where, "felt")


def turn(where: Place) -> Locator:
    """Find the line that says whose turn it is."""
    return zone(where, "turn")


def my_turn(where: Place) -> Locator:
    """Find the text under the table during the player's own turn."""
    return where.locator(MY_TURN)


def latest(where: Place) -> Locator:
    """Find the line with the latest event."""
    return zone(where, "latest")


def log(where: Place) -> Locator:
    """Find the lines of the log."""
    return zone(where, "log")


def result(where: Place) -> Locator:
    """Find the result of the hand."""
    return zone(where, "result")


def seats(where: Place) -> Locator:
    """Find the seats of the other players at the table."""
    return where.locator(SEATS)


def seat(where: Place, name: str) -> Locator:
    """Find the seat of another player by their name."""
    return where.locator(SEATS, has_text=name)


def lobby_seats(where: Place) -> Locator:
    """Find the list of seats in the waiting room."""
    return zone(where, "lobby-seats")


def start_match(page: Page) -> None:
    """Press Start match. If people are not ready, the page asks first, and this says yes."""
    page.locator("[data-do=start]").click()
    yes = page.locator("dialog [data-ask=start]")
    expect(yes.or_(zone(page, "felt"))).to_be_visible()
    if yes.count():
        yes.click()


def change_rules(page: Page) -> None:
    """Open the form for other rules from the sheet with the rules, which every page of a waiting room offers."""
    page.get_by_role("button", name="Read the rules").click()
    page.get_by_role("dialog").get_by_role("button", name="Change rules").click()


def joining(where: Place) -> Locator:
    """Find the form that asks a newcomer for a name in the waiting room."""
    return zone(where, "joining")


def notice(where: Place) -> Locator:
    """Find the server's message that covers a part of the table."""
    return zone(where, "notice")


def refusal(where: Place) -> Locator:
    """Find the message from the server that explains a refusal."""
    return where.locator("[data-zone=notice][data-bad]")


def banner(where: Place) -> Locator:
    """Find the message above the table, for example about a lost connection."""
    return where.locator("[data-zone=banner]:not(:empty)")


def question(where: Place) -> Locator:
    """Find the question beside the buttons."""
    return zone(where, "question")


def signs(where: Place) -> Locator:
    """Find the list of signs, which show unusual states of the game."""
    return zone(where, "signs")


def new_sign(where: Place) -> Locator:
    """Find the signs of the latest change."""
    return where.locator("[data-sign=hot]")


def differences(where: Place) -> Locator:
    """Find the list of rules that differ from the chosen preset."""
    return zone(where, "differences")


def stage(where: Place) -> Locator:
    """Find the layer above the page in which animations run."""
    return zone(where, "stage")


def choose(where: Place, cards: str, touch: bool = False) -> None:
    """Choose these cards in the player's own hand, such as "4c 4d". The page may choose the last of them itself."""
    for code in cards.split():
        held = card(where, code)
        if held.get_attribute("aria-pressed") == "false":
            (held.tap if touch else held.click)(position=CORNER)


def open_menu(page: Page, tab: str = "", part: str = "") -> None:
    """Open the menu, then a tab and a page of it, by their names. Without a tab, the menu shows the table's."""
    page.get_by_role("button", name="Menu").click()
    if tab:
        page.get_by_role("tab", name=tab).click()
    if part:
        page.locator("[data-page]", has_text=part).click()


def open_person(page: Page, name: str) -> Locator:
    """Open the row of a person in the list of the menu, and return it."""
    row = page.locator(f"dialog [data-person='{name}']")
    row.locator("[aria-expanded=false]").click()
    return row


def close_sheet(page: Page) -> None:
    """Close the open sheet. A notice behind it can have a Close button, too."""
    page.get_by_role("dialog").get_by_role("button", name="Close").click()


def newest_match(page: Page, site: str) -> str:
    """Open the history, and return the path of the newest match, which may stand in a closed evening."""
    page.goto(f"{site}/history")
    found = page.locator("a[href^='/matches/']").first.get_attribute("href") or ""
    return found.partition("?")[0].partition("#")[0]


def confirm(page: Page, what: str, command: str = "") -> None:
    """Press a button for an action that can't be undone, and say yes to the question."""
    page.locator(f"[data-confirm={what}]").last.click()
    page.locator(f"dialog [data-ask={command or what}]").click()
