"""Test which sentences the short rules of a match have."""

from typing import Any

from app.engine.base.options import (
    Choice,
    NumberOrNone,
    Option,
    OptionSchema,
    PlayedExample,
    Preset,
    Ranks,
    Section,
    ShortLine,
    ShortRules,
)
from app.engine.base.short_rules import MAX_WORDS, count_words, short_sentences, short_texts
from app.engine.games.president.short_rules import AIM, STOP

TWOS = Option(
    "TEST-01", "twos", Choice({"low": "Low", "high": "High"}), "low", "A sentence.", "", short={"high": "Twos win."}
)
ENDING = Option("TEST-02", "ending", Ranks(3), "", "A sentence.", "", short="{value} ends the trick.")
HANDS = Option("TEST-03", "hands", NumberOrNone(1, 99, "Never"), None, "A sentence.", "", short="Play {value} hands.")
SILENT = Option("TEST-04", "silent", Choice({False: "No", True: "Yes"}), False, "A sentence.", "")


def sentences(*options: Option[Any], if_room: tuple[ShortLine, ...] = (), **changes: Any) -> list[str]:
    declared = OptionSchema(
        sections=(Section("all", "All", options),),
        presets=(Preset("TEST-00", "plain", "Plain", "All defaults."),),
        short_rules=ShortRules((AIM, TWOS), (HANDS, STOP), PlayedExample(("8c",), "An eight."), (3, 4), if_room),
    )
    return [str(each) for each in short_sentences(declared, declared.resolve_options(changes))]


def test_options_add_the_sentence_of_their_value_between_play_and_result() -> None:
    options = (TWOS, ENDING, HANDS, SILENT)
    assert sentences(*options) == ["Be first without cards.", "Play until you stop."]
    changed = sentences(*options, twos="high", ending="8T", hands=5, silent=True)
    assert changed == [
        "Be first without cards.",
        "Twos win.",
        "8, 10 ends the trick.",
        "Play 5 hands.",
        "Play until you stop.",
    ]


def test_sentences_of_options_that_do_not_fit_are_left_out() -> None:
    long = Option("TEST-05", "long", Ranks(1), "", "A sentence.", "", short="much " * (MAX_WORDS - 11) + "{value}.")
    other = Option("TEST-06", "other", Ranks(1), "", "A sentence.", "", short="{value} does much more than that.")
    fits = sentences(TWOS, long, other, HANDS, long="8", other="8")
    assert count_words(*fits) == MAX_WORDS
    assert not [each for each in fits if "than that" in each]
    assert fits[-1] == "More rules apply."


def test_a_line_that_is_said_only_if_there_is_room_comes_after_sentences_of_options() -> None:
    long = Option("TEST-05", "long", Ranks(1), "", "A sentence.", "", short="much " * (MAX_WORDS - 9) + "{value}.")
    assert sentences(TWOS, long, HANDS, twos="high", if_room=(STOP,)) == [AIM(), "Twos win.", STOP()]
    crowded = sentences(TWOS, long, HANDS, twos="high", long="8", if_room=(STOP,))
    assert [each for each in crowded if not each.startswith("much")] == [AIM(), "Twos win."]


def test_each_sentence_of_an_option_can_be_translated() -> None:
    assert short_texts(TWOS) == {"TEST-01.short.high": "Twos win."}
    assert short_texts(ENDING) == {"TEST-02.short": "{value} ends the trick."}
    assert short_texts(SILENT) == {}
