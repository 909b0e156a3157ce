"""Test two nodes on one PostgreSQL as a state machine: both have the room that the stored log gives.

To the steps of a room come those of nodes: hints are lost, another node appends first, and a node dies before or after
its last entry is stored. `LONG_RUN=125` makes 250 long runs.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings, strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from app.main import REREAD_SECONDS
from app.rooms.model import commands as ask
from app.rooms.model.shuffle_proof import seed_hash
from app.store.maintenance.migrations import migrate_database
from tests import postgres
from tests.long_run import TIMES
from tests.rooms.live.two_nodes import TwoNodes
from tests.rooms.readers import whole
from tests.rooms.test_random_rooms import take
from tests.rooms.test_room_machine import WHO, RoomMachine
from tests.rooms.world import World, seed_of
from tools.local_server.client_view import without_update_metadata

PLACE = st.sampled_from((0, 1))
KINDS = (ask.Watch, ask.ResumeSeat, ask.Leave, ask.AddBot, ask.DealNext, ask.Start, ask.Resume)
HAPPENING = st.sampled_from((*["play"] * 4, *["time"] * 2, *KINDS))


class TwoNodesMachine(RoomMachine):
    """The people of `RoomMachine`, with pages at two nodes."""

    world: TwoNodes
    url: ClassVar[str]
    """The database."""

    def new_world(self, game: str, seed: int) -> World:
        self.world = TwoNodes(self.url, seed)
        self.world.open(game)
        return self.world

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.world.close()

    def let_happen(self, what: Any, who: str, place: int) -> None:
        """Let something happen at this node: a play, time, or a command of this person."""
        self.world.through = place
        if what == "play":
            self.world.act(place)
        elif what == "time":
            self.world.wait(3)
        else:
            self.world.ask(who, what)
        self.world.through = None

    @rule(who=WHO, place=PLACE)
    def somebody_connects(self, who: str, place: int) -> None:
        self.world.connect(who.lower(), place)

    @rule(place=PLACE)
    def all_people_leave_a_node(self, place: int) -> None:
        for person in tuple(self.world.nodes[place].pages):
            self.world.tell(ask.PersonDisconnected(person))

    @rule(tag=st.sampled_from(sorted(ask.MESSAGES_BY_TAG)), who=WHO, other=WHO, number=st.integers(0, 100))
    def somebody_sends_any_message(self, tag: str, who: str, other: str, number: int) -> None:
        take(self.world, (tag, who, other, number))

    @rule(who=WHO)
    def a_page_promises_or_reveals_its_seed(self, who: str) -> None:
        if self.world.room.is_waiting_for_seeds:
            self.world.ask(who, ask.Seed, value=seed_of(who))
        else:
            commitment = self.world.room.chance.commitment
            self.world.ask(who, ask.SeedHash, commitment=commitment, hash=seed_hash(seed_of(who)))

    # Nodes

    @rule(place=PLACE, is_deaf=st.booleans())
    def a_node_loses_hints_or_hears_them_again(self, place: int, is_deaf: bool) -> None:
        self.world.nodes[place].bus.is_deaf = is_deaf

    @rule(place=PLACE, what=HAPPENING, who=WHO, first=HAPPENING, other=WHO)
    def another_node_appends_first(self, place: int, what: Any, who: str, first: Any, other: str) -> None:
        self.world.nodes[place].log.holds = True
        self.let_happen(what, who, place)
        self.let_happen(first, other, 1 - place)
        self.world.let_go(place)

    @rule(place=PLACE, what=HAPPENING, who=WHO, is_written=st.booleans())
    def the_server_restarts(self, place: int, what: Any, who: str, is_written: bool) -> None:
        self.world.nodes[place].log.holds = True
        self.let_happen(what, who, place)
        self.world.kill(place, is_written=is_written)

    @rule(place=PLACE)
    def a_node_takes_the_other_for_dead(self, place: int) -> None:
        self.world.take_other_for_dead(place)

    @rule(seconds=st.integers(12, 30))
    def lost_hints_are_made_up_for(self, seconds: int) -> None:
        """A node with a page looks at its log again and again."""
        self.world.wait(seconds)
        for node, actor in self.world.loaded():
            missing = self.world.entries[actor.room.seq :] if node.pages else []
            assert not missing or self.world.now - missing[0].at < 2 * timedelta(seconds=REREAD_SECONDS)

    # Invariants

    @precondition(lambda self: self.world.is_served)
    @invariant()
    def nobody_waits_without_an_end(self) -> None:
        RoomMachine.nobody_waits_without_an_end(self)

    @invariant()
    def both_nodes_have_the_room_of_the_log(self) -> None:
        """A node that has missed a hint has an earlier room of the log."""
        for node, actor in self.world.loaded():
            assert actor.room == self.world.rooms[actor.room.seq]
            node.bus.has_missed = node.bus.has_missed and actor.room.seq < self.world.room.seq
            assert node.bus.has_missed or actor.room == self.world.room, "a node has not read what a hint told"

    @invariant()
    def all_pages_show_the_room(self) -> None:
        for node, actor in self.world.loaded():
            for person, page in node.pages.items():
                assert without_guests(page.look()) == without_guests(whole(actor.room, person))


def without_guests(shown: dict[str, Any]) -> dict[str, Any]:
    """Leave out the guests of a view, who are not in the log, and the time when it was sent."""
    you = {key: value for key, value in shown["you"].items() if key != "guests"}
    room = {**shown["room"], "spectators": 0, "joining": 0}
    return {**without_update_metadata(shown), "room": room, "you": you, "server_time": 0}


@pytest.fixture(autouse=True)
def database(postgres_server: postgres.Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("app.store.cluster.pg_bus.SEND_INTERVAL", 0)  # hints take no time
    with postgres.fresh_database(postgres_server, postgres_server.template("migrated", migrate_database)) as url:
        monkeypatch.setattr(TwoNodesMachine, "url", url, raising=False)
        yield


def test_two_nodes_have_the_room_of_their_log() -> None:
    run_state_machine_as_test(
        TwoNodesMachine,
        settings=settings(
            max_examples=2 * TIMES,
            stateful_step_count=20 if TIMES == 1 else 60,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=tuple(HealthCheck),
        ),
    )


def test_a_lost_hint_a_conflict_and_a_death_leave_the_room_of_the_log() -> None:
    """A run in which each step is certain to have its effect."""
    machine = TwoNodesMachine()
    steps: list[Callable[[], None]] = [
        partial(machine.open_a_room, "president", 1),
        partial(machine.a_node_loses_hints_or_hears_them_again, 1, True),
        partial(machine.let_happen, "play", "Ana", 0),
        partial(machine.lost_hints_are_made_up_for, 12),
        partial(machine.another_node_appends_first, 0, "play", "Ana", "play", "Ana"),
        partial(machine.the_server_restarts, 0, "play", "Ana", True),
        partial(machine.the_server_restarts, 1, "play", "Ana", False),
        partial(machine.people_play, 6),
    ]
    try:
        for step in steps:
            step()
            machine.both_nodes_have_the_room_of_the_log()
            machine.all_pages_show_the_room()
    finally:
        machine.teardown()
