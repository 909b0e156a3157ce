"""The events of a room's log: facts in the past tense, one frozen class each, and their JSON form.

The log holds everything that the people of a room share, and random values that must survive a restart: the secret
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
from app.rooms.model.shuffle_proof import PastDeal
from app.rooms.model.vote import VoteSubject

Role: TypeAlias = Literal["seated", "waiting", "watcher"]
LeavingAs: TypeAlias = Literal["gone", "watcher"]
StandInPeriod: TypeAlias = Literal["turn", "seat"]
"""The period in which a bot plays for a person: this turn, or until the person uses their seat again."""
ActedFor: TypeAlias = Literal["clock", "bot"]
"""What acted in place of the player."""


@dataclass(frozen=True, slots=True)
class RoomCreated:
    """The room was created. Always the first event."""

    code: str
    invite: str
    settings: dict[str, Any]
    id: str = ""
    """Empty in old logs, where the first code was the id."""


@dataclass(frozen=True, slots=True)
class RoomAddressChanged:
    """The room got a new address. The old address leads only its members to the new one."""

    code: str
    invite: str


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The host changed the settings. Contains all settings."""

    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PersonJoined:
    """A person joined; or a member changed their name, role or program flag."""

    person: str
    name: str
    role: Role
    present: bool = True
    program: bool = False
    """As declared by the client."""
    node: str = ""


@dataclass(frozen=True, slots=True)
class AvatarChanged:
    """A member changed their look or chosen name. The chosen name replaces `name` once no match uses that."""

    name: str
    bird: str | None
    colour: str | None
    called: str | None = None


@dataclass(frozen=True, slots=True)
class BotAdded:
    """The host added a bot."""

    name: str
    bot: str
    role: Role


@dataclass(frozen=True, slots=True)
class BotKindChanged:
    """A bot plays at another level from now on."""

    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class RoleChanged:
    """A member sat down or stood up, outside a match."""

    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class BotSeatClaimed:
    """A waiting member takes the seat of this bot with the next deal, if they are connected then."""

    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class ReadyChanged:
    """A member in the waiting room changed their ready flag."""

    name: str
    ready: bool


@dataclass(frozen=True, slots=True)
class LeavingChanged:
    """A member with a seat in the match leaves it before the next deal (None: they stay after all)."""

    name: str
    going: LeavingAs | None = None


@dataclass(frozen=True, slots=True)
class MemberLeft:
    """A member without a seat in the match left the room."""

    name: str


@dataclass(frozen=True, slots=True)
class PersonDeleted:
    """A person's data was deleted. A bot plays their seat until the rules release it."""

    person: str


@dataclass(frozen=True, slots=True)
class NamesRewritten:
    """Earlier entries were rewritten with other names, so every process must load the room again."""

    person: str = ""
    """The person whose name is removed, while the rewrite is unfinished."""
    todo: dict[str, Any] | None = None
    """The replacements, while the rewrite is unfinished (`app/store/deletion/person_deletion.py`)."""


@dataclass(frozen=True, slots=True)
class MemberRemoved:
    """The host took a person's seat. A bot plays it until the rules release it."""

    name: str
    ban: bool = True
    """Whether they are banned from the room. If not, they become spectators and may take a seat again."""


@dataclass(frozen=True, slots=True)
class HostChanged:
    """Another member became host (None: nobody can be host)."""

    name: str | None = None
    passed_on: bool = False
    """Whether this happened automatically, because the host was gone."""


@dataclass(frozen=True, slots=True)
class MemberConnected:
    """A person is here: a connection was opened, or they acted again after a bot had played for them."""

    name: str
    node: str = ""
    """The server to which they are connected; empty with a single server, here and in later classes."""


@dataclass(frozen=True, slots=True)
class NodeConnected:
    """A connected person opened a connection at another node."""

    name: str
    node: str


@dataclass(frozen=True, slots=True)
class NodeDisconnected:
    """A person's last connection at a node was closed, or that node stopped."""

    name: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class BotTookOver:
    """A bot plays for a person who is gone, or for whom the others have waited too long."""

    name: str
    bot: str
    lent: StandInPeriod | None = None
    """The period, if a player asked for it; None: until the person is back."""
    by: str | None = None
    """The player who asked for it."""


@dataclass(frozen=True, slots=True)
class SeatLinkCreated:
    """The host created a link that gives the seat of an absent player to the first browser that opens it."""

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
    """A player who has taken their seat back allows seat links again."""

    name: str


@dataclass(frozen=True, slots=True)
class SeatTransferred:
    """The host gave a seat to another browser."""

    name: str
    person: str
    """The id of the person who has the seat from now on."""
    by: str | None = None
    """The host's name; None in older logs."""


@dataclass(frozen=True, slots=True)
class SeatRequested:
    """A visitor asked the host for the seat of an absent player."""

    name: str
    person: str
    """The visitor's id."""


@dataclass(frozen=True, slots=True)
class SeatRefused:
    """The host turned away the visitor who asked for a seat."""

    name: str


@dataclass(frozen=True, slots=True)
class SeatHoldersSeparated:
    """The holders of a seat count as different people in the room's statistics from now on."""

    name: str


@dataclass(frozen=True, slots=True)
class SeatReclaimed:
    """A person took back a seat that the host had given to another browser."""

    name: str
    person: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class ConnectionsReset:
    """The room was loaded again: people are connected at these other nodes only."""

    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SecretCommitted:
    """A secret for the next deal was drawn; the room shows its SHA-256 from now on."""

    secret: str


@dataclass(frozen=True, slots=True)
class SeedHashReceived:
    """A person's page sent the SHA-256 of its seed for the next deal."""

    person: str
    hash: str


@dataclass(frozen=True, slots=True)
class SeedListClosed:
    """A deal was requested: its commitment, cut and hashes are fixed, and the pages send their seeds next."""

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
    """A person's page sent its seed. In older logs this came before the deal was requested."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class MatchCreated:
    """A match began with these players."""

    match_id: str
    seats: list[str]
    ranks: list[str] = field(default_factory=list[str])
    """The hierarchy carried over from the previous match, best first. Some players may be missing."""


@dataclass(frozen=True, slots=True)
class VolumeStarted:
    """A long match continues in a new volume. Only the id changes under which later hands are stored and exported."""

    match_id: str


@dataclass(frozen=True, slots=True)
class VariationStarted:
    """A variation began: the seated people continue another match from one of its positions."""

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
    """A person took a free seat or a bot's seat of a variation, effective at once."""

    name: str
    person: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class KnownDealsSet:
    """The next match uses the cards of another match."""

    match: str
    people: list[str]
    """Persons who played that match and know the cards."""
    hands: list[dict[str, Any]]
    """The deals of that match, by seat (`KnownDeal`)."""


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A hand was dealt."""

    deal: Deal
    fair: PastDeal
    """The proof of the shuffle, shown when the hand is over."""


class ActionTaken(Struct, frozen=True):
    """An action of the game, in a hand or between hands, by a player, the clock or a bot."""

    # A struct, like all objects created for each action: creating it is fast.

    by: str
    action: Action
    auto: ActedFor | None = None


@dataclass(frozen=True, slots=True)
class BotsHurried:
    """The bots play this hand to its end at once: all people are out of it, and a player asked for it."""

    by: str


@dataclass(frozen=True, slots=True)
class VoteStarted:
    """A player started a vote."""

    by: str
    matter: VoteSubject
    until: int | None = None
    """When the vote ends, in milliseconds since 1970; None: open until all have voted."""
    id: str = ""
    """Identifies the vote in the voters' commands; empty in older logs."""


@dataclass(frozen=True, slots=True)
class VoteApproved:
    """Another player agreed in a vote."""

    name: str
    until: int | None = None
    """The new end of the vote, as in `VoteStarted`."""


@dataclass(frozen=True, slots=True)
class VoteEnded:
    """A vote ended without agreement. `by` is the player who refused; None: the proposer left, or time is up."""

    by: str | None = None


@dataclass(frozen=True, slots=True)
class PauseStarted:
    """The match was paused: no clock runs, and no actions are accepted."""

    by: str


@dataclass(frozen=True, slots=True)
class PauseEnded:
    """A player ended the pause of the match."""

    by: str


@dataclass(frozen=True, slots=True)
class ActionUndone:
    """The last action was undone by its player. The hand continues as if it had not been made."""

    by: str


@dataclass(frozen=True, slots=True)
class MatchStopped:
    """The match was stopped before its end."""


@dataclass(frozen=True, slots=True)
class ReturnedToLobby:
    """The room returned to the waiting room."""


@dataclass(frozen=True, slots=True)
class Rewound:
    """The database lost the last entries of this room, and the room continues from here."""

    moves: int
    """The number of lost deals and actions."""


@dataclass(frozen=True, slots=True)
class AutomaticDealFailed:
    """The next hand could not be dealt automatically. A player has to ask for it."""


LogEvent: TypeAlias = (
    RoomCreated
    | RoomAddressChanged
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
)

KINDS: dict[str, type[Any]] = {
    "opened": RoomCreated,
    "recoded": RoomAddressChanged,
    "configured": SettingsChanged,
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
}
"""All event classes by kind, the name stored in the log. Never rename a kind: stored logs would be unreadable."""


def stored_fields(of: type[Any]) -> dict[str, str]:
    """Map the name of each field of a stored class to its key in stored JSON.

    A `Struct` field can keep its key after a rename, with `field(name="its old name")`. A dataclass can't: its keys
    are the names of its fields.
    """
    if issubclass(of, Struct):
        return dict(zip(of.__struct_fields__, of.__struct_encode_fields__, strict=True))
    return {each.name: each.name for each in fields(of)}


def kinds_by_class(kinds: Mapping[str, type[Any]], entries: Collection[type[Any]]) -> dict[type[Any], str]:
    """Map each event class to its kind; raise `TypeError` unless each class has exactly one."""
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
    """Return the kind and the JSON data of an event for the log; `cmd` is added if given.

    The data are the event's fields. For `HandDealt`, they are the fields of the deal, and `fair`.
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
    """Rebuild an event from the log. Raises `RuleError` for an action that the engine no longer supports.

    An unknown kind fails an assertion: the log was written by a newer version. Former names of values are replaced.
    """
    of = KINDS.get(kind)
    assert of is not None, f"unknown kind of entry: {kind}"
    if of is ActionTaken:
        return ActionTaken(data["by"], parse_action(data["action"]), data.get("auto"))
    if of is HandDealt:
        return HandDealt(Deal.from_json(data), data["fair"])
    entry: LogEvent = msgspec.convert(former_names.update_entry(kind, data), of)
    return entry
