"""Test PO files: what a merge keeps, which texts are shown, and the faults that the check finds."""

import gzip
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import TypeAlias

import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from app import resources
from app.commands import texts as texts_command
from app.web.assets.static_files import Assets
from app.web.i18n.catalogues import Catalogues
from app.web.i18n.tiers import Completeness
from app.web.i18n.translation_check import UNMARKED, Findings, check_translation
from app.web.i18n.translations import DamagedFile, MessageId, Translation, new_catalog, source_texts
from tests.for_each import for_each
from tests.made_up import write_po

ENGLISH = {
    "nav.home": "Home",
    "seat.out": "place {place}",
    "seat.cards.one": "one card",
    "seat.cards.other": "{count} cards",
    "seat.wait": "{count} s",
    "turn.other": "{name} is next.",
    "book.title": "Statistics",
    "voice.fall.1": "{name} falls.",
    "voice.fall.2": "{name} lands.",
    "event.silent": "",
}
SOURCES = source_texts(ENGLISH)
GERMAN: Mapping[str, MessageId] = {
    "nav.home": "Start",
    "seat.out": "{place}. Platz",
    "seat.cards": ("eine Karte", "{count} Karten"),
    "seat.wait": ("{count} s", "{count} s"),
    "turn.other": "{name} ist dran.",
    "book.title": "Statistik",
    "voice.fall.1": "{name} fällt.",
}


def german(
    changed: Mapping[str, MessageId] | None = None, *, complete: Completeness = "no", language: str = "de"
) -> Translation:
    """Return the German texts with some changed, as if a translator had written them."""
    made = Translation(language, new_catalog(language)).merge(SOURCES)
    for message in made.catalog:
        message.string = {**GERMAN, **(changed or {})}.get(message.context or "", message.string)
    made.catalog.header_comment = made.catalog.header_comment.replace("Complete: no", f"Complete: {complete}")
    return made


def written(translation: Translation, folder: Path) -> bytes:
    """Return the file of a translation."""
    path = folder / f"{translation.language}.po"
    translation.write(path)
    return path.read_bytes()


def test_a_text_with_a_count_is_plural_in_files_and_an_empty_one_is_left_out() -> None:
    assert {key: source.id for key, source in SOURCES.items() if not isinstance(source.id, str)} == {
        "seat.cards": ("one card", "{count} cards"),
        "seat.wait": ("{count} s", "{count} s"),
    }
    assert "turn.other" in SOURCES
    assert "event.silent" not in SOURCES


def test_a_merged_file_that_is_read_and_merged_again_stays_the_same(tmp_path: Path) -> None:
    first = written(german(complete="first"), tmp_path)
    read = Translation.read(tmp_path / "de.po")
    assert read.completeness == "first"
    assert written(read.merge(SOURCES), tmp_path) == first
    assert b'msgctxt "seat.cards"\nmsgid "one card"\nmsgid_plural "{count} cards"\nmsgstr[0] "eine Karte"' in first
    assert b'#, python-brace-format\nmsgctxt "seat.cards"' in first
    assert first.index(b"nav.home") < first.index(b"book.title")


def test_files_begin_with_what_a_visitor_meets_first_and_say_where_the_first_tier_ends() -> None:
    made = Translation("de", new_catalog("de")).merge(SOURCES)
    keys = [message.context for message in made.catalog if message.context]
    assert keys == ["nav.home", "turn.other", "seat.out", "seat.cards", "seat.wait", *keys[5:7], "book.title"]
    last = made.message("book.title")
    assert last is not None
    assert last.auto_comments[0] == "The 7 texts above are enough for “# Complete: first”."


def test_a_text_whose_english_has_changed_keeps_its_translation_but_is_fuzzy(tmp_path: Path) -> None:
    german().write(tmp_path / "de.po")
    changed = source_texts({**ENGLISH, "nav.home": "Start page"})
    fuzzy = Translation.read(tmp_path / "de.po")
    assert fuzzy.state(changed["nav.home"]) == "fuzzy"
    content = b""
    for _ in range(2):  # the second merge keeps the mark
        content = written(fuzzy.merge(changed), tmp_path)
        fuzzy = Translation.read(tmp_path / "de.po")
    assert b'#, fuzzy\n#| msgid "Home"\nmsgctxt "nav.home"\nmsgid "Start page"\nmsgstr "Start"' in content
    assert fuzzy.state(changed["nav.home"]) == "fuzzy"
    assert fuzzy.strings("nav.home") == ("Start",)
    assert fuzzy.texts(changed["nav.home"]) == {}
    assert fuzzy.texts(changed["turn.other"]) == {"turn.other": "{name} ist dran."}


def test_a_long_former_english_text_stays_whole(tmp_path: Path) -> None:
    numbers = " ".join(map(str, range(60)))
    former = {"seat.cards.one": f'one "\\" card\n{numbers}', "seat.cards.other": f"{{count}} cards {numbers}"}
    german().merge(source_texts(ENGLISH | former)).merge(SOURCES).write(tmp_path / "de.po")
    for _ in range(2):
        again = Translation.read(tmp_path / "de.po")
        again.merge(SOURCES).write(tmp_path / "de.po")
        message = again.merge(SOURCES).message("seat.cards")
        assert message is not None
        assert message.previous_id == [*former.values()]
    lines = [line for line in (tmp_path / "de.po").read_text().splitlines() if line.startswith("#|")]
    assert all(line.endswith('"') for line in lines)


def test_a_text_that_becomes_plural_keeps_its_words() -> None:
    plural = source_texts({"nav.home.one": "one home", "nav.home.other": "{count} homes"})
    assert german().merge(plural).strings("nav.home") == ("Start", "Start")


@for_each(
    ("language", "forms"),
    [
        ("de", ["one", "other"]),
        ("pl", ["one", "few", "many"]),
        ("ja", ["other"]),
        ("sl", ["one", "two", "few", "other"]),
        ("zh-Hans", ["other"]),
    ],
)
def test_files_have_the_plural_forms_of_their_language(language: str, forms: list[str]) -> None:
    # In other languages, such as French and Arabic, the forms depend on the version of Babel. Files keep theirs.
    translation = Translation(language, new_catalog(language)).merge(SOURCES)
    assert translation.form_names() == forms
    assert len(translation.strings("seat.cards")) == len(forms)


def test_texts_have_plural_suffixes_unless_all_forms_are_the_same() -> None:
    assert german().texts(SOURCES["seat.cards"]) == {
        "seat.cards.one": "eine Karte",
        "seat.cards.other": "{count} Karten",
    }
    assert german().texts(SOURCES["seat.wait"]) == {"seat.wait": "{count} s"}


def findings(changed: Mapping[str, MessageId] | None = None, *, complete: Completeness = "all") -> Findings:
    words = {"seat.wait": ("{count} Sek.", "{count} Sek."), **(changed or {})}
    return check_translation(german(words, complete=complete), SOURCES)


def test_a_complete_translation_has_no_findings() -> None:
    found = findings()
    assert (found.total, found.faults, found.unfinished) == (len(SOURCES), [], {})


@for_each(
    ("key", "text", "fault"),
    [
        ("nav.home", "Start {name}", "unknown placeholder {name}"),
        ("turn.other", "Weiter.", "placeholder {name} is missing"),
        ("turn.other", "{Name} ist dran.", "unknown placeholder {Name}"),
        ("turn.other", "{name} ist dran {.", "a brace that belongs to no placeholder"),
        ("seat.out", "auf dem {place}. Platz", "15 characters, at most 10 fit"),
        ("seat.cards", ("eine Karte", ""), "msgstr[1]: missing"),
        ("seat.cards", ("eine Karte", "Karten"), "msgstr[1]: placeholder {count} is missing"),
        ("seat.cards", ("eine Karte {x}", "{count} Karten"), "msgstr[0]: unknown placeholder {x}"),
    ],
)
def test_a_fault_is_found_and_its_text_is_not_also_missing(key: str, text: MessageId, fault: str) -> None:
    found = findings({key: text}, complete="no")
    assert (key, fault) in found.faults
    assert not found.unfinished


@for_each(
    ("language", "forms"),
    [("de", {0}), ("fr", {0}), ("ru", set()), ("ja", set()), ("ar", {0, 1, 2}), ("pl", {0})],
)
def test_a_plural_form_for_one_number_needs_no_number(language: str, forms: set[int]) -> None:
    assert Translation(language, new_catalog(language)).forms_of_one_number == forms


@for_each(
    ("key", "text", "complete", "fails"),
    [
        ("nav.home", "", "no", False),
        ("nav.home", "", "first", True),
        ("book.title", "", "first", False),
        ("book.title", "", "all", True),
        ("voice.fall.1", "", "all", True),
        ("nav.home", "Home", "no", False),
        ("nav.home", "Home", "all", True),
    ],
)
def test_a_file_that_is_marked_as_complete_fails_without_all_its_texts(
    key: str, text: MessageId, complete: Completeness, fails: bool
) -> None:
    found = findings({key: text}, complete=complete)
    assert list(found.unfinished) == ([key] if fails or complete == "no" else [])
    assert found.is_failed == fails


def test_the_word_after_complete_must_be_known() -> None:
    translation = german()
    translation.catalog.header_comment = "# Complete: frist"
    fault = (
        "the first lines of the file must have one of these: “# Complete: no”, “# Complete: first”, “# Complete: all”"
    )
    assert check_translation(translation, SOURCES).faults == [("# Complete", fault)]


def test_a_text_that_is_the_same_as_in_english_needs_a_comment() -> None:
    translation = german(complete="all")
    assert check_translation(translation, SOURCES).unfinished == {"seat.wait": UNMARKED}
    same = translation.message("seat.wait")
    assert same is not None
    same.user_comments = ["same"]
    assert not check_translation(translation, SOURCES).is_failed


Run: TypeAlias = Callable[..., list[str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `texts` on the files of a folder, and return the lines that it prints."""
    monkeypatch.setattr(resources, "locale_folder", lambda: tmp_path)
    monkeypatch.setattr(texts_command, "Catalogues", lambda *_: SimpleNamespace(sources=SOURCES))
    return lambda *options: CliRunner().invoke(texts_command.texts, options).output.splitlines()


def test_the_check_lists_findings_by_line_and_only_the_next_missing_text(tmp_path: Path, run: Run) -> None:
    changed = {"nav.home": "Start {name}", "turn.other": "", "book.title": "", "seat.cards": ("eine Karte", "")}
    content = written(german(changed), tmp_path)
    (tmp_path / "de.po").write_bytes(content.replace(b'"seat.out"', b'"seat.outt"'))
    assert run("--check", "de") == [
        f"de (complete: no): 8 texts; faults: 2; missing: 3; {UNMARKED}: 1; unknown key: 1.",
        "  nav.home (line 20): unknown placeholder {name}",
        "  seat.cards (line 41): msgstr[1]: missing",
        f"  seat.wait (line 50): {UNMARKED}",
        "  seat.outt (line 34): unknown key",
        "  The next missing text: turn.other (line 27). List all: --missing",
    ]
    missing = [
        "  turn.other (line 27): missing",
        "  seat.out: missing",
        "  book.title (line 72): missing",
    ]
    assert run("--check", "de", "--missing")[5:] == missing
    assert run("--po", "de")[0] == "Removed seat.outt (line 34): {place}. Platz"


@for_each(
    ("option", "language", "error"),
    [
        ("--check", "DE", "Did you mean de?"),
        ("--po", "pt_BR", "Did you mean pt-BR?"),
        ("--po", "en", "en is no tag of another language, such as de or pt-BR."),
        ("--check", "pt-BR", "pt-BR has no file. Write it: --po pt-BR"),
    ],
)
def test_a_wrong_tag_of_a_language_is_refused(run: Run, option: str, language: str, error: str) -> None:
    assert run(option, language)[-1] == f"Error: Invalid value: {error}"


@pytest.mark.parametrize("unfinished", [False, True])
def test_a_language_is_offered_once_its_file_is_complete(tmp_path: Path, *, unfinished: bool) -> None:
    german(complete="no").write(tmp_path / "de.po")
    german(complete="first", language="fr").write(tmp_path / "fr.po")
    offered = [texts.language for texts in Catalogues(tmp_path, unfinished=unfinished).all_languages]
    assert offered == (["en", "de", "fr"] if unfinished else ["en", "fr"])


def test_changed_files_are_read_again_and_change_the_addresses_of_assets(tmp_path: Path) -> None:
    write_po(tmp_path / "de.po", {"nav.home": "Start"})
    catalogues = Catalogues(tmp_path)
    assets = Assets(resources.static_folder(), catalogues.build_script_catalogues, watch=True, sources=tmp_path)
    before = assets.version
    assert catalogues.for_language("de").t("nav.home") == "Start"
    write_po(tmp_path / "de.po", {"nav.home": "Anfang", "language": "Deutsch"})
    catalogues.reload()
    assert assets.version != before
    texts = catalogues.for_language("de")
    assert (texts.t("nav.home"), texts.name) == ("Anfang", "Deutsch")
    assert json.loads(gzip.decompress(assets.pack_files()["messages/de.json"]))["nav.home"] == "Anfang"


@for_each(
    ("damage", "reason"),
    [
        ('msgstr Start"', 'check the quotes of msgstr Start"'),
        ('msgstr "Start', 'check the quotes of msgstr "Start'),
        ('msgstr "Zum "Start""', 'check the quotes of msgstr "Zum "Start""'),
        ('msgstt "Start"', "Unknown or misformatted keyword"),
        ("", "missing msgstr for msgid 'Home'"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(tmp_path: Path, damage: str, reason: str) -> None:
    before, after = written(german(), tmp_path).decode().split('msgstr "Start"')
    file = tmp_path / "de.po"
    file.write_text(f"{before}{damage}{after}")
    line = before.count("\n") + bool(damage)
    with pytest.raises(DamagedFile, match=re.escape(f"{file}, line {line}: {reason}")):
        Translation.read(file)


@for_each(
    ("content", "line", "reason"),
    [
        ('msgid ""\nmsgstr "ü"\n'.encode("latin-1"), 2, "save the file as UTF-8"),
        ('msgid ""\nmsgstr "ü"\n'.encode("utf-16"), 1, "save the file as UTF-8"),
        (b'\n\nmsgctxt "a.b"\nmsgid "a"\nmsgstr ""\n' * 2, 8, "the second text with the key a.b"),
    ],
)
def test_a_file_in_another_encoding_or_with_a_key_twice_is_damaged(
    tmp_path: Path, content: bytes, line: int, reason: str
) -> None:
    file = tmp_path / "de.po"
    file.write_bytes(content)
    with pytest.raises(DamagedFile, match=re.escape(f"{file}, line {line}: {reason}")):
        Translation.read(file)


def test_a_file_saved_by_a_windows_editor_is_read(tmp_path: Path) -> None:
    content = written(german(), tmp_path)
    (tmp_path / "de.po").write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))
    assert written(Translation.read(tmp_path / "de.po").merge(SOURCES), tmp_path) == content


def test_the_language_of_a_damaged_file_is_left_out_until_it_is_mended(tmp_path: Path) -> None:
    right = written(german(complete="first"), tmp_path)
    file = tmp_path / "de.po"
    file.write_bytes(right.replace(b'"Start"', b'Start"'))
    with capture_logs() as log:
        catalogues = Catalogues(tmp_path)
    assert [each["reason"] for each in log] == [f'{file}, line 21: check the quotes of msgstr Start"']
    assert catalogues.for_language("de") is catalogues.english
    file.write_bytes(right)
    catalogues.reload()
    assert catalogues.for_language("de").t("nav.home") == "Start"


def test_a_language_is_read_when_it_is_first_needed(tmp_path: Path) -> None:
    file = tmp_path / "de.po"
    write_po(file, {"language": "Deutsch", "nav.home": "Start", "room.reserved.host": "Wirtin"})
    catalogues = Catalogues(tmp_path)
    assert [each.name for each in catalogues.all_languages] == ["English", "Deutsch"]
    # Damage after the start shows when the rest of a file is read.
    file.write_text(file.read_text() + '\nmsgid "nav.home"\n')
    assert catalogues.for_language("de") is catalogues.english
    assert catalogues.find_language("de-AT") is catalogues.english


def test_only_the_wanted_texts_of_a_file_are_read(tmp_path: Path) -> None:
    write_po(tmp_path / "de.po", {"language": "Deutsch", "nav.home": "Start"}, complete="first")
    few = Translation.read(tmp_path / "de.po", {"language"})
    assert (few.completeness, *few.keys, few.strings("language")) == ("first", "language", ("Deutsch",))
    assert few.form_names() == ["one", "other"]
