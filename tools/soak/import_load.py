"""`python -m tools soak --imports`: measure how long other clients wait while strangers import large files.

The server has its default limits. Four addresses each send two files of 8 MB again and again. Meanwhile one address
opens a page and another imports a small file. All waits are compared with those without large files.
"""

import http.client
import itertools
import json
import multiprocessing
import threading
import time
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from random import Random
from typing import Final

import click

from app.engine.games import GAMES
from app.engine.match.record import ROOM_FORMAT
from app.settings import Limits, load_settings
from tools.local_server.server_process import LocalServer, running_server
from tools.local_server.system_info import cpu_seconds
from tools.property_checks.playout import Playout

STRANGERS: Final = 4
FILES_OF_A_STRANGER: Final = 2
"""Files that each stranger sends at the same time."""
HANDS_OF_A_MATCH: Final = 2
PAGE: Final = "/rules"
PAGE_PAUSE: Final = 0.05
"""Seconds between two requests for the page; the limit of requests allows no more."""
SMALL_PAUSE: Final = 1.0
"""Seconds between two small files; the limit of changes allows no more."""


def run_import_load_test(seconds: float) -> None:
    """Measure the waits for a page and for a small file, for `seconds` without and with large files, and print them."""
    record = _record()
    small = json.dumps(record).encode()
    with running_server(None, limited=True) as server:
        began = time.perf_counter()
        _import_file(server.port, "127.0.0.8", small)
        click.echo(f"first small file, while the workers start: {time.perf_counter() - began:.2f} s")
        click.echo("                       pages   p50     p99     max ms   small files   p50     max s   server busy")
        alone = _measure(server, "without large files", small, seconds)
        large = _room_file(record, load_settings().limits)
        context = multiprocessing.get_context("spawn")
        stop, done = context.Event(), context.Value("i", 0)
        strangers = context.Process(target=flood_with_files, args=(server.port, large, stop, done))
        strangers.start()
        try:
            while not done.value and strangers.is_alive():
                time.sleep(0.05)
            loaded = _measure(server, f"with files of {len(large) / 1e6:.1f} MB", small, seconds)
        finally:
            stop.set()
            strangers.join()
        click.echo(f"{done.value} large files were read. p99 of pages: {loaded / alone:.1f} times that without them.")


def flood_with_files(port: int, file: bytes, stop: Event, done: "Synchronized[int]") -> None:
    """As all strangers, send this file again and again until `stop`; count the answers in `done`.

    This runs in a separate process, so that it does not delay the measurement.
    """

    def flood(address: str) -> None:
        while not stop.is_set():
            _import_file(port, address, file)
            with done.get_lock():
                done.value += 1

    addresses = [f"127.0.0.{10 + n}" for n in range(STRANGERS)] * FILES_OF_A_STRANGER
    threads = [threading.Thread(target=flood, args=(address,)) for address in addresses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _measure(server: LocalServer, what: str, small: bytes, seconds: float) -> float:
    """Print how long pages and small files take for some seconds; return the p99 of pages in seconds."""
    end, busy, files = time.monotonic() + seconds, cpu_seconds(server.pid) or 0, list[float]()

    def import_small_files() -> None:
        while not files or time.monotonic() < end:
            began = time.perf_counter()
            _import_file(server.port, "127.0.0.9", small)
            files.append(time.perf_counter() - began)
            time.sleep(SMALL_PAUSE)

    importing = threading.Thread(target=import_small_files)
    importing.start()
    pages = sorted(_wait_for_pages(server.port, end))
    importing.join()
    busy = ((cpu_seconds(server.pid) or 0) - busy) / seconds
    files.sort()
    p50, p99, most = (pages[int((len(pages) - 1) * part)] for part in (0.5, 0.99, 1))
    click.echo(
        f"{what:22} {len(pages):5} {1000 * p50:5.1f} {1000 * p99:7.1f} {1000 * most:10.1f} {len(files):13} "
        f"{files[len(files) // 2]:5.2f} {files[-1]:9.2f} {busy:13.0%}"
    )
    return p99


def _wait_for_pages(port: int, end: float) -> list[float]:
    """Open the page again and again until `end`; return the seconds until each answer, at least one."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=("127.0.0.7", 0))
    waits = list[float]()
    while not waits or time.monotonic() < end:
        began = time.perf_counter()
        connection.request("GET", PAGE, headers={"Accept": "text/html"})
        answer = connection.getresponse()
        answer.read()
        waits.append(time.perf_counter() - began)
        if answer.status != 200:
            raise click.ClickException(f"{PAGE}: {answer.status}")
        time.sleep(PAGE_PAUSE)
    connection.close()
    return waits


def _import_file(port: int, address: str, file: bytes) -> None:
    """Send a file from this address, and wait for its preview. Raises `ClickException` if it is refused."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600, source_address=(address, 0))
    try:
        connection.request("POST", "/api/imports", file, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise click.ClickException(f"import: {answer.status} {text[:200]!r}")
    finally:
        connection.close()


def _record() -> dict[str, object]:
    """Return the record of a short random match of President."""
    playout = Playout.random_match(GAMES["president"], Random(1))
    for _ in range(HANDS_OF_A_MATCH):
        playout.play_hand(come_and_go=False, check=False)
    return playout.record()


def _room_file(record: dict[str, object], limits: Limits) -> bytes:
    """Return a room's file with as many copies of a match as the limits of bytes and hands allow."""
    size = len(json.dumps({"record": record})) + 2
    count = min((limits.import_bytes - 1000) // size, limits.import_hands // HANDS_OF_A_MATCH)
    matches = list(itertools.repeat({"record": record}, count))
    return json.dumps({"format": ROOM_FORMAT, "matches": matches}).encode()
