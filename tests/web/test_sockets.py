"""Test the checks of sockets: origins, sessions, sizes and numbers."""

import asyncio
import contextlib
import itertools
import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode

from app.rooms.ports.storage import AppendResult, StorageUnavailable
from app.rooms.views.delta import VERSION
from app.settings import Limits, Settings
from app.web.transport.websocket import ODD_AT_ONCE
from tests.web.conftest import Live, serving
from tests.web.visitors import PATIENCE, Come, Visitor, visiting
from tools.local_server.client_view import add_reference_fields


@pytest.mark.parametrize("origin", [None, "https://evil.example", "null", "http://127.0.0.1:1"])
async def test_sockets_from_foreign_origins_are_refused(ana: Visitor, origin: str | None) -> None:
    opened = await ana.open()
    with pytest.raises(InvalidStatus) as refused:
        await ana.socket(opened["code"], origin=origin)
    response = refused.value.response
    assert response.status_code == 403
    assert response.body is not None
    assert json.loads(response.body)["code"] == "bad_origin"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


async def test_a_handshake_needs_a_valid_cookie_and_sets_none(ana: Visitor, come: Come) -> None:
    opened = await ana.open()
    stranger = come()
    for cookies in ("", "pecking_order=short", f"pecking_order={'x' * 43}", "pecking_order=\u00e9; a"):
        desk = await stranger.socket(opened["code"], cookies=cookies)
        assert await desk.ended() == 4401
        assert desk.goodbye == {"t": "goodbye", "reason": "no_session"}
        assert desk.socket.response is not None
        assert "Set-Cookie" not in desk.socket.response.headers


async def test_a_socket_to_an_unknown_room_is_closed_with_4404(ana: Visitor) -> None:
    await ana.open()
    for code in ("ZZZZZZ", "x" * 200, "%00"):
        desk = await ana.socket(code)
        assert await desk.ended() == 4404


async def test_a_message_that_is_too_long_closes_the_socket(ana: Visitor) -> None:
    desk = await ana.sit((await ana.open())["code"])
    await desk.say(json.dumps({"t": "ping", "id": "a", "more": "x" * 9000}))
    assert await desk.ended() == 1009


async def test_a_fragmented_message_that_is_too_long_closes_the_socket(ana: Visitor) -> None:
    desk = await ana.sit((await ana.open())["code"])
    await desk.socket.send("x" * 1000 for _ in range(10))
    assert await desk.ended() == 1009


async def test_a_binary_message_closes_the_socket(ana: Visitor) -> None:
    desk = await ana.sit((await ana.open())["code"])
    await desk.say(b'{"t": "ping", "id": "a"}')
    assert await desk.ended() == 1003


async def test_invalid_messages_are_answered_until_too_many_close_the_socket(ana: Visitor) -> None:
    desk = await ana.sit((await ana.open())["code"])
    answer = await desk.ask("dance")
    assert (answer["ok"], answer["code"]) == (False, "bad_message")
    assert (await desk.ask("ping"))["ok"]
    await desk.say("[]")
    assert (await desk.answer(None))["code"] == "bad_message"
    for _ in range(30):
        await desk.say("nonsense")
    assert await desk.ended() == 1008
    assert desk.goodbye is not None
    assert desk.goodbye["reason"] == "bad_messages"


async def test_messages_of_a_person_are_rate_limited_across_sockets(settings: Settings) -> None:
    slow = settings.model_copy(update={"limits": Limits(messages_per_second=0.5, messages_at_once=5)})
    async with serving(slow) as live, visiting(live.base) as come:
        ana = come()
        opened = await ana.open()
        desks = itertools.cycle([await ana.sit(opened["code"]), await ana.sit(opened["code"])])
        start, accepted = time.monotonic(), 0
        async with asyncio.timeout(PATIENCE):
            while (answer := await next(desks).ask("ping"))["ok"]:
                accepted += 1
        # A slow machine may need longer, and then the limit allows more messages.
        assert 5 <= accepted <= 5 + 0.5 * (time.monotonic() - start)
        assert answer["code"] == "too_fast"
        await next(desks).do("ping")  # repeats until it is accepted


async def test_sockets_over_the_limit_per_person_are_refused(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(sockets_per_person=2)})
    async with serving(few) as live, visiting(live.base) as come:
        ana = come()
        opened = await ana.open()
        first = await ana.sit(opened["code"])
        await ana.sit(opened["code"])
        third = await ana.socket(opened["code"])
        assert await third.ended() == 1008
        await first.close()
        async with asyncio.timeout(PATIENCE):
            while len(live.app.site.open_sockets) > 1:
                await asyncio.sleep(0.005)
        await ana.sit(opened["code"])


async def test_handshakes_are_rate_limited_by_address(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(handshakes_per_minute=3)})
    async with serving(few) as live, visiting(live.base) as come:
        ana = come()
        opened = await ana.open()
        for _ in range(3):
            await ana.sit(opened["code"])
        with pytest.raises(InvalidStatus) as refused:
            await ana.socket(opened["code"])
        assert refused.value.response.status_code == 429
        assert int(refused.value.response.headers["Retry-After"]) > 0


async def test_guessing_room_codes_is_rate_limited(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(guesses_per_minute=3)})
    async with serving(few) as live, visiting(live.base) as come:
        ana, eve = come(), come()
        opened, own = await ana.open(), await eve.open()
        assert (await eve.http.get("/r/ZZZZZZ")).status_code == 404
        assert (await eve.http.get("/j/nowhere")).status_code == 404
        assert await (await eve.socket("ZZZZZZ")).ended() == 4404
        for path in (f"/r/{opened['code']}", f"/api/rooms/{opened['code']}", "/j/nowhere", "/recover/" + "x" * 43):
            assert (await eve.http.get(path)).status_code == 429
        assert await (await eve.socket(opened["code"])).ended() == 1008
        # Others behind the same address who don't guess can still enter.
        await ana.sit(opened["code"])
        await ana.enter(opened["code"])
        await eve.enter(own["code"])
        bob = come()
        assert (await bob.http.post(f"/j/{opened['invite']}", data={"name": "Bob"})).status_code == 303
        await bob.sit(opened["code"], "Bob")
        recovery = (await ana.http.post("/api/me/recovery")).json()["url"].rpartition("/")[2]
        assert (await come().http.post(f"/recover/{recovery}")).status_code == 200


async def test_pings_are_answered_until_a_flood_closes_the_socket(ana: Visitor) -> None:
    desk = await ana.sit((await ana.open())["code"])
    await (await desk.socket.ping())
    for _ in range(ODD_AT_ONCE + 20):
        await desk.socket.ping()
    assert await desk.ended() in (1008, 1006)  # 1006 if the client keeps sending


async def test_a_message_in_too_many_fragments_is_refused(ana: Visitor) -> None:
    desk = await ana.sit((await ana.open())["code"])
    await desk.socket.send("" for _ in range(100))
    assert await desk.ended() in (1008, 1006)


def frames(text: bytes, form: int) -> Iterator[bytes]:
    """Yield a text in one of several forms: short, long, with a pong between its fragments, or after a pong."""
    match form:
        case 0:
            yield Frame(Opcode.TEXT, text).serialize(mask=True)
        case 1:
            yield Frame(Opcode.TEXT, text + b" " * 200).serialize(mask=True)
        case 2:
            yield Frame(Opcode.TEXT, text[:9], fin=False).serialize(mask=True)
            yield Frame(Opcode.PONG, b"").serialize(mask=True)
            yield Frame(Opcode.CONT, text[9:]).serialize(mask=True)
        case _:
            yield Frame(Opcode.PONG, b"any").serialize(mask=True)
            yield Frame(Opcode.TEXT, text).serialize(mask=True)


@pytest.mark.usefixtures("unasked")
@pytest.mark.parametrize("seed", range(4))
async def test_messages_are_read_in_any_framing_and_split_anywhere(
    settings: Settings, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The messages come alone or together, and are cut at random positions."""
    monkeypatch.setattr("app.web.transport.websocket.ODD_AT_ONCE", 10_000)
    rng = random.Random(seed)
    limits = Limits(messages_at_once=1000)
    async with serving(settings.model_copy(update={"limits": limits})) as live, visiting(live.base) as come:
        ana = come()
        desk = await ana.sit((await ana.open())["code"])
        forms = (0, 0, 0, 0, 3, 1, 2)[: 4 + seed]
        for n in range(40):
            first, last = 3 * n, 3 * n + 3
            texts = [json.dumps({"t": "ping", "id": f"p{one}"}).encode() for one in range(first, last)]
            sent = b"".join(frame for text in texts for frame in frames(text, rng.choice(forms)))
            cuts = sorted(rng.sample(range(1, len(sent)), rng.choice((0, 1, 1, 5))))
            for start, end in itertools.pairwise((0, *cuts, len(sent))):
                desk.socket.transport.write(sent[start:end])
                await asyncio.sleep(0.001)
            for one in range(first, last):
                assert (await desk.answer(f"p{one}"))["ok"]


@pytest.mark.usefixtures("unasked")
@pytest.mark.parametrize("padding", [200, 70_000])
async def test_a_long_message_is_read_if_its_frame_header_is_split_anywhere(settings: Settings, padding: int) -> None:
    limits = Limits(message_bytes=100_000)
    async with serving(settings.model_copy(update={"limits": limits})) as live, visiting(live.base) as come:
        ana = come()
        desk = await ana.sit((await ana.open())["code"])
        for cut in range(1, 12):
            text = json.dumps({"t": "ping", "id": f"p{cut}"}).encode() + b" " * padding
            sent = Frame(Opcode.TEXT, text).serialize(mask=True)
            desk.socket.transport.write(sent[:cut])
            await asyncio.sleep(0.01)  # give the server time to read the first part alone
            desk.socket.transport.write(sent[cut:])
            assert (await desk.answer(f"p{cut}"))["ok"]


WITHIN = Frame(Opcode.TEXT, b'{"t": "ping", "id": "in"}').serialize(mask=True)
"""This looks like a message, but is the end of a longer one below."""


@pytest.mark.usefixtures("unasked")
@pytest.mark.parametrize(
    ("code", "parts"),
    [
        (1007, [Frame(Opcode.TEXT, b'{"t": "\xff"}').serialize(mask=True)]),
        (1007, [b"\x81\xfe" + (200 + len(WITHIN)).to_bytes(2) + bytes(4) + b" " * 200, WITHIN]),
        (1002, [Frame(Opcode.TEXT, b'{"t": ', fin=False).serialize(mask=True), WITHIN]),
        (1002, [Frame(Opcode.TEXT, b'{"t": "ping"}').serialize(mask=False)]),
        (1002, [Frame(Opcode.CONT, b'{"t": "ping"}').serialize(mask=True)]),
        (1002, [b"\xc1\x81\0\0\0\0x"]),
    ],
)
async def test_invalid_frames_close_the_socket_with_the_right_code(ana: Visitor, code: int, parts: list[bytes]) -> None:
    desk = await ana.sit((await ana.open())["code"])
    for part in parts:
        desk.socket.transport.write(part)
        await asyncio.sleep(0.05)
    assert await desk.ended() == code


async def test_the_room_is_updated_when_a_player_disconnects_and_reconnects(ana: Visitor, come: Come) -> None:
    opened = await ana.open()
    desk = await ana.sit(opened["code"])
    bob = come()
    bobs = await bob.sit(opened["code"], "Bob")
    await bobs.close()
    await desk.until(lambda update: not next(p for p in update["room"]["people"] if p["name"] == "Bob")["present"])
    await bob.sit(opened["code"])
    await desk.until(lambda update: next(p for p in update["room"]["people"] if p["name"] == "Bob")["present"])


async def test_a_draining_server_refuses_new_sockets(live: Live, ana: Visitor) -> None:
    opened = await ana.open()
    live.app.site.draining = True
    desk = await ana.socket(opened["code"])
    assert await desk.ended() == 1012
    assert (await ana.http.get("/readyz")).status_code == 503
    assert (await ana.http.get("/healthz")).text.startswith("ok")


async def test_a_connection_without_a_complete_request_head_is_closed(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.transport.http_guard.HEAD_SECONDS", 0.2)
    port = live.server.port
    for said in (b"", b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        async with asyncio.timeout(5):
            assert await reader.read() == b""
        await _closed(writer)


async def test_request_heads_that_are_too_long_are_refused(live: Live) -> None:
    for line in (b"GET /?" + b"x" * 60_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /" + b"x" * 60_000):
        reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
        writer.write(line)
        async with asyncio.timeout(5):
            answer = await reader.read()
        assert answer.split(b" ")[1] in (b"431", b"400")
        await _closed(writer)
    for head in (b"X-Long: " + b"x" * 40_000, b"".join(b"X-%d: y\r\n" % n for n in range(5000))):
        reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n" + head)
        async with asyncio.timeout(5):
            answer = await reader.read()
        assert answer.split(b" ")[1] in (b"431", b"400")
        await _closed(writer)


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


async def test_an_idle_socket_is_not_closed_by_the_request_head_timeout(
    live: Live, ana: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (await ana.open())["code"]
    monkeypatch.setattr("app.web.transport.http_guard.HEAD_SECONDS", 0.5)
    desk = await ana.sit(code)
    # Wait for a later connection without a head to be closed. By then the limit has passed for the socket, too.
    reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
    async with asyncio.timeout(PATIENCE):
        await reader.read()
    await _closed(writer)
    assert (await desk.ask("ping"))["ok"]


async def test_the_websockets_client_library_can_connect(live: Live, ana: Visitor) -> None:
    opened = await ana.open()
    headers = {"Cookie": ana.cookies}
    url = f"ws://127.0.0.1:{live.server.port}/ws/{opened['code'].lower()}?protocol={VERSION}"
    async with connect(url, origin=live.base, additional_headers=headers, proxy=None) as socket:  # type: ignore[arg-type]
        assert json.loads(await socket.recv())["t"] == "update"


@pytest.mark.parametrize("asks", [f"?protocol={VERSION + 1}", "?protocol=999999999"])
async def test_a_page_of_another_version_is_told_to_reload(live: Live, ana: Visitor, asks: str) -> None:
    desk = await ana.socket((await ana.open())["code"], asks=asks)
    assert await desk.ended() == 4426
    goodbye = {"t": "goodbye", "reason": "old_page", "version": live.app.site.assets.version}
    assert [json.loads(frame) for frame in desk.frames] == [goodbye]


@pytest.mark.parametrize(
    "asks", ["", "?protocol=2", "?protocol=3", "?protocol=", "?protocol=four", "?protocol=" + "9" * 40]
)
async def test_a_page_too_old_to_reload_itself_is_closed_as_bad_messages(ana: Visitor, asks: str) -> None:
    desk = await ana.socket((await ana.open())["code"], asks=asks)
    assert await desk.ended() == 1008
    assert [json.loads(frame) for frame in desk.frames] == [{"t": "goodbye", "reason": "bad_messages"}]


async def test_pending_commands_are_answered_before_the_goodbye(
    live: Live, ana: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await ana.sit((await ana.open(game="president", bots=["easy", "easy"]))["code"])
    await desk.until(lambda update: update["room"]["people"][0]["present"])
    log, held = live.app.site.store.log, list[Callable[[], None]]()
    submit = log.submit
    monkeypatch.setattr(log, "submit", lambda *entries, **more: held.append(lambda: submit(*entries, **more)))
    await desk.say(json.dumps(add_reference_fields(desk.update, {"t": "start", "id": "last"})))
    async with asyncio.timeout(5):
        while not held:
            await asyncio.sleep(0.001)
    live.server.start_draining()
    await asyncio.sleep(0.05)
    monkeypatch.undo()
    held[0]()
    assert (await desk.answer("last"))["ok"]
    assert await desk.ended() == 1012
    assert desk.frames[-1].startswith('{"t":"goodbye"')


async def test_commands_during_a_database_outage_are_refused_and_can_be_repeated(
    live: Live, ana: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await ana.sit((await ana.open(game="president", bots=["easy", "easy"]))["code"])
    seq = (await desk.until(lambda update: update["room"]["people"][0]["present"]))["seq"]

    def unkept(room: str, expected: int, entries: Any, done: Callable[[AppendResult], None], **more: Any) -> None:
        asyncio.get_running_loop().call_soon(done, StorageUnavailable("gone fishing"))

    async def away(*_: Any, **__: Any) -> None:
        raise StorageUnavailable("gone fishing")

    with monkeypatch.context() as patched:
        patched.setattr(live.app.site.store.log, "submit", unkept)
        assert (await desk.ask("start", message_id="s"))["code"] == "unavailable"
        assert desk.update["seq"] == seq
        patched.setattr(live.app.site.store.database, "_run_in_thread", away)
        assert (await ana.http.get("/readyz")).json() == {"ready": False, "reason": "database"}
        page = await ana.http.get("/history", headers={"Accept": "text/html"})
        assert (page.status_code, page.headers["retry-after"]) == (503, "5")
        other = await ana.socket(desk.update["room"]["code"])
        assert await other.ended() == 1013
        assert other.goodbye is not None
        assert other.goodbye["retry_ms"] > 0
    assert (await desk.ask("start", message_id="s"))["ok"]


async def test_websocket_handshakes_on_other_paths_are_refused(live: Live) -> None:
    for path in ("/", "/r/ABCDEF", "/ws", "/api/games"):
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://127.0.0.1:{live.server.port}{path}", origin=live.base, proxy=None)  # type: ignore[arg-type]
        assert refused.value.response.status_code == 404
