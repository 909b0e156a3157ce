"""`python -m tools fair`: play hands on an honest server through accidents, and check what pages say about the deals.

Four pages run their own modules in Node (`tests/js/pages/run_pages.js`) and reload now and then. For each deal, a guest
without a page joins them, promises a seed and keeps it back, so that the room waits. Then an accident happens: the
server is killed, the guest deletes their data (as host, too), the database loses the list, or the host ends the match.
Each page must say one calm line for each cancelled deal, and never warn. `verify` must find the same in the record,
with the pages' lists.
"""

import asyncio
import json
import re
import secrets
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import click
import sqlalchemy as sa
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from app.rooms.model.shuffle_proof import CancelReason, seed_hash
from app.rooms.views.delta import VERSION
from app.store.db.engines import make_engine, parse_url
from app.store.db.schema import room_events, room_snapshots
from tools.local_server.client_view import add_reference_fields, merge_update
from tools.local_server.server_process import LocalServer

Accident: TypeAlias = Literal["kill", "deleted", "lost_entries", "match_ended", "left", "host_deleted"]
"""What happens to a deal, or to the guest, in one hand."""
LINES: Final[dict[CancelReason, str]] = {
    "deleted": "This hand was drawn again: .* deleted their data.",
    "lost_entries": "This hand was drawn again: the server lost data.",
    "match_ended": "The deal was cancelled: the match was ended.",
}
"""The calm lines of the pages, as regular expressions."""
NAMES: Final = ("Ana", "Bob", "Cat", "Dan")
RUN_PAGES: Final = Path(__file__).parents[1] / "tests" / "js" / "pages" / "run_pages.js"
PATIENCE: Final = 120.0
"""Seconds after which a match fails, with 10 more for each of its hands."""
MOST_MORE: Final = 50
"""Hands that are played in addition until a deal was cancelled for each reason."""
LOSE = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@click.command()
@click.option("--hands", type=click.IntRange(1), default=200, show_default=True, help="Hands to play.")
@click.option("--game", default="president", show_default=True, help="The game of the room.")
@click.option("--database", required=True, help="URL of an empty PostgreSQL database. It loses entries.")
def fair(hands: int, game: str, database: str) -> None:
    """Play hands on an honest server through accidents: pages must not warn, and say each cancelled deal once."""
    server = LocalServer(database)
    try:
        server.start()
        problems, told = asyncio.run(HonestTable(server, game).play(hands))
    finally:
        server.stop()
    for problem in problems:
        click.echo(problem, err=True)
    click.echo(", ".join(f"{kind}: {number}" for kind, number in told.items()))
    if problems:
        sys.exit(1)


@dataclass
class HonestTable:
    """A room with four pages and a guest, on a server that is honest and has accidents."""

    server: LocalServer
    game: str
    accidents: tuple[Accident, ...] = get_args(Accident)
    """The accidents that happen, in turn."""
    problems: list[str] = field(default_factory=list[str])
    told: Counter[str] = field(default_factory=Counter[str])
    """How often each accident happened and each reason was told, and the number of hands."""

    async def play(self, hands: int) -> tuple[list[str], Counter[str]]:
        """Play at least this number of hands, and return what went wrong, and the counts.

        Each match has a new room. More hands are played until a deal was cancelled for each reason.
        """
        reasons = LINES.keys() & {*self.accidents}
        while self.told["hands"] < hands or (untold := [key for key in reasons if not self.told[f"told {key}"]]):
            if self.told["hands"] > hands + MOST_MORE:
                self.problems.append(f"No deal was cancelled for these reasons: {', '.join(untold)}.")
                break
            await self._open_room()
            await self._play_match(max(hands - self.told["hands"], len(self.accidents)))
        return self.problems, self.told

    async def _open_room(self) -> None:
        """Open a room in which the four pages have a seat."""
        self._tokens = {name: self._new_token() for name in NAMES}
        opened = self.server.post("/api/rooms", {"name": NAMES[0], "game": self.game}, self._tokens["Ana"])
        self._code, self._room = opened["code"], opened["room"]
        for name in NAMES[1:]:
            await self.command(self._tokens[name], "join", name=name)

    def _new_token(self) -> str:
        return str(self.server.post("/api/people", {})["token"])

    async def _play_match(self, hands: int) -> None:
        """Let the pages play a match of at most this number of hands, with accidents, and check what they say."""
        pages = [{"name": name, "cookie": f"pecking_order={self._tokens[name]}"} for name in NAMES]
        base = f"http://127.0.0.1:{self.server.port}"
        plan = {"base": base, "code": self._code, "pages": pages, "hands": hands, "reloads": True, "guest": True}
        command = ("node", "--experimental-websocket", "--no-warnings", str(RUN_PAGES), json.dumps(plan))
        node = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        said: dict[str, Any] = {}
        try:
            assert node.stdout is not None
            async with asyncio.timeout(PATIENCE + 10 * hands), asyncio.TaskGroup() as group:
                causing = group.create_task(self._cause_accidents())
                async for line in node.stdout:
                    said = json.loads(line)
                    click.echo(line.decode().strip() if "page" in said else "The pages have played.")
                causing.cancel()
            if await node.wait() != 0:
                raise click.ClickException("The pages have failed.")
        finally:
            if node.returncode is None:
                node.kill()
        self._check(said)

    # Accidents --------------------------------------------------------------------------------------------------

    async def _cause_accidents(self) -> None:
        """Let one guest after another join, each with the next accident, until the match is over."""
        for number in count(1):
            token = ""
            while not token:
                with suppress(OSError, click.ClickException):  # the database may not be back yet
                    token = await asyncio.to_thread(self._new_token)
            happened = sum(self.told[accident] for accident in self.accidents)
            await Guest(self, token, f"Guest {number}", self.accidents[happened % len(self.accidents)]).play()

    async def cause(self, accident: Accident, guest: "Guest") -> None:
        """Cause an accident while the room waits for the seed of this guest."""
        self.told[accident] += 1
        click.echo(f"{accident}: {guest.name}")
        match accident:
            case "kill":
                await asyncio.to_thread(self._kill)
            case "deleted" | "host_deleted":
                await asyncio.to_thread(self._delete_person, guest.token)
            case "lost_entries":
                await asyncio.to_thread(self._lose_entries)
            case "match_ended":
                await self.command(self._tokens["Ana"], "stop")
            case "left":
                pass  # after the deal

    def _delete_person(self, token: str) -> None:
        status, answer = self.server.request("POST", "/api/me/forget", {"confirm": True}, token)
        if status != 204:
            raise click.ClickException(f"A guest could not delete their data: {answer.decode()}")

    def _kill(self) -> None:
        self.server.kill()
        self.server.start()

    def _lose_entries(self) -> None:
        """Delete the last closed list and all later entries of the room, and end the server's connections."""
        engine = make_engine(parse_url(self.server.database))
        try:
            with engine.begin() as connection:
                of_room = room_events.c.room_id == self._room
                last = sa.select(sa.func.max(room_events.c.seq)).where(
                    of_room, room_events.c.event_type == "list_closed"
                )
                first = connection.execute(last).scalar_one()
                connection.execute(room_events.delete().where(of_room, room_events.c.seq >= first))
                late = room_snapshots.c.room_id == self._room, room_snapshots.c.seq >= first
                connection.execute(room_snapshots.delete().where(*late))
            with suppress(sa.exc.DBAPIError), engine.begin() as connection:
                connection.exec_driver_sql(LOSE).all()
        finally:
            engine.dispose()

    # What pages and `verify` say --------------------------------------------------------------------------------

    def _check(self, said: dict[str, Any]) -> None:
        """Compare the lines of each page with the record, and `verify` with the lists that the pages copied."""
        status, body = self.server.request("GET", f"/matches/{said['match']}/record.json")
        if status != 200:
            raise click.ClickException(f"The record has the status {status}.")
        record = json.loads(body)
        proofs = [hand["fair"] for hand in record["hands"] if "cards" in hand]
        self.told["hands"] += len(proofs)
        wanted = Counter(deal["reason"] for each in (*proofs, record) for deal in each.get("cancelled", ()))
        self.told.update({f"told {reason}": number for reason, number in wanted.items()})
        for page in said["pages"]:
            reasons = {line: reason for line in page["lines"] for reason in LINES if re.fullmatch(LINES[reason], line)}
            found = Counter(reasons[line] for line in page["lines"] if line in reasons)
            if found != wanted:
                self.problems.append(f"{page['name']} said {dict(found)}, and {dict(wanted)} happened")
            self.problems += [f"{page['name']} warned: {line}" for line in page["lines"] if line not in reasons]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "record.json"
            file.write_bytes(body)
            command = [sys.executable, "-m", "app", "verify", str(file)]
            for page in said["pages"]:
                seen = Path(folder) / f"{page['name']}.json"
                seen.write_text(json.dumps(page["copy"]))
                command += ["--list", str(seen)] if page["copy"] else []
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode not in (0, 4):
            self.problems.append(f"verify has the status {done.returncode}:\n{done.stdout}{done.stderr}")

    # Sockets ----------------------------------------------------------------------------------------------------

    def socket(self, token: str) -> connect:
        """Return a connection of this person to the room, to be opened with `async with`."""
        address = f"ws://127.0.0.1:{self.server.port}/ws/{self._code}?room={self._room}&protocol={VERSION}"
        headers = {"Authorization": f"Bearer {token}"}
        return connect(address, additional_headers=headers, compression=None, proxy=None, close_timeout=0.5)

    async def command(self, token: str, t: str | None, **fields: Any) -> dict[str, Any]:
        """Send a command of this person on a connection of its own, until it is accepted; return the first view.

        With None for `t`, nothing is sent.
        """
        while True:
            async with asyncio.timeout(PATIENCE), self.socket(token) as socket:
                view = await _first_view(socket)
                if t is None:
                    return view
                command = {"t": t, "id": secrets.token_hex(8), **fields}
                await socket.send(json.dumps(add_reference_fields(view, command)))
                async for frame in socket:
                    answer = json.loads(frame)
                    if answer["t"] != "answer":
                        continue
                    if answer["ok"]:
                        return view
                    if answer["code"] not in ("too_late", "not_now", "unavailable"):
                        raise click.ClickException(f"{t}: {answer}")
                    break

    async def make_host(self, name: str) -> None:
        """Make the person with this name the host."""
        view = await self.command(self._tokens["Ana"], None)
        if view["room"]["host"] != name:
            await self.command(self._tokens[view["room"]["host"]], "transfer_host", name=name)


async def _first_view(socket: ClientConnection) -> dict[str, Any]:
    async for frame in socket:
        message = json.loads(frame)
        if message["t"] == "update":
            return merge_update(None, message)
    raise click.ClickException("The server has closed a connection.")


@dataclass
class Guest:
    """A person without a page, who promises a seed, and to whose deal an accident happens."""

    table: HonestTable
    token: str
    name: str
    accident: Accident
    _view: dict[str, Any] | None = None
    _promised: str = ""
    _acted: int = 0
    _has_happened: bool = False
    _leaving: str = ""
    """The id of the command to leave, until it is answered."""
    _has_left: bool = False

    async def play(self) -> None:
        """Join the room, and play until the accident has happened to a deal for which this guest promised a seed."""
        self._seed = secrets.token_hex(16)
        while not self._has_left:
            with suppress(OSError, WebSocketException):
                async with self.table.socket(self.token) as socket:
                    self._view, self._promised, self._acted, self._leaving = None, "", 0, ""
                    await self._play_on(socket)
            await asyncio.sleep(0.05)

    async def _play_on(self, socket: ClientConnection) -> None:
        async for frame in socket:
            message = json.loads(frame)
            if message["t"] == "update":
                self._view = merge_update(self._view, message)
                await self._answer(socket, self._view)
            elif message["t"] == "answer" and message["id"] == self._leaving:
                self._has_left, self._leaving = message["ok"], ""
            if self._has_left:
                return

    async def _answer(self, socket: ClientConnection, view: dict[str, Any]) -> None:
        room, legal = view["room"], view["you"].get("legal")
        fair, closed, is_playing = room["fair"], room["fair"]["closed"], room["phase"] == "playing"
        if view["you"]["name"] is None:
            if not self._has_happened:
                await self._send(socket, "join", name=self.name)
        elif self.accident == "host_deleted" and room["host"] == "Ana" and closed is None and not self._has_happened:
            await self.table.make_host(self.name)
        elif is_playing:
            if legal and view["seq"] != self._acted:
                self._acted = view["seq"]
                await self._send(socket, "act", action=legal[0])
        elif closed is not None:
            if self.name in closed["givers"].values():
                await self._give_seed(socket)
        elif self._has_happened:
            self._leaving = self._leaving or await self._send(socket, "leave")
        elif fair["commitment"] != self._promised:
            self._promised = fair["commitment"]
            await self._send(socket, "seed_hash", commitment=fair["commitment"], hash=seed_hash(self._seed))
        elif room["host"] == self.name and set(NAMES) <= fair["hashes"].keys() and room["can_start"]:
            await self._send(socket, "start" if room["phase"] == "lobby" else "deal_next")

    async def _give_seed(self, socket: ClientConnection) -> None:
        """Give the seed, after the accident."""
        if not self._has_happened:
            self._has_happened = True
            await self.table.cause(self.accident, self)
            if self.accident in ("deleted", "host_deleted"):
                self._has_left = True
                if self.accident == "host_deleted":
                    await self.table.make_host("Ana")
                return
        await self._send(socket, "seed", value=self._seed)

    async def _send(self, socket: ClientConnection, t: str, **fields: Any) -> str:
        assert self._view is not None
        command: dict[str, Any] = {"t": t, "id": secrets.token_hex(8), **fields}
        await socket.send(json.dumps(add_reference_fields(self._view, command)))
        return str(command["id"])
