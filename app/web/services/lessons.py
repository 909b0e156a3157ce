"""Lessons as the page plays them: what its table shows from step to step, what is said, and what is waited for.

All of it is made ahead by the engine, once for each language, and handed out as it is: the page plays a lesson alone.
"""

import functools
import json
from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict

from app.engine.cards.action_codec import ActionJson
from app.engine.games.lessons import lessons
from app.engine.match.lesson import Lesson, text_key
from app.rooms.views.lesson_frames import Seen, seen
from app.web.http.cached_json import Made, made
from app.web.i18n.catalogues import Texts


class BeatShown(TypedDict):
    """A step of a lesson: a picture, and what is said to it."""

    frame: Annotated[int, "Which of the updates has been told when it begins, from 0."]
    says: Annotated[str, "A sentence; empty where the table speaks for itself."]
    points: Annotated[
        str,
        "What the sentence speaks of: trick, hand, signs, me, actions, result, seats, “seat NAME” or “cards 3c 3d”;"
        " empty: nothing in particular.",
    ]
    wants: NotRequired[Annotated[ActionJson, "What is waited for, if it is something in particular."]]
    why: NotRequired[Annotated[str, "Said to who does something else."]]


class LessonShown(TypedDict):
    """What `GET /api/lessons/{lesson}` gives."""

    game: Annotated[str, "Its key."]
    options: Annotated[dict[str, Any], "By which rules it is played."]
    name: Annotated[str, "What is taught."]
    updates: Annotated[list[Any], "As a socket would tell them."]
    beats: Annotated[list[BeatShown], "In order."]


def listed(texts: Texts, game: str | None = None) -> list[dict[str, str]]:
    """The lessons that there are, or those of a game, that of the basic game first: key, name, game."""
    return [
        {"key": key, "name": texts.t(f"lesson.{key}.name"), "game": lesson.game}
        for key, lesson in sorted(lessons().items(), key=lambda each: each[0] != each[1].game)
        if game in (None, lesson.game)
    ]


@functools.lru_cache(maxsize=256)
def told(key: str, texts: Texts) -> Made:
    """Give a lesson as `LessonShown`, in one language."""
    lesson = lessons()[key]
    moments = list(seen(lesson))
    beats = [beat for number, moment in enumerate(moments) for beat in _beats(key, lesson, number, moment, texts)]
    updates = b",".join(moment.frame for moment in moments)
    head = {
        "game": lesson.game,
        "options": lesson.record["options"],
        "name": texts.t(f"lesson.{key}.name"),
        "beats": beats,
    }
    return made(json.dumps(head, ensure_ascii=False)[:-1].encode() + b', "updates": [' + updates + b"]}")


def _beats(key: str, lesson: Lesson, number: int, moment: Seen, texts: Texts) -> list[BeatShown]:
    """What is said when the table looks like this; where nothing is, it is only looked at."""
    said = [step for step in lesson.steps if (step.hand, step.move) == (moment.hand, moment.move)]
    beats: list[BeatShown] = [
        {"frame": number, "says": texts.t(text_key(key, step)), "points": step.points} for step in said
    ] or [{"frame": number, "says": "", "points": ""}]
    following = moment.following
    if following is not None and following["by"] == lesson.learner:
        beats[-1]["wants"] = _as_offered(following, moment.own)
        if said[-1].why:
            beats[-1]["why"] = texts.t(text_key(key, said[-1], "why"))
    return beats


def _as_offered(action: Mapping[str, Any], own: Mapping[str, Any]) -> Any:
    """An action of the record, as the page has it among those that are legal."""
    done = {name: value for name, value in action.items() if name != "by"}
    return next((legal for legal in own["legal"] if _alike(legal, done)), done)


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return {**one, "cards": _cards(one)} == {**other, "cards": _cards(other)}


def _cards(action: Mapping[str, Any]) -> list[str]:
    return sorted(str(action.get("cards", "")).split())
