"""Find a request's client address, scheme and host. Headers count only if a trusted proxy sent them."""

import re
from collections.abc import Iterable, Mapping, MutableMapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final

from app.settings import Network

Scope = MutableMapping[str, Any]

_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
"""A host with an optional port, as browsers write it; safe to build links from."""

CACHE_SIZE = 1000
"""Size of the caches for parsed addresses and hosts: each request needs its own several times."""

FORWARDED = (b"x-forwarded-for", b"x-real-ip", b"forwarded")
"""Headers in which proxies report the client's address."""


HEAD_BYTES: Final = 16 * 1024
"""Limit for the bytes of a request head, including the address."""

MAX_HEADER_BYTES: Final[Mapping[bytes, int]] = {
    b"accept": 2000,
    b"accept-encoding": 1000,
    b"accept-language": 1000,
    b"authorization": 500,
    b"content-length": 20,
    b"content-type": 300,
    b"cookie": HEAD_BYTES,  # includes cookies of other sites on the same domain
    b"expect": 40,
    b"forwarded": 4000,
    b"host": 300,
    b"if-modified-since": 100,
    b"if-none-match": 1000,
    b"if-range": 300,
    b"origin": 500,
    b"range": 300,
    b"referer": HEAD_BYTES,  # a full URL with its query
    b"sec-fetch-dest": 40,
    b"sec-fetch-mode": 40,
    b"sec-fetch-site": 40,
    b"user-agent": 2000,
    b"x-forwarded-for": 4000,
    b"x-forwarded-proto": 500,
    b"x-real-ip": 300,
}
"""Every header that this server reads, with the limit for its bytes."""


def find_too_long_header(scope: Scope) -> str | None:
    """Return the name of the first header of the request that is longer than allowed, or None."""
    return next(
        (
            name.decode("latin-1")
            for name, value in scope["headers"]
            if len(value) > MAX_HEADER_BYTES.get(name.lower(), HEAD_BYTES)
        ),
        None,
    )


def header(scope: Scope, name: bytes) -> str | None:
    """Return the first value of a request's header as text, or None.

    The name must be in `MAX_HEADER_BYTES`.
    """
    assert name in MAX_HEADER_BYTES, f"{name!r} has no maximum length in READ"
    for key, value in scope["headers"]:
        if key.lower() == name:
            return str(value.decode("latin-1"))
    return None


def header_values(scope: Scope, name: bytes) -> list[str]:
    """Return the comma-separated parts of all values of a request's header.

    The name must be in `MAX_HEADER_BYTES`.
    """
    assert name in MAX_HEADER_BYTES, f"{name!r} has no maximum length in READ"
    values = (value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name)
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def is_client_in(scope: Scope, networks: Iterable[Network]) -> bool:
    """Return whether the request's client address is in one of these networks; False if it is unknown."""
    ip = _client_ip(scope)
    return ip is not None and _is_in_networks(ip, networks)


def with_forwarded_client(scope: Scope, trusted: Iterable[Network]) -> Scope:
    """Return the scope with the client address and the scheme that trusted proxies report.

    If the sender is not trusted, nothing is taken over. The scope's `client_unknown` is True if the client's address
    is unknown. Such a client does not count as private.
    """
    trusted = tuple(trusted)
    if not is_client_in(scope, trusted):
        # Untrusted headers: a client may have forged them, or an unknown proxy hides the client's address.
        unknown = any(header(scope, name) is not None for name in FORWARDED)
        return {**scope, "client_unknown": True} if unknown else scope
    changed: Scope = dict(scope)
    # From the right: each proxy appends the address it saw, and clients can forge all parts further left.
    for text in reversed(header_values(scope, b"x-forwarded-for")):
        hop = _parse_ip(text)
        if hop is None:
            # For example “unknown”. The proxy itself is in a private network, but its client may not be.
            changed["client"], changed["client_unknown"] = None, True
            break
        changed["client"] = (str(hop), 0)
        if not _is_in_networks(hop, trusted):
            break
    schemes = header_values(scope, b"x-forwarded-proto")
    if schemes and schemes[-1].lower() in ("http", "https", "ws", "wss"):
        secure = schemes[-1].lower() in ("https", "wss")
        plain = "ws" if scope["type"] == "websocket" else "http"
        changed["scheme"] = plain + "s" if secure else plain
    return changed


def with_public_scheme(scope: Scope, public_url: str | None) -> Scope:
    """Return the scope with https if the request names our https public URL: then a proxy has ended the encryption.

    Otherwise the scope is unchanged.
    """
    if public_url is None or not public_url.startswith("https://") or is_secure(scope):
        return scope
    if (header(scope, b"host") or "").lower() != public_url.removeprefix("https://"):
        return scope
    return {**scope, "scheme": "wss" if scope["type"] == "websocket" else "https"}


def client_key(scope: Scope) -> str:
    """Return the key under which requests of this client are counted for limits.

    That is the IPv4 address, or the /64 network of an IPv6 address.
    """
    return _network_key((scope.get("client") or ("", 0))[0])


@lru_cache(CACHE_SIZE)
def _network_key(address: str) -> str:
    ip = _parse_ip_cached(address)
    if isinstance(ip, IPv6Address):
        return str(ip_network((ip, 64), strict=False).network_address)
    return address or "unknown"


def is_private(scope: Scope) -> bool:
    """Return whether the client is on this machine or in a private network.

    A client without an address came through a Unix socket, and counts as private.
    """
    if scope.get("client_unknown"):
        return False
    if not scope.get("client"):
        return True
    ip = _client_ip(scope)
    return ip is not None and (ip.is_private or ip.is_loopback or ip.is_link_local)


def is_secure(scope: Scope) -> bool:
    """Return whether the client used https or wss."""
    return scope["scheme"] in ("https", "wss")


def has_valid_host(scope: Scope) -> bool:
    """Return whether the request has exactly one valid `Host` header. Only HTTP/1.0 may leave it out."""
    hosts = [value for key, value in scope["headers"] if key.lower() == b"host"]
    if not hosts:
        return bool(scope.get("http_version") == "1.0")
    return len(hosts) == 1 and _is_valid_host(hosts[0])


@lru_cache(CACHE_SIZE)
def _is_valid_host(value: bytes) -> bool:
    text = value.decode("latin-1")
    port = text.rpartition("]")[2].partition(":")[2]
    return _HOST.fullmatch(text) is not None and (not port or int(port) <= 65535)


def site_origin(scope: Scope, public_url: str | None) -> str:
    """Return the origin (scheme and host) for links to this site: the public URL, or else the requested host."""
    if public_url is not None:
        return public_url
    host = header(scope, b"host") or "localhost"
    return f"{'https' if is_secure(scope) else 'http'}://{host}"


def is_allowed_origin(origin: str, scope: Scope, public_url: str | None, allowed: Iterable[str]) -> bool:
    """Return whether a page of this origin may change data here.

    Allowed are our own origin, the public URL and the origins in `allowed`. An https origin with our host name is ours
    even if this process saw plain http: some proxy then ended the encryption.
    """
    if origin == public_url or origin in allowed:
        return True
    host = header(scope, b"host")
    if not host:
        return False
    # Compare whole origins: an origin is untrusted text, and parsing it may fail.
    secure, plain = (f"{scheme}://{host}".lower() for scheme in ("https", "http"))
    return origin.lower() == secure or (origin.lower() == plain and not is_secure(scope))


def _client_ip(scope: Scope) -> IPv4Address | IPv6Address | None:
    return _parse_ip_cached((scope.get("client") or ("", 0))[0])


@lru_cache(CACHE_SIZE)
def _parse_ip_cached(address: str) -> IPv4Address | IPv6Address | None:
    return _parse_ip(address)


def is_ip_address(host: str) -> bool:
    """Return whether a host, with or without a port, is an IP address.

    >>> is_ip_address("192.168.1.20:8000"), is_ip_address("[::1]:8000"), is_ip_address("1.2.3.4.example")
    (True, True, False)
    """
    return _parse_ip(host) is not None


def _parse_ip(text: str) -> IPv4Address | IPv6Address | None:
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        ip = ip_address(text)
    except ValueError:
        return None
    return ip.ipv4_mapped or ip if isinstance(ip, IPv6Address) else ip


def _is_in_networks(ip: IPv4Address | IPv6Address, networks: Iterable[Network]) -> bool:
    return any(ip in network for network in networks)
