"""Files for installing the site as an app: the manifest, the service worker, and the offline page."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from app import resources
from app.web.assets.static_files import REVALIDATE
from app.web.pages.page import InjectedPageContext

router = APIRouter(include_in_schema=False)

PAPER, FELT = "#f3eadb", "#2f5a47"
"""Background colours of the pages and of the icon."""

ICON_SIZES = (192, 512)
"""Icon sizes in pixels; the SVG covers all others."""


@router.get("/manifest.webmanifest")
async def web_manifest(here: InjectedPageContext) -> Response:
    """Return the web app manifest in the visitor's language, with which browsers install the site as an app."""
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
                for size in ICON_SIZES
            ),
            {"src": asset("img/sign-whole.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        ],
        "shortcuts": [{"name": here.texts.t("home.invite"), "url": "/new"}],
    }
    return JSONResponse(about, headers={"Cache-Control": REVALIDATE}, media_type="application/manifest+json")


@router.get("/sw.js")
async def service_worker() -> Response:
    """Return the script of the service worker.

    Its path is at the root, so that it may handle the whole site.
    """
    return FileResponse(resources.static_folder() / "js" / "service_worker.js", headers={"Cache-Control": REVALIDATE})


@router.get("/offline", response_class=HTMLResponse)
async def offline_page(here: InjectedPageContext) -> Response:
    """Show the page for visitors whose device can't reach the server.

    The service worker stores it in advance.
    """
    return here.render("offline")
