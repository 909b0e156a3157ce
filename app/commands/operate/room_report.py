"""`pecking-order rooms show` and `rooms log`: one room for the operator, without what could help somebody to cheat.

Without `--hidden`, everything comes from what all people of the room may see: the public view of the room, and the
public events of its log entries with a list of harmless fields. Nothing is made by removing secrets.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import click

from app.commands.operate.facts import read_beside_server
from app.commands.shared import errors
from app.commands.shared.options import database_option, json_option, yes_option
from app.engine.display.events import GameEvent
from app.rooms import events as log_events
from app.rooms.log import snapshots
from app.rooms.log.reducer import apply_and_decode_event
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.ports.storage import LogConflict, NewEvent, StoredEvent
from app.rooms.views import room_view
from app.store.db.engines import describe_location
from app.store.maintenance.figures import NodeRow, format_bytes, read_figures, read_room_sizes
from app.store.repositories.operations import OperatorCommand
from app.store.store import Store, open_beside_server
from app.web.i18n.catalogues import Catalogues, Texts
from app.web.i18n.event_text import event_sentence
from app.web.live_figures import NodeFigures, ask_nodes

LAST_ENTRIES: Final = 20
MOST_TRIES: Final = 50
"""Tries to append an entry to the log of a room in which others act."""
HARMLESS_FIELDS: Final = frozenset(
    (
        *("name", "by", "bot", "role", "node", "going", "ready", "program", "present"),
        *("moves", "ms", "subject", "lent", "giver", "why", "auto"),
    )
)
"""Fields of log entries that are shown: names of members, and what the room shows to everybody."""

_hidden = click.option(
    "--hidden", is_flag=True, help="Also show cards, secrets and links. The people of the room are told."
)


@click.command()
@click.argument("room")
@_hidden
@yes_option
@json_option
@database_option
def show(room: str, hidden: bool, yes: bool, as_json: bool, database: str | None) -> None:
    """Show ROOM, by its code or id: whose turn it is, who is connected and where, the last entries, and its size.

    With --hidden the command asks first, and the people of the room see in the menu that you looked.
    """
    settings = errors.load_settings_or_fail(database_url=database)
    with errors.show_database_errors(settings.unpooled_database_url):
        report = asyncio.run(_report_room(settings.unpooled_database_url, room, hidden=hidden, yes=yes))
    click.echo(json.dumps(report, indent=2, ensure_ascii=False) if as_json else _format_report(report))


@click.command()
@click.argument("room")
@click.option("--at", type=click.IntRange(1), metavar="N", help="Show the room after entry N in place of its log.")
@_hidden
@yes_option
@database_option
def log(room: str, at: int | None, hidden: bool, yes: bool, database: str | None) -> None:
    """Print the log of ROOM, by its code or id: one JSON object for each entry.

    With --at, print the room after entry N as everybody sees it. With --hidden, also print what each seat sees, and the
    deal. Then the command asks first, and the people of the room see in the menu that you looked.
    """
    settings = errors.load_settings_or_fail(database_url=database)
    with errors.show_database_errors(settings.unpooled_database_url):
        asyncio.run(_print_log(settings.unpooled_database_url, room, at, hidden=hidden, yes=yes))


async def _print_log(url: str, text: str, at: int | None, *, hidden: bool, yes: bool) -> None:
    async with open_beside_server(url) as store:
        room_id = await _find_room(store, text)
        if hidden:
            await _tell_players(store, room_id, "rooms log --hidden", yes=yes)
        entries = await store.log.read(room_id, 0)
        if at is not None and at > len(entries):
            raise click.ClickException(f"Room {text} has {len(entries)} entries.")
        room = Room()
        for entry in entries[:at]:
            room, _, events = apply_and_decode_event(room, entry)
            if at is None:
                shown = entry.data if hidden else _harmless_fields(entry)
                line = {"seq": entry.seq, "at": _iso(entry.at), "kind": entry.kind, **shown}
                click.echo(json.dumps(line if hidden else {**line, "events": _public(events)}, ensure_ascii=False))
    if at is not None:
        click.echo(json.dumps(_view_room(room, hidden=hidden), indent=2, ensure_ascii=False))


def _view_room(room: Room, *, hidden: bool) -> dict[str, Any]:
    """Return a room as everybody sees it, without its link.

    With `hidden`, also what each seat sees, the deal and its secrets.
    """
    public = {key: value for key, value in room_view.build_room(room).items() if key != "invite"}
    view: dict[str, Any] = {"seq": room.seq, "room": public, "table": room_view.build_table(room)}
    if hidden:
        seats = () if room.match is None else room.match.seats
        view["seats"] = {name: room_view.build_seat(room, name) for name in seats if name in room.members}
        view["hand"] = None if room.run is None else snapshots.hand_to_json(room.run.hand)
        view["secret"], view["seeds"] = room.chance.secret.hex(), dict(room.chance.seeds)
    return view


async def _find_room(store: Store, text: str) -> str:
    found = await store.room_cleanup.find_room_id(text.strip())
    if found is None:
        raise click.ClickException(f"There is no room {text.strip()}. `pecking-order rooms list` lists all rooms.")
    return found


async def _tell_players(store: Store, room: str, command: OperatorCommand, *, yes: bool) -> None:
    """Ask the operator, then append an entry to the log of the room that tells its people of the look."""
    if not yes:
        click.confirm("Show cards and secrets of this room? Its people are told", abort=True)
    kind, data = log_events.encode(log_events.HiddenDataShown())
    at = datetime.now(UTC)
    last = (await store.log.read_last_seqs([room]))[room]
    for _ in range(MOST_TRIES):
        try:
            seq = await store.log.append(room, last, [NewEvent(kind, data, at)])
        except LogConflict as conflict:
            last = conflict.found
        else:
            store.bus.publish(room, seq)
            await store.operations.record(command, room, at)
            return
    raise click.ClickException("The people of the room act too fast to tell them. Try again.")


async def _report_room(url: str, text: str, *, hidden: bool, yes: bool) -> dict[str, Any]:
    nodes = await asyncio.to_thread(ask_nodes, describe_location(url))
    async with open_beside_server(url) as store:
        room_id = await _find_room(store, text)
        if hidden:
            await _tell_players(store, room_id, "rooms show --hidden", yes=yes)
        loaded = await store.log.load(room_id)
        if loaded is None:
            raise click.ClickException(f"There is no room {text}.")
        room, entries = (Room(), loaded.entries)
        if loaded.snapshot is not None and len(entries) >= LAST_ENTRIES:
            room = snapshots.room_from_json(loaded.snapshot[1], loaded.snapshot[0])
        elif loaded.snapshot is not None:
            entries = await store.log.read(room_id, 0)
    texts = Catalogues().english
    lines = list[dict[str, Any]]()
    for entry in entries:
        room, _, events = apply_and_decode_event(room, entry)
        lines.append({"seq": entry.seq, "at": _iso(entry.at), "text": _describe_entry(entry, events, texts)})
    figures = read_beside_server(url, read_figures)
    sizes = read_beside_server(url, lambda connection: read_room_sizes(connection, [room_id]))
    report = {
        "code": room.code,
        "id": room.id,
        "game": room.settings.game.key,
        "phase": room.phase,
        "entries": room.seq,
        "bytes": sizes.get(room_id, 0),
        "operator_looks": room.operator_looks,
        "loaded": {
            node.name: {"connections": each.connections, "unanswered": each.unanswered}
            for node in nodes
            for each in node.rooms
            if each.id == room_id
        },
        "awaited": _awaited(room),
        "people": [_describe_member(each, room_id, nodes, figures.nodes) for each in room.members.values()],
        "last_entries": lines[-LAST_ENTRIES:],
    }
    return {**report, "hidden": {"invite": room.invite, **_view_room(room, hidden=True)}} if hidden else report


def _awaited(room: Room) -> list[dict[str, Any]]:
    """Return who is to act, since when and until when; times are null if they are not limited or not known."""
    table, clocks = room_view.build_table(room), room_view.build_clocks(room)
    names: Sequence[str] = () if table is None else table["to_act"]
    return [
        {"name": name, "since": _time(clocks["waiting_since"], name), "until": _time(clocks["deadlines"], name)}
        for name in names
    ]


def _time(times: Mapping[str, int], name: str) -> str | None:
    return _iso(datetime.fromtimestamp(times[name] / 1000, UTC)) if name in times else None


def _describe_member(
    member: Member, room: str, nodes: Sequence[NodeFigures], node_rows: Sequence[NodeRow]
) -> dict[str, Any]:
    """Return a member with the nodes at which they are connected.

    Servers on this machine tell it themselves. For others, the log of the room tells it, if they have a heartbeat.
    """
    here = [node.name for node in nodes for each in node.rooms if each.id == room and member.person in each.people]
    answered = {node.node for node in nodes}
    others = (row for row in node_rows if row.id in member.nodes and row.id not in answered)
    elsewhere = [f"node {row.id}, {row.address}" for row in others]
    return {
        "name": member.name,
        "person": member.person,
        "role": member.role,
        "bot": member.bot,
        "stand_in": member.stand_in,
        "connected_at": here + elsewhere,
        "away_since": None
        if member.bot or here or elsewhere or not member.away_since
        else _iso(datetime.fromtimestamp(member.away_since / 1000, UTC)),
    }


def _describe_entry(entry: StoredEvent, events: Sequence[GameEvent], texts: Texts) -> str:
    """Return an entry in words that everybody in the room may read; its kind if it has no words."""
    sentences = [event_sentence(event, texts) for event in _public(events)]
    words = " ".join(filter(None, sentences)).replace("\u2068", "").replace("\u2069", "")
    return words or " ".join([entry.kind, *map(str, _harmless_fields(entry).values())])


def _public(events: Sequence[GameEvent]) -> list[dict[str, Any]]:
    return [event.to_json() for event in events if event.to is None]


def _harmless_fields(entry: StoredEvent) -> dict[str, Any]:
    return {key: value for key, value in entry.data.items() if key in HARMLESS_FIELDS and isinstance(value, str | int)}


def _format_report(report: Mapping[str, Any]) -> str:
    lines = [
        f"room {report['code']} ({report['id']}): {report['game']}, {report['phase']}",
        f"{report['entries']} entries, {format_bytes(report['bytes'])}",
    ]
    loaded = [f"{name}: {each['connections']} connections" for name, each in report["loaded"].items()]
    lines.append(f"loaded: {'; '.join(loaded) or 'nowhere on this machine'}")
    for each in report["awaited"]:
        since = f", since {each['since']}" if each["since"] else ""
        until = f", until {each['until']}" if each["until"] else ""
        lines.append(f"to act: {each['name']}{since}{until}")
    lines += [f"  {_format_member(each)}" for each in report["people"]]
    lines += [f"{each['seq']:6} {each['at']}  {each['text']}" for each in report["last_entries"]]
    if "hidden" in report:
        lines.append(json.dumps(report["hidden"], indent=2, ensure_ascii=False))
    return "\n".join(lines)


def _format_member(member: Mapping[str, Any]) -> str:
    where = "; ".join(member["connected_at"])
    state = f"bot, {member['bot']}" if member["bot"] else f"connected ({where})" if where else "not connected"
    away = f", since {member['away_since']}" if member["away_since"] else ""
    stand_in = f"; a bot ({member['stand_in']}) stands in" if member["stand_in"] else ""
    return f"{member['name']}: {member['role']}, {state}{away}{stand_in}"


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
