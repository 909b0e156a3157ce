"""Find the room or the person of a match by its public id, in the table `match_directory`.

Pages know only the id of a match. Tables of matches and hands need the room (or, for imported matches, the person) too:
it comes first in their keys.
"""

from typing import Any

import sqlalchemy as sa

from app.store.db.schema import match_directory


def room_of_match(match_id: str | sa.ColumnElement[str]) -> sa.ScalarSelect[Any]:
    """Build the SQL expression for the id of the room in which a match was played."""
    return sa.select(match_directory.c.room_id).where(match_directory.c.match_id == match_id).scalar_subquery()


def importer_of_match(match_id: str | sa.ColumnElement[str]) -> sa.ScalarSelect[Any]:
    """Build the SQL expression for the id of the person who imported a match."""
    return sa.select(match_directory.c.person_id).where(match_directory.c.match_id == match_id).scalar_subquery()


def is_match(table: sa.Table, match_id: str | sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Build the condition that rows of a room's table belong to this match."""
    return sa.and_(table.c.room_id == room_of_match(match_id), table.c.match_id == match_id)


def in_directory(table: sa.Table, column: str = "match_id") -> sa.ColumnElement[bool]:
    """Build the join condition of a room's table with the directory. `column` has the match id in the table."""
    return sa.and_(match_directory.c.room_id == table.c.room_id, match_directory.c.match_id == table.c[column])
