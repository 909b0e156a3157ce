"""Record a real exchange between a server and three people for docs/protocol.md.

Clock and random numbers are fixed, so each run gives the same text. Long parts are shortened to “…”. `python -m
tests.web.exchange` writes the text into the page.
"""

import asyncio
import itertools
import json
import random
import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.rooms.model.settings import RoomSettings
from app.rooms.views.delta import VERSION
from app.settings import Settings
from app.store.maintenance.migrations import migrate_database
from tests.web.conftest import serving
from tests.web.visitors import Desk, visiting
from tools.local_server.client_view import add_reference_fields

PAGE = Path(__file__).parent.parent.parent / "docs" / "protocol.md"
BEGIN, END = "<!-- exchange: begins -->", "<!-- exchange: ends -->"
HOST = "localhost:8000"


class Still:
    """A clock that stands still."""

    def now(self) -> datetime:
        """Return always the same time."""
        return datetime(2026, 1, 31, 20, 15, tzinfo=UTC)


async def run(database: Path) -> str:
    """Play a little, and return the exchange as text."""
    chance = random.Random(12)
    # Listen only on this machine. Otherwise the link would contain its address in the local network.
    settings = Settings(database_url=f"sqlite:///{database}", host="127.0.0.1", retry_ms=1000, drain_seconds=3)
    lines: list[str] = []
    async with serving(settings, clock=Still(), random_bytes=chance.randbytes) as live, visiting(live.base) as come:
        ana, bob, cat = come(), come(), come()
        opened = await ana.open("Ana", game="president", options=None)
        code = opened["code"]
        lines += _http(live.base, "POST /api/rooms", {"name": "Ana", "game": "president"}, "201 Created", opened)
        anas = await ana.sit(code)
        await anas.until(lambda update: update["room"]["people"][0]["present"])
        await bob.enter(code)
        lines += [
            "",
            f"Bob follows the link. The page sets his cookie, and its script opens `ws://{HOST}/ws/{code}?protocol={VERSION}`:",
            "",
        ]
        bobs = await bob.sit(code)
        lines += _block(["← " + _shown(bobs.told[0])])
        lines += ["", "Bob joins and gets a seat:", ""]
        lines += _block(await _said(bobs, {"t": "join", "id": "b1", "name": "Bob"}))
        cats = await cat.sit(code, "Cat")
        await anas.until(lambda update: len(update["room"]["people"]) == 3)
        lines += ["", "Cat joins, and Ana starts the match:", ""]
        lines += _block(await _said(anas, add_reference_fields(anas.update, {"t": "start", "id": "a1"})))
        desks = {"Ana": anas, "Bob": bobs, "Cat": cats}
        for desk in desks.values():
            await desk.until(lambda update: update["room"]["phase"] == "playing")
        first = anas.update["table"]["to_act"][0]
        other = next(name for name in desks if name != first)
        lines += ["", f"It is {first}’s turn. {other} acts out of turn:", ""]
        lines += _block(await _said(desks[other], {"t": "act", "id": "x1", "action": {"do": "pass"}}))
        action = desks[first].update["you"]["legal"][0]
        lines += ["", f"{first} leads:", ""]
        play = add_reference_fields(desks[first].update, {"t": "act", "id": "p1", "action": action})
        lines += _block(await _said(desks[first], play))
        second = desks[first].update["table"]["to_act"][0]
        await desks[second].until(lambda update: update["you"].get("legal"))
        lines += ["", f"{second} gets the same, and legal actions:", ""]
        told = _first_told(desks[second], desks[first].update["seq"])
        lines += _block(["← " + _shown({"t": "update", "changed": {"you": told["changed"]["you"]}, "…": "…"})])
        lines += [
            "",
            "The same message again, such as after a lost connection, gets the same answer and has no other effect:",
            "",
        ]
        lines += _block(await _said(desks[first], play))
        live.server.start_draining()
        for desk in desks.values():
            await desk.ended()
        assert bobs.goodbye is not None
        lines += ["", "The server restarts. Clients reconnect after different times:", ""]
        lines += _block(["← " + _compact({**bobs.goodbye, "retry_ms": 1337}), "(closed with 1012)"])
    return "\n".join(lines)


async def _said(desk: Desk, message: dict[str, Any]) -> list[str]:
    """Send a message, and return it with its answer and the update that shows the result."""
    before = desk.update["seq"]
    await desk.say(json.dumps(message))
    answer = await desk.answer(message["id"])
    lines = ["→ " + _compact(message), "← " + _compact(answer)]
    if answer["ok"] and answer["seq"] > before:
        await desk.until(lambda update: update["seq"] >= answer["seq"])
        lines.append("← " + _shown(_first_told(desk, answer["seq"])))
    return lines


def _first_told(desk: Desk, seq: int) -> dict[str, Any]:
    """Return the first update that shows this entry. A later one may change only the number of spectators."""
    return next(told for told in desk.told if told["seq"] >= seq)


def _http(base: str, request: str, body: Any, status: str, answer: Any) -> list[str]:
    shown = {key: value.replace(base, f"http://{HOST}") for key, value in answer.items()}
    return [
        "Ana opens a room:",
        "",
        *_block([f"→ {request}", f"  {_compact(body)}", f"← {status}", f"  {_compact(shown)}"]),
    ]


def _block(lines: list[str]) -> list[str]:
    return ["```", *lines, "```"]


def _shown(told: dict[str, Any]) -> str:
    """Return an update as it came, with long parts and empty values shortened to “…”."""
    out = dict(told)
    if "room" in out:
        out["room"] = {**_some_settings(out["room"]), "options": _cut(out["room"]["options"], 3)}
    if "you" in out:
        out["you"] = _few_legal(out["you"])
    out.update({key: _without_empty(out[key]) for key in ("room", "table", "you") if key in out})
    if "changed" in out:
        parts = {part: _few_legal(changed) for part, changed in out["changed"].items()}
        out["changed"] = {
            part: {key: _without_empty(value) for key, value in changed.items()} for part, changed in parts.items()
        }
    for key in ("actions", "event_prominence", "event_animations"):
        if key in out:
            out[key] = _cut(out[key], 1)
    if "name_fields" in out:
        out["name_fields"] = {key: [keys[0], "…"] for key, keys in out["name_fields"].items()}
    return _wide(out)


def _without_empty(value: Any) -> Any:
    """Return JSON without the empty values of its objects and the ends of long lists; “…” stands for them."""
    if isinstance(value, list):
        return [*map(_without_empty, value if len(value) < 4 else value[:2]), *(["…"] if len(value) > 3 else [])]
    if not isinstance(value, dict) or "e" in value:
        return value
    full = {key: _without_empty(each) for key, each in value.items() if each not in (None, False, "", [], {})}
    return full if len(full) == len(value) else {**{k: v for k, v in full.items() if k != "…"}, "…": "…"}


def _few_legal(part: dict[str, Any]) -> dict[str, Any]:
    legal = part.get("legal") or []
    return {**part, "legal": [*legal[:3], "…"]} if len(legal) > 3 else part


def _some_settings(room: dict[str, Any]) -> dict[str, Any]:
    """Return a room with the settings that the page shows. The reference of keys has the others."""
    known = RoomSettings.parse({}).view
    chosen = {key: room[key] for key in ("game", "preset", "options", "differences", "clock", "bots_delay")}
    return {**chosen, "…": "…", **{key: value for key, value in room.items() if key not in known}}


def _cut(value: dict[str, Any], most: int) -> dict[str, Any]:
    return {**dict(itertools.islice(value.items(), most)), "…": "…"} if len(value) > most else value


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _wide(value: dict[str, Any]) -> str:
    """Format JSON with a line for each key, wrapped where it is long."""
    text = "{" + ",\n   ".join(_entry(key, inner) for key, inner in value.items()) + "}"
    return re.sub(r'"…": "…"|"…"', "…", text)


def _entry(key: str, value: Any) -> str:
    text = f"{json.dumps(key, ensure_ascii=False)}: {_compact(value)}"
    if len(text) <= 115 or not isinstance(value, dict):
        return "\n    ".join(_wrapped(text))
    head = f"{json.dumps(key)}: {{"
    parts = [f"{json.dumps(k, ensure_ascii=False)}: {_compact(v)}" for k, v in value.items()]
    lines, line = [], head
    for n, part in enumerate(parts):
        part += "}" if n == len(parts) - 1 else ", "
        if len(line) + len(part) > 115 and line != head:
            lines.append(line.rstrip())
            line = ""
        line += part
    lines.append(line)
    return "\n    ".join(each for line in lines for each in _wrapped(line))


def _wrapped(line: str) -> Iterator[str]:
    """Break a long line after commas."""
    while len(line) > 118:
        at = line.rfind(", ", 0, 116)
        if at < 0:
            break
        yield line[: at + 1]
        line = "  " + line[at + 2 :]
    yield line


def current() -> str:
    """Return the exchange in the page."""
    return PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].strip()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "exchange.sqlite3"
        migrate_database(f"sqlite:///{path}")
        text = asyncio.run(run(path))
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
