"""`pecking-order check`: check whether stored data is undamaged and consistent with the logs."""

import click

from app.commands.shared import errors
from app.store.maintenance.integrity_check import CheckCounts, Finding, check_database as look_at_all
from app.store.maintenance.open_database import open_for_command


@click.command()
@click.option("--database", help="DATABASE_URL. Default: the one in the settings.")
def check(database: str | None) -> None:
    """Check all stored data, also while the server is running, and print what is damaged.

    The command checks the database's pages, each entry of each room's log by its checksum, and whether the room follows
    from its log. It also checks every hand's deal and moves, and every row of the history and the statistics. A line
    for each finding says where it is, what is wrong and what to do. Nothing is changed. Status 1 if anything was found.
    """
    url = database or errors.load_settings_or_fail().unpooled_database_url
    with errors.show_database_errors(url), open_for_command(url, "beside"):
        found = look_at_all(url, _print_finding)
    click.echo(_format_summary(found), err=True)
    raise SystemExit(1 if found.findings else 0)


def _print_finding(found: Finding) -> None:
    click.echo(str(found))


def _format_summary(found: CheckCounts) -> str:
    said = [f"{found.rooms} rooms, {found.entries} entries, {found.hands} hands: {found.findings or 'no'} findings."]
    if found.without_checksum:
        said.append(f"{found.without_checksum} entries have no checksum, because an older version wrote them.")
    if found.refused_entries:
        said.append(f"{found.refused_entries} entries break today’s rules; their hands are left out of statistics.")
    return " ".join(said)
