"""The command line: `pecking-order`, or `python -m app`.

Each command has its own module, which is imported only when the command is called. So `replay` starts as fast as the
engine, and does not load the web package or a database.
"""

import click

from app.commands.shared.lazy_group import LazyGroup
from app.version import version_with_commit

COMMANDS = {
    "serve": ("app.commands.serve:serve", "Run the server."),
    "replay": ("app.commands.replay:replay", "Play record files and say what came of them."),
    "verify": ("app.commands.verify:verify", "Check the deals of an exported match without trusting the server."),
    "export": ("app.commands.export:export", "Write a whole room, with its matches and its book, into one file."),
    "rooms": ("app.commands.rooms:rooms", "List the rooms, write one into a file, or delete one."),
    "migrate": ("app.commands.database:migrate", "Bring the database up to date."),
    "backup": ("app.commands.database:backup", "Write everything that is kept into one file."),
    "restore": ("app.commands.database:restore", "Fill an empty database from a backup."),
    "check": ("app.commands.check:check", "Look for what the disk has spoilt, and whether all follows from the logs."),
    "rebuild": ("app.commands.rebuild:rebuild", "Make the history and the book again from the logs."),
    "recover": ("app.commands.recover:recover", "Print a link for somebody who lost their browser."),
    "healthcheck": ("app.commands.healthcheck:healthcheck", "Ask a running server whether it is well."),
    "config": ("app.commands.config:config", "Show the settings in force, with secrets masked."),
    "schema": ("app.commands.schema:schema", "Print the protocol as JSON schema, as JavaScript types or in words."),
    "texts": ("app.commands.texts:texts", "Print every English text, for who translates."),
    "arena": ("app.commands.arena:arena", "Measure two bots against each other."),
}


def _show_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    """For the option `--version`: if given, print the version with its commit, and exit.

    Only then is git asked.
    """
    if asked:
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
    """Climbing card games in the browser, where the ranks of one hand rule the next."""
