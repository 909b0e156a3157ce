"""Lead on from version 0.3.0: compute the values of hands that statistics need, and keep proofs of cancelled deals

Revision: values_of_hands, after one_schema
"""

import logging

import sqlalchemy as sa
from alembic import op

from app.store.maintenance.batches import UpdateRows

revision = "values_of_hands"
down_revision = "one_schema"
branch_labels = None
depends_on = None

COUNTED_BY_0_3_0 = 2
"""Version of the counting method in 0.3.0, which counted again what older versions had counted."""
logger = logging.getLogger(__name__)

_SAME_HAND = "s.room_id = t.room_id AND s.room_hand_number = t.room_hand_number"
_PLACED = "(count(*) - 1)"
_HALF_WINS = "(sum(CASE WHEN s.place > t.place THEN 2 WHEN s.place = t.place THEN 1 ELSE 0 END) - 1)"
# The share of beaten opponents in percent, rounded like Python's `round`: a half goes to the even number.
_PERFORMANCE = (
    f"50 * {_HALF_WINS} / {_PLACED} + CASE WHEN 2 * (50 * {_HALF_WINS} % {_PLACED}) > {_PLACED}"
    f" OR 2 * (50 * {_HALF_WINS} % {_PLACED}) = {_PLACED} AND 50 * {_HALF_WINS} / {_PLACED} % 2 = 1"
    " THEN 1 ELSE 0 END"
)

STEPS = (
    UpdateRows(
        "counted_hands",
        ("room_id", "room_hand_number"),
        ", ".join(
            f"{new} = (SELECT max(s.{column}) FROM counted_hand_players AS s WHERE {_SAME_HAND})"  # noqa: S608
            for new, column in (
                ("last_place", "place"),
                ("last_rank", "rank_after"),
                ("last_rank_before", "rank_before"),
            )
        ),
        keep_old_rows=False,  # these columns are new
    ),
    UpdateRows(
        "counted_hand_players",
        ("room_id", "room_hand_number", "player_key"),
        f"performance = (SELECT CASE WHEN count(*) < 2 THEN 50 ELSE {_PERFORMANCE} END"  # noqa: S608
        f" FROM counted_hand_players AS s WHERE {_SAME_HAND} AND s.place IS NOT NULL)",
        where="t.place IS NOT NULL",
        keep_old_rows=False,
    ),
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


def downgrade() -> None:
    raise NotImplementedError("the sums are not kept: go back with a backup of before")
