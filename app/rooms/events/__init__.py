"""The events of a room's log: facts in the past tense, one frozen class each, with what it does to the room.

The log holds everything that the people of a room share, and random values that must survive a restart. The secret
behind a commitment is stored as soon as the commitment is shown. `encode` and `decode` are inverse and the only
conversion to JSON. An event that answers a client's command also carries `cmd`: the person and the command's id.
"""

from typing import Any

from app.rooms.events.deals import (
    AutomaticDealFailed as AutomaticDealFailed,
)
from app.rooms.events.deals import (
    DealCancelled as DealCancelled,
)
from app.rooms.events.deals import (
    KnownDealsSet as KnownDealsSet,
)
from app.rooms.events.deals import (
    SecretCommitted as SecretCommitted,
)
from app.rooms.events.deals import (
    SeedHashReceived as SeedHashReceived,
)
from app.rooms.events.deals import (
    SeedListClosed as SeedListClosed,
)
from app.rooms.events.deals import (
    SeedReceived as SeedReceived,
)
from app.rooms.events.hand import ActedFor as ActedFor
from app.rooms.events.hand import ActionTaken as ActionTaken
from app.rooms.events.hand import HandDealt as HandDealt
from app.rooms.events.log_event import LogEvent as LogEvent
from app.rooms.events.log_event import stored_fields as stored_fields
from app.rooms.events.match import (
    MatchCreated as MatchCreated,
)
from app.rooms.events.match import (
    MatchStopped as MatchStopped,
)
from app.rooms.events.match import (
    ReturnedToLobby as ReturnedToLobby,
)
from app.rooms.events.match import (
    VariationSeatTaken as VariationSeatTaken,
)
from app.rooms.events.match import (
    VariationStarted as VariationStarted,
)
from app.rooms.events.match import (
    VolumeStarted as VolumeStarted,
)
from app.rooms.events.members import (
    AvatarChanged as AvatarChanged,
)
from app.rooms.events.members import (
    BotAdded as BotAdded,
)
from app.rooms.events.members import (
    BotKindChanged as BotKindChanged,
)
from app.rooms.events.members import (
    BotSeatClaimed as BotSeatClaimed,
)
from app.rooms.events.members import (
    HostChanged as HostChanged,
)
from app.rooms.events.members import (
    LeavingChanged as LeavingChanged,
)
from app.rooms.events.members import (
    MemberLeft as MemberLeft,
)
from app.rooms.events.members import (
    MemberRemoved as MemberRemoved,
)
from app.rooms.events.members import (
    PersonDeleted as PersonDeleted,
)
from app.rooms.events.members import (
    PersonJoined as PersonJoined,
)
from app.rooms.events.members import (
    ReadyChanged as ReadyChanged,
)
from app.rooms.events.members import (
    RoleChanged as RoleChanged,
)
from app.rooms.events.room import (
    AllSettingsChanged as AllSettingsChanged,
)
from app.rooms.events.room import (
    NamesRewritten as NamesRewritten,
)
from app.rooms.events.room import (
    Rewound as Rewound,
)
from app.rooms.events.room import (
    RoomAddressChanged as RoomAddressChanged,
)
from app.rooms.events.room import (
    RoomCreated as RoomCreated,
)
from app.rooms.events.room import (
    ServerStoodStill as ServerStoodStill,
)
from app.rooms.events.room import (
    SettingsChanged as SettingsChanged,
)
from app.rooms.events.seats import (
    BotTookOver as BotTookOver,
)
from app.rooms.events.seats import (
    ConnectionsReset as ConnectionsReset,
)
from app.rooms.events.seats import (
    MemberConnected as MemberConnected,
)
from app.rooms.events.seats import (
    NodeConnected as NodeConnected,
)
from app.rooms.events.seats import (
    NodeDisconnected as NodeDisconnected,
)
from app.rooms.events.seats import (
    SeatHoldersSeparated as SeatHoldersSeparated,
)
from app.rooms.events.seats import (
    SeatLinkAllowed as SeatLinkAllowed,
)
from app.rooms.events.seats import (
    SeatLinkCreated as SeatLinkCreated,
)
from app.rooms.events.seats import (
    SeatReclaimed as SeatReclaimed,
)
from app.rooms.events.seats import (
    SeatRefused as SeatRefused,
)
from app.rooms.events.seats import (
    SeatRequested as SeatRequested,
)
from app.rooms.events.seats import (
    SeatTransferred as SeatTransferred,
)
from app.rooms.events.votes import (
    ActionUndone as ActionUndone,
)
from app.rooms.events.votes import (
    BotsHurried as BotsHurried,
)
from app.rooms.events.votes import (
    PauseEnded as PauseEnded,
)
from app.rooms.events.votes import (
    PauseStarted as PauseStarted,
)
from app.rooms.events.votes import (
    VoteApproved as VoteApproved,
)
from app.rooms.events.votes import (
    VoteEnded as VoteEnded,
)
from app.rooms.events.votes import (
    VoteStarted as VoteStarted,
)
from app.rooms.model.tags import classes_by_tag
from app.rooms.ports.storage import NewerLog

KINDS = classes_by_tag(LogEvent.__subclasses__())
"""All event classes by kind, the name stored in the log."""


def encode(entry: LogEvent, cmd: tuple[str, str] | None = None) -> tuple[str, dict[str, Any]]:
    """Return the kind and the JSON data with which a room's log stores this event.

    `cmd`: the client's command (person, id) that it answers, added to the data.
    """
    data = entry.to_json()
    if cmd is not None:
        data["cmd"] = list(cmd)
    return entry.kind, data


def decode(kind: str, data: dict[str, Any]) -> LogEvent:
    """Rebuild an event from the kind and the JSON data that a room's log stores.

    Raises `RuleError` for an action that the engine no longer supports, and `NewerLog` for an unknown kind.
    """
    of = KINDS.get(kind)
    if of is None:
        raise NewerLog(f"a newer version of the program wrote an entry of the kind “{kind}”. Upgrade this node")
    return of.from_json(data)
