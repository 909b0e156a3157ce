"""What every HTML page has: its context, the person who asks, forms without a script, cookies.

Every template gets `t(key, …)`, `listed(names)`, `has_text(key)`, `asset(path)`, `version`, and from here `page` (its
name), `person` (None, or with `name`), `origin` (the public address, without a slash at the end) and `nav` (the path
of the request). Pages of rooms are the same for everybody and get none of these four. Times are epoch milliseconds.
"""

from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from fastapi import Depends, Request
from starlette.responses import HTMLResponse, Response

from app.engine.base.messages import Sentence
from app.rooms.live.room_actor import Runner
from app.text_limits import LONGEST, MOST_KEYS
from app.web.api.dependencies import Me, SiteHere
from app.web.client_address import client_key, header, is_secure
from app.web.context.sessions import Person, keep, remember
from app.web.context.site import Site
from app.web.http import errors
from app.web.http.share_url import leads_here_only, shared_origin
from app.web.http.work_queue import Work
from app.web.services import room_access

T = TypeVar("T")

TOO_MANY_FIELDS = Sentence("web.too_many_fields", "A form has at most {most} fields.")
FIELD_TOO_LONG = Sentence("web.field_too_long", "A field of a form has at most {most} characters.")


class Pages:
    """Fills templates in for one request."""

    def __init__(self, request: Request, site: Site, me: Person | None) -> None:
        self.request = request
        self.site = site
        self.me = me
        self.origin = shared_origin(request.scope, site.settings)
        self.texts = site.templates.texts(request.scope)

    def page(self, template: str, status: int = 200, /, **context: Any) -> HTMLResponse:
        """Make a page of a template and what it is about."""
        text = self.site.templates.render(
            f"{template}.html",
            self.texts,
            page=template.replace("_", "-"),
            person=None if self.me is None else {"name": self.me.name},
            origin=self.origin,
            nav=self.request.url.path,
            **context,
        )
        return HTMLResponse(text, status)

    def page_of_room(self, template: str, runner: Runner) -> HTMLResponse:
        """Make a page of a room, which begins with this; its socket tells the rest."""
        told = {"code": runner.code, "room": runner.id, "link": f"{self.origin}/j/{runner.room.invite}"}
        text = self.site.templates.fill_in(
            f"{template}.html",
            self.texts,
            told,
            here_only=leads_here_only(self.origin),
            waits=runner.room.phase == "lobby",
            push=None if self.site.pusher is None else self.site.pusher.public_key,
        )
        return HTMLResponse(text)

    def came_from(self) -> str:
        """Return the path of the page that the browser comes from, or the home page's if it does not say."""
        try:
            path = urlsplit(header(self.request.scope, b"referer") or "").path
        except ValueError:  # it is no address
            return "/"
        return path if path.startswith("/") and not path.startswith("//") else "/"

    async def form(self) -> dict[str, str]:
        """Return the filled-in fields of a form that was sent without a script; refuse it if one is too long."""
        try:
            form = parse_qs((await self.request.body()).decode("ascii", "replace"), max_num_fields=MOST_KEYS)
        except ValueError:
            raise errors.Refusal(413, "too_large", TOO_MANY_FIELDS(most=MOST_KEYS)) from None
        if any(len(text) > LONGEST for field, values in form.items() for text in (field, *values)):
            raise errors.Refusal(413, "too_large", FIELD_TOO_LONG(most=LONGEST))
        return {field: values[0] for field, values in form.items()}

    async def sent(self, field: str) -> str:
        """What such a form has in this field; nothing if it has no such field."""
        return (await self.form()).get(field, "")

    def turn(self) -> AbstractAsyncContextManager[Work]:
        """Wait until one may do long work."""
        return self.site.slow_work.turn(client_key(self.request.scope))

    async def somebody(self) -> tuple[Person, str | None]:
        """The person who asks; a new one, with the token for their browser, if there was none."""
        if self.me is not None:
            return self.me, None
        return await room_access.newcomer(self.site, self.request.scope)

    async def come_into(self, room: str) -> str | None:
        """Note that whoever asks is in the room with this id; give the token for their browser, if they are new."""
        if self.me is None:
            return (await room_access.newcomer(self.site, self.request.scope, room=room))[1]
        await self.site.people.visit(self.me, room)
        return None

    def remember(self, response: Response, token: str | None) -> Response:
        """Set the cookie, if the person is new."""
        if token is not None:
            remember(response, token, secure=is_secure(self.request.scope))
        return response

    def of_room(self, response: Response, code: str, room: str) -> Response:
        """Set a cookie by which a proxy leads this room's pages to the node that has it, whatever code it had before.

        It opens nothing and says nothing of who somebody is.
        """
        if self.request.cookies.get("room") != room:
            keep(response, "room", room, path=f"/r/{code}", secure=is_secure(self.request.scope))
        return response


async def _pages(request: Request, site: SiteHere, me: Me) -> Pages:
    return Pages(request, site, me)


Here = Annotated[Pages, Depends(_pages)]


async def counted(here: Pages, found: T | None) -> T | None:
    """Links that lead nowhere are counted as guesses. Those that are good nobody can guess."""
    wait = 0.0 if found is not None else here.site.guesses.wait(client_key(here.request.scope))
    if wait:
        raise errors.too_fast(wait)
    return found
