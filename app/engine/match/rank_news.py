"""Who comes to the top and who to the bottom of the hierarchy by a hand: told as it ends, where it is somebody new."""

from collections.abc import Iterator, Mapping, Sequence

from app.engine.display.events import Event, EventType
from app.engine.match.hand import Standing

CROWNED = EventType(
    "crowned",
    "{by} comes to the top.",
    title="{by} becomes {title}.",
    you="You come to the top.",
    you_title="You become {title}.",
    tone="end",
    celebrated="crown",
)
LOWERED = EventType(
    "lowered",
    "{by} comes to the bottom.",
    title="{by} becomes {title}.",
    you="You come to the bottom.",
    you_title="You become {title}.",
    tone="end",
    celebrated="bow",
)
TOPPLED = EventType(
    "toppled",
    "{by} falls from the top to the bottom.",
    title="{by} falls from the top, and becomes {title}.",
    you="You fall from the top to the bottom.",
    you_title="You fall from the top, and become {title}.",
    tone="end",
    celebrated="fall",
)


def told_of_ranks(before: Sequence[str], after: Standing, titles: Mapping[str, str]) -> Iterator[Event]:
    """Tell who is at the ends of the hierarchy and was not before the hand: by the hierarchy at the deal and the
    standing, best first. Nobody is alone at an end that is shared.

    >>> [event.to_json() for event in told_of_ranks(["Ana", "Bob"], ["Bob", "Ana"], {"Bob": "king"})]
    [{'e': 'toppled', 'by': 'Ana'}, {'e': 'crowned', 'by': 'Bob', 'title': 'king'}]
    >>> list(told_of_ranks(["Ana", "Bob"], ["Ana", "Bob"], {}))
    []
    """
    if len(after) < 2:
        return
    top, bottom = after[0], after[-1]
    if isinstance(bottom, str) and bottom not in before[-1:]:
        yield _titled(TOPPLED if bottom in before[:1] else LOWERED, bottom, titles)
    if isinstance(top, str) and top not in before[:1]:
        yield _titled(CROWNED, top, titles)


def _titled(what: EventType, name: str, titles: Mapping[str, str]) -> Event:
    title = titles.get(name)
    return what(name) if title is None else what(name, title=title)
