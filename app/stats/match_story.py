"""The story of a match: who won it, and a few scenes of what really happened, each with the way to see it again.

Found among the hands as they were kept, so that the match that has just ended and one of years ago tell the same. What
is great, the games declare with their events; here stands no name of any.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final, Literal, Protocol, TypeAlias

from app.engine.base.messages import Said, Sentence, both
from app.engine.cards.cards import in_words, parse_cards
from app.engine.climbing.hand import PLAYED
from app.engine.display.events import MATCH_WON, OUT, EventJson, tones
from app.engine.display.point_reasons import AMOUNTS
from app.engine.match.hand import placed, places
from app.stats.hand_story import KeptHand, Told, titled
from app.stats.lives import NOTHING, Left, handed_on, left, on_the_last

Kind: TypeAlias = Literal[
    "won",
    "rose",
    "fell",
    "reign",
    "play",
    "passed",
    "close",
    "points",
    "cost",
    "edge",
    "firsts",
    "bottom",
    "changes",
    "most",
]

MOST: Final = 6
"""Scenes besides who won."""
LARGE: Final = 3
"""So many cards are a large play, where nothing great was played."""
MANY_CARDS: Final = 4
"""Whoever goes out on so many at once has done something great."""
CLOSE: Final = 2
"""So many moves, or points, are close."""

HEADINGS: Final[Mapping[Kind, Sentence]] = {
    "won": Sentence("scene.won", {"one": "The winner", "other": "The winners"}),
    "rose": Sentence("scene.rose", "The highest climb"),
    "fell": Sentence("scene.fell", "The deepest fall"),
    "reign": Sentence("scene.reign", "The longest reign"),
    "play": Sentence("scene.play", "The play of the match"),
    "passed": Sentence("scene.passed", "The card that nobody wanted"),
    "close": Sentence("scene.close", "The closest hand"),
    "points": Sentence("scene.points", "The richest hand"),
    "cost": Sentence("scene.cost", "The dearest hand"),
    "edge": Sentence("scene.edge", "On the edge"),
    "firsts": Sentence("scene.firsts", "Most hands won"),
    "bottom": Sentence("scene.bottom", "The longest patience"),
    "changes": Sentence("scene.changes", "The top of the roost"),
    "most": Sentence("scene.most", "The most cards at once"),
}

WON = Sentence("scene.won.text", {"one": "{names} wins the match.", "other": "{names} share the match."})
ENDS_AS = Sentence("scene.won.titled", "{name} ends as {title}.")
AHEAD = Sentence(
    "scene.won.ahead",
    {"one": "{names} is ahead when the table stops.", "other": "{names} are ahead when the table stops."},
)
MOST_LEFT = Sentence(
    "scene.won.left",
    {
        "one": "{names} has {amount} left when the table stops, more than anybody else.",
        "other": "{names} have {amount} left each when the table stops, more than anybody else.",
    },
)
ROSE = Sentence(
    "scene.rose.text",
    {
        "one": "{name} rises from {before} to {after} in a single hand.",
        "other": "{name} rises from {before} to {after} within {count} hands.",
    },
)
FELL = Sentence(
    "scene.fell.text",
    {
        "one": "{name} falls from {before} to {after} in a single hand.",
        "other": "{name} falls from {before} to {after} within {count} hands.",
    },
)
PLACE = Sentence("scene.place", "place {place}")
REIGNED = Sentence("scene.reign.text", {"other": "{name} is {title} for {count} hands in a row."})
RAN = Sentence("scene.reign.firsts", {"other": "{name} comes first in {count} hands in a row."})
LED = Sentence("scene.reign.ahead", {"other": "{name} is ahead of all others for {count} hands in a row."})
HANDED_ON = Sentence(
    "scene.passed.text",
    {
        "one": "{name} hands the {cards} on, and {last} is left with it.",
        "other": "The {cards} of {name} changes hands {count} times, and {last} is left with it.",
    },
)
HELD_OUT = Sentence("scene.edge.text", {"other": "{name} plays {count} hands in a row with {amount} left."})
OUT_NEXT = Sentence(
    "scene.close.text",
    {
        "one": "{name} is out first, and {second} with the very next move.",
        "other": "{name} is out first, and {second} {count} moves later.",
    },
)
BEHIND = Sentence(
    "scene.close.points",
    {
        "one": "{name} comes first, and {second} is a single point behind.",
        "other": "{name} comes first, and {second} is {count} points behind.",
    },
)
BROUGHT = Sentence(
    "scene.points.text",
    {
        "one": "It brings {name} {count} point, more than any other.",
        "other": "It brings {name} {count} points, more than any other.",
    },
)
COST = Sentence(
    "scene.cost.text",
    {
        "one": "It costs {name} {count} point, more than any other.",
        "other": "It costs {name} {count} points, more than any other.",
    },
)
FIRSTS = Sentence(
    "scene.firsts.text",
    {"one": "{names}: first in {count} of {hands} hands.", "other": "{names}: first in {count} of {hands} hands."},
)
CHANGES = Sentence(
    "scene.changes.text",
    {"one": "It changes hands once in {hands} hands.", "other": "It changes hands {count} times in {hands} hands."},
)


@dataclass(frozen=True, slots=True)
class Scene:
    """Something that happened in a match."""

    kind: Kind
    names: tuple[str, ...]
    """Whom it is about, if anybody."""
    told: tuple[Told, ...]
    hand: int | None = None
    """Where to see it: the number of the hand, from 0; None: nowhere in particular."""
    move: int | None = None
    """And its move; None: the hand as a whole."""

    @property
    def heading(self) -> Said:
        """What kind of thing it is."""
        return HEADINGS[self.kind](count=max(1, len(self.names)))


class HandOfMatch(Protocol):
    """A hand of a match, as far as the match's story needs it."""

    @property
    def number(self) -> int:
        """Count it from 0."""
        ...

    @property
    def totals(self) -> Mapping[str, int]:
        """Points afterwards, of those who played it."""
        ...

    @property
    def kept(self) -> KeptHand:
        """What is kept of it."""
        ...


@dataclass(frozen=True, slots=True)
class Stand:
    """Where somebody stood after a hand."""

    place: int
    title: str | None

    @property
    def called(self) -> Said:
        """What that is called in a sentence."""
        return titled(self.title) if self.title else PLACE(place=self.place)


@dataclass(frozen=True, slots=True)
class _Moved:
    """The way of somebody from one hand to a later one."""

    name: str
    before: Stand
    after: Stand
    hands: int
    number: int
    """The hand with which they came there."""

    @property
    def places(self) -> int:
        """How many places better that is, or below zero how many worse."""
        return self.before.place - self.after.place


def scenes(hands: Sequence[HandOfMatch], winners: Sequence[str], *, continued: bool = False) -> tuple[Scene, ...]:
    """Tell a match: who won it, then up to `MOST` scenes; nothing of one without a hand that counts.

    `winners` as the rules have it, none where the table stopped before; `continued`: the match goes on in another
    volume.
    """
    counted = [hand for hand in hands if not hand.kept.cut_off]
    if not counted:
        return ()
    have = left(counted)
    stands = [_stands(hand, _titled(counted), has) for hand, has in zip(counted, have, strict=True)]
    found = (
        *_moves(counted, stands),
        *_reign(counted, stands),
        *_play(counted),
        *_passed(counted),
        *_close(counted),
        *_points(counted),
        *_edge(counted, have),
        *_firsts(counted),
        *_bottom(counted, stands),
        *_changes(stands),
        *_most(counted),
    )
    return (*(() if continued else _won(winners, stands[-1], counted[-1], have[-1])), *found[:MOST])


# Who stands where --------------------------------------------------------------------------------------------


def _titled(hands: Sequence[HandOfMatch]) -> bool:
    return any(hand.kept.result["titles"] for hand in hands)


def _stands(hand: HandOfMatch, by_rank: bool, has: Left) -> dict[str, Stand]:
    """Find where everybody stands after a hand: by rank where there are titles, else by points so far and, where
    these are alike, by what else they have left."""
    if not by_rank:
        return {name: Stand(place, None) for name, place in _by_points(hand.totals, has).items()}
    titles = hand.kept.result["titles"]
    ranks = {each.name: each.after for each in hand.kept.ranks if each.after is not None}
    return {name: Stand(place, titles.get(name)) for name, place in (ranks or places(hand.kept.result)).items()}


def _by_points(totals: Mapping[str, int], has: Left = NOTHING) -> dict[str, int]:
    def worth(name: str) -> tuple[int, int]:
        return -totals[name], -has.of.get(name, 0)

    return placed([list(alike) for _, alike in groupby(sorted(totals, key=worth), key=worth)])


def _top(stands: Mapping[str, Stand]) -> str | None:
    """Find who alone is at the top."""
    first = [name for name, stand in stands.items() if stand.place == 1]
    return first[0] if len(first) == 1 and len(stands) > 1 else None


# The scenes --------------------------------------------------------------------------------------------------


def _won(winners: Sequence[str], stands: Mapping[str, Stand], last: HandOfMatch, has: Left) -> tuple[Scene, ...]:
    if winners:
        return (Scene("won", tuple(winners), (WON(names=both(winners), count=len(winners)),)),)
    first = [name for name, stand in stands.items() if stand.place == 1]
    if not first or len(first) == len(stands):
        return ()
    if (title := stands[first[0]].title) and len(first) == 1:
        return (Scene("won", (first[0],), (ENDS_AS(name=first[0], title=titled(title)),), last.number),)
    if has.unit is not None and _by_points(last.totals) != {name: stand.place for name, stand in stands.items()}:
        best = [name for name, place in _by_points(last.totals).items() if place == 1]
        if best != first:
            amount = AMOUNTS[has.unit](count=has.of[first[0]])
            said = MOST_LEFT(names=both(first), amount=amount, count=len(first))
            return (Scene("won", tuple(first), (said,), last.number),)
    return (Scene("won", tuple(first), (AHEAD(names=both(first), count=len(first)),), last.number),)


def _moves(hands: Sequence[HandOfMatch], stands: Sequence[Mapping[str, Stand]]) -> Iterator[Scene]:
    """Tell who went up furthest, and who down: of two as far who was quicker, then who did it later."""
    moved = list(_ways(hands, stands))
    for kind, words, sign in (("rose", ROSE, 1), ("fell", FELL, -1)):
        far = [each for each in moved if sign * each.places >= min(2, len(stands[-1]) - 1)]
        if not far:
            continue
        best = max(far, key=lambda each: (sign * each.places, -each.hands, each.number))
        said = words(name=best.name, before=best.before.called, after=best.after.called, count=best.hands)
        yield Scene("rose" if kind == "rose" else "fell", (best.name,), (said,), best.number)


def _ways(hands: Sequence[HandOfMatch], stands: Sequence[Mapping[str, Stand]]) -> Iterator[_Moved]:
    """List for everybody and each hand the furthest way up and down that led there."""
    start = {
        each.name: Stand(each.before, each.title_before) for each in hands[0].kept.ranks if each.before is not None
    }
    best: dict[str, tuple[Stand, int]] = {}
    worst: dict[str, tuple[Stand, int]] = {}
    for at, there in enumerate((start, *stands)):
        if len({stand.place for stand in there.values()}) == 1:
            continue
        for name, stand in there.items():
            for known in (best, worst):
                if name in known:
                    before, since = known[name]
                    yield _Moved(name, before, stand, at - since, hands[at - 1].number)
            if name not in best or stand.place <= best[name][0].place:
                best[name] = (stand, at)
            if name not in worst or stand.place >= worst[name][0].place:
                worst[name] = (stand, at)


def _reign(hands: Sequence[HandOfMatch], stands: Sequence[Mapping[str, Stand]]) -> Iterator[Scene]:
    """Tell who stood at the top longest, or came first in most hands in a row; of two as long, the later."""
    by_rank, in_deals = _titled(hands), any(hand.kept.result.get("goes_on") for hand in hands)
    firsts = [_top(there) if by_rank or in_deals else _first(hand) for hand, there in zip(hands, stands, strict=True)]
    for count, name, end in _longest(firsts):
        title = stands[end][name].title if by_rank else None
        ran = LED if in_deals else RAN
        said = REIGNED(name=name, title=titled(title), count=count) if title else ran(name=name, count=count)
        yield Scene("reign", (name,), (said,), hands[end].number)


def _bottom(hands: Sequence[HandOfMatch], stands: Sequence[Mapping[str, Stand]]) -> Iterator[Scene]:
    """Tell who stood at the bottom longest, where places there have titles."""
    lasts = [max(there, key=lambda name: there[name].place) if there else None for there in stands]
    for count, name, end in _longest(lasts):
        if title := stands[end][name].title:
            said = REIGNED(name=name, title=titled(title), count=count)
            yield Scene("bottom", (name,), (said,), hands[end].number)


def _longest(names: Sequence[str | None]) -> Iterator[tuple[int, str, int]]:
    """Find the longest run of one name, if there is any of two, with where it ends; of two as long, the later."""
    ended = 0
    longest: tuple[int, str, int] | None = None
    for name, run in groupby(names):
        length = len(list(run))
        ended += length
        if name is not None and length > 1 and (longest is None or length >= longest[0]):
            longest = (length, name, ended - 1)
    if longest is not None:
        yield longest


def _first(hand: HandOfMatch) -> str | None:
    """Find who alone came first in it."""
    first = [name for name, place in places(hand.kept.result).items() if place == 1]
    return first[0] if len(first) == 1 and len(hand.kept.result["standing"]) > 1 else None


def _play(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Tell the best play: the rarest great thing that was done with cards; of two as rare that with which more came,
    then the one of more cards, then the later."""
    great = [(hand.number, play, came) for hand in hands for play, came in _great(hand.kept)]
    kinds = Counter(event["e"] for _, _, came in great for event in came)
    if not great:
        return
    number, play, came = max(
        great,
        key=lambda each: (
            -min(kinds[event["e"]] for event in each[2]),
            len(each[2]),
            len(each[1]["cards"].split()),
            each[0],
            each[1]["n"],
        ),
    )
    yield Scene("play", (play["by"],), (play, *came), number, play["n"])


def _great(kept: KeptHand) -> Iterator[tuple[EventJson, tuple[EventJson, ...]]]:
    """List the plays of a hand that were great, each with what made it so."""
    loud = tones()
    for _, together in groupby(kept.events, key=lambda event: event["n"]):
        events = list(together)
        play = next((event for event in events if event["e"] == PLAYED.name), None)
        if play is None:
            continue
        many = len(play["cards"].split()) >= MANY_CARDS
        came = tuple(
            event
            for event in events
            if (loud.get(event["e"]) == "great" and event["e"] != MATCH_WON.name and _by(event, play))
            or (many and event["e"] == OUT.name and event["by"] == play["by"])
        )
        if came:
            yield play, came


def _by(event: EventJson, play: EventJson) -> bool:
    """Tell whether it is said of whoever made the play, or of nobody in particular."""
    return bool(event.get("by", play["by"]) == play["by"])


def _passed(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Tell of the card with which somebody was left, of those that were handed on the one that went furthest; of two
    that went as far, the later."""
    found = [(len(by), hand.number, move, by, card) for hand in hands for by, card, move in handed_on(hand.kept)]
    if found:
        count, number, move, by, card = max(found)
        said = HANDED_ON(name=by[0], last=by[-1], cards=in_words(parse_cards(card)), count=count - 1)
        yield Scene("passed", (by[0], by[-1]), (said,), number, move)


def _edge(hands: Sequence[HandOfMatch], have: Sequence[Left]) -> Iterator[Scene]:
    """Tell who held out longest with the last of what they had; of two that did as long, the later."""
    count, number, name = max(
        ((count, number, name) for count, name, number in on_the_last(hands, have)), default=(0, 0, "")
    )
    unit = next((has.unit for has in reversed(have) if has.unit is not None), None)
    if count > 1 and unit is not None:
        said = HELD_OUT(name=name, count=count, amount=AMOUNTS[unit](count=1))
        yield Scene("edge", (name,), (said,), number)


def _close(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Tell the hand whose first two were nearest to each other: in moves where several go out, else in points."""
    found = [close for hand in hands for close in _gap(hand) if close[0] <= CLOSE]
    if not found:
        return
    gap, number, first, second, move, words = min(found, key=lambda each: (each[0], -each[1]))
    yield Scene("close", (first, second), (words(name=first, second=second, count=gap),), number, move)


def _gap(hand: HandOfMatch) -> Iterator[tuple[int, int, str, str, int | None, Sentence]]:
    standing = hand.kept.result["standing"][:2]
    if hand.kept.result.get("goes_on") or len(standing) < 2 or not all(isinstance(each, str) for each in standing):
        return
    first, second = standing
    out = {event["by"]: event["n"] for event in hand.kept.events if event["e"] == OUT.name}
    if first in out and second in out:
        if out[second] > out[first]:
            yield out[second] - out[first], hand.number, first, second, out[first], OUT_NEXT
        return
    ledger = hand.kept.result["ledger"]
    if (gap := ledger.get(first, 0) - ledger.get(second, 0)) > 0:
        yield gap, hand.number, first, second, None, BEHIND


def _points(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Tell the most that a hand brought anybody, where that was once; else the most that one cost."""
    entries = [(points, hand.number, name) for hand in hands for name, points in hand.kept.result["ledger"].items()]
    for kind, words, sign in (("points", BROUGHT, 1), ("cost", COST, -1)):
        ordered = sorted(entries, key=lambda each: sign * each[0], reverse=True)
        if len(ordered) > 1 and sign * ordered[0][0] > max(1, sign * ordered[1][0]):
            points, number, name = ordered[0]
            said = words(name=name, count=abs(points))
            yield Scene("points" if kind == "points" else "cost", (name,), (said,), number)
            return


def _firsts(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Tell who came first in most hands, all of them where several did."""
    won = Counter(name for hand in hands if (name := _first(hand)) is not None)
    most = max(won.values(), default=0)
    names = tuple(name for name, count in won.items() if count == most)
    if most > 1 and len(names) < len(hands[-1].kept.record["cards"]):
        yield Scene("firsts", names, (FIRSTS(names=both(names), count=most, hands=len(hands)),))


def _changes(stands: Sequence[Mapping[str, Stand]]) -> Iterator[Scene]:
    """Tell how often somebody else came to the top."""
    tops = [top for there in stands if (top := _top(there)) is not None]
    count = sum(1 for before, after in pairwise(tops) if before != after)
    if count > 0:
        yield Scene("changes", (), (CHANGES(count=count, hands=len(stands)),))


def _most(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Tell the largest play, where none was great; of two as large the later."""
    plays = [(len(event["cards"].split()), hand.number, event["n"], event) for hand in hands for event in _plays(hand)]
    count, number, n, play = max(plays, key=lambda each: each[:3], default=(0, 0, 0, {}))
    if count >= LARGE and not any(True for hand in hands for _ in _great(hand.kept)):
        yield Scene("most", (play["by"],), (play,), number, n)


def _plays(hand: HandOfMatch) -> Iterator[EventJson]:
    return (event for event in hand.kept.events if event["e"] == PLAYED.name)
