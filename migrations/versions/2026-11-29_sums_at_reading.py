"""Sum up statistics when they are read: drop the tables of sums, which the rows of the hands give

Revision: sums_at_reading, after values_of_hands
"""

from alembic import op

revision = "sums_at_reading"
down_revision = "values_of_hands"
branch_labels = None
depends_on = None

SUMS = ("room_stats", "game_sessions", "session_players", "room_players", "counters", "head_to_head", "streaks")


def upgrade() -> None:
    columns = ["player_key", "room_id", "room_hand_number"]
    op.create_index("ix_counted_hand_players_player_key", "counted_hand_players", columns)
    for table in SUMS:
        op.drop_table(table)


def downgrade() -> None:
    raise NotImplementedError("the sums are not kept: go back with a backup of before")
