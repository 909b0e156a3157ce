"""Store the static files of the last versions, for open pages, and times such as that of the last backup

Revision: files_and_times, after sums_at_reading
"""

import sqlalchemy as sa
from alembic import op

revision = "files_and_times"
down_revision = "sums_at_reading"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "static_files",
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("version", "path", name=op.f("pk_static_files")),
    )
    op.create_table(
        "server_times",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_server_times")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("server_times")
    op.drop_table("static_files")
