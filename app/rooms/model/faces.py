"""The faces of a room's players. The room gives each player a face, a bird in a colour, and every page shows it.

No two players who are here have the same face while there are free ones. A player's face changes only if the player
changes their profile. A saved bird and colour are used if free; otherwise the player gets the nearest free face.
Faces are kept by person id, or by the name of a bot. Faces of players who have left are kept until somebody here gets
them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.people.avatars import BIRDS, COLOURS, PlayerFace

PROPOSED_FACES = 6
"""Limit for the number of free faces that a visitor can choose from: they fit one line of a phone."""

ALL_FACES = tuple(PlayerFace(bird, colour) for bird in BIRDS for colour in COLOURS)

_Wish: TypeAlias = tuple[str | None, str | None]
_NO_WISH: _Wish = (None, None)


def assign_faces(before: Room, room: Room) -> Mapping[str, PlayerFace]:
    """Return the room's faces by player key, after an event that changed the members of the room `before`.

    New members get a face, and so do members whose profile has changed. All others keep theirs.
    """
    faces = dict(room.faces)
    earlier = {_key(before, name): before.members.get(name) for name in _names_here(before)}
    here = {_key(room, name): room.members.get(name) for name in _names_here(room)}
    for key, member in here.items():
        if member is None:
            continue  # a former player of the match, who keeps their face
        face, was = faces.get(key), earlier.get(key) or before.members.get(member.name)
        wish = (member.bird, member.colour)
        is_wish_new = wish not in (_NO_WISH, _saved_pair(was))
        if face is not None and key in earlier and not is_wish_new:
            continue
        others = [faces[other] for other in here if other != key and other in faces]
        if face is not None and not is_wish_new and face not in others:
            continue  # a returning player
        wish = _complete(wish, face)
        gone = {other: each for other, each in faces.items() if other not in here}
        faces[key] = given = _choose(wish, others, gone.values())
        for other, each in gone.items():
            if each == given:
                del faces[other]
    return faces


def first_faces(room: Room) -> Mapping[str, PlayerFace]:
    """Return faces by player key for a room without any, as old snapshots have it.

    Members get theirs first, then the former players of the match.
    """
    former = (person or name for name, person in room.names.items() if name not in room.members)
    return with_missing_faces(former, assign_faces(Room(), room))


def with_face_under_key(room: Room, name: str, key: str) -> Mapping[str, PlayerFace]:
    """Return the room's faces with this member's face also stored for another person id, who gets the seat.

    Of earlier owners of the seat, only the latest keeps the face.
    """
    face = _find_face(room, name)
    if face is None:
        return room.faces
    here = {_key(room, other) for other in _names_here(room)}
    return {**{other: each for other, each in room.faces.items() if each != face or other in here}, key: face}


def without_person(room: Room, person: str) -> Mapping[str, PlayerFace]:
    """Return the room's faces without that of a deleted person.

    The name of their seat keeps the face in a match.
    """
    faces = {key: face for key, face in room.faces.items() if key != person}
    if person in room.faces:
        names = [name for name, other in room.names.items() if other == person]
        faces.update(dict.fromkeys(names, room.faces[person]))
    return faces


def faces_by_name(room: Room) -> dict[str, PlayerFace]:
    """Return the face of each member and each player of the match, by name."""
    return {name: face for name in _names_here(room) if (face := _find_face(room, name)) is not None}


def hues_by_name(faces: Mapping[str, PlayerFace]) -> dict[str, int]:
    """Return the colour numbers of these faces by name, in the order of `avatars.COLOURS`."""
    return {name: face.hue for name, face in faces.items()}


def birds_by_name(faces: Mapping[str, PlayerFace]) -> dict[str, str]:
    """Return the birds of these faces by name."""
    return {name: face.bird for name, face in faces.items()}


def face_of_player(room: Room, person: str | None, name: str) -> PlayerFace | None:
    """Return the face of a present or former player of the room, for its history; None if it is not remembered.

    `person`: the player's id, None for a bot.
    """
    face = room.faces.get(person or name)
    return _find_face(room, name) if face is None and name in room.names else face


def with_missing_faces(players: Iterable[str], known: Mapping[str, PlayerFace]) -> dict[str, PlayerFace]:
    """Return the faces of these players: the known ones, and different ones in order for all others.

    For history, where the room is unknown or has forgotten a player.

    >>> with_missing_faces(["Ana", "Bob"], {"Bob": PlayerFace("sparrow", "straw")})["Ana"]
    PlayerFace(bird='robin', colour='sage')
    """
    found = dict(known)
    for player in players:
        if player not in found:
            found[player] = _choose(_NO_WISH, list(found.values()), ())
    return found


def saved_face(bird: str | None, colour: str | None) -> PlayerFace:
    """Return the face of a person outside any room: the saved bird and colour, or the first ones of the lists."""
    return _choose((bird, colour), (), ())


def free_faces(room: Room, person: str) -> Sequence[PlayerFace]:
    """Return free faces that a visitor with this person id can choose from, the one that the room would give first.

    This is the face of their earlier visit, if it is free. Birds and colours differ while this is possible.
    """
    here = dict.fromkeys(_key(room, name) for name in _names_here(room))
    taken = tuple(room.faces[key] for key in here if key in room.faces)
    proposed = _propose(taken, tuple(face for key, face in room.faces.items() if key not in here))
    earlier = room.faces.get(person)
    if earlier is None or earlier in taken:
        return proposed
    return (earlier, *(face for face in proposed if face != earlier))[:PROPOSED_FACES]


@lru_cache(maxsize=256)
def _propose(taken: tuple[PlayerFace, ...], gone: tuple[PlayerFace, ...]) -> tuple[PlayerFace, ...]:
    """Return faces for newcomers who would come in after each other. Cached, as each visitor's view asks for them."""
    proposed: list[PlayerFace] = []
    while len(proposed) < PROPOSED_FACES:
        used = (*taken, *proposed)
        left = {bird for bird in BIRDS if bird not in {face.bird for face in proposed}}
        face = min((face for face in ALL_FACES if face.bird in left), key=_cost_of(_NO_WISH, used, gone))
        if face in used:
            break
        proposed.append(face)
    return tuple(proposed)


def _choose(wish: _Wish, taken: Sequence[PlayerFace], gone: Iterable[PlayerFace]) -> PlayerFace:
    """Return the best face for a player with this wish.

    Faces that are `taken` are used only if none is free, and those of players who are `gone` rather not.
    """
    return min(ALL_FACES, key=_cost_of(wish, taken, tuple(gone)))


def _cost_of(
    wish: _Wish, taken: Sequence[PlayerFace], gone: Sequence[PlayerFace]
) -> Callable[[PlayerFace], tuple[int, ...]]:
    """Return a function that rates a face for a player: the best has the lowest tuple.

    Free faces come before taken ones. Then the nearest to the wish comes first: the same bird in another colour is
    nearer than another bird in the same colour. Then faces whose bird and colour few players here have.
    """
    bird, colour = wish
    times, ages = Counter(taken), {face: age for age, face in enumerate(gone, 1)}
    birds, colours = Counter(face.bird for face in taken), Counter(face.colour for face in taken)
    old_birds, old_colours = Counter(face.bird for face in gone), Counter(face.colour for face in gone)

    def cost(face: PlayerFace) -> tuple[int, ...]:
        distance = 2 * (bird not in (None, face.bird)) + (colour not in (None, face.colour))
        return (
            times[face],
            distance,
            # A player who is gone keeps their face if another one is as near; but the exact wish is granted.
            face in ages,
            birds[face.bird] + colours[face.colour],
            old_birds[face.bird] + old_colours[face.colour],
            ages.get(face, 0),
        )

    return cost


def _complete(wish: _Wish, face: PlayerFace | None) -> _Wish:
    """Return the wish of a member who has or had this face. A bird or colour that is not saved stays the same."""
    return wish if face is None else (wish[0] or face.bird, wish[1] or face.colour)


def _saved_pair(member: Member | None) -> _Wish:
    return _NO_WISH if member is None else (member.bird, member.colour)


def _names_here(room: Room) -> Iterable[str]:
    """Return the names of the room's members and of the match's players, each once."""
    return dict.fromkeys((*room.members, *room.names))


def _find_face(room: Room, name: str) -> PlayerFace | None:
    return room.faces.get(_key(room, name))


def _key(room: Room, name: str) -> str:
    """Return the key under which a player's face is stored: the person's id, or the name of a bot.

    If the person was removed from the seat, the match still knows their id.
    """
    member = room.members.get(name)
    if member is not None and member.person is not None:
        return member.person
    person = room.names.get(name)
    return person if person is not None and person in room.faces else name
