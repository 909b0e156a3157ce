"""Test the HTTP API against openapi.json: every answer must be a documented one."""

import ast
import asyncio
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import app.web
from app.main import build_pages
from app.settings import Limits, Settings
from app.web.api.dependencies import REFUSALS
from app.web.i18n.catalogues import Catalogues
from tests.web.conftest import serving

MANY = dict.fromkeys(
    ("requests_per_minute", "changes_per_minute", "rooms_per_hour", "people_per_hour", "guesses_per_minute"), 10**6
)


@pytest.fixture(scope="module")
def base(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a server in a thread for a blocking client."""
    path = tmp_path_factory.mktemp("openapi") / "rooms.sqlite3"
    shutil.copy(migrated, path)
    asked = Settings(database_url=f"sqlite:///{path}", limits=Limits(**MANY))
    up, down, found = threading.Event(), asyncio.Event(), list[Any]()

    async def run() -> None:
        async with serving(asked) as live:
            found[:] = [live.base, asyncio.get_running_loop()]
            up.set()
            await down.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    try:
        assert up.wait(30)
        yield str(found[0])
    finally:
        found[1].call_soon_threadsafe(down.set)
        thread.join(30)


schema = schemathesis.openapi.from_dict(build_pages(Catalogues(), watch=False).web.openapi())


@pytest.mark.long("it sends twelve generated requests to each route")
@schema.parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_http_responses_conform_to_the_openapi_description(case: Any, base: str) -> None:
    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    case.call_and_validate(base_url=base, checks=checks)


def test_the_api_documents_every_refusal_that_it_can_answer() -> None:
    raised: set[int] = set()
    for path in Path(app.web.__file__ or "").parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            called = node.func if isinstance(node, ast.Call) else None
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if isinstance(node, ast.Call) and name == "HttpError" and isinstance(node.args[0], ast.Constant):
                raised.add(int(str(node.args[0].value)))
    assert {400, 403, 503} < raised
    # Every request may be too slow or for another host, not only those of the API.
    assert raised - {408, 421} <= set(REFUSALS)
