"""`pecking-order check`: whether what is kept is still as it was written, and as it follows."""

import click

from app.commands.shared import errors
from app.store.maintenance.integrity_check import Finding, LookedAt
from app.store.maintenance.integrity_check import check as look_at_all
from app.store.maintenance.open_database import opened


@click.command()
@click.option("--database", help="DATABASE_URL; that of the settings if left out.")
def check(database: str | None) -> None:
    """Look at all that is kept, while the server may be running, and name what is damaged.

    The database's pages; each entry of each room's log, by its checksum, and whether the room follows from them; every
    hand's deal and moves; every row of the history and the books. A line for each finding says where, what is wrong
    and what to do. Nothing is changed. Status 1 if anything was found.
    """
    url = database or errors.settings().database_url
    with errors.database(url), opened(url, "beside"):
        found = look_at_all(url, _tell)
    click.echo(_summary(found), err=True)
    raise SystemExit(1 if found.findings else 0)


def _tell(found: Finding) -> None:
    click.echo(str(found))


def _summary(found: LookedAt) -> str:
    said = [f"{found.rooms} rooms, {found.entries} entries, {found.hands} hands: {found.findings or 'no'} findings."]
    if found.unsigned:
        said.append(f"{found.unsigned} entries have no checksum: an older server has written them.")
    if found.lost:
        said.append(f"{found.lost} entries are not allowed by today’s rules; their hands count for nothing.")
    return " ".join(said)
