"""Check that views leak no hidden cards: when unknown cards trade places, a viewer's data must stay the same.

A viewer's knowledge comes from the rules and the events, not from the checked views. A viewer knows their own cards,
cards that other players show them, and every card named in an event for them. All other cards are exchanged at random:
held cards, cards lying face down, the stock, and cards in the game's state. Every byte of the views must stay the same,
also after the next action. In a room, only members see the list of guests.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any, cast

from msgspec import Struct, structs

from app.engine.base.errors import RuleError
from app.engine.base.frozen import FrozenState
from app.engine.cards.actions import Action, Keep, Pass, Play, cards_in_action
from app.engine.cards.cards import Card
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hidden_state import SeatKnowledge, build_seat_knowledge
from app.engine.match.match import Match
from app.rooms.model.state import Room
from app.rooms.views.delta import UpdateBuilder
from app.rooms.views.guests import Guests, GuestView, build_guests

from .errors import PropertyViolation

PLAIN = (Play, Pass, Keep)
"""Actions whose outcome depends only on open cards. Outcomes of other actions may depend on hidden cards."""


def check_no_leak(match: Match, told: Iterable[GameEvent], by: str, action: Action, rng: Random) -> None:
    """Check that hidden cards change nothing in the view of a spectator and of a random player.

    Raises `PropertyViolation` otherwise. `told`: the events of the hand so far. `by` and `action`: a legal next action,
    whose outcome is checked as well.
    """
    told = tuple(told)
    for viewer in (None, rng.choice(match.current_hand.seats)):
        _check_view_unchanged(match, cards_known_to(match, told, viewer), viewer, rng)
        if isinstance(action, PLAIN):
            _check_action_outcome(match, told, viewer, by, action, rng)


def check_guests_stay_private(room: Room, person: str | None, rng: Random) -> None:
    """Check that the list of guests is in this person's update if they are a member, and else changes nothing in it.

    Raises `PropertyViolation` otherwise.
    """

    def drawn() -> GuestView:
        return {"number": rng.getrandbits(32), "since": rng.getrandbits(40), "screen": bool(rng.getrandbits(1))}

    lists = [[drawn()], [drawn(), drawn()]]
    one, other = (_first_update(room, build_guests(2, 1, each), person) for each in lists)
    if room.find_member(person) is None:
        if one != other:
            raise PropertyViolation(f"{person or 'a watcher'} sees the list of guests")
    elif [one["you"]["guests"], other["you"]["guests"]] != lists:
        raise PropertyViolation(f"{person} does not see the list of guests")


def _first_update(room: Room, guests: Guests, person: str | None) -> dict[str, Any]:
    updates = UpdateBuilder()
    updates.update_view(room, 0, guests)
    shown: dict[str, Any] = json.loads(updates.build_update_for(person, 0).text)
    return shown


def check_hidden_state(
    match: Match, events: Iterable[GameEvent], dealt: Iterable[Card], viewer: str, rng: Random
) -> None:
    """Check what bots that search may know (`SeatKnowledge`) in a player's seat.

    Raises `PropertyViolation` if it is wrong or leaks hidden cards: its bytes must not depend on them. A sampled match
    must look the same to the player and must have no card twice. Cards that the player is said to know of must be held
    by that other player. `dealt`: the dealt cards that the player has seen.
    """
    events = tuple(events)
    heard = views.visible_events(events, viewer)
    veiled = build_seat_knowledge(match, viewer, heard)
    other = build_seat_knowledge(
        swap_hidden_cards(match, cards_known_to(match, events, viewer).union(dealt), rng), viewer, heard
    )
    if veiled is None or other is None:
        if veiled is not other:
            raise PropertyViolation(f"whether a match can be veiled for {viewer} hangs on hidden cards")
        return
    packed = veiled.to_bytes()
    if packed != other.to_bytes():
        raise PropertyViolation(f"what is veiled for {viewer} tells hidden cards")
    again = SeatKnowledge.from_bytes(packed, GAMES)
    if again != veiled or again.to_bytes() != packed:
        raise PropertyViolation(f"what is veiled for {viewer} is something else when it has been packed")
    world = again.sample_match(rng)
    if _view_as_json(world, viewer) != _view_as_json(match, viewer):
        raise PropertyViolation(f"a world drawn for {viewer} does not look like the table")
    for name, sure in veiled.unseen.known.items():
        if Counter(sure) - Counter(match.current_hand.cards[name]) or Counter(sure) - Counter(
            world.current_hand.cards[name]
        ):
            raise PropertyViolation(f"{viewer} is thought to know that {name} holds {' '.join(sure)}")
    if Counter(match.game.all_cards(world.current_hand)) - Counter(
        match.game.deck(match.options, len(world.current_hand.seats))
    ):
        raise PropertyViolation(f"a world drawn for {viewer} has cards twice")


def cards_known_to(match: Match, events: Iterable[GameEvent], viewer: str | None) -> frozenset[Card]:
    """Return the cards that a viewer knows in a running hand: own ones, shown ones, and those that events named.

    For a spectator, `viewer` is None. Checks exchange all other cards.
    """
    heard = (event for event in events if event.to is None or viewer in event.to)
    cards = {card for event in heard for card in _cards_in_data(event.data)}
    if viewer is not None:
        for name in (viewer, *match.game.players_showing_cards_to(match.current_hand, viewer)):
            cards.update(match.current_hand.cards.get(name, ()))
    return frozenset(cards)


def swap_hidden_cards(match: Match, known_cards: frozenset[Card], rng: Random) -> Match:
    """Return the match with all cards except `known_cards` exchanged at random, also between players.

    A viewer who knows only these cards must not see a difference.
    """
    there = set[Card]()

    def noted(card: Card) -> Card:
        there.add(card)
        return card

    _map_cards(match.hand, noted)
    hidden = sorted(there - known_cards)
    now = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    return match.replace(hand=_map_cards(match.hand, lambda card: now.get(card, card)))


def _check_view_unchanged(match: Match, keep: frozenset[Card], viewer: str | None, rng: Random) -> None:
    other = swap_hidden_cards(match, keep, rng)
    if _view_as_json(match, viewer) != _view_as_json(other, viewer):
        raise PropertyViolation(f"{viewer or 'a watcher'} sees that hidden cards have changed places")
    if viewer is not None and views.preview_plays(match, viewer) != views.preview_plays(other, viewer):
        raise PropertyViolation(f"{viewer} is told by what would come of a play that hidden cards have changed places")


def _check_action_outcome(
    match: Match, told: tuple[GameEvent, ...], viewer: str | None, by: str, action: Action, rng: Random
) -> None:
    """Check that after the action, the view depends on no hidden cards other than those the action opens.

    Raises `PropertyViolation` otherwise. It is tried with hidden cards exchanged.
    """
    step = match.apply_action(by, action)
    if not step.match.is_hand_running:
        return
    keep = (
        cards_known_to(match, (*told, *step.events), viewer)
        | cards_known_to(step.match, (), viewer)
        | {*cards_in_action(action)}
    )
    try:
        same = swap_hidden_cards(match, keep, rng).apply_action(by, action)
    except RuleError:
        return  # With other cards, the same action may be illegal.
    if views.visible_events(same.events, viewer) != views.visible_events(step.events, viewer):
        raise PropertyViolation(f"{viewer or 'a watcher'} is told of hidden cards by what comes of an action of {by}")
    if _view_as_json(same.match, viewer) != _view_as_json(step.match, viewer):
        raise PropertyViolation(f"{viewer or 'a watcher'} sees hidden cards by what comes of an action of {by}")


def _view_as_json(match: Match, viewer: str | None) -> str:
    """Return all data that a viewer (None: a spectator) gets of a position, as JSON text, to compare them."""
    return json.dumps([views.table_view(match), None if viewer is None else views.seat_view(match, viewer)])


def _cards_in_data(data: object) -> Iterable[Card]:
    """Yield every card that an event's data names: in a text such as “3c 4d”, in lists, or by player.

    Other words of a text come out as cards, too, which does no harm.
    """
    if isinstance(data, str):
        yield from (Card(word) for word in data.split())
    elif isinstance(data, dict):
        yield from _cards_in_data(list(cast("dict[str, object]", data).values()))
    elif isinstance(data, list | tuple):
        for one in cast("Iterable[object]", data):
            yield from _cards_in_data(one)


def _map_cards(value: Any, change: Callable[[Card], Card]) -> Any:
    """Return a copy of a state with `change` applied to every card in it; cached rules are left out."""
    if isinstance(value, Card):
        return change(value)
    if isinstance(value, tuple):
        return tuple(_map_cards(one, change) for one in cast("Iterable[object]", value))
    if isinstance(value, frozenset):
        return frozenset(_map_cards(one, change) for one in cast("Iterable[object]", value))
    if isinstance(value, dict):
        return {key: _map_cards(one, change) for key, one in cast("dict[Any, object]", value).items()}
    if is_dataclass(value) and not isinstance(value, type):
        of = ((field.name, getattr(value, field.name)) for field in fields(value) if field.init)
        return replace(value, **{name: _map_cards(one, change) for name, one in of})
    if isinstance(value, Struct):
        parts = value.persistent_fields() if isinstance(value, FrozenState) else value.__struct_fields__
        changed = {name: _map_cards(getattr(value, name), change) for name in parts}
        return structs.replace(value, **changed)
    return value
