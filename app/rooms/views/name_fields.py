"""Where names stand in what is told of a room: pages read people there as they are called by now, though their match
holds them to another name. Any word of ours may be somebody's name. `tests/rooms/views/test_name_fields.py` holds all
games to it.
"""

from typing import Annotated, Final, TypedDict


class NamedKeys(TypedDict):
    """The keys that say whose names stand where."""

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
"""Declared once, for every game: one key means one thing on the whole wire."""
