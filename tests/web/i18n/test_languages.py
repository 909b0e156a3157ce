"""Catalogues: which one somebody reads, what it replaces, and how many of something there are in each language."""

import json
from pathlib import Path

import pytest

from app import resources
from app.engine.base.messages import Sentence, both, either
from app.web.i18n.catalogues import Catalogues, Texts

HENS = Sentence("test.hens", {"one": "{who} has {count} hen.", "other": "{who} has {count} hens."})
OR = Sentence("test.or", "Play {what}.")

POLISH = {
    "nav.home": "Dom",
    "seat.cards.one": "{count} karta",
    "seat.cards.few": "{count} karty",
    "seat.cards.many": "{count} kart",
    "seat.cards.other": "{count} karty",
    "test.hens.one": "{who} ma {count} kurę.",
    "test.hens.few": "{who} ma {count} kury.",
    "test.hens.many": "{who} ma {count} kur.",
    "test.or": "Zagraj {what}.",
    "PRES-02.name": "Dżokery",
}


@pytest.fixture
def catalogues(tmp_path: Path) -> Catalogues:
    """English, and a little Polish."""
    (tmp_path / "en.json").write_bytes((resources.static() / "messages/en.json").read_bytes())
    (tmp_path / "pl.json").write_text(json.dumps(POLISH))
    return Catalogues(tmp_path)


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
def test_the_language_is_the_one_chosen_or_the_first_asked_for(
    catalogues: Catalogues, accept: str, cookie: str, language: str
) -> None:
    assert catalogues.of(asking(accept, cookie)).language == language


def polish(catalogues: Catalogues) -> Texts:
    return catalogues.of(asking("pl"))


def test_numbers_choose_the_form_that_the_language_has_for_them(catalogues: Catalogues) -> None:
    said = [polish(catalogues).t("seat.cards", count=count) for count in (1, 2, 5, 22)]
    assert said == ["1 karta", "2 karty", "5 kart", "22 karty"]
    assert catalogues.english.t("me.points", count=-1) == "−1 point"


def test_what_was_said_in_english_is_said_anew(catalogues: Catalogues) -> None:
    said = HENS(who=both(["Ana", "Bob", "Cat"]), count=3)
    assert said == "Ana, Bob and Cat has 3 hens."
    assert polish(catalogues).say(said) == "Ana, Bob i Cat ma 3 kury."
    assert polish(catalogues).say(OR(what=either([HENS(who="Ana", count=1), "2"]))) == "Zagraj Ana ma 1 kurę. lub 2."
    assert polish(catalogues).say("no more than a text") == "no more than a text"


def test_what_a_language_lacks_stays_in_english(catalogues: Catalogues) -> None:
    assert polish(catalogues).t("nav.rules") == "Rules"
    assert polish(catalogues).t("PRES-02.name") == "Dżokery"
    assert polish(catalogues).t("PRES-02.sentence") == catalogues.english.t("PRES-02.sentence")


def test_the_page_fetches_its_own_texts_and_not_those_that_the_server_fills_in(catalogues: Catalogues) -> None:
    files = {path: json.loads(content) for path, content in catalogues.files().items()}
    kinds = ("", "table.", "rest.")
    assert files.keys() == {f"messages/{kind}{language}.json" for kind in kinds for language in ("en", "pl")}
    assert files["messages/pl.json"]["seat.cards.many"] == "{count} kart"
    assert files["messages/pl.json"]["test.or"] == "Zagraj {what}."
    assert not any("PRES-02.sentence" in file for file in files.values())


def test_a_key_belongs_to_one_sentence() -> None:
    with pytest.raises(AssertionError, match=r"test\.or"):
        Sentence("test.or", "Play {what}.")


def test_names_written_from_right_to_left_leave_the_sentence_in_order() -> None:
    english = Texts("en", {"passes": "{by} passes ({count})."})
    assert english.t("passes", by="مرحبا 99 (", count=2) == "\u2068مرحبا 99 (\u2069 passes (2)."
    assert english.t("passes", by="Ana", count=2) == "Ana passes (2)."
    assert english.listed(["Ana", "דנה"]) == "Ana and \u2068דנה\u2069"
    arabic = Texts("ar", {"passes": "{by} passes ({count})."})
    assert arabic.t("passes", by="مرحبا", count=2).startswith("مرحبا passes")
    assert arabic.t("passes", by="Ana", count=2).startswith("\u2068Ana\u2069 passes")
