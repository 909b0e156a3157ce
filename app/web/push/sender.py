"""Sends push notifications to people whose table page is hidden, through the push services of their browsers.

Rooms only enqueue alerts (`app/rooms/live/turn_alerts.py`) in a bounded queue, and never wait. A message holds the game
and the way to the room, but no cards; it is encrypted for the browser.
"""

import asyncio
import hashlib
import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, TypeAlias
from urllib.parse import urlsplit

import structlog

from app.rooms.live.turn_alerts import AlertReason, TurnAlert
from app.rooms.ports.storage import StorageUnavailable
from app.settings import ANY_HOST, PUSH_SERVICES
from app.store.repositories.push_subscriptions import PushSubscriptions, Subscription
from app.web.i18n.catalogues import Texts
from app.web.push.safe_post import Endpoint, NoAnswer, NotPublicAddress, PublicHttpsClient, domain_of

if TYPE_CHECKING:
    # `encryption` is imported when first used. Without it, an idle server needs 7 MB less memory.
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

MOST_WAITING: Final = 500
"""Limit for queued alerts; the oldest are dropped."""
AT_ONCE: Final = 8
"""Limit for alerts processed at the same time, and for messages being sent to one known service."""
AT_ONCE_ELSEWHERE: Final = 2
"""Limit for messages being sent to one other domain."""
MOST_IN_LINE: Final = 200
"""Limit for waiting and sent messages of one service; more are dropped."""
USUAL_SECONDS: Final = 3600
"""Seconds a service tries to deliver a message without an end time."""
TOO_LATE: Final = 3
"""Seconds before its end time from which a message is not sent any more."""
GONE: Final = (404, 410)
"""HTTP statuses for a subscription that no longer exists."""
BUSY: Final = (429, 503)
"""HTTP statuses of a service that wants a pause."""
USUAL_REST: Final = 60.0
"""Seconds of the pause if the service gives no `Retry-After`."""
MAX_DELAYED: Final = 200
"""Limit for messages that wait for a paused service."""

SendResult: TypeAlias = Literal["sent", "gone", "refused", "failed", "late", "dropped"]
"""The outcome of a message. sent: the service accepted it. gone: the subscription no longer exists. refused: its URL is
not allowed. failed: the service did not answer or refused. late: its time ended before sending. dropped: a queue was
full, or the database unavailable."""

TITLES: Final[Mapping[AlertReason, str]] = {"turn": "tab.turn", "asked": "call.asked"}
"""Text keys of the titles, the same as on the page."""

log = structlog.get_logger("web")


def new_server_key() -> str:
    """Return a new private key of a server as text, so that it can be stored."""
    from app.web.push import encryption

    return encryption.encode_private_key(encryption.new_private_key())


class _ServiceQueue:
    """The messages to one push service or domain that wait or are being sent, with a limit for those sent at once."""

    def __init__(self, at_once: int) -> None:
        self.places = asyncio.Semaphore(at_once)
        self.count = 0
        """Number of messages waiting or being sent."""


class PushSender:
    """Sends push notifications to people whose turn it is: queues, encrypts and posts them.

    Call `close` at the end.
    """

    def __init__(
        self,
        store: PushSubscriptions,
        key: str,
        texts: Callable[[str], Texts],
        post: PublicHttpsClient,
        count: Callable[[SendResult], None],
        services: tuple[str, ...] = PUSH_SERVICES,
    ) -> None:
        """Create the sender with the server's private key and the texts by language.

        `key` comes from `sealed.private_text`. `count` is called with the outcome of each message. Messages go only to
        the hosts in `services` and their subdomains; `ANY_HOST` allows every public host.
        """
        self._store = store
        self._key_text = key
        self._texts = texts
        self._post = post
        self._count = count
        self._services = services
        self._waiting: deque[TurnAlert] = deque()
        self._working: set[asyncio.Task[None]] = set()
        self._sending: set[asyncio.Task[None]] = set()
        self._lines: dict[str, _ServiceQueue] = {}
        """Queues by service."""
        self._resting: set[asyncio.Task[None]] = set()
        self._again_at: dict[str, float] = {}
        """Loop time at which a paused service accepts messages again, by origin."""

    @cached_property
    def _key(self) -> "EllipticCurvePrivateKey":
        from app.web.push import encryption

        return encryption.decode_private_key(self._key_text)

    @property
    def public_key(self) -> str:
        """The public key with which browsers subscribe."""
        from app.web.push import encryption

        return encryption.encode_public_key(self._key)

    def enqueue_call(self, call: TurnAlert) -> None:
        """Queue a notification that tells a person to come back to their table, and return at once.

        If the queue is full, the oldest notification is dropped. `call` names the person and the room. It is sent to
        all browsers that the person has subscribed.
        """
        self._waiting.append(call)
        if len(self._waiting) > MOST_WAITING:
            self._waiting.popleft()
            self._count("dropped")
        if len(self._working) < AT_ONCE:
            task = asyncio.create_task(self._process_queue(), name="push")
            self._working.add(task)
            task.add_done_callback(self._working.discard)

    async def close(self) -> None:
        """Cancel all notifications that wait or are being sent, and close the HTTP client.

        Called when the server stops.
        """
        tasks = [*self._working, *self._sending, *self._resting]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._post.close()

    def parse_allowed_endpoint(self, endpoint: str) -> Endpoint:
        """Parse the URL of a browser's push subscription, to which notifications are posted.

        Raises `NotPublicAddress` if its host is not public, or not among the push services that the settings allow.
        """
        place = self._post.parse_endpoint(endpoint)
        if (
            self._services != (ANY_HOST,)
            and place.origin != self._post.trial
            and self._find_known_service(place) is None
        ):
            raise NotPublicAddress(f"{place.host} is none of the services that this server uses")
        return place

    def _find_known_service(self, place: Endpoint) -> str | None:
        """Return the known push service whose domain a URL's host is in, or None for any other host."""
        known = (*self._services, *PUSH_SERVICES)
        return next((each for each in known if f".{place.host}".endswith(f".{each}")), None)

    def _queue_key(self, place: Endpoint) -> str:
        """Return the key of the queue for messages to a URL: its known push service or, for others, its domain.

        So a slow host delays only messages of the same domain, even if the domain has many host names.
        """
        return self._find_known_service(place) or domain_of(place.host)

    async def _process_queue(self) -> None:
        while self._waiting:
            call = self._waiting.popleft()
            try:
                for browser in await self._store.take_due(call.person, datetime.now(UTC)):
                    self._schedule_send(call, browser)
            except StorageUnavailable:
                self._count("dropped")
            except Exception:  # one failure must not stop the others
                log.exception("preparing a notification failed", room=call.room)

    def _schedule_send(self, call: TurnAlert, browser: Subscription) -> None:
        """Send a notification to one browser in the background, after the earlier ones to the same push service.

        It is dropped if too many wait for that service.
        """
        called_at = time.time()
        try:
            line = self._queue_key(self._post.parse_endpoint(browser.endpoint))
        except NotPublicAddress:
            line = ""  # `_send_notification` finds the error too, and deletes the subscription
        queue = self._lines.setdefault(line, _ServiceQueue(AT_ONCE if line in PUSH_SERVICES else AT_ONCE_ELSEWHERE))
        if queue.count >= MOST_IN_LINE:
            self._count("dropped")
            return
        queue.count += 1

        async def send() -> None:
            try:
                async with queue.places:
                    await self._send_notification(call, browser, called_at)
            except StorageUnavailable:
                self._count("dropped")
            except Exception:  # one failure must not stop the others
                log.exception("notification failed", room=call.room)
            finally:
                queue.count -= 1
                if not queue.count:
                    self._lines.pop(line, None)

        task = asyncio.create_task(send(), name="push send")
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send_notification(self, call: TurnAlert, browser: Subscription, called_at: float) -> None:
        end = called_at + USUAL_SECONDS if call.until is None else call.until / 1000
        seconds = round(end - time.time())
        if seconds < TOO_LATE:
            self._count("late")
            return
        result: SendResult
        try:
            place = self.parse_allowed_endpoint(browser.endpoint)
            if (rest := self._seconds_until_service_ready(place)) > 0:
                self._retry_later(call, browser, called_at, rest, seconds)
                return
            headers = self._request_headers(call, browser, place, seconds)
            answer = await self._post.post(place, headers, self._encrypted_body(call, browser))
        except NotPublicAddress as error:
            await self._store.delete_by_endpoint(browser.endpoint)
            result, why = "refused", str(error)
        except NoAnswer as error:
            await self._store.count_failed_delivery(browser.endpoint)
            result, why = "failed", str(error)
        else:
            status = answer.status
            result, why = ("sent" if status < 300 else "failed"), str(status)
            if status in BUSY:
                # The subscription is still valid.
                rest = answer.retry_after or USUAL_REST
                self._again_at[place.origin] = asyncio.get_running_loop().time() + rest
                self._retry_later(call, browser, called_at, rest, seconds)
                return
            if status in GONE:
                result = "gone"
                await self._store.delete_by_endpoint(browser.endpoint)
            elif result == "failed":
                await self._store.count_failed_delivery(browser.endpoint)
        self._count(result)
        log.debug("notification result", outcome=result, answer=why, service=urlsplit(browser.endpoint).hostname)

    def _seconds_until_service_ready(self, place: Endpoint) -> float:
        """Return for how many seconds a push service that asked for a pause gets no messages; 0 without a pause."""
        now = asyncio.get_running_loop().time()
        self._again_at = {origin: at for origin, at in self._again_at.items() if at > now}
        return self._again_at.get(place.origin, now) - now

    def _retry_later(self, call: TurnAlert, browser: Subscription, called_at: float, rest: float, seconds: int) -> None:
        """Send a notification again after `rest` seconds, as its push service wants a pause.

        `called_at` is the time at which the player was called, in seconds since 1970. The notification becomes useless
        `seconds` from now. If the pause would end too close to that time, it is counted as late and not sent. It is
        also dropped if too many notifications wait.
        """
        if rest > seconds - TOO_LATE:
            self._count("late")
            return
        if len(self._resting) >= MAX_DELAYED:
            self._count("dropped")
            return

        async def later() -> None:
            await asyncio.sleep(rest)
            try:
                await self._send_notification(call, browser, called_at)
            except StorageUnavailable:
                self._count("dropped")

        task = asyncio.create_task(later(), name="push later")
        self._resting.add(task)
        task.add_done_callback(self._resting.discard)

    def _request_headers(self, call: TurnAlert, browser: Subscription, place: Endpoint, seconds: int) -> dict[str, str]:
        from app.web.push import encryption

        # The topic is the same for all notifications of one browser and room, so that a newer one replaces an older
        # one. It differs by browser, so that a service can't tell which people play together.
        topic = hashlib.sha256(f"{call.room} {browser.endpoint}".encode()).digest()
        return {
            "TTL": str(seconds),
            # Without a time limit, the notification can wait until the phone wakes up.
            "Urgency": "normal" if call.until is None else "high",
            "Topic": encryption.encode_base64url(topic)[:32],
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "Authorization": encryption.vapid_authorization(
                place.origin, _contact_address(browser.site), self._key, time.time()
            ),
        }

    def _encrypted_body(self, call: TurnAlert, browser: Subscription) -> bytes:
        from app.web.push import encryption

        texts = self._texts(browser.language)
        content = {
            "title": texts.t(TITLES[call.matter], game=texts.t(f"game.{call.game}")),
            "body": texts.t("call.body"),
            "tag": f"turn-{call.room}",
            "path": f"/r/{call.code}",
        }
        message = json.dumps(content, ensure_ascii=False).encode()
        keys = encryption.BrowserKeys.parse(browser.p256dh, browser.auth)
        return encryption.encrypt_message(
            message, keys, encryption.new_private_key(), secrets.token_bytes(encryption.SALT)
        )


def _contact_address(site: str) -> str:
    """Return the address by which push services can reach the operator of a site: its https URL.

    For a site without https: a mail address at its host.
    """
    return site if site.startswith("https:") else f"mailto:push@{urlsplit(site).hostname}"
