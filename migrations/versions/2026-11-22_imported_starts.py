"""Imported matches keep how each of their hands began, so that a late one is shown without those before it

Revision: imported_starts, after checksums
"""

import sqlalchemy as sa
from alembic import op

revision = "imported_starts"
down_revision = "checksums"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("imported_hands", sa.Column("society", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("imported_hands", "society")
