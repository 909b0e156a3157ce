"""Tien Len's short rules: the lines that depend on several options. Most sentences are declared with their option."""

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Options, PlayedExample, ShortRules
from app.engine.games.tien_len import chops, combinations, payments, play, table

AIM = MessageTemplate("tien_len.short.aim", "Be first without cards.")
AIM_AND_END = MessageTemplate("tien_len.short.aim_and_end", "Be first without cards; this ends the hand.")
ORDER = MessageTemplate("tien_len.short.order", "Low to high: 3–10, J, Q, K, A, 2; equal ranks: ♠ ♣ ♦ ♥.")
FIRST_LEAD = MessageTemplate("tien_len.short.first_lead", "The player with the lowest card leads it.")
FIRST_LEAD_OF_ANYTHING = MessageTemplate(
    "tien_len.short.first_lead_of_anything", "The player with the lowest card leads."
)
PLAYS = MessageTemplate(
    "tien_len.short.plays", "Play sets of one rank, or three or more cards or pairs in a row, without twos."
)
PLAYS_NO_PAIRS = MessageTemplate(
    "tien_len.short.plays_no_pairs", "Play sets of one rank, or three or more cards in a row, without twos."
)
BEAT = MessageTemplate("tien_len.short.beat", "In turn, play the same kind and number, higher, or pass.")
BEAT_OUT = MessageTemplate(
    "tien_len.short.beat_out", "In turn, play the same kind and number, higher, or pass until the trick ends."
)
END = MessageTemplate("tien_len.short.end", "Once all pass, the last to play leads.")
CHOPS = MessageTemplate(
    "tien_len.short.chops", "Chops beat twos: three pairs in a row one, four of a kind or four pairs two."
)
CHOPS_OF_ONE = MessageTemplate(
    "tien_len.short.chops_of_one", "Chops beat twos: three pairs in a row or four of a kind one, four pairs two."
)
FOURS_BEAT_TWO = MessageTemplate("tien_len.short.fours_beat_two", "Four of a kind beats one or two twos.")
FOURS_BEAT_ONE = MessageTemplate("tien_len.short.fours_beat_one", "Four of a kind beats one two.")
CHOPPED = MessageTemplate("tien_len.short.chopped", "A chopped black two costs 1 point, a red one 2.")
CHOPPED_OR_HELD = MessageTemplate(
    "tien_len.short.chopped_or_held", "A two chopped, or held at the end, costs 1 point if black, 2 if red."
)
STOP = MessageTemplate("tien_len.short.stop", "Play until you stop.")


def say_aim(options: Options) -> TranslatableMessage:
    """Say the aim of a hand, and whether it ends with the first player who is out."""
    return (AIM if options[play.PLAY_ON] else AIM_AND_END)()


def say_first_lead(options: Options) -> TranslatableMessage:
    """Say which player leads, and whether it must be the lowest card."""
    return (FIRST_LEAD_OF_ANYTHING if options[table.LOW_CARD_LEAD] == "free" else FIRST_LEAD)()


def say_plays(options: Options) -> TranslatableMessage:
    """Say which kinds of cards can be played."""
    return (PLAYS if options[combinations.PAIR_RUNS] else PLAYS_NO_PAIRS)()


def say_beating(options: Options) -> TranslatableMessage:
    """Say which cards can be played on others, and until when a pass lasts."""
    return (BEAT if options[play.PASSING] == "free" else BEAT_OUT)()


CHOPS_BY_OPTIONS = {
    (True, "two_twos"): CHOPS,
    (True, "one_two"): CHOPS_OF_ONE,
    (False, "two_twos"): FOURS_BEAT_TWO,
    (False, "one_two"): FOURS_BEAT_ONE,
}


def say_chops(options: Options) -> TranslatableMessage:
    """Say the number of twos that each chop beats."""
    return CHOPS_BY_OPTIONS[options[combinations.PAIR_RUNS], options[chops.FOUR_CHOPS]]()


def say_chop_points(options: Options) -> TranslatableMessage:
    """Say what a chopped two costs, and whether one held at the end costs the same."""
    return (CHOPPED if options[payments.CARDS_HELD] == "free" else CHOPPED_OR_HELD)()


SHORT_RULES = ShortRules(
    play=(
        say_aim,
        ORDER,
        table.DIRECTION,
        say_first_lead,
        table.STARTER,
        say_plays,
        say_beating,
        say_chops,
        END,
        chops.INTERRUPTIONS,
    ),
    result=(payments.PAYMENTS, say_chop_points, STOP),
    if_room=(say_chop_points, STOP),
    example=PlayedExample(
        ("Jc", "2s", "4s 4d 5c 5h 6s 6c"),
        "A player leads a jack. A two beats it. Three pairs in a row chop the two.",
    ),
    best_players=(4, 4),
)
