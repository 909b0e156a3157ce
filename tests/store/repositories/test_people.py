"""Test people, their tokens, and the link that moves them to another device."""

import asyncio
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import device_links, devices, people as table
from app.store.db.types import BadText
from app.store.repositories.people import MAX_DEVICES, SEEN_PRECISION, People
from app.store.repositories.push_subscriptions import PushSubscriptions, Subscription
from tests.store.samples import T0, at

HOUR = timedelta(hours=1)


async def test_a_person_is_found_only_by_their_token(database: Database) -> None:
    people = People(database)
    ana, token = await people.create(at(0), "Ana")
    bob, other = await people.create(at(1))
    assert (ana.person.name, bob.person.name) == ("Ana", None)
    assert await people.find_by_token(token, at(2)) == ana
    assert await people.find_by_id(ana.person.id) == ana.person
    assert await people.find_by_token(other, at(2)) == bob
    for wrong in ("", token[:-1], ana.person.id, ana.device, "\0", "\ud800", "ä"):
        assert await people.find_by_token(wrong, at(2)) is None
    kept = await database.read(
        lambda c: [str(row) for t in (table, devices, device_links) for row in c.execute(sa.select(t))]
    )
    assert not [row for row in kept if token in row or other in row]


async def test_a_rename_and_the_time_last_seen_are_saved(database: Database) -> None:
    people = People(database)
    ana, token = await people.create(T0, "Ana")
    await people.rename(ana.person, "Ana ♠")
    with pytest.raises(BadText):
        await people.rename(ana.person, "A\0")
    await people.find_by_token(token, T0 + SEEN_PRECISION)  # too early to be saved
    later = T0 + 2 * SEEN_PRECISION
    await people.find_by_token(token, later)
    found = await people.find_by_id(ana.person.id)
    assert found is not None
    assert (found.name, found.created_at, found.seen_at) == ("Ana ♠", T0, later)


async def test_a_recovery_link_works_once(database: Database) -> None:
    people = People(database)
    ana, token = await people.create(T0, "Ana")
    link = await people.create_recovery_token(ana.person.id, T0, HOUR)
    for _ in range(2):  # previews, as mail programs make them, don't use up the link
        found = await people.find_recoverable_person(link, at(5))
        assert found == ana.person
    answers = await asyncio.gather(*(people.use_recovery_token(link, at(10)) for _ in range(5)))
    [(who, new)] = [answer for answer in answers if answer is not None]
    assert (who.person.id, who.person.name, who.person.seen_at) == (ana.person.id, "Ana", at(10))
    found = await people.find_by_token(new, at(11))
    assert found is not None
    assert (found.person, found.device) == (who.person, who.device)
    assert await people.find_by_token(token, at(11)) is None
    assert await people.find_recoverable_person(link, at(12)) is None
    assert await people.use_recovery_token(link, at(12)) is None


async def test_recovery_links_end_when_they_expire_or_a_new_link_is_made(database: Database) -> None:
    people = People(database)
    ana, token = await people.create(T0, "Ana")
    old = await people.create_recovery_token(ana.person.id, T0, HOUR)
    new = await people.create_recovery_token(ana.person.id, T0, HOUR)
    assert await people.use_recovery_token(old, at(1)) is None
    assert await people.use_recovery_token(new, T0 + HOUR) is None
    assert await people.use_recovery_token("no link", at(1)) is None
    assert await people.find_by_token(token, at(1)) == ana
    assert await people.use_recovery_token(new, T0 + HOUR - timedelta(seconds=1)) is not None


async def test_one_device_too_many_signs_out_the_device_seen_least_recently(database: Database) -> None:
    people = People(database)
    ana, first = await people.create(T0, "Ana")
    tokens = [first]
    for number in range(1, MAX_DEVICES + 1):
        link = await people.create_recovery_token(ana.person.id, at(number), HOUR, adds=True)
        added = await people.use_recovery_token(link, at(number), adds=True)
        assert added is not None
        tokens.append(added[1])
    later = at(MAX_DEVICES + 1)
    signed_in = [await people.find_by_token(token, later) is not None for token in tokens]
    assert signed_in == [False] + [True] * MAX_DEVICES


@pytest.mark.parametrize("adds", [False, True])
async def test_signing_out_a_device_ends_the_unused_links_of_its_person(database: Database, adds: bool) -> None:
    people = People(database)
    (ana, _), (bob, _) = [await people.create(T0, name) for name in ("Ana", "Bob")]
    link = await people.create_recovery_token(ana.person.id, T0, HOUR, adds=adds)
    his = await people.create_recovery_token(bob.person.id, T0, HOUR, adds=adds)
    assert not await people.sign_out(ana.person.id, "no such device")
    assert await people.find_recoverable_person(link, at(1), adds=adds) is not None
    assert await people.has_device(ana.person.id, ana.device)
    assert await people.sign_out(ana.person.id, ana.device)
    assert not await people.has_device(ana.person.id, ana.device)
    assert await people.use_recovery_token(link, at(2), adds=adds) is None
    assert await people.use_recovery_token(his, at(2), adds=adds) is not None


async def test_a_recovery_ends_all_other_unused_links_of_its_person(database: Database) -> None:
    people = People(database)
    ana, _ = await people.create(T0, "Ana")
    device = await people.create_recovery_token(ana.person.id, T0, HOUR, adds=True)
    recovery = await people.create_recovery_token(ana.person.id, T0, HOUR)
    assert await people.use_recovery_token(recovery, at(1)) is not None
    assert await people.use_recovery_token(device, at(2), adds=True) is None


async def test_adding_a_device_ends_no_links(database: Database) -> None:
    people = People(database)
    ana, _ = await people.create(T0, "Ana")
    device = await people.create_recovery_token(ana.person.id, T0, HOUR, adds=True)
    recovery = await people.create_recovery_token(ana.person.id, T0, HOUR)
    assert await people.use_recovery_token(device, at(1), adds=True) is not None
    assert await people.use_recovery_token(recovery, at(2)) is not None


async def test_the_language_of_a_person_is_saved_for_all_their_notifications(database: Database) -> None:
    people, subscriptions = People(database), PushSubscriptions(database)
    ana, token = await people.create(T0, "Ana", language="de-AT")
    bob, _ = await people.create(T0, "Bob")
    for each in (ana, bob):
        browser = Subscription(f"https://push.example.org/{each.device}", "key", "auth", "en", "https://cards.example")
        await subscriptions.save_subscription(each.person.id, each.device, browser, T0)
    await people.set_language(ana.person.id, "pt-BR")
    found = await people.find_by_token(token, at(1))
    assert found is not None
    assert (ana.person.language, found.person.language) == ("de-AT", "pt-BR")
    browsers = [await subscriptions.find_by_device(each.device) for each in (ana, bob)]
    assert [browser and browser.language for browser in browsers] == ["pt-BR", "en"]
