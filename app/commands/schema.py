"""`pecking-order schema`: print the protocol in several forms."""

import click

from app.web.reference.schema import FORMS


@click.command()
@click.argument("form", type=click.Choice(list(FORMS)), default="json")
def schema(form: str) -> None:
    """Print the protocol: its JSON schema, the same as JavaScript types, or in words every key and message."""
    click.echo(FORMS[form](), nl=False)
