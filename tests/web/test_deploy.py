"""Test the examples in deploy/ with the real programs: pages, cookies and sockets work through each."""

import asyncio
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from socket import AF_INET
from typing import Any

import httpx2
import jsonschema_rs
import pytest
import yaml

from app.rooms.views.delta import VERSION
from app.settings import Settings, known_variable_names
from tests.web.conftest import Live, serving
from tests.web.context.test_watch_parties import Line
from tests.web.matches.test_replay import played
from tests.web.visitors import PATIENCE, Visitor, visiting
from tools.local_server.free_port import free_port

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
TRUSTED = Settings(trusted_proxies="127.0.0.1").trusted_proxies  # type: ignore[arg-type]


def program(name: str) -> str:
    """Return the path of a program, or skip the test if it is missing."""
    found = shutil.which(name, path=PATH)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@dataclass
class Front:
    """A proxy in front of the server, at localhost."""

    folder: Path
    plain: int
    secure: int

    @property
    def base(self) -> str:
        return f"https://localhost:{self.secure}"

    def example(self, name: str, **changed: str) -> Path:
        """Copy a file of deploy/ with these replacements."""
        text = (DEPLOY / name).read_text(encoding="utf-8")
        for old, new in changed.items():
            assert old in text, f"deploy/{name} says nothing of {old}"
            text = text.replace(old, new)
        (self.folder / name).write_text(text)
        return self.folder / name

    def certificate(self) -> tuple[Path, Path]:
        """Make a certificate for localhost and its key."""
        own, key = self.folder / "own.pem", self.folder / "own.key"
        command = [program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        command += ["-nodes", "-keyout", key, "-out", own, "-subj", "/CN=localhost"]
        command += ["-addext", "subjectAltName=DNS:localhost", "-days", "2"]
        subprocess.run(command, check=True, capture_output=True)
        return own, key


@pytest.fixture
def front(tmp_path: Path) -> Front:
    return Front(tmp_path, free_port(), free_port())


def untrusting() -> ssl.SSLContext:
    """Accept any certificate, because this only checks whether a server answers."""
    tls = ssl.create_default_context()
    tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    return tls


@asynccontextmanager
async def running(front: Front, *command: str | Path) -> AsyncIterator[list[bytes]]:
    """Run a proxy, from its first answer to the end of the block. Its standard error is in the list after the block."""
    home = {"HOME": str(front.folder), "XDG_DATA_HOME": str(front.folder / "data")}
    process = await asyncio.create_subprocess_exec(
        *command, cwd=front.folder, env={**os.environ, **home}, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    said = asyncio.create_task(process.stderr.read())
    errors = list[bytes]()
    try:
        async with asyncio.timeout(2 * PATIENCE):
            for port, tls in ((front.plain, None), (front.secure, untrusting())):
                while True:
                    assert process.returncode is None, (await said).decode()
                    with suppress(OSError):
                        # Connect by name: a proxy may listen before it has a certificate for that name.
                        _, writer = await asyncio.open_connection("localhost", port, family=AF_INET, ssl=tls)
                        writer.close()
                        break
                    await asyncio.sleep(0.02)
        yield errors
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        errors.append(await said)


def behind(settings: Settings, front: Front) -> Settings:
    return settings.model_copy(update={"public_url": front.base, "trusted_proxies": TRUSTED})


async def comes_through(front: Front, trust: Path) -> None:
    """Check https, secure cookies, links, sockets in a hand, and event streams through the proxy."""
    tls = ssl.create_default_context(cafile=str(trust))
    async with visiting(front.base, tls) as come:
        ana: Visitor = come()
        opened = await ana.open("Ana", bots=["easy", "easy"])
        assert opened["link"].startswith(f"{front.base}/j/")
        [cookie] = (each for each in ana.http.cookies.jar if each.path == "/")
        assert (cookie.name.startswith("__Host-"), cookie.secure) == (True, True)
        page = await ana.http.get("/")
        assert "strict-transport-security" in page.headers
        desk = await ana.sit(opened["code"])
        await desk.do("start")
        update = await desk.until(lambda update: update["you"].get("legal"))
        await desk.do("act", action=update["you"]["legal"][0])
        await watched_together(ana, come())
        async with httpx2.AsyncClient() as plain:
            moved = await plain.get(f"http://localhost:{front.plain}/new")
        assert moved.status_code in (301, 308)
        assert moved.headers["location"].startswith("https://localhost")
        assert moved.headers["location"].endswith("/new")


async def no_trailer_is_believed(front: Front, trust: Path, live: Live) -> None:
    """Check that trailers can't fake a client's address.

    They must neither open `/metrics` nor allow rooms for another address.
    """
    tls = ssl.create_default_context(cafile=str(trust))

    async def asked(method: str, path: str, body: bytes, trailer: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("localhost", front.secure, family=AF_INET, ssl=tls)
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost:{front.secure}\r\nContent-Type: application/json\r\n"
        writer.write(head.encode() + b"TE: trailers\r\nTrailer: X-Forwarded-For\r\n")
        writer.write(b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n" % (len(body), body))
        writer.write(trailer + b"\r\n")
        try:
            async with asyncio.timeout(PATIENCE):
                return (await reader.readline()).split()[1]
        finally:
            writer.close()

    # The visitor's address is local and may read /metrics. A public address may not.
    assert await asked("GET", "/metrics", b"x", b"") == b"200"
    assert await asked("GET", "/metrics", b"x", b"X-Forwarded-For: 8.8.8.8\r\n") in (b"200", b"400", b"502")
    openings, rooms = live.app.site.room_opening_limiter, len(live.app.site.registry.loaded_rooms())
    while not openings.seconds_until_allowed("127.0.0.1"):
        pass
    room = b'{"name":"Ana"}'
    assert await asked("POST", "/api/rooms", room, b"") == b"429"
    for trailer in (b"X-Forwarded-For: 7.8.10.1\r\n", b"X-Odd: 1\r\nX-Forwarded-For: 7.8.10.2\r\n"):
        assert await asked("POST", "/api/rooms", room, trailer) in (b"429", b"400", b"502")
        assert (
            openings.seconds_until_allowed("7.8.10.1", consume=False)
            == openings.seconds_until_allowed("7.8.10.2", consume=False)
            == 0.0
        )
    assert len(live.app.site.registry.loaded_rooms()) == rooms


async def large_bodies_are_answered(front: Front, trust: Path) -> None:
    """Check that a file of 8 MB passes, and that a larger body always gets the server's message."""
    tls = ssl.create_default_context(cafile=str(trust))
    async with httpx2.AsyncClient(verify=tls, timeout=4 * PATIENCE) as http:
        most = Settings().limits.import_bytes
        file = await http.post(f"{front.base}/api/imports", content=b"{}" + b" " * (most - 2))
        assert file.status_code == 422, file.text
        for path, size in (("/api/imports", most + 1), *[("/api/rooms", 200_000)] * 10):
            refused = await http.post(f"{front.base}{path}", content=b" " * size)
            assert (refused.status_code, refused.text[:1]) == (413, "{"), (path, refused.text)
            assert refused.json()["code"] == "too_large"


async def open_secret_links(front: Front, trust: Path, status: int) -> None:
    """Open links that must be in no log, and a page whose `Referer` is one, and expect this status for all."""
    tls = ssl.create_default_context(cafile=str(trust))
    async with httpx2.AsyncClient(verify=tls) as http:
        for link in ("/recover/SECRET", "/device/SECRET", "/r/CODE/seat/SECRET", "/j/SECRET", "/book/SECRET"):
            await http.get(f"http://localhost:{front.plain}{link}")
            await http.get(front.base + link)
        answer = await http.get(f"{front.base}/healthz", headers={"Referer": f"{front.base}/j/SECRET"})
        assert answer.status_code == status


async def watched_together(ana: Visitor, bob: Visitor) -> None:
    """Check that the proxy passes events at once instead of buffering them."""
    match = await played(ana, hands=1, game="chase_the_ace")
    path, place = f"/api/matches/{match}/together", {"hand": 0, "move": 1}
    token = (await ana.http.post(path, json=place)).json()["token"]
    async with bob.http.stream("GET", f"{path}/{token}") as answer:
        line = Line(answer)
        await line.until(leader="Ana", move=1)
        await ana.http.put(f"{path}/{token}", json={**place, "move": 2})
        await line.until(move=2)


async def test_the_caddy_example_passes_requests_and_logs_no_secrets(
    front: Front, settings: Settings, lines: object
) -> None:
    caddy = program("caddy")
    async with serving(behind(settings, front)) as live:
        # For localhost Caddy makes its own certificate, which the system need not trust.
        file = front.example(
            "Caddyfile",
            **{
                "cards.example.org {": f"localhost:{front.secure} {{",
                "127.0.0.1:8000": live.base[7:],
                "\n{\n": f"\n{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {front.plain}\n",
            },
        )
        command: list[str | Path] = [caddy, "run", "--config", file, "--adapter", "caddyfile"]
        trust = front.folder / "data/caddy/pki/authorities/local/root.crt"
        async with running(front, *command):
            await comes_through(front, trust)
            await large_bodies_are_answered(front, trust)
            await no_trailer_is_believed(front, trust, live)
    assert_nothing_to_warn_of(lines)
    async with running(front, *command) as errors:
        await open_secret_links(front, trust, 502)
    assert (b"connection refused" in errors[0], b"SECRET" in errors[0]) == (True, False)


async def test_the_nginx_example_passes_requests_and_logs_no_secrets(
    front: Front, settings: Settings, lines: object
) -> None:
    nginx = program("nginx")
    own, key = front.certificate()
    async with serving(behind(settings, front)) as live:
        front.example(
            "nginx.conf",
            **{
                "server 127.0.0.1:8000": f"server {live.base[7:]}",
                "listen 80": f"listen 127.0.0.1:{front.plain}",
                "listen 443": f"listen 127.0.0.1:{front.secure}",
                "server_name cards.example.org": "server_name localhost",
                "https://cards.example.org$": f"https://localhost:{front.secure}$",
                "/etc/letsencrypt/live/cards.example.org/fullchain.pem": str(own),
                "/etc/letsencrypt/live/cards.example.org/privkey.pem": str(key),
                "/var/log/nginx/": f"{front.folder}/",
            },
        )
        paths = "".join(f"{kind}_temp_path {front.folder};" for kind in ("client_body", "proxy", "fastcgi"))
        paths += "".join(f"{kind}_temp_path {front.folder};" for kind in ("uwsgi", "scgi"))
        user = "user root;" if os.geteuid() == 0 else ""
        whole = front.folder / "whole.conf"
        whole.write_text(
            f"{user} daemon off; pid {front.folder}/pid; error_log stderr; events {{}}\n"
            f"http {{ access_log {front.folder}/access.log; {paths} include {front.folder}/nginx.conf; }}\n"
        )
        command: list[str | Path] = [nginx, "-p", front.folder, "-e", "stderr", "-c", whole]
        async with running(front, *command):
            await comes_through(front, own)
            await large_bodies_are_answered(front, own)
            await no_trailer_is_believed(front, own, live)
            await open_secret_links(front, own, 200)
    assert_nothing_to_warn_of(lines)
    async with running(front, *command) as errors:
        await open_secret_links(front, own, 502)
    logs = [(front.folder / name).read_text() for name in ("access.log", "error.log")]
    logged = "".join([*logs, errors[0].decode()])
    assert ("GET /metrics" in logged, "SECRET" in logged, "/j/" in logged) == (True, False, False)


def haproxy_before(front: Front, *nodes: str, **changed: str) -> tuple[list[str | Path], Path]:
    """Return the command that runs HAProxy before these nodes (host and port, at most four), and its certificate."""
    own, key = front.certificate()
    both = front.folder / "both.pem"
    both.write_text(own.read_text() + key.read_text())
    missing = range(len(nodes) + 1, 5)
    file = front.example(
        "haproxy.cfg",
        **{f"    server n{number} 127.0.0.1:800{number}\n": "" for number in missing},
        **{f"    server m{number} 127.0.0.1:800{number} backup no-check\n": "" for number in missing},
        **{f"127.0.0.1:800{number}": node for number, node in enumerate(nodes, 1)},
        **{
            "bind :80": f"bind 127.0.0.1:{front.plain}",
            "bind :443": f"bind 127.0.0.1:{front.secure}",
            "prefix https://cards.example.org": f"prefix https://localhost:{front.secure}",
            "/etc/haproxy/cards.example.org.pem": str(both),
            **changed,
        },
    )
    return [program("haproxy"), "-db", "-f", file], own


async def test_the_haproxy_example_passes_large_bodies_and_no_trailers(front: Front, settings: Settings) -> None:
    program("haproxy")
    async with serving(behind(settings, front)) as live:
        command, own = haproxy_before(front, *[live.base[7:]] * 4)
        async with running(front, *command):
            await large_bodies_are_answered(front, own)
            await no_trailer_is_believed(front, own, live)


@pytest.mark.postgres
async def test_the_haproxy_example_routes_all_people_of_a_room_to_one_node(
    front: Front, settings: Settings, postgres_url: str, lines: object
) -> None:
    program("haproxy")
    nodes = behind(settings.model_copy(update={"database_url": postgres_url}), front)
    async with AsyncExitStack() as stack:
        lives = [await stack.enter_async_context(serving(nodes)) for _ in range(4)]
        # On a busy machine a node may be late twice, which must not count as a failure here.
        patient = {"check inter 1s fall 2": "check inter 1s fall 1000"}
        command, own = haproxy_before(front, *(live.base[7:] for live in lives), **patient)
        async with running(front, *command):
            await comes_through(front, own)
            tls = ssl.create_default_context(cafile=str(own))
            async with visiting(front.base, tls) as come:
                ana, bob, cat = come(), come(), come()
                for _ in range(4):
                    opened = await ana.open("Ana")
                    room, code = opened["room"], opened["code"]
                    asks = f"?room={room}&protocol={VERSION}"
                    hers, his = await ana.sit(code, asks=asks), await bob.sit(code, "Bob", asks=asks)
                    # After a change of the code, members and newcomers still share a node.
                    await hers.do("rotate_code")
                    code = (await his.until(lambda update, old=code: update["room"]["code"] != old))["room"]["code"]
                    assert (await cat.http.get(f"/j/{his.update['room']['invite']}")).status_code == 200
                    await cat.enter(code)
                    theirs = await cat.sit(code, "Cat", asks=asks)
                    at = [live.app.site.registry.loaded_rooms() for live in lives]
                    here = [sum(runner.connection_count for runner in rooms if runner.id == room) for rooms in at]
                    assert sorted(here) == [0, 0, 0, 3], here
                    for desk in (hers, his, theirs):
                        await desk.close()
    assert_nothing_to_warn_of(lines)


def assert_nothing_to_warn_of(lines: object) -> None:
    said = lines.getvalue()  # type: ignore[attr-defined]
    assert "PECKING_ORDER_" not in said


def schema(name: str) -> Any:
    return json.loads((ROOT / "tests" / "schemas" / name).read_text(encoding="utf-8"))


def test_the_compose_example_is_valid_and_matches_the_haproxy_ports() -> None:
    valid = jsonschema_rs.validator_for(schema("compose.json"))
    file = yaml.safe_load((DEPLOY / "compose.nodes.yml").read_text(encoding="utf-8"))
    assert [error.message for error in valid.iter_errors(file)] == []
    ports = {node["environment"]["PECKING_ORDER_PORT"] for name, node in file["services"].items() if "node" in name}
    # HAProxy names each port twice: as a ready server, and as a fallback.
    proxy = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
    named = re.findall(r"^    server \S+ 127.0.0.1:(\d+)", proxy, re.MULTILINE)
    assert sorted(named) == sorted(str(port) for port in ports for _ in range(2))
    file["services"]["node1"]["ports_"] = []
    assert list(valid.iter_errors(file))


def test_the_kubernetes_example_is_valid_and_its_haproxy_config_is_accepted(tmp_path: Path) -> None:
    known = schema("kubernetes.json")

    def wrong(what: dict[str, Any]) -> list[str]:
        of = {"$ref": f"#/definitions/{known['kinds'][what['kind']]}", "definitions": known["definitions"]}
        return [error.message for error in jsonschema_rs.validator_for(of).iter_errors(what)]

    things = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")))
    assert [wrong(thing) for thing in things] == [[]] * len(things)
    [nodes] = (thing for thing in things if thing["kind"] == "StatefulSet")
    [of_nodes] = nodes["spec"]["template"]["spec"]["containers"]
    assert {each["name"] for each in of_nodes["env"]} <= known_variable_names()
    # An upgrade may last for hours: only the answer of the process counts, and readiness ends nothing.
    probes = {name: of_nodes[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "liveness", "readiness")}
    assert probes == {"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}
    of_nodes["readinessprobe"] = {}
    assert wrong(nodes)
    # The proxy in Kubernetes has the same rules.
    [given] = (thing["data"]["haproxy.cfg"] for thing in things if thing["kind"] == "ConfigMap")
    assert rules(given) == rules((DEPLOY / "haproxy.cfg").read_text(encoding="utf-8"))
    file = tmp_path / "haproxy.cfg"
    file.write_text(given)
    done = subprocess.run([program("haproxy"), "-c", "-f", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def rules(text: str) -> list[str]:
    """Return the rules by which HAProxy chooses a node, without names and addresses of nodes."""
    lines = [line.strip() for line in text.partition("backend nodes")[2].splitlines()]
    return [line for line in lines if line and not line.startswith(("#", "server", "default-server"))]


def test_the_systemd_units_are_valid_and_start_existing_commands(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    units = []
    for unit in sorted(DEPLOY.glob("*.service")) + sorted(DEPLOY.glob("*.timer")):
        text = unit.read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith("ExecStart="):
                # The program must exist for the check.
                text = text.replace(line.partition("=")[2].split()[0], sys.executable)
        units.append(tmp_path / unit.name)
        units[-1].write_text(text)
    assert len(units) == 5
    done = subprocess.run(
        [analyze, "verify", "--man=no", *units], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, [line for line in done.stderr.splitlines() if str(tmp_path) in line]) == (0, [])
    # Each unit that reads the database is hardened: 10 is the worst exposure.
    for unit in units:
        if unit.suffix == ".service" and "failed" not in unit.name:
            rated = subprocess.run(
                [analyze, "security", "--offline=true", "--threshold=20", unit],
                capture_output=True,
                text=True,
                check=False,
            )
            assert rated.returncode == 0, rated.stdout.splitlines()[-1]
    # The program understands the command line of the unit.
    for unit in ("pecking-order.service", "pecking-order@.service"):
        [start] = [line for line in (DEPLOY / unit).read_text().splitlines() if "ExecStart" in line]
        asked = [sys.executable, "-m", "app", *start.replace("%i", "8001").split()[1:], "--help"]
        subprocess.run(asked, cwd=ROOT, check=True, capture_output=True)


def test_the_backup_script_makes_a_restorable_backup_and_deletes_only_old_backups(tmp_path: Path) -> None:
    folder, programs, url = tmp_path / "backups", tmp_path / "bin", f"sqlite:///{tmp_path}/rooms.sqlite3"
    folder.mkdir()
    programs.mkdir()
    ours = programs / "pecking-order"
    ours.write_text(f'#!/bin/sh\nexec {sys.executable} -m app "$@"\n')
    ours.chmod(0o755)
    old, young = folder / "pecking-order-2026-01-01-043000.jsonl.gz", folder / "another.txt"
    for file in (old, young):
        file.write_text("")
        os.utime(file, (0, 0))
    environment = {"PATH": f"{programs}:{PATH}", "PYTHONPATH": str(ROOT), "DATABASE_URL": url}
    script = ["sh", str(DEPLOY / "backup.sh"), str(folder)]
    failed = subprocess.run(script, env=environment, capture_output=True, text=True, check=False)
    assert failed.returncode != 0  # the database is missing
    assert old.exists()
    subprocess.run([str(ours), "migrate"], env=environment, check=True, capture_output=True)
    subprocess.run(script, env=environment, check=True, capture_output=True)
    [made] = folder.glob("*.gz")
    assert made != old
    assert young.exists()
    restored = {**environment, "DATABASE_URL": f"sqlite:///{tmp_path}/again.sqlite3"}
    subprocess.run([str(ours), "restore", str(made)], env=restored, check=True, capture_output=True)


def test_promtool_accepts_the_alert_rules() -> None:
    command = [program("promtool"), "check", "rules", DEPLOY / "alerts.yml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "8 rules found" in done.stdout) == (0, True), done.stderr
