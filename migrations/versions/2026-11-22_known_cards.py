"""Matches whose cards were known: variations, and the deals of another match

Revision: known_cards, after links_to_books
"""

import sqlalchemy as sa
from alembic import op

revision = "known_cards"
down_revision = "links_to_books"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("origin", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("matches", "origin")
