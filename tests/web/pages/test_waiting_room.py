"""Test a bot that plays for a slow player over real sockets, even if the player acts at the same moment."""

import asyncio
from typing import Any

from tests.web.visitors import Come, Desk, Visitor


async def at_play(ana: Visitor, come: Come, **asked: Any) -> dict[str, Desk]:
    """Return the sockets of Ana, Bob and Cat in a hand."""
    code = (await ana.open(**asked))["code"]
    desks = {"Ana": await ana.sit(code)}
    for name in ("Bob", "Cat"):
        desks[name] = await come().sit(code, name)
    await desks["Ana"].do("start")
    for desk in desks.values():
        await desk.until(lambda update: update["room"]["phase"] == "playing")
    return desks


async def at(desk: Desk, seq: int) -> dict[str, Any]:
    """Return a view that is not older than this entry."""
    return await desk.until(lambda update: update["seq"] >= seq)


async def until_turn_of(desks: dict[str, Desk], *names: str) -> str:
    """Let the others play until one of these has the turn, and return that player's name."""
    while True:
        update = desks["Ana"].update
        acting = str(update["table"]["to_act"][0])
        mine = await at(desks[acting], update["seq"])
        if acting in names:
            return acting
        answer = await desks[acting].do("act", action=mine["you"]["legal"][0])
        for desk in desks.values():
            await at(desk, answer["seq"])


async def test_updates_say_since_when_a_player_is_awaited_and_when_the_host_can_act(ana: Visitor, come: Come) -> None:
    desks = await at_play(ana, come, clock={"patience": 3600})
    name = await until_turn_of(desks, "Bob", "Cat")
    update = desks["Ana"].update
    assert name in update["room"]["waiting_since"]
    assert update["room"]["let_bot_play_after"][update["you"]["let_bot_play_as"]][name] == 3_600_000
    refused = await desks["Ana"].ask("let_bot_play", name=name)
    assert (refused["code"], "You can let a bot play after 3600 s." in refused["message"]) == ("not_now", True)


async def test_a_player_and_a_bot_acting_at_the_same_time_produce_exactly_one_play(ana: Visitor, come: Come) -> None:
    desks = await at_play(ana, come, clock={"patience": 0.05}, bots_delay=0)
    name = await until_turn_of(desks, "Bob", "Cat")
    owner, host = desks[name], desks["Ana"]
    action = owner.update["you"]["legal"][0]
    before = host.update["seq"]
    await asyncio.sleep(0.06)
    own, lent = await asyncio.gather(owner.ask("act", action=action), host.ask("let_bot_play", name=name))
    assert own["ok"] or own["message"].startswith("Too late: a bot has played your turn.")
    assert lent["ok"] or lent["code"] == "not_now"
    after = await at(host, max(answer["seq"] for answer in (own, lent) if answer["ok"]))
    while name in after["table"]["to_act"]:  # the bot is about to play
        after = await at(host, after["seq"] + 1)
    since = (event for update in host.updates if update["seq"] > before for event in update["events"])
    assert sum(event["e"] in ("played", "passed") and event.get("by") == name for event in since) == 1
    assert next(p for p in after["room"]["people"] if p["name"] == name)["stand_in"] is None
