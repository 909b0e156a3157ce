"""Test SVG charts: lines end at their names, and stretching the picture distorts nothing."""

import re
from xml.etree import ElementTree

from app.web.stats import svg_charts
from app.web.stats.svg_charts import Band, GivenAndGained, Mark, Series

RANKS = [Series("a", 0, (1, 1, 3, None)), Series("b", 1, (2, 3, 1, 1)), Series("c<", 2, (3, 2, 2, 2))]


def parts(svg: str, kind: str) -> list[ElementTree.Element]:
    """Return the elements of this class."""
    return [each for each in ElementTree.fromstring(svg) if kind in (each.get("class") or "").split()]


def heights(path: str) -> list[float]:
    """Return the vertical positions of a path's points."""
    numbers = re.findall(r"-?[\d.]+", path.replace("h.01", ""))
    return [float(each) for each in numbers[1::2]]


def test_a_rank_chart_has_one_row_per_player_and_gaps_for_absent_players() -> None:
    chart = svg_charts.ranks_chart(RANKS, [Band(0, 0, 1), Band(1, 2, 3)], [Mark("fall", 2, 3)])
    svg = svg_charts.draw_plot(chart)
    root = ElementTree.fromstring(svg)
    assert root.get("viewBox") == "0 0 40 30"
    assert (root.get("preserveAspectRatio"), root.get("aria-hidden")) == ("none", "true")
    first, second, third = parts(svg, "line")
    assert [each.get("data-who") for each in (first, second, third)] == ["a", "b", "c<"]
    assert heights(first.get("d") or "")[0] == 5
    assert heights(first.get("d") or "")[-1] == 25  # last of three rows
    assert (first.get("d") or "").startswith("M5 5L15 5C20 5")  # a line stays level, then falls in a curve
    assert not (first.get("d") or "").endswith("35 25")  # and ends where the player left
    assert [(each.get("x"), each.get("width")) for each in parts(svg, "band")] == [("0", "20"), ("20", "20")]
    assert [each.get("d") for each in parts(svg, "fall")] == ["M25 25h.01"]
    assert (second.get("d") or "").endswith("35 5H40")  # a player still present has no gap before the name
    # Each hand has a dot, drawn as a stroke of length zero, so that it stays round.
    assert [(each.get("d") or "").count("h.01") for each in parts(svg, "dots")] == [3, 4, 4]


def test_chart_lines_end_at_the_rows_of_their_names() -> None:
    left, *others = RANKS
    svg = svg_charts.draw_line_ends(svg_charts.ranks_chart([*others, left]))
    found = {each.get("data-who"): heights(each.get("d") or "") for each in parts(svg, "line")}
    assert found.keys() == {"b", "c<"}  # a player who left has no line here
    assert [found["b"][0], found["b"][-1], found["c<"][-1]] == [5, 5, 15]
    lines = [Series("a", 0, (0, 9)), Series("b", 1, (0, -9))]
    spread = svg_charts.draw_line_ends(svg_charts.points_chart(lines))
    assert [heights(each.get("d") or "")[-1] for each in parts(spread, "line")] == [5, 15]


def test_a_points_chart_uses_straight_lines_from_zero_in_the_middle() -> None:
    chart = svg_charts.points_chart([Series("a", 0, (2, 4, -4)), Series("b", 1, (-2, -4, 4))])
    svg = svg_charts.draw_plot(chart)
    assert [(each.get("d") or "").count("L") for each in parts(svg, "line")] == [3, 3]
    assert all((each.get("d") or "").startswith("M0 10L5 ") for each in parts(svg, "line")), "each line begins at zero"
    assert [heights(each.get("d") or "")[0] for each in parts(svg, "level")] == [10]
    highest, lowest = chart.y(4), chart.y(-4)
    assert 0 < highest < 10 < lowest < 2 * svg_charts.ROW, "some air is left above and below"
    flat = svg_charts.points_chart([Series("a", 0, (0, 0))])
    assert svg_charts.draw_plot(flat).count("NaN") == 0
    assert 0 < flat.y(0) < svg_charts.ROW


def test_the_comparison_chart_draws_luck_as_a_ring_and_the_result_as_a_dot() -> None:
    svg = svg_charts.draw_comparison([GivenAndGained("a", 0, 40, 60), GivenAndGained("b", 1, 55.5, 20)])
    assert [each.get("d") for each in parts(svg, "made")] == ["M60 5h.01", "M20 15h.01"]
    assert [each.get("d") for each in parts(svg, "given") if "hue" in (each.get("class") or "")] == [
        "M40 5h.01",
        "M55.5 15h.01",
    ]
    assert ElementTree.fromstring(svg).get("viewBox") == "0 0 100 20"


def test_a_chart_without_data_is_valid_svg() -> None:
    assert ElementTree.fromstring(svg_charts.draw_plot(svg_charts.points_chart([]))).tag == "svg"
    assert ElementTree.fromstring(svg_charts.draw_comparison([])).get("viewBox") == "0 0 100 0"
