"""People: who a browser belongs to. No account, no e-mail: a random token, of which we keep only the hash.

Tokens leave this module once, when they are made. Cookies and links are the web's business.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa

from .columns import check_text
from .database import Database, upserting
from .tables import people, recovery_tokens, visits

SEEN_EVERY: Final = timedelta(hours=1)
"""How exactly we remember when somebody was here last."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, as one browser knows them."""

    id: str
    """Public: it appears in logs of rooms. It opens nothing."""
    name: str | None
    """As last used; None before they gave one."""
    created_at: datetime
    seen_at: datetime


class People:
    """People in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, at: datetime, name: str | None = None) -> tuple[Person, str]:
        """Somebody new, and the token that their browser keeps."""
        person = Person(secrets.token_urlsafe(12), name, at, at)
        token, token_hash = _token()
        row = {"id": person.id, "token_hash": token_hash, "name": name, "created_at": at, "seen_at": at}
        await self._database.write(lambda connection: connection.execute(people.insert(), row))
        return person, token

    async def find(self, token: str, at: datetime) -> Person | None:
        """Whose token this is; they have been seen now."""
        query = _select.where(people.c.token_hash == _hash(token))
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            return None
        person = _person(row)
        if at - person.seen_at > SEEN_EVERY:
            seen = people.update().where(people.c.id == person.id).values(seen_at=at)
            await self._database.write(lambda connection: connection.execute(seen))
        return person

    async def get(self, person_id: str) -> Person | None:
        """By id."""
        query = _select.where(people.c.id == person_id)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else _person(row)

    async def rename(self, person_id: str, name: str) -> None:
        """Remember the name that they gave last."""
        check_text(name)
        rename = people.update().where(people.c.id == person_id, people.c.name.is_distinct_from(name))
        await self._database.write(lambda connection: connection.execute(rename.values(name=name)))

    async def visit(self, person_id: str, room: str, at: datetime) -> None:
        """Remember that they were in this room, for their list of rooms."""
        insert = upserting(self._database.dialect, visits)
        upsert = insert.values(person_id=person_id, room=room, last_at=at).on_conflict_do_update(
            index_elements=["person_id", "room"], set_={"last_at": insert.excluded.last_at}
        )
        await self._database.write(lambda connection: connection.execute(upsert))

    async def visited(self, person_id: str, room: str) -> bool:
        """Whether they have been in this room."""
        query = sa.select(visits.c.room).where(visits.c.person_id == person_id, visits.c.room == check_text(room))
        return await self._database.read(lambda connection: connection.execute(query).first() is not None)

    # Moving to another device

    async def start_recovery(self, person_id: str, at: datetime, lasts: timedelta) -> str:
        """The token of a link that makes another browser theirs, once. An older link stops working."""
        token, token_hash = _token()
        row = {"token_hash": token_hash, "person_id": person_id, "created_at": at, "expires_at": at + lasts}

        def work(connection: sa.Connection) -> None:
            older = recovery_tokens.c.person_id == person_id, recovery_tokens.c.used_at.is_(None)
            connection.execute(recovery_tokens.delete().where(*older))
            connection.execute(recovery_tokens.insert(), row)

        await self._database.write(work)
        return token

    async def recoverable(self, recovery: str, at: datetime) -> Person | None:
        """Whom this link would bring back, if it still works. Asking uses nothing up."""
        query = _select.join(recovery_tokens).where(*_valid(recovery, at))
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return None if row is None else _person(row)

    async def recover(self, recovery: str, at: datetime) -> tuple[Person, str] | None:
        """Use a link: the person, and a new token; the old browser's stops working. None if the link is no good."""
        token, token_hash = _token()

        def work(connection: sa.Connection) -> Person | None:
            used = connection.execute(recovery_tokens.update().where(*_valid(recovery, at)).values(used_at=at))
            if used.rowcount != 1:
                return None
            whose = sa.select(recovery_tokens.c.person_id).where(recovery_tokens.c.token_hash == _hash(recovery))
            person_id = connection.execute(whose).scalar_one()
            moved = people.update().where(people.c.id == person_id).values(token_hash=token_hash, seen_at=at)
            connection.execute(moved)
            return _person(connection.execute(_select.where(people.c.id == person_id)).one())

        person = await self._database.write(work)
        return None if person is None else (person, token)


_select = sa.select(people.c.id, people.c.name, people.c.created_at, people.c.seen_at)


def _person(row: sa.Row[str, str | None, datetime, datetime]) -> Person:
    return Person(*row)


def _valid(recovery: str, at: datetime) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        recovery_tokens.c.token_hash == _hash(recovery),
        recovery_tokens.c.used_at.is_(None),
        recovery_tokens.c.expires_at > at,
    )


def _token() -> tuple[str, str]:
    token = secrets.token_urlsafe(32)
    return token, _hash(token)


def _hash(token: str) -> str:
    """Tokens are long and random, so a plain hash is enough: there is nothing to guess."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
