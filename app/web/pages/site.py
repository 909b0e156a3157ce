"""Pages of the site: language, documentation, favicon and robots.txt.

docs.html        groups [{tag, endpoints [{method, path, summary, description, parameters, body, answers}]}],
                 written (names of pages below /docs/)
"""

import asyncio

from fastapi import APIRouter
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from app.web.api.dependencies import PathSegment
from app.web.http import errors
from app.web.pages.page import InjectedPageContext
from app.web.reference import docs_pages, openapi_page

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.post("/language")
async def choose_language(here: InjectedPageContext) -> Response:
    """Handle the language button: save the chosen language with the person and in a cookie, and go back.

    An unknown language changes nothing.
    """
    language = await here.read_form_field("language")
    response = RedirectResponse(here.referer_path(), 303)
    if language in {each.language for each in here.site.templates.catalogues.all_languages}:
        if here.me is not None and here.me.language != language:
            await here.site.people.set_language(here.me, language)
        here.set_language_cookie(response, language)
    return response


@router.get("/favicon.ico")
async def favicon(here: InjectedPageContext) -> Response:
    """Redirect `/favicon.ico` to the site's icon, for clients that ask there without having read a page."""
    return RedirectResponse(here.site.assets.url("img/favicon.svg"), 302)


@router.get("/robots.txt")
async def robots_txt() -> Response:
    """Tell crawlers to skip rooms, invitations, matches and personal pages, which are only for people with a link."""
    private = ("/r", "/j/", "/book/", "/matches/", "/recover/", "/device/", "/me")
    return PlainTextResponse("User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in private))


@router.get("/privacy")
async def privacy_page(here: InjectedPageContext) -> Response:
    """Say what this server stores, for how long, and how to delete it, by its settings."""
    settings = here.site.settings
    page = here.render(
        "privacy",
        rooms_days=settings.keep_rooms_days,
        people_days=settings.keep_people_days,
        idle_days=settings.idle_days,
        push=settings.push,
        logs_addresses=settings.log_refused_addresses,
    )
    return here.compress_public_page(page)


@router.get("/docs")
async def docs_page(here: InjectedPageContext) -> Response:
    """Show the HTTP API as a page, made from its OpenAPI description, with links to the other documentation."""
    # The description is made at the first visit: it takes 0.2 s, and 2 MB of memory.
    groups = openapi_page.endpoints_by_tag(await asyncio.to_thread(here.request.app.openapi))
    return here.compress_public_page(here.render("docs", groups=groups, written=list(docs_pages.FOR_PROGRAMS)))


@router.get("/docs/{name}")
async def docs_text_page(here: InjectedPageContext, name: PathSegment) -> Response:
    """Send a page of the documentation for developers as plain Markdown; 404 for an unknown name."""
    if name not in docs_pages.FOR_PROGRAMS:
        raise errors.not_found_error(here.site.message("error.not_found"))
    return here.compress_public_page(PlainTextResponse(docs_pages.read_docs_page(name)))
