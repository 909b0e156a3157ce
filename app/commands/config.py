"""`pecking-order config`: show the current settings."""

import json

import click

from app.commands.shared import errors


@click.command()
def config() -> None:
    """Show the current settings as JSON, with secrets masked."""
    settings = errors.load_settings_or_fail()
    with errors.show_database_errors(settings.database_url):
        click.echo(json.dumps(settings.masked_values(), indent=2))
