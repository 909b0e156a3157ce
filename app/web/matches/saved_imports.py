"""Imported matches of people: read their files in worker processes, check the limits, save and list the matches."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from app.engine.base.messages import MessageTemplate
from app.settings import Limits
from app.store.repositories.import_encoding import EncodedImport
from app.store.repositories.imported_matches import StorageUsed
from app.web.context.sessions import Person
from app.web.context.site import AppContext
from app.web.http.errors import HttpError
from app.web.matches import frames as match_frames
from app.web.matches.import_files import FileLimits
from app.web.matches.import_worker import ImportAnswer, ImportJob, decode_import_answer
from app.workers.pool import NoAnswer, WorkerPool

LISTED: Final = 50
"""Limit for the imported matches that a page lists."""

WORKERS: Final = 2
"""Number of worker processes."""
STUCK_SECONDS: Final = 300.0
"""Seconds after which a worker is killed. Its CPU time is limited much earlier, by `import_seconds`."""
IDLE_SECONDS: Final = 300.0
"""Seconds without a file after which the workers end, to free their memory."""

NOT_READ = MessageTemplate("import.not_read", "The server could not read this file now. Try again in a moment.")
ENOUGH_KEPT = MessageTemplate(
    "import.enough_kept", "You have imported {count} matches. The limit is {most}. Delete some first."
)
ENOUGH_BYTES = MessageTemplate(
    "import.enough_bytes",
    "Your imported matches take {megabytes} MB. The limit is {most} MB. Delete some first.",
)
ENOUGH_TODAY = MessageTemplate(
    "import.enough_today",
    "Your network has imported matches of {most} MB today, which is the limit. Try again tomorrow.",
)


def create_import_workers() -> WorkerPool[bytes]:
    """Create the pool of workers that read imported files; `decode_import_answer` reads their answers."""
    return WorkerPool(
        WORKERS, "app.web.matches.import_worker", bytes, stuck_seconds=STUCK_SECONDS, idle_seconds=IDLE_SECONDS
    )


async def run_import_job(workers: WorkerPool[bytes], job: ImportJob) -> ImportAnswer:
    """Run a job for a file in a worker process, and return its answer. Raises `HttpError` 503 if the worker fails."""
    done: asyncio.Future[bytes | NoAnswer] = asyncio.get_running_loop().create_future()
    cancel = workers.submit_job(job.encode(), done.set_result)
    try:
        answer = await done
    finally:
        cancel()
    if not isinstance(answer, bytes):
        raise HttpError(503, "trouble", NOT_READ(), {"Retry-After": "5"})
    return decode_import_answer(answer)


def file_limits(limits: Limits) -> FileLimits:
    """Return the settings that a worker process needs to check a file."""
    return FileLimits(limits.import_bytes, limits.import_hands, limits.import_seconds)


async def check_import_limits(
    site: AppContext, person: Person | None, found: Sequence[EncodedImport], client: str
) -> None:
    """Raise `HttpError` if matches of a file exceed a limit: of the person, or of the client address today.

    The limits are the person's matches and bytes, and the address's bytes in a day. Accepted bytes count towards the
    address's limit. Matches that the person already has cost nothing.
    """
    limits, imports = site.settings.limits, site.store.imported_matches
    had = StorageUsed(0, 0) if person is None else await imports.storage_used(person.id)
    known = frozenset[str]() if person is None else await imports.digests_of_person(person.id)
    size = sum({each.digest: each.bytes for each in found if each.digest not in known}.values())
    new = len({each.digest for each in found} - known)
    if new and had.matches + new > limits.imports_per_person:
        raise HttpError(409, "not_now", ENOUGH_KEPT(count=had.matches, most=limits.imports_per_person))
    if size and had.bytes + size > limits.import_bytes_per_person:
        most = _format_megabytes(limits.import_bytes_per_person)
        raise HttpError(409, "not_now", ENOUGH_BYTES(megabytes=_format_megabytes(had.bytes), most=most))
    wait = site.import_byte_limiter.seconds_until_allowed(client, count=size) if size else 0
    if wait:
        raise HttpError(
            429,
            "too_fast",
            ENOUGH_TODAY(most=_format_megabytes(limits.import_bytes_per_day)),
            {"Retry-After": str(max(1, round(wait)))},
        )


async def save_matches(site: AppContext, person: Person, found: Sequence[EncodedImport]) -> list[str]:
    """Save matches from a file for this person, and return their ids.

    Matches they have already are not saved twice.
    """
    now = datetime.now(UTC)
    return [await site.store.imported_matches.save_match(person.id, now, each) for each in found]


def _format_megabytes(count: int) -> str:
    return f"{count / (1024 * 1024):.3g}"


async def list_imported(site: AppContext, person: Person | None) -> list[dict[str, Any]]:
    """Return the person's imported matches as JSON, latest first, at most 50; empty for None."""
    found = () if person is None else await site.store.imported_matches.matches_of_person(person.id, limit=LISTED)
    return [match_frames.match_view(line) for line in found]
