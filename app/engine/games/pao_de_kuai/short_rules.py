"""Pao De Kuai's short rules: the lines that depend on several options. Others are declared with their option."""

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Options, PlayedExample, ShortRules

from . import bombs, combinations, payments, play, table

AIM = MessageTemplate("pao_de_kuai.short.aim", "Be first without cards.")
ORDER = MessageTemplate("pao_de_kuai.short.order", "Low to high: 3–10, J, Q, K, A, 2.")
FIRST_LEAD = MessageTemplate("pao_de_kuai.short.first_lead", "The player with {card} leads it.")
FIRST_LEAD_OF_ANYTHING = MessageTemplate("pao_de_kuai.short.first_lead_of_anything", "The player with {card} leads.")
SETS = {
    2: MessageTemplate("pao_de_kuai.short.sets", "Play a card, a pair, or 5+ cards or 2+ pairs in a row."),
    3: MessageTemplate("pao_de_kuai.short.sets_three", "Play a card, a pair, or 5+ cards or 3+ pairs in a row."),
}
TRIPLES_WITH = {
    "two": MessageTemplate("pao_de_kuai.short.triples_two", "Triples take two loose cards."),
    "one": MessageTemplate("pao_de_kuai.short.triples_one", "Triples take one loose card each."),
    "any": MessageTemplate("pao_de_kuai.short.triples_any", "Triples take up to two loose cards each."),
}
BEAT = MessageTemplate("pao_de_kuai.short.beat", "In turn, play the same kind and number, higher, or pass.")
BEAT_OR_PASS = MessageTemplate("pao_de_kuai.short.beat_or_pass", "Beat if you can: same kind and number, higher.")
BOMBS = MessageTemplate("pao_de_kuai.short.bombs", "A bomb (four of a kind) beats all but higher bombs.")
END = MessageTemplate("pao_de_kuai.short.end", "Once all pass, the last to play leads.")
PAID = MessageTemplate("pao_de_kuai.short.paid", "The others pay 1 point per card left.")
PAID_BUT_ONE = MessageTemplate(
    "pao_de_kuai.short.paid_but_one", "The others pay 1 point per card left (one card: nothing)."
)
BOMB_PAID = MessageTemplate(
    "pao_de_kuai.short.bomb_paid",
    {
        "one": "Each other player pays {count} point for a bomb.",
        "other": "Each other player pays {count} points for a bomb.",
    },
)
STOP = MessageTemplate("pao_de_kuai.short.stop", "Play until you stop.")
FIRST_CARDS = {"spades": "3♠", "hearts": "3♥"}


def say_first_lead(options: Options) -> TranslatableMessage:
    """Say which player leads, and whether it must be the first card."""
    said = FIRST_LEAD if options[table.LOW_CARD_LEAD] == "within" else FIRST_LEAD_OF_ANYTHING
    return said(card=FIRST_CARDS[options[table.FIRST_CARD]])


def say_sets(options: Options) -> TranslatableMessage:
    """Say which cards can be played, apart from triples and bombs."""
    return SETS[options[combinations.PAIR_RUNS]]()


def say_triples(options: Options) -> TranslatableMessage:
    """Say the number of loose cards with a triple."""
    return TRIPLES_WITH[options[combinations.LOOSE_CARDS]]()


def say_beating(options: Options) -> TranslatableMessage:
    """Say what beats a play, and whether you may pass all the same."""
    return (BEAT_OR_PASS if options[play.MUST_BEAT] else BEAT)()


def say_cards_left(options: Options) -> TranslatableMessage:
    """Say what the others pay at the end."""
    return (PAID_BUT_ONE if options[payments.ONE_LEFT] == "free" else PAID)()


def say_bomb_points(options: Options) -> TranslatableMessage | None:
    """Say what a bomb costs; nothing if it costs nothing."""
    return BOMB_PAID(count=options[bombs.BOMB_POINTS]) if options[bombs.BOMB_POINTS] else None


SHORT_RULES = ShortRules(
    play=(
        table.DECK,
        AIM,
        ORDER,
        table.DIRECTION,
        say_first_lead,
        table.STARTER,
        say_sets,
        say_triples,
        combinations.FOURS_WITH,
        say_beating,
        BOMBS,
        bombs.ACE_BOMB,
        END,
        play.LAST_CARD,
        combinations.SHORT_LAST,
    ),
    result=(say_cards_left, payments.SPRING, payments.HEART_TEN, say_bomb_points, STOP),
    if_room=(combinations.SHORT_LAST, STOP),
    example=PlayedExample(
        ("9d", "Jh", "6s 6c 6d 6h"),
        "A player leads a nine. A jack beats it. Four sixes are a bomb.",
    ),
    best_players=(3, 3),
)
