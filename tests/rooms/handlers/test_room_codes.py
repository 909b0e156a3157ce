"""Test the ids of rooms and people."""

from app.rooms.handlers.room_codes import new_id


def test_an_id_never_looks_like_an_option_of_a_command() -> None:
    ids = {new_id(lambda count, first=first: bytes([first] * count)) for first in range(256)}
    assert not [each for each in ids if each.startswith("-")]
    assert {len(each) for each in ids} == {16}
