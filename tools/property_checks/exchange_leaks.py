"""Check that an exchange tells other persons nothing about the given cards: a given card trades places before the deal.

Pages make scenes, remarks and sounds from events and views alone. So both are compared for two deals. In the second,
the taker of a gift holds one of its cards from the start, and the giver gives another card instead. After the exchange,
all players hold the same cards.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import TypeAlias

from msgspec import Struct

from app.engine.cards.actions import Give
from app.engine.cards.cards import Card, Cards, remove_cards
from app.engine.climbing.exchange import GAVE_CARDS
from app.engine.display.events import GameEvent
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.match import Match

from .errors import PropertyViolation
from .random_actions import is_accepted

Gifts: TypeAlias = Mapping[tuple[str, str], Cards]
"""The given cards, by giver and taker."""

MOST_CHOICES = 60
"""A random giver chooses from at most this number of gifts, because some players have thousands."""


class Exchanged(Struct):
    """A hand after its exchange, with all events so far."""

    match: Match
    events: list[GameEvent]

    @property
    def gifts(self) -> Gifts:
        """The gifts that were given."""
        given = (event for event in self.events if event.name == GAVE_CARDS.name)
        return {(event.by or "", event.data["to"]): tuple(map(Card, event.data["cards"].split())) for event in given}

    @property
    def held(self) -> Mapping[str, Sequence[Card]]:
        """All players' cards, sorted."""
        return {name: sorted(cards) for name, cards in self.match.current_hand.cards.items()}

    def shown_to(self, viewer: str | None) -> str:
        """Return all data that a viewer (None: a spectator) gets, as JSON text; forced gifts may come in any order."""
        told = sorted(json.dumps(event) for event in views.visible_events(self.events, viewer))
        seat = None if viewer is None else views.seat_view(self.match, viewer)
        return json.dumps([told, views.table_view(self.match), seat])


def check_exchange(match: Match, deal: Deal, rng: Random) -> bool:
    """Check that other persons can't tell which of two cards is given in the exchange after this deal.

    `match`: before the deal. Raises `PropertyViolation` if they can. Returns False if it can't be tried with this deal:
    there are no gifts, or they would be illegal with the other card.
    """
    one = _play_exchange(match, deal, None, rng)
    if one is None or not one.gifts:
        return False
    (giver, taker), cards = rng.choice([*one.gifts.items()])
    mine, theirs = rng.choice(cards), rng.choice(deal.cards[taker] or cards)
    if mine not in deal.cards[giver] or theirs not in deal.cards[taker]:
        return False
    dealt = {
        **deal.cards,
        giver: _with_other_card(deal.cards[giver], mine, theirs),
        taker: _with_other_card(deal.cards[taker], theirs, mine),
    }
    gifts = {**one.gifts, (giver, taker): _with_other_card(cards, mine, theirs)}
    other = _play_exchange(match, replace(deal, cards=dealt), gifts, rng)
    if other is None or other.held != one.held:
        return False
    hand = one.match.current_hand
    for viewer in (None, *hand.seats):
        knows = () if viewer is None else (viewer, *match.game.players_showing_cards_to(hand, viewer))
        if not {giver, taker} & {*knows} and one.shown_to(viewer) != other.shown_to(viewer):
            raise PropertyViolation(f"{viewer or 'a watcher'} can tell which hidden card {giver} gives")
    return True


def _with_other_card(cards: Cards, old: Card, new: Card) -> Cards:
    return (*remove_cards(cards, (old,)), new)


def _play_exchange(match: Match, deal: Deal, gifts: Gifts | None, rng: Random) -> Exchanged | None:
    """Deal a hand and play its exchange with these gifts, or random ones; None if that is impossible."""
    step = match.begin_hand(deal)
    events = [*step.events]
    while step.match.is_hand_running and step.match.phase == "exchange":
        by, action = rng.choice([*islice(step.match.legal_actions(), MOST_CHOICES)])
        chosen = action if gifts is None else _gift_of(step.match, by, gifts)
        if not isinstance(chosen, Give):
            return None
        step = step.match.apply_action(by, chosen)
        events += step.events
    return Exchanged(step.match, events) if step.match.is_hand_running else None


def _gift_of(match: Match, by: str, gifts: Gifts) -> Give | None:
    """Return the legal action by which a player gives some of these gifts now; None if there is none."""
    mine = [(taker, cards) for (giver, taker), cards in gifts.items() if giver == by]
    actions = (*(Give(cards) for _, cards in mine), Give(to=tuple(mine)))
    return next((action for action in actions if is_accepted(match, by, action)), None)
