"""Every field that a stranger can send has a maximum length, and what is longer is refused."""

from typing import Annotated, Any

import msgspec
import pytest
from click.testing import CliRunner
from fastapi import APIRouter, Header, Query
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field

from app.bounded import FREE_JSON, LONGEST, MOST_KEYS
from app.cli import main
from app.commands.costs import RUNS, Cost, Input, cost, measured
from app.commands.costs import inputs as ways
from app.main import ROUTERS
from app.rooms.commands import FreeJson, Message
from app.web.inputs import fields, messages, requests
from tests.web.visitors import Visitor


def test_every_field_has_a_maximum_length() -> None:
    result = CliRunner().invoke(main, ["inputs"])
    assert (result.exit_code, "NO MAXIMUM" in result.output) == (0, False), result.output
    found = {(each.where, each.name) for each in fields(ROUTERS)}
    for known in (
        ("message join", "name"),
        ("message configure", "options"),
        ("message configure", "options.*"),
        ("message configure", "stake.unit"),
        ("message act", "action.*"),
        ("POST /api/rooms", "asked.stake.*"),
        ("POST /api/rooms", "asked.bots[]"),
        ("GET /api/history", "asked.q"),
        ("GET /r/{code}", "code"),
        ("GET /matches/{match_id}/replay", "match_id"),
        ("header", "x-forwarded-for"),
        ("file of records", "any text or key"),
    ):
        assert known in found, known


class Unmeasured(Message, frozen=True):
    text: str
    short: Annotated[str, msgspec.Meta(max_length=3)]
    many: list[str]
    open: dict[str, Any]
    free: FreeJson
    inner: "Annotated[dict[str, str], msgspec.Meta(max_length=3)]"


def test_a_field_of_a_message_without_a_maximum_length_is_found() -> None:
    missing = [each.name for each in messages({"odd": Unmeasured}) if each.most is None]
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
    assert [each.name for each in requests(route) if each.most is None] == ["part", "q", "said", "sent.inner.word"]


LONG = "x" * (LONGEST + 1)


@pytest.mark.parametrize("path", [f"/{LONG}", f"/history?q={LONG}", f"/rules/president?{LONG}=1", f"/new?a=1&b={LONG}"])
async def test_an_address_is_refused_if_a_part_of_it_is_too_long(ana: Visitor, path: str) -> None:
    refused = await ana.http.get(path, headers={"Accept": "application/json"})
    assert (refused.status_code, refused.json()["code"], refused.json()["values"]) == (
        414,
        "too_large",
        {"most": LONGEST},
    )


async def test_an_address_is_measured_in_characters_and_not_in_percent_signs(ana: Visitor) -> None:
    assert (await ana.http.get("/history", params={"q": "é" * (LONGEST // 2)})).status_code == 200


async def test_a_form_is_refused_if_a_field_is_too_long_or_there_are_too_many(ana: Visitor) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for sent in (f"language={LONG}", f"{LONG}=en", "&".join(f"f{number}=1" for number in range(MOST_KEYS + 1))):
        refused = await ana.http.post("/language", content=sent, headers=form)
        assert refused.status_code == 413, sent[:20]


async def test_no_text_in_free_json_is_too_long(ana: Visitor) -> None:
    for stake in ({"amount": 1, "unit": LONG}, {LONG: 1}, {str(number): 1 for number in range(MOST_KEYS + 1)}):
        refused = await ana.http.post("/api/rooms", json={"name": "Ana", "stake": stake})
        assert refused.status_code == 422, refused.text
    desk = await ana.sit((await ana.open("Ana"))["code"])
    for action in ({"do": LONG}, {LONG: 1}, {str(number): 1 for number in range(MOST_KEYS + 1)}):
        answer = await desk.ask("act", action=action)
        assert (answer["ok"], answer["code"]) == (False, "bad_message"), answer


async def test_no_text_in_a_file_is_too_long(ana: Visitor) -> None:
    for file in ({"format": LONG}, {LONG: 1}, {"matches": [{"record": {"seats": [LONG]}}]}):
        refused = await ana.http.post("/api/imports", json=file)
        assert (refused.status_code, str(LONGEST) in refused.json()["message"]) == (422, True), refused.text


# The command that measures ------------------------------------------------------------------------------------


def test_what_grows_with_the_square_is_told_from_what_grows_with_the_text() -> None:
    assert not Cost("", "", 4, (0.1, 0.2, 0.4)).grows_too_fast
    assert not Cost("", "", 4, (0.0001, 0.001, 0.01)).grows_too_fast, "too short to be compared"
    assert Cost("", "", 4, (0.1, 0.4, 1.6)).grows_too_fast


def test_each_input_is_read_five_times_at_three_sizes() -> None:
    read = list[str]()
    made = cost(Input("odd", 400, read.append), "letters", "ab")
    assert ([len(text) for text in read], made.characters) == ([100] * RUNS + [200] * RUNS + [400] * RUNS, 400)
    patterns = [each.pattern for each in measured([Input("odd", 4, str)], {"letters": "a"})]
    assert patterns == ["letters", "marks of two classes"]


def test_every_message_is_measured() -> None:
    names = [each.name for each in ways()]
    assert {"name", "unit of a stake", "key of a file, twice", "message act", "message write"} <= {*names}
    assert len(names) == len({*names})
