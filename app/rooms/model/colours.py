"""The colours of a room's players. The room assigns each player a colour once, and every page shows that colour.

A colour is a number from 0, in the order of `avatars.COLOURS`. It is assigned to the person, or to a bot's name. A
colour that a member has chosen is shown instead, but is not stored as the assigned colour. So deleting a person's
data does not change other players' colours.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.people.avatars import COLOURS

HUES_KEPT = 200
"""A room remembers the colours of this number of players, and always those of its members and of its match."""


def assign_missing_colours(room: Room) -> Mapping[str, int]:
    """Return the room's colours (number by player key); each member without one gets the least used colour.

    If there are too many players, the colours of the oldest ones who are gone are dropped.
    """
    missing = [
        key for member in room.members.values() if (key := _colour_key(room, member.name, member)) not in room.hues
    ]
    if not missing:
        return room.hues
    hues = dict(room.hues)
    here = Counter(hue for name in _member_and_player_names(room) if (hue := _assigned_colour(room, name)) is not None)
    ever = Counter(hues.values())
    for key in missing:
        hue = min(range(len(COLOURS)), key=lambda each: (here[each], ever[each], each))
        hues[key] = hue
        here[hue] += 1
        ever[hue] += 1
    return hues if len(hues) <= HUES_KEPT else _drop_oldest_colours(room, hues)


def with_colour_under_key(room: Room, name: str, key: str) -> Mapping[str, int]:
    """Return the room's colours with this member's colour also stored for another person id, who gets the seat."""
    hue = _assigned_colour(room, name)
    return room.hues if hue is None else {**room.hues, key: hue}


def without_person(room: Room, person: str) -> Mapping[str, int]:
    """Return the room's colours without those of a deleted person.

    The name of their seat keeps the colour in a match.
    """
    hues = {key: hue for key, hue in room.hues.items() if key != person}
    if person in room.hues:
        names = [name for name, other in room.names.items() if other == person]
        hues.update(dict.fromkeys(names, room.hues[person]))
    return hues


def colours_by_name(room: Room) -> dict[str, int]:
    """Return the colour number that pages show for each member and each player of the match, by name.

    A colour that a member has chosen replaces the one assigned by the room.
    """
    hues = {name: _assigned_colour(room, name) for name in _member_and_player_names(room)}
    chosen = {name: _chosen_colour(room.members.get(name)) for name in hues}
    return {name: hue for name in hues if (hue := hues[name] if chosen[name] is None else chosen[name]) is not None}


def colour_of_player(room: Room, person: str | None, name: str) -> int | None:
    """Return the colour number of a present or former player of the room, for its history; None without one.

    `person`: the player's id, None for a bot. A colour that a present member has chosen comes first.
    """
    chosen = _chosen_colour(room.find_member(person))
    if chosen is not None:
        return chosen
    hue = room.hues.get(person or name)
    return _assigned_colour(room, name) if hue is None and name in room.names else hue


def _member_and_player_names(room: Room) -> Iterable[str]:
    """Return the names of the room's members and of the match's players, each once."""
    return dict.fromkeys((*room.members, *room.names))


def _chosen_colour(member: Member | None) -> int | None:
    colour = None if member is None else member.colour
    return COLOURS.index(colour) if colour in COLOURS else None


def _assigned_colour(room: Room, name: str) -> int | None:
    return room.hues.get(_colour_key(room, name, room.members.get(name)))


def _colour_key(room: Room, name: str, member: Member | None) -> str:
    """Return the key under which a player's colour is stored: the person's id, or the name of a bot.

    If the person was removed from the seat, the match still knows their id.
    """
    if member is not None and member.person is not None:
        return member.person
    person = room.names.get(name)
    return person if person is not None and person in room.hues else name


def _drop_oldest_colours(room: Room, hues: Mapping[str, int]) -> dict[str, int]:
    """Return the colours without those of the oldest players who are gone, so that at most `HUES_KEPT` remain.

    Members of the room and players of the match keep theirs.
    """
    now = {_colour_key(room, name, room.members.get(name)) for name in _member_and_player_names(room)}
    gone = [key for key in hues if key not in now][: len(hues) - HUES_KEPT]
    return {key: hue for key, hue in hues.items() if key not in gone}
