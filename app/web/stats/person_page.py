"""The book of a person, over all their rooms, as its page shows it: made of what the store found. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from app.rooms.model.state import milliseconds
from app.stats import tallies as count
from app.stats.ratings import ENOUGH, Rating
from app.stats.reigns import ENDS
from app.store.history.person_stats import EveningOfPerson, GameOfPerson, PersonBook, Rival, RoomOfPerson
from app.store.history.room_stats import MomentLine
from app.web.i18n.catalogues import Texts
from app.web.stats import chart_labels
from app.web.stats.chart_labels import Figure
from app.web.stats.common import Named, Reigns, Row, end_title, game_name, numbers, reigns

SCALE: Final = 60
"""Points of a rating as people read it to one of the model's: who begins has 1,500."""
SURE: Final = 150
"""So many points around a rating it is surely right, or it is not very sure."""
UNSURE: Final = 400
OF_A_KIND: Final = 4
"""Moments of one name: what happens often leaves room for what is rare."""
MOMENTS_LISTED: Final = 20


@dataclass(frozen=True, slots=True)
class RivalShown:
    """Somebody who is met often, and how often who was placed above whom."""

    name: str
    above: int
    """How often whoever reads was placed above them."""
    below: int


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """What somebody's hands of one game come to."""

    game: str
    name: str
    numbers: tuple[Row, ...]
    rating: str
    reigns: tuple[Reigns, ...]
    figures: tuple[Figure, ...]
    nemeses: tuple[RivalShown, ...]
    victims: tuple[RivalShown, ...]


@dataclass(frozen=True, slots=True)
class RoomPlayed:
    """A room where somebody played."""

    code: str | None
    """As it is now; None where they do not belong any more."""
    name: str
    hands: int
    with_bots: int
    """Hands in which at least one bot played."""
    at: int


def games(book: PersonBook, evenings: Sequence[EveningOfPerson], me: Named, texts: Texts) -> tuple[GamePlayed, ...]:
    """Tell somebody's games, the one they played most first; `evenings` begins with the newest."""
    order = sorted(book.games, key=lambda game: -book.games[game].tallies.get(count.HANDS, 0))
    return tuple(_game(game, book.games[game], evenings, me, texts) for game in order)


def _game(game: str, found: GameOfPerson, evenings: Sequence[EveningOfPerson], me: Named, texts: Texts) -> GamePlayed:
    people = {reign.player: me for reign in found.reigns}
    told = (reigns(found.reigns, end, end_title([found.tallies], end, texts), people, texts) for end in ENDS)
    drawn = (
        chart_labels.luck(game, [(me, found.tallies)], texts),
        _places(game, evenings, me, texts),
        _points(game, evenings, me, texts),
    )
    return GamePlayed(
        game,
        game_name(game, texts),
        numbers([found.tallies], texts),
        rating(found.rating, texts),
        tuple(each for each in told if each is not None),
        tuple(figure for figure in drawn if figure is not None),
        _rivals(found.nemeses, texts),
        _rivals(found.victims, texts),
    )


def rating(found: Rating | None, texts: Texts) -> str:
    """Say how strong somebody plays, and how sure that is: a range in words, once it is made of enough hands."""
    if found is None or not found.says_something:
        left = ENOUGH - (0 if found is None else found.hands)
        return texts.t("me.rating.later", count=left)
    middle, around = round(found.mu * SCALE), round(2 * found.sigma * SCALE)
    sure = "me.rating.sure" if around <= SURE else "me.rating.rough" if around <= UNSURE else "me.rating.unsure"
    return texts.t(sure, rating=middle, low=middle - around, high=middle + around, count=found.hands)


def _places(game: str, evenings: Iterable[EveningOfPerson], me: Named, texts: Texts) -> Figure | None:
    """Mean places from evening to evening, of those that are known."""
    scores = [each.score for each in reversed(list(evenings)) if each.score.game == game and each.score.dealt]
    if len(scores) < 2:
        return None
    return chart_labels.places(game, [(me, [score.made / score.dealt for score in scores])], texts)


def _points(game: str, evenings: Iterable[EveningOfPerson], me: Named, texts: Texts) -> Figure | None:
    """Points from evening to evening, of those that are known."""
    points = [each.score.points for each in reversed(list(evenings)) if each.score.game == game]
    if len(points) < 2 or not any(points):
        return None
    return chart_labels.points_of_evenings(game, [(me, list(accumulate(points)))], texts)


def _rivals(found: Iterable[Rival], texts: Texts) -> tuple[RivalShown, ...]:
    return tuple(RivalShown(each.name or texts.t("me.somebody"), each.above, each.below) for each in found)


def rooms(found: Iterable[RoomOfPerson], codes: Mapping[str, str]) -> tuple[RoomPlayed, ...]:
    """Tell where somebody played, the last one first; `codes` are of the rooms where they still belong."""
    return tuple(
        RoomPlayed(codes.get(each.room), each.name, each.hands, each.with_bots, milliseconds(each.last_at))
        for each in found
    )


def chosen(found: Iterable[MomentLine]) -> list[MomentLine]:
    """Choose the latest moments, a few of each kind."""
    seen: dict[str, int] = {}
    kept: list[MomentLine] = []
    for moment in found:
        what = moment.told.what
        seen[what] = seen.get(what, 0) + 1
        if seen[what] <= OF_A_KIND:
            kept.append(moment)
    return kept[:MOMENTS_LISTED]
