"""Test messages: valid and invalid ones, and the schema made from their description."""

import json
import re
from random import Random
from typing import Any, get_args

import jsonschema_rs
import pytest

from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match import views
from app.rooms.model import commands
from app.rooms.model.settings import ClockChange
from app.web.i18n.catalogues import Catalogues
from app.web.protocol import client_messages, json_schema, server_messages
from app.web.protocol.message_errors import BadMessage
from app.web.reference import schema
from tests.for_each import for_each
from tools.property_checks.playout import Playout


def test_every_room_command_has_a_client_message_with_the_same_fields() -> None:
    parts = json_schema.protocol_schema()["$defs"]
    declared = {
        part["properties"]["t"]["enum"][0]: set(part["properties"]) - {"t"}
        for part in (parts[each["$ref"].rpartition("/")[2]] for each in parts["ClientMessage"]["anyOf"])
    }
    wanted = {name: set(kind.__struct_fields__) - {"by"} for name, kind in commands.MESSAGES_BY_TAG.items()}
    besides = {
        "preview_cards": {"cards"},
        "preview_actions": {"first"},
        "ping": set[str](),
        "page_visibility": {"visible", "watches"},
        "react": {"reaction"},
        "send_chat": {"text", "quick"},
    }
    assert declared == {**wanted, **{name: {"id", *fields} for name, fields in besides.items()}}
    assert {
        "take_bot_seat": commands.TakeBotSeat,
        "add_bot": commands.AddBot,
    }.items() <= commands.MESSAGES_BY_TAG.items()


def test_a_client_message_is_parsed_into_its_command() -> None:
    message = client_messages.parse_message('{"t": "add_bot", "id": "k1", "kind": "random"}', "p1")
    assert message == commands.AddBot("p1", "k1", "random")
    message = client_messages.parse_message('{"t": "configure", "id": "k2", "clock": {"turn": null}}', "p1")
    assert message == commands.Configure("p1", "k2", clock=ClockChange(turn=None))


@for_each(
    ("text", "sentence", "message_id"),
    [
        ("{", "A message must be one JSON object.", None),
        ("[1, 2]", "A message must be an object with “t”.", None),
        ("null", "A message must be an object with “t”.", None),
        ('{"id": "a"}', "A message must be an object with “t”.", "a"),
        ('{"t": "dance", "id": "a"}', "The message “dance” does not exist.", "a"),
        ('{"t": "join", "id": "a"}', "“name” is missing.", "a"),
        ('{"t": "start", "id": "a", "now": 1}', "“now” does not belong in this message.", "a"),
        ('{"t": "start", "id": "a", "by": "p2"}', "“by” does not belong in this message.", "a"),
        ('{"t": 7, "id": "a"}', "A message must be an object with “t”.", "a"),
        ('{"t": "join", "id": "a", "name": ""}', "“name” has the wrong type. Expected: string of length >= 1.", "a"),
        ('{"t": "configure", "id": "a", "clock": {"tick": 1}}', "“clock.tick” does not belong in this message.", "a"),
        (
            '{"t": "configure", "id": "a", "clock": {"away": null}}',
            "“clock.away” has the wrong type. Expected: number.",
            "a",
        ),
        ('{"t": "start", "id": 7}', "“id” has the wrong type. Expected: string.", None),
        ('{"t": "join", "id": "a", "name": 7}', "“name” has the wrong type. Expected: string.", "a"),
        ('{"t": "join", "id": "a", "name": "x\\u0000"}', "“name”: control characters are not allowed.", "a"),
        ('{"t": "join", "id": "a", "name": "\\ud800"}', "A message must be one JSON object.", None),
        ('{"t": "act", "id": "a", "action": {"at": NaN}}', "A message must be one JSON object.", None),
        ('{"t": "act", "id": "a", "action": {"at": 1e999}}', "A message must be one JSON object.", None),
        ('{"t": "act", "id": "a", "action": ' + '{"a":' * 9 + "1" + "}" * 9 + "}", "“action”: nested too deeply.", "a"),
        ("[" * 8000, "A message must be one JSON object.", None),
        ('{"t": "act", "id": "a", "action": {"n": ' + "9" * 5000 + "}}", "A message must be one JSON object.", None),
    ],
)
def test_an_invalid_message_is_refused_with_a_reason(text: str, sentence: str, message_id: str | None) -> None:
    with pytest.raises(BadMessage) as bad:
        client_messages.parse_message(text, "p1")
    assert (bad.value.sentence, bad.value.message_id) == (sentence, message_id)


def test_the_schema_accepts_valid_messages_and_refuses_invalid_ones() -> None:
    whole = json_schema.protocol_schema()
    validator = jsonschema_rs.validator_for(whole)
    good: list[dict[str, Any]] = [
        {"t": "act", "id": "k1", "action": {"do": "play", "cards": "7c 7d", "as": "77"}},
        {"t": "act", "id": "k1", "action": {"do": "give", "to": {"Ana": "3c"}}},
        {"t": "ping", "id": "p"},
        {"t": "answer", "id": "k1", "ok": False, "code": "does_not_beat", "message": "No."},
        {"t": "goodbye", "reason": "restart", "retry_ms": 1200},
    ]
    for message in good:
        assert validator.is_valid(message), message
    for bad in ({"t": "act", "id": "k1", "action": {"do": "fly"}}, {"t": "ping"}, {"t": "goodbye", "reason": "x"}):
        assert not validator.is_valid(bad), bad


def test_every_goodbye_reason_has_a_text_and_a_close_code() -> None:
    reasons = get_args(server_messages.GoodbyeReason)
    texts = Catalogues().english
    assert [reason for reason in reasons if f"gone.{reason}" not in texts] == []
    assert set(server_messages.CLOSE_CODES) == set(reasons)


def test_the_generated_types_contain_every_message_type() -> None:
    text = schema.typescript_text()
    for name in ("ClientMessage", "ServerMessage", "Update", "Answer", "Goodbye", "Action", "Room", "Table", "You"):
        assert f"export type {name} = " in text
    assert "title: string | null;" in text
    assert json.loads(schema.json_schema_text())["$defs"]["TablePlayer"]["properties"]["title"]


PARTS = json_schema.protocol_schema()["$defs"]
TABLE, YOU = (jsonschema_rs.validator_for({"$ref": f"#/$defs/{name}", "$defs": PARTS}) for name in ("Table", "You"))


class Watched(Playout):
    """A random match that checks every view of every seat against the schema."""

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        match = self.match
        self.check(TABLE, views.table_view(match))
        for name in match.seats:
            own = {"person": True, "role": "seated", "host": False, "deadline": None, **views.seat_view(match, name)}
            self.check(YOU, own)

    def check(self, validator: Any, shown: dict[str, Any]) -> None:
        """Check that the schema describes every key of the view."""
        as_sent = json.loads(json.dumps(shown))
        assert validator.is_valid(as_sent), next(validator.iter_errors(as_sent))


@pytest.mark.parametrize("key", GAMES)
def test_views_of_every_game_conform_to_the_schema(key: str) -> None:
    for number in range(8):
        match = Watched.random_match(GAMES[key], Random(number))
        for _ in range(2):
            if not match.match.over:
                match.play_hand()


@pytest.mark.parametrize("key", GAMES)
def test_view_schemas_forbid_extra_keys_and_describe_every_key(key: str) -> None:
    table = views.table_view(Playout.random_match(GAMES[key], Random(1)).match)
    assert TABLE.is_valid(table)
    assert not TABLE.is_valid({**table, "secret": 1})
    assert not TABLE.is_valid({**table, "game": "whist"})
    shown = [part for part in PARTS.values() if part.get("properties", {}).get("game", {}).get("const") == key]
    [part] = [each for each in shown if "required" in each]  # the other schema is for changes, without required keys
    seen, waiting = set(), ["You", "Room"]
    for name, field in part["properties"].items():
        assert field.get("description"), name
        waiting += re.findall(r"#/\$defs/(\w+)", json.dumps(field))
    for name in waiting:
        if name in seen or name == "Action":
            continue
        seen.add(name)
        for key, field in PARTS[name]["properties"].items():
            assert field.get("description"), f"{name}.{key}"
            waiting += re.findall(r"#/\$defs/(\w+)", json.dumps(field))
