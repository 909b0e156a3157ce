"""The book of a room has a link of its own, for who was not there

Revision: links_to_books, after the_book
"""

import sqlalchemy as sa
from alembic import op

revision = "links_to_books"
down_revision = "the_book"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "book_links",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_book_links_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", name="pk_book_links"),
        sa.UniqueConstraint("secret", name="uq_book_links_secret"),
    )


def downgrade() -> None:
    op.drop_table("book_links")
