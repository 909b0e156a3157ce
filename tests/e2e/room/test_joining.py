"""Test joining: invalid names, the room's code, shared links, and joining late."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, WebSocketRoute, expect

from tests.e2e import find
from tests.e2e.people.crowd import crowd
from tests.e2e.people.guests import Guest, next_to_act, play_with_bots
from tests.e2e.pictures.layout import at_every_size, resize
from tests.e2e.server import PATIENCE, Server

NewContext = Callable[..., BrowserContext]

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}


def expect_refused(page: Page, name: str, sentence: str, button: str) -> None:
    """Check that the page refuses this name beside its field, and that the field has the focus."""
    field = page.locator("#name")
    field.fill(name)
    page.locator(button).click()
    expect(page.locator("#name-problem")).to_contain_text(sentence)
    expect(field).to_have_attribute("aria-describedby", "name-problem")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()


def test_an_invalid_name_is_explained_at_its_field(new_context: NewContext, server: Server) -> None:
    ana, bob = (Guest(new_context(**PHONE).new_page(), name) for name in ("Ana", "Bob"))
    opening = "[data-zone=submit] button"
    ana.page.goto(f"{server.url}/new")
    expect_refused(ana.page, "", "Enter a name first", opening)
    expect_refused(ana.page, "   ", "Enter a name first", opening)
    expect_refused(ana.page, "A" * 21, "at most 20 characters", opening)
    expect_refused(ana.page, "\u3164", "no visible characters", opening)
    ana.page.locator("#name").press_sequentially("A")
    expect(ana.page.locator("#name-problem")).to_have_count(0)
    ana.page.fill("#name", "Ana")
    sent = list[str]()
    ana.page.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    ana.page.locator(opening).dblclick()
    expect(find.lobby_seats(ana.page)).to_contain_text("Ana")
    assert sent.count(f"POST {server.url}/api/rooms") == 1, "two presses open a single room"

    bob.page.goto(ana.page.locator("#invite-link").input_value())
    expect(find.zone(ana.page, "others")).to_have_text("1 person joining")
    joining = "[data-zone=joining] button[type=submit]"
    expect_refused(bob.page, "  ", "Enter a name first", joining)
    expect_refused(bob.page, "B" * 21, "at most 20 characters", joining)
    for size, wrong in at_every_size(bob.page):
        assert not wrong, size
    expect_refused(bob.page, "\u0410na", "is free.", joining)  # a Cyrillic letter
    expect(find.notice(bob.page)).to_have_count(0)
    bob.page.fill("#name", "Bob")
    bob.page.locator(joining).click()
    expect(find.joining(bob.page)).to_have_count(0)
    assert not ana.complaints
    assert not bob.complaints


def test_a_friends_link_works_without_a_script_and_with_one_loads_the_room_meanwhile(
    new_context: NewContext, server: Server
) -> None:
    ana, cat = (Guest(new_context(**PHONE).new_page(), name) for name in ("Ana", "Cat"))
    link = ana.open_room(server.url)
    page = new_context(**PHONE, java_script_enabled=False).new_page()
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("Ana has invited you")
    expect(page.locator("#name")).to_be_focused()
    expect_refused(page, "ana", "is free.", "button[type=submit]")
    page.fill("#name", "Bob")
    face = page.locator("[name=face]").nth(2)
    page.locator("label:has([name=face])").nth(2).click()
    bird = str(face.get_attribute("value")).split()[0]
    page.keyboard.press("Enter")
    page.wait_for_url(ana.page.url)
    expect(find.lobby_seats(ana.page).locator(f"[data-sits=Bob] [data-drawing={bird}]")).to_be_visible()

    cat.page.goto(link)
    expect(cat.page.locator("#name")).to_be_focused()
    loaded = """() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)"""
    files = str(cat.page.locator("main").get_attribute("data-of-room")).split()
    cat.page.wait_for_function(f"(files) => files.every((file) => ({loaded})().includes(file))", arg=files)
    cat.join(link)
    # The link leads back to the room.
    cat.page.goto(link)
    expect(find.lobby_seats(cat.page)).to_contain_text("Cat")
    assert not ana.complaints + cat.complaints


def test_a_room_code_typed_as_shown_opens_the_room(new_context: NewContext, server: Server) -> None:
    ana = Guest(new_context(**PHONE).new_page(), "Ana")
    ana.open_room(server.url)
    code = ana.page.url.rpartition("/")[2]
    for script in (True, False):
        page = new_context(**PHONE, java_script_enabled=script).new_page()
        page.goto(server.url)
        page.get_by_label("Got a code from a friend?").fill("2 2 2 2 2 z")
        page.get_by_role("button", name="Join").click()
        field = page.get_by_label("Got a code from a friend?")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(field).to_have_value("2 2 2 2 2 z")
        field.fill(" ".join(code.lower()))
        page.get_by_role("button", name="Join").click()
        page.wait_for_url(f"**/r/{code}")


def test_the_waiting_room_shows_joins_rule_changes_removals_and_a_new_host(
    new_context: NewContext, server: Server
) -> None:
    ana, bob, cat = (Guest(new_context(**PHONE).new_page(), name) for name in ("Ana", "Bob", "Cat"))
    link = ana.open_room(server.url)
    bob.join(link)
    cat.join(link)
    expect(find.lobby_seats(bob.page)).to_contain_text("Cat")

    # The free seat opens the invitation. A visitor who has not typed a name yet is joining; a television watches.
    bob.page.get_by_role("button", name="Invite friends").tap()
    expect(bob.page.get_by_role("dialog").get_by_label("Invitation link")).to_have_value(link)
    bob.page.get_by_role("button", name="Close").tap()
    visitor = new_context(**PHONE).new_page()
    visitor.goto(ana.page.url)
    expect(find.zone(bob.page, "others")).to_have_text("1 person joining")
    visitor.goto(f"{ana.page.url}/screen")
    expect(find.zone(bob.page, "others")).to_have_text("1 spectator")
    visitor.close()

    # After the host changes the rules, players have to say again that they are ready.
    status = find.zone(bob.page, "lobby-status")
    expect(status).to_have_text("Waiting for you.")
    bob.page.get_by_role("button", name="I’m ready").click()
    expect(bob.page.get_by_role("button", name="I’m not ready")).to_be_visible()
    find.change_rules(ana.page)
    ana.page.get_by_role("dialog").get_by_text("Kings and Bastards", exact=True).click()
    ana.page.get_by_role("button", name="Use these rules").click()
    expect(status).to_have_text("The host has changed the rules. Say again when you are ready.")
    bob.page.get_by_role("button", name="I’m ready").click()
    expect(status).to_have_text("Waiting for Cat.")

    # Everybody sees who is ready, and reactions appear on all pages.
    expect(find.lobby_seats(ana.page).locator("[data-sits=Bob][data-ready]")).to_contain_text("ready")
    expect(find.lobby_seats(ana.page).locator("[data-sits=Cat]")).to_contain_text("not ready")
    expect(find.zone(ana.page, "lobby-status")).to_have_text("Waiting for Cat. You can also start now.")
    bob.page.get_by_role("button", name="Like").click()
    expect(ana.page.locator("[data-zone=reactions] [data-by=Bob]")).to_have_attribute("data-reaction", "thumb")

    # The host removes a player, who sees the reason. The host can undo it.
    find.lobby_seats(ana.page).get_by_role("button", name="Bob").click()
    ana.page.get_by_role("button", name="Remove Bob from their seat").click()
    expect(bob.page.get_by_role("heading", name="The host removed you from your seat")).to_be_visible()
    ana.page.get_by_role("button", name="Undo: give Bob the seat back").click()
    expect(bob.page.get_by_role("button", name="I’m ready")).to_be_visible()
    expect(ana.page.get_by_role("button", name="Undo: give Bob the seat back")).to_have_count(0)

    # Everybody sees who the new host is.
    find.open_menu(ana.page, "Host", "People")
    find.open_person(ana.page, "Cat")
    find.confirm(ana.page, "transfer_host")
    expect(find.lobby_seats(bob.page).locator("[data-sits=Cat]")).to_contain_text("host")
    expect(cat.page.get_by_role("button", name="Start match")).to_be_visible()
    assert not ana.complaints + bob.complaints + cat.complaints


def join(guest: Guest, where: str, chair: str | None = None) -> None:
    """Join under the guest's name, in the seat of the bot `chair`, if given."""
    guest.page.fill("#name", guest.name)
    if chair is not None:
        guest.page.get_by_role("combobox", name="Your seat").select_option(chair)
    guest.page.locator(f"{where} button[type=submit]").click()
    expect(guest.page.locator("#name")).to_have_count(0)


def test_a_player_joining_during_a_hand_is_told_when_they_play(new_context: NewContext, server: Server) -> None:
    ana, bob = (Guest(new_context(**PHONE).new_page(), name) for name in ("Ana", "Bob"))
    link = ana.open_room(server.url, bots=["easy", "easy", "random"])
    find.start_match(ana.page)
    ana.page.wait_for_selector(find.MY_TURN)
    bob.page.goto(link)
    expect(find.joining(bob.page)).to_contain_text("You join with the next hand.")
    bob.page.goto(ana.page.url)
    welcome = bob.page.locator("[data-welcome]")
    expect(welcome.get_by_role("heading")).to_have_text("Ana has invited you")
    held = sum(int(count) for count in bob.page.locator("[data-zone=seats] [data-zone=card-count]").all_inner_texts())
    expect(welcome).to_contain_text(f"({held} cards left). You join with the next hand.")
    expect(welcome.locator("button[type=submit]")).to_be_in_viewport(ratio=1)
    resize(bob.page, "844x390")
    expect(welcome.locator("button[type=submit]")).to_be_in_viewport(ratio=1)
    expect_refused(bob.page, " ", "Enter a name first", "[data-welcome] button[type=submit]")
    for size, wrong in at_every_size(
        bob.page, ("360x640", "390x844", "844x390", "1440x900", "390x844 at 200 %", "1440x900 at 200 %")
    ):
        assert not wrong, size
    resize(bob.page, "360x640")

    # A spectator is not asked again, and can still take a seat later.
    bob.page.get_by_role("button", name="Watch only").click()
    expect(bob.page.locator("#name")).to_have_count(0)
    bob.page.get_by_role("button", name="Take a seat").click()
    expect(bob.page.locator("dialog")).to_contain_text("You join with the next hand")
    bot = bob.page.locator("[data-seat] [data-zone=name]").nth(1).inner_text()
    bob.page.get_by_role("group", name="Your bird").locator(":checked").press("ArrowRight")
    bird = str(bob.page.locator("[name=face]:checked").get_attribute("value")).split()[0]
    join(bob, "dialog", bot)
    expect(find.zone(bob.page, "watching")).to_contain_text(f"You replace {bot} (bot).")
    expect(find.latest(ana.page)).to_contain_text(f"Bob takes the seat of {bot} with the next deal.")
    play_with_bots(ana)
    expect(find.zone(bob.page, "watching")).to_contain_text("You join with the next hand")
    ana.page.get_by_role("button", name="Deal the next hand").click()
    expect(find.cards(bob.page).first).to_be_visible()
    names = ana.page.locator("[data-seat] [data-zone=name]")
    expect(names).to_have_count(3)
    assert bot not in names.all_inner_texts()
    for page, face in ((ana.page, "[data-seat=Bob]"), (bob.page, "[data-zone=me]")):
        expect(page.locator(f"{face} [data-drawing={bird}]")).to_be_visible()
    assert not ana.complaints
    assert not bob.complaints


def test_a_full_room_offers_the_seat_of_a_bot(new_context: NewContext, server: Server) -> None:
    ana, bob, cat = (Guest(new_context(**PHONE).new_page(), name) for name in ("Ana", "Bob", "Cat"))
    link = ana.open_room(server.url, game="big_two", bots=["easy", "easy", "random"])
    bob.page.goto(link)
    expect(find.joining(bob.page)).to_contain_text("The table is full. You replace a bot.")
    join(bob, "[data-zone=joining]", "")
    expect(find.actions(bob.page)).to_contain_text("The table is full. You replace a bot.")
    expect(find.lobby_seats(ana.page)).to_contain_text("4 players")
    expect(find.lobby_seats(ana.page)).to_contain_text(
        "Bob is waiting for a seat. Remove a bot or a player to let them in."
    )
    bob.page.locator("[data-ask=take_bot_seat]").first.click()
    expect(find.lobby_seats(bob.page).get_by_text("Bob", exact=True)).to_be_visible()
    expect(find.zone(ana.page, "waiting")).to_have_count(0)

    find.start_match(ana.page)
    cat.page.goto(ana.page.url)
    expect(cat.page.locator("[data-welcome]")).to_contain_text(
        "The table is full. You replace a bot and play from the next hand."
    )
    join(cat, "[data-welcome]")
    expect(find.zone(cat.page, "watching")).to_contain_text("You replace")
    assert not (ana.complaints + bob.complaints + cat.complaints)


def test_a_table_full_of_people_shows_who_waits_for_a_seat(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", game="big_two") as people:
        host = new_context(**PHONE)
        host.add_cookies(people.cookies("Ana", server.url))  # type: ignore[arg-type]
        page = host.new_page()
        page.goto(f"{server.url}/r/{people.code}")
        eve = Guest(new_context(**PHONE).new_page(), "Eve")
        eve.page.goto(f"{server.url}/r/{people.code}")
        expect(eve.page.locator("[data-welcome]")).to_contain_text("The table is full. Watch for now")
        join(eve, "[data-welcome]")
        expect(find.zone(eve.page, "watching")).to_contain_text("you get the next free seat")
        people.play_until(lambda update: update["room"]["phase"] == "between_hands")
        expect(find.actions(page)).to_contain_text(
            "Eve is waiting for a seat. Remove a bot or a player to let them in."
        )


def test_a_locked_room_admits_only_its_members(new_context: NewContext, server: Server) -> None:
    ana, bob, cat, eve = (Guest(new_context(**PHONE).new_page(), name) for name in ("Ana", "Bob", "Cat", "Eve"))
    link = ana.open_room(server.url)
    bob.join(link)
    eve.page.goto(ana.page.url)
    expect(eve.page.locator("#name")).to_be_visible()
    find.open_menu(ana.page, "Host")
    lock = ana.page.get_by_role("checkbox", name="Lock room")
    lock.check()
    ana.page.keyboard.press("Escape")
    locked = "The host has locked this room. Ask the host to unlock it."
    for way in (None, link, ana.page.url):
        if way is not None:
            eve.page.goto(way)
        expect(find.joining(eve.page).get_by_role("heading")).to_have_text("You can’t join now")
        expect(find.joining(eve.page)).to_contain_text(locked)
        expect(eve.page.locator("#name")).to_have_count(0)

    # Members of the room can return, after leaving the page and after a restart of the server.
    bob.page.goto("about:blank")
    server.stop()
    server.start()
    bob.page.goto(link)
    expect(find.lobby_seats(bob.page).get_by_text("Bob", exact=True)).to_be_visible()
    expect(find.banner(ana.page)).to_have_count(0, timeout=1000 * PATIENCE)
    find.open_menu(ana.page, "Host")
    lock.uncheck()
    ana.page.keyboard.press("Escape")
    join(eve, "[data-zone=joining]")
    expect(find.lobby_seats(ana.page)).to_contain_text("Eve")

    # The host can lock the room during a match, too.
    find.start_match(ana.page)
    find.open_menu(ana.page, "Host")
    lock.check()
    find.open_menu(bob.page)
    expect(bob.page.get_by_role("tab")).to_have_text(["Me", "Table"])
    for way, zone in ((link, "[data-zone=joining]"), (ana.page.url, "[data-welcome]")):
        cat.page.goto(way)
        expect(cat.page.locator(zone)).to_contain_text(locked)
        expect(cat.page.locator("#name")).to_have_count(0)
    expect(find.latest(ana.page)).to_contain_text("You have locked the room: nobody new can join.")
    assert not (ana.complaints + bob.complaints + cat.complaints + eve.complaints)


def test_banning_a_player_moves_the_others_to_a_new_address_without_a_reload(
    new_context: NewContext, server: Server
) -> None:
    ana, bob, cat = (Guest(new_context().new_page(), name) for name in ("Ana", "Bob", "Cat"))
    link = ana.open_room(server.url)
    bob.join(link)
    cat.join(link)
    old = ana.page.url
    for guest in (ana, bob, cat):
        guest.page.evaluate("window.stayed = true")
    find.open_menu(ana.page, "Host", "People")
    find.open_person(ana.page, "Bob")
    find.confirm(ana.page, "ban", "remove")
    expect(find.banner(bob.page)).to_contain_text("has blocked you from this room")
    for guest in (ana, cat):
        expect(guest.page).not_to_have_url(old)
        expect(guest.page.locator("#invite-link")).not_to_have_value(link)
        assert guest.page.evaluate("window.stayed")
    assert ana.page.url == cat.page.url
    assert bob.page.url == old
    for address in (old, link):
        answer = bob.page.goto(address)
        assert answer is not None
        assert answer.status == 404
    # The new link works for others, and a reload at the new address works for members.
    cat.page.reload()
    expect(find.lobby_seats(cat.page)).to_contain_text("Cat")
    Guest(new_context().new_page(), "Dan").join(ana.page.locator("#invite-link").input_value())
    expect(find.lobby_seats(ana.page)).to_contain_text("Dan")
    expect(find.lobby_seats(ana.page)).not_to_contain_text("Bob")
    assert not (ana.complaints + bob.complaints + cat.complaints)


def copied(context: BrowserContext, server: Server) -> str:
    """Return the text in the clipboard, through a page that may read it."""
    page = context.new_page()
    page.goto(server.url)
    text = str(page.evaluate("navigator.clipboard.readText()"))
    page.evaluate("navigator.clipboard.writeText('')")
    page.close()
    return text


def test_the_code_is_shown_and_links_can_be_copied_over_plain_http(new_context: NewContext, server: Server) -> None:
    context = new_context(**PHONE)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    ana = Guest(context.new_page(), "Ana")
    home = f"http://home.lan:{server.port}"
    link = ana.open_room(home, bots=["easy", "random"])
    page = ana.page
    assert page.evaluate("[isSecureContext, navigator.clipboard, navigator.share]") == [False, None, None]
    code = " ".join(page.url.rpartition("/")[2])
    expect(page.get_by_role("img", name=code, exact=True)).to_be_in_viewport()
    expect(find.lobby_seats(page)).to_contain_text("easy bot")

    page.get_by_role("button", name="Copy invitation").click()
    expect(find.notice(page)).to_have_text("Link copied.✕")
    expect(page.get_by_role("button", name="Copy invitation")).to_be_focused()
    assert copied(context, server) == link

    find.start_match(page)
    page.wait_for_selector(find.CARDS)
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("dialog [data-zone=code] b")).to_have_text(code)
    page.get_by_role("button", name="Copy invitation").click()
    expect(page.locator("dialog [role=alert]")).to_have_text("Link copied.")
    expect(page.locator("dialog")).to_be_visible()
    assert copied(context, server) == link


def test_a_failed_share_copies_the_link(new_context: NewContext, server: Server) -> None:
    context = new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    ana = Guest(context.new_page(), "Ana")
    ana.page.add_init_script(
        """window.sharing = "NotAllowedError";
        navigator.share = () => Promise.reject(new DOMException("", window.sharing));"""
    )
    link = ana.open_room(server.url)
    share = ana.page.get_by_role("button", name="Share invitation")
    share.click()
    expect(find.notice(ana.page)).to_contain_text("Link copied.")
    assert ana.page.evaluate("navigator.clipboard.readText()") == link
    # A cancelled share must not copy the link.
    find.notice(ana.page).locator("button").click()
    ana.page.evaluate("window.sharing = 'AbortError'")
    share.click()
    expect(share).to_be_enabled()
    expect(find.notice(ana.page)).to_have_count(0)


def test_a_seed_hash_refused_as_too_fast_is_sent_again(new_context: NewContext, server: Server) -> None:
    seeds: list[str] = []

    def between(page: WebSocketRoute) -> None:
        house = page.connect_to_server()

        def passed_on(text: Any) -> None:
            message = json.loads(text)
            if message["t"] == "seed_hash":
                seeds.append(message["hash"])
            if message["t"] == "seed_hash" and len(seeds) == 1:
                refused = {"t": "answer", "id": message["id"], "ok": False, "code": "too_fast", "message": "Too fast."}
                page.send(json.dumps(refused))
            else:
                house.send(text)

        page.on_message(passed_on)

    ana = Guest(new_context().new_page(), "Ana")
    ana.page.route_web_socket("**/ws/**", between)
    ana.open_room(server.url)
    find.open_menu(ana.page, "Table", "Fair deal")
    expect(ana.page.locator("[data-zone=fair]")).to_contain_text("Seeds promised by: Ana")
    assert len(seeds) == 2
    assert seeds[0] == seeds[1]


def test_a_refused_deal_is_explained_until_something_happens(new_context: NewContext, server: Server) -> None:
    ana = Guest(new_context().new_page(), "Ana")
    ana.page.clock.install()
    ana.open_room(server.url, game="chase_the_ace", bots=["random"])
    page = ana.page
    find.start_match(page)
    page.locator("[data-do=keep]").click()
    find.open_menu(page, "Host", "People")
    row = page.locator("[data-zone=people] li", has_text="bot")
    row.locator("[aria-expanded]").click()
    row.get_by_role("button", name="Remove").click()
    find.close_sheet(page)
    page.get_by_role("button", name="Deal the next hand").click()
    notice = find.refusal(page)
    expect(notice).to_contain_text("2 to 20")
    page.clock.fast_forward(60_000)  # not step by step: the page would drop a server that says nothing for so long
    expect(notice).to_be_visible()
    find.open_menu(page, "Host", "Bots")
    page.get_by_role("button", name="Add an easy bot", exact=True).click()
    find.close_sheet(page)
    expect(notice).to_have_count(0)


def test_a_returning_player_gets_their_seat_back_with_one_press(new_context: NewContext, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        ana, bob, eve = (Guest(new_context(**PHONE).new_page(), name) for name in ("Ana", "Bob", "Eve"))
        link = ana.open_room(server.url)
        bob.join(link)
        code = ana.page.url.rpartition("/")[2]
        bob.page.goto("about:blank")
        expect(find.lobby_seats(ana.page).locator("[data-absent]")).to_have_count(1)
        find.open_menu(ana.page, "Host", "People")
        of_bob = find.open_person(ana.page, "Bob")
        expect(of_bob.locator("[data-key='menu.link.wait']")).to_contain_text("New seat link in")
        expect(of_bob.get_by_text("Make seat link", exact=True)).to_have_count(0)
        server.move_clock(60)
        eve.page.goto(ana.page.url)  # the new spectator triggers an update with the time to the host
        of_bob.get_by_text("Make seat link", exact=True).click()
        eve.page.goto(of_bob.locator("input").input_value())
        eve.page.locator("main form button").click()
        expect(find.lobby_seats(eve.page)).to_contain_text("Bob")

        bob.page.goto(f"{server.url}/r/{code}")
        question = find.zone(bob.page, "seat-given")
        expect(question).to_contain_text("someone else plays as Bob. Ana let them in.")
        question.locator("button").click()
        expect(find.joining(bob.page)).to_have_count(0)
        expect(find.joining(eve.page)).to_have_count(1)
        assert not [*ana.complaints, *bob.complaints, *eve.complaints]
    finally:
        server.stop()


def ask_to_come_back(page: Page, room: str, name: str) -> Locator:
    """Type the name of a player on another device, ask the host, and return the line that says so."""
    page.goto(room)
    page.fill("#name", name)
    page.get_by_role("button", name="Join").click()
    page.get_by_role("button", name="Ask to come back").click()
    asked = page.get_by_text(f"You asked Ana to let you back in as {name}.")
    expect(asked).to_be_visible()
    return asked


def test_a_player_who_left_or_lost_the_connection_plays_on_at_another_device(
    new_context: NewContext, tmp_path: Path
) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        ana = Guest(new_context(**PHONE).new_page(), "Ana")
        eve, tablet, phone = (Guest(new_context(**PHONE).new_page(), "Eve") for _ in range(3))
        ana.page.clock.install()
        link = ana.open_room(server.url, bots=["easy", "easy"])
        room = ana.page.url
        eve.join(link)
        find.start_match(ana.page)
        eve.page.wait_for_selector(find.CARDS)
        held = set(eve.cards)
        let_in = ana.page.get_by_role("button", name="Let in")

        # After Leave, the host can let Eve in at once, and she plays.
        eve.page.locator("[data-confirm=leave]").click()
        eve.page.locator("dialog [data-ask=leave]").click()
        eve.page.wait_for_url(f"{server.url}/")
        ask_to_come_back(tablet.page, room, "Eve")
        expect(ana.page.get_by_text("This browser gets: the seat, ")).to_be_visible()
        let_in.click()
        tablet.page.wait_for_selector(find.CARDS)
        assert set(tablet.cards) <= held
        expect(tablet.page.get_by_role("button", name="I’m back")).to_have_count(0)
        while (acting := next_to_act([ana, tablet])) is not tablet:  # a bot may have the turn
            assert not find.result(ana.page).is_visible()
            if acting is ana:
                ana.take_turn()
        tablet.take_turn()
        held = set(tablet.cards)

        # After a lost connection Eve has a minute in which her own browser ends the request.
        tablet.page.goto("about:blank")
        asked = ask_to_come_back(phone.page, room, "Eve")
        expect(phone.page.get_by_text("s. Until then Eve can object.")).to_be_visible()
        expect(ana.page.get_by_text("s. Until then Eve can object.")).to_be_visible()
        expect(let_in).to_be_disabled()
        tablet.page.goto(room)
        expect(let_in).to_have_count(0)
        expect(asked).to_have_count(0)
        expect(phone.page.get_by_text("Eve is here on another device.")).to_be_visible()
        tablet.page.goto("about:blank")
        phone.page.get_by_role("button", name="Ask to come back").click()
        expect(let_in).to_be_disabled()
        server.move_clock(60)
        ana.page.clock.fast_forward(60_000)
        let_in.click()
        phone.page.wait_for_selector(find.CARDS)
        assert set(phone.cards) <= held
        expect(phone.page.get_by_role("button", name="I’m back")).to_have_count(0)
        expect(let_in).to_have_count(0)
        assert not ana.complaints + eve.complaints + tablet.complaints + phone.complaints
    finally:
        server.stop()
