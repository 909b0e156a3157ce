"""The trick [PRES-25 … PRES-28]: passing, rounds, the pile. Further rules about tricks are in house/."""

from app.engine.base.options import Choice, Option, Options, Section

PASSING = Option(
    id="PRES-25",
    also="permanent pass パス 过牌 locked out",
    key="passing",
    domain=Choice({"free": "Who passes may play later", "out": "Who passes is out of the trick"}),
    default="free",
    sentence="What passing means for the rest of the trick.",
    example="With “out”, who passed on a six may not play on the nine that follows.",
)

ROUNDS = Option(
    id="PRES-26",
    also="once around one go each",
    key="rounds",
    domain=Choice({"many": "Until everybody else has passed", "one": "One turn each"}),
    default="many",
    sentence="How long a trick lasts. With one round, each other player has one turn after the lead.",
    example="After 5♣ 8♣ pass J♣ the jack leads, though the five’s owner has a king.",
)

PILE = Option(
    id="PRES-28",
    also="discards 捨て札 弃牌堆",
    key="pile",
    domain=Choice({"cleared": "Turned down after a trick", "kept": "Visible for the whole hand"}),
    default="cleared",
    sentence="Whether cards that were played stay visible.",
    example="With “kept”, anybody may look up which aces are gone.",
)

SECTION = Section(
    "trick",
    "The trick",
    (
        PASSING,
        ROUNDS,
        PILE,
    ),
    importance=2,
)


def is_out_after_passing(options: Options) -> bool:
    """Return whether, by President's options, a player who passes is out of the trick."""
    return options[PASSING] == "out"


def has_one_round_per_trick(options: Options) -> bool:
    """Return whether, by President's options, each player has only one turn in a trick."""
    return options[ROUNDS] == "one"


def is_pile_kept_visible(options: Options) -> bool:
    """Return whether, by President's options, played cards stay visible after the trick."""
    return options[PILE] == "kept"
