"""What a browser needs to keep the site like a program: what it is called and looks like, a script that answers when
nobody else does, and the page that this script then shows."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from app import resources
from app.web.assets.static_files import ASK_AGAIN
from app.web.pages.page import Here

router = APIRouter(include_in_schema=False)

PAPER, FELT = "#f3eadb", "#2f5a47"
"""The ground of the pages, and of the sign."""

MEASURES = (192, 512)
"""Pixels of the sign's edges; any other size is made of the drawing."""


@router.get("/manifest.webmanifest")
async def manifest(here: Here) -> Response:
    """The name and the looks, in the reader's language."""
    name, asset = here.texts.t("site.name"), here.site.assets.url
    about: dict[str, Any] = {
        "id": "/",
        "name": name,
        "short_name": name,
        "description": here.texts.t("site.claim"),
        "lang": here.texts.language,
        "dir": here.texts.direction,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [
            {"src": asset("img/favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
            *(
                {"src": asset(f"img/sign-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
                for size in MEASURES
            ),
            {"src": asset("img/sign-whole.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        ],
        "shortcuts": [{"name": here.texts.t("nav.new"), "url": "/new"}],
    }
    return JSONResponse(about, headers={"Cache-Control": ASK_AGAIN}, media_type="application/manifest+json")


@router.get("/sw.js")
async def worker() -> Response:
    """The service worker: from here it may answer for the whole site."""
    return FileResponse(resources.static() / "js" / "service_worker.js", headers={"Cache-Control": ASK_AGAIN})


@router.get("/offline", response_class=HTMLResponse)
async def offline(here: Here) -> Response:
    """What is shown when the server can't be reached. It is fetched while it can."""
    return here.page("offline")
