"""The error that rooms raise: `RoomError(code, sentence)`, similar to the engine's `RuleError`.

    not_host        only the host may do this
    not_a_member    this person has not joined
    no_such_name    nobody with this name is here
    name_taken      somebody here has this name, or one that looks the same
    bad_name        the name is not readable for people, or forbidden
    bad_setting     an unknown game or bot, or an invalid clock
    too_late        the turn, deal or vote that the command answers is over
    bad_message     the command does not name the request that it answers
    not_now         not possible in this phase of the room
    room_full       the room has no space for another member
    removed         the host has banned this person from the room
    bad_link        the link to a seat was used before, or is too old
    bad_text        the text is empty, unreadable or too long
    bad_seed        not hex, or too long

A refused command changes nothing, with one exception: if a bot was playing this person's seat, the person gets it
back.
"""

from app.engine.base.messages import TranslatableMessage


class RoomError(Exception):
    """A request that a room refuses: `code` for programs (such as "not_host"), `sentence` for people."""

    def __init__(self, code: str, sentence: TranslatableMessage) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"
