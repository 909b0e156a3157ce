"""The colours of the players of a room. The room gives each player a colour once, and every page shows that colour.

A colour is a number from 0, in the order of `avatars.COLOURS`. It belongs to the person. A bot has no person: its
colour belongs to its name. What a member has chosen is shown instead, and changes no given colour: when the choice is
deleted with other data of a person, the rest of the room stays as it is.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.people.avatars import COLOURS

HUES_KEPT = 200
"""A room remembers the colours of this number of players, and always those of its members and of its match."""


def complete(room: Room) -> Mapping[str, int]:
    """Return the colours of the room, with one for each member who had none: the colour that is used least."""
    missing = [key for member in room.members.values() if (key := _key(room, member.name, member)) not in room.hues]
    if not missing:
        return room.hues
    hues = dict(room.hues)
    here = Counter(hue for name in _names(room) if (hue := _hue(room, name)) is not None)
    ever = Counter(hues.values())
    for key in missing:
        hue = min(range(len(COLOURS)), key=lambda each: (here[each], ever[each], each))
        hues[key] = hue
        here[hue] += 1
        ever[hue] += 1
    return hues if len(hues) <= HUES_KEPT else _shortened(room, hues)


def moved(room: Room, name: str, key: str) -> Mapping[str, int]:
    """Return the colours of the room with this member's colour also under another key: a person's id, or a name."""
    hue = _hue(room, name)
    return room.hues if hue is None else {**room.hues, key: hue}


def without(room: Room, person: str) -> Mapping[str, int]:
    """Return the colours of the room without this person. In a match, the colour stays with the name of the seat."""
    hues = {key: hue for key, hue in room.hues.items() if key != person}
    if person in room.hues:
        names = [name for name, other in room.names.items() if other == person]
        hues.update(dict.fromkeys(names, room.hues[person]))
    return hues


def shown(room: Room) -> dict[str, int]:
    """Return the colour of each member, and of each player of the match, by name."""
    hues = {name: _hue(room, name) for name in _names(room)}
    chosen = {name: _chosen(room.members.get(name)) for name in hues}
    return {name: hue for name in hues if (hue := hues[name] if chosen[name] is None else chosen[name]) is not None}


def of_player(room: Room, person: str | None, name: str) -> int | None:
    """Return the colour of somebody who played here: a person by id, a bot by its name; None if it is unknown."""
    chosen = _chosen(room.member_of(person))
    if chosen is not None:
        return chosen
    hue = room.hues.get(person or name)
    return _hue(room, name) if hue is None and name in room.names else hue


def _names(room: Room) -> Iterable[str]:
    """List the members and the players of the match, each once."""
    return dict.fromkeys((*room.members, *room.names))


def _chosen(member: Member | None) -> int | None:
    colour = None if member is None else member.colour
    return COLOURS.index(colour) if colour in COLOURS else None


def _hue(room: Room, name: str) -> int | None:
    return room.hues.get(_key(room, name, room.members.get(name)))


def _key(room: Room, name: str, member: Member | None) -> str:
    """Return the key of a player's colour. The host may have removed the person of a seat: the match still knows it."""
    if member is not None and member.person is not None:
        return member.person
    person = room.names.get(name)
    return person if person is not None and person in room.hues else name


def _shortened(room: Room, hues: Mapping[str, int]) -> dict[str, int]:
    """Forget the colours of those who came first and are neither here nor in the match, down to `HUES_KEPT`."""
    now = {_key(room, name, room.members.get(name)) for name in _names(room)}
    gone = [key for key in hues if key not in now][: len(hues) - HUES_KEPT]
    return {key: hue for key, hue in hues.items() if key not in gone}
