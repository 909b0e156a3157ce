"""What one seat, or a watcher, may see. The only place that decides it, by listing what may be seen.

`table` is for everybody, `seat` for one player. Neither is made by taking things away from a whole state: what a
game wants shown it lists in `Game.table` and `Game.own`. The proof is in
tools/property_checks/information_leaks.py: exchange cards that a viewer can't know, and every byte stays the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any, TypedDict

from msgspec import structs

from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import ActionJson, action_json
from app.engine.cards.actions import Action, Defy, Obey, Play
from app.engine.cards.cards import Cards, show
from app.engine.display.events import Event, EventJson
from app.engine.display.point_reasons import ReasonShown
from app.engine.display.table_display import AtSeat, Face
from app.engine.match.hand import Place, ResultShown, places_json
from app.engine.match.match import Match, Phase

LEGAL_LIMIT = 300
"""Legal actions listed for a seat; `more` says that there are others, which the client asks about by selecting."""


class Ranked(TypedDict):
    """What somebody is in the match."""

    title: Annotated[str | None, "What they are called, by the hierarchy."]
    place: Annotated[int | None, "In the hierarchy, 1 for the top; null before there is one."]
    total: Annotated[int, "Points so far."]


class TablePlayer(Ranked, AtSeat):
    """What everybody may know of one player at the table."""

    cards: Annotated[int, "How many they hold."]


class LastHand(ResultShown):
    """How the last finished hand ended."""

    reasons: Annotated[list[ReasonShown], "What everybody’s points are for, until the next hand is dealt."]
    totals: Annotated[dict[str, int], "Points after it, by name."]
    next_seats: Annotated[list[str], "Who sits where for the next hand."]


class TableOfMatch(TypedDict):
    """What no play of cards changes."""

    game: Annotated[str, "Which game it is."]
    number: Annotated[int, "Of the hand, from 1; 0 before the first."]
    seats: Annotated[list[str], "Everybody at the table, clockwise."]
    dealer: Annotated[str | None, "Who dealt the last hand."]
    last: Annotated[LastHand | None, "How the last finished hand ended."]
    over: Annotated[bool, "Whether the match is."]
    winners: Annotated[list[str], "Those with most points, when the match is over."]
    decree_waits: Annotated[list[str], "Who has not answered a decree yet."]
    decrees: Annotated[Mapping[str, str], "The decree that each of them may answer next, by name."]


class Table(TableOfMatch, Face):
    """All that everybody may know of the match, whole."""

    phase: Annotated[Phase, "Where the hand is; between: it is put away, and the next not dealt."]
    to_act: Annotated[
        list[str],
        "Those whose action is awaited; where gifts are chosen unseen, every giver until the gifts are given. Whether "
        "you have to choose still, your `legal` tells.",
    ]
    may_break_in: Annotated[
        list[str],
        "Those who may be about to act though nobody waits for it, for all that lies open: a fair page leaves them a "
        "moment before it does anything by itself.",
    ]
    players: Annotated[dict[str, TablePlayer], "Each seat, by name."]
    standing: Annotated[list[Place], "Who is out so far, best first; of a hand that is over, everybody."]


def table(match: Match) -> dict[str, Any]:
    """All that everybody may know of the match: JSON-ready, whole; the keys of `Table` and what the game lists."""
    seen = {**of_match(match), **of_hand(match), **of_face(match), **of_trick(match)}
    return {**seen, "players": players(match, ranked(match))}


def of_match(match: Match) -> TableOfMatch:
    """What everybody may know of the match that no play of cards changes."""
    decreed = match.decreed()
    return {
        "game": match.game.key,
        "number": match.dealt,
        "seats": list(match.at_table),
        "dealer": match.dealer,
        "last": None if match.last is None else last(match),
        "over": match.over,
        "winners": list(match.winners()),
        "decree_waits": sorted(decreed),
        "decrees": decreed,
    }


def makes_match(match: Match) -> tuple[object, ...]:
    """All that `of_match`, `ranked` and `standing` are made of, and where it `is_quiet` `besides`, too: while each of
    these is the same, so is that."""
    table = (match.game, match.options, match.phase, match.dealt, match.at_table, match.seats, match.dealer)
    return (*table, match.unanswered, match.last, match.over, match.totals, match.hierarchy, match.memory)


def of_hand(match: Match) -> dict[str, Any]:
    """What everybody may know of the hand that most actions leave as it is: its phase, and what the game lists."""
    hand, game = match.hand, match.game
    if hand is None:
        return {"phase": match.phase, **game.lasting(match)}
    moving = game.moving(hand)
    return {"phase": match.phase, **{key: value for key, value in game.table(hand).items() if key not in moving}}


def makes_hand(match: Match) -> tuple[object, ...] | None:
    """All that `of_hand` is made of: while each of these is the same, so is that. None: it is made anew."""
    made_of = None if match.hand is None else match.game.makes_table(match.hand)
    return None if made_of is None else (match.game, *made_of)


def of_face(match: Match) -> Face:
    """What the table shows besides what lies on it."""
    return match.game.face(match, match.hand)


def of_trick(match: Match) -> dict[str, Any]:
    """What everybody may know of the hand that any action may change: the other keys of `Table`, and the game's."""
    hand, game, standing = match.hand, match.game, places_json(match.standing())
    if hand is None:
        return {"to_act": [], "may_break_in": [], "standing": standing}
    may_break_in = list(game.may_break_in(hand))
    awaited = [] if hand.phase == "over" else list(game.awaited(hand))
    return {"to_act": awaited, "may_break_in": may_break_in, "standing": standing, **game.moving(hand)}


def ranked(match: Match) -> dict[str, Ranked]:
    """What everybody at the table is in the match, by name."""
    titles = match.game.titles(match)
    places = {name: place for place, name in enumerate(match.hierarchy, 1)}
    return {
        name: {"title": titles.get(name), "place": places.get(name), "total": match.totals.get(name, 0)}
        for name in match.at_table
    }


def players(match: Match, ranks: Mapping[str, Ranked]) -> dict[str, TablePlayer]:
    """What everybody may know of each player, by name; `ranks` is what `ranked` gives."""
    return {name: player(*made_of) for name, made_of in makes_players(match, ranks).items()}


def player(cards: int, rank: Ranked, seat: AtSeat) -> TablePlayer:
    """What everybody may know of one player."""
    return {"cards": cards, **rank, **seat}


def makes_players(match: Match, ranks: Mapping[str, Ranked]) -> dict[str, tuple[int, Ranked, AtSeat]]:
    """What `player` makes each of, by name: while all three are the same, so is what is made."""
    hand = match.hand
    seats = match.game.at_seats(match, hand, ranks.keys())
    held: Mapping[str, Cards] = {} if hand is None else hand.cards
    return {name: (len(held.get(name, ())), rank, seats[name]) for name, rank in ranks.items()}


def last(match: Match) -> LastHand:
    """How the last finished hand ended, with the totals after it.

    What its points are for is told while people look at the result: in each picture of the next hand it would take as
    much room as all that is played.
    """
    result = match.last
    assert result is not None
    if match.running:
        result = replace(result, reasons=())
    return {**result.to_json(), "totals": dict(match.totals), "next_seats": list(match.seats)}


class SeatOfMatch(TypedDict):
    """What only one player may know and an action in a trick leaves as it is."""

    name: Annotated[str, "Whose seat it is."]
    subjects: Annotated[list[str], "Those whom one may give orders."]
    decree: Annotated[bool, "Whether there are any."]


class SeatOfTurn(TypedDict):
    """What only one player may know and any action in a trick may change."""

    cards: Annotated[str, "What one holds."]
    legal: Annotated[list[ActionJson], "What one may do now, ready to be sent back as `action`."]
    more: Annotated[bool, "Whether more is legal than is listed: ask with `look`."]


class SeatOfHand(SeatOfTurn):
    """What only one player may know of a hand."""

    may: Annotated[list[ActionJson], "What one may do besides, at one’s own time: nobody waits for it."]


class Seat(SeatOfMatch, SeatOfHand):
    """What only one player may know."""


def seat(match: Match, player: str) -> dict[str, Any]:
    """What only this player may know: the keys of `Seat` (`legal` up to `LEGAL_LIMIT`) and the game's own."""
    return {**standing(match, player), **turn(match, player), **besides(match, player)}


def standing(match: Match, player: str) -> SeatOfMatch:
    """Who this player is in the match."""
    subjects = list(match.subjects(player))
    return {"name": player, "subjects": subjects, "decree": bool(subjects)}


def turn(match: Match, player: str) -> SeatOfTurn:
    """What this player holds, and may do now."""
    hand = match.hand
    if hand is None or player not in hand.seats:
        return {"cards": "", "legal": [], "more": False}
    legal = [_listed(action) for _, action in islice(match.legal(player), LEGAL_LIMIT + 1)]
    return {"cards": show(hand.cards.get(player, ())), "legal": legal[:LEGAL_LIMIT], "more": len(legal) > LEGAL_LIMIT}


@lru_cache(512)
def _listed(action: Action) -> ActionJson:
    """An action as it stands in lists: in most of them the same few, which nobody changes in place."""
    return action_json(action)


def besides(match: Match, player: str) -> dict[str, Any]:
    """What this player may do at their own time, and the game's own."""
    hand, may = match.hand, [action_json(action) for action in _unlisted(match, player)]
    return {"may": may} if hand is None or player not in hand.seats else {"may": may, **match.game.own(hand, player)}


def is_quiet(match: Match) -> bool:
    """Whether only those who are to act can do anything now, and nobody sees anything of their own but their cards and
    what they may do: `besides` stays as it is, whatever they do."""
    return match.hand is not None and match.game.is_quiet(match.hand)


class Prospect(TypedDict):
    """Something that one may play, and what would come of it as far as one may know."""

    action: Annotated[ActionJson, "Ready to be sent back."]
    kind: Annotated[str | None, "Which combination it is."]
    does: Annotated[list[EventJson], "What would happen besides, as it would be told."]


class Foreseen(TypedDict):
    """Some of what one may play now, in the order of `legal`."""

    prospects: Annotated[list[Prospect], "So many at a time."]
    next: Annotated[int | None, "Where to go on; null if these were the last, or more are not listed."]


PROSPECTS = 24
"""Plays that are tried in one go."""


def prospects(match: Match, player: str, first: int = 0) -> Foreseen:
    """What this player may play, from the `first` legal action on, and what each play would do. Nothing is done.

    States are values, so trying it is knowing. What a play leads to depends only on open cards, which
    tools/property_checks/information_leaks.py checks. What others would reveal is not told yet, and of a hand's
    end only what happens to the player.
    """
    legal = (action for _, action in islice(match.legal(player), LEGAL_LIMIT)) if match.running else iter(())
    some = [*islice(legal, first, first + PROSPECTS + 1)]
    tried = [_prospect(match, player, action) for action in some[:PROSPECTS] if isinstance(action, Play)]
    return {"prospects": tried, "next": first + PROSPECTS if len(some) > PROSPECTS else None}


def _prospect(match: Match, player: str, play: Play) -> Prospect:
    """What would come of a legal play."""
    step = match.act(player, play)
    itself, *others = step.events
    does = others if step.match.running else [event for event in others if event.by == player]
    does = [event if event.by == player else _without_cards(event) for event in does]
    return {"action": action_json(play), "kind": itself.data.get("kind"), "does": events_for(does, player)}


def _without_cards(event: Event) -> Event:
    return structs.replace(event, data={key: value for key, value in event.data.items() if key != "cards"})


def _unlisted(match: Match, player: str) -> list[Action]:
    """What one may do though nobody waits for it: what the game lists so, and answering a decree."""
    if match.over:
        return []
    found = [action for action in match.game.unlisted(match, match.hand) if _possible(match, player, action)]
    if match.unanswered and player in match.decreed():
        found += (Obey(), Defy())
    return found


def _possible(match: Match, player: str, action: Action) -> bool:
    """Whether this may be done now. States are values, so trying it is asking."""
    try:
        (match.act if match.running else match.between)(player, action)
    except RuleError:
        return False
    return True


def events_for(events: Iterable[Event], viewer: str | None) -> list[dict[str, Any]]:
    """The events that a viewer may know (None: a watcher), as JSON. Public ones come for everybody alike."""
    return [event.to_json() for event in events if event.to is None or (viewer is not None and viewer in event.to)]
