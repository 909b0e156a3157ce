"""What a room's log is made of: facts in the past tense, one frozen dataclass each, and their JSON form.

A log holds everything that the people of a room share, and what a restart must not draw again: the secret behind a
commitment is in it from that moment on. `encode` and `decode` are each other's inverse, and the only place where an
entry is JSON. An entry that answers a
client's command carries `cmd` beside its fields: who asked, under which id.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

from app.engine.cards.action_codec import action_json, parse_action
from app.engine.cards.actions import Action
from app.engine.match.hand import Deal
from app.rooms.model.shuffle_proof import PastDeal
from app.rooms.model.vote import Matter

Role: TypeAlias = Literal["seated", "waiting", "watcher"]
Going: TypeAlias = Literal["gone", "watcher"]
Lent: TypeAlias = Literal["turn", "seat"]
"""A bot plays this turn of theirs, or their seat until they touch it."""
Auto: TypeAlias = Literal["clock", "bot"]
"""Who acted in somebody's place."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The room is there. Always the first entry."""

    code: str
    invite: str
    settings: dict[str, Any]
    id: str = ""
    """Once a room had none but its first code."""


@dataclass(frozen=True, slots=True)
class Recoded:
    """The room has another address: the old one leads its members to the new, and lets nobody else in."""

    code: str
    invite: str


@dataclass(frozen=True, slots=True)
class Configured:
    """The host changed the settings: all of them as they are now."""

    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Joined:
    """A person has a name here now, or another one, or another role, or says what they are."""

    person: str
    name: str
    role: Role
    present: bool = True
    program: bool = False
    """As they say themselves."""
    node: str = ""


@dataclass(frozen=True, slots=True)
class LooksChanged:
    """A person looks like this from now on, and is called so when no match holds them to their name here any more."""

    name: str
    bird: str | None
    colour: str | None
    called: str | None = None


@dataclass(frozen=True, slots=True)
class BotCame:
    """The host seated a bot."""

    name: str
    bot: str
    role: Role


@dataclass(frozen=True, slots=True)
class BotSet:
    """A bot plays at another level from now on."""

    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class RoleChanged:
    """Somebody sat down or stood up, outside a match."""

    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class ChairTaken:
    """Somebody who waits has the chair of this bot from the next deal on, if they are here by then."""

    name: str
    bot: str


@dataclass(frozen=True, slots=True)
class ReadySet:
    """Somebody in the waiting room says whether they are ready."""

    name: str
    ready: bool


@dataclass(frozen=True, slots=True)
class GoingSet:
    """Somebody with a place in the match will leave it before the next deal (None: they stay after all)."""

    name: str
    going: Going | None = None


@dataclass(frozen=True, slots=True)
class Gone:
    """Somebody without a place in the match left the room."""

    name: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A person is gone for good: a bot has their place until the rules let it go, and nothing tells whose it was."""

    person: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What stands before this has other names since: who has folded it folds it anew."""

    person: str = ""
    """Who is taken out, as long as it is not done."""
    todo: dict[str, Any] | None = None
    """Which names become which, until that is done everywhere (`app/store/deletion/person_deletion.py`)."""


@dataclass(frozen=True, slots=True)
class Removed:
    """The host took a person's seat: a bot has it until the rules let it go."""

    name: str
    ban: bool = True
    """Whether they are kept out of the room; if not, they watch, and may take a seat again."""


@dataclass(frozen=True, slots=True)
class HostChanged:
    """Somebody else has the host's powers now (None: nobody is there to have them)."""

    name: str | None = None
    passed_on: bool = False
    """By themselves, because the host was gone."""


@dataclass(frozen=True, slots=True)
class CameBack:
    """A person is here: a socket opened, or they did something after a bot had played for them."""

    name: str
    node: str = ""
    """Of the server at which they are; empty where there is one only, here and below."""


@dataclass(frozen=True, slots=True)
class AlsoAt:
    """A person who is here has a socket at another node, too."""

    name: str
    node: str


@dataclass(frozen=True, slots=True)
class WentAway:
    """A person's last socket at a node closed, or that node is no more."""

    name: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class StoodIn:
    """A bot plays for somebody who is gone, or whom the table has waited for long enough."""

    name: str
    bot: str
    lent: Lent | None = None
    """For how long, if somebody asked for it; None: until they are here again."""
    by: str | None = None
    """Who asked."""


@dataclass(frozen=True, slots=True)
class LinkMade:
    """The host made a link that gives the seat of an absent player to the browser that opens it, once."""

    name: str
    digest: str
    """SHA-256 of what stands in the link."""
    until: int
    """Milliseconds since 1970."""
    maker: str = ""
    """The id of the person who is host; empty in older logs."""
    device: str = ""
    """The id of the device that they made it with; empty in older logs."""


@dataclass(frozen=True, slots=True)
class LinkAsked:
    """A player who has taken their seat back allows links to it again."""

    name: str


@dataclass(frozen=True, slots=True)
class SeatMoved:
    """The host gave a seat to another browser."""

    name: str
    person: str
    """The id of the person who has the seat from now on."""
    by: str | None = None
    """The host's name; None in older logs."""


@dataclass(frozen=True, slots=True)
class SeatRequested:
    """A visitor asks the host for the seat of a player who is away."""

    name: str
    person: str
    """The visitor's id."""


@dataclass(frozen=True, slots=True)
class SeatRefused:
    """The host turned away the visitor who asked for a seat."""

    name: str


@dataclass(frozen=True, slots=True)
class PlayersParted:
    """The holders of a seat count as different people in the room's statistics from now on."""

    name: str


@dataclass(frozen=True, slots=True)
class SeatTakenBack:
    """A person took a seat back that the host had given to another browser."""

    name: str
    person: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class Woke:
    """The room was opened again: nobody is here yet but those who are at these other nodes."""

    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Committed:
    """A secret for the next deal; the room shows its SHA-256 from now on."""

    secret: str


@dataclass(frozen=True, slots=True)
class SeedPromised:
    """A person's page sent the SHA-256 of its seed for the next deal."""

    person: str
    hash: str


@dataclass(frozen=True, slots=True)
class ListClosed:
    """A deal was requested: its commitment, cut and hashes are fixed, and now the pages send their seeds."""

    commitment: str
    cut: int | None
    hashes: dict[str, str]
    """By number."""
    givers: dict[str, str]
    """Names, by number."""
    order: dict[str, Any]
    """Which pile goes to which seat (`DealOrder`)."""
    until: int
    """When the room deals without the seeds that are missing, in milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Seeded:
    """A person's page sent its seed. In logs of older versions this came before the deal was requested."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Started:
    """A match began among these people."""

    match_id: str
    seats: list[str]
    ranks: list[str] = field(default_factory=list[str])
    """The hierarchy that they come with from the match before, best first; not all need have a rank."""


@dataclass(frozen=True, slots=True)
class Continued:
    """The match is long, and goes on in another volume: nothing changes at the table, only the id under which it is
    kept, shown and exported from here on."""

    match_id: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """A match goes on here from a moment of another one, among those who are seated: a variation."""

    match_id: str
    origin: dict[str, Any]
    """Which match, hand and move it begins at, and the match before that hand (`Origin`)."""
    deal: dict[str, Any]
    actions: list[dict[str, Any]]
    """What was done in the hand up to there, as in a record."""
    open: list[str] = field(default_factory=list[str])
    """Chairs that wait for whoever comes."""


@dataclass(frozen=True, slots=True)
class SatDown:
    """Somebody sat down at once in a chair of a variation that was nobody's, or a bot's."""

    name: str
    person: str
    node: str = ""


@dataclass(frozen=True, slots=True)
class DealsGiven:
    """The next match here is dealt the cards of another one."""

    match: str
    people: list[str]
    """Persons who played it: they know the cards."""
    hands: list[dict[str, Any]]
    """Its deals, by seat (`KnownDeal`)."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards of a hand, as dealt."""

    deal: Deal
    fair: PastDeal
    """The proof, which is shown when the hand is over."""


class Acted(Struct, frozen=True):
    """An action of the game, in a hand or between hands: a player's own, the clock's or a bot's."""

    # A struct, as is all that each action makes anew.

    by: str
    action: Action
    auto: Auto | None = None


@dataclass(frozen=True, slots=True)
class Hurried:
    """Bots play this hand to its end at once: all people are out of it, and somebody has asked for it."""

    by: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """Somebody asks something of the table."""

    by: str
    matter: Matter
    until: int | None = None
    """When it is decided without those who say nothing, in milliseconds since 1970; None: never."""
    id: str = ""
    """Names this question in votes; empty in logs from before votes named theirs."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """One more wants what is asked."""

    name: str
    until: int | None = None
    """As in `Proposed`, from now on."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was asked is not done: somebody does not want it. None: nobody asks for it any more, or the time is up."""

    by: str | None = None


@dataclass(frozen=True, slots=True)
class Rested:
    """The table rests: no clock runs, and nobody acts."""

    by: str


@dataclass(frozen=True, slots=True)
class WentOn:
    """The table goes on after a rest."""

    by: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last action was taken back by whoever made it: it was never made, as far as the hand is concerned."""

    by: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The match ended here, before its rules said so."""


@dataclass(frozen=True, slots=True)
class Rematched:
    """Back in the waiting room."""


@dataclass(frozen=True, slots=True)
class Rewound:
    """The database lost the last entries of this room, and the room goes on from here."""

    moves: int
    """Deals and actions that are undone."""


@dataclass(frozen=True, slots=True)
class Held:
    """The next hand could not be dealt by itself: it waits for somebody to ask for it."""


Entry: TypeAlias = (
    Opened
    | Recoded
    | Configured
    | Joined
    | LooksChanged
    | BotCame
    | BotSet
    | RoleChanged
    | ChairTaken
    | ReadySet
    | GoingSet
    | Gone
    | Forgotten
    | Rewritten
    | Removed
    | HostChanged
    | CameBack
    | AlsoAt
    | WentAway
    | StoodIn
    | LinkMade
    | LinkAsked
    | SeatRequested
    | SeatRefused
    | PlayersParted
    | SeatMoved
    | SeatTakenBack
    | Woke
    | Committed
    | SeedPromised
    | ListClosed
    | Seeded
    | Started
    | Continued
    | Resumed
    | SatDown
    | DealsGiven
    | Dealt
    | Acted
    | Hurried
    | Proposed
    | Agreed
    | Dropped
    | Rested
    | WentOn
    | TakenBack
    | Stopped
    | Rematched
    | Held
    | Rewound
)

KINDS: dict[str, type[Any]] = {
    "opened": Opened,
    "recoded": Recoded,
    "configured": Configured,
    "joined": Joined,
    "looks_changed": LooksChanged,
    "bot_came": BotCame,
    "bot_set": BotSet,
    "role_changed": RoleChanged,
    "chair_taken": ChairTaken,
    "ready_set": ReadySet,
    "going_set": GoingSet,
    "gone": Gone,
    "forgotten": Forgotten,
    "rewritten": Rewritten,
    "removed": Removed,
    "host_changed": HostChanged,
    "came_back": CameBack,
    "also_at": AlsoAt,
    "went_away": WentAway,
    "stood_in": StoodIn,
    "link_made": LinkMade,
    "link_asked": LinkAsked,
    "seat_requested": SeatRequested,
    "seat_refused": SeatRefused,
    "players_parted": PlayersParted,
    "seat_moved": SeatMoved,
    "seat_taken_back": SeatTakenBack,
    "woke": Woke,
    "committed": Committed,
    "seed_promised": SeedPromised,
    "list_closed": ListClosed,
    "seeded": Seeded,
    "started": Started,
    "continued": Continued,
    "resumed": Resumed,
    "sat_down": SatDown,
    "deals_given": DealsGiven,
    "dealt": Dealt,
    "acted": Acted,
    "hurried": Hurried,
    "proposed": Proposed,
    "agreed": Agreed,
    "dropped": Dropped,
    "rested": Rested,
    "went_on": WentOn,
    "taken_back": TakenBack,
    "stopped": Stopped,
    "rematched": Rematched,
    "held": Held,
    "rewound": Rewound,
}
"""Every entry by its kind, as the log stores it. Never change a kind: a room whose log has it could not be read."""


def stored_fields(of: type[Any]) -> dict[str, str]:
    """Map the name of each field of a stored class to the key under which it is stored.

    A field of a `Struct` keeps its key when it is renamed, with `field(name="its old name")`. A dataclass has no such
    thing: its keys are the names of its fields.
    """
    if issubclass(of, Struct):
        return dict(zip(of.__struct_fields__, of.__struct_encode_fields__, strict=True))
    return {each.name: each.name for each in fields(of)}


def kinds_by_class(kinds: Mapping[str, type[Any]], entries: Collection[type[Any]]) -> dict[type[Any], str]:
    """Map each class of entries to its kind; `TypeError` unless each class has exactly one."""
    found = {of: kind for kind, of in kinds.items()}
    for of in entries:
        if of not in found:
            raise TypeError(f"{of.__name__} has no kind of its own: add a line for it to KINDS")
    if len(kinds) != len(entries):
        raise TypeError("KINDS lists a class twice, or a class that is no entry")
    return found


_NAMES = kinds_by_class(KINDS, get_args(Entry))
_FIELDS = {of: tuple(stored_fields(of).items()) for of in _NAMES if of is not Acted}


def encode(entry: Entry, cmd: tuple[str, str] | None = None) -> tuple[str, dict[str, Any]]:
    """Give (kind, data) as the log keeps it. The data are the entry's fields; of a `Dealt`, the deal's and `fair`."""
    data: dict[str, Any]
    match entry:
        case Acted():
            data = {"by": entry.by, "action": action_json(entry.action), "auto": entry.auto}
        case Dealt(deal, fair):
            data = {**deal.to_json(), "fair": fair}
        case _:
            data = {key: getattr(entry, name) for name, key in _FIELDS[type(entry)]}
    if cmd is not None:
        data["cmd"] = list(cmd)
    return _NAMES[type(entry)], data


def decode(kind: str, data: dict[str, Any]) -> Entry:
    """Give the entry back; `RuleError` for an action that the engine does not know any more.

    A kind that is not known here is a log of a newer version: an assert.
    """
    of = KINDS.get(kind)
    assert of is not None, f"unknown kind of entry: {kind}"
    if of is Acted:
        return Acted(data["by"], parse_action(data["action"]), data.get("auto"))
    if of is Dealt:
        return Dealt(Deal.from_json(data), data["fair"])
    entry: Entry = msgspec.convert(data, of)
    return entry
