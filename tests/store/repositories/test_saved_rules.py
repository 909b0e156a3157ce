"""Named rules on both databases: they come back as they were, and go with whose they are."""

import asyncio
from typing import Any

import pytest

from app.store.db.database import Database
from app.store.deletion.person_deletion import Forgetting
from app.store.deletion.room_cleanup import Closing
from app.store.repositories.people import People
from app.store.repositories.saved_rules import HouseRules, NameIsKept
from tests.store.samples import at

OPTIONS: dict[str, Any] = {"preset": "toronto", "jokers": 1, "titles": ["König ♠", "Knecht"]}


async def somebody(database: Database) -> str:
    return (await People(database).create(at(0)))[0].person.id


async def test_they_come_back_as_they_were_newest_first(database: Database) -> None:
    rules, ana, bob = HouseRules(database), await somebody(database), await somebody(database)
    first = await rules.keep(ana, at(1), "president", "Straße", OPTIONS, ["titles", "jokers"], most=9)
    assert (first.options, list(first.options), first.changed, first.kept_at) == (
        OPTIONS, list(OPTIONS), ["titles", "jokers"], at(1)
    )  # fmt: skip
    with pytest.raises(NameIsKept):
        await rules.keep(ana, at(2), "president", "STRASSE", {}, [], most=9)
    second = await rules.keep(ana, at(2), "big_two", "STRASSE", {}, [], most=9)
    await rules.keep(bob, at(2), "president", "Straße", {}, [], most=9)
    assert await rules.of(ana) == (second, first)
    again = await rules.keep(ana, at(3), "president", "STRASSE", {}, [], most=2, replace=True)
    assert (again.id, again.name) == (first.id, "STRASSE")
    assert await rules.of(ana) == (again, second)


async def test_one_of_two_nodes_is_first(database: Database, url: str) -> None:
    other, ana = Database(url), await somebody(database)
    tries = [
        HouseRules(each).keep(ana, at(n), "president", "Tuesday", {}, [], most=9)
        for n in range(6)
        for each in (database, other)
    ]
    came = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(not isinstance(each, NameIsKept) for each in came) == 1, came
    assert len(await HouseRules(database).of(ana)) == 1
    await other.close()


async def test_they_go_with_whose_they_are(database: Database) -> None:
    rules, ana, bob = HouseRules(database), await somebody(database), await somebody(database)
    for who in (ana, bob):
        await rules.keep(who, at(1), "president", "Tuesday", OPTIONS, [], most=9)
    await Forgetting(database, ana).finish(at(2))
    assert await rules.of(ana) == ()
    assert len(await rules.of(bob)) == 1
    assert await Closing(database).let_go_of_people([ana, bob], at(5), at(5)) == 1
    assert await rules.of(bob) == ()
