"""People: who a browser belongs to. No account, no e-mail: a random token for each device, of which we keep the hash.

Tokens leave this module once, when they are made. Cookies and links are the web's business.
"""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.people_batch import Gathering
from app.store.db.schema import devices, people, recovery_tokens, visits
from app.store.db.transactions import upserting
from app.store.db.types import check_text

SEEN_EVERY: Final = timedelta(hours=1)
"""How exactly we remember when somebody was here last."""
MOST_DEVICES: Final = 20
"""Of one person: who adds another signs out of the one that was not seen for longest."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, as the site knows them."""

    id: str
    """Public: it appears in logs of rooms. It opens nothing."""
    name: str | None
    """As last used; None before they gave one."""
    created_at: datetime
    seen_at: datetime
    bird: str | None = None
    """As they chose; None: whichever bird a table gives them."""
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody, and the device by which we know them."""

    person: Person
    device: str
    """Its id, which opens nothing either."""
    token_hash: str = ""
    """SHA-256 of the device's token, by which it can be saved again if the database loses it."""


@dataclass(frozen=True, slots=True)
class Device:
    """A browser or a program that is somebody's."""

    id: str
    label: str | None
    """What kind of browser it said it was."""
    made_at: datetime
    seen_at: datetime


class People:
    """People in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._new_person, self._new_device = [_new(database.dialect, table) for table in (people, devices)]
        self._visit = _visit(database.dialect)
        self._gathering = Gathering(database, self._new_person, self._new_device, self._visit, _rename)

    async def create(
        self, at: datetime, name: str | None = None, label: str | None = None, *, room: str | None = None
    ) -> tuple[Known, str]:
        """Somebody new with this device, who comes into this room, and the token that the device keeps."""
        person = Person(secrets.token_urlsafe(12), name, at, at)
        device, token = _device(person.id, label, at)
        row = dict.fromkeys(people.c.keys()) | {"id": person.id, "name": name, "created_at": at, "seen_at": at}
        visit = [] if room is None else [(self._visit, {"person_id": person.id, "room": room, "last_at": at})]
        await self._gathering.keep((self._new_person, row), (self._new_device, device), *visit)
        return Known(person, device["id"], device["token_hash"]), token

    async def find(self, token: str, at: datetime, idle: timedelta | None = None) -> Known | None:
        """Return the person whose token this is, and note that they were seen on this device.

        A device that was not seen for longer than `idle` is signed out, and None returned.
        """
        hashed = _hash(token)
        found = await self._database.ask(_by_token, token_hash=hashed)
        if not found:
            return None
        row = found[0]
        if idle is not None and at - row.device_seen_at > idle:
            await self.sign_out(row.id, row.device)
            return None
        if at - row.device_seen_at > SEEN_EVERY:
            await self._database.write(lambda connection: _seen(connection, row.id, row.device, at))
        return Known(_person(row), row.device, hashed)

    async def restore(self, known: Known, room: str, at: datetime) -> None:
        """Save a person, their device and their visit to this room again, where the database has lost them."""
        person = known.person
        looks = {"bird": person.bird, "colour": person.colour}
        row: dict[str, Any] = dict.fromkeys(people.c.keys()) | {"id": person.id, "name": person.name, **looks}
        row |= {"created_at": person.created_at, "seen_at": at}
        device: dict[str, Any] = {"id": known.device, "person_id": person.id, "token_hash": known.token_hash}
        device |= {"label": None, "made_at": at, "seen_at": at}
        visit = {"person_id": person.id, "room": room, "last_at": at}
        await self._gathering.keep((self._new_person, row), (self._new_device, device), (self._visit, visit))

    async def get(self, person_id: str) -> Person | None:
        """Find a person by id; None if there is none."""
        found = await self._database.ask(_by_id, id=person_id)
        return _person(found[0]) if found else None

    async def rename(self, person: Person, name: str) -> Person | None:
        """Remember the name that they gave last; gives them with that and as they look now, None if there is nobody."""
        [found] = await self._gathering.keep((_rename, {"of": person.id, "name": name}))
        return replace(person, name=name, bird=found[0].bird, colour=found[0].colour) if found else None

    async def dress(self, person_id: str, looks: Mapping[str, str | None]) -> Person | None:
        """Remember what they chose to look like: `bird`, `colour` or both. Gives them as they are since, None if there
        is nobody."""
        chosen = people.update().where(people.c.id == person_id).values(**looks).returning(*_select.selected_columns)
        found = await self._database.write(lambda connection: connection.execute(chosen).one_or_none())
        return None if found is None else _person(found)

    async def visit(self, person_id: str, room: str, at: datetime) -> None:
        """Remember that they were in this room, for their list of rooms."""
        await self._gathering.keep((self._visit, {"person_id": person_id, "room": room, "last_at": at}))

    async def visited(self, person_id: str, room: str) -> bool:
        """Whether they have been in this room, and belong there still since it has the address it has."""
        return bool(await self._database.ask(_visited, person_id=person_id, room=room))

    # Their devices

    async def devices_of(self, person_id: str) -> tuple[Device, ...]:
        """Somebody's devices, the one seen last first."""
        query = (
            sa.select(devices.c.id, devices.c.label, devices.c.made_at, devices.c.seen_at)
            .where(devices.c.person_id == person_id)
            .order_by(devices.c.seen_at.desc(), devices.c.id)
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(Device(*row) for row in found)

    async def sign_out(self, person_id: str, device: str) -> bool:
        """Sign out a device, and return whether this person has such a device.

        All unused links of the person end in the same transaction: this device may have made them.
        """
        gone = devices.delete().where(devices.c.person_id == person_id, devices.c.id == check_text(device))

        def work(connection: sa.Connection) -> bool:
            found = connection.execute(gone).rowcount > 0
            if found:
                _end_links(connection, person_id)
            return found

        return await self._database.write(work)

    async def has_device(self, person_id: str, device: str) -> bool:
        """Return whether this device is signed in as this person."""
        query = sa.select(devices.c.id).where(devices.c.person_id == person_id, devices.c.id == device)
        found = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return found is not None

    async def start_recovery(self, person_id: str, at: datetime, lasts: timedelta, *, adds: bool = False) -> str:
        """The token of a link that makes another browser theirs, once. An older such link stops working.

        With `adds` that browser comes to those that are theirs; without, it takes the place of them all.
        """
        token = secrets.token_urlsafe(32)
        row = {
            "token_hash": _hash(token),
            "person_id": person_id,
            "created_at": at,
            "expires_at": at + lasts,
            "adds": adds,
        }

        def work(connection: sa.Connection) -> None:
            mine, unused = recovery_tokens.c.person_id == person_id, recovery_tokens.c.used_at.is_(None)
            connection.execute(recovery_tokens.delete().where(mine, unused, recovery_tokens.c.adds.is_(adds)))
            connection.execute(recovery_tokens.insert(), row)

        await self._database.write(work)
        return token

    async def recoverable(self, recovery: str, at: datetime, *, adds: bool = False) -> Person | None:
        """Whose browser this link would make another, if it still works. Asking uses nothing up."""
        query = _select.join(recovery_tokens).where(*_valid(recovery, at, adds=adds))
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else _person(row)

    async def recover(
        self, recovery: str, at: datetime, label: str | None = None, *, adds: bool = False
    ) -> tuple[Known, str] | None:
        """Use a link: the person with this device, and its token. None if the link is no good.

        Unless it `adds`, the tokens of all their other devices stop working.
        """

        def work(connection: sa.Connection) -> tuple[Known, str] | None:
            valid = _valid(recovery, at, adds=adds)
            if connection.execute(recovery_tokens.update().where(*valid).values(used_at=at)).rowcount != 1:
                return None
            whose = sa.select(recovery_tokens.c.person_id).where(recovery_tokens.c.token_hash == _hash(recovery))
            person_id = connection.execute(whose).scalar_one()
            kept = MOST_DEVICES - 1 if adds else 0
            newest = sa.select(devices.c.id).where(devices.c.person_id == person_id)
            newest = newest.order_by(devices.c.seen_at.desc(), devices.c.id).limit(kept)
            signed_out = devices.delete().where(devices.c.person_id == person_id, devices.c.id.not_in(newest))
            if connection.execute(signed_out).rowcount > 0 or not adds:
                _end_links(connection, person_id)
            device, token = _device(person_id, label, at)
            connection.execute(devices.insert(), device)
            connection.execute(people.update().where(people.c.id == person_id).values(seen_at=at))
            row = connection.execute(_select.where(people.c.id == person_id)).one()
            return Known(_person(row), device["id"]), token

        return await self._database.write(work)


_select: sa.Select[Any] = sa.select(
    people.c.id, people.c.name, people.c.created_at, people.c.seen_at, people.c.bird, people.c.colour
)


_by_id = _select.where(people.c.id == sa.bindparam("id"))
_by_token = (
    _select.add_columns(devices.c.id.label("device"), devices.c.seen_at.label("device_seen_at"))
    .join(devices, devices.c.person_id == people.c.id)
    .where(devices.c.token_hash == sa.bindparam("token_hash"))
)
_visited = sa.select(visits.c.room).where(
    visits.c.person_id == sa.bindparam("person_id"), visits.c.room == sa.bindparam("room")
)
_rename = (
    people.update()
    .where(people.c.id == sa.bindparam("of"))
    .values(name=sa.bindparam("name"))
    .returning(people.c.bird, people.c.colour)
)


def _new(dialect: str, table: sa.Table) -> sa.Executable:
    """An insert of a row that nobody else has made: if it is there, this was asked before."""
    insert: sa.Executable = upserting(dialect, table).on_conflict_do_nothing()
    return insert


def _visit(dialect: str) -> sa.Executable:
    insert = upserting(dialect, visits)
    upsert: sa.Executable = insert.on_conflict_do_update(
        index_elements=["person_id", "room"], set_={"last_at": insert.excluded.last_at}
    )
    return upsert


def _person(row: sa.Row[Any]) -> Person:
    return Person(row.id, row.name, row.created_at, row.seen_at, row.bird, row.colour)


def _device(person_id: str, label: str | None, at: datetime) -> tuple[dict[str, Any], str]:
    """The row of a new device, and its token."""
    token = secrets.token_urlsafe(32)
    row = {
        "id": secrets.token_urlsafe(9),
        "person_id": person_id,
        "token_hash": _hash(token),
        "label": label,
        "made_at": at,
        "seen_at": at,
    }
    return row, token


def _end_links(connection: sa.Connection, person_id: str) -> None:
    """End all unused links that give another browser this person's identity."""
    mine, unused = recovery_tokens.c.person_id == person_id, recovery_tokens.c.used_at.is_(None)
    connection.execute(recovery_tokens.delete().where(mine, unused))


def _seen(connection: sa.Connection, person_id: str, device: str, at: datetime) -> None:
    connection.execute(people.update().where(people.c.id == person_id).values(seen_at=at))
    connection.execute(devices.update().where(devices.c.id == device).values(seen_at=at))


def _valid(recovery: str, at: datetime, *, adds: bool) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        recovery_tokens.c.token_hash == _hash(recovery),
        recovery_tokens.c.used_at.is_(None),
        recovery_tokens.c.expires_at > at,
        recovery_tokens.c.adds.is_(adds),
    )


def _hash(token: str) -> str:
    """Tokens are long and random, so a plain hash is enough: there is nothing to guess."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
