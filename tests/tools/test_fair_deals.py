"""Test that pages don't warn of an honest server with accidents, and say each cancelled deal once."""

import pytest

from tools.fair_deals import HonestTable
from tools.local_server.server_process import LocalServer


@pytest.mark.postgres
@pytest.mark.long("a server starts twice, and four pages play a hand on it")
async def test_pages_do_not_warn_of_an_honest_server_with_accidents(postgres_url: str) -> None:
    """A killed server and a cancelled deal. `python -m tools fair` plays more hands, with all accidents."""
    server = LocalServer(postgres_url)
    try:
        server.start()
        problems, told = await HonestTable(server, "president", ("kill", "match_ended")).play(1)
    finally:
        server.stop()
    assert problems == []
    assert told["kill"] > 0
