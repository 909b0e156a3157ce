"""Test that `python -m tools soak --rooms` prints the memory of a server while people come and go."""

from pathlib import Path

from click.testing import CliRunner

from tools.__main__ import main


def test_the_soak_prints_server_memory_while_players_come_and_go(tmp_path: Path) -> None:
    some = ("--rooms", "2", "--minutes", "0.05", "--rate", "60", "--asleep", "0", "--growth", "1000")
    result = CliRunner().invoke(main, ("soak", *some, "--database", f"sqlite:///{tmp_path / 'rooms.sqlite3'}"))
    assert result.exit_code == 0, result.output
    assert " rooms awake, " in result.output
    assert result.output.rstrip().endswith("since 0:00")
