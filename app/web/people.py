"""Who somebody is: the token in their browser's cookie, and the recovery link that moves it to another device.

A token is made when a name is first given, a room's page first opened or a program asks for one, never by a socket's
handshake. What a token is worth the store knows; here is how browsers and programs carry it.
"""

import re
from datetime import UTC, datetime, timedelta

from starlette.responses import Response

from app.store.people import People as Store
from app.store.people import Person
from app.web.address import Scope, header, is_secure

YEARS = 2
RECOVERY = timedelta(minutes=30)
"""How long a recovery link works."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,100}")

__all__ = ["People", "Person", "cookie_name", "remember"]


class People:
    """Cookies and the people behind them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def known(self, scope: Scope) -> Person | None:
        """The person whose token came with this request: a program's before a browser's."""
        token = _borne(header(scope, b"authorization")) or _kept(header(scope, b"cookie"), secure=is_secure(scope))
        return None if token is None else await self._store.find(token, datetime.now(UTC))

    async def create(self, name: str | None = None) -> tuple[Person, str]:
        """A new person, and the token for their browser."""
        return await self._store.create(datetime.now(UTC), name)

    async def rename(self, person: Person, name: str) -> None:
        """The name they used last."""
        if name != person.name:
            await self._store.rename(person.id, name)

    async def visit(self, person: Person, code: str) -> None:
        """They are in this room: it belongs to their list."""
        await self._store.visit(person.id, code, datetime.now(UTC))

    async def visited(self, person: Person, code: str) -> bool:
        """Whether they have been in this room."""
        return await self._store.visited(person.id, code)

    async def start_recovery(self, person: Person) -> tuple[str, datetime]:
        """The token of a link that makes another device this person's, and until when it works."""
        now = datetime.now(UTC)
        return await self._store.start_recovery(person.id, now, RECOVERY), now + RECOVERY

    async def recoverable(self, recovery: str) -> Person | None:
        """Whom a link would bring back. Looking uses nothing up: previews and prefetches look, too."""
        return await self._store.recoverable(recovery, datetime.now(UTC)) if _TOKEN.fullmatch(recovery) else None

    async def recover(self, recovery: str) -> tuple[Person, str] | None:
        """Use a link up: the person, and the token for this browser. The old browser's no longer works."""
        return await self._store.recover(recovery, datetime.now(UTC)) if _TOKEN.fullmatch(recovery) else None


def cookie_name(*, secure: bool) -> str:
    """On https the name itself says that no other host and no plain page could have set it."""
    return "__Host-pecking_order" if secure else "pecking_order"


def remember(response: Response, token: str, *, secure: bool) -> None:
    """Let this browser be that person from now on."""
    response.set_cookie(
        cookie_name(secure=secure),
        token,
        max_age=YEARS * 365 * 24 * 3600,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def _borne(authorization: str | None) -> str | None:
    """The token in an Authorization header. What can't be one of ours is meant for a proxy in front of us."""
    scheme, _, token = (authorization or "").partition(" ")
    return token if scheme.lower() == "bearer" and _TOKEN.fullmatch(token) else None


def _kept(cookies: str | None, *, secure: bool) -> str | None:
    """Our token in a Cookie header, if there is one that could be."""
    wanted = cookie_name(secure=secure)
    for part in (cookies or "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted and _TOKEN.fullmatch(value):
            return value
    return None
