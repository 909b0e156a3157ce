"""Define the tables: people, rooms and their logs, the history of matches, and the statistics derived from it.

Migrations create these tables, and a test compares them with this module. docs/database.md describes each table.

Every table belongs to one of four groups (`TableGroup`). In a table of rooms, `room_id` comes first in the primary key
and in every unique index, and each foreign key stays in one room. In a table of people, the same holds for `person_id`.
Only the tables of the group "directory" find a room or person by another value, such as a room code. PostgreSQL can
therefore partition tables of rooms and people by hash, or distribute them over several machines (Citus).
"""

from typing import Any, Final, Literal, TypeAlias

import sqlalchemy as sa
from sqlalchemy import Column, ForeignKey, ForeignKeyConstraint, Index, Table

from app.store.db.types import CleanText, Json, UtcTime

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


TableGroup: TypeAlias = Literal["room", "person", "directory", "server"]
"""What the rows of a table belong to.

`room`: rows of one room. `person`: rows of one person. `directory`: small rows that find a room or person by a value
that is unique on the whole server. `server`: a few rows, or short lists, of the server itself.
"""
_ROOM: Final[dict[str, TableGroup]] = {"group": "room"}
_PERSON: Final[dict[str, TableGroup]] = {"group": "person"}
_DIRECTORY: Final[dict[str, TableGroup]] = {"group": "directory"}
_SERVER: Final[dict[str, Any]] = {"group": "server"}


def table_group(table: Table) -> TableGroup:
    """Return the group of a table."""
    group: TableGroup = table.info["group"]
    return group


def tables_in_backups() -> list[Table]:
    """Return the tables that a backup contains, each after the tables that it refers to."""
    return [table for table in metadata.sorted_tables if table.info.get("backed_up", True)]


def _current_only(table: Table) -> dict[str, Any]:
    """Return the index options that limit an index to the rooms' current codes, for both databases."""
    return {f"{dialect}_where": table.c.valid_until.is_(None) for dialect in ("sqlite", "postgresql")}


# People

people = Table(
    "people",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("name", CleanText),  # as last used
    Column("avatar", CleanText),  # the bird that the person chose; null: the room picks one
    Column("colour", CleanText),
    Column("language", CleanText),  # a tag: chosen last, or that of the first browser; it may be one that we lack
    Column("created_at", UtcTime, nullable=False),
    Column("last_seen_at", UtcTime, nullable=False),
    Column("deleted_at", UtcTime),  # the person's results stay, without their name
    info=_PERSON,
)

# Finds the person of a cookie.
devices = Table(
    "devices",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("token_hash", CleanText, nullable=False, unique=True),  # SHA-256 of the secret in the browser's cookie
    Column("label", CleanText),  # kind of browser, from its user agent
    Column("created_at", UtcTime, nullable=False),
    Column("last_seen_at", UtcTime, nullable=False),
    info=_DIRECTORY,
)

# Finds the person of a link that signs in another browser.
device_links = Table(
    "device_links",
    metadata,
    Column("token_hash", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("used_at", UtcTime),
    # True: the browser that opens the link is added to the person's devices; False: it replaces them.
    Column("keeps_other_devices", sa.Boolean, nullable=False, server_default=sa.false()),
    info=_DIRECTORY,
)

# House rules that a person saved by name.
saved_rules = Table(
    "saved_rules",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("id", CleanText, primary_key=True),
    Column("game", CleanText, nullable=False),
    Column("name", CleanText, nullable=False),
    Column("name_key", CleanText, nullable=False),  # normalized name: a person's names are unique for each game
    Column("options", Json, nullable=False),  # the preset and all options at that time
    Column("changed_options", Json, nullable=False),  # the options that differ from the preset
    Column("saved_at", UtcTime, nullable=False),
    Index("ix_saved_rules_person_id_game_name_key", "person_id", "game", "name_key", unique=True),
    info=_PERSON,
)

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("person_id", CleanText, primary_key=True),
    # Deleted together with its device.
    Column("device_id", ForeignKey("devices.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("endpoint", CleanText, nullable=False, index=True),  # URL of the browser's push service
    Column("p256dh", CleanText, nullable=False),  # public key to encrypt messages
    Column("auth", CleanText, nullable=False),
    Column("language", CleanText, nullable=False),
    Column("origin", CleanText, nullable=False),  # our address in this browser
    Column("created_at", UtcTime, nullable=False),
    Column("last_sent_at", UtcTime),
    Column("failure_count", sa.Integer, nullable=False),  # failed deliveries since the last success
    info=_PERSON,
)

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", CleanText, primary_key=True),
    Column("secret", CleanText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    info=_SERVER,
)

# Unused rooms and people are listed here before they are deleted. Times are seconds of server running time, not clock
# times.

planned_deletions = Table(
    "planned_deletions",
    metadata,
    Column("kind", CleanText, primary_key=True),  # rooms, people
    Column("id", CleanText, primary_key=True),
    Column("due_seconds", sa.Float, nullable=False),
    sqlite_with_rowid=False,
    info=_SERVER,
)

cleanup_times = Table(
    "cleanup_times",
    metadata,
    Column("kind", CleanText, primary_key=True),
    Column("running_seconds", sa.Float, nullable=False),  # running time so far
    Column("last_deletion_seconds", sa.Float),  # running time at the last deletion
    sqlite_with_rowid=False,
    info=_SERVER,
)

# The static files of this version and of the one before, so that pages that are open during an upgrade can load what
# they need. Each node stores its own files when it starts, so they are not part of a backup.
static_files = Table(
    "static_files",
    metadata,
    Column("version", CleanText, primary_key=True),  # the hash of all files, as in their URLs
    Column("path", CleanText, primary_key=True),
    Column("stored_at", UtcTime, nullable=False),  # when a node of this version first started, for all its files
    Column("content", sa.LargeBinary, nullable=False),  # compressed if its type is sent so
    info=_SERVER | {"backed_up": False},
)

# When something last happened on the server, such as a backup.
server_times = Table(
    "server_times",
    metadata,
    Column("name", CleanText, primary_key=True),  # last_backup
    Column("happened_at", UtcTime, nullable=False),
    sqlite_with_rowid=False,
    info=_SERVER,
)

# Networks whose requests are refused.
bans = Table(
    "bans",
    metadata,
    Column("network", CleanText, primary_key=True),  # such as 192.0.2.0/24
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    sqlite_with_rowid=False,
    info=_SERVER,
)

# Changes that operators made by commands. Each running server writes them to its log.
operator_actions = Table(
    "operator_actions",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("happened_at", UtcTime, nullable=False),
    Column("command", CleanText, nullable=False),
    Column("subject", CleanText, nullable=False),  # the id of a room or a person, or a network
    sqlite_with_rowid=False,
    info=_SERVER,
)

# Rooms: the log contains the complete state

rooms = Table(
    "rooms",
    metadata,
    Column("id", CleanText, primary_key=True),  # never changes; the code, for rooms older than ids
    Column("created_at", UtcTime, nullable=False),
    # Updated about once a hand (with snapshots and facts), so that an action writes one row only.
    Column("active_at", UtcTime, nullable=False, index=True),
    info=_ROOM,
)

# Finds the room of a code or an invitation. Directories have no foreign keys to rooms: a directory may be copied to
# machines that do not have the room.
room_codes = Table(
    "room_codes",
    metadata,
    Column("code", CleanText, primary_key=True),
    Column("invite", CleanText, nullable=False, unique=True),
    Column("room_id", CleanText, nullable=False, index=True),
    Column("valid_from", UtcTime, nullable=False),
    Column("valid_until", UtcTime),
    info=_DIRECTORY,
)
# Each room has one current code. Its old codes still lead its members to the room, and are never reused.
Index("ix_room_codes_current", room_codes.c.room_id, unique=True, **_current_only(room_codes))

# Finds the room of a link to its statistics, if the host created one.
stats_links = Table(
    "stats_links",
    metadata,
    Column("token", CleanText, primary_key=True),
    Column("room_id", CleanText, nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
    info=_DIRECTORY,
)

# Finds the room of a match, or the person who imported it. Public addresses contain only the id of the match.
match_directory = Table(
    "match_directory",
    metadata,
    Column("match_id", CleanText, primary_key=True),
    Column("room_id", CleanText),  # null for an imported match
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), index=True),  # null for a played match
    sa.CheckConstraint("(room_id IS NULL) <> (person_id IS NULL)", name="one_owner"),
    sqlite_with_rowid=False,
    info=_DIRECTORY,
)

# Chat is not part of the log: it is deleted with its match.
chat_messages = Table(
    "chat_messages",
    metadata,
    Column("room_id", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("id", sa.Integer, primary_key=True, autoincrement=False),
    Column("match_id", CleanText, nullable=False),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", CleanText, nullable=False),
    Column("sent_at", UtcTime, nullable=False),
    Column("text", CleanText),
    Column("quick_message", CleanText),
    info=_ROOM,
)

room_events = Table(
    "room_events",
    metadata,
    Column("room_id", ForeignKey("rooms.id"), primary_key=True),
    Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    Column("created_at", UtcTime, nullable=False),
    Column("event_type", CleanText, nullable=False),
    Column("data", Json, nullable=False),
    Column("checksum", sa.BigInteger),  # of the whole entry (checksum.py); null for entries older than checksums
    # Keeps rowids on SQLite: new entries go to the end, so that long texts are not inserted into the middle of a tree.
    info=_ROOM,
)

room_snapshots = Table(
    "room_snapshots",
    metadata,
    Column("room_id", ForeignKey("rooms.id"), primary_key=True),  # the newest one only
    Column("seq", sa.Integer, nullable=False),
    Column("state", Json, nullable=False),
    info=_ROOM,
)

room_visits = Table(
    "room_visits",
    metadata,
    Column("room_id", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("last_visited_at", UtcTime, nullable=False),
    Index("ix_room_visits_person_id_last_visited_at", "person_id", "last_visited_at"),
    sqlite_with_rowid=False,
    info=_ROOM,
)

# History

matches = Table(
    "matches",
    metadata,
    Column("room_id", ForeignKey("rooms.id"), primary_key=True),
    Column("id", CleanText, primary_key=True),
    Column("game", CleanText, nullable=False),
    Column("options", Json, nullable=False),
    Column("players", Json, nullable=False),  # names, clockwise, as seated for the first hand
    Column("started_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    Column("winners", Json),
    Column("trailing_actions", Json),  # actions after the last hand: `between` of a record's last element
    # A very long match continues in another row (a new volume): id of the previous row, and the state at its end.
    Column("previous_match_id", CleanText),
    Column("initial_state", Json),
    Column("origin", Json),  # source of the cards, if they were known (Origin); such a match is not counted
    Column("cancelled_deals", Json),  # deals cancelled after the last hand: `cancelled` of a record
    Index("ix_matches_room_id_started_at", "room_id", "started_at", "id"),
    info=_ROOM,
)

_MATCH: Final = (("room_id", "match_id"), ("matches.room_id", "matches.id"))

match_players = Table(
    "match_players",
    metadata,
    Column("room_id", CleanText, primary_key=True),
    Column("match_id", CleanText, primary_key=True),
    Column("name", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="SET NULL")),  # null for bots
    Column("joined_at", UtcTime, nullable=False),
    Column("total", sa.Integer),
    Column("won", sa.Boolean, nullable=False),
    # Copied from the match, so that an index finds a person's matches in order, by game or by room.
    Column("started_at", UtcTime, nullable=False),
    Column("game", CleanText, nullable=False),
    ForeignKeyConstraint(*_MATCH, ondelete="CASCADE"),
    Index("ix_match_players_person_id_started_at", "person_id", "started_at", "match_id"),
    Index("ix_match_players_person_id_game_started_at", "person_id", "game", "started_at", "match_id"),
    Index("ix_match_players_person_id_room_id_started_at", "person_id", "room_id", "started_at", "match_id"),
    info=_ROOM,
)

hands = Table(
    "hands",
    metadata,
    Column("room_id", CleanText, primary_key=True),
    Column("match_id", CleanText, primary_key=True),
    Column("hand_number", sa.Integer, primary_key=True, autoincrement=False),  # from 0
    Column("ended_at", UtcTime, nullable=False),
    Column("record", Json, nullable=False),  # one element of a record's `hands`
    Column("events", Json, nullable=False),  # public events, in order
    Column("result", Json, nullable=False),  # standing, titles, ledger, events, reasons
    Column("totals", Json),  # after the hand, by name; null if the hand was aborted
    # True: the hand was aborted and is not counted.
    Column("is_aborted", sa.Boolean, nullable=False, server_default=sa.false()),
    ForeignKeyConstraint(*_MATCH, ondelete="CASCADE"),
    info=_ROOM,
)

hand_initial_states = Table(
    "hand_initial_states",
    metadata,
    Column("room_id", CleanText, primary_key=True),
    Column("match_id", CleanText, primary_key=True),
    Column("hand_number", sa.Integer, primary_key=True, autoincrement=False),  # from 0
    # State right before the deal, so that a hand of a long match can be replayed without the earlier hands.
    Column("state", Json, nullable=False),
    ForeignKeyConstraint(*_MATCH, ondelete="CASCADE"),
    sqlite_with_rowid=False,
    info=_ROOM,
)

point_adjustments = Table(
    "point_adjustments",
    metadata,
    Column("room_id", CleanText, primary_key=True),
    Column("match_id", CleanText, primary_key=True),
    Column("before_hand", sa.Integer, primary_key=True, autoincrement=False),  # entered before this hand, from 0
    Column("name", CleanText, primary_key=True),
    Column("position", sa.Integer, primary_key=True, autoincrement=False),  # in the list of score lines
    Column("reason_key", CleanText, nullable=False),
    Column("reason_values", Json, nullable=False),
    Column("amount", sa.Integer, nullable=False),
    Column("unit", CleanText, nullable=False),
    ForeignKeyConstraint(*_MATCH, ondelete="CASCADE"),
    sqlite_with_rowid=False,
    info=_ROOM,
)

# Matches from files: they belong to the person who imported them, to no room, and are not counted.

imported_matches = Table(
    "imported_matches",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("id", CleanText, primary_key=True),
    Column("imported_at", UtcTime, nullable=False),
    Column("content_hash", CleanText, nullable=False),  # of its record: each person has a match at most once
    Column("game", CleanText, nullable=False),
    Column("options", Json, nullable=False),
    Column("players", Json, nullable=False),  # names, clockwise, as seated for the first hand
    Column("totals", Json, nullable=False),  # of all players
    Column("winners", Json, nullable=False),
    Column("trailing_actions", Json),
    Column("initial_state", Json),  # as in matches
    Column("origin", Json),  # how, hand and move; the other match is unknown
    Column("cancelled_deals", Json),
    Column("hand_count", sa.Integer, nullable=False),  # finished hands
    Column("is_finished", sa.Boolean, nullable=False),
    Column("size_bytes", sa.Integer, nullable=False, server_default="0"),  # size of its JSON, including its hands
    Index("ix_imported_matches_person_id_content_hash", "person_id", "content_hash", unique=True),
    Index("ix_imported_matches_person_id_imported_at", "person_id", "imported_at", "id"),
    info=_PERSON,
)

imported_hands = Table(
    "imported_hands",
    metadata,
    Column("person_id", CleanText, primary_key=True),
    Column("match_id", CleanText, primary_key=True),
    Column("hand_number", sa.Integer, primary_key=True, autoincrement=False),  # from 0
    Column("record", Json, nullable=False),
    Column("events", Json, nullable=False),
    Column("result", Json, nullable=False),
    Column("totals", Json),  # null if the hand was not finished
    Column("initial_state", Json),  # right before the deal, as in hand_initial_states; null in older imports
    ForeignKeyConstraint(
        ("person_id", "match_id"), ("imported_matches.person_id", "imported_matches.id"), ondelete="CASCADE"
    ),
    info=_PERSON,
)

# Statistics of finished hands. Pages sum these rows up (app/store/history/tallies.py). They are derived from the tables
# above and can be rebuilt (rebuild.py). A `player_key` is a person's id, or a colon and the name of a bot
# (app/stats/counted_hand.py). A room numbers its hands from 1, over all matches (`room_hand_number`), and its game
# sessions, which are hands without a long gap between them.

counted_hands = Table(
    "counted_hands",
    metadata,
    Column("room_id", ForeignKey("rooms.id"), primary_key=True),
    Column("room_hand_number", sa.Integer, primary_key=True, autoincrement=False),
    Column("match_id", CleanText, nullable=False),
    Column("hand_number", sa.Integer, nullable=False),
    Column("game", CleanText, nullable=False),
    Column("session_number", sa.Integer, nullable=False),
    Column("ended_at", UtcTime, nullable=False),
    Column("ranking", Json),  # places of the rated people as first counted; null: ratings unchanged
    # Order in which hands with a common player were rated; hands without a common player may have the same number.
    Column("rating_order", sa.Integer),
    Column("with_bots", sa.Boolean, nullable=False, server_default=sa.false()),  # whether at least one bot played it
    Column("last_place", sa.Integer),  # the worst place; null if nobody has a place
    Column("last_rank", sa.Integer),  # the lowest rank after the hand; null without a hierarchy
    Column("last_rank_before", sa.Integer),  # the lowest rank at the deal
    ForeignKeyConstraint(
        ("room_id", "match_id", "hand_number"), ("hands.room_id", "hands.match_id", "hands.hand_number")
    ),
    Index("ix_counted_hands_room_id_match_id_hand_number", "room_id", "match_id", "hand_number", unique=True),
    Index("ix_counted_hands_room_id_session_number", "room_id", "session_number", "room_hand_number"),
    sqlite_with_rowid=False,
    info=_ROOM,
)

_COUNTED_HAND: Final = (
    ("room_id", "room_hand_number"),
    ("counted_hands.room_id", "counted_hands.room_hand_number"),
)

counted_hand_players = Table(
    "counted_hand_players",
    metadata,
    Column("room_id", CleanText, primary_key=True),
    Column("room_hand_number", sa.Integer, primary_key=True, autoincrement=False),
    Column("player_key", CleanText, primary_key=True),
    Column("name", CleanText, nullable=False),  # in that match
    Column("place", sa.Integer),  # from 1; equal for shared places
    Column("points", sa.Integer, nullable=False),  # points of this hand
    Column("total", sa.Integer),  # match total after the hand
    Column("luck", sa.Integer),  # 0 to 100
    Column("title_before", CleanText),
    Column("title", CleanText),
    Column("rank_before", sa.Integer),  # in the hierarchy, from 1
    Column("rank_after", sa.Integer),
    Column("performance", sa.Integer),  # 0 to 100, from the place (app/stats/tallies.py); null without a place
    ForeignKeyConstraint(*_COUNTED_HAND, ondelete="CASCADE"),
    Index("ix_counted_hand_players_player_key", "player_key", "room_id", "room_hand_number"),
    sqlite_with_rowid=False,
    info=_ROOM,
)

point_reasons = Table(
    "point_reasons",
    metadata,
    Column("room_id", CleanText, primary_key=True),
    Column("room_hand_number", sa.Integer, primary_key=True, autoincrement=False),
    Column("position", sa.Integer, primary_key=True, autoincrement=False),  # in the hand's list
    Column("player_key", CleanText, nullable=False),
    Column("name", CleanText, nullable=False),
    Column("reason_key", CleanText, nullable=False),
    Column("reason_values", Json, nullable=False),
    Column("amount", sa.Integer, nullable=False),
    Column("unit", CleanText, nullable=False),
    ForeignKeyConstraint(*_COUNTED_HAND, ondelete="CASCADE"),
    sqlite_with_rowid=False,
    info=_ROOM,
)

highlights = Table(
    "highlights",
    metadata,
    Column("room_id", CleanText, primary_key=True),
    Column("room_hand_number", sa.Integer, primary_key=True, autoincrement=False),
    Column("position", sa.Integer, primary_key=True, autoincrement=False),  # in the hand's list
    Column("ended_at", UtcTime, nullable=False),  # when the hand ended
    Column("action_number", sa.Integer),  # 0: the deal; null: between hands
    Column("event_type", CleanText, nullable=False),
    Column("player_key", CleanText),
    Column("name", CleanText),
    Column("cause", CleanText),
    Column("event_values", Json, nullable=False),
    ForeignKeyConstraint(*_COUNTED_HAND, ondelete="CASCADE"),
    Index("ix_highlights_room_id_event_type", "room_id", "event_type", "room_hand_number"),
    Index("ix_highlights_player_key_ended_at", "player_key", "ended_at"),
    sqlite_with_rowid=False,
    info=_ROOM,
)

merged_players = Table(
    "merged_players",
    metadata,
    Column("room_id", ForeignKey("rooms.id"), primary_key=True),
    # A player who returned with another browser, as the host said: statistics of the room count `player_key` as
    # `merged_into`.
    Column("player_key", CleanText, primary_key=True),
    Column("merged_into", CleanText, nullable=False),
    Index("ix_merged_players_merged_into", "merged_into"),
    sqlite_with_rowid=False,
    info=_ROOM,
)

ratings = Table(
    "ratings",
    metadata,
    Column("person_id", CleanText, primary_key=True),
    Column("game", CleanText, primary_key=True),
    Column("mu", sa.Float, nullable=False),
    Column("sigma", sa.Float, nullable=False),
    Column("hands", sa.Integer, nullable=False),
    # `rating_order` of the person's last rated hand. Their next hand gets a higher number, without a look at other
    # rooms.
    Column("rating_order", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
    info=_PERSON,
)
