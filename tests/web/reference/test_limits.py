"""Test that the table of limits in `docs/protocol.md` has every limit, and that each has a test.

The table is generated from this file. Limits without a test elsewhere are tested here.
"""

import ast
import asyncio
from pathlib import Path
from typing import Final

import pytest

from app.rooms.people import chat
from app.settings import Limits, Settings
from app.store.repositories import push_subscriptions
from app.text_limits import MAX_TEXT_LENGTH, MOST_KEYS
from app.web import client_address, room_socket
from app.web.api import saved_rules
from app.web.context import watch_parties
from app.web.http import guards, work_queue
from app.web.matches import import_files
from app.web.push import safe_post, sender
from app.web.transport import http_guard, uvicorn_server, websocket
from tests.web.conftest import Live, serving
from tests.web.visitors import Visitor, visiting

_TESTS = Path(__file__).parents[2]
_PROTOCOL = _TESTS.parent / "docs" / "protocol.md"
_BEGINS, _ENDS = "<!-- limits: begin -->\n", "<!-- limits: end -->\n"
_ARE: Final = Limits()

Row = tuple[str, str, str]
"""A name, its limit, and the test that would fail without the limit."""

ROWS: Final[tuple[Row, ...]] = (
    (
        "`MESSAGE_BYTES` on a socket",
        f"{_ARE.message_bytes}",
        "test_sockets.py test_a_message_that_is_too_long_closes_the_socket",
    ),
    (
        "`MESSAGES_PER_SECOND`, `MESSAGES_AT_ONCE` of a person in a room",
        f"{_ARE.messages_per_second:g} and {_ARE.messages_at_once}",
        "test_sockets.py test_messages_of_a_person_are_rate_limited_across_sockets",
    ),
    (
        "invalid or too fast messages before the socket is closed",
        f"{room_socket.MAX_BAD_MESSAGES}",
        "test_sockets.py test_invalid_messages_are_answered_until_too_many_close_the_socket",
    ),
    (
        "`SOCKETS` of a node, `SOCKETS_PER_ADDRESS`",
        f"{_ARE.sockets}, {_ARE.sockets_per_address}",
        "test_limits.py test_sockets_over_the_limit_are_refused_until_another_closes",
    ),
    (
        "`SOCKETS_PER_PERSON` in a room",
        f"{_ARE.sockets_per_person}",
        "test_sockets.py test_sockets_over_the_limit_per_person_are_refused",
    ),
    (
        "connections of an address",
        f"{uvicorn_server.CONNECTIONS_PER_SOCKET * _ARE.sockets_per_address}",
        "test_attacks.py test_connections_are_limited_by_address",
    ),
    (
        "`HANDSHAKES_PER_MINUTE` of an address",
        f"{_ARE.handshakes_per_minute}",
        "test_sockets.py test_handshakes_are_rate_limited_by_address",
    ),
    (
        "`REQUESTS_PER_MINUTE`, `CHANGES_PER_MINUTE` (all except GET) of an address",
        f"{_ARE.requests_per_minute}, {_ARE.changes_per_minute}",
        "test_limits.py test_requests_over_the_limit_per_minute_are_refused",
    ),
    (
        "`SETTINGS_CHANGES_PER_MINUTE` of a room",
        f"{_ARE.settings_changes_per_minute}",
        "test_log_limits.py test_changes_of_the_settings_of_a_room_are_limited_per_minute",
    ),
    (
        "`LOG_BYTES_PER_HOUR` of an address, then only plays are accepted",
        f"{_ARE.log_bytes_per_hour}",
        "test_log_limits.py test_an_address_that_has_filled_the_logs_can_play_and_leave_only",
    ),
    (
        "`ROOMS_PER_HOUR` of an address",
        f"{_ARE.rooms_per_hour}",
        "test_pages.py test_forwarded_headers_from_untrusted_peers_do_not_bypass_limits",
    ),
    (
        "`PEOPLE_PER_HOUR` of an address that get a cookie or token",
        f"{_ARE.people_per_hour}",
        "test_programs.py test_new_api_clients_and_new_browsers_share_the_limit_on_new_people",
    ),
    (
        "`HINDSIGHT_PER_MINUTE` of a person",
        f"{_ARE.hindsight_per_minute}",
        "test_analysis.py test_analysis_requests_over_the_rate_limit_are_refused",
    ),
    (
        "`PICTURES_PER_MINUTE` of an address",
        f"{_ARE.pictures_per_minute}",
        "test_share_picture.py test_pictures_over_the_limit_of_an_address_are_refused",
    ),
    (
        "`SEAT_REQUESTS_PER_HOUR` of an address",
        f"{_ARE.seat_requests_per_hour}",
        "test_seat_links.py test_seat_requests_are_limited_by_address",
    ),
    (
        "`GUESSES_PER_MINUTE` of codes and links, from an address",
        f"{_ARE.guesses_per_minute}",
        "test_sockets.py test_guessing_room_codes_is_rate_limited",
    ),
    (
        "`REACTIONS_PER_MINUTE`, `REACTIONS_AT_ONCE`",
        f"{_ARE.reactions_per_minute:g} and {_ARE.reactions_at_once}",
        "test_reactions.py test_reactions_over_the_rate_limit_are_refused",
    ),
    (
        "`CHAT_MESSAGES_PER_MINUTE`, `CHAT_MESSAGES_AT_ONCE`",
        f"{_ARE.chat_messages_per_minute:g} and {_ARE.chat_messages_at_once}",
        "test_chat.py test_chat_messages_over_the_rate_limit_are_refused",
    ),
    (
        "characters of a chat message; stored messages",
        f"{chat.MAX_MESSAGE_LENGTH}; {chat.MAX_MESSAGES}",
        "test_chat.py test_chat_messages_have_a_maximum_length_and_only_the_newest_are_kept",
    ),
    (
        f"`BODY_BYTES` of a request, which must arrive within {guards.BODY_SECONDS} seconds",
        f"{_ARE.body_bytes}",
        "test_limits.py test_a_body_that_is_too_large_or_too_slow_is_refused",
    ),
    (
        "`IMPORT_BYTES`, `IMPORT_HANDS` of a record file",
        f"{_ARE.import_bytes}; {_ARE.import_hands}",
        "test_import_files.py test_import_limits_on_bytes_hands_and_unfinished_hands_are_enforced",
    ),
    (
        "`IMPORT_SECONDS` of processor time for a file",
        f"{_ARE.import_seconds:g}",
        "test_import_files.py test_an_import_that_takes_too_long_is_refused",
    ),
    (
        "`IMPORTS_PER_PERSON`",
        f"{_ARE.imports_per_person}",
        "test_import_files.py test_import_limits_on_bytes_hands_and_unfinished_hands_are_enforced",
    ),
    (
        "`IMPORT_BYTES_PER_PERSON`",
        f"{_ARE.import_bytes_per_person}",
        "test_import_files.py test_imported_bytes_are_limited_by_person_and_by_address",
    ),
    (
        "`IMPORT_BYTES_PER_DAY` of an address",
        f"{_ARE.import_bytes_per_day}",
        "test_import_files.py test_imported_bytes_are_limited_by_person_and_by_address",
    ),
    (
        f"`HOUSE_RULES_PER_PERSON`, with a name of {saved_rules.LONGEST} characters at most",
        f"{_ARE.house_rules_per_person}",
        "test_saved_rules.py test_a_person_can_save_house_rules_up_to_the_limit",
    ),
    (
        "characters of any text in a request, message or file",
        f"{MAX_TEXT_LENGTH}",
        "test_inputs.py test_free_form_json_with_too_long_texts_or_too_many_keys_is_refused",
    ),
    (
        "keys of an object; fields of a form",
        f"{MOST_KEYS}",
        "test_inputs.py test_a_form_with_too_long_or_too_many_fields_is_refused",
    ),
    (
        "values in a file of records",
        f"{_ARE.import_bytes // import_files.BYTES_OF_A_PART}",
        "test_import_files.py test_a_file_with_millions_of_values_is_refused_before_it_is_parsed",
    ),
    (
        "bytes of headers such as `Origin`; `User-Agent`",
        f"{client_address.MAX_HEADER_BYTES[b'origin']} and {client_address.MAX_HEADER_BYTES[b'user-agent']} bytes",
        "test_raw_requests.py test_a_header_longer_than_its_maximum_is_refused",
    ),
    (
        f"head of a request, which must arrive within {http_guard.HEAD_SECONDS} seconds",
        f"{client_address.HEAD_BYTES} bytes",
        "test_raw_requests.py test_chunk_extensions_count_as_the_head",
    ),
    (
        "time without reading before HTTP is disconnected",
        f"{http_guard.STALLED_SECONDS} s",
        "test_attacks.py test_a_client_that_does_not_read_its_response_is_disconnected",
    ),
    (
        "frames without a whole text: at once; each second",
        f"{websocket.ODD_AT_ONCE}; {websocket.CONTROL_FRAMES_PER_SECOND}",
        "test_floods.py test_too_many_frames_without_messages_close_the_connection",
    ),
    (
        "fragments of a message",
        str(websocket.MAX_FRAGMENTS),
        "test_sockets.py test_a_message_in_too_many_fragments_is_refused",
    ),
    (
        "waiting messages of a socket before reading pauses",
        f"{websocket.MAX_QUEUED_MESSAGES}",
        "test_websocket.py test_reading_pauses_when_too_many_messages_are_waiting",
    ),
    (
        "bytes read after the server's goodbye",
        f"{websocket.MAX_BYTES_AFTER_CLOSE}",
        "test_floods.py test_a_client_that_keeps_sending_after_the_goodbye_is_disconnected",
    ),
    (
        "time until a ping if the server waits for you; otherwise; until it disconnects",
        f"{websocket.ASK_SECONDS:g} s; {websocket.SILENT_SECONDS:g} s; {websocket.PONG_TIMEOUT_SECONDS:g} s more",
        "test_slow_readers.py test_a_client_that_stops_reading_becomes_absent_for_the_others",
    ),
    (
        (
f"bytes not read, beyond which only the newest update is sent; a text counts for "
        f"{websocket.MIN_BYTES_PER_TEXT} at least"),
        f"{websocket.MAX_UNREAD_BYTES}",
        "test_slow_readers.py test_a_slow_client_has_a_small_queue_and_gets_the_newest_state_later",
    ),
    (
        "notified devices of a person; interval for each",
        f"{push_subscriptions.MAX_PER_PERSON}; once a minute",
        "store/repositories/test_push_subscriptions.py test_only_the_devices_added_last_get_notifications",
    ),
    (
        "waiting notifications; seconds for each",
        f"{sender.MOST_WAITING}; {safe_post.SECONDS:g}",
        "test_sender.py test_a_full_queue_drops_the_oldest_notification_and_expired_notifications",
    ),
    (
        "messages to a push service; at once; to another domain",
        f"{sender.MOST_IN_LINE}; {sender.AT_ONCE}, {sender.AT_ONCE_ELSEWHERE}",
        "test_sender.py test_a_full_queue_of_one_push_service_drops_only_its_own_notifications",
    ),
    (
        "long work: jobs of an address in the queue (files: 1); all its jobs; queued jobs",
        f"{work_queue.IN_QUEUE}; {work_queue.MOST_OF_ONE}; {work_queue.MOST_WAITING}",
        "test_work_queue.py test_one_address_has_at_most_two_jobs_in_the_queue",
    ),
    (
        "watch parties led from an address; in total; pages of a party",
        f"{watch_parties.MAX_PARTIES_PER_ADDRESS}; {watch_parties.MAX_PARTIES}; {watch_parties.MOST_IN_ONE}",
        "test_watch_parties.py test_a_person_leads_one_watch_party_and_sizes_are_limited",
    ),
)  # fmt: skip


def table() -> str:
    """Return the table that docs/protocol.md should have."""
    lines = ["| limit | default |", "| --- | --- |", *(f"| {what} | {most} |" for what, most, _ in ROWS)]
    return "\n".join([*lines, ""])


def _place(file: str) -> str:
    """Return the path of a test file below `tests`. A file without a folder is found by its name."""
    if "/" in file:
        return file
    [found] = (_TESTS / "web").rglob(file)
    return str(found.relative_to(_TESTS))


def test_the_documented_table_of_limits_is_current() -> None:
    told = _PROTOCOL.read_text(encoding="utf-8").partition(_BEGINS)[2].partition(_ENDS)[0]
    assert told.strip() == table().strip()


def test_the_table_of_limits_contains_every_limit_setting() -> None:
    told = table()
    assert [name for name in Limits.model_fields if f"`{name.upper()}`" not in told] == []


def test_every_test_named_in_the_table_of_limits_exists() -> None:
    for _, _, test in ROWS:
        file, name = test.split()
        tree = ast.parse((_TESTS / _place(file)).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}, (
            test
        )


# Limits without a test elsewhere ------------------------------------------------------------------------------


async def test_requests_over_the_limit_per_minute_are_refused(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(requests_per_minute=4, changes_per_minute=2)})
    async with serving(few) as live, visiting(live.base) as come:
        ana = come()
        changes = [await ana.http.post("/api/options", json={"game": "president"}) for _ in range(3)]
        assert [answer.status_code for answer in changes] == [200, 200, 429]
        looks = [await ana.http.get("/api/games") for _ in range(3)]
        assert {answer.status_code for answer in looks} == {200, 429}
        assert looks[-1].json()["code"] == "too_fast"
        assert int(looks[-1].headers["retry-after"]) >= 1
        assert (await ana.http.get("/healthz")).status_code == 200


@pytest.mark.parametrize("limit", ["sockets", "sockets_per_address"])
async def test_sockets_over_the_limit_are_refused_until_another_closes(settings: Settings, limit: str) -> None:
    few = settings.model_copy(update={"limits": Limits(**{limit: 2})})  # type: ignore[arg-type]
    async with serving(few) as live, visiting(live.base) as come:
        ana = come()
        code = (await ana.open())["code"]
        first, second = await ana.sit(code), await come().sit(code)
        bob = come()
        await bob.enter(code)
        refused = await bob.socket(code)
        assert await refused.ended() == 1008
        assert refused.goodbye is not None
        assert refused.goodbye["reason"] == "too_many"
        assert (await first.ask("ping"))["ok"]
        await second.close()
        async with asyncio.timeout(10):
            while len(live.app.site.open_sockets) > 1:
                await asyncio.sleep(0.01)
        await bob.sit(code)


async def test_a_body_that_is_too_large_or_too_slow_is_refused(
    live: Live, ana: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = {"name": "A" * live.app.settings.limits.body_bytes}
    refused = await ana.http.post("/api/rooms", json=long)
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    monkeypatch.setattr(guards, "BODY_SECONDS", 0.1)
    reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
    writer.write(b"POST /api/rooms HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf")
    async with asyncio.timeout(10):
        assert (await reader.readline()).startswith(b"HTTP/1.1 408")
    writer.close()
