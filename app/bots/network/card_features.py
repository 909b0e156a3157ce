"""Features of a turn for the large network: on or off, with a feature for every single card.

They cover the player's cards, unseen cards, the play to beat, the opponents' numbers of cards and passes, and a plan
for the player's cards. An action is described by the position after it. `tools/training/fast_simulator.c` computes the
same features in the same order, for fast simulation; a test compares both. If you change what a feature means, increase
`VERSION`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.bots.view.combinations import CARDS, SORTS, STEPS, SUITS, CombinationTable, RankedCombination
from app.bots.view.seat_view import Action, SeatReader, cards_of_action

VERSION = 1

_OTHERS, _RANKS = 3, CARDS // SUITS
_WHOLE_HAND = _RANKS
_STEP_OF = (0, 1, 2, 3, 4, 4, 5, 5, 5, 5, *[6] * 6, *[7] * 37)
"""The step (0 to 7) for a number of cards (the index)."""
_OUTER = 5
"""Number of lowest cards, and of highest cards, for which the higher unseen cards are counted."""
_FEW, _FIVE = 3, 5
_TURNS, _LOSERS = 9, 7

_HAND = 0
_HELD = _HAND + CARDS
_UNSEEN = _HELD + CARDS
_LEFT = _UNSEEN + CARDS
_COUNT = _LEFT + CARDS
_OWN_CARDS = _COUNT + _OTHERS * 14
_ON_SINGLE = _OWN_CARDS + 14
_ON = _ON_SINGLE + CARDS
_AWAITED = _ON + SORTS * STEPS
_SILENT = _AWAITED + 16
_PASSED = _SILENT + _OTHERS
_SKIPPED = _PASSED + 3 * _OTHERS * STEPS
_PAID = _SKIPPED + 2 * _OTHERS * _RANKS
_BARS = _PAID + 1
_DEAR = _BARS + 1
_PLAN = _DEAR + 3
_MANY = _PLAN + 80
_FIRST = _MANY + 3
_SECOND = _FIRST + SORTS * STEPS
_SINGLES = _SECOND + SORTS
_PAIRS = _SINGLES + 8
_TRIPLES = _PAIRS + 7
_TOP = _TRIPLES + 5
_BOTTOM = _TOP + _OUTER * 8
_DOES = _BOTTOM + _OUTER * 8
_SURE = _DOES + SORTS + 1
_HIGHER = _SURE + SORTS
_THERE = _HIGHER + 8
_WINS = _THERE + SORTS

FEATURES = _WINS + 64


class Plan(NamedTuple):
    """A bot's plan to play all given cards, with the lowest sum of turns and turns that might be beaten.

    `turns` is the number of turns to get rid of all cards; `beatable_turns` is the number of them that other players
    might beat. `singles`, `pairs` and `triples` count the sets of one, two, and three or more cards.
    """

    turns: int
    beatable_turns: int
    large_combinations: Sequence[RankedCombination]
    """Combinations of five cards or more, the highest first."""
    singles: int
    pairs: int
    triples: int

    @property
    def cost(self) -> tuple[int, int]:
        """The sort key of a bot's plan: turns plus turns that might be beaten, then turns.

        The best plan has the lowest.
        """
        return self.turns + self.beatable_turns, self.turns


class CardFeatures:
    """Features (inputs of the large network) of one seat's turn to play or pass.

    They come from the seat's view and the events it was told.
    """

    def __init__(self, seat: SeatReader, events: Sequence[Mapping[str, Any]], pack: CombinationTable) -> None:
        self._combination_table, self._own_mask = pack, pack.bitmask_of(seat.cards)
        table: Mapping[str, Any] = seat.table
        names = [*table["players"]]
        at = names.index(seat.name)
        self._others = [*names[at + 1 :], *names[:at]][:: table.get("direction", 1)]
        """The other players, in turn order."""
        counts = [table["players"][name]["cards"] for name in self._others]
        self._parse_trick(seat)
        self._track_events(events)
        self._best_unseen_level_by_sort = {
            sort: level
            for sort, size in pack.size_by_sort.items()
            if size <= max(counts) and (level := self._best_unseen_level(sort)) is not None
        }
        """By sort, the level of the highest combination that other players might hold."""
        self._highest_unseen_set_rank = self._highest_unseen_set_ranks(max(counts))
        self._plans = dict[int, Plan]()
        found = [_UNSEEN + card for card in _card_indexes(self._unseen)] + _rank_count_features(self._unseen, _LEFT)
        places = {name: place for place, name in enumerate(self._others)}
        found += [_COUNT + 14 * place + min(count, _WHOLE_HAND) for place, count in enumerate(counts)]
        for (name, slot), low in self._lowest_passed_grade.items():
            if name in places:
                found.append(_PASSED + (_OTHERS * slot + places[name]) * STEPS + low)
        for (name, slot), left_out in self._skipped_ranks.items():
            if name in places:
                first = _SKIPPED + (_OTHERS * slot + places[name]) * _RANKS
                found += [first + rank for rank in _card_indexes(left_out)]
        found += [_THERE + sort for sort in self._best_unseen_level_by_sort]
        found.append(_DEAR + pack.card_cost_steepness)
        if pack.is_zero_sum:
            found.append(_PAID)
        if pack.passing_bars:
            found.append(_BARS)
        self.table_features = found
        """Features of the turn that no action changes."""
        self._large_combinations = [
            (known.mask, self._can_be_beaten(known), known)
            for known in (pack.combinations_in_hand(seat.cards) if len(seat.cards) >= _FIVE else ())
            if known.size >= _FIVE
        ]

    def _parse_trick(self, seat: SeatReader) -> None:
        trick: Mapping[str, Any] = seat.table.get("trick") or {}
        plays: Sequence[Mapping[str, Any]] = trick.get("plays", ())
        by = plays[-1]["by"] if plays else seat.name
        self._owner = self._others.index(by) + 1 if by in self._others else 0
        """Whose play is to be beaten: 0 for the player, 1 for the next player, and so on."""
        self._combination_to_beat = (
            self._combination_table.by_mask[self._combination_table.bitmask_of(plays[-1]["cards"].split())]
            if plays
            else None
        )
        self._barred = {*trick.get("barred", ())}

    def _track_events(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Read the events a seat was told, and store unseen cards, players who passed, and skipped ranks.

        For each player, the lowest grade passed on is stored, for single cards, pairs and larger combinations. Skipped
        ranks are those that a player left out by playing a higher single card or pair.
        """
        gone, on, silent = 0, None, set[str]()
        self._lowest_passed_grade = passed = dict[tuple[str, int], int]()
        self._skipped_ranks = skipped = dict[tuple[str, int], int]()
        for event in events:
            if event["e"] == "played":
                mask = self._combination_table.bitmask_of(event["cards"].split())
                play = self._combination_table.by_mask.get(mask)
                if play is not None and play.size < _FEW and (on is None or on.size == play.size):
                    above = 0 if on is None else _lowest_card_index(on.mask) // SUITS + 1
                    left_out = (1 << _lowest_card_index(mask) // SUITS) - 1 & ~((1 << above) - 1)
                    one = event["by"], play.size - 1
                    skipped[one] = skipped.get(one, 0) | left_out
                gone, on = gone | mask, play
                silent.clear()
            elif event["e"] == "trick_over":
                on = None
            elif event["e"] == "passed" and on is not None:
                slot = event["by"], min(on.size, 3) - 1
                silent.add(event["by"])
                passed[slot] = min(on.grade, passed.get(slot, STEPS))
        self._unseen = (1 << CARDS) - 1 & ~gone & ~self._own_mask
        self._passed_players = silent | self._barred

    def _best_unseen_level(self, sort: int) -> int | None:
        seen = ~self._unseen
        return next(
            (known.level for known in self._combination_table.by_sort_strongest_first[sort] if not known.mask & seen),
            None,
        )

    def _highest_unseen_set_ranks(self, max_cards: int) -> list[int]:
        """Return, by size of a set (0 to 4 cards), the highest rank of which another player might hold one.

        -1 for none, or if no player has that many cards.
        """
        counts = [(self._unseen >> at & 15).bit_count() for at in range(0, CARDS, SUITS)]
        return [
            max((rank for rank, count in enumerate(counts) if count >= size), default=-1) if size <= max_cards else -1
            for size in range(SUITS + 1)
        ]

    def _can_be_beaten(self, known: RankedCombination) -> bool:
        best = self._best_unseen_level_by_sort
        return any(best.get(sort, -1) > known.level for sort in self._combination_table.playable_on[known.sort])

    # An action -------------------------------------------------------------------------------------------------------

    def action_features(self, action: Action) -> list[int]:
        """Return the network's features that are on after a play or pass, in addition to `table_features`.

        Together they are the input by which the large network values this action.
        """
        found, hand, others, unseen = list[int](), self._own_mask, self._others, self._unseen
        if action["do"] == "pass":
            found.append(_DOES + SORTS)
            owner, silent, on = self._owner, self._passed_players, self._combination_to_beat
            awaited = sum(name not in silent for place, name in enumerate(others, 1) if place != owner)
            on = on if awaited else None
        else:
            on = self._combination_table.by_mask[self._combination_table.bitmask_of(cards_of_action(action))]
            hand &= ~on.mask
            owner, silent = 0, self._barred
            awaited = sum(name not in silent for name in others)
            found.append(_DOES + on.sort)
            if not self._can_be_beaten(on):
                found.append(_SURE + on.sort)
            if on.size == 1:
                found.append(_HIGHER + _STEP_OF[(unseen & -on.mask).bit_count()])
        found.append(_AWAITED + 4 * owner + awaited)
        if on is not None:
            found += [_SILENT + place for place, name in enumerate(others) if name in silent]
            found.append(_ON + STEPS * on.sort + on.step)
            if on.size == 1:
                found.append(_ON_SINGLE + on.mask.bit_length() - 1)
        cards = _card_indexes(hand)
        found.append(_OWN_CARDS + len(cards))
        found += [_HAND + card for card in cards]
        steps = [_STEP_OF[(unseen >> card).bit_count()] for card in cards]
        found += [_BOTTOM + 8 * at + step for at, step in enumerate(steps[:_OUTER])]
        found += [_TOP + 8 * at + step for at, step in enumerate(steps[: -_OUTER - 1 : -1])]
        found += _rank_count_features(hand, _HELD)
        plan = self.best_plan(hand)
        found += (
            _PLAN + 8 * min(plan.turns, _TURNS) + min(plan.beatable_turns, _LOSERS),
            _WINS + 16 * owner + 4 * min(plan.beatable_turns, 3) + awaited,
            _MANY + len(plan.large_combinations),
            _SINGLES + min(plan.singles, 7),
            _PAIRS + min(plan.pairs, 6),
            _TRIPLES + min(plan.triples, 4),
        )
        if plan.large_combinations:
            found.append(_FIRST + STEPS * plan.large_combinations[0].sort + plan.large_combinations[0].step)
        if len(plan.large_combinations) > 1:
            found.append(_SECOND + plan.large_combinations[1].sort)
        return found

    def best_plan(self, hand: int) -> Plan:
        """Return the best plan to play all these cards of the player, from a cache if known.

        A plan has at most two combinations of five or more cards; the rest is played in sets of one rank.
        """
        if hand not in self._plans:
            self._plans[hand] = self._find_best_plan(hand)
        return self._plans[hand]

    def _find_best_plan(self, hand: int) -> Plan:
        best = self._plan_with_sets(hand, (), 0)
        there = [one for one in self._large_combinations if not one[0] & ~hand]
        for at, (mask, beatable, known) in enumerate(there):
            left = hand & ~mask
            best = min(best, self._plan_with_sets(left, (known,), beatable), key=_plan_cost)
            if left.bit_count() >= _FIVE:
                for other_mask, other_beatable, other in there[:at]:
                    if not other_mask & ~left:
                        both = (known, other) if known.level > other.level else (other, known)
                        plan = self._plan_with_sets(left & ~other_mask, both, beatable + other_beatable)
                        best = min(best, plan, key=_plan_cost)
        return best

    def _plan_with_sets(
        self, remaining_mask: int, combinations: Sequence[RankedCombination], beatable_turns: int
    ) -> Plan:
        turns, unseen, above = len(combinations), self._unseen, self._highest_unseen_set_rank
        counts = [0, 0, 0, 0, 0]
        for rank, at in enumerate(range(0, CARDS, SUITS)):
            some = remaining_mask >> at & 15
            if some:
                many = some.bit_count()
                counts[many] += 1
                turns += 1
                beatable_turns += bool(unseen >> at + some.bit_length() - 1) if many == 1 else above[many] > rank
        return Plan(turns, beatable_turns, combinations, counts[1], counts[2], counts[3] + counts[4])


def _plan_cost(plan: Plan) -> tuple[int, int]:
    return plan.cost


def _card_indexes(mask: int) -> list[int]:
    """Return the indexes of the cards in a bitmask, the lowest first."""
    found = list[int]()
    while mask:
        found.append(_lowest_card_index(mask))
        mask &= mask - 1
    return found


def _lowest_card_index(mask: int) -> int:
    """Return the index of the lowest card in a bitmask."""
    return (mask & -mask).bit_length() - 1


def _rank_count_features(mask: int, first_feature: int) -> list[int]:
    """Return a feature of the network for each rank in the bitmask, which tells the number of cards of that rank."""
    return [first_feature + at + many - 1 for at in range(0, CARDS, SUITS) if (many := (mask >> at & 15).bit_count())]
