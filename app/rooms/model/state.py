"""A room: its people, their match and its clocks, as one frozen value, and what may be asked about it.

`dispatch.py` says what a command leads to, `reducer.py` makes the next room of an entry of the log; deadlines are in
`deadlines.py`, what people see in `room_view.py`, snapshots in `snapshots.py`. None of them does I/O, awaits, or asks
what time it is: the time and random bytes come in as arguments.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from typing import Annotated, Any, Literal, TypeAlias, TypedDict

from msgspec import Struct, field

from app.engine.base.frozen import Value
from app.engine.base.messages import Said, Sentence
from app.engine.cards.action_codec import action_json
from app.engine.cards.actions import Action
from app.engine.match.hand import Place
from app.engine.match.match import Match
from app.rooms.model.events import Dealt
from app.rooms.model.member import Member, Members
from app.rooms.model.requests import NO_REQUESTS, Requests
from app.rooms.model.settings import RoomSettings
from app.rooms.model.shuffle_proof import Chance, PastDeal
from app.rooms.model.vote import Motion, RestShown
from app.rooms.money.session import Evening
from app.rooms.ports.facts import Memorable

MOST_HANDS = 1000
"""In one volume of a match: it is shown and exported whole. What follows is the next volume."""
DEALS_ARE_FOR = Sentence("room.deals_are_for", {"other": "These deals are for {count} players."})
MOST_PEOPLE = 40
"""People and bots in one room, watchers included."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BOT, _STAND_IN = attrgetter("bot"), attrgetter("stand_in")

Draw = Callable[[int], bytes]
"""So many random bytes."""


def milliseconds(at: datetime) -> int:
    """Turn a time into whole milliseconds since 1970."""
    since = at - _EPOCH
    return since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000


Made: TypeAlias = tuple[str, Action]
"""An action, and by whom."""


def made_json(made: Iterable[Made]) -> list[dict[str, Any]]:
    """Give actions as records have them: `do`, `by`, and what else belongs to each."""
    return [action_json(action, by) for by, action in made]


@dataclass(frozen=True, slots=True)
class Whisper:
    """Something that only some were told."""

    after: int
    """How many public events came before it."""
    to: tuple[str, ...]
    event: Mapping[str, Any]


class HandLog(Struct, frozen=True):
    """The hand that runs, or ran last, as a record tells it."""

    dealt: Dealt | None = None
    """None: no hand was dealt, or it was given up."""
    between: tuple[Made, ...] = ()
    """What was done before it was dealt."""
    actions: tuple[Made, ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()
    """The public ones as JSON, each with the number of its action (`n`)."""
    moments: tuple[Memorable, ...] = ()
    """Those of them, and of what was done before the deal, that people will speak of later."""
    hierarchy: tuple[str, ...] = ()
    """Best first, as it was when the cards were dealt."""
    titles: Mapping[str, str] = {}
    """As they were then, by name."""
    whispers: tuple[Whisper, ...] = ()
    """What only some were told, in order; nothing once the hand is over."""

    def told(self, name: str) -> Sequence[Mapping[str, Any]]:
        """What a seat has been told since the deal, in order: what everybody was, and what only it or some were."""
        if not self.whispers:
            return self.events
        told, at = list[Mapping[str, Any]](), 0
        for whisper in self.whispers:
            told += self.events[at : whisper.after]
            at = whisper.after
            if name in whisper.to:
                told.append(whisper.event)
        return (*told, *self.events[at:])


class Clocks(Struct, frozen=True):
    """Deadlines, in milliseconds since 1970."""

    turns: Mapping[str, int] = {}
    """Until when these are to act."""
    away: Mapping[str, int] = {}
    """When a bot stands in for these."""
    host: int | None = None
    """When the powers of a host who is gone pass on."""
    deal: int | None = None
    """When the next hand is dealt."""
    waits: Mapping[str, int] = {}
    """Since when these have been waited for. No deadline: nothing happens by itself."""
    motion: int | None = None
    """When what is asked of the table is decided without those who say nothing."""
    seeds: int | None = None
    """When the room deals without the seeds that are missing."""

    @property
    def first(self) -> int | None:
        """The earliest deadline, or None. Until the cards are dealt, all but that of the seeds stand still."""
        if self.seeds is not None:
            return self.seeds
        times = (*self.turns.values(), *self.away.values(), self.host, self.deal, self.motion)
        return min(filter(None, times), default=None)

    def later(self, ms: int) -> "Clocks":
        """Give the same clocks for those who have stood still for so long, but for what is not of the game."""
        deal = None if self.deal is None else self.deal + ms
        turns, away, waits = (
            {name: at + ms for name, at in clocks.items()} for clocks in (self.turns, self.away, self.waits)
        )
        return Clocks(turns, away, self.host, deal, waits)


Phase: TypeAlias = Literal["lobby", "playing", "pause", "finished"]

NO_CLOCKS = Clocks()
NO_LOG = HandLog()
NO_CHANCE = Chance(b"")


class DealtShown(TypedDict):
    """The cards of a hand as they were dealt, shown when the hand is over."""

    cards: Annotated[dict[str, str], "By name."]
    stock: Annotated[str, "What was not dealt, next to be drawn first."]


class HandInShort(TypedDict):
    """One finished hand of this match."""

    number: Annotated[int, "From 1."]
    standing: Annotated[list[Place], "Best first; those who share a place stand in a list."]
    ledger: Annotated[dict[str, int], "What the hand added, by name."]


@dataclass(frozen=True, slots=True)
class LastRanks:
    """The last hierarchy of a room: it lasts longer than the match that made it."""

    game: str
    """Whose it was."""
    order: tuple[tuple[str, str | None], ...]
    """Best first: the name, and the person (None: a bot), who may come back under another name."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the cards of a match come from, if people may know them. Such a match counts for nothing but itself."""

    match: str
    """The match that was dealt these cards first."""
    how: Literal["variation", "deals"]
    """It goes on from a moment of that match, or is dealt all its cards anew."""
    hand: int = 0
    """The hand that a variation goes on in, from 0."""
    move: int = 0
    """How many actions of it were made before."""
    before: Mapping[str, Any] | None = None
    """Of a variation: the match before that hand (`Match.save`)."""


@dataclass(frozen=True, slots=True)
class KnownDeal:
    """The cards of one hand by seat, whoever sits there; seats are numbered as they stand around the table."""

    dealer: int
    cards: tuple[tuple[int, str], ...]
    stock: str
    seed: int | None


@dataclass(frozen=True, slots=True)
class KnownDeals:
    """What the next match of a room is dealt, hand after hand; then the room deals by itself."""

    match: str
    people: tuple[str, ...]
    """Persons who know these cards."""
    hands: tuple[KnownDeal, ...]

    @property
    def players(self) -> int:
        """For how many they are."""
        return len(self.hands[0].cards)


class Rank(TypedDict):
    """What somebody will be when the next match begins."""

    place: Annotated[int, "1 for the top."]
    title: Annotated[str | None, "What the next match’s rules call it."]


@dataclass(frozen=True, slots=True)
class Rest:
    """A table that rests, until somebody goes on."""

    by: str
    """Who asked for it."""
    since: int
    """Milliseconds since 1970."""
    clocks: Clocks
    """As they were then."""

    @property
    def shown(self) -> RestShown:
        """What everybody sees."""
        return {"by": self.by, "since": self.since}


class Undo(Struct, frozen=True):
    """What the last action can be taken back to."""

    by: str
    """Who made it."""
    match: Match
    """Before it, and the hand so far."""
    hand: HandLog


class Run(Value, frozen=True):
    """A match in a room: from its start until everybody is back in the waiting room."""

    apart = frozenset({"undo", "requests"})
    match: Match
    match_id: str
    names: Mapping[str, str | None]
    """Everybody who has had a place in this match, with the person: nobody else may take such a name."""
    ranks: tuple[str, ...] = ()
    """The hierarchy with which it began, best first; empty if none was carried over."""
    motion: Motion | None = None
    """What is asked of the table."""
    rest: Rest | None = None
    """Whether the table rests."""
    undo: Undo | None = None
    """What the last action can be taken back to; None where it showed somebody a card, or none can be at this table.
    It is no part of a snapshot: that is made between hands."""
    requests: Requests = NO_REQUESTS
    """What the seats of the running hand are asked; no part of a snapshot either."""
    hurried: bool = False
    """Whether bots play this hand to its end at once."""
    first: str | None = None
    """The id of its first volume, if it goes on in another."""
    before: int = 0
    """Hands dealt in volumes before this one."""
    stopped: bool = False
    """Whether the match was ended before its rules said so."""
    hand: HandLog = NO_LOG
    between: tuple[Made, ...] = ()
    """What was done since the last hand ended."""
    moments: tuple[Memorable, ...] = ()
    """What of that people will speak of later."""
    hands: tuple[HandInShort, ...] = ()
    """The last finished hands, in short."""
    ended: int | None = None
    """When the last hand ended."""
    origin: Origin | None = None
    """Where its cards come from, if they are known."""
    former: Mapping[str, tuple[str, ...]] = {}
    """The ids of persons who may come back under a name of this match, besides the one in `names`: the host gave their
    seat to another browser, whose person has left since."""

    @property
    def number(self) -> int:
        """The hand that runs or ran last, from 0, in this volume."""
        return self.match.dealt - self.before - 1

    @property
    def is_over(self) -> bool:
        """Whether the match is over, or was ended."""
        return self.stopped or self.match.over

    @property
    def phase(self) -> Phase:
        """`playing`, `pause` (a hand is over, the next not dealt) or `finished` (the match is over)."""
        if self.is_over:
            return "finished"
        return "playing" if self.match.running else "pause"

    @property
    def rests(self) -> bool:
        """Whether bots wait: the table rests, or may be about to take something back."""
        return self.rest is not None or (self.motion is not None and self.motion.matter == "take_back")


class Room(Value, frozen=True):
    """The state of one room. `Room()` is the one before its first entry."""

    apart = frozenset({"since"})
    settings: RoomSettings = field(default_factory=lambda: RoomSettings.make({}))
    id: str = ""
    """For ever; nobody needs to know it."""
    code: str = ""
    invite: str = ""
    seq: int = 0
    """Of the last entry folded."""
    since: int = 0
    """Entries since the last snapshot that is known here."""
    members: Members = field(default_factory=dict[str, Member])
    host: str | None = None
    host_before: str | None = None
    """The host whose powers were passed on while they were away. They may have them again."""
    banned: frozenset[str] = frozenset()
    """Persons whom a host keeps out."""
    hues: Mapping[str, int] = {}
    """The colour of each player (`colours.py`): of a person by id, of a bot by its name."""
    run: Run | None = None
    """The match; None in the waiting room."""
    ranks: LastRanks | None = None
    """The last hierarchy; None before there was one."""
    deals: KnownDeals | None = None
    """What the next match is dealt, or the one that runs; None: what chance says."""
    chance: Chance = NO_CHANCE
    """Of the hand that runs or comes next."""
    proven: PastDeal | None = None
    """The proof of the last deal that is over."""
    dealt: DealtShown | None = None
    """The cards of that deal, as they were dealt."""
    turn: int = 0
    """Grows with every deal and every action, in whatever match: so what was meant for another moment can be told."""
    rewinds: int = 0
    """How often the database lost the last entries of this room. After that `seq` is lower than it was."""
    clocks: Clocks = NO_CLOCKS
    answers: Mapping[str, Mapping[str, int]] = {}
    """For each person, the seqs of the entries that answered their last accepted commands, by the commands' ids. Both
    have the oldest first."""
    evening: Evening | None = None
    """Who owes whom by the hands of the evening, or of the last one; None before the first hand."""

    @property
    def match(self) -> Match | None:
        """The match as the engine has it; None in the waiting room."""
        return None if self.run is None else self.run.match

    @property
    def names(self) -> Mapping[str, str | None]:
        """Everybody who has had a place in the match, with the person."""
        return {} if self.run is None else self.run.names

    @property
    def phase(self) -> Phase:
        """`lobby`, or the phase of the match: `playing`, `pause` or `finished`."""
        return "lobby" if self.run is None else self.run.phase

    @property
    def in_match(self) -> bool:
        """Whether a match goes on."""
        return self.run is not None and not self.run.is_over

    @property
    def is_dealing(self) -> bool:
        """Whether the list of a deal is closed and its cards are not dealt yet: the room accepts nothing but seeds."""
        return self.chance.closed is not None and self.phase != "playing"

    @property
    def anybody_here(self) -> bool:
        """Whether a person with a name here has a socket open. If not, the room rests: no clock runs, no bot acts."""
        return any(member.is_here for member in self.members.values())

    @property
    def bots_play(self) -> bool:
        """Whether a bot plays here, for itself or in somebody's place."""
        members = self.members.values()
        return any(map(_BOT, members)) or any(map(_STAND_IN, members))

    @property
    def nodes(self) -> frozenset[str]:
        """Where people who have a name here have sockets open."""
        return frozenset(node for member in self.members.values() for node in member.nodes)

    @property
    def anybody_plays(self) -> bool:
        """Whether a person who is here would play the next hand themselves."""
        return any(m.is_here and m.player is None and m.role != "watcher" and m.stays for m in self.members.values())

    def may_be(self, name: str, person: str | None) -> bool:
        """Whether this person may come back under this name, which somebody has had in the match."""
        former = () if self.run is None else self.run.former.get(name, ())
        return self.names.get(name) == person or person in former

    def member_of(self, person: str | None) -> Member | None:
        """Find the member that this person is here; None: nobody."""
        if person is not None:
            for member in self.members.values():
                if member.person == person:
                    return member
        return None

    def shut_to(self, person: str | None) -> Said | None:
        """Say why somebody without a name here may not come in; None if they may. Who was in this match is not new."""
        known = person is not None and person in self.names.values()
        return None if known else self.settings.shut

    def has_place(self, name: str) -> bool:
        """Whether this name has a place in the match that goes on."""
        return self.match is not None and self.in_match and name in self.match.seats

    def seated(self) -> tuple[str, ...]:
        """List everybody with a seat, in the order of the seats."""
        if self.run is not None and self.run.phase != "finished":
            return self.run.match.seats
        return tuple(name for name, member in self.members.items() if member.role == "seated")

    def comers(self) -> tuple[str, ...]:
        """List those who would come in with the next deal, if there were room for all: who has a bot's chair first."""
        waiting = [
            name
            for name, member in self.members.items()
            if member.role == "waiting" and (member.bot is not None or member.present)
        ]
        placed = set(self.making_place().values())
        return tuple(sorted(waiting, key=lambda name: name not in placed))

    def making_place(self) -> dict[str, str]:
        """List the bots that get up with the next deal, each with whoever has its chair then and is here."""
        taking = [(one.chair, one.name) for one in self.members.values() if one.chair is not None and one.present]
        if not taking or not self.in_match:
            return {}
        return {bot: name for bot, name in taking if self._sits_as_bot(bot)}

    def _sits_as_bot(self, name: str) -> bool:
        return self.has_place(name) and self.members[name].bot is not None and self.members[name].going is None

    def staying(self) -> int:
        """Count those who have a seat in the match and would keep it with the next deal."""
        up = self.making_place()
        return sum(1 for name in self.seated() if self.members[name].going is None and name not in up)

    def players_next(self) -> int:
        """Count those who would play the next hand."""
        if not self.in_match:
            return len(self.seated())
        stay = self.staying()
        return max(stay, min(stay + len(self.comers()), self.settings.players[1]))

    def carried(self, seats: Sequence[str]) -> tuple[str, ...]:
        """List those of these who have a rank when a match begins now, best first, as the host wishes it."""
        ranks, lasting = self.ranks, self.settings.ranks
        if ranks is None or lasting == "never" or (lasting == "game" and ranks.game != self.settings.game.key):
            return ()
        now = {member.person or name: name for name, member in self.members.items()}
        names = [now.get(person or name, "") for name, person in ranks.order]
        return tuple(name for name in names if name in seats)

    def ranked(self, run: Run) -> "Room":
        """Copy that remembers a match's hierarchy, which lasts longer; a game without titles leaves the last one be."""
        match = run.match
        if run.origin is not None or not match.game.titles(match):
            return self
        order = tuple((name, run.names.get(name)) for name in match.hierarchy)
        return self.but(ranks=LastRanks(match.game.key, order))

    def society(self) -> dict[str, Rank]:
        """List those who would come into a match that began now with a rank; what they would be, best first."""
        seats = self.seated()
        ranks = self.carried(seats)
        if not ranks or self.settings.why_not(len(seats)) is not None:
            return {}
        match = Match.start(self.settings.game, self.settings.options, seats, ranks)
        titles = match.game.titles(match)
        return {name: {"place": place, "title": titles.get(name)} for place, name in enumerate(match.hierarchy, 1)}

    def why_not(self) -> Said | None:
        """Say in a sentence why no hand can be dealt now; None if one can."""
        if self.phase not in ("lobby", "pause"):
            return None
        if self.phase == "lobby" and self.deals is not None and self.players_next() != self.deals.players:
            return DEALS_ARE_FOR(count=self.deals.players)
        return self.settings.why_not(self.players_next(), begun=self.phase == "pause")

    def with_member(self, changed: Member) -> "Room":
        """Copy with this member as they are now."""
        return self.but(members={**self.members, changed.name: changed})
