"""Test actions that only some games have: trade, collusion, calls, clearing and others.

The other players have no browser (see crowd.py). They play until the moment comes, and answer.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e import find
from tests.e2e.people.crowd import Crowd, Update, Wanted, crowd
from tests.e2e.pictures.layout import at_every_size, resize
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

TWENTY = "Ana Bob Cat Dan Eve Fay Gus Hal Ida Joy Kim Lea Max Ned Ole Pia Ray Sue Tom Una"


def look(new_context: NewContext, server: Server, people: Crowd, name: str, **more: Any) -> Page:
    """Open the room in a browser with this player's cookies."""
    context = new_context(**more)
    context.add_cookies(people.cookies(name, server.url))  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.url}/r/{people.code}")
    page.wait_for_selector("#room[data-seq]")
    return page


def can(do: str) -> Wanted:
    return lambda update: any(action["do"] == do for action in update["you"]["legal"])


def plays(update: Update) -> list[dict[str, Any]]:
    return [action for action in update["you"]["legal"] if action["do"] == "play"]


def test_playing_wild_cards_asks_which_cards_they_stand_for(new_context: NewContext, server: Server) -> None:
    def ambiguous(update: Update) -> list[str]:
        return [cards for cards, ways in Counter(action["cards"] for action in plays(update)).items() if ways == 2]

    with crowd(server.url, "Ana Bob Cat Dan", options={"preset": "wild_threes"}) as people:
        name = people.play_until(ambiguous)
        cards = ambiguous(people.sees(name))[0]
        ways = [action for action in plays(people.sees(name)) if action["cards"] == cards]
        page = look(new_context, server, people, name)
        find.choose(page, cards)
        page.locator("[data-choose=ways]").click()
        buttons = page.locator("dialog [data-do=play]")
        expect(buttons).to_have_count(len(ways))
        title = page.get_by_role("dialog").get_by_role("heading").inner_text()
        assert title.startswith("Play "), title
        assert "{" not in title, "the cards are named"
        names = [button.get_attribute("aria-label") or "" for button in buttons.all()]
        assert len(set(names)) == len(ways)
        words = names[-1]
        buttons.last.click()
        expect(page.locator("[data-play=now][data-own], [data-zone=last-trick] [data-own]")).to_contain_text(words)


def test_a_single_wild_card_is_given_a_rank_from_a_grid(new_context: NewContext, server: Server) -> None:
    def many(update: Update) -> list[str]:
        return [cards for cards, ways in Counter(action["cards"] for action in plays(update)).items() if ways > 6]

    with crowd(server.url, "Ana Bob Cat Dan", options={"preset": "wild_threes"}) as people:
        name = people.play_until(many)
        cards = many(people.sees(name))[0]
        listed = [action["as"] for action in plays(people.sees(name)) if action["cards"] == cards]
        ranks = [rank for rank in people.sees(name)["table"]["ranks"] if rank in listed]
        page = look(new_context, server, people, name, viewport={"width": 360, "height": 640})
        felt = find.felt(page).bounding_box()
        find.choose(page, cards)
        opener = page.locator("[data-choose=ways]")
        opener.click()
        grid = page.locator("dialog [data-as]")
        expect(grid).to_have_count(len(listed))
        # The suggested rank is first, the others follow in their current order.
        order = grid.evaluate_all("buttons => buttons.map(button => button.dataset.as)")
        assert order == [listed[0], *(rank for rank in ranks if rank != listed[0])]
        assert find.felt(page).bounding_box() == felt
        for button in grid.all():
            expect(button).to_be_in_viewport(ratio=1)
        for size, wrong in at_every_size(page):
            assert not wrong, size
        resize(page, "360x640")
        # With the keyboard: the first rank has the focus, arrow keys move, and Escape returns.
        expect(grid.first).to_be_focused()
        page.keyboard.press("ArrowRight")
        expect(grid.nth(1)).to_be_focused()
        page.keyboard.press("ArrowDown")
        second = grid.nth(1).evaluate("button => button.offsetTop")
        assert page.evaluate("document.activeElement.offsetTop") > second
        page.keyboard.press("Escape")
        expect(opener).to_be_focused()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator("dialog")).to_have_count(0)
        opener.click()
        word = grid.last.get_attribute("aria-label") or ""
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.locator("[data-play=now][data-own], [data-zone=last-trick] [data-own]")).to_contain_text(word)


def test_a_run_can_be_called(new_context: NewContext, server: Server) -> None:
    options = {"preset": "kings_and_bastards", "ordering": True}
    with crowd(server.url, "Ana Bob Cat Dan", options=options) as people:
        name = people.play_until(lambda update: any("call" in action for action in plays(update)))
        called = next(action for action in plays(people.sees(name)) if "call" in action)
        page = look(new_context, server, people, name)
        find.choose(page, called["cards"])
        page.locator("[data-choose=ways]").click()
        page.locator("[data-do=play]", has_text="and call").first.click()
        expect(find.new_sign(page)).to_contain_text("called")


def chooses(do: str) -> Wanted:
    return lambda update: (update["table"]["choice"] or {}).get("do") == do and bool(update["you"]["legal"])


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_a_card_can_be_given_in_the_middle_of_a_trick(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat", options={"giving_ranks": "345678", "exchange": "none"}) as people:
        name = people.play_until(chooses("give"))
        other = next(each for each in ("Ana", "Bob", "Cat") if each != name)
        page, theirs = (look(new_context, server, people, each, **PHONE) for each in (name, other))
        expect(find.turn(page)).to_contain_text("Give ")
        expect(find.turn(theirs)).to_contain_text(f"{name} is choosing cards to give.")
        give = page.locator("[data-do=give]")
        expect(give).to_have_text("Give nothing")
        card = find.cards(page).first
        held = card.get_attribute("data-card")
        card.tap(position={"x": 10, "y": 14})
        expect(give).to_contain_text("Give")
        give.tap()
        expect(find.card(page, held)).to_have_count(0)
        expect(find.log(page)).to_contain_text("You give")


def test_a_card_can_be_discarded_in_the_middle_of_a_trick(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat", options={"discarding_ranks": "345678", "exchange": "none"}) as people:
        name = people.play_until(chooses("discard"))
        other = next(each for each in ("Ana", "Bob", "Cat") if each != name)
        page, theirs = (look(new_context, server, people, each) for each in (name, other))
        # The table shows everybody what these ranks do.
        expect(find.signs(theirs)).to_contain_text("and eight: discard")
        expect(find.turn(theirs)).to_contain_text(f"{name} is choosing cards to discard.")
        card = find.cards(page).first
        held = card.get_attribute("data-card")
        card.click(position={"x": 10, "y": 14})
        page.locator("[data-do=discard]").click()
        expect(find.card(page, held)).to_have_count(0)
        expect(find.log(page)).to_contain_text("You discard")
        expect(find.log(theirs)).to_contain_text(f"{name} discards")


SEVEN_POWERS = {"giving_ranks": "7", "discarding_ranks": "T", "skipping_ranks": "5", "reversing_ranks": "9"}
SEVEN_POWERS |= {"bombing_ranks": "Q", "ending_ranks": "8", "back_ranks": "J"}


def test_rank_powers_fit_one_row_on_a_phone_and_reversed_ranks_are_spelled_out(
    new_context: NewContext, server: Server
) -> None:
    def turned(update: Update) -> bool:
        return any(sign["hot"] for sign in update["table"]["signs"]) and bool(update["you"]["legal"])

    options = {"preset": "daifugo", **SEVEN_POWERS}
    with crowd(server.url, "Ana Bob Cat Dan", options=options) as people:
        name = people.play_until(turned)
        page = look(new_context, server, people, name, viewport={"width": 360, "height": 640}, has_touch=True)
        expect(find.new_sign(page).first).to_be_visible()
        for size in ("360x640", "390x844", "844x390"):
            resize(page, size)
            hot = find.new_sign(page).count()
            rows = set(find.signs(page).locator("> li").evaluate_all("all => all.map(each => each.offsetTop)"))
            assert len(rows) <= 1 + hot, size
            expect(
                page.get_by_role("list", name="Special rules in effect").get_by_role("button")
            ).to_have_accessible_name(re.compile("jack: low beats high.*seven: give cards.*eight: ends"))
        more = page.locator("[data-open=signs]")
        more.tap()
        told = page.locator("dialog [data-zone=signs-list] li")
        expect(told).to_have_count(len(people.sees(name)["table"]["signs"]))
        expect(told.last).to_contain_text("eight: ends the trick")
        for size, wrong in at_every_size(page, ("390x844 at 200 %", "844x390", "360x640")):
            assert not wrong, size
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        expect(more).to_be_focused()
        # A wide window shows the full text.
        resize(page, "1440x900")
        expect(more).to_have_count(0)
        expect(find.signs(page)).to_contain_text("seven: give cards")


def test_ranks_to_bomb_can_be_chosen_from_a_grid_by_touch_and_by_keyboard(
    new_context: NewContext, server: Server
) -> None:
    with crowd(server.url, "Ana Bob Cat", options={"bombing_ranks": "345678", "exchange": "none"}) as people:
        name = people.play_until(lambda update: chooses("bomb")(update) and update["table"]["choice"]["most"] == 1)
        page = look(new_context, server, people, name, viewport={"width": 360, "height": 640}, has_touch=True)
        bomb = page.locator("[data-do=bomb]")
        expect(bomb).to_be_disabled()
        for size, wrong in at_every_size(page):
            assert not wrong, size
        resize(page, "360x640")
        rank = find.actions(page).locator("[data-rank=A]")
        for pressed in ("true", "false"):
            rank.tap()
            expect(rank).to_have_attribute("aria-pressed", pressed)
        rank.focus()
        page.keyboard.press("Enter")
        expect(rank).to_have_attribute("aria-pressed", "true")
        bomb.focus()
        page.keyboard.press("Enter")
        expect(find.log(page)).to_contain_text("You bomb")


def test_merchants_can_haggle_over_cards(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan Eve Fay", options={"preset": "merchants"}) as people:
        one = people.play_until(can("say"))
        other = people.play_until(can("say"), but=(one,))
        page, theirs = (look(new_context, server, people, name) for name in (one, other))
        expect(find.turn(page)).to_contain_text("Trade")
        page.get_by_label("Announce a rank").select_option("K")
        page.get_by_role("button", name="“I have one”").click()
        expect(find.latest(theirs)).to_contain_text(f"{one} on the rank king: “I have one.”")
        given = find.cards(page).first.get_attribute("data-card")
        find.cards(page).last.click(position={"x": 10, "y": 14})
        find.cards(page).first.click(position={"x": 10, "y": 14})
        expect(find.chosen(page)).to_have_count(1)
        page.get_by_label("Claimed rank").select_option("A")
        page.locator("[data-do=offer]").click()
        expect(find.zone(theirs, "panel")).to_contain_text(f"{one} offers a card and claims: ace")
        find.cards(theirs).first.click(position={"x": 10, "y": 14})
        theirs.locator("[data-do=offer]").click()
        expect(theirs.locator("[data-do=agree]")).to_be_visible()
        theirs.locator("[data-do=agree]").click()
        page.locator("[data-do=agree]").click()
        expect(page.locator("[data-do=say]")).to_have_count(0)
        expect(find.card(page, given)).to_have_count(0)
        expect(find.card(theirs, given)).to_have_count(1)


def test_merchants_can_break_off_and_give_cards(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan Eve Fay", options={"preset": "merchants"}) as people:
        name = people.play_until(can("break_off"))
        page = look(new_context, server, people, name)
        page.locator("[data-do=break_off]").click()
        expect(page.locator("[data-do=give]")).to_be_disabled()
        find.cards(page).first.click(position={"x": 10, "y": 14})
        page.locator("[data-do=give]").click()
        expect(page.locator("[data-do=give]")).to_have_count(0)


def test_two_partners_can_collude(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", options={"preset": "collusion"}) as people:
        one = people.play_until(lambda update: update["you"].get("partner"))
        other = people.sees(one)["you"]["partner"]["name"]
        page, theirs = (look(new_context, server, people, name) for name in (one, other))
        shown = find.cards(theirs).first.get_attribute("data-card") or ""
        expect(page.locator("[data-panel=partner]")).to_contain_text(f"Cards of your partner {other}")
        expect(page.locator("[data-panel=partner]")).to_contain_text(shown[0].replace("T", "10").replace("X", "joker"))
        expect(page.get_by_label("Claimed rank")).to_have_count(0)
        for each in (page, theirs):
            for card in find.cards(each).all()[:2]:
                card.click(position={"x": 10, "y": 14})
            each.locator("[data-do=offer]").click()
            expect(find.zone(each, "panel")).to_contain_text("offers 2 cards")
        page.locator("[data-do=agree]").click()
        theirs.locator("[data-do=agree]").click()
        expect(find.card(page, shown)).to_have_count(1)
        for each in (page, theirs):
            each.locator("[data-do=done]").click()
        expect(page.locator("[data-do=done]")).to_have_count(0)


def test_the_last_player_clears_and_another_player_touching_the_trick_becomes_last(
    new_context: NewContext, server: Server
) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", options={"only_bottom_clears": True}) as people:
        bottom = people.play_until(can("clear"))
        top = next(name for name in people.sees(bottom)["table"]["seats"] if name != bottom)
        page, hasty = (look(new_context, server, people, name) for name in (bottom, top))
        expect(find.turn(page)).to_contain_text("Clear the pile.")
        hasty.get_by_role("button", name="Touch pile and come last").click()
        expect(find.latest(page)).to_contain_text(f"{top} has touched the pile")
        page.locator("[data-do=clear]").click()
        expect(page.locator("[data-do=clear]")).to_have_count(0)
        expect(find.latest(hasty)).to_contain_text(f"{bottom} clears the pile")


def test_an_honour_can_be_played_out_of_turn(new_context: NewContext, server: Server) -> None:
    def out_of_turn(update: Update) -> bool:
        return bool(plays(update)) and update["you"]["name"] not in update["table"]["to_act"]

    with crowd(server.url, "Ana Bob Cat Dan", game="big_two", options={"preset": "gamesky"}) as people:
        name = people.play_until(out_of_turn)
        page = look(new_context, server, people, name)
        expect(find.turn(page)).to_contain_text("you may play out of turn")
        find.choose(page, plays(people.sees(name))[0]["cards"])
        page.locator("[data-do=play]").click()
        expect(find.log(page)).to_contain_text("You play")


def may_complete_four(update: Update) -> bool:
    """Whether the player can complete four of a rank out of turn, and the hand continues afterwards."""
    table = update["table"]
    left = [player["cards"] for player in table["players"].values()]
    told = any(sign["key"] == "burn" for sign in table["signs"])
    return told and min(left) > 4 and bool(plays(update)) and update["you"]["name"] not in table["to_act"]


def test_four_of_a_rank_can_be_completed_out_of_turn(new_context: NewContext, server: Server) -> None:
    """Use touch, with three pages: the player who completes the four, the player in turn, and another player."""

    with crowd(server.url, "Ana Bob Cat Dan", options={"burn": "any_time", "exchange": "none"}) as people:
        name = people.play_until(may_complete_four)
        seen = people.sees(name)
        turn, last = seen["table"]["to_act"][0], seen["table"]["trick"]["plays"][-1]
        others = [each for each in seen["table"]["seats"] if each not in (name, turn)]
        mine, theirs, looks_on = (
            look(new_context, server, people, each, **PHONE) for each in (name, turn, next(iter(others)))
        )
        # Everybody sees the sign, which does not reveal who holds the cards. The player in turn can play as usual.
        for page in (mine, theirs, looks_on):
            expect(find.new_sign(page)).to_contain_text(f"Anyone except {last['by']} can complete the four")
        expect(find.turn(mine)).to_have_text(f"It is {turn}’s turn, but you may play out of turn.")
        expect(find.turn(theirs)).to_contain_text("Your turn")
        expect(theirs.locator("[data-do=pass]")).to_be_enabled()
        expect(find.turn(looks_on)).to_have_text(f"It is {turn}’s turn.")
        cards = plays(seen)[0]["cards"].split()
        find.choose(mine, " ".join(cards), touch=True)
        mine.locator("[data-do=play]").tap()
        # The moment is celebrated, and everybody sees the four cards together until the next lead.
        expect(find.latest(mine)).to_contain_text(f"You complete the four before {turn} can play")
        for page, awaited in ((theirs, "you"), (looks_on, turn)):
            told = f"{name} completes the four before {awaited} can play, and burns the trick!"
            expect(page.locator("[data-zone=status][data-great] [data-zone=latest]")).to_contain_text(told)
        before = [card for play in seen["table"]["trick"]["plays"][-3:] for card in play["cards"].split()]
        for page in (mine, theirs, looks_on):
            lying = page.locator("[data-zone=felt][data-great] [data-zone=last-trick] [data-rank]")
            expect(lying).to_have_count(len(before) + len(cards))
            assert lying.evaluate_all("all => all.map(each => each.dataset.rank)")[-4:] == [cards[0][0]] * 4
            expect(find.new_sign(page)).to_have_count(0)
        expect(theirs.locator("[data-do=pass]")).to_have_count(0)


def test_last_cards_are_announced(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat Dan", game="big_two", options={"preset": "indonesia"}) as people:
        page = look(new_context, server, people, "Ana")
        people.play_until(lambda update: any(event["e"] == "last_cards" for event in update["events"]))
        expect(find.log(page)).to_contain_text("left!")


def test_a_king_gives_cards_to_two_players_at_once(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, "Ana Bob Cat", game="ceausescu") as people:
        name = people.play_until(lambda update: len(update["you"].get("must_give") or []) == 2)
        owes = people.sees(name)["you"]["must_give"]
        give = next(action for action in people.sees(name)["you"]["legal"] if action["do"] == "give")
        page = look(new_context, server, people, name)
        expect(page.locator("[data-do=give]")).to_be_disabled()
        # The first cards go to the first name in the list.
        for gift in owes:
            find.choose(page, give["to"][gift["to"]])
        page.locator("[data-do=give]").click()
        expect(page.locator("[data-do=give]")).to_have_count(0)
        expect(find.refusal(page)).to_have_count(0)


def test_twenty_players_can_keep_or_swap_cards(new_context: NewContext, server: Server) -> None:
    with crowd(server.url, TWENTY, game="chase_the_ace") as people:
        name = people.play_until(can("swap"))
        table = people.sees(name)["table"]
        order = [each for each in table["seats"] if each in table["playing"]]
        left = order[(order.index(name) + 1) % len(order)]
        page = look(new_context, server, people, name, viewport={"width": 360, "height": 640})
        expect(find.seats(page)).to_have_count(19)
        expect(page.locator("[data-line=pot]")).to_have_text("60 dimes in the pot")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        inside = find.felt(page).bounding_box()
        assert inside is not None
        for each in [page.locator("[data-line=pot]"), *page.locator("[data-seat] [data-zone=counter] b").all()]:
            box = each.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= inside["y"] + inside["height"]
        swap = page.locator("[data-do=swap]")
        expect(swap).to_have_text(f"Swap with {left}")
        swap.click()
        expect(swap).to_have_count(0)
        people.catch_up(int(page.locator("#room").get_attribute("data-seq") or 0))
        # The last player swaps with the deck.
        dealer = people.play_until(
            lambda update: can("swap")(update) and update["table"]["dealer"] == update["you"]["name"]
        )
        last = look(new_context, server, people, dealer)
        expect(last.locator("[data-do=swap]")).to_have_text("Swap with the stock")
        last.close()
        other = people.play_until(can("keep"))
        page = look(new_context, server, people, other)
        page.locator("[data-do=keep]").click()
        expect(page.locator("[data-do=keep]")).to_have_count(0)
        expect(find.log(page)).to_contain_text("You keep your card")
        people.catch_up(int(page.locator("#room").get_attribute("data-seq") or 0))
        people.play_until(lambda update: update["room"]["phase"] == "between_hands")
        result = find.result(page)
        expect(result.locator("tbody tr")).to_have_count(20)
        # The last rows and the heading name the players who lost a dime. A column for points would be useless.
        lost = people.sees("Ana")["table"]["lost"]
        expect(result.locator("h2")).to_contain_text("dime")
        for name in lost:
            expect(result.locator("h2")).to_contain_text(name)
        expect(result.locator("thead")).not_to_contain_text("This hand")
        expect(result.locator("thead")).to_contain_text("Dimes")
        for place, name in enumerate(sorted(lost, key=people.sees("Ana")["table"]["seats"].index)):
            row = result.locator("tbody tr").nth(20 - len(lost) + place)
            expect(find.zone(row, "name")).to_have_text(name)
            expect(row.locator("td > span:not([aria-hidden])").last).to_have_text(
                f"{people.sees('Ana')['table']['dimes'][name]}, one card fewer"
            )
            expect(row.locator("[data-life=lost]")).to_have_count(1)
