"""The book of a room: every hand with its players, reasons and moments, and what they come to

Revision: the_book, after permanent_ids

The tables of the book begin empty: it is made from the log when the program first starts
(app/store/maintenance/rebuild.py).
"""

import sqlalchemy as sa
from alembic import op

revision = "the_book"
down_revision = "permanent_ids"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _matches()
    _hands()
    _book()
    # A book that was made in another way than today's, in none, is made again.
    op.execute("INSERT INTO books (room, version, hands, evening) SELECT DISTINCT room, 0, 0, 0 FROM matches")


def _matches() -> None:
    op.drop_index("ix_matches_room", "matches")
    op.create_index("ix_matches_room_started_at", "matches", ["room", "started_at", "id"])
    op.add_column("matches", sa.Column("continues", sa.Text(), nullable=True))
    op.add_column("matches", sa.Column("carried", sa.JSON(), nullable=True))
    op.create_index("ix_matches_continues", "matches", ["continues"])
    op.drop_index("ix_match_players_person_id_match_id", "match_players")
    copied = (("started_at", sa.DateTime(timezone=True)), ("game", sa.Text()), ("room", sa.Text()))
    for name, kind in copied:
        op.add_column("match_players", sa.Column(name, kind, nullable=True))
        op.execute(
            f"UPDATE match_players SET {name} = (SELECT matches.{name} FROM matches WHERE matches.id = match_id)"  # noqa: S608
        )
    with op.batch_alter_table("match_players") as players:
        for name, kind in copied:
            players.alter_column(name, existing_type=kind, nullable=False)
    for name in ("", "game_", "room_"):
        columns = ["person_id", *filter(None, [name.rstrip("_")]), "started_at", "match_id"]
        op.create_index(f"ix_match_players_person_id_{name}started_at", "match_players", columns)


def _hands() -> None:
    op.add_column("hands", sa.Column("totals", sa.JSON(), nullable=True))
    op.add_column("hands", sa.Column("cut_off", sa.Boolean(), nullable=False, server_default=sa.false()))
    together = "json_group_object" if op.get_bind().dialect.name == "sqlite" else "json_object_agg"
    op.execute(
        f"UPDATE hands SET totals = (SELECT {together}(name, total) FROM ledger "  # noqa: S608
        "WHERE ledger.match_id = hands.match_id AND ledger.hand = hands.number)"
    )
    op.drop_table("ledger")
    op.drop_table("standings")


def _book() -> None:
    op.create_table(
        "entered",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("hand", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_entered_match_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "hand", "name", "place", name="pk_entered"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "books",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("evening", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_books_room"),
        sa.PrimaryKeyConstraint("room", name="pk_books"),
    )
    op.create_table(
        "room_hands",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("nth", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("hand", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("evening", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ranked", sa.JSON(), nullable=True),
        sa.Column("rated", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_room_hands_room"),
        sa.ForeignKeyConstraint(
            ["match_id", "hand"], ["hands.match_id", "hands.number"], name="fk_room_hands_match_id_hand"
        ),
        sa.PrimaryKeyConstraint("room", "nth", name="pk_room_hands"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_room_hands_match_id_hand", "room_hands", ["match_id", "hand"], unique=True)
    op.create_index("ix_room_hands_rated", "room_hands", ["rated"])
    op.create_index("ix_room_hands_room_evening_nth", "room_hands", ["room", "evening", "nth"])
    op.create_table(
        "hand_players",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("nth", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("luck", sa.Integer(), nullable=True),
        sa.Column("title_before", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("rank_before", sa.Integer(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["room", "nth"], ["room_hands.room", "room_hands.nth"], name="fk_hand_players_room_nth", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("room", "nth", "player", name="pk_hand_players"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "reasons",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("nth", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["room", "nth"], ["room_hands.room", "room_hands.nth"], name="fk_reasons_room_nth", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("room", "nth", "place", name="pk_reasons"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "moments",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("nth", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("n", sa.Integer(), nullable=True),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("cause", sa.Text(), nullable=True),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["room", "nth"], ["room_hands.room", "room_hands.nth"], name="fk_moments_room_nth", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("room", "nth", "place", name="pk_moments"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_moments_player_at", "moments", ["player", "at"])
    op.create_index("ix_moments_room_what_nth", "moments", ["room", "what", "nth"])
    op.create_table(
        "evenings",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_evenings_room"),
        sa.PrimaryKeyConstraint("room", "number", name="pk_evenings"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "evening_players",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("evening", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("top", sa.Integer(), nullable=False),
        sa.Column("bottom", sa.Integer(), nullable=False),
        sa.Column("luck", sa.Integer(), nullable=False),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.Column("dealt", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_evening_players_room"),
        sa.PrimaryKeyConstraint("room", "evening", "game", "player", name="pk_evening_players"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_evening_players_player_at", "evening_players", ["player", "at"])
    op.create_table(
        "room_players",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("first_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_room_players_room"),
        sa.PrimaryKeyConstraint("room", "player", name="pk_room_players"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_room_players_player_last_at", "room_players", ["player", "last_at"])
    op.create_table(
        "tallies",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_tallies_room"),
        sa.PrimaryKeyConstraint("room", "game", "player", "key", name="pk_tallies"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pairs",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("other", sa.Text(), nullable=False),
        sa.Column("together", sa.Integer(), nullable=False),
        sa.Column("above", sa.Integer(), nullable=False),
        sa.Column("below", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_pairs_room"),
        sa.PrimaryKeyConstraint("room", "game", "player", "other", name="pk_pairs"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "reigns",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("end", sa.Text(), nullable=False),
        sa.Column("began", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_reigns_room"),
        sa.PrimaryKeyConstraint("room", "game", "end", "began", name="pk_reigns"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_reigns_player_game_end_hands", "reigns", ["player", "game", "end", "hands"])
    op.create_index("ix_reigns_room_game_end_hands", "reigns", ["room", "game", "end", "hands", "began"])
    op.create_table(
        "person_tallies",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", "game", "key", name="pk_person_tallies"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "person_pairs",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("other", sa.Text(), nullable=False),
        sa.Column("together", sa.Integer(), nullable=False),
        sa.Column("above", sa.Integer(), nullable=False),
        sa.Column("below", sa.Integer(), nullable=False),
        sa.Column("margin", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", "game", "other", name="pk_person_pairs"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_person_pairs_person_game_margin", "person_pairs", ["person", "game", "margin"])
    op.create_table(
        "ratings",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", "game", name="pk_ratings"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    raise NotImplementedError("the book is made from the log: go back with a backup of before")
