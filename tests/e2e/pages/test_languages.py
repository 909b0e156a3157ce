"""Test every page and the table in another language, made up for this test and served from its own catalogue."""

import re
import shutil
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.arena.random_rules import PLAYER_NAMES
from app.bots import LEVELS
from app.engine.base.messages import english_texts
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.rooms.model import commands as ask
from app.rooms.model.decision import Decision
from app.rooms.people.names import BIRDS
from app.stats.highlights import CLEARED, ESCAPED, OUT_FIRST
from app.web.i18n.catalogues import Catalogues
from tests.e2e import find
from tests.e2e.games.test_specials import NewContext, can, look
from tests.e2e.people.crowd import Update, Wanted, crowd
from tests.e2e.people.guests import Guest, play_with_bots
from tests.e2e.server import ROOT, Server
from tests.made_up import LANGUAGE, catalogue, write_po
from tests.rooms.test_random_rooms import PEOPLE, take
from tests.rooms.world import World
from tools.property_checks.playout import Playout

PARTS = ("app", "static", "templates", "locale", "docs", "migrations")
KEPT = re.compile(
    r"\b(Ana|[JQKA](?=[♣♦♥♠\s]|$)|[A-Z0-9]{6}|[A-Z]+-\d\d|https?:\S+|127\.0\.0\.1\S*"
    r"|English|lub|s|x|[0-9a-f]{32,})\b"
)
"""What stays in a translation: names, cards, room codes, rule ids, addresses, languages, fingerprints, “or”."""

PLAIN = re.compile("[A-Za-z]{3}")
BOTS = [name for level in LEVELS.values() for name in level.names]
DECREES = [re.escape(text) for level in LEVELS.values() for text in level.decrees]
PEOPLE_AND_BOTS = "|".join((*PLAYER_NAMES, *PEOPLE, *BIRDS, *BOTS, "Nobody"))
KEPT_NAMES = re.compile(rf"\b({PEOPLE_AND_BOTS}|Number \d+|Fetch the snacks)\b|{'|'.join(DECREES)}|\{{\w+\}}")
"""What stays in the text of events: names of people, titles made up by hosts, and decrees."""

READ = """() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: parent, textContent } = walker.currentNode;
    if (parent.closest("[lang]") !== document.documentElement) continue;
    if (parent.closest("script, style, noscript, time, pre, code, [data-zone=name], [data-zone=source]")) continue;
    texts.push(textContent);
  }
  for (const each of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
    for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.push(each.getAttribute(name) ?? "");
  return texts.map((text) => text.trim()).filter(Boolean);
}"""
"""Returns the texts of a page, except parts that have a language of their own, such as the names of languages."""


@pytest.fixture(scope="module")
def abroad(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server whose static files contain one more catalogue."""
    root = tmp_path_factory.mktemp("abroad")
    for part in PARTS:
        shutil.copytree(ROOT / part, root / part)
    texts = catalogue(Catalogues().english)
    write_po(root / "locale" / f"{LANGUAGE}.po", texts)
    server = Server(tmp_path_factory.mktemp("server_abroad"), root)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def new_abroad(browser: Browser) -> Iterator[NewContext]:
    """Return a function that opens browsers set to the made-up language."""
    contexts: list[BrowserContext] = []

    def make() -> BrowserContext:
        contexts.append(browser.new_context(locale=LANGUAGE, reduced_motion="reduce"))
        return contexts[-1]

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_abroad: NewContext) -> Page:
    """Open a page in one of these browsers."""
    return new_abroad().new_page()


def untranslated(page: Page, names: list[str], whole: frozenset[str] = frozenset()) -> list[str]:
    """Return the texts of a page that contain three plain letters in a row and are not in `KEPT` or `whole`."""
    left = []
    page.wait_for_selector("body")  # the page may have just been opened
    for text in page.evaluate(READ):
        if text in whole:
            continue
        rest = KEPT.sub("", text)
        for name in names:
            rest = rest.replace(name, "")
        if PLAIN.search(rest):
            left.append(text)
    return left


def test_no_page_contains_untranslated_english(page: Page, abroad: Server) -> None:
    left: dict[str, list[str]] = {}
    games = page.request.get(f"{abroad.url}/api/games").json()["games"]
    presets = [preset for game in games for preset in game["presets"]]
    # Sources and other names of games are the same in every language.
    elsewhere = {preset["source"] for preset in presets} | {each["also"] for each in (*games, *presets) if each["also"]}
    elsewhere |= {
        preset.survey.sources for game in GAMES.values() for preset in game.option_schema.presets if preset.survey
    }
    kept = sorted(elsewhere, key=len, reverse=True)
    # A page of rules ends with a list of the other names of its options.
    switches = [switch for game in games for section in game["sections"] for switch in section["switches"]]
    names = frozenset(switch["also"] for switch in switches)
    paths = ["/", "/new", "/history", "/rules", "/rules/none", "/404", *(f"/rules/{game['key']}" for game in games)]
    for path in paths:
        page.goto(f"{abroad.url}{path}")
        if path == "/new":
            page.wait_for_selector("#new-room:not([aria-busy])")
        assert page.locator("html").get_attribute("lang") == LANGUAGE
        if found := untranslated(page, kept, names if path.startswith("/rules/") else frozenset()):
            left[path] = found[:20]
    assert not left


SEAT_LINK = """async (code) => {
  const asked = { method: "POST", headers: { "content-type": "application/json" }, body: '{"name": "Bob"}' };
  return (await (await fetch(`/api/rooms/${code}/links`, asked)).json()).url;
}"""
"""Creates a link to the seat of Bob, who is away, and returns its address."""


def test_recovery_links_seat_links_and_error_pages_are_translated(
    page: Page, new_abroad: NewContext, abroad: Server
) -> None:
    invitation = Guest(page, "Ana").open_room(abroad.url)
    made = page.evaluate("async () => (await fetch('/api/me/recovery', {method: 'POST'})).json()")
    bob = new_abroad().new_page()
    Guest(bob, "Bob").join(invitation)
    bob.goto("about:blank")
    expect(find.lobby_seats(page).locator("[data-absent]")).to_have_count(1)
    abroad.move_clock(60)
    seat = page.evaluate(SEAT_LINK, page.url.rpartition("/")[2])
    paths = [
        made["url"],
        seat,
        "/recover/none",
        "/r/ABCDEF",
        "/r/ABCDEF/seat/none",
        "/j/none",
        "/matches/none",
    ]
    left: dict[str, list[str]] = {}
    for path in paths:
        page.goto(path if path.startswith("http") else f"{abroad.url}{path}")
        assert page.locator("html").get_attribute("lang") == LANGUAGE
        left[path] = untranslated(page, ["Ana", "Bob"])
    # API docs and written pages stay in English.
    page.goto(f"{abroad.url}/docs")
    left["/docs"] = [text for text in page.locator("h1, nav a, footer p").all_inner_texts() if PLAIN.search(text)]
    assert not any(left.values()), left


HEARD = r"""async ([events, me]) => {
  const base = [...document.scripts].find((script) => script.type === "module").src.replace(/[^/]*\/[^/]*$/, "");
  const { loadMessages } = await import(new URL("lib/messages.js", base));
  await loadMessages();
  const { kindName } = await import(new URL("events/labels.js", base));
  const { eventSentence } = await import(new URL("events/sentences.js", base));
  return events.map((event) => [eventSentence(event, me), kindName(event.kind)].join(" ").trim());
}"""


def happened(game: str, matches: int = 40) -> list[dict[str, Any]]:
    """Return the events of random matches of a game, each form once."""
    told: dict[tuple[str, ...], dict[str, Any]] = {}

    class Listening(Playout):
        def on_step(self, events: tuple[GameEvent, ...]) -> None:
            for event in events:
                shown = event.to_json()
                told.setdefault((event.name, str(event.data.get("kind")), *shown), shown)

    for number in range(matches):
        played = Listening.random_match(GAMES[game], Random(number))
        played.refusal_check_rate = played.leak_check_rate = 0
        for _ in range(3):
            if not played.match.over:
                played.play_hand(check=False)
    return list(told.values())


def told_in_rooms() -> list[dict[str, Any]]:
    """Return the events of random rooms, each form once."""
    told: dict[tuple[str, ...], dict[str, Any]] = {}
    commands = ["play", "bots", "hand", "absent", "present", "wait", "make_link", *ask.MESSAGES_BY_TAG]

    class Listening(World):
        def tell(self, command: ask.Command) -> Decision:
            outcome = super().tell(command)
            for event in outcome.game_events:
                told.setdefault((event.name, *event.to_json()), event.to_json())
            return outcome

    for number in range(40):
        rng, world = Random(number), Listening(seed=number)
        for _ in range(60):
            take(world, (rng.choice(commands), rng.choice(PEOPLE), rng.choice(PEOPLE), rng.randrange(100)))
    return list(told.values())


def test_all_events_are_translated(page: Page, abroad: Server) -> None:
    page.goto(f"{abroad.url}/new")
    page.wait_for_selector("#new-room:not([aria-busy])")
    looked_back = (OUT_FIRST("Ana"), CLEARED("Ana"), ESCAPED("Ana", last="Bob"))
    events = [*(event for game in GAMES for event in happened(game)), *told_in_rooms()]
    events += [event.to_json() for event in looked_back]
    names = {key.split(".")[1] for key in english_texts() if key.startswith("event.")}
    rare = names - {event["e"] for event in events}
    assert len(rare) < len(names) / 2, rare
    # Events that did not occur at random are added with just a name.
    events += [{"e": name, "by": "Ana"} for name in rare]
    left = set[str]()
    for me in (None, *PLAYER_NAMES[:4]):
        said = page.evaluate(HEARD, [events, me])
        left |= {text for text in said if PLAIN.search(KEPT_NAMES.sub("", text))}
    assert not left


def playing(update: Update) -> bool:
    """Whether a hand is being played."""
    return bool(update["room"]["phase"] == "playing")


MOMENTS: dict[str, tuple[str, dict[str, Any], Wanted]] = {
    "gifts": ("Ana Bob Cat", {"game": "ceausescu"}, can("give")),
    "haggling": ("Ana Bob Cat Dan Eve Fay", {"options": {"preset": "merchants"}}, can("say")),
    "colluding": ("Ana Bob Cat Dan", {"options": {"preset": "collusion"}}, can("offer")),
    "the cut": ("Ana Bob Cat", {"options": {"preset": "landlord"}}, can("cut")),
    "the pile": ("Ana Bob Cat Dan", {"options": {"only_bottom_clears": True}}, can("clear")),
    "a decree": (
        "Ana Bob Cat Dan",
        {"options": {"preset": "pagat"}},
        lambda update: bool(update["you"].get("decree")) and playing(update),
    ),
    "a swap": ("Ana Bob Cat Dan", {"game": "chase_the_ace"}, can("swap")),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_all_questions_of_a_game_are_translated(new_abroad: NewContext, abroad: Server, moment: str) -> None:
    names, asked, wanted = MOMENTS[moment]
    with crowd(abroad.url, names, **asked) as people:
        name = people.play_until(wanted)
        page = look(new_abroad, abroad, people, name)
        expect(page.locator("[data-zone=rules] b, [data-zone=felt]").first).to_be_visible()
        left = {"table": untranslated(page, names.split())}
        find.zone(page, "tools").get_by_role("button").last.click()
        expect(page.locator("dialog[open]")).to_be_visible()
        for tab in page.get_by_role("tab").all():
            tab.click()
            left[f"menu {tab.inner_text()}"] = untranslated(page, names.split())
        if moment == "a decree":
            page.keyboard.press("Escape")
            page.locator("[data-zone=me] button", has_text="…").click()
            expect(page.locator("dialog[open] textarea, dialog[open] [name=text]")).to_be_visible()
            left["decree"] = untranslated(page, names.split())
        assert not any(left.values()), left


@pytest.mark.parametrize("game", ["tien_len", "pao_de_kuai", "ceausescu", "chase_the_ace"])
def test_a_match_is_translated_from_the_waiting_room_to_the_replay(page: Page, abroad: Server, game: str) -> None:
    ana = Guest(page, "Ana")
    ana.open_room(abroad.url, game=game, bots=["easy", "easy", "easy"])
    # The preset has the name of its source.
    names = [*(text for text in find.zone(page, "name").all_inner_texts() if text), "pagat"]
    # Until the declarations are loaded, the page shows the preset's key.
    for name in page.locator("[data-zone=rules] b, [data-zone=preset]").all():
        expect(name).not_to_have_text(re.compile("^[a-z_]+$"))
    left = {"lobby": untranslated(page, names)}
    find.start_match(page)
    page.wait_for_selector(find.TURN_OR_RESULT)
    left["table"] = untranslated(page, names)
    play_with_bots(ana)
    left["result"] = untranslated(page, names)
    page.goto(f"{abroad.url}{find.newest_match(page, abroad.url)}")
    left["match"] = untranslated(page, names)
    page.locator("main a[href*='/replay']").first.click()
    page.wait_for_selector("[data-zone=felt]")
    left["replay"] = untranslated(page, names)
    assert not any(left.values()), left


def test_the_language_can_be_changed_from_the_page_footer(page: Page, abroad: Server) -> None:
    page.goto(f"{abroad.url}/rules")
    page.locator("button[name=language][value=en]").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.url == f"{abroad.url}/rules"
    expect(page.get_by_role("link", name="Rules").first).to_be_visible()


def test_the_language_can_be_changed_in_the_menu_of_a_room_and_on_its_television(page: Page, abroad: Server) -> None:
    Guest(page, "Ana").open_room(abroad.url)
    room = page.url
    page.goto(f"{room}/screen")
    expect(page.locator("html")).to_have_attribute("lang", LANGUAGE)
    page.locator("select[name=language]").select_option("en")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("h1")).to_have_text("President")
    page.goto(room)
    expect(page.locator("html")).to_have_attribute("lang", LANGUAGE)
    find.zone(page, "tools").get_by_role("button").last.click()
    page.get_by_role("tab").first.click()
    page.locator("[data-page=languages]").click()
    page.locator("dialog[open] button[name=language][value=en]").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.url == room
