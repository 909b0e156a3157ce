"""A bot that is another program: a line of JSON with what a seat knows goes in, a line with an action comes out."""

import random
import shlex
import subprocess
from contextlib import AbstractContextManager, suppress

from msgspec import DecodeError, json

from app.bots import Action, View


class Silent(Exception):
    """The program has ended, or what it said is no action."""


class External(AbstractContextManager["External"]):
    """The program, while it runs. It is asked one turn at a time, for whatever seat `you.name` says."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._process = subprocess.Popen(  # noqa: S603 (whoever calls the arena names it)
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def choose(self, view: View, rng: random.Random) -> Action:
        """Ask it. `Silent` says what it should have said."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # it has ended, perhaps with a last word
            process.stdin.write(json.encode(view) + b"\n")
            process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise Silent(
                f"{self._command} has ended: it should read a line for each turn, and answer each with a line."
            )
        try:
            return json.decode(line, type=Action)
        except DecodeError:
            said = line.decode(errors="replace").strip()
            raise Silent(f'{self._command} said {said!r}; an action is wanted, such as {{"do": "pass"}}.') from None

    def __exit__(self, *_: object) -> None:
        """Let it end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):  # what it did not read
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.terminate()
        self._process.wait()
