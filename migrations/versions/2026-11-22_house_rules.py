"""House rules have a name and are kept by person

Revision: house_rules, after chat
"""

import sqlalchemy as sa
from alembic import op

revision = "house_rules"
down_revision = "chat"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "house_rules",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("same", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("changed", sa.JSON(), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_house_rules_person_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_house_rules"),
    )
    op.create_index("ix_house_rules_person_id_game_same", "house_rules", ["person_id", "game", "same"], unique=True)


def downgrade() -> None:
    op.drop_table("house_rules")
