"""A former name of the protocol gets an error that states the name of today, and stands in one table only."""

from typing import Any

import msgspec
import pytest
from fastapi.routing import APIRoute
from pydantic import BaseModel

from app.web.api import matches, me, rooms
from app.web.protocol import client_messages
from app.web.protocol.client_messages import MESSAGES
from app.web.protocol.former_names import FORMER_NAMES, FORMER_REQUEST_FIELDS
from app.web.protocol.message_errors import BadMessage
from tests.web.visitors import Come


def test_each_former_name_stands_for_a_name_of_today() -> None:
    for former, current in FORMER_NAMES.items():
        assert not _exists(former), former
        assert _exists(current), current


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"t": "look", "cards": "7c"}, "“look” is now “preview_cards”."),
        ({"t": "next", "commitment": "c0ffee"}, "“next” is now “deal_next”."),
        ({"t": "vote", "question": "q", "yes": True}, "“vote.question” is now “vote.vote_id”."),
        ({"t": "propose", "matter": "rest", "commitment": "c"}, "“propose.matter” is now “propose.subject”."),
        (
            {"t": "propose", "subject": "rest", "commitment": "c"},
            "“propose.subject.rest” is now “propose.subject.pause”.",
        ),
        ({"t": "configure", "take_back": True}, "“configure.take_back” is now “configure.allow_undo”."),
        ({"t": "join", "name": "rest", "matter": "?"}, "“matter” does not belong in this message."),
    ],
)
def test_a_message_with_a_former_name_is_refused_with_the_name_of_today(message: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadMessage) as bad:
        client_messages.parse_message(msgspec.json.encode({"id": "a", **message}).decode(), "p1")
    assert (bad.value.sentence, bad.value.message_id) == (sentence, "a")


async def test_a_request_with_a_former_field_is_refused_with_the_name_of_today(come: Come) -> None:
    http = come().http
    for path, body, sentence in (
        ("/api/rooms", {"name": "Ana", "ranks": "never"}, "“ranks” is now “carry_titles”."),
        ("/api/matches/m/hands/0/variations", {"move": 0, "chair": "Ana"}, "“chair” is now “seat”."),
    ):
        answer = await http.post(path, json=body)
        assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (422, "bad_request", sentence)


def test_each_former_field_of_a_request_stands_for_a_field_of_today() -> None:
    routes = [route for part in (matches, me, rooms) for route in part.router.routes if isinstance(route, APIRoute)]
    bodies = [route.body_field.field_info.annotation for route in routes if route.body_field is not None]
    fields = {
        name for body in bodies if isinstance(body, type) and issubclass(body, BaseModel) for name in body.model_fields
    }
    assert FORMER_REQUEST_FIELDS.keys().isdisjoint(fields)
    assert {*FORMER_REQUEST_FIELDS.values()} <= fields


def _exists(name: str) -> bool:
    """Whether there is this message, this field of a message, or this value of a field."""
    message, _, rest = name.partition(".")
    field, _, value = rest.partition(".")
    if message not in MESSAGES or field not in {"", *MESSAGES[message].__struct_fields__}:
        return False
    if not value:
        return True
    try:
        msgspec.convert(value, MESSAGES[message].__annotations__[field])
    except msgspec.ValidationError:
        return False
    return True
