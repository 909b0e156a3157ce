"""The instruction count of the load driver lifts time limits of the server by their names."""

from tests.load.same_deals import TIME_LIMITS


def test_the_time_limits_that_the_instruction_count_lifts_exist() -> None:
    assert [name for module, name in TIME_LIMITS if not hasattr(module, name)] == []
