"""`pecking-order replay`: replay record files with the code that runs a room."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from app.engine.games import GAMES
from app.engine.match.record import replay_with_exit_status


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--indent", is_flag=True, help="Print indented JSON.")
def replay(files: tuple[Path, ...], indent: bool) -> None:
    """Replay record FILES (- for standard input) and print one JSON object for each.

    Of a file below tests/records, the `record` in it is replayed.

    The exit status is 0 if every action was legal, 1 if an action was illegal, and 2 if a file can't be used. Several
    files give the highest of theirs.
    """
    worst = 0
    for file in files:
        result, status = _replay_file(file)
        worst = max(worst, status)
        click.echo(json.dumps(result, indent=2 if indent else None, ensure_ascii=False))
    sys.exit(worst)


def _replay_file(file: Path) -> tuple[dict[str, object], int]:
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
        value = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        message = f"{file} is not a readable JSON file: {error}"
        return {"ok": False, "error": {"code": "bad_record", "message": message}}, 2
    return replay_with_exit_status(value["record"] if is_test_record(value) else value, GAMES)


def is_test_record(value: Any) -> bool:
    """Return whether a JSON value is a record of the tests: a record, and the result that it must have."""
    return isinstance(value, dict) and {"record", "expect"} <= value.keys()
