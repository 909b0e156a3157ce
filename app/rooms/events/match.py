"""Events of a match: its start and end, a new volume, and variations of another match."""

from dataclasses import replace
from typing import Any

import msgspec
from msgspec import field

from app.engine.cards.action_codec import parse_action
from app.engine.games import GAMES
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from app.rooms.events import event_texts
from app.rooms.events.changes import remove_departing_members
from app.rooms.events.hand import ActionTaken, HandDealt, current_run, revealed_deal
from app.rooms.events.log_event import Change, LogEvent
from app.rooms.events.votes import without_undo_and_hurry
from app.rooms.model.member import Member
from app.rooms.model.shuffle_proof import known_cards_proof
from app.rooms.model.state import MatchRun, Origin, Room, TimeReserve


class MatchCreated(LogEvent, frozen=True, tag="started"):
    """Log event: a match began with these players. Its first hand is dealt next."""

    match_id: str
    seats: list[str]
    ranks: list[str] = field(default_factory=list[str])
    """The hierarchy carried over from the previous match, best first. Some players may be missing."""

    def apply(self, room: Room, at: int) -> Change:
        ranks = tuple(self.ranks)
        match = Match.start(room.settings.game, room.settings.options, tuple(self.seats), ranks)
        names = {name: room.members[name].person for name in self.seats}
        origin = None if room.deals is None else Origin(room.deals.match, "deals")
        run = MatchRun(match, self.match_id, names, ranks, _time_reserve(room), origin=origin)
        return room.replace(run=run), (event_texts.MATCH_STARTED(),)


def _time_reserve(room: Room) -> TimeReserve | None:
    """Return the time reserve of each player in a match that begins with the room's settings."""
    settings = room.settings
    if settings.reserve is None or settings.turn is None:
        return None
    return TimeReserve(int(settings.reserve * 1000), int(settings.reserve_gain * 1000))


class VolumeStarted(LogEvent, frozen=True, tag="continued"):
    """Log event: a long match continues in a new volume, which has a new id for storing and exporting hands.

    Players see no change.
    """

    match_id: str

    def apply(self, room: Room, at: int) -> Change:
        run = current_run(room)
        first = run.first or run.match_id
        volume = run.replace(match_id=self.match_id, first=first, before=run.match.dealt, between=(), moments=())
        return room.replace(run=volume), ()


class VariationStarted(LogEvent, frozen=True, tag="resumed"):
    """Log event: a variation began; the seated people continue another match from one of its positions."""

    match_id: str
    origin: dict[str, Any]
    """The original match, hand and move, and the state of the match before that hand (`Origin`)."""
    deal: dict[str, Any]
    actions: list[dict[str, Any]]
    """The actions of the hand up to the position, as in a record."""
    open: list[str] = field(default_factory=list[str])
    """Seats that visitors may take."""

    def apply(self, room: Room, at: int) -> Change:
        """Set up the match, then apply the original hand's deal and actions up to its position."""
        room = self.room_before_hand(room)
        steps: list[LogEvent] = [HandDealt(Deal.from_json(self.deal), known_cards_proof("variation"))]
        steps += [ActionTaken(made["by"], parse_action(made)) for made in self.actions]
        for step in steps:
            room, _ = step.apply_stored(room, at)
        return room, (event_texts.VARIATION_STARTED(room.host),)

    def room_before_hand(self, room: Room) -> Room:
        """Return the room with the match before its first hand is dealt, and with its free seats as members."""
        origin = msgspec.convert(self.origin, Origin)
        assert origin.before is not None
        match = Match.from_json(origin.before, GAMES).replace(entered=())
        members = {**room.members, **{name: Member(name, None, "seated") for name in self.open}}
        names = {name: members[name].person for name in match.seats}
        run = MatchRun(match, self.match_id, names, (), _time_reserve(room), before=match.dealt, origin=origin)
        return room.replace(members=members, run=run)


class VariationSeatTaken(LogEvent, frozen=True, tag="sat_down"):
    """Log event: a person took a free seat or a bot's seat of a variation, effective at once."""

    name: str
    person: str
    node: str = ""

    def apply(self, room: Room, at: int) -> Change:
        """Give the seat to the person. They use the seat's name until the match is over.

        If they were in the room under another name, that member is replaced, and stays host if they were.
        """
        name, run, before = self.name, current_run(room), room.find_member(self.person)
        came = replace(room.members[name], person=self.person, bot=None, nodes=(self.node,))
        came = replace(came.without_stand_in().without_link(), going=None, former_holders=(), link_shut=False)
        former = None if before is None else before.name
        if before is not None:
            came = replace(came, bird=before.bird, colour=before.colour, program=before.program, called=before.name)
        members = {each: came if each == name else member for each, member in room.members.items() if each != former}
        host = name if former is not None and room.host == former else room.host
        run = run.replace(names={**run.names, name: self.person})
        room = room.replace(members=members, host=host, run=run)
        return room, (event_texts.VARIATION_SEAT_TAKEN(name, before=former),)


class MatchStopped(LogEvent, frozen=True, tag="stopped"):
    """Log event: the match was stopped before its end."""

    def apply(self, room: Room, at: int) -> Change:
        run = current_run(room)
        if run.match.is_hand_running:  # it does not count, but its secret is revealed all the same
            room = room.replace(**revealed_deal(room, run))
        match = run.match.replace(hand=None)
        stopped = without_undo_and_hurry(run).replace(match=match, rest=None, stopped=True)
        return remove_departing_members(room, stopped, room.members), (event_texts.MATCH_STOPPED(room.host),)


class ReturnedToLobby(LogEvent, frozen=True, tag="rematched"):
    """Log event: the room returned from a finished match to the waiting room."""

    def apply(self, room: Room, at: int) -> Change:
        members = {
            name: replace(member.without_stand_in(), ready=False, chair=None, offered_to=None)
            if member.person is not None
            else member
            for name, member in room.members.items()
            if member.person is not None or member.bot is not None
        }
        # The record of the match has the cancelled deals that no hand followed.
        lobby = room.replace(members=members, run=None, deals=None, cancelled=())
        return lobby, (event_texts.RETURNED_TO_LOBBY(room.host),)
