"""Test that a deleted person's name is gone from every text that others wrote, and from every file and page.

The texts are found in the declarations: in all socket messages, all actions of games, and all bodies of the HTTP API. A
new text must appear in one of the lists below, or a test fails.
"""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec.inspect as of_msgspec
import pytest
from fastapi.routing import APIRoute

from app.engine.cards.action_codec import ACTION_SPECS
from app.main import ROUTERS
from app.settings import Limits, Settings
from app.store.maintenance.backup import dump_tables
from app.store.maintenance.backup_file import copy_sqlite_file
from app.web.protocol.client_messages import MESSAGES
from app.web.services import personal_data
from tests.web.conftest import Live, serving
from tests.web.reference.test_openapi import MANY
from tests.web.visitors import Desk, Visitor, visiting

NAME: Final = "Qwertzuio"
PAGES: Final = Path(__file__).parents[3] / "static"

TEXTS: Final = {
    "configure.stake.unit": f"{NAME} sips",
    "act.action.decree.text": f"{NAME} shall sing",
    "send_chat.text": f"Is {NAME} there?",
    "ready.id": f"of-{NAME}-7",
    "join.name": f"{NAME} Fan",
    "add_bot.name": f"{NAME} Bot",
}
"""All texts in messages and actions that the server accepts, by message and field, each with a text for it."""
REFUSED: Final = {
    *("act.action.play.cards", "act.action.play.as", "act.action.play.call", "act.action.give.cards"),
    *("act.action.give.to", "act.action.discard.cards", "act.action.bomb.ranks", "act.action.say.have"),
    *("act.action.say.want", "act.action.offer.cards", "act.action.offer.claim", "act.action.cut.at"),
    *("act.action.deal.first", "act.action.decree.to"),
    *("add_bot.kind", "configure.game", "configure.options", "preview_cards.cards", "set_bot.kind", "vote.vote_id"),
    *("start.commitment", "deal_next.commitment", "propose.commitment", "seed_hash.commitment"),
    *(f"{kind}.name" for kind in ("answer_seat_offer", "offer_seat")),
    *(f"{kind}.name" for kind in ("answer_seat_request", "ask_for_seat", "count_separately", "let_bot_play")),
    *(f"{kind}.name" for kind in ("remove", "remove_bot", "remove_spectator", "reseat", "set_bot")),
    *(f"{kind}.name" for kind in ("take_bot_seat", "transfer_host")),
    *("join.bird", "join.colour"),
}
"""Fields for texts that must be known already, such as the name of a member or a card. Other texts are refused."""
HTTP_TEXTS: Final = {
    "POST /api/rooms .stake": "sent below",
    "POST /api/me/rules .name": "sent below",
    **dict.fromkeys(
        ("POST /api/rooms .name", "POST /api/people .name", "PUT /api/me .name"), "the sender's own name, see STAYS"
    ),
    "POST /api/matches/{match_id}/again .name": "the sender's own name, see STAYS",
    "PUT /api/me/rules/{rules} .name": "as with POST",
    **dict.fromkeys(("POST /api/imports ", "POST /api/imports/kept "), "a file, see STAYS"),
    "POST /api/imports/hands/{number} ": "a file, see STAYS",
    **dict.fromkeys(("POST /api/options .game", "POST /api/options .options"), "not stored"),
    **{f"POST /api/rooms .{field}": "refused unless known" for field in ("game", "options", "clock", "bots")},
    **dict.fromkeys(("PUT /api/me .bird", "PUT /api/me .colour"), "refused unless known"),
    **dict.fromkeys(("POST /api/me/rules .game", "POST /api/me/rules .options"), "refused unless known"),
    "POST /api/rooms/{code}/links .name": "the name of a seat",
    "POST /api/matches/{match_id}/hands/{number}/variations .seat": "the name of a seat",
    "POST /api/matches/{match_id}/together .seat": "the name of a seat",
    "PUT /api/matches/{match_id}/together/{token} .seat": "the name of a seat",
    **{f"PUT /api/me/push .{field}": "address and keys of a browser" for field in ("endpoint", "p256dh", "auth")},
}
"""All texts in bodies of the HTTP API, each with the reason why no text of others stays there, or the place to see."""
STAYS: Final = {
    f"{NAME} Fan": "account.forget.others",
    f"{NAME} Bot": "account.forget.others",
    f"Like {NAME}": "account.forget.others",
    "record.json": "account.forget.backups",
}
"""What a deletion leaves, each with the key of the sentence that tells the person before it."""

READ_PAGES: Final = {
    "code": "", "match_id": "", "number": "1", "kind": "records", "lesson": "first", "game": "president", "name": "api",
}  # fmt: skip


def texts_of(kind: of_msgspec.Type, path: str) -> Iterator[str]:
    """Yield the fields of a type that take any text, and any JSON."""
    match kind:
        case of_msgspec.Metadata(inner):
            yield from texts_of(inner, path)
        case of_msgspec.StructType(fields=fields) | of_msgspec.DataclassType(fields=fields):
            for field in fields:
                if field.encode_name not in ("by", "id"):
                    yield from texts_of(field.type, f"{path}.{field.encode_name}")
        case of_msgspec.UnionType(types):
            for one in types:
                yield from texts_of(one, path)
        case of_msgspec.StrType(pattern=None) | of_msgspec.AnyType() | of_msgspec.DictType():
            yield path
        case of_msgspec.ListType(item) | of_msgspec.VarTupleType(item):
            yield from texts_of(item, path)


def message_texts() -> set[str]:
    """Return all fields of messages and actions that take any text, and the id that a client chooses."""
    fields = {field for tag, of in MESSAGES.items() for field in texts_of(of_msgspec.type_info(of), tag)}
    actions = {f"act.action.{do}.{field}" for do, form in ACTION_SPECS.items() for field in form.fields}
    return fields - {"act.action"} | actions | {"ready.id"}


def http_texts(live: Live) -> set[str]:
    """Return all fields of bodies of the HTTP API that take any text."""
    described = live.app.web.openapi()

    def inside(schema: dict[str, Any], path: str) -> Iterator[str]:
        if "$ref" in schema:
            schema = described["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
            yield from inside(one, path)
        if schema.get("type") == "array":
            yield from inside(schema["items"], path)
        if schema.get("type") == "object" and schema.get("properties"):
            for name, one in schema["properties"].items():
                yield from inside(one, f"{path}.{name}")
        elif schema.get("type") in ("string", "object") and not {"enum", "const", "pattern", "format"} & schema.keys():
            yield path

    return {
        field
        for path, methods in described["paths"].items()
        for method, about in methods.items()
        for body in about.get("requestBody", {}).get("content", {}).values()
        for field in inside(body["schema"], f"{method.upper()} {path} ")
    }


def message(field: str, text: str, own_name: str) -> dict[str, Any]:
    """Return a message with this text in this field, and examples in the fields that it needs besides."""
    tag, *path = field.split(".")
    examples = {
        "name": own_name, "kind": "easy", "hash": "0" * 64, "subject": "pause", "amount": 1, "cards": "7c",
        "yes": False, "visible": True, "reaction": "clap", "locked": False,
    }  # fmt: skip
    needed = of_msgspec.type_info(MESSAGES[tag])
    assert isinstance(needed, of_msgspec.StructType)
    fields = {
        each.encode_name: examples[each.encode_name]
        for each in needed.fields
        if each.required and each.encode_name in examples
    }
    match path:
        case ["action", do, name]:
            return {"t": tag, **fields, "action": {"do": do, name: text}}
        case ["options"]:
            return {"t": tag, **fields, "options": {text: text}}
        case [outer, name]:
            return {"t": tag, **fields, outer: {"amount": 1, name: text}}
        case ["id"]:
            return {"t": tag, **fields, "message_id": text}
        case [name]:
            return {"t": tag, **fields, name: text}
    raise AssertionError(field)


async def send_all(desks: dict[str, Desk], accepted: set[str]) -> None:
    """Let everybody send each text that was not accepted so far, and add those that are."""
    await all_see_the_same(desks.values())
    for field in sorted(message_texts() - accepted):
        for own_name, desk in desks.items():
            answer = await desk.ask(**message(field, TEXTS.get(field, f"O {NAME}"), own_name))
            assert answer.get("code") not in ("too_fast", "bad_message"), (field, answer)
            if answer["ok"]:
                accepted.add(field)
                break


async def all_see_the_same(desks: Iterable[Desk]) -> int:
    """Wait until all have the newest view, and return its number."""
    seq = max(int(desk.update["seq"]) for desk in desks)
    for desk in desks:
        await desk.until(lambda update: update["seq"] >= seq)
    return seq


async def play(desks: list[Desk]) -> None:
    """Play until the hand is over."""
    while True:
        seq = await all_see_the_same(desks)
        if desks[0].update["room"]["phase"] != "playing":
            return
        turn = next((desk for desk in desks if desk.update["you"].get("legal")), None)
        if turn is None:  # a bot plays
            await desks[0].until(lambda update, seq=seq: update["seq"] > seq)
        else:
            answer = await turn.do("act", action=turn.update["you"]["legal"][0])
            await desks[0].until(lambda update, seq=answer["seq"]: update["seq"] >= seq)


def without_exceptions(text: str) -> str:
    """Return a text in lower case without the names in it that stay."""
    return re.sub("|".join(stored_forms()).lower(), "", text.lower().replace("%20", " ").replace("+", " "))


def stored_forms() -> Iterator[str]:
    """Yield patterns of the names that stay: whole, or cut where a page of SQLite ends.

    The number of the next page follows the first part, and another one is before the second.
    """
    for name in STAYS:
        yield re.escape(name)
        for at in range(1, len(name)):
            if NAME in name[:at]:
                yield rf"{re.escape(name[:at])}\0"
            if NAME in name[at:]:
                yield rf"\0\0[\s\S]{{2}}{re.escape(name[at:])}"


async def pages(visitor: Visitor, code: str, match_id: str) -> dict[str, str]:
    """Return all pages and JSON files about a room and a match, by address."""
    values = {**READ_PAGES, "code": code, "match_id": match_id}
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    found = dict[str, str]()
    for route in routes:
        if "GET" not in (route.methods or ()) or not set(re.findall(r"{(\w+)}", route.path)) <= values.keys():
            continue
        path = route.path.format(**values)
        for accept in ("text/html", "application/json"):
            answer = await visitor.http.get(path, headers={"Accept": accept})
            found[f"{path} {accept}"] = answer.text
    return found


def files_below(folder: Path) -> dict[str, str]:
    """Return the bytes of all files as text."""
    return {path.name: path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file()}


def tables_of(path: Path) -> dict[str, str]:
    """Return all rows of a database by table."""
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
        return {name: str(db.execute(f'SELECT * FROM "{name}"').fetchall()) for name in names}


async def test_names_are_gone_from_the_log_of_sqlite_as_soon_as_no_reader_needs_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_data, "EMPTY_LOG_AGAIN", 0.01)
    database = tmp_path / "rooms.sqlite3"
    log = database.with_name(f"{database.name}-wal")
    async with serving(settings) as live, visiting(live.base) as come:
        person = come()
        await person.sit((await person.open(NAME))["code"])
        with closing(sqlite3.connect(database, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            assert NAME in str(reader.execute("SELECT data FROM room_events").fetchall())
            assert (await person.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
            assert NAME.encode() in log.read_bytes()
        async with asyncio.timeout(20):
            while NAME.encode() in log.read_bytes():
                await asyncio.sleep(0.01)
        assert NAME.encode() not in database.read_bytes()


async def test_a_deleted_name_is_in_no_text_file_page_picture_or_backup(settings: Settings, tmp_path: Path) -> None:
    fast = ("messages_per_second", "messages_at_once", "seat_requests_per_hour")
    many = settings.model_copy(update={"limits": Limits(**{**MANY, **dict.fromkeys(fast, 10**4)})})
    database = tmp_path / "rooms.sqlite3"
    accepted = set[str]()
    async with serving(many) as live, visiting(live.base) as come:
        assert http_texts(live) == HTTP_TEXTS.keys()
        bob, eve, person = come(), come(), come()
        stake = {"amount": 1, "unit": f"{NAME} coins"}
        code = (await bob.open("Bob", game="ceausescu", bots_delay=0, stake=stake))["code"]
        kept = {"game": "ceausescu", "name": f"Like {NAME}", "options": {}}
        assert (await bob.http.post("/api/me/rules", json=kept)).status_code in (200, 201)
        host, theirs = await bob.sit(code), await person.sit(code, NAME)
        fan = await eve.sit(code)
        answer = await fan.ask(**message("join.name", TEXTS["join.name"], ""))
        assert answer["ok"], answer
        accepted.add("join.name")
        writers, all_desks = {"Bob": host, f"{NAME} Fan": fan}, [host, theirs, fan]
        await send_all(writers, accepted)
        await theirs.do("send_chat", text=f"I am {NAME}")
        await host.do("remove_bot", name=TEXTS["add_bot.name"])
        await host.do("start")
        await host.until(lambda update: update["room"]["phase"] == "playing")
        match_id = host.update["room"]["match_id"]
        await send_all(writers, accepted)
        await host.do("send_chat", text=TEXTS["send_chat.text"])
        await play(all_desks)
        await send_all({**writers, NAME: theirs}, accepted)  # one of them is King, who may give decrees
        await host.do("deal_next")
        await host.until(lambda update: update["room"]["phase"] == "playing")
        await play(all_desks)
        assert accepted == TEXTS.keys()
        assert message_texts() - accepted == REFUSED

        before = await pages(bob, code, match_id)
        assert all(NAME in before[f"/me/{file} text/html"] for file in ("matches.json", "hands.csv"))
        stored = tables_of(database)
        for table, field in (
            *(("room_events", field) for field in TEXTS if field != "send_chat.text"),
            ("chat_messages", "send_chat.text"),
            ("hands", "act.action.decree.text"),
        ):
            assert TEXTS[field] in stored[table], (table, field)
        picture = f"/matches/{match_id}/picture.png"
        drawn = (await bob.http.get(picture)).content
        record = (await bob.http.get(f"/matches/{match_id}/record.json")).text
        assert (await person.http.post("/api/me/forget", json={"confirm": True})).status_code == 204

        for desk in (host, fan):
            await desk.until(lambda update: NAME not in without_exceptions(json.dumps(update["room"])))
            await desk.until_said(lambda lines: lines and NAME.lower() not in without_exceptions(json.dumps(lines)))
        later = await pages(bob, code, match_id)
        assert later.keys() == before.keys()
        assert (await bob.http.get(picture)).content != drawn
        copy_sqlite_file(many.database_url, tmp_path / "copy.sqlite3")
        dump_tables(many.database_url, tmp_path / "dump.jsonl")
        found = {**tables_of(database), **files_below(tmp_path), **later, "view": json.dumps([host.update, fan.update])}
        assert {"room_events", "rooms.sqlite3", "copy.sqlite3", "dump.jsonl", f"/r/{code} text/html"} <= found.keys()
        near = re.compile(f".{{0,40}}{NAME}.{{0,40}}", re.IGNORECASE)
        assert {where: told for where, text in found.items() if (told := near.findall(without_exceptions(text)))} == {}

        # Somebody imports the file that they downloaded before.
        headers = {"Content-Type": "application/json"}
        imported = await eve.http.post("/api/imports/kept", content=record, headers=headers)
        assert NAME in (await bob.http.get(f"/matches/{imported.json()['matches'][0]}")).text


def test_the_page_says_before_a_deletion_what_stays() -> None:
    texts = json.loads((PAGES / "messages" / "en.json").read_text(encoding="utf-8"))
    page = (PAGES / "js" / "pages" / "account.js").read_text(encoding="utf-8")
    for key in STAYS.values():
        assert key in texts
        assert f't("{key}")' in page
