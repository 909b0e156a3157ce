"""The settings of a room: game and options, clocks, speed of bots, stake and permissions.

`RoomSettings.parse` validates a host's input; `to_json` returns the form stored in the log.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, TypeAlias, TypedDict, cast, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from app.bots import DEFAULT_STAND_IN, StandIn
from app.engine.base.errors import RuleError
from app.engine.base.frozen import FrozenState
from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_and, join_with_or
from app.engine.base.options import Options
from app.engine.display.events import GameEvent, GameEventType
from app.engine.display.table_display import Felt
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.rooms.errors import RoomError
from app.rooms.money.stake import Stake, StakeView

TitleCarryOver: TypeAlias = Literal["never", "game", "always"]
"""When the hierarchy carries over into the next match: never, in the same game, or in any game that has one."""
Pace: TypeAlias = Literal["slow", "normal", "fast", "at_once"]
PACES: Mapping[Pace, float] = dict(zip(get_args(Pace), (2.0, 0.8, 0.3, 0.0), strict=True))
"""Bot delays in seconds, by pace."""

LONGEST_TURN = 24 * 3600
LONGEST_PAUSE = 3600
LONGEST_RESERVE = 3600
LONGEST_DELAY = 10
_CLOCKS = "“turn”, “reserve”, “reserve_gain”, “pause”, “away” and “patience”"


class ClockChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes of time limits, in seconds; null: no limit. Missing keys stay unchanged."""

    turn: Annotated[float | UnsetType | None, Meta(description="Seconds for each turn; null: no limit.")] = UNSET
    reserve: Annotated[
        float | UnsetType | None,
        Meta(description="Seconds that each player has for turns that take longer, in a match; null: none."),
    ] = UNSET
    reserve_gain: Annotated[
        float | UnsetType, Meta(description="Seconds that each hand adds to a reserve, up to its first size.")
    ] = UNSET
    pause: Annotated[
        float | UnsetType | None,
        Meta(description="Seconds from the end of a hand to the next deal; null: no automatic deal."),
    ] = UNSET
    away: Annotated[float | UnsetType, Meta(description="Seconds until a bot plays for an absent player.")] = UNSET
    patience: Annotated[
        float | UnsetType,
        Meta(description="Seconds until others may let a bot play for a connected player who does not act."),
    ] = UNSET


class ClockSettings(TypedDict):
    """Time limits in seconds; null: no limit."""

    turn: Annotated[float | None, "Seconds for each turn; null: no limit."]
    reserve: Annotated[
        float | None,
        "Seconds that each player has for turns that take longer; null: none. A change counts from the next match on.",
    ]
    reserve_gain: Annotated[float, "Seconds that each hand adds to a reserve, up to its first size."]
    pause: Annotated[float | None, "Seconds from the end of a hand to the next deal; null: no automatic deal."]
    away: Annotated[float, "Seconds until a bot plays for an absent player."]
    patience: Annotated[float, "Seconds until others may let a bot play for a connected player who does not act."]


class SettingsView(TypedDict):
    """The settings of the room."""

    game: Annotated[str, "The key of the game, as in `GET /api/games`."]
    felt: Annotated[Felt, "The cloth of the game."]
    preset: Annotated[str, "The preset that the options are based on."]
    options: Annotated[dict[str, Any], "The value of each option."]
    differences: Annotated[dict[str, Any], "The options that differ from the preset, most important first."]
    clock: Annotated[ClockSettings, "Time limits."]
    bots_delay: Annotated[float, "Seconds that bots wait before they act."]
    pace: Annotated[Pace | None, "The name of this delay; null: it has none."]
    min: Annotated[int, "Minimum number of players."]
    max: Annotated[int, "Maximum number of players."]
    carry_titles: Annotated[
        TitleCarryOver, "When titles carry over into the next match: never, in the same game, or always."
    ]
    locked: Annotated[bool, "Whether new people can't join."]
    chat: Annotated[bool, "Whether the chat is on."]
    allow_undo: Annotated[bool, "Whether players may undo their last play if all agree."]
    seat_offers: Annotated[bool, "Whether players may give their seats to spectators."]
    allow_spectators: Annotated[bool, "Whether people may watch who have not joined."]
    stand_in: Annotated[StandIn, "The level of the bot that plays for absent players."]
    stake: Annotated[StakeView | None, "The price of a point; null: none."]


_BOUNDS: dict[str, tuple[float, float]] = {
    "turn": (0.05, LONGEST_TURN),
    "reserve": (0.05, LONGEST_RESERVE),
    "reserve_gain": (0, LONGEST_RESERVE),
    "pause": (0, LONGEST_PAUSE),
    "away": (0.05, LONGEST_TURN),
    "patience": (0.05, LONGEST_TURN),
}
_NO_HURRY = frozenset({"turn", "reserve", "pause"})
"""Clocks that may be null."""


CLOCK_HAS_NO = MessageTemplate("room.clock_has_no", "The time limits have no “{name}”. Allowed: {clocks}.")
RESERVE_NEEDS_TURN = MessageTemplate(
    "room.reserve_needs_turn", "A time reserve needs a time limit for each turn. Set “turn”, too, or no “reserve”."
)
CLOCK_HAS = MessageTemplate("room.clock_has", "The time limits are {clocks}, in seconds.")


def read_clock(given: object) -> ClockChange:
    """Parse a room's clock settings from JSON.

    Raises `RoomError` `bad_setting` for other keys or no JSON object. The values are checked later, by
    `RoomSettings.with_changes`.
    """
    if not isinstance(given, Mapping):
        raise RoomError("bad_setting", CLOCK_HAS(clocks=_CLOCKS))
    values = cast("Mapping[str, Any]", given)
    for name in values:
        if name not in _BOUNDS:
            raise RoomError("bad_setting", CLOCK_HAS_NO(clocks=_CLOCKS, name=name[:30]))
    return ClockChange(**values)


LOCKED = MessageTemplate("room.locked", "The host has locked this room. Ask the host to unlock it.")
CONFIGURED = GameEventType("configured", "{by} has changed the settings.", you="You have changed the settings.")
ROOM_LOCKED = GameEventType(
    "room_locked",
    "{by} has locked the room: nobody new can join.",
    you="You have locked the room: nobody new can join.",
)
ROOM_OPENED = GameEventType("room_opened", "{by} has unlocked the room.", you="You have unlocked the room.")
CHAT_ON = GameEventType("chat_on", "{by} has turned chat on.", you="You have turned chat on.")
CHAT_OFF = GameEventType("chat_off", "{by} has turned chat off.", you="You have turned chat off.")
TITLE_CARRY_OVERS: tuple[TitleCarryOver, ...] = get_args(TitleCarryOver)
RANKS_LAST = MessageTemplate("room.ranks_last", "“carry_titles” must be one of {values}.")
NO_SUCH_GAME = MessageTemplate("room.no_such_game", "This game does not exist. Games: {names}.")


class RoomSettings(FrozenState, frozen=True, dict=True):
    """The settings of a room: game, options, clocks, bots, stake and permissions. Immutable."""

    game: AnyGame
    options: Options
    turn: float | None = None
    """Seconds for each turn; None: no clock."""
    reserve: float | None = None
    """Seconds that each player has in a match for turns that take longer; None: no reserve."""
    reserve_gain: float = 0
    """Seconds that each hand adds to a reserve, up to its first size."""
    pause: float | None = None
    """Seconds from the end of a hand to the next deal; None: until a player asks for it."""
    away: float = 60
    """Seconds until a bot plays for an absent person, and until an absent host is replaced."""
    patience: float = 45
    """Seconds of waiting for a player until everybody sees it, and may let a bot play for them."""
    bots_delay: float = PACES["normal"]
    """Seconds for which a bot seems to think."""
    carry_titles: TitleCarryOver = "game"
    """When the hierarchy carries over into the next match."""
    locked: bool = False
    """Whether new people are refused."""
    chat: bool = True
    """Whether the chat is on."""
    allow_undo: bool = False
    """Whether a player may undo their last play, if all agree."""
    seat_offers: bool = True
    """Whether a player may give their seat to a spectator."""
    allow_spectators: bool = True
    """Whether people may watch who have not joined."""
    stand_in: StandIn = DEFAULT_STAND_IN
    """The kind of bot that plays for absent people."""
    stake: Stake | None = None
    """The price of a point; None: the match is not played for anything."""

    @classmethod
    def parse(cls, given: Mapping[str, Any], *, already_accepted: bool = False) -> "RoomSettings":
        """Build a room's settings from JSON as in `to_json`; missing keys get their defaults.

        Raises `RoomError` or `RuleError` for wrong values. `already_accepted`: the settings come from a log, so
        options of older versions are accepted, and missing options mean the basic game.
        """
        first = next(iter(GAMES.values()))
        clock = given.get("clock")
        rest = {
            "locked": given.get("locked", False),
            "chat": given.get("chat", True),
            "allow_undo": given.get("allow_undo", False),
            "seat_offers": given.get("seat_offers", True),
            "allow_spectators": given.get("allow_spectators", True),
            "stand_in": given.get("stand_in", DEFAULT_STAND_IN),
        }
        return cls(first, first.option_schema.new_room_options(), **rest).with_changes(
            given.get("game", first.key),
            given.get("options", {} if already_accepted else None),
            None if clock is None else read_clock(clock),
            given.get("bots_delay"),
            given.get("carry_titles"),
            given.get("stake"),
            already_accepted=already_accepted,
        )

    def with_changes(
        self,
        game: object = None,
        options: object = None,
        clock: ClockChange | None = None,
        bots_delay: float | None = None,
        carry_titles: object = None,
        stake: object = UNSET,
        pace: Pace | None = None,
        allow_undo: bool | None = None,
        seat_offers: bool | None = None,
        allow_spectators: bool | None = None,
        stand_in: StandIn | None = None,
        *,
        already_accepted: bool = False,
    ) -> "RoomSettings":
        """Return the room's settings with some changed; None leaves a setting unchanged, but removes the stake.

        Raises `RoomError` `bad_setting` or `RuleError` `bad_option` for wrong values. Another game without `options`
        gets those of a new room. `pace` names a bot delay.
        """
        new: dict[str, Any] = {}
        played = self.game
        if game is not None and game != self.game.key:
            chosen = GAMES.get(game) if isinstance(game, str) else None
            if chosen is None:
                raise RoomError("bad_setting", NO_SUCH_GAME(names=join_with_and(GAMES)))
            played = new["game"] = chosen
            new["options"] = chosen.option_schema.new_room_options()
        if options is not None:
            new["options"] = played.option_schema.resolve_options(options, already_accepted=already_accepted)
        if clock is not None:
            new |= _checked_clock_changes(clock)
            if new.get("reserve", self.reserve) is not None and new.get("turn", self.turn) is None:
                raise RoomError("bad_setting", RESERVE_NEEDS_TURN())
        bots_delay = bots_delay if pace is None else PACES[pace]
        if bots_delay is not None:
            _check_seconds("bots_delay", bots_delay, 0, LONGEST_DELAY)
            new["bots_delay"] = bots_delay
        if carry_titles is not None:
            if carry_titles not in TITLE_CARRY_OVERS:
                raise RoomError("bad_setting", RANKS_LAST(values=join_with_or(TITLE_CARRY_OVERS)))
            new["carry_titles"] = carry_titles
        if allow_undo is not None:
            new["allow_undo"] = allow_undo
        if seat_offers is not None:
            new["seat_offers"] = seat_offers
        if allow_spectators is not None:
            new["allow_spectators"] = allow_spectators
        if stand_in is not None:
            new["stand_in"] = stand_in
        if stake is not UNSET:
            new["stake"] = None if stake is None else Stake.parse(stake)
        return self.replace(**new)

    @property
    def _clock_json(self) -> ClockSettings:
        return {
            "turn": self.turn,
            "reserve": self.reserve,
            "reserve_gain": self.reserve_gain,
            "pause": self.pause,
            "away": self.away,
            "patience": self.patience,
        }

    @property
    def match_rules(self) -> tuple[object, ...]:
        """The settings that decide how a match is played: game, options, stake, turn clock and time reserve.

        If they change, players must confirm again that they are ready.
        """
        return self.game.key, self.options, self.stake, self.turn, self.reserve, self.reserve_gain

    def to_json(self) -> dict[str, Any]:
        """Return the room's settings as stored in the log, with the keys that `parse` reads."""
        return {
            "game": self.game.key,
            "options": self.options.to_json(),
            "clock": self._clock_json,
            "bots_delay": self.bots_delay,
            "carry_titles": self.carry_titles,
            "locked": self.locked,
            "chat": self.chat,
            "allow_undo": self.allow_undo,
            "seat_offers": self.seat_offers,
            "allow_spectators": self.allow_spectators,
            "stand_in": self.stand_in,
            "stake": None if self.stake is None else self.stake.to_json(),
        }

    def changes_since(self, before: "RoomSettings") -> dict[str, Any]:
        """Return the settings that differ from `before`, as stored in the log; `with_stored_changes` reads them.

        Options and time limits are compared one by one. Another game brings all its options.
        """
        now, was = self.to_json(), before.to_json()
        parts = {"clock"} if self.game.key != before.game.key else {"clock", "options"}
        return {
            key: {name: each for name, each in value.items() if each != was[key][name]} if key in parts else value
            for key, value in now.items()
            if value != was[key]
        }

    def with_stored_changes(self, changes: Mapping[str, Any]) -> "RoomSettings":
        """Return the room's settings with the changes that `changes_since` returned before they were stored."""
        now = self.to_json()
        parts = ("clock",) if "game" in changes else ("clock", "options")
        merged = {key: {**now[key], **changes[key]} for key in parts if key in changes}
        return RoomSettings.parse({**now, **changes, **merged}, already_accepted=True)

    def build_change_event(self, before: "RoomSettings", by: str | None) -> GameEvent:
        """Return the event that tells people that the host `by` has changed settings since `before`.

        It is that of locking if that differs, else that of the chat if that differs, else a general one.
        """
        if self.locked != before.locked:
            return (ROOM_LOCKED if self.locked else ROOM_OPENED)(by)
        if self.chat != before.chat:
            return (CHAT_ON if self.chat else CHAT_OFF)(by)
        return CONFIGURED(by)

    @property
    def join_refusal(self) -> TranslatableMessage | None:
        """Why new people are refused, as a sentence for them: the room is locked. None: they may join."""
        return LOCKED() if self.locked else None

    @cached_property
    def view(self) -> SettingsView:
        """The room's settings as JSON for the public view, which everybody in the room sees."""
        low, high = self.player_range
        return {
            "game": self.game.key,
            "felt": self.game.felt,
            "preset": self.options.preset,
            "options": dict(self.options.values_by_key),
            "differences": self.game.option_schema.changes_from_preset(self.options),
            "clock": self._clock_json,
            "bots_delay": self.bots_delay,
            "pace": next((name for name, seconds in PACES.items() if seconds == self.bots_delay), None),
            "min": low,
            "max": high,
            "carry_titles": self.carry_titles,
            "locked": self.locked,
            "chat": self.chat,
            "allow_undo": self.allow_undo,
            "seat_offers": self.seat_offers,
            "allow_spectators": self.allow_spectators,
            "stand_in": self.stand_in,
            "stake": None if self.stake is None else self.stake.view,
        }

    @cached_property
    def player_range(self) -> tuple[int, int]:
        """The minimum and maximum number of players of a match with this game and these options."""
        return self.game.player_limits(self.options)

    def player_count_refusal(self, count: int, *, match_has_begun: bool = False) -> TranslatableMessage | None:
        """Return why `count` players can't begin a match, as a sentence for people; None: they can.

        With `match_has_begun`: why they can't continue one.
        """
        return _player_count_refusal(self.game.key, self.options, count, match_has_begun)


@lru_cache
def _player_count_refusal(game: str, options: Options, count: int, match_has_begun: bool) -> TranslatableMessage | None:
    """Return why this number of players can't begin or continue a match of this game; None: they can.

    Cached, because every view of a room between matches needs it.
    """
    try:
        GAMES[game].check_players(options, count, begun=match_has_begun)
    except RuleError as error:
        return error.sentence
    return None


def _checked_clock_changes(change: ClockChange) -> dict[str, float | None]:
    """Return the changed clocks in seconds, by name. Raises `RoomError` for a value outside of its range."""
    changes = {name: value for name in _BOUNDS if (value := getattr(change, name)) is not UNSET}
    for name, value in changes.items():
        if value is not None or name not in _NO_HURRY:
            _check_seconds(name, value, *_BOUNDS[name])
    return changes


NUMBER_OF_SECONDS = MessageTemplate(
    "room.number_of_seconds", "“{name}” must be a number of seconds from {low} to {high}."
)


def _check_seconds(name: str, value: object, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise RoomError("bad_setting", NUMBER_OF_SECONDS(name=name, low=f"{low:g}", high=f"{high:g}"))
