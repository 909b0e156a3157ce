"""Test saved rules on both databases: they are loaded unchanged, and deleted with their owner."""

import asyncio
from typing import Any

import pytest

from app.store.db.database import Database
from app.store.deletion.person_deletion import PersonDeletion
from app.store.deletion.room_cleanup import RoomCleanup
from app.store.repositories.people import People
from app.store.repositories.saved_rules import RulesNameTaken, SavedRulesStore
from tests.store.samples import at

OPTIONS: dict[str, Any] = {"preset": "toronto", "jokers": 1, "titles": ["König ♠", "Knecht"]}


async def somebody(database: Database) -> str:
    return (await People(database).create(at(0)))[0].person.id


async def test_saved_rules_are_read_back_unchanged_newest_first(database: Database) -> None:
    rules, ana, bob = SavedRulesStore(database), await somebody(database), await somebody(database)
    first = await rules.save_rules(ana, at(1), "president", "Straße", OPTIONS, ["titles", "jokers"], max_rules=9)
    assert (first.options, list(first.options), first.changed, first.saved_at) == (
        OPTIONS, list(OPTIONS), ["titles", "jokers"], at(1)
    )  # fmt: skip
    with pytest.raises(RulesNameTaken):
        await rules.save_rules(ana, at(2), "president", "STRASSE", {}, [], max_rules=9)
    second = await rules.save_rules(ana, at(2), "big_two", "STRASSE", {}, [], max_rules=9)
    await rules.save_rules(bob, at(2), "president", "Straße", {}, [], max_rules=9)
    assert await rules.rules_of_person(ana) == (second, first)
    again = await rules.save_rules(ana, at(3), "president", "STRASSE", {}, [], max_rules=2, replace=True)
    assert (again.id, again.name) == (first.id, "STRASSE")
    assert await rules.rules_of_person(ana) == (again, second)


async def test_rules_saved_twice_at_once_by_two_nodes_are_saved_once(database: Database, url: str) -> None:
    other, ana = Database(url), await somebody(database)
    tries = [
        SavedRulesStore(each).save_rules(ana, at(n), "president", "Tuesday", {}, [], max_rules=9)
        for n in range(6)
        for each in (database, other)
    ]
    came = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(not isinstance(each, RulesNameTaken) for each in came) == 1, came
    assert len(await SavedRulesStore(database).rules_of_person(ana)) == 1
    await other.close()


async def test_saved_rules_are_deleted_with_their_person(database: Database) -> None:
    rules, ana, bob = SavedRulesStore(database), await somebody(database), await somebody(database)
    for who in (ana, bob):
        await rules.save_rules(who, at(1), "president", "Tuesday", OPTIONS, [], max_rules=9)
    await PersonDeletion(database, ana).delete_person_rows(at(2))
    assert await rules.rules_of_person(ana) == ()
    assert len(await rules.rules_of_person(bob)) == 1
    assert await RoomCleanup(database).delete_unused_people([ana, bob], at(5), at(5)) == 1
    assert await rules.rules_of_person(bob) == ()
