"""CPU time and memory of a process, and the environment of a measurement. Unknown values are None."""

import os
import platform
import sqlite3
from pathlib import Path
from typing import Any

from app import __version__
from app.version import commit_hash


def cpu_seconds(pid: int, *, ended_children: bool = False) -> float | None:
    """Return the CPU seconds of all threads of a process so far; with `ended_children`, also those of its ended
    children.

    None if /proc does not tell, as on systems other than Linux.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return None
    return sum(map(int, fields[11 : 15 if ended_children else 13])) / os.sysconf("SC_CLK_TCK")


def memory_kb(pid: int) -> int | None:
    """Return the memory of a process with its share of shared memory (PSS), in kB of 1,000 bytes; None if unknown."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    # A kB in Linux's file has 1,024 bytes.
    return next((int(line.split()[1]) * 1024 // 1000 for line in lines if line.startswith("Pss:")), None)


def resident_kb(pid: int) -> int | None:
    """Return the resident memory of a process, shared memory included (RSS), in kB of 1,000 bytes; None if unknown."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE") // 1000


def describe_environment(database: str) -> dict[str, Any]:
    """Return what measured figures depend on, to print with them.

    These are versions of the project, Python and database, CPU model and cores; unknown values are None.
    """
    return {
        "version": __version__,
        "commit": commit_hash(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "database": _database_version(database),
    }


def _cpu_model() -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or None
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, None) or platform.machine()


def _database_version(url: str) -> str:
    if url.startswith("sqlite"):
        return f"SQLite {sqlite3.sqlite_version}, synchronous=FULL"
    from app.store.db.engines import make_engine, parse_url

    engine = make_engine(parse_url(url))
    try:
        with engine.connect() as connection:
            return f"PostgreSQL {connection.exec_driver_sql('SHOW server_version').scalar_one()}"
    finally:
        engine.dispose()
