"""Test push subscriptions: one for each device, deleted with it, and used by one node once a minute."""

import asyncio
from datetime import timedelta

from app.store.db.database import Database
from app.store.repositories.people import People
from app.store.repositories.push_subscriptions import (
    MAX_FAILURES,
    MAX_PER_PERSON,
    MIN_INTERVAL,
    PushSubscriptions,
    Subscription,
)
from tests.store.samples import at

SECOND = timedelta(seconds=1)


def browser(number: int, language: str = "en") -> Subscription:
    return Subscription(f"https://push.example.org/{number}", f"key{number}", "auth", language, "https://cards.example")


async def endpoints(subscriptions: PushSubscriptions, person: str) -> list[int]:
    return [int(each.endpoint.rpartition("/")[2]) for _, each in await subscriptions.subscriptions_of_person(person)]


async def test_all_nodes_use_the_key_of_the_first_node(database: Database, url: str) -> None:
    other = Database(url) if database.dialect == "postgresql" else database
    try:
        found = await asyncio.gather(
            *(
                PushSubscriptions(here).server_key(lambda n=n: f"drawn {n}", at(n))
                for n, here in enumerate((database, other, database))
            )
        )
        assert len(set(found)) == 1
        assert await PushSubscriptions(other).server_key(lambda: "later", at(9)) == found[0]
    finally:
        if other is not database:
            await other.close()


async def test_a_device_has_one_browser_and_a_browser_belongs_to_one_device(database: Database) -> None:
    people, subscriptions = People(database), PushSubscriptions(database)
    ana, bob = [(await people.create(at(0), name))[0] for name in ("Ana", "Bob")]
    await subscriptions.save_subscription(ana.person.id, ana.device, browser(1), at(1))
    await subscriptions.save_subscription(ana.person.id, ana.device, browser(2, "de"), at(2))
    assert await subscriptions.subscriptions_of_person(ana.person.id) == [(at(2), browser(2, "de"))]
    assert await subscriptions.find_by_device(ana.device) == browser(2, "de")
    # The browser now belongs to Bob.
    await subscriptions.save_subscription(bob.person.id, bob.device, browser(2), at(3))
    assert await subscriptions.find_by_device(ana.device) is None
    assert await endpoints(subscriptions, bob.person.id) == [2]
    await subscriptions.delete_by_device(bob.device)
    assert await endpoints(subscriptions, bob.person.id) == []


async def test_only_the_devices_added_last_get_notifications(database: Database) -> None:
    people, subscriptions = People(database), PushSubscriptions(database)
    ana, _ = await people.create(at(0), "Ana")
    bob, _ = await people.create(at(0), "Bob")
    await subscriptions.save_subscription(bob.person.id, bob.device, browser(99), at(0))
    known = [ana]
    for n in range(MAX_PER_PERSON + 1):
        link = await people.create_recovery_token(ana.person.id, at(n), timedelta(hours=1), adds=True)
        added = await people.use_recovery_token(link, at(n), adds=True)
        assert added is not None
        known.append(added[0])
    for n, each in enumerate(known):
        await subscriptions.save_subscription(ana.person.id, each.device, browser(n), at(n))
    assert await endpoints(subscriptions, ana.person.id) == [2, 3, 4, 5, 6]
    assert await endpoints(subscriptions, bob.person.id) == [99]
    # A signed-out device gets no more notifications.
    assert await people.sign_out(ana.person.id, known[3].device)
    assert await endpoints(subscriptions, ana.person.id) == [2, 4, 5, 6]


async def test_one_node_sends_notifications_at_most_once_a_minute(database: Database, url: str) -> None:
    people, subscriptions = People(database), PushSubscriptions(database)
    ana, _ = await people.create(at(0), "Ana")
    assert await subscriptions.take_due(ana.person.id, at(1)) == []
    await subscriptions.save_subscription(ana.person.id, ana.device, browser(1), at(1))
    other = Database(url) if database.dialect == "postgresql" else database
    try:
        nodes = [subscriptions, PushSubscriptions(other), subscriptions, PushSubscriptions(other)]
        found = await asyncio.gather(*(node.take_due(ana.person.id, at(2)) for node in nodes))
        assert sorted(map(len, found)) == [0, 0, 0, 1]
        # A new subscription does not reset the limit.
        await subscriptions.save_subscription(ana.person.id, ana.device, browser(1), at(3))
        assert await subscriptions.take_due(ana.person.id, at(2) + MIN_INTERVAL - SECOND) == []
        assert await subscriptions.take_due(ana.person.id, at(2) + MIN_INTERVAL) == [browser(1)]
        await subscriptions.delete_by_endpoint(browser(1).endpoint)
        assert await subscriptions.take_due(ana.person.id, at(2) + 3 * MIN_INTERVAL) == []
    finally:
        if other is not database:
            await other.close()


async def test_a_subscription_is_deleted_after_repeated_failed_deliveries(database: Database) -> None:
    people, subscriptions = People(database), PushSubscriptions(database)
    ana, _ = await people.create(at(0), "Ana")
    await subscriptions.save_subscription(ana.person.id, ana.device, browser(1), at(1))
    for _ in range(MAX_FAILURES - 1):
        await subscriptions.count_failed_delivery(browser(1).endpoint)
    await subscriptions.save_subscription(ana.person.id, ana.device, browser(1), at(2))  # its page is opened again
    for _ in range(MAX_FAILURES - 1):
        await subscriptions.count_failed_delivery(browser(1).endpoint)
    assert await endpoints(subscriptions, ana.person.id) == [1]
    await subscriptions.count_failed_delivery(browser(1).endpoint)
    assert await endpoints(subscriptions, ana.person.id) == []
