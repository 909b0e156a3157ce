"""People, their tokens, and the link that moves them to another device."""

import asyncio
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import devices, recovery_tokens
from app.store.db.schema import people as table
from app.store.db.types import BadText
from app.store.repositories.people import SEEN_EVERY, People
from tests.store.samples import T0, at

HOUR = timedelta(hours=1)


async def test_a_person_is_found_by_their_token_alone(database: Database) -> None:
    people = People(database)
    ana, token = await people.create(at(0), "Ana")
    bob, other = await people.create(at(1))
    assert (ana.person.name, bob.person.name) == ("Ana", None)
    assert await people.find(token, at(2)) == ana
    assert await people.get(ana.person.id) == ana.person
    assert await people.find(other, at(2)) == bob
    for wrong in ("", token[:-1], ana.person.id, ana.device, "\0", "\ud800", "ä"):
        assert await people.find(wrong, at(2)) is None
    kept = await database.read(
        lambda c: [str(row) for t in (table, devices, recovery_tokens) for row in c.execute(sa.select(t))]
    )
    assert not [row for row in kept if token in row or other in row]


async def test_names_and_when_somebody_was_seen(database: Database) -> None:
    people = People(database)
    ana, token = await people.create(T0, "Ana")
    await people.rename(ana.person, "Ana ♠")
    with pytest.raises(BadText):
        await people.rename(ana.person, "A\0")
    await people.find(token, T0 + SEEN_EVERY)  # too early to note
    later = T0 + 2 * SEEN_EVERY
    await people.find(token, later)
    found = await people.get(ana.person.id)
    assert found is not None
    assert (found.name, found.created_at, found.seen_at) == ("Ana ♠", T0, later)


async def test_a_link_works_once(database: Database) -> None:
    people = People(database)
    ana, token = await people.create(T0, "Ana")
    link = await people.start_recovery(ana.person.id, T0, HOUR)
    for _ in range(2):  # looking at it, as mail programs do, uses nothing up
        found = await people.recoverable(link, at(5))
        assert found == ana.person
    answers = await asyncio.gather(*(people.recover(link, at(10)) for _ in range(5)))
    [(who, new)] = [answer for answer in answers if answer is not None]
    assert (who.person.id, who.person.name, who.person.seen_at) == (ana.person.id, "Ana", at(10))
    found = await people.find(new, at(11))
    assert found is not None
    assert (found.person, found.device) == (who.person, who.device)
    assert await people.find(token, at(11)) is None
    assert await people.recoverable(link, at(12)) is None
    assert await people.recover(link, at(12)) is None


async def test_links_end_with_time_and_with_the_next_one(database: Database) -> None:
    people = People(database)
    ana, token = await people.create(T0, "Ana")
    old = await people.start_recovery(ana.person.id, T0, HOUR)
    new = await people.start_recovery(ana.person.id, T0, HOUR)
    assert await people.recover(old, at(1)) is None
    assert await people.recover(new, T0 + HOUR) is None
    assert await people.recover("no link", at(1)) is None
    assert await people.find(token, at(1)) == ana
    assert await people.recover(new, T0 + HOUR - timedelta(seconds=1)) is not None


@pytest.mark.parametrize("adds", [False, True])
async def test_signing_out_a_device_ends_the_unused_links_of_its_person(database: Database, adds: bool) -> None:
    people = People(database)
    (ana, _), (bob, _) = [await people.create(T0, name) for name in ("Ana", "Bob")]
    link = await people.start_recovery(ana.person.id, T0, HOUR, adds=adds)
    his = await people.start_recovery(bob.person.id, T0, HOUR, adds=adds)
    assert not await people.sign_out(ana.person.id, "no such device")
    assert await people.recoverable(link, at(1), adds=adds) is not None
    assert await people.has_device(ana.person.id, ana.device)
    assert await people.sign_out(ana.person.id, ana.device)
    assert not await people.has_device(ana.person.id, ana.device)
    assert await people.recover(link, at(2), adds=adds) is None
    assert await people.recover(his, at(2), adds=adds) is not None


async def test_a_recovery_ends_all_other_unused_links_of_its_person(database: Database) -> None:
    people = People(database)
    ana, _ = await people.create(T0, "Ana")
    device = await people.start_recovery(ana.person.id, T0, HOUR, adds=True)
    recovery = await people.start_recovery(ana.person.id, T0, HOUR)
    assert await people.recover(recovery, at(1)) is not None
    assert await people.recover(device, at(2), adds=True) is None


async def test_a_device_that_is_added_ends_no_link(database: Database) -> None:
    people = People(database)
    ana, _ = await people.create(T0, "Ana")
    device = await people.start_recovery(ana.person.id, T0, HOUR, adds=True)
    recovery = await people.start_recovery(ana.person.id, T0, HOUR)
    assert await people.recover(device, at(1), adds=True) is not None
    assert await people.recover(recovery, at(2)) is not None
