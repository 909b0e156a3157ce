"""The events of a room's log: facts in the past tense, one frozen class each, with its effect on the room.

The log holds everything that the people of a room share, and random values that must survive a restart. The secret
behind a commitment is stored as soon as the commitment is shown. `encode` and `decode` are inverse and the only
conversion to JSON. An event that answers a client's command also carries `cmd`: the person and the command's id.
"""

from typing import Any

from app.rooms.events.deals import (
    AutomaticDealFailed as AutomaticDealFailed,
    DealCancelled as DealCancelled,
    KnownDealsSet as KnownDealsSet,
    SecretCommitted as SecretCommitted,
    SeedHashReceived as SeedHashReceived,
    SeedListClosed as SeedListClosed,
    SeedReceived as SeedReceived,
)
from app.rooms.events.hand import ActedFor as ActedFor, ActionTaken as ActionTaken, HandDealt as HandDealt
from app.rooms.events.log_event import LogEvent as LogEvent, stored_fields as stored_fields
from app.rooms.events.match import (
    MatchCreated as MatchCreated,
    MatchStopped as MatchStopped,
    ReturnedToLobby as ReturnedToLobby,
    VariationSeatTaken as VariationSeatTaken,
    VariationStarted as VariationStarted,
    VolumeStarted as VolumeStarted,
)
from app.rooms.events.members import (
    AvatarChanged as AvatarChanged,
    BotAdded as BotAdded,
    BotKindChanged as BotKindChanged,
    BotSeatClaimed as BotSeatClaimed,
    HostChanged as HostChanged,
    LeavingChanged as LeavingChanged,
    MemberLeft as MemberLeft,
    MemberRemoved as MemberRemoved,
    PersonDeleted as PersonDeleted,
    PersonJoined as PersonJoined,
    ReadyChanged as ReadyChanged,
    RoleChanged as RoleChanged,
    SpectatorRemoved as SpectatorRemoved,
)
from app.rooms.events.room import (
    AllSettingsChanged as AllSettingsChanged,
    HiddenDataShown as HiddenDataShown,
    NamesRewritten as NamesRewritten,
    Rewound as Rewound,
    RoomAddressChanged as RoomAddressChanged,
    RoomCreated as RoomCreated,
    ServerStoodStill as ServerStoodStill,
    SettingsChanged as SettingsChanged,
)
from app.rooms.events.seats import (
    BotTookOver as BotTookOver,
    ConnectionsReset as ConnectionsReset,
    MemberConnected as MemberConnected,
    NodeConnected as NodeConnected,
    NodeDisconnected as NodeDisconnected,
    SeatHoldersSeparated as SeatHoldersSeparated,
    SeatLinkAllowed as SeatLinkAllowed,
    SeatLinkCreated as SeatLinkCreated,
    SeatOfferAccepted as SeatOfferAccepted,
    SeatOffered as SeatOffered,
    SeatOfferEnded as SeatOfferEnded,
    SeatReclaimed as SeatReclaimed,
    SeatRefused as SeatRefused,
    SeatRequested as SeatRequested,
    SeatTransferred as SeatTransferred,
)
from app.rooms.events.votes import (
    ActionUndone as ActionUndone,
    BotsHurried as BotsHurried,
    PauseEnded as PauseEnded,
    PauseStarted as PauseStarted,
    VoteApproved as VoteApproved,
    VoteEnded as VoteEnded,
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
