"""`pecking-order size`: what takes space in the database."""

import json

import click

from app.commands.operate.facts import read_beside_server
from app.commands.shared import errors
from app.commands.shared.options import database_option, json_option
from app.store.maintenance.figures import format_bytes, read_figures, read_room_sizes, read_table_sizes
from app.store.maintenance.open_database import open_for_command


@click.command()
@click.option("--rooms", type=click.IntRange(1), metavar="N", help="Also show the N largest rooms, by their data.")
@json_option
@database_option
def size(rooms: int | None, as_json: bool, database: str | None) -> None:
    """Show the bytes of each table with its indexes, the largest first, also while the server is running.

    The size of a room is the sum of the lengths of its values, without indexes: all rows are read.
    """
    url = errors.load_settings_or_fail(database_url=database).unpooled_database_url
    with errors.show_database_errors(url), open_for_command(url, "beside"):
        total = read_beside_server(url, read_figures).bytes
        tables = read_beside_server(url, read_table_sizes)
        largest = dict(list(read_beside_server(url, read_room_sizes).items())[:rooms]) if rooms else None
    if as_json:
        click.echo(json.dumps({"database": total, "tables": tables, "rooms": largest}, indent=2))
        return
    click.echo(f"{format_bytes(total):>10}  in all")
    if tables is None:
        click.echo("This SQLite can’t tell the sizes of tables.", err=True)
    for name, amount in [*(tables or {}).items(), *((f"room {room}", each) for room, each in (largest or {}).items())]:
        click.echo(f"{format_bytes(amount):>10}  {name}")
