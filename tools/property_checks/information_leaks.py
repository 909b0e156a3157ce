"""Whether somebody is told what they can't know: hidden cards change places, and whoever can't know it sees the same.

What a viewer knows of a hand is taken from the rules and from what was told, not from the views that are checked: their
own cards, those of people who show them theirs, and every card that an event for them has named. All other cards of
the position are renamed among each other wherever they lie (held, put down face down, in a stock, in the game's own
memory), and every byte of the views must stay as it was, also after the next action.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any, cast

from msgspec import Struct, structs

from app.engine.base.errors import RuleError
from app.engine.base.frozen import Value
from app.engine.cards.actions import Action, Keep, Pass, Play, cards_of
from app.engine.cards.cards import Card
from app.engine.display.events import Event
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hidden_state import Veiled, veil
from app.engine.match.match import Match

from .errors import Broken

PLAIN = (Play, Pass, Keep)
"""What comes of these goes by what lies open; what comes of gifts, swaps and talk may go by hidden cards."""


def check_no_leak(match: Match, told: Iterable[Event], by: str, action: Action, rng: Random) -> None:
    """`Broken` if hidden cards change a byte for a watcher or a player. `told`: the events of the hand so far; `by` and
    `action`: what may be done next."""
    told = tuple(told)
    for viewer in (None, rng.choice(match.the_hand.seats)):
        _check_position(match, known(match, told, viewer), viewer, rng)
        if isinstance(action, PLAIN):
            _check_step(match, told, viewer, by, action, rng)


def check_veil(match: Match, told: Iterable[Event], dealt: Iterable[Card], viewer: str, rng: Random) -> None:
    """`Broken` if a player's veiled match tells hidden cards, to the last byte; if a world that is drawn from it looks
    different to the player; or if a card that the player knows somebody to hold is not there. `dealt`: what the player
    was dealt, and so has seen."""
    told = tuple(told)
    heard = views.events_for(told, viewer)
    veiled = veil(match, viewer, heard)
    other = veil(renamed(match, known(match, told, viewer).union(dealt), rng), viewer, heard)
    if veiled is None or other is None:
        if veiled is not other:
            raise Broken(f"whether a match can be veiled for {viewer} hangs on hidden cards")
        return
    packed = veiled.pack()
    if packed != other.pack():
        raise Broken(f"what is veiled for {viewer} tells hidden cards")
    again = Veiled.unpack(packed, GAMES)
    if again != veiled or again.pack() != packed:
        raise Broken(f"what is veiled for {viewer} is something else when it has been packed")
    world = again.sample(rng)
    if _seen(world, viewer) != _seen(match, viewer):
        raise Broken(f"a world drawn for {viewer} does not look like the table")
    for name, sure in veiled.unseen.known.items():
        if Counter(sure) - Counter(match.the_hand.cards[name]) or Counter(sure) - Counter(world.the_hand.cards[name]):
            raise Broken(f"{viewer} is thought to know that {name} holds {' '.join(sure)}")
    if Counter(match.game.whereabouts(world.the_hand)) - Counter(
        match.game.deck(match.options, len(world.the_hand.seats))
    ):
        raise Broken(f"a world drawn for {viewer} has cards twice")


def known(match: Match, told: Iterable[Event], viewer: str | None) -> frozenset[Card]:
    """The cards that this viewer (None: a watcher) knows of in a running hand."""
    heard = (event for event in told if event.to is None or viewer in event.to)
    cards = {card for event in heard for card in _named(event.data)}
    if viewer is not None:
        for name in (viewer, *match.game.open_to(match.the_hand, viewer)):
            cards.update(match.the_hand.cards.get(name, ()))
    return frozenset(cards)


def renamed(match: Match, keep: frozenset[Card], rng: Random) -> Match:
    """The same position with every card but these called by another's name, wherever it lies."""
    there = set[Card]()

    def noted(card: Card) -> Card:
        there.add(card)
        return card

    _each_card(match.hand, noted)
    hidden = sorted(there - keep)
    now = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    return match.but(hand=_each_card(match.hand, lambda card: now.get(card, card)))


def _check_position(match: Match, keep: frozenset[Card], viewer: str | None, rng: Random) -> None:
    other = renamed(match, keep, rng)
    if _seen(match, viewer) != _seen(other, viewer):
        raise Broken(f"{viewer or 'a watcher'} sees that hidden cards have changed places")
    if viewer is not None and views.prospects(match, viewer) != views.prospects(other, viewer):
        raise Broken(f"{viewer} is told by what would come of a play that hidden cards have changed places")


def _check_step(
    match: Match, told: tuple[Event, ...], viewer: str | None, by: str, action: Action, rng: Random
) -> None:
    """After the action, too, only cards that it lays open may make a difference."""
    step = match.act(by, action)
    if not step.match.running:
        return
    keep = known(match, (*told, *step.events), viewer) | known(step.match, (), viewer) | {*cards_of(action)}
    try:
        same = renamed(match, keep, rng).act(by, action)
    except RuleError:
        return  # With other cards they may have to play, or to play something else.
    if views.events_for(same.events, viewer) != views.events_for(step.events, viewer):
        raise Broken(f"{viewer or 'a watcher'} is told of hidden cards by what comes of an action of {by}")
    if _seen(same.match, viewer) != _seen(step.match, viewer):
        raise Broken(f"{viewer or 'a watcher'} sees hidden cards by what comes of an action of {by}")


def _seen(match: Match, viewer: str | None) -> str:
    """Every byte that a viewer gets of a position."""
    return json.dumps([views.table(match), None if viewer is None else views.seat(match, viewer)])


def _named(data: object) -> Iterable[Card]:
    """Every card that an event's data names: alone, in a row such as “3c 4d”, or by person."""
    if isinstance(data, str):
        yield from (Card(word) for word in data.split())
    elif isinstance(data, dict):
        yield from _named(list(cast("dict[str, object]", data).values()))
    elif isinstance(data, list | tuple):
        for one in cast("Iterable[object]", data):
            yield from _named(one)


def _each_card(value: Any, change: Callable[[Card], Card]) -> Any:
    """A value with every card in it changed. Rules, which are compared by nobody, are no part of a position."""
    if isinstance(value, Card):
        return change(value)
    if isinstance(value, tuple):
        return tuple(_each_card(one, change) for one in cast("Iterable[object]", value))
    if isinstance(value, frozenset):
        return frozenset(_each_card(one, change) for one in cast("Iterable[object]", value))
    if isinstance(value, dict):
        return {key: _each_card(one, change) for key, one in cast("dict[Any, object]", value).items()}
    if is_dataclass(value) and not isinstance(value, type):
        of = ((field.name, getattr(value, field.name)) for field in fields(value) if field.init)
        return replace(value, **{name: _each_card(one, change) for name, one in of})
    if isinstance(value, Struct):
        parts = value.parts() if isinstance(value, Value) else value.__struct_fields__
        changed = {name: _each_card(getattr(value, name), change) for name in parts}
        return structs.replace(value, **changed)
    return value
