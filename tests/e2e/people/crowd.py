"""Players without a browser, who bring a table quickly to the moment that a test shows in a browser."""

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from tests.web.visitors import Desk, Visitor

Update = dict[str, Any]
Wanted = Callable[[Update], Any]

PATIENCE = 60
MOST_ACTIONS = 4000


class Crowd:
    """All players of a table. They choose legal actions at random, with a fixed seed."""

    def __init__(self, url: str, names: list[str]) -> None:
        self._names = names
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._chance = random.Random(7)
        self._visitors = {name: Visitor(url) for name in names}
        self._desks: dict[str, Desk] = {}
        self.code = ""

    def _run(self, doing: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result(PATIENCE)

    def open(self, **asked: Any) -> str:
        """Open a room with the first player, and return the link for the others."""
        return str(self._run(self._open(asked)))

    async def _open(self, asked: dict[str, Any]) -> str:
        host = self._names[0]
        opened = await self._visitors[host].open(host, **asked)
        self.code = opened["code"]
        self._desks[host] = await self._visitors[host].sit(self.code)
        return f"{self._visitors[host].base}/j/{opened['invite']}"

    def do(self, who: str, command: str, /, **fields: Any) -> None:
        """Send a command as this player, and wait until everybody has the new state."""
        self.catch_up(self._run(self._desks[who].do(command, **fields))["seq"])

    def sit(self, **asked: Any) -> None:
        """Open a room, let everybody join, and start the match."""
        self._run(self._sit(asked))

    async def _sit(self, asked: dict[str, Any]) -> None:
        host, *others = self._names
        self.code = (await self._visitors[host].open(host, **asked))["code"]
        self._desks[host] = await self._visitors[host].sit(self.code)
        for name in others:
            self._desks[name] = await self._visitors[name].sit(self.code, name)
        await self._desks[host].do("start")

    def play_until(self, wanted: Wanted, but: tuple[str, ...] = ()) -> str:
        """Play until a player's update is as wanted, and return that player's name. Players in `but` do nothing."""
        return str(self._run(self._play_until(wanted, but)))

    async def _play_until(self, wanted: Wanted, but: tuple[str, ...]) -> str:
        for _ in range(MOST_ACTIONS):
            await self._all_at(max(desk.update["seq"] for desk in self._desks.values()))
            name = next((name for name in self._names if name not in but and wanted(self.sees(name))), None)
            if name is not None:
                return name
            await self._go_on(but)
        raise AssertionError("what is wanted never came")

    def catch_up(self, seq: int) -> None:
        """Wait until everybody has a state that resulted from an action in a browser."""
        self._run(self._all_at(seq))

    async def _all_at(self, seq: int) -> None:
        for desk in self._desks.values():
            await desk.until(lambda update: update["seq"] >= seq)

    async def _go_on(self, but: tuple[str, ...]) -> None:
        host = self._desks[self._names[0]]
        if host.update["room"]["phase"] != "playing":
            again = host.update["room"]["phase"] == "finished"
            for command in ("rematch", "start") if again else ("deal_next",):
                await self._all_at((await host.do(command))["seq"])
            # Pages have to send their seeds before the cards are dealt.
            if host.update["room"]["phase"] != "playing":
                await host.until(lambda update: update["room"]["phase"] == "playing")
            return
        played = {person["name"] for person in host.update["room"]["people"] if person["bot"] or person["stand_in"]}
        if played.issuperset(host.update["table"]["to_act"]):
            seq = host.update["seq"]
            await host.until(lambda update: update["seq"] > seq)
            return
        for name in host.update["table"]["to_act"]:
            legal = [] if name in but or name in played else self._desks[name].update["you"]["legal"]
            if legal:
                plays = [action for action in legal if action["do"] == "play"]
                answer = await self._desks[name].do("act", action=self._chance.choice(plays or legal))
                await self._all_at(answer["seq"])
                return
        raise AssertionError("nobody of these can go on")

    def sees(self, name: str) -> Update:
        """Return the newest update of this player."""
        return self._desks[name].update

    def cookies(self, name: str, url: str) -> list[dict[str, Any]]:
        """Return cookies that make a browser this player's."""
        jar = self._visitors[name].http.cookies.jar
        return [{"name": cookie.name, "value": cookie.value, "url": url} for cookie in jar]

    def leave(self, name: str) -> None:
        """Close this player's connection."""
        self._run(self._desks[name].close())

    def join(self, name: str) -> None:
        """Let one more player join under this name."""
        self._names.append(name)
        visitor = self._visitors.setdefault(name, Visitor(next(iter(self._visitors.values())).base))
        self._desks[name] = self._run(visitor.sit(self.code, name))

    def go(self, name: str) -> None:
        """Let this player leave their seat and the room."""
        self.do(name, "leave")
        self._names.remove(name)
        self._run(self._desks.pop(name).close())

    def go_on_in(self, code: str) -> None:
        """Connect everybody to another room, of which they are members."""
        self.code = code
        for name in self._names:
            self._desks[name] = self._run(self._visitors[name].sit(code))

    def come_back(self) -> None:
        """Connect everybody again after the server was down."""
        for name in self._names:
            desk = self._run(self._visitors[name].sit(self.code))
            desk.go_on_from(self._desks[name])
            self._desks[name] = desk

    def close(self) -> None:
        """Close all connections."""

        async def all_go() -> None:
            await asyncio.gather(*(visitor.close() for visitor in self._visitors.values()))

        self._run(all_go())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextmanager
def crowd(url: str, names: str, **asked: Any) -> Iterator[Crowd]:
    """Run a table of players in a match."""
    people = Crowd(url, names.split())
    try:
        people.sit(**asked)
        yield people
    finally:
        people.close()
