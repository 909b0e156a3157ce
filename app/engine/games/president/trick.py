"""The trick [PRES-25 … PRES-28]: passing, rounds, the pile. Its house rules are in house/."""

from app.engine.options import Choice, Options, Section, Switch

PASSING = Switch(
    "PRES-25",
    "passing",
    Choice({"free": "Who passes may play later", "out": "Who passes is out of the trick"}),
    "free",
    "What passing means for the rest of the trick.",
    "With “out”, who passed on a six may not play on the nine that follows.",
)

SECTION = Section(
    "trick",
    "The trick",
    (
        PASSING,
        Switch(
            "PRES-26",
            "rounds",
            Choice({"many": "Until everybody else has passed", "one": "One turn each"}),
            "many",
            "How long a trick lasts. With one round, each other player has one turn after the lead.",
            "After 5♣ 8♣ pass J♣ the jack leads, though the five’s owner has a king.",
        ),
        Switch(
            "PRES-28",
            "pile",
            Choice({"cleared": "Turned down after a trick", "kept": "Visible for the whole hand"}),
            "cleared",
            "Whether cards that were played stay visible.",
            "With “kept”, anybody may look up which aces are gone.",
        ),
    ),
)


def passing_bars(options: Options) -> bool:
    """Whether who passes is out of the trick."""
    return bool(options.passing == "out")


def one_round(options: Options) -> bool:
    """Whether everybody has a single turn in a trick."""
    return bool(options.rounds == "one")


def keeps_pile(options: Options) -> bool:
    """Whether cards that were played stay visible."""
    return bool(options.pile == "kept")
