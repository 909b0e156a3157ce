"""Fill a database quickly with years of play by one person, written as rows.

python -m tests.store.seeding URL [ROOMS] [HANDS]   # and print the time of each page's queries

The rows are the same as after real play, except for the cards.
"""

import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from app.rooms.ports.facts import HandEnded
from app.stats import ratings as rate, tallies as count
from app.stats.counted_hand import FinishedHand, PlayerResult
from app.store.db import schema
from app.store.db.database import Database
from app.store.db.types import encode
from app.store.event_log import stats_writer
from app.store.history.match_history import MatchHistory
from app.store.history.match_list import MatchFilter, MatchList
from app.store.history.match_stories import MatchStories
from app.store.history.person_stats import PersonStatsQueries
from app.store.history.room_stats import RoomStatsQueries
from app.store.maintenance.migrations import migrate_database
from tests.store.samples import T0

GAME = "president"
NAMES = ("Ana", "Bob", "Cat", "Dan")
IN_EVENING = 40
IN_MATCH = 25
AT_ONCE = 2000


_NOTHING = {
    "record": encode({"cards": {}}),
    "events": encode([]),
    "result": encode({"standing": [], "ledger": {}}),
}
"""The contents of a hand without cards and events."""


def seed(
    connection: sa.Connection,
    rooms: int,
    hands: int,
    played: Sequence[HandEnded] = (),
    but: Mapping[str, int] | None = None,
) -> None:
    """Fill an empty database with rooms of hands, all with the same four people.

    `played` are hands whose contents are put into every match, in order. Without them all hands are empty. Rooms in
    `but` have another number of hands.
    """
    people = [{"id": name.lower(), "name": name, "created_at": T0, "last_seen_at": T0} for name in NAMES]
    connection.execute(schema.people.insert(), people)
    for number in range(rooms):
        room = f"room-{number}"
        _room(connection, room, (but or {}).get(room, hands), T0 + timedelta(days=number), played)
    _people(connection, rooms)


def _room(connection: sa.Connection, room: str, hands: int, begun: datetime, played: Sequence[HandEnded]) -> None:
    rng = random.Random(room)
    connection.execute(schema.rooms.insert(), {"id": room, "created_at": begun, "active_at": begun})
    rows: dict[str, list[dict[str, Any]]] = {}

    def add(table: sa.Table, **row: Any) -> None:
        rows.setdefault(table.name, []).append(row)

    order = list(NAMES)
    contents = [
        {"record": encode(each.record), "events": encode(each.events), "result": encode(each.result)} for each in played
    ] or [_NOTHING]
    for nth in range(1, hands + 1):
        at = begun + timedelta(minutes=5 * nth, hours=12 * ((nth - 1) // IN_EVENING))
        match, of_evening = f"{room}-{(nth - 1) // IN_MATCH}", (nth - 1) // IN_EVENING + 1
        if nth % IN_MATCH == 1:
            began = {"started_at": at, "room_id": room, "game": GAME}
            add(schema.matches, id=match, options={}, players=list(NAMES), **began)
            add(schema.match_directory, match_id=match, room_id=room, person_id=None)
            for name in NAMES:
                add(
                    schema.match_players,
                    match_id=match,
                    name=name,
                    person_id=name.lower(),
                    joined_at=at,
                    won=False,
                    **began,
                )
        before, order = order, rng.sample(NAMES, len(NAMES))
        hand = _hand(room, match, (nth - 1) % IN_MATCH, at, before, order, rng)
        kept = contents[hand.number % len(contents)]
        in_match = {"room_id": room, "match_id": match, "hand_number": hand.number}
        add(schema.hands, **in_match, ended_at=at, is_aborted=False, **kept)
        there = {"room_id": room, "room_hand_number": nth}
        add(
            schema.counted_hands,
            **there,
            match_id=match,
            hand_number=hand.number,
            game=GAME,
            session_number=of_evening,
            ended_at=at,
            rating_order=nth,
            last_place=len(NAMES),
            last_rank=len(NAMES),
            last_rank_before=len(NAMES),
        )
        for seat in hand.seats:
            columns = zip(stats_writer.SEAT_COLUMNS, PlayerResult.__struct_fields__, strict=True)
            values = {column.name: getattr(seat, name) for column, name in columns}
            add(schema.counted_hand_players, **there, **values, performance=count.performance_score(hand, seat))
        if nth % 3 == 0:
            did = {"event_type": rng.choice(("revolution", "decree")), "player_key": order[0].lower(), "name": order[0]}
            did |= {"ended_at": at, "action_number": 1, "cause": None, "event_values": {"text": "Sing until you win"}}
            add(schema.highlights, **there, position=0, **did)
    for table in schema.metadata.sorted_tables:
        made = rows.get(table.name, [])
        for start in range(0, len(made), AT_ONCE):
            connection.execute(table.insert(), made[start : start + AT_ONCE])


def _hand(
    room: str, match: str, number: int, at: datetime, before: list[str], order: list[str], rng: random.Random
) -> FinishedHand:
    seats = tuple(
        PlayerResult(
            name.lower(), name, place, 4 - place, 0, rng.randrange(101), None, None, before.index(name) + 1, place
        )
        for place, name in enumerate(order, 1)
    )
    return FinishedHand(room, match, number, GAME, at, seats, (), ())


def _people(connection: sa.Connection, rooms: int) -> None:
    """Insert everybody's ratings."""
    unsure = {"mu": rate.MU, "sigma": rate.SIGMA, "hands": rooms, "rating_order": 1}
    connection.execute(schema.ratings.insert(), [{"person_id": name.lower(), "game": GAME, **unsure} for name in NAMES])


def questions(database: Database) -> Iterator[tuple[str, Awaitable[object]]]:
    """Yield all queries of the pages of a room, of a person and of the history."""
    rooms, persons, lists = RoomStatsQueries(database), PersonStatsQueries(database), MatchList(database)
    history = MatchHistory(database)
    middle = T0 + timedelta(days=20)
    yield "a room", rooms.stats_of_room("room-0")
    yield "its evenings", rooms.evenings_of_room("room-0")
    yield "its evenings, further back", rooms.evenings_of_room("room-0", before=20)
    yield "an evening", rooms.evening_chart("room-0", 2)
    yield "moments", rooms.highlights_of_room("room-0")
    yield "moments, further back", rooms.highlights_of_room("room-0", before=(500, 0))
    yield "decrees", rooms.highlights_of_room("room-0", event_names=("decree",), before=(500, 0))
    yield "a person", persons.stats_of_person("ana")
    yield "their evenings", persons.evenings_of_person("ana", before=middle)
    yield "their moments", persons.highlights_of_person("ana", before=(middle, 0, 0))
    yield "matches", lists.search(MatchFilter("ana"), person_id="ana")
    yield "matches, further back", lists.search(MatchFilter("ana"), person_id="ana", before="room-0-3")
    yield "matches of a game", lists.search(MatchFilter("ana", game=GAME, since=T0, until=middle))
    yield "matches in a room", lists.search(MatchFilter("ana", room="room-0"), before="room-0-3")
    yield "matches of a room", lists.search(MatchFilter(room="room-0", since=T0), before="room-0-3")
    yield "a match, told", MatchStories(database).load_story_page("room-0-1", first=5, person_id="ana")
    yield "the standings of a match", MatchStories(database).load_standings("room-0-1")
    yield "what is spoken of in it", MatchStories(database).load_highlighted_hands("room-0-1", first=5, person_id="ana")
    yield "what is rarest of it", MatchStories(database).load_rarest_highlights("room-0-1", most=8)
    yield "rooms where somebody was", history.rooms_of_person("ana", limit=8)
    yield "a hand by itself", history.find_replayable_record("room-0-1", 5)
    yield "hands beside those of another match", history.hand_results("room-0-1", 5, 20)
    yield "an evening, by reason", rooms.evening_sums_by_reason("room-0", 2)
    yield "an evening, by match", rooms.evening_sums_by_match("room-0", 2)
    yield "matches with the cards of one", lists.matches_with_cards_of("room-0-3", "ana")
    yield "matches with somebody", lists.search(MatchFilter("ana", player="Bob"), before="room-0-3")
    yield "matches by a decree", lists.search(MatchFilter("ana", text="you win"), person_id="ana", before="room-0-3")
    yield "matches by a name", lists.search(MatchFilter("ana", text="nobody"), before="room-0-3")


async def main(url: str, rooms: int = 10, hands: int = 5000) -> None:
    """Fill the database, and print the time of each query."""
    migrate_database(url)
    database = Database(url)
    began = time.perf_counter()
    await database.write(lambda connection: seed(connection, rooms, hands))
    await database.write(lambda connection: connection.execute(sa.text("ANALYZE")))
    print(f"{rooms * hands} hands in {time.perf_counter() - began:.0f} s")
    for _ in range(2):
        for name, asked in questions(database):
            began = time.perf_counter()
            await asked
            print(f"{1000 * (time.perf_counter() - began):7.1f} ms  {name}")
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:])))
