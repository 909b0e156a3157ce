"""Store what operators do by commands: their changes, which running servers log and take up, and banned networks."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Final, Literal, TypeAlias

import sqlalchemy as sa

from app.settings import Network
from app.store.db.database import Database
from app.store.db.schema import bans, operator_actions
from app.store.db.transactions import dialect_insert

OperatorCommand: TypeAlias = Literal[
    "rooms delete", "rooms show --hidden", "rooms log --hidden", "people forget", "recover", "ban add", "ban lift"
]
"""A command that changes data. Its subject is the id of a room or a person, or a network."""

ACTIONS_KEPT: Final = timedelta(days=365)
OVERLAP: Final = timedelta(minutes=10)
"""Actions of this time are read again, since clocks differ and transactions take time."""


@dataclass(frozen=True, slots=True)
class OperatorAction:
    """A change that an operator made by a command."""

    id: str
    command: str
    subject: str
    """The id of a room or a person, or a network."""


@dataclass(frozen=True, slots=True)
class Ban:
    """A network from which no request is accepted until an end."""

    network: Network
    created_at: datetime
    expires_at: datetime


class Operations:
    """The changes and the bans of operators in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, command: OperatorCommand, subject: str, at: datetime) -> None:
        """Save that a command changed something, so that running servers write it to their log within seconds."""
        row = {"id": secrets.token_urlsafe(9), "happened_at": at, "command": command, "subject": subject}

        def write(connection: sa.Connection) -> None:
            connection.execute(operator_actions.delete().where(operator_actions.c.happened_at < at - ACTIONS_KEPT))
            connection.execute(operator_actions.insert().values(row))

        await self._database.write(write)

    async def recent_actions(self, at: datetime) -> Sequence[OperatorAction]:
        """Return the changes of the last minutes, oldest first."""
        query = (
            sa.select(operator_actions.c.id, operator_actions.c.command, operator_actions.c.subject)
            .where(operator_actions.c.happened_at > at - OVERLAP)
            .order_by(operator_actions.c.happened_at)
        )
        return [OperatorAction(*row) for row in await self._database.read(lambda each: each.execute(query).all())]

    async def bans(self, at: datetime) -> Sequence[Ban]:
        """Return the bans that have not ended, by network."""
        query = sa.select(bans).where(bans.c.expires_at > at).order_by(bans.c.network)
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return [Ban(ip_network(network), created_at, expires_at) for network, created_at, expires_at in found]

    async def ban(self, network: Network, at: datetime, until: datetime) -> None:
        """Ban a network until a time, also if it is banned already. Bans that have ended are deleted."""
        insert = dialect_insert(self._database.dialect, bans).values(
            network=str(network), created_at=at, expires_at=until
        )
        upsert = insert.on_conflict_do_update(index_elements=["network"], set_={"expires_at": until})

        def write(connection: sa.Connection) -> None:
            connection.execute(bans.delete().where(bans.c.expires_at <= at))
            connection.execute(upsert)

        await self._database.write(write)

    async def lift(self, network: Network) -> bool:
        """End the ban of exactly this network; return whether there was one."""
        delete = bans.delete().where(bans.c.network == str(network))
        return bool(await self._database.write(lambda connection: connection.execute(delete).rowcount))
