"""Lessons as JSON for the page: the states of the table, the texts, and the awaited actions.

The engine computes each lesson once for each language; the page then plays it without the server.
"""

import functools
import json
from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict

from app.engine.cards.action_codec import ActionJson
from app.engine.games.lessons import all_lessons
from app.engine.match.lesson import Lesson, lesson_text_key, rename_players
from app.rooms.views.lesson_frames import LessonFrame, build_lesson_frames
from app.web.http.cached_json import CachedJson, build_cached_json
from app.web.i18n.catalogues import Texts


class LessonStepView(TypedDict):
    """A step of a lesson, as sent to the page: the state of the table, a sentence, and perhaps an awaited action."""

    frame: Annotated[int, "The index, from 0, of the update that the table shows in this step."]
    says: Annotated[str, "The text of the step; empty: nothing to say."]
    points: Annotated[
        str,
        "The part of the page to highlight: trick, hand, signs, me, actions, result, seats, “seat NAME” or"
        " “cards 3c 3d”; empty: none.",
    ]
    wants: NotRequired[Annotated[ActionJson, "The action that the step waits for. Missing: none."]]
    why: NotRequired[Annotated[str, "The hint shown after any other action."]]


class LessonView(TypedDict):
    """The answer to `GET /api/lessons/{lesson}`."""

    game: Annotated[str, "The key of the game."]
    options: Annotated[dict[str, Any], "The value of each option of the game."]
    name: Annotated[str, "The name of the lesson."]
    updates: Annotated[list[Any], "The updates of the table, in the form that sockets send."]
    beats: Annotated[list[LessonStepView], "The steps, in order."]


def list_lessons(texts: Texts, game: str | None = None) -> list[dict[str, str]]:
    """List all lessons, or those of one game, each as key, name and game; lessons on a game's basic rules first."""
    return [
        {"key": key, "name": texts.t(f"lesson.{key}.name"), "game": lesson.game}
        for key, lesson in sorted(all_lessons().items(), key=lambda each: each[0] != each[1].game)
        if game in (None, lesson.game)
    ]


@functools.lru_cache(maxsize=256)
def build_lesson_json(key: str, texts: Texts) -> CachedJson:
    """Build the JSON of a lesson as `LessonView` in one language, with which the page plays it without the server.

    The other players have names of bots, in this language. The last results are cached. `key` must be a known lesson.
    """
    lesson = all_lessons()[key]
    others = [name for name in lesson.record["players"] if name != lesson.learner]
    lesson = rename_players(lesson, {name: texts.bot_text(name) for name in others})
    moments = list(build_lesson_frames(lesson))
    beats = [
        beat for number, frame in enumerate(moments) for beat in _lesson_steps_at(key, lesson, number, frame, texts)
    ]
    updates = b",".join(frame.frame for frame in moments)
    head = {
        "game": lesson.game,
        "options": lesson.record["options"],
        "name": texts.t(f"lesson.{key}.name"),
        "beats": beats,
    }
    return build_cached_json(json.dumps(head, ensure_ascii=False)[:-1].encode() + b', "updates": [' + updates + b"]}")


def _lesson_steps_at(key: str, lesson: Lesson, number: int, frame: LessonFrame, texts: Texts) -> list[LessonStepView]:
    """Return the steps of a lesson that belong to one state of the table; without texts, one silent step.

    If the learner acts next, the last step also has the action that the page waits for.
    """
    said = [step for step in lesson.steps if (step.hand, step.move) == (frame.hand, frame.move)]
    beats: list[LessonStepView] = [
        {"frame": number, "says": texts.t(lesson_text_key(key, step)), "points": step.points} for step in said
    ] or [{"frame": number, "says": "", "points": ""}]
    following = frame.next_action
    if following is not None and following["by"] == lesson.learner:
        beats[-1]["wants"] = _find_matching_legal_action(following, frame.own)
        if said[-1].why:
            beats[-1]["why"] = texts.t(lesson_text_key(key, said[-1], "why"))
    return beats


def _find_matching_legal_action(action: Mapping[str, Any], own: Mapping[str, Any]) -> Any:
    """Return the legal action that equals a recorded one up to the order of cards, in the form that the page knows.

    If none matches, return the recorded action without its `by`.
    """
    done = {name: value for name, value in action.items() if name != "by"}
    return next((legal for legal in own["legal"] if _is_same_action(legal, done)), done)


def _is_same_action(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return {**one, "cards": _sorted_cards(one)} == {**other, "cards": _sorted_cards(other)}


def _sorted_cards(action: Mapping[str, Any]) -> list[str]:
    return sorted(str(action.get("cards", "")).split())
