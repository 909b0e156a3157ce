"""Test that pictures of matches leave little memory behind; `python -m tools pictures` draws thousands."""

from random import Random

from click.testing import CliRunner

from app.web.matches import picture
from tools.soak.picture_memory import pictures, random_picture


def test_texts_of_all_lengths_need_few_sizes_of_the_font() -> None:
    """Each size of a font stays in memory."""
    picture._font.cache_clear()
    rng, canvas = Random(1), picture._Canvas(picture.WIDTH, picture.HEIGHT)
    for _ in range(20):
        drawn = random_picture(rng)
        for text in (drawn.heading, drawn.subheading, drawn.caption, *(row.name for row in drawn.rows)):
            for size, width in ((54, 774), (26, 774), (24, 320), (30, 150), (46, 320)):
                canvas.write((0, 0), text, size, "ink", width)
    assert picture._font.cache_info().currsize < 3 * 25, "of the typeface, and of the fonts for other scripts"


def test_the_command_measures_the_growth_of_memory() -> None:
    # The command's own limit is meant for thousands of pictures. Ten only fill the caches.
    assert CliRunner().invoke(pictures, ["--count", "10", "--growth", "1000"]).exit_code == 0
    grown = CliRunner().invoke(pictures, ["--count", "10", "--growth", "-1000"])
    assert grown.exit_code == 1
    assert "10 pictures: " in grown.output
