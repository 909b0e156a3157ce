"""What the books say of numbers: who has which colour, what is worth a row, how sure a rating is, falls and reigns."""

from datetime import UTC, datetime, timedelta

import pytest

from app import resources
from app.stats import tallies as count
from app.stats.ratings import Rating
from app.store.history.room_stats import ChartHand, ChartSeat, EveningLine, EveningScore, RoomBook, RoomPlayer
from app.web.i18n.catalogues import Catalogues
from app.web.stats.common import company, end_title, numbers
from app.web.stats.person_page import rating
from app.web.stats.room_page import of_evening, of_room

ENGLISH = Catalogues(resources.static() / "messages").english
T0 = datetime(2026, 1, 2, 20, tzinfo=UTC)


def player(name: str, came: int, colour: str | None = None) -> RoomPlayer:
    at = T0 + timedelta(minutes=came)
    return RoomPlayer(name.lower(), name, False, None, colour, 3, at, at)


def hand(nth: int, *ranks: tuple[str, int | None, int]) -> ChartHand:
    """A hand: who had which rank before, and which after it."""
    titles = {1: "King", len(ranks): "Serf"}
    seats = (
        ChartSeat(who, rank, before, rank, titles.get(rank, "High Two"), 50, len(ranks) - rank, nth)
        for who, before, rank in ranks
    )
    return ChartHand(nth, "m", nth - 1, "ceausescu", T0, tuple(seats))


def test_colours_that_were_chosen_stay_and_the_others_are_free_ones_by_when_people_came() -> None:
    found = company([player("Cat", 3), player("Ana", 1), player("Bob", 2, "straw")])
    assert {each.name: each.hue for each in found.values()} == {"Bob": 0, "Ana": 1, "Cat": 2}
    many = company([player(f"P{n}", n) for n in range(20)])
    assert {each.hue for each in many.values()} == set(range(8))


def evening(number: int, made: dict[str, int]) -> EveningLine:
    """An evening of two hands, and what everybody made of both together."""
    scores = (EveningScore("president", who, 2, 0, 0, 0, 0, 100, sum_of, 2) for who, sum_of in made.items())
    return EveningLine(number, T0, T0, 2 * number - 1, 2, 0, tuple(scores))


def test_mean_places_are_drawn_evening_by_evening() -> None:
    players = (player("Ana", 1), player("Bob", 2), player("Cat", 3))
    tallies = {each.player: {count.HANDS: 4} for each in players}
    book = RoomBook(True, 6, 3, players, {"president": tallies}, {}, ())
    nights = [
        evening(3, {"ana": 100, "bob": 150, "cat": 50}),
        evening(2, {"ana": 200, "bob": 0}),
        evening(1, {"ana": 0, "bob": 100, "cat": 200}),
    ]
    [game] = of_room(book, nights, ENGLISH, company(players))
    [places] = game.figures  # nobody has points, so there is no other
    assert [(label.who.name, label.value) for label in places.labels] == [("Bob", "75"), ("Ana", "50"), ("Cat", "25")]
    assert places.sentence == "Mean places over 3 evenings. The last: Bob: 75, Ana: 50 and Cat: 25."
    cat = next(label.who.key for label in places.labels if label.who.name == "Cat")
    assert places.plot.count(f'data-who="{cat}"') == 3  # two dots, and a line only where there is something to join
    [alone] = of_room(book, nights[:1], ENGLISH, company(players))
    assert alone.figures == ()


def test_falls_rises_and_reigns_are_marked() -> None:
    hands = [
        hand(1, ("ana", None, 1), ("bob", None, 2), ("cat", None, 3)),
        hand(2, ("ana", 1, 1), ("bob", 2, 2), ("cat", 3, 3)),
        hand(3, ("ana", 1, 3), ("bob", 2, 2), ("cat", 3, 1)),
    ]
    people = company([player("Ana", 1), player("Bob", 2), player("Cat", 3)])
    [game] = of_evening(hands, (), 1, people, ENGLISH)
    ranks = next(figure for figure in game.figures if figure.starts)
    assert ranks.marks == ("band", "fall", "rise")
    assert ranks.plot.count("<rect") == 2  # Ana reigned for two hands, Cat for one
    assert [label.who.name for label in ranks.labels] == ["Cat", "Bob", "Ana"]
    assert [label.value for label in ranks.labels] == ["King", "High Two", "Serf"]
    assert [who.name for who in ranks.starts if who] == ["Ana", "Bob", "Cat"]
    assert [row.number for row in game.rows] == [1, 2, 3]
    [alone] = of_evening(hands[:1], (), 1, people, ENGLISH)
    assert alone.figures == ()  # of one hand there is nothing to draw


def test_only_what_somebody_has_is_a_row() -> None:
    ana = {count.HANDS: 9, count.FIRST: 4, count.TOP: 4, count.TITLE + "King": 4, count.MOMENT + "bomb": 2}
    bob = {count.HANDS: 9, count.FIRST: 5, count.TOP: 5, count.TITLE + "King": 5, count.BOTTOM: 1}
    bob[count.TITLE + "Serf"] = 1
    rows = {row.label: (row.cells, row.most) for row in numbers([ana, bob], ENGLISH)}
    assert rows == {
        "Hands": (("9", "9"), None),
        "First": (("4", "5"), 1),
        "As King": (("4", "5"), 1),
        "As Serf": (("", "1"), 1),
        "bomb": (("2", ""), 0),
    }
    assert end_title([ana, bob], "top", ENGLISH) == "King"
    assert end_title([ana, bob], "bottom", ENGLISH) == "Serf"
    # Under other titles on another evening, nobody can say what those at the top are called.
    assert end_title([{**ana, count.TOP: 6, count.TITLE + "President": 2}, bob], "top", ENGLISH) is None


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "A rating is shown after 20 more hands with other people."),
        (Rating(30, 2, 19), "A rating is shown after one more hand with other people."),
        (Rating(25, 1, 400), "Rating 1,500, and fairly sure: between 1,380 and 1,620, after 400 hands"),
        (Rating(30, 3, 40), "Rating about 1,800: somewhere between 1,440 and 2,160, after 40 hands"),
        (Rating(30, 8, 20), "Rating 1,800, but hardly sure yet: anywhere between 840 and 2,760, after 20 hands"),
    ],
)
def test_a_rating_is_a_range_in_words(found: Rating | None, said: str) -> None:
    assert rating(found, ENGLISH).startswith(said)
