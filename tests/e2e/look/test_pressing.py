"""Test the ways to press less: automatic passes, plays chosen ahead, pauses and votes."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e import find
from tests.e2e.games.test_specials import look, plays
from tests.e2e.people.crowd import Update, Wanted, crowd
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]


def turn_of(name: str, wanted: Wanted) -> Wanted:
    return lambda seen: seen["you"]["name"] == name and name in seen["table"]["to_act"] and wanted(seen)


def over_a_trick(update: Update) -> bool:
    return update["table"]["trick"] is not None


def only_pass(update: Update) -> bool:
    return over_a_trick(update) and len(update["you"]["legal"]) == 1


def could_play(update: Update) -> bool:
    return over_a_trick(update) and len(update["you"]["legal"]) > 1


def could_play_first(update: Update) -> bool:
    """Whether the player could play, and other players still act after them, so that a pass does not end the trick."""
    table = update["table"]
    return could_play(update) and not table["trick"]["passed"] and not table["standing"]


def follows(seen: Update, name: str, after: str) -> bool:
    """Whether a player sits next after another one. Seats differ from hand to hand."""
    seats = seen["table"]["seats"]
    return bool(seats[seats.index(after) - len(seats) + 1] == name)


def sent(page: Page) -> list[dict[str, Any]]:
    """Collect the actions that the page sends from now on, without their ids and request numbers."""
    said: list[dict[str, Any]] = []

    def note(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["t"] == "act":
            assert set(message) == {"t", "action", "id", "request"}
            said.append({"t": "act", "action": message["action"]})

    page.on("websocket", lambda socket: socket.on("framesent", note))
    page.reload()
    page.wait_for_selector("#room[data-seq]")
    return said


def test_a_player_can_choose_to_pass_automatically_if_no_card_beats(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", bots_delay=0) as people:
        people.play_until(turn_of("Ana", only_pass))
        page = look(new_context, server, people, "Ana")
        said = sent(page)
        page.locator("[data-do=pass]").click()
        expect(find.my_turn(page)).to_have_count(0)

        people.catch_up(int(page.locator("#room").get_attribute("data-seq") or 0))
        people.play_until(turn_of("Ana", only_pass))
        expect(find.my_turn(page)).to_be_visible()
        page.locator("[data-open=passing]").click()
        page.locator("[data-passing=beats]").click()
        expect(find.my_turn(page)).to_have_count(0)
        assert said == [{"t": "act", "action": {"do": "pass"}}] * 2, "nothing tells who pressed"
        # The setting stays until the player turns it off.
        page.reload()
        page.locator("[data-passing=off]").click()
        page.reload()
        expect(page.locator("[data-open=passing]")).to_be_visible()
        expect(page.locator("[data-passing=off]")).to_have_count(0)


def test_the_arrow_of_pass_opens_a_menu_that_passes_until_the_trick_ends(
    new_context: NewContext, server: Server
) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", bots_delay=0) as people:
        people.play_until(turn_of("Ana", could_play_first))
        page = look(new_context, server, people, "Ana")
        arrow, off = page.locator("[data-open=passing]"), page.locator("[data-passing=off]")
        item = page.get_by_role("menuitem", name="Pass until the trick ends")
        arrow.focus()
        page.keyboard.press("ArrowUp")
        expect(item).to_be_focused()
        page.keyboard.press("Escape")
        # The page hears a moment later that the browser has closed the menu.
        expect(arrow).to_have_attribute("aria-expanded", "false")
        expect(arrow).to_be_focused()
        page.keyboard.press("Enter")
        expect(item).to_be_focused()
        page.keyboard.press("Enter")
        expect(find.log(page)).to_contain_text("You pass.")
        off.click()
        # Before the player's turn the same menu is there. It closes when the focus leaves it.
        arrow.click()
        page.keyboard.press("Tab")
        expect(item).to_have_count(0)
        arrow.click()
        item.click()
        expect(off).to_contain_text("Passing trick")
        # After a lost connection the page may have missed events, so the player has to choose it again.
        page.context.set_offline(True)
        expect(find.banner(page)).to_be_visible()
        page.context.set_offline(False)
        expect(find.banner(page)).to_have_count(0)
        expect(off).to_have_count(0)


def test_the_host_sets_the_bot_speed_and_bots_left_alone_play_faster(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", bots_delay=0) as people:
        people.play_until(
            lambda seen: (
                seen["you"]["name"] == "Ana" and not seen["you"]["cards"] and len(seen["table"]["standing"]) == 1
            )
        )
        page = look(new_context, server, people, "Ana")
        find.open_menu(page, "Host", "Bots")
        page.get_by_role("radio", name="Slow").click()
        expect(page.get_by_role("radio", name="Slow")).to_be_checked()
        page.keyboard.press("Escape")
        expect(page.locator("[data-ask=finish_hand]")).to_have_count(0)
        for name in ("Bob", "Cat", "Dan"):
            people.go(name)
        # At the slow pace, the bots would take a minute.
        expect(find.result(page)).to_be_visible()


def test_players_can_agree_on_a_pause_and_a_rematch(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat", bots_delay=0) as people:
        people.play_until(turn_of("Ana", could_play))
        page = look(new_context, server, people, "Ana")
        people.do("Bob", "propose", subject="pause")
        expect(find.question(page)).to_contain_text("Bob asks for a pause.")
        page.locator("[data-consent=true]").click()
        expect(find.turn(page)).to_have_text("Paused by Bob.")
        expect(find.actions(page).locator("[data-do]")).to_have_count(0)
        page.locator("[data-ask=resume]").click()
        expect(find.actions(page).locator("[data-do=pass]")).to_be_visible()

        people.do("Ana", "stop")
        page.locator("[data-propose=rematch]").click()
        expect(find.question(page)).to_contain_text(
            re.compile(r"Waiting for answers from Bob and Cat\. The next match starts in \d+ s\.")
        )
        for name in ("Bob", "Cat"):
            people.do(name, "propose", subject="rematch")
        expect(find.cards(page).first).to_be_visible()
        expect(find.log(page)).to_contain_text("The match begins.")


def test_cards_chosen_ahead_are_played_when_the_turn_comes(new_context: NewContext, server: Server) -> None:
    def dan_before_ana(seen: Update) -> bool:
        trick, held = seen["table"]["trick"], people.sees("Ana")["you"]["cards"].split()
        if not trick or not trick["plays"] or not held or not follows(seen, "Ana", "Dan"):
            return False
        on, ranks, done = trick["plays"][-1], seen["table"]["ranks"], trick["passed"] + trick["barred"]
        beats = on["kind"] == "single" and ranks.index(held[-1][0]) > ranks.index(on["cards"][0])
        # Another player must still act after Ana. Otherwise the trick would be hers and she would lead.
        answers = any(people.sees(name)["you"]["cards"] and name not in done for name in ("Bob", "Cat"))
        return beats and on["by"] != "Ana" and "Ana" not in done and answers

    with crowd(server.url, "Ana Bob Cat Dan", bots_delay=0) as people:
        people.play_until(turn_of("Dan", dan_before_ana))
        page = look(new_context, server, people, "Ana")
        last = find.cards(page).last
        last.click(position={"x": 10, "y": 14})
        ahead = page.locator("[data-ahead]")
        ahead.click()
        expect(ahead).to_have_attribute("aria-pressed", "true")
        ahead.click()
        expect(ahead).to_have_attribute("aria-pressed", "false")
        ahead.click()
        people.do("Dan", "act", action={"do": "pass"})
        expect(find.log(page)).to_contain_text("You play")
        expect(find.my_turn(page)).to_have_count(0)


def test_cards_chosen_ahead_wait_while_others_may_complete_four_of_a_rank(
    new_context: NewContext, server: Server
) -> None:
    def anas_pair(seen: Update) -> list[str]:
        ranks, held = seen["table"]["ranks"], seen["you"]["cards"].split()
        on = ranks.index(seen["table"]["trick"]["plays"][-1]["cards"][0])
        return next(([a, b] for a, b in pairwise(held) if a[0] == b[0] and ranks.index(a[0]) > on), [])

    def dan_before_ana(seen: Update) -> bool:
        trick = seen["table"]["trick"]
        if not trick or not trick["plays"] or "Ana" in trick["passed"] + trick["barred"]:
            return False
        lies = trick["plays"][-1]["kind"] == "pair" and trick["plays"][-1]["by"] != "Ana"
        ana = people.sees("Ana")
        # If Ana could complete the four, the page would offer her that instead. Other players must be able to.
        means = not ana["you"].get("legal") and anas_pair(ana)
        return bool(lies and means and follows(seen, "Ana", "Dan") and {"Ana"} < set(seen["table"]["may_interrupt"]))

    with crowd(server.url, "Ana Bob Cat Dan", options={"burn": "any_time", "exchange": "none"}) as people:
        people.play_until(turn_of("Dan", dan_before_ana))
        page = look(new_context, server, people, "Ana")
        find.choose(page, " ".join(anas_pair(people.sees("Ana"))))
        page.locator("[data-ahead]").click()
        page.clock.install()
        people.do("Dan", "act", action={"do": "pass"})
        expect(find.turn(page)).to_contain_text("Your turn")
        expect(find.new_sign(page)).to_contain_text("can complete the four")
        page.clock.run_for(10_000)
        expect(find.log(page)).to_contain_text("You play")


def test_a_play_is_undone_if_the_other_players_agree(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob", game="ceausescu") as people:
        people.do("Ana", "configure", allow_undo=True)
        people.play_until(turn_of("Ana", lambda seen: len(seen["you"]["cards"].split()) > 6 and could_play(seen)))
        ana, bob = (look(new_context, server, people, name) for name in ("Ana", "Bob"))
        held, cards = find.cards(ana).count(), plays(people.sees("Ana"))[0]["cards"]
        button, question = ana.locator("[data-propose=undo]"), find.question(bob)

        def play_and_rue() -> None:
            find.choose(ana, cards)
            ana.locator("[data-do=play]").click()
            button.click()
            expect(question).to_contain_text(re.compile(r"Ana wants to undo their last play\. 1\d s"))
            expect(find.question(ana)).to_contain_text("Waiting for answers from Bob.")

        # A refused request can be repeated; it can be withdrawn; an accepted one restores the state before the play.
        play_and_rue()
        bob.locator("[data-consent=false]").click()
        expect(find.log(ana)).to_contain_text("Bob declines the request.")
        assert find.cards(ana).count() < held
        button.click()
        ana.locator("[data-consent=false]").click()
        expect(find.log(bob)).to_contain_text("Ana cancels the request.")
        expect(question).to_have_count(0)
        button.click()
        bob.locator("[data-consent=true]").click()
        expect(find.log(bob)).to_contain_text("Ana undoes their last play.")
        expect(find.cards(ana)).to_have_count(held)
        expect(find.my_turn(ana)).to_be_visible()
        expect(button).to_have_count(0)

        # A player who plays on has thereby refused.
        play_and_rue()
        bob.keyboard.press("p")
        expect(question).to_have_count(0)
        expect(button).to_have_count(0)
        assert find.cards(ana).count() < held


def test_a_player_can_turn_on_confirmation_before_a_play(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", bots_delay=0) as people:
        people.play_until(turn_of("Ana", could_play))
        page = look(new_context, server, people, "Ana")
        page.evaluate("localStorage.setItem('po.confirm', 'on')")
        held = find.cards(page).count()
        page.locator("[data-zone=hand] [data-card]:not([data-fits=no])").last.click(position={"x": 10, "y": 14})
        play = find.actions(page).locator("[data-do=play]")
        play.first.click()
        page.locator("[data-sure=false]").click()
        expect(find.cards(page)).to_have_count(held)
        play.first.click()
        page.locator("[data-sure=true]").click()
        expect(find.cards(page)).not_to_have_count(held)  # the player leads again if nobody can beat it
