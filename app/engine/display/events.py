"""Events: facts about what has happened, for players.

Pages use events for animations, the log and screen readers. The state never depends on them. Three marks decide where
an event is shown again later:

- *notable*: listed in a record under `events` (each rules page ends with these lists).
- *highlighted*: worth remembering. Stats of a room and replays link to it. Notable events are highlights, unless they
  happen in about every second hand.
- *decides*: reported for its hand even if it is not a highlight.

Each event is made by a `GameEventType`, declared next to the rule that reports it. The type holds its texts and tone,
so no event lacks words. Types that several games use are declared here.
"""

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Struct, field

from app.engine.base.messages import MessageTemplate
from app.engine.display.animations import CardPath, Celebration, Movement, Remark
from app.engine.display.point_reasons import Unit


class EventView(TypedDict):
    """An event of a hand or a room. Its other fields depend on `e`."""

    e: Annotated[str, "The kind of event."]
    by: NotRequired[Annotated[str, "The player who acted or is affected."]]
    cause: NotRequired[Annotated[str, "The id of the option that caused the event."]]


GameEventJson: TypeAlias = Annotated[dict[str, Any], "Event"]
"""An event as JSON, as sent to clients: `EventView` and the event's own values."""


class GameEvent(Struct, frozen=True):
    """One event of a hand or match: a fact for players. `to` names those who may know it; None means everybody.

    `by` is the player who did it, or None. `data` has its other values.
    """

    name: str
    by: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    cause: str | None = None
    """The id of the option that caused it, such as `PRES-21`."""
    notable: bool = False
    """Whether records list it."""
    to: tuple[str, ...] | None = None
    highlighted: bool = False
    """Whether stats and replays link to it."""

    def to_json(self) -> GameEventJson:
        """Return the event as JSON, without empty parts: `{"e": name, "by": …, "cause": …, …data}`."""
        out: dict[str, Any] = {"e": self.name}
        if self.by is not None:
            out["by"] = self.by
        if self.cause is not None:
            out["cause"] = self.cause
        out.update(self.data)
        return out


Prominence = Literal["move", "still", "quiet", "end", "great"]
"""How strongly an event is shown and heard.

`move`: cards are played. `still`: no cards are played. `quiet`: it is expected. `end`: something is decided. `great`:
an event for all to notice, with a celebration. An event without prominence stands out if a rule caused it.
"""

_PROMINENCE: dict[str, Prominence] = {}
_ANIMATIONS: dict[str, Movement] = {}
_HIGHLIGHT_OVERRIDES: dict[str, bool] = {}
"""Whether an event is a highlight, by name, where that differs from `notable`."""
_DECISIVE: set[str] = set()
_UNIT_RESETS: dict[str, Unit] = {}
"""The unit whose count an event sets to a new value, by event name. Points are not included."""
_SUPERSEDED_BY: dict[str, str] = {}
"""For a public event, the name of the more detailed event that some players receive instead."""


class GameEventType:
    """A type of event, declared once with its texts for players and how it is shown; calling it makes an event.

    >>> CROWED = GameEventType("example_crowed", "{by} crows.", you="You crow.", hour="{by} crows at {hour}.")
    >>> CROWED("Ana", hour=5).to_json()
    {'e': 'example_crowed', 'by': 'Ana', 'hour': 5}

    `words` is the text for all other players. `you` is for the player in `by`. A wording such as `to_you` or `king_you`
    is for the player whom the event has under that name (`to`, `king`). Any other wording is used if the event has a
    value of that name; `you_hour` is used for the player in `by` if there is an `hour`. An empty wording shows no text.
    """

    __slots__ = ("highlighted", "name", "notable")

    def __init__(
        self,
        name: str,
        words: str | Mapping[str, str],
        *,
        tone: Prominence | None = None,
        details: "GameEventType | None" = None,
        stood_out: str | None = None,
        highlighted: bool | None = None,
        decides: bool = False,
        anew: Unit | None = None,
        ways: tuple[CardPath, ...] = (),
        takes_piles: bool = False,
        celebrated: Celebration | None = None,
        remark: Remark | None = None,
        **wordings: str | Mapping[str, str],
    ) -> None:
        """Declare an event type. `stood_out`, if given, makes it notable and is its name on a match's page.

        `details`: the less detailed event that other players receive. `decides`: report it for the hand that it
        decides, even if it is common. `anew`: the event sets this unit's count of all dealt players to the value of
        that name. `ways`: paths of the cards in `cards`, or of `count` cards. `takes_piles`: each player gets the pile
        in which their card in `cards` was dealt. `highlighted`: as declared, if it differs from notable. A `great`
        event without `celebrated` gets a flare. `remark`: pages may add a dry sentence.
        """
        self.name = name
        self.notable = stood_out is not None
        if tone is not None:
            _PROMINENCE[name] = tone
        if celebrated is None and tone == "great":
            celebrated = "flare"
        motion = Movement()
        if ways:
            motion["paths"] = ways
        if celebrated is not None:
            motion["celebration"] = celebrated
        if remark is not None:
            motion["remark"] = remark
        if takes_piles:
            motion["takes_piles"] = True
        if motion:
            _ANIMATIONS[name] = motion
        if details is not None:
            _SUPERSEDED_BY[details.name] = name
        if highlighted is not None:
            _HIGHLIGHT_OVERRIDES[name] = highlighted
        if decides:
            _DECISIVE.add(name)
        if anew is not None:
            _UNIT_RESETS[name] = anew
        self.highlighted = self.is_highlight(name, notable=self.notable)
        MessageTemplate(f"event.{name}", words)
        for wording, text in wordings.items():
            MessageTemplate(f"event.{name}.{wording.rstrip('_')}", text)
        if stood_out is not None:
            MessageTemplate(f"stood_out.{name}", stood_out)

    def as_notable(self, stood_out: str) -> "GameEventType":
        """Return a copy of this type of event that counts as notable and memorable, for a game that sees it so.

        `stood_out`: its name on a match's page. Stories of hands tell memorable events.
        """
        MessageTemplate(f"stood_out.{self.name}", stood_out)
        marked = copy(self)
        marked.notable = marked.highlighted = True
        return marked

    @staticmethod
    def is_highlight(name: str, *, notable: bool) -> bool:
        """Return whether an event of this name is a highlight, memorable enough for the story of a hand.

        `notable`: whether it was notable in its game, which decides unless the type says otherwise.
        """
        return _HIGHLIGHT_OVERRIDES.get(name, notable)

    @staticmethod
    def is_decisive(name: str) -> bool:
        """Return whether an event of this name was declared as decisive for a hand.

        The stories of hands tell such events.
        """
        return name in _DECISIVE

    @staticmethod
    def unit_reset_by(name: str) -> Unit | None:
        """Return the unit, such as dimes (lives), whose count an event of this name sets for all dealt players.

        None for other events.
        """
        return _UNIT_RESETS.get(name)

    @staticmethod
    def names_of_unit_resets() -> Collection[str]:
        """Return the names of all events for which `unit_reset_by` returns a unit."""
        return _UNIT_RESETS

    def __call__(
        self, by: str | None = None, cause: str | None = None, *, seen_by: tuple[str, ...] | None = None, **data: Any
    ) -> GameEvent:
        """Return an event of this type; only the players in `seen_by` may know it (None: everybody)."""
        return GameEvent(self.name, by, data, cause, self.notable, seen_by, self.highlighted)


def prominence_by_event() -> Mapping[str, Prominence]:
    """Return the prominence of events by name, where declared: how strongly the table shows them."""
    return _PROMINENCE


def animations_by_event() -> Mapping[str, Movement]:
    """Return the animations of events by name, where declared, for the page."""
    return _ANIMATIONS


def without_superseded_events(events: Iterable[GameEvent]) -> list[GameEvent]:
    """Return the events without those that a more detailed event replaces, so that nothing is told twice.

    All must be visible to the viewer.

    >>> GAVE = GameEventType("example_gave", "{by} gives a card.", tone="quiet")
    >>> SAW = GameEventType("example_saw", "{by} gives {cards}.", details=GAVE)
    >>> both = [GAVE("Ana"), SAW("Ana", cards="3c", seen_by=("Ana", "Bob"))]
    >>> [event.name for event in without_superseded_events(both)]
    ['example_saw']
    >>> [event.name for event in without_superseded_events([GAVE("Ana")])]
    ['example_gave']
    """
    all_of_it = list(events)
    present = {(event.name, event.by) for event in all_of_it}
    return [event for event in all_of_it if (_SUPERSEDED_BY.get(event.name), event.by) not in present]


# What several games tell --------------------------------------------------------------------------------------

DEALT = GameEventType("dealt", "{by} deals.", you="You deal.", tone="quiet", ways=(("deck", "all"),))
CUT = GameEventType(
    "cut", "{by} cuts.", you="You cut.", cards="{by} cuts the {cards}.", you_cards="You cut the {cards}."
)
SWAPPED = GameEventType(
    "swapped",
    "{by} and {to} swap.",
    you="You swap with {to}.",
    to_you="{by} swaps with you.",
    ways=(("by", "to"), ("to", "by")),
)
OUT = GameEventType("out", "{by} is out of cards.", you="You are out of cards.", tone="end")
JOINED = GameEventType("joined", "{by} joins.", you="You join.", tone="still")
LEFT = GameEventType("left", "{by} leaves.", you="You leave.")
MATCH_WON = GameEventType(
    "match_won",
    "The match is decided.",
    people="The match goes to {people}.",
    winners="The match goes to {winners}.",
    tone="great",
    stood_out="match won",
    celebrated="triumph",
)
