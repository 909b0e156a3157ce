"""Test a room as a state machine: these rules hold after every step of any sequence of actions.

There is one host. A seat has at most one person. Views contain nothing hidden. Folding the log gives the room. Every
wait ends. If a rule fails, Hypothesis prints the shortest sequence of steps.
"""

import random
from collections.abc import Callable
from typing import Any

from hypothesis import Phase, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.rooms.handlers.dispatch import handle_command
from app.rooms.log.reducer import apply_stored_event
from app.rooms.model import commands as ask
from app.rooms.model.member import Members
from app.rooms.model.state import Room
from app.rooms.views.delta import UpdateBuilder
from tests.rooms.test_random_rooms import PEOPLE, check
from tests.rooms.world import World, asked
from tools.property_checks.information_leaks import cards_known_to, check_guests_stay_private, swap_hidden_cards

WHO = st.sampled_from(PEOPLE)


class RoomMachine(RuleBasedStateMachine):
    """Five people and their room. Eve is a stranger until she joins."""

    world: World
    told: list[GameEvent]
    """Events of the current hand."""
    folded: Room
    """The room folded from its log."""

    @initialize(game=st.sampled_from(sorted(GAMES)), seed=st.integers(0, 1000))
    def open_a_room(self, game: str, seed: int) -> None:
        self.world = self.new_world(game, seed).join("Bob", "Cat", "Dan")
        self.told, self.seen, self.dealt, self.folded = [], 0, 0, Room()
        self.members_seen: Members | None = None
        self.world.ok("Ana", ask.Configure, allow_undo=True, clock={"patience": 5})
        self.world.ok("Ana", ask.Start)

    def new_world(self, game: str, seed: int) -> World:
        """Open the room, with Ana in it."""
        return World(game=game, seed=seed)

    # Joining and leaving

    @rule(who=WHO)
    def somebody_joins(self, who: str) -> None:
        self.world.ask(who, ask.Join, name=who)

    @rule(who=WHO, kind=st.sampled_from((ask.Watch, ask.Leave, ask.ResumeSeat)))
    def somebody_leaves_their_seat_or_comes_back(self, who: str, kind: type[ask.Message]) -> None:
        self.world.ask(who, kind)

    @rule(who=WHO, other=WHO, ban=st.booleans())
    def somebody_removes_somebody(self, who: str, other: str, ban: bool) -> None:
        self.world.ask(who, ask.Remove, name=other, ban=ban)

    @rule(who=WHO, other=WHO)
    def somebody_undoes_a_removal(self, who: str, other: str) -> None:
        self.world.ask(who, ask.Reseat, name=other)

    @rule(who=WHO, other=WHO, taker=WHO)
    def somebody_is_let_into_a_seat(self, who: str, other: str, taker: str) -> None:
        self.world.ask(who, ask.MakeLink, name=other, digest=f"link to {other}")
        self.world.ask(f"{taker}'s phone", ask.TakeSeat, digest=f"link to {other}")

    @rule(who=WHO, other=WHO)
    def somebody_hands_the_room_over(self, who: str, other: str) -> None:
        self.world.ask(who, ask.TransferHost, name=other)

    # Connections

    @rule(who=WHO)
    def somebody_loses_the_connection(self, who: str) -> None:
        self.world.tell(ask.PersonDisconnected(who.lower()))

    @rule(who=WHO)
    def somebody_connects(self, who: str) -> None:
        self.world.tell(ask.PersonConnected(who.lower()))

    @rule()
    def the_server_restarts(self) -> None:
        self.world.tell(ask.RoomLoaded())
        self.world.room = self.world.restarted()

    @rule(seconds=st.integers(0, 120))
    def time_passes(self, seconds: int) -> None:
        self.world.wait(seconds)

    # Playing

    @rule(seconds=st.integers(3, 120))
    def the_server_stands_still(self, seconds: int) -> None:
        self.world.stand_still(seconds)

    @rule(actions=st.integers(1, 6))
    def people_play(self, actions: int) -> None:
        self.world.play(actions)

    @precondition(lambda self: self.world.room.phase == "playing")
    @rule()
    def the_hand_is_played_to_its_end(self) -> None:
        self.world.play()

    @rule(who=WHO, kind=st.sampled_from((ask.Start, ask.DealNext, ask.Rematch, ask.Stop, ask.FinishHand)))
    def somebody_goes_on_with_the_match(self, who: str, kind: type[ask.Message]) -> None:
        self.world.ask(who, kind)

    @rule(who=WHO, subject=st.sampled_from(("pause", "undo", "rematch")))
    def somebody_asks_the_table(self, who: str, subject: str) -> None:
        self.world.ask(who, ask.Propose, subject=subject)

    @rule(who=WHO, yes=st.booleans())
    def somebody_answers(self, who: str, yes: bool) -> None:
        self.world.ask(who, ask.CastVote, yes=yes)

    @rule(who=WHO)
    def somebody_ends_the_pause(self, who: str) -> None:
        self.world.ask(who, ask.Resume)

    # Invariants

    @invariant()
    def there_is_one_host_and_one_person_a_seat(self) -> None:
        check(self.world)

    @invariant()
    def the_log_folded_again_is_the_room(self) -> None:
        self.follow_the_log()
        assert self.folded == self.world.room

    def follow_the_log(self) -> None:
        """Fold the new entries of the log, and collect the events of the current hand."""
        for entry in self.world.entries[self.seen :]:
            self.folded, events = apply_stored_event(self.folded, entry)
            match = self.folded.match
            if match is not None and match.dealt != self.dealt:
                self.told, self.dealt = [], match.dealt
            self.told += events
        self.seen = len(self.world.entries)

    @invariant()
    def nobody_is_shown_more_than_they_may_know(self) -> None:
        self.follow_the_log()
        room, run = self.world.room, self.world.room.run
        if run is None or room.match is None or not room.match.is_hand_running:
            return
        viewer = self.world.rng.choice([None, *room.match.seats])
        mixed = swap_hidden_cards(room.match, cards_known_to(room.match, self.told, viewer), random.Random(1))
        person = None if viewer is None else room.members[viewer].person
        if viewer is None or person is not None:
            other = room.replace(run=run.replace(match=mixed))
            assert shown(room, person) == shown(other, person), f"{viewer} sees hidden cards"

    @precondition(lambda self: self.members_seen is not self.world.room.members)
    @invariant()
    def only_members_see_the_guests(self) -> None:
        room, rng = self.world.room, self.world.rng
        self.members_seen = room.members
        member = rng.choice([member.person for member in room.members.values()] or [None])
        for person in (member, rng.choice(["a guest", None])):
            check_guests_stay_private(room, person, rng)

    @invariant()
    def nobody_waits_without_an_end(self) -> None:
        room = self.world.room
        if not room.has_connected_person or not room.in_match:
            return
        if room.clocks.next_deadline is not None or any(self.would_do_something(person) for person in here(room)):
            return
        self.world.bots()
        assert self.world.room is not room, "no clock runs, no bot acts, and nobody who is here can do anything"

    def would_do_something(self, person: str) -> bool:
        """Return whether this person could continue the game now."""
        room, member = self.world.room, self.world.room.find_member(person)
        assert member is not None
        tries: list[Callable[[], ask.ClientCommand]] = [
            lambda: asked(room, ask.DealNext, person, "try"),
            lambda: ask.Resume(person, "try"),
            lambda: ask.Rematch(person, "try"),
            lambda: ask.Stop(person, "try"),
            *([lambda: ask.ResumeSeat(person, "try")] if member.going is not None else []),
            lambda: asked(room, ask.CastVote, person, "try"),
            *((lambda name=name: ask.LetBotPlay(person, "try", name)) for name in room.members),
        ]
        if room.match is not None and room.match.is_hand_running and member.name in room.match.to_act:
            action: dict[str, Any] = self.world.choose(member.name)
            tries.append(lambda: asked(room, ask.Act, person, "try", action))
        return any(handle_command(room, each(), self.world.now, random.Random(1).randbytes).reply.ok for each in tries)


def here(room: Room) -> list[str]:
    """Return the persons in a room who have a connection."""
    return [
        member.person for member in room.members.values() if member.person is not None and member.is_connected_person
    ]


def shown(room: Room, person: str | None) -> bytes:
    """Return the complete update of a room for this person's page."""
    updates = UpdateBuilder()
    updates.update_view(room, 0)
    return updates.build_update_for(person, 0).text


RoomMachine.TestCase.settings = settings(
    max_examples=30, stateful_step_count=40, deadline=None, phases=(Phase.generate, Phase.shrink)
)
test_a_room = RoomMachine.TestCase
