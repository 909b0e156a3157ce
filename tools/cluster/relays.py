"""`python -m tools.cluster.relays FOLDER PREFIX`: pass all connections between the machines of a cluster on.

Each line on standard input cuts the connections between the two machines that it names, such as “db1 db3”. An empty
line ends the cut. During a cut nothing passes, and both sides hear nothing of it, as if a cable was pulled.
"""

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from tools.cluster.machines import NUMBERS, PORTS, Network, processes_in

_CHUNK: Final = 1 << 16


class Relays:
    """One relay for each port of each machine, in one process."""

    def __init__(self, folder: Path, network: Network) -> None:
        """`folder`: has the folders of the machines."""
        self._folder = folder
        self._network = network
        self._cut = frozenset[str]()
        """The names of two machines, or nothing."""
        self._whole = asyncio.Event()
        self._whole.set()

    async def listen(self) -> None:
        """Pass connections on from now on."""
        for number in NUMBERS:
            for port in PORTS:
                await asyncio.start_server(
                    lambda reader, writer, number=number, port=port: self._pass_on(reader, writer, number, port),
                    self._network.address(number),
                    port,
                )

    async def obey(self) -> None:
        """Cut and connect as standard input says, until it ends."""
        await self.listen()
        print("ready", flush=True)  # noqa: T201
        while line := await asyncio.to_thread(sys.stdin.readline):
            self.cut(frozenset(line.split()))
        os._exit(0)  # the connections end without a word

    def cut(self, machines: frozenset[str]) -> None:
        """Cut the connections between two machines, or none."""
        self._cut = machines
        if machines:
            self._whole.clear()
        else:
            self._whole.set()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int, port: int
    ) -> None:
        link = frozenset({f"db{number}", self._machine_of(writer.get_extra_info("peername"))})
        with suppress(OSError):
            await self._wait_if_cut(link)
            there, back = await asyncio.open_connection(self._network.behind_relay(number), port)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pump(reader, back, link))
                both.create_task(self._pump(there, writer, link))
        writer.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: frozenset[str]) -> None:
        """Pass on data in one direction. The end of either direction ends the connection, so that nothing leaks."""
        try:
            with suppress(OSError):
                while data := await reader.read(_CHUNK):
                    await self._wait_if_cut(link)
                    writer.write(data)
                    await writer.drain()
            await self._wait_if_cut(link)
        finally:
            writer.close()

    async def _wait_if_cut(self, link: frozenset[str]) -> None:
        if link == self._cut:
            await self._whole.wait()

    def _machine_of(self, client: tuple[str, int]) -> str:
        """Return the name of the machine that has this end of a connection, or nothing if another process has it."""
        host, port = client
        known = "".join(f"{int(part):02X}" for part in reversed(host.split("."))) + f":{port:04X}"
        for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines():
            fields = line.split()
            if fields[1] == known:
                return self._owner(f"socket:[{fields[9]}]")
        return ""

    def _owner(self, socket: str) -> str:
        for number in NUMBERS:
            for pid in processes_in(self._folder / f"db{number}"):
                with suppress(OSError):
                    if any(str(file.readlink()) == socket for file in Path(f"/proc/{pid}/fd").iterdir()):
                        return f"db{number}"
        return ""


if __name__ == "__main__":
    asyncio.run(Relays(Path(sys.argv[1]), Network(sys.argv[2])).obey())
