"""What happened: facts, in the past tense, that the table hears.

Events are for animation, the log in words and the screen reader; the state never depends on them.
Those that a record lists under `events` are *notable* (the lists stand at the end of each rules page). Those that
people will speak of later are *moments*: the book of a room and a replay lead to them. What is notable is a moment,
unless it happens in every other hand; what `decides` a hand is told of that hand all the same.

Each is made by its `EventType`, which is declared beside the rule that tells it and has its words and its tone, so that
nothing happens without words. What several games tell is declared here.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Struct, field

from app.engine.base.messages import Sentence
from app.engine.display.animations import Celebration, Movement, Way
from app.engine.display.point_reasons import Unit


class EventShown(TypedDict):
    """Something that happened. What else there is to tell stands beside these, by names that go with `e`."""

    e: Annotated[str, "What happened."]
    by: NotRequired[Annotated[str, "Who did it, or whom it befell."]]
    cause: NotRequired[Annotated[str, "The id of the switch that made it happen."]]


EventJson: TypeAlias = Annotated[dict[str, Any], "Event"]
"""An event as JSON, as the wire has it: `EventShown` and what the event tells besides."""


class Event(Struct, frozen=True):
    """One fact. `to` names who may know it; None means everybody at the table, watchers included."""

    name: str
    by: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    cause: str | None = None
    """Id of the switch that made it happen, such as `PRES-21`."""
    notable: bool = False
    """Whether a record lists it."""
    to: tuple[str, ...] | None = None
    moment: bool = False
    """Whether people will speak of it later."""

    def to_json(self) -> EventJson:
        """`{"e": name, "by": …, "cause": …, …data}`, leaving out what is not there."""
        out: dict[str, Any] = {"e": self.name}
        if self.by is not None:
            out["by"] = self.by
        if self.cause is not None:
            out["cause"] = self.cause
        out.update(self.data)
        return out


Tone = Literal["move", "still", "quiet", "end", "great"]
"""How loud it is, for the log's look and for sounds: cards are played; or none are; it goes without saying; something
is decided; all at the table look up, and it is celebrated. What has no tone stands out where a rule has caused it."""

_TONES: dict[str, Tone] = {}
_MOTIONS: dict[str, Movement] = {}
_REMEMBERED: dict[str, bool] = {}
"""Whether people will speak of it, of what does not go by whether it is notable, by name."""
_DECIDING: set[str] = set()
_ANEW: dict[str, Unit] = {}
"""What is counted anew from there on, of what is counted apart from points, by name."""
_DETAILED: dict[str, str] = {}
"""What some are told in the place of what all are told, by the name of the latter."""


class EventType:
    """Something that can happen, and its words.

    >>> CROWED = EventType("example_crowed", "{by} crows.", you="You crow.", hour="{by} crows at {hour}.")
    >>> CROWED("Ana", hour=5).to_json()
    {'e': 'example_crowed', 'by': 'Ana', 'hour': 5}

    The first wording is for everybody else. `you` is for the player in `by`. A name with `_you` is for the player
    whom the event has by that name: `to_you`, `king_you`. Any other wording is used if the event has a value by that
    name; `you_hour` is used for the player in `by` if there is an hour. An empty wording says nothing.
    """

    __slots__ = ("moment", "name", "notable")

    def __init__(
        self,
        name: str,
        words: str | Mapping[str, str],
        *,
        tone: Tone | None = None,
        details: "EventType | None" = None,
        stood_out: str | None = None,
        moment: bool | None = None,
        decides: bool = False,
        anew: Unit | None = None,
        ways: tuple[Way, ...] = (),
        celebrated: Celebration | None = None,
        **wordings: str | Mapping[str, str],
    ) -> None:
        """Declare it; with what the page of a match calls it where it `stood_out`, records list it.

        `details`: what others are told of the same, who may know less of it. What `decides` the hand in which it
        happens is told of that hand, though it happens in every other one. `anew`: what all who are dealt cards now
        have as many of as the event says by that name, whatever they had left. `ways`: from where to where cards go
        with it; those it names in `cards`, or `count` of them. What is great and has no celebration of its own flares
        up.
        """
        self.name = name
        self.notable = stood_out is not None
        if tone is not None:
            _TONES[name] = tone
        if celebrated is None and tone == "great":
            celebrated = "flare"
        motion = Movement()
        if ways:
            motion["ways"] = ways
        if celebrated is not None:
            motion["celebrated"] = celebrated
        if motion:
            _MOTIONS[name] = motion
        if details is not None:
            _DETAILED[details.name] = name
        if moment is not None:
            _REMEMBERED[name] = moment
        if decides:
            _DECIDING.add(name)
        if anew is not None:
            _ANEW[name] = anew
        self.moment = self.is_moment(name, notable=self.notable)
        Sentence(f"event.{name}", words)
        for wording, text in wordings.items():
            Sentence(f"event.{name}.{wording.rstrip('_')}", text)
        if stood_out is not None:
            Sentence(f"stood_out.{name}", stood_out)

    def marked(self, stood_out: str) -> "EventType":
        """Declare the same where it stands out, and records list it."""
        Sentence(f"stood_out.{self.name}", stood_out)
        marked = copy(self)
        marked.notable = marked.moment = True
        return marked

    @staticmethod
    def is_moment(name: str, *, notable: bool) -> bool:
        """Whether people will speak of what is called so, and was notable or not in its game."""
        return _REMEMBERED.get(name, notable)

    @staticmethod
    def decides(name: str) -> bool:
        """Whether a hand turns on what is called so."""
        return name in _DECIDING

    @staticmethod
    def begins_anew(name: str) -> Unit | None:
        """What is counted anew with what is called so, if anything is."""
        return _ANEW.get(name)

    def __call__(
        self, by: str | None = None, cause: str | None = None, *, seen_by: tuple[str, ...] | None = None, **data: Any
    ) -> Event:
        """Say that it happened; everybody sees it, or only those named."""
        return Event(self.name, by, data, cause, self.notable, seen_by, self.moment)


def tones() -> Mapping[str, Tone]:
    """How loud events are, by their names, of those that were declared so."""
    return _TONES


def motions() -> Mapping[str, Movement]:
    """What is seen to move as events happen, by their names, where anything is."""
    return _MOTIONS


def in_full(events: Iterable[Event]) -> list[Event]:
    """What happened, for whoever may know all of these: nothing is told twice.

    >>> GAVE = EventType("example_gave", "{by} gives a card.", tone="quiet")
    >>> SAW = EventType("example_saw", "{by} gives {cards}.", details=GAVE)
    >>> [event.name for event in in_full([GAVE("Ana"), SAW("Ana", cards="3c", seen_by=("Ana", "Bob"))])]
    ['example_saw']
    >>> [event.name for event in in_full([GAVE("Ana")])]
    ['example_gave']
    """
    all_of_it = list(events)
    told = {(event.name, event.by) for event in all_of_it}
    return [event for event in all_of_it if (_DETAILED.get(event.name), event.by) not in told]


# What several games tell --------------------------------------------------------------------------------------

DEALT = EventType("dealt", "{by} deals.", you="You deal.", tone="quiet", ways=(("deck", "all"),))
CUT = EventType("cut", "{by} cuts.", you="You cut.", cards="{by} cuts the {cards}.", you_cards="You cut the {cards}.")
SWAPPED = EventType(
    "swapped",
    "{by} and {to} swap.",
    you="You swap with {to}.",
    to_you="{by} swaps with you.",
    ways=(("by", "to"), ("to", "by")),
)
OUT = EventType("out", "{by} is out.", you="You are out.", tone="end")
JOINED = EventType("joined", "{by} joins.", you="You join.")
LEFT = EventType("left", "{by} leaves.", you="You leave.")
MATCH_WON = EventType(
    "match_won",
    "The match is decided.",
    people="The match goes to {people}.",
    winners="The match goes to {winners}.",
    tone="great",
    stood_out="match won",
    celebrated="triumph",
)
