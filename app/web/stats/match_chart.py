"""The chart of places on the page of a match: a line for each player, from the first hand to the last. Pure."""

from collections.abc import Mapping
from typing import Final

from app.rooms.people.avatars import PlayerFace
from app.stats.match_story import standings_by_hand
from app.store.history.match_stories import MatchForStandings
from app.web.i18n.catalogues import Texts
from app.web.i18n.event_text import title_text
from app.web.stats import chart_labels, svg_charts
from app.web.stats.chart_labels import Label, LabelledChart
from app.web.stats.common import PlayerView

HANDS_DRAWN: Final = 120
"""Limit for the hands in the chart: of a longer match, only hands at even distances are drawn."""


def places_chart(whole: MatchForStandings, faces: Mapping[str, PlayerFace], texts: Texts) -> LabelledChart | None:
    """Return the chart of the places in a match after each hand; None for fewer than two hands.

    `faces` has the faces of the players of the last hand by name; others are left out.
    """
    stands = standings_by_hand(whole.hands)
    if len(stands) < 2:
        return None
    last = stands[-1]
    step = -(-len(stands) // HANDS_DRAWN)
    drawn = stands[(len(stands) - 1) % step :: step]
    bots = {player.name for player in whole.match.players if player.bot}
    views = {
        name: PlayerView(f"p{number}", texts.shown_name(name), faces[name].hue, faces[name].bird, name in bots)
        for number, name in enumerate(sorted(last, key=lambda name: last[name].place))
        if name in faces
    }
    lines = [
        (view, [stand.place if (stand := there.get(name)) else None for there in drawn]) for name, view in views.items()
    ]
    chart = svg_charts.ranks_chart(chart_labels.chart_series(lines))
    labels = tuple(
        Label(view, title_text(last[name].title, texts), row, len(views))
        for row, (name, view) in enumerate(views.items(), 1)
    )
    return LabelledChart(
        "places",
        texts.t("match.places"),
        texts.t("book.ranks.said", count=len(stands), standing=chart_labels.labels_text(labels, texts)),
        svg_charts.draw_plot(chart),
        svg_charts.draw_line_ends(chart),
        labels,
    )
