"""Define the tables: people, rooms and their logs, the history of matches, and the statistics derived from it.

Migrations create these tables, and a test compares them with this module. Constraint names follow one convention, so
that a migration can name a constraint on any database.
"""

from typing import Any

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


def _current_only(table: Table) -> dict[str, Any]:
    """Return the options that limit an index on addresses to the rooms' current ones, for both databases."""
    return {f"{dialect}_where": table.c.until.is_(None) for dialect in ("sqlite", "postgresql")}


# People

people = Table(
    "people",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("name", CleanText),  # as last used
    Column("bird", CleanText),  # as chosen; null: the room picks one
    Column("colour", CleanText),
    Column("created_at", UtcTime, nullable=False),
    Column("seen_at", UtcTime, nullable=False),
    Column("forgotten_at", UtcTime),  # time of deletion: the person's results stay, without their name
)

devices = Table(
    "devices",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("token_hash", CleanText, nullable=False, unique=True),  # SHA-256 of the secret in the browser's cookie
    Column("label", CleanText),  # kind of browser, from its user agent
    Column("made_at", UtcTime, nullable=False),
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
    # True: the browser that opens the link is added to the person's devices; False: it replaces them.
    Column("adds", sa.Boolean, nullable=False, server_default=sa.false()),
)

# House rules that a person saved by name.
house_rules = Table(
    "house_rules",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("game", CleanText, nullable=False),
    Column("name", CleanText, nullable=False),
    Column("same", CleanText, nullable=False),  # normalized name: a person's names are unique for each game
    Column("options", Json, nullable=False),  # the preset and all options at that time
    Column("changed", Json, nullable=False),  # the options that differ from the preset
    Column("kept_at", UtcTime, nullable=False),
    Index("ix_house_rules_person_id_game_same", "person_id", "game", "same", unique=True),
)

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    # Deleted together with its device.
    Column("device_id", ForeignKey("devices.id", ondelete="CASCADE"), primary_key=True),
    Column("endpoint", CleanText, nullable=False, unique=True),  # URL of the browser's push service
    Column("p256dh", CleanText, nullable=False),  # public key to encrypt messages
    Column("auth", CleanText, nullable=False),
    Column("language", CleanText, nullable=False),
    Column("site", CleanText, nullable=False),  # our address in this browser
    Column("since", UtcTime, nullable=False),
    Column("called_at", UtcTime),
    Column("missed", sa.Integer, nullable=False),  # failed deliveries since the last success
)

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", CleanText, primary_key=True),
    Column("secret", CleanText, nullable=False),
    Column("made_at", UtcTime, nullable=False),
)

# Unused rooms and people are listed here before they are deleted. Times are seconds of server running time, not clock
# times.

planned_deletions = Table(
    "planned_deletions",
    metadata,
    Column("kind", CleanText, primary_key=True),  # rooms, people
    Column("id", CleanText, primary_key=True),
    Column("due", sa.Float, nullable=False),
    sqlite_with_rowid=False,
)

cleanup_time = Table(
    "cleanup_time",
    metadata,
    Column("kind", CleanText, primary_key=True),
    Column("seconds", sa.Float, nullable=False),  # running time so far
    Column("deleted_at", sa.Float),  # running time at the last deletion
    sqlite_with_rowid=False,
)

# Rooms: the log contains the complete state

rooms = Table(
    "rooms",
    metadata,
    Column("id", CleanText, primary_key=True),  # never changes; the code, for rooms older than ids
    Column("created_at", UtcTime, nullable=False),
    # Updated about once a hand (with snapshots and facts), so that an action writes one row only.
    Column("active_at", UtcTime, nullable=False, index=True),
)

addresses = Table(
    "addresses",
    metadata,
    Column("code", CleanText, primary_key=True),
    Column("invite", CleanText, nullable=False, unique=True),
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("since", UtcTime, nullable=False),
    Column("until", UtcTime),
)
# Each room has one current address. Its old addresses still lead its members to the room, and are never reused.
Index("ix_addresses_current", addresses.c.room, unique=True, **_current_only(addresses))

book_links = Table(
    "book_links",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    # secret of the link to the room's statistics, if the host created one
    Column("secret", CleanText, nullable=False, unique=True),
    Column("since", UtcTime, nullable=False),
)

# Chat is not part of the log: it is deleted with its match.
chat_lines = Table(
    "chat_lines",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("id", sa.Integer, primary_key=True, autoincrement=False),
    Column("match_id", CleanText, nullable=False),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", CleanText, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("text", CleanText),
    Column("quick", CleanText),
)

room_entry = Table(
    "room_entry",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    Column("at", UtcTime, nullable=False),
    Column("kind", CleanText, nullable=False),
    Column("data", Json, nullable=False),
    Column("checksum", sa.BigInteger),  # of the whole entry (checksum.py); null for entries older than checksums
    # Keeps rowids on SQLite: new entries go to the end, so that long texts are not inserted into the middle of a tree.
)

room_snapshot = Table(
    "room_snapshot",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),  # the newest one only
    Column("seq", sa.Integer, nullable=False),
    Column("state", Json, nullable=False),
)

visits = Table(
    "visits",
    metadata,
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("last_at", UtcTime, nullable=False),
    Index("ix_visits_person_id_last_at", "person_id", "last_at"),
    sqlite_with_rowid=False,
)

# History

matches = Table(
    "matches",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("room", ForeignKey("rooms.id"), nullable=False),
    Column("game", CleanText, nullable=False),
    Column("options", Json, nullable=False),
    Column("players", Json, nullable=False),  # names, clockwise, as seated for the first hand
    Column("started_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    Column("winners", Json),
    Column("after", Json),  # actions after the last hand: `between` of a record's last element
    # A very long match continues in another row (a new volume): id of the previous row, and the society at its end.
    Column("continues", CleanText, index=True),
    Column("carried", Json),
    Column("origin", Json),  # source of the cards, if they were known (Origin); such a match is not counted
    Index("ix_matches_room_started_at", "room", "started_at", "id"),
)

match_players = Table(
    "match_players",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("name", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="SET NULL")),  # null for bots
    Column("came_at", UtcTime, nullable=False),
    Column("total", sa.Integer),
    Column("won", sa.Boolean, nullable=False),
    # Copied from the match, so that an index finds a person's matches in order, by game or by room.
    Column("started_at", UtcTime, nullable=False),
    Column("game", CleanText, nullable=False),
    Column("room", CleanText, nullable=False),
    Index("ix_match_players_person_id_started_at", "person_id", "started_at", "match_id"),
    Index("ix_match_players_person_id_game_started_at", "person_id", "game", "started_at", "match_id"),
    Index("ix_match_players_person_id_room_started_at", "person_id", "room", "started_at", "match_id"),
)

hands = Table(
    "hands",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", sa.Integer, primary_key=True, autoincrement=False),  # from 0
    Column("ended_at", UtcTime, nullable=False),
    Column("record", Json, nullable=False),  # one element of a record's `hands`
    Column("events", Json, nullable=False),  # public events, in order
    Column("result", Json, nullable=False),  # standing, titles, ledger, events, reasons
    Column("totals", Json),  # after the hand, by name; null if the hand was aborted
    # True: the hand was aborted and is not counted.
    Column("cut_off", sa.Boolean, nullable=False, server_default=sa.false()),
)

hand_starts = Table(
    "hand_starts",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", sa.Integer, primary_key=True, autoincrement=False),  # number of the hand, from 0
    # State right before the deal, so that a hand of a long match can be replayed without the earlier hands.
    Column("society", Json, nullable=False),
    sqlite_with_rowid=False,
)

entered = Table(
    "entered",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("hand", sa.Integer, primary_key=True, autoincrement=False),  # points were entered before this hand, from 0
    Column("name", CleanText, primary_key=True),
    Column("place", sa.Integer, primary_key=True, autoincrement=False),  # position in the list of score lines
    Column("key", CleanText, nullable=False),
    Column("values", Json, nullable=False),
    Column("amount", sa.Integer, nullable=False),
    Column("unit", CleanText, nullable=False),
    sqlite_with_rowid=False,
)

# Matches from files: they belong to the person who imported them, to no room, and are not counted.

imported_matches = Table(
    "imported_matches",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("imported_at", UtcTime, nullable=False),
    Column("digest", CleanText, nullable=False),  # of its record: each person has a match at most once
    Column("game", CleanText, nullable=False),
    Column("options", Json, nullable=False),
    Column("players", Json, nullable=False),  # names, clockwise, as seated for the first hand
    Column("totals", Json, nullable=False),  # of all players
    Column("winners", Json, nullable=False),
    Column("after", Json),
    Column("carried", Json),  # as in matches
    Column("origin", Json),  # how, hand and move; the other match is unknown
    Column("hands", sa.Integer, nullable=False),  # finished hands
    Column("over", sa.Boolean, nullable=False),
    Column("bytes", sa.Integer, nullable=False, server_default="0"),  # size of its JSON, including its hands
    Index("ix_imported_matches_person_id_digest", "person_id", "digest", unique=True),
    Index("ix_imported_matches_person_id_imported_at", "person_id", "imported_at", "id"),
)

imported_hands = Table(
    "imported_hands",
    metadata,
    Column("match_id", ForeignKey("imported_matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", sa.Integer, primary_key=True, autoincrement=False),  # from 0
    Column("record", Json, nullable=False),
    Column("events", Json, nullable=False),
    Column("result", Json, nullable=False),
    Column("totals", Json),  # null if the hand was not finished
    Column("society", Json),  # state right before the deal, as in hand_starts; null in older imports
)

# Statistics of finished hands. They are derived from the tables above and can be rebuilt (rebuild.py). A `player` is a
# person's id, or a colon and the name of a bot (app/stats/counted_hand.py).

books = Table(
    "books",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("version", sa.Integer, nullable=False),  # version of the counting method; an old version is rebuilt
    Column("hands", sa.Integer, nullable=False),
    Column("evening", sa.Integer, nullable=False),  # number of the last evening
    Column("last_at", UtcTime),  # when the last hand ended
)

room_hands = Table(
    "room_hands",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("nth", sa.Integer, primary_key=True, autoincrement=False),  # from 1, over all matches of the room
    Column("match_id", CleanText, nullable=False),
    Column("hand", sa.Integer, nullable=False),
    Column("game", CleanText, nullable=False),
    Column("evening", sa.Integer, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("ranked", Json),  # places of the rated people as first counted; null: ratings unchanged
    Column("rated", sa.Integer),  # order in which hands were rated
    Column("with_bots", sa.Boolean, nullable=False, server_default=sa.false()),  # whether at least one bot played it
    ForeignKeyConstraint(("match_id", "hand"), ("hands.match_id", "hands.number")),
    Index("ix_room_hands_match_id_hand", "match_id", "hand", unique=True),
    Index("ix_room_hands_rated", "rated"),
    Index("ix_room_hands_room_evening_nth", "room", "evening", "nth"),
    sqlite_with_rowid=False,
)

hand_players = Table(
    "hand_players",
    metadata,
    Column("room", CleanText, primary_key=True),
    Column("nth", sa.Integer, primary_key=True, autoincrement=False),
    Column("player", CleanText, primary_key=True),
    Column("name", CleanText, nullable=False),  # in that match
    Column("place", sa.Integer),  # from 1; equal for shared places
    Column("points", sa.Integer, nullable=False),  # points of this hand
    Column("total", sa.Integer),  # match total after the hand
    Column("luck", sa.Integer),  # 0 to 100
    Column("title_before", CleanText),
    Column("title", CleanText),
    Column("rank_before", sa.Integer),  # in the hierarchy, from 1
    Column("rank", sa.Integer),
    ForeignKeyConstraint(("room", "nth"), ("room_hands.room", "room_hands.nth"), ondelete="CASCADE"),
    sqlite_with_rowid=False,
)

reasons = Table(
    "reasons",
    metadata,
    Column("room", CleanText, primary_key=True),
    Column("nth", sa.Integer, primary_key=True, autoincrement=False),
    Column("place", sa.Integer, primary_key=True, autoincrement=False),  # in the hand's list
    Column("player", CleanText, nullable=False),
    Column("name", CleanText, nullable=False),
    Column("key", CleanText, nullable=False),
    Column("values", Json, nullable=False),
    Column("amount", sa.Integer, nullable=False),
    Column("unit", CleanText, nullable=False),
    ForeignKeyConstraint(("room", "nth"), ("room_hands.room", "room_hands.nth"), ondelete="CASCADE"),
    sqlite_with_rowid=False,
)

moments = Table(
    "moments",
    metadata,
    Column("room", CleanText, primary_key=True),
    Column("nth", sa.Integer, primary_key=True, autoincrement=False),
    Column("place", sa.Integer, primary_key=True, autoincrement=False),  # in the hand's list
    Column("at", UtcTime, nullable=False),  # when the hand ended
    Column("n", sa.Integer),  # number of the action; 0: the deal; null: between hands
    Column("what", CleanText, nullable=False),
    Column("player", CleanText),
    Column("name", CleanText),
    Column("cause", CleanText),
    Column("values", Json, nullable=False),
    ForeignKeyConstraint(("room", "nth"), ("room_hands.room", "room_hands.nth"), ondelete="CASCADE"),
    Index("ix_moments_room_what_nth", "room", "what", "nth"),
    Index("ix_moments_player_at", "player", "at"),
    sqlite_with_rowid=False,
)

evenings = Table(
    "evenings",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("number", sa.Integer, primary_key=True, autoincrement=False),  # from 1
    Column("began_at", UtcTime, nullable=False),  # when its first hand ended
    Column("ended_at", UtcTime, nullable=False),
    Column("first", sa.Integer, nullable=False),  # `nth` of its first hand in the room
    Column("hands", sa.Integer, nullable=False),
    Column("with_bots", sa.Integer, nullable=False, server_default="0"),  # hands in which at least one bot played
    sqlite_with_rowid=False,
)

evening_players = Table(
    "evening_players",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("evening", sa.Integer, primary_key=True, autoincrement=False),
    Column("game", CleanText, primary_key=True),
    Column("player", CleanText, primary_key=True),
    Column("at", UtcTime, nullable=False),  # when their last hand ended
    Column("hands", sa.Integer, nullable=False),
    Column("first", sa.Integer, nullable=False),  # this and the following counts: same as in the tallies
    Column("points", sa.Integer, nullable=False),
    Column("top", sa.Integer, nullable=False),
    Column("bottom", sa.Integer, nullable=False),
    Column("luck", sa.Integer, nullable=False),
    Column("made", sa.Integer, nullable=False),
    Column("dealt", sa.Integer, nullable=False),
    Index("ix_evening_players_player_at", "player", "at"),
    sqlite_with_rowid=False,
)

room_players = Table(
    "room_players",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("player", CleanText, primary_key=True),
    Column("name", CleanText, nullable=False),  # as last used in a match
    Column("hands", sa.Integer, nullable=False),
    Column("first_at", UtcTime, nullable=False),
    Column("last_at", UtcTime, nullable=False),
    Column("with_bots", sa.Integer, nullable=False, server_default="0"),  # hands in which at least one bot played
    Index("ix_room_players_player_last_at", "player", "last_at"),
    sqlite_with_rowid=False,
)

same_players = Table(
    "same_players",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    # A player who returned with another browser, as the host said: statistics of the room count `player` as
    # `is_player`.
    Column("player", CleanText, primary_key=True),
    Column("is_player", CleanText, nullable=False),
    Index("ix_same_players_is_player", "is_player"),
    sqlite_with_rowid=False,
)

tallies = Table(
    "tallies",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("game", CleanText, primary_key=True),
    Column("player", CleanText, primary_key=True),
    Column("key", CleanText, primary_key=True),  # see app/stats/tallies.py; without the keys that evening_players has
    Column("n", sa.Integer, nullable=False),
    Index("ix_tallies_player", "player"),
    sqlite_with_rowid=False,
)

pairs = Table(
    "pairs",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("game", CleanText, primary_key=True),
    Column("player", CleanText, primary_key=True),
    Column("other", CleanText, primary_key=True),  # its id sorts after that of `player`
    Column("together", sa.Integer, nullable=False),
    Column("above", sa.Integer, nullable=False),  # hands in which `player` was placed above `other`
    Column("below", sa.Integer, nullable=False),
    Index("ix_pairs_player", "player"),
    Index("ix_pairs_other", "other"),
    sqlite_with_rowid=False,
)

reigns = Table(
    "reigns",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("game", CleanText, primary_key=True),
    Column("end", CleanText, primary_key=True),  # end of the hierarchy: top or bottom
    Column("began", sa.Integer, primary_key=True, autoincrement=False),  # `nth` of its first hand in the room
    Column("player", CleanText, nullable=False),
    Column("hands", sa.Integer, nullable=False),
    Column("began_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime, nullable=False),  # so far
    Index("ix_reigns_room_game_end_hands", "room", "game", "end", "hands", "began"),
    Index("ix_reigns_player_game_end_hands", "player", "game", "end", "hands"),
    sqlite_with_rowid=False,
)

ratings = Table(
    "ratings",
    metadata,
    Column("person", CleanText, primary_key=True),
    Column("game", CleanText, primary_key=True),
    Column("mu", sa.Float, nullable=False),
    Column("sigma", sa.Float, nullable=False),
    Column("hands", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)
