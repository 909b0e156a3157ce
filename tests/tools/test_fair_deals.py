"""Test that pages don't warn of an honest server with accidents, and say each cancelled deal once."""

import pytest

from tools.fair_deals import HonestTable
from tools.local_server.server_process import LocalServer


@pytest.mark.postgres
async def test_pages_do_not_warn_of_an_honest_server_with_accidents(postgres_url: str) -> None:
    """At least 3 hands, and a deal that is cancelled for each reason. `python -m tools fair` plays more hands."""
    server = LocalServer(postgres_url)
    try:
        server.start()
        problems, told = await HonestTable(server, "president").play(3)
    finally:
        server.stop()
    assert problems == []
    assert told["kill"] > 0
