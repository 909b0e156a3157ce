"""Test letters in new names: mixed scripts, letters that look alike, and reserved words."""

from pathlib import Path

import pytest

from app.rooms.errors import RoomError
from app.rooms.model import commands as ask
from app.rooms.people import confusable_letters, names
from app.text_limits import check_length
from app.web.i18n.catalogues import Catalogues
from tests.for_each import for_each
from tests.made_up import write_po
from tests.rooms.world import World


@for_each(
    ("one", "other"),
    [
        *(("\u13aana", "Ana"), ("\u13e2ip", "Pip"), ("\ua4eena", "Ana"), ("\ua4d0ob", "Bob"), ("B\u2c9fb", "Bob")),
        *(("B\u0585b", "Bob"), ("An\u0251", "Ana"), ("L\u0131li", "Lili"), ("Bo\u042c", "Bob"), ("Ernma", "Emma")),
    ],
)
def test_a_name_with_lookalike_letters_of_another_script_is_taken(one: str, other: str) -> None:
    assert names.look_alike(one, other)
    assert World().join(other).refused("eve", ask.Join, name=one) == "name_taken"


@pytest.mark.parametrize("name", ["\u2c80lva", "El\u0585n", "\u0395\u03bb\u0416", "\u3105\ud55c", "\u0416ana"])
def test_a_new_name_that_mixes_scripts_is_refused(name: str) -> None:
    assert World().refused("eve", ask.Join, name=name) == "bad_name"
    assert World().refused("Ana", ask.AddBot, name=name) == "bad_name"


@for_each(
    "name",
    [
        *(
            "\u0395\u03bb\u03ad\u03bd\u03b7 7",
            "\u3055\u304f\u3089 Sam \u6f22\u5b57",
            "\ud55c\uae00 Sam",
            "\u6f22\u3105",
        ),
        *("Zo\u00eb \u2606 \u2460", "\u0645\u062d\u0645\u062f", "\u30fc", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
        *("1\ufe0f\u20e3", "\u0939\u093f\u0928\u094d\u0926\u0940", "\u10e5\u10d0", "\u041b\u0451\u0432 #1"),
    ],
)
def test_a_name_in_a_single_script_with_digits_symbols_and_emoji_is_accepted(name: str) -> None:
    World().ok("eve", ask.Join, name=name)


def test_a_member_keeps_an_older_name_that_mixes_scripts() -> None:
    name = "\u0416ana"
    assert confusable_letters.mixes_scripts(check_length(name))
    world = World(host=name)  # a room of a server that did not check letters
    world.ok(name.lower(), ask.Join, name=name)
    assert world.room.host == name


@for_each(
    "name",
    [
        *("You", "NOBODY", "Host", "Y0u", "H\u043est", "Server", "everyone", "Every0ne", "DEALER", "Dea1er"),
        *("Somebody 1", "Somebody12", "S0mebody 3", "Somebody l", "Somebody \u0663", "Somebody \u2460"),
    ],
)
def test_reserved_words_are_refused_as_names(name: str) -> None:
    assert World().refused("eve", ask.Join, name=name) == "bad_name"
    for number, name in enumerate(("Hostess", "Somebody", "Somebody New", "Serverina", "Dealer 2")):
        World().ok(f"eve {number}", ask.Join, name=name)


@for_each(
    "name",
    [
        *("Ana passes. Pip", "Ana passes! Pip", "Pass? Yes", "Ana: pass", "Ana\uff1a pass", "Ana wins\uff0e Bob"),
        *(
            "Ana... Bob",
            "Ana 5. Bob",
            "Ana: (hi)",
            "Ana passes.  Pip",
            "Ana passes\u0589 Bob",
            "Dr. Who! Me",
            "Dr: Who",
        ),
    ],
)
def test_a_name_that_reads_like_two_sentences_is_refused(name: str) -> None:
    with pytest.raises(RoomError, match="two sentences"):
        names.check_new_name(names.clean_name(name))


@for_each(
    "name",
    ["Dr. Who", "St. Anna", "J. R. Ewing", "J.R. Ewing", "Ana Maria B.", "Wow!", "Ana :)", "A.B", "Mrs. X", "3:0"],
)
def test_a_name_with_an_abbreviation_or_a_last_mark_is_accepted(name: str) -> None:
    World().ok("eve", ask.Join, name=name)


@pytest.mark.parametrize("name", ["Server", "Somebody 1", "Ana passes. Pip"])
def test_names_in_a_room_that_imitate_the_table_stay(name: str) -> None:
    world = World(host=name)
    world.ok(name.lower(), ask.Join, name=name)
    assert world.room.host == name


def test_each_language_reserves_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_reserved", set[str]())
    write_po(tmp_path / "eo.po", {"room.reserved.host": "Gasti\u011danto"})
    names.check_new_name("Gasti\u011danto")
    Catalogues(tmp_path)
    with pytest.raises(RoomError, match="gasti\u011danto"):
        names.check_new_name("gasti\u011danto")


@for_each(
    "name",
    [
        "You",
        "Somebody 2",
        "Ana. Maria: x",
        "Server",
        "\u0410na",
        "ana",
        "",
        "x" * 21,
        "x\u0301\u0316" * 15,
        "\u0416ana",
        "\u0301" * 5,
        "\u200b",
    ],
)
def test_each_refused_name_comes_with_a_free_suggestion(name: str) -> None:
    with pytest.raises(RoomError) as refused:
        _take(name, ["Ana", "Ana 2"])
    other = str(refused.value.sentence.values["name"])
    assert other in str(refused.value)
    World().join("Ana 2").ok("eve", ask.Join, name=other)


def _take(name: str, taken: list[str]) -> None:
    with names.suggest_name_on_error(name, taken):
        if any(names.look_alike(name, other) for other in taken):
            raise RoomError("name_taken", names.NAME_UNSEEN())
        names.check_new_name(names.clean_name(name))
