"""Test the story of a hand, with hands made for these tests."""

from collections.abc import Sequence
from typing import Any

import pytest

from app.stats.counted_hand import HandHighlight
from app.stats.hand_story import RankChange, StoredHand, StoryLine, build_hand_story

NAMES = ("Ana", "Bob", "Cat")
TITLES = ("President", "Citizen", "Scum")
ACTIONS = [{"by": "Ana", "do": "play", "cards": "5c"}, {"by": "Bob", "do": "pass"}]
CARDS = dict.fromkeys(NAMES, "")
EVENTS = [
    {"e": "dealt", "by": "Cat", "n": 0},
    {"e": "played", "by": "Ana", "cards": "5c", "n": 1},
    {"e": "revolution", "n": 1},
    {"e": "skipped", "by": "Bob", "n": 1},
    {"e": "passed", "by": "Bob", "n": 2},
]
REVOLUTION = HandHighlight(1, "revolution", None, None, "PRES-21", {})


def decreed(text: str) -> HandHighlight:
    return HandHighlight(None, "decree", "ana", "Ana", None, {"text": text})


def ranks(before: str, after: str) -> list[RankChange]:
    """Return the change of places from orders such as “ABC”: Ana, Bob, Cat."""
    was = {name: before.find(name[0]) for name in NAMES}
    stands = {name: after.index(name[0]) for name in NAMES}
    return [
        RankChange(name, TITLES[was[name]], TITLES[stands[name]], was[name] + 1, stands[name] + 1)
        if before
        else RankChange(name, None, TITLES[stands[name]], None, stands[name] + 1)
        for name in NAMES
    ]


def kept(
    moments: Sequence[HandHighlight] | None = (), stood: Sequence[RankChange] = (), *, after: Any = (), **record: Any
) -> StoredHand:
    result = {"standing": list(NAMES), "titles": {}, "ledger": {}, "events": ["revolution", "skipped"]}
    return StoredHand({"actions": ACTIONS, "cards": CARDS, **record}, EVENTS, result, False, moments, stood, after)


def told(lines: Sequence[StoryLine]) -> list[tuple[int | None, list[Any]]]:
    return [(line.n, [each if isinstance(each, str) else each["e"] for each in line.texts]) for line in lines]


def test_a_hand_story_tells_a_notable_play_with_its_effect() -> None:
    whole = build_hand_story(kept([REVOLUTION]))
    assert told(whole.played) == [(1, ["played", "revolution"])]
    assert told(whole.ends) == [(2, ["Ana finishes first."])]
    assert build_hand_story(kept(None)).played[0].n == 1, "of a hand that is in no book it is found among its events"
    assert [told(build_hand_story(kept(None)).played)[0][1]] == [["played", "revolution"]], (
        "being skipped is nothing to speak of"
    )


def test_a_hand_story_separates_events_before_during_and_after_the_hand() -> None:
    moments = [decreed("Sing"), REVOLUTION, decreed("Dance")]
    joined, left = {"by": "Dan", "do": "join"}, {"by": "Bob", "do": "leave"}
    decree = {"by": "Ana", "do": "decree", "text": "Sing"}
    whole = build_hand_story(kept(moments, between=[decree, joined], after=[decree, left]))
    assert told(whole.before) == [(None, ["decree"]), (None, ["joined"])]
    assert told(whole.played) == [(1, ["played", "revolution"])]
    assert told(whole.after) == [(None, ["decree"]), (None, ["left"])]
    # If the hand has no moment, the record says whether the decree came before or after it.
    assert told(build_hand_story(kept([decreed("Sing")], between=[decree])).before) == [(None, ["decree"])]
    assert told(build_hand_story(kept([decreed("Sing")], after=[decree])).after) == [(None, ["decree"])]
    # Without stored moments the actions are used.
    obeyed = {"by": "Bob", "do": "obey"}
    dance = {"by": "Ana", "do": "decree", "text": "Dance", "to": "Cat"}
    lines = build_hand_story(
        kept(None, between=[decree, dance, {"by": "Cat", "do": "defy"}, obeyed, {"by": "Cat", "do": "obey"}])
    ).before
    texts = [
        (each["e"], each["by"], each["text"]) for line in lines for each in line.texts if not isinstance(each, str)
    ]
    assert texts[2:] == [("defied", "Cat", "Sing"), ("obeyed", "Bob", "Sing"), ("obeyed", "Cat", "Dance")]


@pytest.mark.parametrize(
    ("before", "after", "ends"),
    [
        ("", "ABC", ["Ana becomes President.", "Cat ends as Scum."]),
        ("ABC", "ABC", ["Ana stays President.", "Cat stays Scum."]),
        ("ABC", "BAC", ["Bob becomes President.", "Cat stays Scum."]),
        (
            "ABC",
            "CBA",
            [
                "From last to first place: Cat was Scum and becomes President.",
                "From first to last place: Ana was President and ends as Scum.",
            ],
        ),
    ],
)
def test_a_hand_story_ends_with_rises_and_falls_of_players(before: str, after: str, ends: list[str]) -> None:
    lines = build_hand_story(kept((), ranks(before, after))).ends
    assert [line.texts[0] for line in lines] == ends
    assert [line.turn for line in lines] == ["was" in end for end in ends]
    fell = HandHighlight(2, "fell", "ana", "Ana", None, {"before": "President", "after": "Scum"})
    assert build_hand_story(kept([fell], ranks(before, after))).played == (), "it is told once, at the end"


def test_a_rise_without_titles_is_told_by_places() -> None:
    rows = [RankChange(each.name, None, None, each.before, each.after) for each in ranks("ABC", "CBA")]
    told_at_end = [line.texts[0] for line in build_hand_story(kept((), rows)).ends]
    assert told_at_end == ["Cat rises from last to first place.", "Ana falls from first to last place."]


def test_the_story_of_a_cut_off_hand_says_that_it_does_not_count() -> None:
    cut = StoredHand(
        {"actions": ACTIONS, "cards": CARDS},
        EVENTS,
        {"standing": ["Ana"], "titles": {}, "ledger": {}, "events": []},
        True,
        None,
        (),
        (),
    )
    [line] = build_hand_story(cut).ends
    assert (line.n, line.turn, "does not count" in str(line.texts[0])) == (2, True, True)
