"""The state of a room as one immutable value: people, match, settings and clocks, with queries about it.

`dispatch.py` decides about commands, and `reducer.py` applies events. Deadlines are in `deadlines.py`, views in
`room_view.py`, snapshots in `snapshots.py`. All of them are pure: no I/O, and the time and random bytes are
arguments.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hmac import compare_digest
from operator import attrgetter
from typing import Annotated, Any, Literal, Self, TypeAlias, TypedDict

from msgspec import Struct, field
from msgspec.structs import replace

from app.engine.base.frozen import FrozenState
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.cards.action_codec import action_to_json
from app.engine.cards.actions import Action
from app.engine.match.hand import Deal, PlaceJson
from app.engine.match.match import Match
from app.rooms.model.member import Member, Members
from app.rooms.model.requests import NO_REQUESTS, ActionRequests
from app.rooms.model.settings import RoomSettings
from app.rooms.model.shuffle_proof import CancelledDeal, CancelReason, DealRandomness, PastDeal
from app.rooms.model.vote import PauseView, Vote
from app.rooms.money.session import GameSession
from app.rooms.people.avatars import PlayerFace
from app.rooms.ports.facts import HighlightFact

MAX_HANDS_PER_VOLUME = 1000
"""Maximum hands in one volume of a match, which is shown and exported as a whole. Then a new volume starts."""
DEALS_ARE_FOR = MessageTemplate("room.deals_are_for", {"other": "These deals are for {count} players."})
SCREEN_KEY_LENGTH = 32
MOST_PEOPLE = 40
"""People and bots in one room, including spectators."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BOT, _STAND_IN = attrgetter("bot"), attrgetter("stand_in")

RandomBytes = Callable[[int], bytes]
"""Returns the given number of random bytes."""


def to_milliseconds(at: datetime) -> int:
    """Convert an aware datetime to whole milliseconds since 1970, rounded down."""
    since = at - _EPOCH
    return since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000


ActionByName: TypeAlias = tuple[str, Action]
"""The name of a seat, and its action."""


def actions_to_json(actions: Iterable[ActionByName]) -> list[dict[str, Any]]:
    """Return (name, action) pairs as JSON, as in match records: `do`, `by`, and the fields of each action."""
    return [action_to_json(action, by) for by, action in actions]


@dataclass(frozen=True, slots=True)
class PrivateEvent:
    """A game event that only the players in `to` may see, such as cards that they were given."""

    after: int
    """The number of public events before it."""
    to: tuple[str, ...]
    event: Mapping[str, Any]


class ProvenDeal(Struct, frozen=True):
    """The cards of a hand as they were dealt, and the proof of their shuffle."""

    deal: Deal
    fair: PastDeal
    """Shown when the hand is over."""

    def to_json(self) -> dict[str, Any]:
        """Return the fields of the deal, and `fair`."""
        return {**self.deal.to_json(), "fair": self.fair}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Rebuild it from the JSON of `to_json`."""
        return cls(Deal.from_json(data), data["fair"])


class HandLog(Struct, frozen=True):
    """The log of the running or last hand: its deal, actions and game events."""

    dealt: ProvenDeal | None = None
    """None: no hand was dealt, or it was cancelled."""
    between: tuple[ActionByName, ...] = ()
    """The actions before its deal."""
    actions: tuple[ActionByName, ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()
    """Public game events as JSON, each with the number of its action (`n`)."""
    moments: tuple[HighlightFact, ...] = ()
    """Highlights for the history: public events of the hand and of the actions before its deal."""
    hierarchy: tuple[str, ...] = ()
    """The hierarchy at the deal, best first."""
    titles: Mapping[str, str] = {}
    """The titles at the deal, by name."""
    whispers: tuple[PrivateEvent, ...] = ()
    """Private game events in order; empty once the hand is over."""

    def game_events_seen_by(self, name: str) -> Sequence[Mapping[str, Any]]:
        """Return, as JSON and in order, the hand's game events that this player may see, public and private.

        Bots get them. After the hand only the public ones are left.
        """
        if not self.whispers:
            return self.events
        visible, at = list[Mapping[str, Any]](), 0
        for whisper in self.whispers:
            visible += self.events[at : whisper.after]
            at = whisper.after
            if name in whisper.to:
                visible.append(whisper.event)
        return (*visible, *self.events[at:])


class Clocks(Struct, frozen=True):
    """The deadlines of a room, in milliseconds since 1970, such as the ends of turns."""

    turns: Mapping[str, int] = {}
    """End of the turn with the time reserve, by name of the player."""
    reserve_from: Mapping[str, int] = {}
    """When the turn's own time ends, and the reserve begins, by name of the player."""
    reserves: Mapping[str, int] = {}
    """Milliseconds left of a time reserve at the last log entry, by name. Not a deadline. Missing: the whole."""
    away: Mapping[str, int] = {}
    """When a bot takes over, by name of the absent player."""
    host: int | None = None
    """When an absent host is replaced."""
    deal: int | None = None
    """When the next hand is dealt."""
    waits: Mapping[str, int] = {}
    """Start of waiting, by name of the player. Not a deadline."""
    motion: int | None = None
    """When the current vote ends."""
    seeds: int | None = None
    """When the room deals without the missing seeds."""

    @property
    def are_running(self) -> bool:
        """Whether any clock runs."""
        return replace(self, reserves={}) != NO_CLOCKS

    @property
    def next_deadline(self) -> int | None:
        """The room's earliest deadline in milliseconds since 1970, or None.

        While the room waits for seeds of a deal, no other deadline counts.
        """
        if self.seeds is not None:
            return self.seeds
        times = (*self.turns.values(), *self.away.values(), self.host, self.deal, self.motion)
        return min(filter(None, times), default=None)

    def postponed_by(self, ms: int) -> "Clocks":
        """Copy with the deadlines of the game postponed by `ms` milliseconds, in which nobody could act.

        The deadline of an absent host is unchanged, and that of a vote is dropped.
        """
        deal = None if self.deal is None else self.deal + ms
        turns, reserve_from, away, waits = (
            {name: at + ms for name, at in clocks.items()}
            for clocks in (self.turns, self.reserve_from, self.away, self.waits)
        )
        return Clocks(turns, reserve_from, self.reserves, away, self.host, deal, waits)


Phase: TypeAlias = Literal["lobby", "playing", "between_hands", "finished"]

NO_CLOCKS = Clocks()
NO_LOG = HandLog()
NO_CHANCE = DealRandomness(b"")


class DealtView(TypedDict):
    """The cards of a hand as they were dealt. Shown when the hand is over."""

    cards: Annotated[dict[str, str], "The cards of each player, by name."]
    stock: Annotated[str, "Undealt cards, the next to be drawn first."]


class HandInShort(TypedDict):
    """The result of a finished hand."""

    number: Annotated[int, "Number of the hand, from 1."]
    standing: Annotated[list[PlaceJson], "Order of finish, best first. Players who share a place are in a list."]
    ledger: Annotated[dict[str, int], "Points of this hand, by name."]


@dataclass(frozen=True, slots=True)
class LastRanks:
    """The hierarchy of players at the end of a room's last hand, kept so that the next match can begin with it."""

    game: str
    """The key of the game."""
    order: tuple[tuple[str, str | None], ...]
    """Best first: name and person id (None: a bot). A person may return under another name."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The other match from which a match's cards come, so that people may know them.

    Such a match is left out of the statistics.
    """

    match: str
    """The match in which these cards were dealt first."""
    how: Literal["variation", "deals"]
    """Whether this match continues a hand of that match, or uses the cards of all its hands."""
    hand: int = 0
    """The hand in which a variation begins, from 0."""
    move: int = 0
    """The number of actions in that hand before the variation."""
    before: Mapping[str, Any] | None = None
    """For a variation: the match before that hand, as JSON (`Match.from_json` reads it)."""


@dataclass(frozen=True, slots=True)
class KnownDeal:
    """The cards of one hand of an earlier match by seat number, so that any players can be dealt them again.

    Seats are numbered from 0 in playing order; `dealer` is a seat number too. `stock` holds the cards dealt to nobody.
    Random events during the hand follow from `seed`, if it was recorded.
    """

    dealer: int
    cards: tuple[tuple[int, str], ...]
    stock: str
    seed: int | None


@dataclass(frozen=True, slots=True)
class KnownDeals:
    """The cards of an earlier match, hand by hand, with which a room's next match is dealt.

    Later hands are shuffled as usual.
    """

    match: str
    people: tuple[str, ...]
    """Persons who know these cards."""
    hands: tuple[KnownDeal, ...]

    @property
    def player_count(self) -> int:
        """The number of players for whom these cards were dealt; a match with another number can't begin with them."""
        return len(self.hands[0].cards)


class Rank(TypedDict):
    """The place and title of a player at the start of the next match."""

    place: Annotated[int, "The place of the player, 1 for the first."]
    title: Annotated[str | None, "The title under the rules of the next match; null: none."]


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of a room's match, which lasts until a player ends it."""

    by: str
    """The player who asked for it."""
    since: int
    """Start, in milliseconds since 1970."""
    clocks: Clocks
    """The clocks at the start of the pause."""

    @property
    def view(self) -> PauseView:
        """The pause as JSON for the room's public view."""
        return {"by": self.by, "since": self.since}


class UndoPoint(Struct, frozen=True):
    """The match before its last action, to which it returns if the players agree to undo that action."""

    by: str
    """The player of the last action."""
    match: Match
    """The match before the action; `hand` is the record up to then."""
    hand: HandLog
    reserves: Mapping[str, int] = {}
    """The time reserves before the action, as in `Clocks.reserves`."""


class TimeReserve(Struct, frozen=True):
    """The time that each player of a match has for turns that take longer than the turn clock."""

    ms: int
    """Milliseconds at the start of the match, and at most."""
    gain_ms: int = 0
    """Milliseconds that each hand adds."""


class MatchRun(FrozenState, frozen=True):
    """A match in a room with its votes, pauses and record, until the room returns to the waiting room."""

    transient_fields = frozenset({"undo", "requests"})
    match: Match
    match_id: str
    names: Mapping[str, str | None]
    """Person ids by name, for all people who have had a seat in this match. Nobody else may use these names."""
    ranks: tuple[str, ...] = ()
    """The hierarchy carried over into this match, best first; may be empty."""
    reserve: TimeReserve | None = None
    """The time reserve of each player; None: turns have no reserve."""
    motion: Vote | None = None
    """The running vote, if any."""
    rest: Pause | None = None
    """The current pause, if any."""
    undo: UndoPoint | None = None
    """The state before the last action; None if undoing is not allowed or would reveal cards.

    Not stored in snapshots, which are made between hands.
    """
    requests: ActionRequests = NO_REQUESTS
    """The open requests to the seats of the running hand. Not stored in snapshots."""
    hurried: bool = False
    """Whether bots play this hand to its end at once."""
    first: str | None = None
    """The id of the first volume, if this is a later one."""
    before: int = 0
    """Hands dealt in earlier volumes."""
    stopped: bool = False
    """Whether the match was stopped before its end."""
    hand: HandLog = NO_LOG
    between: tuple[ActionByName, ...] = ()
    """Actions since the last hand ended."""
    moments: tuple[HighlightFact, ...] = ()
    """Highlights among these actions, for the history."""
    hands: tuple[HandInShort, ...] = ()
    """Summaries of the last finished hands."""
    ended: int | None = None
    """When the last hand ended, in milliseconds since 1970; later if the server has stood still since."""
    origin: Origin | None = None
    """The source of its cards, if people may know them."""
    former: Mapping[str, tuple[str, ...]] = {}
    """Person ids by name, for former holders of a seat whose later holder has left.

    They may return under that name too, because the host gave their seat to another browser.
    """
    departed: tuple[Member, ...] = ()
    """Players who left this match by their own choice and whose seat is gone, without seat, face and links.

    The host may let them come back from another browser.
    """

    @property
    def hand_number(self) -> int:
        """The number of the running or last hand in this volume of the match, from 0; -1 before the first."""
        return self.match.dealt - self.before - 1

    @property
    def is_over(self) -> bool:
        """Whether the match has ended by its rules, or was stopped."""
        return self.stopped or self.match.over

    @property
    def phase(self) -> Phase:
        """The match's phase: `playing` during a hand, `pause` between two hands, or `finished`."""
        if self.is_over:
            return "finished"
        return "playing" if self.match.is_hand_running else "between_hands"

    @property
    def must_bots_wait(self) -> bool:
        """Whether bots may not act now: the match is paused, or a vote on undoing the last play is running."""
        return self.rest is not None or (self.motion is not None and self.motion.subject == "undo")


class Room(FrozenState, frozen=True):
    """The complete state of one room as an immutable value. `Room()` is the state before its first event."""

    transient_fields = frozenset({"since", "dismissed", "guests_out_at"})
    settings: RoomSettings = field(default_factory=lambda: RoomSettings.parse({}))
    id: str = ""
    """Permanent, and never shown to people."""
    code: str = ""
    invite: str = ""
    seq: int = 0
    """Number of the last applied log entry."""
    since: int = 0
    """Entries since the last known snapshot."""
    members: Members = field(default_factory=dict[str, Member])
    host: str | None = None
    host_before: str | None = None
    """The former host, replaced while they were away. They may become host again."""
    banned: frozenset[str] = frozenset()
    """Persons who are banned from the room."""
    dismissed: Mapping[str, int] = {}
    """Numbers of the log entries by which the host asked spectators to leave, by person, the latest last.

    Not stored in snapshots, because only open sockets need it. The same for `guests_out_at`.
    """
    guests_out_at: int = 0
    """Number of the last log entry with a new address that is only for members. It makes all guests leave."""
    faces: Mapping[str, PlayerFace] = {}
    """The faces of the players (`faces.py`): by person id, or by the name of a bot."""
    run: MatchRun | None = None
    """The match; None in the waiting room."""
    ranks: LastRanks | None = None
    """The last hierarchy, or None."""
    deals: KnownDeals | None = None
    """The known cards for the current or next match; None: cards are shuffled."""
    chance: DealRandomness = NO_CHANCE
    """The random inputs of the current or next deal."""
    cancelled: tuple[CancelledDeal, ...] = ()
    """The deals that were cancelled after their list was closed and are not revealed yet, oldest first."""
    proven: PastDeal | None = None
    """The proof of the last finished deal."""
    dealt: DealtView | None = None
    """The cards of that deal, as they were dealt."""
    turn: int = 0
    """Number of the current turn. It increases with each deal and action, in all matches, so it identifies a moment."""
    rewinds: int = 0
    """Number of times that the database lost the room's last entries. Each time, `seq` decreases."""
    operator_looks: int = 0
    """Number of times that the operator of the server looked at hidden data of the room."""
    clocks: Clocks = NO_CLOCKS
    answers: Mapping[str, Mapping[str, int]] = {}
    """Numbers of the log entries that answered each person's last accepted commands, by command id.

    Persons and command ids are ordered from the oldest.
    """
    evening: GameSession | None = None
    """The balances of the current or last session; None before the first hand."""

    @property
    def match(self) -> Match | None:
        """The running or finished match as the game engine represents it; None in the waiting room."""
        return None if self.run is None else self.run.match

    @property
    def names(self) -> Mapping[str, str | None]:
        """Person ids (None for bots) by name, of all players who have or had a seat in this match.

        Empty in the waiting room.
        """
        return {} if self.run is None else self.run.names

    @property
    def phase(self) -> Phase:
        """The room's phase: `lobby` (waiting room), or its match's phase `playing`, `pause` or `finished`."""
        return "lobby" if self.run is None else self.run.phase

    @property
    def in_match(self) -> bool:
        """Whether a match has begun and is not over, also between two hands."""
        return self.run is not None and not self.run.is_over

    @property
    def is_waiting_for_seeds(self) -> bool:
        """Whether a deal waits for players' random seeds: it was requested, and its cards are not dealt yet."""
        return self.chance.closed is not None and self.phase != "playing"

    def cancelled_outside(self, hand: HandLog) -> tuple[CancelledDeal, ...]:
        """Return the room's cancelled deals that the proof of this hand doesn't reveal."""
        in_proof = () if hand.dealt is None else hand.dealt.fair.get("cancelled", ())
        known = {each["commitment"] for each in in_proof}
        return tuple(each for each in self.cancelled if each["commitment"] not in known)

    def cancelled_deal(self, reason: CancelReason, by: str | None = None) -> CancelledDeal:
        """Return the proof of the deal whose list is closed, to cancel it. `by`: who deleted their data."""
        assert self.chance.closed is not None, "a deal can be cancelled after its list is closed"
        pack = self.settings.game.deck(self.settings.options, len(self.chance.closed.order.seats))
        return self.chance.cancelled_deal(pack, reason, by)

    @property
    def has_connected_person(self) -> bool:
        """Whether a member who is a person is connected. If not, no clock runs and no bot acts."""
        return any(member.is_connected_person for member in self.members.values())

    @property
    def has_playing_bot(self) -> bool:
        """Whether the room has a bot, as a member or playing for a person. If not, no bot needs to be asked."""
        members = self.members.values()
        return any(map(_BOT, members)) or any(map(_STAND_IN, members))

    @property
    def connected_nodes(self) -> frozenset[str]:
        """The nodes (server processes) at which members have connections, as recorded in the log."""
        return frozenset(node for member in self.members.values() for node in member.nodes)

    @property
    def has_connected_player(self) -> bool:
        """Whether a connected person would play the next hand themselves.

        If not, no hand is dealt automatically.
        """
        return any(
            m.is_connected_person and m.active_bot is None and m.role != "spectator" and m.is_staying_person
            for m in self.members.values()
        )

    def may_use_name(self, name: str, person: str | None) -> bool:
        """Return whether this person may join under this name again, which somebody in the match has or had.

        True for its last holder, and for people whose seat the host gave to another browser.
        """
        former = () if self.run is None else self.run.former.get(name, ())
        return self.names.get(name) == person or person in former

    def find_member(self, person: str | None) -> Member | None:
        """Return the member that belongs to this person id, or None; None for None."""
        if person is not None:
            for member in self.members.values():
                if member.person == person:
                    return member
        return None

    @property
    def departed(self) -> tuple[Member, ...]:
        """The players who left the running match by their own choice; they may ask to come back."""
        return self.run.departed if self.run is not None and self.in_match else ()

    def find_player(self, name: str) -> Member | None:
        """Return the member of this name, or the player of this name who left the running match; or None."""
        return self.members.get(name) or next((left for left in self.departed if left.name == name), None)

    def join_refusal(self, person: str | None) -> TranslatableMessage | None:
        """Return why this person may not join the room, as a sentence for them; None if they may.

        The reason is a locked room. Players of this match may always return.
        """
        known = person is not None and person in self.names.values()
        return None if known else self.settings.join_refusal

    def may_watch(self, person: str) -> bool:
        """Return whether this person may see the table: members may, and all others unless the host forbids it."""
        return self.settings.allow_spectators or self.find_member(person) is not None

    def screen_key(self, person: str) -> str:
        """Return the secret key by which a member's link shows the table on a television.

        It follows from the member's id, which nobody else knows. It ends when they leave the room.
        """
        return hashlib.sha256(f"screen {self.id} {person}".encode()).hexdigest()[:SCREEN_KEY_LENGTH]

    def find_screen_owner(self, key: str) -> str | None:
        """Return the id of the member whose link to a television has this key, or None."""
        persons = (member.person for member in self.members.values() if member.person is not None)
        return next(
            (person for person in persons if compare_digest(self.screen_key(person).encode(), key.encode())), None
        )

    def has_match_seat(self, name: str) -> bool:
        """Return whether this name has a seat in a match that is not over."""
        return self.match is not None and self.in_match and name in self.match.seats

    def seated_names(self) -> tuple[str, ...]:
        """Return the names of all people and bots with a seat, in seating order.

        The seats are those of the unfinished match or, if there isn't one, of the waiting room.
        """
        if self.run is not None and self.run.phase != "finished":
            return self.run.match.seats
        return tuple(name for name, member in self.members.items() if member.role == "seated")

    def members_joining_next_deal(self) -> tuple[str, ...]:
        """Return the names of waiting members who want to join the next deal: bots, and people who are connected.

        Those who take a bot's seat come first. Some may find no free seat.
        """
        waiting = [
            name
            for name, member in self.members.items()
            if member.role == "waiting" and (member.bot is not None or member.is_connected)
        ]
        placed = set(self.seats_given_up().values())
        return tuple(sorted(waiting, key=lambda name: name not in placed))

    def seats_given_up(self) -> dict[str, str]:
        """Map each bot and player who gives up a seat with the next deal to the connected member who takes it.

        Empty outside of a match.
        """
        taking = [(one.chair, one.name) for one in self.members.values() if one.chair is not None and one.is_connected]
        if not taking or not self.in_match:
            return {}
        return {giver: name for giver, name in taking if self._gives_up_seat(giver, self.members[name])}

    def _gives_up_seat(self, name: str, taker: Member) -> bool:
        if not self.has_match_seat(name):
            return False
        giver = self.members[name]
        return giver.going is None and (giver.bot is not None or giver.offered_to == taker.person)

    def count_staying_players(self) -> int:
        """Return the number of players in the match who neither leave nor give up their seat before the next deal."""
        up = self.seats_given_up()
        return sum(1 for name in self.seated_names() if self.members[name].going is None and name not in up)

    def count_next_players(self) -> int:
        """Return the number of players that the next hand would have: those who stay and those who join."""
        if not self.in_match:
            return len(self.seated_names())
        stay = self.count_staying_players()
        return max(stay, min(stay + len(self.members_joining_next_deal()), self.settings.player_range[1]))

    def carried_hierarchy(self, seats: Sequence[str]) -> tuple[str, ...]:
        """Return the players among `seats` who bring a rank from the last match into one that begins now, best first.

        Empty without a hierarchy, or if the settings end it.
        """
        ranks, lasting = self.ranks, self.settings.carry_titles
        if ranks is None or lasting == "never" or (lasting == "game" and ranks.game != self.settings.game.key):
            return ()
        now = {member.person or name: name for name, member in self.members.items()}
        names = [now.get(person or name, "") for name, person in ranks.order]
        return tuple(name for name in names if name in seats)

    def with_hierarchy_of(self, run: MatchRun) -> "Room":
        """Copy with this match's hierarchy stored, so that the next match can begin with it.

        Unchanged for a game without titles, and for a match with known cards.
        """
        match = run.match
        if run.origin is not None or not match.game.titles(match):
            return self
        order = tuple((name, run.names.get(name)) for name in match.hierarchy)
        return self.replace(ranks=LastRanks(match.game.key, order))

    def ranks_of_next_match(self) -> dict[str, Rank]:
        """Return the place and title of each player in a match that would begin now, by name, best first.

        Empty if no hierarchy is carried over, or the number of players is wrong.
        """
        seats = self.seated_names()
        ranks = self.carried_hierarchy(seats)
        if not ranks or self.settings.player_count_refusal(len(seats)) is not None:
            return {}
        match = Match.start(self.settings.game, self.settings.options, seats, ranks)
        titles = match.game.titles(match)
        return {name: {"place": place, "title": titles.get(name)} for place, name in enumerate(match.hierarchy, 1)}

    def deal_refusal(self) -> TranslatableMessage | None:
        """Return why no hand can be dealt now, as a sentence for people: wrong number of players.

        None if a hand can be dealt, while one is running, and after the match.
        """
        if self.phase not in ("lobby", "between_hands"):
            return None
        if self.phase == "lobby" and self.deals is not None and self.count_next_players() != self.deals.player_count:
            return DEALS_ARE_FOR(count=self.deals.player_count)
        return self.settings.player_count_refusal(
            self.count_next_players(), match_has_begun=self.phase == "between_hands"
        )

    def with_member(self, changed: Member) -> "Room":
        """Copy with this member replaced, or added if nobody has the name."""
        return self.replace(members={**self.members, changed.name: changed})
