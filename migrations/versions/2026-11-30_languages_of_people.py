"""Store the language of people, so that it follows them to other devices

Revision: languages_of_people, after bans_and_operator_actions
"""

import sqlalchemy as sa
from alembic import op

revision = "languages_of_people"
down_revision = "bans_and_operator_actions"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("language", sa.Text()))


def downgrade() -> None:
    op.drop_column("people", "language")
