"""The stats page of a person, over all their rooms, built from stored data. Pure functions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from app.rooms.model.state import to_milliseconds
from app.stats import tallies as count
from app.stats.ratings import Rating
from app.stats.reigns import ENDS
from app.store.history.person_stats import (
    PersonEvening,
    PersonGameStats,
    PersonHand,
    PersonRoomStats,
    PersonStats,
    Rival,
)
from app.store.history.room_stats import HighlightLine
from app.web.i18n import event_text
from app.web.i18n.catalogues import Texts
from app.web.i18n.event_text import game_name
from app.web.stats import chart_labels
from app.web.stats.chart_labels import Label, LabelledChart
from app.web.stats.common import (
    PlayerView,
    ReignsView,
    TallyRow,
    other_person,
    reigns_view,
    tally_rows,
    title_at_end,
)

SCALE: Final = 60
"""Displayed rating points for each point of the model; a new player has 1,500."""
SURE: Final = 150
"""A rating whose range is at most this wide (±) is called sure."""
UNSURE: Final = 400
OF_A_KIND: Final = 4
"""Limit for highlights of one kind, so that frequent kinds leave room for rare ones."""
MOMENTS_LISTED: Final = 20


@dataclass(frozen=True, slots=True)
class RivalView:
    """A frequent opponent of a person, with the number of hands in which each was placed above the other."""

    who: PlayerView
    game: str
    """The name of the game."""
    above: int
    """Hands in which this opponent was placed above the reader."""
    below: int
    """Hands in which the reader was placed above this opponent."""


@dataclass(frozen=True, slots=True)
class EndView:
    """The number of hands of a person at one end of the hierarchy, in words, and the place that the bird wears."""

    said: str
    place: int


@dataclass(frozen=True, slots=True)
class PictureView:
    """The picture with which a person's stats begin: their places over time, their hats, and their rivals."""

    figure: LabelledChart
    ends: tuple[EndView, ...]
    nemesis: RivalView | None
    """Who brings the person down most in one game."""
    victim: RivalView | None


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """A person's stats in one game, over all rooms, ready for their stats page."""

    game: str
    name: str
    numbers: tuple[TallyRow, ...]
    rating: str
    reigns: tuple[ReignsView, ...]
    figures: tuple[LabelledChart, ...]


@dataclass(frozen=True, slots=True)
class RoomPlayed:
    """A room in which a person played, for the list on their stats page."""

    code: str | None
    """The current code; None if the person no longer belongs to the room."""
    name: str
    hands: int
    with_bots: int
    """Hands in which at least one bot played."""
    at: int


def game_views(
    stats: PersonStats, evenings: Sequence[PersonEvening], me: PlayerView, texts: Texts
) -> tuple[GamePlayed, ...]:
    """Return a person's stats as their page shows them, by game, most played first.

    `evenings` are their latest sessions, newest first, for the charts.
    """
    order = sorted(stats.games, key=lambda game: -stats.games[game].tallies.get(count.HANDS, 0))
    has_others = len(order) > 1
    return tuple(_game_view(game, stats.games[game], evenings, me, texts, has_others=has_others) for game in order)


def _game_view(
    game: str,
    found: PersonGameStats,
    evenings: Sequence[PersonEvening],
    me: PlayerView,
    texts: Texts,
    *,
    has_others: bool,
) -> GamePlayed:
    """Return the stats in one game. Without other games, its places are those of the picture above, and left out."""
    people = {reign.player: me for reign in found.reigns}
    reigns = (reigns_view(found.reigns, end, title_at_end([found.tallies], end, texts), people, texts) for end in ENDS)
    drawn = (
        chart_labels.luck_chart(game, [(me, found.tallies)], texts),
        _mean_places_chart(game, evenings, me, texts) if has_others else None,
        _points_chart(game, evenings, me, texts),
    )
    return GamePlayed(
        game,
        game_name(game, texts),
        tally_rows([found.tallies], texts),
        rating_text(found.rating, texts),
        tuple(each for each in reigns if each is not None),
        tuple(figure for figure in drawn if figure is not None),
    )


def picture_view(
    stats: PersonStats, evenings: Sequence[PersonEvening], latest: Sequence[PersonHand], me: PlayerView, texts: Texts
) -> PictureView | None:
    """Return the picture with which a person's stats begin; None before their first hand.

    `evenings` are their latest sessions, newest first. `latest` are hands of the newest one, oldest first, which are
    drawn one by one as long as there is only one session.
    """
    if not latest:
        return None
    nights: dict[tuple[str, int], tuple[int, int]] = {}
    for each in reversed(evenings):
        made, dealt = nights.get((each.room, each.evening), (0, 0))
        nights[each.room, each.evening] = made + each.score.made, dealt + each.score.dealt
    means = [made / dealt for made, dealt in nights.values() if dealt]
    now = next((hand for hand in reversed(latest) if hand.rank), None)
    title = "" if now is None else event_text.title_text(now.title, texts)
    label = Label(me, title, (now and now.rank) or 0, (now and now.last_rank) or 0)
    edges = texts.t("me.places.first"), texts.t("me.places.last")
    if len(means) > 1:
        said = texts.t("me.places.said", count=len(means), value=texts.number(round(means[-1])))
        figure = chart_labels.own_places_chart(texts.t("me.places"), said, label, means, edges, is_by_hand=False)
    else:
        places = texts.join_list([texts.number(hand.place) for hand in latest if hand.place])
        said = texts.t("me.places.hands.said", count=len(latest), places=places)
        by_hand = [hand.performance for hand in latest]
        figure = chart_labels.own_places_chart(texts.t("me.places.hands"), said, label, by_hand, edges, is_by_hand=True)
    games = stats.games.values()
    ends = (
        EndView(texts.t(said, count=number), place)
        for key, said, place in ((count.TOP, "me.ends.top", 1), (count.BOTTOM, "me.ends.bottom", 2))
        if (number := sum(game.tallies.get(key, 0) for game in games))
    )
    nemesis, victim = (
        _rival_view(found, me, texts)
        for found in (
            [(key, rival) for key, game in stats.games.items() for rival in game.nemeses],
            [(key, rival) for key, game in stats.games.items() for rival in game.victims],
        )
    )
    return PictureView(figure, tuple(ends), nemesis, victim)


def rating_text(found: Rating | None, texts: Texts) -> str:
    """Return a person's rating with its range as a sentence; empty before enough hands."""
    if found is None or not found.is_established:
        return ""
    middle, around = round(found.mu * SCALE), round(2 * found.sigma * SCALE)
    sure = "me.rating.sure" if around <= SURE else "me.rating.rough" if around <= UNSURE else "me.rating.unsure"
    return texts.t(sure, rating=middle, low=middle - around, high=middle + around, count=found.hands)


def _mean_places_chart(
    game: str, evenings: Iterable[PersonEvening], me: PlayerView, texts: Texts
) -> LabelledChart | None:
    """Return the chart of a person's mean place in one game by session, oldest first; None for fewer than two."""
    scores = [each.score for each in reversed(list(evenings)) if each.score.game == game and each.score.dealt]
    if len(scores) < 2:
        return None
    return chart_labels.mean_places_chart(game, [(me, [score.made / score.dealt for score in scores])], texts)


def _points_chart(game: str, evenings: Iterable[PersonEvening], me: PlayerView, texts: Texts) -> LabelledChart | None:
    """Return the chart of a person's summed points in one game by session.

    None for fewer than two sessions, or without any points.
    """
    points = [each.score.points for each in reversed(list(evenings)) if each.score.game == game]
    if len(points) < 2 or not any(points):
        return None
    return chart_labels.points_by_session_chart(game, [(me, list(accumulate(points)))], texts)


def _rival_view(found: Sequence[tuple[str, Rival]], me: PlayerView, texts: Texts) -> RivalView | None:
    """Return a view of the rival with the largest margin, with the name of the game; None if there are none.

    `found`: keys of games and rivals in them.
    """
    if not found:
        return None
    game, best = max(found, key=lambda each: abs(each[1].margin))
    who = other_person(best.name or texts.t("me.somebody"), best.bird, best.colour, me)
    return RivalView(who, game_name(game, texts), best.below, best.above)


def room_views(found: Iterable[PersonRoomStats], codes: Mapping[str, str]) -> tuple[RoomPlayed, ...]:
    """Return the rooms where a person played, in the given order, for their stats page.

    `codes` has the codes of rooms that they may still open, by id; the others are listed without a link.
    """
    return tuple(
        RoomPlayed(codes.get(each.room), each.name, each.hands, each.with_bots, to_milliseconds(each.last_at))
        for each in found
    )


def latest_of_each_kind(found: Iterable[HighlightLine]) -> list[HighlightLine]:
    """Return the latest of these highlights, at most `MOMENTS_LISTED`, and at most `OF_A_KIND` of each kind.

    `found` is newest first. So frequent kinds leave room for rare ones.
    """
    seen: dict[str, int] = {}
    latest: list[HighlightLine] = []
    for highlight in found:
        what = highlight.highlight.what
        seen[what] = seen.get(what, 0) + 1
        if seen[what] <= OF_A_KIND:
            latest.append(highlight)
    return latest[:MOMENTS_LISTED]
