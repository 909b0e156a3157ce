"""Nothing is counted twice: what people come to is summed up from their rooms, and what rooms do from their evenings

Revision: summed_up, after push
"""

from alembic import op

revision = "summed_up"
down_revision = "push"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("person_tallies")
    op.drop_table("person_pairs")
    op.create_index("ix_tallies_player", "tallies", ["player"])
    op.create_index("ix_pairs_player", "pairs", ["player"])
    op.create_index("ix_pairs_other", "pairs", ["other"])
    by_evening = "('hands', 'first', 'points', 'top', 'bottom', 'luck', 'made', 'dealt')"
    op.execute(f"DELETE FROM tallies WHERE key IN {by_evening}")  # noqa: S608


def downgrade() -> None:
    raise NotImplementedError("the book is made from the log: go back with a backup of before")
