"""Store house rules that people save under a name. The web package decides whether they are still valid."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import saved_rules
from app.store.db.types import check_text, check_time, encode
from app.text_limits import caseless_key, check_length

T = TypeVar("T")


class RulesNameTaken(Exception):
    """Raised if the person already has other saved rules of this game with this name."""


class TooManySavedRules(Exception):
    """Raised if the person has already saved the largest allowed number of rules."""


@dataclass(frozen=True, slots=True)
class SavedRules:
    """House rules that a person saved under a name, as they were then: the game or some options may no longer exist."""

    id: str
    game: str
    name: str
    options: Mapping[str, Any]
    """The preset and all options."""
    changed: Sequence[str]
    """Names of the options that differ from the preset."""
    saved_at: datetime


class SavedRulesStore:
    """Stores the house rules that people save under names."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rules_of_person(self, person_id: str) -> tuple[SavedRules, ...]:
        """Return the house rules that a person has saved, newest first."""
        own_rules = _select.where(saved_rules.c.person_id == check_text(person_id))
        query = own_rules.order_by(saved_rules.c.saved_at.desc(), saved_rules.c.id)
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return tuple(SavedRules(*row) for row in found)

    async def save_rules(
        self,
        person_id: str,
        at: datetime,
        game: str,
        name: str,
        options: Mapping[str, Any],
        changed: Sequence[str],
        *,
        max_rules: int,
        replace: bool = False,
    ) -> SavedRules:
        """Save a person's house rules under a name; with `replace`, overwrite rules of the game with this name.

        Raises `RulesNameTaken` if the name is used and `replace` is False, and `TooManySavedRules` if the person has
        `max_rules` already.
        """
        is_own = saved_rules.c.person_id == check_text(person_id)
        new = {
            "game": check_text(game),
            "name": check_text(name),
            "name_key": _comparison_key(name),
            "options": encode(dict(options)),
            "changed_options": encode(list(changed)),
            "saved_at": check_time(at),
        }

        def work(connection: sa.Connection) -> SavedRules:
            there = _find_rules_id(connection, person_id, game, name)
            if there is not None:
                if not replace:
                    raise RulesNameTaken
                connection.execute(saved_rules.update().where(is_own, saved_rules.c.id == there).values(new))
                return _load_rules(connection, person_id, there)
            count = sa.select(sa.func.count()).select_from(saved_rules).where(is_own)
            if connection.execute(count).scalar_one() >= max_rules:
                raise TooManySavedRules
            new_id = secrets.token_urlsafe(12)
            connection.execute(saved_rules.insert(), {"id": new_id, "person_id": person_id, **new})
            return _load_rules(connection, person_id, new_id)

        return await self._write_unless_name_taken(work)

    async def rename_rules(
        self, person_id: str, rules_id: str, name: str, *, replace: bool = False
    ) -> SavedRules | None:
        """Rename a person's saved house rules and return them; None if this person has no rules with this id.

        If other rules of the game have the name, `replace` deletes them. Without it, `RulesNameTaken` is raised.
        """
        is_own = saved_rules.c.person_id == check_text(person_id), saved_rules.c.id == check_text(rules_id)

        def work(connection: sa.Connection) -> SavedRules | None:
            game = connection.execute(sa.select(saved_rules.c.game).where(*is_own)).scalar()
            if game is None:
                return None
            there = _find_rules_id(connection, person_id, game, name)
            if there not in (None, rules_id):
                if not replace:
                    raise RulesNameTaken
                connection.execute(
                    saved_rules.delete().where(saved_rules.c.person_id == person_id, saved_rules.c.id == there)
                )
            new = {"name": check_text(name), "name_key": _comparison_key(name)}
            connection.execute(saved_rules.update().where(*is_own).values(new))
            return _load_rules(connection, person_id, rules_id)

        return await self._write_unless_name_taken(work)

    async def delete_rules(self, person_id: str, rules_id: str) -> bool:
        """Delete a person's saved house rules; return False if this person has no rules with this id."""
        is_own = saved_rules.c.person_id == check_text(person_id), saved_rules.c.id == check_text(rules_id)
        gone = saved_rules.delete().where(*is_own)
        return await self._database.write(lambda connection: connection.execute(gone).rowcount > 0)

    async def _write_unless_name_taken(self, work: Callable[[sa.Connection], T]) -> T:
        try:
            return await self._database.write(work)
        except sa.exc.IntegrityError:  # saved by another node at the same time
            raise RulesNameTaken from None


def _comparison_key(name: str) -> str:
    """Return a name of saved rules in the form used for comparison, independent of case and Unicode encoding."""
    return caseless_key(check_length(name))


def _find_rules_id(connection: sa.Connection, person_id: str, game: str, name: str) -> str | None:
    """Return the id of the person's saved rules of this game with this name, or None."""
    called = (
        saved_rules.c.person_id == person_id,
        saved_rules.c.game == game,
        saved_rules.c.name_key == _comparison_key(name),
    )
    found: str | None = connection.execute(sa.select(saved_rules.c.id).where(*called)).scalar()
    return found


_select = sa.select(
    saved_rules.c.id,
    saved_rules.c.game,
    saved_rules.c.name,
    saved_rules.c.options,
    saved_rules.c.changed_options,
    saved_rules.c.saved_at,
)


def _load_rules(connection: sa.Connection, person_id: str, rules_id: str) -> SavedRules:
    query = _select.where(saved_rules.c.person_id == person_id, saved_rules.c.id == rules_id)
    return SavedRules(*connection.execute(query).one())
