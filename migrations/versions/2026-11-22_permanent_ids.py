"""Rooms keep their id and change their address; a person has several devices, a bird and a colour

Revision: permanent_ids, after first_evening
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "permanent_ids"
down_revision = "first_evening"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _rooms()
    _people()


def _rooms() -> None:
    # What refers to a room's code goes on referring to the same value, which is its id from now on.
    op.execute("ALTER TABLE rooms RENAME COLUMN code TO id")
    op.create_table(
        "addresses",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("invite", sa.Text(), nullable=False),
        sa.Column("room", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_addresses_room", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("code", name="pk_addresses"),
        sa.UniqueConstraint("invite", name="uq_addresses_invite"),
    )
    op.create_index("ix_addresses_room", "addresses", ["room"])
    now = sa.text("until IS NULL")
    op.create_index("ix_addresses_current", "addresses", ["room"], unique=True, sqlite_where=now, postgresql_where=now)
    op.execute("INSERT INTO addresses (code, invite, room, since) SELECT id, invite, id, created_at FROM rooms")
    with op.batch_alter_table("rooms") as rooms:
        rooms.drop_constraint("uq_rooms_invite", type_="unique")
        rooms.drop_column("invite")


def _people() -> None:
    devices = op.create_table(
        "devices",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_devices_person_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_devices"),
        sa.UniqueConstraint("token_hash", name="uq_devices_token_hash"),
    )
    op.create_index("ix_devices_person_id", "devices", ["person_id"])
    people = sa.table(
        "people",
        *(sa.column(name) for name in ("id", "token_hash")),
        *(sa.column(name, sa.DateTime(timezone=True)) for name in ("created_at", "seen_at")),
    )
    found = op.get_bind().execute(sa.select(people)).all()
    op.bulk_insert(
        devices,
        [
            {
                "id": secrets.token_urlsafe(9),
                "person_id": person.id,
                "token_hash": person.token_hash,
                "label": None,
                "made_at": person.created_at,
                "seen_at": person.seen_at,
            }
            for person in found
        ],
    )
    with op.batch_alter_table("people") as changed:
        changed.drop_constraint("uq_people_token_hash", type_="unique")
        changed.drop_column("token_hash")
        changed.add_column(sa.Column("bird", sa.Text(), nullable=True))
        changed.add_column(sa.Column("colour", sa.Text(), nullable=True))
        changed.add_column(sa.Column("forgotten_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("recovery_tokens", sa.Column("adds", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    raise NotImplementedError("a room with two addresses and a person with two devices fit the older tables no more")
