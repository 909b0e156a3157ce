"""`python -m tools soak --floods` measures how long others wait while a server is flooded."""

from click.testing import CliRunner

from tools.__main__ import main


def test_how_long_others_wait_can_be_measured() -> None:
    result = CliRunner().invoke(main, ["soak", "--floods", "0.02", "--connections", "1"])
    assert result.exit_code == 0, result.output
    assert "nobody floods" in result.output
    assert result.output.count("pongs") == 2
