"""Test that `python -m tools soak --imports` measures the waits of others while strangers import large files."""

from click.testing import CliRunner

from tools.__main__ import main


def test_the_soak_measures_how_long_others_wait_while_large_files_are_imported() -> None:
    few = {"PECKING_ORDER_LIMITS__IMPORT_BYTES": "100000"}
    result = CliRunner().invoke(main, ["soak", "--imports", "0.1"], env=few)
    assert result.exit_code == 0, result.output
    assert "with files of 0.1 MB" in result.output
    assert "large files were read" in result.output
