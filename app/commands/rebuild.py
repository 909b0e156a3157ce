"""`pecking-order rebuild`: rebuild history and statistics from the logs of all or some rooms, or compare them."""

from collections.abc import Sequence

import click

from app.commands.shared import errors
from app.store.maintenance.open_database import open_for_command
from app.store.maintenance.rebuild import Difference, RebuildResult, rebuild as made_again, rebuild_room

MAX_NAMED = 50
"""Number of differences printed one by one."""


@click.command()
@click.argument("rooms", metavar="[ROOM]...", nargs=-1)
@click.option("--database", help="DATABASE_URL. Default: the one in the settings.")
@click.option("--check", is_flag=True, help="Only print differences; change nothing.")
def rebuild(rooms: Sequence[str], database: str | None, check: bool) -> None:
    """Write the history and the statistics again from the logs of all rooms, while no server runs.

    With the code or id of each ROOM, only these rooms are written again, and a server may run. Ratings then stay.

    Rows that differ from the logs are printed and corrected. Status 1 if rows differ and were only checked, or if a
    room can't be read.
    """
    url = database or errors.load_settings_or_fail().unpooled_database_url
    named = 0

    def tell(found: Difference) -> None:
        nonlocal named
        named += 1
        if named <= MAX_NAMED:
            click.echo(str(found))

    with errors.show_database_errors(url), open_for_command(url, "beside" if rooms else "alone"):
        if rooms:
            result = RebuildResult()
            for room in rooms:
                result.add(rebuild_room(url, room.strip(), check=check, on_difference=tell))
        else:
            result = made_again(url, check=check, on_difference=tell)
    if named > MAX_NAMED:
        click.echo(f"… and {named - MAX_NAMED} more.")
    for room, why in result.unreadable_rooms.items():
        click.echo(f"Room {room} can’t be rebuilt: {why}. Its old history and statistics stay.")
    click.echo(_format_summary(result, check))
    raise SystemExit(1 if result.unreadable_rooms or (check and result.differences) else 0)


def _format_summary(result: RebuildResult, check: bool) -> str:
    looked_at = f"{result.rooms} rooms, {result.hands} hands"
    if not result.differences:
        return f"{looked_at}: no difference."
    return f"{looked_at}: {result.differences} rows {'differ' if check else 'corrected'}."
