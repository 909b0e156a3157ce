"""Try mutants in a copy of the project, so that the project itself never changes."""

import contextlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .mutants import ROOT, Mutant
from .nearest import nearest

HANGS = 90
"""Seconds after which a test counts as hanging, which kills a mutant like a failure."""
SHARE_SECONDS = 400
"""Seconds after which a group of tests is ended. This counts as a failure of its first test."""
SHARED = (".venv", "node_modules")


@dataclass(frozen=True)
class Outcome:
    """The result of a mutant."""

    killer: str | None
    """A test that fails with the mutant and passes without it, or None if the mutant survived."""
    seconds: float


class Trial:
    """A copy of the project; see `copied`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._sound = set[str]()
        """Tests that are known to pass without a mutant."""

    def run(self, mutant: Mutant, tests: Iterable[list[str]] | None = None, seconds: float = 240) -> Outcome:
        """Change the copy, run the nearest tests until one fails, and restore the copy.

        Each group of tests starts only within `seconds`. A test that fails without the mutant, too, kills nothing.
        """
        start = time.monotonic()
        for share in nearest(mutant) if tests is None else tests:
            if time.monotonic() - start > seconds:
                break
            with self._broken(mutant):
                killer = self._failing(share)
            if killer is not None and self._is_sound(killer):
                return Outcome(killer, time.monotonic() - start)
        return Outcome(None, time.monotonic() - start)

    @contextlib.contextmanager
    def _broken(self, mutant: Mutant) -> Iterator[None]:
        file = self.folder / mutant.path
        try:
            self._write(file, mutant.code)
            yield
        finally:
            self._write(file, (ROOT / mutant.path).read_text("utf-8"))

    @staticmethod
    def _write(file: Path, code: str) -> None:
        file.write_text(code, "utf-8")
        if file.suffix == ".py":  # Python might use compiled code of the same second and size
            Path(importlib.util.cache_from_source(str(file))).unlink(missing_ok=True)

    def _is_sound(self, test: str) -> bool:
        if test not in self._sound and self._failing([test]) is None:
            self._sound.add(test)
        return test in self._sound

    def _failing(self, tests: list[str]) -> str | None:
        """Run tests and return the name of the first that fails, or None."""
        if tests[0].endswith(".js"):
            command = ["node", "--test", f"--test-timeout={HANGS}000", "--test-reporter=tap", *tests]
        else:
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *tests]
            command += ["-o", f"faulthandler_timeout={HANGS}", "-o", "faulthandler_exit_on_timeout=true"]
        # The skips of this run must not count in the summary of the outer run (`CLOSING`).
        ours = {
            name: value for name, value in os.environ.items() if name != "CLOSING" and not name.startswith("PYTEST_")
        }
        # Use a file, because a server that a test leaves behind would keep a pipe open.
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as printed:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=ours,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                result = process.wait(SHARE_SECONDS)
            except subprocess.TimeoutExpired:
                result = None
            finally:
                with contextlib.suppress(ProcessLookupError):  # running tests, and servers left behind
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            if result in (0, 5):  # 5: pytest has found no test
                return None
            printed.seek(0)
            return _first_failure(printed.read()) or tests[0]


def _first_failure(printed: str) -> str | None:
    """Find the first failed test in the output of pytest or Node."""
    found = re.search(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", printed, re.MULTILINE) or re.search(
        r"^not ok (?:.*\n)*?\s+location: '.*?(tests/js/[\w./]+)", printed, re.MULTILINE
    )
    return found and found[1]


@contextlib.contextmanager
def copied() -> Iterator[Trial]:
    """Copy all files known to git into a temporary folder, which shares the installed packages."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    with tempfile.TemporaryDirectory(prefix="pecking-order-mutants-") as name:
        folder = Path(name)
        for path in filter(None, listed.stdout.decode().split("\0")):
            if (ROOT / path).is_file() and path not in SHARED:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / path, folder / path)
        for shared in SHARED:
            if (ROOT / shared).exists():
                (folder / shared).symlink_to((ROOT / shared).resolve())
        yield Trial(folder)
