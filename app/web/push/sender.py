"""Calls people back to a table whose page is out of their sight, through the push services of their browsers.

A room only says whom (`app/rooms/live/turn_alerts.py`): what it says waits here in a line that has an end, and the room
for nothing. A message holds the game, the way to the room and no cards, and the service that carries it can't read it.
"""

import asyncio
import hashlib
import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

import structlog

from app.rooms.live.turn_alerts import Call, Matter
from app.rooms.ports.storage import Unavailable
from app.settings import ANY, PUSH_SERVICES
from app.store.repositories.push_subscriptions import Subscription, Subscriptions
from app.web.i18n.catalogues import Texts
from app.web.push import encryption
from app.web.push.safe_post import Endpoint, NoAnswer, NotPublic, PublicPost, domain_of

MOST_WAITING: Final = 500
"""Calls; those that have waited longest make place."""
AT_ONCE: Final = 8
"""Calls for which the database is asked at the same time, and messages on their way to one of the known services."""
AT_ONCE_ELSEWHERE: Final = 2
"""Messages on their way to one other domain."""
MOST_IN_LINE: Final = 200
"""Messages to one service that wait or are on their way; more are dropped."""
USUAL_SECONDS: Final = 3600
"""How long a service tries to deliver what has no end of its own."""
TOO_LATE: Final = 3
"""Seconds before its end in which a call is none any more."""
GONE: Final = (404, 410)
"""What a service answers for a browser that is not there any more."""
BUSY: Final = (429, 503)
"""What it answers when it wants to be left alone for a while."""
USUAL_REST: Final = 60.0
"""Seconds of that, where it does not say how many."""
MOST_RESTING: Final = 200
"""Messages that wait for services to take some again."""

Outcome: TypeAlias = Literal["sent", "gone", "refused", "failed", "late", "dropped"]
"""What becomes of a call: the service has taken it; its browser is not there any more; no call may go where it was to;
the service could not be had; it came too late to be sent; too many were waiting, or the database could not be asked
whom to send it to."""

TITLES: Final[Mapping[Matter, str]] = {"turn": "tab.turn", "asked": "call.asked"}
"""Keys of texts: as the page itself calls."""

log = structlog.get_logger("web")


class _Line:
    """The messages to one service."""

    def __init__(self, at_once: int) -> None:
        self.places = asyncio.Semaphore(at_once)
        self.count = 0
        """Those that wait or are on their way."""


class Pusher:
    """The line of those who are to be called. `close` it."""

    def __init__(
        self,
        kept: Subscriptions,
        key: str,
        texts: Callable[[str], Texts],
        post: PublicPost,
        count: Callable[[Outcome], None],
        services: tuple[str, ...] = PUSH_SERVICES,
    ) -> None:
        """`key` is the server's (`sealed.private_text`); `texts` gives those of a language.

        `count` is told what became of each message. `services` are the only hosts that messages are posted to, with all
        hosts below them; `ANY` stands for every public host.
        """
        self._kept = kept
        self._key = encryption.private_key(key)
        self._texts = texts
        self._post = post
        self._count = count
        self._services = services
        self._waiting: deque[Call] = deque()
        self._working: set[asyncio.Task[None]] = set()
        self._sending: set[asyncio.Task[None]] = set()
        self._lines: dict[str, _Line] = {}
        """Messages on their way and those that wait, by service."""
        self._resting: set[asyncio.Task[None]] = set()
        self._again_at: dict[str, float] = {}
        """From when on a service takes messages again, by its origin; those that are busy."""
        self.public_key = encryption.public_text(self._key)
        """What browsers subscribe with."""

    def call(self, call: Call) -> None:
        """Have somebody called, soon."""
        self._waiting.append(call)
        if len(self._waiting) > MOST_WAITING:
            self._waiting.popleft()
            self._count("dropped")
        if len(self._working) < AT_ONCE:
            task = asyncio.create_task(self._work(), name="push")
            self._working.add(task)
            task.add_done_callback(self._working.discard)

    async def close(self) -> None:
        """Call nobody any more."""
        tasks = [*self._working, *self._sending, *self._resting]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._post.close()

    def place(self, endpoint: str) -> Endpoint:
        """Where a browser is called that gives this address; `NotPublic` if nowhere."""
        place = self._post.place(endpoint)
        if self._services != (ANY,) and place.origin != self._post.trial and self._service(place) is None:
            raise NotPublic(f"{place.host} is none of the services that this server uses")
        return place

    def _service(self, place: Endpoint) -> str | None:
        """Return the known service that a host belongs to, if there is one."""
        known = (*self._services, *PUSH_SERVICES)
        return next((each for each in known if f".{place.host}".endswith(f".{each}")), None)

    def _line(self, place: Endpoint) -> str:
        """Return the line in which messages to this place wait: that of the service or, for others, of the domain.

        So a host that answers slowly delays the messages of its own domain only, however many names that has.
        """
        return self._service(place) or domain_of(place.host)

    async def _work(self) -> None:
        while self._waiting:
            call = self._waiting.popleft()
            try:
                for browser in await self._kept.claim(call.person, datetime.now(UTC)):
                    self._begin(call, browser)
            except Unavailable:
                self._count("dropped")
            except Exception:  # the others must not suffer
                log.exception("somebody could not be called", room=call.room)

    def _begin(self, call: Call, browser: Subscription) -> None:
        """Send a message as soon as those before it in its line leave it a place; wait for none of another line."""
        called_at = time.time()
        try:
            line = self._line(self._post.place(browser.endpoint))
        except NotPublic:
            line = ""  # which `_send` finds out again, and lets the browser go
        queue = self._lines.setdefault(line, _Line(AT_ONCE if line in PUSH_SERVICES else AT_ONCE_ELSEWHERE))
        if queue.count >= MOST_IN_LINE:
            self._count("dropped")
            return
        queue.count += 1

        async def send() -> None:
            try:
                async with queue.places:
                    await self._send(call, browser, called_at)
            except Unavailable:
                self._count("dropped")
            except Exception:  # the others must not suffer
                log.exception("notification failed", room=call.room)
            finally:
                queue.count -= 1
                if not queue.count:
                    self._lines.pop(line, None)

        task = asyncio.create_task(send(), name="push send")
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, call: Call, browser: Subscription, called_at: float) -> None:
        end = called_at + USUAL_SECONDS if call.until is None else call.until / 1000
        seconds = round(end - time.time())
        if seconds < TOO_LATE:
            self._count("late")
            return
        outcome: Outcome
        try:
            place = self.place(browser.endpoint)
            if (rest := self._rest(place)) > 0:
                self._send_later(call, browser, called_at, rest, seconds)
                return
            headers = self._headers(call, browser, place, seconds)
            answer = await self._post.post(place, headers, self._body(call, browser))
        except NotPublic as error:
            await self._kept.gone(browser.endpoint)
            outcome, why = "refused", str(error)
        except NoAnswer as error:
            await self._kept.missed(browser.endpoint)
            outcome, why = "failed", str(error)
        else:
            status = answer.status
            outcome, why = ("sent" if status < 300 else "failed"), str(status)
            if status in BUSY:
                # Its browser is as good as before.
                rest = answer.again_in or USUAL_REST
                self._again_at[place.origin] = asyncio.get_running_loop().time() + rest
                self._send_later(call, browser, called_at, rest, seconds)
                return
            if status in GONE:
                outcome = "gone"
                await self._kept.gone(browser.endpoint)
            elif outcome == "failed":
                await self._kept.missed(browser.endpoint)
        self._count(outcome)
        log.debug("called", outcome=outcome, answer=why, service=urlsplit(browser.endpoint).hostname)

    def _rest(self, place: Endpoint) -> float:
        """Seconds until this service takes messages again."""
        now = asyncio.get_running_loop().time()
        self._again_at = {origin: at for origin, at in self._again_at.items() if at > now}
        return self._again_at.get(place.origin, now) - now

    def _send_later(self, call: Call, browser: Subscription, called_at: float, rest: float, seconds: int) -> None:
        """Send it when its service has rested for so many seconds, unless it is none any more by then."""
        if rest > seconds - TOO_LATE:
            self._count("late")
            return
        if len(self._resting) >= MOST_RESTING:
            self._count("dropped")
            return

        async def later() -> None:
            await asyncio.sleep(rest)
            try:
                await self._send(call, browser, called_at)
            except Unavailable:
                self._count("dropped")

        task = asyncio.create_task(later(), name="push later")
        self._resting.add(task)
        task.add_done_callback(self._resting.discard)

    def _headers(self, call: Call, browser: Subscription, place: Endpoint, seconds: int) -> dict[str, str]:
        # The same for each call of this browser to this room, so that a newer one takes the older one's place; and
        # another for each browser, so that a service can't tell who plays with whom.
        topic = hashlib.sha256(f"{call.room} {browser.endpoint}".encode()).digest()
        return {
            "TTL": str(seconds),
            # Who has no clock can be told when their phone wakes up anyway.
            "Urgency": "normal" if call.until is None else "high",
            "Topic": encryption.base64url(topic)[:32],
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "Authorization": encryption.vouched(place.origin, _contact(browser.site), self._key, time.time()),
        }

    def _body(self, call: Call, browser: Subscription) -> bytes:
        texts = self._texts(browser.language)
        told = {
            "title": texts.t(TITLES[call.matter], game=texts.t(f"game.{call.game}")),
            "body": texts.t("call.body"),
            "tag": f"turn-{call.room}",
            "path": f"/r/{call.code}",
        }
        message = json.dumps(told, ensure_ascii=False).encode()
        keys = encryption.Keys.read(browser.p256dh, browser.auth)
        return encryption.sealed(message, keys, encryption.new_key(), secrets.token_bytes(encryption.SALT))


def _contact(site: str) -> str:
    """Where a service can complain: at the site itself."""
    return site if site.startswith("https:") else f"mailto:push@{urlsplit(site).hostname}"
