"""Test the analysis of a turn, which only the player of the turn can see, after the hand."""

import asyncio

import pytest

from app.bots.search import analysis, worker_job
from app.bots.search.monte_carlo import Budget
from app.settings import Limits, Settings
from app.workers import pool
from tests.web.conftest import serving
from tests.web.matches.test_replay import played
from tests.web.visitors import Visitor, visiting


@pytest.mark.parametrize("workers", [0, 1])
async def test_only_the_player_of_a_turn_can_ask_what_a_hard_bot_would_have_done(
    settings: Settings, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "WORLDS", 3)
    monkeypatch.setattr(worker_job, "COMPARING", Budget(worlds=20))
    monkeypatch.setattr(pool, "STUCK", 60.0)  # don't fail on a slow machine
    asked = settings.model_copy(update={"hard_workers": workers, "limits": Limits(hindsight_per_minute=100)})
    async with serving(asked) as live, visiting(live.base) as come, asyncio.timeout(60):
        ana, bob = come(), come()
        match_id = await played(ana, hands=1)
        path = f"/api/matches/{match_id}/hands/0/hindsight"
        frames = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()["frames"]
        mine = [at for at, frame in enumerate(frames[1:]) if frame["by"] == "Ana"]
        answers = [(await ana.http.get(path, params={"move": move})).json() for move in mine]
        for move, answer in zip(mine[:3], answers, strict=False):
            assert answer["by"] == "hard"
            assert answer["explanation"]
            own = frames[move]["cards"]["Ana"].split()
            assert answer["action"]["do"] in ("play", "pass")
            assert set(answer["action"].get("cards", "").split()) <= set(own)
            assert (await ana.http.get(path, params={"move": move})).json() == answer
        assert any(answer["lines"] for answer in answers), "somewhere in a hand there is a choice"

        other = next(at for at, frame in enumerate(frames[1:]) if frame["by"] != "Ana")
        await bob.http.put("/api/me", json={"name": "Bob"})
        assert (await bob.open("Bob"))["code"]
        for visitor, move, status in ((ana, other, 403), (bob, mine[0], 403), (come(), mine[0], 401), (ana, 9999, 409)):
            refused = await visitor.http.get(path, params={"move": move})
            assert refused.status_code == status, refused.text
            assert refused.json()["message"]


async def test_a_hand_in_progress_is_not_analysed(ana: Visitor) -> None:
    opened = await ana.open(game="president", bots=["easy", "easy"], bots_delay=0)
    desk = await ana.sit(opened["code"])
    await desk.do("start")
    update = await desk.until(lambda update: update["you"].get("legal"))
    await desk.ask("act", action=update["you"]["legal"][0])
    match_id = update["room"]["match_id"]
    refused = await ana.http.get(f"/api/matches/{match_id}/hands/0/hindsight", params={"move": 0})
    assert refused.status_code in (403, 409), refused.text
    assert refused.json()["message"] == "Wait until the hand is over, then ask."


async def test_analysis_requests_over_the_rate_limit_are_refused(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(hindsight_per_minute=2)})
    async with serving(few) as live, visiting(live.base) as come:
        ana = come()
        await ana.open()
        path = "/api/matches/none/hands/0/hindsight?move=0"
        assert [(await ana.http.get(path)).status_code for _ in range(3)] == [403, 403, 429]
