"""Test bots in worker processes: asked when their turn starts, and replaced if they take too long."""

import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from app.bots import BOTS
from app.bots.search.monte_carlo import SearchResult
from app.rooms.errors import RoomError
from app.rooms.live import bot_thinking
from app.rooms.live.registry import Registry
from app.rooms.live.room_actor import RoomActor
from app.rooms.model import commands as ask
from app.rooms.ports.bot_workers import BotAnswer, BotDecision, CancelJob
from app.rooms.views import room_view
from tests.rooms.live.test_room_actor import HOST, House, house, play, until
from tests.rooms.world import asked

__all__ = ["house"]


class Desk:
    """A worker pool whose answers the test writes."""

    def __init__(self) -> None:
        self.awake = 0
        self.asked: list[bytes] = []
        self.open: list[Callable[[BotAnswer], None]] = []
        self.dropped = 0
        self.at_once: BotAnswer | None = None
        """If set, the immediate answer to every job."""

    def prepare_workers(self) -> None:
        self.awake += 1

    def submit_job(self, job: bytes, on_answer: Callable[[BotAnswer], None]) -> CancelJob:
        self.asked.append(job)
        if self.at_once is not None:
            on_answer(self.at_once)
            return lambda: None
        self.open.append(on_answer)

        def drop() -> None:
            self.dropped += 1
            if on_answer in self.open:
                self.open.remove(on_answer)

        return drop


class Table:
    """Ana and three hard bots, with the bots' decisions."""

    def __init__(self, registry: Registry, desk: Desk, decided: list[BotDecision], runner: RoomActor) -> None:
        self.registry, self.desk, self.decided, self.runner = registry, desk, decided, runner

    @property
    def to_act(self) -> str:
        assert self.runner.room.match is not None
        return self.runner.room.match.to_act[0]

    async def to_a_bot(self) -> str:
        """Let Ana play until a bot has the turn."""
        rng, room = random.Random(1), self.runner.room
        while self.runner.room.members[self.to_act].bot is None:
            action = BOTS["easy"](room_view.build_bot_view(self.runner.room, "Ana"), rng)
            act = asked(self.runner.room, ask.Act, "ana", f"a{room.seq}{rng.random()}", action)
            assert (await self.runner.handle(act)).ok
        return self.to_act


@pytest.fixture
async def table(house: House) -> AsyncIterator[Callable[..., Any]]:
    async def made(**settings: Any) -> Table:
        desk, decided = Desk(), list[BotDecision]()
        registry = house.node(bot_workers=desk, on_bot_decision=decided.append, rng=random.Random(1))
        asked = {"game": "big_two", "bots": ["hard"] * 3, "bots_delay": 0, **settings}
        room = await registry.create(HOST, asked)
        runner = await registry.find_by_code(room.code)
        assert runner is not None
        return Table(registry, desk, decided, runner)

    return made


async def begun(table: Callable[..., Any], **settings: Any) -> tuple[Table, str]:
    """Return a table at the turn of a bot, and the bot's name."""
    made: Table = await table(**settings)
    made.runner.connect("ana")
    assert (await made.runner.handle(asked(made.runner.room, ask.Start, "ana", "s"))).ok
    return made, await made.to_a_bot()


def legal(made: Table, name: str) -> dict[str, Any]:
    """Return the last legal action of the bot, which it would not choose itself."""
    action: dict[str, Any] = [*room_view.build_bot_view(made.runner.room, name)["you"]["legal"]][-1]
    return action


async def test_the_worker_is_asked_at_once_and_the_bot_acts_after_its_delay(table: Callable[..., Any]) -> None:
    made, name = await begun(table, bots_delay=10)
    assert made.desk.awake
    await until(lambda: made.desk.asked)
    turn, action = made.runner.room.turn, legal(made, name)
    made.desk.open[-1](SearchResult(action, 40, ()))
    assert made.runner.room.turn == turn, "it seems to think for a while yet"
    assert (await made.runner.handle(ask.Configure("ana", "c", pace="at_once"))).ok
    await until(lambda: made.runner.room.turn > turn)
    assert made.runner.room.run is not None
    by, done = made.runner.room.run.hand.actions[-1]
    assert (by, made.decided[-1]) == (name, BotDecision("hard", 40))
    assert type(done).__name__.lower() == action["do"]


async def test_workers_are_not_asked_for_medium_bots(table: Callable[..., Any]) -> None:
    made: Table = await table(bots=["medium"] * 3)
    connection = made.runner.connect("ana")
    assert (await made.runner.handle(asked(made.runner.room, ask.Start, "ana", "s"))).ok
    await play([made.runner], "ana", connection)
    assert (made.desk.asked, made.desk.awake) == ([], 0)
    assert {choice.bot_kind for choice in made.decided} == {"medium"}


@pytest.mark.parametrize("why", ["full", "gone"])
async def test_a_hard_bot_plays_without_an_answer_from_a_worker(table: Callable[..., Any], why: Any) -> None:
    made: Table = await table()
    made.desk.at_once = why
    connection = made.runner.connect("ana")
    assert (await made.runner.handle(asked(made.runner.room, ask.Start, "ana", "s"))).ok
    seen = await play([made.runner], "ana", connection)
    assert seen["table"]["last"]["standing"]
    assert {choice.missing for choice in made.decided} == {why}


async def test_a_hard_bot_does_not_wait_for_a_late_worker(
    table: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_thinking, "MIN_WAIT", 0.005)
    made: Table = await table()
    connection = made.runner.connect("ana")
    assert (await made.runner.handle(asked(made.runner.room, ask.Start, "ana", "s"))).ok
    seen = await play([made.runner], "ana", connection)
    assert seen["table"]["last"]["standing"]
    assert {choice.missing for choice in made.decided} == {"late"}
    assert not made.desk.open, "what is late is not waited for"


async def test_a_worker_answer_for_a_bot_that_changed_its_level_is_dropped(table: Callable[..., Any]) -> None:
    made, name = await begun(table, bots_delay=10)
    await until(lambda: made.desk.asked)
    stale, turn = made.desk.open[-1], made.runner.room.turn
    assert (await made.runner.handle(ask.SetBot("ana", "b", name, "easy"))).ok
    stale(SearchResult({"do": "nothing"}, 1, ()))
    assert made.desk.dropped
    assert (await made.runner.handle(ask.Configure("ana", "c", pace="at_once"))).ok
    await until(lambda: made.runner.room.turn > turn)
    assert made.decided[0] == BotDecision("easy")


async def test_a_hard_bot_decides_in_the_server_if_no_job_can_be_made(
    table: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_view, "build_bot_job", lambda *_: None)
    made: Table = await table()
    connection = made.runner.connect("ana")
    assert (await made.runner.handle(asked(made.runner.room, ask.Start, "ana", "s"))).ok
    await play([made.runner], "ana", connection)
    assert {choice.missing for choice in made.decided} == {"hidden"}


async def test_hard_bots_are_refused_on_a_node_without_workers(house: House) -> None:
    registry = house.node()
    with pytest.raises(RoomError, match="This bot does not exist"):
        await registry.create(HOST, {"game": "president", "bots": ["hard"]})
    room = await registry.create(HOST, {"game": "president", "bots": ["easy"]})
    runner = await registry.find_by_code(room.code)
    assert runner is not None
    assert (await runner.handle(ask.AddBot("ana", "1", "hard"))).code == "bad_setting"
    bot = next(name for name, member in room.members.items() if member.bot)
    assert (await runner.handle(ask.SetBot("ana", "2", bot, "hard"))).code == "bad_setting"


async def test_a_room_with_hard_bots_continues_on_a_node_without_workers(house: House) -> None:
    made = house.node(bot_workers=Desk())
    room = await made.create(HOST, {"game": "big_two", "bots": ["hard"] * 3, "bots_delay": 0})
    decided = list[BotDecision]()
    other = await house.node(on_bot_decision=decided.append).find_by_code(room.code)
    assert other is not None
    connection = other.connect("ana")
    assert (await other.handle(asked(other.room, ask.Start, "ana", "s"))).ok
    await play([other], "ana", connection)
    assert {choice.missing for choice in decided} == {"off"}
