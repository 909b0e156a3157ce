"""The address of this site for shared links, which should also work on other devices."""

import logging
import os
import socket
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from app.settings import Settings
from app.web.client_address import Scope, site_origin

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
"""Listening addresses that accept connections from other devices."""

CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))
"""Files that Docker and Podman put into their containers."""


def shareable_origin(scope: Scope, settings: Settings) -> str:
    """Return the origin (scheme and host) for links and QR codes that should work on other devices.

    It is the visitor's own, or this machine's network address if theirs is localhost.
    """
    origin = site_origin(scope, settings.public_url)
    if settings.public_url is not None or settings.host not in EVERYWHERE or not _is_local_browser(scope, origin):
        return origin
    lan = lan_address()
    return origin if lan is None else f"http://{lan}:{urlsplit(origin).port or 80}"


@lru_cache
def is_loopback_url(url: str) -> bool:
    """Return whether a link points to localhost, so that it fails on other devices."""
    return _is_loopback_host(urlsplit(url).hostname or "")


def _is_local_browser(scope: Scope, origin: str) -> bool:
    """Return whether a browser on this machine reached this process directly by localhost.

    Behind a tunnel, a proxy or a published container port, localhost reaches this server in ways that the LAN address
    does not. Then the client, the scheme or the port differs.
    """
    address = urlsplit(origin)
    server = scope.get("server")
    client = scope.get("client")
    if server is None or client is None or scope.get("client_unknown"):
        return False
    return (
        address.scheme == "http"
        and _is_loopback_host(address.hostname or "")
        and _is_loopback_host(client[0])
        and (address.port or 80) == server[1]
    )


def _is_loopback_host(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ip = ip_address(host)
    except ValueError:
        return False
    return (getattr(ip, "ipv4_mapped", None) or ip).is_loopback


def is_in_container() -> bool:
    """Return whether this process runs in a container, whose own address other devices can't use."""
    return "KUBERNETES_SERVICE_HOST" in os.environ or any(mark.exists() for mark in CONTAINER_MARKS)


def lan_address() -> str | None:
    """Return this machine's address in its local network; None if it has none or runs in a container.

    Nothing is sent: connecting a UDP socket only picks a route.
    """
    if is_in_container():
        return None
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
    except OSError:
        logging.getLogger("web").debug("no network address found")
        return None
    return None if address.startswith("127.") else address
