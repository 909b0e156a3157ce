"""The page of a lesson, and the JSON that its script loads."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.games import GAMES
from app.engine.games.lessons import all_lessons as taught
from app.engine.match.lesson import Lesson
from app.web.api.dependencies import REFUSALS, InjectedAppContext, PathSegment
from app.web.context.site import AppContext
from app.web.http import cached_json, errors
from app.web.pages.page import InjectedPageContext
from app.web.services import lessons

router = APIRouter(tags=["api"])


@router.get("/learn/{lesson}", include_in_schema=False, response_class=HTMLResponse)
async def lesson_page(here: InjectedPageContext, lesson: PathSegment) -> Response:
    """Show the page of a lesson; 404 if it does not exist. Its script loads the steps.

    For the key of a game without a lesson, redirect to the rules of the game: tables link here.
    """
    if lesson in GAMES and lesson not in taught():
        return RedirectResponse(f"/rules/{lesson}")
    found = _find_lesson_or_raise(here.site, lesson)
    rules = {"game": found.game, **found.record["options"]}
    page = here.render("learn", lesson=lesson, name=here.texts.t(f"lesson.{lesson}.name"), asked=rules)
    return here.compress_public_page(page)


@router.get("/api/lessons/{lesson}", responses=REFUSALS)
async def get_lesson(
    request: Request,
    site: InjectedAppContext,
    lesson: Annotated[PathSegment, Path(description="The key of the lesson.")],
) -> Response:
    """Return a lesson in the language of the request: the updates of its table, and its steps.

    404 for an unknown lesson.
    """
    _find_lesson_or_raise(site, lesson)
    return cached_json.cached_json_response(
        request.scope, lessons.build_lesson_json(lesson, site.templates.texts_for_request(request.scope))
    )


def _find_lesson_or_raise(site: AppContext, key: str) -> Lesson:
    found = taught().get(key)
    if found is None:
        raise errors.not_found_error(site.message("error.not_found"))
    return found
