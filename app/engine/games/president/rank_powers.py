"""Ranks with a power [PRES-63 … PRES-72]: conditions and number of effects. Each power is a file in house/."""

from collections.abc import Iterable
from typing import Any, ClassVar

from app.engine.base.messages import MessageTemplate, join_with_and
from app.engine.base.options import Choice, Conflict, Option, Options, OptionValue, Ranks, Section
from app.engine.cards.cards import printed_rank, rank_message
from app.engine.climbing.combinations import KIND_OF_SET, Combination
from app.engine.climbing.effects import ChoiceKind, RequireChoice
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.display.table_display import Badge
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.combinations.card_powers import TRANSPARENT_ROLES
from app.engine.games.president.combinations.cards import (
    STRIP,
    THREES,
    TRANSPARENT,
    WILD_RANKS,
    conflict_if_ranks_overlap,
)
from app.engine.games.president.combinations.sequences import WIDTH_OF
from app.engine.games.president.house_rule import HouseRule

POWERS_IN = Option(
    id="PRES-70",
    also="special cards in straights 特殊効果 階段",
    key="powers_in",
    label="Powers in runs",
    domain=Choice({"sets": "Sets only", "all": "Sets and runs"}),
    default="sets",
    sentence="Decides whether ranks with a power also act in runs. They act once in a run, twice in a run of pairs.",
    example="With “Sets and runs”, 7♣ 8♣ 9♣ ends the trick if eights end tricks.",
    source="UECda",
)

POWER_COUNT = Option(
    id="PRES-71",
    also="special cards 特殊効果",
    key="power_count",
    domain=Choice({"cards": "Once for each card", "one": "Once"}),
    default="cards",
    sentence="Decides whether a power acts once for each card played, or once for each play. This applies to "
    "ranks that give, discard, skip, reverse direction or bomb.",
    example="Two fives skip two players; with “Once” they skip one player.",
    source="Daifugō",
)

POWER_CHOICE = Option(
    id="PRES-72",
    also="special cards 特殊効果 7渡し 10捨て",
    key="power_choice",
    domain=Choice({"may": "Up to that number, or none", "must": "Exactly that number"}),
    default="may",
    sentence="Decides whether a player who gives or discards may choose fewer cards than allowed.",
    example="With “Exactly that number”, two sevens give two cards. A player with only one card left gives that card.",
    source="Daifugō",
)

SECTION = Section("ranks", "Powers of ranks", (POWERS_IN, POWER_COUNT, POWER_CHOICE), importance=3)

RANKS = Ranks(13)
"""The values of an option that gives ranks a power."""


def conflicts_with_rank_power(switch: Option[str]) -> tuple[Conflict[Any, Any], ...]:
    """Return the conflicts of an option that gives ranks a power with options that treat these ranks otherwise.

    Such a rank must be in the deck, and not be wild, for example.
    """
    return (
        conflict_if_ranks_overlap(switch, STRIP, "A rank with a power must be in the deck."),
        conflict_if_ranks_overlap(switch, WILD_RANKS, "A rank can’t be wild and have a power."),
        conflict_if_ranks_overlap(switch, TRANSPARENT, "A rank can’t be transparent and have a power."),
        Conflict(
            switch,
            THREES,
            lambda ranks, threes: threes == "high" and bool(set(ranks) & set("34")),
            "High threes and transparent fours already have a power.",
        ),
    )


class RankPower(HouseRule[None]):
    """The base of President's house rules by which playing certain ranks has an effect.

    They act in sets, and in runs if the options say so. A badge shows the ranks to all players: `icon` is its symbol,
    `sign_text` its text, and `count_suffix` the number of cards needed, if any.
    """

    section = "ranks"
    active_value = "8"
    """An example of a value that turns the rule on."""
    icon: ClassVar[str]
    sign_text: ClassVar[MessageTemplate]
    """The badge's text; filled with `ranks` and their `count`."""
    count_suffix: ClassVar[str] = ""
    """The number of cards needed, as shown behind the rank; empty if any number acts."""

    def __init__(self, combination_rules: PresidentCombinations, options: Options) -> None:
        super().__init__(combination_rules, options)
        self.ranks = options[self.switch]
        self.in_runs = options[POWERS_IN] == "all"
        self.activates_once = options[POWER_COUNT] == "one"
        self.must_choose_exactly = options[POWER_CHOICE] == "must"
        says = self.sign_text(count=len(self.ranks), ranks=join_with_and(map(rank_message, self.ranks)))
        short = " ".join(printed_rank(rank) + self.count_suffix for rank in self.ranks)
        self._sign = Badge(self.switch.key, self.icon, says, hot=False, short=short)

    @classmethod
    def is_active(cls, value: OptionValue) -> bool:
        return bool(value)

    def signs(self, hand: HandState) -> Iterable[Badge]:
        return (self._sign,)

    def activation_count(self, play: Combination) -> int:
        """Return the number of times that the power of this rule's ranks acts in a play; 0 if it does not.

        It acts once for each such card, or only once, by an option.
        """
        if play.kind in KIND_OF_SET:
            count = play.size if self.is_set_of_power_rank(play) else 0
        elif self.in_runs and play.kind in WIDTH_OF:
            count = WIDTH_OF[play.kind] * sum(
                rank in self.ranks for rank in self.combination_rules.sequences.run_ranks(play)
            )
        else:
            return 0
        return min(count, 1) if self.activates_once else count

    def is_set_of_power_rank(self, set_: Combination) -> bool:
        """Return whether a set is of a rank that has this rule's power.

        Transparent cards (which take over another rank) and sets of only jokers do not count.
        """
        if set_.rank not in self.ranks or set_.role in TRANSPARENT_ROLES:
            return False
        return not all(card.is_joker for card in set_.cards)

    def build_choices(self, action: ChoiceKind, laid: PlayedCombination) -> tuple[RequireChoice, ...]:
        """Return the choice that a play of such a rank demands of its player; () if the power does not act.

        `action` is to give, discard or bomb. `laid` is the play, on which the number of cards or ranks depends.
        """
        number = self.activation_count(laid.combination)
        return (
            (RequireChoice(action, number, self.must_choose_exactly or action == "bomb", self.switch.id),)
            if number
            else ()
        )
