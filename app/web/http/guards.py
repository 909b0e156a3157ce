"""What every request and every handshake of a socket meets first: plain ASGI, as middleware for HTTP would not do.

Who is asking (through trusted proxies only), whether the page that asks is ours, how often, and how much at once; and
the headers that every answer carries, those of refusals and mistakes included.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_plus

import structlog
from starlette.responses import Response

from app.engine.base.messages import Sentence
from app.settings import Settings
from app.text_limits import LONGEST
from app.web.assets.templates import Templates
from app.web.client_address import (
    READ,
    Scope,
    asks_for_a_host,
    asks_for_us,
    client_key,
    comes_from,
    header,
    is_own,
    is_secure,
    seen_through_proxies,
    too_long_header,
    under_public_name,
)
from app.web.http import errors
from app.web.http.errors import Refusal
from app.web.http.rate_limit import Pace

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Any, Receive, Send], Awaitable[None]]

log = structlog.get_logger("web")

SOCKETS = "/ws/"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
IMPORTS = "/api/imports"
"""Where files of records are sent to: they may be longer than any other body."""
BODY_SECONDS = 15
"""How long a body may take to arrive."""
REFUSED_BYTES = 32 * 1024 * 1024
"""How many bytes of the body of a refused request are read and dropped before the answer."""

SHOWN = 100
"""Characters of a stranger's text in a log."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "media-src 'self'; connect-src 'self' {sockets}; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Nothing inline, nobody else's. `{sockets}`: browsers that don't count ws: under 'self' need it named."""

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
PAGE_HEADERS = [
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),  # links to rooms are secrets
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
"""What browsers go by where an answer is a page, or may be shown as one."""
ASSETS = "/static/"
PARTS_OF_PAGES = (b"text/javascript", b"text/css")
"""Assets of these kinds go by what the page says that loads them; such headers would be longer than many of them."""


TOO_SLOW = Sentence("web.too_slow", "The request took too long to arrive.")
NO_ORIGIN = Sentence("web.no_origin", "Pages say where they are from; programs send a token, and no cookie.")
NO_SUCH_SOCKET = Sentence("refused.no_such_socket", "There is no socket at this address.")
NO_HOST = Sentence("web.no_host", "That is no host.")
NOT_OUR_NAME = Sentence("web.not_our_name", "Nobody is here by that name. This site is {url}.")
HEADER_TOO_LONG = Sentence("web.header_too_long", "The header “{name}” is too long: it may have at most {most} bytes.")
ADDRESS_TOO_LONG = Sentence(
    "web.address_too_long", "The address is too long: its path and each of its fields may have {most} characters."
)
ONE_ORIGIN = Sentence("web.one_origin", "A request has at most one “Origin”.")
TOO_MANY_BYTES = Sentence("web.too_many_bytes", "That is too much at once: at most {most} bytes.")
ONLY_OWN_PAGES = Sentence("web.only_own_pages", "Only pages of this site may do that.")


class Guards:
    """The outermost application: refuses, or asks the one inside."""

    def __init__(
        self,
        app: ASGIApp,
        sockets: ASGIApp,
        settings: Settings,
        templates: Templates,
        refused: Callable[[str], None] = lambda code: None,
    ) -> None:
        """`sockets` gets the handshakes that pass, straight: a layer less for every frame.

        `refused` is told why each of the others did not.
        """
        self.app = app
        self.sockets = sockets
        self._settings = settings
        self._refused = refused
        self._templates = templates
        limits = settings.limits
        self._requests = Pace(limits.requests_per_minute, 60)
        self._changes = Pace(limits.changes_per_minute, 60)
        self._handshakes = Pace(limits.handshakes_per_minute, 60)
        self._warned: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        trusted = comes_from(scope, self._settings.trusted_proxies)
        # In the same scope, where those outside look for the route that was found inside.
        scope.update(seen_through_proxies(scope, self._settings.trusted_proxies))
        if scope.get("client_unknown"):
            self._warn_of_proxy(scope, trusted=trusted)
        scope.update(under_public_name(scope, self._settings.public_url))
        body = None
        if scope["type"] == "http" and scope["method"] not in SAFE:
            body = RequestBody(receive, asked=header(scope, b"expect") is None)
        try:
            self._check(scope)
            if body is not None:
                whole = await self._whole_body(scope, body)
                if whole is None:
                    return
                receive = whole
        except Refusal as refused:
            if scope["type"] == "websocket":
                self._refused(refused.code)
            if body is not None:
                await body.drop()
            response = errors.answer(
                self._templates, scope, refused.status, refused.code, refused.sentence, refused.headers
            )
            await _refuse(response, scope, receive, self._with_headers(scope, send))
            return
        if scope["type"] == "websocket":
            await self.sockets(scope, receive, send)
        else:
            await self.app(scope, receive, self._with_headers(scope, send))

    def _check(self, scope: Scope) -> None:
        long = too_long_header(scope)
        if long is not None:
            raise Refusal(431, "too_large", HEADER_TOO_LONG(name=long, most=READ[long.lower().encode("latin-1")]))
        _check_address(scope)
        if not asks_for_a_host(scope):
            raise Refusal(400, "bad_request", NO_HOST())
        if not asks_for_us(scope, self._settings.public_url, self._settings.allowed_origins):
            self._warn_of_name(scope)
            raise Refusal(421, "bad_host", NOT_OUR_NAME(url=self._settings.public_url or ""))
        client = client_key(scope)
        if scope["type"] == "websocket":
            if not scope["path"].startswith(SOCKETS):
                raise errors.not_found(NO_SUCH_SOCKET())
            if not _is_of_a_program(scope):
                self._check_origin(scope, needed=True)
            wait = self._handshakes.wait(client)
        elif scope["method"] in SAFE:
            if scope["path"].startswith("/static/") or scope["path"] in ("/healthz", "/readyz"):
                return
            wait = self._requests.wait(client)
        else:
            self._check_origin(scope, needed=False)
            wait = self._requests.wait(client) or self._changes.wait(client)
        if wait:
            raise errors.too_fast(wait)

    def _check_origin(self, scope: Scope, *, needed: bool) -> None:
        """Refuse a change or a socket that another site's page asks for; browsers always say where it comes from."""
        if sum(name.lower() == b"origin" for name, _ in scope["headers"]) > 1:
            raise Refusal(403, "bad_origin", ONE_ORIGIN())
        origin = header(scope, b"origin")
        if origin is None:
            if needed:
                raise Refusal(403, "bad_origin", NO_ORIGIN())
            if header(scope, b"sec-fetch-site") in (None, "same-origin", "none"):
                return
        elif is_own(origin, scope, self._settings.public_url, self._settings.allowed_origins):
            return
        if origin is not None:
            self._warn_of_host(scope, origin)
        raise Refusal(403, "bad_origin", ONLY_OWN_PAGES())

    def _warn_of_proxy(self, scope: Scope, *, trusted: bool) -> None:
        """Tell the operator once why addresses, or https, that a proxy reports are not believed."""
        if trusted:
            self._warn(
                "a trusted proxy sent X-Forwarded-For without the visitor's address: all its visitors count as one; "
                "let it send the address that it sees",
                header=(header(scope, b"x-forwarded-for") or "")[:SHOWN],
            )
            return
        self._warn(
            "forwarded headers are not believed, as PECKING_ORDER_TRUSTED_PROXIES does not name who sent them: if that "
            "is your proxy, set it, and PECKING_ORDER_PUBLIC_URL to the address that people use",
            sender=(scope.get("client") or ("a socket file", 0))[0],
        )

    def _warn_of_host(self, scope: Scope, origin: str) -> None:
        """Once: a proxy that sends another `Host` than it was asked for makes our own pages look like strangers'."""
        self._warn(
            "a page of another origin was refused: if people use that address, set PECKING_ORDER_PUBLIC_URL to it, "
            "or let your proxy pass `Host` on as it came",
            origin=origin[:SHOWN],
            host=(header(scope, b"host") or "")[:SHOWN],
        )

    def _warn_of_name(self, scope: Scope) -> None:
        """Once: people may use a name that nobody told us of, or a proxy may send its own."""
        self._warn(
            "a request for another name than that of PECKING_ORDER_PUBLIC_URL was refused: if people use that name, "
            "add its address to PECKING_ORDER_ALLOWED_ORIGINS, or let your proxy pass `Host` on as it came",
            host=(header(scope, b"host") or "")[:SHOWN],
        )

    def _warn(self, what: str, **about: str) -> None:
        if what not in self._warned:
            self._warned.add(what)
            log.warning(what, **about)

    async def _whole_body(self, scope: Scope, body: "RequestBody") -> Receive | None:
        """Return the whole body as one message, or None if the client left before it was complete.

        `Refusal` if it is too long, or comes too slowly.
        """
        limits = self._settings.limits
        most = limits.import_bytes if scope["path"].startswith(IMPORTS) else limits.body_bytes
        too_large = Refusal(413, "too_large", TOO_MANY_BYTES(most=most), {"Connection": "close"})
        length = header(scope, b"content-length")
        # The guard on headers has seen that it is short: Python reads no number of 5,000 digits.
        if length is not None and (not length.isdecimal() or int(length) > most):
            raise too_large
        whole = bytearray()
        try:
            while (part := await body.next_part()) is not None:
                whole += part
                if len(whole) > most:
                    raise too_large
        except TimeoutError:
            raise Refusal(408, "too_slow", TOO_SLOW(), {"Connection": "close"}) from None
        if not body.complete:
            return None
        return once({"type": "http.request", "body": bytes(whole), "more_body": False}, body.receive)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        policy = _policy(_sockets(scope, self._settings.public_url))
        secure = is_secure(scope)

        async def wrapped(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = list(message.get("headers", ()))
                present = {name.lower(): value for name, value in headers}
                headers += HEADERS
                kind = present.get(b"content-type", b"")
                if not (scope["path"].startswith(ASSETS) and kind.startswith(PARTS_OF_PAGES)):
                    headers += PAGE_HEADERS
                    headers.append((b"content-security-policy", policy))
                    if secure:
                        headers.append((b"strict-transport-security", b"max-age=31536000"))
                if b"cache-control" not in present:
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": headers}
            await send(message)

        return wrapped


class RequestBody:
    """The body of one request, which must arrive within `BODY_SECONDS`, whether it is read or dropped."""

    def __init__(self, receive: Receive, *, asked: bool) -> None:
        """`asked` is False if the client sends the body only after it gets `100 Continue`."""
        self.receive = receive
        self.complete = False
        """Whether all of it has arrived."""
        self._asked = asked
        self._deadline = asyncio.get_running_loop().time() + BODY_SECONDS

    async def next_part(self) -> bytes | None:
        """Wait for more of the body; None at the end of it or of the connection, `TimeoutError` after the deadline."""
        if self.complete:
            return None
        self._asked = True
        async with asyncio.timeout_at(self._deadline):
            message = await self.receive()
        if message["type"] != "http.request":
            return None
        self.complete = not message.get("more_body")
        return bytes(message.get("body", b""))

    async def drop(self) -> None:
        """Read the rest and drop it, up to `REFUSED_BYTES` and the deadline. Don't ask for a body that is not sent yet.

        Many clients send the whole body before they read the answer. A proxy closes the connection soon after an
        early answer, so that they would get a connection error instead of the reason.
        """
        dropped = 0
        with suppress(TimeoutError):
            while self._asked and dropped <= REFUSED_BYTES and (part := await self.next_part()) is not None:
                dropped += len(part)


def _check_address(scope: Scope) -> None:
    """Refuse an address whose path, or one of whose fields, is longer than any text may be."""
    query = scope["query_string"].decode("latin-1")
    fields = map(unquote_plus, query.split("&")) if len(query) > LONGEST else ()
    if any(len(part) > LONGEST for part in (scope["path"], *fields)):
        raise Refusal(414, "too_large", ADDRESS_TOO_LONG(most=LONGEST))


@lru_cache
def _policy(sockets: str) -> bytes:
    return POLICY.format(sockets=sockets).encode()


def _is_of_a_program(scope: Scope) -> bool:
    """Whether a socket is asked for by no browser. Each sends Origin, and what a page could abuse is its cookie."""
    names = {name.lower() for name, _ in scope["headers"]}
    return not any(name in (b"origin", b"cookie") or name.startswith(b"sec-fetch-") for name in names)


def _sockets(scope: Scope, public_url: str | None) -> str:
    host = header(scope, b"host")
    own = [f"{'wss' if is_secure(scope) else 'ws'}://{host}"] if host and asks_for_a_host(scope) else []
    if public_url is not None:
        own.append("ws" + public_url.removeprefix("http"))
    return " ".join(dict.fromkeys(own))


def once(message: Message, receive: Receive) -> Receive:
    """`message` first, then whatever else comes."""
    waiting: list[Message] = [message]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


async def _refuse(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """The answer instead of what was asked for; instead of a socket, too."""
    if scope["type"] == "websocket":
        message = await receive()
        if message["type"] != "websocket.connect":
            return
        prefixed: Send = send

        async def as_denial(message: Message) -> None:
            await prefixed({**message, "type": f"websocket.{message['type']}"})

        send = as_denial
        scope = {**scope, "type": "http"}  # a Response would prefix by itself, but differently in every version
    await response(scope, receive, send)
