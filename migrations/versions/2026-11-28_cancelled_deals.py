"""Keep the proofs of deals that were cancelled after the last hand of a match

Revision: cancelled_deals, after one_schema
"""

import sqlalchemy as sa
from alembic import op

revision = "cancelled_deals"
down_revision = "one_schema"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("matches", "imported_matches"):
        op.add_column(table, sa.Column("cancelled_deals", sa.JSON(), nullable=True))


def downgrade() -> None:
    for table in ("matches", "imported_matches"):
        op.drop_column(table, "cancelled_deals")
