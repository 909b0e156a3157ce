"""After the match: history, hands step by step, the record, and old matches whose rules have been corrected since."""

import asyncio
import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from app.cli import main
from app.engine.errors import RuleError
from app.engine.games import GAMES
from app.engine.match import Match
from app.web import replay, workshop
from tests.web.conftest import Live
from tests.web.visitors import Visitor


async def played(ana: Visitor, hands: int = 2, **asked: Any) -> str:
    """A match of bots and Ana, who plays what is first; its id."""
    asked = {"game": "president", "bots": ["greedy", "random"], "bots_delay": 0, **asked}
    opened = await ana.open(**asked)
    desk = await ana.sit(opened["code"])
    await desk.do("start")
    while True:
        update = await desk.until(
            lambda update: (
                update["room"]["phase"] in ("pause", "finished") or "Ana" in (update["table"] or {}).get("to_act", ())
            )
        )
        if update["room"]["phase"] == "playing":
            answer = await desk.do("act", action=update["you"]["legal"][0])
        elif len(update["room"]["hands"]) < hands and update["room"]["phase"] == "pause":
            answer = await desk.do("next")
        else:
            return str(update["room"]["match_id"])
        await desk.until(lambda update, seq=answer["seq"]: update["seq"] >= seq)


@pytest.fixture
async def match_id(ana: Visitor) -> str:
    async with asyncio.timeout(60):
        return await played(ana)


async def test_a_match_can_be_found_looked_through_and_exported(ana: Visitor, match_id: str, tmp_path: Path) -> None:
    [line] = (await ana.http.get("/api/history")).json()["matches"]
    assert (line["id"], line["hands"], line["game_name"]) == (match_id, 2, "President")
    assert [player["name"] for player in line["players"] if player["you"]] == ["Ana"]

    match = (await ana.http.get(f"/api/matches/{match_id}")).json()
    assert [hand["number"] for hand in match["hands"]] == [0, 1]
    html = {"Accept": "text/html"}
    for path in ("/history", f"/matches/{match_id}", f"/matches/{match_id}/replay?hand=1"):
        page = await ana.http.get(path, headers=html)
        assert (page.status_code, "President" in page.text) == (200, True)
    assert (await ana.http.get(f"/matches/{match_id}/replay?hand=2", headers=html)).status_code == 404

    for number in (0, 1):
        hand = (await ana.http.get(f"/api/matches/{match_id}/hands/{number}")).json()
        first, last = hand["frames"][0], hand["frames"][-1]
        assert hand["corrected"] is False
        assert sum(len(cards.split()) for cards in first["cards"].values()) == 52
        assert (last["table"]["phase"], last["table"]["standing"]) == ("over", hand["result"]["standing"])
        assert all(frame["by"] == frame["action"]["by"] for frame in hand["frames"][1:])
        assert hand["fair"]["secret"]
    assert (await ana.http.get(f"/api/matches/{match_id}/hands/2")).status_code == 404

    record = await ana.http.get(f"/matches/{match_id}/record.json")
    assert "attachment" in record.headers["content-disposition"]
    assert record.json()["format"] == "climbing-record/1"
    file = tmp_path / "record.json"
    file.write_bytes(record.content)
    proven = CliRunner().invoke(main, ["verify", str(file)])
    assert (proven.exit_code, proven.output.count("fair")) == (0, 2), proven.output

    forged = record.json()
    cards = forged["hands"][1]["cards"]
    cards["Ana"] = " ".join(reversed(cards["Ana"].split()))
    file.write_text(json.dumps(forged))
    assert CliRunner().invoke(main, ["verify", str(file)]).exit_code == 0  # an order in the hand is no matter
    one, other = list(cards)[:2]
    cards[one], cards[other] = cards[other], cards[one]
    file.write_text(json.dumps(forged))
    assert CliRunner().invoke(main, ["verify", str(file)]).exit_code == 1
    forged = record.json()
    forged["hands"][0]["fair"]["secret"] = "00" * 32
    file.write_text(json.dumps(forged))
    assert CliRunner().invoke(main, ["verify", str(file)]).exit_code == 1


async def test_an_old_match_can_be_watched_after_a_rule_was_corrected(
    ana: Visitor, match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()
    real, calls = Match.act, 0

    def stricter(self: Match, by: str, action: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise RuleError("does_not_beat", "Not any more.")
        return real(self, by, action)

    monkeypatch.setattr(Match, "act", stricter)
    again = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()
    assert again["corrected"] is True
    assert len(again["frames"]) == len(whole["frames"])
    for old, new in zip(whole["frames"], again["frames"], strict=True):
        assert (old["by"], old["action"], old["cards"]) == (new["by"], new["action"], new["cards"])
    assert again["frames"][-1]["events"]


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_can_be_looked_back_at_and_proven(ana: Visitor, game: str, tmp_path: Path) -> None:
    async with asyncio.timeout(60):
        match_id = await played(ana, game=game)
    record = (await ana.http.get(f"/matches/{match_id}/record.json")).json()
    for number, kept in enumerate(record["hands"]):
        if "cards" not in kept:
            continue
        hand = (await ana.http.get(f"/api/matches/{match_id}/hands/{number}")).json()
        assert hand["corrected"] is False
        assert [frame["action"] for frame in hand["frames"][1:]] == kept["actions"]
        assert hand["frames"][-1]["table"]["phase"] == "over"
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    proven = CliRunner().invoke(main, ["verify", str(file)])
    assert proven.exit_code == 0, proven.output
    replayed = CliRunner().invoke(main, ["replay", str(file)])
    assert (replayed.exit_code, json.loads(replayed.output)["ok"]) == (0, True), replayed.output


async def test_of_a_very_long_hand_the_first_steps_and_the_end_are_shown(
    ana: Visitor, match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()["frames"]
    assert len(whole) > 10
    monkeypatch.setattr(replay, "MOST_FRAMES", 10)
    short = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()["frames"]
    assert short == [*whole[:9], whole[-1]]


async def test_a_hand_begins_where_a_known_earlier_one_did(
    live: Live, ana: Visitor, match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_first = (await ana.http.get(f"/api/matches/{match_id}/hands/1")).json()
    site, begun = live.app.site, list[int]()
    begin = Match.begin

    def counted(self: Match, deal: Any) -> Any:
        begun.append(self.dealt)
        return begin(self, deal)

    monkeypatch.setattr(Match, "begin", counted)
    await ana.http.get(f"/api/matches/{match_id}/hands/0")
    assert set(site.looked_at) == {(match_id, 1), (match_id, 2)}
    assert (await ana.http.get(f"/api/matches/{match_id}/hands/1")).json() == after_first
    assert begun == [0, 1]


async def test_long_matches_are_made_one_after_the_other_in_threads(
    ana: Visitor, match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once, most, threads = 0, 0, set[bool]()
    go_on = threading.Event()
    go_on.set()

    def slowly(whole: Any) -> bytes:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        time.sleep(0.05)
        go_on.wait()
        at_once -= 1
        threads.add(threading.current_thread() is threading.main_thread())
        return workshop.as_json(whole)

    monkeypatch.setattr("app.web.api.as_json", slowly)
    monkeypatch.setattr("app.web.pages.as_json", slowly)
    paths = [f"/api/matches/{match_id}", f"/matches/{match_id}/record.json"] * 2 + [f"/api/matches/{match_id}/hands/0"]
    answers = await asyncio.gather(*(ana.http.get(path) for path in paths))
    assert {answer.status_code for answer in answers} == {200}
    assert (most, threads) == (1, {False})
    monkeypatch.setattr(workshop, "MOST_OF_ONE", 2)
    go_on.clear()  # the two that are let in wait, so that it is certain who is refused
    asked = [asyncio.ensure_future(ana.http.get(path)) for path in paths]
    async with asyncio.timeout(30):
        while sum(one.done() for one in asked) < 3:
            await asyncio.sleep(0.01)
    go_on.set()
    answers = await asyncio.gather(*asked)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 503, 503, 503]
    assert {answer.headers["retry-after"] for answer in answers if answer.status_code == 503} == {"5"}
