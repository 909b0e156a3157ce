"""Test that the tool finds input whose reading time grows faster than its size."""

from tools.inputs.reading_time import RUNS, Cost, Input, all_inputs as ways, measure_input, measure_inputs


def test_quadratic_reading_time_is_told_apart_from_linear() -> None:
    assert not Cost("", "", 4, (0.1, 0.2, 0.4)).grows_too_fast
    assert not Cost("", "", 4, (0.0001, 0.001, 0.01)).grows_too_fast, "too short to be compared"
    assert Cost("", "", 4, (0.1, 0.4, 1.6)).grows_too_fast


def test_each_input_is_read_five_times_at_three_sizes() -> None:
    read = list[str]()
    made = measure_input(Input("odd", 400, read.append), "letters", "ab")
    assert ([len(text) for text in read], made.characters) == ([100] * RUNS + [200] * RUNS + [400] * RUNS, 400)
    patterns = [each.pattern for each in measure_inputs([Input("odd", 4, str)], {"letters": "a"})]
    assert patterns == ["letters", "marks of two classes"]


def test_every_message_is_measured() -> None:
    names = [each.name for each in ways()]
    assert {"name", "unit of a stake", "key of a file, twice", "message act", "message send_chat"} <= {*names}
    assert len(names) == len({*names})
