"""The events of a room's log: facts in the past tense, one frozen class each, and their JSON form.

The log holds everything that the people of a room share, and random values that must survive a restart. The secret
behind a commitment is stored as soon as the commitment is shown. `encode` and `decode` are inverse and the only
conversion to JSON. An event that answers a client's command also carries `cmd`: the person and the command's id.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from app.engine.cards.action_codec import action_to_json, parse_action
from app.engine.cards.actions import Action
from app.engine.match.hand import Deal
from app.rooms.model import former_names
from app.rooms.model.shuffle_proof import CancelledDeal, PastDeal
from app.rooms.model.vote import VoteSubject
from app.rooms.ports.storage import NewerLog

Role: TypeAlias = Literal["seated", "waiting", "spectator"]
LeavingAs: TypeAlias = Literal["gone", "spectator"]
StandInPeriod: TypeAlias = Literal["turn", "seat"]
"""The period in which a bot plays for a person: this turn, or until the person uses their seat again."""
ActedFor: TypeAlias = Literal["clock", "bot"]
"""What acted in place of the player."""


@dataclass(frozen=True, slots=True)
class RoomCreated:
    """Log event: the room was created with its address and settings.

    Always the first event of a room's log.
    """

    code: str
    invite: str
    settings: dict[str, Any]
    id: str = ""
    """Empty in old logs, where the first code was the id."""


@dataclass(frozen=True, slots=True)
class RoomAddressChanged:
    """Log event: the room got a new address. The old address leads only its members to the new one."""

    code: str
    invite: str


@dataclass(frozen=True, slots=True)
class AllSettingsChanged:
    """Log event of versions up to 0.3.0: the host changed the room's settings. Contains all settings."""

    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """Log event: the host changed the room's settings. Contains the changed settings only."""

    settings: dict[str, Any]
    """As `RoomSettings.changes_since` returns them."""


@dataclass(frozen=True, slots=True)
class PersonJoined:
    """Log event: a person joined the room; or a member changed their name, role or program flag."""

    person: str
    name: str
    role: Role
    present: bool = True
    program: bool = False
    """As declared by the client."""
    node: str = ""
    bird: str | None = None
    """Saved by the person, or chosen on joining; the same for `colour`. Only for a new member."""
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class AvatarChanged:
    """Log event: a member changed their avatar or chosen name.

    They keep `name` until no match uses it any more.
    """

    name: str
    bird: str | None
    colour: str | None
    called: str | None = None


@dataclass(frozen=True, slots=True)
class BotAdded:
    """Log event: a bot of kind `bot` became a member of the room under this name."""

    name: str
    bot: str
    role: Role


@dataclass(frozen=True, slots=True)
class BotKindChanged:
    """Log event: a bot plays at another level from now on."""

    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class RoleChanged:
    """Log event: a member outside of a match seat sat down, waits for a seat, or became a spectator."""

    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class BotSeatClaimed:
    """Log event: a waiting member takes the seat of this bot with the next deal, if they are connected then."""

    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class ReadyChanged:
    """Log event: a member in the waiting room said that they are ready to start, or no longer are."""

    name: str
    ready: bool


@dataclass(frozen=True, slots=True)
class LeavingChanged:
    """Log event: a member with a seat in the match leaves it before the next deal (None: they stay after all)."""

    name: str
    going: LeavingAs | None = None


@dataclass(frozen=True, slots=True)
class MemberLeft:
    """Log event: a member, person or bot, without a seat in a running match left the room."""

    name: str


@dataclass(frozen=True, slots=True)
class PersonDeleted:
    """Log event: a person is removed from the room, because their data is deleted.

    In a match, a bot plays their seat until the rules release it. Their name is replaced in stored data later.
    """

    person: str


@dataclass(frozen=True, slots=True)
class NamesRewritten:
    """Log event: names in earlier entries were replaced, so every process must load the room again."""

    person: str = ""
    """The person whose name is removed, while the rewrite is unfinished."""
    todo: dict[str, Any] | None = None
    """The replacements, while the rewrite is unfinished (`app/store/deletion/person_deletion.py`)."""


@dataclass(frozen=True, slots=True)
class MemberRemoved:
    """Log event: the host took a person's seat, and with `ban` also banned them from the room.

    In a match, a bot plays the seat until the rules release it.
    """

    name: str
    ban: bool = True
    """Whether they are banned from the room. If not, they become spectators and may take a seat again."""


@dataclass(frozen=True, slots=True)
class HostChanged:
    """Log event: another member became host (None: nobody can be host)."""

    name: str | None = None
    passed_on: bool = False
    """Whether this happened automatically, because the host was gone."""


@dataclass(frozen=True, slots=True)
class MemberConnected:
    """Log event: a member has a connection again, or acted again after a bot had played for them."""

    name: str
    node: str = ""
    """The server to which they are connected; empty with a single server, here and in later classes."""


@dataclass(frozen=True, slots=True)
class NodeConnected:
    """Log event: a member who was connected already opened a connection at another node (server process)."""

    name: str
    node: str


@dataclass(frozen=True, slots=True)
class NodeDisconnected:
    """Log event: a member's last connection at a node (server process) was closed, or that node stopped."""

    name: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class BotTookOver:
    """Log event: a bot plays for a person who is gone, or for whom the others have waited too long."""

    name: str
    bot: str
    lent: StandInPeriod | None = None
    """The period, if a player asked for it; None: until the person is back."""
    by: str | None = None
    """The player who asked for it."""


@dataclass(frozen=True, slots=True)
class SeatLinkCreated:
    """Log event: the host created a link that gives an absent player's seat to the first browser that opens it."""

    name: str
    digest: str
    """SHA-256 of the secret in the link."""
    until: int
    """End of validity, in milliseconds since 1970."""
    maker: str = ""
    """The host's person id; empty in older logs."""
    device: str = ""
    """The id of the host's device; empty in older logs."""


@dataclass(frozen=True, slots=True)
class SeatLinkAllowed:
    """Log event: a player who has taken their seat back from another browser allows seat links again."""

    name: str


@dataclass(frozen=True, slots=True)
class SeatTransferred:
    """Log event: a seat was given to another browser, by a seat link or by the host's answer to a request."""

    name: str
    person: str
    """The id of the person who has the seat from now on."""
    by: str | None = None
    """The host's name; None in older logs."""


@dataclass(frozen=True, slots=True)
class SeatRequested:
    """Log event: a visitor asked the host for the seat of an absent player."""

    name: str
    person: str
    """The visitor's id."""


@dataclass(frozen=True, slots=True)
class SeatRefused:
    """Log event: the host turned away the visitor who asked for this seat."""

    name: str


@dataclass(frozen=True, slots=True)
class SeatHoldersSeparated:
    """Log event: the successive holders of a seat count as different people in the room's statistics.

    The host declares this, if another browser that got the seat belongs to another person.
    """

    name: str


@dataclass(frozen=True, slots=True)
class SeatReclaimed:
    """Log event: a person took back a seat that the host had given to another browser."""

    name: str
    person: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class ConnectionsReset:
    """Log event: the room was loaded again; members count as connected only at these other nodes, if they were."""

    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SecretCommitted:
    """Log event: a secret for the next deal was drawn; the room shows its SHA-256 from now on."""

    secret: str


@dataclass(frozen=True, slots=True)
class SeedHashReceived:
    """Log event: a person's page promised a random seed for the next deal by sending its SHA-256."""

    person: str
    hash: str


@dataclass(frozen=True, slots=True)
class SeedListClosed:
    """Log event: a deal was requested; its commitment, cut and seed hashes are fixed, and pages send seeds next."""

    commitment: str
    cut: int | None
    hashes: dict[str, str]
    """By number."""
    givers: dict[str, str]
    """Names, by number."""
    order: dict[str, Any]
    """Which pile of cards goes to which seat (`DealOrder`)."""
    until: int
    """When the room deals without the missing seeds, in milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class SeedReceived:
    """Log event: a player's page sent its random seed.

    In older logs this came before the deal was requested.
    """

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class DealCancelled:
    """Log event: a deal was cancelled after its list was closed. Its secret and seeds are never used again."""

    deal: CancelledDeal
    """What was drawn, and the reason; secret and seeds are shown after the following hand."""


@dataclass(frozen=True, slots=True)
class MatchCreated:
    """Log event: a match began with these players. Its first hand is dealt next."""

    match_id: str
    seats: list[str]
    ranks: list[str] = field(default_factory=list[str])
    """The hierarchy carried over from the previous match, best first. Some players may be missing."""


@dataclass(frozen=True, slots=True)
class VolumeStarted:
    """Log event: a long match continues in a new volume, which has a new id for storing and exporting hands.

    Players see no change.
    """

    match_id: str


@dataclass(frozen=True, slots=True)
class VariationStarted:
    """Log event: a variation began; the seated people continue another match from one of its positions."""

    match_id: str
    origin: dict[str, Any]
    """The original match, hand and move, and the state of the match before that hand (`Origin`)."""
    deal: dict[str, Any]
    actions: list[dict[str, Any]]
    """The actions of the hand up to the position, as in a record."""
    open: list[str] = field(default_factory=list[str])
    """Seats that visitors may take."""


@dataclass(frozen=True, slots=True)
class VariationSeatTaken:
    """Log event: a person took a free seat or a bot's seat of a variation, effective at once."""

    name: str
    person: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class KnownDealsSet:
    """Log event: the room's next match is dealt with the cards of another match."""

    match: str
    people: list[str]
    """Persons who played that match and know the cards."""
    hands: list[dict[str, Any]]
    """The deals of that match, by seat (`KnownDeal`)."""


@dataclass(frozen=True, slots=True)
class HandDealt:
    """Log event: a hand was dealt, with these cards."""

    deal: Deal
    fair: PastDeal
    """The proof of the shuffle, shown when the hand is over."""


class ActionTaken(Struct, frozen=True):
    """Log event: an action of the game by seat `by`, during a hand or between hands.

    `auto`: None if the player acted, otherwise what acted in their place, the clock or a bot.
    """

    # A struct, like all objects created for each action: creating it is fast.

    by: str
    action: Action
    auto: ActedFor | None = None


@dataclass(frozen=True, slots=True)
class BotsHurried:
    """Log event: the bots play this hand to its end at once, as a player asked when no person had cards left."""

    by: str


@dataclass(frozen=True, slots=True)
class VoteStarted:
    """Log event: a player started a vote, which they agree to."""

    by: str
    subject: VoteSubject
    until: int | None = None
    """When the vote ends, in milliseconds since 1970; None: open until all have voted."""
    id: str = ""
    """Identifies the vote in the voters' commands; empty in older logs."""


@dataclass(frozen=True, slots=True)
class VoteApproved:
    """Log event: another player agreed in the running vote."""

    name: str
    until: int | None = None
    """The new end of the vote, as in `VoteStarted`."""


@dataclass(frozen=True, slots=True)
class VoteEnded:
    """Log event: a vote ended without effect.

    `by` is the player who refused or withdrew it; None: its proposer can no longer vote, or time is up.
    """

    by: str | None = None


@dataclass(frozen=True, slots=True)
class PauseStarted:
    """Log event: the match was paused after a vote. No clock runs, and no game actions are accepted."""

    by: str


@dataclass(frozen=True, slots=True)
class PauseEnded:
    """Log event: a player ended the pause of the match."""

    by: str


@dataclass(frozen=True, slots=True)
class ActionUndone:
    """Log event: the last action of this player was undone. The hand continues as if it had not been made."""

    by: str


@dataclass(frozen=True, slots=True)
class MatchStopped:
    """Log event: the match was stopped before its end."""


@dataclass(frozen=True, slots=True)
class ReturnedToLobby:
    """Log event: the room returned from a finished match to the waiting room."""


@dataclass(frozen=True, slots=True)
class Rewound:
    """Log event: the database lost the last entries of this room, and the room continues from here."""

    moves: int
    """The number of lost deals and actions."""
    known: int = 0
    """The most earlier losses that the reporting node knew: a log that went back to an older history has fewer."""


@dataclass(frozen=True, slots=True)
class ServerStoodStill:
    """Log event: the server stood still, for example because its computer slept. All clocks of the room are later."""

    ms: int
    """The length of the standstill in milliseconds."""


@dataclass(frozen=True, slots=True)
class AutomaticDealFailed:
    """Log event: the next hand could not be dealt automatically, so a player has to ask for it."""


LogEvent: TypeAlias = (
    RoomCreated
    | RoomAddressChanged
    | AllSettingsChanged
    | SettingsChanged
    | PersonJoined
    | AvatarChanged
    | BotAdded
    | BotKindChanged
    | RoleChanged
    | BotSeatClaimed
    | ReadyChanged
    | LeavingChanged
    | MemberLeft
    | PersonDeleted
    | NamesRewritten
    | MemberRemoved
    | HostChanged
    | MemberConnected
    | NodeConnected
    | NodeDisconnected
    | BotTookOver
    | SeatLinkCreated
    | SeatLinkAllowed
    | SeatRequested
    | SeatRefused
    | SeatHoldersSeparated
    | SeatTransferred
    | SeatReclaimed
    | ConnectionsReset
    | SecretCommitted
    | SeedHashReceived
    | SeedListClosed
    | SeedReceived
    | DealCancelled
    | MatchCreated
    | VolumeStarted
    | VariationStarted
    | VariationSeatTaken
    | KnownDealsSet
    | HandDealt
    | ActionTaken
    | BotsHurried
    | VoteStarted
    | VoteApproved
    | VoteEnded
    | PauseStarted
    | PauseEnded
    | ActionUndone
    | MatchStopped
    | ReturnedToLobby
    | AutomaticDealFailed
    | Rewound
    | ServerStoodStill
)

KINDS: dict[str, type[Any]] = {
    "opened": RoomCreated,
    "recoded": RoomAddressChanged,
    "configured": AllSettingsChanged,
    "settings_changed": SettingsChanged,
    "joined": PersonJoined,
    "looks_changed": AvatarChanged,
    "bot_came": BotAdded,
    "bot_set": BotKindChanged,
    "role_changed": RoleChanged,
    "chair_taken": BotSeatClaimed,
    "ready_set": ReadyChanged,
    "going_set": LeavingChanged,
    "gone": MemberLeft,
    "forgotten": PersonDeleted,
    "rewritten": NamesRewritten,
    "removed": MemberRemoved,
    "host_changed": HostChanged,
    "came_back": MemberConnected,
    "also_at": NodeConnected,
    "went_away": NodeDisconnected,
    "stood_in": BotTookOver,
    "link_made": SeatLinkCreated,
    "link_asked": SeatLinkAllowed,
    "seat_requested": SeatRequested,
    "seat_refused": SeatRefused,
    "players_parted": SeatHoldersSeparated,
    "seat_moved": SeatTransferred,
    "seat_taken_back": SeatReclaimed,
    "woke": ConnectionsReset,
    "committed": SecretCommitted,
    "seed_promised": SeedHashReceived,
    "list_closed": SeedListClosed,
    "seeded": SeedReceived,
    "deal_cancelled": DealCancelled,
    "started": MatchCreated,
    "continued": VolumeStarted,
    "resumed": VariationStarted,
    "sat_down": VariationSeatTaken,
    "deals_given": KnownDealsSet,
    "dealt": HandDealt,
    "acted": ActionTaken,
    "hurried": BotsHurried,
    "proposed": VoteStarted,
    "agreed": VoteApproved,
    "dropped": VoteEnded,
    "rested": PauseStarted,
    "went_on": PauseEnded,
    "taken_back": ActionUndone,
    "stopped": MatchStopped,
    "rematched": ReturnedToLobby,
    "held": AutomaticDealFailed,
    "rewound": Rewound,
    "stood_still": ServerStoodStill,
}
"""All event classes by kind, the name stored in the log. Never rename a kind: stored logs would be unreadable."""


def stored_fields(of: type[Any]) -> dict[str, str]:
    """Map the name of each field of a class to its key in stored JSON, for log events and snapshots.

    A `Struct` field can keep its key after a rename, with `field(name="its old name")`. A dataclass can't: its keys
    are the names of its fields.
    """
    if issubclass(of, Struct):
        return dict(zip(of.__struct_fields__, of.__struct_encode_fields__, strict=True))
    return {each.name: each.name for each in fields(of)}


def kinds_by_class(kinds: Mapping[str, type[Any]], entries: Collection[type[Any]]) -> dict[type[Any], str]:
    """Map each log event class to its kind, the name stored in the log.

    Raises `TypeError` unless each class in `entries` has exactly one kind; checked when the module is imported.
    """
    found = {of: kind for kind, of in kinds.items()}
    for of in entries:
        if of not in found:
            raise TypeError(f"{of.__name__} has no kind of its own: add a line for it to KINDS")
    if len(kinds) != len(entries):
        raise TypeError("KINDS lists a class twice, or a class that is no entry")
    return found


_KIND_BY_CLASS = kinds_by_class(KINDS, get_args(LogEvent))
_FIELDS = {of: tuple(stored_fields(of).items()) for of in _KIND_BY_CLASS if of is not ActionTaken}


def encode(entry: LogEvent, cmd: tuple[str, str] | None = None) -> tuple[str, dict[str, Any]]:
    """Return the kind and the JSON data with which a room's log stores this event.

    `cmd`: the client's command (person, id) that it answers, added to the data. For `HandDealt`, the data are the
    fields of the deal, and `fair`.
    """
    data: dict[str, Any]
    match entry:
        case ActionTaken():
            data = {"by": entry.by, "action": action_to_json(entry.action), "auto": entry.auto}
        case HandDealt(deal, fair):
            data = {**deal.to_json(), "fair": fair}
        case _:
            data = {key: getattr(entry, name) for name, key in _FIELDS[type(entry)]}
    if cmd is not None:
        data["cmd"] = list(cmd)
    return _KIND_BY_CLASS[type(entry)], data


def decode(kind: str, data: dict[str, Any]) -> LogEvent:
    """Rebuild an event from the kind and the JSON data that a room's log stores; former names are replaced.

    Raises `RuleError` for an action that the engine no longer supports, and `NewerLog` for an unknown kind.
    """
    of = KINDS.get(kind)
    if of is None:
        raise NewerLog(f"a newer version of the program wrote an entry of the kind “{kind}”. Upgrade this node")
    if of is ActionTaken:
        return ActionTaken(data["by"], parse_action(data["action"]), data.get("auto"))
    if of is HandDealt:
        return HandDealt(Deal.from_json(data), data["fair"])
    entry: LogEvent = msgspec.convert(former_names.update_entry(kind, data), of)
    return entry
