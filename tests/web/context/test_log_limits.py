"""Test that one address can't fill the disk through the logs of rooms, and that play goes on above the limits."""

from typing import Any

from app.rooms.model import commands as ask
from app.settings import Limits, Settings
from app.web.context.log_limits import ALWAYS_ALLOWED, LogLimits
from tests.web.conftest import serving
from tests.web.visitors import Desk, visiting

ONE_KB = 1024


def with_limits(settings: Settings, **limits: Any) -> Settings:
    return settings.model_copy(update={"limits": Limits(**limits)})


async def toggle_until_refused(desk: Desk) -> dict[str, Any]:
    """Change the room until the answer is a refusal, and return it."""
    for n in range(100):
        answer = await desk.ask("configure", pace="slow" if n % 2 else "fast", message_id=f"t{n}")
        if not answer["ok"]:
            return answer
    raise AssertionError("nothing was refused")


async def test_changes_of_the_settings_of_a_room_are_limited_per_minute(settings: Settings) -> None:
    async with serving(with_limits(settings, settings_changes_per_minute=3)) as live, visiting(live.base) as come:
        ana = come()
        desk = await ana.sit((await ana.open())["code"])
        for locked in (False, False, False, False, True, False):
            assert (await desk.ask("lock", locked=locked))["ok"], "a message without a change counts for nothing"
        refused = await toggle_until_refused(desk)
        assert (refused["code"], refused["key"]) == ("too_fast", "refused.settings_too_often")
        assert 1 <= refused["values"]["count"] <= 20
        assert (await desk.ask("lock"))["code"] == "too_fast"
        assert (await desk.ask("add_bot"))["ok"]
        other = await ana.sit((await ana.open())["code"])
        assert (await other.ask("lock"))["ok"], "each room counts for itself"


async def test_an_address_that_has_filled_the_logs_can_play_and_leave_only(settings: Settings) -> None:
    async with serving(with_limits(settings, log_bytes_per_hour=8 * ONE_KB)) as live, visiting(live.base) as come:
        ana = come()
        desk = await ana.sit((await ana.open(bots=["easy"] * 3))["code"])
        live.app.site.log_limits.count_bytes("127.0.0.1", 16 * ONE_KB)
        refused = await desk.ask("lock")
        assert (refused["code"], refused["key"]) == ("too_fast", "refused.too_much_saved")
        assert 1 <= refused["values"]["count"] <= 3600
        for path, body in (("/api/rooms", {"name": "Ana"}), ("/play", {}), ("/api/me", {"name": "Anna"})):
            answer = await ana.http.request("PUT" if path == "/api/me" else "POST", path, json=body)
            assert (answer.status_code, int(answer.headers["retry-after"]) > 0) == (429, True), path
        assert (await ana.http.get("/api/me")).json()["name"] == "Ana"
        await desk.do("start")
        update = await desk.until(lambda update: update["you"]["legal"])
        assert (await desk.ask("act", action=update["you"]["legal"][0]))["ok"]
        assert (await desk.ask("leave"))["ok"]


async def test_opening_rooms_and_changing_settings_count_and_0_bytes_switch_the_limit_off(settings: Settings) -> None:
    async with serving(with_limits(settings, log_bytes_per_hour=4 * ONE_KB)) as live, visiting(live.base) as come:
        ana = come()
        await ana.open()
        desk = await ana.sit((await ana.open())["code"])
        assert (await toggle_until_refused(desk))["key"] == "refused.too_much_saved"
    off = LogLimits(Limits(log_bytes_per_hour=0))
    off.count_bytes("127.0.0.1", 10**12)
    assert off.refusal("127.0.0.1", "room", ask.AddBot("ana", "a")) is None


def test_only_plays_deals_seeds_votes_and_leaving_are_never_refused() -> None:
    full = LogLimits(Limits(log_bytes_per_hour=1))
    full.count_bytes("127.0.0.1", 10**6)
    assert {tag for tag, kind in ask.MESSAGES_BY_TAG.items() if kind in ALWAYS_ALLOWED} == {
        "act", "start", "deal_next", "seed_hash", "seed", "vote", "leave"
    }  # fmt: skip
    assert full.refusal("127.0.0.1", "room", ask.Leave("ana", "a")) is None
    assert full.refusal("127.0.0.1", "room", ask.Join("ana", "a", "Ana")) is not None
    assert full.refusal("127.0.0.2", "room", ask.Join("bob", "a", "Bob")) is None, "other addresses are not concerned"
