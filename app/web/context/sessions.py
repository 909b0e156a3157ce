"""Who somebody is: the token in their browser's cookie, and the links that give another device one.

A token is made when a name is first given, a room's page first opened or a program asks for one, never by a socket's
handshake. What a token is worth the store knows; here is how browsers and programs carry it.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from starlette.responses import Response

from app.settings import COOKIE_DAYS
from app.store.repositories.people import Device, Known, People, Person
from app.web.client_address import Scope, header, is_secure

YEARS = COOKIE_DAYS // 365
RECOVERY = timedelta(minutes=30)
"""How long a recovery link works."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,100}")

__all__ = ["Known", "Person", "Sessions", "cookie_name", "keep", "remember"]


class Sessions:
    """Cookies and the people behind them."""

    def __init__(self, store: People, idle: timedelta | None = None) -> None:
        """`idle`: a device that was not seen for longer is signed out."""
        self._store = store
        self._idle = idle

    async def known(self, scope: Scope) -> Known | None:
        """The person whose token came with this request, a program's before a browser's; and by which device."""
        token = _borne(header(scope, b"authorization")) or _kept(header(scope, b"cookie"), secure=is_secure(scope))
        return None if token is None else await self._store.find(token, datetime.now(UTC), self._idle)

    async def create(self, scope: Scope, name: str | None = None, *, room: str | None = None) -> tuple[Person, str]:
        """A new person, who comes into this room, and the token for their browser."""
        known, token = await self._store.create(datetime.now(UTC), name, _label(scope), room=room)
        return known.person, token

    async def rename(self, person: Person, name: str) -> Person | None:
        """The name they used last; gives them as they are since, None where nothing had to be changed."""
        return None if name == person.name else await self._store.rename(person, name)

    async def dress(self, person: Person, looks: Mapping[str, str | None]) -> Person | None:
        """What they look like at every table: `bird`, `colour` or both. Gives them as they are since."""
        return await self._store.dress(person.id, looks)

    async def visit(self, person: Person, room: str) -> None:
        """They are in the room with this id: it belongs to their list."""
        await self._store.visit(person.id, room, datetime.now(UTC))

    async def visited(self, person: Person, room: str) -> bool:
        """Whether they have been in this room, and belong there since it changed its address."""
        return await self._store.visited(person.id, room)

    async def devices(self, person: Person) -> tuple[Device, ...]:
        """The browsers and programs that are this person's."""
        return await self._store.devices_of(person.id)

    async def sign_out(self, person: Person, device: str) -> bool:
        """Make one of them nobody's; whether there was such a one."""
        return await self._store.sign_out(person.id, device)

    async def start_recovery(self, person: Person, *, adds: bool) -> tuple[str, datetime]:
        """The token of a link that makes another device this person's, and until when it works.

        With `adds` it comes to those that they have; without, it takes the place of them all.
        """
        now = datetime.now(UTC)
        return await self._store.start_recovery(person.id, now, RECOVERY, adds=adds), now + RECOVERY

    async def recoverable(self, recovery: str, *, adds: bool) -> Person | None:
        """Whom a link would bring. Looking uses nothing up: previews and prefetches look, too."""
        if not _TOKEN.fullmatch(recovery):
            return None
        return await self._store.recoverable(recovery, datetime.now(UTC), adds=adds)

    async def recover(self, scope: Scope, recovery: str, *, adds: bool) -> tuple[Person, str] | None:
        """Use a link up: the person, and the token for this browser. Unless it adds, no other's works any more."""
        if not _TOKEN.fullmatch(recovery):
            return None
        found = await self._store.recover(recovery, datetime.now(UTC), _label(scope), adds=adds)
        return None if found is None else (found[0].person, found[1])


def cookie_name(*, secure: bool) -> str:
    """On https the name itself says that no other host and no plain page could have set it."""
    return "__Host-pecking_order" if secure else "pecking_order"


def remember(response: Response, token: str, *, secure: bool) -> None:
    """Let this browser be that person from now on."""
    keep(response, cookie_name(secure=secure), token, seconds=YEARS * 365 * 24 * 3600, secure=secure)


def keep(
    response: Response, name: str, value: str, *, secure: bool, path: str = "/", seconds: int | None = None
) -> None:
    """Set a cookie that no script can read and no other site can send, for `seconds` or until the browser is closed."""
    response.set_cookie(name, value, seconds, path=path, secure=secure, httponly=True, samesite="lax")


def forget(response: Response, *, secure: bool) -> None:
    """Take the token from this browser, with what its cache keeps of the person: QR codes of rooms, finished hands."""
    response.headers["Clear-Site-Data"] = '"cache"'
    response.delete_cookie(cookie_name(secure=secure), path="/", secure=secure, httponly=True, samesite="lax")


_BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome"}
_BROWSERS |= {"Chrome": "Chrome", "Safari": "Safari"}
_SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "CrOS": "ChromeOS"}
_SYSTEMS |= {"Macintosh": "Mac", "Linux": "Linux"}
"""By what a browser calls itself, the more particular before what it also says."""


def _label(scope: Scope) -> str | None:
    """What kind of device asks, for its owner to tell it from others: “Firefox · Windows”. None if it does not say."""
    said = header(scope, b"user-agent") or ""
    browser = next((name for mark, name in _BROWSERS.items() if f"{mark}/" in said), None)
    system = next((name for mark, name in _SYSTEMS.items() if mark in said), None)
    if browser is None and system is None:
        program = re.match(r"[A-Za-z][A-Za-z0-9 ._-]{0,30}", said)
        return program.group().strip() if program else None
    return " · ".join(filter(None, (browser, system)))


def _borne(authorization: str | None) -> str | None:
    """The token in an Authorization header. What can't be one of ours is meant for a proxy in front of us."""
    scheme, _, token = (authorization or "").partition(" ")
    return token if scheme.lower() == "bearer" and _TOKEN.fullmatch(token) else None


def _kept(sent: str | None, *, secure: bool) -> str | None:
    """Our token in a Cookie header, if there is one that could be."""
    wanted = cookie_name(secure=secure)
    for part in (sent or "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted and _TOKEN.fullmatch(value):
            return value
    return None
