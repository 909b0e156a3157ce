"""The stats page of a room, built from stored data for a template. Pure functions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from markupsafe import Markup

from app.engine.match.match import DECREED, DEFIED, OBEYED
from app.rooms.model.state import to_milliseconds
from app.stats import tallies as count
from app.stats.reigns import ENDS
from app.stats.rivals import ENOUGH, HeadToHead, find_rivals
from app.stats.tallies import PairResult
from app.store.history.room_stats import ChartHand, ChartSeat, EveningLine, ReasonSum, RoomStats
from app.web.i18n import event_text
from app.web.i18n.catalogues import Texts
from app.web.i18n.event_text import game_name
from app.web.services.match_links import replay_url
from app.web.stats import chart_labels, svg_charts
from app.web.stats.chart_labels import Label, LabelledChart
from app.web.stats.common import (
    PlayerView,
    ReignsView,
    TallyRow,
    reigns_view,
    tally_rows,
    title_at_end,
)

ORDERS: Final = (DECREED.name, OBEYED.name, DEFIED.name)
"""Highlights with a separate list: decrees, and whether players obeyed them."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's result of one hand, in the table with a chart's data.

    In games without points, `points` and `total` are None.
    """

    title: str
    points: str | None
    total: str | None


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand in the table that shows a chart's data: number, time, link to the replay, and a cell for each player."""

    number: int
    """The number in the evening, from 1."""
    at: int
    href: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class GameOfEvening:
    """The hands of one game in one session of a room, with charts and tables, for the room's stats page."""

    game: str
    name: str
    people: tuple[PlayerView, ...]
    figures: tuple[LabelledChart, ...]
    reasons: tuple[TallyRow, ...]
    """Points by reason."""
    rows: tuple[HandRow, ...]


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The opponents that a player of a room most often lost to (nemesis) and most often beat (victim)."""

    who: PlayerView
    nemesis: tuple[PlayerView, int, int] | None
    """The opponent, and their number of hands above and below this player."""
    victim: tuple[PlayerView, int, int] | None


@dataclass(frozen=True, slots=True)
class GameOfRoom:
    """A room's stats in one game, over all sessions, ready for the room's stats page."""

    game: str
    name: str
    people: tuple[PlayerView, ...]
    numbers: tuple[TallyRow, ...]
    reigns: tuple[ReignsView, ...]
    rivalries: tuple[Rivalry, ...]
    figures: tuple[LabelledChart, ...]
    """The first one is the picture with which the game begins."""


@dataclass(frozen=True, slots=True)
class EveningLink:
    """A session of a room in the list from which readers of the stats page choose one."""

    number: int
    at: int
    hands: int
    with_bots: int
    """Hands in which at least one bot played."""
    games: tuple[str, ...]
    here: bool
    """Whether this evening is shown."""


def session_views(
    hands: Sequence[ChartHand],
    sums: Sequence[ReasonSum],
    first: int,
    people: Mapping[str, PlayerView],
    texts: Texts,
) -> tuple[GameOfEvening, ...]:
    """Return the games of one session in the order played, with charts and tables, for a room's stats page.

    `first` is the number, counted over the whole room, of the session's first hand. `people` are the players by id.
    """
    return tuple(
        _session_game_view(
            game,
            [hand for hand in hands if hand.game == game],
            [each for each in sums if each.game == game],
            first,
            people,
            texts,
        )
        for game in dict.fromkeys(hand.game for hand in hands)
    )


def _session_game_view(
    game: str,
    hands: Sequence[ChartHand],
    reasons: Iterable[ReasonSum],
    first: int,
    people: Mapping[str, PlayerView],
    texts: Texts,
) -> GameOfEvening:
    seats = [{seat.player: seat for seat in hand.seats if seat.player in people} for hand in hands]
    players = list(dict.fromkeys(player for each in seats for player in each))
    sums = _carry_over_points(seats, players)
    order = sorted(players, key=lambda player: -(sums[player][-1] or 0))
    drawn: list[LabelledChart] = []
    if any(seat.rank for each in seats for seat in each.values()):
        drawn.append(_ranks_chart(game, seats, players, people, texts))
    pointed = any(seat.points or seat.sum for each in seats for seat in each.values())
    if pointed:
        drawn.append(
            chart_labels.points_by_hand_chart(game, [(people[player], sums[player]) for player in order], texts)
        )
    rows = tuple(
        HandRow(
            hand.nth - first + 1,
            to_milliseconds(hand.at),
            replay_url(hand.match_id, hand.hand),
            tuple(_build_cell(there.get(player), texts, pointed=pointed) for player in order),
        )
        for hand, there in zip(hands, seats, strict=True)
    )
    if len(hands) == 1:  # one hand makes no chart: the names show its result
        drawn = [replace(chart, plot=Markup(), ends=Markup(), starts=(), marks=()) for chart in drawn[:1]]
    return GameOfEvening(
        game,
        game_name(game, texts),
        tuple(people[player] for player in order),
        tuple(drawn),
        _reason_rows(reasons, order, texts),
        rows,
    )


def _reason_rows(sums: Iterable[ReasonSum], order: Sequence[str], texts: Texts) -> tuple[TallyRow, ...]:
    """Return table rows that say for what reasons players won or lost points: one row a reason, one cell a player.

    `order` has the ids of the players in the order of the columns.
    """
    rows: dict[str, dict[str, str]] = {}
    for each in sums:
        said = texts.t(each.key, **each.values) if each.key in texts else each.key
        counted = f"ledger.{each.unit}"
        amount = texts.t(counted, count=each.amount) if counted in texts else texts.signed(each.amount)
        rows.setdefault(said, {})[each.player] = amount
    return tuple(
        TallyRow(said, tuple(amounts.get(player, "") for player in order), None) for said, amounts in rows.items()
    )


def _carry_over_points(
    seats: Sequence[Mapping[str, ChartSeat]], players: Iterable[str]
) -> dict[str, tuple[float | None, ...]]:
    """Return each player's summed points after each hand, for a chart; None before their first hand.

    A player who sits out a hand keeps the sum.
    """
    found: dict[str, tuple[float | None, ...]] = {}
    for player in players:
        so_far = (there[player].sum if player in there else None for there in seats)
        found[player] = tuple(accumulate(so_far, lambda before, now: before if now is None else now))
    return found


def _build_cell(seat: ChartSeat | None, texts: Texts, *, pointed: bool) -> Cell | None:
    if seat is None:
        return None
    place = "" if seat.place is None else texts.t("book.place", place=seat.place)
    said = event_text.title_text(seat.title, texts) or place
    return Cell(said, texts.signed(seat.points), texts.number(seat.sum)) if pointed else Cell(said, None, None)


def _ranks_chart(
    game: str,
    seats: Sequence[Mapping[str, ChartSeat]],
    players: Sequence[str],
    people: Mapping[str, PlayerView],
    texts: Texts,
) -> LabelledChart:
    ranks = {player: tuple(_rank_of(there.get(player)) for there in seats) for player in players}
    order = sorted(players, key=lambda player: ranks[player][-1] or len(players) + 1)
    lines = chart_labels.chart_series((people[player], ranks[player]) for player in order)
    titled = any(seat.title for there in seats for seat in there.values())
    marks = _rise_and_fall_marks(seats) if titled else []
    chart = svg_charts.ranks_chart(lines, _reign_bands(seats, people), marks)
    titles = [event_text.title_text(there.title, texts) if (there := seats[-1].get(each)) else "" for each in order]
    labels = tuple(
        Label(people[player], title, row, len(order))
        for row, (player, title) in enumerate(zip(order, titles, strict=True), 1)
    )
    began = {first: player for player in players if (first := ranks[player][0])}
    kinds = [kind for kind in ("fall", "rise") if any(mark.what == kind for mark in marks)]
    return LabelledChart(
        f"{game}-ranks",
        texts.t("book.ranks" if titled else "book.ranks.plain"),
        texts.t("book.ranks.said", count=chart.hands, standing=chart_labels.labels_text(labels, texts)),
        svg_charts.draw_plot(chart),
        svg_charts.draw_line_ends(chart),
        labels,
        tuple(people[began[row]] if row in began else None for row in range(1, len(players) + 1)),
        chart.hands,
        ("band", *kinds),
    )


def _rank_of(seat: ChartSeat | None) -> int | None:
    return None if seat is None else seat.rank


def _reign_bands(seats: Sequence[Mapping[str, ChartSeat]], people: Mapping[str, PlayerView]) -> list[svg_charts.Band]:
    """Return coloured bands for a chart of ranks: the ranges of hands in which one player was first."""
    found: list[svg_charts.Band] = []
    ruler: str | None = None
    for hand, there in enumerate(seats):
        now = next((player for player, seat in there.items() if seat.rank == 1), None)
        if now is not None and now == ruler:
            found[-1] = svg_charts.Band(found[-1].hue, found[-1].first, hand)
        elif now is not None:
            found.append(svg_charts.Band(people[now].hue, hand, hand))
        ruler = now
    return found


def _rise_and_fall_marks(seats: Sequence[Mapping[str, ChartSeat]]) -> list[svg_charts.Mark]:
    """Return marks for a chart of ranks: falls from first to last in one hand, and rises from last to first."""
    found: list[svg_charts.Mark] = []
    for hand, there in enumerate(seats):
        lowest = max((seat.rank or 0 for seat in there.values()), default=0)
        lowest_before = max((seat.rank_before or 0 for seat in there.values()), default=0)
        for seat in there.values():
            if lowest > 1 and seat.rank_before == 1 and seat.rank == lowest:
                found.append(svg_charts.Mark("fall", hand, lowest))
            elif lowest_before > 1 and seat.rank_before == lowest_before and seat.rank == 1:
                found.append(svg_charts.Mark("rise", hand, 1))
    return found


# All evenings ---------------------------------------------------------------------------------------------------


def room_game_views(
    stats: RoomStats,
    evenings: Sequence[EveningLine],
    texts: Texts,
    people: Mapping[str, PlayerView],
    latest: Iterable[GameOfEvening] = (),
) -> tuple[GameOfRoom, ...]:
    """Return a room's stats over some sessions as its page shows them, by game, most played first.

    `evenings` are these sessions, newest first, for the charts. `people` are the players by id. A game without a chart
    of places by session begins with its chart of the `latest` session.
    """
    of_latest = {each.game: each.figures[0] for each in latest if each.figures}
    played = {game: max(found.get(count.HANDS, 0) for found in stats.tallies[game].values()) for game in stats.tallies}
    games = sorted(played, key=lambda game: -played[game])
    return tuple(_room_game_view(game, stats, evenings, people, texts, of_latest.get(game)) for game in games)


def _room_game_view(
    game: str,
    stats: RoomStats,
    evenings: Sequence[EveningLine],
    people: Mapping[str, PlayerView],
    texts: Texts,
    latest: LabelledChart | None,
) -> GameOfRoom:
    counted = {player: tallies for player, tallies in stats.tallies[game].items() if player in people}
    order = sorted(counted, key=lambda each: (people[each].bot, -counted[each].get(count.HANDS, 0), people[each].name))
    all_counted = [counted[player] for player in order]
    of_game = [each for each in stats.reigns if each.game == game]
    reigns = (reigns_view(of_game, end, title_at_end(all_counted, end, texts), people, texts) for end in ENDS)
    drawn = (
        _mean_places_by_session(game, evenings, people, texts) or latest,
        _points_by_session(game, evenings, people, texts),
        chart_labels.luck_chart(game, [(people[player], found) for player, found in counted.items()], texts),
    )
    meetings = [PairResult(pair.player, pair.other, pair.above, pair.below) for pair in stats.pairs.get(game, ())]
    return GameOfRoom(
        game,
        game_name(game, texts),
        tuple(people[player] for player in order),
        tally_rows(all_counted, texts),
        tuple(each for each in reigns if each is not None),
        _rivalry_views(meetings, order, people),
        tuple(figure for figure in drawn if figure is not None),
    )


def _rivalry_views(
    meetings: Iterable[PairResult], order: Iterable[str], people: Mapping[str, PlayerView]
) -> tuple[Rivalry, ...]:
    pairs = list(meetings)
    found = find_rivals(pairs, min(ENOUGH, max((pair.above + pair.below for pair in pairs), default=0)))

    def met(against: HeadToHead | None) -> tuple[PlayerView, int, int] | None:
        if against is None or against.other not in people:
            return None
        return people[against.other], against.below, against.above

    lines = (
        Rivalry(people[who], met(found[who].nemesis), met(found[who].victim))
        for who in order
        if who in found and not people[who].bot
    )
    return tuple(line for line in lines if line.nemesis or line.victim)


def _mean_places_by_session(
    game: str, evenings: Sequence[EveningLine], people: Mapping[str, PlayerView], texts: Texts
) -> LabelledChart | None:
    """Return the chart of each player's mean place in one game by session, or None for fewer than two sessions."""
    nights = [
        {each.player: each.made / each.dealt for each in evening.scores if each.game == game and each.dealt}
        for evening in reversed(evenings)
    ]
    nights = [places for night in nights if (places := {player: night[player] for player in night if player in people})]
    if len(nights) < 2:
        return None
    players = dict.fromkeys(player for night in nights for player in night)
    means = {player: tuple(night.get(player) for night in nights) for player in players}
    order = sorted(players, key=lambda player: -(means[player][-1] or 0))
    lines = [(people[player], means[player]) for player in order]
    made, dealt = Counter[str](), Counter[str]()
    for score in (score for evening in evenings for score in evening.scores if score.game == game):
        made[score.player] += score.made
        dealt[score.player] += score.dealt
    best_first = sorted(players, key=lambda player: -made[player] / dealt[player])
    return chart_labels.mean_places_chart(game, lines, texts, [people[player].key for player in best_first])


def _points_by_session(
    game: str, evenings: Sequence[EveningLine], people: Mapping[str, PlayerView], texts: Texts
) -> LabelledChart | None:
    """Return the chart of players' summed points in one game by session, best last value first.

    None for fewer than two sessions, or without any points.
    """
    nights = [
        {score.player: score.points for score in evening.scores if score.game == game and score.player in people}
        for evening in reversed(evenings)
    ]
    nights = [night for night in nights if night]
    if len(nights) < 2 or not any(any(night.values()) for night in nights):
        return None
    players = list(dict.fromkeys(player for night in nights for player in night))
    sums: dict[str, tuple[float | None, ...]] = {}
    for player in players:
        so_far = accumulate((night.get(player, 0) for night in nights), initial=0)
        came = next(number for number, night in enumerate(nights) if player in night)
        sums[player] = tuple(None if number < came else total for number, total in enumerate(list(so_far)[1:]))
    order = sorted(players, key=lambda player: -(sums[player][-1] or 0))
    return chart_labels.points_by_session_chart(game, [(people[player], sums[player]) for player in order], texts)


def session_links(evenings: Iterable[EveningLine], shown: int | None, texts: Texts) -> tuple[EveningLink, ...]:
    """Return a room's sessions as entries of a list, in the given order (newest first); `shown` is marked."""
    return tuple(
        EveningLink(
            evening.number,
            to_milliseconds(evening.began_at),
            evening.hands,
            evening.with_bots,
            tuple(game_name(game, texts) for game in dict.fromkeys(score.game for score in evening.scores)),
            evening.number == shown,
        )
        for evening in evenings
    )
