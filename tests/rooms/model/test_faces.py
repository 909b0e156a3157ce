"""Test that the room gives each player a face, a bird in a colour, that is unique and lasting."""

from typing import Any

from hypothesis import given, settings, strategies as st

from app.rooms.log import snapshots
from app.rooms.model import commands as ask, faces
from app.rooms.people.avatars import BIRDS, COLOURS, PlayerFace
from app.rooms.ports.storage import LoadedLog
from app.rooms.views import room_view
from tests.rooms.world import World, through_json

SKY_ROBIN = {"bird": "robin", "colour": "sky"}


def shown(world: World) -> dict[str, tuple[str, str]]:
    """Return the bird and colour of everybody, as the view shows them."""
    view = room_view.build_room(world.room)
    assert view["birds"].keys() == view["hues"].keys()
    return {name: (bird, COLOURS[view["hues"][name]]) for name, bird in view["birds"].items()}


def save(world: World, who: str, bird: str | None, colour: str | None) -> None:
    world.ok(who, ask.Introduce, name=None, bird=bird, colour=colour)


def proposed(world: World) -> list[tuple[str, str]]:
    return [(face["bird"], face["colour"]) for face in room_view.build_you(world.room, "visitor")["free_faces"]]


def test_the_first_eight_faces_differ_in_bird_and_colour_and_later_ones_in_one_of_them() -> None:
    world = World()
    for n in range(3):
        world.ok("Ana", ask.AddBot, kind="easy", name=f"Biddy {n}")
    world.join(*(f"P{n}" for n in range(12)))
    given = list(shown(world).values())
    assert {bird for bird, _ in given[:8]} == set(BIRDS)
    assert {colour for _, colour in given[:8]} == set(COLOURS)
    assert len(set(given)) == len(given) == 16


def test_a_saved_face_is_used_if_it_is_free_and_otherwise_the_nearest() -> None:
    world = World().join("Cat")
    for who in ("Bob", "Dan", "Eve"):
        world.ok(who, ask.Join, name=who, **SKY_ROBIN)
    found = shown(world)
    assert found["Bob"] == ("robin", "sky")
    assert found["Dan"][0] == found["Eve"][0] == "robin"
    assert len({found[who] for who in ("Bob", "Dan", "Eve")}) == 3
    assert (world.person("Dan")["bird"], world.person("Dan")["colour"]) == ("robin", "sky"), "saved all the same"
    world.ok("Bob", ask.Leave)
    assert shown(world)["Dan"] == found["Dan"], "a face that becomes free is not handed on"


def test_when_a_bird_is_taken_in_all_colours_another_bird_in_the_saved_colour_is_nearest() -> None:
    world = World()
    for n, colour in enumerate(COLOURS):
        world.ok(f"P{n}", ask.Join, name=f"P{n}", bird="owl", colour=colour)
    world.ok("Bob", ask.Join, name="Bob", bird="owl", colour="sky")
    bird, colour = shown(world)["Bob"]
    assert bird != "owl"
    assert colour == "sky"


def test_a_changed_profile_changes_the_face_and_clearing_it_does_not() -> None:
    world = World().join("Bob", "Cat")
    before = shown(world)
    save(world, "Bob", None, "peach")
    assert shown(world) == {**before, "Bob": (before["Bob"][0], "peach")}, "the bird stays"
    save(world, "Bob", "owl", "peach")
    assert shown(world) == {**before, "Bob": ("owl", "peach")}
    save(world, "Cat", "owl", "peach")
    assert shown(world)["Cat"][0] == "owl"
    assert shown(world)["Cat"] != shown(world)["Bob"]
    save(world, "Bob", None, None)
    assert shown(world)["Bob"] == ("owl", "peach")


def test_a_player_keeps_their_face_after_leaving_rejoining_and_a_match() -> None:
    world = World().join("Bob", "Cat")
    before = shown(world)
    world.ok("Bob", ask.Leave)
    world.join("Dan")
    assert shown(world)["Dan"] not in before.values()
    assert shown(world.join("Bob"))["Bob"] == before["Bob"]
    world.ok("Ana", ask.Start)
    world.play()
    assert {name: shown(world)[name] for name in before} == before


def test_a_bot_added_again_has_the_same_face() -> None:
    world = World().join("Bob")
    world.ok("Ana", ask.AddBot, kind="easy", name="Biddy")
    before = shown(world)
    assert world.person("Biddy")["bird"] is None
    world.ok("Ana", ask.Remove, name="Biddy")
    world.join("Cat")
    world.ok("Ana", ask.AddBot, kind="easy", name="Biddy")
    assert shown(world)["Biddy"] == before["Biddy"]
    world.ok("Ana", ask.SetBot, name="Biddy", kind="medium")
    assert shown(world)["Biddy"] == before["Biddy"], "whatever its level"


def test_a_player_who_is_gone_gives_their_face_to_a_person_who_has_saved_it() -> None:
    world = World().join("Bob")
    bird, colour = shown(world)["Bob"]
    world.ok("Bob", ask.Leave)
    world.ok("Cat", ask.Join, name="Cat", bird=bird, colour=colour)
    assert shown(world)["Cat"] == (bird, colour)
    assert shown(world.join("Bob"))["Bob"] != (bird, colour)
    assert faces.face_of_player(world.room, "cat", "Cat") == PlayerFace(bird, colour)


def test_a_visitor_is_offered_free_faces_and_gets_the_first_without_choosing() -> None:
    world = World().join("Bob", "Cat", "Dan")
    offered = proposed(world)
    assert len(offered) == len({bird for bird, _ in offered}) == 6
    assert not set(offered) & set(shown(world).values())
    world.join("Eve")
    assert shown(world)["Eve"] == offered[0]
    world.ok("Finn", ask.Join, name="Finn", bird=offered[3][0], colour=offered[3][1])
    assert shown(world)["Finn"] == offered[3]
    assert "free_faces" not in room_view.build_you(world.room, "finn")
    assert "free_faces" not in room_view.build_you(world.room, None)
    assert world.refused("Gus", ask.Join, name="Gus", bird="dodo") == "bad_setting"


def test_a_returning_visitor_is_offered_the_earlier_face_first() -> None:
    world = World().join("Bob", "Cat", "Dan")
    face = shown(world)["Cat"]
    world.ok("Cat", ask.Leave)
    offered = [(each["bird"], each["colour"]) for each in room_view.build_you(world.room, "cat")["free_faces"]]
    assert offered[0] == face
    assert len(set(offered)) == faces.PROPOSED_FACES
    world.join("Cat")
    assert shown(world)["Cat"] == face


def test_a_seat_that_moves_often_leaves_few_faces() -> None:
    room = World().join("Bob", "Cat").room
    before = len(room.faces)
    for number in range(20):
        room = room.replace(faces=faces.with_face_under_key(room, "Bob", f"browser {number}"))
    assert len(room.faces) == before + 1
    assert room.faces["browser 19"] == room.faces["bob"]


def test_the_event_log_and_the_snapshot_restore_the_same_faces() -> None:
    world = World().join("Bob", "Cat")
    world.ok("Ana", ask.Start)
    world.play()
    from_log = snapshots.load_room(LoadedLog(None, tuple(world.entries)))
    kept = snapshots.room_from_json(through_json(snapshots.room_to_json(world.room)), world.room.seq)
    assert from_log.faces == kept.faces == world.room.faces


def test_a_snapshot_from_before_faces_gives_everybody_a_face() -> None:
    world = World().join("Bob", "Cat")
    kept: dict[str, Any] = through_json(snapshots.room_to_json(world.room))
    del kept["faces"]
    assert len(set(snapshots.room_from_json(kept, world.room.seq).faces.values())) == 3


def test_a_snapshot_from_before_faces_gives_former_players_a_face_that_they_keep() -> None:
    world = World().join("Bob", "Cat", "Dan")
    world.ok("Ana", ask.AddBot, kind="easy", name="Biddy")
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Bob", ask.Leave)
    world.ok("Ana", ask.Remove, name="Biddy")
    world.ok("Ana", ask.DealNext)
    world.play()
    kept: dict[str, Any] = through_json(snapshots.room_to_json(world.room))
    del kept["faces"]
    world.room = snapshots.room_from_json(kept, world.room.seq)
    assert not {"Bob", "Biddy"} & set(world.room.members)
    before = shown(world)
    assert len(set(before.values())) == len(before) == 5
    assert snapshots.room_from_json(kept, world.room.seq).faces == world.room.faces
    assert shown(world.join("Bob"))["Bob"] == before["Bob"]


def test_with_more_players_than_faces_the_least_used_ones_are_shared() -> None:
    found = faces.with_missing_faces([f"P{n}" for n in range(70)], {})
    given = [found[f"P{n}"] for n in range(70)]
    assert set(given[:64]) == set(faces.ALL_FACES)
    assert len(set(given[64:])) == 6


PEOPLE = ("Ana", "Bob", "Cat", "Dan", "Eve", "Finn")
LOOKS = ((None, None), ("owl", "sea"), ("owl", None), (None, "sea"), ("robin", "sky"))
steps = st.lists(
    st.tuples(
        st.sampled_from(("join", "leave", "save", "add_bot", "remove_bot", "move", "start", "play", "take_bot_seat")),
        st.sampled_from(PEOPLE),
        st.sampled_from(LOOKS),
    ),
    max_size=30,
)


def take(world: World, do: str, who: str, bird: str | None, colour: str | None) -> None:
    host = world.room.host or "Ana"
    bots = [name for name, member in world.room.members.items() if member.bot] or ["Nobody"]
    match do:
        case "join":
            world.ask(who, ask.Join, name=who, bird=bird, colour=colour)
        case "leave":
            world.ask(who, ask.Leave)
        case "save":
            world.ask(who, ask.Introduce, name=None, bird=bird, colour=colour)
        case "add_bot":
            world.ask(host, ask.AddBot, kind="easy")
        case "remove_bot":
            world.ask(host, ask.RemoveBot, name=bots[0])
        case "take_bot_seat":
            world.ask(who, ask.TakeBotSeat, name=bots[0])
        case "move":  # the host gives the seat of an absent player to another browser
            world.tell(ask.PersonDisconnected(who.lower()))
            world.wait(61)
            world.ask(host, ask.MakeLink, name=who, digest=f"link to {who}")
            world.ask(f"{who}'s phone", ask.TakeSeat, digest=f"link to {who}")
        case "start":
            world.ask(host, ask.Start)
        case _:
            world.play(5)


@settings(max_examples=60, deadline=None)
@given(steps)
def test_in_random_rooms_faces_are_unique_and_change_only_with_the_own_profile(
    script: list[tuple[str, str, tuple[str | None, str | None]]],
) -> None:
    world = World().join("Bob", "Cat")
    for do, who, (bird, colour) in script:
        before = shown(world)
        take(world, do, who, bird, colour)
        now = shown(world)
        assert set(now) == {*world.room.members, *world.room.names}
        assert len(set(now.values())) == len(now)
        changed = {name for name in before if name in now and before[name] != now[name]}
        assert not changed or (do == "save" and changed == {who})
        assert not set(proposed(world)) & set(now.values())
    assert snapshots.load_room(LoadedLog(None, tuple(world.entries))).faces == world.room.faces
