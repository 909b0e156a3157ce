"""Test how the page shows that all wait for one player, and what the host and others can do."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e import find
from tests.e2e.games.test_specials import look
from tests.e2e.people.crowd import Crowd, Wanted, crowd
from tests.e2e.pictures.layout import SETTLED
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

BOT_TURN = "[data-ask=let_bot_play][data-seat=false]"
BOT_SEAT = "[data-ask=let_bot_play][data-seat=true]"


def turn_of(name: str) -> Wanted:
    return lambda update: name in update["table"]["to_act"] and len(update["you"]["cards"]) > 5


def catch_up(people: Crowd, page: Page) -> None:
    """Wait until the players without a browser have the state of this page."""
    people.catch_up(int(page.locator("#room").get_attribute("data-seq") or 0))


def test_a_bot_plays_for_an_idle_player_until_they_touch_their_cards(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", clock={"patience": 1}, bots_delay=0) as people:
        people.play_until(turn_of("Bob"))
        ana, bob, cat = (look(new_context, server, people, name) for name in ("Ana", "Bob", "Cat"))
        for page in (ana, cat):
            expect(find.zone(page, "waits")).to_have_text(re.compile(r"Waiting for Bob: \d+ s"))
        expect(find.zone(bob, "my-wait")).to_have_text(re.compile(r"everyone is waiting: \d+ s"))
        first = find.zone(ana, "waits").inner_text()
        expect(find.zone(ana, "waits")).not_to_have_text(first)
        # If the host does nothing, any player may act, a little later.
        expect(cat.locator(BOT_TURN)).to_be_visible()
        held = find.cards(bob).count()
        ana.locator(BOT_TURN).click()
        expect(find.log(bob)).to_contain_text("A bot plays this turn for you, as Ana asked.")
        expect(find.zone(ana, "waits")).to_have_count(0)
        expect(bob.locator("[data-ask=resume_seat]")).to_have_count(0)

        # The bot plays this turn and all later ones, until Bob touches a card.
        catch_up(people, ana)
        people.play_until(turn_of("Bob"), but=("Bob",))
        ana.locator(BOT_SEAT).click()
        expect(bob.locator("[data-ask=resume_seat]")).to_be_visible()
        expect(find.seat(ana, "Bob").locator("[data-moon]")).to_be_visible()
        catch_up(people, ana)
        expect(find.seat(ana, "Bob")).not_to_have_attribute("aria-current", "true")
        assert find.cards(bob).count() <= held
        find.cards(bob).first.click(position={"x": 10, "y": 14})
        expect(bob.locator("[data-ask=resume_seat]")).to_have_count(0)
        expect(find.seat(ana, "Bob").locator("[data-moon]")).to_have_count(0)

        # At the host's turn any other player may ask for a bot.
        catch_up(people, ana)
        people.play_until(turn_of("Ana"))
        expect(find.zone(cat, "waits")).to_contain_text("Waiting for Ana")
        expect(ana.locator("[data-ask=let_bot_play]")).to_have_count(0)
        cat.locator(BOT_TURN).click()
        expect(find.log(ana)).to_contain_text("A bot plays this turn for you, as Cat asked.")


def test_a_bot_plays_for_an_absent_player_after_a_delay_or_at_once(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", bots_delay=0) as people:
        people.play_until(turn_of("Bob"))
        ana = look(new_context, server, people, "Ana")
        people.leave("Bob")
        expect(find.zone(ana, "waits")).to_have_text(re.compile(r"Bob is away\. A bot plays in [45]\d s"))
        expect(find.seat(ana, "Bob").locator("[data-zone=about]")).to_have_text(re.compile(r"away · [45]\d\ss"))
        ana.locator(BOT_SEAT).click()
        expect(find.log(ana)).to_contain_text("A bot plays for Bob until they are back")
        expect(find.zone(ana, "waits")).to_have_count(0)


def test_an_absent_host_does_not_block_the_waiting_room(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat", clock={"patience": 1}) as people:
        people.do("Ana", "stop")
        people.do("Ana", "rematch")
        bob = look(new_context, server, people, "Bob")
        people.leave("Ana")
        expect(bob.locator("[data-key='wait.host']")).to_have_text(
            re.compile(r"The host Ana is away\. In [45]\d s someone else")
        )
    with crowd(server.url, "Ana Bob Cat", clock={"away": 1}) as people:
        people.do("Ana", "stop")
        people.do("Ana", "rematch")
        bob = look(new_context, server, people, "Bob")
        people.leave("Ana")
        expect(bob.locator("[data-do=start]")).to_be_enabled()


def test_a_host_can_set_and_remove_the_clocks_during_a_match(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan") as people:
        people.play_until(turn_of("Ana"))
        ana, bob = (look(new_context, server, people, name) for name in ("Ana", "Bob"))
        find.open_menu(bob)
        expect(bob.get_by_role("tab", name="Host")).to_have_count(0)
        find.open_menu(ana, "Host", "Time limits")
        ana.locator("[data-zone=clocks] [name=turn]").fill("90")
        ana.locator("[data-zone=clocks] [name=patience]").fill("20")
        ana.get_by_role("button", name="Set time limits").click()
        expect(find.zone(ana, "clock")).to_have_text(re.compile(r"[89]\d s"))
        people.catch_up(int(ana.locator("#room").get_attribute("data-seq") or 0))
        clock = {"turn": 90, "reserve": None, "reserve_gain": 0, "pause": None, "away": 60, "patience": 20}
        assert people.sees("Bob")["room"]["clock"] == clock
        ana.get_by_role("button", name="Remove turn limit").click()
        expect(find.zone(ana, "clock")).to_have_text("")


def test_a_player_who_lost_their_seat_can_return_but_a_banned_player_cannot(
    new_context: NewContext, server: Server
) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", bots_delay=0) as people:
        people.play_until(turn_of("Ana"))
        ana, bob = (look(new_context, server, people, name) for name in ("Ana", "Bob"))
        find.open_menu(ana, "Host", "People")
        find.open_person(ana, "Bob")
        find.confirm(ana, "unseat", "remove")
        expect(find.log(bob)).to_contain_text("The host has removed you from your seat.")
        expect(bob.locator("[data-ask=join], [data-ask=resume_seat]")).to_have_count(0)
        catch_up(people, ana)
        people.play_until(lambda update: update["room"]["phase"] == "between_hands")
        people.do("Ana", "deal_next")
        expect(find.zone(bob, "watching")).to_be_visible()
        bob.get_by_role("button", name="Take a seat").click()
        bob.fill("#name", "Bob")
        bob.locator("dialog button[type=submit]").click()
        expect(find.zone(bob, "watching")).to_contain_text("You join with the next hand")
        # A ban is a separate choice.
        find.open_person(ana, "Bob")
        find.confirm(ana, "ban", "remove")
        expect(find.banner(bob)).to_contain_text("has blocked you from this room")
        expect(bob.locator("#name, [data-welcome]")).to_have_count(0)


def test_a_new_seat_link_works_once_for_a_player_on_a_new_device(new_context: NewContext, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        with crowd(server.url, "Ana Bob Cat Dan") as people:
            people.play_until(turn_of("Ana"))
            held = people.sees("Bob")["you"]["cards"].split()
            ana = look(new_context, server, people, "Ana")
            find.open_menu(ana, "Host", "People")
            row = find.open_person(ana, "Bob")
            new_link = row.get_by_role("button", name="Make seat link")
            people.leave("Bob")
            expect(row).to_contain_text("New seat link in")
            expect(new_link).to_have_count(0)
            server.move_clock(60)
            people.leave("Dan")  # this triggers an update with the time to the host
            new_link.click()
            link = row.get_by_label("Link to the seat of Bob").input_value()
            expect(row.locator("img")).to_be_visible()
            phone, other = new_context().new_page(), new_context().new_page()
            for page in (phone, other):
                page.goto(link)
            phone.get_by_role("button", name="Yes, I am Bob").click()
            expect(find.cards(phone)).to_have_count(len(held))
            cards = find.cards(phone).evaluate_all("all => all.map(card => card.dataset.card)")
            assert sorted(cards) == sorted(held)
            expect(find.log(ana)).to_contain_text("Another browser now plays as Bob. You let it in.")
            other.get_by_role("button", name="Yes, I am Bob").click()
            expect(other.locator("main")).to_contain_text("Ask the host for a new one")
    finally:
        server.stop()


def locks(page: Page) -> list[bool]:
    """Whether each wake lock of the page has been released."""
    return page.evaluate("window.locks.map(lock => lock.released)")


def test_player_screens_stay_awake_during_a_match(new_context: NewContext, server: Server) -> None:
    spy = """() => {
      window.locks = [];
      const request = navigator.wakeLock.request.bind(navigator.wakeLock);
      navigator.wakeLock.request = async (kind) => {
        const lock = await request(kind);
        window.locks.push(lock);
        return lock;
      };
    }"""

    def with_spy(**more: Any) -> BrowserContext:
        context = new_context(**more)
        context.add_init_script(f"({spy})()")
        return context

    with crowd(server.url, "Ana Bob Cat") as people:
        people.play_until(turn_of("Ana"))
        ana, bob = (look(with_spy, server, people, name) for name in ("Ana", "Bob"))
        ana.wait_for_function("() => window.locks.length === 1")
        bob.wait_for_function("() => window.locks.length === 1")
        assert locks(ana) == locks(bob) == [False]
        # The browser releases the lock of a hidden page. When the page is visible again, it requests a new one.
        ana.evaluate(
            "async () => { await window.locks[0].release(); document.dispatchEvent(new Event('visibilitychange')); }"
        )
        ana.wait_for_function("() => window.locks.length === 2")
        assert locks(ana) == [True, False]
        people.do("Ana", "act", action=people.sees("Ana")["you"]["legal"][0])
        catch_up(people, ana)
        assert locks(ana) == [True, False]


def test_a_phone_that_cannot_keep_its_screen_on_shows_a_notice_once(new_context: NewContext, server: Server) -> None:
    told = "This browser can’t keep the screen on. Set a longer screen timeout."
    note_requests = """
      const request = WakeLock.prototype.request;
      WakeLock.prototype.request = function (kind) {
        const asked = request.call(this, kind);
        asked.catch(() => (window.refused = true));
        return asked;
      };
    """

    def refusing(**more: Any) -> BrowserContext:
        # Once a context grants any permission, Chromium refuses all others.
        context = new_context(permissions=["geolocation"], **more)
        context.add_init_script(note_requests)
        return context

    def without(**more: Any) -> BrowserContext:
        context = new_context(**more)
        context.add_init_script("delete Navigator.prototype.wakeLock")
        return context

    def refused(page: Page) -> None:
        page.wait_for_function("() => window.refused")
        page.evaluate(SETTLED)

    with crowd(server.url, "Ana Bob Cat") as people:
        people.play_until(turn_of("Ana"))
        bob = look(without, server, people, "Bob", has_touch=True)
        ana = look(refusing, server, people, "Ana", has_touch=True)
        cat = look(refusing, server, people, "Cat")
        refused(ana)
        refused(cat)
        # During the hand the notice would cover what a player is asked.
        expect(find.notice(ana)).to_have_count(0)
        people.play_until(lambda update: update["room"]["phase"] == "between_hands")
        expect(find.notice(bob)).to_contain_text(told)
        expect(find.notice(ana)).to_contain_text(told)
        # Screens of computers stay on for long and need no notice.
        catch_up(people, cat)
        expect(find.notice(cat)).to_have_count(0)
        # The notice comes only once, even after a reload.
        ana.reload()
        refused(ana)
        expect(find.notice(ana)).to_have_count(0)
