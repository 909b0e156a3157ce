"""Test random commands: the log folds to the live room, no card is lost, a player can act, and secrets stay hidden."""

import json
from typing import Any, get_args, get_type_hints

import jsonschema_rs
from hypothesis import given, settings, strategies as st

from app.engine.games import GAMES
from app.rooms.bots.delay import bot_delay_seconds
from app.rooms.handlers.dispatch import handle_command
from app.rooms.log.deadlines import timer_requests
from app.rooms.model import commands as ask
from app.rooms.model.decision import AskBot
from app.rooms.model.shuffle_proof import seed_hash
from app.rooms.model.state import to_milliseconds
from app.rooms.model.vote import VoteSubject
from app.rooms.views import room_view
from app.rooms.views.delta import UpdateBuilder
from app.web.protocol import json_schema
from tests.rooms.readers import Reader, whole
from tests.rooms.world import World, seed_of

FRAMES = jsonschema_rs.validator_for({"$ref": "#/$defs/Update", "$defs": json_schema.protocol_schema()["$defs"]})
PEOPLE = ("Ana", "Bob", "Cat", "Dan", "Eve")

steps = st.lists(
    st.tuples(
        st.sampled_from(
            (
                *("play", "play", "play", "play", "play"),
                *("absent", "present", "wait", "woken", "bots", "hand", "make_link", "take_seat"),
                *ask.MESSAGES_BY_TAG,
            )
        ),
        st.sampled_from(PEOPLE),
        st.sampled_from(PEOPLE),
        st.integers(0, 100),
    ),
    max_size=40,
)


def take(world: World, step: tuple[str, str, str, int]) -> None:
    do, who, other, number = step
    room, person = world.room, who.lower()
    match do:
        case "play":
            world.play(number % 7)
        case "hand":
            world.play()
        case "bots":
            world.bots()
        case "join":
            world.ask(who, ask.Join, name=who, program=number % 3 == 0)
        case "add_bot":
            world.ask(who, ask.AddBot, kind=("easy", "random")[number % 2])
        case "make_link":
            if number % 2:
                world.wait(60)
            world.ask(who, ask.MakeLink, name=other, digest=f"link to {other}")
        case "take_seat":
            world.ask((who, f"{who}'s phone")[number % 2], ask.TakeSeat, digest=f"link to {other}")
        case "set_bot":
            bots = [name for name, member in room.members.items() if member.bot] or ["Nobody"]
            world.ask(who, ask.SetBot, name=bots[number % len(bots)], kind=("easy", "medium", "random")[number % 3])
        case "remove_bot" | "take_bot_seat":
            bots = [name for name, member in room.members.items() if member.bot] or ["Nobody"]
            world.ask(who, ask.MESSAGES_BY_TAG[do], name=bots[number % len(bots)])
        case "seed_hash":
            hashed = seed_hash(seed_of(who))
            world.ask(who, ask.SeedHash, commitment=room.chance.commitment, hash=hashed)
        case "seed":
            world.ask(who, ask.Seed, value=seed_of((who, other)[number % 4 == 0]))
        case "absent":
            world.tell(ask.PersonDisconnected(person))
        case "present":
            world.tell(ask.PersonConnected(person))
        case "woken":
            world.tell(ask.RoomLoaded())
            world.room = world.restarted()
        case "wait":
            world.wait(number)
        case "propose":
            world.ask(who, ask.Propose, subject=get_args(VoteSubject)[number % 3])
        case "configure":
            clock: dict[str, Any] = {"turn": (None, 10, 30)[number % 3], "pause": (None, 5)[number % 2], "patience": 5}
            world.ask(
                who, ask.Configure, clock=clock, allow_undo=number % 4 > 0, stand_in=("easy", "medium")[number % 2]
            )
        case "act":
            world.ask(who, ask.Act, action={"do": ("pass", "play", "swap", "cut")[number % 4], "cards": "3c"})
        case _:
            world.ask(who, ask.MESSAGES_BY_TAG[do], **by_type(ask.MESSAGES_BY_TAG[do], other, number))


def by_type(kind: type, name: str, number: int) -> dict[str, Any]:
    """Return arguments for a command by the types of its fields: names and booleans. Others keep their defaults."""
    hints = get_type_hints(kind)
    yes_or_no = {key: number % 2 == 0 for key in kind.__struct_fields__ if hints[key] is bool}
    return {**yes_or_no, "name": name} if "name" in kind.__struct_fields__ else yes_or_no


def check(world: World) -> None:
    room = world.room
    people = [member for member in room.members.values() if member.is_staying_person]
    persons = [member.person for member in room.members.values() if member.person is not None]
    assert len(set(persons)) == len(persons), "nobody has two places"
    assert (room.host is None) == (not people)
    if room.host is not None:
        assert room.members[room.host].is_staying_person
    if room.match is not None and room.in_match:
        assert all(name in room.members for name in room.match.seats)
        assert {name for name, m in room.members.items() if m.role == "seated"} == set(room.match.seats)
    shown = room_view.build_room(room)["seat_plan"]
    for name in shown["bots"]:
        assert room.members[name].bot is not None
    assert len(shown["joining"]) + shown["free"] <= room.settings.player_range[1]
    if room.match is not None and room.match.is_hand_running:
        assert room.match.to_act
        if room.has_connected_person and room.run is not None and room.run.rest is None:
            waited = {name for name in room.match.to_act if room.members[name].active_bot is None}
            assert set(room.clocks.waits) == waited
        if room.has_connected_person and room.run is not None and not room.run.must_bots_wait:
            for name in room.match.to_act:
                member = room.members[name]
                waited_for = member.is_connected_person or name in room.clocks.away
                asked = AskBot(name, member.active_bot or "", bot_delay_seconds(room)) in timer_requests(room)
                assert waited_for or asked, f"nobody plays for {name}"
    if not room.has_connected_person:
        assert timer_requests(room) == ()
    for name in room.members:
        check_helps(world, name)
    if room.evening is not None:
        assert sum(one["points"] for one in room.evening.view["accounts"]) == 0


def check_pictures(updates: UpdateBuilder, readers: list[Reader], world: World) -> None:
    """Check that each reader has the complete view, even after missed updates."""
    updates.update_view(world.room, 0)
    secret = world.room.chance.secret.hex().encode()
    for reader in readers:
        if reader.picture is None or world.rng.random() < 0.5:
            frame = reader.read(updates)
            assert secret not in frame
            assert FRAMES.is_valid(json.loads(frame)), next(FRAMES.iter_errors(json.loads(frame)))
            assert reader.picture == whole(world.room, reader.person)


def check_helps(world: World, name: str) -> None:
    """Check that the shown waiting times agree with the commands that are accepted."""
    member, now = world.room.members[name], to_milliseconds(world.now)
    if member.person is None or member.active_bot is not None:
        return
    as_whom, waits = room_view.build_you(world.room, member.person)["let_bot_play_as"], world.room.clocks.waits
    patience = {} if as_whom is None else room_view.build_room(world.room)["let_bot_play_after"][as_whom]
    may = {other for other, ms in patience.items() if ms == 0 or now >= waits.get(other, now) + ms} - {name}
    for other in world.room.members:
        command = ask.LetBotPlay(member.person, "never asked", other)
        answer = handle_command(world.room, command, world.now, world.rng.randbytes).reply
        lent = world.room.members[other].active_bot is not None
        assert answer.ok == (other in may) or lent, (name, other, answer)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 1000), steps)
def test_a_room_restored_from_its_event_log_is_equal_after_random_commands(
    game: str, seed: int, script: list[tuple[str, str, str, int]]
) -> None:
    world = World(game=game, seed=seed).join("Bob", "Cat", "Dan")
    world.ok("Ana", ask.Start)
    updates, people = UpdateBuilder(), [name.lower() for name in PEOPLE]
    readers = [Reader(person) for person in (None, "Ana's phone", *people, *people)]
    for step in script:
        take(world, step)
        check(world)
        check_pictures(updates, readers, world)
    world.restarted()
    assert room_view.build_room(world.restarted()) == room_view.build_room(world.room)
