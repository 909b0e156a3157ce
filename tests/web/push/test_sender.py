"""Test push messages with the tests' own push service, and that other addresses get none."""

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.rooms.live import turn_alerts
from app.rooms.live.turn_alerts import TurnAlert
from app.settings import ANY_HOST, PUSH_SERVICES, Settings
from app.store.repositories.people import SignedInDevice
from app.web.push import safe_post, sender
from app.web.push.safe_post import (
    NoAnswer,
    NotPublicAddress,
    PostResponse,
    PublicHttpsClient,
    is_public,
    parse_endpoint,
)
from tests.for_each import for_each
from tests.web.conftest import Live, serving
from tests.web.push_service import Browser, Posted, PushService, claims, push_service
from tests.web.visitors import Desk, Visitor, visiting


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    """Run a push service with a trusted certificate."""
    with push_service(tmp_path) as running:
        monkeypatch.setenv("SSL_CERT_FILE", str(running.authority))
        yield running


@pytest.fixture
def trial(settings: Settings, service: PushService, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of a server that knows this service and sends notifications without delay."""
    monkeypatch.setattr(turn_alerts, "ALERT_DELAY", 0)
    return settings.model_copy(update={"test_push_service": service.origin})


@pytest.fixture
async def calls(trial: Settings) -> AsyncIterator[Live]:
    """Run a server with these settings."""
    async with serving(trial) as live:
        yield live


async def posted(service: PushService) -> Posted:
    return await asyncio.to_thread(service.next)


async def subscribe(visitor: Visitor, subscription: dict[str, str]) -> None:
    answer = await visitor.http.put("/api/me/push", json=subscription)
    assert answer.status_code == 200, answer.text
    assert answer.json()["subscribed"] is True


async def is_on(visitor: Visitor) -> Any:
    return (await visitor.http.get("/api/me/push")).json()["subscribed"]


async def outcomes(live: Live, wanted: str) -> None:
    """Wait until a message has this outcome."""
    counter = live.app.site.metrics.pushes.labels(wanted)
    async with asyncio.timeout(10):
        while not counter._value.get():
            await asyncio.sleep(0.01)


async def at_bobs_turn(ana: Visitor, bob: Visitor) -> tuple[dict[str, Any], Desk]:
    """Let Ana and Bob play until it is Bob's turn, and return the room and his socket."""
    opened = await ana.open("Ana", game="big_two", clock={"turn": 30})
    anas, bobs = await ana.sit(opened["code"]), await bob.sit(opened["code"], "Bob")
    await anas.do("start")
    update = await anas.until(lambda update: update["table"] is not None)
    if update["table"]["to_act"] == ["Ana"]:
        await anas.do("act", action=update["you"]["legal"][0])
    await bobs.until(lambda update: update["table"] is not None and update["table"]["to_act"] == ["Bob"])
    return opened, bobs


async def test_a_player_with_a_hidden_page_is_notified_of_the_turn_without_secrets(
    calls: Live, service: PushService
) -> None:
    async with visiting(calls.base) as come:
        ana, bob, browser = come(), come(), Browser()
        opened, page = await at_bobs_turn(ana, bob)
        await subscribe(bob, browser.subscription(service.endpoint("bob")))
        assert await is_on(bob)
        assert not await is_on(ana)
        assert service.posted.empty()
        await page.do("page_visibility", visible=False)
        sent = await posted(service)
        assert browser.read(sent) == {
            "title": "Your turn · Big Two",
            "body": "It’s your turn.",
            "tag": f"turn-{opened['room']}",
            "path": f"/r/{opened['code']}",
        }
        assert sent.path == "/201/bob"
        told = {name: sent.headers[name] for name in ("Urgency", "Content-Encoding", "Content-Type")}
        assert told == {
            "Urgency": "high",
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
        }
        assert 0 < int(sent.headers["TTL"]) <= 30
        assert len(sent.headers["Topic"]) == 32
        vouched, key = claims(sent.headers["Authorization"])
        assert key == (await ana.http.get("/api/me/push")).json()["key"]
        assert vouched["aud"] == service.origin
        assert vouched["sub"] == "mailto:push@127.0.0.1"
        assert time.time() < vouched["exp"] <= time.time() + 24 * 3600
        for secret in (opened["room"], opened["code"], opened["invite"], "Bob"):
            assert secret.encode() not in sent.body
            assert secret not in str(sent.headers)


async def test_a_player_with_a_closed_page_is_notified_and_the_key_survives_a_restart(
    trial: Settings, service: PushService
) -> None:
    async with serving(trial) as live, visiting(live.base) as come:
        ana, bob, browser = come(), come(), Browser()
        _, page = await at_bobs_turn(ana, bob)
        await subscribe(bob, browser.subscription(service.endpoint("bob")))
        await page.close()
        assert browser.read(await posted(service))["title"] == "Your turn · Big Two"
        before = (await ana.http.get("/api/me/push")).json()["key"]
    async with serving(trial) as live, visiting(live.base) as come:
        assert (await come().http.get("/api/me/push")).json()["key"] == before


@pytest.mark.parametrize(("kind", "outcome", "kept"), [("410", "gone", 0), ("404", "gone", 0), ("500", "failed", 1)])
async def test_a_subscription_is_deleted_if_the_push_service_says_it_is_gone(
    calls: Live, service: PushService, kind: str, outcome: str, kept: int
) -> None:
    async with visiting(calls.base) as come:
        ana, bob = come(), come()
        _, page = await at_bobs_turn(ana, bob)
        await subscribe(bob, Browser().subscription(service.endpoint("bob", kind)))
        await page.do("page_visibility", visible=False)
        await posted(service)
        await outcomes(calls, outcome)
        assert await is_on(bob) == bool(kept)


@pytest.mark.parametrize("kind", ["429", "503"])
async def test_a_notification_is_retried_after_the_delay_the_push_service_asks_for(
    calls: Live, service: PushService, kind: str
) -> None:
    async with visiting(calls.base) as come:
        ana, bob, browser = come(), come(), Browser()
        _, page = await at_bobs_turn(ana, bob)
        await subscribe(bob, browser.subscription(service.endpoint("bob", kind)))
        await page.do("page_visibility", visible=False)
        first = await posted(service)
        turned_away = time.monotonic()
        again = await posted(service)
        assert time.monotonic() - turned_away > 0.9
        assert browser.read(again) == browser.read(first)
        assert int(again.headers["TTL"]) < int(first.headers["TTL"])
        await outcomes(calls, "sent")
        assert await is_on(bob)


async def test_a_notification_that_would_be_late_after_the_delay_is_dropped(calls: Live, service: PushService) -> None:
    async with visiting(calls.base) as come:
        ana, bob = come(), come()
        _, page = await at_bobs_turn(ana, bob)
        await subscribe(bob, Browser().subscription(service.endpoint("bob?after=60", "429")))
        await page.do("page_visibility", visible=False)
        await posted(service)
        await outcomes(calls, "late")
        assert service.posted.empty()
        assert await is_on(bob), "their browser is as good as before"


async def test_push_requests_follow_no_redirects_and_time_out(
    calls: Live, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = PublicHttpsClient(service.origin)
    try:
        assert await post.post(post.parse_endpoint(service.endpoint("ana", "307")), {}, b"x") == PostResponse(307)
        assert (await posted(service)).path == "/307/ana"
        monkeypatch.setattr(safe_post, "SECONDS", 0.2)
        with pytest.raises(NoAnswer):
            await post.post(post.parse_endpoint(service.endpoint("ana", "never")), {}, b"x")
        assert (await posted(service)).path == "/never/ana"
        assert service.posted.empty()
    finally:
        post.close()


async def test_a_push_service_with_an_untrusted_certificate_is_refused(
    tmp_path: Path, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    post = PublicHttpsClient(service.origin)
    try:
        with pytest.raises(NoAnswer):
            await post.post(post.parse_endpoint(service.endpoint("ana")), {}, b"x")
    finally:
        post.close()
    assert service.posted.empty()


async def test_unsubscribing_signing_out_or_deleting_the_person_deletes_subscriptions(
    calls: Live, service: PushService
) -> None:
    async with visiting(calls.base) as come:
        ana = come()
        await ana.open("Ana")
        kept = calls.app.site.store.subscriptions
        people = list[SignedInDevice]()

        async def on() -> None:
            await subscribe(ana, Browser().subscription(service.endpoint("ana")))
            known = await calls.app.site.store.people.find_by_token(
                ana.http.cookies["pecking_order"], calls.app._clock.now()
            )
            assert known is not None
            people.append(known)
            data = (await ana.http.get("/api/me/data")).json()
            assert [each["endpoint"] for each in data["calls"]] == [service.endpoint("ana")]

        await on()
        assert (await ana.http.delete("/api/me/push")).status_code == 204
        assert await kept.subscriptions_of_person(people[-1].person.id) == []
        assert not await is_on(ana)
        await on()
        link = (await ana.http.post("/api/me/recovery")).json()["url"]
        other = come()
        moved = await other.http.post(link.replace(link.split("/recover")[0], ""))
        assert moved.status_code < 400, moved.text
        assert await kept.subscriptions_of_person(people[-1].person.id) == []
        await subscribe(other, Browser().subscription(service.endpoint("other")))
        assert len(await kept.subscriptions_of_person(people[-1].person.id)) == 1
        assert (await other.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
        assert await kept.subscriptions_of_person(people[-1].person.id) == []


async def test_a_full_queue_drops_the_oldest_notification_and_expired_notifications(
    calls: Live, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MOST_WAITING", 2)
    pusher = calls.app.site.push_sender
    assert pusher is not None
    async with visiting(calls.base) as come:
        persons = []
        for name in ("Ana", "Bob", "Cat"):
            visitor = come()
            await visitor.open(name)
            await subscribe(visitor, Browser().subscription(service.endpoint(name)))
            known = await calls.app.site.store.people.find_by_token(
                visitor.http.cookies["pecking_order"], calls.app._clock.now()
            )
            assert known is not None
            persons.append(known.person.id)
        for person in persons:
            pusher.enqueue_call(TurnAlert("room", "CODE", "president", person, "turn", None))
        assert {(await posted(service)).path for _ in range(2)} == {"/201/Bob", "/201/Cat"}
        await outcomes(calls, "dropped")
        # A notification that would arrive too late is not sent.
        pusher.enqueue_call(TurnAlert("room", "CODE", "president", persons[0], "turn", int(time.time() * 1000) + 1000))
        await outcomes(calls, "late")
        assert service.posted.empty()


PRIVATE = [
    *(
        "0.0.0.0",
        "127.0.0.1",
        "127.8.8.8",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "255.255.255.255",
    ),
    *("169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1"),
    *("203.0.113.1", "224.0.0.1", "240.0.0.1", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:8.8.8.8"),
    *("64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::"),
    *("3fff::1", "5f00::1", "fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1"),
]
PUBLIC = ["8.8.8.8", "142.250.1.1", "1.1.1.1", "2606:4700::1", "2a00:1450:4001::1", "2001:4860:4860::8888"]


def test_private_and_public_addresses_are_distinguished() -> None:
    assert [each for each in PRIVATE if is_public(each)] == []
    assert [each for each in PUBLIC if not is_public(each)] == []


@for_each(
    "url",
    [
        "http://push.example.org/ana",
        "https://push.example.org:8443/ana",
        "https://ana@push.example.org/",
        "https://push.example.org/ana#b",
        "https://push.example.org/a b",
        "https://push.example.org/a\r\nHost: other",
        "https://push.example.org/ä",
        "https:///ana",
        "https://localhost/",
        "https://intranet/",
        "https://[::1",
        "https://push.example.org:99999/",
        "https://push.example.org/" + "a" * 1000,
        *(f"https://{each}/" if ":" not in each else f"https://[{each}]/" for each in PRIVATE if "%" not in each),
        "ftp://push.example.org/",
        "//push.example.org/",
        "",
    ],
)
def test_invalid_and_private_push_endpoints_are_refused(url: str) -> None:
    with pytest.raises(NotPublicAddress):
        parse_endpoint(url, "https://localhost:9443")


def test_endpoints_of_the_known_push_services_are_accepted() -> None:
    for url in (
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QGm",
        "https://wns2-db5p.notify.windows.com/w/?token=BQYAAA%3d",
    ):
        place = parse_endpoint(url)
        assert f"{place.origin}{place.path}" == url


async def test_a_push_host_that_resolves_to_a_private_address_is_not_contacted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checked address is used for the connection, without a second lookup."""
    asked, listener = [], socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    monkeypatch.setattr(safe_post, "HTTPS", listener.getsockname()[1])

    def leads(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, 1, 6, "", (each, port)) for each in ("203.0.114.7", "127.0.0.1")]

    monkeypatch.setattr("socket.getaddrinfo", leads)
    post = PublicHttpsClient()
    try:
        with pytest.raises(NotPublicAddress):
            await post.post(post.parse_endpoint("https://push.example.org/"), {}, b"x")
    finally:
        post.close()
    assert asked == ["push.example.org"]
    with pytest.raises(BlockingIOError):
        listener.accept()
    listener.close()


async def test_an_invalid_subscription_is_refused_with_a_reason(calls: Live, service: PushService) -> None:
    async with visiting(calls.base) as come:
        ana, good = come(), Browser().subscription(service.endpoint("ana"))
        assert (await ana.http.put("/api/me/push", json=good)).status_code == 401
        await ana.open("Ana")
        for wrong, sentence in (
            ({"endpoint": "https://192.168.1.1/"}, "The push service must have an https address on the internet."),
            ({"endpoint": "http://push.example.org/"}, "The push service must have an https address on the internet."),
            ({"p256dh": good["p256dh"][:-2]}, "These push keys are invalid."),
            ({"auth": "AAAA"}, "These push keys are invalid."),
        ):
            answer = await ana.http.put("/api/me/push", json={**good, **wrong})
            assert answer.status_code == 422
            assert answer.json()["message"].startswith(sentence)
        assert not await is_on(ana)


async def until(condition: Any) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


async def test_slow_dns_lookups_do_not_delay_other_notifications(
    calls: Live, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hanging lookups of one domain hold at most two threads, so other messages are sent."""
    hang, real, asked = threading.Event(), socket.getaddrinfo, list[str]()

    def resolve(host: str, port: int, **how: Any) -> Any:
        asked.append(host)
        if host.endswith(".example.org"):
            hang.wait()
            raise socket.gaierror("nobody knows it")
        return real(host, port, **how)

    monkeypatch.setattr("socket.getaddrinfo", resolve)
    monkeypatch.setattr(safe_post, "LOOKUP_SECONDS", 0.05)
    pusher = calls.app.site.push_sender
    assert pusher is not None
    monkeypatch.setattr(pusher, "_services", (ANY_HOST,))
    try:
        async with visiting(calls.base) as come:
            persons = []
            for number in range(sender.AT_ONCE + 4):
                visitor = come()
                await visitor.open("Ana")
                await subscribe(visitor, Browser().subscription(f"https://slow{number}.example.org/"))
                known = await calls.app.site.store.people.find_by_token(
                    visitor.http.cookies["pecking_order"], calls.app._clock.now()
                )
                assert known is not None
                persons.append(known.person.id)
            ana, bob, browser = come(), come(), Browser()
            _, page = await at_bobs_turn(ana, bob)
            await subscribe(bob, browser.subscription(service.endpoint("bob")))
            for person in persons:
                pusher.enqueue_call(TurnAlert("room", "CODE", "president", person, "turn", None))
            await page.do("page_visibility", visible=False)
            assert browser.read(await posted(service))["title"] == "Your turn · Big Two"
            # All slow ones fail after few lookups. A third lookup may start before the second counts as slow.
            failed = calls.app.site.metrics.pushes.labels("failed")
            await until(lambda: failed._value.get() == len(persons))
            slow = [host for host in asked if host.endswith(".example.org")]
            assert safe_post.MOST_OVERDUE <= len(slow) <= safe_post.MOST_OVERDUE + 1
            # Another message to a slow host fails at once.
            with pytest.raises(NoAnswer, match="too slowly"):
                await pusher._post.post(pusher.parse_allowed_endpoint(f"https://{slow[0]}/"), {}, b"x")
            assert len([host for host in asked if host.endswith(".example.org")]) == len(slow)
    finally:
        hang.set()


async def test_a_full_queue_of_one_push_service_drops_only_its_own_notifications(
    calls: Live, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MOST_IN_LINE", 1)
    pusher = calls.app.site.push_sender
    assert pusher is not None
    async with visiting(calls.base) as come:
        persons = []
        for name, kind in (("Ana", "never"), ("Bob", "201")):
            visitor = come()
            await visitor.open(name)
            await subscribe(visitor, Browser().subscription(service.endpoint(name, kind)))
            known = await calls.app.site.store.people.find_by_token(
                visitor.http.cookies["pecking_order"], calls.app._clock.now()
            )
            assert known is not None
            persons.append(known.person.id)
        pusher.enqueue_call(TurnAlert("room", "CODE", "president", persons[0], "turn", None))
        assert (await posted(service)).path == "/never/Ana"
        pusher.enqueue_call(TurnAlert("room", "CODE", "president", persons[1], "turn", None))
        await outcomes(calls, "dropped")
        assert service.posted.empty()


async def test_the_known_push_services_are_the_default(settings: Settings) -> None:
    subscription = Browser().subscription("https://push.example.org/ana")
    for services, elsewhere in ((PUSH_SERVICES, 422), ((ANY_HOST,), 200)):
        async with (
            serving(settings.model_copy(update={"push_services": services})) as live,
            visiting(live.base) as come,
        ):
            ana = come()
            await ana.open("Ana")
            for endpoint, status in (
                ("https://fcm.googleapis.com/fcm/send/abc:def", 200),
                ("https://updates.push.services.mozilla.com/wpush/v2/gAAA", 200),
                ("https://web.push.apple.com/QGm", 200),
                ("https://wns2-db5p.notify.windows.com/w/?token=BQYAAA%3d", 200),
                ("https://push.example.org/ana", elsewhere),
                ("https://fcm.googleapis.com.example.org/ana", elsewhere),
            ):
                answer = await ana.http.put("/api/me/push", json={**subscription, "endpoint": endpoint})
                assert (endpoint, answer.status_code) == (endpoint, status)
    assert Settings().push_services == PUSH_SERVICES
    assert Settings(push_services="any").push_services == (ANY_HOST,)  # type: ignore[arg-type]


async def test_push_can_be_disabled_or_restricted_to_some_services(settings: Settings) -> None:
    subscription = Browser().subscription("https://push.example.org/ana")
    async with serving(settings.model_copy(update={"push": False})) as live, visiting(live.base) as come:
        ana = come()
        await ana.open("Ana")
        assert (await ana.http.get("/api/me/push")).json() == {"key": None, "subscribed": False}
        assert (await ana.http.put("/api/me/push", json=subscription)).status_code == 409
    only = settings.model_copy(update={"push_services": ("example.org",)})
    async with serving(only) as live, visiting(live.base) as come:
        ana = come()
        await ana.open("Ana")
        for endpoint, status in (
            ("https://push.example.org/ana", 200),
            ("https://example.org/ana", 200),
            ("https://push.badexample.org/ana", 422),
        ):
            answer = await ana.http.put("/api/me/push", json={**subscription, "endpoint": endpoint})
            assert (endpoint, answer.status_code) == (endpoint, status)
