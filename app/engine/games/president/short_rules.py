"""President's short rules: the lines that depend on several options. Most sentences are declared with their option."""

from app.engine.base.messages import (
    MessageTemplate,
    MessageValue,
    TranslatableMessage,
    join_with_and,
    join_with_commas,
    join_with_spaces,
)
from app.engine.base.options import Options, PlayedExample, ShortRules
from app.engine.cards.cards import SUITS, describe_cards, printed_rank
from app.engine.games.president import decrees, opening, scoring, society, titles, trick
from app.engine.games.president.combinations import beats, cards, sequences
from app.engine.games.president.combinations.cards import CardMeanings
from app.engine.games.president.house.effects.run_revolution import RunRevolution
from app.engine.games.president.house.society import trading

AIM = MessageTemplate("president.short.aim", "Be first without cards.")

RANKS = MessageTemplate("president.short.ranks", "Low to high: {ranks}.")
JOKER = MessageTemplate("president.short.joker", "joker")


def say_order(options: Options) -> TranslatableMessage:
    """Say the order of the ranks and of wild cards above them, without ranks of which one card has its own power."""
    faces = CardMeanings(options)
    special = faces.wild_ranks + ("" if options[cards.TWOS] == "rank" else "2") + ("3" if faces.threes_high else "")
    ranks = [rank for rank in faces.ranks_low_to_high(inverted=False) if rank not in special]
    numbers = [rank for rank in ranks if rank in "3456789T"]
    if ranks[: len(numbers)] == numbers and len(numbers) > 2:
        shown: list[MessageValue] = [f"{numbers[0]}–{printed_rank(numbers[-1])}", *ranks[len(numbers) :]]
    else:
        shown = [printed_rank(rank) for rank in ranks]
    role = _joker_role(options)
    if role != "wild_only" and options[cards.WILD_ALONE] == "highest":
        equal = [*map(printed_rank, faces.wild_ranks), *([JOKER()] if role == "wild" else [])]
        with_signs = [part for each in equal for part in ("=", each)][1:]
        shown += [join_with_spaces(with_signs)] if equal else []
    return RANKS(ranks=join_with_commas([*shown, *([JOKER()] if role == "rank" else [])]))


def _joker_role(options: Options) -> str | None:
    """Return what jokers do; None without jokers."""
    return options[cards.JOKER_ROLE] if options[cards.JOKERS] else None


JOKERS = MessageTemplate("president.short.jokers", "Jokers")
TRUMPS = MessageTemplate("president.short.trumps", "One joker beats any play without jokers.")
WILD = {
    "highest": MessageTemplate("president.short.wild_highest", "{cards} join other cards as any rank."),
    "any": MessageTemplate("president.short.wild_any", "{cards} count as any rank that you name, even alone."),
    "lowest": MessageTemplate(
        "president.short.wild_lowest", "{cards} join other cards as any rank; alone, they are lowest."
    ),
}


def say_wild_cards(options: Options) -> TranslatableMessage | None:
    """Say which cards are wild, or that jokers are trumps; None if neither is so."""
    role = _joker_role(options)
    wild: list[str] = [JOKERS()] if role in ("wild", "wild_only") else []
    wild_ranks = options[cards.WILD_RANKS]
    wild += [printed_rank(rank) for rank in wild_ranks]
    if wild:
        alone = "lowest" if role == "wild_only" else options[cards.WILD_ALONE]
        return WILD[alone](cards=join_with_and(wild))
    return TRUMPS() if role == "trump" else None


DEALER_LEFT = MessageTemplate("president.short.dealer_left", "The dealer’s left neighbour leads first.")
LOW_CARD = MessageTemplate("president.short.low_card", "First, the {card}’s holder leads.")
LOW_CARD_LED = MessageTemplate("president.short.low_card_led", "First, the {card}’s holder leads it.")


def say_first_lead(options: Options) -> TranslatableMessage:
    """Say which player leads the first hand, and whether with the low card."""
    if options[opening.FIRST_LEAD] == "dealer_left":
        return DEALER_LEFT()
    suit = options[opening.LOW_SUIT]
    lowest = CardMeanings(options).cards_low_to_high(suit + SUITS.replace(suit, ""))[0]
    return (LOW_CARD_LED if options[opening.LEAD_LOW_CARD] else LOW_CARD)(card=describe_cards((lowest,)))


SETS = MessageTemplate("president.short.sets", "Lead 1–{most} cards of a rank.")
RUNS = MessageTemplate("president.short.runs", "Lead 1–{most} cards of a rank, or 3+ in a row.")
SUITED_RUNS = MessageTemplate(
    "president.short.suited_runs", "Lead 1–{most} cards of a rank, or 3+ in a row of one suit."
)
ALL_RUNS = MessageTemplate(
    "president.short.all_runs", "Lead 1–{most} cards of a rank, or in a row: 3+ single cards, or 2+ pairs or triples."
)
BEAT = {
    "free": MessageTemplate(
        "president.short.beat", "In turn, play the same number of higher cards, or pass until your next turn."
    ),
    "out": MessageTemplate(
        "president.short.beat_out", "In turn, play the same number of higher cards, or pass until the trick ends."
    ),
}
BEAT_EQUAL = {
    "free": MessageTemplate(
        "president.short.beat_equal",
        "In turn, play the same number of equal or higher cards, or pass until your next turn.",
    ),
    "out": MessageTemplate(
        "president.short.beat_equal_out",
        "In turn, play the same number of equal or higher cards, or pass until the trick ends.",
    ),
}
BEAT_RUNS = {
    "free": MessageTemplate(
        "president.short.beat_runs", "In turn, play the same kind and number, higher, or pass until your next turn."
    ),
    "out": MessageTemplate(
        "president.short.beat_runs_out", "In turn, play the same kind and number, higher, or pass until the trick ends."
    ),
}


def say_leads(options: Options) -> TranslatableMessage:
    """Say which cards can be led."""
    kinds = {"none": SETS, "all": ALL_RUNS, "single": SUITED_RUNS if options[sequences.SUITS] == "one" else RUNS}
    return kinds[options[sequences.SWITCH]](most=4 * options[cards.PACKS])


def say_plays(options: Options) -> TranslatableMessage:
    """Say which cards can be played on others, and for how long a pass lasts."""
    if options[sequences.SWITCH] != "none":
        texts = BEAT_RUNS
    else:
        texts = BEAT if options[beats.EQUAL_PLAYS] == "no" else BEAT_EQUAL
    return texts[options[trick.PASSING]]()


EQUAL_SETS = MessageTemplate("president.short.equal_sets", "Sets of equal rank also beat.")
EQUAL_SKIPS = MessageTemplate("president.short.equal_skips", "Equal plays skip the next player.")


def say_equal_plays(options: Options) -> TranslatableMessage | None:
    """Say what equal plays do; None if `say_plays` says all about them."""
    if options[beats.EQUAL_PLAYS] == "skip":
        return EQUAL_SKIPS()
    with_runs = options[sequences.SWITCH] != "none"
    return EQUAL_SETS() if with_runs and options[beats.EQUAL_PLAYS] == "allowed" else None


WINNER_OUT = MessageTemplate("president.short.winner_out", "If that player is out, the next one leads.")
RUN_REVOLUTION = MessageTemplate(
    "president.short.run_revolution", "{count} or more cards in a row reverse the ranks for the hand."
)


def say_run_revolution(options: Options) -> TranslatableMessage | None:
    """Say which runs reverse the ranks; None if none do."""
    least = options[RunRevolution.switch] if options[sequences.SWITCH] != "none" else None
    return None if least is None else RUN_REVOLUTION(count=least)


PLACES = MessageTemplate("president.short.places", "First out is {first}, others play on, last is {last}.")


def say_titles(options: Options) -> TranslatableMessage:
    """Say the titles of the first and the last place."""
    first, *_, last = titles.titles_for_options(options, "12345").values()
    return PLACES(first=_say_title(first), last=_say_title(last))


def _say_title(title: str) -> TranslatableMessage:
    return TranslatableMessage(title, f"title.{title}", {})


OWN_POINTS = MessageTemplate("president.short.own_points", "Places score {points}.")
TARGET = MessageTemplate("president.short.target", "Play to {count} points.")
FLOOR = MessageTemplate(
    "president.short.floor", "Start with {start} points; a player with {count} or fewer ends the match."
)
HANDS = MessageTemplate("president.short.hands", "The match ends after {count} hands.")


def say_own_points(options: Options) -> TranslatableMessage | None:
    """Say the points of the places, if the host has chosen them."""
    points = options[scoring.SCORING]
    return None if isinstance(points, str) else OWN_POINTS(points=join_with_commas(points))


def say_match_end(options: Options) -> TranslatableMessage | None:
    """Say when the match ends; None if only the players end it."""
    if options[scoring.SCORING] == "none":
        return None
    for option, text in ((scoring.TARGET, TARGET), (scoring.FLOOR, FLOOR), (scoring.HANDS, HANDS)):
        if (count := options[option]) is not None:
            return text(count=count, start=options[scoring.START_POINTS])
    return None


STOP = MessageTemplate("president.short.stop", "Play until you stop.")


def say_no_match_end(options: Options) -> TranslatableMessage | None:
    """Say that only the players end the match; None if an option ends it."""
    return None if say_match_end(options) else STOP()


SHORT_RULES = ShortRules(
    play=(
        AIM,
        say_order,
        say_wild_cards,
        cards.TWOS,
        cards.TRANSPARENT,
        cards.POWER_CARDS,
        say_first_lead,
        say_leads,
        say_plays,
        say_equal_plays,
        trick.ROUNDS,
        WINNER_OUT,
        beats.FOUR_OF_A_KIND,
        say_run_revolution,
    ),
    result=(
        say_titles,
        society.EXCHANGE,
        society.EXCHANGE_RETURN,
        trading.SWITCH,
        opening.NEXT_LEAD,
        scoring.SCORING,
        say_own_points,
        say_match_end,
        say_no_match_end,
        decrees.SWITCH,
    ),
    if_room=(say_run_revolution, say_titles, WINNER_OUT, say_no_match_end, decrees.SWITCH),
    example=PlayedExample(
        ("8c 8d", "Jh Js", "2c 2d"), "A player leads two eights. Two jacks beat them. Two twos beat every other pair."
    ),
    best_players=(4, 7),
)
