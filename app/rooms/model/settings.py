"""What a host sets: the game with its switches, the clocks, and how fast bots play.

`RoomSettings.make` reads what a host asks for and says what is wrong with it; `to_json` is what the log keeps.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, TypeAlias, TypedDict, cast, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from app.bots import DEFAULT_BOT, StandIn
from app.engine.base.errors import RuleError
from app.engine.base.frozen import Value
from app.engine.base.messages import Said, Sentence, both, either
from app.engine.base.options import Options
from app.engine.display.events import Event, EventType
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.rooms.errors import RoomError
from app.rooms.money.stake import Stake, StakeShown

Lasting: TypeAlias = Literal["never", "game", "always"]
"""When ranks carry over into the next match: never, while the game is the same, or into any that has a hierarchy."""
Pace: TypeAlias = Literal["slow", "normal", "fast", "at_once"]
PACES: Mapping[Pace, float] = dict(zip(get_args(Pace), (2.0, 0.8, 0.3, 0.0), strict=True))
"""Seconds that a bot seems to think."""

LONGEST_TURN = 24 * 3600
LONGEST_PAUSE = 3600
LONGEST_DELAY = 10
_CLOCKS = "“turn”, “pause”, “away” and “patience”"


class ClockChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds, or null for no hurry; what is left out stays as it is."""

    turn: Annotated[float | UnsetType | None, Meta(description="For each turn.")] = UNSET
    pause: Annotated[float | UnsetType | None, Meta(description="From the end of a hand to the next deal.")] = UNSET
    away: Annotated[float | UnsetType, Meta(description="Until a bot plays for somebody who is gone.")] = UNSET
    patience: Annotated[
        float | UnsetType, Meta(description="Until a bot may be let play for somebody who is here and does not act.")
    ] = UNSET


class ClockSettings(TypedDict):
    """Seconds, or null for no hurry."""

    turn: Annotated[float | None, "For each turn."]
    pause: Annotated[float | None, "From the end of a hand to the next deal."]
    away: Annotated[float, "Until a bot plays for somebody who is gone."]
    patience: Annotated[float, "Until a bot may be let play for somebody who is here and does not act."]


class SettingsShown(TypedDict):
    """What a host has set, as everybody sees it."""

    game: Annotated[str, "As in `GET /api/games`."]
    preset: Annotated[str, "The bundle of switches that the options began with."]
    options: Annotated[dict[str, Any], "The value of every switch."]
    differences: Annotated[dict[str, Any], "Those that differ from the preset, most telling first."]
    clock: Annotated[ClockSettings, "How long things may take."]
    bots_delay: Annotated[float, "Seconds that a bot seems to think, as a rule."]
    pace: Annotated[Pace | None, "The same by name, if it has one."]
    min: Annotated[int, "The fewest who can play."]
    max: Annotated[int, "The most."]
    ranks: Annotated[Lasting, "When the hierarchy lasts into the next match."]
    locked: Annotated[bool, "Whether nobody new may come in."]
    chat: Annotated[bool, "Whether people may write to each other."]
    take_back: Annotated[bool, "Whether somebody may take back what they just played, if all agree."]
    stand_in: Annotated[StandIn, "Which bot plays for whoever is away."]
    stake: Annotated[StakeShown | None, "What is paid for each point; null: nothing."]


_BOUNDS: dict[str, tuple[float, float]] = {
    "turn": (0.05, LONGEST_TURN),
    "pause": (0, LONGEST_PAUSE),
    "away": (0.05, LONGEST_TURN),
    "patience": (0.05, LONGEST_TURN),
}
_NO_HURRY = frozenset({"turn", "pause"})
"""Those that may be null."""


CLOCK_HAS_NO = Sentence("room.clock_has_no", "A clock has {clocks}, no “{name}”.")
CLOCK_HAS = Sentence("room.clock_has", "A clock has {clocks}, in seconds.")


def read_clock(given: object) -> ClockChange:
    """Read a clock as it came in JSON; `RoomError` bad_setting if it has other keys."""
    if not isinstance(given, Mapping):
        raise RoomError("bad_setting", CLOCK_HAS(clocks=_CLOCKS))
    asked = cast("Mapping[str, Any]", given)
    for name in asked:
        if name not in _BOUNDS:
            raise RoomError("bad_setting", CLOCK_HAS_NO(clocks=_CLOCKS, name=name[:30]))
    return ClockChange(**asked)


LOCKED = Sentence("room.locked", "The host has locked this room: nobody new comes in until it is opened again.")
CONFIGURED = EventType("configured", "{by} has changed the settings.", you="You have changed the settings.")
ROOM_LOCKED = EventType(
    "room_locked",
    "{by} has locked the room: nobody new comes in.",
    you="You have locked the room: nobody new comes in.",
)
ROOM_OPENED = EventType("room_opened", "{by} has opened the room again.", you="You have opened the room again.")
CHAT_ON = EventType("chat_on", "{by} has turned the chat on.", you="You have turned the chat on.")
CHAT_OFF = EventType("chat_off", "{by} has turned the chat off.", you="You have turned the chat off.")
LASTING: tuple[Lasting, ...] = get_args(Lasting)
RANKS_LAST = Sentence("room.ranks_last", "“ranks” is one of {values}.")
NO_SUCH_GAME = Sentence("room.no_such_game", "There is no such game; there are: {names}.")


class RoomSettings(Value, frozen=True, dict=True):
    """The settings of a room."""

    game: AnyGame
    options: Options
    turn: float | None = None
    """Seconds for each turn; None: no clock."""
    pause: float | None = None
    """Seconds from the end of a hand to the next deal; None: until somebody asks for it."""
    away: float = 60
    """Seconds until a bot plays for somebody who is gone, and until the host's powers pass on."""
    patience: float = 45
    """Seconds until everybody sees how long somebody who is to act has been waited for, and may be helped."""
    bots_delay: float = PACES["normal"]
    """Seconds a bot seems to think."""
    ranks: Lasting = "game"
    """When the hierarchy lasts into the next match."""
    locked: bool = False
    """Whether nobody new may come in."""
    chat: bool = True
    """Whether people may write to each other."""
    take_back: bool = False
    """Whether somebody may take back what they just played, if all agree."""
    stand_in: StandIn = DEFAULT_BOT
    """Which bot plays for whoever is away."""
    stake: Stake | None = None
    """What is paid for each point; None: nothing."""

    @classmethod
    def make(cls, given: Mapping[str, Any], *, kept: bool = False) -> "RoomSettings":
        """Make settings of `{"game", "options", "clock", "bots_delay", "ranks", "locked", "chat", "take_back",
        "stand_in", "stake"}`; what is left out has its default.

        `kept`: they were accepted once, and are read from a log (`Declared.resolve`).
        """
        first = next(iter(GAMES.values()))
        clock = given.get("clock")
        rest = {
            "locked": given.get("locked", False),
            "chat": given.get("chat", True),
            "take_back": given.get("take_back", False),
            "stand_in": given.get("stand_in", DEFAULT_BOT),
        }
        return cls(first, first.declared.resolve(), **rest).changed(
            given.get("game", first.key),
            given.get("options"),
            None if clock is None else read_clock(clock),
            given.get("bots_delay"),
            given.get("ranks"),
            given.get("stake"),
            kept=kept,
        )

    def changed(
        self,
        game: object = None,
        options: object = None,
        clock: ClockChange | None = None,
        bots_delay: float | None = None,
        ranks: object = None,
        stake: object = UNSET,
        pace: Pace | None = None,
        take_back: bool | None = None,
        stand_in: StandIn | None = None,
        *,
        kept: bool = False,
    ) -> "RoomSettings":
        """Copy with some settings changed; None leaves as it is, but as a stake it says that nothing is paid.

        `RoomError` bad_setting or `RuleError` bad_option.
        """
        new: dict[str, Any] = {}
        played = self.game
        if game is not None and game != self.game.key:
            chosen = GAMES.get(game) if isinstance(game, str) else None
            if chosen is None:
                raise RoomError("bad_setting", NO_SUCH_GAME(names=both(GAMES)))
            played = new["game"] = chosen
            new["options"] = chosen.declared.resolve()
        if options is not None:
            new["options"] = played.declared.resolve(options, kept=kept)
        if clock is not None:
            new |= _clock_with(clock)
        bots_delay = bots_delay if pace is None else PACES[pace]
        if bots_delay is not None:
            _check_seconds("bots_delay", bots_delay, 0, LONGEST_DELAY)
            new["bots_delay"] = bots_delay
        if ranks is not None:
            if ranks not in LASTING:
                raise RoomError("bad_setting", RANKS_LAST(values=either(LASTING)))
            new["ranks"] = ranks
        if take_back is not None:
            new["take_back"] = take_back
        if stand_in is not None:
            new["stand_in"] = stand_in
        if stake is not UNSET:
            new["stake"] = None if stake is None else Stake.read(stake)
        return self.but(**new)

    @property
    def _clock(self) -> ClockSettings:
        return {"turn": self.turn, "pause": self.pause, "away": self.away, "patience": self.patience}

    @property
    def rules(self) -> tuple[object, ...]:
        """What a match is played by: game, options, stake and the clock of turns."""
        return self.game.key, self.options, self.stake, self.turn

    def to_json(self) -> dict[str, Any]:
        """Give them as the log keeps them, under the keys that `make` reads."""
        return {
            "game": self.game.key,
            "options": self.options.to_json(),
            "clock": self._clock,
            "bots_delay": self.bots_delay,
            "ranks": self.ranks,
            "locked": self.locked,
            "chat": self.chat,
            "take_back": self.take_back,
            "stand_in": self.stand_in,
            "stake": None if self.stake is None else self.stake.to_json(),
        }

    def change(self, before: "RoomSettings", by: str | None) -> Event:
        """Tell what has changed since `before`."""
        if self.locked != before.locked:
            return (ROOM_LOCKED if self.locked else ROOM_OPENED)(by)
        if self.chat != before.chat:
            return (CHAT_ON if self.chat else CHAT_OFF)(by)
        return CONFIGURED(by)

    @property
    def shut(self) -> Said | None:
        """Why nobody new may come in; None if they may."""
        return LOCKED() if self.locked else None

    @cached_property
    def shown(self) -> SettingsShown:
        """What everybody sees."""
        low, high = self.players
        return {
            "game": self.game.key,
            "preset": self.options.preset,
            "options": dict(self.options.by_key),
            "differences": self.game.declared.differences(self.options),
            "clock": self._clock,
            "bots_delay": self.bots_delay,
            "pace": next((name for name, seconds in PACES.items() if seconds == self.bots_delay), None),
            "min": low,
            "max": high,
            "ranks": self.ranks,
            "locked": self.locked,
            "chat": self.chat,
            "take_back": self.take_back,
            "stand_in": self.stand_in,
            "stake": None if self.stake is None else self.stake.shown,
        }

    @cached_property
    def players(self) -> tuple[int, int]:
        """Fewest and most who can play."""
        return self.game.players(self.options)

    def why_not(self, count: int, *, begun: bool = False) -> Said | None:
        """Say in a sentence why so many can't begin a match, or go on with one that has `begun`; None if they can."""
        return _why_not(self.game.key, self.options, count, begun)


@lru_cache
def _why_not(game: str, options: Options, count: int, begun: bool) -> Said | None:
    """Worked out once: each picture of a room where nobody plays asks it."""
    try:
        GAMES[game].check_players(options, count, begun=begun)
    except RuleError as error:
        return error.sentence
    return None


def _clock_with(change: ClockChange) -> dict[str, float | None]:
    """What the clock is to have of this, by name."""
    asked = {name: value for name in _BOUNDS if (value := getattr(change, name)) is not UNSET}
    for name, value in asked.items():
        if value is not None or name not in _NO_HURRY:
            _check_seconds(name, value, *_BOUNDS[name])
    return asked


NUMBER_OF_SECONDS = Sentence("room.number_of_seconds", "“{name}” is a number of seconds from {low} to {high}.")


def _check_seconds(name: str, value: object, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise RoomError("bad_setting", NUMBER_OF_SECONDS(name=name, low=f"{low:g}", high=f"{high:g}"))
