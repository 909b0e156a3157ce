"""Posting to an address that a stranger named: https on its usual port, at public addresses of the internet and nowhere
else.

The name is resolved once, and the line goes to the address that was looked at, so that a name that leads elsewhere a
moment later leads nobody astray. What is answered is a status, and when to ask again: no redirect is followed, nothing
else is read.
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
"""Characters of an address."""
SECONDS: Final = 10.0
"""For all of it: the name, the line, the answer."""
CONNECT_SECONDS: Final = 3.0
"""For each address that a name leads to."""
LOOKUP_SECONDS: Final = 5.0
"""For resolving a name."""
SLOW_SECONDS: Final = 600.0
"""How long a name is left alone that took longer and has not been resolved since."""
MOST_LOOKUPS: Final = 32
"""Names that are being resolved at the same time."""
MOST_OVERDUE: Final = 2
"""Names of one domain that are still being resolved after `LOOKUP_SECONDS`: its owner can make any number of them."""
MOST_ADDRESSES: Final = 3
MOST_LINES: Final = 64 * 1024
"""Bytes of an answer's first lines; more are not read."""

HTTPS: Final = 443
_INTERNET = ipaddress.ip_network("2000::/3")
"""All that is given out of IPv6."""
_NO_PLACES = [
    ipaddress.ip_network(each)
    # 6to4 and Teredo, which lead to an IPv4 address within; names for protocols and for books.
    for each in ("2002::/16", "2001::/32", "2001:20::/28", "3fff::/20", "192.88.99.0/24", "192.0.0.0/24")
]
"""What counts as global, and is nobody's."""


class NotPublic(Exception):
    """Nobody is to be reached there by us: the message says why."""


class NoAnswer(Exception):
    """Nobody answered there just now: the message says why."""


@dataclass(frozen=True)
class Endpoint:
    """Where something is posted to."""

    host: str
    port: int
    path: str
    """With its query."""

    @cached_property
    def origin(self) -> str:
        """As a push service is told whom our word is for."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{host}" if self.port == HTTPS else f"https://{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Answered:
    """What was answered."""

    status: int
    again_in: float | None = None
    """Seconds until one may ask again, where it says so (`Retry-After`)."""


def place_of(url: str, trial: str | None = None) -> Endpoint:
    """Take an address apart; `NotPublic` if it is none that we post to.

    `trial` is an origin that may be reached whatever it is: `Settings.push_trial`.

    >>> place_of("https://push.example.org/to/ana?1").path
    '/to/ana?1'
    >>> place_of("https://127.0.0.1/")
    Traceback (most recent call last):
        ...
    app.web.push.safe_post.NotPublic: 127.0.0.1 is no public address
    """
    if not (url.isascii() and url.isprintable()) or " " in url or len(url) > LONGEST:
        raise NotPublic(f"an address has at most {LONGEST} characters, and no spaces")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or HTTPS
    except ValueError:
        raise NotPublic("that is no address") from None
    if parts.scheme != "https" or not host or "@" in parts.netloc or parts.fragment:
        raise NotPublic("an address begins with https:// and a host")
    place = Endpoint(host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
    if place.origin == trial:
        return place
    if port != HTTPS:
        raise NotPublic(f"https is at port {HTTPS}")
    try:
        _check(host)
    except ValueError:  # a name
        if "." not in host.rstrip("."):
            raise NotPublic(f"{host} is a name of one's own network") from None
    return place


def domain_of(host: str) -> str:
    """Return the last two parts of a name, all of whose names count as one's.

    >>> domain_of("a.b.example.org")
    'example.org'
    """
    return ".".join(host.rsplit(".", 2)[-2:])


def is_public(address: str) -> bool:
    """Tell whether this is the address of somebody on the internet. `ValueError` if it is no address.

    >>> [is_public(each) for each in ("8.8.8.8", "10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "2606:4700::1")]
    [True, False, False, False, True]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if not found.is_global or found.is_multicast or found.is_reserved or found.is_unspecified:
        return False
    return (found.version == 4 or found in _INTERNET) and not any(found in each for each in _NO_PLACES)


def _check(address: str) -> None:
    if not is_public(address):
        raise NotPublic(f"{address} is no public address")


class PublicPost:
    """Posts. `close` it."""

    def __init__(self, trial: str | None = None) -> None:
        """`trial`: an origin that may be reached whatever it is."""
        self.trial = trial
        # A name that does not resolve keeps its thread for long, and there is other work for the event loop's own.
        self._names = ThreadPoolExecutor(MOST_LOOKUPS, "names")
        self._lookups: dict[str, asyncio.Future[list[Any]]] = {}
        """Look-ups that have not ended, by host, those included for whose end nobody waits any more."""
        self._slow: dict[str, float] = {}
        """Hosts whose names took too long to resolve, and until when they are left alone."""

    def close(self) -> None:
        """Wait for nobody."""
        self._names.shutdown(wait=False, cancel_futures=True)

    def place(self, url: str) -> Endpoint:
        """Take an address apart; `NotPublic` if it is none that is posted to."""
        return place_of(url, self.trial)

    async def post(self, place: Endpoint, headers: Mapping[str, str], body: bytes) -> Answered:
        """Post it, and give the answer. `NotPublic` or `NoAnswer` if there is none."""
        try:
            async with asyncio.timeout(SECONDS):
                return await self._post(place, headers, body)
        except TimeoutError:
            raise NoAnswer("no answer in time") from None
        except OSError as error:
            raise NoAnswer(error.strerror or type(error).__name__) from None

    async def _post(self, place: Endpoint, headers: Mapping[str, str], body: bytes) -> Answered:
        reader, writer = await self._connected(place, await self._addresses(place))
        try:
            writer.write(_head(place, headers, len(body)) + body)
            return await _answer(reader)
        finally:
            writer.transport.abort()

    async def _addresses(self, place: Endpoint) -> Sequence[str]:
        """Resolve the name; raise `NotPublic` unless all its addresses are public."""
        try:
            found = await self._look_up(place)
        except UnicodeError:
            raise NotPublic("that is no name") from None
        addresses = list(dict.fromkeys(str(where[0]) for *_, where in found))
        if place.origin != self.trial:
            for address in addresses:
                _check(address)
        return addresses[:MOST_ADDRESSES]

    async def _look_up(self, place: Endpoint) -> list[Any]:
        """Resolve a name in a thread; raise `NoAnswer` at once for a name that was too slow shortly before.

        A look-up can't be stopped, and keeps its thread. So of one domain at most two may be overdue.
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
            lookup.add_done_callback(lambda ended: self._ended(place.host, ended))
        try:
            async with asyncio.timeout(LOOKUP_SECONDS):
                return await asyncio.shield(lookup)
        except TimeoutError:
            self._slow[place.host] = loop.time() + SLOW_SECONDS
            raise NoAnswer("the name resolves too slowly") from None

    def _ended(self, host: str, lookup: "asyncio.Future[list[Any]]") -> None:
        self._lookups.pop(host, None)
        # Asking for the exception tells asyncio that it is known: perhaps nobody waits for this look-up any more.
        if not lookup.cancelled() and lookup.exception() is None:
            self._slow.pop(host, None)

    async def _connected(
        self, place: Endpoint, addresses: Sequence[str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A line to the first of these that takes one, whose certificate is that of the name."""
        trouble: Exception = OSError("the name leads nowhere")
        for address in addresses:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    return await asyncio.open_connection(
                        address, place.port, ssl=self._tls, server_hostname=place.host, limit=MOST_LINES
                    )
            except (OSError, TimeoutError) as error:
                trouble = error
        raise trouble

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()


def _head(place: Endpoint, headers: Mapping[str, str], length: int) -> bytes:
    host = place.origin.removeprefix("https://")
    lines = [f"POST {place.path} HTTP/1.1", f"Host: {host}", "Connection: close", f"Content-Length: {length}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    assert all(line.isprintable() for line in lines)
    return "\r\n".join([*lines, "", ""]).encode("ascii")


async def _answer(reader: asyncio.StreamReader) -> Answered:
    """The answer, past those that only say that one comes."""
    try:
        while True:
            lines = await reader.readuntil(b"\r\n\r\n")
            version, _, rest = lines.partition(b" ")
            if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
                raise NoAnswer("what answers speaks no http")
            if rest[:1] != b"1":
                return Answered(int(rest[:3]), _again_in(lines.decode("latin-1")))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise NoAnswer("the answer is none") from None


def _again_in(lines: str) -> float | None:
    """Seconds until one may ask again, as a number or a date says it.

    >>> _again_in("HTTP/1.1 429 Too Many\\r\\nretry-after: 120\\r\\n\\r\\n")
    120.0
    >>> _again_in("HTTP/1.1 503 Busy\\r\\nRetry-After: Wed, 21 Oct 2015 07:28:00 GMT\\r\\n\\r\\n")
    0.0
    >>> _again_in("HTTP/1.1 429 Too Many\\r\\nRetry-After: soon\\r\\n\\r\\n") is None
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
