"""Fixtures for all tests, and the rule that CI allows no skips."""

import logging
import os
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import structlog

from tests import closing, postgres

IN_CI = os.environ.get("CI", "").lower() in {"true", "1"}
E2E = Path(__file__).parent / "e2e"
LIMITS = {"Python": 10, "browser": 25}
"""Seconds that a test may take. The end of the run lists longer tests, with the reason in their marker `long`."""

# The settings of whoever runs the tests change nothing.
os.environ["PECKING_ORDER_ENV_FILE"] = ""

# CI repeats the same examples, so that runs are reproducible. Slow machines must not fail a test, hence no deadline.
hypothesis.settings.register_profile("here", deadline=None, derandomize=IN_CI)
hypothesis.settings.load_profile("here")

collect_ignore = ["load"]
"""tests/load has requirements that other tests don't need: see its README."""

# Databases


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a migrated, empty SQLite database for tests to copy."""
    from app.store.maintenance.migrations import migrate_database

    path = tmp_path_factory.mktemp("migrated") / "empty.sqlite3"
    migrate_database(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Postgres]:
    """Start a PostgreSQL server for this test process when the first test asks for it."""
    reason = postgres.missing()
    if reason is not None:
        pytest.skip(reason)
    with postgres.Postgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: postgres.Postgres) -> Iterator[str]:
    """The URL of an empty PostgreSQL database for one test."""
    with postgres.fresh_database(postgres_server) as url:
        yield url


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Don't report slow database writes, which a busy machine causes."""
    monkeypatch.setattr("app.store.db.write_health.SLOW_SECONDS", 60)


# Logging


@pytest.fixture
def loggers() -> Iterator[None]:
    """Restore the loggers after a test that sets up logging."""
    root, names = logging.getLogger(), logging.root.manager.loggerDict
    handlers, level = root.handlers, root.level
    kept = {name: logging.getLogger(name).level for name in names}
    yield
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level
    logging.getLogger("uvicorn.access").disabled = False
    for name in names:
        logging.getLogger(name).setLevel(kept.get(name, logging.NOTSET))


# Markers come from the folder e2e/ and the fixtures, so that no test needs to set them.


SLOW = ("bots", "store", "tools", "upgrade", "web")
"""Folders whose tests run last, because they start servers and databases or play long games."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: any(E2E.parent / name in item.path.parents for name in SLOW))
    for item in items:
        if E2E in item.path.parents:
            item.add_marker(pytest.mark.e2e)
        if "postgres_server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.postgres)
        if (long := item.get_closest_marker("long")) is not None:
            item.user_properties.append(("long", long.args[0]))


# Skips: outside CI pytest lists them with their reasons (-rs). With CI=true each one is a failure.


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        _fail(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if IN_CI and report.skipped:
        _fail(report)
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List long tests, and write failures, skips and long tests for the summary at the end of `make test`."""
    stats = terminalreporter.stats
    if long := _long_tests(report for reports in stats.values() for report in reports):
        terminalreporter.section("longer than the limit of a test")
        terminalreporter.write_line("\n".join(long))
    file = os.environ.get("CLOSING")
    if not file:
        return
    closing.note_long_tests(Path(file), long)
    closing.note_skips(Path(file), [_reason(report).removeprefix("Skipped: ") for report in stats.get("skipped", ())])
    failed = [*stats.get("failed", ()), *stats.get("error", ())]
    closing.note_failures(
        Path(file), [(_place(each), f".venv/bin/python -m pytest '{each.nodeid}'") for each in failed]
    )
    if terminalreporter.config.getoption("lf", default=False):
        closing.note_second_tries(Path(file), [report.nodeid for report in stats.get("passed", ())])


def _long_tests(reports: Iterable[Any]) -> list[str]:
    """Return a line for each test that took longer than its limit, the longest first."""
    seconds, limits, reasons = Counter[str](), dict[str, int](), dict[str, str]()
    for report in reports:
        if isinstance(report, pytest.TestReport):
            seconds[report.nodeid] += report.duration
            limits[report.nodeid] = LIMITS["browser" if "e2e" in report.keywords else "Python"]
            reasons[report.nodeid] = dict(report.user_properties).get("long", "no reason")
    return [f"{took:.0f} s {test}: {reasons[test]}" for test, took in seconds.most_common() if took > limits[test]]


def _place(report: Any) -> str:
    """Return the file and line of a failure: where it was raised if that is known, else the test."""
    crash = getattr(report.longrepr, "reprcrash", None)
    root = Path(__file__).parents[1]
    if crash is not None and Path(crash.path).is_relative_to(root) and ".venv" not in crash.path:
        return f"{Path(crash.path).relative_to(root)}:{crash.lineno}"
    file, line, _ = getattr(report, "location", (report.nodeid, None, ""))
    return f"{file}:{(line or 0) + 1}"


def _fail(report: Any) -> None:
    report.outcome = "failed"
    report.longrepr = f"CI=true allows no skipped test: {_reason(report)}"


def _reason(report: Any) -> str:
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
