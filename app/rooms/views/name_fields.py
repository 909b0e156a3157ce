"""The JSON keys of a room's messages whose values contain names of people.

Pages use it to show a member's chosen name while a match still uses the old one. Values alone don't tell, because
any word can be a name. `tests/rooms/views/test_name_fields.py` checks all games.
"""

from typing import Annotated, Final, TypedDict


class NamedKeys(TypedDict):
    """The JSON keys in a room's messages under which names of people stand, as the server tells pages.

    Pages use it to show a member's new chosen name while a match still uses the old one. `under`: values are names;
    `each`: an object's keys are names; `without`: nothing inside is a name.
    """

    under: Annotated[list[str], "Under these stand names, alone or several."]
    each: Annotated[list[str], "Under these something stands for each, by name."]
    without: Annotated[list[str], "Under these nothing is a name, whatever it says."]


NAMED: Final[NamedKeys] = {
    "under": [
        *("acted", "agreed", "asked", "asked_by", "asks_leave", "barred", "bots", "by", "chair", "coming", "dealer"),
        *("decree_waits", "done", "fallen", "first", "from", "giver", "host", "king", "last", "leader", "leads"),
        "left_out",
        *("lost", "may_break_in", "merchants", "name", "names", "next_seats", "of", "one", "other"),
        *("passed", "payee", "payer", "people", "playing", "seats", "second", "silent", "standing", "starter"),
        *("subjects", "taker", "to", "to_act", "touched", "turn", "two", "waiting", "winners"),
    ],
    "each": [
        *(
            "away",
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
        *("offers", "players", "revealed", "shown", "society", "titles", "to", "totals", "waits"),
    ],
    "without": [
        "actions",
        "closed",
        "dealt",
        "differences",
        "motions",
        "named",
        "options",
        "previous",
        "stake",
        "tones",
    ],
}
"""Valid for all games: a key has the same meaning everywhere in the protocol."""
