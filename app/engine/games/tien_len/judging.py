"""What beats what in one match of Tien Len: higher combinations of the same kind, and chops."""

from collections.abc import Iterator, Sequence
from itertools import chain

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Options
from app.engine.cards.cards import Cards
from app.engine.climbing.combinations import FOUR, PAIR, RUN, RUN_OF_PAIRS, SINGLE, TRIPLE, Combination
from app.engine.climbing.search_counter import count_each
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import (
    A_FOUR_OF_A_KIND,
    A_PAIR,
    A_RUN,
    A_SINGLE_CARD,
    A_TRIPLE,
    HIGHER_SETS,
    KindSuggestion,
)

from .chops import FOUR_OF_A_KIND, FOUR_PAIRS, LEVEL_BY_SHAPE, THREE_PAIRS, ChopRules, can_be_chopped, chop_level
from .combinations import KindAndSize, TienLenCombinations
from .table import ORDER

PAIRS_IN_A_ROW = MessageTemplate("tien_len.pairs_in_a_row", "three or more pairs in a row")
WORDS = {
    SINGLE: A_SINGLE_CARD,
    PAIR: A_PAIR,
    TRIPLE: A_TRIPLE,
    FOUR: A_FOUR_OF_A_KIND,
    RUN: A_RUN,
    RUN_OF_PAIRS: PAIRS_IN_A_ROW,
}
HIGHER = {kind: HIGHER_SETS[WORDS[kind].key] for kind in (SINGLE, PAIR, TRIPLE, FOUR)} | {
    RUN: MessageTemplate("tien_len.higher_run", "a higher run"),
    RUN_OF_PAIRS: MessageTemplate("tien_len.higher_pairs_in_a_row", "higher pairs in a row"),
}
"""The texts for a higher combination of the same kind and size."""
CHOP_WORDS = {
    THREE_PAIRS: MessageTemplate("tien_len.three_pairs", "three pairs in a row"),
    FOUR_OF_A_KIND: A_FOUR_OF_A_KIND,
    FOUR_PAIRS: MessageTemplate("tien_len.four_pairs", "four pairs in a row"),
}
"""The names of chops by level; higher levels are further pairs in a row."""
MORE_PAIRS = MessageTemplate("tien_len.more_pairs", "more pairs in a row")

Plays = Sequence[PlayedCombination]


class TienLenJudge:
    """The combinations and chops of one match of Tien Len: it says what beats a trick, and finds it in a hand."""

    def __init__(self, options: Options) -> None:
        self.combinations = TienLenCombinations(options)
        self.chops = ChopRules(options)
        self._chop_shapes = tuple(shape for shape in self.combinations.shapes if shape in LEVEL_BY_SHAPE)

    def beats(self, new: Combination, plays: Plays) -> bool:
        """Return whether a combination beats the last of the plays of a trick."""
        on = plays[-1].combination
        if (new.kind, new.size) == (on.kind, on.size):
            return self.combinations.beats_its_kind(new, on)
        level = chop_level(new)
        return level > 0 and self.chops.beats(level, plays)

    def possible_leads(self, held: Cards) -> Iterator[Combination]:
        """Yield every combination that a player with these cards may lead, smallest first."""
        shapes = (shape for shape in self.combinations.shapes if shape.size <= len(held))
        return chain.from_iterable(self.combinations.find(held, shape) for shape in shapes)

    def possible_answers(self, held: Cards, plays: Plays, *, interrupting: bool = False) -> Iterator[Combination]:
        """Yield every combination of the held cards that beats the last of the plays, smallest first.

        `interrupting`: only chops that are allowed out of turn.
        """
        on = plays[-1].combination
        for shape in self._answering_shapes(plays, interrupting=interrupting):
            if shape.size <= len(held):
                yield from self._answers_of_shape(held, shape, on)

    def _answers_of_shape(self, held: Cards, shape: KindAndSize, on: Combination) -> Iterator[Combination]:
        """Return every combination of a kind and size that may beat another one by it, the lowest first."""
        own = shape == (on.kind, on.size)
        return self.combinations.find_higher(held, on) if own else self.combinations.find(held, shape)

    def _answering_shapes(self, plays: Plays, *, interrupting: bool) -> list[KindAndSize]:
        """Return the kinds and sizes that may beat the last of the plays, smallest first.

        `interrupting`: only chops that are allowed out of turn.
        """
        on = plays[-1].combination
        shapes = [KindAndSize(on.kind, on.size)]
        if can_be_chopped(on):
            beats = self.chops.beats
            shapes += [one for one in self._chop_shapes if one != shapes[0] and beats(LEVEL_BY_SHAPE[one], plays)]
        if interrupting:
            shapes = [one for one in shapes if self.chops.may_interrupt(LEVEL_BY_SHAPE.get(one, 0))]
        return sorted(shapes, key=lambda shape: shape.size)

    # Suggestions -----------------------------------------------------------------------------------------------------

    def suggested_leads(self) -> list[KindSuggestion]:
        """Return a suggestion for each kind that may be led, to tell a refused player."""
        kinds = dict.fromkeys(shape.kind for shape in self.combinations.shapes)
        return [KindSuggestion(words(), (kind,)) for kind, words in WORDS.items() if kind in kinds]

    def suggested_answers(self, plays: Plays, *, interrupting: bool = False) -> list[KindSuggestion]:
        """Return suggestions of what beats the last of the plays, to tell a refused player.

        `interrupting`: only chops that are allowed out of turn.
        """
        on = plays[-1].combination

        def is_answer(one: Combination) -> bool:
            return self.beats(one, plays) and not set(one.cards) & set(on.cards)

        others = tuple([card for card in ORDER.deck if card not in on.cards])
        found = dict[tuple[MessageTemplate, str], list[Combination]]()
        for shape in self._answering_shapes(plays, interrupting=interrupting):
            example = next(count_each(self._answers_of_shape(others, shape, on)), None)
            if example is not None:
                own = shape == (on.kind, on.size)
                words = HIGHER[on.kind] if own else CHOP_WORDS.get(LEVEL_BY_SHAPE[shape], MORE_PAIRS)
                found.setdefault((words, shape.kind), []).append(example)
        return [
            KindSuggestion(words(), (kind,), tuple(one.size for one in some), only=is_answer, examples=tuple(some))
            for (words, kind), some in sorted(found.items(), key=lambda one: one[0][1] != on.kind)
        ]
