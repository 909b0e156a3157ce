"""Test the data of the stats pages: faces, rows, ratings in words, falls and reigns."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.stats import tallies as count
from app.stats.ratings import Rating
from app.store.history.person_stats import PersonEvening, PersonGameStats, PersonHand, PersonStats, Rival
from app.store.history.room_stats import ChartHand, ChartSeat, EveningLine, EveningScore, RoomPlayer, RoomStats
from app.web.i18n.catalogues import Catalogues
from app.web.stats.chart_labels import Label
from app.web.stats.common import PlayerView, named_players, tally_rows, title_at_end
from app.web.stats.person_page import picture_view, rating_text
from app.web.stats.room_page import room_game_views, session_views

ENGLISH = Catalogues().english
T0 = datetime(2026, 1, 2, 20, tzinfo=UTC)


def player(name: str, came: int) -> RoomPlayer:
    at = T0 + timedelta(minutes=came)
    return RoomPlayer(name.lower(), name, False, 3, at, at)


def hand(nth: int, *ranks: tuple[str, int | None, int]) -> ChartHand:
    """Make a hand from the players' places before and after it."""
    titles = {1: "King", len(ranks): "Serf"}
    seats = (
        ChartSeat(who, rank, before, rank, titles.get(rank, "High Two"), 50, len(ranks) - rank, nth)
        for who, before, rank in ranks
    )
    return ChartHand(nth, "m", nth - 1, "ceausescu", T0, tuple(seats))


def test_players_whom_the_room_has_forgotten_get_different_faces_in_order_of_arrival() -> None:
    found = named_players([player("Cat", 3), player("Ana", 1), player("Bob", 2)])
    assert {each.name: (each.bird, each.hue) for each in found.values()} == {
        "Ana": ("sparrow", 0), "Bob": ("robin", 1), "Cat": ("jay", 2)
    }  # fmt: skip
    many = named_players([player(f"P{n}", n) for n in range(20)])
    assert {each.hue for each in many.values()} == set(range(8))
    assert len({(each.bird, each.hue) for each in many.values()}) == 20


def evening(number: int, made: dict[str, int]) -> EveningLine:
    """Make an evening of two hands with the sums of the players' results."""
    scores = (EveningScore("president", who, 2, 0, 0, 0, 0, 100, sum_of, 2) for who, sum_of in made.items())
    return EveningLine(number, T0, T0, 2 * number - 1, 2, 0, tuple(scores))


def test_average_places_are_charted_by_evening() -> None:
    players = (player("Ana", 1), player("Bob", 2), player("Cat", 3))
    tallies = {each.player: {count.HANDS: 4} for each in players}
    book = RoomStats(6, 3, players, {"president": tallies}, {}, ())
    nights = [
        evening(3, {"ana": 100, "bob": 150, "cat": 50}),
        evening(2, {"ana": 200, "bob": 0}),
        evening(1, {"ana": 0, "bob": 100, "cat": 200}),
    ]
    [game] = room_game_views(book, nights, ENGLISH, named_players(players))
    [places] = game.figures  # without points there is only this chart
    assert [(label.who.name, label.value) for label in places.labels] == [("Bob", "75"), ("Ana", "50"), ("Cat", "25")]
    assert places.sentence == "Average places over 3 sessions. The latest: Bob: 75, Ana: 50 and Cat: 25."
    cat = next(label.who.key for label in places.labels if label.who.name == "Cat")
    assert places.plot.count(f'data-who="{cat}"') == 3  # two dots and one line
    [alone] = room_game_views(book, nights[:1], ENGLISH, named_players(players))
    assert alone.figures == ()


def test_the_rank_chart_marks_falls_rises_and_reigns() -> None:
    hands = [
        hand(1, ("ana", None, 1), ("bob", None, 2), ("cat", None, 3)),
        hand(2, ("ana", 1, 1), ("bob", 2, 2), ("cat", 3, 3)),
        hand(3, ("ana", 1, 3), ("bob", 2, 2), ("cat", 3, 1)),
    ]
    people = named_players([player("Ana", 1), player("Bob", 2), player("Cat", 3)])
    [game] = session_views(hands, (), 1, people, ENGLISH)
    ranks = next(figure for figure in game.figures if figure.starts)
    assert ranks.marks == ("band", "fall", "rise")
    assert ranks.plot.count("<rect") == 2  # Ana reigned for two hands, Cat for one
    assert [label.who.name for label in ranks.labels] == ["Cat", "Bob", "Ana"]
    assert [label.value for label in ranks.labels] == ["King", "High Two", "Serf"]
    assert [who.name for who in ranks.starts if who] == ["Ana", "Bob", "Cat"]
    assert [row.number for row in game.rows] == [1, 2, 3]
    [alone] = session_views(hands[:1], (), 1, people, ENGLISH)
    [result] = alone.figures
    assert (result.plot, [(label.who.name, label.value, label.place) for label in result.labels]) == (
        "",
        [("Ana", "King", 1), ("Bob", "High Two", 2), ("Cat", "Serf", 3)],
    )


def test_only_counts_that_a_player_has_get_a_row() -> None:
    ana = {count.HANDS: 9, count.FIRST: 4, count.TOP: 4, count.TITLE + "King": 4, count.HIGHLIGHT + "bomb": 2}
    bob = {count.HANDS: 9, count.FIRST: 5, count.TOP: 5, count.TITLE + "King": 5, count.BOTTOM: 1}
    bob[count.TITLE + "Serf"] = 1
    rows = {row.label: (row.cells, row.most) for row in tally_rows([ana, bob], ENGLISH)}
    assert rows == {
        "Hands": (("9", "9"), None),
        "First places": (("4", "5"), 1),
        "Hands as King": (("4", "5"), 1),
        "Hands as Serf": (("", "1"), 1),
        "bomb": (("2", ""), 0),
    }
    assert title_at_end([ana, bob], "top", ENGLISH) == "King"
    assert title_at_end([ana, bob], "bottom", ENGLISH) == "Serf"
    # With different titles on another evening, the first place has no single title.
    assert title_at_end([{**ana, count.TOP: 6, count.TITLE + "President": 2}, bob], "top", ENGLISH) is None


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Rating(25, 1, 400), "Rating 1,500, quite certain: between 1,380 and 1,620, after 400 hands"),
        (Rating(30, 3, 40), "Rating about 1,800: between 1,440 and 2,160, after 40 hands"),
        (Rating(30, 8, 20), "Rating 1,800, still uncertain: between 840 and 2,760, after 20 hands"),
    ],
)
def test_a_rating_is_shown_as_a_range_in_words(found: Rating, said: str) -> None:
    assert rating_text(found, ENGLISH).startswith(said)
    assert rating_text(None, ENGLISH) == rating_text(Rating(30, 2, 19), ENGLISH) == ""


def own_hands(*places: int) -> list[PersonHand]:
    """Make a person's hands with three players, from these places."""
    titles = {1: "King", 3: "Serf"}
    return [
        PersonHand("ceausescu", place, place, 3, titles.get(place, "High Two"), 150 - 50 * place) for place in places
    ]


def test_a_newcomer_sees_their_places_their_hat_and_rivals_told_from_their_side() -> None:
    bob, cat = Rival("bob", "Bob", "owl", "sea", 200, 76, 101), Rival("cat", "Cat", None, None, 10, 6, 1)
    found = PersonGameStats({count.HANDS: 3, count.TOP: 2, count.BOTTOM: 1}, None, (), (bob,), (cat,))
    me = PlayerView("ana", "Ana", 0, "robin", bot=False)
    stats, score = PersonStats({"ceausescu": found}, ()), EveningScore("ceausescu", "ana", 3, 2, 9, 2, 1, 150, 200, 3)
    night = PersonEvening("room", 1, T0, score)
    picture = picture_view(stats, [night], own_hands(1, 3, 1), me, ENGLISH)
    assert picture is not None
    assert picture.figure.sentence == "Your places in 3 hands: 1, 3 and 1."
    assert picture.figure.labels == (Label(me, "King", 1, 3),)
    assert [end.said for end in picture.ends] == ["2 hands at the top", "1 hand at the bottom"]
    lines = [
        ENGLISH.t(f"me.{kind}", name=each.who.name, game=each.game, above=each.above, below=each.below)
        for kind, each in (("nemesis", picture.nemesis), ("victim", picture.victim))
        if each is not None
    ]
    assert lines == [
        "Strongest rival: Bob, in Ceausescu. Hands above you: 101, below you: 76.",
        "Weakest rival: Cat, in Ceausescu. Hands above you: 1, below you: 6.",
    ]
    twin = replace(cat, bird=me.bird, colour="straw")
    alike = picture_view(
        PersonStats({"ceausescu": replace(found, nemeses=(twin,))}, ()), [night], own_hands(1), me, ENGLISH
    )
    assert alike is not None
    assert alike.nemesis is not None
    assert (alike.nemesis.who.bird, alike.nemesis.who.hue) != (me.bird, me.hue)
    # From the second session on, each has one value.
    other = replace(night, evening=2, score=replace(score, made=100))
    later = picture_view(stats, [other, night], own_hands(2), me, ENGLISH)
    assert later is not None
    assert later.figure.sentence.startswith("Your average places over 2 sessions. The latest: 33.")
    assert picture_view(stats, [], [], me, ENGLISH) is None
