"""The two requests that everybody makes who comes in: one that opens a room, and one for a room's page.

They are answered here by the functions that `api.py` and `pages.py` have for them, without a search through all routes
and without looking up what each depends on, which cost more than what was asked for. A request that is odd in any way
goes on to the application inside, which knows how to refuse it.
"""

import json
import re
from collections.abc import Callable
from typing import Final

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from app.web import api, errors, pages
from app.web.address import Scope, header
from app.web.guards import ASGIApp, Receive, Send, once
from app.web.site import Site

_PATH: Final = re.compile("/r/([A-Za-z0-9]+)")


def _route(router: APIRouter, endpoint: object) -> APIRoute:
    """The route of this function, by which requests are counted."""
    return next(route for route in router.routes if isinstance(route, APIRoute) and route.endpoint is endpoint)


_PAGE_OF_ROOM: Final = _route(pages.router, pages.room)
_NEW_ROOM: Final = _route(api.router, api.open_room)


class Front:
    """Answers these two, and asks the application inside for all else."""

    def __init__(self, app: ASGIApp, site: Callable[[], Site]) -> None:
        self.app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http":
            if scope["method"] == "GET" and (found := _PATH.fullmatch(scope["path"])) is not None:
                await self._show(scope, receive, send, found[1])
                return
            if (
                scope["method"] == "POST"
                and scope["path"] == _NEW_ROOM.path
                and header(scope, b"content-type") == "application/json"
            ):
                await self._open(scope, receive, send)
                return
        await self.app(scope, receive, send)

    async def _show(self, scope: Scope, receive: Receive, send: Send, code: str) -> None:
        """Answer with the page of a room."""
        site = self._site()
        scope["route"] = _PAGE_OF_ROOM
        try:
            known = await site.people.known(scope)
            here = pages.Pages(Request(scope), site, None if known is None else known.person)
            answer = await pages.room(here, code)
        except Exception as error:
            answer = errors.answer_to(site.templates, scope, error)
        await answer(scope, receive, send)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Open a room, and answer with where it is."""
        site = self._site()
        message = await receive()  # the guards have read all of it
        try:
            asked = api.NewRoom.model_validate(json.loads(message["body"]))
        except (KeyError, ValueError, RecursionError):
            await self.app(scope, once(message, receive), send)
            return
        scope["route"] = _NEW_ROOM
        try:
            known = await site.people.known(scope)
            answer = Response(status_code=201, media_type="application/json")
            request, me = Request(scope), None if known is None else known.person
            opened = await api.open_room(request, answer, site, me, asked)
            answer.body = opened.model_dump_json().encode()
            answer.headers["content-length"] = str(len(answer.body))
        except Exception as error:
            answer = errors.answer_to(site.templates, scope, error)
        await answer(scope, receive, send)
