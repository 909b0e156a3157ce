"""Test reactions, chat, birds, and a player with two devices."""

from playwright.sync_api import Browser, FloatRect, Page, expect

from tests.e2e import find
from tests.e2e.people.crowd import Crowd, crowd
from tests.e2e.people.guests import Guest
from tests.e2e.server import Server


def page_of(browser: Browser, server: Server, people: Crowd, name: str | None, **more: object) -> Page:
    """Open the table as this player, or as a spectator without a name."""
    context = browser.new_context(**{"viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce", **more})  # type: ignore[arg-type]
    if name is not None:
        context.add_cookies(people.cookies(name, server.url))  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.url}/r/{people.code}")
    expect(find.felt(page)).to_be_visible()
    return page


def apart(one: FloatRect, other: FloatRect) -> bool:
    """Whether the two boxes don't overlap."""
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    return beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]


def test_a_reaction_is_shown_to_all_except_players_who_muted_its_sender(browser: Browser, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat") as people:
        ana = page_of(browser, server, people, "Ana")
        bob = page_of(browser, server, people, "Bob", reduced_motion="no-preference")
        watcher = page_of(browser, server, people, None)
        expect(watcher.get_by_role("button", name="Chat and reactions")).to_have_count(0)

        bob.get_by_role("button", name="Chat and reactions").click()
        bob.get_by_role("button", name="Egg").click()
        expect(bob.get_by_role("dialog")).to_have_count(0)
        egg = "[data-shown][data-by=Bob][data-reaction=egg]"
        for page in (ana, bob, watcher):
            expect(page.locator(egg)).to_have_attribute("data-at", "seat")
        assert bob.locator(egg).evaluate("one => one.getAnimations().length") == 1
        assert ana.locator(egg).evaluate("one => one.getAnimations().length") == 0, "it stands"
        expect(ana.locator("#live")).to_contain_text("Bob sends an egg.")
        expect(ana.locator(egg)).to_have_count(0)

        find.open_menu(ana, "Host", "People")
        find.open_person(ana, "Bob").get_by_role("button", name="Mute Bob").click()
        expect(ana.locator("[data-person=Bob]")).to_contain_text("muted by you")
        ana.keyboard.press("Escape")
        for who, what in (("Bob", "heart"), ("Cat", "clap")):
            people.do(who, "react", reaction=what)
        expect(ana.locator("[data-shown][data-by=Cat]")).to_be_visible()
        expect(watcher.locator("[data-shown]")).to_have_count(2)
        expect(ana.locator("[data-shown][data-by=Bob]")).to_have_count(0)
        expect(ana.locator("#live")).not_to_contain_text("heart")

        # Behind a result on a phone the seats are hidden, so the reaction starts at the player's row.
        ana.set_viewport_size({"width": 390, "height": 844})
        people.play_until(lambda update: update["room"]["phase"] == "between_hands")
        row = find.result(ana).locator("[data-who=Cat]").bounding_box()
        people.do("Cat", "react", reaction="crow")
        crow = ana.locator("[data-shown][data-by=Cat][data-reaction=crow] [data-drawing]").bounding_box()
        assert row
        assert crow
        assert abs(crow["y"] + crow["height"] / 2 - row["y"] - row["height"] / 2) < row["height"]
        for name in find.result(ana).locator("[data-who] [data-zone=name]").all():
            box = name.bounding_box()
            assert box
            assert apart(crow, box), f"it lies on {name.text_content()}"


def test_two_devices_share_a_seat_and_a_new_bird_is_shown_to_all_players(browser: Browser, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat") as people:
        laptop = page_of(browser, server, people, "Ana", viewport={"width": 1440, "height": 900})
        bob = page_of(browser, server, people, "Bob")
        find.open_menu(laptop, "Me")
        laptop.get_by_role("button", name="Your name, bird and devices").click()
        laptop.locator("[name=bird][value=heron]").check()
        laptop.locator("[name=colour][value=sea]").check()
        expect(bob.locator("[data-seat=Ana] [data-hue='7'] [data-drawing=heron]")).to_be_visible()
        laptop.fill("#name", "bob")
        laptop.locator("form:has(#name) button[type=submit]").click()
        expect(laptop.get_by_role("dialog")).to_contain_text(f"In room {people.code} you are still Ana")
        laptop.fill("#name", "Annie")
        laptop.locator("form:has(#name) button[type=submit]").click()
        expect(laptop.get_by_role("dialog")).to_contain_text("Ana in the record of this match")

        laptop.locator("[data-make=device]").click()
        phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
        phone.goto(laptop.locator("[data-zone=made-link] a[href]").text_content() or "")
        phone.get_by_role("button", name="Yes, that’s me").click()
        phone.get_by_role("link", name="Go to table").click()
        laptop.keyboard.press("Escape")

        people.play_until(lambda update: update["table"]["to_act"] == ["Ana"] and update["you"]["name"] == "Ana")
        hands = [Guest(page, "Ana") for page in (laptop, phone)]
        for hand in hands:
            expect(find.my_turn(hand.page)).to_be_visible()
        assert hands[0].cards == hands[1].cards
        before, seq = hands[0].cards, hands[0].seq
        hands[1].take_turn()
        for hand in hands:
            hand.wait_for_seq(seq + 1)
            expect(find.my_turn(hand.page)).to_have_count(0)
        assert hands[0].cards == hands[1].cards
        assert hands[0].trick == hands[1].trick
        assert len(hands[0].cards) <= len(before)
        lines = [find.log(page).locator("li").all_text_contents() for page in (laptop, phone)]
        lines[0].remove("You are now called Annie.")  # sent before the phone was connected
        assert lines[0] == lines[1], "nothing is told twice"
        people.do("Bob", "react", reaction="clap")
        phone.get_by_role("button", name="Chat and reactions").click()
        phone.locator("[data-react=heart]").click()
        for page in (laptop, phone):
            expect(page.locator("[data-shown][data-by=Bob]")).to_have_count(1)
            expect(page.locator("[data-shown][data-by=Annie]")).to_have_count(1)

        # A player with one connected device left is present.
        phone.context.close()
        people.do("Bob", "react", reaction="clap")
        expect(bob.locator("[data-seat=Annie]")).to_have_count(1)
        expect(bob.locator("[data-seat=Annie][data-absent]")).to_have_count(0)
        assert hands[0].complaints == hands[1].complaints == []


def test_chat_lines_are_shown_at_the_seat_and_listed_until_the_match_is_over(browser: Browser, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat") as people:
        ana = page_of(browser, server, people, "Ana")
        bob = page_of(browser, server, people, "Bob")
        talk = {page: page.get_by_role("button", name="Chat and reactions") for page in (ana, bob)}
        talk[bob].click()
        bob.get_by_role("button", name="Wait for me").click()
        bob.get_by_role("textbox", name="Type a message").fill("<b>my tea</b> is ready")
        bob.keyboard.press("Enter")
        expect(bob.locator("[data-zone=chat] li")).to_have_text(["Bob Wait for me", "Bob <b>my tea</b> is ready"])
        expect(bob.get_by_role("textbox")).to_have_value("")
        expect(ana.locator("[data-shown=words][data-by=Bob]")).to_have_text("<b>my tea</b> is readyBob")
        expect(ana.locator("#live")).to_contain_text("Bob says: <b>my tea</b> is ready")
        expect(talk[ana]).to_contain_text("2 new messages")

        # Players who come later can read the chat. The host turns it off, and it is deleted with the match.
        ana.reload()
        talk[ana].click()
        expect(ana.locator("[data-zone=chat] li")).to_have_count(2)
        ana.get_by_role("button", name="Turn chat off").click()
        for page in (ana, bob):
            expect(page.get_by_role("dialog")).to_contain_text("The host has turned the chat off.")
        ana.get_by_role("button", name="Turn chat on").click()
        bob.get_by_role("button", name="Good luck").click()
        expect(ana.locator("[data-zone=chat] li").last).to_have_text("Bob Good luck")
        people.do("Ana", "stop")
        for page in (ana, bob):
            expect(page.locator("[data-zone=chat] li")).to_have_text(["No messages yet."])


SMALL = """() => {
  const hidden = (one) => one !== null &&
    (getComputedStyle(one).clipPath === "inset(50%)" || hidden(one.parentElement));
  return [...document.querySelectorAll("#screen *")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
    && !one.closest("[data-rank], [data-zone=reactions]") && !hidden(one) && one.getClientRects().length)
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < innerHeight * 32 / 1080 - 0.5)
  .map((one) => `${one.localName} ${one.textContent}`); }"""
"""Finds texts that are too small to read from four metres."""
OUTSIDE = """() => [...document.querySelectorAll(
  "[data-seat], [data-zone=screen-ranks] li, [data-zone=screen-join] *, [data-zone=screen-status], "
  + "[data-play=now] [data-rank]")]
  .filter((one) => { const { left, top, right, bottom } = one.getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1; })
  .map((one) => `${one.localName} ${one.textContent}`)"""


def test_a_television_shows_the_table_without_any_players_cards(browser: Browser, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan Eve Finn Gudrun Maximilian") as people:
        ana = page_of(browser, server, people, "Ana")
        ana.get_by_role("button", name="Menu").click()
        path = ana.get_by_role("link", name="Show on a television").get_attribute("href")
        people.play_until(lambda update: len((update["table"].get("trick") or {}).get("plays", [])) > 2)

        television = browser.new_context(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
        television.add_cookies(people.cookies("Ana", server.url))  # type: ignore[arg-type]
        # Use another host name than localhost, so that there is a QR code.
        screen = television.new_page()
        screen.goto(f"http://table.lan:{server.port}{path}")
        expect(screen.locator("[data-zone=screen-ranks] li")).to_have_count(8)
        expect(screen.locator("[data-zone=screen-join] b[role=img]")).to_have_text(people.code)
        expect(find.zone(screen, "screen-host")).to_have_text(f"table.lan:{server.port}")
        assert (
            screen.locator("[data-zone=screen-join] img").evaluate("one => one.decode().then(() => one.naturalWidth)")
            > 0
        )
        # The television has no buttons for the game and shows no player's cards.
        toggles = ("Dry remarks in the log", "Scenes at great moments", "Sounds")
        expect(screen.get_by_role("button")).to_have_count(len(toggles))
        for name in toggles:
            expect(screen.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
        assert screen.locator("a:not([href='#main']), input, textarea, [data-zone=hand]").count() == 0
        expect(screen.get_by_role("combobox")).to_have_accessible_name("Language")
        for width, height in ((1280, 720), (3840, 2160), (1920, 1080)):
            screen.set_viewport_size({"width": width, "height": height})
            assert screen.evaluate(SMALL) == [], (width, height)
            assert screen.evaluate(OUTSIDE) == [], (width, height)

        people.do("Cat", "react", reaction="crow")
        expect(screen.locator("[data-shown][data-by=Cat]")).to_have_attribute("data-at", "seat")
        people.play_until(lambda update: update["room"]["phase"] == "between_hands")
        expect(screen.locator("[data-zone=screen-result] [data-who]")).to_have_count(8)
        expect(find.zone(screen, "screen-result")).to_contain_text("wins hand 1")
        assert screen.evaluate(SMALL) == screen.evaluate(OUTSIDE) == []
        television.close()
