"""`python -m tools syllables`: split the long words in titles and names of rules into syllables, for soft hyphens.

The dictionaries are those of LibreOffice, in the package `pyphen`. Words that the file has already stay as they are, so
mistakes in compound words can be corrected in it.
"""

import json
from itertools import pairwise

import click

from app.web.i18n.catalogues import ENGLISH, Catalogues, Texts
from app.web.i18n.soft_hyphens import LONG_WORD, is_hyphenated, syllables_path

SHORTEST = 3
"""Letters of the shortest first and last part of a word."""


def long_words(texts: Texts, english: Texts) -> set[str]:
    """Return the long words of a language's titles and names of rules; English ones that it lacks are left out."""
    shown = (text for key, text in texts.catalogue.items() if is_hyphenated(key))
    untranslated = set() if texts.language == ENGLISH else set(english.catalogue.values())
    return {word for text in shown if text not in untranslated for word in LONG_WORD.findall(text)}


@click.command()
def syllables() -> None:
    """Write the syllables of long words in all languages that have a dictionary. Needs `pyphen`."""
    import pyphen

    catalogues, path = Catalogues(unfinished=True), syllables_path()
    known: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    found: dict[str, list[str]] = {}
    for each in catalogues.all_languages:
        if pyphen.language_fallback(each.language) is not None:
            split = {word.replace("-", ""): word for word in known.get(each.language, ())}
            name = "en_US" if each.language == ENGLISH else each.language
            dictionary = pyphen.Pyphen(lang=name, left=SHORTEST, right=SHORTEST)
            words = long_words(catalogues.for_language(each.language), catalogues.english)
            found[each.language] = [
                split.get(word) or split_word(word, dictionary.positions(word)) for word in sorted(words)
            ]
    path.write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    click.echo(", ".join(f"{language}: {len(words)} words" for language, words in found.items()))


def split_word(word: str, positions: list[int]) -> str:
    """Return a word with hyphens at these positions, but not on both sides of one letter.

    Dictionaries have such a letter in compound words that they don't know.

    >>> split_word("Kartenaustausch", [3, 5, 6, 9])
    'Kar-tenaus-tausch'
    """
    single = {each for pair in pairwise(positions) if pair[1] - pair[0] == 1 for each in pair}
    ends = [0, *(each for each in positions if each not in single), len(word)]
    return "-".join(word[start:end] for start, end in pairwise(ends))
