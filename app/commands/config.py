"""`pecking-order config`: what is in force."""

import json

import click

from app.commands import trouble


@click.command()
def config() -> None:
    """Show the settings in force as JSON, with secrets masked."""
    settings = trouble.settings()
    with trouble.database(settings.database_url):
        click.echo(json.dumps(settings.masked(), indent=2))
