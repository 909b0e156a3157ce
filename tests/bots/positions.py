"""Positions in a hand, described by the cards of each player and the last play."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.bots.view.seat_view import View, view_of
from app.engine.base.errors import RuleError
from app.engine.cards.actions import Play
from app.engine.cards.cards import format_cards, parse_cards
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.hidden_state import build_seat_knowledge
from app.engine.match.match import Match, MatchTransition

SEATS = ("Ana", "Bob", "Cat", "Dan")
"""Ana has the turn and Bob sits next. If `Position.on` is set, Dan has led it."""

SO_THAT: Mapping[str, Mapping[str, Any]] = {
    "president": {},
    "big_two": {"direction": "clockwise", "lead_low_card": False},
    "ceausescu": {"exchange": False},
    "chase_the_ace": {},
    "pao_de_kuai": {"low_card_lead": "free"},
}
"""Options under which the dealt cards alone decide who leads."""


class Position(NamedTuple):
    """A position with its sensible actions."""

    says: str
    mine: str
    others: tuple[str, str, str] | int
    """The cards of Bob, Cat and Dan, or a number of middling cards for each of them."""
    on: str = ""
    """The cards that Dan has led. If empty, Ana leads."""
    wants: str = ""
    """The sensible actions, separated by commas: cards, or `pass`."""
    never: str = ""
    """An action that is not sensible."""
    switches: Mapping[str, Any] = {}
    gifts: bool = False
    """Whether Ana holds the first place and has to give cards."""

    def view(self, key: str) -> View:
        """Return Ana's view and her knowledge of the match.

        She has seen every card that no player holds.
        """
        game = GAMES[key]
        options = game.option_schema.resolve_options({**SO_THAT[key], **self.switches})
        dealt = dict(zip(SEATS, (self.mine, *self._theirs()), strict=True))
        if self.on:
            dealt["Dan"] = f"{dealt['Dan']} {self.on}"
        first = "Dan" if self.on else "Ana"
        step = led_by(game, options, dealt, first, gifts=self.gifts)
        told = [gone(step.match), *views.visible_events(step.events, "Ana")]
        if self.on:
            step = step.match.apply_action("Dan", Play(parse_cards(self.on)))
            told += views.visible_events(step.events, "Ana")
        assert "Ana" in step.match.to_act
        return {
            **view_of(step.match, "Ana", told, parse_cards(self.mine)),
            "veiled": build_seat_knowledge(step.match, "Ana", told),
        }

    def _theirs(self) -> tuple[str, str, str]:
        if not isinstance(self.others, int):
            return self.others
        free = [card for rank in "58T6J97Q" for suit in "cdhs" if (card := rank + suit) not in f"{self.mine} {self.on}"]
        bob, cat, dan = (" ".join(free[at : 3 * self.others : 3]) for at in range(3))
        return bob, cat, dan


def led_by(game: Any, options: Any, dealt: Mapping[str, str], first: str, *, gifts: bool = False) -> MatchTransition:
    """Start a hand with these cards in which the player `first` leads."""
    cards = {name: parse_cards(held) for name, held in dealt.items()}
    ranks: Sequence[tuple[str, ...]] = [SEATS] if gifts else [(), tuple(sorted(SEATS, key=lambda name: name == first))]
    for hierarchy in ranks:
        for dealer in SEATS:
            match = Match.start(game, options, SEATS, hierarchy)
            try:
                step = match.begin_hand(Deal(dealer, cards))
            except RuleError:
                continue
            if gifts or (step.match.phase == "play" and step.match.to_act == (first,)):
                return step
    raise AssertionError(f"{first} does not lead with {dealt[first]}")


def gone(match: Match) -> dict[str, Any]:
    """Return an event by which all cards outside the players' cards were played earlier."""
    held = [card for cards in match.current_hand.cards.values() for card in cards]
    left = list(match.deck())
    for card in held:
        left.remove(card)
    return {"e": "played", "by": "Cat", "cards": format_cards(tuple(left))}
