"""POST safely to a URL from an untrusted client: only https on port 443, at public internet addresses.

The host name is resolved once, and the connection uses the checked address, so that a later DNS change has no effect.
Only the status and the retry time are read from the response; redirects are not followed.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlsplit

LONGEST: Final = 1000
"""Limit for the characters of a URL."""
SECONDS: Final = 10.0
"""Seconds for the whole request: resolving, connecting and the response."""
CONNECT_SECONDS: Final = 3.0
"""Seconds to connect to one address of a host."""
LOOKUP_SECONDS: Final = 5.0
"""Seconds to resolve a host name."""
SLOW_SECONDS: Final = 600.0
"""Seconds during which a host is skipped after its name resolved too slowly."""
MOST_LOOKUPS: Final = 32
"""Limit for names resolved at the same time."""
MOST_OVERDUE: Final = 2
"""Limit for the overdue look-ups (longer than `LOOKUP_SECONDS`) of one domain, whose owner can create any number of
names."""
MOST_ADDRESSES: Final = 3
MOST_LINES: Final = 64 * 1024
"""Limit for the bytes of the response head."""

HTTPS: Final = 443
_INTERNET = ipaddress.ip_network("2000::/3")
"""The IPv6 range that is assigned so far."""
_NO_PLACES = [
    ipaddress.ip_network(each)
    # 6to4 and Teredo, which contain an IPv4 address; ranges for protocols and documentation.
    for each in ("2002::/16", "2001::/32", "2001:20::/28", "3fff::/20", "192.88.99.0/24", "192.0.0.0/24")
]
"""Ranges that Python treats as global but that belong to no host."""


class NotPublicAddress(Exception):
    """Raised when the server must not post to a URL that a client gave; the message says why.

    The URL is malformed or not https, leads to a private network, or is none of the allowed push services.
    """


class NoAnswer(Exception):
    """Raised when a POST to a push service got no usable response: no connection, a timeout, or bad HTTP.

    The message says why.
    """


@dataclass(frozen=True)
class Endpoint:
    """The parsed URL of a push service to post to: host, port, and path with query."""

    host: str
    port: int
    path: str
    """The path with the query."""

    @cached_property
    def origin(self) -> str:
        """The URL's origin, such as https://push.example.org, which the signed authorization names as its audience."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{host}" if self.port == HTTPS else f"https://{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class PostResponse:
    """A push service's response to a POST: the HTTP status, and the seconds to wait before the next try."""

    status: int
    retry_after: float | None = None
    """Seconds until the next try (`Retry-After`), or None."""


def parse_endpoint(url: str, trial: str | None = None) -> Endpoint:
    """Parse a URL to post to; raise `NotPublicAddress` if it is malformed or not a public https address.

    `trial` is an origin that is always allowed: `Settings.test_push_service`.

    >>> parse_endpoint("https://push.example.org/to/ana?1").path
    '/to/ana?1'
    >>> parse_endpoint("https://127.0.0.1/")
    Traceback (most recent call last):
        ...
    app.web.push.safe_post.NotPublicAddress: 127.0.0.1 is no public address
    """
    if not (url.isascii() and url.isprintable()) or " " in url or len(url) > LONGEST:
        raise NotPublicAddress(f"an address has at most {LONGEST} characters, and no spaces")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or HTTPS
    except ValueError:
        raise NotPublicAddress("that is no address") from None
    if parts.scheme != "https" or not host or "@" in parts.netloc or parts.fragment:
        raise NotPublicAddress("an address begins with https:// and a host")
    place = Endpoint(host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
    if place.origin == trial:
        return place
    if port != HTTPS:
        raise NotPublicAddress(f"https is at port {HTTPS}")
    try:
        _check_public(host)
    except ValueError:  # a name
        if "." not in host.rstrip("."):
            raise NotPublicAddress(f"{host} is a name of one's own network") from None
    return place


def domain_of(host: str) -> str:
    """Return the last two parts of a host name, as all names below them may belong to one owner.

    Limits for slow hosts apply to this domain.

    >>> domain_of("a.b.example.org")
    'example.org'
    """
    return ".".join(host.rsplit(".", 2)[-2:])


def is_public(address: str) -> bool:
    """Return whether an IP address is a public internet address. `ValueError` if it is malformed.

    Used so that clients can't make the server post into private networks.

    >>> [is_public(each) for each in ("8.8.8.8", "10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "2606:4700::1")]
    [True, False, False, False, True]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if not found.is_global or found.is_multicast or found.is_reserved or found.is_unspecified:
        return False
    return (found.version == 4 or found in _INTERNET) and not any(found in each for each in _NO_PLACES)


def _check_public(address: str) -> None:
    if not is_public(address):
        raise NotPublicAddress(f"{address} is no public address")


class PublicHttpsClient:
    """Sends POST requests to untrusted URLs, but only to public hosts over https. Call `close` at the end."""

    def __init__(self, trial: str | None = None) -> None:
        """Create the client. `trial` is an origin that is always allowed."""
        self.trial = trial
        # Slow names keep their threads for long, so they must not use the event loop's own pool.
        self._names = ThreadPoolExecutor(MOST_LOOKUPS, "names")
        self._lookups: dict[str, asyncio.Future[list[Any]]] = {}
        """Unfinished look-ups by host, including those that nobody waits for any more."""
        self._slow: dict[str, float] = {}
        """Hosts whose names resolved too slowly, with the loop time until which they are skipped."""

    def close(self) -> None:
        """Stop the client's threads that resolve host names, without waiting for unfinished look-ups."""
        self._names.shutdown(wait=False, cancel_futures=True)

    def parse_endpoint(self, url: str) -> Endpoint:
        """Parse a URL to post to; raise `NotPublicAddress` if it is malformed or not a public https address.

        The client's trial origin, used in tests, is always allowed.
        """
        return parse_endpoint(url, self.trial)

    async def post(self, place: Endpoint, headers: Mapping[str, str], body: bytes) -> PostResponse:
        """Send a POST to a parsed URL (`place`), and return the response's status and retry time.

        Raises `NotPublicAddress` if the host is not public, `NoAnswer` if it can't be reached in time. A status of an
        error is returned like any other.
        """
        try:
            async with asyncio.timeout(SECONDS):
                return await self._send_request(place, headers, body)
        except TimeoutError:
            raise NoAnswer("no answer in time") from None
        except OSError as error:
            raise NoAnswer(error.strerror or type(error).__name__) from None

    async def _send_request(self, place: Endpoint, headers: Mapping[str, str], body: bytes) -> PostResponse:
        reader, writer = await self._connect(place, await self._resolve_public_addresses(place))
        try:
            writer.write(_request_head(place, headers, len(body)) + body)
            return await _read_response(reader)
        finally:
            writer.transport.abort()

    async def _resolve_public_addresses(self, place: Endpoint) -> Sequence[str]:
        """Resolve a URL's host to at most three IP addresses.

        Raises `NotPublicAddress` unless all are public, and `NoAnswer` if resolving is too slow. The trial origin may
        be private.
        """
        try:
            found = await self._resolve_host(place)
        except UnicodeError:
            raise NotPublicAddress("that is no name") from None
        addresses = list(dict.fromkeys(str(where[0]) for *_, where in found))
        if place.origin != self.trial:
            for address in addresses:
                _check_public(address)
        return addresses[:MOST_ADDRESSES]

    async def _resolve_host(self, place: Endpoint) -> list[Any]:
        """Resolve a URL's host name in a thread, joining a look-up in progress.

        `NoAnswer` if it takes too long. A slow host is then refused at once for a while. A look-up keeps its thread, so
        each domain may have only few slow ones. Returns the addresses as `socket.getaddrinfo` gives them.
        """
        loop = asyncio.get_running_loop()
        self._slow = {host: until for host, until in self._slow.items() if until > loop.time()}
        if place.host in self._slow:
            raise NoAnswer("the name resolves too slowly")
        lookup = self._lookups.get(place.host)
        if lookup is None:
            domain = domain_of(place.host)
            if sum(domain_of(host) == domain for host in self._lookups if host in self._slow) >= MOST_OVERDUE:
                raise NoAnswer("the names of its domain resolve too slowly")
            lookup = loop.run_in_executor(
                self._names, lambda: socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
            )
            self._lookups[place.host] = lookup
            lookup.add_done_callback(lambda ended: self._remove_lookup(place.host, ended))
        try:
            async with asyncio.timeout(LOOKUP_SECONDS):
                return await asyncio.shield(lookup)
        except TimeoutError:
            self._slow[place.host] = loop.time() + SLOW_SECONDS
            raise NoAnswer("the name resolves too slowly") from None

    def _remove_lookup(self, host: str, lookup: "asyncio.Future[list[Any]]") -> None:
        self._lookups.pop(host, None)
        # Reading the exception marks it as handled for asyncio, as perhaps nobody awaits this look-up any more.
        if not lookup.cancelled() and lookup.exception() is None:
            self._slow.pop(host, None)

    async def _connect(
        self, place: Endpoint, addresses: Sequence[str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a TLS connection to the first of these addresses that accepts; raise the last error if none does.

        The certificate must be for the URL's host name.
        """
        last_error: Exception = OSError("the name leads nowhere")
        for address in addresses:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    return await asyncio.open_connection(
                        address, place.port, ssl=self._tls, server_hostname=place.host, limit=MOST_LINES
                    )
            except (OSError, TimeoutError) as error:
                last_error = error
        raise last_error

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()


def _request_head(place: Endpoint, headers: Mapping[str, str], length: int) -> bytes:
    host = place.origin.removeprefix("https://")
    lines = [f"POST {place.path} HTTP/1.1", f"Host: {host}", "Connection: close", f"Content-Length: {length}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    assert all(line.isprintable() for line in lines)
    return "\r\n".join([*lines, "", ""]).encode("ascii")


async def _read_response(reader: asyncio.StreamReader) -> PostResponse:
    """Read a push service's HTTP response, skipping informational (1xx) ones.

    `NoAnswer` if it is not valid HTTP.
    """
    try:
        while True:
            lines = await reader.readuntil(b"\r\n\r\n")
            version, _, rest = lines.partition(b" ")
            if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
                raise NoAnswer("what answers speaks no http")
            if rest[:1] != b"1":
                return PostResponse(int(rest[:3]), _retry_after_seconds(lines.decode("latin-1")))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise NoAnswer("the answer is none") from None


def _retry_after_seconds(lines: str) -> float | None:
    """Return the seconds of the `Retry-After` header in a response head, given as a number or a date.

    None without a valid one.

    >>> _retry_after_seconds("HTTP/1.1 429 Too Many\\r\\nretry-after: 120\\r\\n\\r\\n")
    120.0
    >>> _retry_after_seconds("HTTP/1.1 503 Busy\\r\\nRetry-After: Wed, 21 Oct 2015 07:28:00 GMT\\r\\n\\r\\n")
    0.0
    >>> _retry_after_seconds("HTTP/1.1 429 Too Many\\r\\nRetry-After: soon\\r\\n\\r\\n") is None
    True
    """
    for line in lines.splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() != "retry-after":
            continue
        value = value.strip()
        if value.isascii() and value.isdigit():
            return float(value[:9])
        with suppress(ValueError):
            until = parsedate_to_datetime(value)
            return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    return None
