"""A hand of a climbing game played on to its end, quickly: everybody sheds low cards and keeps what wins tricks.

Much the same as the greedy bot does, but on the hand itself, and without the checks that a play needs which comes from
outside. It asks the rules what may be played, and carries out what follows from it; no switch has a name here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from app.bots.search.blend import Trust
from app.engine.cards.actions import Action, Bomb, Give, cards_of
from app.engine.cards.cards import Cards
from app.engine.climbing import hand as loop
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import ClimbingGame
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid, Trick
from app.engine.display.events import Event
from app.engine.match.hand import HandStep, placed
from app.engine.match.match import Match

_MOST = 400
"""Actions after which a hand is left: with some rules people draw for ever."""
_LEADS, _ANSWERS, _CHOICES = 80, 40, 24
"""Of more that may be done no more is looked at."""
_BEST = 20
"""What jokers and wild cards are worth."""
_FEW, _MANY = 4, 8
"""With few cards left nobody keeps anything for later; with many they keep their controls."""
_NEARLY = 2
"""Who has no more cards than these may be out soon: then nothing is kept."""
_SET = 4
"""Larger combinations tear no sets up that are worth keeping."""
_PLACES = 0.7
"""How much of what a hand is worth is one's place in it; the rest is points. As the network has learnt it."""


class End(NamedTuple):
    """What came of a hand for one player."""

    worth: float
    """From -1 to 1, an opinion included where there was one; where it is by points, a hand that much was won by is
    beyond that."""
    place: int
    """From 1 for the first."""
    turns: int
    """Plays of one's own until one was out, or it was over."""
    keeps: bool
    """Whether one's first play won its trick."""


class Intent(NamedTuple):
    """What one would do, and what one thinks the hand is worth with it, from -1 to 1."""

    action: Action
    worth: float


Opinion = Callable[[HandState, Sequence[Event]], Intent | None]
"""What one thinks of a hand in which it is one's turn, after what has happened; None: there is nothing to choose."""


class Rollout:
    """Hands of one match, played on for one player. What cards are worth, and what is led, is found once.

    As far as it is trusted, what a hand is worth is an opinion of it at one of one's own next turns with a choice, and
    those before are played as one thinks; for the rest it is what came of it in the end. If there is no rest, that is
    not waited for."""

    def __init__(self, match: Match, me: str, opinion: Opinion | None = None, trust: Trust | None = None) -> None:
        game: object = match.game
        assert isinstance(game, ClimbingGame)
        self._match, self._me, self._game = match, me, game
        self._opinion, self._trust = opinion, trust or Trust()
        self._ended, self._spans = 0, 0
        """How many hands were played to their end, and how far winners and losers were apart in all of them."""
        self._worths: dict[bool, Mapping[str, float]] = {}
        self._led: dict[tuple[Cards, bool], Combination | None] = {}
        self._answered: dict[tuple[Cards, Combination, bool], tuple[Combination | None, bool]] = {}

    def end(self, hand: HandState, action: Action) -> End:
        """What comes of a legal action in a hand as it may be."""
        me, game, opinion, left = self._me, self._game, self._opinion, self._trust.turns
        keeps, thought = None if hand.phase == "play" else False, None
        step = game.apply(hand, me, action)
        hand, events, turns = step.hand, [*step.events], 1
        for _ in range(_MOST):
            if keeps is None and not hand.trick.acts:
                keeps = bool(hand.last_trick) and hand.last_trick[-1].by == me
            if hand.phase == "over" or not hand.cards[me]:
                break
            who = hand.turn
            plan = opinion(hand, events) if opinion is not None and self._is_mine(hand) else None
            if plan is not None:
                left -= 1
                if not left:
                    opinion, thought = None, plan.worth
                    if self._trust.later >= 1:
                        break
            if plan is not None and left:
                step = game.apply(hand, me, plan.action)
                turns += step.hand.cards[me] is not hand.cards[me]
            elif hand.phase == "exchange":
                step = self._given(hand)
            elif who is None or hand.due or hand.rules.pauses(hand):
                step = self._otherwise(hand)
            else:
                step = self._played(hand, who)
                turns += who == me and step.hand.cards[me] is not hand.cards[me]
            hand = step.hand
            if opinion is not None:
                events += step.events
        worth, place = self._valued(hand)
        if thought is not None:
            worth = self._trust.later * thought + (1 - self._trust.later) * worth
        return End(worth, place, turns, bool(keeps))

    def _is_mine(self, hand: HandState) -> bool:
        """Whether it is one's turn to play."""
        return hand.turn == self._me and hand.phase == "play" and not hand.due

    # What it came to -------------------------------------------------------------------------------------------------

    def _valued(self, hand: HandState) -> tuple[float, int]:
        """What it is worth, and the place. Who is out has a place; how the others go on is not waited for."""
        me, last = self._me, len(hand.seats) - 1
        if hand.phase != "over":
            place = self._place_so_far(hand)
            return 1 - 2 * place / last, place + 1
        result = self._game.finish(self._match, hand).result
        place = placed(result.standing)[me]
        low, high = min(result.ledger.values()), max(result.ledger.values())
        if self._trust.points:
            return self._paid(result.ledger[me], high - low), place
        places = 1 - 2 * (place - 1) / last
        points = 2 * (result.ledger[me] - low) / (high - low) - 1 if high > low else places
        return _PLACES * places + (1 - _PLACES) * points, place

    def _paid(self, points: int, span: int) -> float:
        """Points, measured by how far apart winners and losers are on the average: what much is won by counts more."""
        self._ended += 1
        self._spans += span
        return 2 * points * self._ended / self._spans if self._spans else 0.0

    def _place_so_far(self, hand: HandState) -> int:
        """From 0; of who has cards still, in a hand that was left, the middle of those that are free."""
        me, standing = self._me, hand.rules.standing(hand)
        if me in standing:
            return standing.index(me)
        if me in hand.sunk:
            return len(hand.seats) - len(hand.sunk) + hand.sunk.index(me)
        return (len(standing) + len(hand.seats) - 1) // 2

    # What people do --------------------------------------------------------------------------------------------------

    def chosen(self, hand: HandState, who: str) -> Combination | None:
        """What somebody plays whose turn it is; None: they pass."""
        return self._lead(hand, who) if hand.table is None else self._answer(hand, who)

    def _played(self, hand: HandState, who: str) -> HandStep[HandState]:
        play = self.chosen(hand, who)
        if play is None:
            return loop.pass_on(hand, who)
        return loop.put_down(hand, Laid(who, play, inverted=hand.inverted))

    def _lead(self, hand: HandState, who: str) -> Combination | None:
        """Low cards first, many at once, the best kept back. What was led of these cards before is led again."""
        held, rules = hand.cards[who], hand.rules
        if len({card[0] for card in held}) == 2:
            sure = self._sure(hand, who)
            if sure is not None:
                return sure
        free = hand.opened and not rules.refusing
        known = (held, hand.inverted)
        if free and known in self._led:
            return self._led[known]
        worth, size = self._worth(hand), len(held)
        best, least = None, (99, 0.0)
        for reading in islice(self._possible(hand, who), _LEADS):
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
            self._led[known] = best
        return best

    def _sure(self, hand: HandState, who: str) -> Combination | None:
        """Of two ranks, all of one that nobody beats: then the other goes out."""
        held, others = hand.cards[who], [name for name in hand.seats if name != who and hand.cards[name]]
        for reading in islice(self._possible(hand, who), _LEADS):
            rank = reading.cards[0][0]
            if len({card[0] for card in reading.cards}) > 1 or sum(card[0] == rank for card in held) > reading.size:
                continue
            lies = hand.but(trick=Trick.of(Laid(who, reading)))
            if not any(next(iter(hand.rules.found(lies, hand.cards[name])), None) for name in others):
                return reading
        return None

    def _answer(self, hand: HandState, who: str) -> Combination | None:
        """The lowest that tears nothing up and spends nothing good; what is dear only where somebody is nearly out.
        What was found for these cards before is not looked for again."""
        held, rules, table = hand.cards[who], hand.rules, hand.table
        assert table is not None
        if rules.by_cards and not rules.refusing:
            known = (held, table.combination, hand.inverted)
            found = self._answered.get(known)
            if found is None:
                found = self._answered[known] = self._cheapest(hand, who)
        else:
            found = self._cheapest(hand, who)
        best, dear = found
        if dear and rules.may_pass(hand, who):
            few = min([len(cards) for name, cards in hand.cards.items() if cards and name != who], default=0)
            return None if few > _NEARLY else best
        return best

    def _cheapest(self, hand: HandState, who: str) -> tuple[Combination | None, bool]:
        """What costs least, and whether that is dear."""
        held = hand.cards[who]
        worth, size = self._worth(hand), len(held)
        ranks = [card[0] for card in held]
        best, least = None, (9, 9, 99.0)
        for reading in islice(self._possible(hand, who), _ANSWERS):
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

    def _possible(self, hand: HandState, who: str) -> Iterator[Combination]:
        """One reading of each choice of cards that may be played, smallest first."""
        rules = hand.rules
        low = rules.must_lead(hand, who) if hand.table is None else None
        found = rules.found(hand, hand.cards[who])
        if low is None and not rules.refusing:
            return (readings[0] for readings in found)
        return (
            one
            for readings in found
            if low is None or low in readings[0].cards
            for one in readings[:1]
            if rules.play_refused(hand, who, one) is None
        )

    def _given(self, hand: HandState) -> HandStep[HandState]:
        """Somebody chooses a gift: what is worth least, lone cards before halves of pairs."""
        who, worth = hand.to_act[0], self._worth(hand)
        ranks = [card[0] for card in hand.cards[who]]

        def cost(action: Action) -> float:
            return sum(worth[card] + 2 * (ranks.count(card[0]) > 1) for card in cards_of(action))

        ways = [action for _, action in islice(self._game.legal(hand, who), _CHOICES)]
        gifts = [action for action in ways if isinstance(action, Give)]
        return self._game.apply(hand, who, min(gifts, key=cost) if gifts else ways[0])

    def _otherwise(self, hand: HandState) -> HandStep[HandState]:
        """Something else is asked: as many low cards go as may, and of what is no such choice the plainest."""
        worth = self._worth(hand)
        ways = list(islice(self._game.legal(hand), _CHOICES))

        def cost(one: tuple[str, Action]) -> tuple[int, float]:
            cards = () if isinstance(one[1], Bomb) else cards_of(one[1])
            return (-len(cards), sum(worth[card] for card in cards))

        by, action = min(ways, key=cost) if hand.due else ways[0]
        return self._game.apply(hand, by, action)

    # What cards are worth --------------------------------------------------------------------------------------------

    def _worth(self, hand: HandState) -> Mapping[str, float]:
        inverted = hand.revolution
        found = self._worths.get(inverted)
        if found is None:
            rules = hand.rules
            ranks: Sequence[str] = rules.ranks(hand)
            if hand.trick.turned:
                ranks = ranks[::-1]
            wild, strong = rules.wild(), set(rules.strong.split())
            self._control = len(ranks) - 2
            found = self._worths[inverted] = {
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
