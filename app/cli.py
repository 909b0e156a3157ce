"""The command line: `pecking-order`, or `python -m app`.

Each command has its own module, which is imported only when the command is called. So `replay` starts as fast as the
engine, and does not load the web package or a database.
"""

import click

from app.commands.shared.lazy_group import LazyGroup
from app.version import version_with_commit

COMMANDS = {
    "serve": ("app.commands.serve:serve", "Run the server."),
    "status": ("app.commands.operate.status:status", "Show the state of this site."),
    "doctor": ("app.commands.operate.status:doctor", "Check this site, and say what to do about each fault."),
    "replay": ("app.commands.replay:replay", "Replay record files and print the result."),
    "verify": ("app.commands.verify:verify", "Check the deals of an exported match without trusting the server."),
    "export": ("app.commands.operate.export:export", "Write a room with its matches and statistics into one file."),
    "rooms": ("app.commands.operate.rooms:rooms", "Show, list, export or delete rooms."),
    "people": ("app.commands.operate.people:people", "Find a person by name, export or delete their data."),
    "ban": ("app.commands.operate.ban:ban", "Ban networks, list the bans or lift one."),
    "size": ("app.commands.operate.size:size", "Show the size of the database by table and by room."),
    "migrate": ("app.commands.database:migrate", "Migrate the database to this version."),
    "backup": ("app.commands.database:backup", "Write all stored data into one file."),
    "restore": ("app.commands.database:restore", "Fill an empty database from a backup."),
    "copy": ("app.commands.database:copy", "Copy the whole database into an empty one of either kind."),
    "check": ("app.commands.check:check", "Check the database for damage, and the history against the logs."),
    "rebuild": ("app.commands.rebuild:rebuild", "Rebuild history and statistics from the room logs."),
    "recover": ("app.commands.operate.recover:recover", "Print a link for a person who lost their browser."),
    "healthcheck": ("app.commands.healthcheck:healthcheck", "Check whether a running server is healthy."),
    "config": ("app.commands.config:config", "Show the current settings, with secrets masked."),
    "schema": ("app.commands.schema:schema", "Print the protocol as a JSON schema, TypeScript types or tables."),
    "texts": ("app.commands.texts:texts", "Print the English texts; write and check translations."),
    "arena": ("app.commands.arena:arena", "Measure two bots against each other."),
}


def _show_version(context: click.Context, _option: click.Parameter, is_given: bool) -> None:
    """For the option `--version`: if given, print the version with its commit, and exit.

    Only then is git asked.
    """
    if is_given:
        click.echo(f"pecking-order, version {version_with_commit()}")
        context.exit()


@click.group(cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """President and other card games in the browser, on your own server."""
