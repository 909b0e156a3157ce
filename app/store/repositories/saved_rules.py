"""House rules that people keep under a name of their own. What they come to today is the web's to say."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import house_rules
from app.store.db.types import check_text, check_time, encode
from app.text_limits import bounded, caseless

T = TypeVar("T")


class NameIsKept(Exception):
    """Somebody keeps other rules of this game under this name."""


class KeptEnough(Exception):
    """Somebody keeps as many as they may."""


@dataclass(frozen=True, slots=True)
class KeptRules:
    """Rules with a name, as they were when they were kept: the game, its switches or their values may be gone since."""

    id: str
    game: str
    name: str
    options: Mapping[str, Any]
    """The preset, and every switch."""
    changed: Sequence[str]
    """The switches that were not as in the preset."""
    kept_at: datetime


class HouseRules:
    """Who keeps which rules."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person_id: str) -> tuple[KeptRules, ...]:
        """What somebody keeps, the newest first."""
        mine = _select.where(house_rules.c.person_id == check_text(person_id))
        query = mine.order_by(house_rules.c.kept_at.desc(), house_rules.c.id)
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(KeptRules(*row) for row in found)

    async def keep(
        self,
        person_id: str,
        at: datetime,
        game: str,
        name: str,
        options: Mapping[str, Any],
        changed: Sequence[str],
        *,
        most: int,
        replace: bool = False,
    ) -> KeptRules:
        """Keep rules as somebody's, who may have `most`; with `replace` in place of those that have this name.

        `NameIsKept`, `KeptEnough` say why not.
        """
        mine = house_rules.c.person_id == check_text(person_id)
        new = {
            "game": check_text(game),
            "name": check_text(name),
            "same": _compared(name),
            "options": encode(dict(options)),
            "changed": encode(list(changed)),
            "kept_at": check_time(at),
        }

        def work(connection: sa.Connection) -> KeptRules:
            there = _id_of(connection, person_id, game, name)
            if there is not None:
                if not replace:
                    raise NameIsKept
                connection.execute(house_rules.update().where(house_rules.c.id == there).values(new))
                return _read(connection, there)
            count = sa.select(sa.func.count()).select_from(house_rules).where(mine)
            if connection.execute(count).scalar_one() >= most:
                raise KeptEnough
            made = secrets.token_urlsafe(12)
            connection.execute(house_rules.insert(), {"id": made, "person_id": person_id, **new})
            return _read(connection, made)

        return await self._write(work)

    async def rename(self, person_id: str, rules: str, name: str, *, replace: bool = False) -> KeptRules | None:
        """Give another name to rules that somebody keeps; None: they keep none of this id.

        With `replace` those that have the name are let go of; without, `NameIsKept`.
        """
        mine = house_rules.c.id == check_text(rules), house_rules.c.person_id == check_text(person_id)

        def work(connection: sa.Connection) -> KeptRules | None:
            game = connection.execute(sa.select(house_rules.c.game).where(*mine)).scalar()
            if game is None:
                return None
            there = _id_of(connection, person_id, game, name)
            if there not in (None, rules):
                if not replace:
                    raise NameIsKept
                connection.execute(house_rules.delete().where(house_rules.c.id == there))
            new = {"name": check_text(name), "same": _compared(name)}
            connection.execute(house_rules.update().where(*mine).values(new))
            return _read(connection, rules)

        return await self._write(work)

    async def drop(self, person_id: str, rules: str) -> bool:
        """Let go of rules that somebody keeps; False: they keep none of this id."""
        mine = house_rules.c.id == check_text(rules), house_rules.c.person_id == check_text(person_id)
        gone = house_rules.delete().where(*mine)
        return await self._database.write(lambda connection: connection.execute(gone).rowcount > 0)

    async def _write(self, work: Callable[[sa.Connection], T]) -> T:
        try:
            return await self._database.write(work)
        except sa.exc.IntegrityError:  # at the same moment, at another node
            raise NameIsKept from None


def _compared(name: str) -> str:
    """Return a name as it is compared: whatever its case, and however its letters are encoded."""
    return caseless(bounded(name))


def _id_of(connection: sa.Connection, person_id: str, game: str, name: str) -> str | None:
    """The id of what somebody keeps under this name."""
    called = house_rules.c.person_id == person_id, house_rules.c.game == game, house_rules.c.same == _compared(name)
    found: str | None = connection.execute(sa.select(house_rules.c.id).where(*called)).scalar()
    return found


_select = sa.select(
    house_rules.c.id,
    house_rules.c.game,
    house_rules.c.name,
    house_rules.c.options,
    house_rules.c.changed,
    house_rules.c.kept_at,
)


def _read(connection: sa.Connection, rules: str) -> KeptRules:
    return KeptRules(*connection.execute(_select.where(house_rules.c.id == rules)).one())
