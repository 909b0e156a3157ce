"""Checks that every request and every WebSocket handshake passes first. Plain ASGI, as HTTP middleware misses sockets.

The checks: the client's address (through trusted proxies only), the origin of the page, the rate, and the size. Every
response also gets security headers, including refusals and errors.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_plus

import structlog
from starlette.responses import Response

from app.engine.base.messages import MessageTemplate
from app.settings import Settings
from app.text_limits import MAX_TEXT_LENGTH
from app.web.client_address import (
    MAX_HEADER_BYTES,
    Scope,
    client_key,
    find_too_long_header,
    has_valid_host,
    header,
    is_allowed_origin,
    is_client_in,
    is_secure,
    with_forwarded_client,
    with_public_scheme,
)
from app.web.http import errors
from app.web.http.ban_list import BanList
from app.web.http.errors import HttpError
from app.web.http.host_names import RefusedNames, is_host_known, own_host_names, setting_for_host
from app.web.http.rate_limit import RateLimiter

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Any, Receive, Send], Awaitable[None]]

log = structlog.get_logger("web")

SOCKETS = "/ws/"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
IMPORTS = "/api/imports"
"""Path for uploaded match files, which may be longer than any other body."""
BODY_SECONDS = 15
"""Seconds a body may take to arrive."""
REFUSED_BYTES = 32 * 1024 * 1024
"""Bytes of the body of a refused request that are read and dropped before the response."""

MOST_PROXIES = 20
"""Number of addresses of proxies that are remembered for the operator."""
SHOWN = 100
"""Longest part, in characters, of a client's text in a log."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "media-src 'self'; connect-src 'self' {sockets}; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The Content-Security-Policy: no inline code, no other site. `{sockets}` names our WebSocket addresses, for browsers
whose 'self' excludes ws:."""

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
PAGE_HEADERS = [
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),  # links to rooms are secrets
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-pecking-order", b"1"),
]
"""Security headers for pages, and for responses that a browser may show as a page.

The last one tells the service worker that an error comes from this server, and not from a proxy in front of it.
"""
ASSETS = "/static/"
PARTS_OF_PAGES = (b"text/javascript", b"text/css")
"""Content types of assets that get no page headers: the page that loads them decides, and the headers would be longer
than many files."""


TOO_SLOW = MessageTemplate("web.too_slow", "The request took too long to arrive.")
BANNED = MessageTemplate("web.banned", "The operator of this server has blocked your network.")
NO_ORIGIN = MessageTemplate("web.no_origin", "A page must send its origin. A program must send a token and no cookie.")
NO_SUCH_SOCKET = MessageTemplate("refused.no_such_socket", "This address has no WebSocket.")
NO_HOST = MessageTemplate("web.no_host", "The host name of this request is invalid.")
NOT_OUR_NAME = MessageTemplate("web.not_our_name", "This site has another address. Open {url}.")
UNKNOWN_NAME = MessageTemplate(
    "web.unknown_name", "This server does not know this address. If this is your server, set PECKING_ORDER_PUBLIC_URL."
)
HEADER_TOO_LONG = MessageTemplate("web.header_too_long", "The header “{name}” is too long. Send at most {most} bytes.")
ADDRESS_TOO_LONG = MessageTemplate(
    "web.address_too_long", "This address is too long. Use at most {most} characters for the path and for each field."
)
ONE_ORIGIN = MessageTemplate("web.one_origin", "A request can have at most one “Origin”.")
TOO_MANY_BYTES = MessageTemplate("web.too_many_bytes", "This request is too large. Send at most {most} bytes.")
ONLY_OWN_PAGES = MessageTemplate("web.only_own_pages", "Only pages of this site can do that.")


class RequestGuards:
    """The outermost ASGI application: checks each request and handshake, and refuses it or passes it on."""

    def __init__(
        self,
        app: ASGIApp,
        sockets: ASGIApp,
        settings: Settings,
        respond: Callable[[Scope, HttpError], Response],
        refused: Callable[[str], None] = lambda code: None,
        bans: BanList | None = None,
    ) -> None:
        """`sockets` gets accepted handshakes directly, without the middleware of `app`.

        `respond` makes the response to a refused request. `refused` is called with the error code of each refused
        handshake. `bans`: networks whose requests are refused.
        """
        self.app = app
        self.sockets = sockets
        self._settings = settings
        self._refused = refused
        self._respond = respond
        limits = settings.limits
        self._bans = bans or BanList()
        self._requests = RateLimiter(limits.requests_per_minute, 60)
        self._changes = RateLimiter(limits.changes_per_minute, 60)
        self._handshakes = RateLimiter(limits.handshakes_per_minute, 60)
        self.believed_proxies: set[str] = set()
        """Addresses of trusted proxies that have named a client, at most `MOST_PROXIES`."""
        self._warned: set[str] = set()
        self._own_names = own_host_names(settings)
        self._refused_names = RefusedNames()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request or handshake, then refuse it or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        trusted = is_client_in(scope, self._settings.trusted_proxies)
        sender = scope.get("client")
        # Change the scope in place: outer middleware reads the route from it.
        scope.update(with_forwarded_client(scope, self._settings.trusted_proxies))
        if sender is not None and trusted and scope["client"] not in (sender, None):
            self._remember_proxy(sender[0])
        if scope.get("client_unknown"):
            self._warn_of_untrusted_proxy(scope, trusted=trusted)
        scope.update(with_public_scheme(scope, self._settings.public_url))
        body = None
        if scope["type"] == "http" and scope["method"] not in SAFE:
            body = RequestBody(receive, is_requested=header(scope, b"expect") is None)
        try:
            self._check_request(scope)
            if body is not None:
                whole = await self._read_whole_body(scope, body)
                if whole is None:
                    return
                receive = whole
        except HttpError as refused:
            if scope["type"] == "websocket":
                self._refused(refused.code)
            if self._settings.log_refused_addresses:
                log.info("request refused", address=_client_address(scope), code=refused.code)
            if body is not None:
                await body.discard_rest()
            response = self._respond(scope, refused)
            await _send_refusal(response, scope, receive, self._add_security_headers(scope, send))
            return
        if scope["type"] == "websocket":
            await self.sockets(scope, receive, send)
        else:
            await self.app(scope, receive, self._add_security_headers(scope, send))

    def _remember_proxy(self, address: str) -> None:
        if len(self.believed_proxies) < MOST_PROXIES:
            self.believed_proxies.add(address)

    def _check_request(self, scope: Scope) -> None:
        if self._bans.covers(_client_address(scope)):
            raise HttpError(403, "banned", BANNED())
        long = find_too_long_header(scope)
        if long is not None:
            raise HttpError(
                431, "too_large", HEADER_TOO_LONG(name=long, most=MAX_HEADER_BYTES[long.lower().encode("latin-1")])
            )
        _check_url_length(scope)
        if not has_valid_host(scope):
            raise HttpError(400, "bad_request", NO_HOST())
        if not is_host_known(scope, self._own_names):
            self._warn_of_refused_host(scope)
            url = self._settings.public_url
            raise HttpError(421, "bad_host", UNKNOWN_NAME() if url is None else NOT_OUR_NAME(url=url))
        client = client_key(scope)
        if scope["type"] == "websocket":
            if not scope["path"].startswith(SOCKETS):
                raise errors.not_found_error(NO_SUCH_SOCKET())
            if not _is_from_non_browser(scope):
                self._check_origin(scope, required=True)
            wait = self._handshakes.seconds_until_allowed(client)
        elif scope["method"] in SAFE:
            if scope["path"].startswith("/static/") or scope["path"] in ("/healthz", "/readyz"):
                return
            wait = self._requests.seconds_until_allowed(client)
        else:
            self._check_origin(scope, required=False)
            wait = self._requests.seconds_until_allowed(client) or self._changes.seconds_until_allowed(client)
        if wait:
            raise errors.rate_limit_error(wait)

    def _check_origin(self, scope: Scope, *, required: bool) -> None:
        """Refuse a change, or a socket, that a page of another site asks for: raise `HttpError` 403.

        Browsers always send the origin of the page. `required`: a request without an origin is refused too.
        """
        if sum(name.lower() == b"origin" for name, _ in scope["headers"]) > 1:
            raise HttpError(403, "bad_origin", ONE_ORIGIN())
        origin = header(scope, b"origin")
        if origin is None:
            if required:
                raise HttpError(403, "bad_origin", NO_ORIGIN())
            if header(scope, b"sec-fetch-site") in (None, "same-origin", "none"):
                return
        elif is_allowed_origin(origin, scope, self._settings.public_url, self._settings.allowed_origins):
            return
        if origin is not None:
            self._warn_of_refused_origin(scope, origin)
        raise HttpError(403, "bad_origin", ONLY_OWN_PAGES())

    def _warn_of_untrusted_proxy(self, scope: Scope, *, trusted: bool) -> None:
        """Log a warning for the operator, once, why client addresses that a proxy reports are not used.

        `trusted`: the proxy is trusted, but does not send the address.
        """
        if trusted:
            self._warn_once(
                "no visitor address in X-Forwarded-For of a trusted proxy: all its visitors count as one; "
                "let the proxy send the address that it sees",
                header=(header(scope, b"x-forwarded-for") or "")[:SHOWN],
            )
            return
        self._warn_once(
            "forwarded headers ignored: PECKING_ORDER_TRUSTED_PROXIES does not name the sender; if that is your proxy, "
            "set this, and PECKING_ORDER_PUBLIC_URL to the address that people use",
            sender=(scope.get("client") or ("a socket file", 0))[0],
        )

    def _warn_of_refused_origin(self, scope: Scope, origin: str) -> None:
        """Log a warning, once, about a refused origin: a proxy that changes `Host` makes our own pages look foreign."""
        self._warn_once(
            "origin refused: if people use this address, set PECKING_ORDER_PUBLIC_URL to it, "
            "or let your proxy pass on `Host` unchanged",
            origin=origin[:SHOWN],
            host=(header(scope, b"host") or "")[:SHOWN],
        )

    def _warn_of_refused_host(self, scope: Scope) -> None:
        """Log a warning about a refused `Host`: it may be an unknown name of this site, or a proxy's own."""
        if self._refused_names.should_log(header(scope, b"host") or ""):
            log.warning(
                "host refused: if people use this address, set this value and restart, "
                "or let your proxy pass on `Host` unchanged",
                value=setting_for_host(scope, self._settings),
            )

    def _warn_once(self, what: str, **about: str) -> None:
        if what not in self._warned:
            self._warned.add(what)
            log.warning(what, **about)

    async def _read_whole_body(self, scope: Scope, body: "RequestBody") -> Receive | None:
        """Read the whole body of a request; return a receive function that gives it in a single message.

        None if the client left before it was complete. Raises `HttpError` if the body is too long or too slow.
        """
        limits = self._settings.limits
        most = limits.import_bytes if scope["path"].startswith(IMPORTS) else limits.body_bytes
        too_large = HttpError(413, "too_large", TOO_MANY_BYTES(most=most), {"Connection": "close"})
        length = header(scope, b"content-length")
        # The header check has limited its length: `int` refuses numbers of more than 4,300 digits.
        if length is not None and (not length.isdecimal() or int(length) > most):
            raise too_large
        whole = bytearray()
        try:
            while (part := await body.read_chunk()) is not None:
                whole += part
                if len(whole) > most:
                    raise too_large
        except TimeoutError:
            raise HttpError(408, "too_slow", TOO_SLOW(), {"Connection": "close"}) from None
        if not body.complete:
            return None
        return replay_first_message({"type": "http.request", "body": bytes(whole), "more_body": False}, body.receive)

    def _add_security_headers(self, scope: Scope, send: Send) -> Send:
        policy = _content_security_policy(_websocket_origins(scope, self._settings.public_url))
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


def _client_address(scope: Scope) -> str:
    return str((scope.get("client") or ("", 0))[0])


class RequestBody:
    """The body of one request. It must arrive within 15 seconds, whether it is read or dropped."""

    def __init__(self, receive: Receive, *, is_requested: bool) -> None:
        """Start the deadline. `is_requested` is False if the client sends the body only after `100 Continue`."""
        self.receive = receive
        self.complete = False
        """Whether all of it has arrived."""
        self._is_requested = is_requested
        self._deadline = asyncio.get_running_loop().time() + BODY_SECONDS

    async def read_chunk(self) -> bytes | None:
        """Return the next part of the request's body; None at its end, or if the client has left.

        Raises `TimeoutError` after the deadline.
        """
        if self.complete:
            return None
        self._is_requested = True
        async with asyncio.timeout_at(self._deadline):
            message = await self.receive()
        if message["type"] != "http.request":
            return None
        self.complete = not message.get("more_body")
        return bytes(message.get("body", b""))

    async def discard_rest(self) -> None:
        """Read and drop the rest of a refused request's body, up to 32 MB and the deadline.

        A body that the client has not begun to send is skipped. Many clients send the whole body before they read the
        response. A proxy closes the connection soon after an early response, so such clients would get a connection
        error without the reason.
        """
        dropped = 0
        with suppress(TimeoutError):
            while self._is_requested and dropped <= REFUSED_BYTES and (part := await self.read_chunk()) is not None:
                dropped += len(part)


def _check_url_length(scope: Scope) -> None:
    """Raise `HttpError` 414 for a URL whose path or any query field is longer than `MAX_TEXT_LENGTH`."""
    query = scope["query_string"].decode("latin-1")
    fields = map(unquote_plus, query.split("&")) if len(query) > MAX_TEXT_LENGTH else ()
    if any(len(part) > MAX_TEXT_LENGTH for part in (scope["path"], *fields)):
        raise HttpError(414, "too_large", ADDRESS_TOO_LONG(most=MAX_TEXT_LENGTH))


@lru_cache
def _content_security_policy(sockets: str) -> bytes:
    return POLICY.format(sockets=sockets).encode()


def _is_from_non_browser(scope: Scope) -> bool:
    """Return whether a handshake comes from a program, so that it needs no origin.

    It then has no Origin, no cookie and no Sec-Fetch header.
    """
    names = {name.lower() for name, _ in scope["headers"]}
    return not any(name in (b"origin", b"cookie") or name.startswith(b"sec-fetch-") for name in names)


def _websocket_origins(scope: Scope, public_url: str | None) -> str:
    host = header(scope, b"host")
    own = [f"{'wss' if is_secure(scope) else 'ws'}://{host}"] if host and has_valid_host(scope) else []
    if public_url is not None:
        own.append("ws" + public_url.removeprefix("http"))
    return " ".join(dict.fromkeys(own))


def replay_first_message(message: Message, receive: Receive) -> Receive:
    """Return an ASGI receive function that gives `message` first, then the events of `receive`.

    Used to give the application a request's body that a guard has read before.
    """
    waiting: list[Message] = [message]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


async def _send_refusal(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the response to a refused request, or to a refused WebSocket handshake in the form it needs."""
    if scope["type"] == "websocket":
        message = await receive()
        if message["type"] != "websocket.connect":
            return
        prefixed: Send = send

        async def as_denial(message: Message) -> None:
            await prefixed({**message, "type": f"websocket.{message['type']}"})

        send = as_denial
        scope = {**scope, "type": "http"}  # Response adds the prefix differently in each version
    await response(scope, receive, send)
