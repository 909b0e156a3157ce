"""The consequence of a forbidden finish [PRES-84]. house/limits/no_finish.py decides which plays are forbidden."""

from app.engine.base.options import Choice, Option, Options, Section

FOUL = Option(
    id="PRES-84",
    also="hansoku 反則 foul",
    key="foul",
    domain=Choice({"last": "Who finishes so is last", "refused": "Such a play is not allowed"}),
    default="last",
    sentence="What comes of going out by a play that may not be the last. Where it is not allowed, a leader who has "
    "nothing else passes, and the lead goes on; if everybody in turn had to, the ban is lifted for that hand.",
    example="Ana goes out with a two: she is last, and the first who goes out fairly is first.",
    source="Daifugō",
)

SECTION = Section("going_out", "Going out", (FOUL,), importance=2)


def is_forbidden_finish_refused(options: Options) -> bool:
    """Return whether President's options refuse a last play that the rules forbid as illegal.

    Otherwise such a play is legal, and the player who goes out by it finishes last.
    """
    return options[FOUL] == "refused"
