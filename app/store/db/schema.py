"""What is kept: people, rooms and their logs, the history that matches leave, and the book that follows from it.

Migrations make these tables; a test holds the two together. Names of constraints follow one convention, so that a
migration can name what it changes on any database.
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
    """Say of an index, to both databases, that it is of addresses that rooms have now."""
    return {f"{dialect}_where": table.c.until.is_(None) for dialect in ("sqlite", "postgresql")}


# People

people = Table(
    "people",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("name", CleanText),  # as last used
    Column("bird", CleanText),  # as chosen; none: whichever the table gives them
    Column("colour", CleanText),
    Column("created_at", UtcTime, nullable=False),
    Column("seen_at", UtcTime, nullable=False),
    Column("forgotten_at", UtcTime),  # nobody any more: what they did stays, of whom it was does not
)

devices = Table(
    "devices",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("token_hash", CleanText, nullable=False, unique=True),  # SHA-256 of what the browser's cookie holds
    Column("label", CleanText),  # what kind of browser it said it was
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
    # Whether the browser that opens it comes to those that are theirs already, and does not take their place.
    Column("adds", sa.Boolean, nullable=False, server_default=sa.false()),
)

# Rules that somebody gave a name, to play by them again.
house_rules = Table(
    "house_rules",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("game", CleanText, nullable=False),
    Column("name", CleanText, nullable=False),
    Column("same", CleanText, nullable=False),  # the name as it is compared: whoever has two of a game tells them apart
    Column("options", Json, nullable=False),  # the preset and every switch, as they were then
    Column("changed", Json, nullable=False),  # which of them were not as in the preset
    Column("kept_at", UtcTime, nullable=False),
    Index("ix_house_rules_person_id_game_same", "person_id", "game", "same", unique=True),
)

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    # Gone with its device, however that goes.
    Column("device_id", ForeignKey("devices.id", ondelete="CASCADE"), primary_key=True),
    Column("endpoint", CleanText, nullable=False, unique=True),  # where a message for this browser is posted
    Column("p256dh", CleanText, nullable=False),  # with what it is sealed
    Column("auth", CleanText, nullable=False),
    Column("language", CleanText, nullable=False),
    Column("site", CleanText, nullable=False),  # our address, as this browser has it
    Column("since", UtcTime, nullable=False),
    Column("called_at", UtcTime),
    Column("missed", sa.Integer, nullable=False),  # so often in a row its service was not reached, or took no message
)

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", CleanText, primary_key=True),
    Column("secret", CleanText, nullable=False),
    Column("made_at", UtcTime, nullable=False),
)

# What nobody uses is listed before it is deleted. Times are seconds for which the server ran, not the clock's.

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
    Column("deleted_at", sa.Float),  # when something was deleted last
    sqlite_with_rowid=False,
)

# Rooms: the log is the room

rooms = Table(
    "rooms",
    metadata,
    Column("id", CleanText, primary_key=True),  # for ever; rooms that were made before there were ids have their code
    Column("created_at", UtcTime, nullable=False),
    # Moves with what happens once a hand (snapshots and facts), so that an action costs one row and no more.
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
# One is the room's now; the others lead its members there, and are nobody else's ever again.
Index("ix_addresses_current", addresses.c.room, unique=True, **_current_only(addresses))

book_links = Table(
    "book_links",
    metadata,
    Column("room", ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
    Column("secret", CleanText, nullable=False, unique=True),  # of the link to the room's book, if its host made one
    Column("since", UtcTime, nullable=False),
)

# Not of the log: what people say is let go of with their match.
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
    Column("checksum", sa.BigInteger),  # of all of it (checksum.py); none: written by a server of before there were any
    # With rowids on SQLite: entries come at the end, and not each with its whole text into the middle of a tree.
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
    Column("after", Json),  # what was done after the last hand: `between` of a record's last element
    # A match that is very long goes on in another row, a new volume: the one before, and the society it left.
    Column("continues", CleanText, index=True),
    Column("carried", Json),
    Column("origin", Json),  # where its cards come from, if they were known (Origin): it counts for nothing else
    Index("ix_matches_room_started_at", "room", "started_at", "id"),
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
    # As of the match, so that a person's matches are found in their order, by game or by room.
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
    Column("events", Json, nullable=False),  # the public ones, as they happened
    Column("result", Json, nullable=False),  # standing, titles, ledger, events, reasons
    Column("totals", Json),  # afterwards, by name; none of a hand that was cut off
    # The table stopped in the middle of it: it counts for nothing.
    Column("cut_off", sa.Boolean, nullable=False, server_default=sa.false()),
)

hand_starts = Table(
    "hand_starts",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", sa.Integer, primary_key=True, autoincrement=False),  # of the hand, from 0
    # Right before its deal, so that a hand of a long match is played again without those before it.
    Column("society", Json, nullable=False),
    sqlite_with_rowid=False,
)

entered = Table(
    "entered",
    metadata,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("hand", sa.Integer, primary_key=True, autoincrement=False),  # before this one, from 0
    Column("name", CleanText, primary_key=True),
    Column("place", sa.Integer, primary_key=True, autoincrement=False),  # in the list that was told
    Column("key", CleanText, nullable=False),
    Column("values", Json, nullable=False),
    Column("amount", sa.Integer, nullable=False),
    Column("unit", CleanText, nullable=False),
    sqlite_with_rowid=False,
)

# Matches from files: they belong to who brought them, and to no room. Nothing counts them.

imported_matches = Table(
    "imported_matches",
    metadata,
    Column("id", CleanText, primary_key=True),
    Column("person_id", ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
    Column("imported_at", UtcTime, nullable=False),
    Column("digest", CleanText, nullable=False),  # of its record: nobody keeps the same match twice
    Column("game", CleanText, nullable=False),
    Column("options", Json, nullable=False),
    Column("players", Json, nullable=False),  # names, clockwise, as seated for the first hand
    Column("totals", Json, nullable=False),  # of everybody who played
    Column("winners", Json, nullable=False),
    Column("after", Json),
    Column("carried", Json),  # as in matches
    Column("origin", Json),  # how, hand and move; nobody knows the other match
    Column("hands", sa.Integer, nullable=False),  # those that are over
    Column("over", sa.Boolean, nullable=False),
    Column("bytes", sa.Integer, nullable=False, server_default="0"),  # of its JSON, with that of its hands
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
    Column("totals", Json),  # none of a hand that stopped before its end
    Column("society", Json),  # right before its deal, as in hand_starts; none of a match that came before this was kept
)

# The book: what hands come to. All of it follows from the rows above and can be made again (rebuild.py). A `player` is
# a person's id, or of a bot its name after a colon (app/stats/counted_hand.py).

books = Table(
    "books",
    metadata,
    Column("room", ForeignKey("rooms.id"), primary_key=True),
    Column("version", sa.Integer, nullable=False),  # of the way of counting; another than today's is made again
    Column("hands", sa.Integer, nullable=False),
    Column("evening", sa.Integer, nullable=False),  # the last one
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
    Column("ranked", Json),  # the places of persons by which ratings were changed, as first told; none: it changed none
    Column("rated", sa.Integer),  # grows in the order in which they were
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
    Column("place", sa.Integer),  # from 1; those who share one have the same
    Column("points", sa.Integer, nullable=False),  # what this hand added
    Column("total", sa.Integer),  # afterwards, in the match
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
    Column("n", sa.Integer),  # of the action; 0: the deal; none: between hands
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
    Column("first", sa.Integer, nullable=False),  # its hands in the room, from this one on
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
    Column("first", sa.Integer, nullable=False),  # as in the tallies, here and below
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
    # Who came back with another browser, as the host said: statistics of the room count `player` as `is_player`.
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
    Column("key", CleanText, primary_key=True),  # app/stats/tallies.py has them; those that evenings have are not here
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
    Column("other", CleanText, primary_key=True),  # after `player` by its id
    Column("together", sa.Integer, nullable=False),
    Column("above", sa.Integer, nullable=False),  # how often `player` was placed above `other`
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
    Column("end", CleanText, primary_key=True),  # of the hierarchy: top or bottom
    Column("began", sa.Integer, primary_key=True, autoincrement=False),  # with this hand of the room
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
