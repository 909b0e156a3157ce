"""Begin the change to standard names and keys: make the tables whose keys change under temporary names

The rows of these tables are then copied in pieces (`COPIES`, app/store/maintenance/copy_in_pieces.py). From this
revision on, older programs refuse the database, so nothing changes the rows while they are copied.

Revision: schema_copy, after planned_deletions
"""

import sqlalchemy as sa
from alembic import op

from app.store.maintenance.copy_in_pieces import PROGRESS, Copy

revision = "schema_copy"
down_revision = "planned_deletions"
branch_labels = None
depends_on = None

ROOM, PERSON = ("room_id", "match_id"), ("person_id", "match_id")
_OF_MATCH = "FROM {0} AS t JOIN matches AS m ON m.id = t.match_id"

COPIES = (
    Copy(
        "matches",
        "matches_new",
        ("id",),
        "room_id, id, game, options, players, started_at, ended_at, winners, trailing_actions, previous_match_id,"
        " initial_state, origin",
        "t.room, t.id, t.game, t.options, t.players, t.started_at, t.ended_at, t.winners, t.after, t.continues,"
        " t.carried, t.origin FROM matches AS t",
    ),
    Copy("matches", "match_directory", ("id",), "match_id, room_id, person_id", "t.id, t.room, NULL FROM matches AS t"),
    Copy(
        "match_players",
        "match_players_new",
        ("match_id", "name"),
        "room_id, match_id, name, person_id, joined_at, total, won, started_at, game",
        "m.room, t.match_id, t.name, t.person_id, t.came_at, t.total, t.won, t.started_at, t.game "
        + _OF_MATCH.format("match_players"),
    ),
    Copy(
        "hands",
        "hands_new",
        ("match_id", "number"),
        "room_id, match_id, hand_number, ended_at, record, events, result, totals, is_aborted",
        "m.room, t.match_id, t.number, t.ended_at, t.record, t.events, t.result, t.totals, t.cut_off "
        + _OF_MATCH.format("hands"),
    ),
    Copy(
        "hand_starts",
        "hand_starts_new",
        ("match_id", "number"),
        "room_id, match_id, hand_number, state",
        "m.room, t.match_id, t.number, t.society " + _OF_MATCH.format("hand_starts"),
    ),
    Copy(
        "entered",
        "entered_new",
        ("match_id", "hand", "name", "place"),
        "room_id, match_id, before_hand, name, position, reason_key, reason_values, amount, unit",
        'm.room, t.match_id, t.hand, t.name, t.place, t.key, t."values", t.amount, t.unit'
        " " + _OF_MATCH.format("entered"),
    ),
    Copy(
        "room_hands",
        "room_hands_new",
        ("room", "nth"),
        "room, nth, match_id, hand_number, game, session_number, ended_at, ranking, rating_order, with_bots",
        "t.room, t.nth, t.match_id, t.hand, t.game, t.evening, t.at, t.ranked, t.rated, t.with_bots"
        " FROM room_hands AS t",
    ),
    Copy(
        "visits",
        "visits_new",
        ("person_id", "room"),
        "room_id, person_id, last_visited_at",
        "t.room, t.person_id, t.last_at FROM visits AS t",
    ),
    Copy(
        "addresses",
        "addresses_new",
        ("code",),
        "code, invite, room_id, valid_from, valid_until",
        't.code, t.invite, t.room, t.since, t."until" FROM addresses AS t',
    ),
    Copy(
        "book_links",
        "book_links_new",
        ("room",),
        "token, room_id, created_at",
        "t.secret, t.room, t.since FROM book_links AS t",
    ),
    Copy(
        "house_rules",
        "house_rules_new",
        ("id",),
        "person_id, id, game, name, name_key, options, changed_options, saved_at",
        "t.person_id, t.id, t.game, t.name, t.same, t.options, t.changed, t.kept_at FROM house_rules AS t",
    ),
    Copy(
        "push_subscriptions",
        "push_subscriptions_new",
        ("device_id",),
        "person_id, device_id, endpoint, p256dh, auth, language, origin, created_at, last_sent_at, failure_count",
        "d.person_id, t.device_id, t.endpoint, t.p256dh, t.auth, t.language, t.site, t.since, t.called_at, t.missed"
        " FROM push_subscriptions AS t JOIN devices AS d ON d.id = t.device_id",
    ),
    Copy(
        "imported_matches",
        "imported_matches_new",
        ("id",),
        "person_id, id, imported_at, content_hash, game, options, players, totals, winners, trailing_actions,"
        " initial_state, origin, hand_count, is_finished, size_bytes",
        "t.person_id, t.id, t.imported_at, t.digest, t.game, t.options, t.players, t.totals, t.winners, t.after,"
        ' t.carried, t.origin, t.hands, t."over", t.bytes FROM imported_matches AS t',
    ),
    Copy(
        "imported_matches",
        "match_directory",
        ("id",),
        "match_id, room_id, person_id",
        "t.id, NULL, t.person_id FROM imported_matches AS t",
    ),
    Copy(
        "imported_hands",
        "imported_hands_new",
        ("match_id", "number"),
        "person_id, match_id, hand_number, record, events, result, totals, initial_state",
        "m.person_id, t.match_id, t.number, t.record, t.events, t.result, t.totals, t.society"
        " FROM imported_hands AS t JOIN imported_matches AS m ON m.id = t.match_id",
    ),
    Copy(
        "ratings",
        "ratings_new",
        ("person", "game"),
        "person_id, game, mu, sigma, hands, rating_order",
        "t.person, t.game, t.mu, t.sigma, t.hands, 0 FROM ratings AS t",
    ),
)
"""Tables whose keys change. Matches come first: rows of other tables refer to them."""


def upgrade() -> None:
    op.create_table(
        PROGRESS,
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("last_key", sa.Text),
        sa.Column("copied_rows", sa.Integer, nullable=False),
        sa.Column("is_finished", sa.Boolean, nullable=False),
    )
    _directory()
    _history()
    _imports()
    _people_and_rooms()


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=null)


def _number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=null)


def _time(name: str, *, null: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=null)


def _json(name: str, *, null: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.JSON, nullable=null)


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def _match(table: str, owner: str = "room_id", matches: str = "matches_new") -> sa.ForeignKeyConstraint:
    columns = (owner, "match_id")
    name = f"fk_{table}_{owner}_match_id"
    return sa.ForeignKeyConstraint(columns, [f"{matches}.{owner}", f"{matches}.id"], name=name, ondelete="CASCADE")


def _parent(table: str, column: str, parent: str, ondelete: str | None = None) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}"
    return sa.ForeignKeyConstraint([column], [f"{parent}.id"], name=name, ondelete=ondelete)


def _directory() -> None:
    op.create_table(
        "match_directory",
        _text("match_id"),
        _text("room_id", null=True),
        _text("person_id", null=True),
        _key("match_directory", "match_id"),
        _parent("match_directory", "person_id", "people", "CASCADE"),
        sa.CheckConstraint("(room_id IS NULL) <> (person_id IS NULL)", name="one_owner"),
        sqlite_with_rowid=False,
    )


def _history() -> None:
    op.create_table(
        "matches_new",
        _text("room_id"),
        _text("id"),
        _text("game"),
        _json("options"),
        _json("players"),
        _time("started_at"),
        _time("ended_at", null=True),
        _json("winners", null=True),
        _json("trailing_actions", null=True),
        _text("previous_match_id", null=True),
        _json("initial_state", null=True),
        _json("origin", null=True),
        _key("matches_new", "room_id", "id"),
        _parent("matches_new", "room_id", "rooms"),
    )
    op.create_table(
        "match_players_new",
        *(_text(name) for name in ("room_id", "match_id", "name")),
        _text("person_id", null=True),
        _time("joined_at"),
        _number("total", null=True),
        sa.Column("won", sa.Boolean, nullable=False),
        _time("started_at"),
        _text("game"),
        _key("match_players_new", "room_id", "match_id", "name"),
        _match("match_players_new"),
        _parent("match_players_new", "person_id", "people", "SET NULL"),
    )
    op.create_table(
        "hands_new",
        *(_text(name) for name in ROOM),
        _number("hand_number"),
        _time("ended_at"),
        *(_json(name) for name in ("record", "events", "result")),
        _json("totals", null=True),
        sa.Column("is_aborted", sa.Boolean, nullable=False, server_default=sa.false()),
        _key("hands_new", *ROOM, "hand_number"),
        _match("hands_new"),
    )
    op.create_table(
        "hand_starts_new",
        *(_text(name) for name in ROOM),
        _number("hand_number"),
        _json("state"),
        _key("hand_starts_new", *ROOM, "hand_number"),
        _match("hand_starts_new"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "entered_new",
        *(_text(name) for name in ROOM),
        _number("before_hand"),
        _text("name"),
        _number("position"),
        _text("reason_key"),
        _json("reason_values"),
        _number("amount"),
        _text("unit"),
        _key("entered_new", *ROOM, "before_hand", "name", "position"),
        _match("entered_new"),
        sqlite_with_rowid=False,
    )
    hand = ("match_id", "hand_number")
    op.create_table(
        "room_hands_new",
        # The next revision renames these two columns: tables that refer to them then follow.
        _text("room"),
        _number("nth"),
        _text("match_id"),
        _number("hand_number"),
        _text("game"),
        _number("session_number"),
        _time("ended_at"),
        _json("ranking", null=True),
        _number("rating_order", null=True),
        sa.Column("with_bots", sa.Boolean, nullable=False, server_default=sa.false()),
        _key("room_hands_new", "room", "nth"),
        _parent("room_hands_new", "room", "rooms"),
        sa.ForeignKeyConstraint(
            ("room", *hand), [f"hands_new.{name}" for name in ("room_id", *hand)], name="fk_room_hands_new_hand"
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings_new",
        _text("person_id"),
        _text("game"),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        _number("hands"),
        _number("rating_order"),
        _key("ratings_new", "person_id", "game"),
        sqlite_with_rowid=False,
    )


def _imports() -> None:
    op.create_table(
        "imported_matches_new",
        _text("person_id"),
        _text("id"),
        _time("imported_at"),
        _text("content_hash"),
        _text("game"),
        *(_json(name) for name in ("options", "players", "totals", "winners")),
        *(_json(name, null=True) for name in ("trailing_actions", "initial_state", "origin")),
        _number("hand_count"),
        sa.Column("is_finished", sa.Boolean, nullable=False),
        sa.Column("size_bytes", sa.Integer, nullable=False, server_default="0"),
        _key("imported_matches_new", "person_id", "id"),
        _parent("imported_matches_new", "person_id", "people", "CASCADE"),
    )
    op.create_table(
        "imported_hands_new",
        *(_text(name) for name in PERSON),
        _number("hand_number"),
        *(_json(name) for name in ("record", "events", "result")),
        *(_json(name, null=True) for name in ("totals", "initial_state")),
        _key("imported_hands_new", *PERSON, "hand_number"),
        _match("imported_hands_new", "person_id", "imported_matches_new"),
    )


def _people_and_rooms() -> None:
    op.create_table(
        "visits_new",
        _text("room_id"),
        _text("person_id"),
        _time("last_visited_at"),
        _key("visits_new", "room_id", "person_id"),
        _parent("visits_new", "room_id", "rooms", "CASCADE"),
        _parent("visits_new", "person_id", "people", "CASCADE"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "addresses_new",
        *(_text(name) for name in ("code", "invite", "room_id")),
        _time("valid_from"),
        _time("valid_until", null=True),
        _key("addresses_new", "code"),
        sa.UniqueConstraint("invite", name="uq_addresses_new_invite"),
    )
    op.create_table(
        "book_links_new",
        _text("token"),
        _text("room_id"),
        _time("created_at"),
        _key("book_links_new", "token"),
        sa.UniqueConstraint("room_id", name="uq_book_links_new_room_id"),
    )
    op.create_table(
        "house_rules_new",
        *(_text(name) for name in ("person_id", "id", "game", "name", "name_key")),
        _json("options"),
        _json("changed_options"),
        _time("saved_at"),
        _key("house_rules_new", "person_id", "id"),
        _parent("house_rules_new", "person_id", "people", "CASCADE"),
    )
    op.create_table(
        "push_subscriptions_new",
        *(_text(name) for name in ("person_id", "device_id", "endpoint", "p256dh", "auth", "language", "origin")),
        _time("created_at"),
        _time("last_sent_at", null=True),
        _number("failure_count"),
        _key("push_subscriptions_new", "person_id", "device_id"),
        _parent("push_subscriptions_new", "device_id", "devices", "CASCADE"),
    )


def downgrade() -> None:
    raise NotImplementedError("go back with a backup of before")
