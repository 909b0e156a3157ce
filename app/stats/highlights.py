"""Select the moves that a hand's story tells and its replay links to: memorable moves and deciding moves.

They are found among the stored public events. So a hand of a room, of a variation and of an imported file gives the
same moves. Events such as "out first" are added here, because they are obvious at the table and not announced.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from app.engine.climbing.hand import PLAYED, TRICK_OVER
from app.engine.display.events import MATCH_WON, OUT, GameEventJson, GameEventType, prominence_by_event

OUT_FIRST = GameEventType("out_first", "{by} finishes first.")
CLEARED = GameEventType("cleared_the_way", "That ends the trick, and {by} finishes first with the next lead.")
ESCAPED = GameEventType("escaped", "That ends the trick. {by} finishes with the next lead, and {last} is last.")

MOST: Final = 6
"""Largest number of moves for one hand. If there are more, moves with only common kinds of events are left out."""

Move = TypeVar("Move")
Moments: TypeAlias = list[tuple[int | None, GameEventJson]]
"""Events, each with the number of its move; None for events between hands."""


def memorable_moments(events: Iterable[GameEventJson], result: Mapping[str, Any]) -> Moments:
    """Return the memorable events of a hand as pairs of move number and event, for its story.

    `events` are all events of the hand as JSON. `result` is the hand's result, whose `events` names the kinds that
    count as notable in this hand.
    """
    notable = frozenset(result["events"])
    return [
        (event["n"], event) for event in events if GameEventType.is_highlight(event["e"], notable=event["e"] in notable)
    ]


def select_highlights(
    spoken: Moments, events: Sequence[GameEventJson], result: Mapping[str, Any], players: int
) -> Moments:
    """Return a hand's memorable (`spoken`) and deciding events, from at most `MOST` moves with the rarest kinds.

    `events` are all events of the hand, `result` its result as JSON, and `players` the number of its players. The story
    of the hand tells these highlights, and its replay links to them.
    """
    found = sorted(
        (*spoken, *_deciding_moments(events, result["standing"], players)), key=lambda moment: moment[0] or 0
    )
    rarest = rarest_moves(((n, event["e"]) for n, event in found), MOST)
    return [(n, event) for n, event in found if n in rarest]


def rarest_moves(moments: Iterable[tuple[Move, str]], max_moves: int) -> frozenset[Move]:
    """Choose at most `max_moves` moves: those with the rarest kind of event among all given moments.

    Stories tell these. `moments` are pairs of a move and a kind of event, in order of play. If two moves are equally
    rare, the later wins.
    """
    found = list(moments)
    kinds = Counter(what for _, what in found)
    moves: dict[Move, int] = {}
    for move, what in found:
        moves[move] = min(moves.get(move, len(found)), kinds[what])
    later_first = list(reversed(moves))
    return frozenset(sorted(later_first, key=lambda move: moves[move])[:max_moves])


def best_moment(moments: Iterable[tuple[Move, str]]) -> Move | None:
    """Return the move of the best moment among these, given as for `rarest_moves`; None without moments.

    A move with an event that the table celebrates as great is better than all others. Among equals, the rarest kind
    wins, then the move with more events, then the later one. The event that somebody won the match does not count,
    because winners are shown anyway.

    >>> best_moment([(3, "often"), (7, "often"), (9, "once")])
    9
    >>> best_moment([(3, "often"), (7, "often")])
    7
    """
    found = [(move, what) for move, what in moments if what != MATCH_WON.name]
    great = [(move, what) for move, what in found if prominence_by_event().get(what) == "great"] or found
    kinds, together = Counter(what for _, what in great), Counter(move for move, _ in great)
    order = {move: at for at, (move, _) in enumerate(great)}
    best = min(great, key=lambda moment: (kinds[moment[1]], -together[moment[0]], -order[moment[0]]), default=None)
    return None if best is None else best[0]


def _deciding_moments(
    events: Sequence[GameEventJson], standing: Sequence[Any], players: int
) -> Iterator[tuple[int, GameEventJson]]:
    """Yield the events that decided a hand, each with its move, for the hand's story.

    These are decisive kinds, the first player to go out, and plays that ended a trick so that their player could go out
    next. Such a play is told for the player out first and for the last but one. `standing` is best first, and `players`
    is the number of players.
    """
    yield from ((event["n"], event) for event in events if GameEventType.is_decisive(event["e"]))
    plays = {event["n"]: event["by"] for event in events if event["e"] == PLAYED.name}
    went = ((event["by"], event["n"]) for event in events if event["e"] == OUT.name)
    outs = {name: n for name, n in went if plays.get(n) == name}
    placed = [each if isinstance(each, str) else None for each in standing]
    if placed and placed[0] in outs:
        first = placed[0]
        for n in _trick_ending_play_before(outs[first], plays, events):
            yield n, CLEARED(first).to_json()
        yield outs[first], OUT_FIRST(first).to_json()
    if len(placed) == players > 2 and placed[-2] in outs:
        for n in _trick_ending_play_before(outs[placed[-2]], plays, events):
            yield n, ESCAPED(placed[-2], last=placed[-1]).to_json()


def _trick_ending_play_before(out: int, plays: Mapping[int, str], events: Sequence[GameEventJson]) -> Iterator[int]:
    """Yield the last play before move `out` if it ended the trick at once and the same player made both; else nothing.

    That play cleared the way for the player, who went out with the next lead.
    """
    before = max((n for n in plays if n < out), default=None)
    if before is not None and plays[before] == plays[out]:
        yield from (event["n"] for event in events if event["e"] == TRICK_OVER.name and event["n"] == before)
