"""Events for players who newly reach the top or bottom of the hierarchy, reported at the end of a hand."""

from collections.abc import Iterator, Mapping, Sequence

from app.engine.display.events import GameEvent, GameEventType
from app.engine.match.hand import Standing

CROWNED = GameEventType(
    "crowned",
    "{by} moves up to first place.",
    title="{by} becomes {title}.",
    you="You move up to first place.",
    you_title="You become {title}.",
    tone="end",
    celebrated="crown",
)
LOWERED = GameEventType(
    "lowered",
    "{by} drops to last place.",
    title="{by} becomes {title}.",
    you="You drop to last place.",
    you_title="You become {title}.",
    tone="end",
    celebrated="bow",
)
TOPPLED = GameEventType(
    "toppled",
    "{by} falls from first to last place.",
    title="{by} falls from first place and becomes {title}.",
    you="You fall from first to last place.",
    you_title="You fall from first place and become {title}.",
    tone="end",
    celebrated="fall",
    remark="fall",
)


def rank_change_events(before: Sequence[str], after: Standing, titles: Mapping[str, str]) -> Iterator[GameEvent]:
    """Yield events for the players who are newly at the top or the bottom of the hierarchy after a hand.

    `before` is the hierarchy at the deal, `after` the standing, best first. `titles` are the players' new titles. A
    shared place at an end gives no event.

    >>> [event.to_json() for event in rank_change_events(["Ana", "Bob"], ["Bob", "Ana"], {"Bob": "king"})]
    [{'e': 'toppled', 'by': 'Ana'}, {'e': 'crowned', 'by': 'Bob', 'title': 'king'}]
    >>> list(rank_change_events(["Ana", "Bob"], ["Ana", "Bob"], {}))
    []
    """
    if len(after) < 2:
        return
    top, bottom = after[0], after[-1]
    if isinstance(bottom, str) and bottom not in before[-1:]:
        yield _event_with_title(TOPPLED if bottom in before[:1] else LOWERED, bottom, titles)
    if isinstance(top, str) and top not in before[:1]:
        yield _event_with_title(CROWNED, top, titles)


def _event_with_title(what: GameEventType, name: str, titles: Mapping[str, str]) -> GameEvent:
    title = titles.get(name)
    return what(name) if title is None else what(name, title=title)
