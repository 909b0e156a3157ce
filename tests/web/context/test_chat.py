"""Test the chat: everybody can read it until the match is over, unless the host has turned it off."""

import asyncio
import base64
from typing import Any

import pytest

from app.rooms.people import chat
from app.rooms.ports.bus import SIDE_MESSAGE_MARK
from app.settings import Limits, Settings
from tests.web.conftest import Live, serving
from tests.web.visitors import Come, Desk, Visitor, visiting


def words(lines: list[dict[str, Any]]) -> list[Any]:
    return [(line["by"], line.get("text"), line.get("quick")) for line in lines]


async def at_play(ana: Visitor, come: Come) -> tuple[dict[str, Any], Desk, Desk]:
    """Return the room and the sockets of Ana and Bob, in a match with a slow bot."""
    opened = await ana.open("Ana", bots=["easy"], bots_delay=10)
    anas, bobs = await ana.sit(opened["code"]), await come().sit(opened["code"], "Bob")
    await anas.until(lambda update: len(update["room"]["people"]) == 3)
    await anas.do("start")
    return opened, anas, bobs


async def test_chat_is_shown_to_everyone_in_the_room_and_deleted_with_the_match(
    ana: Visitor, come: Come, live: Live
) -> None:
    opened, anas, bobs = await at_play(ana, come)
    read = live.app.site.store.log.read
    before = len(await read(opened["room"], 0))
    await anas.do("send_chat", text="  a\u200b  <b>hello</b>  ")
    await bobs.do("send_chat", quick="thanks")
    said = [("Ana", "a <b>hello</b>", None), ("Bob", None, "thanks")]
    late = await come().sit(opened["code"])
    for desk in (anas, bobs, late):
        assert words(await desk.until_said(lambda lines: len(lines) == 2)) == said
    assert (await late.ask("send_chat", text="I watch"))["code"] == "not_a_member"
    assert len(await read(opened["room"], 0)) == before

    await anas.do("stop")
    for desk in (anas, bobs, late):
        await desk.until_said(lambda lines: not lines)
    again = await ana.sit(opened["code"])
    await again.do("ping")
    assert again.chat == []
    await bobs.do("send_chat", quick="well_played")
    await again.until_said(lambda lines: words(lines) == [("Bob", None, "well_played")])


async def test_chat_messages_are_shown_under_the_current_name_of_the_sender(ana: Visitor, come: Come) -> None:
    opened = await ana.open("Ana")
    bobs = await come().sit(opened["code"], "Bob")
    await bobs.do("send_chat", text="I am Bob")
    await bobs.do("join", name="Zoë")
    late = await come().sit(opened["code"])
    await late.until_said(lambda lines: words(lines) == [("Zoë", "I am Bob", None)])
    await bobs.do("leave")
    await late.until(lambda update: [each["name"] for each in update["room"]["people"]] == ["Ana"])
    later = await come().sit(opened["code"])
    await later.until_said(len)
    assert [line["text"] for line in later.chat] == ["I am Bob"]


async def test_chat_survives_a_restart_and_is_deleted_at_the_end_of_the_match(settings: Settings) -> None:
    async with serving(settings) as live, visiting(live.base) as come:
        ana = come()
        opened, anas, _ = await at_play(ana, come)
        await anas.do("send_chat", text="Where were we?")
        await anas.do("send_chat", quick="thanks")
        cookies = ana.cookies
    async with serving(settings) as live, visiting(live.base) as come:
        back = await come().socket(opened["code"], cookies=cookies)
        said = [("Ana", "Where were we?", None), ("Ana", None, "thanks")]
        assert words(await back.until_said(lambda lines: len(lines) == 2)) == said
        await back.do("send_chat", text="Here")
        assert [line["id"] for line in await back.until_said(lambda lines: len(lines) == 3)] == [1, 2, 3]
        kept = live.app.site.store.chat
        [person] = {member.person for member in live.app.site.registry.loaded_rooms()[0].room.members.values()
                    if member.name == "Ana"}  # fmt: skip
        assert person is not None
        await back.do("stop")
        await back.until_said(lambda lines: not lines)
        async with asyncio.timeout(10):
            while await kept.messages_of_person(person):
                await asyncio.sleep(0.02)


async def test_the_host_can_turn_chat_off_for_everyone(ana: Visitor, come: Come) -> None:
    opened, anas, bobs = await at_play(ana, come)
    await anas.do("send_chat", text="too loud")
    assert (await bobs.ask("allow_chat", allowed=False))["code"] == "not_host"
    await anas.do("allow_chat", allowed=False)
    update = await bobs.until(lambda update: update["room"]["chat"] is False)
    assert update["events"][-1]["e"] == "chat_off"
    assert (await bobs.ask("send_chat", text="hello?"))["key"] == "room.chat_is_off"
    again = await ana.sit(opened["code"])
    await anas.do("allow_chat", allowed=True)
    await bobs.until(lambda update: update["room"]["chat"] is True)
    await bobs.do("send_chat", text="quietly")
    await again.until_said(len)
    later = await ana.sit(opened["code"])
    assert words(await later.until_said(len)) == [("Bob", "quietly", None)], "what was said before stays away"


async def test_chat_messages_have_a_maximum_length_and_only_the_newest_are_kept(settings: Settings) -> None:
    wide = settings.model_copy(update={"limits": Limits(chat_messages_at_once=100, messages_at_once=100)})
    async with serving(wide) as live, visiting(live.base) as come:
        ana = come()
        code = (await ana.open())["code"]
        desk = await ana.sit(code)
        assert (await desk.ask("send_chat", text="x" * (chat.MAX_MESSAGE_LENGTH + 1)))["code"] == "bad_message"
        for nothing in ({}, {"text": "\u200b \u2800"}, {"text": "a", "quick": "thanks"}):
            assert (await desk.ask("send_chat", **nothing))["code"] == "bad_text"
        for n in range(chat.MAX_MESSAGES + 5):
            await desk.do("send_chat", text=f"{n}")
        again = await ana.sit(code)
        assert [line["text"] for line in await again.until_said(len)] == [
            f"{n}" for n in range(5, chat.MAX_MESSAGES + 5)
        ]


async def test_chat_messages_over_the_rate_limit_are_refused(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(chat_messages_per_minute=1, chat_messages_at_once=2)})
    async with serving(few) as live, visiting(live.base) as come:
        ana = come()
        desk = await ana.sit((await ana.open())["code"])
        answers = [await desk.ask("send_chat", quick="thanks") for _ in range(30)]
        assert [answer["ok"] for answer in answers] == [True] * 2 + [False] * 28
        assert answers[-1]["key"] == "web.said_enough"
        assert (await desk.ask("ping"))["ok"]


async def test_deleting_a_person_deletes_their_chat_messages(ana: Visitor, come: Come) -> None:
    code = (await ana.open())["code"]
    bob = come()
    anas, bobs = await ana.sit(code), await bob.sit(code, "Bob")
    await bobs.do("send_chat", text="It was I, Bob")
    await anas.do("send_chat", text="Hello")
    await anas.do("send_chat", text="Hello bob")
    await anas.until_said(lambda lines: len(lines) == 3)
    assert (await bob.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
    said = [("Ana", "Hello", None), ("Ana", "Hello Somebody 1", None)]
    assert words(await anas.until_said(lambda lines: len(lines) == 2)) == said


@pytest.mark.postgres
async def test_chat_and_reactions_on_one_node_are_seen_on_the_other(postgres_url: str) -> None:
    settings = Settings(database_url=postgres_url, drain_seconds=3)
    async with (
        serving(settings) as here,
        serving(settings) as there,
        visiting(here.base) as come,
        visiting(there.base) as come_there,
    ):
        opened, anas, bobs = await at_play(come(), come_there)
        code = opened["code"]
        await bobs.until(lambda update: update["room"]["phase"] == "playing")
        await anas.do("send_chat", text="Grüße: from. here")
        await bobs.until_said(len)
        await bobs.do("send_chat", quick="thanks")
        await anas.do("react", reaction="egg")
        said = [("Ana", "Grüße: from. here", None), ("Bob", None, "thanks")]
        for desk in (anas, bobs):
            lines = await desk.until_said(lambda lines: len(lines) == 2)
            assert (words(lines), [line["id"] for line in lines]) == (said, [1, 2])
        assert (await bobs.until_shown(1))[0]["reaction"] == "egg"
        # The messages are saved, so a node that loads the room now shows them in order and once.
        async with serving(settings) as third, visiting(third.base) as come_later:
            late = await come_later().sit(code)
            assert words(await late.until_said(lambda lines: len(lines) == 2)) == said
            await anas.do("stop")
            for desk in (anas, bobs, late):
                await desk.until_said(lambda lines: not lines)


async def test_a_chat_message_from_another_node_is_shown_once_and_nonsense_is_ignored(ana: Visitor, live: Live) -> None:
    opened = await ana.open()
    desk = await ana.sit(opened["code"])
    site, room = live.app.site, opened["room"]
    runner = site.registry.get_loaded(room)
    assert runner is not None
    person = runner.room.members["Ana"].person

    def hear(said: str, by: str | None = person) -> None:
        site.on_bus_hint(f"{room}{SIDE_MESSAGE_MARK}{by}.says-{base64.urlsafe_b64encode(said.encode()).decode()}", 1)

    for said in (
        '[1, "hello", null]',
        '[1, "hello", null]',
        '[2, null, "thanks"]',
        '[3, null, "dance"]',
        "[4]",
        "\xff",
        "",
    ):
        hear(said)
    hear('[5, "hello", null]', by="nobody")
    site.on_bus_hint(f"{room}{SIDE_MESSAGE_MARK}{person}.says-é", 1)
    await desk.do("ping")
    assert words(desk.chat) == [("Ana", "hello", None), ("Ana", None, "thanks")]
