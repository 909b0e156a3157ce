"""`pecking-order config`: what is in force."""

import json

import click

from app.commands.shared import errors


@click.command()
def config() -> None:
    """Show the settings in force as JSON, with secrets masked."""
    settings = errors.settings()
    with errors.database(settings.database_url):
        click.echo(json.dumps(settings.masked(), indent=2))
