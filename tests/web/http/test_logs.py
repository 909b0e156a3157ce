"""Test that logs have one format and contain no secrets, even at the lowest level."""

import asyncio
import io
import json

import structlog

from app.web.context import metrics
from tests.web.visitors import Come


async def test_logs_contain_no_tokens_invitations_or_cards(lines: io.StringIO, come: Come) -> None:
    ana = come()
    opened = await ana.open(game="president", bots=["easy", "easy"])
    desk = await ana.sit(opened["code"])
    recovery = (await ana.http.post("/api/me/recovery")).json()["url"].rpartition("/")[2]
    await ana.http.get(f"/recover/{recovery}")
    await ana.http.get(f"/j/{opened['invite']}")
    await desk.do("start")
    update = await desk.until(lambda update: update["you"].get("cards"))
    await desk.say("nonsense")
    await desk.answer(None)
    borne = (await ana.http.post("/api/people", json={})).json()["token"]
    bearer = {"Authorization": f"Bearer {borne}"}
    await ana.http.put("/api/me", json={"name": "Robin"}, headers=bearer)
    await (await ana.socket(opened["code"], origin=None, cookies="", **bearer)).do("ping")

    # The visitors' libraries run in the same process and may log. The server's must not.
    clients = ("httpx", "httpcore", "websockets.client", "hpack")
    kept = [line for line in lines.getvalue().splitlines() if not json.loads(line)["logger"].startswith(clients)]
    assert [line for line in kept if json.loads(line)["event"] == "request"]
    said = "\n".join(kept)
    token = ana.cookies.partition("=")[2]
    secrets = [token, borne, recovery, opened["invite"], update["you"]["cards"], update["you"]["cards"][:8]]
    assert not [secret for secret in secrets if secret in said]


def test_values_of_secret_log_fields_are_masked(lines: io.StringIO) -> None:
    structlog.get_logger("test").info("here", token="abc", cards="3c", room="KQ7F3M")
    line = json.loads(lines.getvalue())
    assert (line["token"], line["cards"], line["room"]) == ("…", "…", "KQ7F3M")


def test_a_client_writes_one_line_of_each_kind_a_minute() -> None:
    now = 0.0
    limited = metrics.LimitLinesByClient(lambda: now)

    def is_kept(event: str, client: str | None = None, error: Exception | None = None) -> bool:
        line = {"event": event, "exc_info": error} | ({} if client is None else {"client": client})
        try:
            return "client" not in limited(None, "error", line)
        except structlog.DropEvent:
            return False

    client, error = "7.8.10.1", ValueError()
    asked = [("failed", client), ("failed", "7.8.10.2"), ("failed", client, error), ("other", client)]
    assert [is_kept(*each) for each in asked + asked] == [True] * 4 + [False] * 4
    assert is_kept("failed")
    assert is_kept("failed"), "a line that no client causes has no limit"
    now = 60
    assert [is_kept(*each) for each in asked] == [True] * 4


async def test_a_background_task_does_not_log_the_id_of_the_request_that_started_it() -> None:
    async def answered(*_: object) -> None:
        seen.append(dict(metrics._add_request_id(None, "info", {})))
        await asyncio.create_task(background())

    async def background() -> None:
        seen.append(dict(metrics._add_request_id(None, "info", {})))

    seen: list[dict[str, object]] = []
    await metrics.RequestMetricsMiddleware(answered, metrics.Metrics())(
        {"type": "http", "method": "GET"}, answered, answered
    )  # type: ignore[arg-type]
    assert [list(each) for each in seen] == [["request"], []]
