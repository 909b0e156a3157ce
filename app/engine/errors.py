"""The one error of the engine, and its codes.

`RuleError` says no: an action, an option or a record breaks a rule. It carries a code for programs
and a sentence for people that says what would have been legal, in the words of the game.

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

from typing import Literal, get_args

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


class RuleError(Exception):
    """A rule says no: `code` for programs, `sentence` for players."""

    def __init__(self, code: Code, sentence: str) -> None:
        super().__init__(sentence)
        self.code: Code = code
        self.sentence = sentence

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"
