"""The address in links that are given away: whoever gets one may sit at another device."""

import logging
import os
import socket
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from app.settings import Settings
from app.web.client_address import Scope, own_origin

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
"""Hosts to listen on that let other devices in."""

CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))
"""Files that Docker and Podman put into their containers."""


def shared_origin(scope: Scope, settings: Settings) -> str:
    """The address for a link or a QR code: the visitor's own, or the network's if theirs means this machine only."""
    origin = own_origin(scope, settings.public_url)
    if settings.public_url is not None or settings.host not in EVERYWHERE or not _on_this_machine(scope, origin):
        return origin
    lan = lan_address()
    return origin if lan is None else f"http://{lan}:{urlsplit(origin).port or 80}"


@lru_cache
def leads_here_only(url: str) -> bool:
    """Whether a link is of no use on another device: it means that device itself."""
    return _loops_back(urlsplit(url).hostname or "")


def _on_this_machine(scope: Scope, origin: str) -> bool:
    """Whether a browser of this machine asked this very process for localhost.

    Behind a tunnel, a proxy or a container's published port, localhost leads here by ways that the network's address
    does not have: then client, scheme or port are others.
    """
    asked = urlsplit(origin)
    server = scope.get("server")
    client = scope.get("client")
    if server is None or client is None or scope.get("client_unknown"):
        return False
    return (
        asked.scheme == "http"
        and _loops_back(asked.hostname or "")
        and _loops_back(client[0])
        and (asked.port or 80) == server[1]
    )


def _loops_back(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ip = ip_address(host)
    except ValueError:
        return False
    return (getattr(ip, "ipv4_mapped", None) or ip).is_loopback


def in_container() -> bool:
    """Whether we run in a container, whose own address nobody outside can use."""
    return "KUBERNETES_SERVICE_HOST" in os.environ or any(mark.exists() for mark in CONTAINER_MARKS)


def lan_address() -> str | None:
    """This machine's address on its network; None if it has none, or none that others know.

    Nothing is sent: connecting UDP picks a route.
    """
    if in_container():
        return None
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
    except OSError:
        logging.getLogger("web").debug("no network address found")
        return None
    return None if address.startswith("127.") else address
