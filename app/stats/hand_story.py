"""The story of a hand: players who joined or left, highlights move by move, and changes of rank at the end.

Each line is an announced event or a sentence. Lines about a move start with the play.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeAlias

from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_and
from app.engine.climbing.hand import PLAYED
from app.engine.display.events import JOINED, LEFT, GameEventJson
from app.engine.match.hand import places_in_result
from app.engine.match.match import DECREED, DEFIED, OBEYED
from app.stats.counted_hand import FELL as FELL_FAR, ROSE as ROSE_FAR, HandHighlight
from app.stats.highlights import OUT_FIRST, Moments, memorable_moments, select_highlights

STAYS = MessageTemplate("story.stays", "{name} stays {title}.")
ROSE = MessageTemplate("story.rose", "From last to first place: {name} was {before} and becomes {title}.")
MAKES = MessageTemplate("story.makes", "{name} becomes {title}.")
FELL = MessageTemplate("story.fell", "From first to last place: {name} was {before} and ends as {title}.")
ENDS = MessageTemplate("story.ends", "{name} ends as {title}.")
FIRST = MessageTemplate("story.first", "{name} finishes first.")
ROSE_TO_FIRST = MessageTemplate("story.rose_to_first", "{name} rises from last to first place.")
FELL_TO_LAST = MessageTemplate("story.fell_to_last", "{name} falls from first to last place.")
LAST = MessageTemplate("story.last", "{name} finishes last.")
SHARED = MessageTemplate("story.shared", "{names} share first place.")
CUT_OFF = MessageTemplate("story.cut_off", "The match stopped in the middle of this hand, so it does not count.")

StoryText: TypeAlias = GameEventJson | TranslatableMessage


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One line of a hand's story: its texts (`told`), and the number of the move that it links to (`n`)."""

    n: int | None
    """Number of the action to show, from 1; 0 for the deal, None between hands."""
    texts: tuple[StoryText, ...]
    turn: bool = False
    """Whether the line marks a turning point: a rise or fall between the ends of the hierarchy, or an early stop."""
    spoken: bool = False
    """Whether the line is memorable beyond this hand."""


@dataclass(frozen=True, slots=True)
class RankChange:
    """The rank and title of a player before and after a hand, for its story; None without a hierarchy at that time.

    `before` and `after` are ranks, from 1 for the top. `title_before` and `title` are the titles of these ranks.
    """

    name: str
    title_before: str | None
    title: str | None
    before: int | None
    """Rank before the hand, from 1."""
    after: int | None


@dataclass(frozen=True, slots=True)
class Story:
    """The story of one hand, in four parts, each in order.

    `played`: the moves. `ends`: how the hand ended.
    """

    before: tuple[StoryLine, ...]
    """Lines about what happened between the previous hand and this hand."""
    played: tuple[StoryLine, ...]
    ends: tuple[StoryLine, ...]
    after: tuple[StoryLine, ...]
    """Lines about what happened after the last hand of a match."""

    @property
    def spoken(self) -> tuple[StoryLine, ...]:
        """The memorable lines of all parts of a hand's story, in order: its highlights."""
        return tuple(line for line in (*self.before, *self.played, *self.ends, *self.after) if line.spoken)


@dataclass(frozen=True, slots=True)
class StoredHand:
    """The stored data of a hand that its story is built from: its actions, events, result, moments and ranks.

    `record` is the hand in its match's record, and `events` are those that everybody saw. `cut_off`: the match ended
    before the hand did.
    """

    record: Mapping[str, Any]
    events: Sequence[GameEventJson]
    result: Mapping[str, Any]
    cut_off: bool
    moments: Sequence[HandHighlight] | None
    """The moments from the statistics; None for an uncounted hand, whose moments are found among its events."""
    ranks: Sequence[RankChange]
    """Changes of rank, for a hand in the statistics of a game with a hierarchy."""
    after: Sequence[Mapping[str, Any]]
    """Actions after the last hand."""


def build_hand_story(hand: StoredHand) -> Story:
    """Build the story that the match history tells of a hand: memorable moves, the end, who joined or left."""
    between = hand.record.get("between", ())
    if hand.moments is None:
        before, after = _decree_moments(between), _decree_moments(hand.after)
        spoken = memorable_moments(hand.events, hand.result)
    else:
        before, spoken, after = _split_moments(hand.moments, bool(between))
    played = select_highlights(spoken, hand.events, hand.result, len(hand.record["cards"]))
    ends = tuple(_ending_lines(hand, played))
    return Story(
        (*_event_lines(before), *_join_and_leave_lines(between)),
        # Without memorable moments, common notable events make the story.
        tuple(_move_lines(played if played or ends else list(_notable_events(hand)), spoken, hand.events)),
        ends,
        (*_event_lines(after), *_join_and_leave_lines(hand.after)),
    )


_AT_THE_END: Final = {FELL_FAR.name, ROSE_FAR.name}
"""Events that the end of a story tells in its own words, so they are left out elsewhere."""


def _split_moments(moments: Sequence[HandHighlight], done_before: bool) -> tuple[Moments, Moments, Moments]:
    """Split a hand's moments for its story into moments before the deal, in the hand, and after it.

    Only the last hand of a match has moments after it. Without moments in the hand itself, all are put before the deal
    if there were actions then (`done_before`), else after the hand.
    """
    at_moves: Moments = [(each.n, each.to_event()) for each in moments if each.what not in _AT_THE_END]
    inside = [place for place, (n, _) in enumerate(at_moves) if n is not None]
    if not inside:
        return (at_moves, [], []) if done_before else ([], [], at_moves)
    first, last = inside[0], inside[-1] + 1
    return at_moves[:first], at_moves[first:last], at_moves[last:]


def _notable_events(stored: StoredHand) -> Iterator[tuple[int | None, GameEventJson]]:
    notable = frozenset(stored.result["events"])
    return ((event["n"], event) for event in stored.events if event["e"] in notable)


_ANSWERS: Final = {"obey": OBEYED, "defy": DEFIED}


def _decree_moments(actions: Iterable[Mapping[str, Any]]) -> Moments:
    """Return events for decrees (a player's orders to lower players) and the answers, from actions between hands.

    A player's n-th answer belongs to the n-th decree for that player.
    """
    decrees: Moments = []
    waiting: list[tuple[str, str | None, str]] = []
    answers = Counter[str]()
    for done in actions:
        by = done["by"]
        if done["do"] == "decree":
            waiting.append((by, done.get("to"), done["text"]))
            decrees.append((None, DECREED(by, text=done["text"], to=done.get("to")).to_json()))
        elif done["do"] in _ANSWERS:
            texts = [text for king, to, text in waiting if (to or by) == by and king != by]
            answered = dict(enumerate(texts)).get(answers[by])
            answers[by] += 1
            decrees.append((None, _ANSWERS[done["do"]](by, text=answered).to_json()))
    return decrees


_COMINGS: Final = {"join": JOINED, "leave": LEFT}


def _join_and_leave_lines(actions: Iterable[Mapping[str, Any]]) -> Iterator[StoryLine]:
    for done in actions:
        if done["do"] in _COMINGS:
            yield StoryLine(None, (_COMINGS[done["do"]](done["by"]).to_json(),))


def _event_lines(moments: Moments) -> Iterator[StoryLine]:
    for n, event in moments:
        yield StoryLine(n, (event,), spoken=True)


def _move_lines(moments: Moments, spoken: Moments, events: Sequence[GameEventJson]) -> Iterator[StoryLine]:
    """Yield a line of a hand's story for each move in `moments`: the play, if any, and its memorable events.

    The line itself counts as memorable if an event of it is of a kind that occurs in `spoken`.
    """
    kinds = {event["e"] for _, event in spoken}
    plays = {event["n"]: event for event in events if event["e"] == PLAYED.name}
    for n, together in groupby(moments, key=lambda moment: moment[0]):
        shown_events = tuple(event for _, event in together)
        speaks = any(event["e"] in kinds for event in shown_events)
        yield StoryLine(n, (plays[n], *shown_events) if n in plays else shown_events, spoken=speaks)


def _ending_lines(stored: StoredHand, played: Moments) -> Iterator[StoryLine]:
    """Yield the last lines of a hand's story: the players now at the top and the bottom of the hierarchy.

    Without a hierarchy, the player in first place, unless the story already tells who went out first. If the hand was
    stopped early, only that.
    """
    last = len(stored.record["actions"])
    if stored.cut_off:
        yield StoryLine(last, (CUT_OFF(),), turn=True)
        return
    ranked = sorted((each for each in stored.ranks if each.after is not None), key=lambda each: each.after or 0)
    if len(ranked) > 1:
        yield _top_line(ranked[0], len(ranked), last)
        yield _bottom_line(ranked[-1], len(ranked), last)
    elif (
        places_in_result(stored.result)
        and len(stored.result["standing"]) > 1
        and all(event["e"] != OUT_FIRST.name for _, event in played)
    ):
        first = stored.result["standing"][0]
        yield StoryLine(last, (FIRST(name=first) if isinstance(first, str) else SHARED(names=join_with_and(first)),))


def _top_line(who: RankChange, most: int, last: int) -> StoryLine:
    if who.title is None:  # a game without titles
        rose = who.before == most
        return StoryLine(last, ((ROSE_TO_FIRST if rose else FIRST)(name=who.name),), turn=rose, spoken=rose)
    titles = {"title": title_text(who.title), "before": title_text(who.title_before)}
    if who.before == most:
        return StoryLine(last, (ROSE(name=who.name, **titles),), turn=True, spoken=True)
    return StoryLine(last, ((STAYS if who.before == 1 else MAKES)(name=who.name, **titles),))


def _bottom_line(who: RankChange, most: int, last: int) -> StoryLine:
    if who.title is None:
        fell = who.before == 1
        return StoryLine(last, ((FELL_TO_LAST if fell else LAST)(name=who.name),), turn=fell, spoken=fell)
    titles = {"title": title_text(who.title), "before": title_text(who.title_before)}
    if who.before == 1:
        return StoryLine(last, (FELL(name=who.name, **titles),), turn=True, spoken=True)
    return StoryLine(last, ((STAYS if who.before == most else ENDS)(name=who.name, **titles),))


def title_text(title: str | None) -> TranslatableMessage:
    """Return a player's title as a translatable text; titles invented by a host have no translation.

    None gives an empty text.
    """
    return TranslatableMessage(title or "", f"title.{title}", {})
