"""Store the static files of the last versions of the program, for pages that are open while it is upgraded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final

import sqlalchemy as sa

from app.store.db.database import Database
from app.store.db.schema import static_files
from app.store.db.transactions import dialect_insert
from app.store.db.types import check_text, check_time

VERSIONS: Final = 2
"""Number of versions whose files are stored."""
BYTES_PER_WRITE: Final = 200_000
"""Bytes stored in one transaction: plays wait for it."""


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A version of the program whose static files are stored."""

    version: str
    stored_at: datetime
    """When a node of this version started, and another version, or none, was the newest."""
    paths: frozenset[str]


class StaticFileStore:
    """Stores static files by version and path."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save_version(self, version: str, files: Mapping[str, bytes], now: datetime) -> None:
        """Store the files of this version as the newest, and delete all but the two newest versions.

        Files that are stored already stay. If this is interrupted, the next call stores the rest.
        """
        check_text(version)
        check_time(now)
        others = await self.versions()
        own = next((each for each in others if each.version == version), None)
        others = [each for each in others if each is not own]
        stored_at = now
        if own is not None and all(own.stored_at > each.stored_at for each in others):
            stored_at = own.stored_at
        elif own is not None:
            renewed = static_files.update().where(static_files.c.version == version).values(stored_at=now)
            await self._database.write(lambda connection: connection.execute(renewed))
        missing = [
            {"version": version, "path": check_text(path), "stored_at": stored_at, "content": content}
            for path, content in files.items()
            if own is None or path not in own.paths
        ]
        for batch in _batches(missing):
            await self._insert(batch)
        newest = [version, *(each.version for each in others)][:VERSIONS]
        older = static_files.delete().where(static_files.c.version.not_in(newest))
        await self._database.write(lambda connection: connection.execute(older))

    async def versions(self) -> Sequence[StoredVersion]:
        """Return the stored versions, the newest first."""
        columns = static_files.c.version, static_files.c.stored_at, static_files.c.path
        query = sa.select(*columns).order_by(static_files.c.version)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        found = []
        for version, group in groupby(rows, key=lambda row: row.version):
            files = [*group]
            newest = max(row.stored_at for row in files)
            found.append(StoredVersion(version, newest, frozenset(row.path for row in files)))
        return sorted(found, key=lambda each: each.stored_at, reverse=True)

    async def read(self, version: str, path: str) -> bytes | None:
        """Return the content of a stored file, or None if it is not stored."""
        query = sa.select(static_files.c.content).where(
            static_files.c.version == check_text(version), static_files.c.path == check_text(path)
        )
        return await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())

    async def _insert(self, rows: Sequence[Mapping[str, Any]]) -> None:
        def work(connection: sa.Connection) -> None:
            # Another node may store the same files.
            connection.execute(dialect_insert(connection.dialect.name, static_files).on_conflict_do_nothing(), rows)

        await self._database.write(work)


def _batches(rows: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Return the rows in batches, each for one transaction."""
    batches: list[list[Mapping[str, Any]]] = []
    size = BYTES_PER_WRITE
    for row in rows:
        if size >= BYTES_PER_WRITE:
            batches.append([])
            size = 0
        batches[-1].append(row)
        size += len(row["content"])
    return batches
