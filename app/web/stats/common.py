"""What the books of a room and of a person have in common: who is who, numbers in words, moments and reigns as a page
shows them.

Games are told apart by key only. What is counted carries keys, and the games have the words for them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.rooms.model import colours
from app.rooms.model.state import Room, milliseconds
from app.rooms.people.avatars import COLOURS
from app.stats import tallies as count
from app.stats.reigns import ENDS, End
from app.store.history.room_stats import MomentLine, Reign, RoomPlayer, Tallies
from app.web.i18n import event_text
from app.web.i18n.catalogues import Texts

LONGEST_LISTED: Final = 3
"""Reigns at each end."""

_AT_END: Final[Mapping[End, str]] = {"top": "book.reigns.top", "bottom": "book.reigns.bottom"}
"""What reigns are called where nobody has a title."""


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody as the page draws them."""

    key: str
    """By which the page finds their lines; says nothing of who they are."""
    name: str
    hue: int
    bird: str | None
    """The one they chose, if they did."""
    bot: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was counted, for everybody in the order of the columns."""

    label: str
    cells: tuple[str, ...]
    most: int | None
    """The column that has most of it, where one has."""


@dataclass(frozen=True, slots=True)
class ReignShown:
    """So many hands in a row."""

    who: Named
    hands: int
    at: int
    """When it ended, or its last hand so far did, in epoch milliseconds."""
    lasts: bool


@dataclass(frozen=True, slots=True)
class Reigns:
    """Those at one end of a game's hierarchy."""

    heading: str
    longest: tuple[ReignShown, ...]
    now: ReignShown | None


@dataclass(frozen=True, slots=True)
class MomentShown:
    """Something that people speak of, with the way to see it again."""

    said: str
    at: int
    href: str
    game: str


def company(players: Iterable[RoomPlayer], room: Room | None = None) -> dict[str, Named]:
    """Return everybody with the colour that their room gave them.

    Where the room knows none: the one they chose, or the next that nobody has, in the order in which they came.
    """
    came = sorted(players, key=lambda each: (each.first_at, each.player))
    given = {each.player: hue for each in came if (hue := _given(room, each)) is not None}
    chose = {each.player: COLOURS.index(each.colour) for each in came if each.colour in COLOURS}
    known = {**chose, **given}
    free = [hue for hue in range(len(COLOURS)) if hue not in known.values()] or list(range(len(COLOURS)))
    found: dict[str, Named] = {}
    without = 0
    for number, each in enumerate(came):
        if each.player in known:
            hue = known[each.player]
        else:
            hue, without = free[without % len(free)], without + 1
        found[each.player] = Named(f"p{number}", each.name, hue, each.bird, each.bot)
    return found


def _given(room: Room | None, player: RoomPlayer) -> int | None:
    person = None if player.bot else player.player
    return None if room is None else colours.of_player(room, person, player.name)


def myself(name: str, bird: str | None, colour: str | None) -> Named:
    """Whoever reads their own book."""
    return Named("me", name, COLOURS.index(colour) if colour in COLOURS else 0, bird, bot=False)


def game_name(game: str, texts: Texts) -> str:
    """What a game is called; one that is gone by now, by its key."""
    return texts.t(f"game.{game}") if f"game.{game}" in texts else game


def happening(name: str, texts: Texts) -> str:
    """What an event is called where it is counted."""
    return texts.t(f"stood_out.{name}") if f"stood_out.{name}" in texts else name.replace("_", " ")


def numbers(counted: Sequence[Tallies], texts: Texts) -> tuple[Row, ...]:
    """List everything that was counted, for as many players: only what at least one of them has."""
    return tuple(
        _row(label, values, texts, points) for label, values, points in _counted(counted, texts) if any(values)
    )


def _counted(counted: Sequence[Tallies], texts: Texts) -> Iterator[tuple[str, list[int], bool]]:
    """Each thing with everybody's number, and whether it is in points."""

    def of(key: str) -> list[int]:
        return [tallies.get(key, 0) for tallies in counted]

    yield texts.t("book.hands"), of(count.HANDS), False
    yield texts.t("book.with_bots"), of(count.WITH_BOTS), False
    yield texts.t("book.points"), of(count.POINTS), True
    yield texts.t("book.first"), of(count.FIRST), False
    yield texts.t("book.last"), of(count.LAST), False
    titles = titles_in(counted, texts)
    for title in titles:
        yield texts.t("book.as", title=event_text.title(title, texts)), of(count.TITLE + title), False
    if titles:  # else who was first is first in the next hand's order, and that is all
        top, bottom = (event_text.title(end_title(counted, end, texts), texts) for end in ENDS)
        known = top and bottom
        fell, rose = ("book.fell.as", "book.rose.as") if known else ("book.fell", "book.rose")
        yield texts.t(fell, top=top, bottom=bottom), of(count.FELL), False
        yield texts.t(rose, top=top, bottom=bottom), of(count.ROSE), False
    for key in sorted({key for tallies in counted for key in tallies if key.startswith(count.MOMENT)}):
        yield happening(key.removeprefix(count.MOMENT), texts), of(key), False


def titles_in(counted: Iterable[Tallies], texts: Texts) -> list[str]:
    """The titles that somebody had, in the order in which games declare them, best first."""
    found = {key.removeprefix(count.TITLE) for tallies in counted for key in tallies if key.startswith(count.TITLE)}
    declared = {key: place for place, key in enumerate(texts.catalogue)}
    return sorted(found, key=lambda title: (declared.get(f"title.{title}", len(declared)), title))


def end_title(counted: Sequence[Tallies], end: End, texts: Texts) -> str | None:
    """What those at one end of the hierarchy are called: whatever everybody was as often as they were there.

    None where there is nothing like that: a room may have had other titles on another evening.
    """
    there = count.TOP if end == "top" else count.BOTTOM
    titles = titles_in(counted, texts)
    for title in titles if end == "top" else reversed(titles):
        if all(tallies.get(count.TITLE + title, 0) == tallies.get(there, 0) for tallies in counted):
            return title
    return None


def _row(label: str, values: Sequence[int], texts: Texts, points: bool) -> Row:
    most = max(values)
    leads = most > 0 and len(values) > 1 and values.count(most) == 1
    cells = tuple(texts.signed(each) if points else texts.number(each) if each else "" for each in values)
    return Row(label, cells, values.index(most) if leads else None)


def reigns(
    found: Collection[Reign], end: End, title: str | None, people: Mapping[str, Named], texts: Texts
) -> Reigns | None:
    """The longest reigns at one end of a game, and who is there now; None where nobody ever was."""
    at_end = [each for each in found if each.end == end and each.player in people]
    if not at_end:
        return None
    shown = [ReignShown(people[each.player], each.hands, milliseconds(each.ended_at), each.lasts) for each in at_end]
    said = texts.t(_AT_END[end]) if title is None else texts.t("book.reigns.as", title=event_text.title(title, texts))
    longest = sorted(shown, key=lambda each: -each.hands)[:LONGEST_LISTED]
    return Reigns(said, tuple(longest), next((each for each in shown if each.lasts), None))


def moments(found: Iterable[MomentLine], texts: Texts) -> tuple[MomentShown, ...]:
    """Moments as the page lists them."""
    return tuple(
        MomentShown(
            event_text.sentence(each.told.event(), texts),
            milliseconds(each.at),
            replay_link(each.match_id, each.hand, each.told.n),
            game_name(each.game, texts),
        )
        for each in found
    )


def replay_link(match_id: str, hand: int, move: int | None = None) -> str:
    """Where a hand, or one move of it, is seen again."""
    return f"/matches/{match_id}/replay?hand={hand}" + ("" if move is None else f"&move={move}")
