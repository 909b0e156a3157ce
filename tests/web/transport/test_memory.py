"""Test that unloaded rooms, closed sockets and unused rules are freed."""

import asyncio
import gc
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from weakref import ref

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from websockets.server import ServerProtocol

from app.arena.random_rules import PLAYER_NAMES, random_options
from app.engine.base.caching import RECENT_RESULTS
from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.climbing.low_card.rules import VARIANTS_CACHED
from app.engine.games import GAMES
from app.engine.games.big_two.combinations import BigTwoCombinations
from app.engine.games.big_two.rules import rules_of as rules_of_big_two
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.rules import rules_of as rules_of_president
from app.engine.match.match import Match
from app.rooms.live.room_actor import RoomActor
from app.store.db.bulk_insert import BulkInsert
from app.store.db.database import Database
from app.store.db.engines import READER_CACHE_KB
from app.store.db.schema import room_events
from app.web.http.rate_limit import FEW_KEYS, RateLimiter
from app.web.protocol.client_messages import parse_message
from app.web.transport.garbage_collection import YOUNG_OBJECTS, collect_rarely, exclude_present_objects
from app.web.transport.http_guard import HttpGuard
from app.web.transport.websocket import WebSocketConnection
from tests.web.conftest import Live
from tests.web.visitors import PATIENCE, visiting
from tools.property_checks.error_messages import RefusalStats
from tools.property_checks.playout import Playout


@pytest.fixture
def nobody_collects() -> Iterator[None]:
    """Turn off the garbage collector, so that reference cycles stay in memory.

    Objects of earlier tests are set aside: going through them took half a minute.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


def there() -> list[object]:
    """Return all live room actors, WebSocket connections and HTTP guards."""
    return [one for one in gc.get_objects() if type(one) in (RoomActor, WebSocketConnection, HttpGuard)]


async def test_unloaded_rooms_and_closed_sockets_are_freed_without_garbage_collection(
    live: Live, nobody_collects: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.transport.websocket.LINGER_SECONDS", 0)
    before = there()  # objects of other tests
    registry = live.app.site.registry
    async with visiting(live.base) as come:
        people = [come() for _ in range(3)]
        code = (await people[0].open("Ana", options={"preset": "pagat"}))["code"]
        desks = [await one.sit(code, name) for one, name in zip(people, ("Ana", "Bob", "Cat"), strict=True)]
        await desks[0].do("start")
        for desk in desks:
            seen = await desk.until(lambda update: update["room"]["phase"] == "playing")
            if seen["you"].get("legal"):
                await desk.do("act", action=seen["you"]["legal"][0])
        for desk in desks:
            await desk.close()
    del people, desks, desk, seen
    registry._idle = 0
    async with asyncio.timeout(PATIENCE):
        while any(all(one is not other for other in before) for one in there()):
            await registry.unload_idle_rooms()
            await asyncio.sleep(0.05)
    gc.collect()
    assert not any(type(one) is ServerProtocol for one in gc.get_objects())


@pytest.mark.parametrize(
    ("game", "switch", "rules_of", "parts"),
    [
        ("president", "start_points", rules_of_president, ("card_meanings", "combination_rules")),
        ("big_two", "stake", rules_of_big_two, ("combination_rules",)),
    ],
)
def test_rules_in_use_stay_cached_and_unused_rules_are_freed(
    game: str, switch: str, rules_of: Callable[[Options], object], parts: Sequence[str], nobody_collects: None
) -> None:
    def options(number: int) -> Options:
        return GAMES[game].option_schema.resolve_options({switch: number})

    playing, other = rules_of(options(1)), rules_of(options(2))
    of_others = [ref(other), *(ref(getattr(other, part)) for part in parts)]
    del other
    Playout.for_match(Match.start(GAMES[game], options(2), PLAYER_NAMES[:4]), Random(1)).play_hand(check=False)
    assert of_others[0]() is rules_of(options(2))
    for number in range(RECENT_RESULTS):
        rules_of(options(3 + number))
    assert rules_of(options(1)) is playing
    assert not any(one() for one in of_others)


@pytest.mark.parametrize(
    ("game", "kept", "hands"),  # enough hands to reach twice the limit without it
    [("big_two", BigTwoCombinations, 20), ("president", PresidentCombinations, 60)],
)
def test_refused_actions_leave_few_cached_rules_in_memory(
    game: str, kept: type, hands: int, nobody_collects: None
) -> None:
    def there() -> int:
        return sum(type(each) is kept for each in gc.get_objects())

    gc.collect()
    of_others, rng, most = there(), Random(1), 0
    for _ in range(hands):
        options = random_options(GAMES[game], rng)
        with suppress(RuleError):
            GAMES[game].check_players(options, 4)
            playout = Playout.for_match(Match.start(GAMES[game], options, PLAYER_NAMES[:4]), rng)
            playout.refusal_stats = RefusalStats()
            playout.play_hand(check=False)
            most = max(most, there())
    few = RECENT_RESULTS + VARIANTS_CACHED + 2
    """The most recent rules, their variants for refusals, and those in use."""
    assert RECENT_RESULTS < most <= of_others + few


def test_a_rate_limiter_holds_few_more_keys_than_are_active() -> None:
    now = 0.0
    pace = RateLimiter(1, 1, clock=lambda: now)
    for number in range(20 * FEW_KEYS):
        now += 1 / FEW_KEYS
        assert pace.seconds_until_allowed(f"k{number}") == 0
        assert len(pace._idle_at) <= 2 * FEW_KEYS + 1
    assert pace.seconds_until_allowed(f"k{20 * FEW_KEYS - 1}") > 0


@pytest.mark.parametrize("game", sorted(GAMES))
def test_played_hands_leave_no_reference_cycles(game: str, nobody_collects: None) -> None:
    for _ in range(2):  # the first run may create cycles that stay, such as decoders
        rng = Random(1)
        for _ in range(12):
            options = random_options(GAMES[game], rng)
            with suppress(RuleError):
                GAMES[game].check_players(options, 4)
                Playout.for_match(Match.start(GAMES[game], options, PLAYER_NAMES[:4]), rng).play_hand(check=False)
        left = gc.collect()
    assert left == 0


async def test_page_requests_leave_no_reference_cycles(live: Live, nobody_collects: None) -> None:
    async with visiting(live.base) as come:
        ana = come()
        code = (await ana.open("Ana", bots=["easy", "easy"]))["code"]
        await ana.http.get("/")  # the first request may create cycles that stay, such as queries
        for path in ("/", "/history", "/me", f"/r/{code}", f"/r/{code}/book", "/rules"):
            for _ in range(2):  # the first request may create cycles, such as connections
                gc.collect()
                assert (await ana.http.get(path, headers={"Accept": "text/html"})).status_code == 200
            assert gc.collect() == 0, path


class Holding:
    held: object


def a_circle() -> ref[Holding]:
    circle = Holding()
    circle.held = circle
    return ref(circle)


@pytest.fixture
def collects_rarely() -> Iterator[None]:
    """Set the garbage collector as the server does."""
    before = gc.get_threshold()
    collect_rarely()
    exclude_present_objects()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def test_reference_cycles_are_freed_after_many_new_objects(collects_rarely: None) -> None:
    left = a_circle()
    few = [Holding() for _ in range(YOUNG_OBJECTS // 2)]
    assert left() is not None, "nothing is collected for a few objects"
    many = [Holding() for _ in range(YOUNG_OBJECTS)]
    assert left() is None
    del few, many


def test_reference_cycles_of_older_generations_are_freed(collects_rarely: None) -> None:
    circle = Holding()
    circle.held, left = circle, ref(circle)
    gc.collect(0)  # now it is in the next generation
    del circle
    many = [Holding() for _ in range(3 * YOUNG_OBJECTS)]
    assert left() is None
    del many


def left_after(often: int, do: Callable[[int], object]) -> int:
    """Return the additional bytes in use after repeating a function, without its results."""
    do(0)
    gc.collect()  # this also clears the free lists
    gc.disable()
    tracemalloc.start()
    try:
        for number in range(1, often):
            do(number)
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
        gc.enable()


def test_parsing_messages_does_not_keep_their_ids_in_memory() -> None:
    assert left_after(5000, lambda number: parse_message(f'{{"t": "ping", "id": "id {number}"}}', "Ana")) < 20_000


def test_bulk_insert_statements_do_not_accumulate_in_memory() -> None:
    inserts = BulkInsert(room_events, sqlite.dialect(paramstyle="qmark"))
    rows = [tuple(range(len(room_events.columns)))] * 2
    assert left_after(5000, lambda _: list(inserts.power_of_two_statements(rows))) < 20_000


async def test_read_only_connections_use_a_small_page_cache(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'rooms.sqlite3'}")
    try:
        asked = sa.text("PRAGMA cache_size")
        assert await database.read(lambda connection: connection.execute(asked).scalar_one()) == -READER_CACHE_KB
    finally:
        await database.close()
