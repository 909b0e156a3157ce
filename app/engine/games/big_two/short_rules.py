"""Big Two's short rules: the lines that depend on several options. Most sentences are declared with their option."""

from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_and, join_with_or
from app.engine.base.options import Options, PlayedExample, ShortRules
from app.engine.cards.cards import SUIT_SIGNS, describe_cards, parse_cards
from app.engine.games.big_two import combinations, deal, play, scoring

AIM = MessageTemplate("big_two.short.aim", "Be first without cards; this ends the hand.")
AIM_OF_MANY = MessageTemplate("big_two.short.aim_of_many", "Be first without cards.")


def say_aim(options: Options) -> TranslatableMessage:
    """Say the aim of a hand, and whether it ends with the first player who is out."""
    return (AIM_OF_MANY if options[play.PLAY_ON] else AIM)()


ORDER = MessageTemplate("big_two.short.order", "Low to high: 3–10, J, Q, K, A, 2; equal ranks: {suits}.")


def say_order(options: Options) -> TranslatableMessage:
    """Say the order of ranks and suits, from low to high."""
    high_to_low = options[deal.SUIT_ORDER]
    return ORDER(suits=" ".join(SUIT_SIGNS[suit] for suit in high_to_low[::-1]))


LOW_CARD = MessageTemplate("big_two.short.low_card", "The player with the {card} leads.")
LOW_CARD_LED = MessageTemplate("big_two.short.low_card_led", "The player with the {card} leads it.")
LOW_CARD_ALWAYS = MessageTemplate("big_two.short.low_card_always", "Each hand, the player with the {card} leads.")
LOW_CARD_LED_ALWAYS = MessageTemplate(
    "big_two.short.low_card_led_always", "Each hand, the player with the {card} leads it."
)


def say_first_lead(options: Options) -> TranslatableMessage:
    """Say which card begins the first hand or each hand, and whether it must be led."""
    card = describe_cards(parse_cards("3" + options[deal.SUIT_ORDER][-1]))
    if options[deal.STARTER] == "low_card":
        return (LOW_CARD_LED_ALWAYS if options[deal.LEAD_LOW_CARD] else LOW_CARD_ALWAYS)(card=card)
    return (LOW_CARD_LED if options[deal.LEAD_LOW_CARD] else LOW_CARD)(card=card)


PLAYS = MessageTemplate("big_two.short.plays", "Play {kinds}.")
FIVE = MessageTemplate("big_two.short.five", "five cards (low to high: {kinds})")
SINGLE = MessageTemplate("big_two.short.single", "a single")
PAIR = MessageTemplate("big_two.short.pair", "a pair")
TRIPLE = MessageTemplate("big_two.short.triple", "three of a kind")
FOURS = MessageTemplate("big_two.short.fours", "four of a kind alone")
STRAIGHT = MessageTemplate("big_two.short.straight", "straight")
FLUSH = MessageTemplate("big_two.short.flush", "flush")
FULL_HOUSE = MessageTemplate("big_two.short.full_house", "full house")
FOUR_AND_ONE = MessageTemplate("big_two.short.four_and_one", "four of a kind plus 1 card")
STRAIGHT_FLUSH = MessageTemplate("big_two.short.straight_flush", "straight flush")
SEVEN = MessageTemplate(
    "big_two.short.seven",
    "Four of a kind plus 1 card beats all other plays. A straight flush with any 2 more cards beats everything.",
)
BOMBS = MessageTemplate("big_two.short.bombs", "Four of a kind alone beats everything.")


def say_plays(options: Options) -> TranslatableMessage:
    """Say which kinds of cards can be played."""
    few = [SINGLE(), PAIR()]
    if options[combinations.TRIPLES]:
        few.append(TRIPLE())
    quads, seven = options[combinations.QUADS], options[combinations.STRAIGHT_FLUSH] == "seven"
    if quads == "alone":
        few.append(FOURS())
    five = [STRAIGHT()]
    if options[combinations.FLUSHES]:
        five.append(FLUSH())
    five.append(FULL_HOUSE())
    if quads == "with_card" and not seven:
        five.append(FOUR_AND_ONE())
    if not seven:
        five.append(STRAIGHT_FLUSH())
    return PLAYS(kinds=join_with_or([*few, FIVE(kinds=join_with_and(five))]))


KINDS = MessageTemplate("big_two.short.kinds", "Straight: in a row. Flush: of one suit. Full house: three and a pair.")
KINDS_NO_FLUSHES = MessageTemplate(
    "big_two.short.kinds_no_flushes",
    "Straight: in a row. Full house: three and a pair. Straight flush: a straight of one suit.",
)


def say_kinds(options: Options) -> TranslatableMessage:
    """Say what the kinds of five cards are."""
    return (KINDS if options[combinations.FLUSHES] else KINDS_NO_FLUSHES)()


OWN_CLASS = MessageTemplate(
    "big_two.short.own_class",
    "Straights, flushes and full houses beat only their own kind.",
)
OWN_CLASS_NO_FLUSHES = MessageTemplate(
    "big_two.short.own_class_no_flushes",
    "Straights and full houses beat only their own kind.",
)


def say_own_class(options: Options) -> TranslatableMessage | None:
    """Say which five cards beat only their own kind; None if higher kinds beat lower ones."""
    if options[combinations.FULL_HOUSE] != "own_class":
        return None
    return (OWN_CLASS if options[combinations.FLUSHES] else OWN_CLASS_NO_FLUSHES)()


def say_strongest_plays(options: Options) -> TranslatableMessage | None:
    """Say which plays beat everything; None if there are none."""
    if options[combinations.STRAIGHT_FLUSH] == "seven":
        return SEVEN()
    return BOMBS() if options[combinations.QUADS] == "bomb" else None


BEAT = MessageTemplate("big_two.short.beat", "In turn, play the same number, higher, or pass until your next turn.")
BEAT_OUT = MessageTemplate(
    "big_two.short.beat_out", "In turn, play the same number, higher, or pass until the trick ends."
)
END = MessageTemplate("big_two.short.end", "Once all pass, the last to play leads.")
PENALTY = MessageTemplate("big_two.short.penalty", "Each card left costs a point.")
STEPS = MessageTemplate("big_two.short.steps", "Each card left costs a point: {steps}.")
STEP = MessageTemplate("big_two.short.step", "{factor} from {cards} cards")
FACES = MessageTemplate("big_two.short.faces", "Cards left cost points; high cards cost more.")


def say_beating(options: Options) -> TranslatableMessage:
    """Say which cards can be played on others, and for how long a pass lasts."""
    return (BEAT if options[play.PASSING] == "free" else BEAT_OUT)()


def say_penalty(options: Options) -> TranslatableMessage | None:
    """Say what losers pay for their cards; None if the points don't depend on these."""
    if options[scoring.SCORING] != "cards":
        return None
    if options[scoring.COUNT] != "cards":
        return FACES()
    steps = [STEP(factor=f"{factor}×", cards=count) for count, factor in options[scoring.DOUBLING]]
    return STEPS(steps=join_with_and(steps)) if steps else PENALTY()


STOP = MessageTemplate("big_two.short.stop", "Play until you stop.")


def say_no_match_end(options: Options) -> TranslatableMessage | None:
    """Say that only the players end the match; None if an option ends it."""
    return STOP() if options[deal.DEALS] is None and options[scoring.TARGET] is None else None


SHORT_RULES = ShortRules(
    play=(
        say_aim,
        say_order,
        deal.DIRECTION,
        say_first_lead,
        deal.STARTER,
        say_plays,
        say_kinds,
        say_own_class,
        say_strongest_plays,
        combinations.HONOURS,
        say_beating,
        combinations.STRAIGHTS,
        END,
    ),
    result=(scoring.SCORING, say_penalty, deal.DEALS, scoring.TARGET, say_no_match_end),
    if_room=(say_kinds, say_no_match_end),
    example=PlayedExample(
        ("9d 9s", "Jc Jh", "2d 2c"),
        "A player leads two nines. Two jacks beat them. Two twos beat every pair of another rank.",
    ),
    best_players=(4, 4),
)
