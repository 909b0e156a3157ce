"""Test that the keyboard alone is enough to join, play two hands with exchanges, start another match and leave."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.e2e import find
from tests.e2e.access.test_announcements import LISTEN, heard
from tests.e2e.games.test_specials import can, look, may_complete_four, plays
from tests.e2e.pages.test_pages import AXE, complaints
from tests.e2e.people.crowd import Crowd, Update, Wanted, crowd
from tests.e2e.people.guests import TURN_OR_RESULT
from tests.e2e.people.keyboard_user import Typist
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

GAMES: dict[str, dict[str, Any]] = {
    "president": {"game": "president", "bots": ["easy"] * 3},
    "pao_de_kuai": {"game": "pao_de_kuai", "bots": ["easy"] * 2},
    "ceausescu": {"game": "ceausescu", "bots": ["easy"] * 3},
    "chase_the_ace": {"game": "chase_the_ace", "bots": ["easy"] * 3},
}


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_can_be_played_by_keyboard_alone(new_context: NewContext, server: Server, game: str) -> None:
    host = Crowd(server.url, ["Zed"])
    try:
        link = host.open(bots_delay=0, **GAMES[game])
        bob = Typist(new_context().new_page(), "Bob")
        page = bob.page
        bob.join(link)
        host.do("Zed", "transfer_host", name="Bob")
        host.do("Zed", "leave")
        bob.enter(page.locator("[data-do=start]"))

        done, hands = bob.play_hand(), 1
        # A player who is dealt a king in Chase the Ace has nothing to decide.
        while hands < 2 or not done:
            bob.enter(page.get_by_role("button", name="Deal the next hand"))
            expect(find.result(page)).to_have_count(0)
            done, hands = done + bob.play_hand(), hands + 1

        bob.enter(page.get_by_role("button", name="Menu"))
        choose_host_tab(bob)
        bob.enter(page.locator("dialog [data-confirm=stop]"))
        bob.enter(page.locator("dialog [data-ask=stop]"))
        bob.enter(page.get_by_role("button", name="Waiting room"))
        bob.enter(page.locator("[data-do=start]"))
        expect(page.locator("[data-zone=hand] [data-card], [data-zone=panel]").first).to_be_visible()
        bob.enter(page.get_by_role("button", name="Menu"))
        expect(page.locator("dialog")).to_be_visible()
        bob.press("Escape")
        expect(page.get_by_role("button", name="Menu")).to_be_focused()
        bob.enter(page.locator("[data-confirm=leave]"))
        assert bob.lost == []
        bob.enter(page.locator("dialog [data-ask=leave]"))
        page.wait_for_url(f"{server.url}/")
        assert not bob.complaints
    finally:
        host.close()


def choose_host_tab(typist: Typist) -> None:
    """Choose the last tab of the open menu with the End key."""
    typist.tab_to(typist.page.get_by_role("tab", selected=True))
    typist.press("End")
    expect(typist.page.get_by_role("tab", name="Host")).to_be_focused()


def test_play_now_leads_to_a_second_hand_by_keyboard_alone(new_context: NewContext, server: Server) -> None:
    """Play with shortcut keys: letters choose, play and pass. The bots play without delay."""
    bob = Typist(new_context().new_page(), "Bob")
    page = bob.page
    page.goto(server.url)
    bob.enter(page.get_by_role("button", name="Play now"))
    expect(find.cards(page)).to_have_count(13)

    bob.press("m")
    choose_host_tab(bob)
    bob.enter(page.locator("dialog [data-page=bots]"))
    bob.tab_to(page.locator("input[name=pace]:checked"))
    at_once = page.get_by_role("radio", name="Instant")
    while not at_once.is_checked():
        bob.press("ArrowRight")
        expect(page.locator("input[name=pace]:checked")).to_be_focused()
    bob.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)

    did = Counter(bob.play_hand(bob.take_turn_by_letters))
    assert did["play"] > 1, did
    bob.enter(page.get_by_role("button", name="Deal the next hand"))
    expect(find.result(page)).to_have_count(0)
    # The player who came first received two cards, and the last player gave two away.
    expect(find.cards(page).nth(10)).to_be_visible()
    assert not bob.complaints


def give(ana: Typist, people: Crowd) -> None:
    """Choose the cards, then press the button."""
    assert ana.take_turn() == "give"


def give_two(ana: Typist, people: Crowd) -> None:
    """Choose cards for two players. The first cards go to the first name in the list."""
    you = people.sees(ana.name)["you"]
    to = next(action for action in you["legal"] if action["do"] == "give")["to"]
    for gift in you["must_give"]:
        ana.choose(to[gift["to"]])
    ana.enter(ana.page.locator("[data-do=give]"))
    expect(ana.page.locator("[data-do=give]")).to_have_count(0)


def haggle(ana: Typist, people: Crowd) -> None:
    """Say something about a rank, offer a card under another name, and break off."""
    page = ana.page
    ana.tab_to(page.get_by_label("Announce a rank"))
    ana.press("k")
    ana.enter(page.locator("[data-do=say]").first)
    expect(find.log(page)).to_contain_text("You say about the rank king: “I have one.”")
    ana.choose_one_more()
    ana.tab_to(page.get_by_label("Claimed rank"))
    ana.press("a")
    ana.enter(page.locator("[data-do=offer]"))
    expect(find.zone(page, "panel")).to_contain_text("offers a card and claims: ace")
    ana.enter(page.locator("[data-do=break_off]"))


def collude(ana: Typist, people: Crowd) -> None:
    """Offer cards to a partner, then finish."""
    page = ana.page
    for _ in range(2):
        ana.choose_one_more()
    ana.enter(page.locator("[data-do=offer]"))
    expect(find.zone(page, "panel")).to_contain_text("offers 2 cards")
    ana.enter(page.locator("[data-do=done]"))


def call_a_run(ana: Typist, people: Crowd) -> None:
    """Choose between a run with a call and one without."""
    ana.choose(next(action for action in plays(people.sees(ana.name)) if "call" in action)["cards"])
    ana.enter(ana.page.locator("[data-choose=ways]"))
    ana.enter(ana.page.locator("[data-do=play]", has_text="and call").first)
    expect(find.new_sign(ana.page)).to_contain_text("called")


def name_a_wild_card(ana: Typist, people: Crowd) -> None:
    """Press Enter on a wild card to be asked for its rank, and pick one with the arrow keys."""
    page = ana.page
    ana.choose(many_readings(people.sees(ana.name))[0])
    ana.press("Enter")
    page.locator("dialog[open]").wait_for()
    if AXE.is_file():
        assert complaints(page) == []
    ana.press("ArrowRight", 2)
    ana.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    expect(find.log(page)).to_contain_text("You play")


def cut_and_deal(ana: Typist, people: Crowd) -> None:
    """Choose where to cut, then cut."""
    page = ana.page
    ana.tab_to(page.locator("input[type=range]"))
    ana.press("Home")
    ana.press("ArrowRight", 9)
    expect(page.get_by_text("Cut after 10 cards")).to_be_visible()
    ana.enter(page.locator("[data-do=cut]"))
    expect(find.log(page)).to_contain_text("cut")


def decree(ana: Typist, people: Crowd) -> None:
    """Type a decree. In the text field, letters must not act as shortcut keys."""
    page = ana.page
    ana.enter(page.get_by_role("button", name="Decree"))
    table = people.sees(ana.name)["table"]
    places = {name: table["players"][name]["place"] for name in table["seats"]}
    below = [name for name, place in places.items() if place > places[ana.name]]
    expect(page.locator("select[name=to] option")).to_have_text([re.compile("everyone"), *below])
    ana.tab_to(page.get_by_label("Text of the decree"))
    page.keyboard.type("stack cats")
    ana.enter(page.get_by_role("button", name="Send decree"))
    expect(page.locator("dialog")).to_have_count(0)
    expect(find.log(page)).to_contain_text("stack cats")


def four_five_six(update: Update) -> str | None:
    """Return a run of 4, 5 and 6 that the player can lead while keeping enough cards to choose from."""
    if update["table"]["trick"] is not None or len(update["you"]["cards"].split()) < 7:
        return None
    return next(
        (play["cards"] for play in plays(update) if [card[0] for card in play["cards"].split()] == [*"456"]), None
    )


def choose_three_times(ana: Typist, people: Crowd) -> None:
    """Play a run that asks for three choices in turn. Each one must be announced."""
    page = ana.page
    page.evaluate(LISTEN)
    ana.choose(four_five_six(people.sees(ana.name)) or "")
    ana.enter(page.locator("[data-do=play]"))
    for do, asked in (("give", "Give a card to"), ("discard", "Discard a card, or none.")):
        expect(find.turn(page)).to_contain_text(asked)
        ana.choose_one_more()
        ana.enter(page.locator(f"[data-do={do}]"))
    expect(find.turn(page)).to_contain_text("Name a rank")
    expect(page.locator("[data-do=bomb]")).to_be_disabled()
    ana.enter(find.actions(page).locator("[data-rank=A]"))
    ana.enter(page.locator("[data-do=bomb]"))
    expect(find.log(page)).to_contain_text("You bomb ace")
    asked_for = [line.partition(" To beat: ")[0] for line in heard(page, "alert")]
    assert [re.sub(r"to \w+,", "to …,", line) for line in asked_for if re.match("Give|Discard|Name", line)] == [
        "Give a card to …, or none.",
        "Discard a card, or none.",
        "Name a rank from 3 to A or 2. All its cards are discarded.",
    ], asked_for
    told = " ".join(heard(page, "live"))
    assert [told.index(words) for words in ("You give ", "You discard ", "You bomb ace")] == sorted(
        told.index(words) for words in ("You give ", "You discard ", "You bomb ace")
    )


def break_in(ana: Typist, people: Crowd) -> None:
    """Complete four of a rank during another player's turn."""
    ana.choose(plays(people.sees(ana.name))[0]["cards"])
    ana.enter(ana.page.locator("[data-do=play]"))
    expect(find.latest(ana.page)).to_contain_text("You complete the four")


def let_a_bot_play(ana: Typist, people: Crowd) -> None:
    """Let a bot play. When its button has gone, the focus must return to the player's cards."""
    ana.enter(ana.page.locator("[data-ask=let_bot_play][data-seat=false]"))
    expect(find.card_at_stop(ana.page)).to_be_focused()


def press(do: str) -> Callable[[Typist, Crowd], None]:
    """Return a function that presses this button and waits until it has gone."""

    def pressing(ana: Typist, people: Crowd) -> None:
        button: Locator = ana.page.locator(f"[data-do={do}]")
        ana.enter(button)
        expect(button).to_have_count(0)

    return pressing


def waits_for_another(update: Update) -> bool:
    """Whether Ana, who is the host, waits for another player's turn."""
    table, name = update["table"], update["you"]["name"]
    return name == "Ana" and table["phase"] == "play" and table["to_act"] not in ([], [name])


def many_readings(update: Update) -> list[str]:
    counted = Counter(action["cards"] for action in plays(update))
    return [cards for cards, ways in counted.items() if ways > 2 and " " not in cards]


def owes(people: int) -> Wanted:
    return lambda update: can("give")(update) and len(update["you"]["must_give"] or []) == people


FOUR_FIVE_SIX = {"giving_ranks": "4", "discarding_ranks": "5", "bombing_ranks": "6"}

# A small screen, so that parts have to be scrolled. axe must be injected, which the page's policy forbids.
ON_A_PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "bypass_csp": True}

MOMENTS: dict[str, tuple[str, dict[str, Any], Wanted, Callable[[Typist, Crowd], None]]] = {
    "a gift": ("Ana Bob Cat Dan", {}, owes(1), give),
    "two gifts": ("Ana Bob Cat", {"game": "ceausescu"}, owes(2), give_two),
    "haggling": ("Ana Bob Cat Dan Eve Fay", {"options": {"preset": "merchants"}}, can("say"), haggle),
    "colluding": ("Ana Bob Cat Dan", {"options": {"preset": "collusion"}}, can("offer"), collude),
    "a called run": (
        "Ana Bob Cat Dan",
        {"options": {"preset": "kings_and_bastards", "ordering": True}},
        lambda update: any("call" in action for action in plays(update)),
        call_a_run,
    ),
    "a wild card": ("Ana Bob Cat Dan", {"options": {"preset": "wild_threes"}}, many_readings, name_a_wild_card),
    "the cut": ("Ana Bob Cat", {"options": {"preset": "landlord"}}, can("cut"), cut_and_deal),
    "three choices": (
        "Ana Bob Cat",
        {"options": {"sequences": "single", "powers_in": "all", "exchange": "none"} | FOUR_FIVE_SIX},
        four_five_six,
        choose_three_times,
    ),
    "four of a rank": (
        "Ana Bob Cat Dan",
        {"options": {"burn": "any_time", "exchange": "none"}},
        may_complete_four,
        break_in,
    ),
    "a decree": (
        "Ana Bob Cat Dan",
        {"options": {"preset": "pagat"}},
        lambda update: update["you"].get("decree") and update["room"]["phase"] == "playing",
        decree,
    ),
    "the pile": ("Ana Bob Cat Dan", {"options": {"only_bottom_clears": True}}, can("clear"), press("clear")),
    "a slow friend": ("Ana Bob Cat", {"clock": {"patience": 1}}, waits_for_another, let_a_bot_play),
    "a swap": ("Ana Bob Cat Dan", {"game": "chase_the_ace"}, can("swap"), press("swap")),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_every_question_of_a_game_can_be_answered_by_keyboard(
    new_context: NewContext, server: Server, moment: str
) -> None:
    names, asked, wanted, answer = MOMENTS[moment]
    with crowd(server.url, names, **asked) as people:
        name = people.play_until(wanted)
        ana = Typist(look(new_context, server, people, name, **ON_A_PHONE), name)
        if AXE.is_file():
            assert complaints(ana.page) == []
        ana.sit_down()
        answer(ana, people)
        ana.page.wait_for_function("() => document.activeElement !== document.body")
        assert ana.lost == []
        assert not ana.complaints
        expect(find.refusal(ana.page)).to_have_count(0)


def test_focus_moves_to_the_next_hand_button_when_a_hand_ends_with_cards_left(
    new_context: NewContext, server: Server
) -> None:
    """On a phone the result replaces the cards, and appears one frame before they go."""
    host = Crowd(server.url, ["Zed"])
    try:
        link = host.open(bots_delay=0, **GAMES["president"])
        bob = Typist(new_context(viewport={"width": 390, "height": 844}).new_page(), "Bob")
        bob.join(link)
        host.do("Zed", "transfer_host", name="Bob")
        host.do("Zed", "leave")
        bob.enter(bob.page.locator("[data-do=start]"))
        while True:
            bob.page.wait_for_selector(TURN_OR_RESULT)
            if find.result(bob.page).count():
                break
            if not bob.page.locator("[data-do=pass]").count():  # the leader can't pass
                bob.take_turn()
                continue
            bob.tab_to(find.card_at_stop(bob.page))
            seq = bob.page.locator("#room").get_attribute("data-seq")
            bob.press("p")
            bob.page.wait_for_function("(seq) => document.querySelector('#room').dataset.seq !== seq", arg=seq)
        expect(bob.page.get_by_role("button", name="Deal the next hand")).to_be_focused()
        assert bob.lost == []
        assert not bob.complaints
    finally:
        host.close()


def test_the_waiting_room_and_the_menu_can_be_used_by_keyboard(new_context: NewContext, server: Server) -> None:
    host = Crowd(server.url, ["Zed"])
    try:
        link = host.open(bots_delay=5, bots=["easy"])
        ana = Typist(new_context(viewport={"width": 390, "height": 844}).new_page(), "Ana")
        page = ana.page
        ana.join(link)
        ready = page.locator("[data-do=ready]")
        ana.enter(ready)
        expect(ready).to_have_text("I’m not ready")

        # When the match starts, the page is drawn around the focused button, which must keep the focus.
        menu = page.get_by_role("button", name="Menu")
        ana.tab_to(menu)
        host.do("Zed", "start")
        expect(find.cards(page).first).to_be_visible()
        expect(menu).to_be_focused()
        for command in ("stop", "rematch"):
            host.do("Zed", command)
        host.do("Zed", "transfer_host", name="Ana")

        # After sending a bot away, the focus stays in the list of bots. It must not move to the start button.
        add = page.locator("[data-bot=easy]")
        bots = find.lobby_seats(page).locator("[data-sits]", has_text="easy bot")
        for count in (2, 3, 4):
            ana.enter(add)
            expect(bots).to_have_count(count)
        ana.enter(bots.first.get_by_role("button"))
        ana.enter(page.locator("[data-do=remove]"))
        expect(bots).to_have_count(3)
        assert page.evaluate("document.activeElement.closest('[data-zone=lobby-seats] li') !== null")
        ana.press("Enter")
        expect(page.locator("[data-do=remove]")).to_be_visible()
        ana.press("Escape")
        expect(page.locator("[data-do=remove]")).to_have_count(0)

        # A sheet that opens over another sheet returns the focus to the button that opened the first.
        # Zed is not ready, so the page asks first. Cancel returns the focus to the start button.
        start = page.locator("[data-do=start]")
        ana.enter(start)
        expect(page.locator("dialog")).to_contain_text("Zed is not ready yet.")
        ana.press("Enter")
        expect(start).to_be_focused()
        ana.press("Enter")
        ana.enter(page.locator("dialog [data-ask=start]"))
        ana.enter(menu)
        ana.enter(page.locator("dialog").get_by_role("button", name="Rules at this table"))
        ana.enter(page.locator("dialog").get_by_role("button", name="Close"))
        expect(menu).to_be_focused()
        ana.press("Enter")
        choose_host_tab(ana)
        ana.enter(page.locator("dialog [data-page=people]"))
        ana.enter(page.locator("dialog [data-person=Zed] [aria-expanded]"))
        ana.enter(page.locator("dialog [data-confirm=unseat]"))
        ana.enter(page.locator("dialog [data-ask=remove]"))
        expect(page.locator("dialog [data-ask=remove]")).to_have_count(0)
        assert page.evaluate("document.activeElement.closest('dialog') !== null")
        ana.press("Escape")
        expect(menu).to_be_focused()
        ana.enter(page.get_by_role("button", name="Game log"))
        expect(page.locator("dialog[open] [data-zone=log]")).to_be_visible()
        ana.press("Escape")
        expect(page.get_by_role("button", name="Game log")).to_be_focused()
        assert ana.lost == []
        assert not ana.complaints
    finally:
        host.close()


def test_a_room_can_be_opened_by_keyboard(new_context: NewContext, server: Server) -> None:
    ana = Typist(new_context().new_page(), "Ana")
    page = ana.page
    page.goto(server.url)
    ana.enter(page.locator("main").get_by_role("link", name="Invite friends"))
    page.wait_for_selector("#new-room:not([aria-busy])")
    ana.tab_to(page.get_by_label("Your name"))
    page.keyboard.type("Ana")
    # Arrow keys pick the game and the preset. The redraw must not move the focus.
    ana.press("Tab")
    while not page.locator("input[name=game][value=big_two]").is_checked():
        ana.press("ArrowDown")
    ana.press("Tab")
    ana.press("ArrowDown")
    assert page.evaluate("document.activeElement.name") == "preset"
    chosen = page.locator("input[name=preset]:checked").get_attribute("value")
    ana.enter(page.locator("summary", has_text="House rules"))
    ana.tab_to(page.locator("input[type=search]"))
    page.keyboard.type("combination")
    switch = page.locator("[data-switch] input:not(:checked)").first
    switch.wait_for()
    ana.enter(page.locator("summary", has_text="Time limits, points and bots"))
    for _ in range(2):
        ana.enter(page.locator("[data-bot=easy]"))
    ana.tab_to(page.get_by_label("Your name"))
    ana.press("Enter")
    page.wait_for_url("**/r/*")
    expect(find.lobby_seats(page).locator("[data-sits]")).to_have_count(3)
    expect(page.get_by_role("heading", level=1)).to_have_text("Big Two")
    assert page.request.get(page.url.replace("/r/", "/api/rooms/")).json()["preset"] == chosen
