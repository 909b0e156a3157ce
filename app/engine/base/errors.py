"""The one error of the engine, and its codes.

`RuleError` says no: an action, an option or a record breaks a rule. It carries a code for programs, a sentence for
people that says what would have been legal, in the words of the game, and the id of the rule that refuses. What the
sentence proposes it carries as data, too, so that whether it would do can be tried.

    RuleError
      not_in_this_phase   the action belongs to another phase of the hand
      not_your_turn       somebody else is to act
      bad_card            there is no such card
      not_your_cards      a card that the player does not hold, or named twice
      must_play           leading, compulsory beating, or a lead that must hold the low card
      not_a_combination   these cards may not be played together
      barred              passed earlier in this trick, where that bars
      does_not_beat       a combination, but not one that beats the table
      wrong_gift          number or choice of cards in an exchange
      needs_dispensation  the serf wants to leave and the king has not agreed
      bad_action          unknown or malformed
      bad_option          an unknown switch or value, or two that contradict each other
      bad_player_count    too few or too many at the table
      bad_record          a file that can't be used

A refused action changes nothing: states are values, so there is nothing to undo.
"""

from typing import Literal, TypeAlias, get_args

from app.engine.base.messages import Said

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


MALFORMED: frozenset[Code] = frozenset({"bad_card", "bad_action", "bad_option", "bad_player_count", "bad_record"})
"""Codes of what no hand can be asked: by themselves they break no rule of the game."""

WouldDo: TypeAlias = tuple[object, ...]
"""What a sentence proposes: actions (actions.py) that would be accepted as they are, proposals (suggestion_data.py) of
cards that might be played."""


class RuleError(Exception):
    """A rule says no: `code` for programs, `sentence` for players, `rule` by its id, `would_do` as data."""

    def __init__(self, code: Code, sentence: Said, rule: str | None = None, would_do: WouldDo = ()) -> None:
        super().__init__(sentence)
        self.code: Code = code
        self.sentence = sentence
        self.rule = rule
        self.would_do = would_do

    def put_under(self, rule: str | None) -> None:
        """Say that this rule refuses, if no other does; of what is malformed, none does.

        For who catches it and raises it again: every action passes there, and a `with` costs more than most checks.
        """
        if self.rule is None and self.code not in MALFORMED:
            self.rule = rule

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"
