"""Test the backfill of hand starts, which allow a late hand to be replayed without all earlier ones."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from app.engine.games import GAMES
from app.engine.match.record import parse_record, replay_steps
from app.rooms.ports.facts import MatchStarted
from app.rooms.recorded.verify import verify_match
from app.store.db.database import Database
from app.store.db.schema import hand_initial_states, hands, imported_hands, match_players, people
from app.store.event_log.event_log import EventLog
from app.store.history.match_history import MatchHistory
from app.store.maintenance import backfill_hand_starts
from app.store.maintenance.backfill_hand_starts import backfill_all
from app.store.repositories.import_encoding import encode_import
from app.store.repositories.imported_matches import ImportedMatches
from app.web.matches import import_files
from tests.rooms.world import World
from tests.store.played import first_match, keep, play
from tests.store.samples import T0


@pytest.fixture
async def log(database: Database) -> AsyncIterator[EventLog]:
    log = EventLog(database)
    yield log
    await log.close()


async def starts(database: Database) -> list[Any]:
    query = sa.select(hand_initial_states).order_by(hand_initial_states.c.match_id, hand_initial_states.c.hand_number)
    return await database.read(lambda connection: list(connection.execute(query).all()))


async def forget_starts(database: Database, first: int = 0) -> None:
    gone = hand_initial_states.delete().where(hand_initial_states.c.hand_number >= first)
    await database.write(lambda connection: connection.execute(gone))


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("first", [0, 3])
async def test_missing_hand_starts_are_backfilled_exactly_as_saved(
    database: Database, log: EventLog, game: str, first: int
) -> None:
    world = play(World(game=game, seed=4, bots=("easy",)).join("Bob", "Cat"), 12)
    await keep(log, database, world)
    before = await starts(database)
    assert await backfill_all(database, pause=0) == 0
    await forget_starts(database, first)
    gone = len(before) - len(await starts(database))
    assert gone > 0
    assert await backfill_all(database, pause=0) == gone
    assert await starts(database) == before


async def test_backfilling_stops_at_a_hand_that_the_rules_refuse(database: Database, log: EventLog) -> None:
    world = play(World(seed=4, bots=("easy",)).join("Bob", "Cat"), 5, stop=False)
    await keep(log, database, world)
    [match_id] = [fact.match_id for fact in world.facts if isinstance(fact, MatchStarted)]
    await forget_starts(database)
    _, kept = first_match(world)
    spoilt = {**kept["hands"][2], "actions": [{"by": "Ana", "do": "pass"}] * 2}
    here = hands.c.match_id == match_id, hands.c.hand_number == 2
    await database.write(lambda connection: connection.execute(hands.update().where(*here).values(record=spoilt)))
    for _ in range(2):  # the second run fails at the same hand
        await backfill_all(database, pause=0)
        assert [each.hand_number for each in await starts(database)] == [0, 1, 2]
    found = await MatchHistory(database).find_replayable_record(match_id, 4)
    assert found is not None
    first, record = found
    assert (first, len(record["hands"])) == (2, 3)


async def test_names_of_a_person_deleted_during_the_backfill_are_not_saved(
    database: Database, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(log, database, play(World(seed=4, bots=("easy",)).join("Bob", "Cat"), 5, stop=False))
    await forget_starts(database)

    def forgotten(connection: sa.Connection, match_id: str, number: int, society: str) -> None:
        keeps(connection, match_id, number, society)
        connection.execute(match_players.update().where(match_players.c.name == "Bob").values(name="Somebody"))

    keeps = backfill_hand_starts.PLAYED.keep
    monkeypatch.setattr(backfill_hand_starts, "AT_ONCE", 1)
    monkeypatch.setattr(backfill_hand_starts, "PLAYED", replace(backfill_hand_starts.PLAYED, keep=forgotten))
    await backfill_all(database, pause=0)
    assert [each.hand_number for each in await starts(database)] == [0]


async def test_missing_hand_starts_of_imported_matches_are_backfilled(database: Database, log: EventLog) -> None:
    endless = World(seed=4, bots=("easy",), options={"target": None})
    _, record = first_match(play(endless.join("Bob", "Cat"), 12, stop=False))
    person = {"id": "ana", "name": "Ana", "created_at": T0, "last_seen_at": T0}
    await database.write(lambda connection: connection.execute(people.insert(), person))
    match_id = await ImportedMatches(database).save_match(
        "ana", T0, encode_import(import_files._build_import(verify_match(record, GAMES)))
    )
    query = sa.select(imported_hands.c.initial_state).order_by(imported_hands.c.hand_number)
    before = await database.read(lambda connection: connection.execute(query).scalars().all())
    nothing = imported_hands.update().values(initial_state=sa.null())
    await database.write(lambda connection: connection.execute(nothing))
    assert await ImportedMatches(database).find_replayable_record(match_id, 11) is None
    assert await backfill_all(database, pause=0) == 12
    assert await database.read(lambda connection: connection.execute(query).scalars().all()) == before
    found = await ImportedMatches(database).find_replayable_record(match_id, 11)
    assert found is not None
    first, some = found
    assert first == 11
    match, elements = parse_record(some, GAMES)
    assert [moment.is_deal for moment in replay_steps(match, elements)].count(True) == 1
