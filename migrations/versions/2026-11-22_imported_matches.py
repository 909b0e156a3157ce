"""Matches from files are kept, as those of whoever brought them

Revision: imported_matches, after known_cards
"""

import sqlalchemy as sa
from alembic import op

revision = "imported_matches"
down_revision = "known_cards"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "imported_matches",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("totals", sa.JSON(), nullable=False),
        sa.Column("winners", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=True),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_imported_matches_person_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_imported_matches"),
    )
    op.create_index("ix_imported_matches_person_id_digest", "imported_matches", ["person_id", "digest"], unique=True)
    op.create_index("ix_imported_matches_person_id_imported_at", "imported_matches", ["person_id", "imported_at", "id"])
    op.create_table(
        "imported_hands",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=False),
        sa.Column("totals", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["imported_matches.id"], name="fk_imported_hands_match_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "number", name="pk_imported_hands"),
    )


def downgrade() -> None:
    op.drop_table("imported_hands")
    op.drop_table("imported_matches")
