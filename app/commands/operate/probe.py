"""Try the address that friends get, as their browsers do: the page, and the WebSocket behind a proxy."""

import http.client
import ssl
from base64 import b64encode
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from app.commands.operate.checks import Fault
from app.settings import Settings
from app.web.http.share_url import EVERYWHERE, lan_address

SECONDS: Final = 5.0
_ADVICE: Final = "See “With a name and https”: name, router or tunnel, proxy, certificate."
_NO_ADDRESS: Final = Fault(
    "friends can't come",
    "There is no address for other devices.",
    "Set PECKING_ORDER_PUBLIC_URL (with a name) or PECKING_ORDER_HOST=0.0.0.0 (in a home network), and restart.",
)


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of trying the address."""

    url: str | None
    """The address; None: there is none for other devices."""
    fault: Fault | None
    to_try: str
    """A line for the operator: what to try with a phone."""


def probe_address(settings: Settings) -> Probe:
    """Ask for `/healthz` and open a WebSocket at the address that friends get. It takes at most some seconds."""
    url = _address_for_friends(settings)
    if url is None:
        return Probe(None, _NO_ADDRESS, "On a phone: nothing to try before there is an address.")
    problem = _find_problem(url)
    fault = None if problem is None else Fault("friends can't come", f"{url} {problem}.", _ADVICE)
    where = "with mobile data, not with your Wi-Fi" if settings.public_url else "in the same Wi-Fi"
    return Probe(url, fault, f"On a phone, {where}, open {url}/healthz: it must show “ok” and the version.")


def _address_for_friends(settings: Settings) -> str | None:
    if settings.public_url is not None:
        return settings.public_url
    host = lan_address() if settings.host in EVERYWHERE else settings.host
    return None if host is None or host.startswith("127.") or host == "localhost" else f"http://{host}:{settings.port}"


def _find_problem(url: str) -> str | None:
    """Return what is wrong with an address as a clause after it, or None."""
    try:
        status, body = _get(url, "/healthz")
        if status == 421:
            return "reaches this server, but the server does not know this name: set PECKING_ORDER_PUBLIC_URL"
        if status != 200 or not body.startswith("ok "):
            return f"is answered by another server or by a proxy without its server (status {status})"
        status, _ = _get(url, "/ws/DOCTOR", websocket=True)
    except ssl.SSLCertVerificationError as error:
        return f"has a certificate that browsers refuse: {error.verify_message}"
    except (OSError, http.client.HTTPException) as error:
        return f"can’t be reached from this machine: {str(error) or type(error).__name__}"
    if status != 101:
        return f"shows pages, but refuses WebSockets (status {status}): the proxy must forward them"
    return None


def _get(url: str, path: str, *, websocket: bool = False) -> tuple[int, str]:
    parts = urlsplit(url)
    connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = connect(parts.hostname or "", parts.port, timeout=SECONDS)
    headers = {"Origin": url}
    if websocket:
        headers |= {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        headers["Sec-WebSocket-Key"] = b64encode(bytes(16)).decode()
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, "" if websocket else answer.read(200).decode(errors="replace")
    finally:
        connection.close()
