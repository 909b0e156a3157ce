"""Shared by the stats of rooms and persons: players, tallies, highlights and reigns, ready for a page.

Games are distinguished only by key. Tallies carry text keys, and games declare the texts.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.rooms.model import faces
from app.rooms.model.state import Room, to_milliseconds
from app.rooms.people.avatars import PlayerFace
from app.stats import tallies as count
from app.stats.reigns import ENDS, HierarchyEnd
from app.store.history.room_stats import HighlightLine, RoomPlayer, RoomStatsQueries
from app.store.history.standings import Reign
from app.store.history.tallies import NUMBERS, Tallies
from app.web.i18n import event_text
from app.web.i18n.catalogues import Texts
from app.web.services.match_links import replay_url

LONGEST_LISTED: Final = 3
"""Longest reigns that are listed at each end of the hierarchy."""

_AT_END: Final[Mapping[HierarchyEnd, str]] = {"top": "book.reigns.top", "bottom": "book.reigns.bottom"}
"""Text keys for reigns in games without titles."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player as stats pages show them: name, colour, bird, and a key for the player's lines in charts."""

    key: str
    """Identifies the player's lines in the page; not the person's id."""
    name: str
    hue: int
    bird: str
    bot: bool


@dataclass(frozen=True, slots=True)
class TallyRow:
    """A row of a stats table: a label, and a cell for every player in the order of the columns."""

    label: str
    cells: tuple[str, ...]
    most: int | None
    """The column with the highest value, or None if it is shared."""


@dataclass(frozen=True, slots=True)
class ReignView:
    """A reign for a stats page: a player who was at the top or bottom of the ranks for several hands in a row."""

    who: PlayerView
    hands: int
    at: int
    """Time of its last hand so far, in epoch milliseconds."""
    lasts: bool


@dataclass(frozen=True, slots=True)
class ReignsView:
    """The longest reigns at the top or bottom of a game's ranks, and the one that lasts now, for a stats page."""

    heading: str
    longest: tuple[ReignView, ...]
    now: ReignView | None


@dataclass(frozen=True, slots=True)
class HighlightView:
    """A highlight of a match for a list on a page: a sentence, the time, the game, and a link to the replay."""

    said: str
    at: int
    href: str
    game: str


def named_players(
    players: Iterable[RoomPlayer], room: Room | None = None, texts: Texts | None = None
) -> dict[str, PlayerView]:
    """Return a room's players by id, as stats pages show them, with the faces that the room gave them.

    Players whom the room does not remember get free faces, by the time of their first hand. `texts`: the language of
    the names of bots.
    """
    came = sorted(players, key=lambda each: (each.first_at, each.player))
    known = {each.player: face for each in came if (face := _face_in_room(room, each)) is not None}
    shown = faces.with_missing_faces((each.player for each in came), known)
    return {
        each.player: _player_view(
            f"p{number}",
            texts.bot_text(each.name) if texts is not None and each.bot else each.name,
            shown[each.player],
            bot=each.bot,
        )
        for number, each in enumerate(came)
    }


def _face_in_room(room: Room | None, player: RoomPlayer) -> PlayerFace | None:
    person = None if player.bot else player.player
    return None if room is None else faces.face_of_player(room, person, player.name)


def current_person(name: str, bird: str | None, colour: str | None) -> PlayerView:
    """Return the signed-in person as the player that their own stats page shows."""
    return _player_view("me", name, faces.saved_face(bird, colour), bot=False)


def other_person(name: str, bird: str | None, colour: str | None, beside: PlayerView) -> PlayerView:
    """Return another person, with a face unlike that of the person of this stats page (`beside`).

    It is the face that they have saved, if that differs.
    """
    face = faces.saved_face(bird, colour)
    if (face.bird, face.hue) == (beside.bird, beside.hue):
        face = faces.with_missing_faces([name], {"": face})[name]
    return _player_view("", name, face, bot=False)


def _player_view(key: str, name: str, face: PlayerFace, *, bot: bool) -> PlayerView:
    return PlayerView(key, name, face.hue, face.bird, bot)


def counted_event_name(name: str, texts: Texts) -> str:
    """Return the name of a counted kind of event in one language; without a text, the key with spaces."""
    return texts.t(f"stood_out.{name}") if f"stood_out.{name}" in texts else name.replace("_", " ")


def tally_rows(counted: Sequence[Tallies], texts: Texts) -> tuple[TallyRow, ...]:
    """Return the rows of a stats table, one for each count that at least one player has, such as hands or wins.

    The cells are in the order of `counted`, which has the counts of one player each.
    """
    return tuple(
        _build_row(label, values, texts, points)
        for label, values, points in _tally_values(counted, texts)
        if any(values)
    )


def _tally_values(counted: Sequence[Tallies], texts: Texts) -> Iterator[tuple[str, list[int], bool]]:
    """Yield a stats table's rows: label, the players' values, and whether the values are points.

    Rows where all values are 0 are included.
    """

    def of(key: str) -> list[int]:
        return [tallies.get(key, 0) for tallies in counted]

    named = [number for number in NUMBERS if number.name]
    for number in named:
        if not number.name_with_titles:
            yield texts.t(f"book.{number.key}"), of(number.key), number.key == count.POINTS
    titles = sorted_titles(counted, texts)
    for title in titles:
        yield texts.t("book.as", title=event_text.title_text(title, texts)), of(count.TITLE + title), False
    if titles:  # Without titles, the order of the hierarchy is just the order of the last hand.
        top, bottom = (event_text.title_text(title_at_end(counted, end, texts), texts) for end in ENDS)
        form = ".as" if top and bottom else ""
        for number in named:
            if number.name_with_titles:
                yield texts.t(f"book.{number.key}{form}", top=top, bottom=bottom), of(number.key), False
    for key in sorted({key for tallies in counted for key in tallies if key.startswith(count.HIGHLIGHT)}):
        yield counted_event_name(key.removeprefix(count.HIGHLIGHT), texts), of(key), False


def sorted_titles(counted: Iterable[Tallies], texts: Texts) -> list[str]:
    """Return the keys of all titles that these players ever had, best first, as games declare them."""
    found = {key.removeprefix(count.TITLE) for tallies in counted for key in tallies if key.startswith(count.TITLE)}
    declared = {key: place for place, key in enumerate(texts.catalogue)}
    return sorted(found, key=lambda title: (declared.get(f"title.{title}", len(declared)), title))


def title_at_end(counted: Sequence[Tallies], end: HierarchyEnd, texts: Texts) -> str | None:
    """Return the title of the top or the bottom rank, found from how often players had titles and that rank.

    None if no title fits exactly, as when a room changed its titles between sessions.
    """
    there = count.TOP if end == "top" else count.BOTTOM
    titles = sorted_titles(counted, texts)
    for title in titles if end == "top" else reversed(titles):
        if all(tallies.get(count.TITLE + title, 0) == tallies.get(there, 0) for tallies in counted):
            return title
    return None


def _build_row(label: str, values: Sequence[int], texts: Texts, points: bool) -> TallyRow:
    most = max(values)
    leads = most > 0 and len(values) > 1 and values.count(most) == 1
    cells = tuple(texts.signed(each) if points else texts.number(each) if each else "" for each in values)
    return TallyRow(label, cells, values.index(most) if leads else None)


def reigns_view(
    found: Collection[Reign], end: HierarchyEnd, title: str | None, people: Mapping[str, PlayerView], texts: Texts
) -> ReignsView | None:
    """Return the longest reigns at the top or bottom of a game's ranks, and the one that lasts; None without any.

    `title` is used in the heading, if known. Players missing in `people` are left out.
    """
    at_end = [each for each in found if each.end == end and each.player in people]
    if not at_end:
        return None
    shown = [ReignView(people[each.player], each.hands, to_milliseconds(each.ended_at), each.lasts) for each in at_end]
    said = (
        texts.t(_AT_END[end]) if title is None else texts.t("book.reigns.as", title=event_text.title_text(title, texts))
    )
    longest = sorted(shown, key=lambda each: -each.hands)[:LONGEST_LISTED]
    return ReignsView(said, tuple(longest), next((each for each in shown if each.lasts), None))


async def load_highlight_views(
    stats: RoomStatsQueries, found: Collection[HighlightLine], texts: Texts
) -> tuple[HighlightView, ...]:
    """Return highlights as a page lists them: a sentence in one language, time, game, and link to the replay.

    Bots have their names in this language.
    """
    players = await stats.players_of_highlights(found)
    return tuple(
        HighlightView(
            event_text.event_sentence(
                each.highlight.to_event(), texts.with_bots(players.get((each.room, each.nth), ()))
            ),
            to_milliseconds(each.at),
            replay_url(each.match_id, each.hand, each.highlight.n),
            event_text.game_name(each.game, texts),
        )
        for each in found
    )
