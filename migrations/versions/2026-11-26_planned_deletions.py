"""List unused rooms and people some time before they are deleted

Revision: planned_deletions, after same_players
"""

import sqlalchemy as sa
from alembic import op

revision = "planned_deletions"
down_revision = "same_players"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "planned_deletions",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("due", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("kind", "id", name="pk_planned_deletions"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "cleanup_time",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("deleted_at", sa.Float),
        sa.PrimaryKeyConstraint("kind", name="pk_cleanup_time"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    raise NotImplementedError("go back with a backup of before")
