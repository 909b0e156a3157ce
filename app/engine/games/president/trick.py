"""The trick [PRES-25 … PRES-28]: passing, rounds, the pile. Further rules about tricks are in house/."""

from app.engine.base.options import Choice, Option, Options, Section

PASSING = Option(
    id="PRES-25",
    also="permanent pass パス 过牌 locked out",
    key="passing",
    domain=Choice({"free": "If you pass, you may play later", "out": "If you pass, you are out of the trick"}),
    default="free",
    sentence="Decides whether you may play again in a trick after you passed.",
    example="With “out of the trick”, a player who passed on a six may not play on the nine that follows.",
)

ROUNDS = Option(
    id="PRES-26",
    also="once around one go each",
    key="rounds",
    label="Trick length",
    domain=Choice({"many": "Until everyone else has passed", "one": "One turn each"}),
    default="many",
    sentence="Decides when a trick ends. With “One turn each”, each other player has one turn after the lead.",
    example="With “One turn each”, after 5♣ 8♣ pass J♣ the jack wins the trick, although the player of the "
    "five has a king.",
    short={
        "many": "Once all pass, the last to play leads.",
        "one": "Each player has one turn; the highest play leads next.",
    },
)

PILE = Option(
    id="PRES-28",
    also="discards 捨て札 弃牌堆",
    key="pile",
    label="Played cards",
    domain=Choice({"cleared": "Turned face down after each trick", "kept": "Visible for the whole hand"}),
    default="cleared",
    sentence="Decides whether cards played earlier in the hand stay visible.",
    example="With “Visible for the whole hand”, you can look up which aces were played.",
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


def is_pile_visible(options: Options) -> bool:
    """Return whether, by President's options, played cards stay visible after the trick."""
    return options[PILE] == "kept"
