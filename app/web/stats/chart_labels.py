"""Charts with player names beside them, for the stats of rooms and persons: numbers in, SVG out.

Lines are in the order of the names. Keys of charts start with the game's key; the page finds them by it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from markupsafe import Markup

from app.stats import tallies as count
from app.store.history.tallies import Tallies
from app.web.i18n.catalogues import Texts
from app.web.stats import svg_charts
from app.web.stats.common import PlayerView

ENOUGH_DEALT: Final = 5
"""Hands needed before a luck chart is drawn: with fewer it means nothing."""


@dataclass(frozen=True, slots=True)
class Label:
    """A player and their last value, shown beside a chart in the row where the player's line ends."""

    who: PlayerView
    value: str
    place: int = 0
    """The place that decides what the bird wears, from 1 to `places`; 0: it wears nothing."""
    places: int = 0


@dataclass(frozen=True, slots=True)
class LabelledChart:
    """A chart for a stats page: the SVG drawings, the names beside them, its heading and a text alternative."""

    key: str
    heading: str
    sentence: str
    """Text alternative for people who can't see the chart."""
    plot: Markup
    """Empty for a list of names without a chart."""
    ends: Markup
    labels: tuple[Label, ...]
    starts: tuple[PlayerView | None, ...] = ()
    """The player in each row at the first hand, for charts of ranks."""
    hands: int = 0
    """Number of hands that can be pointed at; 0 if the table has no rows for them."""
    marks: tuple[str, ...] = ()
    """Kinds of marks in the chart, for its legend."""
    edges: tuple[str, ...] = ()
    """Words at the upper and the lower edge."""


NamedSeries: TypeAlias = tuple[PlayerView, Sequence[float | None]]
"""A player with their numbers by hand or by evening; None while absent."""


def chart_series(lines: Iterable[NamedSeries]) -> list[svg_charts.Series]:
    """Turn lines of players' numbers into series for an SVG chart, with the key and colour of each player."""
    return [svg_charts.Series(who.key, who.hue, tuple(values)) for who, values in lines]


def labels_text(labels: Iterable[Label], texts: Texts) -> str:
    """Return the names and values beside a chart as one sentence part, as its text alternative for screen readers."""
    parts = (texts.labelled(label.who.name, label.value) if label.value else label.who.name for label in labels)
    return texts.join_list(list(parts))


def points_by_hand_chart(game: str, sums: Sequence[NamedSeries], texts: Texts) -> LabelledChart:
    """Build the chart of all players' summed points in one game, hand by hand through a session."""
    drawn = _points_chart(f"{game}-points", "book.ledger", "book.ledger.said", sums, texts)
    return replace(drawn, hands=max(len(values) for _, values in sums))


def points_by_session_chart(game: str, sums: Sequence[NamedSeries], texts: Texts) -> LabelledChart:
    """Build the chart of players' summed points in one game, with one value for each session."""
    return _points_chart(f"{game}-evenings", "book.over_evenings", "book.over_evenings.said", sums, texts)


def _points_chart(key: str, heading: str, description: str, sums: Sequence[NamedSeries], texts: Texts) -> LabelledChart:
    chart = svg_charts.points_chart(chart_series(sums))
    labels = tuple(Label(who, texts.signed(int(values[-1] or 0))) for who, values in sums)
    said = texts.t(description, count=chart.hands, standing=labels_text(labels, texts))
    return LabelledChart(
        key, texts.t(heading), said, svg_charts.draw_plot(chart), svg_charts.draw_line_ends(chart), labels
    )


def mean_places_chart(
    game: str, means: Sequence[NamedSeries], texts: Texts, order: Sequence[str] = ()
) -> LabelledChart:
    """Build the chart of players' mean places in one game, with one value for each session.

    100 is always first, 0 always last. `order` has the keys of the players from the best to the worst, who wear it.
    """
    chart = svg_charts.means_chart(chart_series(means))
    labels = tuple(
        Label(who, _format_mean(values[-1], texts), order.index(who.key) + 1 if order else 0, len(order))
        for who, values in means
    )
    said = texts.t("book.places.said", count=chart.hands, standing=labels_text(labels, texts))
    plot, ends = svg_charts.draw_plot(chart), svg_charts.draw_line_ends(chart)
    return LabelledChart(f"{game}-places", texts.t("book.places"), said, plot, ends, labels, marks=("mean",))


def own_places_chart(
    heading: str, said: str, label: Label, values: Sequence[float | None], edges: tuple[str, str], *, is_by_hand: bool
) -> LabelledChart:
    """Build the chart of one person's places, from 100 (first) to 0 (last), by session or by hand.

    `said` is its text alternative, `label` stands at the end of the line, and `edges` name the top and the bottom.
    """
    chart = replace(svg_charts.means_chart(chart_series([(label.who, values)])), curved=is_by_hand)
    plot, ends = svg_charts.draw_plot(chart), svg_charts.draw_line_ends(chart)
    return LabelledChart("own-places", heading, said, plot, ends, (label,), edges=edges)


def _format_mean(value: float | None, texts: Texts) -> str:
    return "" if value is None else texts.number(round(value))


def luck_chart(game: str, everybody: Iterable[tuple[PlayerView, Tallies]], texts: Texts) -> LabelledChart | None:
    """Build a chart that compares each player's luck (cards dealt) with their result, best use of luck first.

    Players with few dealt hands are left out; None if nobody is left.
    """
    means = [
        (who, counted.get(count.LUCK, 0) / dealt, counted.get(count.PERFORMANCE, 0) / dealt)
        for who, counted in everybody
        if (dealt := counted.get(count.DEALT, 0)) >= ENOUGH_DEALT
    ]
    if not means:
        return None
    means.sort(key=lambda each: each[1] - each[2])
    plot = svg_charts.draw_comparison(
        [svg_charts.GivenAndGained(who.key, who.hue, given, gained) for who, given, gained in means]
    )
    labels = tuple(
        Label(who, texts.t("book.luck.value", luck=round(given), made=round(gained))) for who, given, gained in means
    )
    said = labels_text(labels, texts)
    return LabelledChart(f"{game}-luck", texts.t("book.luck"), said, plot, Markup(), labels, marks=("given", "made"))
