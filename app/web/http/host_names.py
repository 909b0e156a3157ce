"""The host names that this server answers to: its own, and names that exist only inside a private network.

A foreign site could point any other name here (DNS rebinding). Its pages would then share our origin.
"""

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from typing import Final
from urllib.parse import urlsplit

from app.settings import PREFIX, Settings
from app.web.client_address import CACHE_SIZE, Scope, header, is_ip_address, is_secure

PRIVATE_ENDINGS: Final = (".localhost", ".local", ".lan", ".internal", ".home.arpa", ".fritz.box")
"""Endings of host names that exist only inside a private network."""
MOST_NAMES_A_DAY: Final = 10
"""Refused names that are logged in a day."""
DAY_SECONDS: Final = 24 * 3600


def own_host_names(settings: Settings) -> frozenset[str]:
    """Return this server's own host names, in lower case: those of its settings and those of the machine."""
    origins = (settings.public_url or "", *settings.allowed_origins)
    names = {_without_port(urlsplit(origin).netloc) for origin in origins}
    return frozenset((names | {settings.host.lower()} | _machine_names()) - {""})


@cache
def _machine_names() -> frozenset[str]:
    """Return the name of this machine, and its full name if the system knows one, in lower case."""
    name = socket.gethostname()
    names = {name}
    with suppress(OSError, UnicodeError):
        names |= {full for *_, full, _ in socket.getaddrinfo(name, None, flags=socket.AI_CANONNAME)}
    return frozenset(each.lower() for each in names)


def is_host_known(scope: Scope, own_names: frozenset[str]) -> bool:
    """Return whether this server answers to the request's `Host`: an own name, a private one or an IP address.

    A missing `Host` is accepted here; `has_valid_host` judges it.
    """
    host = header(scope, b"host")
    return not host or _is_known_name(host, own_names)


@lru_cache(CACHE_SIZE)
def _is_known_name(host: str, own_names: frozenset[str]) -> bool:
    name = _without_port(host)
    return name in own_names or "." not in name or name.endswith(PRIVATE_ENDINGS) or is_ip_address(host)


def _without_port(host: str) -> str:
    """Return a host in lower case, without its port."""
    return host.lower() if host.endswith("]") else host.lower().rpartition(":")[0] or host.lower()


def describe_known_names(settings: Settings) -> str:
    """Return the names that this server answers to as a text for the operator."""
    own = (name for name in sorted(own_host_names(settings)) if "." in name and not is_ip_address(name))
    endings = f"{', '.join(PRIVATE_ENDINGS[:-1])} and {PRIVATE_ENDINGS[-1]}"
    return ", ".join((*own, "IP addresses, names without a dot", f"and names that end in {endings}"))


def setting_for_host(scope: Scope, settings: Settings) -> str:
    """Return the line to paste into the settings, so that this server answers to the request's `Host`."""
    # A proxy that is not trusted yet tells the scheme, too; the operator reads the value before they use it.
    is_https = is_secure(scope) or header(scope, b"x-forwarded-proto") == "https"
    host = (header(scope, b"host") or "").lower()
    origin = f"{'https' if is_https else 'http'}://{host}"
    if settings.public_url is None:
        return f"{PREFIX}PUBLIC_URL={origin}"
    return f"{PREFIX}ALLOWED_ORIGINS={','.join((*settings.allowed_origins, origin))}"


class RefusedNames:
    """Says which refused names to log: each name once, and few in a day, as strangers may invent names."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._logged_at: dict[str, float] = {}

    def should_log(self, host: str) -> bool:
        """Return whether to log the name of this host now, and count it if so."""
        name, now = _without_port(host), self._clock()
        today = [at for at in self._logged_at.values() if now - at < DAY_SECONDS]
        if name in self._logged_at or len(today) >= MOST_NAMES_A_DAY:
            return False
        self._logged_at[name] = now
        return True
