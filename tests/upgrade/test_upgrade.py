"""Test that rooms of an earlier version open in this version, and that people see them unchanged."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from app.cli import main
from app.settings import Settings
from app.store.maintenance.integrity_check import check_database
from app.web.context.sessions import cookie_name
from tests.web.conftest import serving
from tests.web.visitors import Desk, Visitor, visiting

DATABASES = Path(__file__).parent / "databases"
NAMES = sorted(path.name.removesuffix(".sqlite3.gz") for path in DATABASES.glob("*.sqlite3.gz"))


@pytest.fixture(params=["sqlite3", "sql"])
def dialect(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def url(name: str, dialect: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Copy a database of an earlier version."""
    kept = gzip.decompress((DATABASES / f"{name}.{dialect}.gz").read_bytes())
    if dialect == "sqlite3":
        file = tmp_path / "rooms.sqlite3"
        file.write_bytes(kept)
        return f"sqlite:///{file}"
    empty: str = request.getfixturevalue("postgres_url")
    lines = kept.decode().splitlines()
    # Only psql understands lines with a backslash at the start.
    statements = "\n".join(line for line in lines if not line.startswith("\\"))
    with psycopg.connect(empty.replace("+psycopg", "")) as connection:
        connection.execute(statements)
    return empty


@pytest.mark.parametrize("name", NAMES)
async def test_rooms_open_unchanged_after_an_upgrade(name: str, url: str, dialect: str) -> None:
    rooms = json.loads((DATABASES / f"{name}.{dialect}.json").read_text())
    assert rooms
    async with serving(Settings(database_url=url)) as live, visiting(live.base) as come:
        for kept in rooms:
            desks = await asyncio.gather(*(_comes_back(come(), kept, who) for who in kept["tokens"]))
            for desk, who in zip(desks, kept["tokens"], strict=True):
                _sees_the_room_as_it_was(desk.update, kept, who)
            can_act = [desk for desk in desks if desk.update["you"].get("legal")]
            assert bool(can_act) == (kept["phase"] == "playing")
            for desk in can_act[:1]:
                await desk.do("act", action=desk.update["you"]["legal"][0])


@pytest.mark.parametrize("name", NAMES)
async def test_history_and_stats_are_unchanged_after_an_upgrade(name: str, url: str, dialect: str) -> None:
    rooms = json.loads((DATABASES / f"{name}.{dialect}.json").read_text())
    for command in ("migrate", "rebuild"):
        assert CliRunner().invoke(main, [command], env={"DATABASE_URL": url}).exit_code == 0
    async with serving(Settings(database_url=url)) as live, visiting(live.base) as come:
        for kept in rooms:
            for token in kept["tokens"].values():
                visitor = _browser(come(), token)
                listed = (await visitor.http.get("/api/history")).json()
                assert kept["match"] in [match["id"] for match in listed["matches"]]
                match = (await visitor.http.get(f"/api/matches/{kept['match']}")).json()
                assert [[hand["standing"], _nonzero(hand["points"])] for hand in match["hands"]] == [
                    [hand["standing"], _nonzero(hand["ledger"])] for hand in kept["hands"]
                ]
                await visitor.enter(kept["code"])
                statistics = await visitor.http.get(f"/r/{kept['code']}/book")
                assert statistics.status_code == 200
                assert all(who in statistics.text for who in kept["tokens"])


@pytest.mark.parametrize("name", NAMES)
def test_migrate_rebuild_and_check_succeed_after_an_upgrade(name: str, url: str, dialect: str) -> None:
    for command in ("migrate", "rebuild", "check"):
        done = CliRunner().invoke(main, [command], env={"DATABASE_URL": url})
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize("name", NAMES)
async def test_check_finds_nothing_before_and_after_rooms_are_played_on(name: str, url: str, dialect: str) -> None:
    """Snapshots of an earlier version are no findings: rooms open from their logs without them.

    They lack what this version keeps, or keep it in another form, such as the answers to commands.
    """
    for command in ("migrate", "rebuild"):
        assert CliRunner().invoke(main, [command], env={"DATABASE_URL": url}).exit_code == 0
    assert findings(url) == []
    rooms = json.loads((DATABASES / f"{name}.{dialect}.json").read_text())
    async with serving(Settings(database_url=url)) as live, visiting(live.base) as come:
        for kept in rooms:
            desks = await asyncio.gather(*(_comes_back(come(), kept, who) for who in kept["tokens"]))
            for desk in [desk for desk in desks if desk.update["you"].get("legal")][:1]:
                await desk.do("act", action=desk.update["you"]["legal"][0])
    assert findings(url) == []


def findings(url: str) -> list[str]:
    """Return the findings of a check."""
    found: list[str] = []
    check_database(url, lambda finding: found.append(str(finding)))
    return found


def _browser(visitor: Visitor, token: str) -> Visitor:
    visitor.http.cookies.set(cookie_name(secure=False), token)
    return visitor


async def _comes_back(visitor: Visitor, kept: dict[str, Any], who: str) -> Desk:
    _browser(visitor, kept["tokens"][who])
    await visitor.enter(kept["code"])
    desk = await visitor.socket(kept["code"])
    await desk.until(lambda update: update["room"]["code"] == kept["code"])
    return desk


def _sees_the_room_as_it_was(update: dict[str, Any], kept: dict[str, Any], who: str) -> None:
    room, table, you = update["room"], update["table"], update["you"]
    assert (room["phase"], room["game"], room["host"]) == (kept["phase"], kept["game"], kept["host"])
    assert [[person["name"], person["bot"] is not None] for person in room["people"]] == kept["people"]
    assert table["seats"] == kept["seats"]
    # Current views show every giver as choosing until all have chosen.
    assert set(table["to_act"]) >= set(kept["to_act"])
    players = table["players"]
    assert {name: player["total"] for name, player in players.items()} == kept["totals"]
    assert {name: player["cards"] for name, player in players.items()} == kept["counts"]
    assert you["name"] == who
    assert _cards(you.get("cards")) == _cards(kept["cards"][who])


def _nonzero(points: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in points.items() if count}


def _cards(text: str | None) -> list[str]:
    return sorted((text or "").split())
