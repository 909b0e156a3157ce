"""Test imported files: checked, replayed, saved and deleted; room files; malicious files."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from app.cli import main
from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.engine.match.record import ROOM_FORMAT, replay_record
from app.rooms.recorded.verify import verify_match
from app.settings import Limits, Settings
from app.store import room_export
from app.store.db.schema import imported_hands
from app.text_limits import MOST_KEYS
from app.web.http.errors import HttpError
from app.web.matches import import_files, saved_imports
from app.web.matches.import_files import NO_HANDS
from tests.web.conftest import Live, serving
from tests.web.matches.test_replay import played
from tests.web.visitors import Visitor

HTML = {"Accept": "text/html"}
LIMITS = saved_imports.file_limits(Limits())


@pytest.fixture
async def record(ana: Visitor) -> dict[str, Any]:
    """Play a match of two hands and export it."""
    async with asyncio.timeout(60):
        match_id = await played(ana)
    exported: dict[str, Any] = (await ana.http.get(f"/matches/{match_id}/record.json")).json()
    return exported


async def sent(visitor: Visitor, file: object, path: str = "/api/imports") -> tuple[int, dict[str, Any]]:
    """Upload a file and return the status and the answer."""
    body = file if isinstance(file, bytes) else json.dumps(file).encode()
    answer = await visitor.http.post(path, content=body, headers={"Content-Type": "application/json"})
    return answer.status_code, answer.json()


async def test_a_record_can_be_checked_replayed_saved_and_deleted(
    ana: Visitor, come: Any, record: dict[str, Any]
) -> None:
    bob = come()
    status, found = await sent(bob, record)
    [match] = found["matches"]
    assert (status, match["game"], match["refused"]) == (200, "president", None)
    assert [(hand["fair"], hand["kind"], hand["over"]) for hand in match["hands"]] == [(True, "server", True)] * 2
    status, hand = await sent(bob, record, "/api/imports/hands/1")
    assert (status, len(hand["frames"])) == (200, len(record["hands"][1]["actions"]) + 1)
    status, seen = await sent(bob, record, "/api/imports/hands/1?seat=Ana")
    assert {*seen["frames"][0]["cards"]} == {"Ana"}
    assert (await sent(bob, record, "/api/imports/hands/2"))[0] == 404
    # In an unfinished hand, notable moves are marked, too.
    king = replay_record(record, GAMES)["hands"][0]["standing"][0]
    cut = {**record["hands"][1], "actions": [{"do": "decree", "by": king, "text": "Applause."}]}
    status, unended = await sent(bob, {**record, "hands": [record["hands"][0], cut]}, "/api/imports/hands/1")
    assert (status, [frame["highlight"] for frame in unended["frames"]]) == (200, [False, True])
    assert (await bob.http.get("/api/imports")).json() == {"matches": []}, "looking keeps nothing"

    status, kept = await sent(bob, record, "/api/imports/kept")
    [match_id] = kept["matches"]
    assert status == 201
    assert (await sent(bob, record, "/api/imports/kept"))[1] == kept, "nobody keeps the same match twice"
    [line] = (await bob.http.get("/api/imports")).json()["matches"]
    assert (line["id"], line["hands"], line["room"], line["imported"]["yours"]) == (match_id, 2, None, True)
    page = await ana.http.get(f"/matches/{match_id}", headers=HTML)
    assert ("data-imported" in page.text, "/remove" in page.text) == (True, False)
    assert "/remove" in (await bob.http.get(f"/matches/{match_id}", headers=HTML)).text
    assert (await ana.http.get(f"/matches/{match_id}/record.json")).json() == record, "it goes out as it came in"
    kept_hand = (await ana.http.get(f"/api/matches/{match_id}/hands/1")).json()
    assert kept_hand["frames"] == hand["frames"]
    # An imported match is not in the lists of matches and does not count in stats.
    assert (await bob.http.get("/api/history")).json()["matches"] == []
    assert match_id not in (await ana.http.get("/history", headers=HTML)).text

    assert (await ana.http.delete(f"/api/imports/{match_id}")).status_code == 404
    assert (await bob.http.post(f"/matches/{match_id}/remove")).status_code == 303
    assert (await bob.http.get(f"/matches/{match_id}", headers=HTML)).status_code == 404


async def test_replaying_an_imported_hand_does_not_play_the_hands_before_it(
    live: Live, ana: Visitor, record: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    [match_id] = (await sent(ana, record, "/api/imports/kept"))[1]["matches"]
    begun, begin = list[int](), Match.begin_hand

    def counted(self: Match, deal: Any) -> Any:
        begun.append(self.dealt)
        return begin(self, deal)

    monkeypatch.setattr(Match, "begin_hand", counted)
    seen = [(await ana.http.get(f"/api/matches/{match_id}/hands/{number}")).json() for number in (1, 0)]
    assert begun == [1, 0]
    # Older imports lack the starts of hands. Then earlier hands are replayed, with the same result.
    older = imported_hands.update().values(initial_state=None)
    await live.app.site.store.database.write(lambda connection: connection.execute(older))
    begun.clear()
    assert [(await ana.http.get(f"/api/matches/{match_id}/hands/{number}")).json() for number in (1, 0)] == seen
    assert begun[:2] == [0, 1]


async def test_imported_matches_are_in_the_personal_data_and_deleted_with_the_person(
    ana: Visitor, come: Any, record: dict[str, Any]
) -> None:
    bob, eve = come(), come()
    [mine], [others] = [(await sent(each, record, "/api/imports/kept"))[1]["matches"] for each in (bob, eve)]
    [told] = (await bob.http.get("/api/me/data")).json()["imported"]
    assert (told["id"], told["record"]) == (mine, record)
    assert (await ana.http.get("/api/me/data")).json()["imported"] == []
    for who in (bob, ana):
        assert (await who.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
    assert (await eve.http.get(f"/matches/{mine}", headers=HTML)).status_code == 404
    assert (await eve.http.get(f"/matches/{mine}/record.json")).status_code == 404
    # Eve’s copy is not affected by the deletion of others.
    assert (await eve.http.get(f"/matches/{others}/record.json")).json() == record


async def test_an_error_in_an_imported_file_names_its_location(ana: Visitor, record: dict[str, Any]) -> None:
    async def said(path: str = "/api/imports", **change: Any) -> str:
        status, answer = await sent(ana, {**record, **change}, path)
        assert (status, answer["code"]) == (422, "bad_record"), answer
        return str(answer["message"])

    assert "“climbing-record/1” or “climbing-room/1”" in await said(format="chess/1")
    assert (
        await said(game="chess") == f"The game of a record must be one of {', '.join([*GAMES][:-1])} or {[*GAMES][-1]}."
    )
    assert await said(hands=[]) == "No hand was played in this match."
    assert "list of names" in await said(players="Ana")
    whole = json.dumps(record)
    for file, words in (
        (b"", "This file is empty."),
        (b"\xef\xbb\xbf \r\n", "This file is empty."),
        (whole.encode("utf-16"), "its text is not UTF-8."),
        (whole.replace('"by"', '"by": "Bob", "by"', 1).encode(), "one object has “by” twice."),
        (b'{"seed": ' + b"9" * 5000 + b"}", "a number in it has 5000 digits. The limit is 100."),
        (b'{"seed": NaN}', "NaN is no number."),
        (b'{"seed": 7', "line 1 column 11"),
    ):
        status, answer = await sent(ana, file)
        assert (status, words in answer["message"]) == (422, True), answer
    # In a part of a room file, matches keep their numbers from the whole file.
    part = {"format": ROOM_FORMAT, "matches": [{"record": {**record, "hands": []}}]}
    for path in ("/api/imports", "/api/imports/kept"):
        assert (await sent(ana, part, f"{path}?first=41"))[1]["message"] == f"Match 41: {NO_HANDS()}"
    # Editors of other systems add a byte order mark and CRLF.
    assert (await sent(ana, b"\xef\xbb\xbf" + json.dumps(record, indent=1).replace("\n", "\r\n").encode()))[0] == 200
    assert (await said(hands=[record["hands"][0], {"cards": 7}])).startswith("Hand 2: ")

    # An action that the rules refuse ends the match. The part before it is shown, and the match can't be saved.
    other = json.loads(json.dumps(record))
    other["hands"][1]["actions"][2] = {"do": "play", "by": "Ana", "cards": "3c 9d"}
    status, found = await sent(ana, other)
    [match] = found["matches"]
    assert (status, [hand["over"] for hand in match["hands"]]) == (200, [True, False])
    assert match["refused"]["message"].startswith("Hand 2, action 3: the current rules refuse it. ")
    assert (await said("/api/imports/kept", **other)) == match["refused"]["message"]
    # Cards that differ from the proof are reported.
    one, two, *_ = record["players"]
    forged = json.loads(json.dumps(record))
    forged["hands"] = forged["hands"][:1]
    del forged["hands"][0]["fair"]
    assert (await sent(ana, forged))[1]["matches"][0]["hands"][0]["proven"] is False
    forged["hands"][0] |= {"fair": record["hands"][0]["fair"], "actions": []}
    cards = forged["hands"][0]["cards"]
    cards[one], cards[two] = cards[two], cards[one]
    [hand] = (await sent(ana, forged))[1]["matches"][0]["hands"]
    assert (hand["fair"], hand["unfair"]["message"]) == (False, f"{one} was dealt other cards")


async def test_variations_and_repeated_deals_keep_their_kind_through_export_and_import(
    ana: Visitor, come: Any, record: dict[str, Any]
) -> None:
    bob, match_id = come(), (await ana.http.get("/api/history")).json()["matches"][0]["id"]
    path = f"/api/matches/{match_id}"
    going_on = (await ana.http.post(f"{path}/hands/1/variations", json={"move": 5, "seat": "Ana"})).json()
    again = (await ana.http.post(f"{path}/again", json={"name": "Ana"})).json()
    for opened, how in ((going_on, "variation"), (again, "deals")):
        desk = await ana.sit(opened["code"])
        if how == "deals":
            for _ in range(2):
                await desk.do("add_bot", kind="easy")
            await desk.do("start")
        update = await desk.until(lambda update: update["table"] is not None)
        await desk.do("stop")
        other = update["room"]["match_id"]
        exported = (await ana.http.get(f"/matches/{other}/record.json")).json()
        assert exported["origin"]["how"] == how
        assert match_id not in json.dumps(exported), "nobody learns of another match from a file"
        [match] = (await sent(bob, exported))[1]["matches"]
        assert (match["origin"], match["refused"]) == (exported["origin"], None)
        assert [hand["known"] for hand in match["hands"]] == [True]
        looked = (await sent(bob, exported, "/api/imports/hands/0"))[1]["frames"]
        status, kept = await sent(bob, exported, "/api/imports/kept")
        assert status == 201, kept
        [brought] = kept["matches"]
        assert (await bob.http.get(f"/matches/{brought}/record.json")).json() == exported
        page = (await bob.http.get(f"/matches/{brought}", headers=HTML)).text
        assert ("does not count for stats" in page, f"/matches/{brought}/compare" in page) == (True, False)
        # The imported match starts at the same position, with the same titles and exchange.
        played_here = (await ana.http.get(f"/api/matches/{other}/hands/0")).json()
        watched = (await bob.http.get(f"/api/matches/{brought}/hands/0")).json()
        assert (watched["corrected"], played_here["corrected"]) == (False, False)
        assert watched["frames"] == played_here["frames"] == looked


async def test_invalid_carried_state_or_origin_in_a_record_is_refused(ana: Visitor, record: dict[str, Any]) -> None:
    start = verify_match(record, GAMES)
    names, carried = list(start.start.seats), start.start.carryover_to_json()
    assert (await sent(ana, {**record, "carried": carried}))[0] == 200
    for wrong in (
        [],
        {**carried, "totals": dict.fromkeys(names, "many")},
        {**carried, "totals": {**carried["totals"], names[0]: 10**30}},
        {**carried, "hierarchy": ["Zoë"]},
        {**carried, "hierarchy": {}},
        {**carried, "hierarchy": [names[0], names[0]]},
        {**carried, "dealt": -1},
        {**carried, "dealt": True},
        {**carried, "dealer": 3},
        {**carried, "happened": [[]]},
        {**carried, "unanswered": [["Ana"]]},
        {**carried, "unanswered": [["Ana", {}]]},
        {**carried, "over": "no"},
        {**carried, "memory": []},
        {**carried, "entered": 3},
        {**carried, "last": {}},
        {
            **carried,
            "last": {"dealer": "Ana", "standing": [1], "titles": [], "ledger": {}, "events": [], "reasons": []},
        },
        {**carried, "entered": [3]},
    ):
        for path in ("/api/imports", "/api/imports/kept", "/api/imports/hands/0"):
            status, answer = await sent(ana, {**record, "carried": wrong}, path)
            assert (status, answer["code"]) == (422, "bad_record"), (wrong, answer)
            assert "The “carried” of a record must say how the earlier part left the match" in answer["message"]
    for wrong in ("variation", {"how": "chance", "hand": 0, "move": 0}, {"how": "deals", "hand": -1, "move": 0}):
        status, answer = await sent(ana, {**record, "origin": wrong}, "/api/imports/kept")
        assert (status, "“variation” or “deals”" in answer["message"]) == (422, True)
    assert (await ana.http.get("/api/imports")).json() == {"matches": []}


def bad_files(record: dict[str, Any]) -> dict[str, object]:
    """Return malicious and invalid files."""
    hand = record["hands"][0]
    return {
        "not JSON": b"<html>",
        "not UTF-8": b'{"format": "\xff"}',
        "nothing": b"",
        "deep": b'{"format":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        "nested": {**record, "options": json.loads("[" * 30 + "]" * 30)},
        "no number": b'{"format": NaN}',
        "UTF-16": json.dumps(record).encode("utf-16"),
        "a key twice": json.dumps(record).replace('"game"', '"game": "ceausescu", "game"', 1).encode(),
        "half of a pair": b'{"format": "\\udc00"}',
        "endless number": b'{"format": ' + b"9" * 5000 + b"}",
        "a list": [record],
        "many hands": {**record, "hands": [{}] * 10_000},
        "many players": {**record, "players": [str(n) for n in range(50_000)]},
        "long name": {**record, "players": ["A" * 1000, "Bob", "Cat"]},
        "unseen name": {**record, "players": ["An\u202ea", "Bob", "Cat"]},
        "NUL": {**record, "players": ["An\0a", "Bob", "Cat"]},
        "surrogate": json.dumps({**record, "players": ["\ud800", "Bob", "Cat"]}).encode(),
        "seed": {**record, "hands": [{"seed": 1e300}]},
        "no seed": {**record, "hands": [{"seed": None}]},
        "cards": {**record, "hands": [{**hand, "cards": {"Ana": ["3c"]}}]},
        "dealer": {**record, "hands": [{**hand, "dealer": {"a": 1}}]},
        "proof is text": {**record, "hands": [{**hand, "fair": "fair", "cards": "all"}]},
        "actions": {**record, "hands": [{**hand, "actions": [None, 3]}]},
        "no matches": {"format": ROOM_FORMAT, "matches": {}},
        "matches of nothing": {"format": ROOM_FORMAT, "matches": [None]},
        "a bad match": {"format": ROOM_FORMAT, "matches": [{"record": record}, {"record": {}}]},
    }


async def test_a_malicious_file_is_refused_with_a_message_and_does_no_harm(
    ana: Visitor, record: dict[str, Any]
) -> None:
    for what, file in bad_files(record).items():
        status, answer = await sent(ana, file, "/api/imports/kept")
        assert (status, answer["code"]) == (422, "bad_record"), (what, answer)
        for path in ("/api/imports/hands/0", "/api/imports"):
            assert (await sent(ana, file, path))[0] in (200, 422), (what, path)
    [match] = (await sent(ana, bad_files(record)["actions"]))[1]["matches"]
    assert match["refused"]["message"].startswith("Hand 1, action 1: "), "that has nothing to do with amended rules"
    assert "amended" not in match["refused"]["message"]
    assert (await ana.http.post("/api/me", content=b" " * 100_000)).status_code == 413, "only files may be long"
    assert (await ana.http.get("/api/imports")).json() == {"matches": []}

    # An invalid proof is reported and not returned.
    proof = {**record, "hands": [{**record["hands"][0], "fair": {"secret": 1, "pack": []}}]}
    [hand] = (await sent(ana, proof))[1]["matches"][0]["hands"]
    assert hand["unfair"]["message"] == "invalid proof"
    assert (await sent(ana, proof, "/api/imports/hands/0"))[1]["fair"] is None

    # Markup in a name is shown as text, and unknown fields are dropped.
    text = json.dumps({**record, "junk": "x" * 50}).replace('"Ana"', '"<b>Ana</b>"')
    odd = json.loads(text.replace("Ana:", "<b>Ana</b>:"))
    odd["hands"][0]["junk"] = odd["hands"][0]["fair"]["junk"] = "y"
    status, kept = await sent(ana, odd, "/api/imports/kept")
    assert status == 201, kept
    page = await ana.http.get(f"/matches/{kept['matches'][0]}", headers=HTML)
    assert ("<b>Ana</b>" in page.text, "&lt;b&gt;Ana&lt;/b&gt;" in page.text) == (False, True)
    assert "junk" not in (await ana.http.get(f"/matches/{kept['matches'][0]}/record.json")).text


def limited(tmp_path: Path, **limits: Any) -> Settings:
    """Return settings of another server with these limits."""
    url = f"sqlite:///{tmp_path}/limited.sqlite3"
    return Settings(host="127.0.0.1", database_url=url, limits=Limits(**limits))


async def test_import_limits_on_bytes_hands_and_unfinished_hands_are_enforced(
    record: dict[str, Any], tmp_path: Path
) -> None:
    most = len(json.dumps(record))
    async with serving(limited(tmp_path, import_hands=1, imports_per_person=1, import_bytes=most)) as live:
        eve = Visitor(live.base)
        status, answer = await sent(eve, json.dumps(record).encode() + b" ")
        assert (status, answer["code"]) == (413, "too_large")
        assert (await sent(eve, record))[1]["message"] == "This file has 2 hands. The limit is 1."
        [hand, _] = record["hands"]
        assert (await sent(eve, {**record, "hands": [hand]}, "/api/imports/kept"))[0] == 201
        short = {**record, "hands": [{**hand, "actions": hand["actions"][:-1]}]}
        status, answer = await sent(eve, short, "/api/imports/kept")
        assert (status, answer["code"]) == (409, "not_now")
        await eve.http.aclose()


async def kept_bytes(live: Live, visitor: Visitor) -> int:
    """Return the bytes of all matches that a visitor has saved."""
    known = await live.app.site.store.people.find_by_token(visitor.http.cookies["pecking_order"], live.app._clock.now())
    assert known is not None
    return (await live.app.site.store.imported_matches.storage_used(known.person.id)).bytes


async def test_imported_bytes_are_limited_by_person_and_by_address(record: dict[str, Any], tmp_path: Path) -> None:
    first, second = ({**record, "hands": record["hands"][:count]} for count in (1, 2))
    (tmp_path / "all").mkdir()
    async with serving(limited(tmp_path / "all")) as live:
        eve = Visitor(live.base)
        assert (await sent(eve, first, "/api/imports/kept"))[0] == 201
        one = await kept_bytes(live, eve)
        assert one > len(json.dumps(first["hands"])) / 2
        assert (await sent(eve, second, "/api/imports/kept"))[0] == 201
        both = await kept_bytes(live, eve)
        await eve.http.aclose()

    for limit, refused in (("import_bytes_per_person", (409, "not_now")), ("import_bytes_per_day", (429, "too_fast"))):
        (tmp_path / limit).mkdir()
        async with serving(limited(tmp_path / limit, **{limit: both - 1})) as live:
            eve = Visitor(live.base)
            assert (await sent(eve, first, "/api/imports/kept"))[0] == 201
            status, answer = await sent(eve, second, "/api/imports/kept")
            assert (status, answer["code"]) == refused
            assert await kept_bytes(live, eve) == one
            assert (await sent(eve, first, "/api/imports/kept"))[0] == 201, "it takes no more room"
            # Another browser is another person at the same address.
            other = Visitor(live.base)
            status, _ = await sent(other, second, "/api/imports/kept")
            assert status == (201 if limit == "import_bytes_per_person" else 429)
            assert ("pecking_order" in other.http.cookies) == (status == 201)
            [kept] = (await eve.http.get("/api/imports")).json()["matches"]
            assert (await eve.http.delete(f"/api/imports/{kept['id']}")).status_code == 204
            status, _ = await sent(eve, second, "/api/imports/kept")
            assert status == (201 if limit == "import_bytes_per_person" else 429)
            await eve.http.aclose()
            await other.http.aclose()


async def test_an_import_that_takes_too_long_is_refused(record: dict[str, Any], tmp_path: Path) -> None:
    async with serving(limited(tmp_path, import_seconds=1e-9)) as live:
        eve = Visitor(live.base)
        status, answer = await sent(eve, record)
        assert (status, answer["message"]) == (422, "This file takes too long to read. Import its matches one by one.")
        await eve.http.aclose()


async def test_a_room_export_is_built_outside_the_main_thread(ana: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    async with asyncio.timeout(60):
        match_id = await played(ana, hands=1)
    made, threads = room_export._list_decrees, set[bool]()

    def seen(number: int, record: dict[str, Any]) -> Any:
        threads.add(threading.current_thread() is threading.main_thread())
        return made(number, record)

    monkeypatch.setattr(room_export, "_list_decrees", seen)
    code = (await ana.http.get(f"/api/matches/{match_id}")).json()["match"]["room"]
    assert (await ana.http.get(f"/r/{code}/export.json")).status_code == 200
    assert threads == {False}


async def test_a_room_can_be_exported_as_one_file_and_imported(
    ana: Visitor, come: Any, settings: Settings, tmp_path: Path
) -> None:
    async with asyncio.timeout(60):
        match_id = await played(ana)
    code = (await ana.http.get(f"/api/matches/{match_id}")).json()["match"]["room"]
    whole = await ana.http.get(f"/r/{code}/export.json")
    assert "attachment" in whole.headers["content-disposition"]
    room = whole.json()
    assert (room["format"], room["settings"]["game"]) == ("climbing-room/1", "president")
    assert [match["record"] for match in room["matches"]] == [
        (await ana.http.get(f"/matches/{match_id}/record.json")).json()
    ]
    names = {person["name"] for person in room["people"]}
    assert "Ana" in names
    assert room["book"]["hands"] == 2
    assert {*room["book"]["tallies"]["president"]} == names
    # The file contains no way into the room and no data that identifies people.
    assert code not in whole.text
    for word in ("token", "person_id", "invite"):
        assert word not in whole.text

    bob = come()
    assert (await bob.http.get(f"/r/{code}/export.json")).status_code == 403
    status, found = await sent(bob, room)
    assert (status, len(found["matches"]), len(found["matches"][0]["hands"])) == (200, 1, 2)
    assert (await sent(bob, room, "/api/imports/hands/1?match=0"))[0] == 200
    assert (await sent(bob, room, "/api/imports/hands/1?match=1"))[0] == 404
    status, kept = await sent(bob, room, "/api/imports/kept")
    assert (status, len(kept["matches"])) == (201, 1)

    file = tmp_path / "room.json"
    done = await asyncio.to_thread(
        CliRunner().invoke, main, ["export", code.lower(), str(file), "--database", settings.database_url]
    )
    assert done.exit_code == 0, done.output
    assert {**json.loads(file.read_text()), "exported": ""} == {**room, "exported": ""}
    lost = await asyncio.to_thread(
        CliRunner().invoke, main, ["export", "NOSUCH", str(file), "--database", settings.database_url]
    )
    assert (lost.exit_code, "There is no room NOSUCH." in lost.output) == (1, True)


def test_an_old_export_without_proofs_can_still_be_imported() -> None:
    """Old exports have a seed instead of cards, and no ranks, proofs or reasons."""
    played = verify_match(
        {"format": "climbing-record/1", "game": "president", "players": ["A", "B", "C"], "hands": [{"seed": 1}]}, GAMES
    )
    [hand] = played.hands
    assert (hand.has_proof, hand.totals, played.refused) == (False, None, None)
    assert sum(len(parse_cards(cards)) for cards in hand.record["cards"].values()) == 52
    again = verify_match(
        {"format": "climbing-record/1", "game": "president", "players": ["A", "B", "C"], "hands": [hand.record]}, GAMES
    )
    assert again.hands[0].record == hand.record


def test_files_that_other_programs_may_read_differently_are_refused() -> None:
    for file, said in ((b"[" * 100_000, "nested"), (b'{"a":1,"a":2}', "twice"), (b'{"a":NaN}', "number")):
        with pytest.raises(HttpError, match=said):
            import_files.read_and_check(file, LIMITS)


def test_a_file_with_millions_of_values_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_files, "_JSON", None)
    for file in (b"[" + b"1.5," * 2_000_000 + b"1]", b"[" + b"[]," * 2_000_000 + b"1]"):
        with pytest.raises(HttpError, match="values"):
            import_files.read_and_check(file, LIMITS)


def test_an_object_with_too_many_keys_is_refused() -> None:
    with pytest.raises(HttpError, match="values"):
        import_files.read_and_check(json.dumps({str(number): 1 for number in range(MOST_KEYS + 1)}).encode(), LIMITS)
