"""`pecking-order texts`: print all texts that a translation may replace."""

import json

import click

import app.main  # noqa: F401 (modules declare their texts when imported)
from app import resources
from app.web.i18n.catalogues import Catalogues
from app.web.i18n.translator_notes import translator_notes


@click.command()
@click.option("--notes", is_flag=True, help="Print the notes for translators by key instead.")
def texts(notes: bool) -> None:
    """Print all English texts for translators, by key, as JSON.

    A file `static/messages/<language>.json` may replace each of them, except `list.…`: the patterns of lists are known
    for every language.
    """
    english = Catalogues(resources.static_folder() / "messages").english
    shown = translator_notes() if notes else english.catalogue
    click.echo(json.dumps(shown, ensure_ascii=False, indent=2))
