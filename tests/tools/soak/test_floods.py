"""Test that `python -m tools soak --floods` measures waiting times while a server is flooded."""

from click.testing import CliRunner

from tools.__main__ import main


def test_the_flood_soak_measures_how_long_other_clients_wait() -> None:
    result = CliRunner().invoke(main, ["soak", "--floods", "0.02", "--connections", "1"])
    assert result.exit_code == 0, result.output
    assert "nobody floods" in result.output
    assert result.output.count("pongs") == 2
