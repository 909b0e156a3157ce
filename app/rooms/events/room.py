"""Events of the room itself: its address and settings, and what the server or the database lost."""

from dataclasses import replace
from typing import Any

from app.rooms.events import event_texts
from app.rooms.events.log_event import Change, LogEvent
from app.rooms.events.votes import without_undo_and_hurry
from app.rooms.model.settings import RoomSettings
from app.rooms.model.state import Room


class RoomCreated(LogEvent, frozen=True, tag="opened"):
    """Log event: the room was created with its address and settings.

    Always the first event of a room's log.
    """

    code: str
    invite: str
    settings: dict[str, Any]
    id: str = ""
    """Empty in old logs, where the first code was the id."""

    def apply(self, room: Room, at: int) -> Change:
        settings = RoomSettings.parse(self.settings, already_accepted=True)
        return room.replace(id=self.id or self.code, code=self.code, invite=self.invite, settings=settings), ()


class RoomAddressChanged(LogEvent, frozen=True, tag="recoded"):
    """Log event: the room got a new address. The old address leads only its members to the new one."""

    code: str
    invite: str
    guests_stay: bool = False
    """Whether people without a name who watch may stay, so that they learn the new address."""

    def apply(self, room: Room, at: int) -> Change:
        guests_out_at = room.guests_out_at if self.guests_stay else room.seq + 1
        room = room.replace(code=self.code, invite=self.invite, guests_out_at=guests_out_at)
        return room, (event_texts.CODE_CHANGED(room.host),)


class AllSettingsChanged(LogEvent, frozen=True, tag="configured"):
    """Log event of versions up to 0.3.0: the host changed the room's settings. Contains all settings."""

    settings: dict[str, Any]

    def apply(self, room: Room, at: int) -> Change:
        return _with_settings(room, RoomSettings.parse(self.settings, already_accepted=True))


class SettingsChanged(LogEvent, frozen=True, tag="settings_changed"):
    """Log event: the host changed the room's settings. Contains the changed settings only."""

    settings: dict[str, Any]
    """As `RoomSettings.changes_since` returns them."""

    def apply(self, room: Room, at: int) -> Change:
        return _with_settings(room, room.settings.with_stored_changes(self.settings))


def _with_settings(room: Room, settings: RoomSettings) -> Change:
    members = {
        name: member if member.stand_in is None else replace(member, stand_in=settings.stand_in)
        for name, member in room.members.items()
    }
    return room.replace(settings=settings, members=members), (settings.build_change_event(room.settings, room.host),)


class NamesRewritten(LogEvent, frozen=True, tag="rewritten"):
    """Log event: names in earlier entries were replaced, so every process must load the room again."""

    person: str = ""
    """The person whose name is removed, while the rewrite is unfinished."""
    todo: dict[str, Any] | None = None
    """The replacements, while the rewrite is unfinished (`app/store/deletion/person_deletion.py`)."""

    def apply(self, room: Room, at: int) -> Change:
        return room, ()


class Rewound(LogEvent, frozen=True, tag="rewound"):
    """Log event: the database lost the last entries of this room, and the room continues from here."""

    moves: int
    """The number of lost deals and actions."""
    known: int = 0
    """The most earlier losses that the reporting node knew: a log that went back to an older history has fewer."""

    def apply(self, room: Room, at: int) -> Change:
        """Drop what refers to lost events: votes on undo, the undo point and hurried bots.

        The number of losses never goes back, because pages ignore updates with a lower one.
        """
        if room.run is not None:
            room = room.replace(run=without_undo_and_hurry(room.run))
        room = room.replace(rewinds=max(room.rewinds, self.known) + 1, turn=room.turn + self.moves + 1)
        return room, (event_texts.REWOUND(None, count=self.moves),) if self.moves else ()


class HiddenDataShown(LogEvent, frozen=True, tag="hidden_data_shown"):
    """Log event: the operator of the server looked at hidden data of the room, such as cards, with a command."""

    def apply(self, room: Room, at: int) -> Change:
        return room.replace(operator_looks=room.operator_looks + 1), (event_texts.HIDDEN_DATA_SHOWN(None),)


class ServerStoodStill(LogEvent, frozen=True, tag="stood_still"):
    """Log event: the server stood still, for example because its computer slept. All clocks of the room are later."""

    ms: int
    """The length of the standstill in milliseconds."""

    def apply(self, room: Room, at: int) -> Change:
        """Move the stored times of votes and deals. `deadlines.py` does the same with the clocks."""
        run = room.run
        if run is None:
            return room, ()
        vote, ended = run.motion, run.ended
        if vote is not None and vote.until is not None:
            vote = replace(vote, until=vote.until + self.ms)
        return room.replace(run=run.replace(motion=vote, ended=None if ended is None else ended + self.ms)), ()
