"""The JSON keys of a room's messages whose values contain names of people.

Pages use it to show a member's chosen name while a match still uses the old one. Values alone don't tell, because
any word can be a name. `tests/rooms/views/test_name_fields.py` checks all games.
"""

from typing import Annotated, Final, TypedDict


class NameFields(TypedDict):
    """Which fields contain names of people."""

    under: Annotated[list[str], "Fields with a name or a list of names."]
    each: Annotated[list[str], "Objects whose keys are names."]
    without: Annotated[list[str], "Fields to skip, because they never contain names."]


NAME_FIELDS: Final[NameFields] = {
    "under": [
        *("acted", "agreed", "asked_by", "asks_leave", "barred", "bots", "by", "joining", "dealer"),
        *("decree_pending", "done", "fallen", "first", "from", "giver", "host", "king", "last", "leader", "leads"),
        "left_out",
        *("lost", "may_interrupt", "merchants", "name", "names", "next_seats", "of", "offers_seat_to", "one", "other"),
        *("passed", "payee", "payer", "people", "playing", "seats", "second", "silent", "standing", "starter"),
        *(
            "subjects",
            "taker",
            "takes_seat_of",
            "to",
            "to_act",
            "touched",
            "turn",
            "two",
            "undecided",
            "waiting",
            "winners",
        ),
    ],
    "each": [
        *(
            "birds",
            "bot_takes_over_at",
            "cards",
            "claims",
            "deadlines",
            "decrees",
            "dimes",
            "each",
            "exposed",
            "hashes",
            "host",
            "hues",
            "ledger",
            "left",
        ),
        *(
            "offers",
            "players",
            "reserve_from",
            "reserves",
            "revealed",
            "shown",
            "carried_titles",
            "titles",
            "to",
            "totals",
            "waiting_since",
        ),
    ],
    "without": [
        "actions",
        "cancelled",
        "closed",
        "dealt",
        "differences",
        "event_animations",
        "name_fields",
        "options",
        "previous",
        "stake",
        "event_prominence",
    ],
}
"""Valid for all games: a key has the same meaning everywhere in the protocol."""
