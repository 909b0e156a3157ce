"""Where a request comes from, and which address of ours it was sent to. Headers of strangers are not believed."""

import re
from collections.abc import Iterable, Mapping, MutableMapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

from app.settings import Network

Scope = MutableMapping[str, Any]

_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
"""A host and perhaps a port, as browsers write them; nothing that could be more when a link is made of it."""

_NOBODYS = (".localhost", ".local", ".internal", ".home.arpa")
"""Ends of names that lead somewhere in one's own network only."""

REMEMBERED = 1000
"""Addresses of clients, and of ours, that need not be read again: each request asks for its own several times."""

FORWARDED = (b"x-forwarded-for", b"x-real-ip", b"forwarded")
"""What proxies add about whom they saw."""


HEAD_BYTES: Final = 16 * 1024
"""Bytes in the head of a request, its address included."""

READ: Final[Mapping[bytes, int]] = {
    b"accept": 2000,
    b"accept-encoding": 1000,
    b"accept-language": 1000,
    b"authorization": 500,
    b"content-length": 20,
    b"content-type": 300,
    b"cookie": HEAD_BYTES,  # those of other sites of the same domain, too
    b"expect": 40,
    b"forwarded": 4000,
    b"host": 300,
    b"if-modified-since": 100,
    b"if-none-match": 1000,
    b"if-range": 300,
    b"origin": 500,
    b"range": 300,
    b"referer": HEAD_BYTES,  # an address, with what it asks for
    b"sec-fetch-dest": 40,
    b"sec-fetch-mode": 40,
    b"sec-fetch-site": 40,
    b"user-agent": 2000,
    b"x-forwarded-for": 4000,
    b"x-forwarded-proto": 500,
    b"x-real-ip": 300,
}
"""Every header that anything here reads, with the bytes of its longest value."""


def too_long_header(scope: Scope) -> str | None:
    """Return the name of a header that is longer than it may be, or None."""
    return next(
        (name.decode("latin-1") for name, value in scope["headers"] if len(value) > READ.get(name.lower(), HEAD_BYTES)),
        None,
    )


def header(scope: Scope, name: bytes) -> str | None:
    """Return a header's value, or None; the first if it came twice. Its name is one of `READ`."""
    assert name in READ, f"{name!r} has no maximum length in READ"
    for key, value in scope["headers"]:
        if key.lower() == name:
            return str(value.decode("latin-1"))
    return None


def all_of(scope: Scope, name: bytes) -> list[str]:
    """Return every part of a header of `READ` that may come several times and holds a list."""
    assert name in READ, f"{name!r} has no maximum length in READ"
    values = (value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name)
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def comes_from(scope: Scope, networks: Iterable[Network]) -> bool:
    """Whether the client is in one of these networks."""
    ip = _client(scope)
    return ip is not None and _within(ip, networks)


def seen_through_proxies(scope: Scope, trusted: Iterable[Network]) -> Scope:
    """Return the scope with the client and the scheme that trusted proxies report.

    `client_unknown` is True in it if the client's address is not known: it is not in a private network then.
    """
    trusted = tuple(trusted)
    if not comes_from(scope, trusted):
        # A stranger's word, or a proxy in front that nobody told us about: then the peer is not who asks.
        unknown = any(header(scope, name) is not None for name in FORWARDED)
        return {**scope, "client_unknown": True} if unknown else scope
    changed: Scope = dict(scope)
    # From the right: each proxy appends whom it saw, and what stands further left anybody may have written.
    for text in reversed(all_of(scope, b"x-forwarded-for")):
        hop = _ip(text)
        if hop is None:
            # Such as “unknown”. The proxy itself is in a private network, but its visitor may not be.
            changed["client"], changed["client_unknown"] = None, True
            break
        changed["client"] = (str(hop), 0)
        if not _within(hop, trusted):
            break
    schemes = all_of(scope, b"x-forwarded-proto")
    if schemes and schemes[-1].lower() in ("http", "https", "ws", "wss"):
        secure = schemes[-1].lower() in ("https", "wss")
        plain = "ws" if scope["type"] == "websocket" else "http"
        changed["scheme"] = plain + "s" if secure else plain
    return changed


def under_public_name(scope: Scope, public_url: str | None) -> Scope:
    """The scope with https, where somebody asked for our public name and that is https: encryption ended before us."""
    if public_url is None or not public_url.startswith("https://") or is_secure(scope):
        return scope
    if (header(scope, b"host") or "").lower() != public_url.removeprefix("https://"):
        return scope
    return {**scope, "scheme": "wss" if scope["type"] == "websocket" else "https"}


def client_key(scope: Scope) -> str:
    """Who counts as one client: an IPv4 address, or an IPv6 network of the size one household gets."""
    return _counted_as((scope.get("client") or ("", 0))[0])


@lru_cache(REMEMBERED)
def _counted_as(address: str) -> str:
    ip = _read(address)
    if isinstance(ip, IPv6Address):
        return str(ip_network((ip, 64), strict=False).network_address)
    return address or "unknown"


def is_private(scope: Scope) -> bool:
    """Whether the client is on this machine or in a private network. No client at all: a socket file, so it is."""
    if scope.get("client_unknown"):
        return False
    if not scope.get("client"):
        return True
    ip = _client(scope)
    return ip is not None and (ip.is_private or ip.is_loopback or ip.is_link_local)


def is_secure(scope: Scope) -> bool:
    """Whether the browser came by https (or wss)."""
    return scope["scheme"] in ("https", "wss")


def asks_for_a_host(scope: Scope) -> bool:
    """Tell whether there is one `Host`, and it is a host. Only HTTP/1.0 may leave it out."""
    hosts = [value for key, value in scope["headers"] if key.lower() == b"host"]
    if not hosts:
        return bool(scope.get("http_version") == "1.0")
    return len(hosts) == 1 and _is_a_host(hosts[0])


@lru_cache(REMEMBERED)
def _is_a_host(value: bytes) -> bool:
    text = value.decode("latin-1")
    port = text.rpartition("]")[2].partition(":")[2]
    return _HOST.fullmatch(text) is not None and (not port or int(port) <= 65535)


def asks_for_us(scope: Scope, public_url: str | None, friends: Iterable[str]) -> bool:
    """Whether the `Host` is a name of ours, where we have one: the public address, or that of a named friend.

    Addresses in numbers, and names that nobody can buy (`localhost`, a container's, a network's own), always are. A
    page of somebody else's can make its name lead here, and would then be of the same origin as we are.
    """
    host = header(scope, b"host")
    return public_url is None or not host or _is_ours(host, public_url, tuple(friends))


@lru_cache(REMEMBERED)
def _is_ours(host: str, public_url: str, friends: tuple[str, ...]) -> bool:
    name = _name(host)
    if name in {_name(urlsplit(origin).netloc) for origin in (public_url, *friends)}:
        return True
    return "." not in name or name.endswith(_NOBODYS) or _ip(host) is not None


def _name(host: str) -> str:
    """A host without its port."""
    return host.lower() if host.endswith("]") else host.lower().rpartition(":")[0] or host.lower()


def own_origin(scope: Scope, public_url: str | None) -> str:
    """The address under which this visitor knows us, for links: the public one, or the one they asked."""
    if public_url is not None:
        return public_url
    host = header(scope, b"host") or "localhost"
    return f"{'https' if is_secure(scope) else 'http'}://{host}"


def is_own(origin: str, scope: Scope, public_url: str | None, allowed: Iterable[str]) -> bool:
    """Whether a page of this origin may ask for changes: our own, under any of our addresses, or a named friend.

    A page that came by https under our own name is ours even if this process saw plain http: then some proxy in front,
    that nobody told us about, took the encryption off.
    """
    if origin == public_url or origin in allowed:
        return True
    host = header(scope, b"host")
    if not host:
        return False
    # GivenAndMade as a whole: an origin is text of a stranger's, and taking it apart may fail.
    secure, plain = (f"{scheme}://{host}".lower() for scheme in ("https", "http"))
    return origin.lower() == secure or (origin.lower() == plain and not is_secure(scope))


def _client(scope: Scope) -> IPv4Address | IPv6Address | None:
    return _read((scope.get("client") or ("", 0))[0])


@lru_cache(REMEMBERED)
def _read(address: str) -> IPv4Address | IPv6Address | None:
    return _ip(address)


def _ip(text: str) -> IPv4Address | IPv6Address | None:
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        ip = ip_address(text)
    except ValueError:
        return None
    return ip.ipv4_mapped or ip if isinstance(ip, IPv6Address) else ip


def _within(ip: IPv4Address | IPv6Address, networks: Iterable[Network]) -> bool:
    return any(ip in network for network in networks)
