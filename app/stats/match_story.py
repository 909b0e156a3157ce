"""The story of a match: the winners and a few scenes, each with the hand and move to replay.

Scenes are found in the stored hands, so an old match gives the same story as a match that just ended. Games mark their
great events themselves; this module names no game.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final, Literal, Protocol, TypeAlias

from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_and
from app.engine.cards.cards import describe_cards, parse_cards
from app.engine.climbing.hand import PLAYED
from app.engine.display.events import MATCH_WON, OUT, GameEventJson, prominence_by_event
from app.engine.display.point_reasons import AMOUNTS
from app.engine.match.hand import places_in_result, places_in_standing
from app.stats.hand_story import StoredHand, StoryText, title_text
from app.stats.highlights import best_moment
from app.stats.lives import NO_LIVES, LivesLeft, count_lives_left, passed_losing_cards, streaks_on_last_life

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
"""Largest number of scenes, without the scene of the winners."""
LARGE: Final = 3
"""Number of cards that make a large play, for matches without a great play."""
MANY_CARDS: Final = 4
"""Number of cards in one play that make going out a great play."""
CLOSE: Final = 2
"""Largest gap, in moves or points, between the first two players of a close hand."""

HEADINGS: Final[Mapping[Kind, MessageTemplate]] = {
    "won": MessageTemplate("scene.won", {"one": "Winner", "other": "Winners"}),
    "rose": MessageTemplate("scene.rose", "Greatest rise"),
    "fell": MessageTemplate("scene.fell", "Greatest fall"),
    "reign": MessageTemplate("scene.reign", "Longest reign"),
    "play": MessageTemplate("scene.play", "Play of the match"),
    "passed": MessageTemplate("scene.passed", "Most unwanted card"),
    "close": MessageTemplate("scene.close", "Closest hand"),
    "points": MessageTemplate("scene.points", "Most points in a hand"),
    "cost": MessageTemplate("scene.cost", "Most points lost in a hand"),
    "edge": MessageTemplate("scene.edge", "Closest escape"),
    "firsts": MessageTemplate("scene.firsts", "Most hands won"),
    "bottom": MessageTemplate("scene.bottom", "Longest time in last place"),
    "changes": MessageTemplate("scene.changes", "Changes of first place"),
    "most": MessageTemplate("scene.most", "Most cards in one play"),
}

WON = MessageTemplate(
    "scene.won.text", {"one": "{names} wins the match.", "other": "{names} share first place in the match."}
)
ENDS_AS = MessageTemplate("scene.won.titled", "{name} ends as {title}.")
AHEAD = MessageTemplate(
    "scene.won.ahead",
    {"one": "{names} is ahead when the match stops.", "other": "{names} are ahead when the match stops."},
)
MOST_LEFT = MessageTemplate(
    "scene.won.left",
    {
        "one": "{names} has {amount} left when the match stops, more than any other player.",
        "other": "{names} have {amount} left each when the match stops, more than any other player.",
    },
)
ROSE = MessageTemplate(
    "scene.rose.text",
    {
        "one": "{name} rises from {before} to {after} in a single hand.",
        "other": "{name} rises from {before} to {after} within {count} hands.",
    },
)
FELL = MessageTemplate(
    "scene.fell.text",
    {
        "one": "{name} falls from {before} to {after} in a single hand.",
        "other": "{name} falls from {before} to {after} within {count} hands.",
    },
)
PLACE = MessageTemplate("scene.place", "place {place}")
REIGNED = MessageTemplate("scene.reign.text", {"other": "{name} is {title} for {count} hands in a row."})
RAN = MessageTemplate("scene.reign.firsts", {"other": "{name} finishes first in {count} hands in a row."})
LED = MessageTemplate(
    "scene.reign.ahead", {"other": "{name} is ahead of all other players for {count} hands in a row."}
)
HANDED_ON = MessageTemplate(
    "scene.passed.text",
    {
        "one": "{name} swaps the {cards} away, and {last} is left with it.",
        "other": "The {cards} of {name} is swapped {count} times, and {last} is left with it.",
    },
)
HELD_OUT = MessageTemplate("scene.edge.text", {"other": "{name} plays {count} hands in a row with {amount} left."})
OUT_NEXT = MessageTemplate(
    "scene.close.text",
    {
        "one": "{name} finishes first, and {second} with the very next move.",
        "other": "{name} finishes first, and {second} {count} moves later.",
    },
)
BEHIND = MessageTemplate(
    "scene.close.points",
    {
        "one": "{name} finishes first, and {second} is {count} point behind.",
        "other": "{name} finishes first, and {second} is {count} points behind.",
    },
)
BROUGHT = MessageTemplate(
    "scene.points.text",
    {
        "one": "This hand brings {name} {count} point, the most in the match.",
        "other": "This hand brings {name} {count} points, the most in the match.",
    },
)
COST = MessageTemplate(
    "scene.cost.text",
    {
        "one": "This hand costs {name} {count} point, the most in the match.",
        "other": "This hand costs {name} {count} points, the most in the match.",
    },
)
FIRSTS = MessageTemplate(
    "scene.firsts.text",
    {"one": "{names}: first in {count} of {hands} hands.", "other": "{names}: first in {count} of {hands} hands."},
)
CHANGES = MessageTemplate(
    "scene.changes.text",
    {
        "one": "First place changes once in {hands} hands.",
        "other": "First place changes {count} times in {hands} hands.",
    },
)


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene of a match's story: its kind, the players it is about (`names`, may be empty) and its `texts`."""

    kind: Kind
    names: tuple[str, ...]
    """Names of the players that the scene is about; may be empty."""
    texts: tuple[StoryText, ...]
    hand: int | None = None
    """Number of the hand to replay, from 0; None for a scene about the whole match."""
    move: int | None = None
    """Number of the move to replay: the last one if the scene is about the result of the hand. None without moves."""

    @property
    def heading(self) -> TranslatableMessage:
        """The heading of this scene in a match's story, by its kind; singular or plural by the number of players."""
        return HEADINGS[self.kind](count=max(1, len(self.names)))


class HandOfMatch(Protocol):
    """A hand of a match, with the fields that the story of the match needs."""

    @property
    def number(self) -> int:
        """Return the number of the hand in its match, from 0."""
        ...

    @property
    def totals(self) -> Mapping[str, int]:
        """Return the points in the match after the hand, by name, for the players of the hand."""
        ...

    @property
    def stored(self) -> StoredHand:
        """Return the stored data of the hand: its actions, events and result."""
        ...


@dataclass(frozen=True, slots=True)
class Standing:
    """The place and title of a player in a match after one of its hands."""

    place: int
    title: str | None

    @property
    def description(self) -> TranslatableMessage:
        """The player's title as a text for a sentence, or a text like "place 3" without a title."""
        return title_text(self.title) if self.title else PLACE(place=self.place)


@dataclass(frozen=True, slots=True)
class _PlaceChange:
    """The change of a player's place in a match from one hand to a later one: `hands` hands later, in hand `number`.

    `before` and `after` are the player's standings after the two hands.
    """

    name: str
    before: Standing
    after: Standing
    hands: int
    number: int
    """Number of the hand with which the player reached the later place."""

    @property
    def places_gained(self) -> int:
        """The number of places that the player rose between the two hands; negative for a fall."""
        return self.before.place - self.after.place


def build_match_scenes(
    hands: Sequence[HandOfMatch], winners: Sequence[str], *, continued: bool = False
) -> tuple[Scene, ...]:
    """Return the scenes of a match's story: the winners and up to `MOST` others; empty if no hand counts.

    `winners` are the winners by the rules, empty if the match stopped early. `continued`: the match goes on in another
    volume, so the scene of the winners is left out.
    """
    counted = _counted(hands)
    if not counted:
        return ()
    have = count_lives_left(counted)
    stands = _standings_with_lives(counted, have)
    found = (
        *_rise_and_fall_scenes(counted, stands),
        *_longest_reign_scene(counted, stands),
        *_best_play_scene(counted),
        *_unwanted_card_scene(counted),
        *_closest_hand_scene(counted),
        *_largest_points_scene(counted),
        *_last_life_scene(counted, have),
        *_most_wins_scene(counted),
        *_longest_bottom_scene(counted, stands),
        *_lead_changes_scene(stands),
        *_largest_play_scene(counted),
    )
    won = () if continued else _winner_scene(winners, stands[-1], counted[-1], have[-1])
    last_moves = {hand.number: hand.stored.events[-1]["n"] for hand in counted if hand.stored.events}
    return tuple(
        scene if scene.hand is None or scene.move is not None else replace(scene, move=last_moves.get(scene.hand))
        for scene in (*won, *found[:MOST])
    )


# Standings after a hand --------------------------------------------------------------------------------------------


def standings_by_hand(hands: Sequence[HandOfMatch]) -> list[dict[str, Standing]]:
    """Return the standing of a match after each hand that counts: place and title by player."""
    counted = _counted(hands)
    return _standings_with_lives(counted, count_lives_left(counted))


def _standings_with_lives(counted: Sequence[HandOfMatch], have: Sequence[LivesLeft]) -> list[dict[str, Standing]]:
    by_rank = _has_titles(counted)
    return [_standings_after(hand, by_rank, has) for hand, has in zip(counted, have, strict=True)]


def _counted(hands: Sequence[HandOfMatch]) -> list[HandOfMatch]:
    return [hand for hand in hands if not hand.stored.cut_off]


def _has_titles(hands: Sequence[HandOfMatch]) -> bool:
    return any(hand.stored.result["titles"] for hand in hands)


def _standings_after(hand: HandOfMatch, by_rank: bool, lives_left: LivesLeft) -> dict[str, Standing]:
    """Return the place and title that each player has in the match after a hand, for its story.

    With `by_rank`, places go by rank in the hierarchy, as in games with titles; else by points so far. Ties in points
    are broken by lives left.
    """
    if not by_rank:
        return {name: Standing(place, None) for name, place in _places_by_points(hand.totals, lives_left).items()}
    titles = hand.stored.result["titles"]
    ranks = {each.name: each.after for each in hand.stored.ranks if each.after is not None}
    return {
        name: Standing(place, titles.get(name))
        for name, place in (ranks or places_in_result(hand.stored.result)).items()
    }


def _places_by_points(totals: Mapping[str, int], lives_left: LivesLeft = NO_LIVES) -> dict[str, int]:
    def worth(name: str) -> tuple[int, int]:
        return -totals[name], -lives_left.by_player.get(name, 0)

    return places_in_standing([list(alike) for _, alike in groupby(sorted(totals, key=worth), key=worth)])


def _sole_leader(stands: Mapping[str, Standing]) -> str | None:
    """Return the only player in first place of the match after a hand.

    None if first place is shared or there is only one player. `stands` are the standings after the hand, by player.
    """
    first = [name for name, stand in stands.items() if stand.place == 1]
    return first[0] if len(first) == 1 and len(stands) > 1 else None


# The scenes --------------------------------------------------------------------------------------------------


def _winner_scene(
    winners: Sequence[str], stands: Mapping[str, Standing], last: HandOfMatch, has: LivesLeft
) -> tuple[Scene, ...]:
    if winners:
        return (Scene("won", tuple(winners), (WON(names=join_with_and(winners), count=len(winners)),)),)
    first = [name for name, stand in stands.items() if stand.place == 1]
    if not first or len(first) == len(stands):
        return ()
    if (title := stands[first[0]].title) and len(first) == 1:
        return (Scene("won", (first[0],), (ENDS_AS(name=first[0], title=title_text(title)),), last.number),)
    if has.unit is not None and _places_by_points(last.totals) != {name: stand.place for name, stand in stands.items()}:
        best = [name for name, place in _places_by_points(last.totals).items() if place == 1]
        if best != first:
            amount = AMOUNTS[has.unit](count=has.by_player[first[0]])
            said = MOST_LEFT(names=join_with_and(first), amount=amount, count=len(first))
            return (Scene("won", tuple(first), (said,), last.number),)
    return (Scene("won", tuple(first), (AHEAD(names=join_with_and(first), count=len(first)),), last.number),)


def _rise_and_fall_scenes(hands: Sequence[HandOfMatch], stands: Sequence[Mapping[str, Standing]]) -> Iterator[Scene]:
    """Yield the story scenes of the largest rise and the largest fall of a player in a match.

    A change counts from two places on (one place with two players). Ties go to the quicker change, then to the later
    one. `stands` are the standings after each hand.
    """
    moved = list(_largest_rank_changes(hands, stands))
    for kind, words, sign in (("rose", ROSE, 1), ("fell", FELL, -1)):
        far = [each for each in moved if sign * each.places_gained >= min(2, len(stands[-1]) - 1)]
        if not far:
            continue
        best = max(far, key=lambda each: (sign * each.places_gained, -each.hands, each.number))
        said = words(name=best.name, before=best.before.description, after=best.after.description, count=best.hands)
        yield Scene("rose" if kind == "rose" else "fell", (best.name,), (said,), best.number)


def _largest_rank_changes(
    hands: Sequence[HandOfMatch], stands: Sequence[Mapping[str, Standing]]
) -> Iterator[_PlaceChange]:
    """Yield, for each hand and player, the change from the player's best and worst earlier place to this place.

    The story of the match tells the largest ones. Hands after which all players share a place are skipped.
    """
    start = {
        each.name: Standing(each.before, each.title_before) for each in hands[0].stored.ranks if each.before is not None
    }
    best: dict[str, tuple[Standing, int]] = {}
    worst: dict[str, tuple[Standing, int]] = {}
    for at, there in enumerate((start, *stands)):
        if len({stand.place for stand in there.values()}) == 1:
            continue
        for name, stand in there.items():
            for known in (best, worst):
                if name in known:
                    before, since = known[name]
                    yield _PlaceChange(name, before, stand, at - since, hands[at - 1].number)
            if name not in best or stand.place <= best[name][0].place:
                best[name] = (stand, at)
            if name not in worst or stand.place >= worst[name][0].place:
                worst[name] = (stand, at)


def _longest_reign_scene(hands: Sequence[HandOfMatch], stands: Sequence[Mapping[str, Standing]]) -> Iterator[Scene]:
    """Yield the scene of the longest streak of one player in the lead, of two hands or more.

    Of equal streaks, the later is told. Leading means the top in games with titles, else first place in the hand, or in
    the match if it goes on across deals. `stands` are the standings after each hand.
    """
    by_rank, in_deals = _has_titles(hands), any(hand.stored.result.get("goes_on") for hand in hands)
    firsts = [
        _sole_leader(there) if by_rank or in_deals else _sole_first(hand)
        for hand, there in zip(hands, stands, strict=True)
    ]
    for count, name, end in _longest_streak(firsts):
        title = stands[end][name].title if by_rank else None
        ran = LED if in_deals else RAN
        said = REIGNED(name=name, title=title_text(title), count=count) if title else ran(name=name, count=count)
        yield Scene("reign", (name,), (said,), hands[end].number)


def _longest_bottom_scene(hands: Sequence[HandOfMatch], stands: Sequence[Mapping[str, Standing]]) -> Iterator[Scene]:
    """Yield the scene of the longest streak at the bottom, of two hands or more, in games with titles.

    Of equal streaks, the later is told. `stands` are the standings after each hand.
    """
    lasts = [max(there, key=lambda name: there[name].place) if there else None for there in stands]
    for count, name, end in _longest_streak(lasts):
        if title := stands[end][name].title:
            said = REIGNED(name=name, title=title_text(title), count=count)
            yield Scene("bottom", (name,), (said,), hands[end].number)


def _longest_streak(names: Sequence[str | None]) -> Iterator[tuple[int, str, int]]:
    """Yield the longest run of one name in a row, of at least two: its length, the name and its last index.

    Of equally long runs, the later is chosen. Nothing is yielded without such a run; None breaks a run.
    """
    ended = 0
    longest: tuple[int, str, int] | None = None
    for name, run in groupby(names):
        length = len(list(run))
        ended += length
        if name is not None and length > 1 and (longest is None or length >= longest[0]):
            longest = (length, name, ended - 1)
    if longest is not None:
        yield longest


def _sole_first(hand: HandOfMatch) -> str | None:
    """Return the only player in first place of a hand; None if the place is shared or nobody else has a place."""
    first = [name for name, place in places_in_result(hand.stored.result).items() if place == 1]
    return first[0] if len(first) == 1 and len(hand.stored.result["standing"]) > 1 else None


def _best_play_scene(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Yield the story scene of the match's best play (`best_moment`), if it has a great play."""
    great = {(hand.number, play["n"]): (play, came) for hand in hands for play, came in _great_plays(hand.stored)}
    best = best_moment((move, event["e"]) for move, (_, came) in great.items() for event in came)
    if best is not None:
        play, came = great[best]
        yield Scene("play", (play["by"],), (play, *came), *best)


def _great_plays(stored: StoredHand) -> Iterator[tuple[GameEventJson, tuple[GameEventJson, ...]]]:
    """Yield the great plays of a hand, each with the events that made it great.

    Those are events of the player that the table shows most prominently, and going out with at least `MANY_CARDS`
    cards.
    """
    loud = prominence_by_event()
    for _, together in groupby(stored.events, key=lambda event: event["n"]):
        events = list(together)
        play = next((event for event in events if event["e"] == PLAYED.name), None)
        if play is None:
            continue
        many = len(play["cards"].split()) >= MANY_CARDS
        came = tuple(
            event
            for event in events
            if (loud.get(event["e"]) == "great" and event["e"] != MATCH_WON.name and _is_by_player_of(event, play))
            or (many and event["e"] == OUT.name and event["by"] == play["by"])
        )
        if came:
            yield play, came


def _is_by_player_of(event: GameEventJson, play: GameEventJson) -> bool:
    """Return whether an event is about the player who made the play, or names no player."""
    return bool(event.get("by", play["by"]) == play["by"])


def _unwanted_card_scene(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Yield the story scene of the losing card that was swapped on through the most players.

    Of equal cards, the later is told.
    """
    found = [
        (len(by), hand.number, move, by, card) for hand in hands for by, card, move in passed_losing_cards(hand.stored)
    ]
    if found:
        count, number, move, by, card = max(found)
        said = HANDED_ON(name=by[0], last=by[-1], cards=describe_cards(parse_cards(card)), count=count - 1)
        yield Scene("passed", (by[0], by[-1]), (said,), number, move)


def _last_life_scene(hands: Sequence[HandOfMatch], have: Sequence[LivesLeft]) -> Iterator[Scene]:
    """Yield the story scene of the most hands in a row that a player played on the last life, at least two.

    Of equal streaks, the later is told.
    """
    count, number, name = max(
        ((count, number, name) for count, name, number in streaks_on_last_life(hands, have)), default=(0, 0, "")
    )
    unit = next((has.unit for has in reversed(have) if has.unit is not None), None)
    if count > 1 and unit is not None:
        said = HELD_OUT(name=name, count=count, amount=AMOUNTS[unit](count=1))
        yield Scene("edge", (name,), (said,), number)


def _closest_hand_scene(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Yield the scene of the hand with the smallest gap between its first two players, if it is at most `CLOSE`.

    The gap is counted in moves between going out, if both went out, else in points.
    """
    found = [close for hand in hands for close in _gap_between_first_two(hand) if close[0] <= CLOSE]
    if not found:
        return
    gap, number, first, second, move, words = min(found, key=lambda each: (each[0], -each[1]))
    yield Scene("close", (first, second), (words(name=first, second=second, count=gap),), number, move)


def _gap_between_first_two(hand: HandOfMatch) -> Iterator[tuple[int, int, str, str, int | None, MessageTemplate]]:
    standing = hand.stored.result["standing"][:2]
    if hand.stored.result.get("goes_on") or len(standing) < 2 or not all(isinstance(each, str) for each in standing):
        return
    first, second = standing
    out = {event["by"]: event["n"] for event in hand.stored.events if event["e"] == OUT.name}
    if first in out and second in out:
        if out[second] > out[first]:
            yield out[second] - out[first], hand.number, first, second, out[first], OUT_NEXT
        return
    ledger = hand.stored.result["ledger"]
    if (gap := ledger.get(first, 0) - ledger.get(second, 0)) > 0:
        yield gap, hand.number, first, second, None, BEHIND


def _largest_points_scene(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Yield the scene of the most points won in a hand by one player if no other win equals it, else of the most lost.

    The amount must be above one. Nothing is told if neither is unique.
    """
    entries = [(points, hand.number, name) for hand in hands for name, points in hand.stored.result["ledger"].items()]
    for kind, words, sign in (("points", BROUGHT, 1), ("cost", COST, -1)):
        ordered = sorted(entries, key=lambda each: sign * each[0], reverse=True)
        if len(ordered) > 1 and sign * ordered[0][0] > max(1, sign * ordered[1][0]):
            points, number, name = ordered[0]
            said = words(name=name, count=abs(points))
            yield Scene("points" if kind == "points" else "cost", (name,), (said,), number)
            return


def _most_wins_scene(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Yield the scene of the players who came first in the most hands, with all tied players.

    Nothing is told if that is only one hand, or if all players of the last hand are tied.
    """
    won = Counter(name for hand in hands if (name := _sole_first(hand)) is not None)
    most = max(won.values(), default=0)
    names = tuple(name for name, count in won.items() if count == most)
    if most > 1 and len(names) < len(hands[-1].stored.record["cards"]):
        yield Scene("firsts", names, (FIRSTS(names=join_with_and(names), count=most, hands=len(hands)),))


def _lead_changes_scene(stands: Sequence[Mapping[str, Standing]]) -> Iterator[Scene]:
    """Yield the scene of the number of times that the only leader of the match changed, if that happened at all.

    `stands` are the standings after each hand. Hands with a shared lead are skipped.
    """
    tops = [top for there in stands if (top := _sole_leader(there)) is not None]
    count = sum(1 for before, after in pairwise(tops) if before != after)
    if count > 0:
        yield Scene("changes", (), (CHANGES(count=count, hands=len(stands)),))


def _largest_play_scene(hands: Sequence[HandOfMatch]) -> Iterator[Scene]:
    """Yield the story scene of the play with the most cards, at least `LARGE`; of equal plays, the later.

    Nothing is told if the match has a great play, which is told instead.
    """
    plays = [
        (len(event["cards"].split()), hand.number, event["n"], event) for hand in hands for event in _play_events(hand)
    ]
    count, number, n, play = max(plays, key=lambda each: each[:3], default=(0, 0, 0, {}))
    if count >= LARGE and not any(True for hand in hands for _ in _great_plays(hand.stored)):
        yield Scene("most", (play["by"],), (play,), number, n)


def _play_events(hand: HandOfMatch) -> Iterator[GameEventJson]:
    return (event for event in hand.stored.events if event["e"] == PLAYED.name)
