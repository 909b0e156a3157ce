"""What comes of a forbidden finish [PRES-84]; which plays are one is a house rule (house/limits/no_finish.py)."""

from app.engine.base.options import Choice, Options, Section, Switch

FOUL = Switch(
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

SECTION = Section("going_out", "Going out", (FOUL,), tells=2)


def refuses(options: Options) -> bool:
    """Whether a forbidden finish is not allowed at all."""
    return options[FOUL] == "refused"
