"""Test reactions: everybody in the room sees them, no log contains them, and they are rate-limited."""

from collections.abc import Callable

from app.rooms.ports.bus import SIDE_MESSAGE_MARK
from app.settings import Limits, Settings
from tests.web.conftest import Live, serving
from tests.web.visitors import Visitor, visiting

Come = Callable[[], Visitor]


async def test_a_reaction_reaches_players_and_spectators_and_is_not_logged(
    ana: Visitor, come: Come, live: Live
) -> None:
    opened = await ana.open()
    code = opened["code"]
    anas, bobs, watcher = await ana.sit(code), await come().sit(code, "Bob"), await come().sit(code)
    await anas.until(lambda update: len(update["room"]["people"]) == 2)
    elsewhere = await come().sit((await come().open("Zoe"))["code"])
    before = len(await live.app.site.store.log.read(opened["room"], 0))

    await bobs.do("react", reaction="egg")
    shown = {"t": "reaction", "by": "Bob", "reaction": "egg"}
    for desk in (anas, bobs, watcher):
        assert await desk.until_shown(1) == [shown]
    await elsewhere.do("ping")
    assert elsewhere.shown == []
    assert len(await live.app.site.store.log.read(opened["room"], 0)) == before


async def test_reactions_from_non_members_and_unknown_reactions_are_refused(ana: Visitor, come: Come) -> None:
    code = (await ana.open())["code"]
    nobody, anas = await come().sit(code), await ana.sit(code)
    assert (await nobody.ask("react", reaction="egg"))["code"] == "not_a_member"
    refused = await anas.ask("react", reaction="<img>")
    assert (refused["code"], refused["message"]) == ("bad_message", "“reaction”: Invalid enum value '<img>'.")
    assert anas.shown == []


async def test_a_reaction_sent_twice_with_the_same_id_is_shown_once(ana: Visitor) -> None:
    desk = await ana.sit((await ana.open())["code"])
    for _ in range(2):
        assert (await desk.ask("react", reaction="heart", message_id="same"))["ok"]
    await desk.do("react", reaction="tear")
    assert [each["reaction"] for each in await desk.until_shown(2)] == ["heart", "tear"]


async def test_reactions_over_the_rate_limit_are_refused(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(reactions_per_minute=1, reactions_at_once=2)})
    async with serving(few) as live, visiting(live.base) as come:
        ana, bob = come(), come()
        code = (await ana.open())["code"]
        desk, other, bobs = await ana.sit(code), await ana.sit(code), await bob.sit(code, "Bob")
        answers = [
            await (desk if n % 2 else other).ask("react", reaction="snail", message_id=f"r{n}") for n in range(30)
        ]
        assert [answer["ok"] for answer in answers] == [True] * 2 + [False] * 28
        assert answers[-1]["key"] == "web.reacted_enough"
        assert (await desk.ask("ping"))["ok"], "too much of it ends no line"
        assert (await bobs.ask("react", reaction="snail"))["ok"], "each has their own"
        assert len(await desk.until_shown(3)) == 3


async def test_a_reaction_from_another_node_is_shown_and_nonsense_is_ignored(
    ana: Visitor, come: Come, live: Live
) -> None:
    opened = await ana.open()
    desk = await ana.sit(opened["code"])
    site, room = live.app.site, opened["room"]
    runner = site.registry.get_loaded(room)
    assert runner is not None
    person = runner.room.members["Ana"].person
    for hint in (f"{room}{SIDE_MESSAGE_MARK}{person}.clap", f"{room}{SIDE_MESSAGE_MARK}{person}.dance",
    f"{room}{SIDE_MESSAGE_MARK}nobody.clap",
                 f"elsewhere{SIDE_MESSAGE_MARK}{person}.clap", f"{room}{SIDE_MESSAGE_MARK}"):  # fmt: skip
        site.on_bus_hint(hint, 1)
    await desk.do("ping")
    assert desk.shown == [{"t": "reaction", "by": "Ana", "reaction": "clap"}]
