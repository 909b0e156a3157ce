"""Count the hands in which bots played, in every room, evening and for every player

Revision: hands_with_bots, after summed_up
"""

import sqlalchemy as sa
from alembic import op

revision = "hands_with_bots"
down_revision = "summed_up"
branch_labels = None
depends_on = None


def upgrade() -> None:
    flag = sa.Column("with_bots", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("room_hands", flag)
    for table in ("evenings", "room_players"):
        op.add_column(table, sa.Column("with_bots", sa.Integer, nullable=False, server_default="0"))
    # A bot stands in hand_players by its name after a colon.
    op.execute(
        "UPDATE room_hands SET with_bots = true WHERE EXISTS (SELECT 1 FROM hand_players AS p"
        " WHERE p.room = room_hands.room AND p.nth = room_hands.nth AND p.player LIKE ':%')"
    )
    op.execute(
        "UPDATE evenings SET with_bots = (SELECT count(*) FROM room_hands AS h"
        " WHERE h.room = evenings.room AND h.evening = evenings.number AND h.with_bots)"
    )
    played = "FROM room_hands AS h JOIN hand_players AS p ON p.room = h.room AND p.nth = h.nth WHERE h.with_bots"
    op.execute(
        f"UPDATE room_players SET with_bots = (SELECT count(*) {played}"  # noqa: S608
        " AND p.room = room_players.room AND p.player = room_players.player)"
    )
    op.execute(
        "INSERT INTO tallies (room, game, player, key, n)"
        f" SELECT p.room, h.game, p.player, 'with_bots', count(*) {played} GROUP BY p.room, h.game, p.player"
    )


def downgrade() -> None:
    raise NotImplementedError("go back with a backup of before")
