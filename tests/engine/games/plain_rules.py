"""Compare a game with a second, plain version of its rules page, for every choice of cards.

A test module of a game implements `PlainRules` for the combinations of its page. `check_legal_actions` compares a
running hand, and test_all_subsets.py compares random cards.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Protocol

from app.engine.base.options import Options
from app.engine.cards.action_codec import action_to_json
from app.engine.cards.actions import Action, Pass, Play, cards_in_action
from app.engine.cards.cards import NATURAL_CARDS, RANKS, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.rule_hooks import HandState
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from tools.property_checks.playout import Playout
from tools.property_checks.random_actions import is_accepted

SMALL = 7
"""The largest number of cards of which all subsets are tried in a running hand."""


class PlainRules(Protocol):
    """The combinations of a rules page, implemented as plainly as possible."""

    def can_lead(self, options: Options, cards: Cards, held: Cards) -> bool:
        """Whether the page lets a player with these cards lead some of them."""
        ...

    def beats(self, options: Options, cards: Cards, trick: Sequence[Combination], held: Cards) -> bool:
        """Whether the page lets some of the held cards beat the last play of a trick."""
        ...

    def may_play(self, match: Match, by: str, cards: Cards) -> bool:
        """Whether the page allows the player to play these cards now."""
        ...

    def may_pass(self, match: Match, by: str, *, can_play: bool) -> bool:
        """Whether the page allows the player to play, who can or can't play cards, to pass."""
        ...


def subsets(cards: Cards) -> Iterator[Cards]:
    """Yield every choice of at least one of the cards."""
    return chain.from_iterable(combinations(cards, size) for size in range(1, len(cards) + 1))


def check_legal_actions(match: Match, plain: PlainRules) -> None:
    """Check that `legal` lists exactly the actions that the page allows and the engine accepts."""
    hand: HandState = match.hand
    listed = list(match.legal_actions())
    shown = {(by, action_to_json(action)["do"], frozenset(cards_in_action(action))) for by, action in listed}
    assert len(shown) == len(listed)
    assert set(match.to_act) <= {by for by, _ in listed}
    for by in hand.players_with_cards():
        plays = {frozenset(action.cards) for one, action in listed if one == by and isinstance(action, Play)}
        if len(hand.cards[by]) <= SMALL:
            for cards in subsets(hand.cards[by]):
                allowed = plain.may_play(match, by, cards)
                assert (frozenset(cards) in plays) == allowed == is_accepted(match, by, Play(cards))
        else:
            assert all(plain.may_play(match, by, tuple(cards)) for cards in plays)
        may_pass = by == hand.player_to_play and plain.may_pass(match, by, can_play=bool(plays))
        assert ((by, Pass()) in listed) == may_pass == is_accepted(match, by, Pass())


class WatchedClimbing(Playout):
    """A random match (test_random_matches.py) of long plays, that is compared with the plain rules of its game."""

    plain: PlainRules
    extra_ranks = "2"
    """Ranks that are in every deal of few ranks."""

    def next_deal(self) -> Deal:
        """Deal a whole deck, or cards of few ranks, so that sets, runs and last plays are frequent."""
        match, rng = self.match, self.rng
        if rng.random() < 0.3:
            return match.deal(tuple(rng.sample(match.deck(), len(match.deck()))), rng.randrange(100))
        start, count = rng.randrange(12), len(match.seats)
        ranks = {RANKS[(start + step) % 13] for step in range(rng.choice([3, 4, 5, 8]))} | {*self.extra_ranks}
        few = [card for card in NATURAL_CARDS if card.rank in ranks and card in match.deck()]
        few = rng.sample(few, len(few))
        each = min(len(few) // count, rng.choice([1, 2, 4, 7, 7, 10, 12]))
        cards = {name: tuple(few[place * each : (place + 1) * each]) for place, name in enumerate(match.seats)}
        return Deal(match.game.next_dealer(match), cards)

    def choose_action(self, legal: list[tuple[str, Action]]) -> tuple[str, Action]:
        """Prefer long plays, which are rare."""
        if self.rng.random() < 0.5:
            legal = sorted(legal, key=lambda one: len(cards_in_action(one[1])))[-2:]
        return self.rng.choice(legal)

    def on_step(self, events: object) -> None:
        """Compare some of the positions with the plain rules."""
        if self.match.phase == "play" and self.rng.random() < 0.3:
            check_legal_actions(self.match, self.plain)
