"""`pecking-order schema`: print the protocol in several forms."""

import click

from app.web.reference.schema import FORMS


@click.command()
@click.argument("form", type=click.Choice(list(FORMS)), default="json")
def schema(form: str) -> None:
    """Print the protocol: as a JSON schema, as TypeScript types, or as tables of all keys or messages."""
    click.echo(FORMS[form](), nl=False)
