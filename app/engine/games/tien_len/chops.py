"""Chops [TIEN-08 … TIEN-11]: what fours and pairs in a row beat beside their own kind, and when."""

from collections.abc import Callable, Sequence

from app.engine.base.options import Choice, Conflict, Option, Options, Section, on_off_choice
from app.engine.climbing.combinations import FOUR, PAIR, RUN_OF_PAIRS, SINGLE, TRIPLE, Combination
from app.engine.climbing.state import PlayedCombination

from .combinations import PAIR_RUNS, KindAndSize, is_two

FOUR_CHOPS = Option(
    id="TIEN-08",
    also="tứ quý bomb",
    key="four_chops",
    label="Four of a kind",
    domain=Choice({"two_twos": "It beats one or two twos", "one_two": "It beats one two"}),
    default="two_twos",
    sentence="Decides whether four of a kind beats a pair of twos.",
    example="With “It beats one two”, 7♠ 7♣ 7♦ 7♥ beats 2♥, but not 2♠ 2♥.",
)

TRIPLE_CHOP = Option(
    id="TIEN-09",
    also="năm đôi thông bomb",
    key="triple_chop",
    label="Five pairs in a row",
    domain=on_off_choice("They beat at most two twos", "They beat up to three twos"),
    default=False,
    sentence="Decides whether five or more pairs in a row beat three twos. If five pairs in a row win at once, "
    "this matters only with 17 cards or after an exchange.",
    example="5♠ 5♣ 6♠ 6♣ 7♠ 7♣ 8♠ 8♣ 9♠ 9♣ beats 2♠ 2♣ 2♥.",
)

CHOPS_ON_CHOPS = Option(
    id="TIEN-10",
    also="chặt chồng bomb",
    key="chops_on_chops",
    label="Chops on chops",
    domain=Choice(
        {
            "always": "A chop beats any lower chop",
            "after_two": "Only in a trick with a two",
            "never": "A chop beats only twos, and its own kind",
        }
    ),
    default="always",
    sentence="Decides when four of a kind, or pairs in a row, beat a lower kind of chop.",
    example="With “A chop beats any lower chop”, four nines beat 4♠ 4♣ 5♠ 5♣ 6♠ 6♣, even if these were led.",
    short={"after_two": "Chops beat lower chops only after a two.", "never": "Chops beat only twos."},
)

INTERRUPTIONS = Option(
    id="TIEN-11",
    also="chặt ngang bomb out of turn",
    key="interruptions",
    label="Chops out of turn",
    domain=Choice(
        {
            "four_pairs": "Four or more pairs in a row",
            "none": "No chop",
            "every": "Every chop",
        }
    ),
    default="four_pairs",
    sentence="Decides which chops you may also play out of turn, and after you passed.",
    example="Bob passed, then Cat plays 2♥: by default Bob may chop with 4♠ 4♣ 5♠ 5♦ 6♣ 6♥ 7♠ 7♥.",
    source="Vietnamese Wikipedia",
    short={
        "four_pairs": "Four pairs may chop at any time, even after a pass.",
        "every": "Chops are allowed at any time, even after a pass.",
    },
)

SECTION = Section("chops", "Chops", (FOUR_CHOPS, TRIPLE_CHOP, CHOPS_ON_CHOPS, INTERRUPTIONS), importance=2)

CONFLICTS = (
    Conflict(
        TRIPLE_CHOP,
        PAIR_RUNS,
        lambda triple_chop, pair_runs: triple_chop and not pair_runs,
        "Five pairs in a row must be a combination to beat three twos.",
    ),
)

THREE_PAIRS, FOUR_OF_A_KIND, FOUR_PAIRS = range(1, 4)
"""Levels of chops: a higher level beats a lower one. More pairs have higher levels."""
LEVEL_BY_SHAPE = {KindAndSize(RUN_OF_PAIRS, 6): THREE_PAIRS, KindAndSize(FOUR, 4): FOUR_OF_A_KIND} | {
    KindAndSize(RUN_OF_PAIRS, 2 * pairs): pairs - 1 for pairs in range(4, 13)
}
"""The level of each kind and size of chop: 3 for four pairs, 4 for five, and so on."""


def chop_level(combination: Combination) -> int:
    """Return the level of a chop; 0 for other combinations."""
    return LEVEL_BY_SHAPE.get(KindAndSize(combination.kind, combination.size), 0)


def are_twos(combination: Combination) -> bool:
    """Return whether a combination is one, two or three twos, which chops beat."""
    return combination.kind in (SINGLE, PAIR, TRIPLE) and is_two(combination.cards[0])


def can_be_chopped(combination: Combination) -> bool:
    """Return whether a combination is of a sort that chops beat: twos, or a chop."""
    return are_twos(combination) or chop_level(combination) > 0


def is_chop(plays: Sequence[PlayedCombination]) -> bool:
    """Return whether the last of these plays of a trick chopped the play before it."""
    return len(plays) > 1 and chop_level(plays[-1].combination) > 0 and can_be_chopped(plays[-2].combination)


Plays = Sequence[PlayedCombination]

ON_CHOPS_BY_OPTION: dict[str, Callable[[Plays], bool]] = {
    "always": lambda plays: True,
    "after_two": lambda plays: any(is_two(card) for laid in plays for card in laid.combination.cards),
    "never": lambda plays: False,
}
"""Returns whether a chop beats lower kinds of chops in a trick with these plays, for each value of the option."""

LOWEST_INTERRUPTION = {"four_pairs": FOUR_PAIRS, "every": THREE_PAIRS}
"""The lowest level of chops that are allowed out of turn; values left out allow none."""


class ChopRules:
    """What chops beat beside their own kind in one match of Tien Len."""

    def __init__(self, options: Options) -> None:
        self.depends_on_trick = options[CHOPS_ON_CHOPS] == "after_two"
        self._beats_chops = ON_CHOPS_BY_OPTION[options[CHOPS_ON_CHOPS]]
        four = 2 if options[FOUR_CHOPS] == "two_twos" else 1
        self._most_twos = {THREE_PAIRS: 1, FOUR_OF_A_KIND: four, FOUR_PAIRS: 2}
        self._most_twos_of_higher = 3 if options[TRIPLE_CHOP] else 2
        self._lowest_interruption = LOWEST_INTERRUPTION.get(options[INTERRUPTIONS])

    def beats(self, level: int, plays: Plays) -> bool:
        """Return whether a chop of this level beats the last of the plays, if that is of another kind or size."""
        on = plays[-1].combination
        if are_twos(on):
            return on.size <= self._most_twos.get(level, self._most_twos_of_higher)
        return 0 < chop_level(on) < level and self._beats_chops(plays)

    def may_interrupt(self, level: int) -> bool:
        """Return whether chops of this level (0: none) are allowed out of turn and after a pass."""
        return self._lowest_interruption is not None and level >= self._lowest_interruption
