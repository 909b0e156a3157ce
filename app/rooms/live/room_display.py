"""Shows a room to its connections in this process: views, guests, and bots' reactions."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from app.engine.display.events import GameEvent
from app.rooms.bots import reactions
from app.rooms.live.connections import Connection, ConnectionSet
from app.rooms.live.failures import Attempt
from app.rooms.live.guests import RoomGuests
from app.rooms.live.turn_alerts import TurnAlert, TurnAlerts
from app.rooms.model.member import Members
from app.rooms.model.state import RandomBytes, Room, to_milliseconds
from app.rooms.people.reactions import Reaction
from app.rooms.ports.clock import Clock
from app.rooms.views.delta import ConnectionUpdate, UpdateBuilder
from app.rooms.views.guests import NO_GUESTS


def _do_nothing() -> None:
    """Do nothing: the default for a room's listener for the end of a match."""


def _ignore_reaction(name: str, reaction: Reaction) -> None:
    """Do nothing: the default for a room's listener for bots' reactions."""


class RoomDisplay:
    """The connections of one room in this process, and the view that they get."""

    def __init__(
        self,
        room: Room,
        clock: Clock,
        attempt: Attempt,
        disconnect_grace: float,
        on_person_gone: Callable[[str], None],
        send_alert: Callable[[TurnAlert], None] | None,
        node: str,
        random_bytes: RandomBytes,
        on_guests_changed: Callable[[], None],
    ) -> None:
        """`attempt`: runs each step that may fail alone. The others: see `RoomActor` and `ConnectionSet`.

        `on_guests_changed` is called if the guests at this node have changed.
        """
        self.room = room
        self.connections = ConnectionSet(disconnect_grace, on_person_gone, self._refresh_guests)
        self.guests = RoomGuests(node, random_bytes)
        """The people without a name who watch."""
        self._on_guests_changed = on_guests_changed
        self.turn_alerts = None if send_alert is None else TurnAlerts(send_alert, self._has_visible_page)
        self.on_match_over: Callable[[], None] = _do_nothing
        """Called when a running match is over."""
        self.on_reaction: Callable[[str, Reaction], None] = _ignore_reaction
        """Called with a bot's name and its reaction. Reactions are not in the log."""
        self._clock = clock
        self._attempt = attempt
        self._node = node
        self._update_builder = UpdateBuilder()
        self._viewed_room: Room | None = None
        """The room that the newest view shows; None: the view must be built again."""
        self._shown_guests = NO_GUESTS
        """The guests in the next view."""
        self._counted_members: Members = {}
        """The members of the room when its guests were counted last."""

    def show(self, room: Room, events: Sequence[GameEvent]) -> None:
        """Replace the room's state and run all steps that show the change, such as notifying the clients.

        `events`: the game events that led to it. An error in one step is logged and counted; the other steps still
        run.
        """
        before, self.room = self.room, room
        for name, part in self.update_parts.items():
            self._attempt(name, part, self, before, events)

    def connect(self, person: str, *, is_screen: bool) -> Connection:
        """Open a connection for a socket of this person. `is_screen`: it can't act, and shows no cards of theirs."""
        connection = Connection(
            person, self._newest_update, self._on_disconnect, self._on_page_changed, is_screen=is_screen
        )
        self.connections.add(connection)
        self._on_visibility_changed(connection)
        return connection

    def forget_game_events(self) -> None:
        """Leave out the game events that led to the current state, because they don't fit it any more."""
        self._update_builder.forget_game_events()

    def close(self) -> None:
        """Close all connections, and drop the callback, so that an unloaded room is freed at once."""
        if self.turn_alerts is not None:
            self.turn_alerts.close()
        self.connections.close()
        self._on_guests_changed = _do_nothing

    def on_spectators_changed(self, person: str) -> None:
        """Schedule an update of the guests after a connection of `person` opened or closed.

        Does nothing for members. Guests are not in the log.
        """
        if self.room.find_member(person) is None:
            self.connections.schedule_spectator_update()

    def show_guests(self) -> None:
        """Show the guests to everybody, if they have changed here or at another node."""
        guests = self.guests.view(self._member_persons())
        if guests != self._shown_guests:
            self._shown_guests, self._viewed_room = guests, None
            self.connections.notify_all()

    def _newest_update(self, connection: Connection) -> ConnectionUpdate:
        """Return the update that leads this connection to the newest view.

        Builds the view of the room first, if the room has changed. It is sent whole to a person who may now see the
        table, or no longer.
        """
        if self._viewed_room is not self.room:
            self._build_view()
        sees_table = self.room.may_watch(connection.visitor)
        shown = connection.last_shown if sees_table == connection.sees_table else 0
        update = self._update_builder.build_update_for(connection.person, shown, sees_table=sees_table)
        connection.last_shown, connection.sees_table = self._update_builder.version, sees_table
        return update

    def _build_view(self) -> None:
        """Build a new numbered view of the room's current state, from which connections get their updates."""
        if self.room.members is not self._counted_members:
            self._count_guests()
            self._shown_guests = self.guests.view(self._member_persons())
        self._update_builder.update_view(self.room, to_milliseconds(self._clock.now()), self._shown_guests)
        self._viewed_room = self.room

    def _on_disconnect(self, connection: Connection) -> None:
        self.connections.remove(connection)
        self._on_visibility_changed(connection)
        self.on_spectators_changed(connection.visitor)

    def _on_page_changed(self, connection: Connection) -> None:
        """Handle that a page became visible or hidden, or began or stopped to only watch."""
        self._on_visibility_changed(connection)
        self.on_spectators_changed(connection.visitor)

    def _on_visibility_changed(self, connection: Connection) -> None:
        """Tell the notifications that a page of a person became visible or hidden, or that a connection ended."""
        if self.turn_alerts is not None and connection.person is not None:
            self.turn_alerts.on_visibility_changed(connection.person)

    def _has_visible_page(self, person: str) -> bool:
        """Return whether a person sees the room: with a visible page here, or a connection at another node.

        Then no notification is sent.
        """
        if person in self.connections.persons:
            return self.connections.has_visible_page(person)
        member = self.room.find_member(person)
        return member is not None and any(node != self._node for node in member.nodes)

    def _refresh_guests(self) -> None:
        self._count_guests()
        self.show_guests()

    def _count_guests(self) -> None:
        self._counted_members = self.room.members
        pages = self.connections.pages_of_others(self._member_persons())
        if self.guests.update_here(pages, to_milliseconds(self._clock.now())):
            self._on_guests_changed()

    def _member_persons(self) -> set[str | None]:
        return {member.person for member in self.room.members.values()}

    def _notify_match_over(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Call the `on_match_over` listener if the match was running in the state `before` and is over now."""
        if before.in_match and not self.room.in_match:
            self.on_match_over()

    def _record_game_events(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Add the game events of a change to the next view, so that clients get them."""
        self._update_builder.add_game_events(events)

    def _build_view_if_connected(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Build the view of the new state of the room, if anybody is connected here to see it."""
        if len(self.connections) and self._viewed_room is not self.room:
            self._build_view()

    def _prepare_own_views(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Build the private view of each connected member in advance, before their updates are requested."""
        if len(self.connections) and self._viewed_room is self.room:
            self._update_builder.prepare_own_views(self.connections.persons)

    def _notify_connections(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Tell every connection that the room has a new view to fetch."""
        self.connections.notify_all()

    def _show_bot_reaction(self, before: Room, events: Sequence[GameEvent]) -> None:
        """Pass a bot's reaction to these game events to the `on_reaction` listener, if a bot reacts."""
        if (shown := reactions.choose_bot_reaction(before, self.room, events)) is not None:
            self.on_reaction(*shown)

    update_parts: ClassVar[Mapping[str, Callable[["RoomDisplay", Room, Sequence[GameEvent]], None]]] = {
        "match over": _notify_match_over,
        "events": _record_game_events,
        "picture": _build_view_if_connected,
        "own view": _prepare_own_views,
        "connections": _notify_connections,
        "reactions": _show_bot_reaction,
    }
    """The steps that show a change, in order. Each may fail alone."""
