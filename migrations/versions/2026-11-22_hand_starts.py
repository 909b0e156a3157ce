"""Each hand is kept with the society right before its deal, so that it can be played again by itself

Revision: hand_starts, after imported_matches

Of hands that began before this nothing is there, and the match is played from its first hand on: `rebuild`, which the
program does by itself where it comes from a version without books, fills the table from the logs.
"""

import sqlalchemy as sa
from alembic import op

revision = "hand_starts"
down_revision = "imported_matches"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hand_starts",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("society", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_hand_starts_match_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_hand_starts"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("hand_starts")
