"""Store the push subscriptions of browsers, one for each device, and the server's push key.

Subscribed browsers get a notification when it is their person's turn. All nodes share the key, by which push services
recognise this server.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import push_subscriptions, server_keys
from app.store.db.transactions import dialect_insert
from app.store.db.types import check_text, check_time

MAX_PER_PERSON: Final = 5
"""Largest number of subscriptions of a person. A further subscription replaces the oldest."""
MIN_INTERVAL: Final = timedelta(minutes=1)
"""Shortest time between two notifications to one browser, across all rooms and nodes."""
MAX_FAILURES: Final = 5
"""Number of consecutive failed deliveries after which a subscription is deleted, until its page is opened again."""
KEY: Final = "push"


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser's address at its push service, with the keys needed to send it notifications."""

    endpoint: str
    p256dh: str
    """Public key of the browser, as it sent it."""
    auth: str
    language: str
    """Language of the notifications."""
    site: str
    """Our address in this browser, such as https://cards.example.org."""


class PushSubscriptions:
    """Stores which browsers get notifications, one subscription for each device, and the server's push key."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def server_key(self, new_key: Callable[[], str], at: datetime) -> str:
        """Return the server's push key, by which push services recognise it.

        At the first call, save the result of `new_key` as this. If two nodes call at once, the first node's key is used
        by both.
        """
        query = sa.select(server_keys.c.secret).where(server_keys.c.name == KEY)
        known = await self._database.read(lambda connection: connection.execute(query).scalar())
        if known is not None:
            return str(known)
        row = {"name": KEY, "secret": check_text(new_key()), "created_at": check_time(at)}

        def work(connection: sa.Connection) -> str:
            connection.execute(
                dialect_insert(connection.dialect.name, server_keys).values(row).on_conflict_do_nothing()
            )
            return str(connection.execute(query).scalar_one())

        return await self._database.write(work)

    async def save_subscription(self, person: str, device: str, subscription: Subscription, at: datetime) -> None:
        """Save the push subscription of a person's device.

        It replaces that of another device with the same endpoint. If the person then has more than `MAX_PER_PERSON`,
        the oldest are deleted.
        """
        there = push_subscriptions.c
        row: dict[str, Any] = {
            "person_id": check_text(person),
            "device_id": check_text(device),
            **_checked_columns(subscription),
        }
        row |= {"created_at": check_time(at), "failure_count": 0}
        is_own = there.person_id == person

        def work(connection: sa.Connection) -> None:
            same = push_subscriptions.delete().where(there.endpoint == subscription.endpoint, there.device_id != device)
            connection.execute(same)
            insert = dialect_insert(connection.dialect.name, push_subscriptions).values(row)
            # Keeps last_sent_at: a repeated subscription does not shorten `MIN_INTERVAL`.
            values = {**_checked_columns(subscription), "created_at": row["created_at"], "failure_count": 0}
            connection.execute(insert.on_conflict_do_update(index_elements=["person_id", "device_id"], set_=values))
            newest = sa.select(there.device_id).where(is_own)
            newest = newest.order_by(there.created_at.desc(), there.device_id).limit(MAX_PER_PERSON)
            connection.execute(push_subscriptions.delete().where(is_own, there.device_id.not_in(newest)))

        await self._database.write(work)

    async def delete_by_device(self, device: str) -> None:
        """Delete the push subscription of a device, which then gets no more notifications."""
        gone = push_subscriptions.delete().where(push_subscriptions.c.device_id == check_text(device))
        await self._database.write(lambda connection: connection.execute(gone))

    async def delete_by_endpoint(self, endpoint: str) -> None:
        """Delete the push subscription with this endpoint, because the push service says that it no longer exists."""
        gone = push_subscriptions.delete().where(push_subscriptions.c.endpoint == check_text(endpoint))
        await self._database.write(lambda connection: connection.execute(gone))

    async def count_failed_delivery(self, endpoint: str) -> None:
        """Count a failed delivery of a notification; after `MAX_FAILURES` in sequence, delete the subscription."""
        there = push_subscriptions.c
        here = there.endpoint == check_text(endpoint)

        def work(connection: sa.Connection) -> None:
            connection.execute(push_subscriptions.update().where(here).values(failure_count=there.failure_count + 1))
            connection.execute(push_subscriptions.delete().where(here, there.failure_count >= MAX_FAILURES))

        await self._database.write(work)

    async def find_by_device(self, device: str) -> Subscription | None:
        """Return the push subscription of a device, or None."""
        query = _select.where(push_subscriptions.c.device_id == check_text(device))
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else Subscription(*row)

    async def subscriptions_of_person(self, person: str) -> list[tuple[datetime, Subscription]]:
        """Return all push subscriptions of a person with their start times, oldest first, for their data export."""
        query = _select.add_columns(push_subscriptions.c.created_at)
        query = query.where(push_subscriptions.c.person_id == check_text(person)).order_by(
            push_subscriptions.c.created_at
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [(row.created_at, Subscription(*row[:-1])) for row in rows]

    async def take_due(self, person: str, at: datetime) -> list[Subscription]:
        """Return those push subscriptions of a person that may be notified now, and mark them as notified.

        The caller must send the notifications: nobody else gets these subscriptions before `MIN_INTERVAL` has passed.
        """
        there = push_subscriptions.c
        due = (
            there.person_id == check_text(person),
            sa.or_(there.last_sent_at.is_(None), there.last_sent_at <= at - MIN_INTERVAL),
        )
        query = sa.select(there.device_id).where(*due).limit(1)
        # Most people have no subscription, and a read does not block other writers.
        if await self._database.read(lambda connection: connection.execute(query).first()) is None:
            return []
        claimed = (
            push_subscriptions.update()
            .where(*due)
            .values(last_sent_at=check_time(at))
            .returning(*_select.selected_columns)
        )
        rows = await self._database.write(lambda connection: connection.execute(claimed).all())
        return [Subscription(*row) for row in rows]


def _column(field: str) -> str:
    """Return the column of a field of `Subscription`."""
    return "origin" if field == "site" else field


_select: sa.Select[Any] = sa.select(*(push_subscriptions.c[_column(name)] for name in Subscription.__slots__))


def _checked_columns(subscription: Subscription) -> dict[str, str]:
    return {_column(name): check_text(getattr(subscription, name)) for name in Subscription.__slots__}
