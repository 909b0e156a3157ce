"""`pecking-order config`: what is in force."""

import json

import click

from app.settings import Settings


@click.command()
def config() -> None:
    """Show the settings in force as JSON, with secrets masked."""
    click.echo(json.dumps(Settings().masked(), indent=2))
