"""Play a small session with the current version and save its databases: `python -m tests.upgrade.make 0.2.0`.

Writes NAME.sqlite3.gz and NAME.sql.gz into databases/, each with what people saw when the server stopped.
"""

import asyncio
import gzip
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.settings import Limits, Settings
from app.web.context.sessions import cookie_name
from tests.postgres import Postgres
from tests.web.conftest import serving
from tests.web.visitors import Come, Desk, Visitor, visiting

DATABASES = Path(__file__).parent / "databases"
LONGEST_HAND = 2000
"""Hands of these games have fewer actions."""


class Evening:
    """Rooms played by test visitors, mostly with the first legal action. Some stop in the middle of a hand."""

    def __init__(self, come: Come) -> None:
        self._come = come
        self._rng = random.Random("an evening")
        self.rooms: list[tuple[str, list[Visitor], list[Desk], Sequence[str]]] = []

    async def play(self) -> None:
        """Play five rooms of all games: two whole matches, and three that stop during a hand or an exchange."""
        pagat = {"preset": "pagat"}
        people = await self.play_room(["Ana", "Bob", "Cat"], "president", hands=4, bots=["easy"], options=pagat)
        await self.play_room(
            ["Ana", "Bob", "Cat", "Dan"],
            "president",
            hands=3,
            options={"preset": "kings_and_bastards"},
            people=[*people, self._come()],
            leave_after=7,
        )
        await self.play_room(["Eve", "Fay"], "big_two", hands=3, bots=["easy", "random"], leave_after=9)
        await self.play_room(["Gil", "Hal", "Ida", "Joe"], "ceausescu", hands=3, leave_after=1)
        await self.play_room(["Kim", "Lea", "Max"], "chase_the_ace", hands=3)

    async def play_room(
        self,
        names: Sequence[str],
        game: str,
        *,
        hands: int,
        options: dict[str, Any] | None = None,
        bots: Sequence[str] = (),
        people: list[Visitor] | None = None,
        leave_after: int | None = None,
    ) -> list[Visitor]:
        """Play these hands in a new room, the last one only up to `leave_after` actions, and return its people."""
        visitors = people or [self._come() for _ in names]
        opened = await visitors[0].open(names[0], game=game, options=options or {}, bots=list(bots), bots_delay=0)
        code = opened["code"]
        desks = []
        for visitor, name in zip(visitors, names, strict=True):
            await visitor.enter(code)
            desks.append(await visitor.sit(code, name))
        host = desks[0]
        await host.do("start")
        for number in range(hands):
            if number and host.update["room"]["phase"] == "between_hands":
                await host.do("deal_next")
            await self._hand(desks, leave_after if number == hands - 1 else None)
        if leave_after is None and host.update["room"]["phase"] != "finished":
            await host.do("stop")
            await host.until(lambda update: update["room"]["phase"] == "finished")
        seq = max(desk.update["seq"] for desk in desks)
        for desk in desks:
            await desk.until(lambda update: update["seq"] >= seq)
        self.rooms.append((code, visitors, desks, names))
        return visitors

    async def _hand(self, desks: Sequence[Desk], leave_after: int | None) -> None:
        await desks[0].until(lambda update: update["room"]["phase"] == "playing")
        acted = 0
        for _ in range(LONGEST_HAND):
            seq = max(desk.update["seq"] for desk in desks)
            for desk in desks:
                await desk.until(lambda update, seq=seq: update["seq"] >= seq)
            if desks[0].update["room"]["phase"] != "playing":
                return
            asked = [desk for desk in desks if desk.update["you"].get("legal")]
            if not asked:
                await desks[0].until(lambda update, seq=seq: update["seq"] > seq)
                continue
            await self._act(asked[0])
            acted += 1
            if acted == leave_after:
                return
        raise AssertionError("a hand without an end")

    async def _act(self, desk: Desk) -> None:
        legal = desk.update["you"]["legal"]
        plays = [action for action in legal if action["do"] != "pass"] or legal
        action = plays[0] if self._rng.random() < 0.8 else self._rng.choice(legal)
        answer = await desk.do("act", action=action)
        await desk.until(lambda update: update["seq"] >= answer["seq"])

    def seen(self) -> list[dict[str, Any]]:
        """Return what people see of each room, and the tokens of their browsers."""
        return [_seen(*room) for room in self.rooms]


def _seen(code: str, visitors: Sequence[Visitor], desks: Sequence[Desk], names: Sequence[str]) -> dict[str, Any]:
    room, table = desks[0].update["room"], desks[0].update["table"]
    players = table["players"]
    return {
        "code": code,
        "phase": room["phase"],
        "game": room["game"],
        "host": room["host"],
        "match": room["match_id"],
        "hands": room["hands"],
        "people": [[person["name"], person["bot"] is not None] for person in room["people"]],
        "seats": table["seats"],
        "to_act": table["to_act"],
        "totals": {name: player["total"] for name, player in players.items()},
        "counts": {name: player["cards"] for name, player in players.items()},
        "cards": {name: desk.update["you"].get("cards") for name, desk in zip(names, desks, strict=True)},
        "tokens": {
            name: next(cookie.value for cookie in visitor.http.cookies.jar if cookie.name == cookie_name(secure=False))
            for name, visitor in zip(names, visitors, strict=True)
        },
    }


async def evening(url: str) -> list[dict[str, Any]]:
    """Play a session on a server with this database, and return what people saw at its end."""
    fast = Limits(messages_per_second=1000, messages_at_once=1000)
    async with serving(Settings(database_url=url, limits=fast)) as live, visiting(live.base) as come:
        played = Evening(come)
        await played.play()
        return played.seen()


def keep(name: str, kind: str, database: bytes, seen: list[dict[str, Any]]) -> None:
    """Write one database and what people saw."""
    (DATABASES / f"{name}.{kind}.gz").write_bytes(gzip.compress(database, mtime=0))
    (DATABASES / f"{name}.{kind}.json").write_text(json.dumps(seen, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main(name: str) -> None:
    """Make both databases of a version."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rooms.sqlite3"
        seen = asyncio.run(evening(f"sqlite:///{file}"))
        keep(name, "sqlite3", file.read_bytes(), seen)
    with Postgres() as server:
        url = server.create_database()
        seen = asyncio.run(evening(url))
        keep(name, "sql", server.dump(url), seen)


if __name__ == "__main__":
    main(sys.argv[1])
