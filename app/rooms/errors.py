"""The error of rooms: `RoomError(code, sentence)`, beside the engine's `RuleError`.

    not_host        only the host may do this
    not_a_member    this person has not joined
    no_such_name    nobody of this name is here
    name_taken      somebody here has this name, or one that reads the same
    bad_name        not a name that people can read
    bad_setting     an unknown game or bot, or a clock that can't be
    too_late        what this answers is over: another turn, deal or question
    bad_message     a field is missing that says what this answers
    not_now         not in this phase of the room
    room_full       no place for one more
    removed         the host keeps this person out of the room
    bad_link        a link to a seat that was used already, or is too old
    bad_text        nothing that can be read, or too much of it
    bad_seed        not hex, or too long

A refused command changes nothing (though whoever asks is back at their seat, if a bot was playing it).
"""

from app.engine.base.messages import Said


class RoomError(Exception):
    """A room says no: `code` for programs, `sentence` for people."""

    def __init__(self, code: str, sentence: Said) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"
