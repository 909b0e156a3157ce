"""Browsers to be called: one to a device, gone with it, and called by one node, once a minute."""

import asyncio
from datetime import timedelta

from app.store.db.database import Database
from app.store.repositories.people import People
from app.store.repositories.push_subscriptions import MISSES, MOST, PAUSE, Subscription, Subscriptions
from tests.store.samples import at

SECOND = timedelta(seconds=1)


def browser(number: int, language: str = "en") -> Subscription:
    return Subscription(f"https://push.example.org/{number}", f"key{number}", "auth", language, "https://cards.example")


async def endpoints(subscriptions: Subscriptions, person: str) -> list[int]:
    return [int(each.endpoint.rpartition("/")[2]) for _, each in await subscriptions.of(person)]


async def test_all_nodes_have_the_key_of_the_first(database: Database, url: str) -> None:
    other = Database(url) if database.dialect == "postgresql" else database
    try:
        found = await asyncio.gather(
            *(Subscriptions(here).key(f"drawn {n}", at(n)) for n, here in enumerate((database, other, database)))
        )
        assert len(set(found)) == 1
        assert await Subscriptions(other).key("later", at(9)) == found[0]
    finally:
        if other is not database:
            await other.close()


async def test_a_device_is_called_at_one_place_and_a_place_is_one_devices(database: Database) -> None:
    people, subscriptions = People(database), Subscriptions(database)
    ana, bob = [(await people.create(at(0), name))[0] for name in ("Ana", "Bob")]
    await subscriptions.keep(ana.person.id, ana.device, browser(1), at(1))
    await subscriptions.keep(ana.person.id, ana.device, browser(2, "de"), at(2))
    assert await subscriptions.of(ana.person.id) == [(at(2), browser(2, "de"))]
    assert await subscriptions.of_device(ana.device) == browser(2, "de")
    # The same browser, which is Bob's from now on.
    await subscriptions.keep(bob.person.id, bob.device, browser(2), at(3))
    assert await subscriptions.of_device(ana.device) is None
    assert await endpoints(subscriptions, bob.person.id) == [2]
    await subscriptions.drop(bob.device)
    assert await endpoints(subscriptions, bob.person.id) == []


async def test_of_many_devices_the_last_few_are_called(database: Database) -> None:
    people, subscriptions = People(database), Subscriptions(database)
    ana, _ = await people.create(at(0), "Ana")
    bob, _ = await people.create(at(0), "Bob")
    await subscriptions.keep(bob.person.id, bob.device, browser(99), at(0))
    known = [ana]
    for n in range(MOST + 1):
        link = await people.start_recovery(ana.person.id, at(n), timedelta(hours=1), adds=True)
        added = await people.recover(link, at(n), adds=True)
        assert added is not None
        known.append(added[0])
    for n, each in enumerate(known):
        await subscriptions.keep(ana.person.id, each.device, browser(n), at(n))
    assert await endpoints(subscriptions, ana.person.id) == [2, 3, 4, 5, 6]
    assert await endpoints(subscriptions, bob.person.id) == [99]
    # A device that is signed out is called no longer.
    assert await people.sign_out(ana.person.id, known[3].device)
    assert await endpoints(subscriptions, ana.person.id) == [2, 4, 5, 6]


async def test_one_node_calls_and_no_more_than_once_a_minute(database: Database, url: str) -> None:
    people, subscriptions = People(database), Subscriptions(database)
    ana, _ = await people.create(at(0), "Ana")
    assert await subscriptions.claim(ana.person.id, at(1)) == []
    await subscriptions.keep(ana.person.id, ana.device, browser(1), at(1))
    other = Database(url) if database.dialect == "postgresql" else database
    try:
        nodes = [subscriptions, Subscriptions(other), subscriptions, Subscriptions(other)]
        found = await asyncio.gather(*(node.claim(ana.person.id, at(2)) for node in nodes))
        assert sorted(map(len, found)) == [0, 0, 0, 1]
        # Who asks for calls anew has been called all the same.
        await subscriptions.keep(ana.person.id, ana.device, browser(1), at(3))
        assert await subscriptions.claim(ana.person.id, at(2) + PAUSE - SECOND) == []
        assert await subscriptions.claim(ana.person.id, at(2) + PAUSE) == [browser(1)]
        await subscriptions.gone(browser(1).endpoint)
        assert await subscriptions.claim(ana.person.id, at(2) + 3 * PAUSE) == []
    finally:
        if other is not database:
            await other.close()


async def test_whose_service_is_never_reached_is_let_go_of(database: Database) -> None:
    people, subscriptions = People(database), Subscriptions(database)
    ana, _ = await people.create(at(0), "Ana")
    await subscriptions.keep(ana.person.id, ana.device, browser(1), at(1))
    for _ in range(MISSES - 1):
        await subscriptions.missed(browser(1).endpoint)
    await subscriptions.keep(ana.person.id, ana.device, browser(1), at(2))  # its page is opened again
    for _ in range(MISSES - 1):
        await subscriptions.missed(browser(1).endpoint)
    assert await endpoints(subscriptions, ana.person.id) == [1]
    await subscriptions.missed(browser(1).endpoint)
    assert await endpoints(subscriptions, ana.person.id) == []
