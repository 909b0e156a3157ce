"""Static files of other versions of the program, which pages may load that were open during an upgrade.

Each node stores the files of its version in the database. They are served for a day after a newer version came. While
nodes are restarted one after the other, a node also serves the files of the newer version.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from app.store.repositories.static_files import StaticFileStore, StoredVersion

MAX_BYTES: Final = 5_000_000
"""Largest size of the stored files of a version."""
SERVED: Final = timedelta(days=1)
"""How long files are served after a newer version came."""
REREAD_SECONDS: Final = 10.0
"""Shortest time between two looks for new versions, because anybody can ask for unknown ones."""

logger = structlog.get_logger("web")


@dataclass(frozen=True, slots=True)
class OtherFile:
    """A file of another version, as it was stored."""

    content: bytes
    is_outdated: bool
    """Whether a newer version is there."""


class OtherVersions:
    """Finds static files of other versions in the database, and keeps those that were asked for in memory."""

    def __init__(
        self, store: StaticFileStore, own_version: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._store = store
        self._own_version = own_version
        self._now = now
        self._versions: Sequence[StoredVersion] = ()
        self._read_at = -REREAD_SECONDS
        self._files: dict[tuple[str, str], bytes] = {}
        self._lock = asyncio.Lock()

    async def save_own(self, paths: Collection[str], pack: Callable[[], Mapping[str, bytes]]) -> None:
        """Store the files of this program's version, up to the largest size.

        `pack` returns the files with these paths. It runs in a thread, and only if some are not stored yet.
        """
        stored = {each.version: each.paths for each in await self._store.versions()}
        is_stored = stored.get(self._own_version, frozenset()).issuperset(paths)
        files = {} if is_stored else await asyncio.to_thread(pack)
        chosen, size = {}, 0
        for path, content in files.items():
            if size + len(content) <= MAX_BYTES:
                chosen[path] = content
                size += len(content)
        if len(chosen) < len(files):
            logger.warning("static files too large to store", files=len(files) - len(chosen), stored_bytes=size)
        await self._store.save_version(self._own_version, chosen, self._now())
        self._versions = ()
        self._read_at = -REREAD_SECONDS

    async def find(self, version: str, path: str) -> OtherFile | None:
        """Return a file of another version; None if it is not stored, or no longer served."""
        async with self._lock:  # many pages may ask at the same time
            if version not in {each.version for each in self._versions}:
                await self._reread()
            found = next((each for each in self._versions if each.version == version), None)
            if found is None or path not in found.paths:
                return None
            newest = self._versions[0]
            is_outdated = found is not newest or self._own_version not in {each.version for each in self._versions}
            if found is not newest and self._now() - newest.stored_at > SERVED:
                return None
            if (version, path) not in self._files:
                content = await self._store.read(version, path)
                if content is None:
                    return None
                self._files[version, path] = content
            return OtherFile(self._files[version, path], is_outdated)

    async def _reread(self) -> None:
        if time.monotonic() - self._read_at >= REREAD_SECONDS:
            self._versions = await self._store.versions()
            self._read_at = time.monotonic()
