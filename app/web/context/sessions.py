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
    """Finds, creates and signs out people by the secret tokens that requests carry in cookies or headers."""

    def __init__(self, store: People, idle: timedelta | None = None) -> None:
        """Use the people in `store`. A device not seen for longer than `idle` is signed out."""
        self._store = store
        self._idle = idle

    async def find_session(self, scope: Scope) -> SignedInDevice | None:
        """Return the person and device of the request's token; None if it has none, or the token is not valid.

        A bearer token comes before a cookie.
        """
        token = _bearer_token(header(scope, b"authorization")) or _session_cookie_token(
            header(scope, b"cookie"), secure=is_secure(scope)
        )
        return None if token is None else await self._store.find_by_token(token, datetime.now(UTC), self._idle)

    async def create_person(
        self, scope: Scope, name: str | None = None, *, room: str | None = None, language: str | None = None
    ) -> tuple[Person, str]:
        """Create a person, and return them with the secret token for their browser.

        `room`, if given, is added to the rooms they have visited. `language`: the tag of the browser's language.
        """
        now, label = datetime.now(UTC), _device_label(scope)
        known, token = await self._store.create(now, name, label, room=room, language=language)
        return known.person, token

    async def rename(self, person: Person, name: str) -> Person | None:
        """Save the name that the person uses from now on.

        Returns the changed person, or None if the name is the same or the person no longer exists.
        """
        return None if name == person.name else await self._store.rename(person, name)

    async def set_avatar(self, person: Person, avatar: Mapping[str, str | None]) -> Person | None:
        """Save the chosen `bird`, `colour` or both (keys of `avatar`) of the person, for all rooms.

        Returns the changed person, or None if the person no longer exists.
        """
        return await self._store.set_appearance(person.id, avatar)

    async def set_language(self, person: Person, language: str) -> None:
        """Save the language that the person chose, for all their devices and notifications."""
        await self._store.set_language(person.id, language)

    async def record_visit(self, person: Person, room: str) -> None:
        """Record that the person is in the room with this id now, so that it is in their list of rooms."""
        await self._store.record_visit(person.id, room, datetime.now(UTC))

    async def has_visited(self, person: Person, room: str) -> bool:
        """Return whether this person has been in the room, and was a member when its address last changed.

        Only such people may enter by a former code or see pages about the room.
        """
        return await self._store.has_visited(person.id, room)

    async def devices_of(self, person: Person) -> tuple[Device, ...]:
        """Return the browsers and programs that are signed in as this person, most recently seen first."""
        return await self._store.devices_of(person.id)

    async def sign_out_device(self, person: Person, device: str) -> bool:
        """Sign out one device of the person; return whether the person had it.

        Unused recovery links expire too.
        """
        return await self._store.sign_out(person.id, device)

    async def create_recovery_link(self, person: Person, *, adds: bool) -> tuple[str, datetime]:
        """Create the token of a link that signs in another device, once, and return it with its expiry time.

        With `adds`, the other devices stay signed in; without it, the new device replaces all others.
        """
        now = datetime.now(UTC)
        return await self._store.create_recovery_token(person.id, now, RECOVERY, adds=adds), now + RECOVERY

    async def find_person_by_recovery_token(self, recovery: str, *, adds: bool) -> Person | None:
        """Return the person that a recovery link signs in, or None if it is not valid. The link stays valid.

        It is only shown so far: previews and prefetches open links too.
        """
        if not _TOKEN.fullmatch(recovery):
            return None
        return await self._store.find_recoverable_person(recovery, datetime.now(UTC), adds=adds)

    async def redeem_recovery_token(self, scope: Scope, recovery: str, *, adds: bool) -> tuple[Person, str] | None:
        """Use up a recovery link; return its person and a token for this browser, or None if it is not valid.

        Without `adds`, all other devices of the person are signed out.
        """
        if not _TOKEN.fullmatch(recovery):
            return None
        found = await self._store.use_recovery_token(recovery, datetime.now(UTC), _device_label(scope), adds=adds)
        return None if found is None else (found[0].person, found[1])


def cookie_name(*, secure: bool) -> str:
    """Return the name of the session cookie, for https (`secure`) or http.

    On https, `__Host-` stops other hosts and plain http from setting the cookie.
    """
    return "__Host-pecking_order" if secure else "pecking_order"


def set_session_cookie(response: Response, token: str, *, secure: bool) -> None:
    """Set the session cookie on a response, so that this browser is signed in."""
    set_cookie(response, cookie_name(secure=secure), token, seconds=YEARS * 365 * 24 * 3600, secure=secure)


def set_cookie(
    response: Response, name: str, value: str, *, secure: bool, path: str = "/", seconds: int | None = None
) -> None:
    """Set a cookie on a response that scripts can't read and that other sites can't have sent.

    It lasts for `seconds`, or for None until the browser is closed.
    """
    response.set_cookie(name, value, seconds, path=path, secure=secure, httponly=True, samesite="lax")


def clear_session_cookie(response: Response, *, secure: bool) -> None:
    """Sign the browser out: delete the session cookie and this site's cache.

    The cache holds QR codes of rooms and finished hands.
    """
    response.headers["Clear-Site-Data"] = '"cache"'
    response.delete_cookie(cookie_name(secure=secure), path="/", secure=secure, httponly=True, samesite="lax")


_BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome"}
_BROWSERS |= {"Chrome": "Chrome", "Safari": "Safari"}
_SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "CrOS": "ChromeOS"}
_SYSTEMS |= {"Macintosh": "Mac", "Linux": "Linux"}
"""Names by marks in the User-Agent header; specific marks come before general ones."""


def _device_label(scope: Scope) -> str | None:
    """Return a label such as “Firefox · Windows” for the device, from the User-Agent header; None if unknown."""
    said = header(scope, b"user-agent") or ""
    browser = next((name for mark, name in _BROWSERS.items() if f"{mark}/" in said), None)
    system = next((name for mark, name in _SYSTEMS.items() if mark in said), None)
    if browser is None and system is None:
        program = re.match(r"[A-Za-z][A-Za-z0-9 ._-]{0,30}", said)
        return program.group().strip() if program else None
    return " · ".join(filter(None, (browser, system)))


def _bearer_token(authorization: str | None) -> str | None:
    """Return the secret token of an Authorization header, or None.

    Other values are ignored: they may be meant for a proxy.
    """
    scheme, _, token = (authorization or "").partition(" ")
    return token if scheme.lower() == "bearer" and _TOKEN.fullmatch(token) else None


def _session_cookie_token(sent: str | None, *, secure: bool) -> str | None:
    """Return the secret token in our session cookie, or None if it is missing or malformed.

    `sent`: the Cookie header. `secure`: whether the request came by https.
    """
    cookie = cookie_name(secure=secure)
    for part in (sent or "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == cookie and _TOKEN.fullmatch(value):
            return value
    return None
