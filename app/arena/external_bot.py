"""Use another program as a bot: it reads a line of JSON with its seat's view, and answers with an action."""

import random
import shlex
import subprocess
from contextlib import AbstractContextManager, suppress

from msgspec import DecodeError, json

from app.bots import Action, View


class ExternalBotError(Exception):
    """An external bot program has ended, or its answer is not an action; the text says which."""


class ExternalBot(AbstractContextManager["ExternalBot"]):
    """A running program that plays as a bot in comparisons, by its standard input and output.

    Each turn is asked separately, for the seat in `you.name`. The program is ended at the end of the `with` block.
    """

    def __init__(self, command: str) -> None:
        self._command = command
        self._process = subprocess.Popen(  # noqa: S603 (the operator gives the command)
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def choose(self, view: View, rng: random.Random) -> Action:
        """Send a seat's view to the program as a line of JSON, and return the action that it answers.

        Raises `ExternalBotError` if the program has ended or its answer is not an action. `rng` is not used.
        """
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # it may have ended after a last answer
            process.stdin.write(json.encode(view, enc_hook=str) + b"\n")  # cards are subclasses of str
            process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise ExternalBotError(
                f"{self._command} has ended: it should read a line for each turn, and answer each with a line."
            )
        try:
            return json.decode(line, type=Action)
        except DecodeError:
            said = line.decode(errors="replace").strip()
            raise ExternalBotError(
                f'{self._command} said {said!r}; an action is wanted, such as {{"do": "pass"}}.'
            ) from None

    def __exit__(self, *_: object) -> None:
        """Close its input and output, and end the program."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):  # input that it did not read
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.terminate()
        self._process.wait()
