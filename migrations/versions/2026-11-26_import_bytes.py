"""Note how many bytes each imported match takes, so that a person's can be added up

Revision: import_bytes, after hands_with_bots
"""

import sqlalchemy as sa
from alembic import op

revision = "import_bytes"
down_revision = "hands_with_bots"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("imported_matches", sa.Column("bytes", sa.Integer, nullable=False, server_default="0"))
    length = " + ".join(
        f"coalesce(length(CAST(h.{column} AS TEXT)), 0)"
        for column in ("record", "society", "events", "result", "totals")
    )
    op.execute(
        f"UPDATE imported_matches SET bytes = (SELECT coalesce(sum({length}), 0)"  # noqa: S608
        " FROM imported_hands AS h WHERE h.match_id = imported_matches.id)"
    )


def downgrade() -> None:
    raise NotImplementedError("go back with a backup of before")
