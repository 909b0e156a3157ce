"""Charts with the names beside them, as the books of a room and of a person show them: numbers in, pictures out.

Lines come in the order in which the names stand. A game's key begins that of its figures, by which the page finds them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from markupsafe import Markup

from app.stats import tallies as count
from app.store.history.room_stats import Tallies
from app.web.i18n.catalogues import Texts
from app.web.stats import svg_charts
from app.web.stats.common import Named

ENOUGH_DEALT: Final = 5
"""Hands before luck is compared with what was made of it: of fewer it says nothing."""


@dataclass(frozen=True, slots=True)
class Label:
    """A name beside a chart, in the row where its line ends."""

    who: Named
    value: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with the names beside it."""

    key: str
    heading: str
    sentence: str
    """What it shows, for those who don't see it."""
    plot: Markup
    ends: Markup
    labels: tuple[Label, ...]
    starts: tuple[Named | None, ...] = ()
    """Who begins in which row, where rows are ranks."""
    hands: int = 0
    """How many there are to point at; none: the table beside it has no rows for them."""
    marks: tuple[str, ...] = ()
    """What is marked in it, in words."""


Line: TypeAlias = tuple[Named, Sequence[float | None]]
"""Somebody's numbers, from hand to hand or from evening to evening; None where they were not there."""


def courses(lines: Iterable[Line]) -> list[svg_charts.Course]:
    """The same as a chart draws it."""
    return [svg_charts.Course(who.key, who.hue, tuple(values)) for who, values in lines]


def standing(labels: Iterable[Label], texts: Texts) -> str:
    """Everybody with what stands beside their name, for those who hear it."""
    return texts.listed([f"{label.who.name}: {label.value}" if label.value else label.who.name for label in labels])


def points_of_hands(game: str, sums: Sequence[Line], texts: Texts) -> Figure:
    """Draw everybody's points from hand to hand."""
    drawn = _points(f"{game}-points", "book.ledger", "book.ledger.said", sums, texts)
    return replace(drawn, hands=max(len(values) for _, values in sums))


def points_of_evenings(game: str, sums: Sequence[Line], texts: Texts) -> Figure:
    """Draw everybody's points from evening to evening."""
    return _points(f"{game}-evenings", "book.over_evenings", "book.over_evenings.said", sums, texts)


def _points(key: str, heading: str, told: str, sums: Sequence[Line], texts: Texts) -> Figure:
    chart = svg_charts.of_points(courses(sums))
    labels = tuple(Label(who, texts.signed(int(values[-1] or 0))) for who, values in sums)
    said = texts.t(told, count=chart.hands, standing=standing(labels, texts))
    return Figure(key, texts.t(heading), said, svg_charts.plot(chart), svg_charts.ends(chart), labels)


def places(game: str, means: Sequence[Line], texts: Texts) -> Figure:
    """Draw mean places from evening to evening: 100 is the first place, 0 the last."""
    chart = svg_charts.of_means(courses(means))
    labels = tuple(Label(who, _mean(values[-1], texts)) for who, values in means)
    said = texts.t("book.places.said", count=chart.hands, standing=standing(labels, texts))
    plot, ends = svg_charts.plot(chart), svg_charts.ends(chart)
    return Figure(f"{game}-places", texts.t("book.places"), said, plot, ends, labels, marks=("mean",))


def _mean(value: float | None, texts: Texts) -> str:
    return "" if value is None else texts.number(round(value))


def luck(game: str, everybody: Iterable[tuple[Named, Tallies]], texts: Texts) -> Figure | None:
    """Draw what was dealt to everybody beside what they made of it, who made most of it first; None of so few hands
    that it says nothing."""
    means = [
        (who, counted.get(count.LUCK, 0) / dealt, counted.get(count.MADE, 0) / dealt)
        for who, counted in everybody
        if (dealt := counted.get(count.DEALT, 0)) >= ENOUGH_DEALT
    ]
    if not means:
        return None
    means.sort(key=lambda each: each[1] - each[2])
    plot = svg_charts.comparison([svg_charts.GivenAndMade(who.key, who.hue, given, made) for who, given, made in means])
    labels = tuple(
        Label(who, texts.t("book.luck.value", luck=round(given), made=round(made))) for who, given, made in means
    )
    said = standing(labels, texts)
    return Figure(f"{game}-luck", texts.t("book.luck"), said, plot, Markup(), labels, marks=("given", "made"))
