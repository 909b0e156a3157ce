"""What people say at a table is kept as long as their match goes on

Revision: chat, after imported_starts
"""

import sqlalchemy as sa
from alembic import op

revision = "chat"
down_revision = "imported_starts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "chat_lines",
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("quick", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_chat_lines_person_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_chat_lines_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room", "id", name="pk_chat_lines"),
    )
    op.create_index("ix_chat_lines_person_id", "chat_lines", ["person_id"])


def downgrade() -> None:
    op.drop_table("chat_lines")
