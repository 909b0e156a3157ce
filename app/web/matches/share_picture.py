"""The texts of the picture of a match, for link previews and for sharing, and its cache.

Nothing is stored: each request reads the names from the database. So a deleted name is gone at once.
"""

from collections.abc import Mapping
from typing import TypeAlias

from app.engine.cards.cards import JOKERS, Card, parse_cards, printed_rank
from app.rooms.model.state import to_milliseconds
from app.rooms.people.avatars import PlayerFace
from app.stats.hand_story import title_text
from app.stats.match_story import HEADINGS, Standing, standings_by_hand
from app.store.evenings import BestMoment
from app.store.history.match_history import PlayerLine
from app.store.history.match_stories import MatchForStandings
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.http.work_queue import RunInThread
from app.web.i18n.catalogues import Texts
from app.web.i18n.event_text import event_sentence
from app.web.matches import frames
from app.web.matches.picture import MOST_WINNERS, DrawnCard, Picture, Row, Suit, can_draw, draw_picture

MOST_CACHED = 100
"""Limit for the pictures in memory, each at most 100 kB."""

Faces: TypeAlias = Mapping[str, PlayerFace]
"""Faces by name of the player."""


async def load_match_with_faces(site: AppContext, match_id: str) -> tuple[MatchForStandings, Faces]:
    """Return a match, played or imported, and the faces of its players; raise 404 if it is unknown.

    Without a finished hand, nobody has a face.
    """
    whole = await site.store.match_stories.load_standings(match_id)
    if whole is None:
        whole = await site.store.imported_matches.load_standings(match_id)
    if whole is None:
        raise errors.not_found_error(site.message("error.no_match"))
    return whole, await frames.load_faces(site, match_id, whole.hands[-1].number) if whole.hands else {}


async def picture_as_png(cache: dict[object, bytes], picture: Picture, work: RunInThread) -> bytes:
    """Return a picture as PNG, from the cache if it was drawn before. `work` draws it in a thread."""
    png = cache.pop(picture, None)
    if png is None:
        png = await work(draw_picture, picture)
    cache[picture] = png
    while len(cache) > MOST_CACHED:
        del cache[next(iter(cache))]
    return png


def describe_picture(
    whole: MatchForStandings, faces: Faces, texts: Texts, best: BestMoment | None = None, *, is_square: bool = False
) -> Picture:
    """Return what the picture of a match shows, with its best moment as the headline.

    `texts` must be in a language that the bundled font can show.
    """
    line = whole.match
    stands = standings_by_hand(whole.hands)
    last = stands[-1] if stands else {}
    players = {player.name: player for player in line.players}
    labels = {name: _label(name, faces, texts) for name in last}
    pointed = any(player.total for player in line.players)
    winners = [name for name in last if name in line.winners] or [
        name for name, stand in last.items() if stand.place == 1
    ]
    rows = tuple(
        Row(
            labels[name],
            faces[name],
            stand.place,
            _title(stand, texts),
            _points(players.get(name), texts) if pointed else "",
            tuple(None if (at := there.get(name)) is None else at.place for there in stands),
            name in winners,
        )
        for name, stand in sorted(last.items(), key=lambda each: (each[0] not in line.winners, each[1].place))
    )
    game = f"game.{line.game}"
    named = texts.t(game) if game in texts else line.game
    below = texts.t("picture.below", day=texts.day(to_milliseconds(line.started_at)), count=line.hands)
    moment = "" if best is None else _moment(best, faces, texts)
    return Picture(
        moment or named,
        texts.t("picture.below.game", game=named, below=below) if moment else below,
        texts.t("site.name"),
        texts.say(HEADINGS["won"](count=len(winners))) if line.winners else texts.t("picture.first"),
        tuple(labels[name] for name in winners)
        if len(winners) <= MOST_WINNERS
        else (texts.t("picture.shared", count=len(winners)),),
        rows,
        tuple(map(_card, parse_cards(best.cards or ""))) if best is not None and moment else (),
        is_square,
    )


def _moment(best: BestMoment, faces: Faces, texts: Texts) -> str:
    """Return the best moment as a sentence; empty if the bundled font can't show it."""
    event = best.line.highlight.to_event()
    shown = {key: _label(value, faces, texts) if value in faces else value for key, value in event.items()} | {
        "e": event["e"]
    }
    said = event_sentence(shown, texts)
    return said if can_draw(said) else ""


def _card(card: Card) -> DrawnCard:
    if card in JOKERS:
        return DrawnCard("", None)
    suits: Mapping[str, Suit] = {"c": "c", "d": "d", "h": "h", "s": "s"}
    return DrawnCard(printed_rank(card[0]), suits[card[1]])


def texts_for_picture(texts: Texts, english: Texts) -> Texts:
    """Return the texts of the visitor's language if the bundled font can show it, else the English ones."""
    return texts if can_draw(texts.name) else english


def _label(name: str, faces: Faces, texts: Texts) -> str:
    """Return a player's name, or their bird and colour in words if the bundled font can't show the name."""
    if can_draw(name):
        return name
    bird, colour = texts.t(f"mine.bird.{faces[name].bird}"), texts.t(f"mine.colour.{faces[name].colour}")
    return texts.t("picture.face", bird=bird, colour=colour)


def _title(stand: Standing, texts: Texts) -> str:
    said = texts.say(title_text(stand.title))
    return said if can_draw(said) else ""


def _points(player: PlayerLine | None, texts: Texts) -> str:
    return "" if player is None or player.total is None else texts.number(player.total)
