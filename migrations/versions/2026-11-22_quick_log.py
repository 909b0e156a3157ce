"""Logs that are quicker to append to: SQLite keeps entries in the order they come, and finds them by an index

In a table without rowids every append goes to the middle of the tree, with its whole text. PostgreSQL keeps the log so
from the start.

Revision: quick_log, after imported_origins
"""

import sqlalchemy as sa
from alembic import op

revision = "quick_log"
down_revision = "imported_origins"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _copy(sqlite_with_rowid=True)


def downgrade() -> None:
    _copy(sqlite_with_rowid=False)


def _copy(*, sqlite_with_rowid: bool) -> None:
    """Make the table anew and copy what is in it, all in the transaction that the migrations run in."""
    if op.get_bind().dialect.name != "sqlite":
        return
    op.rename_table("room_entry", "room_entry_before")
    op.create_table(
        "room_entry",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_room_entry_room"),
        sa.PrimaryKeyConstraint("room", "seq", name="pk_room_entry"),
        sqlite_with_rowid=sqlite_with_rowid,
    )
    # In the order of the old table, so that a room's entries lie together and the index grows at its end.
    op.execute(
        "INSERT INTO room_entry (room, seq, at, kind, data)"
        " SELECT room, seq, at, kind, data FROM room_entry_before ORDER BY room, seq"
    )
    op.drop_table("room_entry_before")
