"""The story of a hand: who came and went before it, what people will speak of move by move, who rose and who fell.

Each line is an event as it was told, or a sentence; what else a line says of its move is who played what.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeAlias

from app.engine.base.messages import Said, Sentence, both
from app.engine.climbing.hand import PLAYED
from app.engine.display.events import JOINED, LEFT, EventJson
from app.engine.match.hand import places
from app.engine.match.match import DECREED, DEFIED, OBEYED
from app.stats.counted_hand import FELL as FELL_FAR
from app.stats.counted_hand import ROSE as ROSE_FAR
from app.stats.counted_hand import Remembered
from app.stats.highlights import OUT_FIRST, Moments, highlights, spoken_of

STAYS = Sentence("story.stays", "{name} stays {title}.")
ROSE = Sentence("story.rose", "From the bottom to the top: {name} was {before}, and makes {title}.")
MAKES = Sentence("story.makes", "{name} makes {title}.")
FELL = Sentence("story.fell", "From the top to the bottom: {name} was {before}, and ends as {title}.")
ENDS = Sentence("story.ends", "{name} ends as {title}.")
FIRST = Sentence("story.first", "{name} comes first.")
SHARED = Sentence("story.shared", "{names} share the first place.")
CUT_OFF = Sentence("story.cut_off", "The table stopped here, in the middle of the hand: it counts for nothing.")

Told: TypeAlias = EventJson | Said


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One line of a story."""

    n: int | None
    """The move to look at: 0 the deal, k the k-th action; None: between hands."""
    told: tuple[Told, ...]
    turn: bool = False
    """Whether somebody rises or falls by it."""
    spoken: bool = False
    """Whether people will speak of it later, and not of this hand only."""


@dataclass(frozen=True, slots=True)
class RankMoved:
    """Where somebody stood in the hierarchy before a hand and after it; None where there was none."""

    name: str
    title_before: str | None
    title: str | None
    before: int | None
    """From 1."""
    after: int | None


@dataclass(frozen=True, slots=True)
class Story:
    """What is told of one hand."""

    before: tuple[StoryLine, ...]
    """What was done since the hand before it."""
    played: tuple[StoryLine, ...]
    ends: tuple[StoryLine, ...]
    after: tuple[StoryLine, ...]
    """What was done after the last hand of a match."""

    @property
    def spoken(self) -> tuple[StoryLine, ...]:
        """What people will speak of later, in order."""
        return tuple(line for line in (*self.before, *self.played, *self.ends, *self.after) if line.spoken)


@dataclass(frozen=True, slots=True)
class KeptHand:
    """What is kept of a hand, as far as its story needs it."""

    record: Mapping[str, Any]
    events: Sequence[EventJson]
    result: Mapping[str, Any]
    cut_off: bool
    moments: Sequence[Remembered] | None
    """None of a hand that is in no book: they are found among its events."""
    ranks: Sequence[RankMoved]
    """Of a hand that is in a book, in a game with a hierarchy."""
    after: Sequence[Mapping[str, Any]]
    """Actions after the last hand."""


def story(kept: KeptHand) -> Story:
    """Tell a hand."""
    between = kept.record.get("between", ())
    if kept.moments is None:
        before, after = _answered(between), _answered(kept.after)
        spoken = spoken_of(kept.events, kept.result)
    else:
        before, spoken, after = _parts(kept.moments, bool(between))
    played = highlights(spoken, kept.events, kept.result, len(kept.record["cards"]))
    ends = tuple(_ends(kept, played))
    return Story(
        (*_lines(before), *_comings(between)),
        # Where there is nothing to speak of for years, what happens in every other hand is the story.
        tuple(_moves(played if played or ends else list(_notable(kept)), spoken, kept.events)),
        ends,
        (*_lines(after), *_comings(kept.after)),
    )


_AT_THE_END: Final = {FELL_FAR.name, ROSE_FAR.name}
"""A story ends with it, in words of its own."""


def _parts(moments: Sequence[Remembered], done_before: bool) -> tuple[Moments, Moments, Moments]:
    """What people speak of before the deal, in the hand, and after it. A match's last hand has what came then, too;
    if nothing was spoken of in the hand itself, that is told as before it, where anything was done then."""
    told: Moments = [(each.n, each.event()) for each in moments if each.what not in _AT_THE_END]
    inside = [place for place, (n, _) in enumerate(told) if n is not None]
    if not inside:
        return (told, [], []) if done_before else ([], [], told)
    first, last = inside[0], inside[-1] + 1
    return told[:first], told[first:last], told[last:]


def _notable(kept: KeptHand) -> Iterator[tuple[int | None, EventJson]]:
    notable = frozenset(kept.result["events"])
    return ((event["n"], event) for event in kept.events if event["e"] in notable)


_ANSWERS: Final = {"obey": OBEYED, "defy": DEFIED}


def _answered(actions: Iterable[Mapping[str, Any]]) -> Moments:
    """Tell decrees and answers by the actions themselves: whoever answers, answers their oldest decree."""
    told: Moments = []
    waiting: list[tuple[str, str | None, str]] = []
    answers = Counter[str]()
    for done in actions:
        by = done["by"]
        if done["do"] == "decree":
            waiting.append((by, done.get("to"), done["text"]))
            told.append((None, DECREED(by, text=done["text"], to=done.get("to")).to_json()))
        elif done["do"] in _ANSWERS:
            texts = [text for king, to, text in waiting if (to or by) == by and king != by]
            answered = dict(enumerate(texts)).get(answers[by])
            answers[by] += 1
            told.append((None, _ANSWERS[done["do"]](by, text=answered).to_json()))
    return told


_COMINGS: Final = {"join": JOINED, "leave": LEFT}


def _comings(actions: Iterable[Mapping[str, Any]]) -> Iterator[StoryLine]:
    for done in actions:
        if done["do"] in _COMINGS:
            yield StoryLine(None, (_COMINGS[done["do"]](done["by"]).to_json(),))


def _lines(moments: Moments) -> Iterator[StoryLine]:
    for n, event in moments:
        yield StoryLine(n, (event,), spoken=True)


def _moves(moments: Moments, spoken: Moments, events: Sequence[EventJson]) -> Iterator[StoryLine]:
    """A line for each move that something is to be told of: who played what, and what came of it."""
    kinds = {event["e"] for _, event in spoken}
    plays = {event["n"]: event for event in events if event["e"] == PLAYED.name}
    for n, together in groupby(moments, key=lambda moment: moment[0]):
        told = tuple(event for _, event in together)
        speaks = any(event["e"] in kinds for event in told)
        yield StoryLine(n, (plays[n], *told) if n in plays else told, spoken=speaks)


def _ends(kept: KeptHand, played: Moments) -> Iterator[StoryLine]:
    """Who has come out on top, and who at the bottom; nothing that was told as it was played."""
    last = len(kept.record["actions"])
    if kept.cut_off:
        yield StoryLine(last, (CUT_OFF(),), turn=True)
        return
    ranked = sorted((each for each in kept.ranks if each.after is not None), key=lambda each: each.after or 0)
    if len(ranked) > 1:
        yield _at_the_top(ranked[0], len(ranked), last)
        yield _at_the_bottom(ranked[-1], len(ranked), last)
    elif (
        places(kept.result)
        and len(kept.result["standing"]) > 1
        and all(event["e"] != OUT_FIRST.name for _, event in played)
    ):
        first = kept.result["standing"][0]
        yield StoryLine(last, (FIRST(name=first) if isinstance(first, str) else SHARED(names=both(first)),))


def _at_the_top(who: RankMoved, most: int, last: int) -> StoryLine:
    titles = {"title": titled(who.title), "before": titled(who.title_before)}
    if who.before == most:
        return StoryLine(last, (ROSE(name=who.name, **titles),), turn=True, spoken=True)
    return StoryLine(last, ((STAYS if who.before == 1 else MAKES)(name=who.name, **titles),))


def _at_the_bottom(who: RankMoved, most: int, last: int) -> StoryLine:
    titles = {"title": titled(who.title), "before": titled(who.title_before)}
    if who.before == 1:
        return StoryLine(last, (FELL(name=who.name, **titles),), turn=True, spoken=True)
    return StoryLine(last, ((STAYS if who.before == most else ENDS)(name=who.name, **titles),))


def titled(title: str | None) -> Said:
    """A title for a sentence; what a host made up has no other words."""
    return Said(title or "", f"title.{title}", {})
