"""Each text has notes for translators: where it is seen, and what fills its placeholders."""

from app.web.i18n.catalogues import Catalogues
from app.web.i18n.translations import in_file_order
from app.web.i18n.translator_notes import PLACEHOLDER, length_limit, notes_for, place_of, translator_notes

# Other tests declare texts, too.
SOURCES = {key: source for key, source in Catalogues().sources.items() if not key.startswith("test.")}


def test_every_note_belongs_to_a_text_and_names_only_its_placeholders() -> None:
    for key, note in translator_notes()["texts"].items():
        assert key in SOURCES, key
        wordings = " ".join(SOURCES[key].wordings)
        assert set(PLACEHOLDER.findall(note)) <= set(PLACEHOLDER.findall(wordings)), key


def test_translators_are_told_where_every_text_is_seen() -> None:
    assert not [key for key in SOURCES if not place_of(key)]
    unused = set(translator_notes()["seen"].values()) - {place_of(key) for key in SOURCES}
    assert not unused


def test_a_file_begins_with_the_home_page_and_a_first_hand() -> None:
    keys = [source.key for source in in_file_order(SOURCES)]
    first_hour = keys[:180]  # docs/translating.md promises about 170
    assert {"home.play_now", "turn.you.lead", "action.pass", "event.out.you", "result.title"} <= set(first_hour)
    assert place_of("action.pass") == place_of("action.give") == "Button for an action of the game."


def test_translators_are_told_what_fills_every_placeholder() -> None:
    used = set[str]()
    for key, source in SOURCES.items():
        names = set(PLACEHOLDER.findall(" ".join(source.wordings)))
        assert names <= set(PLACEHOLDER.findall(" ".join(notes_for(key, source.wordings)))), key
        used |= names
    assert translator_notes()["placeholders"].keys() <= used


def test_english_texts_are_as_short_as_translations_must_be() -> None:
    limits = {key: limit for key in SOURCES if (limit := length_limit(key)) is not None}
    assert len(limits) > 20
    for key, limit in limits.items():
        assert all(len(PLACEHOLDER.sub("", text)) <= limit for text in SOURCES[key].wordings), key
