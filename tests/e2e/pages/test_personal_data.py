"""Test personal data: devices, a new name and bird, a room with a new address, and deletion."""

from playwright.sync_api import Browser, Page, expect

from tests.e2e import find
from tests.e2e.people.guests import Guest
from tests.e2e.server import Server


def test_a_person_can_use_two_devices_rename_themselves_and_move_a_room(
    browser: Browser, page: Page, server: Server
) -> None:
    ana = Guest(page, "Ana")
    link = ana.open_room(server.url)
    old = page.url.rpartition("/")[2]
    phone_context, bob_context = browser.new_context(), browser.new_context()
    phone, bob = phone_context.new_page(), Guest(bob_context.new_page(), "Bob")
    bob.join(link)

    # A link signs in a second device.
    mine = page.context.new_page()
    mine.goto(f"{server.url}/me/settings")
    expect(mine.locator("[data-zone=devices] li")).to_have_count(1)
    mine.locator("[data-make=device]").click()
    phone.goto(mine.locator("[data-zone=made-link] a[href]").text_content() or "")
    expect(phone.locator("main")).to_contain_text("Ana")
    phone.locator("main form button").click()
    phone.goto(f"{server.url}/r/{old}")
    expect(find.lobby_seats(phone)).to_contain_text("you")

    # The others in the room and the second device see the new bird, colour and name at once.
    # The page draws the answer to the first choice, perhaps while the second is made.
    for choice in ("[name=bird][value=owl]", "[name=colour][value=sea]"):
        mine.locator(choice).click()
        expect(mine.locator(choice)).to_be_checked()
    for seen in (bob.page, phone):
        expect(find.lobby_seats(seen).locator("[data-hue='7'] [data-drawing=owl]")).to_be_visible()
    mine.fill("#name", "bob")
    mine.locator("form:has(#name) button[type=submit]").click()
    expect(mine.locator("#mine")).to_contain_text(f"In room {old} you are still Ana")
    mine.fill("#name", "Annie")
    mine.locator("form:has(#name) button[type=submit]").click()
    for seen in (page, bob.page, phone):
        expect(find.lobby_seats(seen)).to_contain_text("Annie")
    mine.fill("#name", "  ")
    mine.locator("form:has(#name) button[type=submit]").click()
    expect(mine.locator("#name")).to_be_focused()
    expect(mine.locator("#name-problem")).to_be_visible()

    # When the room gets a new address, members stay in it, and the old address still leads them there.
    find.open_menu(page, "Host")
    find.confirm(page, "rotate_code")
    for seen in (page, bob.page, phone):
        seen.wait_for_function("(old) => !location.pathname.endsWith(old)", arg=old)
    new = page.url.rpartition("/")[2]
    assert bob.page.url == phone.url == page.url
    bob.page.goto(f"{server.url}/r/{old}")
    expect(bob.page).to_have_url(f"{server.url}/r/{new}")
    stranger = browser.new_context()
    answer = stranger.new_page().goto(f"{server.url}/r/{old}")
    assert answer is not None
    assert answer.status == 404
    bob.page.reload()
    expect(bob.page.locator("#invite-link")).not_to_have_value(link)

    # The lost device is signed out, and shows it at once.
    mine.reload()
    lost = mine.locator("[data-zone=devices] li", has_not_text="this device")
    lost.locator("button").click()
    lost.locator("button").click()
    expect(mine.locator("[data-zone=devices] li")).to_have_count(1)
    expect(find.banner(phone)).to_be_visible()
    expect(find.banner(page)).to_have_count(0)

    # Deletion needs a confirmation.
    mine.locator("[data-forget=ask]").click()
    expect(mine.get_by_role("button", name="Keep my data")).to_be_focused()
    mine.keyboard.press("Enter")
    expect(mine.locator("[data-forget=yes]")).to_have_count(0)
    expect(mine.locator("[data-forget=ask]")).to_be_focused()
    mine.locator("[data-forget=ask]").click()
    mine.locator("[data-forget=yes]").click()
    expect(mine).to_have_url(f"{server.url}/")
    expect(find.lobby_seats(bob.page)).not_to_contain_text("Annie")
    expect(find.banner(page)).to_be_visible()
    assert ana.complaints == bob.complaints == []
    for context in (phone_context, bob_context, stranger):
        context.close()
