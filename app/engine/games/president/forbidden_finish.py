"""The consequence of a forbidden finish [PRES-84]. house/limits/no_finish.py decides which plays are forbidden."""

from app.engine.base.options import Choice, Option, Options, Section

FOUL = Option(
    id="PRES-84",
    also="hansoku 反則 foul",
    key="foul",
    label="Fouls",
    domain=Choice({"last": "You come last", "refused": "The play is not allowed"}),
    default="last",
    sentence="Decides what happens if you finish with a forbidden play. If it is not allowed and you have no "
    "other lead, you pass and the lead moves on. If everyone would have to pass, the ban is lifted "
    "for that hand.",
    example="Ana finishes with a two and is last. The next player to finish is first.",
    source="Daifugō",
)

SECTION = Section("going_out", "Going out", (FOUL,), importance=2)


def is_forbidden_finish_refused(options: Options) -> bool:
    """Return whether President's options refuse a last play that the rules forbid as illegal.

    Otherwise such a play is legal, and the player who goes out by it finishes last.
    """
    return options[FOUL] == "refused"
