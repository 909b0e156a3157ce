"""The context of every HTML page: the person who asks, rendering, forms without a script, cookies.

Every template gets `t(key, …)`, `listed(names)`, `has_text(key)`, `asset(path)`, `version`, and from here `page` (its
name), `person` (None, or with `name`), `origin` (the public address, without a slash at the end) and `nav` (the path
of the request). Pages of rooms are the same for everybody and get none of these four. Times are epoch milliseconds.
"""

import gzip
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from fastapi import Depends, Request
from starlette.responses import HTMLResponse, Response

from app.engine.base.messages import MessageTemplate
from app.rooms.live.room_actor import RoomActor
from app.text_limits import MAX_TEXT_LENGTH, MOST_KEYS
from app.web.api.dependencies import InjectedAppContext, OptionalPerson
from app.web.client_address import client_key, header, is_secure
from app.web.context.sessions import YEARS, Person, set_cookie, set_session_cookie
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.http.share_url import is_loopback_url, shareable_origin
from app.web.http.work_queue import RunInThread
from app.web.i18n.catalogues import COOKIE
from app.web.services import room_access

T = TypeVar("T")

TOO_MANY_FIELDS = MessageTemplate("web.too_many_fields", "This form has too many fields. The limit is {most}.")
FIELD_TOO_LONG = MessageTemplate(
    "web.field_too_long", "A field of this form is too long. The limit is {most} characters."
)


class PageContext:
    """What a page handler needs for one request: the visitor, their texts, forms, cookies, and template rendering."""

    def __init__(self, request: Request, site: AppContext, me: Person | None) -> None:
        self.request = request
        self.site = site
        self.me = me
        self.origin = shareable_origin(request.scope, site.settings)
        self.texts = site.templates.texts_for_request(request.scope, None if me is None else me.language)

    def sign_in(self, person: Person) -> None:
        """Show this page to a person whom a link has just signed in, in their language."""
        self.me = person
        self.texts = self.site.templates.texts_for_request(self.request.scope, person.language)

    def render(self, template: str, status: int = 200, /, **context: Any) -> HTMLResponse:
        """Render a template as an HTML response with this status, adding the values that every page has.

        These are the page's name, the visitor, the site's origin and the request's path.
        """
        text = self.site.templates.render(
            f"{template}.html",
            self.texts,
            page=template.replace("_", "-"),
            person=None if self.me is None else {"name": self.me.name},
            origin=self.origin,
            nav=self.request.url.path,
            **context,
        )
        return self._with_language(HTMLResponse(text, status))

    def compress_public_page(self, response: Response) -> Response:
        """Return the response, compressed if the browser accepts that and the page is the same for everybody.

        Only pages without a room may come here, and only those for visitors without a cookie are compressed: the length
        of a compressed page tells what it has in common with the address (BREACH).
        """
        response.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
        if self.me is None and not self.request.cookies and "gzip" in self.request.headers.get("accept-encoding", ""):
            body = gzip.compress(bytes(response.body), mtime=0)
            response.body = body
            response.headers["Content-Encoding"] = "gzip"
            response.headers["Content-Length"] = str(len(body))
        return response

    def render_room_page(self, template: str, actor: RoomActor) -> HTMLResponse:
        """Render a room's page with the room's code, id and invitation link, and whether the visitor has saved a face.

        Its script gets the rest from the room's socket.
        """
        values = {"code": actor.code, "room": actor.id, "link": f"{self.origin}/j/{actor.room.invite}"}
        text = self.site.templates.render_prepared(
            f"{template}.html",
            self.texts,
            values,
            here_only=is_loopback_url(self.origin),
            own_face=self.me is not None and (self.me.bird or self.me.colour) is not None,
            waits=actor.room.phase == "lobby",
            push=None if self.site.push_sender is None else self.site.push_sender.public_key,
        )
        return self._with_language(HTMLResponse(text))

    def _with_language(self, response: HTMLResponse) -> HTMLResponse:
        """Return a page with the cookie of the person's language, if the browser asks for another.

        So a language that they chose on another device holds for the API and for sockets, too.
        """
        catalogues = self.site.templates.catalogues
        chosen = self.me and catalogues.find_language(self.me.language)
        if chosen and catalogues.for_request(self.request.scope) is not chosen:
            self.set_language_cookie(response, chosen.language)
        return response

    def set_language_cookie(self, response: Response, language: str) -> None:
        """Put the cookie with the chosen language into a response. The page's scripts may read it."""
        secure = is_secure(self.request.scope)
        response.set_cookie(COOKIE, language, max_age=YEARS * 365 * 24 * 3600, secure=secure, samesite="lax")

    def referer_path(self) -> str:
        """Return the path of the page that the visitor came from, or "/" if the browser does not tell it.

        Used to go back there.
        """
        try:
            path = urlsplit(header(self.request.scope, b"referer") or "").path
        except ValueError:  # an invalid address
            return "/"
        return path if path.startswith("/") and not path.startswith("//") else "/"

    async def read_form(self) -> dict[str, str]:
        """Return the fields of a posted HTML form by name, with the first value of each.

        Raises 413 for too many or too long fields.
        """
        try:
            form = parse_qs((await self.request.body()).decode("ascii", "replace"), max_num_fields=MOST_KEYS)
        except ValueError:
            raise errors.HttpError(413, "too_large", TOO_MANY_FIELDS(most=MOST_KEYS)) from None
        if any(len(text) > MAX_TEXT_LENGTH for field, values in form.items() for text in (field, *values)):
            raise errors.HttpError(413, "too_large", FIELD_TOO_LONG(most=MAX_TEXT_LENGTH))
        return {field: values[0] for field, values in form.items()}

    async def read_form_field(self, field: str) -> str:
        """Return the value of one field of the posted HTML form, or "" if it is missing.

        Raises 413 for too many or too long fields.
        """
        return (await self.read_form()).get(field, "")

    def worker_slot(self) -> AbstractAsyncContextManager[RunInThread]:
        """Wait for a slot for this visitor's slow work; the context yields a function that runs a call in a thread.

        Slots are limited and addresses take turns. 503 if too many jobs wait already.
        """
        return self.site.work_queue.worker_slot(client_key(self.request.scope))

    async def person_or_new(self) -> tuple[Person, str | None]:
        """Return the signed-in person and None, or create a person and return them with the token for their cookie.

        429 if this address has created too many people.
        """
        if self.me is not None:
            return self.me, None
        return await room_access.register_person(self.site, self.request.scope)

    async def record_visit(self, room: str) -> str | None:
        """Record that the visitor opened the room with this id; a stranger becomes a new person first.

        Returns the token for a new person's cookie, else None.
        """
        if self.me is None:
            return (await room_access.register_person(self.site, self.request.scope, room=room))[1]
        await self.site.people.record_visit(self.me, room)
        return None

    def set_session_cookie(self, response: Response, token: str | None) -> Response:
        """Put the session cookie with this token into the response, and return the response.

        None changes nothing: the visitor has a cookie.
        """
        if token is not None:
            set_session_cookie(response, token, secure=is_secure(self.request.scope))
        return response

    def set_room_cookie(self, response: Response, code: str, room: str) -> Response:
        """Set a cookie with the room's id, by which a proxy routes its pages to the node that holds the room.

        Unlike the code, the id never changes. The cookie gives no access and does not identify a person.
        """
        if self.request.cookies.get("room") != room:
            set_cookie(response, "room", room, path=f"/r/{code}", secure=is_secure(self.request.scope))
        return response


async def _build_page_context(request: Request, site: InjectedAppContext, me: OptionalPerson) -> PageContext:
    return PageContext(request, site, me)


InjectedPageContext = Annotated[PageContext, Depends(_build_page_context)]


async def count_if_guess(here: PageContext, found: T | None) -> T | None:
    """Return `found`, the result of looking up a secret link.

    None counts as a wrong guess by this address. Too many guesses raise 429. Valid links are never limited, as they
    can't be guessed.
    """
    wait = 0.0 if found is not None else here.site.guess_limiter.seconds_until_allowed(client_key(here.request.scope))
    if wait:
        raise errors.rate_limit_error(wait)
    return found
