"""`pecking-order texts`: print the English texts, write and check the files of translators."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
from babel import UnknownLocaleError

import app.main  # noqa: F401 (modules declare their texts when imported)
from app import resources
from app.web.i18n.catalogues import ENGLISH, Catalogues
from app.web.i18n.translation_check import MISSING, Findings, check_translation
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
    help="Check one translation, or all. Fails if a translation has faults.",
)
@click.option("--missing", "list_missing", is_flag=True, help="With --check LANGUAGE: list all missing texts.")
def texts(language: str | None, checked: str | None, list_missing: bool) -> None:
    """Print all English texts by key, as JSON; or write or check translations (docs/translating.md).

    A language is a tag such as de, pt-BR or zh-Hans.
    """
    # Without translations, so that a damaged one is reported once, by the command itself.
    catalogues = Catalogues(resources.locale_folder() / "none")
    if language is not None:
        _write(language, catalogues)
    elif checked is None:
        click.echo(json.dumps(catalogues.english.catalogue, ensure_ascii=False, indent=2))
    if checked is not None and not _check(checked, catalogues, list_missing=list_missing):
        sys.exit(1)


def _write(language: str, catalogues: Catalogues) -> None:
    """Write the file of a language with all texts of today, and keep its translations."""
    path = _path_of(language)
    translation = _read(path) if path.exists() else Translation(language, new_catalog(language))
    merged = translation.merge(catalogues.sources)
    merged.write(path)
    for key in translation.unknown_keys(catalogues.sources):
        click.echo(f"Removed {_at(translation, key)}: {' | '.join(translation.strings(key))}")
    click.echo(f"{path}\n{_summary(check_translation(merged, catalogues.sources))}")
    click.echo(f"Plural forms: {', '.join(f'msgstr[{n}] {form}' for n, form in enumerate(merged.form_names()))}.")


def _read(path: Path) -> Translation:
    try:
        return Translation.read(path)
    except DamagedFile as error:
        raise click.ClickException(str(error)) from None


def _path_of(language: str) -> Path:
    """Return the path of a language’s file. Raises `click.BadParameter` for an invalid tag."""
    try:
        tag = str(parse_language(language.replace("_", "-"))).replace("_", "-")
    except (ValueError, UnknownLocaleError):
        tag = ENGLISH
    if tag == ENGLISH:
        raise click.BadParameter(f"{language} is no tag of another language, such as de or pt-BR.")
    if tag != language:
        raise click.BadParameter(f"Did you mean {tag}?")
    return resources.locale_folder() / f"{language}.po"


def _check(checked: str, catalogues: Catalogues, *, list_missing: bool) -> bool:
    """Check one translation or all, and print the findings. Return whether all are right."""
    paths = sorted(resources.locale_folder().glob("*.po")) if checked == _ALL else [_path_of(checked)]
    if not all(path.exists() for path in paths):
        raise click.BadParameter(f"{checked} has no file. Write it: --po {checked}")
    found = [check_translation(_read(path), catalogues.sources) for path in paths]
    most = _MOST_LISTED if checked == _ALL else None
    for findings in found:
        click.echo(_summary(findings))
        lines = list(_lines(findings, list_missing=list_missing))
        for line in lines[:most]:
            click.echo(f"  {line}")
        if lines[:most] != lines:
            click.echo(f"  … {len(lines[most:])} more: texts --check {findings.translation.language}")
    return not any(findings.is_failed for findings in found)


def _lines(findings: Findings, *, list_missing: bool) -> Iterator[str]:
    """Yield a line for each fault and each unfinished text. Missing texts have one line, unless all are listed."""
    translation, unfinished = findings.translation, findings.unfinished
    missing = [key for key, reason in unfinished.items() if reason == MISSING]
    for key, what in (*findings.faults, *unfinished.items()):
        if what != MISSING:
            yield f"{_at(translation, key)}: {what}"
    if list_missing:
        yield from (f"{_at(translation, key)}: {MISSING}" for key in missing)
    elif missing:
        yield f"The next missing text: {_at(translation, missing[0])}. List all: --missing"


def _at(translation: Translation, key: str) -> str:
    """Return the key of a text with its line in the file."""
    message = translation.message(key)
    return f"{key} (line {message.lineno})" if message else key


def _summary(findings: Findings) -> str:
    """Return the numbers of texts, of faults and of unfinished texts, in one line."""
    counts = {"faults": len(findings.faults), **Counter(findings.unfinished.values())}
    found = "".join(f"; {what}: {count}" for what, count in counts.items() if count)
    translation = findings.translation
    return f"{translation.language} (complete: {translation.completeness or '?'}): {findings.total} texts{found}."
