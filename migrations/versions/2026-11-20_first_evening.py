"""People, rooms and their logs, and what matches leave

Revision: first_evening, after nothing
"""

import sqlalchemy as sa
from alembic import op

revision = "first_evening"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("token_hash", name="uq_people_token_hash"),
    )
    op.create_table(
        "recovery_tokens",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_recovery_tokens_person_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_recovery_tokens"),
    )
    op.create_index("ix_recovery_tokens_person_id", "recovery_tokens", ["person_id"])
    op.create_table(
        "rooms",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("invite", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("active_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_rooms"),
        sa.UniqueConstraint("invite", name="uq_rooms_invite"),
    )
    op.create_index("ix_rooms_active_at", "rooms", ["active_at"])
    op.create_table(
        "room_entry",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_room_entry_room"),
        sa.PrimaryKeyConstraint("room", "seq", name="pk_room_entry"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "room_snapshot",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_room_snapshot_room"),
        sa.PrimaryKeyConstraint("room", name="pk_room_snapshot"),
    )
    op.create_table(
        "visits",
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_visits_person_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_visits_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "room", name="pk_visits"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_visits_person_id_last_at", "visits", ["person_id", "last_at"])
    op.create_table(
        "matches",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("winners", sa.JSON(), nullable=True),
        sa.Column("after", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_matches_room"),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_index("ix_matches_room", "matches", ["room"])
    op.create_table(
        "match_players",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=True),
        sa.Column("came_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_match_players_match_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_match_players_person_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("match_id", "name", name="pk_match_players"),
    )
    op.create_index("ix_match_players_person_id_match_id", "match_players", ["person_id", "match_id"])
    op.create_table(
        "hands",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_hands_match_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_hands"),
    )
    op.create_table(
        "standings",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("hand", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id", "hand"],
            ["hands.match_id", "hands.number"],
            name="fk_standings_match_id_hand",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", "hand", "name", name="pk_standings"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ledger",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("hand", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id", "hand"],
            ["hands.match_id", "hands.number"],
            name="fk_ledger_match_id_hand",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", "hand", "name", name="pk_ledger"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for table in (
        "ledger",
        "standings",
        "hands",
        "match_players",
        "matches",
        "visits",
        "room_snapshot",
        "room_entry",
        "rooms",
        "recovery_tokens",
        "people",
    ):
        op.drop_table(table)
