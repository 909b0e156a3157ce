"""Any commands in any order: the log folds to the live room, cards stay, somebody can act, and no secret is seen."""

import json
from typing import Any

import jsonschema_rs
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.games import GAMES
from app.rooms import commands as ask
from app.rooms import pictures
from app.rooms.clocks import wishes
from app.rooms.decide import decide
from app.rooms.outcomes import AskBot
from app.rooms.room import milliseconds
from app.rooms.updates import Update
from app.web import protocol
from tests.rooms.world import World

FRAMES = jsonschema_rs.validator_for({"$ref": "#/$defs/Update", "$defs": protocol.schema()["$defs"]})
PEOPLE = ("Ana", "Bob", "Cat", "Dan", "Eve")

steps = st.lists(
    st.tuples(
        st.sampled_from(
            (
                *("play", "play", "play", "play", "play"),
                *("join", "leave", "watch", "start", "next", "add_bot", "remove", "remove_bot", "hand_over", "rematch"),
                *(
                    "stop",
                    "seed",
                    "absent",
                    "present",
                    "wait",
                    "woken",
                    "configure",
                    "lock",
                    "nonsense",
                    "bots",
                    "hand",
                    "back",
                    *("let_bot_play", "keep_out", "make_link", "take_seat", "take_chair"),
                ),
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
            world.ask(who, ask.AddBot, kind=("greedy", "random")[number % 2])
        case "let_bot_play":
            world.ask(who, ask.LetBotPlay, name=other, seat=number % 2 == 0)
        case "keep_out":
            world.ask(who, ask.Remove, name=other, ban=True)
        case "make_link":
            world.ask(who, ask.MakeLink, name=other, digest=f"link to {other}")
        case "take_seat":
            world.ask((who, f"{who}'s phone")[number % 2], ask.TakeSeat, digest=f"link to {other}")
        case "remove" | "hand_over":
            world.ask(who, ask.WIRE[do], name=other)
        case "remove_bot" | "take_chair":
            bots = [name for name, member in room.members.items() if member.bot] or ["Nobody"]
            world.ask(who, ask.WIRE[do], name=bots[number % len(bots)])
        case "seed":
            world.ask(who, ask.Seed, value=f"{number:x}")
        case "absent":
            world.tell(ask.Absent(person))
        case "present":
            world.tell(ask.Present(person))
        case "woken":
            world.tell(ask.Woken())
            world.room = world.restarted()
        case "wait":
            world.wait(number)
        case "configure":
            clock: dict[str, Any] = {"turn": (None, 10, 30)[number % 3], "pause": (None, 5)[number % 2], "patience": 5}
            world.ask(who, ask.Configure, clock=clock)
        case "lock":
            world.ask(who, ask.Lock, locked=number % 2 == 0)
        case "nonsense":
            world.ask(who, ask.Act, action={"do": ("pass", "play", "swap", "cut")[number % 4], "cards": "3c"})
        case _:
            world.ask(who, ask.WIRE[do])


def check(world: World) -> None:
    room = world.room
    people = [member for member in room.members.values() if member.stays]
    persons = [member.person for member in room.members.values() if member.person is not None]
    assert len(set(persons)) == len(persons), "nobody has two places"
    assert (room.host is None) == (not people)
    if room.host is not None:
        assert room.members[room.host].stays
    if room.match is not None and room.in_match:
        assert all(name in room.members for name in room.match.seats)
        assert {name for name, m in room.members.items() if m.role == "seated"} == set(room.match.seats)
    shown = pictures.room(room)["chairs"]
    for name in shown["bots"]:
        assert room.members[name].bot is not None
    assert len(shown["coming"]) + shown["free"] <= room.settings.players[1]
    if room.match is not None and room.match.running:
        assert room.match.to_act
        if room.anybody_here:
            waited = {name for name in room.match.to_act if room.members[name].player is None}
            assert set(room.clocks.waits) == waited
        if room.anybody_here:
            for name in room.match.to_act:
                member = room.members[name]
                waited_for = member.is_here or name in room.clocks.away
                asked = AskBot(name, member.player or "", room.settings.bots_delay) in wishes(room)
                assert waited_for or asked, f"nobody plays for {name}"
    if not room.anybody_here:
        assert wishes(room) == ()
    for name in room.members:
        check_helps(world, name)
    update = Update(room, 0, 0, ())
    secret = room.chance.secret.hex().encode()
    for person in (None, *(name.lower() for name in PEOPLE)):
        frame = update.frame(person, None)
        assert FRAMES.is_valid(json.loads(frame)), next(FRAMES.iter_errors(json.loads(frame)))
        assert secret not in frame


def check_helps(world: World, name: str) -> None:
    """What somebody is shown that they may do is what they may do, now or from then on."""
    member, now = world.room.members[name], milliseconds(world.now)
    if member.person is None or member.player is not None:
        return
    shown = pictures.you(world.room, member.person)["helps"]
    may = {other for other, at in shown.items() if at <= now}
    for other in world.room.members:
        command = ask.LetBotPlay(member.person, "never asked", other)
        answer = decide(world.room, command, world.now, world.rng.randbytes).answer
        lent = world.room.members[other].player is not None
        assert answer.ok == (other in may) or lent, (name, other, answer)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 1000), steps)
def test_whatever_people_do_the_log_is_the_room(game: str, seed: int, script: list[tuple[str, str, str, int]]) -> None:
    world = World(game=game, seed=seed).join("Bob", "Cat", "Dan")
    world.ok("Ana", ask.Start)
    for step in script:
        take(world, step)
        check(world)
    world.restarted()
    assert pictures.room(world.restarted()) == pictures.room(world.room)
