"""Test catalogues: the choice of a language, its texts, and the plural forms of each language."""

import json
from pathlib import Path

import pytest

from app.engine.base.messages import MessageTemplate, join_with_and, join_with_or
from app.engine.base.options import ONE_OF
from app.engine.games.big_two.scoring import FEWER_CARDS
from app.rooms.errors import RoomError
from app.rooms.people import names
from app.web.i18n.catalogues import Catalogues, Texts
from tests.made_up import write_po

POLISH = {
    "nav.home": "Dom",
    "seat.cards.one": "{count} karta",
    "seat.cards.few": "{count} karty",
    "seat.cards.many": "{count} kart",
    "seat.cards.other": "{count} karty",
    "big_two.reason.fewer.one": "{name}: o {count} kartę mniej",
    "big_two.reason.fewer.few": "{name}: o {count} karty mniej",
    "big_two.reason.fewer.many": "{name}: o {count} kart mniej",
    "value.one_of": "jedno z: {values}",
    "PRES-02.name": "Dżokery",
    "voice.fall.1": "{name} patrzy z dołu.",
}


@pytest.fixture
def catalogues(tmp_path: Path) -> Catalogues:
    """Catalogues with English and a little Polish."""
    write_po(tmp_path / "pl.po", POLISH)
    return Catalogues(tmp_path)


@pytest.fixture(scope="module")
def catalogues_of_the_world(tmp_path_factory: pytest.TempPathFactory) -> Catalogues:
    """Catalogues with English, and with languages of several scripts and countries."""
    folder = tmp_path_factory.mktemp("locale")
    for language in ("pt-BR", "zh-Hans"):
        write_po(folder / f"{language}.po", {"nav.home": language})
    return Catalogues(folder)


def asking(accept: str = "", cookie: str = "") -> dict[str, object]:
    return {"headers": [(b"accept-language", accept.encode()), (b"cookie", cookie.encode())]}


@pytest.mark.parametrize(
    ("accept", "cookie", "language"),
    [
        ("", "", "en"),
        ("pl", "", "pl"),
        ("pl-PL,pl;q=0.9,en;q=0.8", "", "pl"),
        ("en-GB,pl;q=0.9", "", "en"),
        ("fr,*;q=0.1", "", "en"),
        ("de;q=x,pl;q=0.1,en;q=0.05", "", "pl"),
        ("pl", "a=b; lang=en", "en"),
        ("en", "lang=pl", "pl"),
        ("en", "lang=../../secret", "en"),
    ],
)
def test_the_cookie_chooses_the_language_before_the_accept_language_header(
    catalogues: Catalogues, accept: str, cookie: str, language: str
) -> None:
    assert catalogues.for_request(asking(accept, cookie)).language == language


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("zh-CN", "zh-Hans"),
        ("zh-TW,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("zh-HK", "zh-Hans"),
        ("pt-PT", "pt-BR"),
        ("pt-BR;q=0.1, en;q=0", "pt-BR"),
        ("xx-XX, ../../secret, pt", "pt-BR"),
        ("de, ja;q=0.3", "en"),
    ],
)
def test_accept_language_finds_another_script_or_country_of_the_language(
    catalogues_of_the_world: Catalogues, accept: str, language: str
) -> None:
    assert catalogues_of_the_world.for_request(asking(accept)).language == language


def test_the_address_and_the_person_choose_before_the_cookie(catalogues_of_the_world: Catalogues) -> None:
    asked = asking("en", "lang=en")
    found = catalogues_of_the_world
    assert found.for_request(asked, "pt-PT").language == "pt-BR"
    assert found.for_request({**asked, "query_string": b"hand=1&language=zh-Hans"}, "pt-BR").language == "zh-Hans"
    # The browser's language is saved with a new person, also if the server lacks it.
    assert found.requested_language(asking("xx-XX, de-AT;q=0.9, en")) == "en"
    assert found.requested_language(asking("xx-XX, de-AT, en;q=0.5", "lang=;")) == "de-AT"
    assert found.requested_language(asking()) is None


def polish(catalogues: Catalogues) -> Texts:
    return catalogues.for_request(asking("pl"))


def test_counts_use_the_plural_forms_of_the_language(catalogues: Catalogues) -> None:
    said = [polish(catalogues).t("seat.cards", count=count) for count in (1, 2, 5, 22)]
    assert said == ["1 karta", "2 karty", "5 kart", "22 karty"]
    assert catalogues.english.t("me.points", count=-1) == "−1 point"


def test_an_english_sentence_can_be_translated_with_its_nested_values(catalogues: Catalogues) -> None:
    said = FEWER_CARDS(name=join_with_and(["Ana", "Bob", "Cat"]), count=3)
    assert said == "3 cards fewer than Ana, Bob and Cat"
    assert polish(catalogues).say(said) == "Ana, Bob i Cat: o 3 karty mniej"
    nested = ONE_OF(values=join_with_or([FEWER_CARDS(name="Ana", count=1), "2"]))
    assert polish(catalogues).say(nested) == "jedno z: Ana: o 1 kartę mniej lub 2"
    assert polish(catalogues).say("no more than a text") == "no more than a text"


def test_missing_translations_fall_back_to_english(catalogues: Catalogues) -> None:
    assert polish(catalogues).t("nav.rules") == "Rules"
    assert polish(catalogues).t("PRES-02.name") == "Dżokery"
    assert polish(catalogues).t("PRES-02.sentence") == catalogues.english.t("PRES-02.sentence")


def test_message_files_for_browsers_leave_out_texts_filled_in_by_the_server(catalogues: Catalogues) -> None:
    made = catalogues.build_script_catalogues()
    files = {
        path: json.loads(content if isinstance(content, bytes) else content.make()[path])
        for path, content in made.items()
    }
    kinds = ("", "table.", "rest.", "fair.")
    assert files.keys() == {f"messages/{kind}{language}.json" for kind in kinds for language in ("en", "pl")}
    assert files["messages/pl.json"]["seat.cards.many"] == "{count} kart"
    assert files["messages/pl.json"]["value.one_of"] == "jedno z: {values}"
    assert not any("PRES-02.sentence" in file for file in files.values())


def test_no_english_text_begins_or_ends_with_a_space(catalogues: Catalogues) -> None:
    texts = catalogues.english.catalogue.items()
    assert not [key for key, text in texts if text != text.strip() and not key.startswith("list.")]


def test_declaring_a_key_twice_is_an_error() -> None:
    with pytest.raises(AssertionError, match=r"value\.one_of"):
        MessageTemplate("value.one_of", "one of {values}")


def test_names_of_the_other_writing_direction_are_isolated() -> None:
    english = Texts("en", {"passes": "{by} passes ({count})."})
    assert english.t("passes", by="مرحبا 99 (", count=2) == "\u2068مرحبا 99 (\u2069 passes (2)."
    assert english.t("passes", by="Ana", count=2) == "Ana passes (2)."
    assert english.join_list(["Ana", "דנה"]) == "Ana and \u2068דנה\u2069"
    arabic = Texts("ar", {"passes": "{by} passes ({count})."})
    assert arabic.t("passes", by="مرحبا", count=2).startswith("مرحبا passes")
    assert arabic.t("passes", by="Ana", count=2).startswith("\u2068Ana\u2069 passes")


def test_a_language_may_have_fewer_variants_of_a_remark_but_never_mixes_them_with_english(
    catalogues: Catalogues,
) -> None:
    polish = catalogues.for_language("pl").catalogue
    assert [key for key in polish if key.startswith("voice.fall.")] == ["voice.fall.1"]
    kinds = {key.rpartition(".")[0] for key in catalogues.english.catalogue if key.startswith("voice.")}
    assert len(kinds) == 5
    whole = Catalogues()
    for each in whole.all_languages:
        assert all(f"{kind}.1" in whole.for_language(each.language) for kind in kinds)


@pytest.mark.parametrize("language", [each.language for each in Catalogues().all_languages])
def test_names_that_the_game_uses_are_refused_in_every_complete_language(language: str) -> None:
    texts = Catalogues().for_language(language)
    host, somebody = texts.t("room.reserved.host"), texts.t("invented.somebody")
    for name in (host, host.upper(), f"{somebody} 3"):
        with pytest.raises(RoomError) as refused:
            names.check_new_name(name)
        assert refused.value.code == "bad_name"
    names.check_new_name(f"{somebody}x")
