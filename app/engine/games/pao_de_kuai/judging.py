"""What beats what in one match of Pao De Kuai: higher combinations of the same kind, short last plays, and bombs."""

from collections.abc import Iterator
from itertools import chain

from app.engine.base.messages import MessageTemplate, TranslatableText
from app.engine.base.options import Options
from app.engine.cards.cards import Cards
from app.engine.climbing.combinations import FOUR, PAIR, RUN, RUN_OF_PAIRS, SINGLE, Combination
from app.engine.climbing.search_counter import count_each
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import A_PAIR, A_SINGLE_CARD, HIGHER_SETS, KindSuggestion

from .bombs import THREE_ACES, is_bomb
from .combinations import (
    FOURS,
    RUNS_OF_TRIPLES,
    SHORT_RUN_OF_TRIPLES,
    SHORT_TRIPLE,
    TRIPLES,
    BodyShape,
    PaoDeKuaiCombinations,
    triples_in,
)

A_TRIPLE = MessageTemplate("pao_de_kuai.a_triple", "a triple")
A_RUN = MessageTemplate("pao_de_kuai.a_run", "a run of five or more")
PAIRS_IN_A_ROW = MessageTemplate("pao_de_kuai.pairs_in_a_row", "pairs in a row")
TRIPLES_IN_A_ROW = MessageTemplate("pao_de_kuai.triples_in_a_row", "triples in a row")
A_FOUR = MessageTemplate("pao_de_kuai.a_four", "a four with loose cards")
A_BOMB = MessageTemplate("pao_de_kuai.a_bomb", "a bomb")
HIGHER_BOMB = MessageTemplate("pao_de_kuai.higher_bomb", "a higher bomb")
WORDS = {
    SINGLE: A_SINGLE_CARD,
    PAIR: A_PAIR,
    **dict.fromkeys((*TRIPLES, SHORT_TRIPLE), A_TRIPLE),
    RUN: A_RUN,
    RUN_OF_PAIRS: PAIRS_IN_A_ROW,
    **dict.fromkeys((*RUNS_OF_TRIPLES, SHORT_RUN_OF_TRIPLES), TRIPLES_IN_A_ROW),
    **dict.fromkeys(FOURS.values(), A_FOUR),
}
"""The text for each ordinary kind in a refusal."""
HIGHER = {
    A_SINGLE_CARD: HIGHER_SETS[A_SINGLE_CARD.key],
    A_PAIR: HIGHER_SETS[A_PAIR.key],
    A_TRIPLE: MessageTemplate("pao_de_kuai.higher_triple", "a higher triple"),
    A_RUN: MessageTemplate("pao_de_kuai.higher_run", "a higher run"),
    PAIRS_IN_A_ROW: MessageTemplate("pao_de_kuai.higher_pairs_in_a_row", "higher pairs in a row"),
    TRIPLES_IN_A_ROW: MessageTemplate("pao_de_kuai.higher_triples_in_a_row", "higher triples in a row"),
    A_FOUR: MessageTemplate("pao_de_kuai.higher_four", "a higher four"),
}
"""The text for a higher combination of the same kind and size."""
BOMBS = (FOUR, THREE_ACES)
SHORT = (SHORT_TRIPLE, SHORT_RUN_OF_TRIPLES)


class PaoDeKuaiJudge:
    """The combinations of one match of Pao De Kuai: it says what beats a play, and finds it among held cards."""

    def __init__(self, options: Options) -> None:
        self.combinations = PaoDeKuaiCombinations(options)

    def readings(self, cards: Cards, held: Cards, table: PlayedCombination | None) -> tuple[Combination, ...]:
        """Return every combination that these cards form, the strongest first.

        `held` are all cards of their player: if these are played, they may be short of loose cards.
        """
        found = self.combinations.readings(cards)
        short = self._read_short(cards, found, table) if len(cards) == len(held) else None
        return found if short is None else (*found, short)

    def _read_short(
        self, cards: Cards, found: tuple[Combination, ...], table: PlayedCombination | None
    ) -> Combination | None:
        """Return cards as a short last play, or None; `found` are their ordinary readings."""
        if not cards or len(set(cards)) < len(cards) or any(card.is_joker for card in cards):
            return None
        if table is None:
            return self.combinations.read_short(cards, None) if self.combinations.short_leads and not found else None
        return self.combinations.read_short(cards, table.combination) if self.combinations.short_answers else None

    def beats(self, new: Combination, on: Combination) -> bool:
        """Return whether a combination beats another one; a short one was read as an answer to it."""
        if is_bomb(new):
            return not is_bomb(on) or new.strength > on.strength
        same = (new.kind, new.size) == (on.kind, on.size) or (new.kind in SHORT and triples_in(on) > 0)
        return same and new.strength > on.strength

    def possible_leads(self, held: Cards) -> Iterator[Combination]:
        """Yield every combination that a player with these cards may lead, smallest first, bombs last."""
        shapes = (shape for shape in self.combinations.shapes if shape.size <= len(held))
        found = (self.combinations.find(held, shape) for shape in shapes)
        short = self._read_short(held, self.combinations.readings(held), None)
        return chain(chain.from_iterable(found), () if short is None else (short,), self.combinations.bombs.find(held))

    def possible_answers(self, held: Cards, table: PlayedCombination) -> Iterator[Combination]:
        """Yield every combination of the held cards that beats the last play: its kind, a short play, then bombs."""
        on = table.combination
        if is_bomb(on):
            yield from self.combinations.bombs.find(held, above=int(on.strength[0]))
            return
        shape = self._shape_of(on)
        if shape is not None and shape.size <= len(held):
            yield from self.combinations.find(held, shape, above=int(on.strength[0]))
        short = self._read_short(held, (), table)
        if short is not None and self.beats(short, on):
            yield short
        yield from self.combinations.bombs.find(held)

    def longer_play(self, held: Cards, table: PlayedCombination | None) -> Combination | None:
        """Return a play of several cards, if the player has one. `table`: the play to beat."""
        found = self.possible_leads(held) if table is None else self.possible_answers(held, table)
        return next((one for one in found if one.size > 1), None)

    def _shape_of(self, on: Combination) -> BodyShape | None:
        same = (one for one in self.combinations.shapes if (one.kind, one.size) == (on.kind, on.size))
        return next(same, None)

    # Suggestions -----------------------------------------------------------------------------------------------------

    def suggested_leads(self, single: TranslatableText | None = None) -> list[KindSuggestion]:
        """Return a suggestion for each kind that may be led, to tell a refused player.

        `single`: the text for a single card, if not every card is allowed.
        """
        kinds: dict[MessageTemplate, list[str]] = {}
        for kind in dict.fromkeys(shape.kind for shape in self.combinations.shapes):
            kinds.setdefault(WORDS[kind], []).append(kind)
        found = [KindSuggestion(self._say(words(), some, single), tuple(some)) for words, some in kinds.items()]
        return [*found, KindSuggestion(A_BOMB(), BOMBS)]

    def suggested_answers(
        self, on: Combination, deck: Cards, single: TranslatableText | None = None
    ) -> list[KindSuggestion]:
        """Return suggestions of what beats a combination with cards of a deck, to tell a refused player.

        `single`: the text for a single card, if not every higher card is allowed.
        """
        others, above, found = tuple([card for card in deck if card not in on.cards]), -1, list[KindSuggestion]()
        if is_bomb(on):
            above = int(on.strength[0])
        elif (shape := self._shape_of(on)) is not None:
            higher = next(count_each(self.combinations.find(others, shape, above=int(on.strength[0]))), None)
            if higher is not None:
                words = self._say(HIGHER[WORDS[on.kind]](), (on.kind,), single)
                found.append(KindSuggestion(words, (on.kind,), (on.size,), above=on.strength, examples=(higher,)))
        bomb = next(count_each(self.combinations.bombs.find(others, above=above)), None)
        if bomb is not None:
            words = HIGHER_BOMB() if is_bomb(on) else A_BOMB()
            least = on.strength if is_bomb(on) else None
            found.append(KindSuggestion(words, BOMBS, above=least, examples=(bomb,)))
        return found

    @staticmethod
    def _say(
        words: TranslatableText, kinds: list[str] | tuple[str, ...], single: TranslatableText | None
    ) -> TranslatableText:
        return single if single is not None and SINGLE in kinds else words
