"""`pecking-order rebuild`: what follows from the logs of all rooms, made again and compared."""

import click

from app.commands.shared import errors
from app.store.maintenance.open_database import opened
from app.store.maintenance.rebuild import Difference, Rebuilt
from app.store.maintenance.rebuild import rebuild as made_again

NAMED = 50
"""Differences that are named one by one."""


@click.command()
@click.option("--database", help="DATABASE_URL; that of the settings if left out.")
@click.option("--check", is_flag=True, help="Change nothing: only say what differs.")
def rebuild(database: str | None, check: bool) -> None:
    """Make the history and the book again from the logs of all rooms, while no server runs.

    Rows that differ from what the logs say are named, and mended. Status 1 if something differs and was only looked
    at, or if a room can't be told again.
    """
    url = database or errors.settings().database_url
    named = 0

    def tell(found: Difference) -> None:
        nonlocal named
        named += 1
        if named <= NAMED:
            click.echo(str(found))

    with errors.database(url), opened(url, "alone"):
        made = made_again(url, check=check, tell=tell)
    if named > NAMED:
        click.echo(f"… and {named - NAMED} more.")
    for room, why in made.unreadable.items():
        click.echo(f"Room {room} can’t be told again: {why}. What was kept of it stays.")
    click.echo(_summary(made, check))
    raise SystemExit(1 if made.unreadable or (check and made.differences) else 0)


def _summary(made: Rebuilt, check: bool) -> str:
    looked_at = f"{made.rooms} rooms, {made.hands} hands"
    if not made.differences:
        return f"{looked_at}: no difference."
    return f"{looked_at}: {made.differences} rows differ{'' if check else ', and are mended'}."
