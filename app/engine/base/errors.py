"""The engine's only error class, and its codes.

A `RuleError` is raised when an action, an option or a record breaks a rule. It carries a code for programs, a
sentence for players and the id of the rule. The sentence says what would be legal. Its suggestions are attached as
data, too, so that tests can try them.

    RuleError
      not_in_this_phase   the action belongs to another phase of the hand
      not_your_turn       another player is to act
      bad_card            unknown card name
      not_your_cards      a card that the player does not hold, or named twice
      must_play           leading, compulsory beating, or a lead that must hold the low card
      not_a_combination   these cards may not be played together
      barred              passed earlier in this trick, where a pass bars the player
      does_not_beat       a combination that does not beat the play on the table
      wrong_gift          wrong number or choice of cards in an exchange
      needs_dispensation  the serf wants to leave and the king has not agreed
      bad_action          unknown or malformed action
      bad_option          unknown option or value, or two values that contradict each other
      bad_player_count    too few or too many players
      bad_record          a file that can't be used

A refused action changes nothing. States are immutable, so nothing has to be undone.
"""

from typing import Literal, TypeAlias, get_args

from app.engine.base.messages import TranslatableMessage

Code = Literal[
    "not_in_this_phase",
    "not_your_turn",
    "bad_card",
    "not_your_cards",
    "must_play",
    "not_a_combination",
    "barred",
    "does_not_beat",
    "wrong_gift",
    "needs_dispensation",
    "bad_action",
    "bad_option",
    "bad_player_count",
    "bad_record",
]

CODES: tuple[str, ...] = get_args(Code)


MALFORMED_CODES: frozenset[Code] = frozenset({"bad_card", "bad_action", "bad_option", "bad_player_count", "bad_record"})
"""Codes for malformed input. Such input breaks no rule of the game, so no rule id is attached."""

SuggestedActions: TypeAlias = tuple[object, ...]
"""What a refusal suggests instead: complete actions (actions.py), or sets of playable cards (suggestion_data.py)."""


class RuleError(Exception):
    """The engine's only error: an action, option or record breaks a rule.

    `code` is for programs, `sentence` for players. `rule` is the id of the broken rule, or None. `suggestions` holds
    legal alternatives as data, so that a page can offer them.
    """

    def __init__(
        self, code: Code, sentence: TranslatableMessage, rule: str | None = None, suggestions: SuggestedActions = ()
    ) -> None:
        super().__init__(sentence)
        self.code: Code = code
        self.sentence = sentence
        self.rule = rule
        self.suggestions = suggestions

    def set_default_rule(self, rule: str | None) -> None:
        """Set the error's rule id unless it already has one or its code stands for malformed input.

        For callers that catch the error and raise it again. A context manager would do the same, but `with` costs more
        than most checks, and every action passes here.
        """
        if self.rule is None and self.code not in MALFORMED_CODES:
            self.rule = rule

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"
