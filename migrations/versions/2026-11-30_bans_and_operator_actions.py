"""Store banned networks, and what operators change by commands

Revision: bans_and_operator_actions, after files_and_times
"""

import sqlalchemy as sa
from alembic import op

revision = "bans_and_operator_actions"
down_revision = "files_and_times"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bans",
        sa.Column("network", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("network", name=op.f("pk_bans")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "operator_actions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_actions")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("operator_actions")
    op.drop_table("bans")
