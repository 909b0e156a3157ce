"""Store people and their devices: which person a browser belongs to.

People have neither account nor e-mail address: each device has a random token, and only its hash is stored. A token is
returned once, when it is created. Cookies and links are made by the web package.
"""

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import sqlalchemy as sa

from app.rooms.handlers.room_codes import new_id
from app.rooms.ports.storage import StorageUnavailable
from app.store.db.database import Database
from app.store.db.people_batch import WriteBatcher
from app.store.db.schema import (
    device_links,
    devices,
    imported_matches,
    match_players,
    people,
    push_subscriptions,
    room_codes,
    room_visits,
)
from app.store.db.transactions import dialect_insert
from app.store.db.types import check_text

SEEN_PRECISION: Final = timedelta(hours=1)
"""Precision of the stored time of a person's last visit."""
MAX_DEVICES: Final = 20
"""Largest number of devices of a person. A further device signs out the device seen least recently."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person known to the server. They have no account: their browsers hold secret tokens."""

    id: str
    """Public: it appears in room logs, and gives no access."""
    name: str | None
    """The name last used, or None before the first."""
    created_at: datetime
    seen_at: datetime
    bird: str | None = None
    """The bird they chose; None: the room picks one."""
    colour: str | None = None
    language: str | None = None
    """The language that they chose last, or else that of their first browser, as a tag such as `pt-BR`."""


@dataclass(frozen=True, slots=True)
class SignedInDevice:
    """A person together with the browser or program with which they are signed in now."""

    person: Person
    device: str
    """Id of the device. It gives no access."""
    token_hash: str = ""
    """SHA-256 of the device's token, to save the device again if the database loses it."""


@dataclass(frozen=True, slots=True)
class Device:
    """A browser or a program that is signed in as a person, for the list of their devices."""

    id: str
    label: str | None
    """Kind of browser, from its user agent."""
    created_at: datetime
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class FoundPerson:
    """A person whom an operator looked for by name, with the places of their data."""

    person: Person
    names: Sequence[str]
    """The names that fit the search."""
    rooms: Sequence[str]
    """Codes of the rooms that the person visited and that exist, last visited first."""
    matches: int
    imported_matches: int
    devices: int


class People:
    """Stores people, their devices (signed-in browsers), recovery links and visits to rooms."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._new_person, self._new_device = [_insert_if_absent(database.dialect, table) for table in (people, devices)]
        self._visit = _visit_upsert(database.dialect)
        self._batcher = WriteBatcher(database, self._new_person, self._new_device, self._visit, _rename)

    async def create(
        self,
        at: datetime,
        name: str | None = None,
        label: str | None = None,
        *,
        room: str | None = None,
        language: str | None = None,
    ) -> tuple[SignedInDevice, str]:
        """Save a new person with their first device, and a visit to `room` if given.

        Returns both, and the secret token of the device, which the browser gets as a cookie. `label`: the kind of
        browser. `language`: the tag of its language.
        """
        person = Person(new_id(secrets.token_bytes), name, at, at, language=language)
        device, token = _new_device_row(person.id, label, at)
        row = dict.fromkeys(people.c.keys()) | {"id": person.id, "name": name, "language": language}
        row |= {"created_at": at, "last_seen_at": at}
        visit = (
            [] if room is None else [(self._visit, {"person_id": person.id, "room_id": room, "last_visited_at": at})]
        )
        await self._batcher.execute((self._new_person, row), (self._new_device, device), *visit)
        return SignedInDevice(person, device["id"], device["token_hash"]), token

    async def find_by_token(self, token: str, at: datetime, idle: timedelta | None = None) -> SignedInDevice | None:
        """Return the person and the device that a browser's token signs in; None if the token is unknown.

        Also updates the time of the last visit, if that can be saved. A device that was not seen for longer than `idle`
        is signed out, and None is returned.
        """
        hashed = _hash_token(token)
        found = await self._database.fetch_all(_by_token, token_hash=hashed)
        if not found:
            return None
        row = found[0]
        if idle is not None and at - row.device_seen_at > idle:
            await self._save_if_possible(lambda: self.sign_out(row.id, row.device))
            return None
        if at - row.device_seen_at > SEEN_PRECISION:
            seen = partial(_update_seen_at, person_id=row.id, device=row.device, at=at)
            await self._save_if_possible(lambda: self._database.write(seen))
        return SignedInDevice(_person_from_row(row), row.device, hashed)

    async def restore_person(self, known: SignedInDevice, room: str, at: datetime) -> None:
        """Save a connected person, their device and their visit to a room again, if the database has lost them.

        All that is still stored remains.
        """
        person = known.person
        looks = {"avatar": person.bird, "colour": person.colour, "language": person.language}
        row: dict[str, Any] = dict.fromkeys(people.c.keys()) | {"id": person.id, "name": person.name, **looks}
        row |= {"created_at": person.created_at, "last_seen_at": at}
        device: dict[str, Any] = {"id": known.device, "person_id": person.id, "token_hash": known.token_hash}
        device |= {"label": None, "created_at": at, "last_seen_at": at}
        visit = {"person_id": person.id, "room_id": room, "last_visited_at": at}
        await self._batcher.execute((self._new_person, row), (self._new_device, device), (self._visit, visit))

    async def find_by_name(self, is_meant: Callable[[str], bool]) -> Sequence[FoundPerson]:
        """Return the people whose last name, or whose name in a match, is meant; seen last first. For operators.

        All names are read.
        """
        used = sa.select(people.c.id, people.c.name).where(people.c.name.is_not(None))
        played = sa.select(match_players.c.person_id, match_players.c.name).where(
            match_players.c.person_id.is_not(None)
        )

        def read(connection: sa.Connection) -> list[FoundPerson]:
            found: dict[str, set[str]] = {}
            for person_id, name in connection.execute(sa.union(used, played)):
                if is_meant(name):
                    found.setdefault(person_id, set()).add(name)
            return [_find_person(connection, person_id, names) for person_id, names in found.items()]

        return sorted(await self._database.read(read), key=lambda each: each.person.seen_at, reverse=True)

    async def find_by_id(self, person_id: str) -> Person | None:
        """Return the person with this id, or None."""
        found = await self._database.fetch_all(_by_id, id=person_id)
        return _person_from_row(found[0]) if found else None

    async def rename(self, person: Person, name: str) -> Person | None:
        """Save a person's new name. Returns the updated person, or None if the person no longer exists."""
        [found] = await self._batcher.execute((_rename, {"of": person.id, "name": name}))
        return replace(person, name=name, bird=found[0].avatar, colour=found[0].colour) if found else None

    async def set_appearance(self, person_id: str, looks: Mapping[str, str | None]) -> Person | None:
        """Save the bird, the colour or both (keys of `looks`) that a person chose.

        Returns the updated person, or None if the person does not exist.
        """
        columns = {"avatar" if name == "bird" else name: value for name, value in looks.items()}
        chosen = people.update().where(people.c.id == person_id).values(columns).returning(*_select.selected_columns)
        found = await self._database.write(lambda connection: connection.execute(chosen).one_or_none())
        return None if found is None else _person_from_row(found)

    async def set_language(self, person_id: str, language: str) -> None:
        """Save the language that a person chose, also for the notifications of all their browsers."""
        chosen = {"language": check_text(language)}
        theirs = (
            people.update().where(people.c.id == person_id).values(chosen),
            push_subscriptions.update().where(push_subscriptions.c.person_id == person_id).values(chosen),
        )

        def work(connection: sa.Connection) -> None:
            for update in theirs:
                connection.execute(update)

        await self._database.write(work)

    async def record_visit(self, person_id: str, room: str, at: datetime) -> None:
        """Record that a person was in a room now, for their list of rooms and for `has_visited`.

        If that can't be saved, the next visit is recorded.
        """
        visit = {"person_id": person_id, "room_id": room, "last_visited_at": at}
        await self._save_if_possible(lambda: self._batcher.execute((self._visit, visit)))

    async def has_visited(self, person_id: str, room: str) -> bool:
        """Return whether this person has been in the room, by their stored visits.

        Only such people may enter by a former code or see pages about the room. When its address changes, the visits
        of people who are not members are deleted.
        """
        return bool(await self._database.fetch_all(_visited, person_id=person_id, room=room))

    async def _save_if_possible(self, save: Callable[[], Awaitable[object]]) -> None:
        """Save data that a page can do without. While nothing can be saved, don't try, so that no page waits for it."""
        if self._database.health.write_error is None:
            with suppress(StorageUnavailable):
                await save()

    # Their devices

    async def devices_of(self, person_id: str) -> tuple[Device, ...]:
        """Return the devices (browsers and programs) that are signed in as a person, most recently seen first."""
        query = (
            sa.select(devices.c.id, devices.c.label, devices.c.created_at, devices.c.last_seen_at)
            .where(devices.c.person_id == person_id)
            .order_by(devices.c.last_seen_at.desc(), devices.c.id)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(Device(*row) for row in found)

    async def sign_out(self, person_id: str, device: str) -> bool:
        """Sign a device out; return False if the person has no such device.

        All unused recovery links of the person expire in the same transaction: this device may have created them.
        """
        gone = devices.delete().where(devices.c.person_id == person_id, devices.c.id == check_text(device))

        def work(connection: sa.Connection) -> bool:
            found = connection.execute(gone).rowcount > 0
            if found:
                _delete_unused_tokens(connection, person_id)
            return found

        return await self._database.write(work)

    async def has_device(self, person_id: str, device: str) -> bool:
        """Return whether this device is still signed in as this person."""
        query = sa.select(devices.c.id).where(devices.c.person_id == person_id, devices.c.id == device)
        found = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return found is not None

    async def create_recovery_token(
        self, person_id: str, at: datetime, lifetime: timedelta, *, adds: bool = False
    ) -> str:
        """Create the secret token of a link that signs in another browser as this person, once; return it.

        With `adds`, the browser is added to the person's devices. Without, it replaces them. Unused links of the same
        kind are deleted.
        """
        token = secrets.token_urlsafe(32)
        row = {
            "token_hash": _hash_token(token),
            "person_id": person_id,
            "created_at": at,
            "expires_at": at + lifetime,
            "keeps_other_devices": adds,
        }

        def work(connection: sa.Connection) -> None:
            is_own, unused = device_links.c.person_id == person_id, device_links.c.used_at.is_(None)
            connection.execute(
                device_links.delete().where(is_own, unused, device_links.c.keeps_other_devices.is_(adds))
            )
            connection.execute(device_links.insert(), row)

        await self._database.write(work)
        return token

    async def find_recoverable_person(self, token: str, at: datetime, *, adds: bool = False) -> Person | None:
        """Return the person whom a recovery link would sign in, or None if it is not valid.

        The link stays usable. `adds`: whether the link is one that adds a device.
        """
        query = _select.join(device_links).where(*_valid_token_conditions(token, at, adds=adds))
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else _person_from_row(row)

    async def use_recovery_token(
        self, recovery: str, at: datetime, label: str | None = None, *, adds: bool = False
    ) -> tuple[SignedInDevice, str] | None:
        """Use up a recovery link: sign in this browser as its person. None if the link is not valid.

        Returns both with the new device's token. Without `adds`, all other devices of the person are signed out. With
        `adds`, only devices beyond `MAX_DEVICES` are.
        """

        def work(connection: sa.Connection) -> tuple[SignedInDevice, str] | None:
            valid = _valid_token_conditions(recovery, at, adds=adds)
            if connection.execute(device_links.update().where(*valid).values(used_at=at)).rowcount != 1:
                return None
            whose = sa.select(device_links.c.person_id).where(device_links.c.token_hash == _hash_token(recovery))
            person_id = connection.execute(whose).scalar_one()
            most_others = MAX_DEVICES - 1 if adds else 0
            newest = sa.select(devices.c.id).where(devices.c.person_id == person_id)
            newest = newest.order_by(devices.c.last_seen_at.desc(), devices.c.id).limit(most_others)
            signed_out = devices.delete().where(devices.c.person_id == person_id, devices.c.id.not_in(newest))
            if connection.execute(signed_out).rowcount > 0 or not adds:
                _delete_unused_tokens(connection, person_id)
            device, token = _new_device_row(person_id, label, at)
            connection.execute(devices.insert(), device)
            connection.execute(people.update().where(people.c.id == person_id).values(last_seen_at=at))
            row = connection.execute(_select.where(people.c.id == person_id)).one()
            return SignedInDevice(_person_from_row(row), device["id"]), token

        return await self._database.write(work)


_select: sa.Select[Any] = sa.select(
    people.c.id,
    people.c.name,
    people.c.created_at,
    people.c.last_seen_at,
    people.c.avatar,
    people.c.colour,
    people.c.language,
)


_by_id = _select.where(people.c.id == sa.bindparam("id"))
_by_token = (
    _select.add_columns(devices.c.id.label("device"), devices.c.last_seen_at.label("device_seen_at"))
    .join(devices, devices.c.person_id == people.c.id)
    .where(devices.c.token_hash == sa.bindparam("token_hash"))
)
_visited = sa.select(room_visits.c.room_id).where(
    room_visits.c.person_id == sa.bindparam("person_id"), room_visits.c.room_id == sa.bindparam("room")
)
_rename = (
    people.update()
    .where(people.c.id == sa.bindparam("of"))
    .values(name=sa.bindparam("name"))
    .returning(people.c.avatar, people.c.colour)
)


def _find_person(connection: sa.Connection, person_id: str, names: Iterable[str]) -> FoundPerson:
    row = connection.execute(_by_id, {"id": person_id}).one()
    codes = (
        sa.select(room_codes.c.code)
        .join(room_visits, room_visits.c.room_id == room_codes.c.room_id)
        .where(room_visits.c.person_id == person_id, room_codes.c.valid_until.is_(None))
        .order_by(room_visits.c.last_visited_at.desc())
    )
    counts = (
        connection.execute(sa.select(sa.func.count()).where(table.c.person_id == person_id)).scalar_one()
        for table in (match_players, imported_matches, devices)
    )
    return FoundPerson(_person_from_row(row), sorted(names), connection.execute(codes).scalars().all(), *counts)


def _insert_if_absent(dialect: str, table: sa.Table) -> sa.Executable:
    """Return an INSERT that does nothing if the row exists, because the same write was done before and is repeated."""
    insert: sa.Executable = dialect_insert(dialect, table).on_conflict_do_nothing()
    return insert


def _visit_upsert(dialect: str) -> sa.Executable:
    insert = dialect_insert(dialect, room_visits)
    upsert: sa.Executable = insert.on_conflict_do_update(
        index_elements=["room_id", "person_id"], set_={"last_visited_at": insert.excluded.last_visited_at}
    )
    return upsert


def _person_from_row(row: sa.Row[Any]) -> Person:
    return Person(row.id, row.name, row.created_at, row.last_seen_at, row.avatar, row.colour, row.language)


def _new_device_row(person_id: str, label: str | None, at: datetime) -> tuple[dict[str, Any], str]:
    """Return the row of a new device for a person, and its secret token, of which only the hash is stored."""
    token = secrets.token_urlsafe(32)
    row = {
        "id": secrets.token_urlsafe(9),
        "person_id": person_id,
        "token_hash": _hash_token(token),
        "label": label,
        "created_at": at,
        "last_seen_at": at,
    }
    return row, token


def _delete_unused_tokens(connection: sa.Connection, person_id: str) -> None:
    """Delete all unused recovery links of a person, so that they no longer sign anybody in."""
    is_own, unused = device_links.c.person_id == person_id, device_links.c.used_at.is_(None)
    connection.execute(device_links.delete().where(is_own, unused))


def _update_seen_at(connection: sa.Connection, person_id: str, device: str, at: datetime) -> None:
    connection.execute(people.update().where(people.c.id == person_id).values(last_seen_at=at))
    connection.execute(devices.update().where(devices.c.id == device).values(last_seen_at=at))


def _valid_token_conditions(token: str, at: datetime, *, adds: bool) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        device_links.c.token_hash == _hash_token(token),
        device_links.c.used_at.is_(None),
        device_links.c.expires_at > at,
        device_links.c.keeps_other_devices.is_(adds),
    )


def _hash_token(token: str) -> str:
    """Return the SHA-256 of a secret token, which is stored in its place.

    Tokens are long and random, so a plain hash is enough.
    """
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
