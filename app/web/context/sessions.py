"""Sessions: the token in a browser's cookie, and the links that sign in another device.

A token is created when a visitor first gives a name or opens a room's page, or when a program asks for one. A socket's
handshake never creates one. The store checks tokens; this module carries them in cookies and headers.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from starlette.responses import Response

from app.settings import COOKIE_DAYS
from app.store.repositories.people import Device, People, Person, SignedInDevice
from app.web.client_address import Scope, header, is_secure

YEARS = COOKIE_DAYS // 365
RECOVERY = timedelta(minutes=30)
"""Validity of a recovery link."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,100}")

__all__ = ["Person", "Sessions", "SignedInDevice", "cookie_name", "set_cookie", "set_session_cookie"]


class Sessions:
    """Finds, creates and signs out people by the tokens of requests."""

    def __init__(self, store: People, idle: timedelta | None = None) -> None:
        """Use the people in `store`. A device not seen for longer than `idle` is signed out."""
        self._store = store
        self._idle = idle

    async def find_session(self, scope: Scope) -> SignedInDevice | None:
        """Return the person and device of the request's token, or None. A bearer token comes before a cookie."""
        token = _bearer_token(header(scope, b"authorization")) or _session_cookie_token(
            header(scope, b"cookie"), secure=is_secure(scope)
        )
        return None if token is None else await self._store.find_by_token(token, datetime.now(UTC), self._idle)

    async def create_person(
        self, scope: Scope, name: str | None = None, *, room: str | None = None
    ) -> tuple[Person, str]:
        """Create a person and return them with a token for their browser; `room` is added to their list."""
        known, token = await self._store.create(datetime.now(UTC), name, _device_label(scope), room=room)
        return known.person, token

    async def rename(self, person: Person, name: str) -> Person | None:
        """Save the person's last used name. Return the changed person, or None if the name is the same."""
        return None if name == person.name else await self._store.rename(person, name)

    async def set_avatar(self, person: Person, avatar: Mapping[str, str | None]) -> Person | None:
        """Save `bird`, `colour` or both for all rooms. Return the changed person, or None if nothing changed."""
        return await self._store.set_appearance(person.id, avatar)

    async def record_visit(self, person: Person, room: str) -> None:
        """Record that the person is in the room with this id, so that it is in their list."""
        await self._store.record_visit(person.id, room, datetime.now(UTC))

    async def has_visited(self, person: Person, room: str) -> bool:
        """Return whether the person visited this room, and was still part of it when its address last changed."""
        return await self._store.has_visited(person.id, room)

    async def devices_of(self, person: Person) -> tuple[Device, ...]:
        """Return the browsers and programs of this person."""
        return await self._store.devices_of(person.id)

    async def sign_out_device(self, person: Person, device: str) -> bool:
        """Sign out one device of the person; return whether it existed."""
        return await self._store.sign_out(person.id, device)

    async def create_recovery_link(self, person: Person, *, adds: bool) -> tuple[str, datetime]:
        """Create a link token that signs in another device, and return it with its expiry time.

        With `adds`, the other devices stay signed in; without it, the new device replaces all others.
        """
        now = datetime.now(UTC)
        return await self._store.create_recovery_token(person.id, now, RECOVERY, adds=adds), now + RECOVERY

    async def find_person_by_recovery_token(self, recovery: str, *, adds: bool) -> Person | None:
        """Return the person that a link signs in. Previews and prefetches open links too, so the link stays valid."""
        if not _TOKEN.fullmatch(recovery):
            return None
        return await self._store.find_recoverable_person(recovery, datetime.now(UTC), adds=adds)

    async def redeem_recovery_token(self, scope: Scope, recovery: str, *, adds: bool) -> tuple[Person, str] | None:
        """Use up a link; return the person and a token for this browser, or None if invalid.

        Without `adds`, all other devices of the person are signed out.
        """
        if not _TOKEN.fullmatch(recovery):
            return None
        found = await self._store.use_recovery_token(recovery, datetime.now(UTC), _device_label(scope), adds=adds)
        return None if found is None else (found[0].person, found[1])


def cookie_name(*, secure: bool) -> str:
    """Return the cookie's name. On https, `__Host-` stops other hosts and plain http from setting the cookie."""
    return "__Host-pecking_order" if secure else "pecking_order"


def set_session_cookie(response: Response, token: str, *, secure: bool) -> None:
    """Set the session cookie, so that this browser is signed in."""
    set_cookie(response, cookie_name(secure=secure), token, seconds=YEARS * 365 * 24 * 3600, secure=secure)


def set_cookie(
    response: Response, name: str, value: str, *, secure: bool, path: str = "/", seconds: int | None = None
) -> None:
    """Set a cookie that scripts can't read and other sites can't send. It lasts `seconds` or for the session."""
    response.set_cookie(name, value, seconds, path=path, secure=secure, httponly=True, samesite="lax")


def clear_session_cookie(response: Response, *, secure: bool) -> None:
    """Delete the session cookie and this site's cache, which holds QR codes of rooms and finished hands."""
    response.headers["Clear-Site-Data"] = '"cache"'
    response.delete_cookie(cookie_name(secure=secure), path="/", secure=secure, httponly=True, samesite="lax")


_BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome"}
_BROWSERS |= {"Chrome": "Chrome", "Safari": "Safari"}
_SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "CrOS": "ChromeOS"}
_SYSTEMS |= {"Macintosh": "Mac", "Linux": "Linux"}
"""Names by marks in the User-Agent header; specific marks come before general ones."""


def _device_label(scope: Scope) -> str | None:
    """Return a device label such as “Firefox · Windows” from the User-Agent header, or None if it is unknown."""
    said = header(scope, b"user-agent") or ""
    browser = next((name for mark, name in _BROWSERS.items() if f"{mark}/" in said), None)
    system = next((name for mark, name in _SYSTEMS.items() if mark in said), None)
    if browser is None and system is None:
        program = re.match(r"[A-Za-z][A-Za-z0-9 ._-]{0,30}", said)
        return program.group().strip() if program else None
    return " · ".join(filter(None, (browser, system)))


def _bearer_token(authorization: str | None) -> str | None:
    """Return the token of an Authorization header. Other values are ignored: they may be meant for a proxy."""
    scheme, _, token = (authorization or "").partition(" ")
    return token if scheme.lower() == "bearer" and _TOKEN.fullmatch(token) else None


def _session_cookie_token(sent: str | None, *, secure: bool) -> str | None:
    """Return the token in our session cookie, or None if it is missing or malformed."""
    wanted = cookie_name(secure=secure)
    for part in (sent or "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted and _TOKEN.fullmatch(value):
            return value
    return None
