"""Test watch parties: leading, following, permissions, limits and the end."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from app.web.api import watch_party
from app.web.context import watch_parties
from app.web.context.site import OpenSocket
from app.web.context.watch_parties import WatchParties
from tests.web.conftest import Live
from tests.web.matches.test_replay import played
from tests.web.visitors import PATIENCE, Come, Visitor


class Line:
    """An open event stream."""

    def __init__(self, answer: httpx2.Response) -> None:
        self.answer = answer
        self.beats = 0
        self._lines = answer.aiter_lines()

    async def next(self) -> dict[str, Any] | str:
        """Return the next view or the name of the next event, or an empty string at the end of the stream."""
        event = ""
        async with asyncio.timeout(PATIENCE):
            async for line in self._lines:
                self.beats += line == ":"
                if line.startswith("event: "):
                    event = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    told: dict[str, Any] = json.loads(line.removeprefix("data: "))
                    return event or told
        return ""

    async def until(self, **wanted: Any) -> dict[str, Any]:
        """Return the first view with these values."""
        while True:
            told = await self.next()
            assert isinstance(told, dict), told
            if wanted.items() <= told.items():
                return told


@dataclass
class Flock:
    """A match with Ana as the leader of a watch party."""

    match: str
    path: str
    ana: Visitor

    @asynccontextmanager
    async def line(self, visitor: Visitor) -> AsyncIterator[Line]:
        """Open the event stream of a follower."""
        async with visitor.http.stream("GET", self.path) as answer:
            assert answer.status_code == 200, await answer.aread()
            yield Line(answer)

    async def go(self, hand: int, move: int, by: Visitor | None = None, **more: Any) -> httpx2.Response:
        """Lead to a move."""
        return await (by or self.ana).http.put(self.path, json={"hand": hand, "move": move, **more})


@pytest.fixture
async def flock(ana: Visitor) -> Flock:
    async with asyncio.timeout(60):
        match = await played(ana, game="chase_the_ace")
    begun = await ana.http.post(f"/api/matches/{match}/together", json={"hand": 0, "move": 3})
    assert begun.status_code == 201, begun.text
    return Flock(match, f"/api/matches/{match}/together/{begun.json()['token']}", ana)


async def bob_of(come: Come) -> Visitor:
    bob = come()
    await bob.open("Bob")
    return bob


def code_of(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_followers_receive_the_position_of_the_leader(flock: Flock, come: Come) -> None:
    stranger = come()
    async with flock.line(flock.ana) as ours, flock.line(stranger) as theirs:
        assert theirs.answer.headers["content-type"].startswith("text/event-stream")
        assert theirs.answer.headers["x-accel-buffering"] == "no"
        first = await theirs.next()
        assert first == {
            "leader": "Ana", "hand": 0, "move": 3, "seat": None, "offered": False, "followers": 1, "you": "follower",
        }  # fmt: skip
        assert (await ours.until(followers=1))["you"] == "leader"
        assert (await flock.go(1, 5, seat="Ana")).status_code == 204
        assert (await theirs.until(hand=1))["seat"] == "Ana"
        await ours.until(hand=1, move=5)
    async with flock.line(stranger) as again:
        # People who join or reconnect get the current position at once.
        assert (await again.next())["move"] == 5  # type: ignore[index,call-overload]


async def test_only_the_leader_can_lead_until_leadership_is_offered(flock: Flock, come: Come) -> None:
    bob, stranger = await bob_of(come), come()
    for visitor, refused in ((bob, (409, "not_now")), (stranger, (401, "no_session"))):
        assert code_of(await flock.go(0, 9, visitor)) == refused
        assert code_of(await visitor.http.post(f"{flock.path}/lead")) == refused
        assert code_of(await visitor.http.delete(flock.path)) == refused
    nameless = come()
    token = (await nameless.http.post("/api/people", json={})).json()["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    begins = f"/api/matches/{flock.match}/together"
    answer = await nameless.http.post(begins, json={"hand": 0, "move": 0}, headers=bearer)
    assert code_of(answer) == (409, "not_now")
    async with flock.line(bob) as theirs, flock.line(stranger) as strangers:
        assert (await theirs.next())["move"] == 3  # type: ignore[index,call-overload]
        await flock.go(0, 4, offered=True)
        assert (await theirs.until(offered=True))["you"] == "may_lead"
        assert (await strangers.until(offered=True))["you"] == "follower"
        assert code_of(await nameless.http.post(f"{flock.path}/lead", headers=bearer)) == (409, "not_now")
        assert (await bob.http.post(f"{flock.path}/lead")).status_code == 204
        assert (await theirs.until(leader="Bob"))["you"] == "leader"
        assert (await strangers.until(leader="Bob"))["offered"] is False
        assert code_of(await flock.go(0, 9)) == (409, "not_now")
        assert (await flock.go(0, 6, bob)).status_code == 204
        await strangers.until(move=6)
        assert (await bob.http.delete(flock.path)).status_code == 204
        assert await strangers.next() == "over"
        assert await strangers.next() == ""
    assert code_of(await stranger.http.get(flock.path)) == (404, "not_found")


async def test_watch_party_tokens_open_no_other_match_and_invalid_bodies_change_nothing(
    flock: Flock, live: Live, come: Come
) -> None:
    stranger, token = come(), flock.path.rpartition("/")[2]
    for match in ("nowhere", await played(await bob_of(come), hands=1, game="chase_the_ace")):
        assert code_of(await stranger.http.get(f"/api/matches/{match}/together/{token}")) == (404, "not_found")
    nowhere = await flock.ana.http.post("/api/matches/nowhere/together", json={"hand": 0, "move": 0})
    assert code_of(nowhere) == (404, "not_found")
    for wrong in (
        {"hand": 2},
        {"hand": -1},
        {"move": "3"},
        {"seat": ""},
        {"seat": "x" * 65},
        {"seat": "A\0"},
        {"speed": 3},
    ):
        answer = await flock.ana.http.put(flock.path, json={"hand": 0, "move": 9, **wrong})
        assert code_of(answer) == (422, "bad_request"), wrong
    begins = f"/api/matches/{flock.match}/together"
    assert (await flock.ana.http.post(begins, json={"hand": 2, "move": 0})).status_code == 422
    assert live.app.site.watch_parties.find_party(flock.match, token).position.move == 3


@pytest.mark.parametrize("limit", ["MAX_PARTIES", "MAX_PARTIES_PER_ADDRESS"])
async def test_a_person_leads_one_watch_party_and_sizes_are_limited(
    flock: Flock, live: Live, come: Come, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    bob = await bob_of(come)
    begins, place = f"/api/matches/{flock.match}/together", {"hand": 0, "move": 0}
    monkeypatch.setattr(watch_parties, "MOST_IN_ONE", 1)
    async with flock.line(bob) as theirs:
        assert code_of(await come().http.get(flock.path)) == (409, "not_now")
        async with flock.line(flock.ana):  # the leader can always connect
            pass
        monkeypatch.setattr(watch_parties, limit, 1)
        assert code_of(await bob.http.post(begins, json=place)) == (503, "trouble")
        # A new party of Ana's ends her first one.
        again = await flock.ana.http.post(begins, json=place)
        assert again.status_code == 201
        while (told := await theirs.next()) != "over":
            assert isinstance(told, dict)
    assert code_of(await flock.go(0, 1)) == (404, "not_found")
    assert live.app.site.watch_parties.find_party(flock.match, again.json()["token"]).position.move == 0


async def test_watch_party_connections_are_limited_by_person_and_strangers_get_more(
    flock: Flock, live: Live, come: Come
) -> None:
    bob, most = await bob_of(come), live.app.settings.limits.sockets_per_person
    async with AsyncExitStack() as lines:
        for visitor in (*[bob] * most, *[come()] * (most + 1)):
            await lines.enter_async_context(flock.line(visitor))
        assert code_of(await bob.http.get(flock.path)) == (409, "not_now")
        async with flock.line(flock.ana) as ours:  # Bob counts once, for all his pages
            assert (await ours.until(you="leader"))["followers"] == 1 + most + 1


async def test_a_leader_who_sends_too_many_moves_is_rate_limited(flock: Flock, live: Live) -> None:
    answers = await asyncio.gather(*(flock.go(0, 1) for _ in range(live.app.settings.limits.messages_at_once + 20)))
    assert {each.status_code for each in answers} == {204, 429}


async def test_a_watch_party_ends_after_its_leader_has_been_away_too_long(
    flock: Flock, live: Live, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_party, "BEAT_SECONDS", 0.05)
    now = 0.0
    live.app.site.watch_parties = WatchParties(lambda: now)
    begun = await flock.ana.http.post(f"/api/matches/{flock.match}/together", json={"hand": 0, "move": 0})
    flock.path = f"/api/matches/{flock.match}/together/{begun.json()['token']}"
    async with flock.line(come()) as theirs:
        async with flock.line(flock.ana):
            now += 10 * watch_parties.LEADER_TIMEOUT_SECONDS  # the leader stays at one move for long
            await theirs.until(followers=1)
            assert (await flock.go(0, 1)).status_code == 204
            await theirs.until(move=1)
        now += watch_parties.LEADER_TIMEOUT_SECONDS - 1
        assert (await flock.go(0, 2)).status_code == 204
        await theirs.until(move=2)
        now += watch_parties.LEADER_TIMEOUT_SECONDS + 1
        assert await theirs.next() == "over"
        assert theirs.beats
    assert code_of(await flock.go(0, 3)) == (404, "not_found")


async def test_a_watch_party_connection_is_freed_when_closed_and_ends_with_the_server(
    flock: Flock, live: Live, come: Come
) -> None:
    site, stranger = live.app.site, come()

    def strangers() -> list[OpenSocket]:
        return [each for each in site.open_sockets if each.person_id == ""]

    for _ in range(3):
        async with flock.line(stranger) as theirs:
            await theirs.next()
            assert len(strangers()) == 1
        async with asyncio.timeout(PATIENCE):
            while strangers():
                await asyncio.sleep(0.01)
    found = site.watch_parties.find_party(flock.match, flock.path.rpartition("/")[2])
    assert found.view_for(None)["followers"] == 0
    async with flock.line(stranger) as theirs:
        await theirs.next()
        live.server.start_draining()
        assert await theirs.next() == ""
        async with asyncio.timeout(PATIENCE):
            await live.running


async def test_deleting_the_leader_ends_the_watch_party(flock: Flock, come: Come) -> None:
    async with flock.line(come()) as theirs:
        await theirs.until(leader="Ana")
        forgotten = await flock.ana.http.post("/api/me/forget", json={"confirm": True})
        assert forgotten.status_code < 300, forgotten.text
        assert await theirs.next() == "over"
