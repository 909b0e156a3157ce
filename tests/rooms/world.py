"""A room with its log and a clock moved by tests, without sockets and tasks."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from app.bots import BOTS, OUT_OF_TURN_PLAYS
from app.rooms.handlers.dispatch import build_new_room, handle_command
from app.rooms.log import snapshots
from app.rooms.log.deadlines import timer_requests
from app.rooms.log.reducer import apply_stored_event
from app.rooms.model import commands as ask, shuffle_proof
from app.rooms.model.decision import AskBot, AskBotToBreakIn, Decision, ScheduleDeadline
from app.rooms.model.settings import ClockChange, RoomSettings
from app.rooms.model.state import MatchRun, Room, to_milliseconds
from app.rooms.ports.addresses import Address
from app.rooms.ports.facts import Fact
from app.rooms.ports.storage import LoadedLog, NewEvent, StoredEvent
from app.rooms.views import room_view

START = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)


def seed_of(name: str) -> str:
    """Return a seed of 16 bytes for each name."""
    return name.encode().hex().ljust(32, "0")


def answering(room: Room, kind: type[Any], who: str) -> dict[str, Any]:
    """Return the fields by which a command of this person answers what their page shows now."""
    commitment = room.chance.commitment
    run, member = room.run, room.find_member(who)
    if kind is ask.Act:
        running = run is not None and run.match.is_hand_running and member is not None
        return {"request": run.requests.request_number_of(member.name)} if running else {}
    if kind in (ask.Start, ask.DealNext):
        return {"commitment": commitment}
    if kind is ask.Propose:
        return {"commitment": commitment, "request": room.turn}
    if kind is ask.CastVote:
        return {"vote_id": run.motion.id if run is not None and run.motion is not None else ""}
    return {}


def asked(room: Room, kind: type[Any], who: str, cmd: str, /, *values: Any, **fields: Any) -> ask.ClientCommand:
    """Make a command of this person that answers what their page shows now."""
    command: ask.ClientCommand = kind(who, cmd, *values, **answering(room, kind, who) | fields)
    return command


class World:
    """A room. The id of a person is the name they join under, in lower case."""

    def __init__(
        self,
        host: str = "Ana",
        seed: int = 1,
        bots: tuple[str, ...] = (),
        room: str = "the-room",
        code: str | None = None,
        **settings: Any,
    ) -> None:
        self.now = START
        self.rng = random.Random(seed)
        self.entries: list[StoredEvent] = []
        self.facts: list[Fact] = []
        self.snapshot: tuple[int, Mapping[str, Any]] | None = None
        self.ids = 0
        self.guests: dict[int, str] = {}
        made = RoomSettings.parse({"game": "president", "bots_delay": 0, **settings})
        person = ask.Visitor(host.lower(), host)
        code = code or ("CODE42" if room == "the-room" else room)
        address = Address(code, "invitation" if room == "the-room" else f"invitation to {room}")
        outcome = build_new_room(room, address, person, made, bots, self.now, self.rng.randbytes)
        self.room = Room()
        self.commit(outcome)
        self.tell(ask.PersonConnected(person.id))

    # Commands --------------------------------------------------------------------------------------------------

    def tell(self, command: ask.Command) -> Decision:
        """Handle a command and commit the result."""
        outcome = handle_command(self.room, command, self.now, self.rng.randbytes, guests=self.guests)
        self.commit(outcome)
        return outcome

    def ask(self, who: str, kind: type[Any], /, cmd: str | None = None, **fields: Any) -> Decision:
        """Send a command as this person."""
        self.ids += 1
        if "clock" in fields:
            fields["clock"] = ClockChange(**fields["clock"])
        return self.tell(asked(self.shown_to(who.lower()), kind, who.lower(), cmd or f"c{self.ids}", **fields))

    def shown_to(self, person: str) -> Room:
        """Return the room as this person's page shows it."""
        return self.room

    def ok(self, who: str, kind: type[Any], /, **fields: Any) -> Decision:
        """Send a command that must be accepted."""
        outcome = self.ask(who, kind, **fields)
        assert outcome.reply.ok, outcome.reply
        return outcome

    def refused(self, who: str, kind: type[Any], /, **fields: Any) -> str:
        """Send a command that must be refused without a change, and return its code."""
        before = self.room
        outcome = self.ask(who, kind, **fields)
        assert not outcome.reply.ok
        assert outcome.append_request is None
        assert self.room is before
        assert outcome.reply.code
        assert outcome.reply.message
        return outcome.reply.code

    def promise(self, *names: str) -> None:
        """Send the hashes of these people's seeds."""
        for name in names:
            promised = shuffle_proof.seed_hash(seed_of(name))
            self.ok(name, ask.SeedHash, commitment=self.room.chance.commitment, hash=promised)

    def reveal(self, *names: str) -> None:
        """Send these people's seeds."""
        for name in names:
            self.ok(name, ask.Seed, value=seed_of(name))

    def join(self, *names: str) -> "World":
        """Let these people join with an open socket."""
        for name in names:
            self.ok(name, ask.Join, name=name)
        return self

    def wait(self, seconds: float) -> None:
        """Let time pass and fire every timer when it is due."""
        end = self.now + timedelta(seconds=seconds)
        while (first := self.room.clocks.next_deadline) is not None and first <= to_milliseconds(end):
            self.now = max(self.now, START + timedelta(milliseconds=first - to_milliseconds(START)))
            before = self.room
            self.tell(ask.TimerFired(to_milliseconds(self.now)))
            assert self.room is not before, "a timer that is due changes something"
        self.now = end

    def stand_still(self, seconds: float) -> Decision:
        """Let the server stand still for this time, in which no timer fires, and notice it afterwards."""
        self.now += timedelta(seconds=seconds)
        return self.tell(ask.StandstillNoticed(round(1000 * seconds), self.room.seq))

    def commit(self, outcome: Decision) -> None:
        """Append to the log, and check that folding the log gives the same room."""
        record = outcome.append_request
        if record is None:
            assert outcome.room is self.room
            return
        if record.snapshot is not None:
            self.snapshot = (self.room.seq, record.snapshot)
        folded = self.room
        for entry in stored(record.new_events, self.room.seq):
            self.entries.append(entry)
            folded, _ = apply_stored_event(folded, entry)
        assert folded == outcome.room
        self.room = outcome.room
        self.facts += record.facts

    # Playing ---------------------------------------------------------------------------------------------------

    def evening(self, hands: int) -> Self:
        """Let bots play this number of hands, or the whole match, while Ana is a spectator."""
        self.ok("Ana", ask.Watch)
        self.ok("Ana", ask.Start)
        for _ in range(hands):
            self.bots()
            if self.room.phase == "finished":
                break
            self.ok("Ana", ask.DealNext)
        return self

    def bots(self) -> None:
        """Let bots act while they have the turn."""
        let_be: list[AskBotToBreakIn] = []
        for _ in range(2000):
            asked = [
                wish
                for wish in timer_requests(self.room)
                if not isinstance(wish, ScheduleDeadline) and wish not in let_be
            ]
            if not asked:
                return
            wish = asked[-1]
            view = room_view.build_bot_view(self.room, wish.name)
            if isinstance(wish, AskBot):
                action = BOTS[wish.bot](view, self.rng)
            else:
                let_be.append(wish)
                action = OUT_OF_TURN_PLAYS[wish.bot](view, self.rng)
            if action is not None:
                self.tell(ask.BotAct(wish.name, self.room.turn, action))
        raise AssertionError("bots play for ever")

    def choose(self, name: str, kind: str = "easy") -> dict[str, Any]:
        """Return the action of a bot in this seat."""
        return BOTS[kind](room_view.build_bot_view(self.room, name), self.rng)

    def play(self, until: int = 2000) -> None:
        """Let everybody play until the hand is over, or for a number of actions."""
        for _ in range(until):
            self.bots()
            if self.room.phase != "playing" or not self.room.has_connected_person or self.run.must_bots_wait:
                return
            name = self.to_act
            person = self.room.members[name].person
            assert person is not None
            self.ids += 1
            act = asked(self.room, ask.Act, person, f"c{self.ids}", action=self.choose(name))
            answer = self.tell(act).reply
            assert answer.ok, answer

    @property
    def to_act(self) -> str:
        """The first player whose action is awaited."""
        assert self.room.match is not None
        return self.room.match.to_act[0]

    @property
    def run(self) -> MatchRun:
        """The current match."""
        assert self.room.run is not None
        return self.room.run

    # Views -----------------------------------------------------------------------------------------------------

    def person(self, name: str) -> dict[str, Any]:
        """Return the public view of this member."""
        people = room_view.build_room(self.room)["people"]
        return next(each for each in people if each["name"] == name)

    def names(self) -> list[str]:
        return list(self.room.members)

    def restarted(self) -> Room:
        """Open the room from its log, and from its snapshot, as a new process would."""
        whole = snapshots.load_room(LoadedLog(None, tuple(self.entries)))
        assert whole == self.room
        if self.snapshot is None:
            return whole
        seq = self.snapshot[0]
        opened = snapshots.load_room(LoadedLog((seq, through_json(self.snapshot[1])), tuple(self.entries[seq:])))
        assert opened == self.room
        return opened


def opened_by(outcome: Decision, host: str, now: datetime = START) -> World:
    """Return the world of a room that another room created, with the host connected."""
    world = World.__new__(World)
    world.now, world.rng, world.entries, world.facts = now, random.Random(2), [], []
    world.snapshot, world.ids, world.room, world.guests = None, 0, Room(), {}
    world.commit(outcome)
    world.tell(ask.PersonConnected(host))
    return world


def stored(entries: Any, seq: int) -> list[StoredEvent]:
    """Return new entries as a log would load them."""
    made: list[NewEvent] = list(entries)
    return [
        StoredEvent(seq + n, entry.at, entry.kind, through_json(entry.data)) for n, entry in enumerate(made, start=1)
    ]


def through_json(value: Any) -> Any:
    import json

    return json.loads(json.dumps(value))


def four(**settings: Any) -> World:
    """Ana (host), Bob, Cat and Dan in the waiting room."""
    return World(**settings).join("Bob", "Cat", "Dan")


def playing(**settings: Any) -> World:
    """The same four players in a hand."""
    world = four(**settings)
    world.ok("Ana", ask.Start)
    return world
