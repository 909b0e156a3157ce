"""Positions as players tell them: what one holds, what the others hold, and what lies on the table."""

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
"""It is Ana's turn; Bob is the next, and Dan leads where somebody else than Ana does."""

SO_THAT: Mapping[str, Mapping[str, Any]] = {
    "president": {},
    "big_two": {"direction": "clockwise", "lead_low_card": False},
    "ceausescu": {"exchange": False},
    "chase_the_ace": {},
}
"""Switches by which the cards say who leads, and nothing else."""


class Position(NamedTuple):
    """A position, and what is sensible in it."""

    says: str
    mine: str
    others: tuple[str, str, str] | int
    """What Bob, Cat and Dan hold; or so many cards each, nothing that is low or high."""
    on: str = ""
    """What Dan has led; nothing: Ana leads."""
    wants: str = ""
    """What is sensible, one or the other: cards, or `pass`."""
    never: str = ""
    """What is not."""
    switches: Mapping[str, Any] = {}
    gifts: bool = False
    """Whether Ana is the top, and has to give."""

    def view(self, key: str) -> View:
        """What Ana sees in a game, and the match as she may know it: all the cards went before her eyes that nobody
        holds any more."""
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
    """A hand with these cards in which this one leads."""
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
    """That the cards which nobody holds were played in earlier tricks."""
    held = [card for cards in match.current_hand.cards.values() for card in cards]
    left = list(match.deck())
    for card in held:
        left.remove(card)
    return {"e": "played", "by": "Cat", "cards": format_cards(tuple(left))}
