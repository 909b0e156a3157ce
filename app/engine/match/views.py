"""Views of a match for one seat or for spectators. All decisions about visibility are made here, by listing.

`table_view` is for everybody, `seat_view` for one player. Neither removes parts from a full state. A game lists what
it shows in `Game.table_view` and `Game.private_view`. `tools/property_checks/information_leaks.py` checks that: it
exchanges cards that a viewer can't know and compares every byte.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any, TypedDict

from msgspec import structs

from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import ActionJson, action_to_json
from app.engine.cards.actions import Action, Defy, Obey, Play
from app.engine.cards.cards import Cards, format_cards
from app.engine.display.events import GameEvent, GameEventJson
from app.engine.display.point_reasons import ReasonView
from app.engine.display.table_display import AtSeat, Face, Felt
from app.engine.match.hand import PlaceJson, ResultView, standing_to_json
from app.engine.match.match import Match, Phase

LEGAL_LIMIT = 300
"""Maximum number of legal actions listed for a seat. With `more`, the client asks about others by selecting cards."""


class Ranked(TypedDict):
    """The place of a player in the match."""

    title: Annotated[str | None, "The title of the player; null: none."]
    place: Annotated[int | None, "The place in the hierarchy, 1 for the first; null: no hierarchy yet."]
    total: Annotated[int, "Points of the match so far."]


class TablePlayer(Ranked, AtSeat):
    """The public view of one player."""

    cards: Annotated[int, "Number of cards that the player holds."]


class LastHand(ResultView):
    """The result of the last finished hand."""

    reasons: Annotated[list[ReasonView], "The reasons for all points, until the next deal."]
    totals: Annotated[dict[str, int], "Points of the match after the hand, by name."]
    next_seats: Annotated[list[str], "Players as seated for the next hand, clockwise."]
    next_hand: Annotated[
        list[GameEventJson], "The exchange and the lead of the next hand by the rules, until the next deal."
    ]


class TableOfMatch(TypedDict):
    """The state of the match that a play of cards does not change."""

    game: Annotated[str, "The key of the game."]
    felt: Annotated[Felt, "The cloth of the game."]
    number: Annotated[int, "The number of the hand, from 1; 0 before the first hand."]
    seats: Annotated[list[str], "All players, clockwise."]
    dealer: Annotated[str | None, "The dealer of the running or last hand; null: none yet."]
    last: Annotated[LastHand | None, "The result of the last finished hand; null: none yet."]
    over: Annotated[bool, "Whether the match is over."]
    winners: Annotated[list[str], "When the match is over: players with the most points."]
    decree_pending: Annotated[list[str], "Players who have not answered a decree."]
    decrees: Annotated[Mapping[str, str], "The next decree that each player may answer, by name."]


class Table(TableOfMatch, Face):
    """The public view of the match."""

    phase: Annotated[Phase, "The phase of the hand. between: no hand is running."]
    to_act: Annotated[
        list[str],
        "Players who must act. In a secret exchange, all givers until all have chosen.",
    ]
    may_interrupt: Annotated[
        list[str],
        "Players who may be able to act out of turn. Wait a moment for them before an automatic action.",
    ]
    players: Annotated[dict[str, TablePlayer], "All players, by name."]
    standing: Annotated[list[PlaceJson], "Order of finish so far, best first; complete when the hand is over."]


def table_view(match: Match) -> dict[str, Any]:
    """Return the complete public view of a match as JSON: the keys of `Table` and those that its game adds."""
    seen = {**match_section(match), **hand_section(match), **display_section(match), **trick_section(match)}
    return {**seen, "players": player_views(match, player_ranks(match))}


def match_section(match: Match) -> TableOfMatch:
    """Return the part of a match's public view that no play of cards changes, such as seats and the last result."""
    decreed = match.next_decree_by_player()
    return {
        "game": match.game.key,
        "felt": match.game.felt,
        "number": match.dealt,
        "seats": list(match.shown_seats),
        "dealer": match.dealer,
        "last": None if match.last is None else last_hand_view(match),
        "over": match.over,
        "winners": list(match.winners()),
        "decree_pending": sorted(decreed),
        "decrees": decreed,
    }


def match_section_cache_key(match: Match) -> tuple[object, ...]:
    """Return all values that `match_section`, `player_ranks` and the standing depend on.

    While they are equal, cached results are used. While waiting players are idle (`are_waiting_players_idle`), this
    holds for `seat_off_turn_section`, too.
    """
    table = (match.game, match.options, match.phase, match.dealt, match.shown_seats, match.seats, match.dealer)
    return (*table, match.unanswered, match.last, match.over, match.totals, match.hierarchy, match.memory)


def hand_section(match: Match) -> dict[str, Any]:
    """Return the part of the public view about the hand that most actions leave unchanged: phase and game's keys."""
    hand, game = match.hand, match.game
    if hand is None:
        return {"phase": match.phase, **game.between_hands_view(match)}
    moving = game.volatile_table_view(hand)
    return {"phase": match.phase, **{key: value for key, value in game.table_view(hand).items() if key not in moving}}


def hand_section_cache_key(match: Match) -> tuple[object, ...] | None:
    """Return all values that `hand_section` depends on; None if it must be built each time.

    While they are equal, a cached section of the public view is used.
    """
    table_key = None if match.hand is None else match.game.table_cache_key(match.hand)
    return None if table_key is None else (match.game, *table_key)


def display_section(match: Match) -> Face:
    """Return, for the public view, how the table is drawn, apart from the cards on it."""
    return match.game.table_display(match, match.hand)


def trick_section(match: Match) -> dict[str, Any]:
    """Return the part of the public view about the hand that any action may change, such as whose turn it is."""
    hand, game, standing = match.hand, match.game, standing_to_json(match.standing())
    if hand is None:
        return {"to_act": [], "may_interrupt": [], "standing": standing}
    may_interrupt = list(game.possible_interrupters(hand))
    awaited = [] if hand.phase == "over" else list(game.awaited_players(hand))
    return {"to_act": awaited, "may_interrupt": may_interrupt, "standing": standing, **game.volatile_table_view(hand)}


def player_ranks(match: Match) -> dict[str, Ranked]:
    """Return title, place and total of points of each player whose seat is shown, for the public view."""
    titles = match.game.titles(match)
    places = {name: place for place, name in enumerate(match.hierarchy, 1)}
    return {
        name: {"title": titles.get(name), "place": places.get(name), "total": match.totals.get(name, 0)}
        for name in match.shown_seats
    }


def player_views(match: Match, ranks: Mapping[str, Ranked]) -> dict[str, TablePlayer]:
    """Return the public view of each player at the table; `ranks` is the result of `player_ranks`."""
    return {name: player_view(*inputs) for name, inputs in player_view_inputs(match, ranks).items()}


def player_view(cards: int, rank: Ranked, seat: AtSeat) -> TablePlayer:
    """Return the public view of one player at the table, given the number of cards that they hold."""
    return {"cards": cards, **rank, **seat}


def player_view_inputs(match: Match, ranks: Mapping[str, Ranked]) -> dict[str, tuple[int, Ranked, AtSeat]]:
    """Return for each player the arguments of `player_view`, from which the public view of the player is built.

    Equal arguments give an equal view, so that it need not be sent again.
    """
    hand = match.hand
    seats = match.game.seat_displays(match, hand, ranks.keys())
    held: Mapping[str, Cards] = {} if hand is None else hand.cards
    return {name: (len(held.get(name, ())), rank, seats[name]) for name, rank in ranks.items()}


def last_hand_view(match: Match) -> LastHand:
    """Return the result of the match's last finished hand for the public view, with the totals after it.

    A hand must have been finished. Reasons for points are left out once the next hand runs, because they would double
    the size of every view.
    """
    result = match.last
    assert result is not None
    if match.is_hand_running:
        result = replace(result, reasons=())
    is_next_known = not (match.is_hand_running or match.over)
    return {
        **result.to_json(),
        "totals": dict(match.totals),
        "next_seats": list(match.seats),
        "next_hand": [event.to_json() for event in match.game.next_hand_events(match)] if is_next_known else [],
    }


class SeatOfMatch(TypedDict):
    """The part of a player's private view that a play of cards does not change."""

    name: Annotated[str, "Your name in the match."]
    subjects: Annotated[list[str], "Players to whom you may send decrees."]
    decree: Annotated[bool, "Whether you may send decrees."]


class SeatOfTurn(TypedDict):
    """The part of a player's private view that any action may change."""

    cards: Annotated[str, "Your cards."]
    legal: Annotated[list[ActionJson], "Your legal actions. Send one back as `action`."]
    more: Annotated[bool, "Whether some legal actions are not listed. Find them with `preview_cards`."]


class SeatOfHand(SeatOfTurn):
    """The part of a player's private view that is about the hand."""

    off_turn: Annotated[list[ActionJson], "Actions that you may make at any time. The game does not wait for them."]


class Seat(SeatOfMatch, SeatOfHand):
    """The private view of a player."""


def seat_view(match: Match, player: str) -> dict[str, Any]:
    """Return the private view of one player: the keys of `Seat` and those that the game adds."""
    return {
        **seat_match_section(match, player),
        **seat_turn_section(match, player),
        **seat_off_turn_section(match, player),
    }


def seat_match_section(match: Match, player: str) -> SeatOfMatch:
    """Return the part of a player's private view that plays leave unchanged.

    That is the player's name, and to whom the player may send decrees (proclaimed texts).
    """
    subjects = list(match.decree_subjects(player))
    return {"name": player, "subjects": subjects, "decree": bool(subjects)}


def seat_turn_section(match: Match, player: str) -> SeatOfTurn:
    """Return the part of a player's private view with the held cards and the legal actions.

    It lists at most `LEGAL_LIMIT` actions; `more` tells whether there are others. Empty for a player without a seat in
    the hand.
    """
    hand = match.hand
    if hand is None or player not in hand.seats:
        return {"cards": "", "legal": [], "more": False}
    legal = [_cached_action_json(action) for _, action in islice(match.legal_actions(player), LEGAL_LIMIT + 1)]
    return {
        "cards": format_cards(hand.cards.get(player, ())),
        "legal": legal[:LEGAL_LIMIT],
        "more": len(legal) > LEGAL_LIMIT,
    }


@lru_cache(512)
def _cached_action_json(action: Action) -> ActionJson:
    """Return an action as JSON, cached: the same few actions fill most lists. Callers must not change the result."""
    return action_to_json(action)


def seat_off_turn_section(match: Match, player: str) -> dict[str, Any]:
    """Return the part of a player's private view with actions that nobody waits for, and what the game adds."""
    hand, may = match.hand, [action_to_json(action) for action in _legal_off_turn_actions(match, player)]
    return (
        {"off_turn": may}
        if hand is None or player not in hand.seats
        else {"off_turn": may, **match.game.private_view(hand, player)}
    )


def are_waiting_players_idle(match: Match) -> bool:
    """Return whether only players in `to_act` can act, and no action changes the private view of the others.

    Then `seat_off_turn_section` of waiting players stays the same and is not built again. Cards and legal actions are
    not counted here.
    """
    return match.hand is not None and match.game.are_waiting_players_idle(match.hand)


class ActionPreview(TypedDict):
    """A legal play, with the effects that you can foresee."""

    action: Annotated[ActionJson, "The action. Send it back unchanged."]
    kind: Annotated[str | None, "The kind of combination; null: none."]
    effects: Annotated[list[GameEventJson], "Events that the play would cause."]


class PreviewPage(TypedDict):
    """Some of your legal plays, in the order of `legal`."""

    previews: Annotated[list[ActionPreview], "The previewed plays, at most 24."]
    next: Annotated[int | None, "`first` of the next request; null: no more plays."]


PREVIEW_BATCH_SIZE = 24
"""Number of plays previewed in one call."""


def preview_plays(match: Match, player: str, first: int = 0) -> PreviewPage:
    """Return what each of this player's legal plays would do, from index `first` in `legal` on; changes nothing.

    Each play is applied to a copy of the immutable state. The preview depends only on open cards, which a check
    verifies. Cards of other players are left out. If a play ends the hand, only the player's own events are included.
    `next` tells where to go on, as an answer holds only a batch.
    """
    legal = (
        (action for _, action in islice(match.legal_actions(player), LEGAL_LIMIT))
        if match.is_hand_running
        else iter(())
    )
    some = [*islice(legal, first, first + PREVIEW_BATCH_SIZE + 1)]
    tried = [_preview_play(match, player, action) for action in some[:PREVIEW_BATCH_SIZE] if isinstance(action, Play)]
    return {"previews": tried, "next": first + PREVIEW_BATCH_SIZE if len(some) > PREVIEW_BATCH_SIZE else None}


def _preview_play(match: Match, player: str, play: Play) -> ActionPreview:
    """Return what a legal play would do, by applying it to a copy: the events that the player may know."""
    step = match.apply_action(player, play)
    itself, *others = step.events
    does = others if step.match.is_hand_running else [event for event in others if event.by == player]
    does = [event if event.by == player else _without_cards(event) for event in does]
    return {"action": action_to_json(play), "kind": itself.data.get("kind"), "effects": visible_events(does, player)}


def _without_cards(event: GameEvent) -> GameEvent:
    return structs.replace(event, data={key: value for key, value in event.data.items() if key != "cards"})


def _legal_off_turn_actions(match: Match, player: str) -> list[Action]:
    """Return the actions that the player may do now although nobody waits for them, such as answering a decree.

    They are tried one by one; none after the match.
    """
    if match.over:
        return []
    found = [
        action for action in match.game.off_turn_actions(match, match.hand) if _is_action_legal(match, player, action)
    ]
    if match.unanswered and player in match.next_decree_by_player():
        found += (Obey(), Defy())
    return found


def _is_action_legal(match: Match, player: str, action: Action) -> bool:
    """Return whether the player may do the action now, by trying it on the match, which itself stays unchanged."""
    try:
        (match.apply_action if match.is_hand_running else match.apply_between_hands)(player, action)
    except RuleError:
        return False
    return True


def visible_events(events: Iterable[GameEvent], viewer: str | None) -> list[dict[str, Any]]:
    """Return the events that a viewer may see, as JSON.

    `viewer` is a player's name, or None for a spectator. Secret events are left out unless they are for the viewer.
    """
    return [event.to_json() for event in events if event.to is None or (viewer is not None and viewer in event.to)]
