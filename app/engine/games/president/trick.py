"""The trick [PRES-25 … PRES-28]: passing, rounds, compulsory beating, the pile."""

from app.engine.options import Choice, Section, Switch, flag

SECTION = Section(
    "trick",
    "The trick",
    (
        Switch(
            "PRES-25",
            "passing",
            Choice({"free": "Who passes may play later", "out": "Who passes is out of the trick"}),
            "free",
            "What passing means for the rest of the trick.",
            "With “out”, who passed on a six may not play on the nine that follows.",
        ),
        Switch(
            "PRES-26",
            "rounds",
            Choice({"many": "Until everybody else has passed", "one": "One turn each"}),
            "many",
            "How long a trick lasts. With one round, each other player has one turn after the lead.",
            "After 5♣ 8♣ pass J♣ the jack leads, though the five’s owner has a king.",
        ),
        Switch(
            "PRES-27",
            "must_beat",
            flag("You may always pass", "You must beat if you can"),
            False,
            "Whether only those who can’t beat the table may pass.",
            "Who holds 9♣ must play it on 8♦.",
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
