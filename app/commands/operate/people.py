"""`pecking-order people`: answer a letter about personal data, without becoming that person."""

import asyncio
import json
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from app.commands.shared import errors
from app.commands.shared.options import database_option, json_option, yes_option
from app.rooms.errors import RoomError
from app.rooms.live.registry import Registry, SystemClock
from app.rooms.people.names import look_alike
from app.store.repositories.people import FoundPerson, Person
from app.store.store import open_beside_server
from app.text_limits import MAX_TEXT_LENGTH
from app.web.services.personal_data import delete_person_from_store, export_person_data


@click.group()
def people() -> None:
    """Find a person by name, export or delete their data. The server may be running. `recover` gives a person back."""


@people.command()
@click.argument("name")
@json_option
@database_option
def find(name: str, as_json: bool, database: str | None) -> None:
    """List the people called NAME, or like it, with their ids, rooms and counts of matches.

    The name is the one last used, or one in a match. Several people may have the same name: compare rooms and times
    before you act.
    """
    url = errors.load_settings_or_fail(database_url=database).unpooled_database_url
    with errors.show_database_errors(url):
        found = asyncio.run(_find_by_name(url, name.strip()))
    if as_json:
        click.echo(json.dumps([_to_json(each) for each in found], indent=2, ensure_ascii=False))
        return
    for each in found:
        click.echo(_format_person(each))
    click.echo(f"Found: {len(found)}.", err=True)


@people.command()
@click.argument("person")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), default="-")
@database_option
def export(person: str, file: Path, database: str | None) -> None:
    """Write all data about PERSON, an id of `people find`, into FILE (- for standard output), as JSON.

    It is the file that the person can download.
    """
    url = errors.load_settings_or_fail(database_url=database).unpooled_database_url
    with errors.show_database_errors(url):
        pieces = asyncio.run(_export(url, person))
    with click.open_file(str(file), "w", encoding="utf-8") as out:
        out.writelines(pieces)


@people.command()
@click.argument("person")
@yes_option
@database_option
def forget(person: str, yes: bool, database: str | None) -> None:
    """Delete PERSON, an id of `people find`: their name, devices, house rules, chat and imported matches.

    Their actions stay in the matches under a neutral name, as when the person does it. It can't be undone. Backups
    keep the name until you delete them.
    """
    url = errors.load_settings_or_fail(database_url=database).unpooled_database_url
    with errors.show_database_errors(url):
        known = asyncio.run(_load_person(url, person))
        if not yes:
            click.confirm(f"Delete {known.name or 'this person'}, last seen on {known.seen_at:%Y-%m-%d}?", abort=True)
        try:
            asyncio.run(_forget(url, known.id))
        except RoomError as error:
            raise click.ClickException(f"A room refuses: {error}") from None
    click.echo("Deleted. A running server signs out the person within seconds.")


async def _find_by_name(url: str, name: str) -> Sequence[FoundPerson]:
    if not 0 < len(name) <= MAX_TEXT_LENGTH:
        raise click.ClickException("This name is too long or empty.")
    async with open_beside_server(url) as store:
        return await store.people.find_by_name(lambda other: look_alike(name, other))


async def _load_person(url: str, person: str) -> Person:
    async with open_beside_server(url) as store:
        found = await store.people.find_by_id(person)
    if found is None:
        raise click.ClickException(f"There is no person with the id {person}. `pecking-order people find` tells ids.")
    return found


async def _export(url: str, person: str) -> list[str]:
    known = await _load_person(url, person)
    async with open_beside_server(url) as store:
        return [piece async for piece in export_person_data(store, known)]


async def _forget(url: str, person: str) -> None:
    async with open_beside_server(url) as store:
        registry = Registry(store.log, store.bus, SystemClock(), secrets.token_bytes)
        try:
            await delete_person_from_store(store, registry, person)
        finally:
            await registry.close()
        await store.operations.record("people forget", person, datetime.now(UTC))


def _to_json(found: FoundPerson) -> dict[str, object]:
    person = found.person
    return {
        "id": person.id,
        "name": person.name,
        "found_names": list(found.names),
        "known_since": person.created_at.isoformat(timespec="seconds"),
        "last_seen": person.seen_at.isoformat(timespec="seconds"),
        "rooms": list(found.rooms),
        "matches": found.matches,
        "imported_matches": found.imported_matches,
        "devices": found.devices,
    }


def _format_person(found: FoundPerson) -> str:
    person = found.person
    return (
        f"{person.id}  {', '.join(found.names)}: since {person.created_at:%Y-%m-%d}, seen {person.seen_at:%Y-%m-%d}, "
        f"{found.matches} matches, {found.imported_matches} imported, {found.devices} devices, "
        f"rooms: {', '.join(found.rooms) or 'none'}"
    )
