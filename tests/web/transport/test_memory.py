"""What has gone leaves nothing behind: rooms that sleep, sockets that are closed, rules that nobody plays by."""

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

from app.arena.random_rules import NAMES, random_options
from app.engine.base.caching import SPARE
from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.games import GAMES
from app.engine.games.big_two.blocking_rule import KEPT_TURNED
from app.engine.games.big_two.combinations import Combinations
from app.engine.games.big_two.rules import rules_of as rules_of_big_two
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.rules import rules_of as rules_of_president
from app.engine.match.match import Match
from app.rooms.live.room_actor import Runner
from app.store.db.bulk_insert import Inserts
from app.store.db.database import Database
from app.store.db.engines import READER_CACHE_KB
from app.store.db.schema import room_entry
from app.web.http.rate_limit import FEW_KEYS, Pace
from app.web.protocol.client_messages import parse
from app.web.transport.garbage_collection import YOUNG_OBJECTS, collect_rarely
from app.web.transport.http_guard import HttpGuard
from app.web.transport.websocket import Wire
from tests.web.conftest import Live
from tests.web.visitors import PATIENCE, visiting
from tools.property_checks.error_messages import Refusals
from tools.property_checks.playout import Playout


@pytest.fixture
def nobody_collects() -> Iterator[None]:
    """Only what nobody holds goes away, and circles stay."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def there() -> list[object]:
    """What there is of what each room, socket and connection is made of, but for what `websockets` has in a cycle."""
    return [one for one in gc.get_objects() if type(one) in (Runner, Wire, HttpGuard)]


async def test_rooms_that_sleep_and_sockets_that_are_closed_are_gone_before_anybody_collects(
    live: Live, nobody_collects: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.transport.websocket.LINGER_SECONDS", 0)
    before = there()  # of other tests
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
            await registry.sleep_idle()
            await asyncio.sleep(0.05)
    gc.collect()
    assert not any(type(one) is ServerProtocol for one in gc.get_objects())


@pytest.mark.parametrize(
    ("game", "switch", "rules_of", "parts"),
    [
        ("president", "start_points", rules_of_president, ("faces", "beating")),
        ("big_two", "stake", rules_of_big_two, ("combinations",)),
    ],
)
def test_rules_are_there_for_who_plays_by_them_and_some_for_who_may_come_back(
    game: str, switch: str, rules_of: Callable[[Options], object], parts: Sequence[str], nobody_collects: None
) -> None:
    def options(number: int) -> Options:
        return GAMES[game].declared.resolve({switch: number})

    playing, other = rules_of(options(1)), rules_of(options(2))
    of_others = [ref(other), *(ref(getattr(other, part)) for part in parts)]
    del other
    Playout.of(Match.start(GAMES[game], options(2), NAMES[:4]), Random(1)).hand(check=False)
    assert of_others[0]() is rules_of(options(2))
    for number in range(SPARE):
        rules_of(options(3 + number))
    assert rules_of(options(1)) is playing
    assert not any(one() for one in of_others)


@pytest.mark.parametrize(
    ("game", "kept", "hands"),  # enough hands to come to twice the limit, were there none
    [("big_two", Combinations, 20), ("president", Beating, 60)],
)
def test_refusals_leave_few_rules_behind(game: str, kept: type, hands: int, nobody_collects: None) -> None:
    def there() -> int:
        return sum(type(each) is kept for each in gc.get_objects())

    gc.collect()
    of_others, rng, most = there(), Random(1), 0
    for _ in range(hands):
        options = random_options(GAMES[game], rng)
        with suppress(RuleError):
            GAMES[game].check_players(options, 4)
            playout = Playout.of(Match.start(GAMES[game], options, NAMES[:4]), rng)
            playout.refused = Refusals()
            playout.hand(check=False)
            most = max(most, there())
    few = SPARE + KEPT_TURNED + 2
    """The last rules, those turned for refusals, and those in play."""
    assert SPARE < most <= of_others + few


def test_a_pace_holds_few_more_than_are_busy() -> None:
    now = 0.0
    pace = Pace(1, 1, clock=lambda: now)
    for number in range(20 * FEW_KEYS):
        now += 1 / FEW_KEYS
        assert pace.wait(f"k{number}") == 0
        assert len(pace._idle_at) <= 2 * FEW_KEYS + 1
    assert pace.wait(f"k{20 * FEW_KEYS - 1}") > 0


@pytest.mark.parametrize("game", sorted(GAMES))
def test_whatever_is_played_leaves_no_circles(game: str, nobody_collects: None) -> None:
    for _ in range(2):  # what is made once, a decoder for example, may be in circles
        rng = Random(1)
        for _ in range(12):
            options = random_options(GAMES[game], rng)
            with suppress(RuleError):
                GAMES[game].check_players(options, 4)
                Playout.of(Match.start(GAMES[game], options, NAMES[:4]), rng).hand(check=False)
        left = gc.collect()
    assert left == 0


async def test_pages_leave_no_circles(live: Live, nobody_collects: None) -> None:
    async with visiting(live.base) as come:
        ana = come()
        code = (await ana.open("Ana", bots=["greedy", "greedy"]))["code"]
        await ana.http.get("/")  # what is made once, a compiled query for example, may be in circles
        for path in ("/", "/history", "/me", f"/r/{code}", f"/r/{code}/book", "/rules"):
            for _ in range(2):  # what is made once, a connection for example, may be in circles
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
    """The garbage collector as the server sets it."""
    before = gc.get_threshold()
    collect_rarely()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def test_cycles_are_freed_where_many_objects_are_new(collects_rarely: None) -> None:
    left = a_circle()
    few = [Holding() for _ in range(YOUNG_OBJECTS // 2)]
    assert left() is not None, "nothing is collected for a few objects"
    many = [Holding() for _ in range(YOUNG_OBJECTS)]
    assert left() is None
    del few, many


def test_cycles_that_were_held_for_long_are_freed(collects_rarely: None) -> None:
    circle = Holding()
    circle.held, left = circle, ref(circle)
    gc.collect(0)  # it is middle-aged now
    del circle
    many = [Holding() for _ in range(3 * YOUNG_OBJECTS)]
    assert left() is None
    del many


def left_after(often: int, do: Callable[[int], object]) -> int:
    """The bytes that are more than before, once it was done so often and nobody holds what came of it."""
    do(0)
    gc.collect()  # of what was freed something is kept for the next; this lets go of it
    gc.disable()
    tracemalloc.start()
    try:
        for number in range(1, often):
            do(number)
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
        gc.enable()


def test_ids_of_messages_are_not_remembered() -> None:
    assert left_after(5000, lambda number: parse(f'{{"t": "ping", "id": "id {number}"}}', "Ana")) < 20_000


def test_statements_with_many_values_leave_nothing_for_others_that_never_come() -> None:
    inserts = Inserts(room_entry, sqlite.dialect(paramstyle="qmark"))
    rows = [tuple(range(len(room_entry.columns)))] * 2
    assert left_after(5000, lambda _: list(inserts.in_few_sizes(rows))) < 20_000


async def test_who_only_reads_keeps_little_of_the_file(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'rooms.sqlite3'}")
    try:
        asked = sa.text("PRAGMA cache_size")
        assert await database.read(lambda connection: connection.execute(asked).scalar_one()) == -READER_CACHE_KB
    finally:
        await database.close()
