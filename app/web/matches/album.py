"""The album of evenings: the history page without a search, as cards. Data for the page and for the API."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, TypedDict

from app.engine.cards.cards import JOKERS, Card, describe_cards, parse_cards
from app.rooms.model import faces
from app.rooms.model.state import Room, to_milliseconds
from app.rooms.people.avatars import BIRDS, COLOURS, PlayerFace
from app.store.evenings import AlbumPage, BestMoment, Evening, EveningKind, MonthRivalry, SavedFace
from app.store.history.match_history import MatchLine
from app.web.context.sessions import Person
from app.web.context.site import AppContext
from app.web.i18n.catalogues import Texts
from app.web.i18n.event_text import event_sentence, game_name
from app.web.matches.frames import match_view
from app.web.services import room_access
from app.web.services.match_links import replay_url

PAGE: Final = 12
"""Number of evenings on a page."""


class NamedFaceView(TypedDict):
    """A player with their face."""

    name: Annotated[str, "The player's name."]
    bird: Annotated[str, "The bird."]
    hue: Annotated[int, "The number of the colour."]


class CardView(TypedDict):
    """A card as text."""

    sign: Annotated[str, "The card as it is printed, such as 7♣."]
    suit: Annotated[str, "The letter of its suit; empty for a joker."]


class MomentView(TypedDict):
    """The best moment of an evening."""

    text: Annotated[str, "The moment as a sentence."]
    cards: Annotated[list[CardView], "The cards of its play; empty if it is no play."]
    href: Annotated[str, "The link to the replay at this moment."]


class EveningView(TypedDict):
    """A card of the album."""

    id: Annotated[str, "The id of its first match."]
    kind: Annotated[EveningKind, "What the card shows: an evening, a variation or an imported match."]
    started: Annotated[int, "When its first match began, in epoch milliseconds."]
    room: Annotated[str | None, "The current code of the room, if you have been there."]
    games: Annotated[list[str], "The names of its games."]
    hands: Annotated[int, "The number of finished hands."]
    with_bots: Annotated[int, "The number of them with a bot."]
    running: Annotated[bool, "Whether its last match is still being played."]
    first: Annotated[NamedFaceView | None, "Who won the most matches, or was ahead at the end if nobody won."]
    won: Annotated[bool, "Whether `first` won."]
    others: Annotated[list[NamedFaceView], "The other players."]
    moment: Annotated[MomentView | None, "The best moment."]
    matches: Annotated[list[dict[str, Any]], "Its matches, newest first."]


class MonthView(TypedDict):
    """A month of the album."""

    month: Annotated[str, "The month, such as 2026-11."]
    at: Annotated[int, "A time in the month, in epoch milliseconds."]
    rivalry: Annotated[str, "The rivalry of the month as a sentence; empty without one."]
    evenings: Annotated[list[EveningView], "Its evenings, newest first."]


class AlbumView(TypedDict):
    """A page of an album."""

    months: Annotated[list[MonthView], "The months, newest first."]
    next: Annotated[str | None, "The value of `before` for the next page."]


async def load_album(
    site: AppContext, person: Person | None, room: str | None, before: str | None, texts: Texts
) -> AlbumView:
    """Return a page of the album of a person, or of a room (its id) that the person has been in."""
    if person is None:
        return {"months": [], "next": None}
    evenings = site.store.evenings
    if room is None:
        page = await evenings.evenings_of_person(person.id, limit=PAGE, before=before)
    else:
        page = await evenings.evenings_of_room(room, viewer=person.id, limit=PAGE, before=before)
    rooms = [evening.room for evening in page.evenings if evening.room is not None]
    return album_view(page, await room_access.load_rooms_readonly(site, list(dict.fromkeys(rooms))), texts)


def album_view(page: AlbumPage, rooms: Mapping[str, Room], texts: Texts) -> AlbumView:
    """Return a page of an album by months, in words of one language. `rooms`: those of the evenings, by id."""
    months: dict[str, MonthView] = {}
    for evening in page.evenings:
        at = evening.matches[-1].started_at
        key = f"{at:%Y-%m}"
        if key not in months:
            rivalry = page.rivalries.get((at.year, at.month))
            months[key] = {
                "month": key,
                "at": to_milliseconds(at),
                "rivalry": "" if rivalry is None else _rivalry_sentence(rivalry, texts),
                "evenings": [],
            }
        months[key]["evenings"].append(_evening_view(evening, rooms.get(evening.room or ""), texts))
    return {"months": list(months.values()), "next": page.next}


def _rivalry_sentence(found: MonthRivalry, texts: Texts) -> str:
    form = "leads" if found.above > found.below else "level"
    return texts.t(
        f"album.rivalry.{form}", first=found.first, second=found.second, above=found.above, below=found.below
    )


def _evening_view(evening: Evening, room: Room | None, texts: Texts) -> EveningView:
    lines = evening.matches
    names = list(dict.fromkeys(player.name for line in reversed(lines) for player in line.players))
    shown = _faces(names, evening.saved_faces, room)
    winner = _winner(lines)
    first = evening.ahead if winner is None else winner
    texts = texts.with_bots((player.name, player.bot) for line in lines for player in line.players)
    views = {
        name: NamedFaceView(name=texts.shown_name(name), bird=face.bird, hue=face.hue) for name, face in shown.items()
    }
    return {
        "id": lines[-1].id,
        "kind": evening.kind,
        "started": to_milliseconds(lines[-1].started_at),
        "room": lines[0].room,
        "games": list(dict.fromkeys(game_name(line.game, texts) for line in reversed(lines))),
        "hands": sum(line.hands for line in lines),
        "with_bots": sum(line.with_bots for line in lines),
        "running": lines[0].ended_at is None,
        "first": None if first is None else views[first],
        "won": winner is not None,
        "others": [views[name] for name in names if name != first],
        "moment": None if evening.best is None else _moment_view(evening.best, texts),
        "matches": [match_view(line) for line in lines],
    }


def _faces(names: Sequence[str], saved: Mapping[str, SavedFace], room: Room | None) -> Mapping[str, PlayerFace]:
    """Return different faces for these players: those that the room gave them, else those that they have saved."""
    known: dict[str, PlayerFace] = {}
    for name in names:
        person, bird, colour = saved.get(name, (None, None, None))
        face = None if room is None else faces.face_of_player(room, person, name)
        if face is None and bird in BIRDS and colour in COLOURS:
            face = PlayerFace(bird, colour)
        if face is not None:
            known[name] = face
    found = faces.with_missing_faces(names, known)
    return {name: found[name] for name in names}


def _winner(lines: Iterable[MatchLine]) -> str | None:
    """Return who won the most of these matches, newest first; of equals, the one who won last."""
    won = Counter(name for line in lines for name in line.winners)
    return max(won, key=lambda name: won[name], default=None)


def _moment_view(best: BestMoment, texts: Texts) -> MomentView:
    line = best.line
    return {
        "text": event_sentence(line.highlight.to_event(), texts),
        "cards": [_card_view(card, texts) for card in parse_cards(best.cards or "")],
        "href": replay_url(line.match_id, line.hand, line.highlight.n),
    }


def _card_view(card: Card, texts: Texts) -> CardView:
    return {"sign": texts.say(describe_cards([card])), "suit": "" if card in JOKERS else card[1]}
