"""`pecking-order texts`: print the English texts, write and check the files of translators."""

import json
import sys

import click
from babel import UnknownLocaleError
from babel.messages.pofile import PoFileError

import app.main  # noqa: F401 (modules declare their texts when imported)
from app import resources
from app.web.i18n.catalogues import ENGLISH, Catalogues
from app.web.i18n.translation_check import Findings, check_translation
from app.web.i18n.translations import Translation, new_catalog, parse_language

_MOST_LISTED = 20
"""The most texts of one kind that the check lists."""


@click.command()
@click.option("--po", "language", metavar="LANGUAGE", help="Write locale/LANGUAGE.po, or bring it up to date.")
@click.option("--check", is_flag=True, help="Check all translations. Fails if a translation has faults.")
def texts(language: str | None, check: bool) -> None:
    """Print all English texts by key, as JSON; or write or check translations (docs/translating.md).

    A language is a tag such as de, pt-BR or zh-Hans.
    """
    catalogues = Catalogues()
    if language is not None:
        _write(language, catalogues)
    elif not check:
        click.echo(json.dumps(catalogues.english.catalogue, ensure_ascii=False, indent=2))
    if check and not _check(catalogues):
        sys.exit(1)


def _write(language: str, catalogues: Catalogues) -> None:
    """Write the file of a language with all texts of today, and keep its translations."""
    try:
        if language == ENGLISH or str(parse_language(language)) != language.replace("-", "_"):
            raise ValueError
    except (ValueError, UnknownLocaleError):
        raise click.BadParameter(f"{language} is no tag of another language, such as de or pt-BR.") from None
    path = resources.locale_folder() / f"{language}.po"
    translation = _read(language) if path.exists() else Translation(language, new_catalog(language))
    merged = translation.merge(catalogues.sources)
    merged.write(path)
    states = [merged.state(source) for source in catalogues.sources.values()]
    counts = ", ".join(f"{states.count(state)} {state}" for state in ("done", "stale", "missing"))
    click.echo(f"{path}: {counts}. Plural forms: {', '.join(merged.form_names())}.")


def _read(language: str) -> Translation:
    try:
        return Translation.read(resources.locale_folder() / f"{language}.po")
    except PoFileError as error:
        raise click.ClickException(f"locale/{language}.po: {error}") from None


def _check(catalogues: Catalogues) -> bool:
    """Check all translations and print the findings. Return whether all are right."""
    languages = [path.stem for path in sorted(resources.locale_folder().glob("*.po"))]
    found = [(each, check_translation(each, catalogues.sources)) for each in map(_read, languages)]
    for translation, findings in found:
        total = len(catalogues.sources)
        click.echo(f"{translation.language}: complete: {translation.completeness}; {total} texts.")
        _list_findings(findings)
    return not any(findings.is_failed for _, findings in found)


def _list_findings(findings: Findings) -> None:
    kinds = {
        "with faults": findings.faults,
        "required, but missing, stale, or the same as in English": findings.unmet,
        "missing": findings.missing,
        "stale": findings.stale,
        "the same as in English, without the comment “same”": findings.unmarked,
    }
    for kind, listed in kinds.items():
        if listed:
            click.echo(f"  {len(listed)} {kind}:")
            for line in listed[:_MOST_LISTED]:
                click.echo(f"    {line}")
            if len(listed) > _MOST_LISTED:
                click.echo(f"    … and {len(listed) - _MOST_LISTED} more")
