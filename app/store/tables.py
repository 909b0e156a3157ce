"""What is kept: people, rooms and their logs, and the history that matches leave.

Migrations make these tables; a test holds the two together. Names of constraints follow one convention, so that a
migration can name what it changes on any database.
"""

import sqlalchemy as sa
from sqlalchemy import Column, ForeignKey, ForeignKeyConstraint, Index, Table

from .columns import CleanText, Json, UtcTime

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

# People

people = Table(
    "people",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("token_hash", CleanText, nullable=False, unique=True),  # SHA-256 of what the browser's cookie holds
    Column("name", CleanText),  # as last used
    Column("created_at", UtcTime, nullable=False),
    Column("seen_at", UtcTime, nullable=False),
)

recovery_tokens = Table(
    "recovery_tokens",
    metadata,
    Column("token_hash", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("used_at", UtcTime),
)

# Rooms: the log is the room

rooms = Table(
    "rooms",
    metadata,
    Column("code", CleanText, primary_key=True),
    Column("invite", CleanText, nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
    # Moves with what happens once a hand (snapshots and facts), so that an action costs one row and no more.
    Column("active_at", UtcTime, nullable=False, index=True),
)

room_entry = Table(
    "room_entry",
    metadata,
    Column("room", ForeignKey("rooms.code"), primary_key=True),
    Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    Column("at", UtcTime, nullable=False),
    Column("kind", CleanText, nullable=False),
    Column("data", Json, nullable=False),
    sqlite_with_rowid=False,
)

room_snapshot = Table(
    "room_snapshot",
    metadata,
    Column("room", ForeignKey("rooms.code"), primary_key=True),  # the newest one only
    Column("seq", sa.Integer, nullable=False),
    Column("state", Json, nullable=False),
)

visits = Table(
    "visits",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("room", ForeignKey("rooms.code", ondelete="CASCADE"), primary_key=True),
    Column("last_at", UtcTime, nullable=False),
    Index("ix_visits_person_id_last_at", "person_id", "last_at"),
    sqlite_with_rowid=False,
)

# History

matches = Table(
    "matches",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("room", ForeignKey("rooms.code"), nullable=False, index=True),
    Column("game", CleanText, nullable=False),
    Column("options", Json, nullable=False),
    Column("players", Json, nullable=False),  # names, clockwise, as seated for the first hand
    Column("started_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    Column("winners", Json),
    Column("after", Json),  # what was done after the last hand: `between` of a record's last element
)

match_players = Table(
    "match_players",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("name", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="SET NULL")),  # none for bots
    Column("came_at", UtcTime, nullable=False),
    Column("total", sa.Integer),
    Column("won", sa.Boolean, nullable=False),
    Index("ix_match_players_person_id_match_id", "person_id", "match_id"),
)

hands = Table(
    "hands",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", sa.Integer, primary_key=True, autoincrement=False),  # from 0
    Column("ended_at", UtcTime, nullable=False),
    Column("record", Json, nullable=False),  # one element of a record's `hands`
    Column("events", Json, nullable=False),  # the public ones, as they happened
    Column("result", Json, nullable=False),  # standing, titles, ledger, events
)

_one_hand = ("match_id", "hand"), ("hands.match_id", "hands.number")

standings = Table(
    "standings",
    metadata,
    Column("match_id", CleanText, primary_key=True),
    Column("hand", sa.Integer, primary_key=True, autoincrement=False),
    Column("name", CleanText, primary_key=True),
    Column("place", sa.Integer, nullable=False),  # from 1; those who share one have the same
    Column("title", CleanText),
    ForeignKeyConstraint(*_one_hand, ondelete="CASCADE"),
    sqlite_with_rowid=False,
)

ledger = Table(
    "ledger",
    metadata,
    Column("match_id", CleanText, primary_key=True),
    Column("hand", sa.Integer, primary_key=True, autoincrement=False),
    Column("name", CleanText, primary_key=True),
    Column("points", sa.Integer, nullable=False),  # what this hand added
    Column("total", sa.Integer, nullable=False),  # afterwards
    ForeignKeyConstraint(*_one_hand, ondelete="CASCADE"),
    sqlite_with_rowid=False,
)
