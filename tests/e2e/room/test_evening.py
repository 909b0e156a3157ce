"""Test a session with four browsers, a reload, a lost connection, and a server killed in the middle of a trick."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e import find
from tests.e2e.people.guests import Guest, next_to_act, play_on, play_with_bots
from tests.e2e.server import PATIENCE, Server

NewContext = Callable[..., BrowserContext]
PATIENCE_MS = 1000 * PATIENCE


def arrive(new_context: NewContext, names: str) -> list[Guest]:
    return [Guest(new_context().new_page(), name) for name in names.split()]


@pytest.mark.long("four browsers play a hand and more")
def test_four_players_play_two_hands_with_an_exchange(new_context: NewContext, server: Server) -> None:
    guests = arrive(new_context, "Ana Bob Cat Dan")
    ana, bob, cat, dan = guests
    link = ana.open_room(server.url, options={"preset": "classic"})
    for guest in guests[1:]:
        guest.join(link)
    expect(find.lobby_seats(ana.page)).to_contain_text("Dan")
    # Cat's phone sleeps when the match begins, and tells so when it wakes.
    cat.page.context.set_offline(True)
    find.start_match(ana.page)
    expect(find.cards(ana.page)).to_have_count(13)
    cat.page.context.set_offline(False)
    for guest in guests:
        expect(find.cards(guest.page)).to_have_count(13)
    expect(find.log(cat.page)).to_contain_text("The match has started.")
    assert len({card for guest in guests for card in guest.cards}) == 52

    play_on(guests, 6)
    held = bob.cards
    bob.page.reload()
    expect(find.cards(bob.page)).to_have_count(len(held))
    assert bob.cards == held

    # Cat is offline while the others play on as far as they can.
    cat.page.context.set_offline(True)
    expect(find.banner(cat.page)).to_be_visible()
    others = [ana, bob, dan]
    for _ in range(3):
        guest = next_to_act(others)
        if guest is None:
            break
        guest.take_turn()
    held = cat.cards
    cat.page.context.set_offline(False)
    expect(find.banner(cat.page)).to_have_count(0)
    cat.wait_for_seq(max(guest.seq for guest in others))
    assert cat.cards == held

    play_on(guests)
    for guest in guests:
        expect(find.result(guest.page).locator("tbody tr")).to_have_count(4)
    places = find.result(ana.page).locator("tbody [data-zone=name]").all_inner_texts()
    assert sorted(places) == ["Ana", "Bob", "Cat", "Dan"]
    assert find.result(ana.page).locator("tbody [data-zone=about]").all_inner_texts() == [
        "President",
        "Vice-President",
        "Vice-Scum",
        "Scum",
    ]

    ana.page.get_by_role("button", name="Deal the next hand").click()
    scum = next(guest for guest in guests if guest.name == places[3])
    for guest in guests:
        expect(guest.page.locator("[data-panel=exchange]")).to_be_visible()
    # Best cards are given automatically unless there are equal ones. The high places choose the cards in return.
    while (giver := next_to_act(guests)) is not None and giver.page.locator("[data-do=give]").count():
        giver.take_turn()
    expect(find.turn(scum.page)).to_contain_text("Your turn")
    expect(find.cards(scum.page)).to_have_count(13)
    assert play_on(guests, 8) == 8
    for guest in guests:
        expect(guest.page.locator("h1")).to_contain_text("hand 2")
        assert not guest.complaints


@pytest.mark.long("it starts a server twice for three browsers")
def test_a_match_continues_after_the_server_is_killed(new_context: NewContext, own_server: Server) -> None:
    own_server.start()
    try:
        guests = arrive(new_context, "Ana Bob Cat")
        link = guests[0].open_room(own_server.url)
        for guest in guests[1:]:
            guest.join(link)
        expect(guests[0].page.locator("[data-do=start]")).to_be_enabled()
        find.start_match(guests[0].page)
        for guest in guests:
            guest.page.wait_for_selector(find.CARDS)
        play_on(guests, 7)
        while len(guests[0].trick) < 2:
            play_on(guests, 1)
        newest = max(guest.seq for guest in guests)
        for guest in guests:
            guest.wait_for_seq(newest)
        tricks, held = [guest.trick for guest in guests], [guest.cards for guest in guests]

        own_server.kill()
        for guest in guests:
            expect(find.banner(guest.page)).to_be_visible()
        own_server.start()
        for guest in guests:
            expect(find.banner(guest.page)).to_have_count(0, timeout=PATIENCE_MS)
            guest.wait_for_seq(newest)
        assert [guest.trick for guest in guests] == tricks
        assert [guest.cards for guest in guests] == held

        # A reload shows that the state comes from the server.
        guests[1].page.reload()
        guests[1].page.wait_for_selector("#room[data-seq]")
        assert guests[1].trick == tricks[1]
        assert guests[1].cards == held[1]

        assert play_on(guests, 6) == 6
        for guest in guests:
            assert not guest.complaints
    finally:
        own_server.stop()


def test_players_can_join_and_leave_during_a_match(new_context: NewContext, server: Server) -> None:
    ana, bob = arrive(new_context, "Ana Bob")
    link = ana.open_room(server.url, bots=["easy", "easy", "easy"])
    find.start_match(ana.page)
    ana.page.wait_for_selector(find.CARDS)

    # A player who joins in the middle of a hand plays from the next hand.
    bob.page.goto(link)
    expect(find.joining(bob.page)).to_contain_text("Ana has invited you")
    bob.page.fill("#name", "Bob")
    bob.page.get_by_role("button", name="Join").click()
    expect(find.zone(bob.page, "watching")).to_contain_text("You join with the next hand")
    expect(find.seats(bob.page)).to_have_count(4)
    assert bob.cards == []
    play_with_bots(ana)
    ana.page.get_by_role("button", name="Deal the next hand").click()
    expect(find.cards(bob.page).first).to_be_visible()
    expect(find.seats(ana.page)).to_have_count(4)

    # The host makes Bob host and leaves. A bot plays her cards to the end of the hand.
    find.open_menu(ana.page, "Host", "People")
    find.open_person(ana.page, "Bob")
    find.confirm(ana.page, "transfer_host")
    expect(bob.page.locator("[data-zone=latest], [data-zone=log]").first).to_contain_text("You are now the host")
    ana.page.keyboard.press("Escape")
    find.confirm(ana.page, "leave")
    ana.page.wait_for_url(f"{server.url}/")
    play_with_bots(bob)

    # Ana returns under another name. The message at the name field says which name was hers.
    bob.page.get_by_role("button", name="Deal the next hand").click()
    bob.page.wait_for_selector(find.CARDS)
    ana.page.goto(link)
    ana.page.fill("#name", "Anna")
    ana.page.locator("[data-welcome] button[type=submit]").click()
    expect(ana.page.locator("#name-problem")).to_contain_text("Come back as Ana")
    find.open_menu(bob.page, "Host")
    find.confirm(bob.page, "stop")
    bob.page.get_by_role("button", name="Waiting room").click()
    expect(bob.page.locator("[data-do=start]")).to_be_visible()
    assert not ana.complaints
    assert not bob.complaints


@pytest.mark.long("seven browsers meet at one table")
def test_an_evening_with_four_players_a_spectator_a_guest_and_a_television(
    new_context: NewContext, server: Server
) -> None:
    guests = arrive(new_context, "Ana Bob Cat Dan Eve Gus TV")
    (ana, bob, cat, dan), (eve, gus, screen) = guests[:4], guests[4:]
    clock = {"turn": 1, "reserve": 600, "pause": None}
    link = ana.open_room(server.url, options={"preset": "classic"}, clock=clock)
    for guest in (bob, cat, dan):
        guest.join(link)
    find.start_match(ana.page)
    expect(find.cards(ana.page)).to_have_count(13)
    screen.page.goto(f"{ana.page.url}/screen")
    for guest in (eve, gus):
        guest.page.goto(link)
    gus.page.get_by_role("button", name="Watch only").click()
    expect(find.zone(gus.page, "watching")).to_be_visible()
    eve.page.fill("#name", "Eve")
    eve.page.get_by_role("button", name="Join").click()
    expect(find.zone(eve.page, "watching")).to_contain_text("You join with the next hand")
    find.open_menu(eve.page)
    find.confirm(eve.page, "watch")

    # The host sees who watches, and that the time reserve of the first player runs. She bans the guest.
    find.open_menu(ana.page, "Host", "People")
    people = find.zone(ana.page, "people")
    expect(people.locator("[data-guest]")).to_have_count(2)
    expect(people).to_contain_text(re.compile(r"reserve: 5\d\d s"))
    people.get_by_role("button", name="Guest since").click()
    find.confirm(ana.page, "ban_guest", "remove_spectator")
    expect(find.banner(gus.page)).to_contain_text("The host has blocked you")
    for guest in (ana, bob, eve):
        expect(guest.page).not_to_have_url(gus.page.url.split("#")[0])
    expect(screen.page).to_have_url(f"{ana.page.url}/screen")
    expect(people.locator("[data-guest]")).to_have_count(1)
    ana.page.keyboard.press("Escape")

    # Bob gives his seat to Eve, who plays the next hand.
    find.open_menu(bob.page, part="People")
    find.open_person(bob.page, "Eve").locator("button", has_text="seat").click()
    bob.page.keyboard.press("Escape")
    eve.page.locator("[data-ask=accept_seat]").click()
    play_on([ana, bob, cat, dan])
    ana.page.get_by_role("button", name="Deal the next hand").click()
    expect(find.cards(eve.page).first).to_be_visible()
    expect(find.cards(bob.page)).to_have_count(0)
    expect(screen.page.locator("[data-zone=seats] [data-seat=Eve]")).to_be_visible()

    # The host shows the table to members only: Bob, who watches now, still sees it; the television does not.
    find.open_menu(ana.page, "Host", "Spectators")
    ana.page.get_by_label("People may watch without joining").uncheck()
    expect(screen.page.locator("#main")).to_contain_text("Only people who join see the table.")
    expect(find.seats(bob.page).first).to_be_visible()
    assert not [guest.complaints for guest in guests if guest.complaints]


def settled(guest: Guest, stake: float) -> str:
    """Check that the payments on the page balance all accounts, and return its sentence about the number of hands."""
    page = guest.page
    page.locator("[data-open=settle]").first.click()
    sheet = page.get_by_role("dialog", name="Settle up")
    accounts = sheet.get_by_role("list", name="Points in this session").get_by_role("listitem")
    # The sheet is loaded when it is first opened.
    expect(accounts).to_have_count(4)
    left = {}
    for line in accounts.all_inner_texts():
        name, points = line.split()
        left[name] = float(points.replace("−", "-")) * stake
    for line in sheet.get_by_role("list").first.locator("li").all_inner_texts():
        payer, _, payee, amount, unit = line.split()
        assert unit == ("euro" if amount == "1" else "euros")
        left[payer] += float(amount)
        left[payee] -= float(amount)
    assert len(left) == 4
    assert not any(left.values())
    told = sheet.locator("p").first.inner_text()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    return told


@pytest.mark.long("it starts a server twice, and plays two hands")
def test_an_evening_of_two_games_is_settled_with_a_stake(new_context: NewContext, own_server: Server) -> None:
    own_server.start()
    try:
        [ana] = arrive(new_context, "Ana")
        page = ana.page

        # The host types the stake, and everybody can read it.
        page.goto(f"{own_server.url}/new")
        page.fill("#name", "Ana")
        page.get_by_text("Time limits, points and bots").click()
        page.get_by_label("Amount per point").fill("20")
        page.get_by_label("Unit (cents, sips …)").fill("cents")
        page.get_by_role("button", name="Open room").click()
        expect(find.zone(page, "rules")).to_contain_text("Each point is worth 20 cents.")
        ana.open_room(own_server.url, game="big_two", bots=["easy", "easy", "easy"])
        page.get_by_role("button", name="Change rules").press("Enter")
        page.get_by_text("Time limits, titles and points").click()
        page.get_by_label("Amount per point").fill("0.125")
        page.get_by_label("Unit (cents, sips …)").fill("euros")
        page.get_by_role("button", name="Use these rules").click()
        expect(page.get_by_role("alert").filter(has_text="two decimals")).to_be_visible()
        page.get_by_label("Amount per point").fill("0,25")
        page.get_by_role("button", name="Use these rules").click()
        expect(find.zone(page, "rules")).to_contain_text("Each point is worth 0.25 euros.")

        find.start_match(page)
        play_with_bots(ana)
        expect(find.result(page)).to_contain_text("Each point is worth 0.25 euros.")
        page.get_by_role("button", name="Menu").click()
        assert "1 hand," in settled(ana, 0.25)
        find.open_menu(page, "Host")
        find.confirm(page, "stop")
        assert "Each point is worth 0.25 euros." in settled(ana, 0.25)

        own_server.kill()
        own_server.start()
        expect(find.banner(page)).to_have_count(0, timeout=PATIENCE_MS)
        page.get_by_role("button", name="Waiting room").click()
        page.get_by_role("button", name="Change rules").click()
        page.locator("dialog").get_by_text("Ceausescu").first.click()
        page.get_by_role("button", name="Use these rules").click()
        find.start_match(page)
        play_with_bots(ana)
        find.open_menu(page, "Table")
        assert "2 hands since" in settled(ana, 0.25)
        assert not ana.complaints
    finally:
        own_server.stop()
