"""Schedule unused rooms and people for deletion after 24 hours of server running time.

A wrong clock would make everything look unused. So an unused item is first listed, and deleted after 24 more hours in
which the server runs. Running time is measured without the clock, and summed over restarts in the database. An item
that is used in the meantime leaves the list.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, TypeAlias

import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import cleanup_times, planned_deletions

NOTICE_SECONDS: Final = 24 * 3600.0
"""Running time in seconds between listing and deletion, and between two batches of deletions."""
SHARE: Final = 10
"""A batch may delete one in this number of all items, but always at least one item."""

Kind: TypeAlias = Literal["rooms", "people"]


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """The result of an update of the schedule of deletions: the ids newly listed, and those to delete now."""

    listed: Sequence[str]
    """Ids that are new on the list."""
    due: Sequence[str]
    """Ids to delete now, those listed earliest first."""


class DeletionSchedule:
    """The list of unused rooms and people that will be deleted, stored in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def update_schedule(self, kind: Kind, unused: Collection[str], total: int, elapsed: float) -> DeletionPlan:
        """Put unused rooms or people (`kind`) on the list, take used ones off, and return which ones to delete now.

        `unused` has the ids of those that are unused now, out of `total`. `elapsed` is the running time in seconds
        since the last update. At most a tenth of the total is due in 24 hours of running time, but at least one.
        """
        return await self._database.write(
            partial(_update_schedule, kind=kind, unused=frozenset(unused), most=max(1, total // SHARE), elapsed=elapsed)
        )

    async def hours_until_deletion(self, kind: Kind) -> Mapping[str, float]:
        """Return, for each listed room or person (`kind`), the hours of server running time until it may be deleted.

        0 for those that wait for the next batch. The operator's list of rooms shows it.
        """
        query = sa.select(
            planned_deletions.c.id,
            planned_deletions.c.due_seconds - sa.func.coalesce(cleanup_times.c.running_seconds, 0),
        ).select_from(planned_deletions.outerjoin(cleanup_times, cleanup_times.c.kind == planned_deletions.c.kind))
        found = await self._database.read(
            lambda connection: connection.execute(query.where(planned_deletions.c.kind == kind)).all()
        )
        return {each: max(0.0, seconds / 3600) for each, seconds in found}


def _update_schedule(
    connection: sa.Connection, kind: Kind, unused: frozenset[str], most: int, elapsed: float
) -> DeletionPlan:
    time = connection.execute(sa.select(cleanup_times).where(cleanup_times.c.kind == kind)).first()
    if time is None:
        connection.execute(cleanup_times.insert().values(kind=kind, running_seconds=0.0))
    # Round to milliseconds: rounding errors of a sum could fall just short of 24 hours.
    seconds = round(elapsed if time is None else time.running_seconds + elapsed, 3)
    rows = sa.select(planned_deletions.c.id, planned_deletions.c.due_seconds).where(planned_deletions.c.kind == kind)
    due = {row.id: row.due_seconds for row in connection.execute(rows)}
    if used := [{"used": each} for each in due.keys() - unused]:
        gone = planned_deletions.delete().where(
            planned_deletions.c.kind == kind, planned_deletions.c.id == sa.bindparam("used")
        )
        connection.execute(gone, used)
    if listed := sorted(unused - due.keys()):
        new = [{"kind": kind, "id": each, "due_seconds": round(seconds + NOTICE_SECONDS, 3)} for each in listed]
        connection.execute(planned_deletions.insert(), new)
    ready = sorted((when, each) for each, when in due.items() if each in unused and when <= seconds)
    last = None if time is None else time.last_deletion_seconds
    now = [each for _, each in ready[:most]] if last is None or round(seconds - last, 3) >= NOTICE_SECONDS else []
    # Recorded before the deletion: a server that stops in between must not delete a second batch.
    of_kind = cleanup_times.update().where(cleanup_times.c.kind == kind)
    connection.execute(of_kind.values(running_seconds=seconds, last_deletion_seconds=seconds if now else last))
    return DeletionPlan(listed, now)
