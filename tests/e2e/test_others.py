"""Each other: what people show one another at the table, and who would rather not see it."""

from playwright.sync_api import Browser, Page, expect

from tests.e2e.crowd import Crowd, crowd
from tests.e2e.server import Server


def page_of(browser: Browser, server: Server, people: Crowd, name: str | None, **more: object) -> Page:
    """Somebody's table; None: a stranger's, who watches."""
    context = browser.new_context(**{"viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce", **more})  # type: ignore[arg-type]
    if name is not None:
        context.add_cookies(people.cookies(name, server.url))  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.url}/r/{people.code}")
    expect(page.locator(".felt")).to_be_visible()
    return page


def test_a_reaction_flies_from_its_seat_to_all_eyes_but_those_that_muted_it(browser: Browser, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat") as people:
        ana = page_of(browser, server, people, "Ana")
        bob = page_of(browser, server, people, "Bob", reduced_motion="no-preference")
        watcher = page_of(browser, server, people, None)
        expect(watcher.get_by_role("button", name="Tell the others")).to_have_count(0)

        bob.get_by_role("button", name="Tell the others").click()
        bob.get_by_role("button", name="Egg").click()
        expect(bob.get_by_role("dialog")).to_have_count(0)
        egg = ".shown-by[data-by=Bob][data-reaction=egg]"
        for page in (ana, bob, watcher):
            expect(page.locator(egg)).to_have_attribute("data-at", "seat")
        assert bob.locator(egg).evaluate("one => one.getAnimations().length") == 1
        assert ana.locator(egg).evaluate("one => one.getAnimations().length") == 0, "it stands"
        expect(ana.locator("#live")).to_contain_text("Bob drops an egg.")
        expect(ana.locator(egg)).to_have_count(0)

        ana.get_by_role("button", name="Menu").click()
        ana.get_by_role("button", name="Mute Bob").click()
        expect(ana.locator("[data-person=Bob]")).to_contain_text("muted by you")
        ana.keyboard.press("Escape")
        for who, what in (("Bob", "heart"), ("Cat", "clap")):
            people.do(who, "react", reaction=what)
        expect(ana.locator(".shown-by[data-by=Cat]")).to_be_visible()
        expect(watcher.locator(".shown-by")).to_have_count(2)
        expect(ana.locator(".shown-by[data-by=Bob]")).to_have_count(0)
        expect(ana.locator("#live")).not_to_contain_text("heart")
