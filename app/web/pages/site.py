"""Pages of the site: language, documentation, and what browsers and crawlers ask for.

docs.html        groups [{tag, endpoints [{method, path, summary, description, parameters, body, answers}]}],
                 written (names of pages below /docs/)
"""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from app.web.api.dependencies import Code
from app.web.client_address import is_secure
from app.web.context.sessions import YEARS
from app.web.http import errors
from app.web.i18n.catalogues import COOKIE
from app.web.pages.page import Here
from app.web.reference import docs_pages, openapi_page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.post("/language")
async def choose_language(here: Here) -> Response:
    """The button of a language below every page: what this browser reads from now on."""
    wanted = await here.sent("language")
    response = RedirectResponse(here.came_from(), 303)
    if wanted in {each.language for each in here.site.templates.catalogues.all}:
        response.set_cookie(
            COOKIE, wanted, max_age=YEARS * 365 * 24 * 3600, secure=is_secure(here.request.scope), samesite="lax"
        )
    return response


@router.get("/favicon.ico")
async def icon(here: Here) -> Response:
    """For those who ask without having read a page."""
    return RedirectResponse(here.site.assets.url("img/favicon.svg"), 302)


@router.get("/robots.txt")
async def robots() -> Response:
    """Rooms, invitations and matches are for those who have the link."""
    private = ("/r", "/j/", "/book/", "/matches/", "/recover/", "/device/", "/me")
    return PlainTextResponse("User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in private))


@router.get("/docs")
async def docs(here: Here) -> Response:
    """The HTTP interface, from its OpenAPI description, and the way to the rest."""
    return here.page(
        "docs", groups=openapi_page.groups(here.request.app.openapi()), written=list(docs_pages.FOR_PROGRAMS)
    )


@router.get("/docs/{name}")
async def doc(here: Here, name: Code) -> Response:
    """What is written for those who write programs, as it is: Markdown reads well."""
    if name not in docs_pages.FOR_PROGRAMS:
        raise errors.not_found(here.site.said("error.not_found"))
    return PlainTextResponse(docs_pages.page(name))
