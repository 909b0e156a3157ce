"""Lead on from version 0.3.0: keep the proofs of cancelled deals, and sum up statistics when they are read

Revision: sums_at_reading, after one_schema
"""

import logging

import sqlalchemy as sa
from alembic import op

revision = "sums_at_reading"
down_revision = "one_schema"
branch_labels = None
depends_on = None

SUMS = ("room_stats", "game_sessions", "session_players", "room_players", "counters", "head_to_head", "streaks")
COUNTED_BY_0_3_0 = 2
"""Version of the counting method in 0.3.0, which counted again what older versions had counted."""
logger = logging.getLogger(__name__)

_SAME_HAND = "s.room_id = {0}.room_id AND s.room_hand_number = {0}.room_hand_number"
_PLACED = "(count(*) - 1)"
_HALF_WINS = (
    "(sum(CASE WHEN s.place > counted_hand_players.place THEN 2"
    " WHEN s.place = counted_hand_players.place THEN 1 ELSE 0 END) - 1)"
)
# The share of beaten opponents in percent, rounded like Python's `round`: a half goes to the even number.
_PERFORMANCE = (
    f"50 * {_HALF_WINS} / {_PLACED} + CASE WHEN 2 * (50 * {_HALF_WINS} % {_PLACED}) > {_PLACED}"
    f" OR 2 * (50 * {_HALF_WINS} % {_PLACED}) = {_PLACED} AND 50 * {_HALF_WINS} / {_PLACED} % 2 = 1"
    " THEN 1 ELSE 0 END"
)


def upgrade() -> None:
    for table in ("matches", "imported_matches"):
        op.add_column(table, sa.Column("cancelled_deals", sa.JSON()))
    older = sa.text(f"SELECT count(*) FROM room_stats WHERE stats_version <> {COUNTED_BY_0_3_0}")  # noqa: S608
    if op.get_bind().execute(older).scalar_one():
        logger.warning("statistics are older than version 0.3.0: run `pecking-order rebuild` before a server starts")
    for name in ("last_place", "last_rank", "last_rank_before"):
        op.add_column("counted_hands", sa.Column(name, sa.Integer()))
    op.add_column("counted_hand_players", sa.Column("performance", sa.Integer()))
    greatest = ", ".join(
        f"{new} = (SELECT max(s.{column}) FROM counted_hand_players AS s"  # noqa: S608
        f" WHERE {_SAME_HAND.format('counted_hands')})"
        for new, column in (("last_place", "place"), ("last_rank", "rank_after"), ("last_rank_before", "rank_before"))
    )
    op.execute(f"UPDATE counted_hands SET {greatest}")  # noqa: S608
    op.execute(
        f"UPDATE counted_hand_players SET performance = (SELECT CASE WHEN count(*) < 2 THEN 50"  # noqa: S608
        f" ELSE {_PERFORMANCE} END FROM counted_hand_players AS s"
        f" WHERE {_SAME_HAND.format('counted_hand_players')} AND s.place IS NOT NULL) WHERE place IS NOT NULL"
    )
    columns = ["player_key", "room_id", "room_hand_number"]
    op.create_index("ix_counted_hand_players_player_key", "counted_hand_players", columns)
    for table in SUMS:
        op.drop_table(table)


def downgrade() -> None:
    raise NotImplementedError("the sums are not kept: go back with a backup of before")
