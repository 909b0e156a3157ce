"""Test a database with damaged rows: the room says that it is damaged, the log names it, and other rooms play on."""

import io
import json
import sqlite3
from contextlib import closing

from app.settings import Settings
from tests.web.conftest import serving
from tests.web.visitors import visiting

HTML = {"Accept": "text/html"}
DAMAGES = {
    "half an entry": "UPDATE room_events SET data = '{\"by\":' WHERE room_id = ? AND seq = 2",
    "no text": "UPDATE room_events SET data = CAST(x'7bff7d' AS TEXT) WHERE room_id = ? AND seq = 2",
    "an entry of another kind": "UPDATE room_events SET event_type = 'dealt' WHERE room_id = ? AND seq = 2",
    "a lost entry": "DELETE FROM room_events WHERE room_id = ? AND seq = 2",
}


async def test_a_damaged_room_says_so_and_other_rooms_play_on(settings: Settings, lines: io.StringIO) -> None:
    async with serving(settings) as live, visiting(live.base) as come:
        ana = come()
        codes = [(await ana.open(bots=["easy"] * 2))["code"] for _ in range(len(DAMAGES) + 1)]
        cookies = ana.http.cookies
    with closing(sqlite3.connect(settings.database_url.removeprefix("sqlite:///"))) as file, file:
        ids = dict(file.execute("SELECT code, room_id FROM room_codes").fetchall())
        for code, damage in zip(codes, DAMAGES.values(), strict=False):
            assert file.execute(damage, (ids[code],)).rowcount == 1
    *damaged, whole = codes

    async with serving(settings) as live, visiting(live.base) as come:
        ana = come()
        ana.http.cookies = cookies
        home = await ana.http.get("/", headers=HTML)
        assert home.status_code == 200
        assert [code for code in codes if f"/r/{code}" in home.text] == [whole]
        for code, damage in zip(damaged, DAMAGES, strict=True):
            page = await ana.http.get(f"/r/{code}", headers=HTML)
            assert (page.status_code, "The saved data of this room is damaged." in page.text) == (500, True), damage
            answer = await ana.http.get(f"/api/rooms/{code}")
            assert (answer.status_code, answer.json()["code"]) == (500, "damaged")
            desk = await ana.socket(code)
            assert await desk.ended() == 4500
            assert desk.goodbye == {"t": "goodbye", "reason": "damaged"}
        for path in (f"/r/{damaged[0]}/book", "/history", "/me"):
            assert (await ana.http.get(path, headers=HTML)).status_code == 200, path
        desk = await ana.sit(whole)
        await desk.do("start")

    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    errors = [line["event"] for line in logged if line["level"] == "error"]
    told = {f"room {ids[code]} is damaged. Run “pecking-order check” to find the rows" for code in damaged}
    assert sorted(errors) == sorted(told), "each room is named once"
