"""The page of a lesson, and what its script fetches."""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.engine.games.lessons import lessons as taught
from app.engine.match.lesson import Lesson
from app.web.api.dependencies import REFUSALS, Code, SiteHere
from app.web.context.site import Site
from app.web.http import cached_json, errors
from app.web.pages.page import Here
from app.web.services import lessons

router = APIRouter(tags=["api"])


@router.get("/learn/{lesson}", include_in_schema=False, response_class=HTMLResponse)
async def learn(here: Here, lesson: Code) -> Response:
    """A first hand that teaches. Its script fetches the rest."""
    found = _called(here.site, lesson)
    asked = {"game": found.game, **found.record["options"]}
    return here.page("learn", lesson=lesson, name=here.texts.t(f"lesson.{lesson}.name"), asked=asked)


@router.get("/api/lessons/{lesson}", responses=REFUSALS)
async def steps(request: Request, site: SiteHere, lesson: Code) -> Response:
    """A lesson from its first step to its last: the updates that a table of its own would tell, and what is said."""
    _called(site, lesson)
    return cached_json.answer(request.scope, lessons.told(lesson, site.templates.texts(request.scope)))


def _called(site: Site, key: str) -> Lesson:
    found = taught().get(key)
    if found is None:
        raise errors.not_found(site.said("error.not_found"))
    return found
