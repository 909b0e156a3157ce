"""The texts of the picture of a match, for link previews and for sharing, and its cache.

Nothing is stored: each request reads the names from the database. So a deleted name is gone at once.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from app.engine.cards.cards import JOKERS, Card, parse_cards, printed_rank
from app.rooms.model.state import to_milliseconds
from app.rooms.people.avatars import PlayerFace
from app.stats.hand_story import title_text
from app.stats.match_story import HEADINGS, standings_by_hand
from app.store.evenings import BestMoment
from app.store.history.match_history import PlayerLine
from app.store.history.match_stories import MatchForStandings
from app.web.http.work_queue import RunInThread
from app.web.i18n.catalogues import Texts
from app.web.i18n.event_text import event_sentence, game_name
from app.web.matches import frames
from app.web.matches.picture import MOST_WINNERS, DrawnCard, Picture, Row, Suit, can_draw, draw_picture, drawable

MOST_CACHED = 100
"""Limit for the pictures in memory, each at most 100 kB."""

Faces: TypeAlias = Mapping[str, PlayerFace]
"""Faces by name of the player."""


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

    `texts` must be in a language that the bundled fonts can show.
    """
    line = whole.match
    texts = frames.with_bots(texts, line)
    stands = standings_by_hand(whole.hands)
    last = stands[-1] if stands else {}
    players = {player.name: player for player in line.players}
    labels = {name: drawn_name(name, faces, texts) for name in last}
    pointed = any(player.total for player in line.players)
    winners = [name for name in last if name in line.winners] or [
        name for name, stand in last.items() if stand.place == 1
    ]
    rows = tuple(
        Row(
            labels[name],
            faces[name],
            stand.place,
            drawn_text(texts.say(title_text(stand.title))),
            _points(players.get(name), texts) if pointed else "",
            tuple(None if (at := there.get(name)) is None else at.place for there in stands),
            name in winners,
        )
        for name, stand in sorted(last.items(), key=lambda each: (each[0] not in line.winners, each[1].place))
    )
    named = game_name(line.game, texts)
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
        drawn_cards(best.cards or "") if best is not None and moment else (),
        is_square=is_square,
        language=texts.language,
    )


def _moment(best: BestMoment, faces: Faces, texts: Texts) -> str:
    """Return the best moment as a sentence; empty if the bundled fonts can't show it."""
    return drawn_text(event_sentence(shown_event(best.line.highlight.to_event(), faces, texts), texts))


def shown_event(event: Mapping[str, Any], faces: Faces, texts: Texts) -> dict[str, Any]:
    """Return an event with its players' names as the picture shows them."""
    return {
        key: drawn_name(value, faces, texts) if key != "e" and isinstance(value, str) and value in faces else value
        for key, value in event.items()
    }


def drawn_text(said: str) -> str:
    """Return a text; empty if the bundled fonts can't show it."""
    return said if can_draw(said) else ""


def drawn_cards(cards: str) -> tuple[DrawnCard, ...]:
    """Return cards as the picture shows them."""
    return tuple(map(_card, parse_cards(cards)))


def _card(card: Card) -> DrawnCard:
    if card in JOKERS:
        return DrawnCard("", None)
    suits: Mapping[str, Suit] = {"c": "c", "d": "d", "h": "h", "s": "s"}
    return DrawnCard(printed_rank(card[0]), suits[card[1]])


def texts_for_picture(texts: Texts, english: Texts) -> Texts:
    """Return the texts of the visitor's language if the picture can show it, else the English ones.

    Sentences are written from left to right.
    """
    return texts if texts.direction == "ltr" and can_draw(texts.name) else english


def names_not_drawn(names: Iterable[str]) -> list[str]:
    """Return the names that the bundled fonts can't show, for which birds stand in the picture."""
    return [name for name in names if not drawable(name)]


def drawn_name(name: str, faces: Faces, texts: Texts) -> str:
    """Return a player's name without emoji, or their bird and colour in words if the fonts can't show the name."""
    if drawn := drawable(texts.shown_name(name)):
        return drawn
    bird, colour = texts.t(f"mine.bird.{faces[name].bird}"), texts.t(f"mine.colour.{faces[name].colour}")
    return texts.t("picture.face", bird=bird, colour=colour)


def _points(player: PlayerLine | None, texts: Texts) -> str:
    return "" if player is None or player.total is None else texts.number(player.total)
