"""`pecking-order texts`: print all texts that a translation may replace."""

import json

import click

import app.main  # noqa: F401 (modules declare their texts when imported)
from app import resources
from app.web.i18n.catalogues import Catalogues


@click.command()
def texts() -> None:
    """Print every English text by its key, as JSON: the texts that `static/messages/<language>.json` can translate.

    Keys that begin with `list.` need no translation: how lists are joined is known for every language.
    """
    english = Catalogues(resources.static_folder() / "messages").english
    click.echo(json.dumps(english.catalogue, ensure_ascii=False, indent=2))
