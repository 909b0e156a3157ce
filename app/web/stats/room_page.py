"""The book of a room as its page shows it: made of what the store found, for a template. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from app.engine.match.match import DECREED, DEFIED, OBEYED
from app.rooms.model.state import milliseconds
from app.stats import tallies as count
from app.stats.reigns import ENDS
from app.stats.rivals import Against, rivals
from app.stats.tallies import Meeting
from app.store.history.room_stats import ChartHand, ChartSeat, EveningLine, ReasonSum, RoomBook
from app.web.i18n import event_text
from app.web.i18n.catalogues import Texts
from app.web.stats import chart_labels, svg_charts
from app.web.stats.chart_labels import Figure, Label
from app.web.stats.common import Named, Reigns, Row, end_title, game_name, numbers, reigns, replay_link

ORDERS: Final = (DECREED.name, OBEYED.name, DEFIED.name)
"""Moments that stand in a list of their own: who was told to do what, and whether they did."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a hand brought a player. `points` and `total` are None in a game without points."""

    title: str
    points: str | None
    total: str | None


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand in the table that says what the charts show."""

    number: int
    """Of the evening, from 1."""
    at: int
    href: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class GameOfEvening:
    """The hands of one game in an evening."""

    game: str
    name: str
    people: tuple[Named, ...]
    figures: tuple[Figure, ...]
    reasons: tuple[Row, ...]
    """What the points were for."""
    rows: tuple[HandRow, ...]


@dataclass(frozen=True, slots=True)
class Rivalry:
    """Whom somebody meets with a sinking heart, and whom with pleasure."""

    who: Named
    nemesis: tuple[Named, int, int] | None
    """And how often who was placed above whom: the other, this one."""
    victim: tuple[Named, int, int] | None
    """And how often who was placed above whom: this one, the other."""


@dataclass(frozen=True, slots=True)
class GameOfRoom:
    """What all hands of one game come to."""

    game: str
    name: str
    people: tuple[Named, ...]
    numbers: tuple[Row, ...]
    reigns: tuple[Reigns, ...]
    rivalries: tuple[Rivalry, ...]
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class EveningLink:
    """An evening in the list of evenings."""

    number: int
    at: int
    hands: int
    with_bots: int
    """Hands in which at least one bot played."""
    games: tuple[str, ...]
    here: bool
    """Whether it is the one that is shown."""


def of_evening(
    hands: Sequence[ChartHand],
    sums: Sequence[ReasonSum],
    first: int,
    people: Mapping[str, Named],
    texts: Texts,
) -> tuple[GameOfEvening, ...]:
    """Tell an evening game by game, in the order in which they were played; `first` is its first hand in the room."""
    return tuple(
        _game_of_evening(
            game,
            [hand for hand in hands if hand.game == game],
            [each for each in sums if each.game == game],
            first,
            people,
            texts,
        )
        for game in dict.fromkeys(hand.game for hand in hands)
    )


def _game_of_evening(
    game: str,
    hands: Sequence[ChartHand],
    reasons: Iterable[ReasonSum],
    first: int,
    people: Mapping[str, Named],
    texts: Texts,
) -> GameOfEvening:
    seats = [{seat.player: seat for seat in hand.seats if seat.player in people} for hand in hands]
    players = list(dict.fromkeys(player for each in seats for player in each))
    sums = _carried(seats, players)
    order = sorted(players, key=lambda player: -(sums[player][-1] or 0))
    drawn: list[Figure] = []
    if any(seat.rank for each in seats for seat in each.values()):
        drawn.append(_ranks(game, seats, players, people, texts))
    pointed = any(seat.points or seat.sum for each in seats for seat in each.values())
    if pointed:
        drawn.append(chart_labels.points_of_hands(game, [(people[player], sums[player]) for player in order], texts))
    rows = tuple(
        HandRow(
            hand.nth - first + 1,
            milliseconds(hand.at),
            replay_link(hand.match_id, hand.hand),
            tuple(_cell(there.get(player), texts, pointed=pointed) for player in order),
        )
        for hand, there in zip(hands, seats, strict=True)
    )
    return GameOfEvening(
        game,
        game_name(game, texts),
        tuple(people[player] for player in order),
        tuple(drawn) if len(hands) > 1 else (),
        _reasons(reasons, order, texts),
        rows,
    )


def _reasons(sums: Iterable[ReasonSum], order: Sequence[str], texts: Texts) -> tuple[Row, ...]:
    """What points were for, in words: a row for each reason, with what it brought to whom."""
    rows: dict[str, dict[str, str]] = {}
    for each in sums:
        said = texts.t(each.key, **each.values) if each.key in texts else each.key
        counted = f"ledger.{each.unit}"
        amount = texts.t(counted, count=each.amount) if counted in texts else texts.signed(each.amount)
        rows.setdefault(said, {})[each.player] = amount
    return tuple(Row(said, tuple(amounts.get(player, "") for player in order), None) for said, amounts in rows.items())


def _carried(seats: Sequence[Mapping[str, ChartSeat]], players: Iterable[str]) -> dict[str, tuple[float | None, ...]]:
    """Everybody's points by the end of each hand: who sits one out keeps what they have."""
    found: dict[str, tuple[float | None, ...]] = {}
    for player in players:
        so_far = (there[player].sum if player in there else None for there in seats)
        found[player] = tuple(accumulate(so_far, lambda before, now: before if now is None else now))
    return found


def _cell(seat: ChartSeat | None, texts: Texts, *, pointed: bool) -> Cell | None:
    if seat is None:
        return None
    place = "" if seat.place is None else texts.t("book.place", place=seat.place)
    said = event_text.title(seat.title, texts) or place
    return Cell(said, texts.signed(seat.points), texts.number(seat.sum)) if pointed else Cell(said, None, None)


def _ranks(
    game: str,
    seats: Sequence[Mapping[str, ChartSeat]],
    players: Sequence[str],
    people: Mapping[str, Named],
    texts: Texts,
) -> Figure:
    ranks = {player: tuple(_rank(there.get(player)) for there in seats) for player in players}
    order = sorted(players, key=lambda player: ranks[player][-1] or len(players) + 1)
    lines = chart_labels.courses((people[player], ranks[player]) for player in order)
    titled = any(seat.title for there in seats for seat in there.values())
    marks = _marks(seats) if titled else []
    chart = svg_charts.of_ranks(lines, _bands(seats, people), marks)
    titles = [event_text.title(there.title, texts) if (there := seats[-1].get(each)) else "" for each in order]
    labels = tuple(Label(people[player], title) for player, title in zip(order, titles, strict=True))
    began = {first: player for player in players if (first := ranks[player][0])}
    kinds = [kind for kind in ("fall", "rise") if any(mark.what == kind for mark in marks)]
    return Figure(
        f"{game}-ranks",
        texts.t("book.ranks" if titled else "book.ranks.plain"),
        texts.t("book.ranks.said", count=chart.hands, standing=chart_labels.standing(labels, texts)),
        svg_charts.plot(chart),
        svg_charts.ends(chart),
        labels,
        tuple(people[began[row]] if row in began else None for row in range(1, len(players) + 1)),
        chart.hands,
        ("band", *kinds),
    )


def _rank(seat: ChartSeat | None) -> int | None:
    return None if seat is None else seat.rank


def _bands(seats: Sequence[Mapping[str, ChartSeat]], people: Mapping[str, Named]) -> list[svg_charts.Band]:
    """The reigns, as the hands that are shown tell them."""
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


def _marks(seats: Sequence[Mapping[str, ChartSeat]]) -> list[svg_charts.Mark]:
    """Who fell from the top to the bottom in one hand, and who rose so."""
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


def of_room(
    book: RoomBook, evenings: Sequence[EveningLine], texts: Texts, people: Mapping[str, Named]
) -> tuple[GameOfRoom, ...]:
    """Tell what all hands come to, the game that was played most first; `evenings` begins with the newest."""
    played = {game: max(found.get(count.HANDS, 0) for found in book.tallies[game].values()) for game in book.tallies}
    games = sorted(played, key=lambda game: -played[game])
    return tuple(_game_of_room(game, book, evenings, people, texts) for game in games)


def _game_of_room(
    game: str,
    book: RoomBook,
    evenings: Sequence[EveningLine],
    people: Mapping[str, Named],
    texts: Texts,
) -> GameOfRoom:
    counted = {player: tallies for player, tallies in book.tallies[game].items() if player in people}
    order = sorted(counted, key=lambda each: (people[each].bot, -counted[each].get(count.HANDS, 0), people[each].name))
    all_counted = [counted[player] for player in order]
    of_game = [each for each in book.reigns if each.game == game]
    told = (reigns(of_game, end, end_title(all_counted, end, texts), people, texts) for end in ENDS)
    drawn = (
        _places_over_evenings(game, evenings, people, texts),
        _points_over_evenings(game, evenings, people, texts),
        chart_labels.luck(game, [(people[player], found) for player, found in counted.items()], texts),
    )
    meetings = [Meeting(pair.player, pair.other, pair.above, pair.below) for pair in book.pairs.get(game, ())]
    return GameOfRoom(
        game,
        game_name(game, texts),
        tuple(people[player] for player in order),
        numbers(all_counted, texts),
        tuple(each for each in told if each is not None),
        _rivalries(meetings, order, people),
        tuple(figure for figure in drawn if figure is not None),
    )


def _rivalries(meetings: Iterable[Meeting], order: Iterable[str], people: Mapping[str, Named]) -> tuple[Rivalry, ...]:
    found = rivals(meetings)

    def told(against: Against | None, *, turned: bool) -> tuple[Named, int, int] | None:
        if against is None or against.other not in people:
            return None
        above, below = (against.below, against.above) if turned else (against.above, against.below)
        return people[against.other], above, below

    lines = (
        Rivalry(people[who], told(found[who].nemesis, turned=True), told(found[who].victim, turned=False))
        for who in order
        if who in found and not people[who].bot
    )
    return tuple(line for line in lines if line.nemesis or line.victim)


def _places_over_evenings(
    game: str, evenings: Sequence[EveningLine], people: Mapping[str, Named], texts: Texts
) -> Figure | None:
    """Everybody's mean place from evening to evening, of those that are known: who was not there has none."""
    nights = [
        {each.player: each.made / each.dealt for each in evening.scores if each.game == game and each.dealt}
        for evening in reversed(evenings)
    ]
    nights = [mine for night in nights if (mine := {player: night[player] for player in night if player in people})]
    if len(nights) < 2:
        return None
    players = dict.fromkeys(player for night in nights for player in night)
    means = {player: tuple(night.get(player) for night in nights) for player in players}
    order = sorted(players, key=lambda player: -(means[player][-1] or 0))
    return chart_labels.places(game, [(people[player], means[player]) for player in order], texts)


def _points_over_evenings(
    game: str, evenings: Sequence[EveningLine], people: Mapping[str, Named], texts: Texts
) -> Figure | None:
    """The ledger from evening to evening, of those that are known."""
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
    return chart_labels.points_of_evenings(game, [(people[player], sums[player]) for player in order], texts)


def lines_of(evenings: Iterable[EveningLine], shown: int, texts: Texts) -> tuple[EveningLink, ...]:
    """The list of evenings, the newest first."""
    return tuple(
        EveningLink(
            evening.number,
            milliseconds(evening.began_at),
            evening.hands,
            evening.with_bots,
            tuple(game_name(game, texts) for game in dict.fromkeys(score.game for score in evening.scores)),
            evening.number == shown,
        )
        for evening in evenings
    )
