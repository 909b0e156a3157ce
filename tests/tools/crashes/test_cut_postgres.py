"""Test a server whose connections to PostgreSQL are ended while people play and visitors request pages."""

from random import Random

import pytest
from click.testing import CliRunner

from tests import postgres
from tools.__main__ import main
from tools.crashes.cut_postgres import ConnectionCutSoak, end_connections
from tools.crashes.kill_nodes import PATIENCE
from tools.local_server.server_process import LocalServer


@pytest.mark.long("PostgreSQL starts twice, and a server")
@pytest.mark.postgres
async def test_a_server_goes_on_after_a_cut_and_a_restart_of_postgresql() -> None:
    with postgres.Postgres() as database:
        url = database.create_database()

        def restart() -> None:
            database.stop()
            database.start()

        server = LocalServer(url, RETRY_MS="100")
        soak = ConnectionCutSoak(server, Random(1), PATIENCE, rest=0.4)
        try:
            server.start()
            soak.open_rooms(2, ("president", "big_two"))
            await soak.cut_repeatedly([lambda: end_connections(url), restart])
        finally:
            server.stop()
        await soak.compare_with_logs(url)
    assert (soak.faults, soak.mismatches) == ([], []), soak.summary()
    assert soak.statuses[200] > 0


def test_a_soak_that_cuts_connections_requires_postgresql() -> None:
    result = CliRunner().invoke(main, ("soak", "--cuts-postgres", "1", "--database", "sqlite:///rooms.sqlite3"))
    assert (result.exit_code, "empty PostgreSQL database" in result.output) == (2, True)
