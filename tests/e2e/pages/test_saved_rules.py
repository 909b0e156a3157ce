"""Test saved house rules: saved in the form, offered first afterwards, and listed on the personal page."""

from playwright.sync_api import expect

from tests.e2e import find
from tests.e2e.pages.test_start import PHONE
from tests.e2e.people.guests import Guest
from tests.e2e.room.test_evening import NewContext
from tests.e2e.server import Server


def test_rules_can_be_saved_in_the_form_and_are_then_listed_first(new_context: NewContext, server: Server) -> None:
    ana = Guest(new_context(**PHONE).new_page(), "Ana")
    page = ana.page
    page.goto(f"{server.url}/new?game=president&preset=toronto&jokers=1")
    page.locator("[data-do=keep-rules]").tap()
    name = page.get_by_label("Name for these rules")
    expect(name).to_be_focused()
    name.press("Enter")
    expect(page.locator("#rules-name-problem")).to_contain_text("name")
    expect(page.locator("[data-do=keep-as]")).to_be_visible()
    expect(page.locator("[data-do=replace]")).to_have_count(0)
    name.fill("Tuesday")
    name.press("Enter")
    expect(find.zone(page, "kept-as")).to_contain_text("Rules saved as “Tuesday”.")
    first = page.locator("[data-zone=presets] [data-pick]").first
    expect(first).to_contain_text("Tuesday")
    expect(first.locator("input")).to_be_checked()

    # Saving other rules under the same name asks for confirmation.
    find.differences(page).locator("li button").tap()
    page.locator("[data-more=rules] > summary").tap()
    page.fill("input[type=search]", "target")
    page.locator("[data-switch=target] input").first.fill("7")
    page.locator("[data-do=keep-rules]").tap()
    expect(name).to_have_value("Tuesday")
    page.locator("[data-do=keep-as]").tap()
    expect(page.locator("#rules-name-problem")).to_contain_text("Replace them")
    page.locator("[data-do=replace]").tap()
    expect(find.zone(page, "kept-as")).to_be_visible()
    expect(page.locator("[data-pick^=mine]")).to_have_count(1)

    page.goto(f"{server.url}/me")
    mine = page.locator("[data-rules]")
    expect(mine).to_contain_text("Target: 7")
    expect(mine.locator("h3")).to_contain_text("President: Toronto")
    mine.get_by_role("button", name="Rename").tap()
    name.fill("Friday")
    name.press("Enter")
    expect(mine.locator("h3")).to_contain_text("Friday")
    mine.get_by_role("link", name="Open room").tap()
    expect(page.locator("[data-zone=presets] [data-pick]").first.locator("input")).to_be_checked()
    page.go_back()
    mine.get_by_role("button", name="Delete").tap()
    mine.get_by_role("button", name="Delete: are you sure?").tap()
    expect(mine).to_have_count(0)
    assert not ana.complaints
