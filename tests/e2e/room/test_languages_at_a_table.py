"""Test one match of people who read different languages: each page has the catalogue's texts of its own."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from app.web.i18n.catalogues import ENGLISH
from app.web.i18n.event_text import title_text
from tests.e2e import find
from tests.e2e.games.test_specials import can, plays
from tests.e2e.pages.test_languages import READ
from tests.e2e.people.crowd import Crowd, Update, crowd
from tests.e2e.people.guests import Guest
from tests.e2e.server import Server
from tests.translated import CATALOGUES, complete_languages, untranslated

LANGUAGES = dict(zip(("Ana", "Bob", "Cat", "Dan", "Eve"), (ENGLISH, *complete_languages()), strict=False))
"""The languages of up to five people."""
RULES = {"packs": 2, "four_of_a_kind": "inverts", "coup_ranks": "3456789TJQKA", "exchange": "two"}
"""Three of a kind start a revolution, too, so that one comes soon."""


class Reader(Guest):
    """A person with a page, and the texts of its language."""

    def __init__(self, browser: Browser, server: Server, people: Crowd, name: str) -> None:
        self.language = LANGUAGES[name]
        context = browser.new_context(locale=self.language, reduced_motion="reduce")
        context.add_cookies(people.cookies(name, server.url))  # type: ignore[arg-type]
        super().__init__(context.new_page(), name)
        members = people.sees(name)["room"]["people"]
        self.texts = CATALOGUES.for_language(self.language).with_bots((each["name"], each["bot"]) for each in members)
        self.refusals: list[dict[str, Any]] = []
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        self.page.goto(f"{server.url}/r/{people.code}")
        expect(self.page.locator("html")).to_have_attribute("lang", self.language)
        self.wait_for_seq(people.sees(name)["seq"])

    def _hear(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["t"] == "answer" and not message["ok"]:
            self.refusals.append(message)

    def say(self, said: Any) -> Any:
        """Return a message of the protocol as text in this language."""
        if not isinstance(said, Mapping):
            return said
        if "of" in said:
            return self.texts.join_list([str(self.say(each)) for each in said["of"]], said["list"])
        return self.texts.t(said["key"], **{name: self.say(value) for name, value in said["values"].items()})

    def reads(self, where: str) -> list[str]:
        """Return the texts of these elements, without hyphens that only long lines show."""
        return [text.replace("\u00ad", "") for text in self.page.locator(where).all_inner_texts()]

    def check_whole_page(self) -> None:
        """Check that no text of the page is English, unless its language is."""
        if self.language != ENGLISH:
            assert not untranslated(self.page.evaluate(READ), self.language), self.language


def misfit(update: Update) -> str:
    """Return a card that is too low to be played on a single, if the player could play another one."""
    table, you = update["table"], update["you"]
    if table["turn"] != you["name"] or table["phase"] != "play" or not table["trick"] or not plays(update):
        return ""
    on, ranks = table["trick"]["plays"][-1]["cards"].split(), table["ranks"]
    low = (card for card in you["cards"].split() if ranks.index(card[0]) < ranks.index(on[0][0]))
    return next(low, "") if len(on) == 1 else ""


@pytest.mark.long("a browser for each of up to five languages, and a match")
def test_people_of_all_languages_play_a_match_at_one_table(browser: Browser, server: Server) -> None:
    assert {"de", "ja"} <= set(LANGUAGES.values())
    with crowd(server.url, " ".join(LANGUAGES), options=RULES, bots=["easy"], bots_delay=0) as people:
        readers = [Reader(browser, server, people, name) for name in LANGUAGES]
        [bot] = [each["name"] for each in people.sees("Ana")["room"]["people"] if each["bot"]]
        assert len({reader.texts.shown_name(bot) for reader in readers}) > 2
        waiting = {reader.name: reader for reader in readers}
        while waiting:
            name = people.play_until(lambda update: update["you"]["name"] in waiting and misfit(update))
            refused(waiting.pop(name), misfit(people.sees(name)))
        people.do("Ana", "send_chat", quick="good_luck")
        people.do("Bob", "react", reaction="egg")
        for reader in readers:
            talks(reader, bot)
        people.play_until(lambda update: update["room"]["phase"] == "between_hands")
        for reader in readers:
            sees_result(reader, people.sees(reader.name))
        people.play_until(can("give"))
        for reader in readers:
            sees_exchange(reader, people.sees(reader.name))
        people.play_until(lambda update: update["table"]["inverted"])
        for reader in readers:
            sees_revolution(reader, people.sees(reader.name))
        people.do("Ana", "stop")
        for reader in readers:
            sees_end(reader, people.sees(reader.name))
            sees_history(reader, server.url, len(people.sees(reader.name)["room"]["hands"]))
            assert not reader.complaints


def refused(reader: Reader, card: str) -> None:
    """Play a card that can't be played, and read why."""
    find.card(reader.page, card).first.click(position=find.CORNER)  # two packs have each card twice
    reader.page.locator("[data-do=play]").click()
    expect(find.refusal(reader.page)).to_be_visible()
    assert reader.reads("[data-zone=notice][data-bad] p > [aria-hidden]") == [reader.say(reader.refusals[-1])]
    reader.check_whole_page()


def talks(reader: Reader, bot: str) -> None:
    """Read the chat and a reaction, and see a bot under its name in this language."""
    expect(reader.page.locator("[data-shown=words][data-by=Ana]")).to_contain_text(
        reader.texts.t("chat.quick.good_luck")
    )
    if reader.name != "Bob":
        expect(reader.page.locator("#live")).to_contain_text(reader.texts.t("reaction.egg.heard", by="Bob"))
    expect(find.seats(reader.page).filter(has_text=reader.texts.shown_name(bot))).to_have_count(1)
    reader.check_whole_page()


def sees_result(reader: Reader, update: Update) -> None:
    """Read the result of the first hand."""
    reader.wait_for_seq(update["seq"])
    last = update["table"]["last"]
    standing = last["standing"]
    winner = reader.texts.shown_name(standing[0])
    assert reader.reads("[data-zone=result] h2") == [reader.texts.t("result.hand", name=winner, number=1)]
    assert reader.reads("[data-zone=standing] thead th")[-2:] == [
        reader.texts.t(key) for key in ("result.points", "result.total")
    ]
    assert reader.reads("[data-zone=standing] tbody [data-zone=name]") == [*map(reader.texts.shown_name, standing)]
    titles = [title_text(last["titles"][name], reader.texts) for name in standing]
    assert reader.reads("[data-zone=standing] tbody [data-zone=about]") == titles
    reader.check_whole_page()


def sees_exchange(reader: Reader, update: Update) -> None:
    """Read which players give cards to whom."""
    reader.wait_for_seq(update["seq"])
    [panel] = update["table"]["panels"]
    assert reader.reads("[data-panel=exchange] h2") == [reader.texts.t("exchange.title")]
    assert reader.reads("[data-panel=exchange] li > span:first-child") == [
        reader.say(line["text"]) for line in panel["lines"]
    ]
    reader.check_whole_page()


def sees_revolution(reader: Reader, update: Update) -> None:
    """Read that the order of the ranks is reversed, at the table and in the log."""
    reader.wait_for_seq(update["seq"])
    assert reader.texts.t("sign.inverted") in "\n".join(reader.reads("[data-sign]"))
    assert reader.texts.t("event.revolution") in "\n".join(find.log(reader.page).all_inner_texts())
    reader.check_whole_page()


def sees_end(reader: Reader, update: Update) -> None:
    """Read the result of the match, which the host has ended."""
    reader.wait_for_seq(update["seq"])
    winners = reader.page.locator("[data-zone=result] h2 + div [data-who]")
    names = reader.texts.join_list(winners.evaluate_all("all => all.map((each) => each.dataset.who)"))
    expected = reader.texts.t("end.wins", names=names, count=winners.count())
    assert reader.reads("[data-zone=result] h2") == [expected]
    assert reader.reads("[data-zone=result] h3")[0] == reader.texts.t("result.label")
    reader.check_whole_page()


def sees_history(reader: Reader, url: str, hands: int) -> None:
    """Read the pages of the match and of the person's stats."""
    match = find.newest_match(reader.page, url)
    reader.check_whole_page()
    title = reader.texts.t("match.title", game=reader.texts.t("game.president"), count=hands)
    for path, heading in ((match, title), ("/me", reader.texts.t("me.title"))):
        reader.page.goto(f"{url}{path}")
        assert reader.reads("h1") == [heading]
        reader.check_whole_page()
