"""Test that every field sent by strangers has a maximum length."""

from typing import Annotated, Any

import msgspec
from click.testing import CliRunner
from fastapi import APIRouter, Header, Query
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field

from app.main import ROUTERS
from app.rooms.model.commands import FreeJson, Message
from app.text_limits import FREE_JSON, MOST_KEYS
from tools.__main__ import main
from tools.inputs.fields import all_input_fields, message_fields, request_fields


def test_every_field_has_a_maximum_length() -> None:
    result = CliRunner().invoke(main, ["inputs"])
    assert (result.exit_code, "NO MAXIMUM" in result.output) == (0, False), result.output
    found = {(each.where, each.name) for each in all_input_fields(ROUTERS)}
    for known in (
        ("message join", "name"),
        ("message configure", "options"),
        ("message configure", "options.*"),
        ("message configure", "stake.unit"),
        ("message act", "action.*"),
        ("POST /api/rooms", "body.stake.*"),
        ("POST /api/rooms", "body.bots[]"),
        ("GET /api/history", "query.q"),
        ("GET /r/{code}", "code"),
        ("GET /matches/{match_id}/replay", "match_id"),
        ("header", "x-forwarded-for"),
        ("file of records", "any text or key"),
    ):
        assert known in found, known


class Unmeasured(Message, frozen=True, tag="unmeasured"):
    text: str
    short: Annotated[str, msgspec.Meta(max_length=3)]
    many: list[str]
    open: dict[str, Any]
    free: FreeJson
    inner: "Annotated[dict[str, str], msgspec.Meta(max_length=3)]"


def test_a_field_of_a_message_without_a_maximum_length_is_found() -> None:
    missing = [each.name for each in message_fields({"odd": Unmeasured}) if each.most is None]
    assert missing == ["text", "many", "many[]", "open", "open.*", "inner.*"]


def test_a_field_of_a_request_without_a_maximum_length_is_found() -> None:
    router = APIRouter()

    class Inner(BaseModel):
        word: str
        listed: Annotated[list[Annotated[str, Field(max_length=3)]], Field(max_length=3)]

    class Sent(BaseModel):
        inner: Inner
        free: Annotated[dict[str, Any], Field(max_length=MOST_KEYS, json_schema_extra=FREE_JSON)]  # type: ignore[arg-type]

    @router.post("/{part}")
    async def odd(
        part: str,
        sent: Sent,
        q: Annotated[str | None, Query()] = None,
        short: Annotated[str, Query(max_length=3)] = "",
        said: Annotated[str, Header()] = "",
    ) -> None: ...

    [route] = router.routes
    assert isinstance(route, APIRoute)
    assert [each.name for each in request_fields(route) if each.most is None] == [
        "part",
        "q",
        "said",
        "sent.inner.word",
    ]
