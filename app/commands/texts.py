"""`pecking-order texts`: everything that a catalogue of another language may replace."""

import json

import click

import app.main  # noqa: F401 (whatever speaks declares its words when it is loaded)
from app import resources
from app.web.i18n.catalogues import Catalogues


@click.command()
def texts() -> None:
    """Print every English text by its key, as JSON: what another `static/messages/<language>.json` may replace.

    But for `list.…`: how lists are put together is known of every language.
    """
    english = Catalogues(resources.static() / "messages").english
    click.echo(json.dumps(english.catalogue, ensure_ascii=False, indent=2))
