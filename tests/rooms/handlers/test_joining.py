"""Test that invisible Unicode characters stay in names where they have a meaning, and don't count in comparisons."""

import pytest

from app.rooms.people import names
from app.text_limits import check_length
from tests.for_each import for_each

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
MEANT = {
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Hindi": "\u0915\u094d\u200d\u0937",
    "Sinhala": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "Malayalam": "\u0d28\u0d4d\u200d",
    "a family": FAMILY,
    "a heart": "\u2764\ufe0f",
    "a keycap": "1\ufe0f\u20e3 Ana",
    "Scotland": SCOTLAND,
    "an ideograph": "\u845b\U000e0100",
}


@for_each("name", MEANT.values())
def test_meaningful_joiners_and_selectors_stay_in_names_and_chat(name: str) -> None:
    assert names.clean_name(name) == name
    assert names.visible_text(check_length(name)) == name


@pytest.mark.parametrize("aside", ["\u200c", "\u200d", "\ufe0f", "\ufe00", "\U000e0100", "\U000e0061", "\U000e007f"])
def test_joiners_and_selectors_between_latin_letters_are_removed(aside: str) -> None:
    for name in (f"A{aside}na", f"{aside}Ana", f"Ana{aside}", f"A{aside}{aside}na"):
        assert names.clean_name(name) == "Ana"


@for_each("name", MEANT.values())
def test_names_that_differ_only_in_joiners_count_as_the_same(name: str) -> None:
    without = "".join(char for char in name if char not in "\u200c\u200d\ufe0f" and char < "\U000e0000")
    assert without != name
    assert names.look_alike(name, without)
