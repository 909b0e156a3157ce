"""Test that pictures find the birds and colours of pages."""

from app.rooms.people.avatars import BIRDS, COLOURS
from app.web.assets.drawings import bird_shapes, page_colours


def test_every_bird_of_players_has_its_body_and_eye_in_the_colours_of_pages() -> None:
    colours = page_colours()
    for bird in BIRDS:
        shapes = bird_shapes(bird)
        assert len(shapes) >= 3, bird
        assert {shape.colour for shape in shapes} <= {*colours.values()}
        corners = [point for shape in shapes for outline in shape.outlines for point in outline]
        assert all(0 <= x <= 66 and 0 <= y <= 66 for x, y in corners), bird
    assert len({bird_shapes(bird) for bird in BIRDS}) == len(BIRDS)
    assert {shape.colour for shape in bird_shapes("hat")} == {colours["hat"], colours["straw"]}
    assert [shape.is_line for shape in bird_shapes("shell")] == [False, True]
    assert bird_shapes("robin")[0].colour == colours["robin"]
    assert {f"hue-{number}" for number in range(len(COLOURS))} <= colours.keys()
    assert colours["paper"] == "#f3eadb", "the colours are those of light mode"
