"""Test a decree in the browser: the king writes it, subjects answer it, and everybody reads the answers."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e import find
from tests.e2e.games.test_specials import look
from tests.e2e.people.crowd import Update, crowd
from tests.e2e.server import Server

NewContext = Callable[..., BrowserContext]

NAMES = "Ana Bob Cat Dan"
ORDER = "Everybody sings"


def reigns(update: Update) -> bool:
    """Whether this player may give a decree while a hand is played."""
    return bool(update["you"].get("decree")) and update["room"]["phase"] == "playing"


def test_players_obey_or_defy_a_decree_and_all_players_read_the_answers(
    new_context: NewContext, server: Server
) -> None:
    with crowd(server.url, NAMES, game="ceausescu") as people:
        king = people.play_until(reigns)
        pages: dict[str, Page] = {name: look(new_context, server, people, name) for name in NAMES.split()}
        obedient, defiant, silent = (name for name in pages if name != king)

        for name in (obedient, defiant, silent):
            expect(pages[name].get_by_role("button", name="Decree")).to_have_count(0)
        throne = pages[king]
        throne.get_by_role("button", name="Decree").click()
        throne.get_by_label("Text of the decree").fill(ORDER)
        throne.get_by_role("button", name="Send decree").click()
        expect(throne.get_by_role("dialog")).to_have_count(0)
        expect(find.question(throne)).to_have_count(0)
        for name in (obedient, defiant, silent):
            expect(find.question(pages[name])).to_have_text(f"A decree for you: “{ORDER}”")

        pages[obedient].get_by_role("button", name="Obey").click()
        pages[defiant].get_by_role("button", name="Defy").click()
        for name in (obedient, defiant):
            expect(find.question(pages[name])).to_have_count(0)
            expect(find.refusal(pages[name])).to_have_count(0)
        for name, page in pages.items():
            obeys = "You obey" if name == obedient else f"{obedient} obeys"
            defies = "You defy" if name == defiant else f"{defiant} defies"
            expect(find.log(page)).to_contain_text(f"{obeys} the decree “{ORDER}”")
            expect(find.log(page)).to_contain_text(f"{defies} the decree “{ORDER}”")
        # A player who has not answered yet can still answer.
        expect(find.question(pages[silent])).to_be_visible()
        expect(pages[silent].get_by_role("button", name="Obey")).to_be_enabled()
