"""Compute and save the missing start states of hands, by replaying their matches in the background.

With the state right before its deal, a hand can be shown without replaying all earlier hands of its match. The state is
missing for old imported matches, and where a room's log can no longer be replayed. Replay stops at an action that
today's rules refuse: later hands of that match stay without a start state. Showing one of those replays that hand in
vain (`find_replayable_record`).
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol

import sqlalchemy as sa

from app.engine.games import GAMES
from app.engine.match.record import IllegalRecordedAction, InvalidRecord, parse_record, replay_steps
from app.store.db.database import Database
from app.store.db.directory import importer_of_match, is_match, room_of_match
from app.store.db.schema import hand_initial_states, hands, imported_hands, match_players
from app.store.db.transactions import dialect_insert
from app.store.db.types import encode
from app.store.history import match_history
from app.store.repositories import imported_matches

AT_ONCE: Final = 10
"""Number of hands replayed in one thread job: about 30 ms of CPU, while people play."""
MAX_HAND_NUMBER: Final = 2**31 - 1
"""Higher than the number of any hand."""
PAUSE_SECONDS: Final = 0.1
"""Seconds between two batches of hands."""

logger = logging.getLogger(__name__)


class RecordLoader(Protocol):
    """A function that loads a record to replay a hand: `find_replayable_record` of played or imported matches."""

    def __call__(
        self, connection: sa.Connection, match_id: str, number: int, last: int
    ) -> tuple[int, dict[str, Any]] | None:
        """Return a record of the hands up to `last`, and the number of its first hand.

        It begins with the nearest hand, at or before `number`, whose start state is saved; None without such a hand.
        """
        ...


@dataclass(frozen=True, slots=True)
class BackfillSource:
    """How to find and save missing start states of hands, for played matches or for imported ones."""

    missing_starts: sa.Select[Any]
    """Selects matches that lack start states, each with its first such hand."""
    load_replayable_record: RecordLoader
    load_whole_record: Callable[[sa.Connection, str], dict[str, Any] | None]
    keep: Callable[[sa.Connection, str, int, str], None]
    """Saves the start state of one hand, unless it already has one."""

    def matches_to_backfill(self, connection: sa.Connection) -> list[tuple[str, int]]:
        """Return (match id, number of the first hand) for each match in which start states of hands are missing."""
        return [(row[0], row[1]) for row in connection.execute(self.missing_starts)]


async def backfill_all(database: Database, *, pause: float = PAUSE_SECONDS) -> int:
    """Compute all missing start states of hands by replaying their matches, and save them.

    Returns the number of hands saved. Runs in the background after a server start, with `pause` seconds between
    batches. Errors are logged.
    """
    found = 0
    for shelf in (PLAYED, BROUGHT):
        for match_id, first in await database.read(shelf.matches_to_backfill):
            try:
                found += await _backfill_match(database, shelf, match_id, first, pause)
            except Exception:  # the other matches, and the server, must not be affected
                logger.exception("finding the first moments of hands failed: match %s", match_id)
    if found:
        logger.info("first moments of hands saved: %d hands", found)
    return found


async def _backfill_match(database: Database, source: BackfillSource, match_id: str, first: int, pause: float) -> int:
    """Replay one match from its last known start state, and save the missing ones; return the number of hands saved.

    Works in small batches. Stops if a player's name is replaced meanwhile.
    """

    def read(connection: sa.Connection) -> tuple[list[str], int, dict[str, Any] | None]:
        names = _player_names(connection, match_id)
        some = source.load_replayable_record(connection, match_id, first, MAX_HAND_NUMBER)
        return (names, 0, source.load_whole_record(connection, match_id)) if some is None else (names, *some)

    names, begins, record = await database.read(read)
    if record is None:
        return 0
    found, beginnings = 0, _replay_hand_starts(record)
    while some := await asyncio.to_thread(lambda: list(islice(beginnings, AT_ONCE))):
        new = [(begins + place, text) for place, text in some if begins + place >= first]

        def keep(connection: sa.Connection, new: list[tuple[int, str]] = new) -> bool:
            if _player_names(connection, match_id) != names:
                return False  # a player is being deleted: the next server start repeats this match
            for number, text in new:
                source.keep(connection, match_id, number, text)
            return True

        if not await database.write(keep):
            break
        found += len(new)
        await asyncio.sleep(pause)
    return found


def _replay_hand_starts(record: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield (index of the hand, state before its deal as JSON) for the hands of a record.

    Stops at an action that today's rules refuse.
    """
    with suppress(IllegalRecordedAction, InvalidRecord):
        match, elements = parse_record(record, GAMES, already_accepted=True)
        for moment in replay_steps(match, elements, already_accepted=True):
            if moment.is_deal:
                yield moment.hand_index, encode(moment.before.carryover_to_json())


def _player_names(connection: sa.Connection, match_id: str) -> list[str]:
    """Return the names of all players in a match, to notice whether one was replaced meanwhile.

    Empty for an imported match, whose names never change.
    """
    query = sa.select(match_players.c.name).where(is_match(match_players, match_id))
    return sorted(connection.execute(query).scalars())


def _save_played_start(connection: sa.Connection, match_id: str, number: int, state: str) -> None:
    room = connection.execute(sa.select(room_of_match(match_id))).scalar_one()
    insert = dialect_insert(connection.dialect.name, hand_initial_states).values(
        room_id=room, match_id=match_id, hand_number=number, state=state
    )
    connection.execute(insert.on_conflict_do_nothing())


def _save_imported_start(connection: sa.Connection, match_id: str, number: int, state: str) -> None:
    here = (
        imported_hands.c.person_id == importer_of_match(match_id),
        imported_hands.c.match_id == match_id,
        imported_hands.c.hand_number == number,
        imported_hands.c.initial_state.is_(None),
    )
    connection.execute(imported_hands.update().where(*here).values(initial_state=state))


_start = [hand_initial_states.c[key] == hands.c[key] for key in ("room_id", "match_id", "hand_number")]
PLAYED: Final = BackfillSource(
    sa.select(hands.c.match_id, sa.func.min(hands.c.hand_number))
    .outerjoin(hand_initial_states, sa.and_(*_start))
    .where(hand_initial_states.c.match_id.is_(None))
    .group_by(hands.c.room_id, hands.c.match_id),
    match_history.find_replayable_record,
    match_history.load_record,
    _save_played_start,
)
BROUGHT: Final = BackfillSource(
    sa.select(imported_hands.c.match_id, sa.func.min(imported_hands.c.hand_number))
    .where(imported_hands.c.initial_state.is_(None))
    .group_by(imported_hands.c.person_id, imported_hands.c.match_id),
    imported_matches.find_replayable_record,
    imported_matches.load_record,
    _save_imported_start,
)
