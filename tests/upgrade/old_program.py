"""Run the program of an earlier version, with the packages that are installed today.

programs/NAME.tar.gz has what its server needs, without trained weights:
git archive --format=tar COMMIT app migrations static templates ':!app/bots/weights' ':!app/arena' | gzip -9n
"""

import json
import os
import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.local_server.free_port import free_port

PROGRAMS = Path(__file__).parent / "programs"

_RUN = """
import json, sys
from click.testing import CliRunner
from app.cli import main
ran = [CliRunner().invoke(main, command) for command in json.loads(sys.argv[1])]
print(json.dumps([(each.exit_code, each.output) for each in ran]))
"""


class OldProgram:
    """The program of one version, unpacked into a folder."""

    def __init__(self, name: str, folder: Path) -> None:
        """Unpack programs/NAME.tar.gz."""
        with tarfile.open(PROGRAMS / f"{name}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        self._folder = folder
        own = {name: value for name, value in os.environ.items() if name != "PECKING_ORDER_ENV_FILE"}
        self._environment = {**own, "PYTHONPATH": str(folder)}

    def run(self, *commands: Sequence[str]) -> list[tuple[int, str]]:
        """Run commands one after the other in a process, and return the exit status and the output of each."""
        command = [sys.executable, "-c", _RUN, json.dumps(commands)]
        done = subprocess.run(
            command, cwd=self._folder, env=self._environment, stdout=subprocess.PIPE, check=True, timeout=60
        )
        return [(status, said) for status, said in json.loads(done.stdout)]

    @contextmanager
    def serving(self, url: str) -> Iterator[str]:
        """Run the server with this database for the length of a block, and give its address."""
        port = free_port()
        command = [sys.executable, "-m", "app", "serve", "--host", "127.0.0.1", "--port", str(port), "--database", url]
        with subprocess.Popen(
            command,
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            try:
                assert process.stdout is not None
                said = []
                for line in process.stdout:
                    said.append(line)
                    if "Ctrl+C stops it" in line:
                        break
                assert process.poll() is None, "".join(said)
                yield f"http://127.0.0.1:{port}"
            finally:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=60)
