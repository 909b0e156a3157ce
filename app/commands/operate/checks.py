"""The lines of `status`, each with its value for scripts, and the faults that `doctor` names.

Each line is declared once, as a function of the facts. `status` prints all lines, `doctor` only those with a fault,
and both print the same values as JSON.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

from app.commands.operate.facts import Facts, describe_system
from app.store.db.engines import describe_location
from app.store.maintenance.figures import format_bytes, format_sizes
from app.version import version_with_commit

Harm: TypeAlias = Literal["data can be lost", "nobody can play", "friends can't come", "trouble comes", "worth a look"]
"""What a fault can do, the worst first."""
HARMS: Final[tuple[Harm, ...]] = get_args(Harm)

LEAST_FREE_BYTES: Final = 500_000_000
BACKUP_AGE: Final = timedelta(days=2)
"""A backup every night is never older."""
MOST_CLOCK_SECONDS: Final = 2.0
MOST_SILENT_SECONDS: Final = 10.0
MOST_WAITING_SECONDS: Final = 10.0
MOST_FILES_SHARE: Final = 0.8
SHOWN_WARNINGS: Final = 10
UNKNOWN: Final = "unknown"
NOT_RUNNING: Final = "not running"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong, and what the operator can do about it. Both are sentences."""

    harm: Harm
    what: str
    to_do: str


@dataclass(frozen=True, slots=True)
class StatusLine:
    """One line of `status`."""

    value: Any
    """For scripts: a value of JSON."""
    text: str
    """For people."""
    public: str | None = None
    """For a bug report: the text without names and addresses. None: the text has none."""
    fault: Fault | None = None


def _version(facts: Facts) -> StatusLine:
    own = version_with_commit()
    running = sorted({f"{node.version}{f' ({node.commit})' if node.commit else ''}" for node in facts.nodes})
    if not running or running == [own]:
        return StatusLine(own, own)
    return StatusLine(
        running,
        f"{', '.join(running)}; of this command: {own}",
        fault=Fault(
            "worth a look",
            f"The server runs {', '.join(running)}, but the installed program is {own}.",
            "Restart the server. With several nodes, restart one after the other.",
        ),
    )


def _system(facts: Facts) -> StatusLine:
    text = describe_system(facts.settings)
    return StatusLine(text, text)


def _schema(facts: Facts) -> StatusLine:
    where = describe_location(facts.settings.unpooled_database_url)
    if facts.database is None:
        fault = Fault(
            "nobody can play",
            f"The database can’t be read ({where}): {facts.problem}.",
            "If a server is upgrading it, wait. Else follow the sentence, or see “Restoring, and moving”.",
        )
        return StatusLine(None, f"unreadable: {facts.problem} ({where})", "unreadable", fault)
    revision = str(facts.database.revision)
    return StatusLine(revision, f"{revision}, in {where}", revision)


def _ready(facts: Facts) -> StatusLine:
    if not facts.nodes:
        return StatusLine(
            None,
            NOT_RUNNING,
            fault=Fault(
                "nobody can play",
                "No server of this user answers on this machine.",
                "Start it (systemctl start pecking-order), or run this command as the user of the server.",
            ),
        )
    states = {node.name: node.reason or "ready" for node in facts.nodes}
    since = {node.name: f"since {node.since:%Y-%m-%d %H:%M} UTC" for node in facts.nodes}
    text = "; ".join(f"{state} ({name}, {since[name]})" for name, state in states.items())
    waiting = [node for node in facts.nodes if node.reason]
    fault = None
    if waiting:
        node = waiting[0]
        rows = f", {node.done_rows:,} of {node.total_rows:,} rows are upgraded" if node.total_rows else ""
        fault = Fault("nobody can play", f"{node.name} is not ready: {node.reason}{rows}.", _TO_DO[str(node.reason)])
    return StatusLine(states, text, ", ".join(states.values()), fault)


_TO_DO: Final = {
    "starting": "Wait until it has started; the log tells how long an upgrade takes.",
    "leaving": "It was told to stop. Start it again if that was not you.",
    "database": "Nothing can be saved: look at the free space, and at the database’s own log.",
}


def _live_nodes(facts: Facts) -> StatusLine:
    if facts.database is None or not facts.database.nodes:
        names = [node.name for node in facts.nodes]
        return StatusLine(names, ", ".join(names) or "none", str(len(names)))
    here = {node.node for node in facts.nodes}
    silent = [node for node in facts.database.nodes if node.silent_seconds > MOST_SILENT_SECONDS]
    live = [node for node in facts.database.nodes if node not in silent]
    text = ", ".join(f"{node.id} at {node.address}{' (answered)' if node.id in here else ''}" for node in live)
    fault = Fault(
        "trouble comes",
        f"No heartbeat for more than {MOST_SILENT_SECONDS:g} seconds: {', '.join(node.address for node in silent)}.",
        "Look whether these nodes still run. Each leaves this list after a day.",
    )
    return StatusLine([node.id for node in live], text or "none", str(len(live)), fault if silent else None)


def _rooms_stored(facts: Facts) -> StatusLine:
    return _number(None if facts.database is None else facts.database.rooms)


def _rooms_loaded(facts: Facts) -> StatusLine:
    return _number(sum(len(node.rooms) for node in facts.nodes) if facts.nodes else None, NOT_RUNNING)


def _connections(facts: Facts) -> StatusLine:
    return _number(sum(node.sockets for node in facts.nodes) if facts.nodes else None, NOT_RUNNING)


def _unanswered(facts: Facts) -> StatusLine:
    if not facts.nodes:
        return _number(None, NOT_RUNNING)
    waiting = [room for node in facts.nodes for room in node.rooms if room.unanswered]
    oldest = max(waiting, key=lambda room: room.oldest_seconds, default=None)
    if oldest is None:
        return _number(0)
    text = f"{sum(room.unanswered for room in waiting)}, the oldest for {oldest.oldest_seconds:.1f} seconds"
    fault = Fault(
        "trouble comes",
        f"A command to room {oldest.id} has waited for {oldest.oldest_seconds:.0f} seconds.",
        f"Look at the room (rooms show {oldest.id}), and at the time of commits in /metrics.",
    )
    return StatusLine(
        oldest.oldest_seconds, text, fault=fault if oldest.oldest_seconds > MOST_WAITING_SECONDS else None
    )


def _database_bytes(facts: Facts) -> StatusLine:
    return _size(None if facts.database is None else facts.database.bytes)


def _table_bytes(facts: Facts) -> StatusLine:
    tables = facts.table_bytes
    return StatusLine(tables, UNKNOWN if tables is None else format_sizes(tables, 5))


def _free_bytes(facts: Facts) -> StatusLine:
    line = _size(None if facts.database is None else facts.database.free_bytes)
    if line.value is None or line.value >= LEAST_FREE_BYTES:
        return line
    fault = Fault(
        "data can be lost",
        f"Only {line.text} are free on the disk of the database.",
        "Free space or grow the disk. “rooms list --sort size” and “size --rooms 20” show the largest rooms.",
    )
    return StatusLine(line.value, line.text, fault=fault)


def _last_backup(facts: Facts) -> StatusLine:
    if facts.database is None:
        return _number(None)
    at = facts.database.last_backup
    to_do = "Make one (pecking-order backup FILE), and switch on the timer: see “Backup”."
    if at is None:
        return StatusLine(None, "never", fault=Fault("data can be lost", "There is no backup.", to_do))
    age = facts.now - at
    text = f"{at:%Y-%m-%d %H:%M} UTC, {_format_age(age)} ago"
    fault = Fault("data can be lost", f"The newest backup is {_format_age(age)} old.", to_do)
    return StatusLine(at.isoformat(timespec="seconds"), text, fault=fault if age > BACKUP_AGE else None)


def _believed_proxies(facts: Facts) -> StatusLine:
    if not facts.nodes:
        return StatusLine(None, NOT_RUNNING)
    found = sorted({address for node in facts.nodes for address in node.believed_proxies})
    trusted = [str(network) for network in facts.settings.trusted_proxies]
    fault = None
    if trusted and not found and any(node.sockets for node in facts.nodes):
        fault = Fault(
            "worth a look",
            "Visitors are here, but no trusted proxy has named one: all of them may count as one address.",
            "Set PECKING_ORDER_TRUSTED_PROXIES to the address of the proxy, which must send X-Forwarded-For.",
        )
    text = ", ".join(found) or ("none so far" if trusted else "none is trusted")
    return StatusLine(found, text, f"{len(found)} of {len(trusted)} trusted", fault)


def _open_files(facts: Facts) -> StatusLine:
    known = {node.name: node.open_files for node in facts.nodes if node.open_files is not None}
    if not known:
        return StatusLine(None, UNKNOWN if facts.nodes else NOT_RUNNING)
    fullest = max(facts.nodes, key=lambda node: (node.open_files or 0) / (node.open_file_limit or 1 << 30))
    limit = fullest.open_file_limit
    text = f"{fullest.open_files} of {'no limit' if limit is None else limit}"
    fault = Fault(
        "trouble comes",
        f"{fullest.name} has {text} open files and connections.",
        "Raise the limit (LimitNOFILE, ulimit -n, --ulimit), or start another node.",
    )
    is_full = limit is not None and (fullest.open_files or 0) > MOST_FILES_SHARE * limit
    return StatusLine(known, text, fault=fault if is_full else None)


def _clock(facts: Facts) -> StatusLine:
    clocks = {node.name: node.now for node in facts.nodes}
    if facts.database is not None:
        clocks["database"] = facts.database.now
    off = max((abs(at - facts.now).total_seconds() for at in clocks.values()), default=0.0)
    off = 0.0 if off < MOST_CLOCK_SECONDS else round(off, 1)  # the time to ask is part of it
    fault = Fault(
        "trouble comes",
        f"The clocks of this machine, of the server and of the database differ by {off:g} seconds.",
        "Set the clocks with NTP: turns would end too early or too late.",
    )
    text = f"{facts.now:%Y-%m-%d %H:%M:%S} UTC, {f'off by {off:g} seconds' if off else 'equal everywhere'}"
    return StatusLine(off, text, fault=fault if off else None)


def _warnings(facts: Facts) -> StatusLine:
    if not facts.nodes:
        return StatusLine(None, NOT_RUNNING)
    counts: dict[tuple[str, str], int] = {}
    for each in (each for node in facts.nodes for each in node.warnings):
        counts[each.level, each.kind] = counts.get((each.level, each.kind), 0) + each.count
    value = [{"level": level, "kind": kind, "count": count} for (level, kind), count in counts.items()]
    shown = [f"{count} × {level}: {kind}" for (level, kind), count in list(counts.items())[:SHOWN_WARNINGS]]
    text = f"{sum(counts.values())} in the last day" + "".join(f"\n  {each}" for each in shown)
    has_error = any(level != "warning" for level, _ in counts)
    fault = Fault(
        "trouble comes" if has_error else "worth a look",
        f"The log of the last day has warnings: {text}",
        "Each text says what to do. The log has the time and the values (journalctl -u pecking-order -p warning).",
    )
    return StatusLine(value, text, fault=fault if counts else None)


LINES: Final[dict[str, tuple[str, Callable[[Facts], StatusLine]]]] = {
    "version": ("version", _version),
    "system": ("system", _system),
    "schema": ("schema", _schema),
    "ready": ("state", _ready),
    "nodes": ("live nodes", _live_nodes),
    "rooms_stored": ("rooms stored", _rooms_stored),
    "rooms_loaded": ("rooms loaded", _rooms_loaded),
    "connections": ("connections", _connections),
    "oldest_command_seconds": ("unanswered commands", _unanswered),
    "database_bytes": ("database", _database_bytes),
    "table_bytes": ("largest tables", _table_bytes),
    "free_bytes": ("free space", _free_bytes),
    "last_backup": ("newest backup", _last_backup),
    "believed_proxies": ("believed proxies", _believed_proxies),
    "open_files": ("open files", _open_files),
    "clock_off_seconds": ("clock", _clock),
    "warnings": ("warnings", _warnings),
}
"""All lines in their order: the key in JSON, the label for people, and the function that makes the line."""


def make_lines(facts: Facts) -> dict[str, StatusLine]:
    """Return all lines of `status`, by key."""
    return {key: make(facts) for key, (_, make) in LINES.items()}


def format_lines(lines: dict[str, StatusLine], *, public: bool = False) -> str:
    """Return the lines for people. With `public`, without names and addresses."""
    width = max(len(LINES[key][0]) for key in lines) + 2
    texts = ((key, line.public if public and line.public is not None else line.text) for key, line in lines.items())
    return "\n".join(f"{LINES[key][0]:{width}}{text}" for key, text in texts)


def sort_faults(faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults in order of harm, the worst first."""
    return sorted(faults, key=lambda fault: HARMS.index(fault.harm))


def _number(value: int | None, otherwise: str = UNKNOWN) -> StatusLine:
    return StatusLine(value, otherwise if value is None else f"{value:,}")


def _size(value: int | None) -> StatusLine:
    return StatusLine(value, UNKNOWN if value is None else format_bytes(value))


def _format_age(age: timedelta) -> str:
    hours = age.total_seconds() / 3600
    if hours >= 48:
        return f"{hours / 24:.0f} days"
    return f"{hours:.0f} hours" if hours >= 2 else f"{hours * 60:.0f} minutes"
