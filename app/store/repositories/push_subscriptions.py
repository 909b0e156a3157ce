"""Browsers that want to be called when it is somebody's turn, one to a device; and the key by which push services know
this server, which all nodes share."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import devices, push_subscriptions, server_keys
from app.store.db.transactions import upserting
from app.store.db.types import check_text, check_time

MOST: Final = 5
"""Of one person: whoever adds another has the one that was added first let go of."""
PAUSE: Final = timedelta(minutes=1)
"""A browser is called no more often, whatever happens and however many rooms and nodes there are."""
MISSES: Final = 5
"""In a row, and a browser is let go of, until its page is opened again."""
KEY: Final = "push"


@dataclass(frozen=True, slots=True)
class Subscription:
    """Where and how a browser is called."""

    endpoint: str
    p256dh: str
    """Its public key, as it tells it."""
    auth: str
    language: str
    """In which it is called."""
    site: str
    """Our own address, as it has it: such as https://cards.example.org."""


class Subscriptions:
    """Browsers to be called, in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def key(self, drawn: str, at: datetime) -> str:
        """Give the server's key. It is the one that was `drawn` if there was none: of two nodes, the first one's."""
        row = {"name": KEY, "secret": check_text(drawn), "made_at": check_time(at)}
        query = sa.select(server_keys.c.secret).where(server_keys.c.name == KEY)

        def work(connection: sa.Connection) -> str:
            connection.execute(upserting(connection.dialect.name, server_keys).values(row).on_conflict_do_nothing())
            return str(connection.execute(query).scalar_one())

        known = await self._database.read(lambda connection: connection.execute(query).scalar())
        return await self._database.write(work) if known is None else str(known)

    async def keep(self, person: str, device: str, asked: Subscription, at: datetime) -> None:
        """Have this device of this person called; a browser that was called for somebody else is theirs now."""
        row = {"device_id": check_text(device), **_columns(asked), "since": check_time(at), "missed": 0}
        mine = sa.select(devices.c.id).where(devices.c.person_id == check_text(person))
        there = push_subscriptions.c

        def work(connection: sa.Connection) -> None:
            same = push_subscriptions.delete().where(there.endpoint == asked.endpoint, there.device_id != device)
            connection.execute(same)
            insert = upserting(connection.dialect.name, push_subscriptions).values(row)
            # Who asks again is called no sooner for it.
            kept = {**_columns(asked), "since": row["since"], "missed": 0}
            connection.execute(insert.on_conflict_do_update(index_elements=["device_id"], set_=kept))
            newest = sa.select(there.device_id).where(there.device_id.in_(mine))
            newest = newest.order_by(there.since.desc(), there.device_id).limit(MOST)
            connection.execute(
                push_subscriptions.delete().where(there.device_id.in_(mine), there.device_id.not_in(newest))
            )

        await self._database.write(work)

    async def drop(self, device: str) -> None:
        """Call this device no longer."""
        gone = push_subscriptions.delete().where(push_subscriptions.c.device_id == check_text(device))
        await self._database.write(lambda connection: connection.execute(gone))

    async def gone(self, endpoint: str) -> None:
        """Let go of a browser that is not there any more."""
        gone = push_subscriptions.delete().where(push_subscriptions.c.endpoint == check_text(endpoint))
        await self._database.write(lambda connection: connection.execute(gone))

    async def missed(self, endpoint: str) -> None:
        """Note that this browser's service was not reached; too often is once too often."""
        there = push_subscriptions.c
        here = there.endpoint == check_text(endpoint)

        def work(connection: sa.Connection) -> None:
            connection.execute(push_subscriptions.update().where(here).values(missed=there.missed + 1))
            connection.execute(push_subscriptions.delete().where(here, there.missed >= MISSES))

        await self._database.write(work)

    async def of_device(self, device: str) -> Subscription | None:
        """How this device is called; None: it is not."""
        query = _select.where(push_subscriptions.c.device_id == check_text(device))
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else Subscription(*row)

    async def of(self, person: str) -> list[tuple[datetime, Subscription]]:
        """All that are somebody's, with since when, the first one first."""
        query = _select.add_columns(push_subscriptions.c.since).join(devices)
        query = query.where(devices.c.person_id == check_text(person)).order_by(push_subscriptions.c.since)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [(row.since, Subscription(*row[:-1])) for row in rows]

    async def claim(self, person: str, at: datetime) -> list[Subscription]:
        """Those of somebody's browsers that may be called now. Who asks calls them: nobody else may for a while."""
        there = push_subscriptions.c
        mine = sa.select(devices.c.id).where(devices.c.person_id == check_text(person))
        due = there.device_id.in_(mine), sa.or_(there.called_at.is_(None), there.called_at <= at - PAUSE)
        query = sa.select(there.device_id).where(*due).limit(1)
        # Most have none, and what only asks makes no other writer wait.
        if await self._database.read(lambda connection: connection.execute(query).first()) is None:
            return []
        claimed = (
            push_subscriptions.update()
            .where(*due)
            .values(called_at=check_time(at))
            .returning(*_select.selected_columns)
        )
        rows = await self._database.write(lambda connection: connection.execute(claimed).all())
        return [Subscription(*row) for row in rows]


_select: sa.Select[Any] = sa.select(*(push_subscriptions.c[name] for name in Subscription.__slots__))


def _columns(asked: Subscription) -> dict[str, str]:
    return {name: check_text(getattr(asked, name)) for name in Subscription.__slots__}
