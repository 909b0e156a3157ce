"""Test that `python -m tools soak --stranger` measures how fast one address fills the disk."""

from click.testing import CliRunner

from tools.__main__ import main


def test_the_soak_measures_the_growth_of_the_database_by_one_address() -> None:
    few = {"PECKING_ORDER_LIMITS__LOG_BYTES_PER_HOUR": "40000"}
    result = CliRunner().invoke(main, ["soak", "--stranger", "0.3", "--rooms", "2"], env=few)
    assert result.exit_code == 0, result.output
    plays, below, above = (line.split() for line in result.output.splitlines()[1:4])
    assert (plays[0], below[:3], above[0]) == ("plays", ["until", "the", "limit"], "above")
    assert "The worst stranger adds" in result.output
