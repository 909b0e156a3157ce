"""Features of a turn for the small network: what a seat sees and has been told, as features that are on or off.

A feature is a number below `FEATURES`; a position is the set of features that are on. Most features describe the
player's cards: the number of turns they need, the turns that are likely to be beaten, and the higher unseen cards. All
features use the table view and the answers of the rules (card_order.py), so a new option needs no change here.

Features of the turn are computed once (`FeatureState.table_features`), changes by an action for each action
(`FeatureState.feature_changes`).
If you change what a feature means, increase `VERSION` and train the networks again. Features appended at the end need
neither: networks trained before ignore them.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple
from zlib import crc32

from app.bots.view.card_groups import PlannedCombination
from app.bots.view.card_order import WORTH_LEVELS, CardRanking, RuleSet, card_ranking_for_seat
from app.bots.view.seat_view import Action, SeatReader, cards_of_action
from app.engine.cards.cards import Card
from app.engine.climbing.combinations import Combination

VERSION = 1

_COUNTS = 4
"""Largest number of cards of a level that features tell apart."""
_SIZES = 5
"""Largest size of a combination that features tell apart."""
_HELD = 14
_TURNS, _LOSERS, _LONE = 9, 7, 6
_FEW = (0, 1, 2, 3, 4, 5, 5, 6, 6, 6)
"""The step (0 to 7) for a player's number of cards (the index). From ten cards on it is 7."""
_BEATEN = (0, 1, 2, 3, 3, 4, 4, 4, 4)
"""The step (0 to 5) for the number of cards or sets that might beat a play (the index). From nine on it is 5."""
_KINDS, _SORTS = 24, 16
"""Number of features for kinds of combinations, chosen by a hash of the kind; colliding kinds share a feature."""
_WINNER = 1
"""A single card that at most this number of unseen cards beat is likely to win its trick."""
_LAST_TURNS = 2
"""With at most this number of turns left, `is_sure_to_win` checks for a sure win."""


class Block(NamedTuple):
    """A group of the small network's features, for a number in steps or for two numbers combined.

    `first` is the index of its first feature. It has `rows * steps` features: `steps` for one number, in each of `rows`
    for the other number (1 row if there is only one number).
    """

    first: int
    rows: int
    steps: int


BLOCKS: list[Block] = []
"""All groups, in order. Neighbouring features have similar meanings; tools/training/small_network.py uses that."""


def _add_block(steps: int, rows: int = 1) -> int:
    """Add a group of `rows * steps` features to `BLOCKS` and return the number of its first feature."""
    first = BLOCKS[-1].first + BLOCKS[-1].rows * BLOCKS[-1].steps if BLOCKS else 0
    BLOCKS.append(Block(first, rows, steps))
    return first


# The turn, before any action.
_UNSEEN = _add_block(_COUNTS + 1, WORTH_LEVELS)
_LEADS = _add_block(1)
_ON_SIZE = _add_block(_SIZES + 1)
_ON_TOP = _add_block(WORTH_LEVELS)
_ON_MIXED = _add_block(1)
_OWNER = _add_block(8)
_OWN_CARDS = _add_block(_HELD + 1)
_NEXT = _add_block(8)
_FEWEST = _add_block(8)
_IN = _add_block(6)
_ALL = _add_block(12)
_AWAITED = _add_block(5)
_OUT = _add_block(5)
_INVERTED = _add_block(1)
_BARS = _add_block(1)
_ONE_ROUND = _add_block(1)
_NOW = _add_block(_LOSERS, _TURNS)
# The player's cards, before or after the action.
_HOLDS = _add_block(_COUNTS + 1, WORTH_LEVELS)
# The action.
_PASSES = _add_block(1)
_GIVES = _add_block(1)
_TOP = _add_block(_SIZES + 1, WORTH_LEVELS)
_KIND = _add_block(_KINDS)
_HIGHER = _add_block(6, 3)
_LEFT = _add_block(_LOSERS, _TURNS)
_LEFT_LONE = _add_block(_LONE)
_SAVED = _add_block(6)
_REST = _add_block(_HELD + 1)
_KEEPS = _add_block(5)
_SPENDS = _add_block(4)
_NEXT_GOES = _add_block(6)
_FITS = _add_block(1)
_TOO_BIG = _add_block(1)
_TEARS = _add_block(1)
_STRANDS = _add_block(1)
# Combinations of several ranks: played, to beat, number left in the player's cards, and the best of those.
_COMBINATION = _add_block(WORTH_LEVELS, _SORTS)
_ON_COMBINATION = _add_block(WORTH_LEVELS, _SORTS)
_STILL = _add_block(4)
_STILL_BEST = _add_block(WORTH_LEVELS, _SORTS)
# Opponents with enough cards for such a combination, and the numbers of cards of opponents by seat.
_WHOLE = _add_block(4)
_AFTER_NEXT = _add_block(8)
_LAST = _add_block(8)

FEATURES = BLOCKS[-1].first + BLOCKS[-1].rows * BLOCKS[-1].steps

Plan = tuple[int, int, int]
"""A plan for some cards: turns needed, turns that are likely to be beaten, and turns that are single low cards."""
_NONE: Plan = (0, 0, 0)


class _RemainingHand(NamedTuple):
    """The player's cards after an action, as far as the small network's features describe them."""

    used_per_level: Mapping[int, int]
    """Number of cards played or given, by level."""
    plan: Plan
    """The plan for the remaining cards."""
    combinations: Sequence[Combination]
    """The combinations of several ranks in that plan."""


class FeatureState:
    """Features (inputs of the small network) of one seat's turn to play, pass or give.

    They come from the seat's view and the events it was told.
    """

    def __init__(
        self, seat: SeatReader, events: Sequence[Mapping[str, Any]], rules: RuleSet, features: int = FEATURES
    ) -> None:
        """Compute the features of the turn. `features`: number of features that the network knows.

        Later features are skipped if computing them takes time.
        """
        self.seat = seat
        self._rules, self._order = rules, card_ranking_for_seat(rules, seat)
        self._features = features
        level, held = self._order.level_by_card, seat.cards
        self._unseen = _count_unseen_cards(self._order, held, events)
        levels = [0] * WORTH_LEVELS
        for card, count in self._unseen.items():
            levels[level[card]] += count
        self._unseen_per_level, self._total = levels, max(1, sum(levels))
        self._better_sets = _better_set_counts(levels)
        self._held_per_level = [0] * WORTH_LEVELS
        for card in held:
            self._held_per_level[level[card]] += 1
        self._singles = [0, *accumulate(levels[:-1])]
        """By level of the player's cards, the number of unseen cards that beat a single card."""
        for at, count in enumerate(self._held_per_level):
            if count and (above := self._order.singles_beating_level(at)) is not None:
                self._singles[at] = sum(map(self._unseen.__getitem__, above))
        # A card is a control if at most one unseen card beats it.
        self._controls = frozenset([at for at, count in enumerate(self._singles) if count <= _WINNER])
        self._controlling = sum([self._held_per_level[at] for at in self._controls])
        self._plans_per_level = [
            self._plans_by_count(at, count) if count else (_NONE,) for at, count in enumerate(self._held_per_level)
        ]
        self._total_plan = _sum_plans([costs[-1] for costs in self._plans_per_level])
        self._feature_index_cache = dict[tuple[str, ...], int]()
        self._state_after_cache = dict[str, _RemainingHand]()
        self._index_combinations(rules, held)
        now, self._planned_combinations = self._plan_with_combinations(self._total_plan, self._all)
        self._current_plan = now
        self._compute_table_features(rules)

    def _index_combinations(self, rules: RuleSet, held: Sequence[str]) -> None:
        """Find the combinations of several ranks that the player may plan with, and store them.

        The player's cards are stored as bits too, but not if no such combination exists or a card is held twice.
        """
        self._combination_index = (
            rules.combination_index(self._order, tuple(held)) if len(set(held)) == len(held) > 2 else None
        )
        self._plans: Sequence[PlannedCombination] = (
            () if self._combination_index is None else self._combination_index.planned_combinations(frozenset(held))
        )
        self._bit: Mapping[str, int] = (
            self._combination_index.bits if self._combination_index is not None and self._plans else {}
        )
        self._all, masks = 0, dict[int, int]()
        for card in held if self._plans else ():
            at, bit = self._order.level_by_card[card], self._bit[card]
            self._all |= bit
            masks[at] = masks.get(at, 0) | bit
        self._masks = [*masks.items()]
        """By level, the player's cards as bits."""

    # Features that no action changes ---------------------------------------------------------------------------------

    def _compute_table_features(self, rules: RuleSet) -> None:
        seat, table = self.seat, self.seat.table
        players: Mapping[str, Mapping[str, Any]] = table["players"]
        names: list[str] = [*players]
        at = names.index(seat.name)
        others = (names[at + 1 :] + names[:at])[:: table.get("direction", 1)]
        counts = [players[name]["cards"] for name in others if players[name]["cards"]] or [0]
        self._counts, self._next, self._most = counts, counts[0], max(counts)
        trick: Mapping[str, Any] = table.get("trick") or {}
        plays: Sequence[Mapping[str, Any]] = trick.get("plays", ())
        on = plays[-1] if plays else None
        silent = {*trick.get("passed", ()), *trick.get("barred", ()), on["by"] if on else seat.name}
        awaited = sum(players[name]["cards"] > 0 for name in others if name not in silent)
        found = [_UNSEEN + at * (_COUNTS + 1) + min(count, _COUNTS) for at, count in enumerate(self._unseen_per_level)]
        found += (
            _OWN_CARDS + min(len(seat.cards), _HELD),
            _NEXT + _card_count_step(counts[0]),
            _FEWEST + _card_count_step(min(counts)),
            _IN + min(len(counts), 5),
            _ALL + min(sum(counts) // 5, 11),
            _AWAITED + min(awaited, 4),
            _OUT + min(sum(not one["cards"] for one in players.values()), 4),
            _NOW + min(self._current_plan[0], _TURNS - 1) * _LOSERS + min(self._current_plan[1], _LOSERS - 1),
        )
        if on is None:
            found.append(_LEADS)
        else:
            cards: list[str] = on["cards"].split()
            found.append(_ON_SIZE + min(len(cards), _SIZES))
            found.append(_ON_TOP + min(self._order.level_by_card.get(card, 0) for card in cards))
            found.append(_OWNER + _card_count_step(players[on["by"]]["cards"] if on["by"] in players else 0))
            if len({card[0] for card in cards}) > 1:
                found.append(_ON_MIXED)
                found.append(_ON_COMBINATION + self._combination_feature_index(on.get("kind"), tuple(cards)))
        found.append(_WHOLE + min(sum(count >= _SIZES for count in counts), 3))
        if len(counts) > 1:
            found.append(_LAST + _card_count_step(counts[-1]))
        if len(counts) > 2:
            found.append(_AFTER_NEXT + _card_count_step(counts[1]))
        if table.get("inverted"):
            found.append(_INVERTED)
        if rules.bars:
            found.append(_BARS)
        if rules.one_round:
            found.append(_ONE_ROUND)
        held = [_HOLDS + at * (_COUNTS + 1) + min(count, _COUNTS) for at, count in enumerate(self._held_per_level)]
        self.table_features: list[int] = found + held
        """The features of the turn, with all cards of the player still held."""

    # Changes by one action ----------------------------------------------------------------------------

    def feature_changes(self, action: Action) -> tuple[list[int], list[int]]:
        """Return the network's features that an action turns on, and those of `table_features` that it turns off.

        With both, the network values the action without starting from nothing.
        """
        do, seat = action["do"], self.seat
        if do == "pass":
            turns, losers, lone = self._current_plan
            left = min(turns, _TURNS - 1) * _LOSERS + min(losers, _LOSERS - 1)
            return [
                _PASSES,
                _LEFT + left,
                _LEFT_LONE + min(lone, _LONE - 1),
                *self._remaining_combination_features(self._planned_combinations),
            ], []
        cards = cards_of_action(action)
        used, (turns, losers, lone), whole = self._state_after(action, cards)
        found, gone = list[int](), list[int]()
        spent = torn = 0
        for at, count in used.items():
            had, first = self._held_per_level[at], _HOLDS + at * (_COUNTS + 1)
            gone.append(first + min(had, _COUNTS))
            found.append(first + min(had - count, _COUNTS))
            torn += had > count
            if at in self._controls:
                spent += count
        size = len(cards)
        found += (
            _LEFT + min(turns, _TURNS - 1) * _LOSERS + min(losers, _LOSERS - 1),
            _LEFT_LONE + min(lone, _LONE - 1),
            _REST + min(len(seat.cards) - size, _HELD),
            _KEEPS + min(self._controlling - spent, 4),
            _SPENDS + min(spent, 3),
            _SAVED + max(0, min(self._current_plan[0] - turns + 2, 5)),
        )
        if self._plans:
            found += self._remaining_combination_features(whole)
        if torn:
            found.append(_TEARS)
        if do == "give":
            found.append(_GIVES)
            return found, gone
        found.append(_TOP + min(used) * (_SIZES + 1) + min(size, _SIZES))
        if len(used) > 1:
            kind = None if self._combination_index is None else self._combination_index.combination_kind(cards)
            found.append(_KIND + (crc32(kind.encode()) % _KINDS if kind else 0))
            if self._features > _COMBINATION:
                found.append(_COMBINATION + self._combination_feature_index(kind, tuple(cards)))
        beaten, sort = self._count_beating_cards(cards, used)
        steps = _BEATEN[beaten] if beaten < len(_BEATEN) else 5
        found.append(_HIGHER + sort * 6 + steps)
        if size == 1 and self._next == 1:
            found.append(_NEXT_GOES + steps)
        if size in self._counts:
            found.append(_FITS)
        if size > self._most:
            found.append(_TOO_BIG)
        if seat.forbidden_last_cards and seat.leaves_only_forbidden_last_cards(cards):
            found.append(_STRANDS)
        return found, gone

    def _state_after(self, action: Action, cards: Sequence[str]) -> _RemainingHand:
        """Return the player's remaining cards, as features need them, after an action with the given cards; cached."""
        named: str | None = action.get("cards")
        if named is not None and (known := self._state_after_cache.get(named)) is not None:
            return known
        level, used, left, rest = self._order.level_by_card, dict[int, int](), self._all, self._total_plan
        for card in cards:
            at = level[card]
            used[at] = used.get(at, 0) + 1
        for at, count in used.items():
            had = self._held_per_level[at]
            rest = _replace_in_plan(rest, self._plans_per_level[at][had], self._plans_per_level[at][had - count])
        if left:
            for card in cards:
                left &= ~self._bit[card]
        found = _RemainingHand(used, *self._plan_with_combinations(rest, left))
        if named is not None:
            self._state_after_cache[named] = found
        return found

    def is_sure_to_win(self, action: Action) -> bool:
        """Return whether a play is a sure win: no unseen card or set of its kind beats it, and the rest goes out next.

        The rest must be playable in one turn. False for a play of all cards. Bombs of several cards are not considered;
        see `may_be_beaten`.
        """
        if self._current_plan[0] > _LAST_TURNS or action["do"] != "play":
            return False
        cards = cards_of_action(action)
        if len(cards) == len(self.seat.cards):
            return False
        if self.seat.forbidden_last_cards and self.seat.leaves_only_forbidden_last_cards(cards):
            return False
        used, plan, _ = self._state_after(action, cards)
        return (
            plan[0] <= 1
            and self._count_beating_cards(cards, used)[0] == 0
            and (len(cards) == 1 or not self._count_singles_beating(cards))
        )

    def may_be_beaten(self, action: Action) -> bool:
        """Return whether any combination of unseen cards could beat a play, bombs included.

        The explanation of a past turn words its reason by it.
        """
        cards = cards_of_action(action)
        game, options, inverted = self._rules.game, self._rules.options, self._order.inverted
        held = tuple(map(Card, cards))
        led = (one[0] for one in game.combinations_in_hand(options, held, inverted=inverted))
        on = next((one for one in led if one.size == len(cards)), None)
        if on is None:
            return True
        unseen = [Card(card) for card, count in self._unseen.items() for _ in range(count)]
        left = tuple(sorted(unseen, key=game.build_rules(options).card_sort_key))
        return any(
            len(one[0].cards) <= self._most
            for one in game.combinations_in_hand(options, left, on=on, inverted=inverted)
        )

    def _count_beating_cards(self, cards: Sequence[str], used: Mapping[int, int]) -> tuple[int, int]:
        """Return the number of cards or sets that might beat a play, and the sort of that number.

        `used` is the number of the play's cards by level of worth. Sort 0: unseen cards that beat a single card. Sort
        1: better levels with an unseen set of that size. Sort 2: unseen cards that beat the best card of a combination
        of several ranks.
        """
        if len(cards) == 1:
            return self._count_beating_single(cards[0]), 0
        if len(used) == 1:
            return self._better_sets[min(len(cards), _COUNTS)][min(used)], 1
        return self._singles[min(used)], 2

    # The player's plan ------------------------------------------------------------------------------------------------

    def _count_beating_single(self, card: str) -> int:
        """Return the number of cards not seen yet that may be played on this single card of the player."""
        order = self._order
        return (
            self._singles[order.level_by_card[card]]
            if card in order.like_best_of_level
            else self._count_singles_beating((card,))
        )

    def _count_singles_beating(self, cards: Sequence[str]) -> int:
        """Return the number of cards not seen yet that may be played, as single cards, on these cards."""
        return sum(map(self._unseen.__getitem__, self._order.singles_beating(cards)))

    def _plans_by_count(self, level: int, held_count: int) -> Sequence[Plan]:
        """Return the plans for playing 0, 1, 2 … cards of a level, up to the number held.

        A plan has three numbers: turns, turns that may be beaten, and weak single cards. Level 0 costs nothing.
        """
        if level == 0:
            return [_NONE] * (held_count + 1)  # wild cards are played with other cards
        # A card that may be played on any other needs no lead.
        share = 0.0 if self._order.beats_every_level(level) else self._singles[level] / self._total
        alone = (1, int(share > 0.1), int(share > 0.4))
        sets = [(1, int(self._better_sets[min(count, _COUNTS)][level] > 1), 0) for count in range(2, held_count + 1)]
        return [_NONE, alone, *sets]

    def _remaining_combination_features(self, combinations: Sequence[Combination]) -> list[int]:
        """Return features of the remaining combinations of several ranks: their number, and the strongest.

        The list is empty if the player had none at first, or if the network is too old to know these features.
        """
        if not self._plans or self._features <= _STILL:
            return []
        if not combinations:
            return [_STILL]
        best = max(combinations, key=lambda one: one.strength)
        return [
            _STILL + min(len(combinations), 3),
            _STILL_BEST + self._combination_feature_index(best.kind, best.cards),
        ]

    def _combination_feature_index(self, kind: str | None, cards: tuple[str, ...]) -> int:
        """Return the number of a feature within its group, for a combination of several ranks, by kind and main level.

        The main level is the most frequent level of its cards, and the best if several are equally frequent.
        """
        if cards not in self._feature_index_cache:
            levels = [self._order.level_by_card.get(card, 0) for card in cards]
            most = min(levels, key=lambda at: (-levels.count(at), at))
            self._feature_index_cache[cards] = (crc32(kind.encode()) % _SORTS if kind else 0) * WORTH_LEVELS + most
        return self._feature_index_cache[cards]

    def _plan_with_combinations(self, sets_plan: Plan, remaining_mask: int) -> tuple[Plan, Sequence[Combination]]:
        """Return the better plan for the remaining cards, as sets only or with combinations of several ranks.

        Also return the combinations that fit together, whether the better plan uses them or not.
        """
        whole, losers, rest = list[Combination](), 0, remaining_mask
        for mask, top, one in self._plans:
            if mask & rest == mask:
                rest ^= mask
                whole.append(one)
                losers += self._singles[top] * 3 > self._total
        if not whole:
            return sets_plan, whole
        plan, gone = sets_plan, remaining_mask ^ rest
        for at, mask in self._masks:
            if mask & gone:
                costs = self._plans_per_level[at]
                plan = _replace_in_plan(
                    plan, costs[(mask & remaining_mask).bit_count()], costs[(mask & rest).bit_count()]
                )
        return min(sets_plan, (len(whole) + plan[0], losers + plan[1], plan[2])), whole


def _count_unseen_cards(order: CardRanking, held: Iterable[str], events: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the number of copies of each card that a player has not seen: neither held nor played openly.

    `held` are the player's cards, and `events` the events that the player was told in this hand.
    """
    left = dict(order.card_counts)
    for card in held:
        left[card] -= 1
    for event in events:
        if event["e"] in _LAID_OPEN and "cards" in event:
            for card in event["cards"].split():
                if left.get(card):
                    left[card] -= 1
    return left


_LAID_OPEN = frozenset(("played", "discarded", "bombed"))
"""Kinds of events in which cards leave the hand openly."""


def _better_set_counts(levels: Sequence[int]) -> list[list[int]]:
    """Return tables by set size (pair, triple) and level: how many better levels have enough cards for such a set.

    `levels` holds the number of cards at each level of worth, best first.
    """
    return [[0, *accumulate([count >= size for count in levels[:-1]])] for size in range(_COUNTS + 1)]


def _sum_plans(plans: Iterable[Plan]) -> Plan:
    turns = losers = lone = 0
    for plan in plans:
        turns += plan[0]
        losers += plan[1]
        lone += plan[2]
    return turns, losers, lone


def _replace_in_plan(plan: Plan, before: Plan, after: Plan) -> Plan:
    return plan[0] - before[0] + after[0], plan[1] - before[1] + after[1], plan[2] - before[2] + after[2]


def _card_count_step(count: int) -> int:
    return _FEW[count] if count < len(_FEW) else 7
