"""Keep which persons are one player of a room, after the host let somebody in again with another browser

Revision: same_players, after import_bytes
"""

import sqlalchemy as sa
from alembic import op

revision = "same_players"
down_revision = "import_bytes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "same_players",
        sa.Column("room", sa.Text, sa.ForeignKey("rooms.id", name="fk_same_players_room"), nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("is_player", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("room", "player", name="pk_same_players"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_same_players_is_player", "same_players", ["is_player"])


def downgrade() -> None:
    raise NotImplementedError("go back with a backup of before")
