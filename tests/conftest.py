"""Fixtures that every test may use, and the rule that nothing is skipped in CI."""

import logging
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import structlog

from app.store.maintenance.migrations import migrate_database
from tests import closing, postgres

IN_CI = os.environ.get("CI", "").lower() in {"true", "1"}
E2E = Path(__file__).parent / "e2e"

# A busy machine is no failure. CI tries the same examples each time; new ones are for people, who can look at them.
hypothesis.settings.register_profile("here", deadline=None, derandomize=IN_CI)
hypothesis.settings.load_profile("here")

collect_ignore = ["load"]
"""A program of its own, with needs of its own: see its README."""

# Databases


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite database with our tables and nothing in them, for tests to copy."""
    path = tmp_path_factory.mktemp("migrated") / "empty.sqlite3"
    migrate_database(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Postgres]:
    """A PostgreSQL of our own, one per test process, started when the first test asks for it."""
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
    """A busy machine is no trouble with the database."""
    monkeypatch.setattr("app.store.db.write_health.SLOW_SECONDS", 60)


# Logging


@pytest.fixture
def loggers() -> Iterator[None]:
    """For tests that set up logging: afterwards all is as it was before."""
    root, names = logging.getLogger(), logging.root.manager.loggerDict
    handlers, level = root.handlers, root.level
    kept = {name: logging.getLogger(name).level for name in names}
    yield
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level
    logging.getLogger("uvicorn.access").disabled = False
    for name in names:
        logging.getLogger(name).setLevel(kept.get(name, logging.NOTSET))


# Which tests are which: the folder e2e/ and the fixtures say it, so that no test has to.


SLOW = ("bots", "store", "tools", "upgrade", "web")
"""Folders whose tests come last: they need servers and databases, or play for long."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: any(E2E.parent / name in item.path.parents for name in SLOW))
    for item in items:
        if E2E in item.path.parents:
            item.add_marker(pytest.mark.e2e)
        if "postgres_server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.postgres)


# Skips: outside CI pytest lists them with their reasons (-rs); with CI=true each is a failure.


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
    """For the lines with which `make test` closes."""
    file = os.environ.get("CLOSING")
    if not file:
        return
    stats = terminalreporter.stats
    closing.note_skips(Path(file), [_reason(report).removeprefix("Skipped: ") for report in stats.get("skipped", ())])
    if terminalreporter.config.getoption("lf"):
        closing.note_second_tries(Path(file), [report.nodeid for report in stats.get("passed", ())])


def _fail(report: Any) -> None:
    report.outcome = "failed"
    report.longrepr = f"CI=true allows no skipped test: {_reason(report)}"


def _reason(report: Any) -> str:
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
