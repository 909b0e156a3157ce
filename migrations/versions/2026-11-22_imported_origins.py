"""Imported matches keep what they go on from: a later volume, a variation, the deals of another match

Revision: imported_origins, after hand_starts
"""

import sqlalchemy as sa
from alembic import op

revision = "imported_origins"
down_revision = "hand_starts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("imported_matches", sa.Column("carried", sa.JSON(), nullable=True))
    op.add_column("imported_matches", sa.Column("origin", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("imported_matches", "origin")
    op.drop_column("imported_matches", "carried")
