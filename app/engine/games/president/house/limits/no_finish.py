"""Forbidden finishes [PRES-83]: plays with which a player may not go out (kinshi agari, hansoku agari)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.base.options import MultiChoice, Option, Options, OptionValue
from app.engine.cards.cards import Cards, describe_cards
from app.engine.climbing.combinations import KIND_OF_SET, Combination
from app.engine.climbing.effects import Effect, MoveToBottom, SetMemory
from app.engine.climbing.rule_hooks import BAN_LIFTED, LEAD_PASSED, HandState
from app.engine.climbing.state import PlayedCombination, Trick
from app.engine.display.events import GameEventType
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.combinations.card_powers import HIGH_THREE, TRANSPARENT_ROLES, SpadeThreeOnJoker
from app.engine.games.president.combinations.sequences import WIDTH_OF
from app.engine.games.president.forbidden_finish import FOUL, is_forbidden_finish_refused
from app.engine.games.president.house.effects.coup import Coup
from app.engine.games.president.house.effects.end_trick import EndTrickRanks
from app.engine.games.president.house.effects.run_revolution import RunRevolution
from app.engine.games.president.house_rule import HouseRule
from app.engine.match.hand import HandTransition

NOT_THE_LAST = MessageTemplate("president.not_the_last", "You can’t finish with {cards}. Play other cards, or pass.")
NOT_THE_LAST_LEAD = MessageTemplate(
    "president.not_the_last_lead",
    "You can’t finish with {cards}. Play other cards; if you have none, pass.",
)
FOULED = GameEventType(
    "foul",
    "A foul: {by} finishes with a forbidden play and comes last.",
    you="A foul: you finish with a forbidden play and come last.",
    stood_out="foul",
)


@dataclass(frozen=True, slots=True)
class FinishState:
    """What happened in a hand about plays that may not be a player's last, for a house rule of President."""

    fouls: tuple[str, ...] = ()
    """Players who went out by a foul, the latest first."""
    lead_passes: int = 0
    """Number of players in succession who had to pass the lead."""
    lifted: bool = False
    """Whether the ban is lifted for the rest of the hand."""


class FoulView(TypedDict):
    """Plays that would be a foul."""

    foul: Annotated[bool, "Whether playing all your cards at once now would be a foul (PRES-83)."]
    not_last: Annotated[
        str,
        "Your cards that may not be led as your last card (PRES-83).",
    ]


class NoFinish(HouseRule[FinishState]):
    """A house rule of President: some plays, such as a joker, may not be a player's last.

    By an option, such a play is refused, or its player finishes last.
    """

    switch = Option(
        id="PRES-83",
        also="kinshi agari hansoku agari 禁止上がり 禁止あがり 反則上がり 反則あがり illegal finish",
        key="no_finish",
        domain=MultiChoice(
            {
                "best": "The best rank",
                "enders": "A rank that ends the trick",
                "jokers": "A joker",
                "spade_three": "The three of spades on a joker",
                "revolution": "A revolution",
            }
        ),
        default=[],
        sentence="Nobody may finish with such a play. Cards that you give or discard are always allowed as your "
        "last cards.",
        example="With “The best rank”, nobody may finish with a two, or with a three during a revolution.",
        source="Daifugō",
        label="Forbidden last plays",
    )
    section = "going_out"
    active_value = ("best",)
    memory_key = "finishes"

    def __init__(self, combination_rules: PresidentCombinations, options: Options) -> None:
        super().__init__(combination_rules, options)
        self.forbidden_checks = [FORBIDDEN_FINISH_CHECKS[one] for one in options[self.switch]]
        self.trick_ending_ranks = EndTrickRanks(combination_rules, options)
        turning = (one for one in (RunRevolution, Coup) if one.is_active(options[one.switch]))
        self.revolution_rules: list[HouseRule[Any]] = [one(combination_rules, options) for one in turning]
        self.may_refuse_plays = is_forbidden_finish_refused(options)

    @classmethod
    def is_active(cls, value: OptionValue) -> bool:
        return bool(value)

    def prepare_hand(self, hand: HandState, match_memory: Mapping[str, Any]) -> HandState:
        return self.with_memory(hand, FinishState())

    @classmethod
    def own(cls, hand: HandState, player: str) -> FoulView:
        held = hand.cards.get(player, ())
        if (
            cls.read_memory(hand) is None
            or not held
            or player not in (hand.player_to_play, *hand.rules.possible_interrupters(hand))
        ):
            return {"foul": False, "not_last": ""}
        parts: Sequence[HouseRule[Any]] = getattr(hand.rules, "parts", ())
        part = next(one for one in parts if isinstance(one, cls))
        lead = hand.replace(trick=Trick())
        not_last = " ".join(card for card in held if part._is_foul_finish(lead, player, (card,)))
        return {"foul": hand.open_choice is None and part._is_foul_finish(hand, player, held), "not_last": not_last}

    def _is_foul_finish(self, hand: HandState, by: str, cards: Cards) -> bool:
        """Return whether these cards would be a play that may not be this player's last; False if they form none."""
        readings = hand.rules.readings(hand, cards)
        return bool(readings) and self._is_forbidden_finish(hand, by, readings[0])

    def adjust_places(self, hand: HandState, standing: tuple[str, ...]) -> tuple[str, ...]:
        fouls = self._finish_state(hand).fouls
        others = tuple(name for name in standing if name not in fouls)
        return (*others, *fouls) if hand.phase == "over" else others

    def _is_forbidden_finish(self, hand: HandState, by: str, play: Combination) -> bool:
        """Return whether the rules forbid this play as the player's last; `hand` is the position before it."""
        return any(offence(self, hand, by, play) for offence in self.forbidden_checks)

    def foul_effects(self, hand: HandState, laid: PlayedCombination) -> Iterator[Effect]:
        before = hand.replace(trick=hand.trick.before_last_play(), inverted=laid.inverted)
        if self.may_refuse_plays or not self._is_forbidden_finish(before, laid.by, laid.combination):
            return
        finishes = self._finish_state(hand)
        yield SetMemory(self.with_memory(hand, replace(finishes, fouls=(laid.by, *finishes.fouls))).memory)
        yield MoveToBottom(laid.by, FOULED(laid.by, self.switch.id))

    def find_play_error(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        if not self.may_refuse_plays or combination.size < len(hand.cards[by]) or self._finish_state(hand).lifted:
            return None
        if not self._is_forbidden_finish(hand, by, combination):
            return None
        cards = describe_cards(combination.cards)
        if hand.play_to_beat is None:
            return RuleError("must_play", NOT_THE_LAST_LEAD(cards=cards), FOUL.id)
        return RuleError("does_not_beat", NOT_THE_LAST(cards=cards), FOUL.id)

    def pass_lead(self, hand: HandState, by: str) -> HandTransition[HandState]:
        """Return the hand after a leader passed, whose last cards may not be led: the next player leads.

        If all players had to pass in turn, the ban on last cards is lifted.
        """
        finishes, following = self._finish_state(hand), hand.next_player_with_cards(by)
        assert following is not None, "a hand with a ban has a second player"
        passes = finishes.lead_passes + 1
        lifted = passes >= len(hand.players_with_cards())
        finishes = replace(finishes, lead_passes=0 if lifted else passes, lifted=lifted or finishes.lifted)
        events = (LEAD_PASSED(by, leads=following), *((BAN_LIFTED(None, FOUL.id),) if lifted else ()))
        return HandTransition(self.with_memory(hand.replace(to_act=(following,)), finishes), events)

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Iterator[Effect]:
        finishes = self._finish_state(hand)
        if finishes.lead_passes:
            yield SetMemory(self.with_memory(hand, replace(finishes, lead_passes=0)).memory)

    def _finish_state(self, hand: HandState) -> FinishState:
        return self.read_memory(hand) or FinishState()


def _contains_best_rank(rule: NoFinish, hand: HandState, by: str, play: Combination) -> bool:
    """Return whether the play contains the current best rank, which by an option may not be in a last play.

    Wild cards count as the rank they stand for. All such checks take the same arguments: the house rule, the position
    before the play, and its player; here `by` is unused.
    """
    best = rule.card_meanings.best_rank(inverted=hand.inverted)
    if play.role in TRANSPARENT_ROLES:
        return False
    if play.kind in KIND_OF_SET:
        return (("3" if hand.inverted else "") if play.rank == HIGH_THREE else play.rank) == best
    if play.kind in WIDTH_OF:
        return best in rule.combination_rules.sequences.run_ranks(play)
    return any(rule.card_meanings.rank_of(card) == best for card in play.cards)


def _contains_trick_ending_rank(rule: NoFinish, hand: HandState, by: str, play: Combination) -> bool:
    """Return whether a rank that ends the trick acts in the play, which by an option may not be in a last play.

    All such checks take the same arguments; here `hand` and its player `by` are unused.
    """
    return bool(rule.trick_ending_ranks.ranks) and rule.trick_ending_ranks.activation_count(play) > 0


def _contains_joker(rule: NoFinish, hand: HandState, by: str, play: Combination) -> bool:
    """Return whether the play contains a joker, which by an option may not be in a last play.

    All such checks take the same arguments; here only `play` is used.
    """
    return any(card.is_joker for card in play.cards)


def _is_spade_three_on_joker(rule: NoFinish, hand: HandState, by: str, play: Combination) -> bool:
    """Return whether the play is the three of spades on a joker, which by an option may not be a last play.

    All such checks take the same arguments; here only `play` is used.
    """
    return play.role == SpadeThreeOnJoker.role


def _is_revolution(rule: NoFinish, hand: HandState, by: str, play: Combination) -> bool:
    """Return whether the play inverts the ranks for the hand, which by an option may not be a last play.

    `hand` is the position before the play, and `by` its player.
    """
    laid = PlayedCombination(by, play)
    turned = bool(rule.combination_rules.four_of_a_kind_effects) and any(
        True for _ in rule.combination_rules.revolution_effects((*hand.trick.plays, laid))
    )
    return turned or any(bool(list(part.effects_of_play(hand, laid))) for part in rule.revolution_rules)


FORBIDDEN_FINISH_CHECKS: dict[str, Callable[[NoFinish, HandState, str, Combination], bool]] = {
    "best": _contains_best_rank,
    "enders": _contains_trick_ending_rank,
    "jokers": _contains_joker,
    "spade_three": _is_spade_three_on_joker,
    "revolution": _is_revolution,
}
"""Returns whether a play may not be the last, for each value that the option can contain."""
