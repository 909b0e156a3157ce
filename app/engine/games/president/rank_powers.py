"""Ranks with a power [PRES-63 … PRES-72]: which plays they act in, and how often. Each power is a file in house/."""

from collections.abc import Iterable
from typing import Any, ClassVar

from app.engine.base.messages import Sentence, both
from app.engine.base.options import Choice, Conflict, Options, Ranks, Section, Switch, Value
from app.engine.cards.cards import printed, rank_said
from app.engine.climbing.combinations import KIND_OF_SET, Combination
from app.engine.climbing.effects import Choose, Choosing
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.display.table_display import Sign
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.combinations.card_powers import SEEN_THROUGH
from app.engine.games.president.combinations.cards import STRIP, THREES, TRANSPARENT, WILD_RANKS, common
from app.engine.games.president.combinations.sequences import WIDTH_OF
from app.engine.games.president.house_rule import Part

POWERS_IN = Switch(
    id="PRES-70",
    also="special cards in straights 特殊効果 階段",
    key="powers_in",
    domain=Choice({"sets": "Sets only", "all": "Sets and runs"}),
    default="sets",
    sentence="Whether a rank with a power acts in sets only, or in a run, too: there once, in a run of pairs twice.",
    example="With “all” 7♣ 8♣ 9♣ ends the trick where eights do.",
    source="UECda",
)

POWER_COUNT = Switch(
    id="PRES-71",
    also="special cards 特殊効果",
    key="power_count",
    domain=Choice({"cards": "As often as there are cards", "one": "Once"}),
    default="cards",
    sentence="How often a rank with a power acts that hands on, lays aside, skips, reverses or bombs.",
    example="Two fives skip two players; with “one” they skip one.",
    source="Daifugō",
)

POWER_CHOICE = Switch(
    id="PRES-72",
    also="special cards 特殊効果 7渡し 10捨て",
    key="power_choice",
    domain=Choice({"may": "Up to so many, or none", "must": "Exactly so many"}),
    default="may",
    sentence="Whether who hands on or lays aside may choose fewer cards than there are of the rank.",
    example="With “must” two sevens hand on two cards; who has only one left hands on that.",
    source="Daifugō",
)

SECTION = Section("ranks", "What single ranks do", (POWERS_IN, POWER_COUNT, POWER_CHOICE), tells=3)

RANKS = Ranks(13)
"""What ranks may have a power."""


def apart(switch: Switch[str]) -> tuple[Conflict[Any, Any], ...]:
    """What a rank with a power can't be besides."""
    return (
        common(switch, STRIP, "a rank with a power must be in the pack"),
        common(switch, WILD_RANKS, "a rank is wild or has a power, not both"),
        common(switch, TRANSPARENT, "a rank is transparent or has a power, not both"),
        Conflict(
            switch,
            THREES,
            lambda ranks, threes: threes == "high" and bool(set(ranks) & set("34")),
            "high threes and transparent fours have their own power",
        ),
    )


class RankPower(Part[None]):
    """Ranks that do something when they are played: in a set, or in a run where that counts."""

    section = "ranks"
    at = "8"
    """For one."""
    icon: ClassVar[str]
    does: ClassVar[Sentence]
    """What such ranks do, in the few words of a sign; `ranks` and their `count` fill it."""
    times: ClassVar[str] = ""
    """How many cards of such a rank it takes, where it is not any number."""

    def __init__(self, beating: Beating, options: Options) -> None:
        super().__init__(beating, options)
        self.ranks = options[self.switch]
        self.in_runs = options[POWERS_IN] == "all"
        self.once = options[POWER_COUNT] == "one"
        self.exactly = options[POWER_CHOICE] == "must"
        says = self.does(count=len(self.ranks), ranks=both(map(rank_said, self.ranks)))
        short = " ".join(printed(rank) + self.times for rank in self.ranks)
        self._sign = Sign(self.switch.key, self.icon, says, hot=False, short=short)

    @classmethod
    def is_on(cls, value: Value) -> bool:
        return bool(value)

    def signs(self, hand: HandState) -> Iterable[Sign]:
        return (self._sign,)

    def number(self, play: Combination) -> int:
        """How often it acts in a play; 0: it does not."""
        if play.kind in KIND_OF_SET:
            count = play.size if self.is_of(play) else 0
        elif self.in_runs and play.kind in WIDTH_OF:
            count = WIDTH_OF[play.kind] * sum(rank in self.ranks for rank in self.beating.sequences.window(play))
        else:
            return 0
        return min(count, 1) if self.once else count

    def is_of(self, set_: Combination) -> bool:
        """Whether a set is of such a rank: not if its cards are transparent, or nothing but jokers."""
        if set_.rank not in self.ranks or set_.role in SEEN_THROUGH:
            return False
        return not all(card.is_joker for card in set_.cards)

    def choice(self, do: Choosing, laid: Laid) -> tuple[Choose, ...]:
        """What its player has to choose."""
        number = self.number(laid.combination)
        return (Choose(do, number, self.exactly or do == "bomb", self.switch.id),) if number else ()
