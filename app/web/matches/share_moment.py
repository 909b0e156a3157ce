"""The texts of the picture of one moment: one step of the replay of a finished hand.

Everything comes from the frame that the replay shows for the same hand, step and seat. So a picture shows no card that
the replay hides.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.engine.display.events import GameEventJson, GameEventType, Prominence, prominence_by_event
from app.store.history.match_history import MatchLine
from app.web.context.site import AppContext
from app.web.i18n.catalogues import Texts
from app.web.i18n.event_text import event_sentence, game_name, title_text
from app.web.matches import frames
from app.web.matches.picture import Picture, Row
from app.web.matches.share_picture import Faces, drawn_cards, drawn_name, drawn_text, shown_event

_BEST_FIRST: Final[tuple[Prominence, ...]] = ("great", "end", "move", "still", "quiet")
"""Prominence of events, that of the best headline first. Highlights come directly after great events."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of the replay of a hand, as its player saw it or with all cards open."""

    number: int
    """The number of the hand in its match, from 0."""
    step: int
    """The number of the step in the hand; 0 is the deal."""
    seat: str | None
    hand: Mapping[str, Any]
    """The whole hand, as the replay shows it."""
    faces: Faces
    best: GameEventJson | None
    """The best moment of the match, if this step is it."""

    @property
    def frame(self) -> Mapping[str, Any]:
        """The frame of the step, as the replay shows it."""
        found: Mapping[str, Any] = self.hand["frames"][self.step]
        return found


async def load_moment(site: AppContext, match_id: str, number: int, step: int, seat: str | None) -> Moment:
    """Return a step of the replay of a hand; of a step after the end, the last one.

    Raises 404 for an unknown hand, or a seat that did not play it.
    """
    hand = await frames.load_hand_frames(site, match_id, number, seat)
    step = min(step, len(hand["frames"]) - 1)
    faces = await frames.load_faces(site, match_id, number)
    best = await site.store.evenings.best_moment_of_match(match_id)
    if best is None or (best.line.hand, best.line.highlight.n) != (number, step):
        return Moment(number, step, seat, hand, faces, None)
    return Moment(number, step, seat, hand, faces, best.line.highlight.to_event())


def describe_moment(line: MatchLine, moment: Moment, texts: Texts, *, is_square: bool = False) -> Picture:
    """Return what the picture of a moment shows: its event in words, the cards, and the players with their cards left.

    `texts` must be in a language that the bundled fonts can show.
    """
    frame, faces = moment.frame, moment.faces
    texts = frames.with_bots(texts, line)
    notable = moment.hand["result"]["events"]
    # Of several events, that of the player who acts comes first.
    events = sorted(frame["events"], key=lambda event: (_order(event, notable), event.get("by") != frame["by"]))
    candidates = events if moment.best is None else [moment.best, *events]
    sentences = ((event, drawn_text(event_sentence(shown_event(event, faces, texts), texts))) for event in candidates)
    nothing: tuple[GameEventJson, str] = ({}, "")
    headline, said = next((each for each in sentences if each[1]), nothing)
    by = headline.get("by", frame["by"])
    own = (event["cards"] for event in events if event.get("by") == by and isinstance(event.get("cards"), str))
    rows = {} if frame["table"] is None else _rows(frame["table"], faces, texts)
    named = game_name(line.game, texts)
    return Picture(
        said or named,
        texts.t("picture.below.moment", game=named, hand=moment.number + 1, step=moment.step + 1),
        texts.t("site.name"),
        "",
        (),
        tuple(rows.values()),
        drawn_cards(next(own, "")),
        is_square=is_square,
        language=texts.language,
        is_moment=True,
        actor=None if by is None else rows.get(by),
    )


def _order(event: GameEventJson, notable: list[str]) -> float:
    """Return the order of an event among those of its step: the best headline has the lowest number."""
    name = event["e"]
    order = _BEST_FIRST.index(prominence_by_event().get(name, "still"))
    return min(order, 0.5) if GameEventType.is_highlight(name, notable=name in notable) else order


def _rows(table: Mapping[str, Any], faces: Faces, texts: Texts) -> dict[str, Row]:
    """Return the players at the table by name, as seated, each with the number of cards left."""
    return {
        name: Row(
            drawn_name(name, faces, texts),
            faces[name],
            player["place"] or 0,
            drawn_text(title_text(player["title"], texts)),
            texts.number(player["cards"]),
            (),
            player["place"] == 1,
        )
        for name, player in table["players"].items()
        if name in faces
    }
