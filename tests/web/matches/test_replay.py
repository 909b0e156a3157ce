"""Test the pages after a match: history, replay, record, and old matches under corrected rules."""

import asyncio
import json
import re
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from app.cli import main
from app.engine.base.errors import RuleError
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match import record
from app.engine.match.match import Match
from app.store.db.schema import hand_initial_states
from app.web.http import work_queue
from app.web.matches import hand_frames
from app.web.protocol import typed_models
from tests.web.conftest import Live
from tests.web.visitors import Visitor
from tools.property_checks.information_leaks import cards_known_to, swap_hidden_cards


async def played(ana: Visitor, hands: int = 2, **asked: Any) -> str:
    """Let Ana play a match against bots with her first legal actions, and return its id."""
    asked = {"game": "president", "bots": ["easy", "random"], "bots_delay": 0, **asked}
    opened = await ana.open(**asked)
    desk = await ana.sit(opened["code"])
    await desk.do("start")
    while True:
        update = await desk.until(
            lambda update: update["room"]["phase"] in ("between_hands", "finished") or update["you"].get("legal")
        )
        if update["room"]["phase"] == "playing":
            answer = await desk.do("act", action=update["you"]["legal"][0])
        elif len(update["room"]["hands"]) < hands and update["room"]["phase"] == "between_hands":
            answer = await desk.do("deal_next")
        else:
            return str(update["room"]["match_id"])
        await desk.until(lambda update, seq=answer["seq"]: update["seq"] >= seq)


@pytest.fixture
async def match_id(ana: Visitor) -> str:
    async with asyncio.timeout(60):
        return await played(ana)


async def test_pages_show_points_only_if_the_game_has_points(ana: Visitor) -> None:
    for preset, pointed in (("kings_and_bastards", False), ("pagat", True)):
        match_id = await played(ana, options={"preset": preset})
        page = (await ana.http.get(f"/matches/{match_id}", headers={"Accept": "text/html"})).text
        [line] = [each for each in (await ana.http.get("/api/history")).json()["matches"] if each["id"] == match_id]
        book = (await ana.http.get(f"/r/{line['room']}/book", headers={"Accept": "text/html"})).text
        searched = {"room": line["room"], "game": "president"}
        listed = (await ana.http.get("/history", params=searched, headers={"Accept": "text/html"})).text
        assert 'class="place"' in page
        assert 'class="match-list"' in listed
        assert 'class="brought"' in book
        assert ("(now " in book, 'class="total"' in page, "<b>+2</b>" in book) == (pointed,) * 3
        assert bool(re.search(r"</bdi> <small>[0-9]+</small>", listed)) == pointed, "beside a name in any script"
        assert pointed or "<b>0</b>" not in page + book


async def test_a_match_appears_in_the_history_and_its_record_can_be_exported_and_verified(
    ana: Visitor, match_id: str, tmp_path: Path
) -> None:
    [line] = (await ana.http.get("/api/history")).json()["matches"]
    assert (line["id"], line["hands"], line["game_name"]) == (match_id, 2, "President")
    assert [player["name"] for player in line["players"] if player["you"]] == ["Ana"]

    match = (await ana.http.get(f"/api/matches/{match_id}")).json()
    assert [hand["number"] for hand in match["hands"]] == [0, 1]
    html = {"Accept": "text/html"}
    told = (await ana.http.get(f"/matches/{match_id}", headers=html)).text
    assert ">Place 1 of 3 <b>+2</b>" in told
    assert told.count(" President.</a>") == 2
    assert (await ana.http.get(f"/matches/{match_id}?from=1", headers=html)).text.count(" President.</a>") == 1
    for wrong in ("2", "-1", "one"):
        assert (await ana.http.get(f"/matches/{match_id}?from={wrong}", headers=html)).status_code in (404, 422)
    for path in ("/history", f"/matches/{match_id}", f"/matches/{match_id}/replay?hand=1"):
        page = await ana.http.get(path, headers=html)
        assert (page.status_code, "President" in page.text) == (200, True)
    assert (await ana.http.get(f"/matches/{match_id}/replay?hand=2", headers=html)).status_code == 404

    before = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()
    assert len({(before["birds"][name], before["hues"][name]) for name in before["players"]}) == 3
    await ana.http.put("/api/me", json={"bird": "owl"})
    for number in (0, 1):
        hand = (await ana.http.get(f"/api/matches/{match_id}/hands/{number}")).json()
        assert hand["birds"] == {**before["birds"], "Ana": "owl"}
        assert hand["hues"] == before["hues"]
        first, last = hand["frames"][0], hand["frames"][-1]
        for frame in hand["frames"]:
            typed_models.model_of(hand_frames.FrameView).model_validate(frame)
        assert hand["corrected"] is False
        assert sum(len(cards.split()) for cards in first["cards"].values()) == 52
        assert (last["table"]["phase"], last["table"]["standing"]) == ("over", hand["result"]["standing"])
        assert all(frame["by"] == frame["action"]["by"] for frame in hand["frames"][1:])
        assert all(0 <= frame["seconds"] < 60 for frame in hand["frames"][1:])
        assert hand["fair"]["secret"]
    assert (await ana.http.get(f"/api/matches/{match_id}/hands/2")).status_code == 404

    record = await ana.http.get(f"/matches/{match_id}/record.json")
    assert "attachment" in record.headers["content-disposition"]
    assert record.json()["format"] == "climbing-record/1"
    file = tmp_path / "record.json"
    file.write_bytes(record.content)
    proven = CliRunner().invoke(main, ["verify", str(file)])
    assert (proven.exit_code, proven.output.count("fair")) == (4, 2), proven.output

    forged = record.json()
    cards = forged["hands"][1]["cards"]
    cards["Ana"] = " ".join(reversed(cards["Ana"].split()))
    file.write_text(json.dumps(forged))
    assert CliRunner().invoke(main, ["verify", str(file)]).exit_code == 4  # the order of a player's cards is irrelevant
    one, other = list(cards)[:2]
    cards[one], cards[other] = cards[other], cards[one]
    file.write_text(json.dumps(forged))
    assert CliRunner().invoke(main, ["verify", str(file)]).exit_code == 1
    forged = record.json()
    forged["hands"][0]["fair"]["secret"] = "00" * 32
    file.write_text(json.dumps(forged))
    assert CliRunner().invoke(main, ["verify", str(file)]).exit_code == 1


async def test_an_old_match_can_be_replayed_after_a_rule_was_corrected(
    ana: Visitor, match_id: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()
    real, calls = Match.apply_action, 0

    def stricter(self: Match, by: str, action: Any, **how: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise RuleError("does_not_beat", "Not any more.")
        return real(self, by, action, **how)

    monkeypatch.setattr(Match, "apply_action", stricter)
    again = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()
    assert again["corrected"] is True
    assert len(again["frames"]) == len(whole["frames"])
    for old, new in zip(whole["frames"], again["frames"], strict=True):
        for what in ("by", "action", "cards", "highlight"):
            assert old[what] == new[what]
    assert again["frames"][-1]["events"]

    # Verifying the file tells that the deal is fair and that the rules have changed.
    file = tmp_path / "record.json"
    file.write_bytes((await ana.http.get(f"/matches/{match_id}/record.json")).content)
    calls = 0
    told = CliRunner().invoke(main, ["verify", str(file)])
    assert (told.exit_code, "Hand 1: fair" in told.output) == (4, True), told.output
    assert "Hand 1, action 6: the current rules refuse it. Not any more. The rules have changed" in told.output


@pytest.mark.parametrize("game", GAMES)
async def test_matches_of_every_game_can_be_replayed_and_verified(ana: Visitor, game: str, tmp_path: Path) -> None:
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
        assert hand["event_prominence"]["played"] == "move"
        told = [{event["e"] for event in frame["events"]} for frame in hand["frames"]]
        assert not [names for names in told if {"gave", "gave_cards"} <= names], "cards that were given are told once"
        # The replay marks the same moves that the match page links to.
        page = (await ana.http.get(f"/matches/{match_id}", headers={"Accept": "text/html"})).text
        linked = {int(n) for n in re.findall(rf"hand={number}&amp;move=(\d+)", page)}
        led_to = {step for step, frame in enumerate(hand["frames"]) if frame["highlight"]}
        assert led_to, told
        assert linked - {len(hand["frames"]) - 1} <= led_to <= linked
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    proven = CliRunner().invoke(main, ["verify", str(file)])
    assert proven.exit_code == 4, proven.output
    replayed = CliRunner().invoke(main, ["replay", str(file)])
    assert (replayed.exit_code, json.loads(replayed.output)["ok"]) == (0, True), replayed.output


@pytest.mark.parametrize("game", GAMES)
async def test_a_replay_from_a_seat_shows_only_what_that_seat_knew(ana: Visitor, game: str) -> None:
    async with asyncio.timeout(60):
        match_id = await played(ana, game=game)
    kept = (await ana.http.get(f"/matches/{match_id}/record.json")).json()
    path = f"/api/matches/{match_id}/hands/0"
    whole = (await ana.http.get(path)).json()
    for seat in whole["players"]:
        seen = (await ana.http.get(path, params={"seat": seat})).json()
        assert "fair" not in seen, "the proof of a deal is everybody's cards"
        for frame, full in zip(seen["frames"], whole["frames"], strict=True):
            typed_models.model_of(hand_frames.FrameView).model_validate(frame)
            assert frame["table"] == full["table"]
            assert frame["cards"] == {seat: full["cards"][seat]}
            assert frame["action"] == (full["action"] if full["by"] == seat else None)
    assert (await ana.http.get(path, params={"seat": "Nobody"})).status_code == 404

    opened, hands = record.parse_record(kept, GAMES)
    rng, seat = Random(1), whole["players"][0]
    told: tuple[GameEvent, ...] = ()
    for moment in record.replay_steps(opened, hands[:1]):
        told += moment.step.events
        state = moment.step.match
        if not state.is_hand_running:
            continue
        others = swap_hidden_cards(state, cards_known_to(state, told, seat), rng)
        assert hand_frames.build_frame(None, None, state, (), seat) == hand_frames.build_frame(
            None, None, others, (), seat
        )
        heard = hand_frames.build_frame(moment.by, {"do": "anything"}, state, moment.step.events, seat)["events"]
        secret = [event.to_json() for event in moment.step.events if event.to is not None and seat not in event.to]
        assert not [event for event in heard if event in secret]


async def test_a_replay_of_a_very_long_hand_shows_only_the_first_steps_and_the_end(
    ana: Visitor, match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()["frames"]
    assert len(whole) > 10
    monkeypatch.setattr(hand_frames, "MOST_FRAMES", 10)
    short = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()["frames"]
    assert short == [*whole[:9], whole[-1]]


async def test_a_replay_starts_from_the_saved_start_of_the_hand_or_an_earlier_hand(
    live: Live, ana: Visitor, match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_first = (await ana.http.get(f"/api/matches/{match_id}/hands/1")).json()
    site, begun = live.app.site, list[int]()
    begin = Match.begin_hand

    def counted(self: Match, deal: Any) -> Any:
        begun.append(self.dealt)
        return begin(self, deal)

    monkeypatch.setattr(Match, "begin_hand", counted)
    assert (await ana.http.get(f"/api/matches/{match_id}/hands/1")).json() == after_first
    assert (begun, site.match_cache) == ([1], {})
    await site.store.database.write(lambda connection: connection.execute(hand_initial_states.delete()))
    for number in (1, 0):
        begun.clear()
        await ana.http.get(f"/api/matches/{match_id}/hands/{number}")
    assert set(site.match_cache) == {(match_id, 1), (match_id, 2)}
    assert (await ana.http.get(f"/api/matches/{match_id}/hands/1")).json() == after_first
    assert begun == [0, 1]


async def test_replaying_a_late_hand_again_does_not_replay_the_hands_before_it(
    live: Live, ana: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the starts of hands are missing, the positions between hands are cached."""
    monkeypatch.setattr(hand_frames, "STRIDE", 1)
    match_id, begun, begin = await played(ana, 3, bots=["easy"] * 5), list[int](), Match.begin_hand

    def counted(self: Match, deal: Any) -> Any:
        begun.append(self.dealt)
        return begin(self, deal)

    site = live.app.site
    await site.store.database.write(lambda connection: connection.execute(hand_initial_states.delete()))
    last = (await ana.http.get(f"/api/matches/{match_id}/hands/2")).json()
    assert set(site.match_cache) == {(match_id, number) for number in (1, 2, 3)}
    monkeypatch.setattr(Match, "begin_hand", counted)
    assert (await ana.http.get(f"/api/matches/{match_id}/hands/2")).json() == last
    assert begun == [2]
    begun.clear()
    await ana.http.get(f"/api/matches/{match_id}/hands/1")
    assert begun == [1]


async def test_long_matches_are_serialized_one_at_a_time_in_threads(
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
        return work_queue.encode_json_in_parts(whole)

    monkeypatch.setattr("app.web.api.matches.encode_json_in_parts", slowly)
    monkeypatch.setattr("app.web.pages.matches.encode_json_in_parts", slowly)
    paths = [f"/api/matches/{match_id}", f"/matches/{match_id}/record.json"] * 2 + [f"/api/matches/{match_id}/hands/0"]
    answers = await asyncio.gather(*(ana.http.get(path) for path in paths))
    assert {answer.status_code for answer in answers} == {200}
    assert (most, threads) == (1, {False})
    monkeypatch.setattr(work_queue, "MOST_OF_ONE", 2)
    go_on.clear()  # two requests wait here, so that the others are refused
    asked = [asyncio.ensure_future(ana.http.get(path)) for path in paths]
    async with asyncio.timeout(30):
        while sum(one.done() for one in asked) < 3:
            await asyncio.sleep(0.01)
    go_on.set()
    answers = await asyncio.gather(*asked)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 503, 503, 503]
    assert {answer.headers["retry-after"] for answer in answers if answer.status_code == 503} == {"5"}
