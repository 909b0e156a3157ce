"""Test the story of a match: each kind of scene, and ties, with matches made for these tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from app.engine.games import GAMES
from app.stats.hand_story import RankChange, StoredHand
from app.stats.match_story import MOST, Scene, build_match_scenes

NAMES = {"A": "Ana", "B": "Bob", "C": "Cat", "D": "Dan"}
assert GAMES, "what is great, the games declare"
TITLES = ("President", "Vice-President", "Vice-Scum", "Scum")


@dataclass(frozen=True)
class Hand:
    """The parts of a hand that a match's story uses."""

    number: int
    totals: Mapping[str, int]
    stored: StoredHand


def hand(
    number: int,
    order: str,
    *,
    titled: bool = True,
    points: Sequence[int] = (),
    totals: Sequence[int] = (),
    events: Sequence[dict[str, Any]] = (),
    before: str = "",
    cut_off: bool = False,
) -> Hand:
    """Make a hand that ended in this order, such as “ABCD”.

    `points` and `totals` are those of Ana, Bob, Cat and Dan.
    """
    standing = [NAMES[each] for each in order]
    titles = dict(zip(standing, TITLES, strict=False)) if titled else {}
    ledger = dict(zip(NAMES.values(), points, strict=False))
    ranks = [
        RankChange(NAMES[each], TITLES[before.index(each)], titles[NAMES[each]], before.index(each) + 1, place)
        for place, each in enumerate(order, 1)
        if before
    ]
    record = {"cards": dict.fromkeys(standing, ""), "actions": []}
    result = {"standing": standing, "titles": titles, "ledger": ledger, "events": []}
    kept = StoredHand(record, events, result, cut_off, (), ranks, ())
    return Hand(number, dict(zip(NAMES.values(), totals, strict=False)), kept)


def match(*orders: str, titled: bool = True) -> list[Hand]:
    return [hand(number, order, titled=titled) for number, order in enumerate(orders)]


def told(found: Sequence[Scene], kind: str) -> list[Any]:
    """Return the sentences and event names of the scenes of this kind."""
    parts = [each for scene in found if scene.kind == kind for each in scene.texts]
    return [str(each) if isinstance(each, str) else each["e"] for each in parts]


def place(found: Sequence[Scene], kind: str) -> tuple[int | None, int | None]:
    [scene] = [scene for scene in found if scene.kind == kind]
    return scene.hand, scene.move


def played(n: int, by: str, cards: str, *then: str) -> list[dict[str, Any]]:
    """Return a play with its effects. The effect `out` names its player."""
    came = [{"e": name, "n": n, **({"by": NAMES[by]} if name == "out" else {})} for name in then]
    return [{"e": "played", "by": NAMES[by], "cards": cards, "n": n}, *came]


def test_a_match_story_begins_with_the_winner_and_has_a_limited_length() -> None:
    events = [*played(1, "A", "5c 5d 5h 5s", "revolution"), *played(9, "D", "3c", "out"), *played(10, "A", "4c", "out")]
    hands = [
        hand(number, order, points=points, events=events)
        for number, (order, points) in enumerate(
            [("DACB", (0, 1, 2, 3)), ("DABC", (2, 1, 0, 9)), ("BACD", (1, 7, 0, 0)), ("ABCD", (1, 2, 3, 0))]
        )
    ]
    found = build_match_scenes(hands, ("Dan",))
    assert told(found, "won") == ["Dan wins the match."]
    assert [scene.kind for scene in found] == ["won", "rose", "fell", "reign", "play", "close", "points"]
    assert len(found) == MOST + 1
    assert place(found, "rose") == (2, 10), "the move that ended the hand"
    assert [str(scene.heading) for scene in found][:2] == ["Winner", "Greatest rise"]


def test_a_shared_win_names_both_winners() -> None:
    found = build_match_scenes(match("AB"), ("Ana", "Bob"))
    assert (told(found, "won"), str(found[0].heading)) == (["Ana and Bob share first place in the match."], "Winners")


def test_the_story_of_a_stopped_match_names_the_leading_players() -> None:
    assert told(build_match_scenes(match("ABC", "BAC"), ()), "won") == ["Bob ends as President."]
    ahead = [hand(0, "ABC", titled=False, totals=(3, 9, 1))]
    assert told(build_match_scenes(ahead, ()), "won") == ["Bob is ahead when the match stops."]
    level = [hand(0, "ABC", titled=False, totals=(9, 9, 1))]
    assert told(build_match_scenes(level, ()), "won") == ["Ana and Bob are ahead when the match stops."]
    assert told(build_match_scenes([hand(0, "ABC", titled=False, totals=(0, 0, 0))], ()), "won") == [], "all are level"
    assert told(build_match_scenes(match("ABC"), (), continued=True), "won") == [], "it goes on in another volume"


def test_a_match_story_tells_the_longest_rise_and_fall() -> None:
    found = build_match_scenes(match("ABCD", "ADBC", "DBCA"), ("Ana",))
    assert told(found, "rose") == ["Dan rises from Scum to President within 2 hands."]
    assert told(found, "fell") == ["Ana falls from President to Scum in a single hand."]
    assert (place(found, "rose"), place(found, "fell")) == ((2, None), (2, None))


def test_of_two_equal_rises_the_quicker_and_then_the_later_is_told() -> None:
    quicker = build_match_scenes(match("ABCD", "DABC", "DCAB", "CDAB"), ("Ana",))
    assert told(quicker, "rose") == ["Dan rises from Scum to President in a single hand."]
    later = build_match_scenes(match("ABCD", "DABC", "CABD"), ("Ana",))
    assert told(later, "rose") == ["Cat rises from Scum to President in a single hand."]


def test_one_step_up_or_a_single_hand_is_not_told_as_a_rise() -> None:
    assert told(build_match_scenes(match("ABCD", "BACD"), ("Ana",)), "rose") == []
    assert told(build_match_scenes(match("ABCD"), ("Ana",)), "rose") == []
    # With two players the other place is the only possible change.
    assert told(build_match_scenes(match("AB", "BA"), ("Ana",)), "rose") == [
        "Bob rises from Vice-President to President in a single hand."
    ]


def test_titles_carried_over_from_an_earlier_match_count() -> None:
    found = build_match_scenes([hand(0, "DABC", before="ABCD")], ("Dan",))
    assert told(found, "rose") == ["Dan rises from Scum to President in a single hand."]


def test_rises_and_falls_go_by_points_if_there_are_no_titles() -> None:
    hands = [
        hand(0, "ABCD", titled=False, totals=(9, 5, 5, 0)),
        hand(1, "DABC", titled=False, totals=(9, 10, 5, 12)),
    ]
    found = build_match_scenes(hands, ("Dan",))
    assert told(found, "rose") == ["Dan rises from place 4 to place 1 in a single hand."]
    assert told(found, "fell") == ["Ana falls from place 1 to place 3 in a single hand."]


def test_a_match_story_tells_the_longest_reign() -> None:
    found = build_match_scenes(match("ABC", "ACB", "BAC", "BCA", "ABC"), ("Ana",))
    assert told(found, "reign") == ["Bob is President for 2 hands in a row."], "of two as long the later"
    assert place(found, "reign") == (3, None)
    assert told(build_match_scenes(match("ABC", "BAC"), ("Ana",)), "reign") == []
    firsts = build_match_scenes(match("ABC", "ACB", "BAC", titled=False), ("Ana",))
    assert told(firsts, "reign") == ["Ana finishes first in 2 hands in a row."]


@pytest.mark.parametrize(
    ("events", "what", "n"),
    [
        # The rarest effect counts. Winning a trick is not an effect.
        (
            [
                *played(2, "A", "5c 5d 5h 5s", "revolution"),
                *played(4, "B", "6c 6d 6h 6s", "revolution", "trick_over"),
                *played(6, "A", "7c 7d 7h 7s", "counter_revolution"),
            ],
            ["played", "counter_revolution"],
            6,
        ),
        # Among equally rare effects, more effects count.
        (
            [*played(2, "A", "5c 5d 5h 5s", "revolution"), *played(4, "B", "6c 6d 6h 6s", "burned", "out")],
            ["played", "burned", "out"],
            4,
        ),
        # Then more cards count, then the later play.
        ([*played(2, "A", "5c 6c 7c 8c", "out"), *played(4, "B", "5c 6c 7c 8c 9c", "out")], ["played", "out"], 4),
        ([*played(2, "A", "5c 6c 7c 8c", "out"), *played(4, "B", "5d 6d 7d 8d", "out")], ["played", "out"], 4),
        # Going out with three cards, suffering an effect and ending the match don't count.
        ([*played(2, "A", "5c 5d 5h", "out", "match_won")], [], None),
        ([*played(2, "A", "5c"), {"e": "burned", "by": "Bob", "n": 2}], [], None),
    ],
)
def test_a_match_story_tells_the_most_notable_play(
    events: list[dict[str, Any]], what: list[str], n: int | None
) -> None:
    found = build_match_scenes([hand(0, "ABC", events=events)], ("Ana",))
    assert told(found, "play") == what
    if what:
        assert place(found, "play") == (0, n)


def test_a_match_story_tells_the_closest_hand() -> None:
    near = [*played(7, "A", "3c", "out"), *played(8, "B", "4c", "out")]
    far = [*played(7, "A", "3c", "out"), *played(9, "B", "4c", "out")]
    found = build_match_scenes(
        [hand(0, "ABC", events=far), hand(1, "ABC", events=near), hand(2, "ABC", events=far)], ("Ana",)
    )
    assert told(found, "close") == ["Ana finishes first, and Bob with the very next move."]
    assert place(found, "close") == (1, 7)
    tie = build_match_scenes([hand(0, "ABC", events=far), hand(1, "ABC", events=far)], ("Ana",))
    assert place(tie, "close") == (1, 7), "of two as close the later"
    assert told(build_match_scenes([hand(0, "ABC", points=(0, -1, -4))], ("Ana",)), "close") == [
        "Ana finishes first, and Bob is 1 point behind."
    ]
    assert told(build_match_scenes([hand(0, "ABC", points=(0, -3, -4))], ("Ana",)), "close") == []


def test_the_most_points_in_a_hand_are_told_only_if_no_other_player_equals_them() -> None:
    hands = [hand(0, "ABC", points=(5, 1, 0)), hand(1, "BAC", points=(1, 7, 0))]
    assert told(build_match_scenes(hands, ("Ana",)), "points") == [
        "This hand brings Bob 7 points, the most in the match."
    ]
    assert place(build_match_scenes(hands, ("Ana",)), "points") == (1, None)
    # The story leaves out points that every winner gets, but not the cost of a hand.
    same = [hand(0, "ABC", points=(2, 0, -9)), hand(1, "BAC", points=(1, 2, -3))]
    assert told(build_match_scenes(same, ("Ana",)), "points") == []
    assert told(build_match_scenes(same, ("Ana",)), "cost") == ["This hand costs Cat 9 points, the most in the match."]
    assert told(build_match_scenes(match("ABC"), ("Ana",)), "points") == []


def test_a_match_story_tells_most_first_places_and_changes_of_the_leader() -> None:
    found = build_match_scenes(match("ABC", "BAC", "ABC", "BAC", "CAB"), ("Ana",))
    assert told(found, "firsts") == ["Ana and Bob: first in 2 of 5 hands."]
    assert told(found, "changes") == ["First place changes 4 times in 5 hands."]
    assert told(build_match_scenes(match("ABC", "ABC"), ("Ana",)), "changes") == []


def deal(
    number: int, cards: str, *losers: str, swaps: str = "", anew: int = 0, standing: Sequence[Any] = (), total: int = -3
) -> Hand:
    """Make a deal of a game with lives.

    `losers` such as “C5d” name the player who lost a dime and the card. `swaps` such as “AB” name two players.
    """
    held = dict(zip(NAMES.values(), cards.split(), strict=False))
    events: list[dict[str, Any]] = [{"e": "game_begun", "dimes": anew, "stake": anew, "n": 0}] if anew else []
    events += [{"e": "swapped", "by": NAMES[a], "to": NAMES[b], "n": n} for n, (a, b) in enumerate(swaps.split(), 1)]
    events += [{"e": "dime_lost", "by": NAMES[who], "cards": card, "n": 9} for who, card in map(_loser, losers)]
    reasons = [{"name": NAMES[who[0]], "amount": -1, "unit": "dimes", "key": "", "values": {}} for who in losers]
    result = {"standing": list(standing), "titles": {}, "ledger": {}, "events": [], "reasons": reasons, "goes_on": True}
    return Hand(
        number,
        dict.fromkeys(NAMES.values(), total),
        StoredHand({"cards": held, "actions": []}, events, result, False, (), (), ()),
    )


def _loser(text: str) -> tuple[str, str]:
    return text[0], text[1:]


def test_the_story_of_a_stopped_game_of_lives_names_players_with_most_lives() -> None:
    found = build_match_scenes(
        [deal(0, "5c 6c 7c 8c", "A5c", anew=3), deal(1, "2c 6c 7c 8c", "B6c"), deal(2, "9c 6c 7c 8c", "C7c")], ()
    )
    assert told(found, "won") == ["Dan has 3 dimes left when the match stops, more than any other player."]
    level = build_match_scenes([deal(0, "5c 6c 7c 8c", "A5c", anew=3), deal(1, "2c 6c 7c 8c", "B6c")], ())
    assert told(level, "won") == [
        "Cat and Dan have 3 dimes left each when the match stops, more than any other player."
    ]
    # Points count first: a player who has won a game is ahead, even with fewer dimes left.
    ahead = [deal(0, "5c 6c 7c 8c", "A5c", anew=3)]
    ahead = [Hand(0, {**ahead[0].totals, "Ana": 9}, ahead[0].stored)]
    assert told(build_match_scenes(ahead, ()), "won") == ["Ana is ahead when the match stops."]


def test_a_player_out_first_in_an_unfinished_game_of_lives_is_not_told_as_first() -> None:
    hands = [
        deal(0, "5c 6c 7c 8c", "A5c", anew=1, standing=["Ana"]),
        deal(1, "- 6c 7c 8c", "B6c", standing=["Bob", "Ana"]),
        deal(2, "- - 7c 8c", standing=["Bob", "Ana"]),
    ]
    found = build_match_scenes(hands, ())
    assert [told(found, kind) for kind in ("firsts", "reign", "close")] == [[], [], []]


def test_a_game_of_lives_tells_the_longest_lead_and_survival_on_the_last_life() -> None:
    hands = [
        deal(0, "5c 6c 7c 8c", "A5c", "B6c", anew=2),
        deal(1, "5c 6c 7c 8c", "C7c"),
        deal(2, "5c 6c 7c 8c", "A5c"),
        # A new game resets the lead and the last lives.
        deal(3, "5c 6c 7c 8c", anew=2),
    ]
    found = build_match_scenes(hands, ())
    assert told(found, "reign") == ["Dan is ahead of all other players for 2 hands in a row."]
    assert told(found, "edge") == ["Bob plays 2 hands in a row with 1 dime left."]
    assert place(found, "edge") == (2, 9), "the end of the hand"
    assert (
        told(build_match_scenes([deal(0, "5c 6c 7c 8c", anew=1), deal(1, "5c 6c 7c 8c"), deal(2, "5c 6c")], ()), "edge")
        == []
    )


def test_a_match_story_tells_the_losing_card_that_was_swapped_most_often() -> None:
    near = deal(0, "5c 6c 7c 8c", "B5c", swaps="AB", anew=3)
    far = deal(1, "5d 6c 7c 8c", "C5d", swaps="AB BC")
    assert told(build_match_scenes([near], ()), "passed") == ["Ana swaps the 5♣ away, and Bob is left with it."]
    assert told(build_match_scenes([near, far, near], ()), "passed") == [
        "The 5♦ of Ana is swapped 2 times, and Cat is left with it."
    ]
    assert place(build_match_scenes([near, far], ()), "passed") == (1, 2)
    # The card must have been received by a swap: the player's own card and cards from the stock don't count.
    assert told(build_match_scenes([deal(0, "5c 6c 7c 8c", "A5c", anew=3)], ()), "passed") == []
    assert told(build_match_scenes([deal(0, "5c 6c 7c 8c", "A2s", swaps="AB", anew=3)], ()), "passed") == []


def test_a_match_story_ignores_cut_off_hands() -> None:
    hands = [*match("ABC", "ABC"), hand(2, "CBA", cut_off=True)]
    assert told(build_match_scenes(hands, ()), "rose") == []
    assert build_match_scenes([hand(0, "CBA", cut_off=True)], ()) == ()


def test_a_match_story_tells_the_longest_stay_at_last_place_and_the_largest_play() -> None:
    found = build_match_scenes(match("ABC", "ABC", "BAC"), ("Ana",))
    assert told(found, "bottom") == ["Cat is Vice-Scum for 3 hands in a row."]
    assert told(build_match_scenes(match("ABC", "ABC", titled=False), ("Ana",)), "bottom") == []
    three = [*played(2, "A", "5c 5d 5h"), *played(4, "B", "6c 6d 6h"), *played(6, "C", "7c 7d")]
    found = build_match_scenes([hand(0, "ABC", events=three)], ("Ana",))
    assert (told(found, "most"), place(found, "most")) == (["played"], (0, 4))
    assert told(build_match_scenes([hand(0, "ABC", events=played(6, "C", "7c 7d"))], ("Ana",)), "most") == []
    great = [*three, *played(8, "A", "8c 8d 8h 8s", "revolution")]
    assert told(build_match_scenes([hand(0, "ABC", events=great)], ("Ana",)), "most") == []
