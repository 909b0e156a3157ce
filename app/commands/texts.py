"""`pecking-order texts`: print the English texts, write and check the files of translators."""

import json
import sys
from collections import Counter
from pathlib import Path

import click
from babel import UnknownLocaleError

import app.main  # noqa: F401 (modules declare their texts when imported)
from app import resources
from app.web.i18n.catalogues import ENGLISH, Catalogues
from app.web.i18n.translation_check import Findings, check_translation
from app.web.i18n.translations import DamagedFile, Translation, new_catalog, parse_language

_MOST_LISTED = 20
"""The most findings of one language that the check of all languages lists."""
_ALL = "all"


@click.command()
@click.option("--po", "language", metavar="LANGUAGE", help="Write locale/LANGUAGE.po, or bring it up to date.")
@click.option(
    "--check",
    "checked",
    metavar="[LANGUAGE]",
    is_flag=False,
    flag_value=_ALL,
    help="Check one translation and list everything, or check all. Fails if a translation has faults.",
)
def texts(language: str | None, checked: str | None) -> None:
    """Print all English texts by key, as JSON; or write or check translations (docs/translating.md).

    A language is a tag such as de, pt-BR or zh-Hans.
    """
    catalogues = Catalogues()
    if language is not None:
        _write(language, catalogues)
    elif checked is None:
        click.echo(json.dumps(catalogues.english.catalogue, ensure_ascii=False, indent=2))
    if checked is not None and not _check(checked, catalogues):
        sys.exit(1)


def _write(language: str, catalogues: Catalogues) -> None:
    """Write the file of a language with all texts of today, and keep its translations."""
    try:
        if language == ENGLISH or str(parse_language(language)) != language.replace("-", "_"):
            raise ValueError
    except (ValueError, UnknownLocaleError):
        raise click.BadParameter(f"{language} is no tag of another language, such as de or pt-BR.") from None
    path = resources.locale_folder() / f"{language}.po"
    translation = _read(path) if path.exists() else Translation(language, new_catalog(language))
    merged = translation.merge(catalogues.sources)
    merged.write(path)
    click.echo(f"{path}\n{_summary(check_translation(merged, catalogues.sources))}")
    click.echo(f"Plural forms: {', '.join(f'msgstr[{n}] {form}' for n, form in enumerate(merged.form_names()))}.")


def _read(path: Path) -> Translation:
    try:
        return Translation.read(path)
    except DamagedFile as error:
        raise click.ClickException(str(error)) from None


def _check(checked: str, catalogues: Catalogues) -> bool:
    """Check one translation or all, and print the findings. Return whether all are right."""
    paths = {path.stem: path for path in sorted(resources.locale_folder().glob("*.po"))}
    if checked not in {_ALL, *paths}:
        raise click.BadParameter(f"{checked} has no file. Write it: --po {checked}")
    found = [check_translation(_read(paths[each]), catalogues.sources) for each in paths if checked in {_ALL, each}]
    most = _MOST_LISTED if checked == _ALL else None
    for findings in found:
        click.echo(_summary(findings))
        lines = [*findings.faults, *(f"{key}: {reason}" for key, reason in findings.unfinished.items())]
        for line in lines[:most]:
            click.echo(f"  {line}")
        if lines[:most] != lines:
            click.echo(f"  … {len(lines) - _MOST_LISTED} more: texts --check {findings.translation.language}")
    return not any(findings.is_failed for findings in found)


def _summary(findings: Findings) -> str:
    """Return the numbers of texts, of faults and of unfinished texts, in one line."""
    counts = {"faults": len(findings.faults), **Counter(findings.unfinished.values())}
    found = "".join(f"; {what}: {count}" for what, count in counts.items() if count)
    translation = findings.translation
    return f"{translation.language} (complete: {translation.completeness or '?'}): {findings.total} texts{found}."
