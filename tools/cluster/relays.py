"""`python -m tools.cluster.relays FOLDER PREFIX`: pass all connections between the machines of a cluster on.

Each line on standard input cuts the connections between the two machines that it names, such as “db1 db3”. An empty
line ends the cut. During a cut nothing passes, and both sides hear nothing of it, as if a cable was pulled.
"""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from tools.cluster.machines import NUMBERS, PORTS, Network, processes_in

_CHUNK: Final = 1 << 16
_SEARCH_SECONDS: Final = 0.2
"""The time between two searches for the owners of new connections."""


class Relays:
    """One relay for each port of each machine, in one process.

    Which machine a connection comes from is asked only during a cut, because it takes a look at all processes.
    """

    def __init__(self, folder: Path, network: Network) -> None:
        """`folder`: has the folders of the machines."""
        self._folder = folder
        self._network = network
        self._cut = frozenset[str]()
        """The names of two machines, or nothing."""
        self._owners = dict[str, str]()
        """During a cut: the name of a machine, by the address of its end of a connection as `/proc/net/tcp` has it."""
        self._search = asyncio.Lock()
        self._whole = asyncio.Event()

    async def listen(self) -> None:
        """Pass connections on from now on."""
        for number in NUMBERS:
            for port in PORTS:
                accept = partial(self._pass_on, number, port)
                await asyncio.start_server(accept, self._network.address(number), port)

    async def obey(self) -> None:
        """Cut and connect as standard input says, until it ends."""
        await self.listen()
        print("ready", flush=True)  # noqa: T201
        while line := await asyncio.to_thread(sys.stdin.readline):
            await self.cut(frozenset(line.split()))
        os._exit(0)  # the connections end without a word

    async def cut(self, machines: frozenset[str]) -> None:
        """Cut the connections between two machines, or none."""
        self._owners = await asyncio.to_thread(self._find_owners) if machines else {}
        self._cut = machines
        if machines:
            self._whole.clear()
        else:
            self._whole.set()

    async def _pass_on(
        self, number: int, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        host, client_port = writer.get_extra_info("peername")
        client = "".join(f"{int(part):02X}" for part in reversed(host.split("."))) + f":{client_port:04X}"
        wait = partial(self._wait_if_cut, f"db{number}", client)
        with suppress(OSError):
            await wait()
            there, back = await asyncio.open_connection(self._network.behind_relay(number), port)
            async with asyncio.TaskGroup() as both:
                both.create_task(_pump(reader, back, wait))
                both.create_task(_pump(there, writer, wait))
        writer.close()
        self._owners.pop(client, None)

    async def _wait_if_cut(self, machine: str, client: str) -> None:
        if self._cut and {machine, await self._owner(client)} == self._cut:
            await self._whole.wait()

    async def _owner(self, client: str) -> str:
        """Return the machine that has this end of a connection, or nothing. A search is rare, as it takes CPU time."""
        while client not in self._owners:
            async with self._search:
                if client not in self._owners:
                    self._owners = {client: ""} | await asyncio.to_thread(self._find_owners)
                    await asyncio.sleep(_SEARCH_SECONDS)
        return self._owners[client]

    def _find_owners(self) -> dict[str, str]:
        """Return the machine that has each end of a connection, by the end's address."""
        machines = {
            socket: f"db{number}"
            for number in NUMBERS
            for pid in processes_in(self._folder / f"db{number}")
            for socket in _open_files(pid)
        }
        lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()]
        return {fields[1]: machines[socket] for fields in lines if (socket := f"socket:[{fields[9]}]") in machines}


async def _pump(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wait: Callable[[], Awaitable[None]]
) -> None:
    """Pass on data in one direction. The end of either direction ends the connection, so that nothing leaks."""
    try:
        with suppress(OSError):
            while data := await reader.read(_CHUNK):
                await wait()
                writer.write(data)
                await writer.drain()
        await wait()
    finally:
        writer.close()


def _open_files(pid: int) -> list[str]:
    found = list[str]()
    with suppress(OSError):
        for file in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                found.append(str(file.readlink()))
    return found


if __name__ == "__main__":
    asyncio.run(Relays(Path(sys.argv[1]), Network(sys.argv[2])).obey())
