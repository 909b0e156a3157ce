"""Play a hand of a climbing game to its end quickly: all players play low cards and keep cards that win tricks.

The strategy is much like the easy bot's. For speed it works on the hand itself, without the checks that players'
actions need. The rules say which cards may be played. No option is named here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from app.bots.search.blend import BlendWeights
from app.engine.cards.actions import Action, Bomb, Give, cards_in_action
from app.engine.cards.cards import Cards
from app.engine.climbing import hand as loop
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import ClimbingGame
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination, Trick
from app.engine.display.events import GameEvent
from app.engine.match.hand import HandTransition, places_in_standing
from app.engine.match.match import Match

_MOST = 400
"""Number of actions after which a playout is stopped: with some rules, drawing cards could go on endlessly."""
_LEADS, _ANSWERS, _CHOICES = 80, 40, 24
"""Largest number of leads, answers and other choices that are examined at a turn."""
_BEST = 20
"""Worth of jokers and wild cards."""
_FEW, _MANY = 4, 8
"""With at most 4 cards, players keep no card for later. With more than 8 cards, they keep their controls."""
_NEARLY = 2
"""If an opponent has at most this number of cards, players keep no cards back."""
_SET = 4
"""Combinations of this size or larger are not checked for breaking up sets."""
_PLACES = 0.7
"""Share of the place in the worth of a hand; the rest is points. The network was trained with the same share."""


class PlayoutResult(NamedTuple):
    """The result of a played-out hand for one player, from which a bot's search values an action."""

    worth: float
    """Value of the result from -1 to 1, blended with the network's value if there is one.

    If only points count (`BlendWeights.points`), unusually high wins and losses lie outside this range.
    """
    place: int
    """The place, 1 for the first."""
    turns: int
    """Number of the player's plays until the player was out or the hand was over."""
    keeps: bool
    """Whether the player's first play won its trick."""


class EvaluatedAction(NamedTuple):
    """An action that a policy chooses in a playout, and its estimate of the hand's worth with it, from -1 to 1."""

    action: Action
    worth: float


PlayPolicy = Callable[[HandState, Sequence[GameEvent]], EvaluatedAction | None]
"""Function that chooses an action at the player's turn; None if there is no real choice.

Its arguments are the hand and the events since the start of the playout.
"""


class Rollout:
    """Plays hands of one match out for one player, for the hard bot's search; caches worths, leads and answers.

    With a policy `opinion`, the worth of a hand is a blend. One part is the policy's estimate at one of the player's
    next turns (`trust.turns`); the policy also plays the turns before. The other part is the result at the end. If the
    estimate has all the weight (`trust.later` is 1), the hand is not played to its end.
    """

    def __init__(
        self, match: Match, me: str, opinion: PlayPolicy | None = None, trust: BlendWeights | None = None
    ) -> None:
        game: object = match.game
        assert isinstance(game, ClimbingGame)
        self._match, self._me, self._game = match, me, game
        self._opinion, self._trust = opinion, trust or BlendWeights()
        self._finished_hands, self._total_point_span = 0, 0
        """Number of hands played to their end, and the sum of their differences between most and fewest points."""
        self._worth_cache: dict[bool, Mapping[str, float]] = {}
        self._lead_cache: dict[tuple[Cards, bool], Combination | None] = {}
        self._answer_cache: dict[tuple[Cards, Combination, bool], tuple[Combination | None, bool]] = {}

    def play_out(self, hand: HandState, action: Action) -> PlayoutResult:
        """Apply a player's legal action in one sampled deal, play the hand on quickly, and return the player's result.

        All players go by simple rules, but a policy may decide the player's own next turns. The hand ends early once
        the player is out.
        """
        me, game, opinion, left = self._me, self._game, self._opinion, self._trust.turns
        keeps, thought = None if hand.phase == "play" else False, None
        step = game.apply_action(hand, me, action)
        hand, events, turns = step.hand, [*step.events], 1
        for _ in range(_MOST):
            if keeps is None and not hand.trick.acts:
                keeps = bool(hand.last_trick) and hand.last_trick[-1].by == me
            if hand.phase == "over" or not hand.cards[me]:
                break
            who = hand.player_to_play
            plan = opinion(hand, events) if opinion is not None and self._is_own_turn(hand) else None
            if plan is not None:
                left -= 1
                if not left:
                    opinion, thought = None, plan.worth
                    if self._trust.later >= 1:
                        break
            if plan is not None and left:
                step = game.apply_action(hand, me, plan.action)
                turns += step.hand.cards[me] is not hand.cards[me]
            elif hand.phase == "exchange":
                step = self._give_cheapest_cards(hand)
            elif who is None or hand.due or hand.rules.pause_refusal(hand):
                step = self._take_other_action(hand)
            else:
                step = self._play_turn(hand, who)
                turns += who == me and step.hand.cards[me] is not hand.cards[me]
            hand = step.hand
            if opinion is not None:
                events += step.events
        worth, place = self._value_and_place(hand)
        if thought is not None:
            worth = self._trust.later * thought + (1 - self._trust.later) * worth
        return PlayoutResult(worth, place, turns, bool(keeps))

    def _is_own_turn(self, hand: HandState) -> bool:
        """Return whether it is the searching player's turn to play cards in a playout, with no other choice pending."""
        return hand.player_to_play == self._me and hand.phase == "play" and not hand.due

    # The result -------------------------------------------------------------------------------------------------

    def _value_and_place(self, hand: HandState) -> tuple[float, int]:
        """Return the worth of the hand for the player, about -1 to 1, and the player's place, from 1.

        If the hand is not over, the place so far decides, because a player who is out keeps the place. Else points
        count too, or alone if the weights say so.
        """
        me, last = self._me, len(hand.seats) - 1
        if hand.phase != "over":
            place = self._place_so_far(hand)
            return 1 - 2 * place / last, place + 1
        result = self._game.finish_hand(self._match, hand).result
        place = places_in_standing(result.standing)[me]
        low, high = min(result.ledger.values()), max(result.ledger.values())
        if self._trust.points:
            return self._normalized_points(result.ledger[me], high - low), place
        places = 1 - 2 * (place - 1) / last
        points = 2 * (result.ledger[me] - low) / (high - low) - 1 if high > low else places
        return _PLACES * places + (1 - _PLACES) * points, place

    def _normalized_points(self, points: int, span: int) -> float:
        """Return points divided by half the average span (most minus fewest points) of the hands played out so far.

        Counts this hand first. 0 if no hand had a span.
        """
        self._finished_hands += 1
        self._total_point_span += span
        return 2 * points * self._finished_hands / self._total_point_span if self._total_point_span else 0.0

    def _place_so_far(self, hand: HandState) -> int:
        """Return the player's place, from 0; for a player with cards left, the middle of the places still open."""
        me, standing = self._me, hand.rules.standing(hand)
        if me in standing:
            return standing.index(me)
        if me in hand.sunk:
            return len(hand.seats) - len(hand.sunk) + hand.sunk.index(me)
        return (len(standing) + len(hand.seats) - 1) // 2

    # What players do --------------------------------------------------------------------------------------------------

    def choose_combination(self, hand: HandState, player: str) -> Combination | None:
        """Return the combination that any player of a playout plays at their turn, by simple rules, or None to pass."""
        return self._choose_lead(hand, player) if hand.play_to_beat is None else self._choose_answer(hand, player)

    def _play_turn(self, hand: HandState, who: str) -> HandTransition[HandState]:
        play = self.choose_combination(hand, who)
        if play is None:
            return loop.record_pass(hand, who)
        return loop.play_cards(hand, PlayedCombination(who, play, inverted=hand.inverted))

    def _choose_lead(self, hand: HandState, who: str) -> Combination | None:
        """Choose a lead in a playout: low cards first, many at once, cards that win tricks last; None without a lead.

        Leads are cached by the player's cards.
        """
        held, rules = hand.cards[who], hand.rules
        if len({card[0] for card in held}) == 2:
            sure = self._find_unbeatable_lead(hand, who)
            if sure is not None:
                return sure
        free = hand.opened and not rules.can_refuse_plays
        known = (held, hand.inverted)
        if free and known in self._lead_cache:
            return self._lead_cache[known]
        worth, size = self._worth_by_card(hand), len(held)
        best, least = None, (99, 0.0)
        for reading in islice(self._playable_combinations(hand, who), _LEADS):
            cards = reading.cards
            if len(cards) == size:
                best = reading
                break
            top, control = 0.0, 0
            for card in cards:
                value = worth[card]
                control += value >= self._control
                top = max(top, value)
            cost = (control, top - 2 * len(cards))
            if cost < least:
                best, least = reading, cost
        if free:
            self._lead_cache[known] = best
        return best

    def _find_unbeatable_lead(self, hand: HandState, who: str) -> Combination | None:
        """With two ranks left, return all cards of one rank that no opponent can beat; else None.

        The cards of the other rank then go out next.
        """
        held, others = hand.cards[who], [name for name in hand.seats if name != who and hand.cards[name]]
        for reading in islice(self._playable_combinations(hand, who), _LEADS):
            rank = reading.cards[0][0]
            if len({card[0] for card in reading.cards}) > 1 or sum(card[0] == rank for card in held) > reading.size:
                continue
            lies = hand.replace(trick=Trick.from_acts(PlayedCombination(who, reading)))
            if not any(next(iter(hand.rules.playable_combinations(lies, hand.cards[name])), None) for name in others):
                return reading
        return None

    def _choose_answer(self, hand: HandState, who: str) -> Combination | None:
        """Choose the cheapest answer to the play on the table, or None to pass.

        A costly answer is only played if passing is forbidden or an opponent has two cards or fewer. Answers are
        cached.
        """
        held, rules, table = hand.cards[who], hand.rules, hand.play_to_beat
        assert table is not None
        if rules.by_cards and not rules.can_refuse_plays:
            known = (held, table.combination, hand.inverted)
            found = self._answer_cache.get(known)
            if found is None:
                found = self._answer_cache[known] = self._find_cheapest_answer(hand, who)
        else:
            found = self._find_cheapest_answer(hand, who)
        best, dear = found
        if dear and rules.may_pass(hand, who):
            few = min([len(cards) for name, cards in hand.cards.items() if cards and name != who], default=0)
            return None if few > _NEARLY else best
        return best

    def _find_cheapest_answer(self, hand: HandState, who: str) -> tuple[Combination | None, bool]:
        """Return the cheapest answer to the play on the table (None without one), and whether it is costly.

        Costly means that it spends cards that win tricks or breaks up a set, while the player has many cards.
        """
        held = hand.cards[who]
        worth, size = self._worth_by_card(hand), len(held)
        ranks = [card[0] for card in held]
        best, least = None, (9, 9, 99.0)
        for reading in islice(self._playable_combinations(hand, who), _ANSWERS):
            cards = reading.cards
            used = len(cards)
            if used == size:
                return reading, False
            top, control = 0.0, 0
            for card in cards:
                value = worth[card]
                control += value >= self._control
                top = max(top, value)
            torn = ranks.count(cards[0][0]) > used if used < _SET else False
            if not control and not torn:
                return reading, False
            cost = (control, int(torn), top)
            if cost < least:
                best, least = reading, cost
        if best is None or size <= _FEW:
            return best, False
        control = least[0]
        tears = least[1] and ranks.count(best.cards[0][0]) > best.size + 1
        return best, bool(control > 1 or (control == 1 and size > _MANY) or tears)

    def _playable_combinations(self, hand: HandState, who: str) -> Iterator[Combination]:
        """Return an iterator over a player's legal plays, one reading for each set of cards, the smallest first."""
        rules = hand.rules
        low = rules.required_lead_card(hand, who) if hand.play_to_beat is None else None
        found = rules.playable_combinations(hand, hand.cards[who])
        if low is None and not rules.can_refuse_plays:
            return (readings[0] for readings in found)
        return (
            one
            for readings in found
            if low is None or low in readings[0].cards
            for one in readings[:1]
            if rules.play_refusal(hand, who, one) is None
        )

    def _give_cheapest_cards(self, hand: HandState) -> HandTransition[HandState]:
        """In a playout, let the next player of the exchange give the cards that are worth least.

        Single cards go before parts of sets.
        """
        who, worth = hand.to_act[0], self._worth_by_card(hand)
        ranks = [card[0] for card in hand.cards[who]]

        def cost(action: Action) -> float:
            return sum(worth[card] + 2 * (ranks.count(card[0]) > 1) for card in cards_in_action(action))

        ways = [action for _, action in islice(self._game.legal_actions(hand, who), _CHOICES)]
        gifts = [action for action in ways if isinstance(action, Give)]
        return self._game.apply_action(hand, who, min(gifts, key=cost) if gifts else ways[0])

    def _take_other_action(self, hand: HandState) -> HandTransition[HandState]:
        """In a playout, take an action other than play, pass or give for a player who must.

        If cards are due, choose the action with the most cards, and of these the lowest cards. Otherwise take the first
        legal action.
        """
        worth = self._worth_by_card(hand)
        ways = list(islice(self._game.legal_actions(hand), _CHOICES))

        def cost(one: tuple[str, Action]) -> tuple[int, float]:
            cards = () if isinstance(one[1], Bomb) else cards_in_action(one[1])
            return (-len(cards), sum(worth[card] for card in cards))

        by, action = min(ways, key=cost) if hand.due else ways[0]
        return self._game.apply_action(hand, by, action)

    # What cards are worth --------------------------------------------------------------------------------------------

    def _worth_by_card(self, hand: HandState) -> Mapping[str, float]:
        inverted = hand.is_revolution
        found = self._worth_cache.get(inverted)
        if found is None:
            rules = hand.rules
            ranks: Sequence[str] = rules.ranks_low_to_high(hand)
            if hand.trick.turned:
                ranks = ranks[::-1]
            wild, strong = rules.wild_ranks(), set(rules.strong.split())
            self._control = len(ranks) - 2
            found = self._worth_cache[inverted] = {
                card: _BEST
                if card[0] == "X" or card[0] in wild
                else len(ranks) - 1
                if card in strong
                else ranks.index(card[0])
                if card[0] in ranks
                else 0
                for card in set(self._game.deck(self._match.options, len(hand.seats)))
            }
        return found
